"""``assay query complexity``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from assay.cli.authoring import author_options
from assay.cli.commands import command
from assay.cli.options import color_option, format_option, output_option
from assay.cli.querying import queries_option

if TYPE_CHECKING:
    from assay.cli.querying import Asked
    from assay.generation.complexity import QueryComplexity


@command(
    short_help="Label how complex questions are.",
    epilog="Exit codes: 0 done; 2 bad usage or input; 3 the model failed, or answered no question.",
)
@queries_option
@author_options
@click.option("--reasons", is_flag=True, help="Show what was listed, and the reasons.")
@format_option("text", "jsonl")
@output_option
@color_option
def complexity(
    queries: tuple[str, ...],
    *,
    field: str | None,
    limit: int | None,
    reasons: bool,
    format: str,  # noqa: A002 - the option's name
    output: str | None,
    color: str,
    **asked: Any,
) -> int:
    """Label how complex questions are: conceptual breadth, logical nesting, exploration.

    QUERY is a question in quotes. FILE has one a line (.txt), or rows with query, prompt or question (.jsonl); - is
    stdin. A model lists what there is – domains and sources, steps that build on each other, factors left open – and the
    level follows from how many there are. Where the model's own label differs, that is flagged. -o FILE gets the rows
    as JSON lines, with the three labels as ResearchRubrics names them.
    """
    from assay.cli.querying import label_each  # noqa: PLC0415
    from assay.generation.complexity import complexity as labelled  # noqa: PLC0415
    from assay.present.queries import complexity_text  # noqa: PLC0415

    return label_each(
        queries,
        asked,
        lambda author, item: labelled(author, item.text, language=item.language),
        _row,
        complexity_text,
        field=field,
        limit=limit,
        reasons=reasons,
        form=format,
        output=output,
        color=color,
    )


def _row(item: Asked, model: str) -> dict[str, Any]:
    """The triple stands at the top, where ResearchRubrics has it; what it comes from below."""
    import msgspec  # noqa: PLC0415

    answer: QueryComplexity = item.answer
    told = msgspec.to_builtins(answer)
    levels = {axis: label.level for axis, label in answer.labels.items()}
    head = {"schema": "assay.complexity/1", "id": item.query.id, "model": model, "query": answer.query}
    return {**head, "status": answer.status, **levels, "contradiction": answer.contradiction, **told}
