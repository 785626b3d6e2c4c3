"""RewardBench and similar sets: a prompt, the chosen answer and the rejected one.

    {"prompt", "chosen", "rejected", "subset", "id", "chosen_model", "rejected_model"}

Assumed: prompt and answers are texts or lists of messages; if answers are dialogues that include the prompt, the last
message is the answer. Lists of answers (RewardBench 2: several rejected) give several pairs of one task. Because the
better answer is always listed first, a hash of the texts decides which is A.
"""

from __future__ import annotations

from typing import Any

from assay.errors import InputError
from assay.meta.labels.loaders._cells import first, pair, short, speech, text_of
from assay.meta.labels.loaders.base import ConvertedRow, LabelLoader, Row, RowContext


def _sniff(row: Row) -> bool:
    return "chosen" in row and "rejected" in row


def _load(row: Row, context: RowContext) -> ConvertedRow:
    good, bad = (
        _answers(row["chosen"], "chosen", context.where),
        _answers(row["rejected"], "rejected", context.where),
    )
    name = short(first(row, "id", "pair_id", "prompt_id")) or context.id
    query = row.get("prompt")
    prompt = None if query is None else speech(query, "prompt", context.where)
    if prompt is None and isinstance(row["chosen"], list):
        messages = [item for item in row["chosen"] if isinstance(item, dict)]
        prompt = speech(messages[:-1], "chosen", context.where) if len(messages) > 1 else None
    strata = {
        key: value for key in ("subset", "section", "domain", "category") if (value := short(row.get(key)))
    }
    pairs = [
        pair(
            context,
            id=name if len(good) * len(bad) == 1 else f"{name}-{at}-{other}",
            query=prompt,
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
        tuple(label for item in pairs for label in item.labels),
        tuple(text for item in pairs for text in item.texts),
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
