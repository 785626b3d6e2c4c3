"""A comparison as a page: what decided each criterion, and both texts beside each other with the quotes marked."""

from __future__ import annotations

from pathlib import PurePath
from typing import TYPE_CHECKING, Any, Final

from markupsafe import Markup

from assay.judges.combine import consistency, sections_of
from assay.judges.identity import name_of
from assay.present.html.frame import PLAIN_KEYS, render
from assay.present.html.marks import Mark
from assay.present.html.prose import markdown_html, text_html
from assay.present.html.steps import steps_html
from assay.present.interface import Interface, html_language, interface_of
from assay.present.pairs import verdict_text
from assay.subjects.report import Report

if TYPE_CHECKING:
    from collections.abc import Sequence

    from assay.judges.judgment import Judgment, Quote, Verdict
    from assay.rubrics.rubric import Rubric
    from assay.subjects.subject import Subject

_BETTER: Final = 0.005


def pair_page(judgment: Judgment, subjects: Sequence[Subject], rubric: Rubric | None = None) -> str:
    """Return the page of one comparison.

    Args:
        judgment: A judgment of a pair.
        subjects: Its A and B.
        rubric: The rubric, for the titles of its criteria.
    """
    say = interface_of(subjects)
    # Of a path the last part is enough; the crumb has no room for more.
    names = [
        PurePath(name_of(subject, side)).name or side for subject, side in zip(subjects, "AB", strict=True)
    ]
    quotes = _quotes(judgment)
    marks: tuple[list[Mark], list[Mark]] = ([], [])
    numbers: dict[tuple[int, int, int], int] = {}
    for quote in quotes:
        if quote.start is None or quote.end is None or quote.document not in (0, 1):
            continue
        place = (quote.document, quote.start, quote.end)
        if place not in numbers:
            numbers[place] = len(numbers)
            marks[quote.document].append(
                Mark(quote.start, quote.end, role="finding", key=str(numbers[place]), severity="info")
            )
    return render(
        "pair.html.j2",
        title=" | ".join(names),
        crumb=judgment.judge,
        home=None,
        keys=PLAIN_KEYS,
        verdict=verdict_text(judgment.preference, names[0], names[1], say),
        facts=_facts(judgment, rubric, say),
        criteria=[_criterion(item, names, rubric, numbers, say) for item in judgment.verdicts],
        reasons=_reasons(judgment, names, say),
        sides=[
            {
                "name": name,
                "letter": letter,
                "text": _text(subject, own, say),
                "lang": html_language(subject.language),
            }
            for name, letter, subject, own in zip(names, "AB", subjects, marks, strict=True)
        ],
        say=say,
    )


def _quotes(judgment: Judgment) -> list[Quote]:
    return [*(quote for verdict in judgment.verdicts for quote in verdict.quotes), *judgment.quotes]


def _facts(judgment: Judgment, rubric: Rubric | None, say: Interface) -> list[str]:
    """Return judge, rubric, overall margin, and whether both orders agree."""
    facts = [judgment.judge]
    if rubric is not None:
        facts.append(rubric.title or rubric.name)
    overall = (judgment.scores or {}).get("overall")
    if overall is not None:
        facts.append(say.label(say("margin"), f"{overall:+.2f}"))
    agreement = consistency(judgment)
    if agreement is not None:
        facts.append(say(agreement))
    return facts


def _criterion(
    item: Verdict,
    names: Sequence[str],
    rubric: Rubric | None,
    numbers: dict[tuple[int, int, int], int],
    say: Interface,
) -> dict[str, Any]:
    """Return one criterion: who is better on it by how much, the reasons, and the quotes that are in the texts."""
    score = item.score if item.score is not None else 0.0
    better = None if item.score is None or abs(score) < _BETTER else ("A" if score > 0 else "B")
    found = [
        {"side": "AB"[quote.document], "text": quote.text, "key": str(number)}
        for quote in item.quotes
        if quote.document in (0, 1)
        and (number := numbers.get((quote.document, quote.start or 0, quote.end or 0))) is not None
    ]
    return {
        "title": say.criterion_title(item.criterion, rubric),
        "asks": item.text,
        "better": better,
        "name": names["AB".index(better)] if better else "",
        "share": round(50 * abs(score)),
        "score": "" if item.score is None else f"{score:+.2f}",
        "problem": item.problem or "",
        "reasoning": item.reasoning,
        "lang": say.foreign(item.reasoning),
        "quotes": found,
    }


def _reasons(judgment: Judgment, names: Sequence[str], say: Interface) -> list[dict[str, Any]]:
    """Return the reasons by order; where B was shown first, what the letters stand for is said."""
    out: list[dict[str, Any]] = []
    for single in judgment.repetitions or (judgment,):
        for label, text in sections_of(single.rationale):
            turned = label.partition(" ")[0] == "BA"
            head = say("B shown first") if turned else say("A shown first")
            note = say("(called A here; {name} is called B)", name=names[0]) if turned else ""
            out.append(
                {
                    "head": head,
                    "note": f"{names[1]} {note}" if turned else "",
                    "text": text,
                    "lang": say.foreign(text),
                }
            )
    return out


def _text(subject: Subject, marks: Sequence[Mark], say: Interface) -> Markup:
    if not isinstance(subject, Report):
        shown = steps_html(subject, marks, say)
    elif subject.markdown:
        shown = markdown_html(subject.source, 0, len(subject.source), marks, report=subject)
    else:
        shown = f'<div class="plain">{text_html(subject.source, 0, len(subject.source), marks)}</div>'
    return Markup(shown)  # noqa: S704 - cleaned and escaped in prose.py and steps.py
