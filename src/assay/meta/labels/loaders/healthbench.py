"""HealthBench's meta-evaluation: does a completion meet a criterion, by several physicians.

    {"prompt_id", "completion_id", "prompt": messages, "completion", "rubric": criterion, "category",
     "binary_labels": [true, false], "anonymized_physician_ids": ["…", "…"]}

Assumed: the two lists go together, place by place; a row without ids numbers its physicians, who then are nobody in
particular. A completion without an id is told from others by its text. Each physician's answer becomes one label with the
verdict "met" or "not met".
"""

from __future__ import annotations

import hashlib

from assay.decoding import kind_of
from assay.errors import InputError
from assay.meta.labels.loaders._cells import first, short, speech, text_of
from assay.meta.labels.loaders.base import ConvertedRow, LabelledText, LabelLoader, Row, RowContext
from assay.meta.labels.record import Label


def _sniff(row: Row) -> bool:
    return "binary_labels" in row and ("completion" in row or "prompt_id" in row)


def _load(row: Row, place: RowContext) -> ConvertedRow:
    said = row["binary_labels"]
    if not isinstance(said, list) or not said:
        raise InputError(f"binary_labels is {kind_of(said)}; it must be a list", where=place.where)
    for value in said:
        if not (isinstance(value, bool) or value in (0, 1)):
            raise InputError(f"binary_labels holds {value!r}; it must hold true and false", where=place.where)
    ids = row.get("anonymized_physician_ids")
    if ids is None:
        ids = [f"physician-{number}" for number in range(1, len(said) + 1)]
    if not isinstance(ids, list) or len(ids) != len(said):
        raise InputError(
            f"{len(said)} labels and {len(ids) if isinstance(ids, list) else 'no list of'} physicians",
            where=place.where,
        )
    text = (
        text_of(row["completion"], "completion", place.where) if row.get("completion") is not None else None
    )
    prompt = short(first(row, "prompt_id")) or place.id
    name = short(first(row, "completion_id"))
    if name is None:
        mark = hashlib.blake2b((text or place.id).encode("utf-8", "replace"), digest_size=5).hexdigest()
        name = f"{prompt}-{mark}"
    rubric = first(row, "rubric", "criterion")
    criterion = None if rubric is None else " ".join(speech(rubric, "rubric", place.where).split())
    category = short(row.get("category"))
    labels = tuple(
        Label(
            subject=name,
            rater=str(who),
            verdict="met" if value else "not met",
            criterion=criterion,
            task=prompt,
            strata={"category": category} if category else {},
        )
        for value, who in zip(said, ids, strict=True)
    )
    if text is None:
        return ConvertedRow(labels)
    asked = None if row.get("prompt") is None else speech(row["prompt"], "prompt", place.where)
    return ConvertedRow(labels, (LabelledText(name=name, id=name, report=text, query=asked),))


LOADER = LabelLoader(
    name="healthbench",
    what="HealthBench meta-evaluation: prompt_id, completion, rubric, binary_labels, physician ids",
    sniff=_sniff,
    load=_load,
    rank=20,
)
