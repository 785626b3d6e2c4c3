"""Inspect AI logs as JSON: the whole log (``.json`` twin of an ``.eval`` file) or one sample of it.

Assumed (log version 2): ``eval`` (``task``, ``model``), ``samples`` with ``id``, ``epoch``, ``input`` (a string or
messages), ``target``, ``messages`` (roles system, user, assistant, tool; ``tool_calls`` with ``function`` as a string
and ``arguments`` as an object; content as a string or parts of type text and reasoning), ``output`` (``completion`` or
``choices``), ``attachments`` (texts that messages name as ``attachment://HASH``), ``events``. The query is the
sample's input; the tools offered are those of its first model event, where events are kept.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from assay.errors import InputError
from assay.json_values import plain_value, replace_surrogates
from assay.subjects.loaders._steps import tool_names
from assay.subjects.loaders.base import InputContext, SubjectLoader
from assay.subjects.loaders.conversations import is_conversation, question_of, read_messages, text_of
from assay.subjects.report import Report
from assay.subjects.run_ending import ending_by_row
from assay.subjects.trajectory import Trajectory

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from assay.subjects.subject import Subject

_SCHEME: Final = "attachment://"


def sniff(row: Any) -> bool:
    """Return whether a row is a log with its samples, or one sample."""
    if not isinstance(row, dict):
        return False
    if isinstance(row.get("samples"), list) and isinstance(row.get("eval"), dict):
        return True
    return is_conversation(row.get("messages")) and {"epoch", "output", "target"} <= row.keys()


def load(row: dict[str, Any], origin: InputContext) -> Iterator[Subject | InputError]:
    """Yield one trajectory or report for each sample."""
    if "samples" not in row:
        yield sample_subject(row, {}, origin.path)
        return
    samples = [sample for sample in row["samples"] if isinstance(sample, dict)]
    if not samples:
        raise InputError("an Inspect log without samples", hint="a log read with --header-only has none")
    for sample in samples:
        yield sample_subject(
            sample, row["eval"], f"{origin.path}[{sample_name(sample)}]" if origin.path else None
        )


def sample_name(sample: Mapping[str, Any]) -> str:
    """Return the name of a sample, which is unique in its log."""
    name = replace_surrogates(str(plain_value(sample.get("id", "?"))))
    epoch = sample.get("epoch", 1)
    return name if epoch in (1, None) else f"{name}/{epoch}"


def sample_subject(sample: Mapping[str, Any], spec: Mapping[str, Any], path: str | None) -> Subject:
    """Return the trajectory of a sample; one that was answered at once, with no tool at hand, is a report."""
    run = sample_trajectory(sample, spec, path)
    if run.steps or run.tools or not run.answer or run.ending.kind != "answered":
        return run
    return Report(run.answer, query=run.query or None, path=path, id=run.id, system=run.system)


def sample_trajectory(sample: Mapping[str, Any], spec: Mapping[str, Any], path: str | None) -> Trajectory:
    """Return the trajectory of one sample; ``spec`` is the log's ``eval`` part, or empty."""
    attachments = sample.get("attachments")
    texts = attachments if isinstance(attachments, dict) else {}
    messages = _resolved(sample.get("messages"), texts, 0)
    if not is_conversation(messages):
        raise InputError(f"sample {sample_name(sample)} has no messages")
    talk = read_messages(messages)
    told = _resolved(sample.get("input"), texts, 0)
    query = question_of(replace_surrogates(told)) if isinstance(told, str) else talk.query
    answer = talk.answer or _completion(_resolved(sample.get("output"), texts, 0))
    model = spec.get("model")
    return Trajectory(
        query or "",
        talk.steps,
        answer=answer,
        tools=_offered(sample) or talk.tools or None,
        path=path,
        id=sample_name(sample),
        system=replace_surrogates(model) if isinstance(model, str) else None,
        ending=ending_by_row({key: sample.get(key) for key in ("error", "limit")}),
        meta={
            key: plain_value(sample[key])
            for key in ("target", "scores", "metadata", "error")
            if sample.get(key) is not None
        }
        | {key: plain_value(spec[key]) for key in ("task", "run_id") if key in spec},
    )


def _completion(output: Any) -> str | None:
    if not isinstance(output, dict):
        return None
    completion = output.get("completion")
    if isinstance(completion, str) and completion.strip():
        return replace_surrogates(completion).strip()
    choices = output.get("choices")
    if isinstance(choices, list) and choices and isinstance(choices[0], dict):
        message = choices[0].get("message")
        if isinstance(message, dict):
            return text_of(message.get("content")).strip() or None
    return None


def _offered(sample: Mapping[str, Any]) -> list[str]:
    events = sample.get("events")
    for event in events if isinstance(events, list) else []:
        if isinstance(event, dict) and event.get("event") == "model" and event.get("tools"):
            return tool_names(event["tools"])
    return []


def _resolved(value: Any, texts: Mapping[str, Any], depth: int) -> Any:
    if isinstance(value, str):
        if value.startswith(_SCHEME):
            found = texts.get(value.removeprefix(_SCHEME))
            return found if isinstance(found, str) else value
        return value
    if depth > 12:
        return value
    if isinstance(value, list):
        return [_resolved(item, texts, depth + 1) for item in value]
    if isinstance(value, dict):
        return {key: _resolved(item, texts, depth + 1) for key, item in value.items()}
    return value


LOADER = SubjectLoader(
    name="inspect-json",
    what="Inspect AI log or sample as JSON: eval, samples[id, input, messages, output]",
    takes="row",
    sniff=sniff,
    load=load,
    rank=14,
)
