"""Sets of pairs on disk: what comes back is what was written, and errors name the line."""

import json

import msgspec
import pytest

from assay.errors import InputError
from assay.generation.base import AuthorReply
from assay.logic.ground_truth.pair import GroundTruthPair, PairOrigin, WritingStep, read_pairs, write_pairs
from assay.logic.ground_truth.synthetic import synthetic_pair, synthetic_pairs

FAILED = GroundTruthPair(
    id="lost",
    topic="T",
    language="en",
    made_by=PairOrigin(kind="model", version="v", model="m"),
    evidence="hypothetical",
    status="failed",
    problem="1: the model declined",
    steps=(
        WritingStep("1", "decide", AuthorReply(status="refused", problem="the model declined", reply="No.")),
    ),
)


def test_what_is_written_is_read(tmp_path) -> None:
    pairs = [*synthetic_pairs(4), FAILED]
    path = write_pairs(tmp_path / "new" / "set", pairs)
    assert path.name == "pairs.jsonl"
    assert read_pairs(path) == read_pairs(path.parent) == pairs
    row = json.loads(path.read_text("utf-8").splitlines()[0])
    assert row["schema"] == "assay.tree-pair/1"
    assert row["graph"]["schema"] == "assay.logic/2"
    assert list(tmp_path.rglob("*.part")) == []


def _row(**changes):
    row = msgspec.to_builtins(synthetic_pair(0, size=8))
    row["graph"] = {**row["graph"], **changes.pop("graph", {})}
    return {**row, **changes}


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ({"id": "x"}, r"pairs\.jsonl:2: is not a pair: Object missing required field"),
        (_row(schema="assay.tree-pair/9"), r":2: has schema 'assay\.tree-pair/9'"),
        (_row(report="Short."), r":2: node 'a1' has no place in the report"),
        (_row(report=""), ":2: has no report or graph"),
        (_row(graph={"edges": [{"parent": "a1", "child": "zz"}]}), r":2: names a node 'zz'"),
        (_row(graph={"edges": []}), ":2: has a node that no root leads to"),
        (
            _row(graph={"edges": [{"parent": "a1", "child": "a2"}, {"parent": "a2", "child": "a1"}]}),
            ":2: the graph holds a cycle",
        ),
        (
            _row(graph={"metrics": {**_row()["graph"]["metrics"], "nodes": 99}}),
            ":2: states that its nodes is 99; it is 8",
        ),
        (_row(), ":2: id 'synthetic-0-0-en' is also that of line 1"),
    ],
)
def test_what_is_wrong_is_said_with_its_line(tmp_path, row, message) -> None:
    path = tmp_path / "pairs.jsonl"
    first = _row() if "also that of" in message else _row(id="first")
    path.write_text("\n".join(json.dumps(item, ensure_ascii=False) for item in (first, row)), "utf-8")
    with pytest.raises(InputError, match=message):
        read_pairs(tmp_path)


def test_nothing_to_read(tmp_path) -> None:
    with pytest.raises(InputError, match="assay lab extraction build"):
        read_pairs(tmp_path)
    (tmp_path / "pairs.jsonl").write_text("\n")
    with pytest.raises(InputError, match="holds no pairs"):
        read_pairs(tmp_path)
    (tmp_path / "pairs.jsonl").write_bytes(b"{\xff}")
    with pytest.raises(InputError, match=r"pairs\.jsonl:1: is not UTF-8"):
        read_pairs(tmp_path)
