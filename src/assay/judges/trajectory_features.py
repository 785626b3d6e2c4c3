"""Features of the changed parts of a trajectory: calls, responses, reasoning, answer.

They follow REFLECT's process failure types (table 3): whether a call is grounded in what was asked and seen,
whether it asks something new, whether a response is about its call, whether reasoning and answer agree with the
responses. Each is antisymmetric in the two sides.
"""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING, Final, Literal

import msgspec

from assay.judges.passage_content import passage_content
from assay.subjects.span import Span
from assay.text.generic_words import GENERIC
from assay.text.words import content_terms, count_words

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from assay.subjects.trajectory import Trajectory

PartKind = Literal["reasoning", "call", "response", "answer"]

_URL: Final = re.compile(r"https?://[^\s\"'\]\[)<>,]+|www\.[^\s\"'\]\[)<>,]+")
_NUMBER: Final = re.compile(r"\d[\d,]*(?:\.\d+)?")
_PLANNING: Final = re.compile(
    r"\b(?:need(?:s|ed)? to|should|next|instead|verify|check|confirm|however|but|although"
    r"|not (?:mention|say|clear|the)|does(?:n't| not)|did(?:n't| not)|missing|unclear|discrepan\w+|conflict\w*"
    r"|whether|let me|let's|search for|look (?:for|up)|find|rather than|so that|because|since|therefore)\b"
    r"|需要|应该|接下来|然而|但是|但|核实|确认|验证|缺少|不清楚|没有提到|矛盾|因此|所以|是否",
    re.IGNORECASE,
)
_SOURCE: Final = re.compile(
    r"(?:according to|per|in|from|the|a|\d+(?:st|nd|rd|th)|first|second|third|fourth|fifth|last)?\s*"
    r"(?P<who>[A-Z][\w.’'&\-]*(?:\s+(?:of|the|for|and|[A-Z][\w.’'&\-]*))*|[\w\-]+\.(?:com|org|net|gov|edu|io|uk))"
    r"[’']?s?(?:\s+(?:article|page|entry|website|site|result|report|answer|post|source|study|paper|blog|link|snippet))?"
    r"\s*,?\s+(?:(?:also|specifically|explicitly|even|clearly)\s+)?"
    r"(?:states?|says?|mentions?|notes?|confirms?|reports?|describes?|lists?|shows?|that\b)",
)


class TrajectoryPart(msgspec.Struct, frozen=True):
    """One part of a trajectory; ``step`` is -1 for the answer, ``name`` is the tool of a call or response."""

    kind: PartKind
    step: int
    name: str
    text: str
    span: Span | None = None


class PartChange(msgspec.Struct, frozen=True):
    """A part as A has it and as B has it; None if one side lacks it."""

    kind: PartKind
    step: int
    left: TrajectoryPart | None
    right: TrajectoryPart | None


def trajectory_parts(trajectory: Trajectory) -> list[TrajectoryPart]:
    """Return the parts in order."""
    parts: list[TrajectoryPart] = []
    for step in trajectory.steps:
        parts.append(TrajectoryPart("reasoning", step.index, "", step.reasoning, step.reasoning_span))
        for call in step.tool_calls:
            parts.append(TrajectoryPart("call", step.index, call.name, call.argument_text, call.span))
            if call.response is not None:
                parts.append(
                    TrajectoryPart("response", step.index, call.name, call.response, call.response_span)
                )
    if trajectory.answer is not None:
        parts.append(TrajectoryPart("answer", -1, "", trajectory.answer, trajectory.answer_span))
    return parts


class ComparedTrajectory(msgspec.Struct):
    """A trajectory prepared for comparison."""

    query: str
    tools: tuple[str, ...] | None
    parts: list[TrajectoryPart]

    @classmethod
    def of(cls, trajectory: Trajectory) -> ComparedTrajectory:
        """Prepare a trajectory."""
        return cls(trajectory.query, trajectory.tools, trajectory_parts(trajectory))

    def before(self, part: TrajectoryPart, kinds: Sequence[PartKind]) -> list[TrajectoryPart]:
        """Return parts of these kinds that precede ``part``."""
        out: list[TrajectoryPart] = []
        for other in self.parts:
            if other == part:
                break
            if other.kind in kinds:
                out.append(other)
        return out

    def after(self, part: TrajectoryPart, kinds: Sequence[PartKind]) -> list[TrajectoryPart]:
        """Return parts of these kinds that follow ``part``."""
        reached = False
        out: list[TrajectoryPart] = []
        for other in self.parts:
            if reached and other.kind in kinds:
                out.append(other)
            reached = reached or other == part
        return out


def part_changes(a: Sequence[TrajectoryPart], b: Sequence[TrajectoryPart]) -> list[PartChange]:
    """Return the parts that differ, paired by step and kind; a part that only one side has is paired with None."""

    def keyed(parts: Sequence[TrajectoryPart]) -> dict[tuple[int, PartKind, int], TrajectoryPart]:
        out: dict[tuple[int, PartKind, int], TrajectoryPart] = {}
        counts: dict[tuple[int, PartKind], int] = {}
        for part in parts:
            place = (part.step, part.kind)
            counts[place] = counts.get(place, -1) + 1
            out[(*place, counts[place])] = part
        return out

    left, right = keyed(a), keyed(b)
    order = list(dict.fromkeys([*left, *right]))
    return [
        PartChange(key[1], key[0], left.get(key), right.get(key))
        for key in order
        if _content(left.get(key)) != _content(right.get(key))
    ]


def _content(part: TrajectoryPart | None) -> tuple[str, str] | None:
    return None if part is None else (part.name, part.text)


class _View(msgspec.Struct):
    """One side of a changed part, with its trajectory and the other side's part."""

    part: TrajectoryPart
    other: TrajectoryPart
    run: ComparedTrajectory

    def known_text(self) -> str:
        """Return everything seen before this part: the query and the earlier responses."""
        return self.run.query + "\n" + "\n".join(p.text for p in self.run.before(self.part, ("response",)))

    def new_terms(self) -> set[str]:
        return _terms(self.part.text) - _terms(self.other.text)

    def new_specifics(self) -> set[str]:
        mine, theirs = passage_content(self.part.text), passage_content(self.other.text)
        words = {w for n in mine.names for w in n.split()} - {w for n in theirs.names for w in n.split()}
        return (set(mine.numbers) - set(theirs.numbers)) | {w for w in words if len(w) > 2}


def _terms(text: str) -> set[str]:
    return content_terms(text) | {n.replace(",", "") for n in _NUMBER.findall(text)}


def _root(value: float) -> float:
    return math.copysign(math.sqrt(abs(value)), value)


def _share(terms: set[str], of: set[str]) -> float:
    return len(terms & of) / len(terms) if terms else 0.5


def _only(
    kind: PartKind | tuple[PartKind, ...], measure: Callable[[_View], float]
) -> Callable[[_View], float]:
    kinds = (kind,) if isinstance(kind, str) else kind
    return lambda view: measure(view) if view.part.kind in kinds else 0.0


def _call_grounded(view: _View) -> float:
    """Return √known − √unknown over the call's new terms; known ones were mentioned by query, responses or reasoning."""
    known = _terms(
        view.known_text() + "\n" + "\n".join(p.text for p in view.run.before(view.part, ("reasoning",)))
    )
    terms = view.new_terms()
    return _root(len(terms & known)) - _root(len(terms - known))


def _call_novelty(view: _View) -> float:
    """Return minus the largest share of terms that this call has in common with an earlier one."""
    terms = _terms(view.part.text)
    worst = 0.0
    for earlier in view.run.before(view.part, ("call",)):
        theirs = _terms(earlier.text)
        if terms and theirs:
            worst = max(worst, len(terms & theirs) / min(len(terms), len(theirs)))
    return -worst


def _call_constraints(view: _View) -> float:
    """Return the square root of the number of query terms that the call contains."""
    return _root(len(_terms(view.part.text) & _terms(view.run.query)))


def _call_tool(view: _View) -> float:
    """Return whether the tool was offered and its arguments are of the expected kind."""
    name = view.part.name.lower()
    score = 0.0
    if view.run.tools is not None and view.part.name not in view.run.tools:
        score -= 1.0
    urls = _URL.findall(view.part.text)
    reads = any(word in name for word in ("visit", "open", "browse", "fetch", "read", "crawl"))
    if reads:
        known = view.known_text()
        score += 0.0 if urls else -1.0
        score -= sum(0.7 for url in urls if url.rstrip("/") not in known) / max(1, len(urls))
    elif "search" in name and urls:
        score -= 1.0
    if name.startswith(("lookup", "find")) and view.run.before(view.part, ("response",)):
        page = view.run.before(view.part, ("response",))[-1].text.lower()
        score += 0.5 if view.part.text.lower().strip("[]\"' ") in page else -0.5
    return score


def _call_intended(view: _View) -> float:
    """Return the share of the call's terms that the reasoning of its step announces."""
    reasoning = [p.text for p in view.run.parts if p.kind == "reasoning" and p.step == view.part.step]
    return _share(_terms(view.part.text), _terms(" ".join(reasoning)))


def _call_answered(view: _View) -> float:
    """Return the share of the call's terms that its response contains."""
    responses = [p.text for p in view.run.parts if p.kind == "response" and p.step == view.part.step]
    return _share(_terms(view.part.text), _terms(" ".join(responses))) if responses else 0.0


def _call_used(view: _View) -> float:
    """Return the share of the call's terms that later reasoning or the answer uses."""
    later = [p.text for p in view.run.after(view.part, ("reasoning", "answer"))]
    return _share(_terms(view.part.text), _terms(" ".join(later))) if later else 0.0


def _response_relevant(view: _View) -> float:
    """Return the share of the call's terms in its response."""
    calls = [p.text for p in view.run.parts if p.kind == "call" and p.step == view.part.step]
    return _share(_terms(" ".join(calls)), _terms(view.part.text))


def _response_query(view: _View) -> float:
    return _share(_terms(view.run.query) - GENERIC, _terms(view.part.text))


def _response_used(view: _View) -> float:
    """Return the share of later reasoning's terms that the response supplies."""
    later = [p.text for p in view.run.after(view.part, ("reasoning", "answer"))]
    terms = _terms(" ".join(later)) - GENERIC
    return _share(terms, _terms(view.part.text)) if terms else 0.0


def _grounded(view: _View) -> float:
    """Return the root of the weighted number of this side's own names, numbers and terms that were seen before."""
    known = _terms(view.known_text())
    lower = view.known_text().lower()
    score = sum(1.0 for item in view.new_specifics() if item.replace(",", "") in known or item in lower)
    score += 0.4 * len((view.new_terms() - GENERIC) & known)
    return _root(score)


def _ungrounded(view: _View) -> float:
    """Return minus the root of the number of this side's own names and numbers that were never seen before."""
    known = _terms(view.known_text())
    lower = view.known_text().lower()
    return -_root(
        sum(1.0 for item in view.new_specifics() if item.replace(",", "") not in known and item not in lower)
    )


def _foreign(view: _View) -> float:
    """Return minus the root of the number of this side's own content terms that were never seen before."""
    known = _terms(view.known_text())
    return -_root(len(view.new_terms() - GENERIC - known))


def _progress(view: _View) -> float:
    """Return the square root of the number of words that plan: that name a gap, a doubt or a next step."""
    return _root(len(_PLANNING.findall(view.part.text)))


def _restating(view: _View) -> float:
    """Return the share, as a negative number, of this side's own terms that only repeat the query."""
    terms = view.new_terms()
    return -_share(terms, _terms(view.run.query)) * min(1.0, len(terms) / 5) if terms else 0.0


def _continued(view: _View) -> float:
    """Return the square root of the number of this side's own terms that later reasoning or the answer uses."""
    later = _terms(" ".join(p.text for p in view.run.after(view.part, ("reasoning", "answer"))))
    return _root(len((view.new_terms() - GENERIC) & later))


def _attribution(view: _View) -> float:
    """Return whether the passage of a named source contains what is attributed to it."""
    score = 0.0
    responses = "\n".join(p.text for p in view.run.before(view.part, ("response",)))
    passages = _passages(responses)
    other = view.other.text
    for sentence in re.split(r"(?<=[.!?])\s+|\n+", view.part.text):
        match = _SOURCE.search(sentence)
        if not match or sentence in other:
            continue
        who = {w for w in _terms(match["who"]) if w not in GENERIC}
        claim = _terms(sentence) - who - GENERIC
        if not who or not claim:
            continue
        named = [p for p in passages if who & _terms(p[:200])]
        best = max((_share(claim, _terms(p)) for p in passages), default=0.0)
        own = max((_share(claim, _terms(p)) for p in named), default=0.0)
        score += own - best
    return score


def _passages(text: str) -> list[str]:
    return [piece for piece in re.split(r"\n\s*(?=\d{1,2}\.\s+\[)|\n{2,}(?=#)|\n=+\n", text) if piece.strip()]


def _wordiness(view: _View) -> float:
    more = count_words(view.part.text) - count_words(view.other.text)
    return -_root(max(0, more - 3 * len(view.new_terms()))) / 2


_THOUGHT: Final[tuple[PartKind, ...]] = ("reasoning", "answer")
TRAJECTORY_FEATURES: Final[dict[str, Callable[[_View], float]]] = {
    "call_grounded": _only("call", _call_grounded),
    "call_novelty": _only("call", _call_novelty),
    "call_constraints": _only("call", _call_constraints),
    "call_tool": _only("call", _call_tool),
    "call_intended": _only("call", _call_intended),
    "call_answered": _only("call", _call_answered),
    "call_used": _only("call", _call_used),
    "response_relevant": _only("response", _response_relevant),
    "response_query": _only("response", _response_query),
    "response_used": _only("response", _response_used),
    "grounded": _only(_THOUGHT, _grounded),
    "ungrounded": _only(_THOUGHT, _ungrounded),
    "foreign": _only(_THOUGHT, _foreign),
    "progress": _only("reasoning", _progress),
    "restating": _only("reasoning", _restating),
    "continued": _only("reasoning", _continued),
    "attribution": _only(_THOUGHT, _attribution),
    "wordiness": _only(_THOUGHT, _wordiness),
}


def compare_part(change: PartChange, a: ComparedTrajectory, b: ComparedTrajectory) -> dict[str, float]:
    """Return the features of one changed part, positive if they speak for A."""
    empty = TrajectoryPart(change.kind, change.step, "", "")
    left = _View(change.left or empty, change.right or empty, a)
    right = _View(change.right or empty, change.left or empty, b)
    return {
        name: (measure(left) if change.left else 0.0) - (measure(right) if change.right else 0.0)
        for name, measure in TRAJECTORY_FEATURES.items()
    }
