"""Claims that allow no exceptions: without doubt, guaranteed, zero risk, 绝对安全, 毫无疑问.

Research seldom shows that a statement holds in every case. Readers who know one exception stop trusting the rest. Say how
far the evidence goes ("in the 40 homes measured", "in most cases"), or who makes the claim.

Only words that claim certainty or universal success of something in the world are looked for; "always" and "never" are
flagged with verbs of success and failure, not in rules, properties of methods or mathematics. Quotations, attributed or
first-person statements, negated ones, attempts and aims ("helps ensure", "no method guarantees"), and sentences with a citation are left
alone. A report with such claims gets one note.

Known problems: some absolute claims are true by logic or by law, and the sentence may not show this.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from assay.checks.base import Check, Context, Example, Hit
from assay.checks.prose import ATTRIBUTED, candidates, covered
from assay.checks.wording import Wording, series
from assay.text.lexicon import PhraseLexicon
from assay.text.phrases import PhraseFile

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assay.subjects.report import Report
    from assay.subjects.span import Span

_PHRASES: Final = PhraseFile("assay.checks", "qua")

# Rare words, so that the look-up is cheap; the patterns below decide which uses are absolute.
_CUES: Final = PhraseLexicon(_PHRASES, "absolute_claim_cues")
_EN: Final = _PHRASES.pattern(r"\b(?:<<absolute_claim.en>>)\b")
_ZH: Final = _PHRASES.pattern("<<absolute_claim.zh>>")
_EN_SOFT: Final = _PHRASES.pattern(r"\b(?:<<absolute_claim_soft.en>>)\b|n['’]t\b|\?")
_ZH_SOFT: Final = _PHRASES.pattern("<<absolute_claim_soft.zh>>|？|之所以|不会永远")
_NO_CHANCE: Final = re.compile(r"(?:没有|毫无|无)[^，。；]{0,10}$")
_FORMAL: Final = re.compile(r"[`$\\]|\b[a-z]+_[a-z]\w*|\w\(\)")
# Who says "I" is quoted, or speaks for himself.
_SPEAKS: Final = re.compile(r"\b(?:I|I['’](?:m|ve|d|ll)|[Mm]y|me)\b|我(?!们|国|省|市|县|校|院|司)")
_SHOWN: Final = 8
_WORDS: Final = 3

_ABSOLUTE: Final = Wording(
    en="{n:claim leaves|claims leave} no room for exceptions, and nothing limits {n:=it|them}: {words}",
    zh="{n}处论断说得绝对，句中没有任何限定：{words}",
)


def run(report: Report, context: Context) -> Iterator[Hit]:
    """Yield one finding for all absolute claims that their sentences neither limit nor attribute nor cite."""
    text = report.cues.lower
    spans: list[Span] = []
    words: list[str] = []
    for sentence, start, end in candidates(report, _CUES):
        if spans and spans[-1] == sentence.span:
            continue
        left, right = sentence.span.start, sentence.span.end
        chinese = text[start] > "\u2e7f"
        pattern = _ZH if chinese else _EN
        match = pattern.search(text, max(left, start - 22), min(right, end + 24))
        if match is None or (
            _is_softened(text, left, right) if chinese else _EN_SOFT.search(text, left, right)
        ):
            continue
        # Code and formulas state what a program or a theorem does.
        if ATTRIBUTED.search(text, left, match.start()) or _FORMAL.search(report.source, left, right):
            continue
        paragraph = report.blocks[sentence.block].span
        if _SPEAKS.search(report.source, paragraph.start, paragraph.end):
            continue
        if not covered(report, sentence):
            spans.append(sentence.span)
            words.append(" ".join(match.group().split()))
    if spans:
        shown = list(dict.fromkeys(words))
        yield Hit(
            spans[0],
            _ABSOLUTE(n=len(spans), words=series(shown[:_WORDS], quoted=True, cut=len(shown) > _WORDS)),
            related=tuple(spans[1:_SHOWN]),
            confidence=0.75,
        )


def _is_softened(text: str, left: int, right: int) -> bool:
    """Return whether a Chinese sentence contains a softening word; the 可能 in 没有失败的可能 does not count."""
    return any(
        match.group() != "可能" or not _NO_CHANCE.search(text, max(left, match.start() - 12), match.start())
        for match in _ZH_SOFT.finditer(text, left, right)
    )


CHECK = Check(
    code="QUA001",
    name="absolute-claim",
    severity="info",
    summary="Absolute claims (without doubt, guaranteed, zero risk, 绝对, 毫无疑问) without scope or qualifier.",
    run=run,
    default=False,
    languages=("en", "zh"),
    dimension="qualifiers_counterpoints",
    failure="evidence_omission",
    bad=(
        Example("Without doubt the new rules will bring only benefits to households in every region."),
        Example("The method is completely safe and carries zero risk for the owners of old boilers."),
        Example("经过超滤处理的再生水对人体绝对安全，不存在任何健康风险。"),
        Example("按照这个办法，改革一定会成功，没有失败的可能。"),
    ),
    good=(
        Example("Outside of a callback, `getStore()` will always return an empty value."),
        Example(
            "Ducted replacement was the cheapest choice in the 48 oil homes surveyed, at 2024 prices [2]."
        ),
        Example(
            "A smart thermostat will not always lower the bill. Installers must never bypass the fuse. "
            "The mean of a set can never fall outside its range."
        ),
        Example(
            "No method guarantees success, and the plan tries to eliminate all risks. The journey will be long."
        ),
        Example("经过超滤处理的再生水风险较低，但并非绝对安全。其绝对值见下表。"),
    ),
)
