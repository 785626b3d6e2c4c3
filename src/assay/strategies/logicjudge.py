"""LogicJudge: a block of reasons by criterion, then one bare verdict; and a rule for replies without this form.

The block is read first (`assay.strategies.logicjudge_reply`): it alone gives the decisions on single criteria. A
reply without one may still have a verdict on the whole: a comparison, if its last explicit comparative statement is
clear (`assay.strategies.comparative_statement`); a score or a ranking, if its last line is the bare verdict. The
answer notes which way it was read.

A comparison that lacks a criterion or the verdict is asked for again, with what it lacks by name. What the second
reply leaves out is taken from the first, provided that both come to the same verdict. If something is still missing,
the answer is unparsed and keeps what there is.

The paper compares pairs. Scores and rankings in the same form are ours: the bare verdict is then the scores in the
order of the criteria (``4 | 2 | 5``), or the labels, best first (``2 > 1 > 3``).
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from typing import Any, Final

import msgspec

from assay.models.base import Reply
from assay.rubrics.scale import Scale
from assay.strategies.answer_form import AnswerForm, answer_form, shown
from assay.strategies.base import Answer, Ask, Detail, Question, Strategy
from assay.strategies.comparative_statement import ends_as_material, last_line, last_statement
from assay.strategies.json_text import split_hidden_reasoning
from assay.strategies.logicjudge_reply import ALONE, ASPECTS, CLOSE, OPEN, LogicJudgeReply, read_form
from assay.strategies.pair_labels import read_label, undecorated
from assay.strategies.problems import problem
from assay.strategies.rationale import prose_of
from assay.text.bilingual import Bilingual, joined, listed

BY_FORM: Final = "verdict read by the form"
BY_FALLBACK: Final = "verdict read by the fallback rule"
COMPLETED: Final = "two replies were put together"


async def elicit(ask: Ask) -> Answer:
    """Make one call, read either way; ask again for what is missing."""
    earlier: list[Answer] = []

    def read(reply: Reply) -> Answer:
        answer = _completed(ask.question, _read(ask.question, reply), earlier)
        earlier.append(answer)
        return answer

    return await ask.reply("judge", read=read)


def _plain(question: Question) -> str:
    """Return a reply in the form, with the first answer on offer everywhere."""
    form = answer_form(question, ())
    first = {key: _first(form, scale) for key, scale in form.scales.items()}
    entries = first if len(first) > 1 else {ALONE: next(iter(first.values()))}
    block = {
        ASPECTS: {key: {"decision": value, "justification": "(why)"} for key, value in entries.items()},
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
    parsed = _block(question, form, reply, cut_off=cut_off)
    if parsed.has_block:
        return _answer(form, parsed)
    # A reply that was cut off has no end to read; after a copied block, neither is the end the judge's own.
    fallback = None if cut_off or parsed.copied else _fallback(question, form, reply, parsed.problem)
    return fallback or Answer(
        status="unparsed",
        problem=parsed.problem,
        rationale=_prose(reply),
        notes=("no verdict by either route",),
    )


def _completed(question: Question, answer: Answer, earlier: Sequence[Answer]) -> Answer:
    """Return an answer with the decisions that it lacks from earlier replies that come to the same verdict."""
    for other in reversed(earlier):
        lacking = [item.key for item in question.criteria if item.key not in answer.values]
        added = {key: other.values[key] for key in lacking if key in other.values}
        agreed = answer.preference in (None, other.preference) or other.preference is None
        preference = answer.preference or other.preference
        if answer.status == "ok" or not agreed or not (added or preference != answer.preference):
            continue
        values = {**added, **answer.values}
        lacking = [key for key in lacking if key not in values]
        wrong = [problem("not_evaluated", keys=listed(map(shown, lacking)))] if lacking else []
        wrong += [] if preference else [problem("no_verdict_after_block")]
        answer = msgspec.structs.replace(
            answer,
            status="unparsed" if wrong else "ok",
            values={item.key: values[item.key] for item in question.criteria if item.key in values},
            preference=preference,
            problem=joined(wrong) if wrong else None,
            details={**other.details, **answer.details},
            rationale="\n".join(text for text in (other.rationale, answer.rationale) if text),
            notes=tuple(dict.fromkeys((*other.notes, *answer.notes, COMPLETED))),
        )
    return answer


def _block(question: Question, form: AnswerForm, reply: Reply, *, cut_off: bool) -> LogicJudgeReply:
    """Return what the block of a reply says; with one in the text and one in the model's reasoning, the former."""
    names = {item.key: [item.title] if item.title else [] for item in question.criteria}
    if len(names) == 1:
        names[question.criteria[0].key].append(ALONE)
    documents = [item.text for item in question.documents]
    decision, verdict = _readers(form, documents, _aspects(question, form))
    texts = [reply.text]
    if reply.reasoning:
        # The endpoint took the block out of the reply together with the tags around it.
        texts.append(f"{OPEN}\n{reply.reasoning.strip()}\n{CLOSE}\n{reply.text}")
    readings = [
        read_form(text, names, decision, verdict, documents=documents, cut_off=cut_off) for text in texts
    ]
    return next((reading for reading in readings if reading.has_block), readings[0])


def _aspects(question: Question, form: AnswerForm) -> tuple[str, ...]:
    """Return the names by which prose may mean a single criterion; none if there is only one."""
    names = [name for item in question.criteria for name in (item.key, item.name)]
    return tuple(names) if len(form.scales) > 1 else ()


def _readers(
    form: AnswerForm, documents: Sequence[str], aspects: Sequence[str]
) -> tuple[Callable[[str, Any], Any], Callable[[str], Any]]:
    """Return a function that reads a decision, and one that reads the verdict after the block."""
    if form.mode == "rank":
        return (lambda _key, value: _ranking(value, form.labels)), (
            lambda rest: _ranking(last_line(rest), form.labels)
        )
    if form.mode == "compare":
        return (lambda key, value: _decision(value, form.scales[key])), (
            lambda rest: _verdict(rest, form, documents, aspects)
        )
    return (lambda key, value: _value(form.scales[key], value)), (lambda rest: _scores(last_line(rest), form))


def _label(value: Any, scale: Scale) -> str | None:
    return read_label(value, [choice.label for choice in scale.choices])


def _decision(value: Any, scale: Scale) -> str | None:
    """Return the label of a decision; the letter of the winner stands for its win."""
    winner = {"A": "A>B", "B": "A<B"}.get(undecorated(value).upper()) if isinstance(value, str) else None
    return _label(winner or value, scale)


def _verdict(rest: str, form: AnswerForm, documents: Sequence[str], aspects: Sequence[str]) -> str | None:
    """Return the label of the verdict after the block: the bare token, or the clear statement at the end."""
    label = _label(rest, form.overall)
    if label is not None:
        return label
    statement = last_statement(rest, materials=documents, aspects=aspects)
    return None if statement is None else _label(statement.direction, form.overall)


def _value(scale: Scale, value: Any) -> float | str | None:
    return scale.read(undecorated(value) if isinstance(value, str) else value)


def _ranking(value: Any, labels: tuple[str, ...]) -> tuple[int, ...] | None:
    if not isinstance(value, str):
        return None
    ranked = [undecorated(part) for part in re.split(r"[>＞]", undecorated(value))]
    if sorted(ranked) != sorted(labels):
        return None
    return tuple(labels.index(label) for label in ranked)


def _scores(token: str, form: AnswerForm) -> tuple[float | str, ...] | None:
    parts = re.split(r"[|｜]", undecorated(token))
    if len(parts) != len(form.scales):
        return None
    read = [_value(scale, part) for part, scale in zip(parts, form.scales.values(), strict=True)]
    return tuple(value for value in read if value is not None) if None not in read else None


def _answer(form: AnswerForm, parsed: LogicJudgeReply) -> Answer:
    """Return what a reply with a block says; decisions without a verdict, or some of them, are kept."""
    why = parsed.problem
    expected = tuple(parsed.decisions.values())
    verdict, values = parsed.verdict, parsed.decisions
    if verdict is not None and form.mode == "score":
        given = dict(zip(form.scales, verdict, strict=True))
        if any(given[key] != value for key, value in values.items()):
            why = problem("verdict_differs", expected=problem("decisions"))
        else:
            # The verdict is the decisions again.
            why, values = None, given
    elif verdict is not None and len(form.scales) == 1:
        if expected and expected[0] != verdict:
            why, verdict, values = problem("verdict_differs", expected=problem("only_decision")), None, {}
        elif form.mode == "compare":
            # A single criterion is the whole.
            why, values = None, dict.fromkeys(form.scales, verdict)
    lines = [f"{key.replace('_', ' ')}: {text}" for key, text in parsed.justifications.items() if text]
    lines += [f"overall: {parsed.explanation}"] if parsed.explanation else []
    partial = form.mode == "compare" and why is not None
    return Answer(
        status="ok" if why is None else "unparsed",
        problem=why,
        values={} if form.mode == "rank" or not (why is None or partial) else values,
        preference=verdict if form.mode == "compare" else None,
        ranking=verdict if form.mode == "rank" and why is None else None,
        rationale=prose_of("\n".join(lines), ""),
        details={key: Detail(rationale=text) for key, text in parsed.justifications.items()},
        notes=(BY_FORM,),
    )


def _fallback(question: Question, form: AnswerForm, reply: Reply, why: Bilingual | None) -> Answer | None:
    """Return the verdict of a reply without a block, or None if it is not clear."""
    documents = [item.text for item in question.documents]
    if ends_as_material(reply.text, documents):
        return None
    shared: dict[str, Any] = {"status": "ok", "rationale": _prose(reply)}
    if form.mode == "compare":
        statement = last_statement(reply.text, materials=documents, aspects=_aspects(question, form))
        label = None if statement is None else _label(statement.direction, form.overall)
        if statement is None or label is None:
            return None
        note = f"{BY_FALLBACK}: {shown(statement.words)}"
        if len(form.scales) == 1:
            # A single criterion is the whole.
            return Answer(**shared, values=dict.fromkeys(form.scales, label), preference=label, notes=(note,))
        # Of several criteria, this says nothing about any.
        lacks = problem("not_evaluated", keys=listed(map(shown, form.scales)))
        shared |= {"status": "unparsed", "problem": joined([why, lacks] if why else [lacks])}
        return Answer(**shared, preference=label, notes=(note,))
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
