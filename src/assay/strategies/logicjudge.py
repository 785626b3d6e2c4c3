"""LogicJudge: a block of reasons by criterion, then one bare verdict; and a rule for replies without this form.

The strict form is read first (`assay.strategies.logicjudge_reply`): it alone gives the decisions on single
criteria. A comparison without the form still has a verdict on the whole if its last explicit comparative statement
is clear (`assay.strategies.comparative_statement`); a score or a ranking, if its last line is the bare verdict. The
answer notes which way it was read. A reply that can be read neither way is asked for again, and is then unparsed.

The paper compares pairs. Scores and rankings in the same form are ours: the bare verdict is then the scores in the
order of the criteria (``4 | 2 | 5``), or the labels, best first (``2 > 1 > 3``).

Models that reason by themselves put their own ``<think>`` before ours, or the endpoint takes it out. Both are
undone before reading: a block of reasons that was cut from the verdict is put back, and one before it is left out.
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
# Name of the entry of a criterion that is asked alone, so that questions differ in the criterion only.
_ALONE: Final = "criterion"
# A document without this cannot hold a block to copy.
_FIRST: Final = "aspect_evaluations"


async def elicit(ask: Ask) -> Answer:
    """Make one call, read either way."""
    return await ask.reply("judge", read=partial(_read, ask.question))


def _plain(question: Question) -> str:
    """Return a reply in the form, with the first answer on offer everywhere."""
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
    # A reply that was cut off has no end to read; one that has the form, but is not valid, needs no other rule.
    fallback = None if cut_off or kept else _fallback(question, form, reply)
    return fallback or Answer(
        status="unparsed",
        problem=parsed.problem,
        rationale=_prose(reply),
        notes=("no verdict by either route",),
    )


def _strict(question: Question, form: AnswerForm, reply: Reply) -> tuple[LogicJudgeReply, bool]:
    """Return the reply read by its form, and whether it has the form, even if it is not valid."""
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
    """List the texts to read: the reply as it came, with its block put back, without earlier reasoning."""
    text = reply.text
    readings = [text]
    if reply.reasoning and OPEN not in text:
        inner = reply.reasoning.strip()
        readings.append(f"{inner}\n{text}" if inner.startswith(OPEN) else f"{OPEN}\n{inner}\n{CLOSE}\n{text}")
    if OPEN not in text and CLOSE in text:
        # The prompt opened the block at its end, as some chat templates do.
        readings.append(f"{OPEN}{text}")
    for each in tuple(readings):
        last = each.rfind(OPEN)
        if last > 0 and each[:last].rstrip().endswith(CLOSE):
            readings.append(each[last:])
    return readings


def _checked(question: Question, form: AnswerForm, text: str, parsed: LogicJudgeReply) -> LogicJudgeReply:
    """Return the reading, or a problem if it contradicts itself or stands in a document word for word."""
    # The object alone: the tags around it may come from the model or from its chat template.
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
    """Return a function that reads a decision, and one that reads the verdict."""
    if form.mode == "rank":
        return (lambda _key, value: _ranking(value, form.labels)), (
            lambda token: _ranking(token, form.labels)
        )
    if form.mode == "compare":
        return (lambda key, value: _label(value, form.scales[key])), (
            lambda token: _label(token, form.overall)
        )
    return (lambda key, value: form.scales[key].read(value)), (lambda token: _scores(token, form))


def _label(value: Any, scale: Scale) -> str | None:
    return read_label(value, [choice.label for choice in scale.choices])


def _ranking(value: Any, labels: tuple[str, ...]) -> tuple[int, ...] | None:
    if not isinstance(value, str):
        return None
    ranked = [part.strip().strip("\"'“”") for part in re.split(r"[>＞]", value)]
    if sorted(ranked) != sorted(labels):
        return None
    return tuple(labels.index(label) for label in ranked)


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
        preference=parsed.verdict if form.mode == "compare" else None,
        ranking=parsed.verdict if form.mode == "rank" else None,
        rationale=prose_of("\n".join([*lines, f"overall: {parsed.explanation}"]), ""),
        details=details,
        notes=(BY_FORM,),
    )


def _fallback(question: Question, form: AnswerForm, reply: Reply) -> Answer | None:
    """Return the verdict of a reply without the form, or None if it is not clear."""
    documents = [item.text for item in question.documents]
    if ends_as_material(reply.text, documents):
        return None
    shared: dict[str, Any] = {"status": "ok", "rationale": _prose(reply)}
    if form.mode == "compare":
        aspects = [name for item in question.criteria for name in (item.key, item.name)]
        statement = last_statement(
            reply.text, materials=documents, aspects=aspects if len(form.scales) > 1 else ()
        )
        label = None if statement is None else _label(statement.direction, form.overall)
        if statement is None or label is None:
            return None
        # A single criterion is the whole; of several, this says nothing about any.
        values: dict[str, float | str] = dict.fromkeys(form.scales, label) if len(form.scales) == 1 else {}
        note = f"{BY_FALLBACK}: {shown(statement.words)}"
        return Answer(**shared, values=values, preference=label, notes=(note,))
    line = last_line(reply.text)
    bare = "".join(line.split())
    if bare != "".join(split_hidden_reasoning(reply.text)[0].split()) and any(
        bare in "".join(text.split()) for text in documents
    ):
        return None
    note = f"{BY_FALLBACK}: {shown(line)}"
    if form.mode == "rank":
        ranking = _ranking(line, form.labels)
        return None if ranking is None else Answer(**shared, ranking=ranking, notes=(note,))
    scores = _scores(line, form)
    if scores is None:
        return None
    return Answer(**shared, values=dict(zip(form.scales, scores, strict=True)), notes=(note,))


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
