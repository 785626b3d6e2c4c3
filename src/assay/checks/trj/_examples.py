"""Short runs for the examples of the trajectory checks."""

from __future__ import annotations

import json
from typing import Any

from assay.checks.base import Example


def run_example(
    query: str,
    *steps: tuple[str | None, ...],
    answer: str | None = None,
    ending: dict[str, str] | None = None,
) -> Example:
    """Return an example in the canonical form.

    A step is ``(reasoning,)`` or ``(reasoning, argument, response)``; an argument that is an address is a visit, any
    other a search.
    """
    rows: list[dict[str, Any]] = []
    for index, (reasoning, *rest) in enumerate(steps):
        calls: list[dict[str, Any]] = []
        if rest:
            name, key = ("visit", "url") if str(rest[0]).startswith("http") else ("search", "query")
            calls.append({"name": name, "arguments": {key: rest[0]}, "response": rest[1]})
        rows.append({"index": index, "reasoning": reasoning, "tool_calls": calls})
    data: dict[str, Any] = {
        "schema": "assay.trajectory/1",
        "query": query,
        "tools": ["search", "visit"],
        "steps": rows,
        "answer": answer,
    }
    if ending is not None:
        data["ending"] = ending
    return Example(json.dumps(data, ensure_ascii=False))
