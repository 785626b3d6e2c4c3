"""Argument corruption: one value among a call's arguments is not the intended one.

The wrong value is of the same kind (another year, another person with the name, the film for the album), or another
name that the agent has met, as when it copies the wrong name from a page. Keys, types and the other arguments stay, and
so does the response: the failure is in the call.
"""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING, Final

from assay.interventions.base import EditSite, Operator, StepRevision, step_site
from assay.interventions.hints import place_hint
from assay.interventions.process._arguments import (
    asking_calls,
    changed_leaves,
    context,
    leaves_of,
    mixed,
    said_by,
    with_leaf,
    words_of,
)
from assay.interventions.process._entities import alternatives, holds, people, put, values
from assay.interventions.process._results import blocks, items_of
from assay.interventions.process._steps import changed, with_call
from assay.subjects.atoms import atoms, find_names, find_numbers, fold
from assay.subjects.tool_calls import failure
from assay.text.bilingual import listed
from assay.text.phrases import PhraseFile

if TYPE_CHECKING:
    from collections.abc import Iterator
    from random import Random

    from assay.interventions.process._arguments import ArgumentText
    from assay.subjects.trajectory import Step, ToolCall, Trajectory

_CONFUSABLE_WORDS: Final = PhraseFile("assay.interventions", "confusable_words")

_SIMILAR: Final = re.compile(r"Similar: (\[[^\n]{2,2000}\])")
_PATTERN: Final = {
    "year": "wrong-year",
    "day": "wrong-date",
    "month": "wrong-date",
    "number": "wrong-number",
    "given name": "namesake",
    "nationality": "wrong-place",
    "country": "wrong-place",
    "city": "wrong-place",
    "state": "wrong-place",
    "county": "wrong-place",
    "国家": "wrong-place",
    "城市": "wrong-place",
}


def _rule(trajectory: Trajectory, draw: Random) -> Iterator[StepRevision]:
    found: list[StepRevision] = []
    for step in trajectory.steps:
        said = said_by(trajectory, step.index)
        known = context(trajectory, step.index)
        for number, call in asking_calls(step):
            leaves = [leaf for leaf in leaves_of(call.arguments) if not leaf.address]
            draw.shuffle(leaves)
            for leaf in leaves:
                for text, pattern, note in _wrong(leaf.text, said, known, _before(trajectory, step), draw):
                    made = StepRevision(
                        index=step.index,
                        step=with_call(step, number, arguments=with_leaf(call.arguments, leaf.path, text)),
                        pattern=pattern,
                        note=note,
                    )
                    given = note.split(" → ")[0] if pattern == "namesake" else ""
                    if given and re.search(rf"\b{re.escape(given)} ", trajectory.answer or ""):
                        # Nobody misnames a celebrity.
                        continue
                    if pattern == "namesake" and not set(words_of(leaf.text)) & _CONFUSABLE_WORDS[
                        "common_surnames"
                    ].words("en"):
                        continue
                    if _betrayed(call, leaf.text, text):
                        continue
                    if _why_not(leaf.text, text, said, known) is None:
                        found.append(made)
    draw.shuffle(found)
    # Another given name for a celebrity looks like a typing error.
    yield from mixed(found, draw, last=frozenset({"namesake"}))


def _before(trajectory: Trajectory, step: Step) -> list[str]:
    """Return the responses before a step's calls, the latest first."""
    return [
        call.response
        for earlier in reversed(trajectory.steps[: step.index])
        for call in reversed(earlier.tool_calls)
        if call.response
    ]


def _wrong(
    text: str, said: str, known: str, responses: list[str], draw: Random
) -> Iterator[tuple[str, str, str]]:
    """Yield wrong forms of one argument text, each with its pattern and a note."""
    for value in values(text, queries=True):
        if not holds(known, value.text):
            continue
        # Nobody mistakes a film for a video game.
        never = "video game" if value.kind == "kind" else ""
        for other in alternatives(value, draw, absent_from=f"{said}\n{text}\n{never}", limit=1):
            pattern = _PATTERN.get(value.kind, "sibling-word")
            if value.kind == "nationality" and re.match(r" [A-Z]", text[value.end :]):
                # "English Heritage" is a name; "Irish Heritage" does not exist.
                continue
            yield put(text, value.start, value.end, other), pattern, f"{value.text} → {other}"
    for name, pattern in _others(text, said, responses):
        yield name, pattern, f"{text} → {name}"
    for name in people(text):
        if name == text:
            continue
        for other in people("\n".join(responses[:2]))[:6]:
            if not holds(said, other) and not _shares(name, other):
                start = text.index(name)
                yield put(text, start, start + len(name), other), "other-person", f"{name} → {other}"
                break


def _others(text: str, said: str, responses: list[str]) -> Iterator[tuple[str, str]]:
    """Yield names from the trajectory that could be mistaken for a one-name argument, each with its pattern."""
    if not 1 <= len(words_of(text)) <= 6 or not text[:1].isupper():
        return
    for response in responses[:2]:
        for match in _SIMILAR.finditer(response):
            # What looks like the intended name comes first: a person for a person, a work for a work.
            for entry in sorted(_entries(match.group(1)), key=lambda entry: _unlike(text, entry))[:4]:
                # A person for a person, a work for a work.
                if _differs(text, entry, said) and (entry in people(entry)) == (text in people(text)):
                    yield entry, "neighbouring-entry"
    persons = people("\n".join(responses[:2]))
    if _is_person(text, said, responses):
        for person in persons[:8]:
            if _differs(text, person, said):
                yield person, "other-person"
        return
    for response in responses[:1] if "(" not in text else ():
        for name in find_names(response[:3000]):
            same_kind = words_of(name.text)[-1:] == words_of(text)[-1:]
            if len(words_of(text)) > 1 and same_kind and _differs(text, name.text, said):
                yield name.text, "like-named"


def _unlike(text: str, entry: str) -> tuple[bool, bool, int]:
    return (
        ("(" in text) != ("(" in entry),
        (":" in text or text.startswith("List of")) != (":" in entry or entry.startswith("List of")),
        abs(len(words_of(text)) - len(words_of(entry))),
    )


def _entries(listed: str) -> list[str]:
    try:
        entries = ast.literal_eval(listed)
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return []
    return [entry for entry in entries if isinstance(entry, str) and len(entry) > 2]


def _is_person(text: str, said: str, responses: list[str]) -> bool:
    if text in people(text):
        return True
    return any(text in people(source) for source in (said, *responses[:2])) or (
        2 <= len(words_of(text)) <= 3
        and re.search(rf"\b{re.escape(text)}\b[^.\n]{{0,60}}\b(?:he|she|his|her)\b", said) is not None
    )


def _shares(one: str, other: str) -> bool:
    a, b = set(atoms(one)), set(atoms(other))
    return a <= b or b <= a


def _differs(text: str, name: str, said: str) -> bool:
    return not holds(said, name) and not _shares(text, name) and fold(text) != fold(name)


def _betrayed(call: ToolCall, before: str, after: str) -> bool:
    """Return whether a response is clearly the page of the old value: it opens with it, or has it as its title."""
    response = call.response or ""
    lost = {word for word in set(atoms(before)) - set(atoms(after)) if len(word) > 2 and word.isalpha()}
    if not lost or not response or failure(call) is not None:
        return False
    for start, end in blocks(response):
        listing, items = items_of(response[start:end])
        if not items:
            return bool(lost & set(atoms(response[:250])))
        if before in listing and lost <= set(atoms(items[0].partition("](")[0])):
            return True
    return False


def _why_not(before: str, after: str, said: str, known: str) -> str | None:
    """Return why one text is not a corruption of another, or None if it is."""
    old, new = _tokens(before), _tokens(after)
    lost, put_in = old - new, new - old
    if not lost:
        return "nothing of the value that was meant is gone"
    if not put_in:
        return "a part of the value is gone, and nothing wrong stands for it"
    everything, meant = _tokens(known), _tokens(said)
    if not lost & everything:
        return "what was exchanged is fixed neither by the question nor by what was found"
    if put_in <= meant:
        return "the question or the reasoning says the new value as well"
    kept = len(old & new)
    if not kept and len(old) > 6:
        return "the whole argument is another, not one value of it"
    if kept and (len(lost) > 4 or len(put_in) > 5):
        return "more than one value differs"
    if all(any(_same_word(a, b) for b in lost) for a in put_in):
        return "the two values are forms of one word"
    return None


def _tokens(text: str) -> set[str]:
    return set(atoms(text)) | {f"{number.printed:g}" for number in find_numbers(text)}


def _same_word(one: str, other: str) -> bool:
    if not (one.isalpha() and other.isalpha()):
        return False
    shared = 0
    while shared < min(len(one), len(other)) and one[shared] == other[shared]:
        shared += 1
    return shared >= 5 and max(len(one), len(other)) - shared <= 3


def _check(reference: Trajectory, perturbed: Trajectory, revision: StepRevision) -> str | None:
    change = changed(reference, perturbed)
    if change is None or change.index != revision.index:
        return "the two differ in more than one place"
    if change.call is None or change.parts != ("arguments",):
        return "something other than the arguments of one call differs"
    pairs = changed_leaves(change.before, change.after)
    if len(pairs) != 1:
        return "not exactly one argument value differs, or the structure does"
    old, new = pairs[0]
    if not new.text.strip():
        return "the value is empty"
    why = _why_not(old.text, new.text, said_by(reference, change.index), context(reference, change.index))
    if why is None and _betrayed(reference.steps[change.index].tool_calls[change.call], old.text, new.text):
        return "what comes back is plainly the page of the old value"
    return why


def _sites(trajectory: Trajectory, draw: Random) -> Iterator[EditSite]:
    sites = [
        step_site(step=step.index, part="arguments", call=number, hint=_hint(call))
        for step in trajectory.steps
        for number, call in asking_calls(step)
        if len(call.argument_text) <= 2500
    ]
    draw.shuffle(sites)
    yield from sites


def _hint(call: ToolCall) -> str:
    leaves: list[ArgumentText] = [leaf for leaf in leaves_of(call.arguments) if not leaf.address]
    found = [value.text for leaf in leaves for value in values(leaf.text, queries=True)]
    return place_hint("values", values=listed(dict.fromkeys(found))) if found else ""


OPERATOR = Operator(
    name="argument_corruption",
    title="Argument Corruption",
    title_zh="参数错误",
    level="process",
    module="tool",
    category="faithfulness",
    definition=(
        "One value in the arguments of a tool call is wrong – another name, number, date or kind than the "
        "question and the reasoning ask for – while the form of the call is intact."
    ),
    definition_zh="工具调用的参数中有一个值是错的——人名、数字、日期或类别与问题及推理所要求的不符——而调用的格式完好。",
    rule=_rule,
    sites=_sites,
    ask=(
        "Change one value in one argument: a person for another of a like name, a place, a year or a "
        "number for a near one, a work for another kind of work. Keep every key, the type of every value, "
        "the number of list items and all other words. The new value must be something a hurried agent "
        "could have put there, and must contradict what the question or the reasoning before the call asks "
        "for."
    ),
    ask_zh=(
        "只改动一个参数中的一个值：把人名换成相近的另一人，把地点、年份或数字换成邻近的另一个，或把作品换成另一类作品。"
        "所有的键、值的类型、列表的项数和其余词语都保持不变。新的值应当像是匆忙的智能体会填写的，并且与问题或调用前的推理相矛盾。"
    ),
    check=_check,
)
