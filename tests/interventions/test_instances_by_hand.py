"""A benchmark that was edited by hand, or made elsewhere: what is no pair is refused, with its line and what is wrong."""

from __future__ import annotations

from copy import deepcopy

import msgspec
import pytest

from assay.errors import InputError
from assay.interventions.instances import read_instances

REPORT = {
    "schema": "assay.bench/1",
    "id": "one",
    "group": "g",
    "level": "outcome",
    "module": "output",
    "category": "faithfulness",
    "type": "fabrication",
    "query": "What fell?",
    "reference": {"report": "Prices fell by 4 %."},
    "perturbed": {"report": "Prices fell by 14 %."},
    "site": {"kind": "span", "start": 0, "end": 20},
    "editor": "rules",
}
TRAJECTORY = {
    **REPORT,
    "id": "two",
    "group": "h",
    "level": "process",
    "reference": {"trajectory": {"steps": [{"reasoning": "I look it up."}]}},
    "perturbed": {"trajectory": {"steps": [{"reasoning": "I guess."}]}},
    "site": {"kind": "step", "index": 0},
}


def written(path, *rows: dict, before: bytes = b"") -> None:
    (path / "instances.jsonl").write_bytes(
        before + b"".join(msgspec.json.encode(row) + b"\n" for row in rows)
    )


def test_pairs_with_the_fields_there_must_be_are_read(tmp_path) -> None:
    # Editors of some systems begin a file with a mark.
    written(tmp_path, REPORT, TRAJECTORY, before=b"\xef\xbb\xbf")
    assert [item.id for item in read_instances(tmp_path)] == ["one", "two"]


@pytest.mark.parametrize(
    ("row", "change", "said"),
    [
        (REPORT, {"site": {"kind": "span", "start": 3, "end": 900}}, "site is 3 to 900, outside the report's 20"),
        (REPORT, {"site": {"kind": "span", "start": -3, "end": 9}}, "site is -3 to 9"),
        (REPORT, {"site": {"kind": "span", "start": 9, "end": 3}}, "site is 9 to 3"),
        (REPORT, {"site": {"kind": "span", "start": 9}}, "with start and end"),
        (REPORT, {"site": {"kind": "step", "index": 0}}, "must be a span"),
        (REPORT, {"reference_site": {"kind": "span", "start": 0, "end": 20}}, "reference_site is 0 to 20"),
        (TRAJECTORY, {"site": {"kind": "step", "index": 1}}, "site is step 1, but the trajectory has 1"),
        (TRAJECTORY, {"site": {"kind": "step", "index": -1}}, "site is step -1"),
        (TRAJECTORY, {"site": {"kind": "span", "start": 0, "end": 1}}, "must be a step"),
        (REPORT, {"perturbed": REPORT["reference"]}, "are the same"),
        (REPORT, {"perturbed": TRAJECTORY["perturbed"]}, "the reference is a report, but perturbed is a trajectory"),
        (REPORT, {"level": "process"}, "a report has level outcome"),
        (REPORT, {"perturbed": {}}, "perturbed is neither"),
        (TRAJECTORY, {"reference": {"trajectory": {"steps": 3}}}, "reference is neither"),
        (TRAJECTORY, {"perturbed": {"trajectory": {"steps": [1]}}}, "perturbed is not a trajectory"),
        (TRAJECTORY, {"perturbed": {"trajectory": {"steps": [{"tool_calls": [{"name": 3}]}]}}}, "tool_calls"),
        (TRAJECTORY, {"perturbed": {"trajectory": {"steps": [{"reasoning": "I guess."}], "answer": 4}}}, "answer"),
        (REPORT, {"query": "What rose?"}, "query or reference differs"),
        (REPORT, {"reference": {"report": "Prices fell by 3 %."}}, "query or reference differs"),
        (REPORT, {"type": " "}, "type is empty"),
        (REPORT, {"id": ""}, "id is empty"),
    ],
)  # fmt: skip
def test_what_is_no_pair_is_refused_with_its_line(tmp_path, row, change, said) -> None:
    written(tmp_path, {**deepcopy(row), "id": "fine"}, {**deepcopy(row), **change})
    with pytest.raises(InputError) as told:
        read_instances(tmp_path)
    assert "instances.jsonl:2" in str(told.value)
    assert said in str(told.value)


def test_the_attack_by_position_shows_one_text_twice(tmp_path) -> None:
    same = {**REPORT, "type": "position", "kind": "manipulation", "perturbed": REPORT["reference"]}
    written(tmp_path, {**same, "site": {"kind": "span", "start": 0, "end": 5}})
    assert len(read_instances(tmp_path)) == 1
