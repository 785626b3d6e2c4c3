"""The cases of a run as items to label, with the texts of its prompts and the rubric that its judges had."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import msgspec

from assay.errors import AssayError, InputError, UsageError
from assay.rubrics.loader import load_rubric
from assay.rubrics.rubric import Rubric
from assay.web.annotation.items import AnnotationItem, item_of
from assay.web.judgment_index import HeadFilter, JudgmentIndex
from assay.web.prompt_parts import documents_in, question_in

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assay.web.judgment_heads import JudgmentHead
    from assay.web.opened import OpenedLedger

_TRIED: Final = 20
_MODES: Final = {"score": "scores of one", "compare": "comparisons", "rank": "rankings"}


def run_rubric(ledger: OpenedLedger, run: str, name: str = "") -> Rubric:
    """Return the rubric that the judges of a run had.

    Args:
        ledger: The ledger.
        run: The run.
        name: Name of the rubric, where judges had several.

    Raises:
        UsageError: There are several, or none that is kept with the run or comes with Assay.
    """
    kept = ledger.ledger.run(run).provenance.get("rubrics") or {}
    rubrics = [msgspec.convert(item, Rubric) for item in kept.values()]
    if not rubrics:
        names = {head.rubric for head in ledger.source(run).heads() if head.rubric}
        try:
            rubrics = [load_rubric(item) for item in sorted(names)]
        except AssayError as error:
            raise UsageError(
                f"the run does not keep its rubric: {error}", cli_hint="name its file with --rubric"
            ) from error
    chosen = [item for item in rubrics if not name or item.name == name]
    if len(chosen) != 1:
        had = ", ".join(sorted({item.name for item in rubrics})) or "none"
        raise UsageError(
            f"people answer one rubric, and the judges of run {run} had {had}",
            cli_hint="choose one with --where rubric=NAME, or name it with --rubric",
        )
    return chosen[0]


def run_items(ledger: OpenedLedger, run: str, wanted: HeadFilter, *, pairs: bool) -> Iterator[AnnotationItem]:
    """Yield an item for each case of a run that a filter lets through, with the texts of its prompts."""
    index = JudgmentIndex()
    try:
        index.refresh("run", ledger.source(run))
        seen: set[str] = set()
        after: str | None = None
        mode = "compare" if pairs else "score"
        while True:
            page = index.page("run", msgspec.structs.replace(wanted, mode=mode), after, 200)
            for head in page.rows:
                if head.subject not in seen:
                    seen.add(head.subject)
                    item = _case_item(ledger, run, head, index)
                    if item is not None:
                        yield item
            after = page.next
            if after is None:
                break
        if not seen:
            has = {kind: index.count("run", HeadFilter(mode=kind)) for kind in ("score", "compare", "rank")}
            raise InputError(
                f"no judgment that {'compares two' if pairs else 'scores one'} is let through; the run has "
                + ", ".join(f"{number:,} {_MODES[kind]}" for kind, number in has.items()),
                where=run,
                hint="choose another task or fewer conditions",
                cli_hint="choose another --task or less in --where",
            )
    finally:
        index.close()


def _case_item(
    ledger: OpenedLedger, run: str, head: JudgmentHead, index: JudgmentIndex
) -> AnnotationItem | None:
    keys = [head.key, *(other.key for other in index.siblings("run", head, _TRIED))]
    for key in keys:
        answers = [row for row in ledger.ledger.answers_to(key, run) if not row.unit and row.order != "BA"]
        calls = ledger.ledger.calls(call for row in answers for call in row.answer.calls)
        requests = [call.request for call in calls]
        documents = documents_in(requests)
        if len(documents) == (2 if head.mode == "compare" else 1):
            return item_of(
                head.subject,
                [{"report": text} for _, text in documents],
                query=question_in(requests),
                hidden={"system": head.system},
            )
    return None
