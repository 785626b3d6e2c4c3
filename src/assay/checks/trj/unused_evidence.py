"""Retrieved evidence relevant to the query that the agent never uses or says does not exist.

Either a passage contains most of the query's terms and also a name or a figure that neither a later thought nor the
answer uses; or the next thought says that nothing relevant was found although such a passage was just retrieved. The
answer then rests on less evidence than the run had.

Known problems: an agent may ignore a passage for a good reason that it does not state (an old figure, a poor source).
The finding is a reason to look, not proof of a fault.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from assay.checks.base import Check, Context, Example, RawFinding
from assay.checks.wording import Wording, series
from assay.subjects.atoms import atoms, find_names, find_numbers, fold
from assay.subjects.span import Span
from assay.subjects.timeline import Timeline, timeline_of
from assay.text.phrases import PhraseFile
from assay.text.words import count_words

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assay.subjects.response_passages import ResponsePassage
    from assay.subjects.trajectory import Step, Trajectory

_PHRASES: Final = PhraseFile("assay.checks", "trj")

_NOTHING: Final = _PHRASES.pattern(
    r"\b(?:(?:<<unused_evidence_nothing.en>>)\b[^.\n]{0,40}\b(?:<<unused_evidence_nothing_does.en>>)(?:n't| "
    r"not)?\s+(?:(?:<<unused_evidence_nothing_provide.en>>)\s+)?(?:any|no|nothing|none)\b[^.\n]{0,60}|"
    r"(?:no|nothing) (?:relevant|useful|direct|specific|new)\b[^.\n]{0,40}(?:found|available|returned|"
    "results?|information|evidence|data)|(?:could not|couldn't|did not|didn't|cannot|can't) find "
    r"(?:any|anything|relevant|specific|useful)\b[^.\n]{0,60})|没有找到[^。\n]{0,30}|未找到[^。\n]{0,30}|"
    r"没有(?:任何)?(?:相关|有用)[^。\n]{0,20}",
    flags=re.IGNORECASE,
)
# The check needs at least this many terms in the query.
_LEAST: Final = 3
_LONG: Final = 25

_UNUSED: Final = Wording(
    en="This passage bears on the query, but nothing it says ({facts}) is used later",
    zh="这一段与问题有关，但其中的内容（{facts}）后来都没有用到",
)
_DENIED: Final = Wording(
    en="The thought says that nothing was found, but a passage just retrieved has nearly all terms of the query",
    zh="这段思考说没有找到，但刚取回的一段包含了问题的几乎全部关键词",
)


def run(trajectory: Trajectory, _context: Context) -> Iterator[RawFinding]:
    """Yield the denials of relevant passages; if there is none, the most relevant passage, if it goes unused."""
    view = timeline_of(trajectory)
    wanted = {term for term in view.query_terms if len(term) > 2}
    if len(wanted) < _LEAST:
        return
    bearing = [(passage, share) for passage in view.passages if (share := _share(passage, wanted)) >= 0.6]
    if not bearing:
        return
    denied = False
    for step in trajectory.steps:
        finding = _denial(view, step, bearing)
        if finding is not None:
            denied = True
            yield finding
    if denied or trajectory.answer is None or count_words(trajectory.answer) < _LONG:
        # A short answer states one fact and cannot use everything that was read.
        return
    best = max(bearing, key=lambda item: item[1])[1]
    strongest = [passage for passage, share in bearing if share >= max(0.7, best - 0.05)][:3]
    if any(_used(view, passage) for passage in strongest):
        return
    for passage in strongest[:1]:
        facts = _facts(view, passage)
        if len(facts) >= 2:
            yield RawFinding(
                Span(passage.start, min(passage.end, passage.start + 400)),
                _UNUSED(facts=series(facts[:3], quoted=True)),
                related=(trajectory.query_span,),
                confidence=0.65,
            )


def _share(passage: ResponsePassage, wanted: set[str]) -> float:
    """Return the share of the query's terms that a passage contains."""
    return sum(1 for term in wanted if term in passage.body) / len(wanted)


def _denial(view: Timeline, step: Step, bearing: list[tuple[ResponsePassage, float]]) -> RawFinding | None:
    event = 3 * step.index
    fresh = [
        passage
        for passage, share in bearing
        if passage.event == event and share >= 0.75 and _facts(view, passage)
    ]
    if not fresh:
        return None
    match = _NOTHING.search(step.reasoning)
    if match is None:
        return None
    # The passage must contain what the denial is about.
    about = [atom for atom in atoms(match.group()) if atom in view.query_terms and len(atom) > 3]
    if about and not all(atom in fresh[0].body for atom in about):
        return None
    if _used(view, fresh[0], upto=3 * step.index + 2):
        return None
    start = step.reasoning_span.start
    return RawFinding(
        Span(start + match.start(), start + match.end()),
        _DENIED(),
        related=(Span(fresh[0].start, min(fresh[0].end, fresh[0].start + 400)),),
        confidence=0.7,
    )


def _facts(view: Timeline, passage: ResponsePassage) -> list[str]:
    """Return the names and numbers in a passage that do not occur in the query."""
    text = re.sub(r"https?://\S+", " ", passage.text)
    facts = [
        name.text
        for name in find_names(text)
        if (telling := view.distinctive_atoms(name))
        and not name.first
        and not any(view.given.knows(atom, 1) for atom in telling)
    ]
    facts += [
        number.text
        for number in find_numbers(text)
        if number.value >= 13 and not view.given.knows_number(number, 1)
    ]
    return list(dict.fromkeys(facts))


def _used(view: Timeline, passage: ResponsePassage, upto: int | None = None) -> bool:
    """Return whether a later thought or the answer uses a fact of a passage or 30 % of its longer words."""
    trajectory = view.trajectory
    later = [
        step.reasoning
        for step in trajectory.steps
        if 3 * step.index + 1 > passage.event and (upto is None or 3 * step.index + 1 < upto)
    ]
    text = fold("\n".join([*later, "" if upto is not None else trajectory.answer or ""]))
    for fact in _facts(view, passage):
        if any(len(part) > 2 and part in text for part in re.split(r"\W+", fold(fact))):
            return True
    words = {atom for atom in atoms(passage.text) if len(atom) > 4 and atom not in view.query_terms}
    return bool(words) and sum(1 for word in words if word in text) >= 0.3 * len(words)


CHECK = Check(
    code="TRJ009",
    name="unused-evidence",
    severity="info",
    summary="A passage that bears on the query is never used, or is denied",
    run=run,
    bad=(
        Example(
            '{"schema": "assay.trajectory/1", "query": "Who founded the Skarvberg ski club in Finnmark?", '
            '"tools": ["search"], "answer": "The founder of the club is not known.", "steps": ['
            '{"index": 0, "reasoning": "I search for the club.", "tool_calls": [{"name": "search", '
            '"arguments": {"query": "club history"}, "response": "The Skarvberg ski club in Finnmark was '
            'founded by the teacher Anna Lund and her brother in 1931."}]},'
            '{"index": 1, "reasoning": "The search did not provide any information on who founded the ski '
            'club.", "tool_calls": []}]}'
        ),
    ),
    good=(
        Example(
            '{"schema": "assay.trajectory/1", "query": "Who founded the Skarvberg ski club in Finnmark?", '
            '"tools": ["search"], "answer": "Anna Lund, in 1931.", "steps": ['
            '{"index": 0, "reasoning": "I search for the club.", "tool_calls": [{"name": "search", '
            '"arguments": {"query": "club history"}, "response": "The Skarvberg ski club in Finnmark was '
            'founded by the teacher Anna Lund and her brother in 1931."}]},'
            '{"index": 1, "reasoning": "The founder is Anna Lund. There is no information on her brother.", '
            '"tool_calls": []}]}'
        ),
    ),
    failure="process_evidence_omission",
    subject="trajectory",
    needs=("query",),
)
