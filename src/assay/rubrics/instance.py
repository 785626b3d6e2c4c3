"""Instance rubrics: the eight dimensions asked about one pair of reports, in its own terms.

ReportLogic, section 3.2 and figure 10: for a query and two reports, exactly eight items in the order of the
dimensions. An item has a comparing question that names what this pair is about, an example of doing that well and one
of doing it badly, and a hint at what to look for. Whether items are well-formed is checked by rule
(`assay.rubrics.instance_flaws`); the paper has annotators do it (appendix C.2).

The reports are also shown in the other order, where A is B. So an item speaks of both alike: an example or a hint that
is of one side only would point at the wrong report half of the time.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any, Final, Literal

import msgspec

from assay.rubrics.dimensions import DIMENSION_KEYS, DIMENSIONS
from assay.rubrics.rubric import Criterion, Rubric

SCHEMA: Final = "assay.instance-rubric/1"
NAME: Final = "reportlogic-instance"
# So that what people read tells which of the two rubrics was asked.
_TITLE: Final = "ReportLogic, questions of this pair"
_ABOUT: Final = (
    "The criteria were drawn up for this pair of texts: they say what to compare, and command nothing else."
)
_ABOUT_ZH: Final = "以下标准是针对这一对文本拟定的：只说明比较什么，不含其他任何指令。"


class InstanceCriterion(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What is asked on one dimension of one pair.

    Attributes:
        aspect: Key of the dimension.
        question: Which of the two does better at what, on which topic.
        good_example: Doing it well.
        bad_example: Doing it badly, on the same point.
        span_hint: What to look for in the texts.
    """

    aspect: str
    question: str
    good_example: str
    bad_example: str
    span_hint: str


class NamedReport(msgspec.Struct, frozen=True, kw_only=True):
    """A report by name and by the digest of its content (`content_digest`)."""

    name: str
    digest: str


class InstanceRubric(msgspec.Struct, frozen=True, kw_only=True):
    """The record ``assay.instance-rubric/1``.

    Attributes:
        query: The question both reports answer.
        a: The first report.
        b: The second.
        generator: Its author: id of a model, or name of an editor.
        items: Eight, in the order of the dimensions.
        flaws: What is wrong with items still, by the key of their dimension: for people to look at.
        language: Of the items.
        schema: The format's version.
    """

    query: str | None
    a: NamedReport
    b: NamedReport
    generator: str
    items: tuple[InstanceCriterion, ...]
    flaws: dict[str, tuple[str, ...]] = {}
    language: Literal["en", "zh"] = "en"
    schema: str = SCHEMA

    def to_dict(self) -> dict[str, Any]:
        """Return the record as plain data, ``schema`` first."""
        data: dict[str, Any] = msgspec.to_builtins(self)
        return {"schema": data.pop("schema"), **data}


def content_digest(text: str) -> str:
    """Hash of a report's source, 32 hex digits."""
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


def as_rubric(base: Rubric, instance: InstanceRubric) -> Rubric:
    """Return the rubric ``reportlogic`` with the words of an instance rubric in its criteria.

    Keys, titles, scales and weights stay, so that results join with those of the general rubric.

    Raises:
        ValueError: The items are not those of the rubric's criteria, each once.
    """
    items = {item.aspect: item for item in instance.items}
    if len(items) != len(instance.items) or set(items) != {item.key for item in base.criteria}:
        raise ValueError("an instance rubric has one item for each criterion, no more and no fewer")
    return msgspec.structs.replace(
        base,
        name=NAME,
        title=_TITLE,
        about=f"{base.about} {_ABOUT}".strip(),
        about_zh=f"{base.about_zh}{_ABOUT_ZH}",
        criteria=tuple(_criterion(item, items[item.key]) for item in base.criteria),
    )


def typical(base: Rubric) -> Rubric:
    """Return a stand-in of the usual length for an instance rubric, for plans and cost estimates."""
    topic = "the main claim of this pair"
    items = tuple(
        InstanceCriterion(
            aspect=item.key,
            question=f"Comparing A and B, which does better on {topic}? {item.asks}",
            good_example=f"What is said on {topic} is taken step by step and nothing is left to be guessed.",
            bad_example=f"What is said on {topic} is only asserted, and the reader has to guess the rest.",
            span_hint=f"The opening and closing paragraphs, figures with a source, and connectives around {topic}.",
        )
        for item in base.criteria
    )
    nobody = NamedReport(name="", digest="")
    return as_rubric(base, InstanceRubric(query=None, a=nobody, b=nobody, generator="", items=items))


def ordered(items: Sequence[InstanceCriterion]) -> tuple[InstanceCriterion, ...]:
    """Return the first item of each dimension, in the order of the dimensions."""
    first: dict[str, InstanceCriterion] = {}
    for item in items:
        first.setdefault(item.aspect, item)
    return tuple(first[key] for key in DIMENSION_KEYS if key in first)


def title_of(aspect: str) -> str:
    """Return the name of a dimension for people."""
    return next((item.title for item in DIMENSIONS if item.key == aspect), aspect)


def _criterion(criterion: Criterion, item: InstanceCriterion) -> Criterion:
    question, good, bad, hint = (
        _line(text) for text in (item.question, item.good_example, item.bad_example, item.span_hint)
    )
    return msgspec.structs.replace(
        criterion,
        asks=f"{question} Done well: {_ended(good)} Done badly: {_ended(bad)} Look for: {_ended(hint)}",
        asks_zh=f"{question}做得好：{_ended(good, '。')}做得差：{_ended(bad, '。')}留意：{_ended(hint, '。')}",
        notes={**criterion.notes, "general": criterion.asks},
    )


def _line(text: str) -> str:
    """Return the text on one line, because criteria stand in a list with one line each."""
    return " ".join(text.split())


def _ended(text: str, stop: str = ".") -> str:
    return text if text.endswith((".", "!", "?", "。", "！", "？", "…")) else text + stop
