"""Having a model write the rubric of one pair of reports; items that are ill-formed are written again, and only those.

ReportLogic, section 3.2, figure 10 and appendix C.2: eight items from the query and both reports; ill-formed ones
are flagged and regenerated. Items that still have flaws after `Author.retries` rounds are kept with them, for
people to look at. The reports stand before the task as they do before a judge's in order AB, so that a prefix cache
reads them once.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal

import msgspec

from assay.generation.base import Assignment, AuthorReply
from assay.rubrics.dimensions import DIMENSION_KEYS, DIMENSIONS
from assay.rubrics.instance import InstanceCriterion, InstanceRubric, NamedReport, content_digest
from assay.rubrics.instance_flaws import flaws, flaws_of_items
from assay.strategies.base import Document, PromptMaterial
from assay.strategies.json_schema import table, text
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
# Two long sentences; a reply with the "one or two" asked for stays below.
_LONGEST: Final = 500


async def write_instance_rubric(
    author: Author, query: str | None, a: Report, b: Report, *, language: Literal["en", "zh"] = "en"
) -> tuple[InstanceRubric | None, AuthorReply]:
    """Return the rubric of a pair, and how it came about; no rubric if the model wrote none that can be read.

    Args:
        author: The model.
        query: The question that both reports answer.
        a: One report.
        b: The other report.
        language: Language of the prompt and the items.
    """
    writer = _ItemWriter(author, query, a, b, language)
    written = await writer.write_all()
    if written.status != "ok":
        return None, written
    notes: list[str] = []
    items = _items(written.value, DIMENSION_KEYS, notes)
    for _ in range(author.retries):
        wrong = _wrong(items, writer.texts)
        if not wrong:
            break
        keys = [key for key in DIMENSION_KEYS if key in wrong]
        again = await writer.write_again(items, wrong)
        written = _together(written, again)
        if again.status != "ok":
            notes.append(f"writing {', '.join(keys)} anew gave nothing ({again.status}: {again.problem})")
            break
        notes.append(f"{', '.join(keys)} written anew")
        items = _better(items, _items(again.value, keys, notes), writer.texts)
    written = msgspec.structs.replace(written, notes=(*written.notes, *dict.fromkeys(notes)))
    ordered = tuple(items[key] for key in DIMENSION_KEYS)
    flaws_left = flaws(ordered, *writer.texts)
    instance = InstanceRubric(
        query=query or None,
        a=NamedReport(name=a.path or a.id or "A", digest=content_digest(a.source)),
        b=NamedReport(name=b.path or b.id or "B", digest=content_digest(b.source)),
        generator=author.model.id,
        items=ordered,
        flaws=flaws_left,
        language=language,
    )
    listed_flaws = tuple(f"{key}: {flaw}" for key, found in flaws_left.items() for flaw in found)
    value = {"items": msgspec.to_builtins(ordered)}
    return instance, msgspec.structs.replace(written, value=value, flaws=listed_flaws)


class _ItemWriter:
    """Asks for the items of one pair.

    Attributes:
        texts: The query and the two reports.
    """

    def __init__(
        self, author: Author, query: str | None, a: Report, b: Report, language: Literal["en", "zh"]
    ) -> None:
        self.texts = (query, a.source, b.source)
        self._author = author
        self._page = author.prompts.page
        self._material = PromptMaterial(
            documents=(Document("A", a.source), Document("B", b.source)),
            query=query or None,
            language=language,
        )
        self._rules = self._page(ASSIGNMENT.template, "rules", language, {}).strip()

    async def write_all(self) -> AuthorReply:
        """Ask for all items."""
        return await self._author.data(
            ASSIGNMENT,
            schema=_schema(DIMENSION_KEYS),
            material=self._material,
            dimensions=[self._dimension(key) for key in DIMENSION_KEYS],
            rules=self._rules,
        )

    async def write_again(
        self, items: Mapping[str, InstanceCriterion], wrong: Mapping[str, Sequence[Bilingual]]
    ) -> AuthorReply:
        """Ask for the items that have flaws."""
        keys = [key for key in DIMENSION_KEYS if key in wrong]
        flawed = [
            {
                **self._dimension(key),
                "text": _text(items[key]),
                "flaws": [in_language(flaw, self._material.language) for flaw in wrong[key]],
            }
            for key in keys
        ]
        return await self._author.data(
            ASSIGNMENT,
            "again",
            schema=_schema(keys),
            material=self._material,
            flawed=flawed,
            kept="\n".join(item.question for key, item in items.items() if key not in wrong),
            rules=self._rules,
        )

    def _dimension(self, key: str) -> dict[str, Any]:
        """Return a dimension by its key, with what its question is about."""
        language = self._material.language
        dimension = next(item for item in DIMENSIONS if item.key == key)
        title = dimension.title_zh if language == "zh" else dimension.title
        focus = self._page(ASSIGNMENT.template, "focus", language, {"key": key}).strip()
        return {"key": key, "title": title, "focus": focus}


def _schema(keys: Sequence[str]) -> dict[str, Any]:
    """Return the schema: an entry by key for each dimension, because a list might repeat one."""
    item = table(**{part: text(_LONGEST) for part in _PARTS})
    return table(items=table(**dict.fromkeys(keys, item)))


def _items(value: Mapping[str, Any], keys: Sequence[str], notes: list[str]) -> dict[str, InstanceCriterion]:
    """Return the items by dimension, in the order of the dimensions."""
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
    """Return the flaws of the items by dimension."""
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
    """Return the items with the rewritten ones in their place, unless these are no better."""
    best = dict(items)
    for key, item in others.items():
        before, after = _wrong(best, texts).get(key, []), _wrong({**best, key: item}, texts).get(key, [])
        if len(after) < len(before):
            best[key] = item
    return best


def _text(item: InstanceCriterion) -> str:
    return "\n".join(f"{part}: {getattr(item, part)}" for part in _PARTS)


def _together(first: AuthorReply, second: AuthorReply) -> AuthorReply:
    """Combine two calls into one."""
    return msgspec.structs.replace(
        first,
        usage=first.usage + second.usage,
        calls=(*first.calls, *second.calls),
        notes=(*first.notes, *second.notes),
        reply=f"{first.reply}\n\n{second.reply}" if second.reply else first.reply,
    )
