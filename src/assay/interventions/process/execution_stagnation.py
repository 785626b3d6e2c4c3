"""Execution stagnation: a search step goes back over covered ground instead of advancing.

Either the call repeats an earlier call or query, or a near variant of it whose response could have been the same.
Or the thought goes back: it rereads, or plans to reread, what an earlier search already brought, before it goes on
to the call that follows. Everything else stays.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from assay.interventions.base import EditSite, Operator, StepRevision, step_site
from assay.interventions.hints import place_hint, semicolons
from assay.interventions.process._evidence import event_of, facts, subject_name
from assay.interventions.process._plans import AGAIN, FIRST_PERSON, backtracking_plans
from assay.interventions.process._queries import blocks, brought, near_variants, rereadings, variants
from assay.interventions.process._reflections import IDLE, units
from assay.interventions.process._steps import changed, with_call
from assay.interventions.process._thoughts import (
    chinese,
    covered,
    differing,
    near_query,
    planned,
    replaced,
    revision,
    sentence_texts,
)
from assay.subjects.announcements import searched_object
from assay.subjects.atoms import atoms, find_names, sentences, terms
from assay.subjects.timeline import timeline_of
from assay.subjects.tool_calls import evidence, failure, kind, leaves, questions
from assay.text.phrases import PhraseFile

if TYPE_CHECKING:
    from collections.abc import Iterator
    from random import Random

    from assay.subjects.trajectory import Step, ToolCall, Trajectory

_PHRASES: Final = PhraseFile("assay.interventions", "execution_stagnation")

_SETTLES: Final = _PHRASES.pattern(
    r"\s*(?:$|(?:<<settles>>)\b)",
    flags=re.IGNORECASE,
)


def candidates(trajectory: Trajectory, draw: Random) -> Iterator[StepRevision]:
    """Yield revisions that repeat a call or query, or whose thought returns to earlier results, in random order."""
    offers: list[tuple[float, StepRevision]] = []
    for step in trajectory.steps:
        for rank, made in (
            (0.0, _calls(trajectory, step, draw)),
            (0.2, _twins(trajectory, step, draw)),
            (0.2, _plans(trajectory, step, draw)),
            (0.4, _rechecks(trajectory, step, draw)),
        ):
            offers += [(rank + draw.random(), item) for item in made]
    for _, item in sorted(offers, key=lambda offer: offer[0]):
        yield item


# --- the call itself ---


def _calls(trajectory: Trajectory, step: Step, draw: Random) -> Iterator[StepRevision]:
    earlier = covered(trajectory, step.index)
    for number, call in enumerate(step.tool_calls):
        if kind(call) != "search" or not call.response or failure(call) is not None:
            continue
        asked = questions(call)
        if len(asked) != 1 or near_query(asked[0], earlier) or _echoed(call):
            continue
        if asked[0].strip("\"'").lower() in step.reasoning.lower():
            # The thought says what it will ask; another call would contradict it.
            continue
        seen = terms(evidence(call)[:2500])
        for old in reversed(earlier[-4:]):
            words = terms(old)
            # The response must be one the old words could have brought: it has nearly all of them.
            if not words or len(words & seen) < 0.99 * len(words) or not brought(trajectory, step.index, old):
                continue
            for pattern, query in variants(trajectory, old, draw):
                arguments = _put(call.arguments, asked[0], query)
                if arguments is not None and query.strip().lower() != asked[0].strip().lower():
                    yield StepRevision(
                        index=step.index,
                        step=with_call(step, number, arguments=arguments),
                        pattern=pattern,
                        note=f"{asked[0]} → {query} (asked before: {old})",
                    )


def _twins(trajectory: Trajectory, step: Step, draw: Random) -> Iterator[StepRevision]:
    """Yield revisions in which a later query of a call repeats an earlier one that could have had the same response."""
    earlier = covered(trajectory, step.index)
    thought = step.reasoning.lower()
    for number, call in enumerate(step.tool_calls):
        asked = questions(call)
        parts = blocks(call)
        if kind(call) != "search" or len(asked) < 2 or len(parts) != len(asked) or failure(call) is not None:
            continue
        for position in range(1, len(asked)):
            old = asked[position]
            others = asked[:position] + asked[position + 1 :]
            # A query that the thought spells out is intended.
            if (
                near_query(old, [*earlier, *others])
                or old.lower() in thought
                or near_query(old, planned(step.reasoning))
            ):
                continue
            seen = terms(parts[position].partition("\n")[2])
            for other in draw.sample(asked[:position], position):
                for query in near_variants(other, trajectory.query, draw)[:2]:
                    words = terms(other)
                    arguments = _put(call.arguments, old, query)
                    if arguments is None or not words or len(words & seen) < 0.85 * len(words):
                        continue
                    yield StepRevision(
                        index=step.index,
                        step=with_call(step, number, arguments=arguments),
                        pattern="query-twice",
                        note=f"{old} → {query}, beside {other}",
                    )


def _echoed(call: ToolCall) -> bool:
    """Return whether a response repeats its call's words outside quotation marks, so that they cannot change alone."""
    text = (call.response or "")[:400]
    return any(
        re.search(
            rf"(?:search|results?|query|find)[^\n]{{0,30}}(?<!['\"“「]){re.escape(leaf)}", text, re.IGNORECASE
        )
        for leaf in leaves(call.arguments)
    )


def _put(arguments: dict[str, Any] | str, old: str, new: str) -> dict[str, Any] | str | None:
    """Return a copy of a call's arguments with one string replaced."""
    if isinstance(arguments, str):
        return new if arguments.strip() == old else None
    for key, value in arguments.items():
        if isinstance(value, str) and value.strip() == old:
            return {**arguments, key: new}
        if isinstance(value, list) and any(isinstance(item, str) and item.strip() == old for item in value):
            return {
                **arguments,
                key: [new if isinstance(item, str) and item.strip() == old else item for item in value],
            }
    return None


# --- the plan for the next call ---


def _plans(trajectory: Trajectory, step: Step, draw: Random) -> Iterator[StepRevision]:
    """Yield revisions in which a short thought returns to an earlier search before the one it planned."""
    for pattern, old, new, text in backtracking_plans(trajectory, step, draw):
        if _why_not(trajectory, step, text) is None:
            yield revision(step, text, pattern, f"{old[:120]} → {new}")


# --- a long thought reads again what it has read ---


def _rechecks(trajectory: Trajectory, step: Step, draw: Random) -> Iterator[StepRevision]:
    """Yield revisions in which a checking or reassuring sentence of a long thought rereads earlier results."""
    text = step.reasoning
    if not step.index or len(sentence_texts(text)) <= 4 or chinese(text):
        return
    earlier = [
        old
        for old in covered(trajectory, step.index)
        if brought(trajectory, step.index, old) and '"' not in old and 12 <= len(old) <= 90
    ]
    # Only what has been read can be reread; thoughts that already go back are left alone.
    spans = [
        (unit.start, unit.end)
        for unit in units(step)
        if unit.end - unit.start <= 300
        and unit.start > 0.25 * len(text)
        and not AGAIN.search(text[unit.start : unit.end])
    ][:2]
    spans += [
        (start, end)
        for start, end in sentences(text)
        if IDLE.match(text[start:end])
        and start > 0.25 * len(text)
        and end - start <= 180
        and not facts(timeline_of(trajectory), text[start:end], event_of(step.index))
    ][-3:]
    name = subject_name(trajectory, step.index)
    for start, end in draw.sample(spans, len(spans))[:3]:
        old = text[start:end]
        following = text[end:]
        # Before a conclusion or within a paragraph it has been done; at the end of one it may be planned.
        settles = not following.strip() or _SETTLES.match(following) is not None
        ways = [name] if settles or not following.startswith("\n") else ["", name]
        for way in dict.fromkeys(ways):
            if settles and not way:
                continue
            if not way and not following.startswith("\n"):
                continue
            read = earlier[: max(1, round(start / len(text) * len(earlier)))]
            fitting = [
                query
                for query in read
                if (
                    _shows(trajectory, step.index, query, way)
                    if way
                    else _discussed(trajectory, step, query, start)
                )
            ]
            made = rereadings(fitting, way, draw) if fitting else []
            made.sort(key=lambda new: abs(len(new) - len(old)) + 40 * draw.random())
            for new in made[:2]:
                revised = replaced(text, start, end, new)
                if _why_not(trajectory, step, revised) is None:
                    yield revision(
                        step, revised, "read-as-before" if way else "read-again", f"{old[:90]} → {new}"
                    )


def _shows(trajectory: Trajectory, index: int, query: str, name: str) -> bool:
    """Return whether the response to a query contains a name."""
    return any(
        name.lower() in part.lower()
        for step in trajectory.steps[:index]
        for call in step.tool_calls
        for asked, part in zip(questions(call), blocks(call) or [call.response or ""], strict=False)
        if asked.strip() == query
    )


def _discussed(trajectory: Trajectory, step: Step, query: str, start: int) -> bool:
    """Return whether a thought discusses a query's results before an offset."""
    text = step.reasoning
    known = terms(f"{trajectory.query} {' '.join(covered(trajectory, step.index))}")
    for earlier in trajectory.steps[: step.index]:
        for call in earlier.tool_calls:
            for asked, part in zip(questions(call), blocks(call) or [call.response or ""], strict=False):
                if asked.strip() != query:
                    continue
                later = trajectory.steps[earlier.index + 1 : step.index]
                before = "\n".join([*(other.reasoning for other in later), text[:start]])
                names = {atom for name in find_names(part) for atom in name.atoms if len(atom) > 3} - known
                if query.lower() not in text[start:].lower() and len(names & set(atoms(before))) > 2:
                    return True
    return False


# --- whether it is one ---


def _why_not(reference: Trajectory, step: Step, text: str) -> str | None:
    before, after = differing(step.reasoning, text)
    if not after.strip():
        return "the plan was taken out; it does not go back"
    earlier = covered(reference, step.index)
    flat = " ".join(after.split()).lower()
    back = next((old for old in earlier if brought(reference, step.index, old) and old.lower() in flat), None)
    was = " ".join(before.split()).lower()
    if back is not None and _goes_back(after, back) and not (AGAIN.search(before) and back.lower() in was):
        return None
    for item in planned(after):
        other = near_query(item, earlier)
        if other is not None and not any(near_query(old, [other]) for old in planned(before)):
            return None
    return "nothing planned repeats what an earlier search covered"


def _goes_back(text: str, old: str) -> bool:
    """Return whether a thought plans to repeat an old query, openly or as if for the first time."""
    if AGAIN.search(text):
        return True
    return any(
        FIRST_PERSON.search(own) or re.search(r"\bsearch\b|搜索|查", own, re.IGNORECASE)
        for own in sentence_texts(text)
        if old.lower() in own.lower() and searched_object(own) is not None
    )


def check(reference: Trajectory, perturbed: Trajectory, _revision: StepRevision) -> str | None:
    """Return why a step does not newly stagnate, or None if it does."""
    change = changed(reference, perturbed)
    if change is None:
        return "not one part of one step was changed"
    step = reference.steps[change.index]
    if change.parts == ("reasoning",):
        return _why_not(reference, step, change.after)
    if change.parts != ("arguments",) or change.call is None:
        return "something other than the reasoning or the arguments of a call was changed"
    earlier = covered(reference, change.index)
    old, new = (
        questions(step.tool_calls[change.call]),
        questions(perturbed.steps[change.index].tool_calls[change.call]),
    )
    if _repeats(old, earlier):
        return "the call repeated an earlier one already"
    if not _repeats(new, earlier):
        return "the call repeats no earlier one"
    if _echoed(step.tool_calls[change.call]):
        return "the response repeats the words the call had before"
    return None


def _repeats(asked: list[str], earlier: list[str]) -> bool:
    """Return whether one query of a call repeats an earlier query."""
    return any(near_query(text, [*earlier, *asked[:at]]) for at, text in enumerate(asked))


def edit_sites(trajectory: Trajectory, draw: Random) -> Iterator[EditSite]:
    """Yield thoughts that precede a later search, in random order."""
    steps = [
        step
        for step in trajectory.steps[1:]
        if step.tool_calls
        and kind(step.tool_calls[0]) == "search"
        and 20 <= len(step.reasoning) <= 2500
        and not any(
            near_query(text, covered(trajectory, step.index)) for text in questions(step.tool_calls[0])
        )
    ]
    for step in draw.sample(steps, len(steps)):
        asked = [old for old in covered(trajectory, step.index) if brought(trajectory, step.index, old)]
        if asked:
            yield step_site(
                step=step.index, part="reasoning", hint=place_hint("searched", queries=semicolons(asked[-3:]))
            )


OPERATOR = Operator(
    name="execution_stagnation",
    title="Execution Stagnation",
    title_zh="执行停滞",
    level="process",
    module="reasoning",
    category="structure",
    definition="A search step goes over ground that was covered: it asks again what was asked, or plans "
    "to, and builds nothing on what was found.",
    definition_zh="搜索步骤重复已经做过的检索，或计划再次检索相同内容，没有利用已有发现向前推进。",
    rule=candidates,
    sites=edit_sites,
    ask="Let the thought plan a search that was already made, in the same or nearly the same words, where "
    "it had planned a new one. It should sound like an ordinary next step, and it may name the old "
    "search terms. Keep length and tone, and change nothing before the plan.",
    ask_zh="让这段思考计划一次已经做过的检索（相同或几乎相同的词语），而不是原来的新检索。语气自然，像平常的下一步，可以写出旧的检索词。"
    "保持长度和语气，计划之前的内容不动。",
    check=check,
    codes=("TRJ001",),
)
