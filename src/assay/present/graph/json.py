"""An argument graph in the contract ``assay.logic/2``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from assay.text.tidy import SURROGATE

if TYPE_CHECKING:
    from assay.logic.graph import LogicGraph


def to_json(graph: LogicGraph, *, indent: int = 2) -> str:
    """Return the graph as JSON, ``schema`` first."""
    data = msgspec.to_builtins(graph)
    data = {"schema": data.pop("schema"), **data}
    try:
        text = msgspec.json.encode(data)
    except UnicodeEncodeError:
        # A lone surrogate cannot be encoded; the rest of the text must not be lost because of it.
        for node in data["nodes"]:
            node["id"], node["text"] = (
                SURROGATE.sub("\ufffd", node["id"]),
                SURROGATE.sub("\ufffd", node["text"]),
            )
        text = msgspec.json.encode(data)
    return msgspec.json.format(text, indent=indent).decode() + "\n"
