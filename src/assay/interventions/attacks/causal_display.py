"""Causal links that the text has are displayed: because … therefore, step by step. No link, mechanism or evidence is added."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from assay.interventions.attacks._added import revision, surface_only
from assay.interventions.attacks._biased import biased
from assay.interventions.attacks._prose import Line, capital, chinese, lines, opening_small
from assay.interventions.base import Edit

if TYPE_CHECKING:
    from collections.abc import Iterator
    from random import Random

    from assay.interventions.base import TextRevision
    from assay.subjects.report import Report

# "A because B" – said with both ends of the link.
_BECAUSE: Final = re.compile(r"^(?P<main>[A-Z][^,;:()]{25,170}),? because (?P<why>(?!of\b)[^;:()]{18,150})$")
_OPEN_EN: Final[tuple[tuple[re.Pattern[str], tuple[str, ...]], ...]] = (
    (
        re.compile(r"^(?:As a result|Consequently|As a consequence), "),
        (
            "Because of what has just been said, it follows that ",
            "For exactly this reason, and as a direct consequence, ",
        ),
    ),
    (
        re.compile(r"^(?:Therefore|Thus|Hence|Accordingly), "),
        (
            "Because this is so, it therefore follows that ",
            "For this reason, and therefore as a consequence, ",
        ),
    ),
)
_INSIDE_EN: Final[tuple[tuple[re.Pattern[str], tuple[str, ...]], ...]] = (
    (
        re.compile(r", leading to "),
        (", and for this reason, in turn, leading to ", ", thereby, as a direct consequence, leading to "),
    ),
    (
        re.compile(r", resulting in "),
        (", and because of this resulting in ", ", thereby, as a direct consequence, resulting in "),
    ),
    (
        re.compile(
            r", which (?=(?:leads|led|results|resulted|causes|caused|allows|enables|reduces|increases|improves|enhances|makes|creates)\b)"
        ),
        (", which for this reason ", ", which therefore, in turn, "),
    ),
    (
        re.compile(r"\bdue to (?=the |a |its |their |limited |increas|rapid|strong|high|low)"),
        ("precisely because of ", "as a direct consequence of "),
    ),
    (
        re.compile(r", thereby (?=[a-z]+ing\b)"),
        (", and thereby, as a consequence, ", ", and because of this thereby "),
    ),
    (
        re.compile(r", (?=(?:enabling|allowing|making|reducing|improving|increasing|enhancing|creating) )"),
        (", thereby ", ", and thus, as a consequence, "),
    ),
)
_THIS_EN: Final = re.compile(
    r"^This (?=(?:leads|led|results|resulted|causes|caused|allows|enables|reduces|increases|improves|enhances|makes|creates|means|requires|has led|has resulted)\b)"
)
_THIS_NEW: Final = (
    "For this reason, this therefore ",
    "Because of the above, this in turn ",
    "As a logical consequence, this ",
)
_ZH: Final[tuple[tuple[re.Pattern[str], tuple[str, ...]], ...]] = (
    (re.compile("^(?:因此|因而|所以)，?"), ("正是因为上述原因，因此", "由于以上原因，所以")),
    (re.compile("(?<=，)(?:从而|进而)"), ("因此从而", "由此进而", "并因为这一原因进而")),
    (re.compile("(?<=，)(?:导致|使得)(?=[^，。]{4,})"), ("因此导致", "由此进而导致", "这一原因使得")),
    (re.compile("^由于(?=[^，。]{4,40}，(?!所以|因此))"), ("正是由于", "正因为")),
    (
        re.compile("(?<=，)(?:推动|促进|提升|降低|实现)(?:了)?(?=[^，。]{4,})"),
        ("从而{0}", "由此{0}", "因此{0}"),
    ),
)
_CONNECTIVES: Final = re.compile(
    r"\b(?:because|therefore|thus|hence|as a result|consequently|accordingly|due to|leading|resulting|this)\b|因此|因而|所以|从而|进而|导致|使得|由于",
    re.IGNORECASE,
)
_FEWEST: Final = 2


def rule(report: Report, draw: Random) -> Iterator[TextRevision]:
    """Three versions, with more and fewer of the links displayed."""
    zh = chinese(report)
    edits = [
        edit
        for line in lines(report, shortest=40, longest=500)
        for edit in _displayed(report, line, draw, zh=zh)
    ]
    for most in draw.sample((5, 9, 14), 3):
        chosen = draw.sample(edits, min(len(edits), most))
        if len(chosen) < _FEWEST:
            return
        found = revision(chosen, pattern="links-displayed", note=f"{len(chosen)} links")
        if found is not None:
            yield found


def _displayed(report: Report, line: Line, draw: Random, *, zh: bool) -> Iterator[Edit]:
    """One link of a sentence, displayed."""
    body = line.text[: line.tail]

    def at(match: re.Match[str], text: str) -> Edit:
        return Edit(line.start + match.start(), line.start + match.end(), text)

    if zh:
        for pattern, options in _ZH:
            match = pattern.search(body)
            if match:
                yield at(match, draw.choice(options).format(match.group()))
                return
        return
    both = _BECAUSE.match(body)
    if both:
        small = opening_small(report, both["main"])
        if small is not None:
            text = f"Because {both['why']}, it follows that {small}"
            yield Edit(line.start, line.start + len(body), capital(text))
            return
    match = _THIS_EN.match(body)
    if match:
        yield at(match, draw.choice(_THIS_NEW))
        return
    for pattern, options in _OPEN_EN:
        match = pattern.match(body)
        if match:
            yield at(match, draw.choice(options))
            return
    for pattern, options in _INSIDE_EN:
        found = list(pattern.finditer(body))
        if len(found) == 1:
            yield at(found[0], draw.choice(options))
            return


def check(reference: Report, perturbed: Report, attack: TextRevision) -> str | None:
    """Connectives of cause and nothing else."""
    return surface_only(reference, perturbed, attack, least=0.0002, most=0.12, substitutes=_CONNECTIVES)


OPERATOR = biased(
    name="causal_display",
    title="Causal display",
    definition="Causal links the text already has are made explicit mechanically (because … therefore, in steps). No link, mechanism or evidence is added.",
    definition_zh="把文中已有的因果联系机械地显式化（“因为……所以”、分步骤陈述），没有增加新的环节、机制或证据。",
    rule=rule,
    ask=(
        "Display the causal links the passage already has: rewrite implicit links with because and therefore, or as steps. Add no link, "
        "intermediate claim, mechanism, condition or evidence; keep every statement, its order and its citations."
    ),
    ask_zh="把段落中已有的因果联系显式写出：用“因为……所以”改写隐含的联系，或分步骤呈现。不增加新的环节、中间论断、机制、条件或证据，保留每个陈述的顺序和引用。",
    check=check,
)
