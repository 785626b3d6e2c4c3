"""Judges of a run put together."""

import asyncio
import json

import pytest
from run_helpers import run_all, write_rows

from assay.errors import AssayError, InputError
from assay.runs.experiment_file import parse_experiment
from assay.runs.run_options import RunOptions
from assay.runs.runner import estimated

TEXT = (
    "subjects: ['*.jsonl']\ncompare: id\nrubrics: overall\nensemble: [majority, consensus]\n"
    "judges: [direct@scripted/random, brief@scripted/random, structured@scripted/random]\n"
)


def test_judges_without_a_model_and_ensembles_are_judges_like_others(tmp_path):
    for system in ("ada", "bob"):
        write_rows(tmp_path / f"{system}.jsonl", 3, system=system)
    text = (
        "subjects: ['*.jsonl']\ncompare: id\nrubrics: overall\njudges:\n"
        "- direct@scripted/random\n- rules\n- {judge: length, name: size}\n"
        "- majority(direct@scripted/random rules length)\n"
        "- {ensemble: consensus, judges: [brief@scripted/random, random], name: pair}\n"
    )
    made = parse_experiment(text, base=tmp_path, name="free")
    survey, estimates = asyncio.run(estimated(made, None, RunOptions()))
    run, rows = run_all(made, str(tmp_path / "ledger.sqlite"))
    by = {}
    for item in rows:
        by.setdefault(item.tags["judge"], []).append(item.judgment)
    both = "majority(direct@scripted/random rules length)"
    assert {name: len(found) for name, found in by.items()} == dict.fromkeys(
        ("direct@scripted/random", "rules", "size", both, "pair"), 3
    )
    assert survey.judgments == [3, 3, 3, 3, 3]
    # The majority asks nothing that its member has not asked; the pair asks for itself.
    assert [item.calls for item in estimates] == [6, 0, 0, 0, 6]
    assert run.session.spending.spent.calls == 12
    assert {item.status for found in by.values() for item in found} == {"ok"}
    again, same = run_all(made, str(tmp_path / "ledger.sqlite"))
    assert (again.progress.made, again.progress.recalled, len(same)) == (0, 15, 15)


@pytest.mark.parametrize(
    ("judges", "said"),
    [
        ("[majority(length)]", "is not an ensemble"),
        ("[{ensemble: majority}]", "is not an ensemble"),
        ("[{judge: rules, modes: score}]", "is for , but the experiment"),
    ],
)
def test_what_is_no_ensemble(tmp_path, judges, said):
    write_rows(tmp_path / "a.jsonl", 2, system="a")
    text = f"subjects: a.jsonl\ncompare: id\njudges: {judges}\n"
    with pytest.raises(AssayError, match=said):
        run_all(parse_experiment(text, base=tmp_path, name="x"), str(tmp_path / "l"))


def test_a_run_has_them_as_one_more_judge_and_makes_them_once(tmp_path):
    for system in ("ada", "bob"):
        write_rows(tmp_path / f"{system}.jsonl", 4, system=system)
    made = parse_experiment(TEXT, base=tmp_path, name="three")
    where = str(tmp_path / "ledger.sqlite")
    _, first = run_all(made, where)
    _, again = run_all(made, where)
    by = {}
    for item in first:
        by.setdefault(item.tags["judge"], []).append(item)
    assert {name: len(rows) for name, rows in by.items()} == {
        "direct@scripted/random": 4,
        "brief@scripted/random": 4,
        "structured@scripted/random": 4,
        "majority of 3": 4,
        "consensus of 3": 4,
    }
    assert len(again) == len(first)
    for one in by["consensus of 3"]:
        members = [
            item.judgment.by_order["AB"]
            for item in first
            if "@" in item.tags["judge"] and item.tags["id_a"] == one.tags["id_a"]
        ]
        assert one.judgment.by_order["AB"] == (members[0] if len(set(members)) == 1 else None)


def test_it_takes_two_judges_of_pairs():
    with pytest.raises(InputError, match="ensemble takes two judges"):
        parse_experiment("subjects: [a]\njudges: [direct@a/b]\ncompare: id\nensemble: majority")
    with pytest.raises(InputError, match="did you mean 'majority'"):
        parse_experiment("subjects: [a]\njudges: [direct@a/b, brief@a/b]\ncompare: id\nensemble: majorty")


class TestCommand:
    def run(self, *args):
        from click.testing import CliRunner

        from assay.cli.main import root

        return CliRunner().invoke(root, ["compare", *args])

    def reports(self, folder):
        for name in "ab":
            (folder / f"{name}.md").write_text(f"# {name}\n\nPumps are quiet in case {name}.\n", "utf-8")
        return [str(folder / f"{name}.md") for name in "ab"]

    def test_several_judges_are_put_together(self, tmp_path):
        judges = [
            word
            for name in ("direct", "brief", "structured")
            for word in ("--judge", f"{name}@scripted/random")
        ]
        words = [*self.reports(tmp_path), *judges, "--rubric", "overall", "--ledger", "none", "-q"]
        text = self.run(*words, "--ensemble", "majority")
        assert text.exit_code == 0, text.output
        assert "majority of 3: " in text.output
        lines = self.run(*words, "--ensemble", "consensus", "-f", "json").output.splitlines()
        rows = [json.loads(line) for line in lines if line.startswith("{")]
        assert [row["judge"].partition("@")[0].partition("(")[0] for row in rows] == [
            "direct",
            "brief",
            "structured",
            "consensus",
        ]

    @pytest.mark.parametrize(
        ("words", "said"),
        [
            (("--judge", "direct@a/b", "--judge", "brief@a/b"), "several judges are named"),
            (("--judge", "direct@a/b", "--ensemble", "majority"), "takes at least two judges"),
            (("--judge", "direct@a/b", "--judge", "rules", "--ensemble", "majority"), "'rules' has none"),
        ],
    )
    def test_what_cannot_be_is_said(self, tmp_path, words, said):
        result = self.run(*self.reports(tmp_path), *words)
        assert result.exit_code == 2
        assert said in str(result.output) + str(result.exception)
