"""What an audit could not check, for want of input or because it did not understand the text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from assay.audits.result import Unchecked, UncheckedTopic
from assay.checks.wording import Wording
from assay.subjects.report import Report

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from assay.checks.base import Check, Context
    from assay.checks.wording import FilledWording
    from assay.subjects.subject import Subject

_QUERY: Final = Wording(
    en="whether the form and the figures that the question asks for are there: no query was given",
    zh="问题要求的形式和数据是否给出：没有提供问题",
)
_SOURCES: Final = Wording(
    en="whether the sources say what they are cited for: their texts were not given",
    zh="所引来源是否支持论断：没有提供来源原文",
)
_TRAJECTORY: Final = Wording(
    en="whether the sources were ever retrieved: the run behind the report was not given",
    zh="来源是否真的检索过：没有提供生成报告的运行记录",
)
_MARKS: Final = Wording(
    en="what rests on citations: {number:mark|marks} such as {example} {number:=was|were} not understood",
    zh="与引用有关的内容：有 {number} 处标记（如 {example}）无法识别",
)
_LANGUAGE: Final = Wording(
    en="what depends on words: the language is neither English nor Chinese",
    zh="与用词有关的内容：文本既非英文也非中文",
)

_EXAMPLE: Final = 30


def unchecked_parts(subject: Subject, checks: Sequence[Check], context: Context) -> tuple[Unchecked, ...]:
    """Return what the chosen checks could not look at."""
    language = context.message_language(subject)
    return tuple(
        Unchecked(topic, message.text(language)) for topic, message in _parts(subject, checks, context)
    )


def _parts(
    subject: Subject, checks: Sequence[Check], context: Context
) -> Iterator[tuple[UncheckedTopic, FilledWording]]:
    kind = "report" if isinstance(subject, Report) else "trajectory"
    needs = {need for check in checks if check.subject == kind for need in check.needs}
    if isinstance(subject, Report):
        for group in subject.unread_marks:
            if group.kind == "unknown":
                yield (
                    "citations",
                    _MARKS(number=group.count, example=" ".join(group.example.split())[:_EXAMPLE]),
                )
        if "query" in needs and not (subject.query and subject.query.strip()):
            yield "query", _QUERY()
        if "sources" in needs and context.sources is None and subject.citations:
            yield "sources", _SOURCES()
        if "trajectory" in needs and context.trajectory is None and subject.citations:
            yield "trajectory", _TRAJECTORY()
    if subject.language not in ("en", "zh") and any(
        check.languages for check in checks if check.subject == kind
    ):
        yield "language", _LANGUAGE()
