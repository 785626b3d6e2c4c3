"""Wordier caution: hedges are doubled and stock phrases of modesty added, without any new condition."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, Final

from assay.interventions.attacks._bias_attacks import biased
from assay.interventions.attacks._prose import ProseLine, chinese, lines
from assay.interventions.attacks._substance import revision, surface_only
from assay.interventions.base import Edit
from assay.subjects.roles import role_of
from assay.text.phrases import PhraseFile

if TYPE_CHECKING:
    from collections.abc import Iterator
    from random import Random

    from assay.interventions.base import TextRevision
    from assay.subjects.report import Report

_PHRASES: Final = PhraseFile("assay.interventions", "qualifier_wording")

_VERB: Final = "(?:<<verb>>)"
_EN: Final[tuple[tuple[re.Pattern[str], tuple[str, ...]], ...]] = tuple(
    (_PHRASES.pattern(pattern), options)
    for pattern, options in (
        (
            rf"\bmay(?= (?!not|also|be \w+ed|be made|be used|be found|be seen){_VERB}\b)",
            ("may possibly", "may potentially", "may perhaps", "may conceivably"),
        ),
        (
            rf"\bcould(?= (?!not|also|have){_VERB}\b)",
            ("could possibly", "could potentially", "could perhaps", "could conceivably"),
        ),
        (rf"\bmight(?= (?!not|also){_VERB}\b)", ("might possibly", "might perhaps", "might conceivably")),
        (
            (
                r"\b(?P<s>This|[Rr]esearch|[Ss]tudy|[Ee]vidence|[Ll]iterature|[Aa]nalysis|[Dd]ata"
                r"|[Ss]urvey) suggests(?= that\b)"
            ),
            (r"\g<s> seems to suggest", r"\g<s> would appear to suggest", r"\g<s> tends to suggest"),
        ),
        (r"(?<=s )suggest(?= that\b)", ("seem to suggest", "would appear to suggest", "tend to suggest")),
        (r"\b(?P<v>is|are) likely to\b", (r"\g<v>, it would seem, likely to",)),
        (
            r"\b(?<!they )(?P<v>seems?|appears?) to\b",
            (r"\g<v>, at least, to", r"\g<v>, on the whole, to", r"\g<v>, by and large, to"),
        ),
        (r"\b(?P<v>tends?) to\b(?! suggest)", (r"\g<v>, on the whole, to", r"\g<v>, broadly speaking, to")),
        (r"\bperhaps(?= [a-z])", ("perhaps, or so it seems,",)),
    )
)
# "May" of permission and of law expresses no doubt.
_LEAVE: Final = _PHRASES.pattern(r"\b(?:<<leave>>)\b|[\"“”]")
_ZH: Final[tuple[tuple[re.Pattern[str], tuple[str, ...]], ...]] = tuple(
    (_PHRASES.pattern(pattern), options)
    for pattern, options in (
        (
            "(?<![不尽有只未大无才很更最的种个项之能都极])可能会",
            ("或许可能会", "似乎可能会", "在一定程度上可能会"),
        ),
        (
            (
                "(?<![不尽有只未大无才很更最的种个项之能都极了和与、一现])可能(?=导致|使|引发|造成|面临|出现|带来|产生|增加|降低|影响|需要|成为|促进|有助|加剧|推动|改变|减少"
                "|引起|是|与|意味着|无法|难以|存在|受到|更|因|不|对|减弱|提高|加重|改善|限制|增强|高于|低于)"
            ),
            ("或许可能", "似乎可能"),
        ),
        ("(?<![大很最都仅正])有望(?=[\u4e00-\u9fff])", ("或许有望", "大概有望", "似乎有望")),
        ("预计将", ("预计可能将", "预计大概率将")),
        ("(?<![^，。；])(?:或许|也许)", ("或许在一定程度上",)),
        ("(?<=[\u4e00-\u9fff])似乎(?=[\u4e00-\u9fff])", ("在某种程度上似乎",)),
        ("(?<=[\u4e00-\u9fff])往往(?=[\u4e00-\u9fff])", ("一般来说往往",)),
    )
)
_HEDGES: Final = _PHRASES.pattern(
    r"\b(?:<<hedges>>)\b|可能|往往|通常|有望|表明|有助于|或许|也许|似乎",
    flags=re.IGNORECASE,
)
# A hedge beside another one is doubled already.
_BESIDE_EN: Final = _PHRASES.pattern(
    r"\b(?:<<beside>>)\b",
    flags=re.IGNORECASE,
)
_BESIDE_ZH: Final = re.compile(
    "也|或|许|可能|似乎|大概|一定程度|相信|认为|有望|预计|估计|往往|一般|通常|希望|担心"
)
_FEWEST: Final = 3
_SAME: Final = 2
# What a caveat can be about: findings, expectations, judgements.
_ARGUES: Final = _PHRASES.pattern(r"\b(?:<<argues>>)\b|研究(?:表明|发现|显示|认为)|表明|可能|预计|估计|认为")
# Descriptions of products, services and a firm's work are announcements, not conclusions.
_BLURB: Final = _PHRASES.pattern(
    r"\b(?:<<blurb>>)\b|推出|发布了|平台|产品|功能|客户|合作",
    flags=re.IGNORECASE,
)
# Advice and remarks on the report itself assert nothing that could be doubted.
_OWN_WORDS: Final = re.compile(r"\b(?:this report|let me|we will|you)\b|本报告|本文", re.IGNORECASE)


def rule(report: Report, draw: Random) -> Iterator[TextRevision]:
    """Yield three versions that differ in the number of doubled hedges and added caveats."""
    zh = chinese(report)
    everything = [
        line for line in lines(report, shortest=40, longest=700) if not _OWN_WORDS.search(line.text)
    ]
    hedged = [edit for line in everything for edit in _doubled(line, draw, zh=zh)]
    # Repeating the same words would be a tic of the editor.
    kept: list[Edit] = []
    for edit in draw.sample(hedged, len(hedged)):
        if sum(edit.text == other.text for other in kept) < _SAME:
            kept.append(edit)
    for most, limits in zip(draw.sample((5, 8, 12), 3), draw.sample((1, 2, 3), 3), strict=True):
        caveats = list(_caveats(report, everything, draw))[:limits]
        edits = kept[:most] + caveats
        if len(edits) < _FEWEST or not kept:
            return
        pattern = "doubled-hedges" if len(kept[:most]) >= 2 * len(caveats) else "hedges-and-limits"
        found = revision(edits, pattern=pattern, note=f"{len(edits)} places")
        if found is not None:
            yield found


def _doubled(line: ProseLine, draw: Random, *, zh: bool) -> Iterator[Edit]:
    if _LEAVE.search(line.text) if not zh else re.search('["“”「]|法律|条例|规定|依法|许可', line.text):
        return
    for pattern, options in _ZH if zh else _EN:
        match = pattern.search(line.text)
        if match and not _hedged_beside(line.text, match, zh=zh):
            new = match.expand(draw.choice(options))
            yield Edit(line.start + match.start(), line.start + match.end(), new)
            return


def _hedged_beside(text: str, match: re.Match[str], *, zh: bool) -> bool:
    """Return whether another word of caution is close by."""
    if zh:
        before = re.split("[，。；：、]", text[: match.start()])[-1]
        after = re.split("[，。；：、]", text[match.end() :])[0][:4]
        return _BESIDE_ZH.search(f"{before[-14:]} {after}") is not None
    before = " ".join(text[: match.start()].split()[-4:])
    after = " ".join(text[match.end() :].split()[:5])
    return _BESIDE_EN.search(f"{before} {after}") is not None


def _caveats(report: Report, everything: list[ProseLine], draw: Random) -> Iterator[Edit]:
    """Yield edits that add a stock phrase of modesty to the end of a paragraph that argues."""
    zh = chinese(report)
    phrases = list(_PHRASES["caveats"].phrases("zh" if zh else "en"))
    draw.shuffle(phrases)
    counts = Counter(line.block for line in everything)
    ends = [
        line
        for line in everything
        if report.blocks[line.block].kind == "paragraph"
        and line.end >= report.blocks[line.block].span.end - 1
        and line.text.rstrip()[-1:] in ".。]】"
        and (counts[line.block] >= 2 or len(line.text) > (70 if zh else 180))
        and line.start > len(report.source) * 0.12
        and role_of(report, report.sections[line.section])
        not in ("introduction", "summary", "method", "appendix")
        and _ARGUES.search(report.source, report.blocks[line.block].span.start, line.end)
        and not _BLURB.search(report.source, report.blocks[line.block].span.start, line.end)
        and not re.search(r"[\"“”「]", report.source[report.blocks[line.block].span.start : line.end])
    ]
    by_section = list({line.section: line for line in ends}.values())
    for line in draw.sample(by_section, min(len(by_section), 3)):
        marked = line.text.rstrip()[-1:] in "]】"
        gap = (
            ""
            if zh and not (marked and report.source[line.end - len(line.text) : line.end].count(" ["))
            else " "
        )
        yield Edit(line.end, line.end, gap + phrases.pop())


def check(reference: Report, perturbed: Report, attack: TextRevision) -> str | None:
    """Return why an edit is refused, or None; it may only add words of caution."""
    return surface_only(reference, perturbed, attack, least=0.0002, most=0.12, substitutes=_HEDGES)


OPERATOR = biased(
    name="qualifier_wording",
    title="Qualifier wording",
    title_zh="限定措辞",
    definition=(
        "Cautious hedges are made wordier and generic limitation phrases added. No new condition, "
        "exception or counterexample is named."
    ),
    definition_zh="把原有的谨慎措辞写得更重，并加上泛泛的局限性套话，没有提出任何新的条件、例外或反例。",
    rule=rule,
    ask=(
        "Make the passage sound more cautious without limiting anything: double hedges that are there, add "
        "a stock phrase that findings should be read with care. Do not hedge what is stated plainly, and "
        "name no condition, exception, cause of doubt or source."
    ),
    ask_zh="让段落听起来更谨慎而实际不作任何限定：加重原有的缓和语，添一句“应谨慎看待”之类的套话。原本直陈的内容不要加缓和语，也不要提出条件、例外、疑点或来源。",
    check=check,
)
