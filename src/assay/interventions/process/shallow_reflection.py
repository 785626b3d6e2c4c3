"""A reflection that only says again what is known, where it had named a gap or a direction.

The thought that saw what was missing, doubted, or turned the search gives way to the question told once more, or to what
came back told once more, of about its length. Calls and responses stay, so that the next call comes unexplained.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from assay.checks.trj._view import view_of
from assay.checks.trj._words import find_names, find_numbers, terms
from assay.interventions.base import Operator, Place
from assay.interventions.process._reflections import CONCLUDES, GAP, TURN, Unit, reflects, units
from assay.interventions.process._steps import changed
from assay.interventions.process._thoughts import (
    chinese,
    differing,
    goals,
    hangs_on,
    heads,
    replaced,
    restated,
    revision,
    sentence_texts,
)

if TYPE_CHECKING:
    from collections.abc import Iterator
    from random import Random

    from assay.interventions.base import StepRevision
    from assay.subjects.trajectory import Step, Trajectory


def candidates(trajectory: Trajectory, draw: Random) -> Iterator[StepRevision]:
    """The weightiest reflections of each step, each replaced by two or three restatements."""
    offers: list[tuple[float, Step, Unit]] = []
    for step in trajectory.steps:
        if not step.tool_calls and step.index and len(sentence_texts(step.reasoning)) < 4:
            # The last thought of a short run concludes; it reflects on nothing.
            continue
        if step.index == 0 and len(sentence_texts(step.reasoning)) < 4:
            continue
        found = units(step)
        taken: list[Unit] = []
        for unit in found:
            if len(taken) < 3 and not any(
                unit.start < other.end and other.start < unit.end for other in taken
            ):
                taken.append(unit)
        offers += [(unit.weight + draw.random(), step, unit) for unit in taken]
    for _, step, unit in sorted(offers, key=lambda offer: -offer[0]):
        old = step.reasoning[unit.start : unit.end]
        for pattern, new in _fillings(trajectory, step, old, draw):
            text = replaced(step.reasoning, unit.start, unit.end, new)
            if _why_not(trajectory, step, text) is None:
                yield revision(step, text, pattern, f"{_short(old)} → {_short(new)}")


def _fillings(trajectory: Trajectory, step: Step, old: str, draw: Random) -> list[tuple[str, str]]:
    """Restatements near the length of a reflection, different patterns mixed."""
    said = step.reasoning
    pools: dict[str, list[str]] = {
        "question-again": restated(trajectory.query),
        "goal-again": goals(trajectory, step.index),
        "results-again": heads(trajectory, step.index),
        "finding-again": _findings(trajectory, step),
    }
    if draw.random() < 0.5:
        pools = dict(reversed(pools.items()))
    single: list[tuple[str, str]] = [
        (name, text) for name, pool in pools.items() for text in pool if text not in said
    ]
    join = "" if chinese(said) else " "
    double = [
        (f"{one[0]}+{two[0]}" if one[0] != two[0] else one[0], one[1] + join + two[1])
        for one in draw.sample(single, min(8, len(single)))
        for two in draw.sample(single, min(8, len(single)))
        if one[0] != two[0]
    ]
    by_pattern: dict[str, list[str]] = {}
    for name, text in single + double:
        if 0.6 <= len(text) / len(old) <= 1.5:
            by_pattern.setdefault(name, []).append(text)
    chosen: list[tuple[str, str]] = []
    for name, texts in by_pattern.items():
        draw.shuffle(texts)
        # Nearest in length, with some chance.
        best = min(texts, key=lambda text: abs(len(text) / len(old) - draw.uniform(0.85, 1.15)))
        chosen.append((name, best))
    draw.shuffle(chosen)
    chosen.sort(key=lambda item: abs(len(item[1]) - len(old)) > 0.3 * len(old))
    return chosen[:3]


def _findings(trajectory: Trajectory, step: Step) -> list[str]:
    """Plain findings of earlier thoughts, short enough to be said again."""
    found = []
    for earlier in trajectory.steps[1 : step.index]:
        for text in sentence_texts(earlier.reasoning):
            settled = not any(pattern.search(text) for pattern in (GAP, TURN, CONCLUDES))
            if settled and 30 <= len(text) <= 220 and not hangs_on(text) and text.endswith((".", "。")):
                found.append(text)
    return found


def _short(text: str) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= 90 else flat[:89] + "…"


def _why_not(reference: Trajectory, step: Step, text: str) -> str | None:
    before, after = differing(step.reasoning, text)
    if not before or not reflects(before):
        return "what was changed named no gap and took no direction"
    if not after.strip():
        return "the reflection was taken out, not made shallow"
    rest = "\n".join(own for own in sentence_texts(after) if not _echoes(reference, own))
    if GAP.search(rest) or TURN.search(rest):
        return "it still names a gap or a direction"
    if (
        step.tool_calls
        and len(sentence_texts(text)) <= 4
        and any(TURN.search(own) and not _echoes(reference, own) for own in sentence_texts(text))
    ):
        return "the thought still plans the next call"
    if not 0.5 <= len(after) / len(before) <= 2:
        return "it is much longer or shorter than the reflection"
    view = view_of(reference)
    event = 3 * step.index + 1
    fresh = [name.text for name in find_names(after) if view.unknown(name, event, said=True)]
    fresh += [
        number.text
        for number in find_numbers(after)
        if not view.given.knows_number(number, event) and not view.said.knows_number(number, event)
    ]
    if fresh:
        return f"it brings in something new: {fresh[0]}"
    return None


def _echoes(trajectory: Trajectory, sentence: str) -> bool:
    """Whether a sentence only says the question or a response again, whatever words that has."""
    mine = terms(sentence)
    if not mine:
        return False
    if trajectory.query and len(mine & terms(trajectory.query)) >= 0.6 * len(mine):
        return True
    flat = " ".join(sentence.split())
    return any(flat[:30] in " ".join((call.response or "").split()) for call in trajectory.tool_calls)


def check(reference: Trajectory, perturbed: Trajectory, _revision: StepRevision) -> str | None:
    """Why the thought is no shallow one, or was one already."""
    place = changed(reference, perturbed)
    if place is None or place.parts != ("reasoning",):
        return "not the reasoning of one step was changed"
    return _why_not(reference, reference.steps[place.index], place.after)


def places(trajectory: Trajectory, draw: Random) -> Iterator[Place]:
    """Thoughts that reflect, those after a response first."""
    found = [
        (reflections[0].weight + draw.random(), step.index)
        for step in trajectory.steps
        if 60 <= len(step.reasoning) <= 2500 and (reflections := units(step))
    ]
    for _, index in sorted(found, reverse=True):
        unit = units(trajectory.steps[index])[0]
        old = trajectory.steps[index].reasoning[unit.start : unit.end]
        yield Place(step=index, part="reasoning", hint=f"The reflection to make shallow: {_short(old)}")


OPERATOR = Operator(
    name="shallow_reflection",
    title="Shallow Reflection",
    level="process",
    module="reasoning",
    category="analysis",
    definition="A thought that should weigh what was found only sums it up or tells the task again: it names no gap and "
    "does not adjust where the search goes next.",
    definition_zh="本应反思已有结果的思考只是复述任务或概括已知内容，既没有指出缺口，也没有调整下一步的搜索方向。",
    rule=candidates,
    sites=places,
    ask="Find the sentences of the thought that say what is missing or doubtful, or that turn the search somewhere, and "
    "write in their place a summary of the task or of what is already known, of about the same length. Bring in no fact "
    "that is not in the trajectory. Keep the voice of the thought and everything around those sentences.",
    ask_zh="找到这段思考中指出欠缺、疑点或调整搜索方向的句子，把它们改写成对任务或已知内容的复述，长度相近。不要引入轨迹中没有的事实，"
    "保持原有语气，其余文字不动。",
    check=check,
    codes=("TRJ010",),
)
