"""Templates: all of them render, a user's come first, and none can do harm."""

from __future__ import annotations

import asyncio
import re

import pytest

from assay.errors import InputError, UsageError
from assay.strategies.dry_run import dry_run
from assay.strategies.prompt_folders import prompt_folders
from assay.strategies.prompts import Prompts, fence
from assay.strategies.registry import all_strategies, find_strategy
from assay.subjects.case import MODES

from .scripts import PROMPTS, REFERENCE, ask, question


def blocks(text: str) -> set[str]:
    return set(re.findall(r"{%-? block (\w+)", text))


@pytest.mark.parametrize("name", list(all_strategies()))
def test_both_languages_have_the_same_blocks(name: str) -> None:
    english, chinese = (PROMPTS.template(find_strategy(name), language)[1] for language in ("en", "zh"))
    assert blocks(english) == blocks(chinese)
    assert not re.search(r"[,;:?!] *[一-鿿]|[一-鿿][,;:?!]", chinese)
    names = re.compile(r"{[{%].*?[}%]}", re.DOTALL)
    variables = [
        set(
            re.findall(
                r"\b(plan|draft|questions|answers|judges|pro|con|judgment|keys|persona)\b",
                " ".join(names.findall(text)),
            )
        )
        for text in (english, chinese)
    ]
    assert variables[0] == variables[1]


def test_the_frames_have_the_same_blocks() -> None:
    assert blocks(PROMPTS.source("layout.jinja")[1]) == blocks(PROMPTS.source("layout.zh.jinja")[1])


@pytest.mark.parametrize("kind", ["report", "chunk", "trajectory", "step"])
def test_every_kind_of_document_has_its_words(kind: str) -> None:
    for name in all_strategies():
        for mode in MODES:
            for language in ("en", "zh"):
                asked = question(mode, kind=kind, language=language, reference=REFERENCE, criteria=2)
                result, requests = ask(name, asked)
                assert result.status == "ok"
                for request in requests:
                    said = request.messages[1].text
                    assert "  " not in said
                    assert "\n\n\n" not in said
                    if kind in ("trajectory", "step"):
                        assert "report" not in said
                        assert "报告" not in said


def put(folder, name: str, text: str) -> Prompts:
    (folder / name).write_text(text, "utf-8")
    return Prompts([folder])


def test_a_users_template_comes_first(tmp_path) -> None:
    mine = put(tmp_path, "direct.jinja", "{% block judge %}Say what you think of {{ it }}.{% endblock %}")
    _, (request,) = ask("direct", question(), prompts=mine)
    assert request.messages[1].text.startswith("\nSay what you think of the report.\n")
    assert mine.template(find_strategy("direct"), "en")[0] == tmp_path / "direct.jinja"
    assert mine.version(find_strategy("direct")) != PROMPTS.version(find_strategy("direct"))
    assert mine.version(find_strategy("brief")) == PROMPTS.version(find_strategy("brief"))
    # The Chinese one is another file.
    _, (request,) = ask("direct", question(language="zh"), prompts=mine)
    assert request.messages[1].text.startswith("\n评审这份研究报告")


def test_a_users_layout_changes_every_version(tmp_path) -> None:
    text = PROMPTS.source("layout.jinja")[1].replace("You are strict", "You are lenient")
    mine = put(tmp_path, "layout.jinja", text)
    for strategy in all_strategies().values():
        assert mine.version(strategy) != PROMPTS.version(strategy)
    _, (request,) = ask("direct", question(), prompts=mine)
    assert "You are lenient" in request.messages[0].content


@pytest.mark.parametrize(
    ("text", "error", "message"),
    [
        ("{% block judge %}{{ nobody }}{% endblock %}", UsageError, "'nobody' is undefined"),
        ("{% block judge %}{{ it.nobody }}{% endblock %}", UsageError, "no attribute 'nobody'"),
        ("{% block jugde %}x{% endblock %}", UsageError, "has no block 'judge'; it has jugde"),
        ("{% block judge %}\n{% if %}{% endblock %}", InputError, r"direct.jinja:2: is not a template"),
        ("{% block judge %}{{ 1 / 0 }}{% endblock %}", UsageError, "division by zero"),
        (
            "{% block judge %}{{ ''.__class__.__mro__ }}{% endblock %}",
            UsageError,
            "not allowed in a template",
        ),
        ("{% block judge %}{{ fence.__globals__ }}{% endblock %}", UsageError, "not allowed in a template"),
        ("{% block judge %}{% include '/etc/passwd' %}{% endblock %}", UsageError, "no loader"),
        ("{% block judge %}{% for i in range(9999999) %}x{% endfor %}{% endblock %}", UsageError, "too big"),
    ],
)
def test_a_faulty_template_is_told_with_its_place(tmp_path, text, error, message) -> None:
    mine = put(tmp_path, "direct.jinja", text)
    with pytest.raises(error, match=message) as caught:
        ask("direct", question(), prompts=mine)
    assert str(tmp_path / "direct.jinja") in str(caught.value)


def test_folders_come_from_the_call_and_the_settings(tmp_path) -> None:
    for name in ("a", "b", "c"):
        (tmp_path / name).mkdir()
    below = tmp_path / "a"
    (tmp_path / "assay.toml").write_text('prompts = ["b", "c"]\n', "utf-8")
    assert prompt_folders([below], start=below) == (below, tmp_path / "b", tmp_path / "c")
    (tmp_path / "assay.toml").write_text('prompts = "b"\n', "utf-8")
    assert prompt_folders(start=below) == (tmp_path / "b",)
    with pytest.raises(InputError, match=r"nowhere: is not a folder of prompts$"):
        prompt_folders(["nowhere"], start=below)
    (tmp_path / "assay.toml").write_text('prompts = "d"\n', "utf-8")
    with pytest.raises(InputError, match=r"d: is not a folder of prompts \(named in .*assay.toml\)"):
        prompt_folders(start=below)
    (tmp_path / "assay.toml").write_text("prompts = 3\n", "utf-8")
    with pytest.raises(InputError, match="prompts is 3; it must be text or a list"):
        prompt_folders(start=below)


def test_a_fence_depends_on_its_text() -> None:
    assert fence("PLAN", "x") == fence("PLAN", "x")
    assert fence("PLAN", "x").split()[1] != fence("PLAN", "y").split()[1]


def test_a_dry_run_makes_the_fewest_calls() -> None:
    for name, strategy in all_strategies().items():
        for mode in MODES:
            requests, result = asyncio.run(dry_run(strategy, question(mode, reference=REFERENCE), PROMPTS))
            assert (len(requests), result.status) == (strategy.calls[0], "ok"), name
    requests, _ = asyncio.run(
        dry_run(find_strategy("panel"), question(), PROMPTS, options={"early_stop": True})
    )
    assert len(requests) == 2


def test_a_dry_run_sends_what_a_run_sends() -> None:
    for name, strategy in all_strategies().items():
        requests, _ = asyncio.run(
            dry_run(strategy, question(reference=REFERENCE), PROMPTS, model="test/scripted")
        )
        assert requests[0] == ask(name, question(reference=REFERENCE))[1][0]
