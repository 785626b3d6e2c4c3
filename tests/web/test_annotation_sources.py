"""What makes items to label: rows of two texts, judgments, benchmarks, and runs with the rubric that they had."""

import json
from types import SimpleNamespace

import msgspec
import pytest

from assay.errors import InputError, UsageError
from assay.rubrics.loader import load_rubric
from assay.web.annotation.pair_sources import pairs_in, subjects_in


def write(path, *rows):
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    return str(path)


@pytest.mark.parametrize(("a", "b"), [("a", "b"), ("response_a", "response_b"), ("output_1", "output_2")])
def test_rows_of_two_texts_are_pairs(tmp_path, a, b):
    rows = [
        {"id": f"q{n}", "prompt": "What does it cost?", a: f"It costs {n} crowns.", b: "Nobody knows that."}
        for n in range(3)
    ]
    items = list(pairs_in([write(tmp_path / "pairs.jsonl", *rows)]))
    assert [item.subject for item in items] == [f"q{n}#A | q{n}#B" for n in range(3)]
    assert items[1].texts == ({"report": "It costs 1 crowns."}, {"report": "Nobody knows that."})
    assert items[0].query == "What does it cost?"


def test_a_row_without_its_second_text_is_named(tmp_path):
    path = write(tmp_path / "pairs.jsonl", {"a": "One text.", "b": "Another text."}, {"a": "One text."})
    with pytest.raises(InputError, match=r"two texts") as error:
        list(pairs_in([path]))
    assert error.value.where == f"{path}:2"


def test_reports_still_make_pairs_by_their_question(tmp_path):
    rows = [{"query": "Q?", "report": f"Report number {n}.", "system": f"s{n}"} for n in range(3)]
    assert len(list(pairs_in([write(tmp_path / "reports.jsonl", *rows)]))) == 3


def test_judgments_name_what_is_labelled(tmp_path):
    for name in ("x", "y", "z"):
        (tmp_path / f"{name}.md").write_text(f"# {name}\n\nA short report.\n", "utf-8")
    judged = write(
        tmp_path / "judgments.jsonl",
        {"schema": "assay.judgment/1", "subject": "x.md | y.md", "judge": "j", "mode": "compare"},
        {"schema": "assay.judgment/1", "subject": "x.md | y.md", "judge": "k", "mode": "compare"},
        {"schema": "assay.judgment/1", "subject": "y.md | z.md", "judge": "j", "mode": "compare"},
    )
    pairs = list(pairs_in([judged]))
    assert [[text["report"][2] for text in item.texts] for item in pairs] == [["x", "y"], ["y", "z"]]
    assert [subject.source[2] for subject in subjects_in([judged])] == ["x", "y", "z"]
    lost = write(tmp_path / "lost.jsonl", {"schema": "assay.judgment/1", "subject": "gone.md | x.md"})
    with pytest.raises(UsageError, match=r"a judgment names 'gone\.md'"):
        list(pairs_in([lost]))


def test_instances_of_a_benchmark_are_pairs(tmp_path, examples):
    from assay.meta.benchmark import Benchmark

    bench = Benchmark.build([str(examples / "heat-pumps")], types="outcome", per_type=1)
    bench.save(tmp_path / "bench")
    items = list(pairs_in([str(tmp_path / "bench")]))
    assert len(items) == len(bench.instances) > 0
    assert items[0].texts == (bench.instances[0].reference, bench.instances[0].perturbed)


def test_people_answer_the_rubric_that_the_judges_of_a_run_had():
    from assay.web.annotation.run_cases import run_rubric

    def ledger_of(rubrics, heads=()):
        row = SimpleNamespace(provenance={"rubrics": rubrics} if rubrics else {})
        return SimpleNamespace(
            ledger=SimpleNamespace(run=lambda _: row), source=lambda _: SimpleNamespace(heads=lambda: heads)
        )

    kept = {name: msgspec.to_builtins(load_rubric(name)) for name in ("overall", "reflect-report")}
    assert run_rubric(ledger_of({"1": kept["overall"]}), "r").name == "overall"
    with pytest.raises(UsageError, match="had overall, reflect-report"):
        run_rubric(ledger_of(kept), "r")
    assert run_rubric(ledger_of(kept), "r", "overall").name == "overall"
    by_name = ledger_of(None, [SimpleNamespace(rubric="overall")])
    assert run_rubric(by_name, "r").name == "overall"
    with pytest.raises(UsageError, match="does not keep its rubric"):
        run_rubric(ledger_of(None, [SimpleNamespace(rubric="mine")]), "r")
