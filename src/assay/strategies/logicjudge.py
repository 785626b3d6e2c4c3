"""LogicJudge: a block of reasons by criterion, then one bare verdict – and a rule for replies that keep no form.

The strict form is read first (`assay.strategies.logicjudge_reply`): it alone gives the decisions on single criteria. A
comparison that does not keep to it still has a verdict on the whole where its last explicit comparative statement is
clear (`assay.strategies.comparative_statement`); a score or a ranking where its last line is the bare verdict. The
answer notes by which route it was read. What neither route can read is asked again, and is then unparsed.

The paper compares pairs. Scores and rankings in the same form are ours: the bare verdict then is the scores in the order
of the criteria (``4 | 2 | 5``), or the labels best first (``2 > 1 > 3``).

Models that reason by themselves put their own ``<think>`` before ours, or have it taken out by the endpoint. Both are
undone before reading: a block of reasons that came apart from the verdict is put back, one before it is left out.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from functools import partial
from typing import Any, Final

from assay.models.base import Reply
from assay.rubrics.scale import Scale
from assay.strategies.answer_form import AnswerForm, answer_form, shown
from assay.strategies.base import Answer, Ask, Detail, Question, Strategy
from assay.strategies.comparative_statement import ends_as_material, last_line, last_statement
from assay.strategies.json_text import split_hidden_reasoning
from assay.strategies.logicjudge_reply import CLOSE, OPEN, LogicJudgeReply, read_form, read_label
from assay.strategies.problems import problem
from assay.strategies.rationale import prose_of

BY_FORM: Final = "verdict read by the strict form"
BY_FALLBACK: Final = "verdict read by the fallback rule"
# The entry of a criterion that is asked alone, so that questions differ in nothing but the criterion.
_ALONE: Final = "criterion"
# What a document must hold for a block to be copied from it.
_FIRST: Final = "aspect_evaluations"


async def elicit(ask: Ask) -> Answer:
    """One call, read by either route."""
    return await ask.reply("judge", read=partial(_read, ask.question))


def _plain(question: Question) -> str:
    """The first answer on offer to everything."""
    form = answer_form(question, ())
    first = {key: _first(form, scale) for key, scale in form.scales.items()}
    entries = first if len(first) > 1 else {_ALONE: next(iter(first.values()))}
    block = {
        "aspect_evaluations": {
            key: {"decision": value, "justification": "(why)"} for key, value in entries.items()
        },
        "overall_explanation": "(why)",
    }
    if form.mode == "score":
        verdict = " | ".join(str(value) for value in first.values())
    else:
        verdict = _first(form, form.overall)
    return f"{OPEN}\n{json.dumps(block, ensure_ascii=False)}\n{CLOSE}\n{verdict}"


def _first(form: AnswerForm, scale: Scale) -> Any:
    if form.mode == "rank":
        return " > ".join(form.labels)
    values = scale.values()
    return values[0] if values else scale.low


def _read(question: Question, reply: Reply) -> Answer:
    form = answer_form(question, ())
    cut_off = reply.finish == "length"
    parsed, kept = (
        _strict(question, form, reply)
        if not cut_off
        else (LogicJudgeReply(problem=problem("cut_off_form")), False)
    )
    if parsed.valid:
        return _answer(form, parsed)
    # The end of a reply that was cut off is not its end; and one that has the form needs no other rule to be none.
    found = None if cut_off or kept else _fallback(question, form, reply)
    return found or Answer(
        status="unparsed",
        problem=parsed.problem,
        rationale=_prose(reply),
        notes=("no verdict by either route",),
    )


def _strict(question: Question, form: AnswerForm, reply: Reply) -> tuple[LogicJudgeReply, bool]:
    """The reply by its form, or the problem with it as it came; and whether any reading of it has the form at all."""
    names = {item.key: [item.title] if item.title else [] for item in question.criteria}
    if len(names) == 1:
        names[question.criteria[0].key].append(_ALONE)
    decision, verdict = _readers(form)
    first: LogicJudgeReply | None = None
    for text in _readings(reply):
        parsed = read_form(text, names, decision, verdict)
        if parsed.valid:
            return _checked(question, form, text, parsed), True
        first = first or parsed
    return first or LogicJudgeReply(problem=problem("empty")), False


def _readings(reply: Reply) -> list[str]:
    """The reply as it came; with the block that came apart; without reasoning before the block."""
    text = reply.text
    readings = [text]
    if reply.reasoning and OPEN not in text:
        inner = reply.reasoning.strip()
        readings.append(f"{inner}\n{text}" if inner.startswith(OPEN) else f"{OPEN}\n{inner}\n{CLOSE}\n{text}")
    if OPEN not in text and CLOSE in text:
        # The prompt's end opened the block already, as some chat templates do.
        readings.append(f"{OPEN}{text}")
    for each in tuple(readings):
        last = each.rfind(OPEN)
        if last > 0 and each[:last].rstrip().endswith(CLOSE):
            readings.append(each[last:])
    return readings


def _checked(question: Question, form: AnswerForm, text: str, parsed: LogicJudgeReply) -> LogicJudgeReply:
    """The form as read, unless it contradicts itself or stands in a document word for word."""
    # The object alone: the tags around it may be the model's, or its chat template's.
    block = "".join(text.split()).removeprefix(OPEN).rpartition(CLOSE)[0]
    if any(block in "".join(item.text.split()) for item in question.documents if _FIRST in item.text):
        return LogicJudgeReply(problem=problem("form_copied"))
    if form.mode == "score":
        expected: Any = tuple(parsed.decisions.values())
        compared = "decisions"
    else:
        expected, compared = next(iter(parsed.decisions.values())), "only_decision"
        if len(parsed.decisions) > 1:
            return parsed
    if expected != parsed.verdict:
        return LogicJudgeReply(problem=problem("verdict_differs", expected=problem(compared)))
    return parsed


def _readers(form: AnswerForm) -> tuple[Callable[[str, Any], Any], Callable[[str], Any]]:
    """What reads a decision, and what reads the verdict."""
    if form.mode == "rank":
        return (lambda _key, value: _ranking(value, form.labels)), (
            lambda token: _ranking(token, form.labels)
        )
    if form.mode == "pair":
        return (lambda key, value: _label(value, form.scales[key])), (
            lambda token: _label(token, form.overall)
        )
    return (lambda key, value: form.scales[key].read(value)), (lambda token: _scores(token, form))


def _label(value: Any, scale: Scale) -> str | None:
    return read_label(value, [choice.label for choice in scale.choices])


def _ranking(value: Any, labels: tuple[str, ...]) -> tuple[int, ...] | None:
    if not isinstance(value, str):
        return None
    found = [part.strip().strip("\"'“”") for part in re.split(r"[>＞]", value)]
    if sorted(found) != sorted(labels):
        return None
    return tuple(labels.index(label) for label in found)


def _scores(token: str, form: AnswerForm) -> tuple[float | str, ...] | None:
    parts = re.split(r"[|｜]", token)
    if len(parts) != len(form.scales):
        return None
    read = [scale.read(part.strip()) for part, scale in zip(parts, form.scales.values(), strict=True)]
    return tuple(value for value in read if value is not None) if None not in read else None


def _answer(form: AnswerForm, parsed: LogicJudgeReply) -> Answer:
    details = {key: Detail(rationale=text) for key, text in parsed.justifications.items()}
    lines = [f"{key.replace('_', ' ')}: {text}" for key, text in parsed.justifications.items()]
    return Answer(
        status="ok",
        values={} if form.mode == "rank" else parsed.decisions,
        preference=parsed.verdict if form.mode == "pair" else None,
        ranking=parsed.verdict if form.mode == "rank" else None,
        rationale=prose_of("\n".join([*lines, f"overall: {parsed.explanation}"]), ""),
        details=details,
        notes=(BY_FORM,),
    )


def _fallback(question: Question, form: AnswerForm, reply: Reply) -> Answer | None:
    """The verdict of a reply without the form, where it is clear."""
    documents = [item.text for item in question.documents]
    if ends_as_material(reply.text, documents):
        return None
    told: dict[str, Any] = {"status": "ok", "rationale": _prose(reply)}
    if form.mode == "pair":
        aspects = [name for item in question.criteria for name in (item.key, item.name)]
        said = last_statement(
            reply.text, materials=documents, aspects=aspects if len(form.scales) > 1 else ()
        )
        label = None if said is None else _label(said.direction, form.overall)
        if said is None or label is None:
            return None
        # The only criterion is the whole; of several, this says nothing of any.
        values: dict[str, float | str] = dict.fromkeys(form.scales, label) if len(form.scales) == 1 else {}
        return Answer(**told, values=values, preference=label, notes=(f"{BY_FALLBACK}: {shown(said.words)}",))
    line = last_line(reply.text)
    bare = "".join(line.split())
    if bare != "".join(split_hidden_reasoning(reply.text)[0].split()) and any(
        bare in "".join(text.split()) for text in documents
    ):
        return None
    note = f"{BY_FALLBACK}: {shown(line)}"
    if form.mode == "rank":
        ranking = _ranking(line, form.labels)
        return None if ranking is None else Answer(**told, ranking=ranking, notes=(note,))
    scores = _scores(line, form)
    if scores is None:
        return None
    return Answer(**told, values=dict(zip(form.scales, scores, strict=True)), notes=(note,))


def _prose(reply: Reply) -> str:
    visible, hidden = split_hidden_reasoning(reply.text)
    return prose_of(visible, hidden or reply.reasoning or "")


STRATEGY = Strategy(
    name="logicjudge",
    summary="Decide every criterion with a reason, in a block before the verdict, then one bare verdict.",
    source="reportlogic, section 4.1, appendices A.1 and B.3, LogicJudge",
    elicit=elicit,
    plain=_plain,
)
