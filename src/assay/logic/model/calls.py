"""The calls of an extraction: its assignment, the schemas of its replies, and many calls at once."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from assay.generation.base import Assignment
from assay.models.base import PendingCall
from assay.strategies.json_schema import array, choice, table, text

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterable, Sequence

    from assay.generation.base import AuthorReply
    from assay.logic.model.records import ExtractionStep

ASSIGNMENT: Final = Assignment(
    name="logic_graph",
    summary="The argument graph of a report: by part, merged, linked, and checked for support.",
    template=str(Path(__file__).with_name("logic_graph.jinja")),
    source="FinResearchBench, section 3.1.3",
)
RELATIONS: Final = ("first_supports_second", "second_supports_first", "neither")
_INTEGER: Final = {"type": "integer"}
_MOST_LINES: Final = 8
_MOST_PARENTS: Final = 8
_NODE_TEXT: Final = 300
_WHY: Final = 160
# Numbers that are named: a short list is corrected, a long one is not read.
_NAMED: Final = 6


def nodes_schema(most: int) -> dict[str, Any]:
    """Return the schema of the nodes of a part."""
    node = table(
        id=_INTEGER,
        kind={"type": "string", **choice(("argument", "evidence"))},
        lines=array(_INTEGER, _MOST_LINES),
        text=text(_NODE_TEXT),
        supports=array(_INTEGER, _MOST_PARENTS),
    )
    return table(nodes=_rows(node, most))


def merge_schema(claims: int, cores: int) -> dict[str, Any]:
    """Return the schema of the order among claims."""
    claim = table(claim=_INTEGER, same_as=_INTEGER, supports=array(_INTEGER, _MOST_PARENTS))
    return table(core=array(_INTEGER, 2 * cores), claims=_rows(claim, claims))


def pairs_schema(pairs: int) -> dict[str, Any]:
    """Return the schema of the decisions on pairs."""
    return table(pairs=_rows(table(pair=_INTEGER, relation={"type": "string", **choice(RELATIONS)}), pairs))


def verdicts_schema(claims: int) -> dict[str, Any]:
    """Return the schema of the verdicts on support."""
    support = {"type": "string", **choice(("supported", "partial", "unsupported"))}
    return table(verdicts=_rows(table(claim=_INTEGER, why=text(_WHY), support=support), claims))


def _rows(items: dict[str, Any], most: int) -> dict[str, Any]:
    # A model that counts wrong by a few has still answered.
    return array(items, most + most // 2 + 2)


def entries(rows: Iterable[dict[str, Any]], key: str, count: int) -> dict[int, dict[str, Any]]:
    """Return the entries by their numbers from 1 to ``count``, without numbers that have two different entries."""
    by_number: dict[int, dict[str, Any]] = {}
    torn: set[int] = set()
    for row in rows:
        number = int(row[key])
        if not 1 <= number <= count:
            continue
        if by_number.setdefault(number, row) != row:
            torn.add(number)
    return {number: row for number, row in by_number.items() if number not in torn}


def missing(
    word: Callable[..., str], rows: Iterable[dict[str, Any]], key: str, count: int, mark: str
) -> list[str]:
    """Return what the model is told about numbers that it left out; nothing if they are few."""
    answered = entries(rows, key, count)
    out = [f"{mark}{number}" for number in range(1, count + 1) if number not in answered]
    if len(out) * 8 <= count:
        return []
    return [word("flaw_missing", names=", ".join(out[:_NAMED]) + (" …" if len(out) > _NAMED else ""))]


def failure(name: str, written: AuthorReply) -> str:
    """Describe why a step has no value; empty if it has one."""
    if written.status == "ok":
        return ""
    status = {
        "unparsed": "its replies cannot be read",
        "refused": "the model declined",
        "failed": "the call failed",
    }
    why = status[written.status]
    problem = "" if written.status == "refused" or not written.problem else f": {written.problem}"
    return f"{name}: {why}{problem}"


async def all_of(calls: Sequence[Awaitable[ExtractionStep]]) -> list[ExtractionStep]:
    """Make all calls at once. Errors are raised when all calls were made, so that a batch holds all of them."""
    results = await asyncio.gather(*calls, return_exceptions=True)
    errors = [item for item in results if isinstance(item, BaseException)]
    if errors:
        raise next((error for error in errors if not isinstance(error, PendingCall)), errors[0])
    return [item for item in results if not isinstance(item, BaseException)]
