"""Having a model write the rubric of one pair of reports; what is ill-formed is named and written again, and only that.

ReportLogic, section 3.2, figure 10 and appendix C.2: eight items by the query and both reports; ill-formed ones are
flagged and regenerated. What is still flawed after `Author.retries` rounds is kept with its flaws, for people to look at.
The reports stand before the task as they do before a judge's in order AB, so that a prefix cache reads them once.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal

import msgspec

from assay.generation.base import Assignment, AuthorReply
from assay.generation.schemas import table, text
from assay.rubrics.dimensions import DIMENSION_KEYS, DIMENSIONS
from assay.rubrics.instance import InstanceCriterion, InstanceRubric, NamedReport, content_digest
from assay.rubrics.instance_flaws import flaws, flaws_of_items
from assay.strategies.base import Document, PromptMaterial
from assay.text.bilingual import Bilingual, in_language

if TYPE_CHECKING:
    from assay.generation.author import Author
    from assay.subjects.report import Report

ASSIGNMENT: Final = Assignment(
    name="instance_rubric",
    summary="Eight items for comparing the logic of two reports, in the terms of this pair.",
    template=str(Path(__file__).with_name("instance_rubric.jinja")),
    source="reportlogic, section 3.2 and figure 10",
)
_PARTS: Final = ("question", "good_example", "bad_example", "span_hint")
# Two long sentences; those who hold to "one or two" never see it.
_LONGEST: Final = 500


async def write_instance_rubric(
    author: Author, query: str | None, a: Report, b: Report, *, language: Literal["en", "zh"] = "en"
) -> tuple[InstanceRubric | None, AuthorReply]:
    """The rubric of a pair, and how it came about; no rubric where the model wrote none that can be read.

    Args:
        author: Who writes.
        query: The question both reports answer.
        a: One report.
        b: The other.
        language: Of the prompt and the items.
    """
    material = PromptMaterial(
        documents=(Document("A", a.source), Document("B", b.source)), query=query or None, language=language
    )
    texts = (query, a.source, b.source)
    words = _Words(author, language)
    written = await author.data(
        ASSIGNMENT,
        schema=_schema(DIMENSION_KEYS),
        material=material,
        dimensions=[words.dimension(key) for key in DIMENSION_KEYS],
        rules=words.rules,
    )
    if written.status != "ok":
        return None, written
    notes: list[str] = []
    items = _items(written.value, DIMENSION_KEYS, notes)
    wrong = _wrong(items, texts)
    for _ in range(author.retries):
        if not wrong:
            break
        keys = [key for key in DIMENSION_KEYS if key in wrong]
        good = [item.question for key, item in items.items() if key not in wrong]
        again = await author.data(
            ASSIGNMENT,
            "again",
            schema=_schema(keys),
            material=material,
            flawed=[
                {
                    **words.dimension(key),
                    "text": _text(items[key]),
                    "flaws": [in_language(flaw, language) for flaw in wrong[key]],
                }
                for key in keys
            ],
            kept="\n".join(good),
            rules=words.rules,
        )
        written = _together(written, again)
        if again.status != "ok":
            notes.append(f"writing {', '.join(keys)} anew gave nothing ({again.status}: {again.problem})")
            break
        notes.append(f"{', '.join(keys)} written anew")
        items = _better(items, _items(again.value, keys, notes), texts)
        wrong = _wrong(items, texts)
    written = msgspec.structs.replace(written, notes=(*written.notes, *dict.fromkeys(notes)))
    ordered = tuple(items[key] for key in DIMENSION_KEYS)
    left = flaws(ordered, *texts)
    told = tuple(f"{key}: {flaw}" for key, said in left.items() for flaw in said)
    instance = InstanceRubric(
        query=query or None,
        a=NamedReport(name=a.path or a.id or "A", digest=content_digest(a.source)),
        b=NamedReport(name=b.path or b.id or "B", digest=content_digest(b.source)),
        generator=author.model.id,
        items=ordered,
        flaws=left,
        language=language,
    )
    value = {"items": msgspec.to_builtins(ordered)}
    return instance, msgspec.structs.replace(written, value=value, flaws=told)


class _Words:
    """The words of the template that stand in both of its tasks."""

    def __init__(self, author: Author, language: str) -> None:
        self._page = author.prompts.page
        self._language = language
        self.rules = self._page(ASSIGNMENT.template, "rules", language, {}).strip()

    def dimension(self, key: str) -> dict[str, Any]:
        """A dimension by its key, with what its question is about."""
        dimension = next(item for item in DIMENSIONS if item.key == key)
        title = dimension.title_zh if self._language == "zh" else dimension.title
        focus = self._page(ASSIGNMENT.template, "focus", self._language, {"key": key}).strip()
        return {"key": key, "title": title, "focus": focus}


def _schema(keys: Sequence[str]) -> dict[str, Any]:
    """An entry for each dimension by its key: of a list a model may give one dimension eight times."""
    item = table(**{part: text(_LONGEST) for part in _PARTS})
    return table(items=table(**dict.fromkeys(keys, item)))


def _items(value: Mapping[str, Any], keys: Sequence[str], notes: list[str]) -> dict[str, InstanceCriterion]:
    """The items by dimension, in the order of the dimensions."""
    rows = value["items"]
    if list(rows) != list(keys):
        notes.append("the items came out of order and were put in order")
    return {
        key: InstanceCriterion(aspect=key, **{part: str(rows[key][part]).strip() for part in _PARTS})
        for key in keys
    }


def _wrong(
    items: Mapping[str, InstanceCriterion], texts: tuple[str | None, str, str]
) -> dict[str, list[Bilingual]]:
    """What is wrong, by dimension."""
    ordered = [items[key] for key in DIMENSION_KEYS]
    return {
        item.aspect: list(found)
        for item, found in zip(ordered, flaws_of_items(ordered, *texts), strict=True)
        if found
    }


def _better(
    items: dict[str, InstanceCriterion],
    others: Mapping[str, InstanceCriterion],
    texts: tuple[str | None, str, str],
) -> dict[str, InstanceCriterion]:
    """The items with those written anew in their place, unless they are no better."""
    best = dict(items)
    for key, item in others.items():
        before, after = _wrong(best, texts).get(key, []), _wrong({**best, key: item}, texts).get(key, [])
        if len(after) < len(before):
            best[key] = item
    return best


def _text(item: InstanceCriterion) -> str:
    return "\n".join(f"{part}: {getattr(item, part)}" for part in _PARTS)


def _together(first: AuthorReply, second: AuthorReply) -> AuthorReply:
    """Two calls as one."""
    return msgspec.structs.replace(
        first,
        usage=first.usage + second.usage,
        calls=(*first.calls, *second.calls),
        notes=(*first.notes, *second.notes),
        reply=f"{first.reply}\n\n{second.reply}" if second.reply else first.reply,
    )
