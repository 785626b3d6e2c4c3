"""RewardBench and its like: a prompt, the answer that was chosen and the one that was rejected.

    {"prompt", "chosen", "rejected", "subset", "id", "chosen_model", "rejected_model"}

Assumed: prompt and answers are texts or lists of messages; where answers hold the prompt too, as a dialogue, the last
message is the answer. Lists of answers (RewardBench 2: several rejected) give a pair each, of one task. The better one is
always listed first, so A and B are exchanged by the toss of a hash of their texts, the same every time.
"""

from __future__ import annotations

from typing import Any

from assay.errors import InputError
from assay.meta.labels.loaders._cells import first, pair, short, speech, text_of
from assay.meta.labels.loaders.base import ConvertedRow, LabelLoader, Row, RowContext


def _sniff(row: Row) -> bool:
    return "chosen" in row and "rejected" in row


def _load(row: Row, place: RowContext) -> ConvertedRow:
    good, bad = (
        _answers(row["chosen"], "chosen", place.where),
        _answers(row["rejected"], "rejected", place.where),
    )
    name = short(first(row, "id", "pair_id", "prompt_id")) or place.id
    query = row.get("prompt")
    asked = None if query is None else speech(query, "prompt", place.where)
    if asked is None and isinstance(row["chosen"], list):
        said = [item for item in row["chosen"] if isinstance(item, dict)]
        asked = speech(said[:-1], "chosen", place.where) if len(said) > 1 else None
    strata = {
        key: value for key in ("subset", "section", "domain", "category") if (value := short(row.get(key)))
    }
    found = [
        pair(
            place,
            id=name if len(good) * len(bad) == 1 else f"{name}-{at}-{other}",
            query=asked,
            texts=(better, worse),
            preference="A>B",
            rater="rewardbench",
            task=name,
            strata=strata,
            shuffle=True,
        )
        for at, better in enumerate(good)
        for other, worse in enumerate(bad)
    ]
    return ConvertedRow(
        tuple(label for item in found for label in item.labels),
        tuple(text for item in found for text in item.texts),
    )


def _answers(value: Any, name: str, where: str) -> list[str]:
    if isinstance(value, list) and value and all(isinstance(item, str) for item in value):
        return [text_of(item, name, where) for item in value]
    if isinstance(value, list) and value and isinstance(value[-1], dict):
        return [text_of(value[-1], name, where)]
    if value is None or value == []:
        raise InputError(f"{name} is empty", where=where)
    return [text_of(value, name, where)]


LOADER = LabelLoader(
    name="rewardbench",
    what="RewardBench and other sets of chosen and rejected answers: prompt, chosen, rejected, subset",
    sniff=_sniff,
    load=_load,
    rank=30,
)
