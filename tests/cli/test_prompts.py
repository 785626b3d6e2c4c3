"""``assay strategies`` and ``assay strategies``."""

from __future__ import annotations

import json

import pytest

from assay.strategies.registry import all_strategies


@pytest.fixture
def cli(assay):
    """Run a command; exit code, stdout, stderr."""

    def run(*arguments):
        result = assay(*arguments)
        return result.exit_code, result.stdout, result.stderr

    return run


def test_strategies_are_listed(cli) -> None:
    code, out, _ = cli("strategies")
    assert code == 0
    for name, strategy in all_strategies().items():
        assert name in out
        assert strategy.summary in out
        assert strategy.source in out
    rows = {line.split()[0]: line.split()[1] for line in out.splitlines()[1:] if not line.startswith(" ")}
    assert rows["overseer"] == "2–10"
    assert rows["debate"] == "3"


def test_strategies_as_json(cli) -> None:
    code, out, _ = cli("strategies", "--format", "json")
    assert code == 0
    rows = {row["name"]: row for row in json.loads(out)}
    assert rows["comparative"]["needs_reference"] == ["score"]
    assert rows["quote_reference"]["needs_reference"] == ["score", "compare", "rank"]
    assert rows["panel"]["options"] == {"early_stop": False}
    assert rows["overseer"]["calls"] == {"least": 2, "most": 10}


@pytest.fixture
def mine(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "mine"
    folder.mkdir()
    (folder / "direct.jinja").write_text("{% block judge %}What of {{ it }}?{% endblock %}\n", "utf-8")
    return folder


def test_prompts_are_listed_with_the_files_in_force(cli, mine) -> None:
    code, out, _ = cli("strategies", "templates")
    assert code == 0
    usual = {row.split()[0]: row.split()[1:] for row in out.splitlines() if row}
    assert usual["layout"] == ["layout.jinja,", "layout.zh.jinja"]
    assert usual["direct"][1:] == ["direct.jinja,", "direct.zh.jinja"]
    assert usual["comparative"][0] != usual["comparative_shuffled"][0]
    _, out, _ = cli("strategies", "templates", "--prompts", str(mine), "--format", "json")
    rows = {row["name"]: row for row in json.loads(out)}
    assert [file["yours"] for file in rows["direct"]["files"]] == [True, False]
    assert rows["direct"]["files"][0]["path"] == str(mine / "direct.jinja")
    assert rows["direct"]["version"] != usual["direct"][0]
    assert rows["brief"]["version"] == usual["brief"][0]


def test_folders_by_variable_and_by_setting(cli, mine, monkeypatch) -> None:
    monkeypatch.setenv("ASSAY_PROMPTS", str(mine))
    assert "What of the report?" in cli("strategies", "show", "direct")[1]
    monkeypatch.delenv("ASSAY_PROMPTS")
    assert "What of the report?" not in cli("strategies", "show", "direct")[1]
    (mine.parent / "assay.toml").write_text('prompts = "mine"\n', "utf-8")
    out = cli("strategies", "show", "direct")[1]
    assert "What of the report?" in out
    assert "(yours)" in out.splitlines()[0]


def test_a_prompt_is_shown_as_sent(cli, mine) -> None:
    code, out, _ = cli("strategies", "show", "panel", "--mode", "compare", "--rubric", "reportlogic")
    assert code == 0
    assert out.count("━━ call") == 4
    assert out.count("shared up to here") == 4
    assert "Report B, to be judged:" in out
    before, after = out.split("shared up to here", 1)
    assert "to be judged" in before
    assert "exacting" in after
    code, out, _ = cli("strategies", "show", "debate", "--language", "zh")
    assert code == 0
    assert out.count("shared up to here") == 2  # the arbiter is shown nothing
    assert "你是仲裁者" in out


def test_a_prompt_as_json(cli, mine) -> None:
    _, out, _ = cli("strategies", "show", "quote", "--format", "json")
    shown = json.loads(out)
    (call,) = shown["calls"]
    system, user = call["messages"]
    assert (system["role"], user["role"]) == ("system", "user")
    assert user["content"][user["shared"] :].startswith("\nJudge the report.")
    assert list(call["schema"]["properties"]) == ["quotes", "reasoning", "score"]


def test_a_raw_template_can_be_taken_and_changed(cli, mine) -> None:
    _, text, _ = cli("strategies", "show", "full", "--raw")
    (mine / "full.jinja").write_text(text.replace("Reason step by step", "Ponder"), "utf-8")
    assert "Ponder before you decide" in cli("strategies", "show", "full", "--prompts", str(mine))[1]
    assert cli("strategies", "show", "layout", "--raw", "--language", "zh")[1].startswith("{% block system")


def test_what_cannot_be_shown(cli, mine) -> None:
    for arguments, message in (
        (("show", "quotes"), "no strategy and no assignment is called 'quotes'; did you mean 'quote'?"),
        (("show", "layout"), "add --raw"),
        (("show", "full", "--rubric", "reportlogik"), "reportlogic"),
        (("show", "full", "--prompts", "nowhere"), "nowhere: is not a folder of prompts"),
    ):
        code, _, err = cli("strategies", *arguments)
        assert code == 2
        assert message in err
    (mine / "full.jinja").write_text("{% block judge %}{{ oops }}{% endblock %}", "utf-8")
    code, _, err = cli("strategies", "show", "full", "--prompts", str(mine))
    assert (code, "'oops' is undefined" in err) == (2, True)


def test_assignments_are_listed_and_shown(cli, mine) -> None:
    _, out, _ = cli("strategies", "templates", "--format", "json")
    kinds = {row["name"]: row["kind"] for row in json.loads(out)}
    assert (kinds["layout"], kinds["full"], kinds["suitability"]) == ("frame", "strategy", "assignment")
    code, out, _ = cli("strategies", "show", "drafting", "--language", "zh")
    assert code == 0
    assert "━━ system\n你负责起草评审标准，用来评审回答某一研究问题的报告" in out
    assert "━━ task, as a template: a task fills it in\n" in out
    assert "{{ least }}" in out
    _, out, _ = cli("strategies", "show", "suitability", "--format", "json")
    shown = json.loads(out)
    assert [(block["name"], block["rendered"]) for block in shown["blocks"]] == [
        ("system", True),
        ("task", True),
    ]
    assert shown["source"] == "reportlogic, section 3 and figure 8"
    assert kinds["editing"] == kinds["validity"] == "assignment"
    assert "好的改写读来自然" in cli("strategies", "show", "editing", "--language", "zh")[1]


def test_an_assignment_can_be_taken_and_changed(cli, mine) -> None:
    _, text, _ = cli("strategies", "show", "suitability", "--raw")
    (mine / "suitability.jinja").write_text(
        text.replace("You screen questions", "You sort questions"), "utf-8"
    )
    out = cli("strategies", "show", "suitability", "--prompts", str(mine))[1]
    assert "(yours)" in out.splitlines()[0]
    assert "You sort questions" in out
