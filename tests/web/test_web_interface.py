"""The wording of the application in Chinese: complete, with the same places to fill in."""

import ast
import re
from pathlib import Path
from string import Formatter

import pytest
import yaml

import assay.web
from assay.rubrics.dimensions import DIMENSION_KEYS
from assay.rubrics.loader import load_rubric
from assay.web.annotation.annotate_app import RATER_KEYS
from assay.web.annotation.guidelines import usual_guidelines
from assay.web.annotation.questions import TASKS, questions_of
from assay.web.templating import web_interface

ROOT = Path(assay.web.__file__).parent
TEXTS = yaml.safe_load((ROOT / "interface.yaml").read_text("utf-8"))["texts"]


def fields(text):
    return sorted(name for _, name, _, _ in Formatter().parse(text) if name)


@pytest.mark.parametrize(("english", "chinese"), TEXTS.items())
def test_a_phrase_keeps_its_places_and_has_full_width_signs(english, chinese):
    assert fields(english) == fields(chinese)
    assert re.search(r"[\u4e00-\u9fff]", chinese)
    assert not re.search(r"[,;!?]", chinese)


def asked():
    """Every phrase that code, a template or a script of the application asks for literally."""
    for path in ROOT.rglob("*.j2"):
        yield from re.findall(r"\bsay\(\"([^\"]*)\"", path.read_text("utf-8"))
    for path in ROOT.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and node.args and isinstance(node.args[0], ast.Constant):
                name = node.func.id if isinstance(node.func, ast.Name) else ""
                if name in ("say", "N_") and isinstance(node.args[0].value, str):
                    yield node.args[0].value


def of_tasks():
    """Every phrase of questions, answers and keys of labelling tasks; titles of dimensions are in the static pages' catalogue."""
    rubric = load_rubric("reportlogic")
    for task in TASKS:
        yield task
        for question in questions_of(task, rubric):
            if question.key not in DIMENSION_KEYS:
                yield from (question.title, question.asks)
            yield from (option.label for option in question.options if not option.label.isdigit())
    yield from (does for _, does in RATER_KEYS)


def test_every_phrase_that_is_asked_for_has_its_chinese():
    known = set(web_interface("zh").catalogue.texts)
    found = {*asked(), *of_tasks()} - {""}
    assert len(found) > 60
    assert found - known == set()


@pytest.mark.parametrize("task", TASKS)
def test_guidelines_are_in_both_languages_and_name_the_answers(task):
    english, chinese = (usual_guidelines(task, language) for language in ("en", "zh"))
    say = web_interface("zh")
    for text in (english, chinese):
        assert text.count("**") % 2 == 0
    assert say("cannot say") in chinese
    assert "cannot say" in english
