"""Causal display: existing causal links are made explicit, step by step; no link, mechanism or evidence is added."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, Final

from assay.interventions.attacks._bias_attacks import biased
from assay.interventions.attacks._prose import ProseLine, capital, chinese, lines
from assay.interventions.attacks._statements import declares, small_opening, statement
from assay.interventions.attacks._substance import revision, surface_only
from assay.interventions.base import Edit
from assay.text.phrases import PhraseFile

if TYPE_CHECKING:
    from collections.abc import Iterator
    from random import Random

    from assay.interventions.base import TextRevision
    from assay.subjects.report import Report

_PHRASES: Final = PhraseFile("assay.interventions", "causal_display")

# "A because B", worded with both ends of the link.
_BECAUSE: Final = re.compile(r"^(?P<main>[A-Z][^,;:()]{25,170}),? because (?P<why>(?!of\b)[^;:()]{18,150})$")
# Links that are denied, weighed or reported are not displayed: their scope would change.
_SCOPED: Final = _PHRASES.pattern(r"\b(?:<<scoped>>)\b|n['’]t\b")
_OPEN_EN: Final[tuple[tuple[re.Pattern[str], tuple[str, ...]], ...]] = (
    (
        re.compile(
            "^(?:As a result|Consequently|As a consequence), (?!given|since|because|due|as )(?=[a-z])"
        ),
        ("As a result of this, ", "For this reason, ", "Because of this, ", "As a consequence of this, "),
    ),
    (
        re.compile(r"^(?:Therefore|Thus|Hence|Accordingly), (?!given|since|because|due|as )(?=[a-z])"),
        ("For this reason, ", "Because of this, ", "As a consequence of this, ", "As a result of this, "),
    ),
)
_FINITE: Final = (
    r"(?:is|are|was|were|has|have|had|can|could|may|might|will|would|must|did|does|do|[a-z]{3,}(?:ed|es|s))"
)
_INSIDE_EN: Final[tuple[tuple[re.Pattern[str], tuple[str, ...]], ...]] = (
    (
        re.compile(r"(?<![Ww]hile), (?P<v>leading|resulting) (?P<to>to|in) (?=[^,]{8,140}$)"),
        (", thereby {v} {to} ", ", thus {v} {to} ", ", consequently {v} {to} "),
    ),
    (
        re.compile(r", which (?:in turn )?(?P<v>leads to|led to|results in|resulted in|causes|caused) "),
        (", which therefore {v} ", ", which as a result {v} ", ", which consequently {v} "),
    ),
    (
        re.compile(
            "(?<!is )(?<!are )(?<!was )(?<!were )(?<!be )(?<!been )(?<!being )(?<!ly )(?<!part )(?<!not )"
            r"(?<!only )(?<!just )(?<!that )\bdue to (?=(?:the |a |an |its |their )?[a-z][a-z-]+\b)(?!due)",
        ),
        ("as a consequence of ", "as a result of "),
    ),
    (re.compile(r", thereby (?P<v>[a-z]+ing) "), (", as a result {v} ", ", consequently {v} ")),
)
_THIS_EN: Final = _PHRASES.pattern("^This (?P<v><<effect_verbs>>) ")
_THIS_NEW: Final = (
    "As a consequence, this {v} ",
    "As a result, this {v} ",
    "This therefore {v} ",
)
_ZH_WHOLE: Final = _PHRASES.pattern("<<whole>>")
_ZH: Final[tuple[tuple[re.Pattern[str], tuple[str, ...]], ...]] = (
    (
        re.compile("^(?:因此|因而|所以)，(?=[\u4e00-\u9fff])"),
        ("正因如此，", "正是由于这一原因，", "基于这一原因，"),
    ),
    # 从而 also names a purpose; only an effect takes 由此.
    (re.compile("(?<=，)从而(?=导致|使得|造成|引发|带来|出现|形成)"), ("并由此", "由此")),
    (re.compile("(?<=，)导致(?=[^，。]{4,}$)"), ("由此导致", "因而导致", "结果导致")),
    (
        re.compile("^由于(?P<why>[^，。]{4,40})，(?=[\u4e00-\u9fff][^，。]{6,}$)(?!所以|因此|因而)"),
        ("正是由于{why}，所以", "由于{why}，因此", "正因为{why}，所以"),
    ),
    (re.compile("(?<=，)(?:这是)?因为(?=[^，。]{6,}$)"), ("原因就在于", "其原因在于", "这正是因为")),
    (re.compile("(?<=，)这(?P<v>导致|使得)(?=[^，。]{6,})"), ("这进而{v}", "正因如此，这{v}")),
    (re.compile("^这(?P<v>导致|使得)(?=[^，。]{6,})"), ("正因如此，这{v}", "由此，这{v}")),
)
_CONNECTIVES: Final = _PHRASES.pattern(
    r"\b(?:<<connectives>>)\b|因此|因而|所以|从而|进而|导致|使得|由于",
    flags=re.IGNORECASE,
)
_FEWEST: Final = 2
_SYNONYM: Final = re.compile(r"as a (?:consequence|result) of ")


def rule(report: Report, draw: Random) -> Iterator[TextRevision]:
    """Yield three versions that make more or fewer of the causal links explicit."""
    zh = chinese(report)
    edits: list[Edit] = []
    counts: Counter[str] = Counter()
    for line in lines(report, shortest=40, longest=500):
        if re.search('["“”「《]', line.text):
            continue
        edit = _displayed_zh(line, counts, draw) if zh else _displayed(report, line, counts, draw)
        if edit is not None:
            edits.append(edit)
    for most, pattern in draw.sample(((4, "some-links"), (7, "many-links"), (12, "all-links")), 3):
        shown = [edit for edit in edits if not _SYNONYM.fullmatch(edit.text)]
        synonyms = [edit for edit in edits if _SYNONYM.fullmatch(edit.text)]
        # A synonym of "due to" displays little, so most edits add more.
        pool = shown + draw.sample(synonyms, min(len(synonyms), len(shown)))
        chosen = draw.sample(pool, min(len(pool), most))
        if len(chosen) < _FEWEST:
            return
        found = revision(chosen, pattern=pattern, note=f"{len(chosen)} links")
        if found is not None:
            yield found


def _least_used(options: tuple[str, ...], counts: Counter[str], draw: Random) -> str:
    """Return one of the options that were used least so far."""
    least = min(counts[option] for option in options)
    option = draw.choice([option for option in options if counts[option] == least])
    counts[option] += 1
    return option


def _displayed(report: Report, line: ProseLine, counts: Counter[str], draw: Random) -> Edit | None:
    """Return an edit that makes one causal link of an English sentence explicit, or None if the sentence has none."""
    body = line.text[: line.tail]
    both = _BECAUSE.match(body)
    if both:
        small = small_opening(report, both["main"])
        if small is None or _SCOPED.search(both["main"]) or not declares(both["main"], zh=False):
            return None
        text = _least_used(_PHRASES["both"].en, counts, draw).format(
            why=both["why"], main=small, Main=both["main"]
        )
        return Edit(line.start, line.start + len(body), capital(text))
    match = _THIS_EN.match(body)
    if match:
        return _at(line, match, _least_used(_THIS_NEW, counts, draw))
    for pattern, options in _OPEN_EN:
        match = pattern.match(body)
        if match:
            return _at(line, match, _least_used(options, counts, draw))
    if line.text[:1] in "*_" or (
        report.blocks[line.block].kind != "paragraph" and statement(report, line) is None
    ):
        return None
    for pattern, options in _INSIDE_EN:
        found = list(pattern.finditer(body))
        # The part before must be a clause of its own, or the connective would dangle.
        if len(found) == 1 and re.search(rf"\b{_FINITE}\b", body[: found[0].start()]):
            if (
                re.match(r"(?:While|When|If|Although|As|By|With|Despite|Because|Since) ", body)
                and "," not in body[: found[0].start()]
            ):
                return None
            return _at(line, found[0], _least_used(options, counts, draw))
    return None


def _displayed_zh(line: ProseLine, counts: Counter[str], draw: Random) -> Edit | None:
    """Return an edit that makes one causal link of a Chinese sentence explicit, or None.

    The clause before the link must have its own predicate.
    """
    body = line.text[: line.tail]
    for pattern, options in _ZH:
        match = pattern.search(body)
        if match is None:
            continue
        if match.start():
            before = re.split("[，；：。]", body[: match.start()].rstrip("，"))[-1]
            if not _ZH_WHOLE.search(before) or re.match(
                r"(?:在|随着|为|通过|对于|旨在|尽管|虽然|如果|当|若)", before
            ):
                continue
            if re.search("因此|由此|从而|进而|因而|旨在|为了|以便", body[: match.start()]):
                continue
        return _at(line, match, _least_used(options, counts, draw))
    return None


def _at(line: ProseLine, match: re.Match[str], text: str) -> Edit:
    return Edit(
        line.start + match.start(),
        line.start + match.end(),
        text.format(**match.groupdict()) if "{" in text else text,
    )


def check(reference: Report, perturbed: Report, attack: TextRevision) -> str | None:
    """Return why an edit is refused, or None; it may add causal connectives and nothing else."""
    return surface_only(reference, perturbed, attack, least=0.0002, most=0.12, substitutes=_CONNECTIVES)


OPERATOR = biased(
    name="causal_display",
    title="Causal display",
    title_zh="因果表象",
    definition=(
        "Causal links the text already has are made explicit mechanically (because … therefore, in "
        "steps). No link, mechanism or evidence is added."
    ),
    definition_zh="把文中已有的因果联系机械地显式化（“因为……所以”、分步骤陈述），没有增加新的环节、机制或证据。",
    rule=rule,
    ask=(
        "Display the causal links the passage already has: rewrite implicit links with because and "
        "therefore, or as steps. Add no link, intermediate claim, mechanism, condition or evidence; keep "
        "every statement, its order and its citations."
    ),
    ask_zh="把段落中已有的因果联系显式写出：用“因为……所以”改写隐含的联系，或分步骤呈现。不增加新的环节、中间论断、机制、条件或证据，保留每个陈述的顺序和引用。",
    check=check,
)
