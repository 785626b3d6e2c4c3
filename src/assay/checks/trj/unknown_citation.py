"""A source named in the reasoning or the answer that the run never saw.

Reported are addresses, citation ids, and authors or institutions ("according to X", "X reports") that occur neither in
a response nor in the query. A made-up source lends a claim an authority that it does not have.

Known problems: the agent may call a source by another name than the response does (an abbreviation, a parent company).
Initials and names inside addresses are recognised; other variants are not.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from assay.checks.base import Check, Context, Example, RawFinding
from assay.checks.wording import Wording
from assay.subjects.assertions import is_attributed
from assay.subjects.span import Span
from assay.subjects.timeline import Timeline, timeline_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assay.subjects.trajectory import Trajectory

_ADDRESS: Final = re.compile(r"(?:https?://|www\.)[^\s<>\[\]\"'`，。；）】|]{3,1000}", re.IGNORECASE)
_CITE: Final = re.compile(r"<cite\s{1,4}id\s{0,2}=\s{0,2}[\"']?([^\"'>]{1,200})[\"']?\s{0,4}>")

_ADDRESS_UNSEEN: Final = Wording(
    en="The address “{address}” occurs in no response", zh="网址“{address}”没有出现在任何返回结果中"
)
_ID_UNSEEN: Final = Wording(
    en="The citation ID “{key}” occurs in no response", zh="引用编号“{key}”没有出现在任何返回结果中"
)
_NAME_UNSEEN: Final = Wording(
    en="“{name}” is given as a source, but no response mentions it",
    zh="“{name}”被当作来源，但没有任何返回结果提到它",
)


def run(trajectory: Trajectory, _context: Context) -> Iterator[RawFinding]:
    """Yield a finding for each address, citation id and named source that the run never saw."""
    view = timeline_of(trajectory)
    if not view.has_evidence:
        return
    seen = "\n".join([trajectory.query, *(call.response or "" for call in trajectory.tool_calls)]).lower()
    asked = "\n".join(call.argument_text for call in trajectory.tool_calls).lower()
    reported: set[str] = set()
    for start, end in _agent_texts(trajectory):
        text = trajectory.source[start:end]
        for match in _ADDRESS.finditer(text) if "http" in text or "www." in text else ():
            address = match.group().rstrip(".,;:!?*_)")
            core = _core(address)
            if len(core) > 4 and core not in seen and core not in asked and core not in reported:
                reported.add(core)
                yield RawFinding(
                    Span(start + match.start(), start + match.start() + len(address)),
                    _ADDRESS_UNSEEN(address=address),
                    confidence=0.9,
                )
        for match in _CITE.finditer(text) if "<cite" in text else ():
            missing = [
                key.strip()
                for key in match.group(1).split(",")
                if key.strip() and key.strip().lower() not in seen
            ]
            if missing:
                yield RawFinding(
                    Span(start + match.start(), start + match.end()),
                    _ID_UNSEEN(key=missing[0]),
                    confidence=0.95,
                )
    yield from _names(view, reported)


def _names(view: Timeline, reported: set[str]) -> Iterator[RawFinding]:
    for claim in view.assertions:
        for name in claim.names:
            if name.text in reported or not is_attributed(claim.text, name) or view.is_word(name):
                continue
            unknown = view.unknown(name, claim.event)
            if unknown and len(unknown) == len(
                [atom for atom in view.distinctive_atoms(name) if len(atom) > 2]
            ):
                reported.add(name.text)
                yield RawFinding(
                    Span(claim.start + name.start, claim.start + name.end),
                    _NAME_UNSEEN(name=name.text),
                    confidence=0.8,
                )


def _agent_texts(trajectory: Trajectory) -> Iterator[tuple[int, int]]:
    """Yield the spans of the agent's texts after its first call: reasoning and answer."""
    informed = False
    for step in trajectory.steps:
        if informed:
            yield step.reasoning_span.start, step.reasoning_span.end
        informed = informed or bool(step.tool_calls)
    if trajectory.answer_span is not None:
        yield trajectory.answer_span.start, trajectory.answer_span.end


def _core(address: str) -> str:
    low = address.lower().removeprefix("https://").removeprefix("http://").removeprefix("www.")
    return low.partition("#")[0].rstrip("/")


CHECK = Check(
    code="TRJ008",
    name="unknown-citation",
    severity="error",
    summary="A source, address or citation id that occurs in no response",
    run=run,
    bad=(
        Example(
            '{"schema": "assay.trajectory/1", "query": "Who founded the Skarvberg ski club?", "tools": '
            '["search"], "answer": "According to the Barents Observer, Anna Lund founded it.", "steps": ['
            '{"index": 0, "reasoning": "I search for the club.", "tool_calls": [{"name": "search", '
            '"arguments": {"query": "Skarvberg ski club founder"}, "response": "The Skarvberg ski club was '
            'founded by the teacher Anna Lund in 1931, says the yearbook."}]}]}'
        ),
        Example(
            '{"schema": "assay.trajectory/1", "query": "Who founded the Skarvberg ski club?", "tools": '
            '["search"], "answer": "<cite id=\\"s9\\">Anna Lund</cite>, see '
            'https://example.org/club-history", "steps": ['
            '{"index": 0, "reasoning": "I search for the club.", "tool_calls": [{"name": "search", '
            '"arguments": {"query": "Skarvberg ski club founder"}, "response": "<snippet id=s1>The Skarvberg '
            'ski club was founded by Anna Lund. https://example.org/yearbook</snippet>"}]}]}'
        ),
    ),
    good=(
        Example(
            '{"schema": "assay.trajectory/1", "query": "Who founded the Skarvberg ski club?", "tools": '
            '["search"], "answer": "According to the yearbook of the World Ski Museum, <cite '
            'id=\\"s1\\">Anna Lund</cite> did: https://worldskimuseum.org/yearbook", "steps": ['
            '{"index": 0, "reasoning": "I search for the club.", "tool_calls": [{"name": "search", '
            '"arguments": {"query": "Skarvberg ski club founder"}, "response": "<snippet id=s1>The Skarvberg '
            'ski club was founded by Anna Lund. https://www.worldskimuseum.org/yearbook</snippet>"}]}]}'
        ),
    ),
    failure="evidence_fabrication",
    subject="trajectory",
)
