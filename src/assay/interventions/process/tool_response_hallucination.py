"""Tool response hallucination: reasoning states what no response said: a wrong year, person or detail.

The wrong fact replaces one from a response, or is added where the response states another; or a fact of a response is
attributed to somebody else. Statements of the query are not contradicted, because that would be visible without the
responses.
"""

from __future__ import annotations

import re
from difflib import SequenceMatcher
from typing import TYPE_CHECKING, Final

from assay.interventions.base import EditSite, Operator, StepRevision, step_site
from assay.interventions.edit_kit import edit_runs, values_kept
from assay.interventions.hints import place_hint
from assay.interventions.process._arguments import mixed
from assay.interventions.process._entities import (
    alternatives,
    holds,
    put,
    put_everywhere,
    spans_of,
    values,
)
from assay.interventions.process._retrieved_sources import (
    claims_of,
    facts,
    has_fact,
    ledger_of,
    responses_before,
)
from assay.interventions.process.step_changes import changed, with_reasoning
from assay.subjects.atoms import fold, sentences
from assay.text.phrases import PhraseFile

if TYPE_CHECKING:
    from collections.abc import Iterator
    from random import Random

    from assay.interventions.process._entities import SwappableValue
    from assay.subjects.trajectory import Step, Trajectory

_PHRASES: Final = PhraseFile("assay.interventions", "tool_response_hallucination")

# Sentences of a thought that one misreport may touch, as the value may be used again.
_SENTENCES: Final = 4
# Another country, city or person is often absurd; another year, day or number is an agent's slip.
_PATTERN: Final = {"year": "year", "day": "date", "number": "number"}


def _rule(trajectory: Trajectory, draw: Random) -> Iterator[StepRevision]:
    found: list[StepRevision] = []
    seen: set[str] = set()
    for step in trajectory.steps:
        responses = responses_before(trajectory, step.index)
        if not responses or not step.reasoning:
            continue
        calls = "\n".join(call.argument_text for call in step.tool_calls)
        for text, pattern, note in _invented(trajectory, step, responses, calls, draw):
            if text not in seen and _why_not(trajectory, step.index, step.reasoning, text) is None:
                seen.add(text)
                made = StepRevision(
                    index=step.index, step=with_reasoning(step, text), pattern=pattern, note=note
                )
                # The right value must be what a tool returned; later, or in the answer, it would give the edit away.
                right = note.partition(" → ")[0]
                if holds("\n".join(responses), right) and not holds(_after(trajectory, step), right):
                    found.append(made)
    draw.shuffle(found)
    yield from mixed(found, draw)


def _after(trajectory: Trajectory, step: Step) -> str:
    """Return what follows a step in the trajectory: later reasoning and calls, and the answer."""
    parts = [trajectory.answer or "", *(call.argument_text for call in step.tool_calls)]
    for later in trajectory.steps[step.index + 1 :]:
        parts += [later.reasoning, *(call.argument_text for call in later.tool_calls)]
    return "\n".join(parts)


def _invented(
    trajectory: Trajectory, step: Step, responses: list[str], calls: str, draw: Random
) -> Iterator[tuple[str, str, str]]:
    """Yield the step's reasoning with one fact that no response contains, each with its pattern and a note."""
    reasoning = step.reasoning
    shown = "\n".join(responses)
    taken = f"{trajectory.query}\n{reasoning}\n{trajectory.answer or ''}\n{shown}"
    for start, end in claims_of(trajectory, step):
        claim = reasoning[start:end]
        if _NOT_REPORTED.search(claim):
            continue
        for value in values(claim):
            if value.kind not in _PATTERN:
                continue
            free = not holds(trajectory.query, value.text) and not holds(calls, value.text)
            if not free or not holds(shown, value.text):
                continue
            if not _exchangeable(reasoning, claim, value):
                continue
            for other in alternatives(value, draw, absent_from=taken, limit=1):
                changed_text = _with(reasoning, start + value.start, start + value.end, other)
                if changed_text is not None:
                    yield changed_text, _PATTERN[value.kind], f"{value.text} → {other}"


# What is planned, supposed or an example reports nothing.
_NOT_REPORTED: Final = _PHRASES.pattern(r"(?i)\?|\b(?:<<not_reported>>)\b|应该|需要|例如|比如|假设|如果|让我")
# Where years are compared, another one is bad arithmetic and not another fact.
_COMPARED: Final = _PHRASES.pattern(r"(?i)[<>]|\b(?:<<compared>>)\b")
_LISTED: Final = re.compile(
    r"\d{4}s?(?: and|,| or| to|\s?[-–/]|\))\s?$|\b(?:Act|Law|Agenda|Edition|Olympics|Games|Cup)(?: of)? $"
)


def _exchangeable(reasoning: str, claim: str, value: SwappableValue) -> bool:
    """Return whether replacing a value would look like an agent's slip."""
    before, after = claim[: value.start], claim[value.end :]
    if value.kind == "year" and (
        _COMPARED.search(claim)
        or re.search(r"\d\)? [<>] |\) [<>] ", reasoning)
        or _LISTED.search(before)
        or re.match(r"\s?(?:and|or|to|,|[-–/])\s?\d", after)
    ):
        return False
    if value.kind == "number" and re.search(r"\d", before + after):
        # Other numbers of the claim may add up with this one.
        return False
    return not (value.kind == "day" and after.startswith((" or", "–", "-", " and")))


def _with(reasoning: str, start: int, end: int, other: str) -> str | None:
    """Return reasoning with a value changed, there and in the sentence after; None if it occurs elsewhere too."""
    old = reasoning[start:end]
    starts = [at for at, _ in spans_of(reasoning, old)]
    if len(starts) == 1:
        return put(reasoning, start, end, other)
    near = [span for span in sentences(reasoning) if span[0] <= start < span[1] or start < span[0]][:2]
    if (old.isdigit() and len(old) < 4) or not all(near[0][0] <= at < near[-1][1] for at in starts):
        return None
    return put_everywhere(reasoning, old, other)


def _why_not(trajectory: Trajectory, index: int, before: str, after: str) -> str | None:
    """Return why reasoning does not newly go beyond the responses, or None if it does."""
    responses = responses_before(trajectory, index)
    if not responses:
        return "nothing had come back that could be misreported"
    claimed = set(facts(trajectory, before))
    known = ledger_of([trajectory.query, *responses])
    query = ledger_of([trajectory.query])
    moved = [(old, new) for old, new in _pairs(before, after) if new is not None]
    if not moved:
        return "no sentence says anything new"
    for old, new in moved:
        said = facts(trajectory, new)
        fresh = [fact for fact in said if fact not in set(facts(trajectory, old or ""))]
        gone = [fact for fact in facts(trajectory, old or "") if fact not in said]
        if any(has_fact(query, fact) for fact in gone):
            return "what is gone is of the question, not of a response"
        if not fresh:
            continue
        if any(not has_fact(known, fact) and fact not in claimed for fact in fresh):
            return None
        if not _bound(responses, fresh, [fact for fact in said if fact not in fresh]):
            return None
    return "the responses say what is new, or nothing checkable is"


def _bound(responses: list[str], fresh: list[str | float], others: list[str | float]) -> bool:
    """Return whether a response states the new fact close to the rest of the claim."""
    if not others:
        return True
    for response in responses:
        spans = sentences(response)
        for number in range(len(spans)):
            low = spans[max(0, number - 1)][0]
            high = spans[min(len(spans) - 1, number + 1)][1]
            window = ledger_of([response[low:high]])
            if all(has_fact(window, fact) for fact in fresh) and any(
                has_fact(window, fact) for fact in others
            ):
                return True
    return False


def _pairs(before: str, after: str) -> list[tuple[str | None, str | None]]:
    """Return the sentences that differ, side by side."""
    old = [before[start:end] for start, end in sentences(before)]
    new = [after[start:end] for start, end in sentences(after)]
    found: list[tuple[str | None, str | None]] = []
    for tag, a, b, c, d in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag != "equal":
            for number in range(max(b - a, d - c)):
                found.append(
                    (
                        old[a + number] if a + number < b else None,
                        new[c + number] if c + number < d else None,
                    )
                )
    return found


def _check(reference: Trajectory, perturbed: Trajectory, revision: StepRevision) -> str | None:
    """Return why a thought misreports nothing, or None if it may; whether a response says it is for a reader."""
    change = changed(reference, perturbed)
    if change is None or change.index != revision.index:
        return "the two differ in more than one place"
    if change.parts != ("reasoning",):
        return "something other than the reasoning differs"
    if not responses_before(reference, change.index):
        return "nothing had come back that could be misreported"
    pairs = _pairs(change.before, change.after)
    if len(pairs) > _SENTENCES:
        return "more than one passage differs"
    if fold(change.before) == fold(change.after):
        return "only the spelling differs"
    if all(run.kind == "drop" for run in edit_runs(change.before, change.after)):
        return "something was left out, and nothing is said that no response says"
    return values_kept(change.before, change.after)


def _sites(trajectory: Trajectory, draw: Random) -> Iterator[EditSite]:
    sites: list[EditSite] = []
    for step in trajectory.steps:
        if not responses_before(trajectory, step.index) or not 20 <= len(step.reasoning) <= 2500:
            continue
        claims = claims_of(trajectory, step)
        if claims:
            start, end = draw.choice(claims)
            sites.append(
                step_site(step=step.index, hint=place_hint("claim", claim=step.reasoning[start:end][:200]))
            )
    draw.shuffle(sites)
    yield from sites


OPERATOR = Operator(
    name="tool_response_hallucination",
    title="Tool Response Hallucination",
    title_zh="曲解工具返回结果",
    level="process",
    module="tool",
    category="groundedness",
    definition=(
        "The reasoning reports from the tool responses a fact, or ties a fact to somebody or something, "
        "that no response has: another number, name or date than was retrieved, or a detail that was never "
        "retrieved."
    ),
    definition_zh="推理在转述工具返回的内容时，说出了任何返回结果都没有的事实，或把事实安到了别的对象上：数字、名称或日期与检索到的不符，或出现了从未检索到的细节。",
    rule=_rule,
    sites=_sites,
    ask=(
        "Misreport one thing that a response says: change a year, a number, a name or a place that the reasoning takes "
        "from it into another that no response contains, or say a retrieved fact of somebody or something else. "
        "If the thought uses the value again, change it there too. Say it as surely as the rest. Do not contradict "
        "the question itself, bring in no new source, and leave the plan and the calls as they are."
    ),
    ask_zh=(
        "误报返回结果中的一件事：把推理取自其中的年份、数字、名称或地点改成任何返回结果都没有的另一个，或把检索到的事实安到别的人或事上；"
        "这段思考若再次用到该值，也一并改动。语气要与其余部分一样肯定。不要与问题本身矛盾，不引入新的来源，计划和调用保持不变。"
    ),
    check=_check,
    codes=("TRJ002", "TRJ007", "TRJ016"),
)
