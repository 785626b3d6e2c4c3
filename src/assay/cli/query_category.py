"""``assay query category``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from assay.cli.authoring import author_options
from assay.cli.commands import command
from assay.cli.options import color_option, format_option, output_option
from assay.cli.querying import queries_option
from assay.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from assay.cli.authoring import Authoring
    from assay.cli.querying import Asked
    from assay.present.display import Painter
    from assay.suites.finresearch.categories import CategorisedQuery

_RULES = "rules"


@command(
    short_help="Sort finance questions into FinResearchBench's categories.",
    epilog="Exit codes: 0 done; 2 bad usage or input; 3 the model failed, or answered no question.",
)
@queries_option
@author_options
@format_option("text", "jsonl")
@output_option
@color_option
def category(
    queries: tuple[str, ...],
    *,
    field: str | None,
    limit: int | None,
    format: str,  # noqa: A002 - the option's name
    output: str | None,
    color: str,
    **asked: Any,
) -> int:
    """Sort finance questions into the sixteen categories of FinResearchBench, seven of which it evaluates.

    QUERY is a question in quotes. FILE has one a line (.txt), or rows with query, prompt or question (.jsonl); - is
    stdin. Beside the model's answer stands a guess by the wording, where the wording tells; where the two differ, that
    is flagged. --model rules asks no model and gives the guess alone. -o FILE gets the rows as JSON lines.
    """
    from assay.cli.querying import Asked, read_queries, written_rows  # noqa: PLC0415

    found = read_queries(queries, field=field, limit=limit)

    def write(items: Sequence[Asked]) -> int:
        from assay.cli.options import painter_for  # noqa: PLC0415

        painter = painter_for(color)
        return written_rows(
            items,
            lambda item: _row(item, asked["model"]),
            lambda some: "\n".join(_text(some, painter)),
            form=format,
            output=output,
        )

    if asked["model"] == _RULES:
        from assay.suites.finresearch.categories import guess_query  # noqa: PLC0415

        if asked["requests"] or asked["responses"]:
            raise UsageError("--model rules asks nobody; --requests and --responses would do nothing")
        return write([Asked(item, guess_query(item.text)) for item in found])

    from assay.cli.authoring import AuthorAsked, run_authoring  # noqa: PLC0415

    async def work(authoring: Authoring) -> int:
        from assay.cli.querying import ask_each  # noqa: PLC0415
        from assay.suites.finresearch.categories import classify_query  # noqa: PLC0415

        return write(await ask_each(authoring, found, lambda author, item: classify_query(author, item.text)))

    return run_authoring(AuthorAsked(**asked), work)


def _row(item: Asked, model: str) -> dict[str, Any]:
    import msgspec  # noqa: PLC0415

    told = msgspec.to_builtins(item.answer)
    return {"schema": "assay.query_category/1", "id": item.query.id, "model": model, **told}


def _text(items: Sequence[Asked], painter: Painter) -> list[str]:
    """A line a question, then how many fell where, and where model and wording differ."""
    from assay.present.display import fit, pad, visible  # noqa: PLC0415
    from assay.present.numbers import plural  # noqa: PLC0415
    from assay.suites.finresearch.categories import BY_KEY  # noqa: PLC0415

    answers: list[CategorisedQuery] = [item.answer for item in items]
    lines = []
    for answer in answers:
        if answer.category is None:
            mark = painter(pad(answer.status if answer.status != "ok" else "(no guess)", 20), "warning")
        else:
            mark = painter(pad(answer.category, 20), "bold" if answer.evaluated else "dim")
        lines.append(f"{mark}  {fit(visible(answer.query), 76)}")
        if answer.agrees is False:
            lines.append(
                painter(
                    f"{'':22}by its wording {answer.guess}: “{fit(visible(answer.guessed_by), 40)}”",
                    "warning",
                )
            )
        if answer.problem:
            lines.append(painter(f"{'':22}{visible(answer.problem)}", "warning"))
    sizes = {key: sum(answer.category == key for answer in answers) for key in BY_KEY}
    told = ", ".join(f"{key} {number}" for key, number in sizes.items() if number)
    inside = sum(bool(answer.evaluated) for answer in answers)
    lines += ["", f"{plural(len(answers), 'question')}: {inside} in the seven evaluated categories"]
    if told:
        lines.append(painter(f"  {told}", "dim"))
    compared = [answer.agrees for answer in answers if answer.agrees is not None]
    if compared:
        lines.append(
            f"  model and wording agree on {sum(compared)} of the {len(compared)} on which the wording tells"
        )
    return lines
