"""What ``assay compare`` does with a judge that asks a model."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, TextIO

import msgspec

from assay.cli.asking import opened_asking
from assay.cli.compare import read_one
from assay.cli.judge_options import reference_text, settings_of
from assay.cli.options import columns_for, query_text, wants_color
from assay.cli.outputs import opened
from assay.cli.subjects import one_question
from assay.judges.ensemble import ensemble
from assay.judges.identity import name_of
from assay.present.display import Painter
from assay.present.judgments import without_verdict
from assay.present.pairs import pair_rows, pair_text, verdict_text
from assay.rubrics.loader import load_rubric

if TYPE_CHECKING:
    from assay.cli.compare import PairAsked
    from assay.judges.settings import JudgeSettings
    from assay.runs.recording_judge import RepetitionSet


def run_compare(asked: PairAsked) -> int:
    """Compare, and give the exit code."""
    return asyncio.run(_compare(asked, settings_of(asked, mode="pair")))


async def _compare(asked: PairAsked, settings: JudgeSettings) -> int:
    query = query_text(asked.query)
    pair = [read_one(asked.a, query), read_one(asked.b, query)]
    reference = reference_text(asked.reference)
    async with opened_asking(asked, settings, "compare") as asking:
        makers = [await asking.maker(pair, judge=name) for name in asked.judges]
        for maker in makers:
            maker.check("pair", pair, query=query, reference=reference)
        one_question(pair, query)
        asking.progress.planned = settings.trials * len(makers)

        async def work() -> list[RepetitionSet]:
            each = (
                maker.repeat("pair", pair, query=query, reference=reference, seen=asking.progress.seen)
                for maker in makers
            )
            return list(await asyncio.gather(*each))

        found = await asking.watch(work())
        if found is not None:
            with opened(asked.output) as stream:
                _show(asked, found, stream)
        asking.tell()
        return asking.end(none=found is None or all(without_verdict(item.trials.judgment) for item in found))


def _show(asked: PairAsked, found: list[RepetitionSet], stream: TextIO) -> None:
    """Each judge's verdict, and the ensemble's where there is one."""
    together = None
    if asked.ensemble is not None:
        together = ensemble([item.trials.judgment for item in found], asked.ensemble)
    if asked.format == "json":
        for item in found:
            stream.writelines(
                msgspec.json.encode(row).decode() + "\n"
                for row in pair_rows(item, item.rubric or load_rubric("overall"))
            )
        if together is not None:
            stream.write(msgspec.json.encode(together.to_dict()).decode() + "\n")
        return
    painter = Painter(wants_color(asked.color, stream))
    for number, item in enumerate(found):
        stream.write("\n" if number else "")
        rubric = item.rubric or load_rubric("overall")
        stream.write(pair_text(item, rubric, painter=painter, columns=columns_for(stream)))
    if together is not None:
        a, b = (name_of(subject, side) for subject, side in zip(found[0].subjects, "AB", strict=True))
        said = verdict_text(together.preference, a, b) if together.preference else "it abstains"
        stream.write("\n" + painter(f"{asked.ensemble} of {len(found)}: {said}", "bold") + "\n")
