"""A prompt of one's own as a judge, at a real endpoint."""

from __future__ import annotations

import json

import pytest

from servers.fault import FaultServer

CHINESE = "# 热泵\n\n热泵运行安静，能为整栋住宅供暖。研究表明，它的能效高于电暖器。\n"


@pytest.fixture
def server(monkeypatch):
    monkeypatch.setenv("LAB_API_KEY", "x")
    with FaultServer() as endpoint:
        monkeypatch.setenv("LAB_BASE_URL", endpoint.base_url)
        yield endpoint


@pytest.fixture
def prompt(tmp_path):
    (tmp_path / "strict.txt").write_text("Look for figures that do not add up.", "utf-8")
    (tmp_path / "strict.zh.txt").write_text("请查找合计有误的数字。", "utf-8")
    return "./strict.txt"


def test_plain_text_is_sent_in_a_whole_prompt(assay, server, good, prompt, tmp_path) -> None:
    asked = ("judge", good, "--rubric", "overall", "--format", "json", "--judge")
    result = assay(*asked, f"{prompt}@lab/m")
    assert result.exit_code == 0, result.stderr
    row = json.loads(result.stdout)
    assert (row["judge"], row["status"]) == ("strict@lab/m", "ok")
    text = server.bodies[0]["messages"][1]["content"]
    parts = [
        "<<REPORT ",
        "<<END REPORT ",
        "Look for figures that do not add up.",
        '- "reasoning"',
        "Criterion: ",
    ]
    assert [text.index(part) for part in parts] == sorted(text.index(part) for part in parts)
    # Another name is neither another judge nor another call.
    named = assay(*asked, f"sums={prompt}@lab/m")
    again = json.loads(named.stdout)
    assert (again["judge"], again["version"]) == ("sums", row["version"])
    assert "nothing was asked" in named.stderr
    # Another text is.
    (tmp_path / "strict.txt").write_text("Look for missing sources.", "utf-8")
    changed = json.loads(assay(*asked, f"{prompt}@lab/m").stdout)
    assert changed["version"] != row["version"]
    assert len(server.bodies) == 2


def test_a_chinese_report_gets_the_chinese_prompt(assay, server, prompt, tmp_path) -> None:
    (tmp_path / "zh.md").write_text(CHINESE, "utf-8")
    assert assay("judge", "zh.md", "--judge", f"{prompt}@lab/m", "--rubric", "overall").exit_code == 0
    text = server.bodies[0]["messages"][1]["content"]
    assert "请查找合计有误的数字。\n\n只回复一个 JSON 对象" in text
    # Without one, all of the prompt is in the language of the text.
    (tmp_path / "strict.zh.txt").unlink()
    assert assay("judge", "zh.md", "--judge", f"{prompt}@lab/m", "--rubric", "overall").exit_code == 0
    text = server.bodies[1]["messages"][1]["content"]
    assert "Look for figures that do not add up.\n\nReply with one JSON object" in text


def test_a_model_alone_is_a_judge(assay, server, good, bad) -> None:
    for command in (("judge", good), ("compare", good, bad), ("rank", good, bad)):
        result = assay(*command, "--judge", "lab/m", "--rubric", "overall")
        assert result.exit_code == 0, result.stderr
    assert "direct@lab/m" in assay("judge", good, "--judge", "lab/m", "--rubric", "overall").stdout


def test_two_prompts_of_one_name_need_names(assay, server, good, bad, tmp_path) -> None:
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "p.jinja").write_text(f"Judge as {name}.", "utf-8")
    both = ("compare", good, bad, "--ensemble", "majority", "--rubric", "overall")
    result = assay(*both, "--judge", "a/p.jinja@lab/m", "--judge", "b/p.jinja@lab/m")
    assert result.exit_code == 2
    assert "would both be called 'p@lab/m'" in result.stderr
    result = assay(*both, "--judge", "first=a/p.jinja@lab/m", "--judge", "b/p.jinja@lab/m")
    assert result.exit_code in (0, 3), result.stderr
    assert "first · Overall" in result.stdout
    assert "p@lab/m · Overall" in result.stdout


def test_an_experiment_finds_prompts_beside_it_and_names_judges(assay, server, good, tmp_path) -> None:
    folder = tmp_path / "plan"
    folder.mkdir()
    (folder / "strict.jinja").write_text("Be strict.", "utf-8")
    text = "subjects: ../good.md\nrubric: overall\njudges:\n"
    judges = [
        "- strict.jinja@lab/m",
        "- {name: lenient, strategy: ./strict.jinja, model: lab/m, seed: 3}",
        "- lab/m",
    ]
    (folder / "e.yaml").write_text(text + "\n".join(judges), "utf-8")
    result = assay("run", folder / "e.yaml")
    assert result.exit_code == 0, result.stderr
    for name in ("strict@lab/m", "lenient", "direct@lab/m"):
        assert name in result.stdout
    assert sum("Be strict." in body["messages"][1]["content"] for body in server.bodies) >= 1


def test_mistakes_are_told_before_anything_is_sent(assay, server, good, tmp_path) -> None:
    (tmp_path / "p.jinja").write_text("{{ lables }}", "utf-8")
    for judge, message in (
        ("./p.jinja@lab/m", "p.jinja:1: there is no variable 'lables'; did you mean 'labels'?"),
        ("./q.jinja@lab/m", "q.jinja: cannot be read"),
        ("./p.jinja", "'./p.jinja' names no model"),
        ("strcit", "a prompt file with a model (./my_prompt.jinja@openai/gpt-5-mini)"),
    ):
        result = assay("judge", good, "--judge", judge)
        assert (result.exit_code, message in result.stderr) == (2, True), result.stderr
    assert not server.bodies
