"""Argument corruption: one value among a call's arguments is not the intended one.

The wrong value is of the same kind (another year, another person with the name, the film for the album), or another
name that the agent has met, as when it copies the wrong name from a page. Keys, types and the other arguments stay, and
so does the response: the failure is in the call.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from assay.interventions.base import EditSite, Operator
from assay.interventions.edit_kit import edit_runs
from assay.interventions.hints import place_hint
from assay.interventions.process._arguments import asks, leaves_of, words_of
from assay.interventions.process._call_sites import call_sites, no_open_call
from assay.interventions.process._changed_calls import changed_call, form_of, values_of
from assay.interventions.process._entities import values
from assay.subjects.atoms import find_names, fold
from assay.text.bilingual import listed

if TYPE_CHECKING:
    from collections.abc import Iterator
    from random import Random

    from assay.interventions.base import StepRevision
    from assay.interventions.process._arguments import ArgumentText
    from assay.subjects.trajectory import Step, ToolCall, Trajectory
    from assay.text.bilingual import Bilingual

# A query of so few words may be a name and nothing else.
_NAME_ALONE: Final = 3
_PLACEHOLDERS: Final = frozenset({"URL", "API", "ID", "PDF", "JSON"})


def _sites(trajectory: Trajectory, draw: Random) -> Iterator[EditSite]:
    yield from call_sites(trajectory, draw, "arguments", lambda step, call: _hint(trajectory, step, call))


def _hint(trajectory: Trajectory, step: Step, call: ToolCall) -> Bilingual | None:
    """Return the values of a call that the question or the reasoning before it asks for; None if it has none."""
    if not asks(call):
        return None
    leaves: list[ArgumentText] = [leaf for leaf in leaves_of(call.arguments) if not leaf.address]
    asked = fold(f"{trajectory.query}\n{step.reasoning}")
    # The first word of an instruction ("Check the …") has a capital and is not a name.
    names = [
        name.text
        for leaf in leaves
        for name in find_names(leaf.text)
        if not name.first or len(name.atoms) > 1 or len(words_of(leaf.text)) <= _NAME_ALONE
    ]
    found = [value.text for leaf in leaves for value in values(leaf.text, queries=True)]
    wanted = [
        text for text in dict.fromkeys([*found, *names]) if fold(text) in asked and text not in _PLACEHOLDERS
    ]
    return place_hint("values", values=listed(wanted[:8])) if wanted else None


def _check(reference: Trajectory, revised: Trajectory, revision: StepRevision) -> str | None:
    """Return why not one value of a call's arguments is another, or None if one is."""
    pair = changed_call(reference, revised, revision)
    if pair is None or pair[0].name != pair[1].name:
        return "not the arguments of one call were changed"
    if form_of(pair[0].arguments) != form_of(pair[1].arguments):
        return "a key, the type of a value or the number of items differs"
    old, new = (values_of(call.arguments) for call in pair)
    moved = [(text, new[path]) for path, text in old.items() if fold(text) != fold(new[path])]
    if not moved:
        return "no value differs but in its spelling"
    if not all(after.strip() for _, after in moved):
        return "a value is gone"
    # The same exchange in every query of a batch is one value.
    exchanges = {
        (run.old.strip(), run.new.strip()) for before, after in moved for run in edit_runs(before, after)
    }
    if len(moved) > 1 and len(exchanges) > 1:
        return f"{len(moved)} values differ, and this type changes one"
    return None


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
    sites=_sites,
    unfit=no_open_call,
    ask=(
        "Change one value in one argument: a person for another of a like name, a place, a year or a "
        "number for a near one, a work for another kind of work. Keep every key, the type of every value, "
        "the number of list items and all other words. The new value must be something a hurried agent "
        "could have put there, and must contradict what the question or the reasoning before the call asks "
        "for. If the response shows the old value, rewrite it to what the wrong call would return; the next thought "
        "goes on from there without noticing."
    ),
    ask_zh=(
        "只改动一个参数中的一个值：把人名换成相近的另一人，把地点、年份或数字换成邻近的另一个，或把作品换成另一类作品。"
        "所有的键、值的类型、列表的项数和其余词语都保持不变。新的值应当像是匆忙的智能体会填写的，并且与问题或调用前的推理相矛盾。返回内容若显示原来的值，就改成错误的调用会得到的结果；下一步思考据此继续，并不察觉。"
    ),
    check=_check,
)
