"""Caution made wordier: hedges that are there are doubled, and stock phrases of modesty added, without any new condition."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from assay.interventions.attacks._added import revision, surface_only
from assay.interventions.attacks._biased import biased
from assay.interventions.attacks._prose import Line, chinese, lines
from assay.interventions.base import Edit

if TYPE_CHECKING:
    from collections.abc import Iterator
    from random import Random

    from assay.interventions.base import TextRevision
    from assay.subjects.report import Report

_EN: Final[tuple[tuple[re.Pattern[str], tuple[str, ...]], ...]] = tuple(
    (re.compile(pattern), options)
    for pattern, options in (
        (r"\bmay(?= [a-z]+)(?! (?:or|have|not|potentially|possibly|well|also|be\b))", ("may possibly", "may potentially", "may perhaps")),
        (r"\bcould(?= [a-z]+)(?! (?:or|have|not|potentially|possibly|also|be\b))", ("could possibly", "could potentially", "could perhaps")),
        (r"\bmight(?= [a-z]+)(?! (?:or|have|not|also|be\b))", ("might possibly", "might perhaps")),
        (r"\bsuggests(?= that\b)", ("seems to suggest", "would appear to suggest")),
        (r"\bsuggest(?= that\b)", ("seem to suggest", "would appear to suggest")),
        (r"\b(?P<v>is|are) likely to\b", (r"\g<v>, in all likelihood, likely to", r"\g<v> quite likely to")),
        (r"\boften(?= [a-z])", ("quite often", "rather often")),
        (r"\bgenerally(?= [a-z])", ("quite generally", "generally speaking")),
        (r"\btypically(?= [a-z])", ("more or less typically", "quite typically")),
        (r"\btends? to\b", (r"\g<0> a certain degree to",)),
        (r"\bappears? to\b", (r"on the whole \g<0>",)),
        (r"\bpotential(?= (?:risks?|benefits?|impacts?|applications?|effects?|solutions?|issues?|costs?|barriers?|challenges?|improvements?|uses?)\b)", ("possible and potential",)),
        (r"\bcan(?= (?:help|lead|improve|reduce|increase|enhance|affect|contribute)\b)", ("can, to a certain degree,", "can in principle")),
    )
    if "certain degree to" not in str(options)
)  # fmt: skip
_ZH: Final[tuple[tuple[re.Pattern[str], tuple[str, ...]], ...]] = tuple(
    (re.compile(pattern), options)
    for pattern, options in (
        ("可能会", ("或许有可能会", "在一定程度上可能会")),
        ("(?<![不尽有只未大无才很更最])可能(?![会性的是为有存因需影在与])", ("或许有可能", "似乎可能")),
        ("(?<![^，。；])往往", ("一般而言往往",)),
        ("通常(?![情意])", ("一般而言通常", "通常在某种程度上")),
        ("有望", ("可能有望", "大概有望")),
        ("(?<=研究|数据|结果|分析)表明", ("似乎表明", "大概可以表明")),
        ("有助于", ("在一定程度上有助于", "可能有助于")),
    )
)  # fmt: skip
_CAVEATS_EN: Final = (
    "As with any analysis of this kind, these statements should be read with appropriate caution.",
    "It goes without saying that the usual limitations of this kind of analysis apply.",
    "These conclusions are, of course, provisional and should be understood as such.",
    "The reader is asked to treat the above with due care, since some uncertainty always remains.",
    "Naturally, none of this should be taken as definitive.",
    "The above should be read as indicative rather than definitive.",
)
_CAVEATS_ZH: Final = (
    "当然，任何研究都有局限，上述内容仍需谨慎看待。",
    "需要说明的是，以上结论仅供参考，应当留有余地。",
    "上述分析难免有一定的局限性，解读时应当审慎。",
    "以上判断并非定论，仍有待进一步观察。",
)
_HEDGES: Final = re.compile(
    r"\b(?:may|might|could|can|suggests?|likely|often|generally|typically|tends?|appears?|potential)\b|可能|往往|通常|有望|表明|有助于",
    re.IGNORECASE,
)
_FEWEST: Final = 3


def rule(report: Report, draw: Random) -> Iterator[TextRevision]:
    """Three versions with more and fewer of both."""
    everything = lines(report, shortest=40, longest=700)
    hedged = [edit for line in everything for edit in _doubled(line, draw, zh=chinese(report))]
    caveats = list(_caveats(report, everything, draw))
    for most in draw.sample((6, 10, 16), 3):
        edits = draw.sample(hedged, min(len(hedged), most)) + caveats[: draw.choice((1, 2, 3))]
        if len(edits) < _FEWEST or not hedged:
            return
        found = revision(edits, pattern="wordier-caution", note=f"{len(edits)} places")
        if found is not None:
            yield found


def _doubled(line: Line, draw: Random, *, zh: bool) -> Iterator[Edit]:
    if '"' in line.text or "“" in line.text:
        return
    for pattern, options in _ZH if zh else _EN:
        match = pattern.search(line.text)
        if match:
            new = match.expand(draw.choice(options))
            yield Edit(line.start + match.start(), line.start + match.end(), new)
            return


def _caveats(report: Report, everything: list[Line], draw: Random) -> Iterator[Edit]:
    """Stock phrases at the ends of paragraphs, late ones first."""
    zh = chinese(report)
    phrases = list(_CAVEATS_ZH if zh else _CAVEATS_EN)
    draw.shuffle(phrases)
    ends = [
        line
        for line in everything
        if report.blocks[line.block].kind == "paragraph"
        and line.end >= report.blocks[line.block].span.end - 1
        and line.text.rstrip()[-1:] in ".。]】"
    ]
    for line in [*ends[-1:], *draw.sample(ends[:-1], min(len(ends[:-1]), 2))]:
        yield Edit(line.end, line.end, ("" if zh else " ") + phrases.pop())


def check(reference: Report, perturbed: Report, attack: TextRevision) -> str | None:
    """More words of caution and nothing else."""
    return surface_only(reference, perturbed, attack, least=0.0002, most=0.12, substitutes=_HEDGES)


OPERATOR = biased(
    name="qualifier_wording",
    title="Qualifier wording",
    definition="Cautious hedges are made wordier and generic limitation phrases added. No new condition, exception or counterexample is named.",
    definition_zh="把原有的谨慎措辞写得更重，并加上泛泛的局限性套话，没有提出任何新的条件、例外或反例。",
    rule=rule,
    ask=(
        "Make the passage sound more cautious without limiting anything: double hedges that are there, add a stock phrase that findings "
        "should be read with care. Do not hedge what is stated plainly, and name no condition, exception, cause of doubt or source."
    ),
    ask_zh="让段落听起来更谨慎而实际不作任何限定：加重原有的缓和语，添一句“应谨慎看待”之类的套话。原本直陈的内容不要加缓和语，也不要提出条件、例外、疑点或来源。",
    check=check,
)
