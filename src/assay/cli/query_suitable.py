"""``assay query suitable``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from assay.cli.authoring import author_options
from assay.cli.commands import command
from assay.cli.options import color_option, format_option, output_option
from assay.cli.querying import queries_option

if TYPE_CHECKING:
    from assay.cli.querying import Asked


@command(
    short_help="Say which questions call for a report.",
    epilog="Exit codes: 0 done; 2 bad usage or input; 3 the model failed, or answered no question.",
)
@queries_option
@author_options
@click.option("--reasons", is_flag=True, help="Show the reason for each criterion.")
@format_option("text", "jsonl")
@output_option
@color_option
def suitable(
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
    """Say which questions call for a long researched report: ACCEPT or REJECT, and why.

    QUERY is a question in quotes. FILE has one a line (.txt), or rows with query, prompt or question (.jsonl); - is
    stdin. A model judges five criteria and seven hard constraints one by one; at least three criteria and no constraint
    make ACCEPT, by rule. Where the model's own decision differs, that is flagged. -o FILE gets the rows as JSON lines.
    """
    from assay.cli.querying import label_each  # noqa: PLC0415
    from assay.generation.suitability import suitability  # noqa: PLC0415
    from assay.present.queries import suitability_text  # noqa: PLC0415

    return label_each(
        queries,
        asked,
        lambda author, item: suitability(author, item.text, language=item.language),
        _row,
        suitability_text,
        field=field,
        limit=limit,
        reasons=reasons,
        form=format,
        output=output,
        color=color,
    )


def _row(item: Asked, model: str) -> dict[str, Any]:
    import msgspec  # noqa: PLC0415

    told = msgspec.to_builtins(item.answer)
    return {"schema": "assay.suitability/1", "id": item.query.id, "model": model, **told}
