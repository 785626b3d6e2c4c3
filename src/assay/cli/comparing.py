"""What ``assay compare`` does with a judge that asks a model."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import msgspec

from assay.cli.asking import opened_asking
from assay.cli.compare import read_one
from assay.cli.judge_options import reference_text, settings_of
from assay.cli.options import columns_for, opened, query_text, wants_color
from assay.cli.subjects import one_question
from assay.present.display import Painter
from assay.present.judgments import without_verdict
from assay.present.pairs import pair_rows, pair_text

if TYPE_CHECKING:
    from assay.cli.compare import PairAsked
    from assay.judges.settings import JudgeSettings

__all__ = ["run_compare"]


def run_compare(asked: PairAsked) -> int:
    """Compare, and give the exit code."""
    return asyncio.run(_compare(asked, settings_of(asked, mode="pair")))


async def _compare(asked: PairAsked, settings: JudgeSettings) -> int:
    query = query_text(asked.query)
    pair = [read_one(asked.a, query), read_one(asked.b, query)]
    reference = reference_text(asked.reference)
    async with opened_asking(asked, settings, "compare") as asking:
        maker = await asking.maker(pair)
        maker.check("pair", pair, query=query, reference=reference)
        one_question(pair, query)
        asking.progress.planned = settings.trials
        work = maker.repeat("pair", pair, query=query, reference=reference, seen=asking.progress.seen)
        found = await asking.watch(work)
        if found is not None:
            with opened(asked.output) as stream:
                rubric = found.rubric or maker.judge.rubric
                if asked.format == "json":
                    for row in pair_rows(found, rubric):
                        stream.write(msgspec.json.encode(row).decode() + "\n")
                else:
                    painter = Painter(wants_color(asked.color, stream))
                    stream.write(pair_text(found, rubric, painter=painter, columns=columns_for(stream)))
        asking.tell()
        return asking.end(none=found is None or without_verdict(found.trials.judgment))
