"""The argument graph of a report, read by a model (FinResearchBench, section 3.1.3 and appendix C.1).

The paper asks for the whole tree in one call, and finds that short and long reports come out worst (4.3.5, 4.3.6).
Here a short report still takes one call; a longer one is read by part, the main claims of the parts are put in
order, and links across parts are decided. So each call sees about the same amount, and only the number of calls
grows with the length.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal

from assay.logic.graph import LogicGraph
from assay.logic.metrics import measure
from assay.logic.model.calls import all_of
from assay.logic.model.extraction_run import ExtractionRun
from assay.logic.model.graph_comparison import compare
from assay.logic.model.links import link
from assay.logic.model.merge import merge
from assay.logic.model.numbered_lines import split_parts
from assay.logic.model.records import Extraction, ExtractionSettings
from assay.logic.model.sections import ask_part, take_part
from assay.logic.model.support import check_support
from assay.logic.rule_graph import build_graph

if TYPE_CHECKING:
    from assay.generation.author import Author
    from assay.logic.graph import Support
    from assay.subjects.report import Report

_USUAL: Final = ExtractionSettings()


async def extract_graph(
    author: Author,
    report: Report,
    *,
    query: str | None = None,
    support: bool = True,
    language: Literal["en", "zh"] | None = None,
    settings: ExtractionSettings = _USUAL,
) -> Extraction:
    """Return the argument graph of a report as a model reads it, confined to the report's words.

    The graph is acyclic, every node is in the report, and evidence never stands without a claim. A node of the
    model that is not in the report is dropped, never mended. The same replies lead to the same calls; calls that
    can be made together are.

    Args:
        author: The model.
        report: The report.
        query: The question that it answers; by default the report's own.
        support: Whether each claim is also checked for support by what stands under it; otherwise its support is
            None.
        language: Language of the prompts; by default that of the report.
        settings: How much goes into one call.

    Raises:
        PendingCall: Replies of a batch are still to come; all calls that can be made so far were made.
        AssayError: The model cannot be called at all.
    """
    run = ExtractionRun(
        author,
        report,
        settings,
        query if query is not None else report.query,
        language or ("zh" if report.language == "zh" else "en"),
    )
    rules = build_graph(report)
    lines = run.numbered.lines
    whole = run.numbered.tokens <= settings.whole
    pieces = ([lines] if whole else split_parts(run.numbered, settings.part)) if lines else []
    steps = await all_of([ask_part(run, i, piece, whole=whole) for i, piece in enumerate(pieces)])
    run.steps.extend(steps)
    for i, (piece, step) in enumerate(zip(pieces, steps, strict=True)):
        take_part(run, i, piece, step)
    draft = run.draft
    if len(pieces) > 1:
        await merge(run)
        await link(run, len(pieces))
    _settle(run)
    if not draft.items:
        why = "the report has no text that could argue" if not lines else "nothing usable came of the model"
        run.problems.append(f"{why}: the graph is the rule-built one")
        nothing = LogicGraph((), (), (), measure((), (), ()))
        return Extraction(
            rules, tuple(run.steps), tuple(run.problems), True, compare(nothing, rules), run.dropped
        )
    held: dict[int, Support | None] = await check_support(run) if support else {}
    graph = draft.graph(held)
    return Extraction(graph, tuple(run.steps), tuple(run.problems), False, compare(graph, rules), run.dropped)


def _settle(run: ExtractionRun) -> None:
    """Remove evidence that supports nothing, and note what was removed and merged."""
    loose = run.draft.settle()
    if loose:
        run.dropped += len(loose)
        line = run.report.lines.place(loose[0].span.start)[0]
        run.problems.append(
            f"{len(loose)} evidence nodes dropped, which support no claim (the first in line {line})"
        )
    if run.draft.unified:
        run.problems.append(f"{run.draft.unified} claims unified with others that say the same")
