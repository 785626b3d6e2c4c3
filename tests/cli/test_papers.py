"""``assay papers``: lists, shows and makes exhibits, and says what it cannot make."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner

from assay.cli.main import root
from assay.meta.papers.exhibits import all_papers
from documents import parse

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


def papers(*words: str) -> tuple[int, str, str]:
    done = CliRunner().invoke(root, ["papers", *words], prog_name="assay")
    return done.exit_code, done.stdout, done.stderr


@pytest.fixture(scope="module")
def bench(tmp_path_factory) -> str:
    folder = tmp_path_factory.mktemp("papers") / "bench"
    words = ["bench", "build", str(EXAMPLES / "heat-pumps"), "-o", str(folder), "--per-type", "2", "-q"]
    assert CliRunner().invoke(root, words, prog_name="assay").exit_code == 0
    return str(folder)


def test_every_exhibit_is_listed_with_how_it_is_made() -> None:
    code, out, _ = papers("list")
    assert code == 0
    for name, paper in all_papers().items():
        assert name in out
        for item in paper.exhibits:
            assert f"    {item.name}: " in out


def test_commands_that_are_named_exist() -> None:
    for paper in all_papers().values():
        for item in paper.exhibits:
            for part in item.command.split("; "):
                if part.startswith("assay "):
                    parse(shlex.split(part.split(" (")[0])[1:])


def test_a_printed_table_and_where_it_disagrees_with_itself() -> None:
    _, out, _ = papers("show", "cot-judges", "--table", "1")
    assert "Overseer" in out
    assert "Debate, DeepSeek-R1-32B σ²: the paper's other values give 0.436" in out
    _, out, _ = papers("show", "reflect", "--table", "2", "-f", "json")
    (shown,) = json.loads(out)
    assert shown["rows"]["GPT-5.4"][1] == 55.7


def test_a_table_is_made_beside_the_printed_one(bench: str) -> None:
    code, out, _ = papers("run", "reflect", "--table", "1", bench, "--judge", "rules", "-q")
    assert code == 0
    assert out.index("rules") < out.index("GPT-5.3-codex")
    assert "Not comparable as they stand." in out
    code, out, _ = papers("run", "reflect", "--table", "1", bench, "--judge", "rules", "-q", "-f", "csv")
    assert out.splitlines()[0] == "source,row,column,value,low,high,n"
    assert "paper,GPT-5.4,Report OV,38.0,,," in out


def test_a_dry_run_sends_nothing(bench: str, tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    words = ("run", "reflect", "--table", "2", bench, "--judge", "direct@openai/gpt-5-mini", "--limit", "1")
    code, out, _ = papers(*words, "--dry-run")
    assert code == 0
    assert "nothing was sent" in out
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("run", "reflect", "x"), "name the exhibit"),
        (("run", "reflect", "--table", "1", "--figure", "2", "x"), "not both"),
        (("run", "reflect", "--table", "two", "x"), "not the number"),
        (("run", "reportlogic", "--table", "4", "x"), "is not made"),
        (("run", "reflect", "--figure", "5", "x"), "is made by assay bench run"),
        (("run", "reportlogic", "--table", "1", "x"), "--labels FILE"),
        (("run", "reflect", "--table", "1", "a", "b"), "name one benchmark"),
        (("show", "reflex"), "reflect"),
    ],
)
def test_refusals_say_what_to_do(words: tuple[str, ...], says: str) -> None:
    code, _, err = papers(*words)
    assert code == 2
    assert says in err
