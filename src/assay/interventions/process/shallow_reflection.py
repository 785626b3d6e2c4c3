"""Shallow reflection: a thought that named a gap or a direction now only repeats what is known.

The whole passage that names a gap, doubts, or redirects the search is replaced by a restatement of what was retrieved,
concluded or asked, of about the same length. Calls and responses stay.
"""

from __future__ import annotations

import re
from itertools import combinations
from typing import TYPE_CHECKING, Final

from assay.interventions.base import EditSite, Operator, step_site
from assay.interventions.hints import place_hint
from assay.interventions.process._reflections import (
    CONCLUDES,
    GAP,
    TURN,
    Reflection,
    doubts,
    passages,
    reflects,
    units,
)
from assay.interventions.process._restatements import alike, article_sentences, heads, summed
from assay.interventions.process._steps import changed
from assay.interventions.process._thoughts import (
    chinese,
    covered,
    differing,
    goals,
    hangs_on,
    replaced,
    restated,
    revision,
    sentence_texts,
)
from assay.subjects.atoms import find_names, find_numbers, terms
from assay.subjects.timeline import timeline_of

_SHORT: Final = 4
# Restatements of the search; the others restate the task.
_RETOLD: Final = frozenset({"results-again", "summary-again", "finding-again"})

if TYPE_CHECKING:
    from collections.abc import Iterator
    from random import Random

    from assay.interventions.base import StepRevision
    from assay.subjects.trajectory import Step, Trajectory


def candidates(trajectory: Trajectory, draw: Random) -> Iterator[StepRevision]:
    """Yield revisions of reflections on a response, two or three restatements for each."""
    offers: list[tuple[float, Step, Reflection]] = []
    for step in trajectory.steps[1:]:
        short = len(sentence_texts(step.reasoning)) <= _SHORT
        if not _retrieved(trajectory, step.index) or (short and not step.tool_calls):
            # The last thought of a short run concludes; it does not reflect.
            continue
        found = units(step)[:1] if short else passages(step)
        offers += [(unit.weight + draw.random(), step, unit) for unit in found]
    for _, step, unit in sorted(offers, key=lambda offer: -offer[0]):
        old = step.reasoning[unit.start : unit.end]
        for pattern, new in _fillings(trajectory, step, unit, draw):
            text = replaced(step.reasoning, unit.start, unit.end, new)
            if _why_not(trajectory, step, text) is None:
                yield revision(step, text, pattern, f"{_cut(old)} → {_cut(new)}")


def _retrieved(trajectory: Trajectory, index: int) -> bool:
    return any(call.response for step in trajectory.steps[:index] for call in step.tool_calls)


def _fillings(trajectory: Trajectory, step: Step, unit: Reflection, draw: Random) -> list[tuple[str, str]]:
    """Return restatements about as long as a reflection, patterns mixed; those of the question come last."""
    old = step.reasoning[unit.start : unit.end]
    rest = sentence_texts(step.reasoning[: unit.start]) + sentence_texts(step.reasoning[unit.end :])
    pools: dict[str, list[str]] = {
        "results-again": article_sentences(trajectory, step.index),
        "summary-again": summed(trajectory) if not step.tool_calls else [],
        "finding-again": _findings(trajectory, step),
        "pages-again": heads(trajectory, step.index),
    }
    if step.tool_calls:
        pools["goal-again"] = goals(trajectory, step.index, rest)
        # The question word for word, or a list of its names, would not be a thought.
        pools["question-again"] = [
            text
            for text in restated(trajectory.query)
            if chinese(text) or not re.match(r"[^,]{0,40}: |The question (?:mentions|names)|Named in", text)
        ]
    about = " ".join(covered(trajectory, step.index)) if step.tool_calls else ""
    single = [
        (name, text)
        for name, pool in pools.items()
        for text in pool
        # Repeated at once, it would betray the edit.
        if not (
            alike(text, rest, 0.5 if name == "results-again" else 0.85, about)
            if name in _RETOLD
            else text in step.reasoning
        )
    ]
    join = "" if chinese(old) else " "
    several = [
        (one[0] if one[0] == two[0] else f"{one[0]}+{two[0]}", f"{one[1]}{join}{two[1]}")
        for one, two in combinations(single, 2)
        if one[0] in _RETOLD and two[0] in _RETOLD and not alike(two[1], [one[1]])
    ]
    several += [
        (pattern, f"{text}{join}{third[1]}")
        for pattern, text in several[:30]
        for third in single
        if third[0] == pattern and third[0] in _RETOLD and not alike(third[1], sentence_texts(text))
    ]
    by_pattern: dict[str, list[str]] = {}
    for name, text in single + several:
        if 0.6 <= len(text) / len(old) <= 1.5:
            by_pattern.setdefault(name, []).append(text)
    chosen: list[tuple[float, str, str]] = []
    for name, texts in by_pattern.items():
        # Nearest in length, at random; one of each, and a second one of the findings.
        aim = draw.uniform(0.75, 1.3)
        texts.sort(key=lambda text: abs(len(text) / len(old) - aim) + 0.2 * draw.random())
        for text in texts[: 2 if name in _RETOLD else 1]:
            chosen.append(((name not in _RETOLD) * 0.4 + draw.random(), name, text))
    return [(name, text) for _, name, text in sorted(chosen)][:4]


def _findings(trajectory: Trajectory, step: Step) -> list[str]:
    """Return plain findings of earlier thoughts that are short enough to repeat."""
    found = []
    for earlier in trajectory.steps[1 : step.index]:
        for text in sentence_texts(earlier.reasoning):
            settled = not any(pattern.search(text) for pattern in (GAP, TURN, CONCLUDES))
            if settled and 30 <= len(text) <= 220 and not hangs_on(text) and text.endswith((".", "。")):
                found.append(text)
    return found


def _cut(text: str) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= 90 else flat[:89] + "…"


def _why_not(reference: Trajectory, step: Step, text: str) -> str | None:
    before, after = differing(step.reasoning, text)
    if not _retrieved(reference, step.index):
        return "nothing had been retrieved that a reflection could be on"
    if not before or not reflects(before):
        return "what was changed named no gap and took no direction"
    if not after.strip():
        return "the reflection was taken out, not made shallow"
    rest = "\n".join(own for own in sentence_texts(after) if not _echoes(reference, own))
    if GAP.search(rest) or TURN.search(rest):
        return "it still names a gap or a direction"
    parts = sentence_texts(text)
    if step.tool_calls and len(parts) <= _SHORT:
        left = [own for own in parts if TURN.search(own)]
    else:
        # The opening of a thought is a way to begin, and its conclusion is not a doubt.
        left = [own for own in parts[2:] if doubts(own)]
    if any(not _echoes(reference, own) for own in left):
        return "the thought still names a gap or plans elsewhere"
    if any(own in parts[:at] for at, own in enumerate(parts)):
        return "a sentence stands there twice"
    if not 0.5 <= len(after) / len(before) <= 2:
        return "it is much longer or shorter than the reflection"
    view = timeline_of(reference)
    event = 3 * step.index + 1
    fresh = [name.text for name in find_names(after) if view.unknown(name, event, include_own=True)]
    fresh += [
        number.text
        for number in find_numbers(after)
        if not view.given.knows_number(number, event) and not view.written.knows_number(number, event)
    ]
    if fresh:
        return f"it brings in something new: {fresh[0]}"
    return None


def _echoes(trajectory: Trajectory, sentence: str) -> bool:
    """Return whether a sentence only repeats the query or a response, in whatever words."""
    mine = terms(sentence)
    if not mine:
        return False
    if trajectory.query and len(mine & terms(trajectory.query)) >= 0.6 * len(mine):
        return True
    flat = " ".join(sentence.split())
    return any(flat[:30] in " ".join((call.response or "").split()) for call in trajectory.tool_calls)


def check(reference: Trajectory, perturbed: Trajectory, _revision: StepRevision) -> str | None:
    """Return why a thought did not become shallow, or None if it did."""
    change = changed(reference, perturbed)
    if change is None or change.parts != ("reasoning",):
        return "not the reasoning of one step was changed"
    return _why_not(reference, reference.steps[change.index], change.after)


def edit_sites(trajectory: Trajectory, draw: Random) -> Iterator[EditSite]:
    """Yield thoughts that reflect, first those that follow a response."""
    found = [
        (reflections[0].weight + draw.random(), step.index, reflections[0])
        for step in trajectory.steps[1:]
        if 60 <= len(step.reasoning) <= 2500
        and _retrieved(trajectory, step.index)
        and (reflections := units(step) if len(sentence_texts(step.reasoning)) <= _SHORT else passages(step))
    ]
    for _, index, unit in sorted(found, key=lambda item: -item[0]):
        old = trajectory.steps[index].reasoning[unit.start : unit.end]
        yield step_site(step=index, part="reasoning", hint=place_hint("reflection", reflection=_cut(old)))


OPERATOR = Operator(
    name="shallow_reflection",
    title="Shallow Reflection",
    title_zh="反思流于表面",
    level="process",
    module="reasoning",
    category="analysis",
    definition="A thought that should weigh what was found only sums it up or tells the task again: it "
    "names no gap and does not adjust where the search goes next.",
    definition_zh="本应反思已有结果的思考只是复述任务或概括已知内容，既没有指出缺口，也没有调整下一步的搜索方向。",
    rule=candidates,
    sites=edit_sites,
    ask="Find the sentences of the thought that say what is missing or doubtful, or that turn the search "
    "somewhere, and write in their place a summary of the task or of what is already known, of about "
    "the same length. Bring in no fact that is not in the trajectory. Keep the voice of the thought "
    "and everything around those sentences.",
    ask_zh="找到这段思考中指出欠缺、疑点或调整搜索方向的句子，把它们改写成对任务或已知内容的复述，长度相近。不要引入轨迹中没有的事实，"
    "保持原有语气，其余文字不动。",
    check=check,
    codes=("TRJ010",),
)
