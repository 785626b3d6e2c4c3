"""Short thoughts that plan the next search, changed so that they first return to an earlier search."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from assay.interventions.process._queries import brought
from assay.interventions.process._thoughts import chinese, covered, near_query, replaced, sentence_texts
from assay.subjects.atoms import sentences, terms
from assay.subjects.tool_calls import kind, questions
from assay.text.phrases import PhraseFile

if TYPE_CHECKING:
    from collections.abc import Iterator
    from random import Random

    from assay.subjects.trajectory import Step, Trajectory

_PHRASES: Final = PhraseFile("assay.interventions", "plans")

# Pattern, old text, new text, and the whole thought.
Planned = tuple[str, str, str, str]

_PLAN: Final = re.compile(
    r"^(?P<head>.*?)\b(?P<verb>search(?: for| up)?|look(?: up| for| into)?|query)\s+"
    r"(?P<object>.+?)(?P<next> next)?(?P<rest>(?: and|, and|,)? (?:to )?find .+| instead)?\.$",
    re.IGNORECASE,
)
_PLAN_ZH: Final = re.compile(
    r"^(?P<head>.*?)(?P<verb>查一下|搜索|查找|查询|检索)(?P<object>[^，。]{2,40})(?P<rest>[，。].*)$"
)
# The pronoun would refer to something else if another thing is named before it.
_PRONOUN: Final = re.compile(r"(?:it|them|him|her|this|that|these|those|one|他|她|它)", re.IGNORECASE)
_SMALL: Final = frozenset("of the and in a an to for on at de la von".split())
FIRST_PERSON: Final = re.compile(r"\b(?:i|we|let me|let's)\b|需要|应该|接下来|我|再|先", re.IGNORECASE)
AGAIN: Final = _PHRASES.pattern(
    r"\b(?:<<again>>)\b|再次|重新|又|再搜|再查|回到|同样",
    flags=re.IGNORECASE,
)


def backtracking_plans(trajectory: Trajectory, step: Step, draw: Random) -> Iterator[Planned]:
    """Yield plans in which a short thought first goes back a step; the call that follows stays part of the plan."""
    if step.index == 0 or not step.tool_calls or kind(step.tool_calls[0]) != "search":
        return
    text = step.reasoning
    spans = sentences(text)
    earlier = covered(trajectory, step.index)
    if not spans or not earlier or len(spans) > 4:
        return
    start, end = spans[-1]
    match = (_PLAN_ZH if chinese(text) else _PLAN).match(text[start:end])
    if match is None or not FIRST_PERSON.search(text[start:end]):
        return
    target = match.group("object").strip()
    if (
        near_query(target, earlier)
        or _PRONOUN.fullmatch(target)
        or AGAIN.search(text)
        or near_query(questions(step.tool_calls[0])[0], earlier)
    ):
        return
    fitting = [old for old in earlier if old.lower() not in target.lower() and f"{old} is not" not in text]
    for old in draw.sample(fitting, min(2, len(fitting))):
        made = _zh(match, old, target) if chinese(text) else _en(trajectory, step, match, old)
        draw.shuffle(made)
        # One of each pattern, at random.
        for pattern, new in dict(made).items():
            yield pattern, text[start:end], new, replaced(text, start, end, new)
    for new in _restarts(trajectory, step, draw):
        yield "start-over", text, new, new


def _en(trajectory: Trajectory, step: Step, match: re.Match[str], old: str) -> list[tuple[str, str]]:
    """Return patterns and English plans that return to the query ``old`` before the planned search."""
    head, verb, target = match.group("head"), match.group("verb"), match.group("object").strip()
    rest = re.sub(r"^[ ,]*(?:and )?(?:to )?", "", match.group("rest") or "")
    after = f" and {rest}" if rest.startswith("find") else ""
    own = old if _is_title(old) or '"' in old.strip('"') else f'"{old.strip(chr(34))}"'
    if not brought(trajectory, step.index, old):
        return [
            ("try-again", f"{head}try {own} again first, then {verb} {target}{after}."),
            ("try-again", f"{head}{verb} {own} once more and after that {target}."),
            ("try-again", f"Let me {verb} {own} again, and then {target}{after}."),
            ("try-again-before", f"I should try {own} once more before I {verb} {target}."),
            ("try-again-before", f"I can try {own} again, then {target}."),
            ("try-again-before", f"I will try {own} once more, then {verb} {target}."),
        ]
    return [
        ("both-again", f"{head}{verb} {own} and {target}{after}."),
        ("both-again", f"{head}{verb} {own} and then {target}{after}."),
        ("old-and-new", f"I need to {verb} {own} and {target}."),
        ("old-and-new", f"To go on, I will {verb} {own} and {target}."),
        ("read-first", f"{head}read {own} again, then {verb} {target}{after}."),
        ("read-first", f"{head}go over {own} once more and then {verb} {target}{after}."),
        ("read-first", f"I should reread {own}, then {verb} {target}{after}."),
        ("read-first", f"I want to read the paragraph on {own} again and then {verb} {target}{after}."),
        ("back-to-source", f"Let me take another look at {own} first and then {verb} {target}{after}."),
        ("back-to-source", f"Let me go back to {own} and read it again, then {verb} {target}{after}."),
        ("back-to-source", f"Back to {own} first; then I can {verb} {target}{after}."),
        ("back-to-source", f"I had better return to {own} once more, and then {verb} {target}{after}."),
        ("before-that", f"Before I {verb} {target}, I should read {own} again."),
        ("before-that", f"I will go over {own} again before I {verb} {target}."),
        ("before-that", f"Let me reread {own} before {target}."),
        ("once-more", f"I need to see {own} again, then {verb} {target}."),
        ("once-more", f"I will go through {own} again first, and then {verb} {target}."),
        ("once-more", f"I want another look at {own}, and then I {verb} {target}."),
    ]


def _is_title(text: str) -> bool:
    """Return whether a query is a name that fits into a sentence without quotation marks."""
    words = re.sub(r"\([^)]*\)", "", text).split()
    return text[:1].isupper() and all(not word[:1].islower() or word in _SMALL for word in words)


def _zh(match: re.Match[str], old: str, target: str) -> list[tuple[str, str]]:
    """Return patterns and Chinese plans that return to the query ``old`` before the planned search."""
    verb = match.group("verb")
    return [
        ("read-first", f"需要再次{verb}{old}，然后再看{target}。"),
        ("back-to-source", f"我先回到{old}，重新看一遍结果，再{verb}{target}。"),
        ("before-that", f"在{verb}{target}之前，先把{old}的结果重新读一遍。"),
        ("once-more", f"先再看一次{old}，再{verb}{target}。"),
    ]


def _restarts(trajectory: Trajectory, step: Step, draw: Random) -> list[str]:
    """Return rewordings of the first plan, as if nothing had been found, if it covers this step's call as well."""
    first = trajectory.steps[0].reasoning
    if len(first) > 400 or len(sentence_texts(first)) != 1 or step.index != 1 or chinese(first):
        return []
    asked = questions(step.tool_calls[0])
    match = re.match(r"I need to search (.+?)(, | and )(find|then) (.+)$", first)
    if not asked or match is None or not terms(asked[0]) <= terms(match.group(1)):
        return []
    frames = (
        "To answer this, I will search {a} and {link} {goal}",
        "I should start with a search for {a}, {link} {goal}",
        "The first thing is to search {a} and {link} {goal}",
        "I still need to search {a} and {link} {goal}",
    )
    return [
        frame.format(a=match.group(1), link=match.group(3), goal=match.group(4))
        for frame in draw.sample(frames, 2)
    ]
