"""``assay lab query suitable`` and ``assay lab query complexity``: the same question to a model about every query."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, Final

from assay.cli.arguments import option
from assay.cli.commands import command
from assay.cli.lab.questions import QuestionArguments, label_each
from assay.cli.outputs import OutputPath

if TYPE_CHECKING:
    from collections.abc import Sequence

    from assay.cli.lab.questions import QueryAnswer
    from assay.generation.complexity import QueryComplexity

_CODES: Final = "Exit codes: 0 done; 2 bad usage or input; 3 the model failed, or answered no question."


class QueryLabelArguments(QuestionArguments):
    """What the command lines of ``assay lab query suitable`` and ``assay lab query complexity`` say."""

    reasons: bool = option("Show the model's reasons.")


class SuitableArguments(QueryLabelArguments):
    """What the command line of ``assay lab query suitable`` says."""

    accepted: str | None = option(
        "Write the accepted questions to this file, with all fields of their rows, as JSON lines.",
        "PATH",
        type=OutputPath(),
    )


@command(SuitableArguments, epilog=_CODES)
def suitable(args: SuitableArguments) -> int:
    """Say which questions call for a long researched report: ACCEPT or REJECT, and why.

    QUERY is a question in quotes. FILE has one a line (.txt), or rows with query, prompt or question (.jsonl); - is
    stdin. A model judges five criteria and seven hard constraints one by one; a rule accepts a question that meets at
    least three criteria and violates no constraint. If the model's own decision differs, that is flagged. -o FILE gets
    the rows as JSON lines.
    """
    from assay.cli.lab.questions import write_json_lines
    from assay.generation.suitability import suitability
    from assay.present.queries import suitability_text

    def also(answers: Sequence[QueryAnswer]) -> None:
        # A part of the questions would be mistaken for all that were accepted.
        if args.accepted is not None and all(item.answer is not None for item in answers):
            kept = [item.query.to_row() for item in answers if item.answer.decision == "ACCEPT"]
            write_json_lines(kept, args.accepted)

    return label_each(
        args,
        lambda author, item: suitability(author, item.text, language=item.language),
        _suitability_row,
        partial(suitability_text, reasons=args.reasons),
        also=also,
    )


@command(QueryLabelArguments, epilog=_CODES)
def complexity(args: QueryLabelArguments) -> int:
    """Label how complex questions are: conceptual breadth, logical nesting, exploration.

    QUERY is a question in quotes. FILE has one a line (.txt), or rows with query, prompt or question (.jsonl); - is
    stdin. A model lists domains and sources, steps that build on each other, and factors left open; the level follows
    from their number. If the model's own label differs, that is flagged. -o FILE gets the rows as JSON lines, with the
    three labels as ResearchRubrics names them.
    """
    from assay.generation.complexity import complexity as label_complexity
    from assay.present.queries import complexity_text

    return label_each(
        args,
        lambda author, item: label_complexity(author, item.text, language=item.language),
        _complexity_row,
        partial(complexity_text, reasons=args.reasons),
    )


def _suitability_row(item: QueryAnswer, model: str) -> dict[str, Any]:
    import msgspec

    row = msgspec.to_builtins(item.answer)
    return {"schema": "assay.suitability/1", "id": item.query.id, "model": model, **row}


def _complexity_row(item: QueryAnswer, model: str) -> dict[str, Any]:
    """Return a row with the three levels at the top, where ResearchRubrics has them."""
    import msgspec

    answer: QueryComplexity = item.answer
    levels = {axis: label.level for axis, label in answer.labels.items()}
    head = {"schema": "assay.complexity/1", "id": item.query.id, "model": model, "query": answer.query}
    row = msgspec.to_builtins(answer)
    return {**head, "status": answer.status, **levels, "contradiction": answer.contradiction, **row}
