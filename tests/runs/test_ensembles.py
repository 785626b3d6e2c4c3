"""Judges of a run put together."""

import json

import pytest
from run_helpers import run_all, write_rows

from assay.errors import InputError
from assay.judges.judgment import Judgment
from assay.runs.ensembles import ensembles_of
from assay.runs.experiment_file import parse_experiment
from assay.runs.records import JudgmentRow

TEXT = (
    "subjects: ['*.jsonl']\ncompare: id\nrubrics: overall\nensemble: [majority, consensus]\n"
    "judges: [direct@scripted/random, brief@scripted/random, structured@scripted/random]\n"
)


def row(judge, preference, *, status="ok", trial=0, **tags):
    said = Judgment(
        subject="a | b",
        judge="j",
        rubric="r",
        preference=preference,
        by_order={"AB": preference, "BA": preference},
        status=status,
    )
    about = {"judge": judge, "mode": "compare", "id_a": "1", "id_b": "1", **tags}
    return JudgmentRow(
        key=f"{judge}{trial}", judge_version="v", trial=trial, judgment=said, tags=about, at=0.0
    )


def test_each_pair_and_trial_has_one_of_each_rule():
    rows = [
        row(judge, verdict, trial=trial)
        for trial in (0, 1)
        for judge, verdict in (("x", "A>B"), ("y", "A>B"), ("z", "A<B"))
    ]
    found = ensembles_of(rows, ["majority", "consensus"])
    assert [(item.trial, item.tags["ensemble"], item.judgment.preference) for item in found] == [
        (0, "majority", "A>B"),
        (0, "consensus", None),
        (1, "majority", "A>B"),
        (1, "consensus", None),
    ]
    assert len({item.key for item in found}) == 4
    assert {item.tags["judge"] for item in found} == {"majority of 3", "consensus of 3"}


def test_one_judge_alone_and_what_is_no_pair_make_none():
    assert ensembles_of([row("x", "A>B")], ["majority"]) == []
    assert ensembles_of([row("x", "A>B", mode="rank"), row("y", "A>B", mode="rank")], ["majority"]) == []
    apart = [row("x", "A>B", id_b="1"), row("y", "A>B", id_b="2")]
    assert ensembles_of(apart, ["majority"]) == []


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
            if "ensemble" not in item.tags and item.tags["id_a"] == one.tags["id_a"]
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
