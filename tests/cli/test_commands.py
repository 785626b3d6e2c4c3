"""The other commands, and what holds for all of them."""

import json

import click
import pytest

from assay.checks.registry import all_checks
from assay.cli.arguments import ADVANCED, GroupedOption
from assay.cli.command_table import COMMANDS, ELSEWHERE, RENAMED, SECTIONS, walk
from assay.cli.commands import load_command

EVERY = dict(walk(COMMANDS))


def test_help_lists_every_command(assay):
    result = assay("--help")
    assert result.exit_code == 0
    for title, entries in SECTIONS.items():
        assert len(entries) <= 7, f"{title}: a section of the help that takes more than a glance"
        assert f"{title}:" in result.stdout
        for name, entry in entries.items():
            assert f"\n  {name.ljust(11)}  {entry.line}\n" in result.stdout


@pytest.mark.parametrize("path", EVERY)
def test_each_command_has_help(assay, path):
    result = assay(*path.split(), "--help")
    assert result.exit_code == 0
    assert result.stdout.startswith(f"Usage: assay {path}")
    for name, entry in EVERY[path].subcommands.items():
        assert f"\n  {name} " in result.stdout
        assert entry.line in " ".join(result.stdout.split())


@pytest.mark.parametrize("earlier", RENAMED)
def test_an_earlier_name_works_and_says_the_new_one(assay, earlier):
    newer = RENAMED[earlier]
    result = assay(*earlier.split(), *(["bash"] if "completion" in newer else ["--help"]))
    assert result.exit_code == 0
    assert result.stderr == f"assay: `assay {earlier}` is now `assay {newer}`\n"
    assert "completion" in newer or result.stdout.startswith(f"Usage: assay {newer.partition(' --')[0]}")


def test_a_variable_of_an_earlier_name_is_read(assay, monkeypatch, examples):
    monkeypatch.setenv("ASSAY_RUBRIC_SHOW_FORMAT", "json")
    assert json.loads(assay("rubrics", "show", "reportlogic").stdout)["name"] == "reportlogic"
    monkeypatch.setenv("ASSAY_RUBRICS_SHOW_FORMAT", "text")
    assert not assay("rubrics", "show", "reportlogic").stdout.startswith("{")


def test_a_group_of_things_lists_them(assay):
    for path, entry in EVERY.items():
        if "list" in entry.subcommands and path not in ("log", "lab query"):
            assert assay(*path.split()).stdout == assay(*path.split(), "list").stdout != ""


@pytest.mark.parametrize(
    ("word", "meant"),
    [("adit", "audit"), ("gaet", "bench gate"), ("lint", "audit"), ("queue", "bench queue")],
)
def test_an_unknown_command_is_met_with_the_near_one(assay, word, meant):
    result = assay(word)
    assert result.exit_code == 2
    said = f"assay: no command is called {word!r}; did you mean {meant!r}? (`assay --help` shows how)\n"
    assert result.stderr == said


def test_what_other_tools_say_is_known_here():
    assert not set(ELSEWHERE) & (set(COMMANDS) | set(RENAMED))
    assert all(name.startswith("-") or name.split(" --")[0] in EVERY for name in ELSEWHERE.values())
    assert all(name.split(" --")[0] in EVERY for name in RENAMED.values())


def test_version(assay):
    from assay import __version__

    assert assay("--version").stdout == f"assay {__version__}\n"


def test_no_command_shows_help(assay):
    result = assay()
    assert result.exit_code == 2
    assert "Trials of judges:" in result.stderr + result.stdout


def test_checks_lists_all(assay):
    lines = assay("checks").stdout.splitlines()
    assert [line.split()[0] for line in lines] == list(all_checks())
    assert lines == assay("checks", "list").stdout.splitlines()
    data = json.loads(assay("checks", "--format", "json").stdout)
    assert [check["code"] for check in data] == list(all_checks())


@pytest.mark.parametrize("label", ["NUM009", "num009", "table-total"])
def test_explain(assay, label):
    text = assay("checks", "explain", label).stdout
    assert text.startswith("NUM009 table-total  error\n\n")
    assert "Known problems:" in text
    assert "Flagged:" in text


def test_explain_as_json(assay):
    data = json.loads(assay("checks", "explain", "NUM009", "--format", "json").stdout)
    assert data["name"] == "table-total"
    assert data["explanation"]


def test_explain_what_is_not_there(assay):
    result = assay("checks", "explain", "NUM00")
    assert result.exit_code == 2
    assert result.stderr.startswith("assay: no check is called 'NUM00'; near: ")


def test_logic(assay, examples):
    path = examples / "heat-pumps" / "good.md"
    data = json.loads(assay("logic", path, "--format", "json").stdout)
    assert data["schema"] == "assay.logic/2"
    assert data["metrics"]["nodes"] == len(data["nodes"]) > 5
    assert assay("logic", path).stdout.startswith(
        f"{data['metrics']['nodes'] - data['metrics']['evidence']} claims"
    )
    assert assay("logic", path, "--format", "dot").stdout.startswith("digraph")
    assert "<svg" in assay("logic", path, "--format", "svg").stdout


def test_logic_writes_to_a_file(assay, good, tmp_path):
    assert assay("logic", "good.md", "--format", "html", "-o", "g.html").exit_code == 0
    assert (tmp_path / "g.html").read_text("utf-8").startswith("<!doctype html>")


def test_logic_of_a_trajectory_is_refused(assay, examples):
    result = assay("logic", examples / "trajectories" / "clean.json")
    assert result.exit_code == 2
    assert "a trajectory, not a report" in result.stderr


def test_compare(assay, examples):
    a, b = (examples / "heat-pumps" / name for name in ("good.md", "flawed.md"))
    query = f"@{examples / 'heat-pumps' / 'query.txt'}"
    result = assay("compare", a, b, "--query", query)
    assert result.exit_code == 0
    assert result.stdout.startswith("A is better: ")
    data = json.loads(assay("compare", a, b, "--query", query, "--format", "json").stdout)
    back = json.loads(assay("compare", b, a, "--query", query, "--format", "json").stdout)
    assert data["schema"] == "assay.judgment/2"
    assert (data["preference"], back["preference"]) == ("A>B", "A<B")
    assert data["scores"] == {key: -value for key, value in back["scores"].items()}


@pytest.mark.parametrize("judge", ["rules", "length", "random"])
def test_compare_with_each_judge(assay, good, bad, judge):
    data = json.loads(assay("compare", "good.md", "bad.md", "--judge", judge, "--format", "json").stdout)
    assert data["judge"] == judge


@pytest.mark.parametrize(
    ("args", "says"),
    [
        (["good.md", "nope.md"], "assay: nope.md: no such file"),
        (
            ["good.md", "good.md", "--judge", "oracle"],
            "assay: no judge is called 'oracle'; write STRATEGY@MODEL",
        ),
        (["good.md"], "assay compare: Missing argument 'B'."),
    ],
)
def test_compare_mistakes(assay, good, args, says):
    result = assay("compare", *args)
    assert result.exit_code == 2
    assert result.stderr.startswith(says)
    assert result.stderr.count("\n") == 1


def test_init_writes_settings_that_can_be_read(assay, tmp_path):
    from assay.checks.config import CheckSettings, load_settings, parse_settings
    from assay.located import LocatedData

    assert assay("init").exit_code == 0
    path = tmp_path / "assay.toml"
    assert load_settings(path) == CheckSettings(base=str(tmp_path))
    # Every line that is commented out would be accepted if it were not.
    import re
    import tomllib

    live = re.sub(r"^# (?=[a-z\-]+ = |\[[a-z]|\")", "", path.read_text(), flags=re.MULTILINE)
    path.write_text(live)
    data = tomllib.loads(live)
    settings = parse_settings(LocatedData(data, "assay.toml"), base=str(tmp_path))
    assert settings.select
    assert settings.per_file
    assert settings.options

    from assay.models.settings import load_model_config
    from assay.runs.ledger_location import ledger_location
    from assay.strategies.prompt_folders import prompt_folders

    config = load_model_config(path)
    said = config.settings("openai/gpt-5-mini", {})
    assert (said.rpm, said.price.output, said.reasoning_effort) == (500, 2, "low")
    lab = config.settings("lab/any", {})
    assert (lab.base_url, lab.key_env, lab.caches) == ("https://llm.example.org/v1", "LAB_KEY", True)
    assert ledger_location() == str(tmp_path / ".assay" / "ledger.sqlite")
    (tmp_path / "prompts").mkdir()
    assert prompt_folders() == (tmp_path / "prompts",)
    assert set(data) >= {"ledger", "prompts", "models", "providers"}

    import jsonschema

    from assay.runs.settings_schema import settings_schema

    schema = jsonschema.Draft202012Validator(settings_schema())
    schema.check_schema(settings_schema())
    schema.validate(data)
    assert not schema.is_valid({**data, "selct": []})
    assert not schema.is_valid({"models": {"openai/m": {"rpm": 0}}})


def test_init_replaces_nothing_unasked(assay, tmp_path):
    (tmp_path / "assay.toml").write_text("fail-on = 'never'\n")
    result = assay("init")
    assert result.exit_code == 2
    assert "--force" in result.stderr
    assert (tmp_path / "assay.toml").read_text() == "fail-on = 'never'\n"
    assert assay("init", "--force").exit_code == 0


@pytest.mark.parametrize(
    ("shell", "holds"),
    [("bash", "complete -o nosort"), ("zsh", "#compdef assay"), ("fish", "complete --no-files")],
)
def test_completion(assay, shell, holds):
    result = assay("init", "--completion", shell)
    assert result.exit_code == 0
    assert holds in result.stdout
    assert "_ASSAY_COMPLETE" in result.stdout


@pytest.mark.parametrize("path", EVERY)
def test_every_option_stands_in_a_group(path):
    command = load_command(path.rpartition(" ")[2], EVERY[path])
    for param in command.params:
        if isinstance(param, click.Option):
            assert isinstance(param, GroupedOption), param.name
    options = [param for param in command.params if isinstance(param, GroupedOption) and not param.hidden]
    shown = [param for param in options if param.group != ADVANCED]
    assert len(shown) <= 14


def test_rare_options_are_shown_when_all_are_asked_for(assay):
    short, long = assay("judge", "--help").stdout, assay("judge", "--help-all").stdout
    for title in ("What is judged:", "Judge and model:", "Limits and ledger:", "Output:", "Help:"):
        assert f"\n{title}\n" in short
        assert f"\n{title}\n" in long
    assert "Advanced:" not in short
    assert "--max-tokens" not in short
    assert "--max-tokens N" in long.split("Advanced:")[1]
    assert "--color" not in long
    assert "--help-all" not in assay("checks", "explain", "--help").stdout


def test_colour_is_an_option_of_the_program(assay, bad, monkeypatch):
    assert "\x1b[" not in assay("audit", "bad.md").stdout
    coloured = assay("--color", "always", "audit", "bad.md").stdout
    assert "\x1b[" in coloured
    assert assay("audit", "bad.md", "--color", "always").stdout == coloured
    assert "\x1b[" not in assay("--color", "always", "audit", "bad.md", "--color", "never").stdout
    monkeypatch.setenv("ASSAY_COLOR", "always")
    assert assay("audit", "bad.md").stdout == coloured
