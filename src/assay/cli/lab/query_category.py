"""``assay lab query category``: categories of finance questions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from assay.cli.commands import command
from assay.cli.lab.questions import QuestionArguments
from assay.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from assay.cli.author_session import AuthorSession
    from assay.cli.lab.questions import QueryAnswer
    from assay.present.display import Painter
    from assay.suites.finresearch.categories import CategorisedQuery

_RULES = "rules"


class CategoryArguments(QuestionArguments):
    """What the command line of ``assay lab query category`` says."""


@command(
    CategoryArguments,
    epilog="Exit codes: 0 done; 2 bad usage or input; 3 the model failed, or answered no question.",
)
def category(args: CategoryArguments) -> int:
    """Sort finance questions into the sixteen categories of FinResearchBench, seven of which it evaluates.

    QUERY is a question in quotes. FILE has one a line (.txt), or rows with query, prompt or question (.jsonl); - is
    stdin. If the wording suggests a category, that guess is shown beside the model's answer, and differences are
    flagged. --model rules asks no model and gives only the guess. -o FILE gets the rows as JSON lines.
    """
    from assay.cli.lab.questions import QueryAnswer, read_queries, written_rows

    found = read_queries(args.queries, field=args.field, limit=args.limit)

    def write(items: Sequence[QueryAnswer]) -> int:
        from assay.cli.options import painter_for

        painter = painter_for(args.color)
        return written_rows(
            items,
            lambda item: _row(item, args.model),
            lambda some: "\n".join(_text(some, painter)),
            form=args.format,
            output=args.output,
        )

    if args.model == _RULES:
        from assay.suites.finresearch.categories import guess_query

        if args.requests or args.responses:
            raise UsageError("--model rules asks no model; --requests and --responses would do nothing")
        return write([QueryAnswer(item, guess_query(item.text)) for item in found])

    from assay.cli.author_session import run_author_session

    async def work(session: AuthorSession) -> int:
        from assay.cli.lab.questions import ask_each
        from assay.suites.finresearch.categories import classify_query

        return write(await ask_each(session, found, lambda author, item: classify_query(author, item.text)))

    return run_author_session(args, work)


def _row(item: QueryAnswer, model: str) -> dict[str, Any]:
    import msgspec

    row = msgspec.to_builtins(item.answer)
    return {"schema": "assay.query_category/1", "id": item.query.id, "model": model, **row}


def _text(items: Sequence[QueryAnswer], painter: Painter) -> list[str]:
    """Return one line for each question, then counts by category, and where model and wording differ."""
    from assay.present.display import fit, pad, visible
    from assay.suites.finresearch.categories import BY_KEY
    from assay.text.amounts import plural

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
    by_category = ", ".join(f"{key} {number}" for key, number in sizes.items() if number)
    inside = sum(bool(answer.evaluated) for answer in answers)
    lines += ["", f"{plural(len(answers), 'question')}: {inside} in the seven evaluated categories"]
    if by_category:
        lines.append(painter(f"  {by_category}", "dim"))
    compared = [answer.agrees for answer in answers if answer.agrees is not None]
    if compared:
        lines.append(
            f"  model and wording agree on {sum(compared)} of the {len(compared)} on which the wording tells"
        )
    return lines
