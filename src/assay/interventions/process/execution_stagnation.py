"""A search step that goes back over covered ground instead of advancing.

Either the call asks again what an earlier call asked, or a near variant of it – where its response could have come to
that as well –, or the thought plans to: it returns to what an earlier search already brought, or lists the same query
twice in other words. Everything around stays.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from assay.checks.trj._calls import evidence, failure, kind, leaves, questions
from assay.checks.trj._intent import planned_queries, searched_object
from assay.checks.trj._view import view_of
from assay.checks.trj._words import sentences, terms
from assay.interventions.base import Operator, Place, StepRevision
from assay.interventions.process._evidence import event_of, facts
from assay.interventions.process._queries import announcements, brought, reworded, variants
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

if TYPE_CHECKING:
    from collections.abc import Iterator
    from random import Random

    from assay.subjects.trajectory import Step, ToolCall, Trajectory

_PLAN: Final = re.compile(
    r"^(?P<head>.*?)\b(?P<verb>search(?: for| up)?|look(?: up| for| into)?|query)\s+(?P<object>.+?)(?P<next> next)?(?P<rest>(?: and|, and|,)? (?:to )?find .+| instead)?\.$",
    re.IGNORECASE,
)
_PLAN_ZH: Final = re.compile(
    r"^(?P<head>.*?)(?P<verb>查一下|搜索|查找|查询|检索)(?P<object>[^，。]{2,40})(?P<rest>[，。].*)$"
)
_CLOSES: Final = re.compile(r"\s*(?:\n|$|(?:therefore|so|thus|putting|then|let me|first)\b)", re.IGNORECASE)
_FIRST_PERSON: Final = re.compile(r"\b(?:i|we|let me|let's)\b|需要|应该|接下来|我|再|先", re.IGNORECASE)
_AGAIN: Final = re.compile(
    r"\b(?:again|once more|once again|back to|return to|another look|re-?(?:search|read|check|visit)|repeat|same (?:search|query|terms))\b|再次|重新|又|再搜|再查|回到|同样",
    re.IGNORECASE,
)


def candidates(trajectory: Trajectory, draw: Random) -> Iterator[StepRevision]:
    """Calls asked again, plans that go back, plans that say one query twice; in an order drawn."""
    offers: list[tuple[float, StepRevision]] = []
    for step in trajectory.steps:
        for rank, made in (
            (0.0, _calls(trajectory, step, draw)),
            (0.3, _plans(trajectory, step, draw)),
            (0.5, _doubles(trajectory, step, draw)),
            (0.6, _rechecks(trajectory, step, draw)),
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
        seen = terms(evidence(call)[:2500])
        for old in reversed(earlier[-4:]):
            words = terms(old)
            # The response must be one that the old words could have brought: it has nearly all of them.
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


def _echoed(call: ToolCall) -> bool:
    """Whether a response repeats the words of its call, so that they cannot change alone."""
    text = (call.response or "")[:400]
    return any(
        re.search(rf"(?:search|results?|query|find)[^\n]{{0,30}}{re.escape(leaf)}", text, re.IGNORECASE)
        for leaf in leaves(call.arguments)
    )


def _put(arguments: dict[str, Any] | str, old: str, new: str) -> dict[str, Any] | str | None:
    """Arguments with one string replaced, of the same shape."""
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
    """A short thought that plans the next search goes back to an earlier one."""
    if step.index == 0 or not step.tool_calls or kind(step.tool_calls[0]) != "search":
        return
    text = step.reasoning
    spans = sentences(text)
    earlier = covered(trajectory, step.index)
    if not spans or not earlier or len(spans) > 4:
        return
    start, end = spans[-1]
    match = (_PLAN_ZH if chinese(text) else _PLAN).match(text[start:end])
    if match is None or not _FIRST_PERSON.search(text[start:end]):
        return
    target = match.group("object").strip()
    if (
        near_query(target, earlier)
        or _AGAIN.search(text)
        or near_query(questions(step.tool_calls[0])[0], earlier)
    ):
        return
    fitting = [old for old in earlier if old.lower() not in target.lower() and f"{old} is not" not in text]
    for old in draw.sample(fitting, min(2, len(fitting))):
        made = _zh(match, old, target) if chinese(text) else _en(trajectory, step, match, old)
        draw.shuffle(made)
        for pattern, new in made[:4]:
            revised = replaced(text, start, end, new)
            if _why_not(trajectory, step, revised) is None:
                yield revision(step, revised, pattern, f"{text[start:end]} → {new}")
    yield from _restarts(trajectory, step, draw)


def _en(trajectory: Trajectory, step: Step, match: re.Match[str], old: str) -> list[tuple[str, str]]:
    head, verb, target = match.group("head"), match.group("verb"), match.group("object").strip()
    rest = re.sub(r"^[ ,]*(?:and )?(?:to )?", "", match.group("rest") or "")
    rest = rest if rest.startswith("find") else ""
    known = _sought(trajectory, step.index, old)
    own = re.match(r"find (its .+)", rest)
    if re.match(r"which (?:is|was|were|of|one)\b", known) or " they " in known:
        known = ""
    if known.startswith("their "):
        # What was wanted of both is wanted of one.
        known = own.group(1) if own is not None else ""
    opened = "find" in head.lower()
    what = f" and find {known}" if known and not opened else ""
    there = f" for {known}" if known else ""
    made = [
        # As if it had not been done.
        ("same-plan", f"{head}{verb} {old}{what}."),
        ("same-plan", f"{head}{verb} {old} next{what}."),
    ]
    made += [("same-plan", plan) for plan in _plans_of(trajectory, step.index, old)]
    if not brought(trajectory, step.index, old):
        return [
            *made,
            ("same-terms", f"{head}{verb} {old} once more."),
            ("same-terms", f"I should try {old} again."),
        ]
    after = f" and {rest}" if rest and "find" not in what else ""
    made += [
        ("back-first", f"{head}{verb} {old} again{what}, then {verb} {target}{after}."),
        ("same-terms", f"{head}{verb} {old} again{what}."),
        ("back-to-source", f"Let me take another look at {old}{there} first and then search {target}."),
    ]
    if not target.startswith('"'):
        made += [
            ("back-first", f"Before {target}, I need to go over {old} once more{there}."),
            (
                "back-to-source",
                f"I should go back to {old} and read it again{there}, and go on to {target} after that.",
            ),
        ]
    return made


def _plans_of(trajectory: Trajectory, index: int, query: str) -> list[str]:
    """The sentence in which an earlier thought planned a query."""
    return [
        sentence
        for step in trajectory.steps[:index]
        for call in step.tool_calls
        if query in [text.strip() for text in questions(call)]
        for sentence in sentence_texts(step.reasoning)[-1:]
        if step.index and _PLAN.match(sentence) and query in sentence
    ]


def _zh(match: re.Match[str], old: str, target: str) -> list[tuple[str, str]]:
    verb = match.group("verb")
    return [
        ("back-first", f"需要再次{verb}{old}，然后再看{target}。"),
        ("back-to-source", f"我先回到{old}，重新看一遍结果，再{verb}{target}。"),
        ("same-terms", f"接下来重新{verb}{old}，确认刚才的内容。"),
    ]


def _sought(trajectory: Trajectory, index: int, query: str) -> str:
    """What an earlier thought wanted from a query: "its headquarters"."""
    for step in trajectory.steps[:index]:
        for call in step.tool_calls:
            if query in [text.strip() for text in questions(call)]:
                match = re.search(
                    r"\bfind (?:out )?((?:the|its|his|her|their|a|an|which|what|who|where|when) [^,.;]{4,90}?)(?=[,.;]|$| and find| then)",
                    step.reasoning,
                )
                if match is not None:
                    return match.group(1)
    return ""


def _restarts(trajectory: Trajectory, step: Step, draw: Random) -> Iterator[StepRevision]:
    """The first plan, which has the target of this call in it as well, made again as if nothing had been found."""
    first = trajectory.steps[0].reasoning
    if len(first) > 400 or len(sentence_texts(first)) != 1 or step.index != 1 or chinese(first):
        return
    asked = questions(step.tool_calls[0])
    match = re.match(r"I need to search (.+?)(, | and )(find|then) (.+)$", first)
    if not asked or match is None or not terms(asked[0]) <= terms(first):
        return
    goal = match.group(4)
    for frame in draw.sample(
        [
            "To answer this, I will search {a} and {link} {goal}",
            "I should start with a search for {a}, {link} {goal}",
            "The first thing is to search {a} and {link} {goal}",
            "I still need to search {a} and {link} {goal}",
        ],
        2,
    ):
        new = frame.format(a=match.group(1), link=match.group(3), goal=goal)
        if _why_not(trajectory, step, new) is None:
            yield revision(step, new, "start-over", f"the plan of step 1 again: {new}")


# --- a long thought that checks goes back to the query it has just run ---


def _rechecks(trajectory: Trajectory, step: Step, draw: Random) -> Iterator[StepRevision]:
    """Sentences in which a long thought turns somewhere plan a search that was made."""
    if not step.index or len(sentence_texts(step.reasoning)) <= 4:
        return
    earlier = [old for old in covered(trajectory, step.index) if brought(trajectory, step.index, old)]
    earlier = [old for old in earlier if '"' not in old and 12 <= len(old) <= 110]
    if not earlier or chinese(step.reasoning):
        return
    turns = [unit for unit in units(step) if unit.end - unit.start <= 300]
    spans = [(unit.start, unit.end) for unit in turns[:2]]
    spans += [
        (start, end)
        for start, end in sentences(step.reasoning)
        if IDLE.match(step.reasoning[start:end])
        and end - start <= 160
        and not facts(view_of(trajectory), step.reasoning[start:end], event_of(step.index))
    ][-2:]
    # In the middle of a paragraph that goes on with what was found, a new plan would break it off.
    closing = [span for span in spans if _CLOSES.match(step.reasoning[span[1] :])]
    for start, end in draw.sample(closing or spans, len(closing or spans))[:3]:
        old = step.reasoning[start:end]
        made = announcements(earlier, draw)
        made.sort(key=lambda text: abs(len(text) - len(old)) + 30 * draw.random())
        for new in made[:2]:
            revised = replaced(step.reasoning, start, end, new)
            if _why_not(trajectory, step, revised) is None:
                yield revision(step, revised, "search-again", f"{old[:90]} → {new}")


# --- one query planned twice ---


def _doubles(trajectory: Trajectory, step: Step, draw: Random) -> Iterator[StepRevision]:
    """Where a thought plans several queries in quotation marks, a later one becomes an earlier one in other words."""
    text = step.reasoning
    if not step.tool_calls:
        return
    earlier = covered(trajectory, step.index)
    for start, end in sentences(text):
        quoted = [(start + low, start + high) for low, high in planned_queries(text[start:end])]
        if len(quoted) < 2 or not _asks(text[start:end]):
            continue
        queries = [text[slice(*span)] for span in quoted]
        for place in range(1, len(queries)):
            before = queries[:place]
            if near_query(queries[place], [*before, *earlier]):
                continue
            for other in draw.sample(before, len(before)):
                again = reworded(other, draw)
                if again is None or near_query(again, [item for item in queries if item != other]):
                    continue
                mark = "," if queries[place].endswith(",") else "." if queries[place].endswith(".") else ""
                new = text[: quoted[place][0]] + again.rstrip(",.") + mark + text[quoted[place][1] :]
                if _why_not(trajectory, step, new) is None:
                    yield revision(step, new, "plan-twice", f"{queries[place]} → {again}, which is {other}")
                break


def _asks(sentence: str) -> bool:
    return (
        re.search(
            r"\b(?:search|quer(?:y|ies)|look up|terms?|keywords?|try|use)|搜索|查询|检索|关键词",
            sentence,
            re.IGNORECASE,
        )
        is not None
    )


# --- whether it is one ---


def _why_not(reference: Trajectory, step: Step, text: str) -> str | None:
    before, after = differing(step.reasoning, text)
    if not after.strip():
        return "the plan was taken out; it does not go back"
    earlier = covered(reference, step.index)
    flat = " ".join(after.split()).lower()
    back = next((old for old in earlier if brought(reference, step.index, old) and old.lower() in flat), None)
    was = " ".join(before.split()).lower()
    if back is not None and _goes_back(after, back) and not (_AGAIN.search(before) and back.lower() in was):
        return None
    for item in planned(after):
        other = near_query(item, earlier)
        if other is not None and not any(near_query(old, [other]) for old in planned(before)):
            return None
    new = planned(after)
    for at, item in enumerate(new):
        twin = near_query(item, new[:at])
        if twin is not None and not _doubled(planned(before)):
            return None
    return "nothing planned repeats what an earlier search covered"


def _goes_back(text: str, old: str) -> bool:
    """Whether a thought plans to search for an old query again, openly or as if for the first time."""
    if _AGAIN.search(text):
        return True
    return any(
        _FIRST_PERSON.search(own) or re.search(r"\bsearch\b|搜索|查", own, re.IGNORECASE)
        for own in sentence_texts(text)
        if old.lower() in own.lower() and searched_object(own) is not None
    )


def _doubled(queries: list[str]) -> bool:
    return any(near_query(item, queries[:at]) for at, item in enumerate(queries))


def check(reference: Trajectory, perturbed: Trajectory, _revision: StepRevision) -> str | None:
    """Why the step does not go over covered ground, or did so already."""
    place = changed(reference, perturbed)
    if place is None:
        return "not one part of one step was changed"
    step = reference.steps[place.index]
    if place.parts == ("reasoning",):
        return _why_not(reference, step, place.after)
    if place.parts != ("arguments",) or place.call is None:
        return "something other than the reasoning or the arguments of a call was changed"
    earlier = covered(reference, place.index)
    old, new = (
        questions(step.tool_calls[place.call]),
        questions(perturbed.steps[place.index].tool_calls[place.call]),
    )
    if any(near_query(text, earlier) for text in old):
        return "the call repeated an earlier one already"
    if not new or not any(near_query(text, earlier) for text in new):
        return "the call repeats no earlier one"
    if _echoed(step.tool_calls[place.call]):
        return "the response repeats the words the call had before"
    return None


def places(trajectory: Trajectory, draw: Random) -> Iterator[Place]:
    """Thoughts before a later search, in an order drawn."""
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
            yield Place(step=step.index, part="reasoning", hint=f"Already searched: {'; '.join(asked[-3:])}")


OPERATOR = Operator(
    name="execution_stagnation",
    title="Execution Stagnation",
    level="process",
    module="reasoning",
    category="structure",
    definition="A search step goes over ground that was covered: it asks again what was asked, or plans to, and builds "
    "nothing on what was found.",
    definition_zh="搜索步骤重复已经做过的检索，或计划再次检索相同内容，没有利用已有发现向前推进。",
    rule=candidates,
    sites=places,
    ask="Let the thought plan a search that was already made, in the same or nearly the same words, where it had planned "
    "a new one. It should sound like an ordinary next step, and it may name the old search terms. Keep length and tone, "
    "and change nothing before the plan.",
    ask_zh="让这段思考计划一次已经做过的检索（相同或几乎相同的词语），而不是原来的新检索。语气自然，像平常的下一步，可以写出旧的检索词。"
    "保持长度和语气，计划之前的内容不动。",
    check=check,
    codes=("TRJ001",),
)
