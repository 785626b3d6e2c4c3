"""HealthBench's meta-evaluation: does a completion meet a criterion, by several physicians.

    {"prompt_id", "completion_id", "prompt": messages, "completion", "rubric": criterion, "category",
     "binary_labels": [true, false], "anonymized_physician_ids": ["…", "…"]}

Assumed: the two lists correspond element by element. Physicians without ids are numbered within the row and not
identified across rows; a completion without an id is identified by its text. Each answer becomes a label with the
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


def _load(row: Row, context: RowContext) -> ConvertedRow:
    answers = row["binary_labels"]
    if not isinstance(answers, list) or not answers:
        raise InputError(f"binary_labels is {kind_of(answers)}; it must be a list", where=context.where)
    for value in answers:
        if not (isinstance(value, bool) or value in (0, 1)):
            raise InputError(
                f"binary_labels holds {value!r}; it must hold true and false", where=context.where
            )
    ids = row.get("anonymized_physician_ids")
    if ids is None:
        ids = [f"physician-{number}" for number in range(1, len(answers) + 1)]
    if not isinstance(ids, list) or len(ids) != len(answers):
        raise InputError(
            "anonymized_physician_ids must be a list of as many ids as binary_labels has labels",
            where=context.where,
        )
    text = (
        text_of(row["completion"], "completion", context.where) if row.get("completion") is not None else None
    )
    prompt = short(first(row, "prompt_id")) or context.id
    name = short(first(row, "completion_id"))
    if name is None:
        mark = hashlib.blake2b((text or context.id).encode("utf-8", "replace"), digest_size=5).hexdigest()
        name = f"{prompt}-{mark}"
    rubric = first(row, "rubric", "criterion")
    criterion = None if rubric is None else " ".join(speech(rubric, "rubric", context.where).split())
    category = short(row.get("category"))
    labels = tuple(
        Label(
            subject=name,
            rater=str(rater),
            verdict="met" if value else "not met",
            criterion=criterion,
            task=prompt,
            strata={"category": category} if category else {},
        )
        for value, rater in zip(answers, ids, strict=True)
    )
    if text is None:
        return ConvertedRow(labels)
    query = None if row.get("prompt") is None else speech(row["prompt"], "prompt", context.where)
    return ConvertedRow(labels, (LabelledText(name=name, id=name, report=text, query=query),))


LOADER = LabelLoader(
    name="healthbench",
    what="HealthBench meta-evaluation: prompt_id, completion, rubric, binary_labels, physician ids",
    sniff=_sniff,
    load=_load,
    rank=20,
)
