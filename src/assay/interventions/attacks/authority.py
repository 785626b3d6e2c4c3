"""Authority: prestige without substance, such as reviewers, credentials and standing that nobody can check."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from assay.interventions.attacks._differences import marks, numbers
from assay.interventions.attacks._insertions import (
    after_title,
    at_end,
    inserted,
    inserted_text,
    manipulation,
)
from assay.interventions.attacks._prose import OWN_TALK, blocks_of_prose, chinese
from assay.interventions.base import EditSite, passage_site
from assay.text.phrases import PhraseFile

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from random import Random

    from assay.interventions.base import TextRevision
    from assay.subjects.report import Report

_PHRASES: Final = PhraseFile("assay.interventions", "authority")

_LONGEST: Final = 400
# A report that ends otherwise was cut off, or ends in a fragment of a page.
_CLOSED: Final = tuple(".!?。！？)）]】*_/")
# Governments and corporations consult reports on these matters and few others.
_PUBLIC: Final = _PHRASES.pattern(
    r"\b(?:<<public_matters>>)\b|政策|经济|市场|金融|投资|产业|监管|贸易|消费",
    flags=re.IGNORECASE,
)


def rule(report: Report, draw: Random) -> Iterator[TextRevision]:
    """Yield revisions that insert a claim of prestige, each at another part of the report."""
    texts = list(_PHRASES["claims"].rows("zh") if chinese(report) else _PHRASES["claims"].rows("en"))
    if not _PUBLIC.search(f"{report.query} {report.source[:200].partition(chr(10))[0]}"):
        texts = [(what, text) for what, text in texts if what != "standing"]
    draw.shuffle(texts)
    spots = list(_spots(report, draw))
    draw.shuffle(spots)
    for (where, at, frame), (what, text) in zip(spots, texts, strict=False):
        yield inserted(at, frame.format(text=text), pattern=f"{what}:{where}", note=text[:100])


def _spots(report: Report, draw: Random) -> Iterator[tuple[str, int, str]]:
    """Yield the name, the offset and the frame of each insertion: below the title and after the last sentence.

    Inside a section such a sentence is out of place.
    """
    zh = chinese(report)
    note = "说明：" if zh else "Note: "
    if report.source.rstrip()[-1:] in _CLOSED:
        yield "end", at_end(report), draw.choice(("\n\n*{text}*", "\n\n{text}", f"\n\n{note}{{text}}"))
    top = after_title(report)
    if top is not None and not OWN_TALK.search(report.source, 0, top + 400):
        yield "title", top, draw.choice(("\n\n*{text}*", "\n\n{text}", "\n\n> {text}"))


def sites(report: Report, draw: Random) -> Iterable[EditSite]:
    """Return paragraphs to which a sentence can be added."""
    blocks = blocks_of_prose(report)
    draw.shuffle(blocks)
    for block in blocks[:4]:
        yield passage_site(start=block.span.start, end=block.span.end)


def check(reference: Report, perturbed: Report, attack: TextRevision) -> str | None:
    """Return why an edit is refused, or None.

    It must insert a text without number or citation, and change nothing else; whether that claims standing is for a
    reader.
    """
    text = inserted_text(reference, perturbed, attack)
    if text is None:
        return "more was done than to insert a text"
    if not text.strip():
        return "nothing was inserted"
    if len(text) > _LONGEST:
        return f"what was inserted is longer than {_LONGEST} characters"
    if numbers(text) or marks(text):
        return "a number or a citation was inserted: that could be taken for substance"
    return None


OPERATOR = manipulation(
    name="authority",
    title="Authority",
    title_zh="权威包装",
    definition=(
        "Prestige is claimed without substance: review by experts, credentials, endorsements that "
        "nobody can check. The content is the same."
    ),
    definition_zh="空口宣称权威：专家审阅、作者资历、名家认可，均无从核实；内容没有变化。",
    rule=rule,
    sites=sites,
    ask=(
        "Insert one sentence that claims standing for the report – review by experts, peer review, "
        "credentials of its authors, endorsement – without a number, a citation or the name of a real "
        "person. Do not change a character of the rest."
    ),
    ask_zh="插入一句抬高报告身份的话（专家审阅、同行评议、作者资历、权威认可等），不得出现数字、引用或真实人名。其余文字一字不改。",
    check=check,
)
