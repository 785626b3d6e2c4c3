"""``assay bench``, ``card``, ``gate`` and ``drift``, from files to exit codes."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
SOURCES = [EXAMPLES / "heat-pumps", EXAMPLES / "shanghai-reuse", EXAMPLES / "trajectories" / "clean.json"]


@pytest.fixture(scope="module")
def bench(tmp_path_factory) -> Path:
    """A benchmark of the project's own examples, built once."""
    from click.testing import CliRunner

    from assay.cli.main import root

    folder = tmp_path_factory.mktemp("bench") / "b"
    made = CliRunner().invoke(
        root,
        ["bench", "build", *map(str, SOURCES), "-o", str(folder), "--types", "all", "--per-type", "2"],
        prog_name="assay",
    )
    assert made.exit_code == 0, made.output
    return folder


def rows(path: Path) -> list[dict]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def run_of(bench: Path) -> Path:
    return max((bench / "trials").iterdir(), key=lambda path: path.stat().st_mtime)


def test_a_build_says_what_it_made(bench: Path) -> None:
    found = rows(bench / "instances.jsonl")
    # No failure of a trajectory is planted by rule; an attack on its tools' responses is.
    assert {row["kind"] for row in found if row["level"] == "process"} == {"manipulation"}
    assert {row["level"] for row in found} == {"outcome", "process"}
    assert len({row["id"] for row in found}) == len(found)
    manifest = json.loads((bench / "bench.json").read_text("utf-8"))
    assert manifest["instances"] == len(found)
    assert sum(item["instances"] for item in manifest["types"].values()) == len(found)
    assert {item["detector"] for item in manifest["giveaways"]} == {"longer", "shorter", "length", "style"}


def test_the_same_command_builds_the_same_benchmark(assay, bench: Path, tmp_path) -> None:
    again = assay("bench", "build", *SOURCES, "-o", tmp_path / "b", "--types", "all", "--per-type", 2)
    assert again.exit_code == 0
    assert (tmp_path / "b" / "instances.jsonl").read_bytes() == (bench / "instances.jsonl").read_bytes()


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (["--types", "fabricatoin"], "did you mean 'fabrication'"),
        (["--editor", "nobody/nothing"], "nobody"),
        (["--requests", "out.jsonl"], "none is named"),
        (["--per-type", "0"], "--per-type"),
    ],
)
def test_a_build_refuses(assay, tmp_path, more: list[str], said: str) -> None:
    result = assay("bench", "build", SOURCES[0], "-o", tmp_path / "b", *more)
    assert result.exit_code == 2
    assert said in result.stderr
    assert not (tmp_path / "b").exists()


def test_a_build_of_nothing_is_told(assay, tmp_path) -> None:
    (tmp_path / "short.md").write_text("Nothing much.\n", "utf-8")
    result = assay("bench", "build", tmp_path / "short.md", "-o", tmp_path / "b")
    assert result.exit_code == 2
    assert "no instance was built" in result.stderr


def test_types_that_no_subject_is_for_are_told(assay, tmp_path) -> None:
    result = assay("bench", "build", SOURCES[0], "-o", tmp_path / "b", "--per-type", 1)
    assert result.exit_code == 0
    assert "types of level process need trajectories, and the input has none" in result.stderr
    assert "level outcome" not in result.stderr


def test_the_folder_that_is_read_is_not_written(assay, tmp_path) -> None:
    (tmp_path / "r.md").write_text((EXAMPLES / "heat-pumps" / "good.md").read_text("utf-8"), "utf-8")
    result = assay("bench", "build", tmp_path, "-o", tmp_path)
    assert result.exit_code == 2
    assert "name another one" in result.stderr


def test_model_free_judges(assay, bench: Path) -> None:
    result = assay("bench", "run", bench, "--judge", "rules", "--interface", "pairwise", "--format", "json")
    assert result.exit_code == 0, result.stderr
    data = json.loads(result.stdout)
    assert data["schema"] == "assay.bench-result/1"
    assert data["judge"] == "rules"
    assert data["coverage"] == 1.0
    assert data["n"] == sum(item["instances"] for item in data["by_type"].values())
    assert [item["judge"] for item in data["beside"]] == ["length", "random"]
    assert data["usage"]["calls"] == 0
    assert 0 <= data["accuracy"]["low"] <= data["accuracy"]["value"] <= data["accuracy"]["high"] <= 1
    # A text beside itself has no winner.
    assert data["robustness"]["coverage"] == 1.0


def test_a_judge_that_asks_a_model(assay, bench: Path, tmp_path) -> None:
    ledger = tmp_path / "l.sqlite"
    asked = [
        "bench",
        "run",
        bench,
        "--judge",
        "direct@scripted/random",
        "--types",
        "failures",
        "--ledger",
        ledger,
        "--format",
        "json",
    ]
    both = ("--granularity", "both", "--judge", "full@scripted/random")
    result = assay(*asked, *both, "--rubric", "usual", "--rubric", "none")
    assert result.exit_code == 0, result.stderr
    data = json.loads(result.stdout)
    assert data["schema"] == "assay.bench-results/1"
    assert len(data["results"]) == 8
    assert {item["axis"] for item in data["contrasts"]} == {"granularity", "rubric", "reasoning", "judge"}
    assert all(item["usage"]["calls"] > 0 for item in data["results"])
    # The same again costs nothing: it is in the ledger.
    again = assay(*asked, "--granularity", "fine", "--rubric", "none")
    assert "nothing was asked" in again.stderr
    first = next(
        item
        for item in data["results"]
        if item["judge"] == "direct@scripted/random"
        and item["condition"]["granularity"] == "fine"
        and item["condition"]["rubric"] == "overall"
    )
    assert json.loads(again.stdout)["accuracy"] == first["accuracy"]


@pytest.mark.parametrize("interface", ["pairwise", "ranking"])
def test_the_other_interfaces(assay, bench: Path, tmp_path, interface: str) -> None:
    result = assay(
        "bench", "run", bench, "--judge", "direct@scripted/random", "--interface", interface, "--types", "outcome",
        "--ledger", "none", "--format", "json", "--alone",
    )  # fmt: skip
    assert result.exit_code == 0, result.stderr
    data = json.loads(result.stdout)
    assert data["beside"] == []
    assert data["condition"]["interface"] == interface
    assert data["best_of_n"]
    assert (data["orders"] is not None) == (interface == "pairwise")


def test_a_model_is_asked_where_the_fault_is(assay, bench: Path) -> None:
    result = assay(
        "bench", "run", bench, "--judge", "direct@scripted/random", "--types", "expression_quality", "--localise", "--ledger", "none",
        "--format", "json", "--alone",
    )  # fmt: skip
    place = json.loads(result.stdout)["localisation"]
    assert place["by"] == "asked"
    assert place["span_overlap"]["n"] > 0


def test_a_judge_that_cannot_be_read_is_counted_and_the_exit_code_says_so(
    assay, bench: Path, tmp_path
) -> None:
    (tmp_path / "mute.jsonl").write_text('{"text": "I would rather not say."}\n' * 500, "utf-8")
    result = assay(
        "bench",
        "run",
        bench,
        "--judge",
        "direct@scripted/mute.jsonl",
        "--types",
        "expression_quality",
        "--ledger",
        "none",
        "--alone",
        "--format",
        "json",
    )
    assert result.exit_code == 3
    assert "no verdict" in result.stderr
    data = json.loads(result.stdout)
    assert data["coverage"] == 0
    assert data["accuracy"]["value"] is None


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (["--judge", "rulse"], "rules"),
        (["--judge", "rules", "--repetitions", "3"], "--repetitions would do nothing"),
        (["--judge", "rules", "--localise"], "--localise would do nothing"),
        (
            ["--judge", "direct@scripted/random", "--granularity", "fine", "--interface", "pairwise"],
            "--interface pointwise",
        ),
        (["--judge", "direct@scripted/random", "--reference", "x.md"], "x.md"),
        (["--judge", "direct@scripted/random", "--rubric", "reportlogik"], "reportlogic"),
        (["--types", "nothing"], "no type is called"),
    ],
)
def test_a_run_refuses(assay, bench: Path, more: list[str], said: str) -> None:
    result = assay("bench", "run", bench, *more)
    assert result.exit_code == 2
    assert said in result.stderr


def test_no_benchmark(assay, tmp_path) -> None:
    result = assay("bench", "run", tmp_path)
    assert result.exit_code == 2
    assert "assay bench build" in result.stderr


def test_from_run_to_card_gate_and_drift(assay, bench: Path, tmp_path) -> None:
    assert assay("bench", "run", bench, "--judge", "rules", "--interface", "pairwise").exit_code == 0
    run = run_of(bench)
    page = assay("bench", "card", run)
    assert page.exit_code == 0
    assert "<h1>rules</h1>" in page.stdout
    assert "What it missed" in page.stdout
    card = json.loads(assay("bench", "card", run, "--format", "json").stdout)
    assert card["schema"] == "assay.card/1"
    assert card["detection"]["schema"] == "assay.bench-result/1"
    assert [spot["value"] for spot in card["spots"]] == sorted(spot["value"] for spot in card["spots"])
    accuracy = card["detection"]["accuracy"]["value"]
    kept = assay("bench", "gate", run, "--min", f"detection={accuracy - 0.01}", "--max", "ties=1")
    assert (kept.exit_code, "all 2 bounds kept" in kept.stdout) == (0, True)
    broken = assay("bench", "gate", run, "--min", f"detection={accuracy + 0.01}")
    assert (broken.exit_code, "NOT KEPT" in broken.stdout) == (1, True)
    # The end of an interval is harder to keep than the value.
    assert assay("bench", "gate", run, "--min", f"detection={accuracy - 0.01}", "--sure").exit_code == 1
    unknown = assay("bench", "gate", run, "--min", "detecton=0.5")
    assert (unknown.exit_code, "detection" in unknown.stderr) == (2, True)
    assert "detection.expression_quality" in assay("bench", "gate", run).stdout
    drift = assay("bench", "drift", run)
    assert drift.exit_code == 0, drift.stderr
    assert "0 with another verdict" in drift.stdout
    moved = assay("bench", "drift", run, "--judge", "random", "--format", "json", "--save", tmp_path / "new")
    data = json.loads(moved.stdout)
    assert data["schema"] == "assay.drift/1"
    assert data["moved"]
    assert moved.exit_code == int(data["drifted"])
    assert (tmp_path / "new" / "result.json").is_file()


def test_judges_compared_on_one_page(assay, bench: Path) -> None:
    assay("bench", "run", bench, "--judge", "rules", "--judge", "length", "--types", "outcome")
    result = assay("bench", "card", run_of(bench))
    assert "Judges compared" in result.stdout
    one = assay("bench", "card", run_of(bench), "--condition", "length")
    assert "<h1>length</h1>" in one.stdout
    assert assay("bench", "card", run_of(bench), "--condition", "lenght").exit_code == 2


def test_a_gate_reads_files_too(assay, bench: Path, tmp_path) -> None:
    out = tmp_path / "result.json"
    assert (
        assay("bench", "run", bench, "--judge", "rules", "--format", "json", "-o", out, "--no-save").exit_code
        == 0
    )
    assert assay("bench", "gate", out, "--max", "detection=1").exit_code == 0
    (tmp_path / "agreement.json").write_text(
        json.dumps(
            {
                "schema": "assay.agreement/1",
                "n": 9,
                "coverage": 1.0,
                "metrics": {"cohen_kappa": {"value": 0.4, "low": 0.2, "high": 0.6, "n": 9}},
            }
        ),
        "utf-8",
    )
    assert assay("bench", "gate", tmp_path / "agreement.json", "--min", "cohen_kappa=0.3").exit_code == 0
    assert (
        assay("bench", "gate", tmp_path / "agreement.json", "--min", "cohen_kappa=0.3", "--sure").exit_code
        == 1
    )
    for text in ("{}", "[1]", "{", '{"schema": "assay.bench-result/1"}'):
        (tmp_path / "bad.json").write_text(text, "utf-8")
        result = assay("bench", "gate", tmp_path / "bad.json", "--min", "detection=0")
        assert result.exit_code == 2, text
        assert "bad.json" in result.stderr
    for bound in ("detection", "detection=much", "=1", "detection=nan", "detection=70"):
        assert assay("bench", "gate", out, "--min", bound).exit_code == 2


def test_a_run_of_something_else_is_refused(assay, tmp_path) -> None:
    for text in ("", "{}\n", "[1]\n", '{"instance": "x"}\n', "\x00\n"):
        (tmp_path / "trials.jsonl").write_text(text, "utf-8")
        for command in ("card", "gate", "drift"):
            result = assay(command, tmp_path)
            assert result.exit_code == 2, (command, text, result.output)
            assert "Traceback" not in result.output


def test_people_label_and_what_is_valid_is_kept(assay, bench: Path, tmp_path) -> None:
    table = assay(
        "bench", "queue", bench, "--format", "csv", "--types", "expression_quality,citation_groundedness"
    ).stdout
    pairs = list(csv.DictReader(io.StringIO(table)))
    assert len(pairs) == 4
    for name, labels in (("anna", "valid valid invalid valid"), ("ben", "valid ambiguous invalid valid")):
        for row, label in zip(pairs, labels.split(), strict=True):
            row["label"] = label
        stream = io.StringIO()
        writer = csv.DictWriter(stream, fieldnames=list(pairs[0]))
        writer.writeheader()
        writer.writerows(pairs)
        (tmp_path / f"{name}.csv").write_text(stream.getvalue(), "utf-8")
    files = [tmp_path / "anna.csv", tmp_path / "ben.csv"]
    result = assay("bench", "validate", bench, *files, "-o", tmp_path / "kept")
    assert result.exit_code == 0, result.stderr
    # Two labels alike of three kinds of label: by hand (3/4 - 7/16) / (1 - 7/16).
    assert "anna and ben: κ 0.56" in result.stdout
    assert [row["id"] for row in rows(tmp_path / "kept" / "instances.jsonl")] == [
        pairs[0]["id"],
        pairs[3]["id"],
    ]
    assert assay("bench", "validate", bench, files[0], files[0]).exit_code == 2


def test_instances_and_types_can_be_looked_at(assay, bench: Path) -> None:
    shown = assay("bench", "show", bench, "--types", "expression_quality", "--limit", 1)
    assert shown.exit_code == 0
    assert "{+" in shown.stdout or "[-" in shown.stdout
    assert assay("bench", "show", bench, "no-such-id").exit_code == 2
    types = assay("bench", "types", "--format", "json")
    found = [json.loads(line) for line in types.stdout.splitlines()]
    assert sum(item["kind"] == "failure" for item in found) == 17
    assert sum(item["kind"] == "failure" and item["level"] == "process" for item in found) == 10
    assert {item["dimension"] for item in found if item["kind"] == "targeted"} == set(
        "task_alignment global_coherence internal_consistency concept_introduction local_coherence evidence_sufficiency "
        "warrants_causality qualifiers_counterpoints".split()
    )
    assert {item["name"] for item in found if item["kind"] == "bias"} == {
        "length",
        "structure",
        "qualifier_wording",
        "evidence_illusion",
        "causal_display",
    }
    assert "Failures: the reference must win" in assay("bench", "types").stdout


def test_two_runs_are_compared(assay, bench: Path, tmp_path) -> None:
    for judge in ("rules", "length"):
        done = assay(
            "bench", "run", bench, "--judge", judge, "--interface", "pairwise", "--save", tmp_path / judge
        )
        assert done.exit_code == 0
    result = assay("bench", "compare", tmp_path / "rules", tmp_path / "length")
    assert result.exit_code == 0, result.stderr
    assert "A less B: judge" in result.stdout
    assert "It detects" in result.stdout
    data = json.loads(assay("bench", "compare", tmp_path / "rules", tmp_path / "length", "-f", "json").stdout)
    assert [item["condition"]["judge"] for item in data["results"]] == ["rules", "length"]
    assert len(data["contrasts"]) == 1
    assert "Judges compared" in assay("bench", "compare", *[tmp_path / "rules"] * 2, "-f", "html").stdout
    assert assay("bench", "compare", tmp_path / "rules").exit_code == 2


def test_two_prompts_are_tested_against_each_other_under_their_names(assay, bench: Path, tmp_path) -> None:
    prompts = []
    for name in ("plain", "strict"):
        (tmp_path / f"{name}.txt").write_text(f"Judge it. Be {name}.", "utf-8")
        prompts += ["--judge", f"{tmp_path / name}.txt@scripted/random"]
    limits = ("--types", "failures", "--limit", "1", "--alone", "--ledger", tmp_path / "l.sqlite")
    result = assay("bench", "run", bench, *prompts, *limits, "--format", "json")
    assert result.exit_code == 0, result.stderr
    data = json.loads(result.stdout)
    titles = [item["condition"].get("label") for item in data["results"]]
    assert titles == ["plain@scripted/random", "strict@scripted/random"]
    assert [item["axis"] for item in data["contrasts"]] == ["judge"]
