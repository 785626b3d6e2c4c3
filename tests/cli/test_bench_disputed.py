"""Instances that the second reader did not accept: a sheet for people, and their labels taken back."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import msgspec
import pytest

from assay.interventions.instances import Instance
from assay.interventions.second_reading import SecondReading
from assay.meta.benchmark import Benchmark

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
TYPES = "expression_quality,citation_groundedness,process_evidence_omission"
OBJECTION = SecondReading(
    reader="test/reader",
    answers={"present": "yes", "plausible": "no", "original_better": "yes", "other_change": "no"},
)


@pytest.fixture
def bench() -> tuple[Path, list[str], list[str]]:
    """A benchmark with four disputed instances, and the ids of its own and of these."""
    sources = [EXAMPLES / "heat-pumps", EXAMPLES / "shanghai-reuse", EXAMPLES / "trajectories"]
    built = Benchmark.build(sources, types=TYPES.split(","), per_type=4)
    disputed = [msgspec.structs.replace(item, second_reading=OBJECTION) for item in built[:4]]
    Benchmark(built[4:], manifest=built.manifest, disputed=disputed, refusals=built.refusals).save("b")
    return Path("b"), [item.id for item in built[4:]], [item.id for item in disputed]


def filled(table: str, name: str, labels: str) -> str:
    """Fill in a sheet; - leaves a row open."""
    sheet = list(csv.DictReader(io.StringIO(table)))
    for row, label in zip(sheet, labels.split(), strict=True):
        row["label"] = label.replace("-", "")
    stream = io.StringIO()
    writer = csv.DictWriter(stream, fieldnames=list(sheet[0]))
    writer.writeheader()
    writer.writerows(sheet)
    Path(name).write_text(stream.getvalue(), "utf-8")
    return name


def test_from_the_sheet_to_the_benchmark(assay, bench) -> None:
    folder, own, disputed = bench
    table = assay("bench", "queue", folder, "--disputed", "--format", "csv").stdout
    assert [row["id"] for row in csv.DictReader(io.StringIO(table))] == disputed
    sheets = [
        filled(table, "anna.csv", "valid invalid valid valid"),
        filled(table, "ben.csv", "valid invalid invalid -"),
        filled(table, "cleo.csv", "valid invalid ambiguous -"),
    ]
    result = assay("bench", "validate", folder, *sheets, "-o", "settled")
    assert result.exit_code == 0, result.stderr
    assert f"kept {len(own)} of {len(own)} instances, and 2 that were disputed in settled" in result.stderr
    assert (
        "disputed by the second reader: 2 valid, 1 invalid, 1 undecided, 0 without a label" in result.stdout
    )
    shown = " ".join(result.stdout.split())
    assert f"to be settled: {disputed[2]} (1 valid, 1 invalid, 1 ambiguous)" in shown
    # Nobody was asked about the others.
    assert "nobody labelled" not in result.stdout
    rows = [json.loads(line) for line in Path("settled/instances.jsonl").read_text("utf-8").splitlines()]
    assert {row["id"] for row in rows} == {*own, disputed[0], disputed[3]}
    assert {row["id"] for row in rows if row["accepted_by"] == "people"} == {disputed[0], disputed[3]}
    left = [json.loads(line) for line in Path("settled/disputed.jsonl").read_text("utf-8").splitlines()]
    assert [row["id"] for row in left] == [disputed[2]]
    assert Path("settled/refused.jsonl").read_bytes() == (folder / "refused.jsonl").read_bytes()
    manifest = json.loads(Path("settled/bench.json").read_text("utf-8"))
    assert manifest["instances"] == len(rows)
    assert sum(count["instances"] for count in manifest["types"].values()) == len(rows)
    record = manifest["validations"][0]
    assert (record["annotators"], record["accepted"], record["dropped"]) == (["anna", "ben", "cleo"], 2, 1)
    # Anna and Ben: two alike of three, and by their margins 4/9 by chance.
    assert record["agreement"][0]["kappa"] == pytest.approx((2 / 3 - 4 / 9) / (1 - 4 / 9))

    # A last word on the split completes the benchmark, and the record has both validations.
    table = assay("bench", "queue", "settled", "--disputed", "--format", "csv").stdout
    last = filled(table, "dora.csv", "valid")
    assert assay("bench", "validate", "settled", last, "-o", "final").exit_code == 0
    found = Benchmark.load("final")
    assert len(found) == len(own) + 3
    assert [item.annotators for item in found.manifest.validations] == [("anna", "ben", "cleo"), ("dora",)]
    result = assay("bench", "queue", "final", "--disputed")
    assert result.exit_code == 2
    assert "no instance is disputed" in result.stderr


def test_the_new_benchmark_is_another_one_to_its_runs(assay, bench) -> None:
    folder, _, disputed = bench
    Path("anna.jsonl").write_text(json.dumps({"id": disputed[0], "label": "valid"}) + "\n", "utf-8")
    assert assay("bench", "validate", folder, "anna.jsonl", "-o", "settled").exit_code == 0
    origins = []
    for name in (folder, "settled"):
        result = assay("bench", "run", name, "--judge", "length", "--alone", "--format", "json")
        origins.append(json.loads(result.stdout)["origin"])
    assert origins[1]["instances"] == origins[0]["instances"] + 1
    assert origins[1]["fingerprint"] != origins[0]["fingerprint"]


def test_as_json_and_without_a_folder_to_write(assay, bench) -> None:
    folder, _, disputed = bench
    rows = [{"id": name, "label": label} for name, label in zip(disputed, "vviv", strict=True)]
    Path("anna.jsonl").write_text("\n".join(map(json.dumps, rows)), "utf-8")
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    result = assay("bench", "validate", folder, "anna.jsonl", "--format", "json")
    data = json.loads(result.stdout)["settlement"]
    assert data["accepted"] == [disputed[0], disputed[1], disputed[3]]
    assert data["dropped"] == [disputed[2]]
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before


def test_an_older_line_has_no_such_field(bench) -> None:
    folder, _, _ = bench
    row = json.loads((folder / "instances.jsonl").read_text("utf-8").splitlines()[0])
    del row["accepted_by"]
    assert msgspec.convert(row, Instance).accepted_by is None
