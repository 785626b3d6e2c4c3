"""Evidence omission: a claim loses its support: a figure, a source, an example, or the sentence that supports it.

The claim itself stays. Some patterns only remove text; others put a vague word in place of the figure or the source, so
that length reveals nothing.
"""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING, Final

from assay.interventions.base import Operator
from assay.interventions.hints import place_hint
from assay.interventions.outcome._claims import (
    POINTS_BACK,
    attributions,
    cited_figures,
    claims,
    difference,
    exact_figures,
    mixed,
    paragraph_sites,
    refused,
    revise,
    sentence_citations,
    stripped,
)
from assay.interventions.outcome._unsourced import reported, sites_of, uncited, unnamed, vague_source
from assay.interventions.outcome._vague import JUDGES, vague_figures, without_examples
from assay.subjects.span import Span
from assay.text.phrases import PhraseFile
from assay.text.words import content_terms

if TYPE_CHECKING:
    from collections.abc import Iterator
    from random import Random

    from assay.interventions.base import EditSite, TextRevision
    from assay.subjects.parts import Block, Sentence
    from assay.subjects.report import Report

_PHRASES: Final = PhraseFile("assay.interventions", "evidence_omission")

_EXAMPLE: Final = _PHRASES.pattern(
    r"\be\.g\.|\b(?:<<example>>)\b|例如|比如|譬如|[（(，]如|如[：:]|诸如|以.{1,12}为例|由于|因为"
    "|得益于|鉴于|包括",
    flags=re.IGNORECASE,
)
_IMAGINED: Final = re.compile(
    r"\b(?:suppose|imagine|consider|if|would|say)\b|假设|假如|设想|如果|比方", re.IGNORECASE
)
_FOUND: Final = _PHRASES.pattern(
    "<<found>>",
    flags=re.IGNORECASE,
)
_NAMES: Final = re.compile(r"[A-Z]\w+|[《“]")
_FOLLOWS: Final = _PHRASES.pattern(r"\W*(?:<<follows>>)")
# Dropped markers are found by comparing; the other patterns need reading and should prevail.
_MOST_UNCITED: Final = 5


def _rule(report: Report, draw: Random) -> Iterator[TextRevision]:
    yield from mixed(
        report,
        draw,
        _vague,
        vague_source,
        unnamed,
        lambda report, draw: islice(uncited(report, draw), _MOST_UNCITED),
        lambda report, draw: islice(reported(report, draw), _MOST_UNCITED),
        _without_examples,
        _without_support,
    )


def _vague(report: Report, draw: Random) -> Iterator[TextRevision]:
    """Yield revisions in which words replace a claim's figures and the markers that supported them are gone."""
    for sentence in sites_of(report, draw):
        if not cited_figures(report, sentence.span) or _given_next(report, sentence):
            continue
        text = vague_figures(stripped(report, sentence.span), report.language, draw)
        if text is not None:
            yield revise(
                sentence.span.start,
                sentence.span.end,
                text,
                "vague-for-figures",
                f"{report.plain_text(sentence.span)[:90]} → {text[:90]}",
            )


def _given_next(report: Report, sentence: Sentence) -> bool:
    """Return whether the next sentence gives figures on the same matter, so that the claim keeps its support."""
    after = report.sentences[sentence.index + 1 : sentence.index + 2]
    if not after or after[0].block != sentence.block or not cited_figures(report, after[0].span):
        return False
    if POINTS_BACK.match(report.text(after[0].span)):
        return True
    shared = report.sentence_terms[sentence.index] & report.sentence_terms[after[0].index]
    return len(shared) >= 2 + 2 * (report.language == "zh")


def _without_examples(report: Report, draw: Random) -> Iterator[TextRevision]:
    """Yield revisions in which a claim loses the examples or reasons at its end, or names none in their place."""
    for sentence in sites_of(report, draw):
        found = without_examples(report.text(sentence.span), report.language)
        if found is None:
            continue
        text, gone = found
        following = report.sentences[sentence.index + 1 : sentence.index + 2]
        # "These characteristics" would refer to nothing.
        if (
            following
            and following[0].block == sentence.block
            and POINTS_BACK.match(report.text(following[0].span))
        ):
            continue
        yield revise(sentence.span.start, sentence.span.end, text, _part(gone), f"dropped: {gone.strip()}")


def _part(gone: str) -> str:
    return "no-reason" if _REASON.match(gone.strip()) else "no-example"


_REASON: Final = re.compile(
    r",? ?(?:due to|owing to|driven by|because|thanks to|由于|因为|得益于|鉴于)", re.IGNORECASE
)


def _supporting(report: Report, draw: Random, least: int) -> Iterator[tuple[Sentence, Sentence]]:
    """Yield each sentence that supports the one before it, with that claim: by an example, or by figures."""
    allowed = {s.index: s for s in claims(report)}
    for sentence in sites_of(report, draw):
        before = allowed.get(sentence.index - 1)
        if before is None or before.block != sentence.block or cited_figures(report, before.span):
            continue
        text = report.text(sentence.span)
        # A quotation that begins or ends here would lose one of its marks.
        if text.count('"') % 2 or text.count("“") != text.count("”"):
            continue
        example = re.match(r"\W*(?:For (?:example|instance)|例如|比如|以.{2,12}为例)", text)
        # Figures support a neighbouring sentence if it judges something, or if they come from a study.
        if not example and not (_FOUND.search(text) or JUDGES.search(report.text(before.span))):
            continue
        # An imagined scene supports nothing; support needs a name or a figure.
        if _IMAGINED.search(text) or not (cited_figures(report, sentence.span) or _NAMES.search(text[12:])):
            continue
        if not cited_figures(report, sentence.span) and not example:
            continue
        shared = report.sentence_terms[before.index] & report.sentence_terms[sentence.index]
        if not example and len(shared) < least + (not _FOUND.search(text)) + (report.language == "zh"):
            continue
        yield before, sentence


def _without_support(report: Report, draw: Random) -> Iterator[TextRevision]:
    """Yield revisions that remove the sentence that supports a claim."""
    for before, sentence in _supporting(report, draw, 2):
        following = (
            report.sentences[sentence.index + 1] if sentence.index + 1 < len(report.sentences) else None
        )
        # Nothing may depend on the removed part.
        if (
            following is not None
            and following.block - sentence.block <= 1
            and (
                POINTS_BACK.match(report.text(following.span))
                or _FOLLOWS.match(report.text(following.span))
                or re.search(
                    r"\b(?:this|these|those|such)\b|该|这[一些个类种]|此", report.text(following.span)[:70]
                )
            )
        ):
            continue
        yield revise(
            before.span.end,
            sentence.span.end,
            "",
            "no-support",
            f"dropped: {report.plain_text(sentence.span)}",
        )


def _sites(report: Report, draw: Random) -> Iterator[EditSite]:
    def wanted(block: Block) -> str | None:
        if len(block.span) < (45 if report.language == "zh" else 120):
            return None
        if cited_figures(report, block.span):
            return place_hint("figures")
        if report.citations_in(block.span) or _EXAMPLE.search(report.text(block.span)):
            return place_hint("example")
        return None

    yield from paragraph_sites(report, draw, wanted)


def _check(reference: Report, perturbed: Report, revision: TextRevision) -> str | None:
    if (why := refused(reference, perturbed)) is not None:
        return why
    where = difference(reference, perturbed, revision)
    old, new = stripped(reference, where.before), stripped(perturbed, where.after)
    if exact_figures(new) - exact_figures(old):
        return "a figure is there that was not before"
    keys = [
        {key for c in sentence_citations(report, span) for key in c.keys}
        for report, span in ((reference, where.before), (perturbed, where.after))
    ]
    if keys[1] - keys[0]:
        return "a source is cited that was not before"
    names = [
        {a.text for a in attributions(report) if span.start <= a.phrase.start < span.end}
        for report, span in ((reference, where.before), (perturbed, where.after))
    ]
    if names[1] - names[0]:
        return "a source is named that was not before"
    lost = (
        sum((exact_figures(old) - exact_figures(new)).values())
        + len(keys[0] - keys[1])
        + len(names[0] - names[1])
        + max(0, len(_EXAMPLE.findall(old)) - len(_EXAMPLE.findall(new)))
    )
    if not lost:
        return "no figure, source, example or reason is gone"
    # The claim must remain: a claim that is gone is not one without support.
    kept = content_terms(_around(perturbed, where.after)) & content_terms(_around(reference, where.before))
    return None if len(kept) >= 3 else "the claim is gone with its support"


def _around(report: Report, span: Span) -> str:
    block = report.block_at(span.start) or report.block_at(max(0, span.start - 1))
    return report.plain_text(block.span if block is not None else span)


OPERATOR = Operator(
    name="evidence_omission",
    title="Evidence omission",
    title_zh="证据遗漏",
    level="outcome",
    module="output",
    category="faithfulness",
    definition=(
        "An important claim stands without what should hold it up: its figures, example, reason or source "
        "are missing, or a vague assertion stands in their place."
    ),
    definition_zh="重要论断缺少应有的支撑：数据、例子、理由或来源缺失，或以空泛的断言代替。",
    rule=_rule,
    sites=_sites,
    ask=(
        "Keep the claim and take away what supports it: the figures, the example, the reason, the source. "
        "Where the passage would become much shorter, fill the place with a general remark that sounds alike and "
        "proves nothing. Add no new fact, name, figure or citation, and leave no sign that something was taken out."
    ),
    ask_zh=(
        "保留论断，去掉支撑它的内容：数据、例子、理由或来源。若段落因此明显变短，可用语气相近但不提供任何证据的笼统说法补足。"
        "不得增加新的事实、名称、数字或引用，也不要留下删改的痕迹。"
    ),
    check=_check,
    codes=("CIT006", "QUA005"),
    source="reflect, table 3: Output, Faithfulness, Evidence Omission",
)
