"""A claim that allows no exceptions: always, never, guaranteed, 绝对, 毫无疑问.

Research seldom shows that a statement holds in every case. Readers who know one exception stop trusting the rest. Say how
far the evidence goes ("in the 40 homes measured", "in most cases"), or who makes the claim.

Not flagged are quotations and attributed statements, instructions ("always check …"), rules ("must never"), negated
absolutes ("does not always"), and the rules of a specification ("a timeout of zero will never expire").

Known problems: some absolute claims are true by logic or by law, and the sentence may not show this.
"""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING, Final

from assay.checks.base import Check, Context, Example, RawFinding
from assay.checks.prose import ATTRIBUTED, candidates, covered
from assay.checks.wording import Wording
from assay.text.lexicon import PhraseLexicon
from assay.text.phrases import PhraseFile

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assay.subjects.report import Report

_PHRASES: Final = PhraseFile("assay.checks", "qua")

# Rare words, so that the look-up is cheap; the patterns below decide which uses are absolute.
_CUES: Final = PhraseLexicon(_PHRASES, "absolute_claim_cues")
_EN: Final = re.compile(
    r"""\b(?: undoubtedly | unquestionably | indisputably | undeniably | incontrovertibly | infallible | foolproof
      | (?:without|beyond)\ (?:a\ |any\ |all\ |reasonable\ )?doubt | (?:there\ is\ )?no\ doubt\ that
      | inevitably\ (?:leads?|causes?|results?|destroys?|replaces?|becomes?|fails?|wins?|raises?|reduces?|improves?)
      | (?:will\ (?:always|never|inevitably|invariably)|can\ never) | always\ (?:leads?|causes?|works?|results?
      |wins?|fails?|improves?|reduces?|raises?|increases?|outperforms?|succeeds?|produces?|delivers?|brings?)
      | (?:is|are)\ (?:always|invariably|universally)\ (?:the\ best|better|best|superior|right|true|correct
      |safe|effective|beneficial|harmful|worse|successful|profitable|reliable|cheaper|more|less)
      | never\ (?:fails?|leads?|causes?|works?|loses?|harms?|hurts?|errs?)
      | guarantees\ (?:that|success|growth|safety|results?|long|high|a|an|the|better|lower|full|complete)\b
      | (?:is|are)\ guaranteed\ to
      | (?:absolutely|completely|totally|entirely|perfectly)\ (?:safe|certain|reliable|accurate|risk-free
      |harmless|secure|eliminat\w+|solv\w+|prevent\w*|remov\w+|cures?|no\ risk|clear\ that)
      | eliminates\ (?:all|any|every) | (?:poses?|carr(?:y|ies)|has|have|with|is
      |are)\ (?:absolutely\ )?zero\ (?:risks?|side|downsides?|chance|drawbacks?)
      | (?:definitively|conclusively|clearly|which|this|it|evidence|data|results?|and)\ proves?\ (?:that|how)?
      | (?:definitively|conclusively)\ proven | proven\ beyond
      | everyone\ (?:agrees|knows|accepts|benefits|wins) | nobody\ (?:disputes|doubts|denies|can)
      | (?:under|in)\ (?:all|any)\ circumstances | whatever\ happens | (?:is|are)\ impossible\ for\ (?:any|all)
      | clearly\ the\ (?:right|best|only|superior|most) )\b""",
    re.VERBOSE,
)
_ZH: Final = _PHRASES.pattern(
    "绝对(?:<<absolute_claim.zh>>)|必然(?:<<absolute_claim_necessarily.zh>>)|<<absolute_claim_words.zh>>"
)
_EN_SOFT: Final = _PHRASES.pattern(r"\b(?:<<absolute_claim_soft.en>>)\b|n't\b|\?")
_ZH_SOFT: Final = _PHRASES.pattern("<<absolute_claim_soft.zh>>|？|之所以|不会永远")
_NO_CHANCE: Final = re.compile(r"(?:没有|毫无|无)[^，。；]{0,10}$")
# In a specification or manual these words state rules; in other texts they make claims.
_RULE: Final = re.compile(r"(?:will|can|is|are|always|never|guarantees)\b")
_MUST: Final = ("must", "shall")
_PER_THOUSAND: Final = 2
_FEWEST: Final = 3
_IDENTIFIER: Final = re.compile(
    r"\b[a-z]+_[a-z]\w*|\b\w+\(\)|\b[a-z]+[A-Z]\w+|\b(?:NULL|TRUE|FALSE)\b|\b0x[\dA-Fa-f]+|(?<!\w)\\[a-z]\b"
)

_ABSOLUTE: Final = Wording(
    en="“{words}” leaves no room for exceptions, and nothing in the sentence limits it",
    zh="“{words}”说得绝对，句中也没有任何限定",
)


def _specifies(report: Report, left: int, right: int) -> bool:
    """Return whether a sentence states a rule of a specification.

    It does if it contains an identifier, or if the text does not answer a query and contains code blocks, many
    identifiers, or many uses of "must" and "shall".
    """
    if _IDENTIFIER.search(report.source, left, right):
        return True
    if report.query:
        return False
    cached: bool | None = report.memo.get(_specifies)
    if cached is None:
        musts = sum(len(report.cues.positions(word)) for word in _MUST)
        cached = (
            (musts >= _FEWEST and 1000 * musts >= _PER_THOUSAND * report.words)
            or any(block.kind == "code" for block in report.blocks)
            or len(set(islice(map(re.Match[str].group, _IDENTIFIER.finditer(report.source)), 500))) >= _FEWEST
        )
        report.memo[_specifies] = cached
    return cached


def _is_softened(text: str, left: int, right: int) -> bool:
    """Return whether a Chinese sentence contains a softening word; the 可能 in 没有失败的可能 does not count."""
    return any(
        match.group() != "可能" or not _NO_CHANCE.search(text, max(left, match.start() - 12), match.start())
        for match in _ZH_SOFT.finditer(text, left, right)
    )


def run(report: Report, context: Context) -> Iterator[RawFinding]:
    """Yield a finding for each sentence with an absolute claim that it neither limits nor attributes."""
    text = report.cues.lower
    last = -1
    for sentence, start, end in candidates(report, _CUES):
        if sentence.index == last:
            continue
        left, right = sentence.span.start, sentence.span.end
        chinese = text[start] > "\u2e7f"
        match = (
            _ZH.match(text, start, right)
            if chinese
            else _EN.search(text, max(left, start - 22), min(right, end + 24))
        )
        if match is None or (
            _is_softened(text, left, right) if chinese else _EN_SOFT.search(text, left, right)
        ):
            continue
        if ATTRIBUTED.search(text, left, match.start()) or "`" in report.source[left:right]:
            # The code determines what a program does, so "`next` will always return 0" is not a claim about the world.
            continue
        if _RULE.match(match.group()) and _specifies(report, left, right):
            continue
        last = sentence.index
        source = covered(report, sentence)
        yield RawFinding(
            sentence.span,
            _ABSOLUTE(words=" ".join(match.group().split())),
            confidence=0.55 if source else 0.7,
            # If the claim has a source, readers can check its scope.
            severity="info" if source else None,
        )


CHECK = Check(
    code="QUA001",
    name="absolute-claim",
    severity="warning",
    summary="An absolute (always, never, guaranteed, 绝对, 毫无疑问) without scope or qualifier.",
    run=run,
    dimension="qualifiers_counterpoints",
    failure="evidence_omission",
    bad=(
        Example(
            "Ducted replacement is clearly the right choice for oil homes, whatever happens to energy prices."
        ),
        Example("A smart thermostat will always lower the bill of a household."),
        Example("经过超滤处理的再生水对人体绝对安全，不存在任何健康风险。"),
    ),
    good=(
        Example("Outside of a callback, `getStore()` will always return an empty value."),
        Example(
            "Ducted replacement was the cheapest choice in the 48 oil homes surveyed, at 2024 prices [2]."
        ),
        Example("A smart thermostat will not always lower the bill. Installers must never bypass the fuse."),
        Example(
            "The server must answer each request and must name its version. A client shall wait for the answer. "
            "A timeout value of zero means that the authorization will never expire."
        ),
        Example("经过超滤处理的再生水风险较低，但并非绝对安全。其绝对值见下表。"),
    ),
)
