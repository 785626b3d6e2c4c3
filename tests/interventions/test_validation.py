"""Labels of annotators: read, agreed on, refused where they are none. κ against scikit-learn."""

from __future__ import annotations

import csv
import io

import msgspec
import pytest
from bench_parts import NUMBERS, QUERIES, report, trajectory
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.errors import InputError
from assay.interventions.building import build
from assay.interventions.validation import annotation_queue, read_validation, validate

BUILT = build([*(report(seed) for seed in range(10)), trajectory()], [NUMBERS, QUERIES], per_type=9).instances
IDS = [item.id for item in BUILT]
LABELS = ("valid", "invalid", "ambiguous")


def test_the_queue_shows_both_sides_of_the_place() -> None:
    for item in annotation_queue(BUILT):
        assert item.before != item.after
        assert len(item.before) < 1200
        assert item.note
        instance = next(one for one in BUILT if one.id == item.id)
        if "report" in instance.reference:
            # Whole lines, so that no link or table is cut.
            lines = instance.reference["report"].splitlines()
            assert all(line.strip("…") in lines for line in item.before.splitlines())
    step = next(item for item in annotation_queue(BUILT) if item.type == "queries")
    assert "song of the south" in step.after
    assert "Step 2" not in step.after


@settings(deadline=None)
@given(st.lists(st.tuples(st.sampled_from(LABELS), st.sampled_from(LABELS)), min_size=2, max_size=len(IDS)))
def test_kappa_is_cohens(pairs: list[tuple[str, str]]) -> None:
    sklearn = pytest.importorskip("sklearn.metrics")
    first = {key: a for key, (a, _) in zip(IDS, pairs, strict=False)}
    second = {key: b for key, (_, b) in zip(IDS, pairs, strict=False)}
    found = validate(BUILT, {"anna": first, "ben": second}).agreement[0]
    a, b = zip(*pairs, strict=True)
    assert found.n == len(pairs)
    assert found.share == pytest.approx(sum(x == y for x, y in pairs) / len(pairs))
    if len(set(a) | set(b)) > 1:
        assert found.kappa == pytest.approx(sklearn.cohen_kappa_score(a, b, labels=list(LABELS)))
    else:
        assert found.kappa is None


def test_what_is_kept() -> None:
    found = validate(
        BUILT,
        {
            "anna": {IDS[0]: "valid", IDS[1]: "valid", IDS[2]: "invalid", IDS[3]: "ambiguous"},
            "ben": {IDS[0]: "valid", IDS[1]: "ambiguous", IDS[4]: "valid"},
        },
    )
    assert found.valid == (IDS[0], IDS[4])
    assert found.rejected == (IDS[2],)
    assert found.agreement[0].disputed == (IDS[1],)
    assert len(found.unseen) == len(IDS) - 5
    assert found.by_type["numbers"]["disputed"] == 1


@pytest.mark.parametrize("form", ["csv", "jsonl"])
def test_a_filled_queue_is_read(form: str, tmp_path) -> None:
    rows = [msgspec.structs.asdict(item) for item in annotation_queue(BUILT)]
    for row, label in zip(rows, ("1", "Invalid", "?", ""), strict=False):
        row["label"] = label
    path = tmp_path / f"anna.{form}"
    if form == "csv":
        stream = io.StringIO()
        writer = csv.DictWriter(stream, fieldnames=list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
        path.write_text(stream.getvalue(), "utf-8-sig")
    else:
        path.write_bytes(b"\n".join(msgspec.json.encode(row) for row in rows))
    assert read_validation(path) == {IDS[0]: "valid", IDS[1]: "invalid", IDS[2]: "ambiguous"}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("id,label\nx,perhaps\n", "anna.csv:2"),
        ("name,label\nx,valid\n", "has no id"),
        ('{"id": "x", "label": "valid"}\n{', "anna.csv:2"),
        ("id,label\nx,valid\nx,valid\n", "labelled twice"),
    ],
)
def test_a_bad_row_is_refused_with_its_line(text: str, said: str, tmp_path) -> None:
    path = tmp_path / "anna.csv"
    path.write_text(text, "utf-8")
    with pytest.raises(InputError, match=said):
        read_validation(path)


def test_labels_of_another_benchmark_are_refused() -> None:
    with pytest.raises(InputError, match="labels of unknown instances: 1"):
        validate(BUILT, {"anna": {"x": "valid"}})
