"""The wording of the interface in Chinese: complete, with the same places to fill in."""

import ast
import re
from pathlib import Path
from string import Formatter

import pytest
import yaml

import assay.present
from assay.checks.registry import all_checks
from assay.present.interface import interface, interface_for, main_language

ROOT = Path(assay.present.__file__).parent
CATALOGUE = yaml.safe_load((ROOT / "interface.yaml").read_text("utf-8"))
ZH = interface("zh")


def fields(text):
    return sorted(name for _, name, _, _ in Formatter().parse(text) if name)


@pytest.mark.parametrize(("english", "chinese"), CATALOGUE["texts"].items())
def test_a_phrase_keeps_its_places_and_has_no_english_left(english, chinese):
    assert fields(english) == fields(chinese)
    assert re.search(r"[\u4e00-\u9fff]", chinese)
    assert not re.search(r"[,;!?]", chinese), "full-width punctuation"


def asked_in_code():
    """Every phrase that code or a template asks for literally."""
    for path in ROOT.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and node.args and isinstance(node.args[0], ast.Constant):
                name = node.func.id if isinstance(node.func, ast.Name) else ""
                if name == "say" and isinstance(node.args[0].value, str):
                    yield node.args[0].value
    for path in ROOT.rglob("*.j2"):
        yield from re.findall(r"\bsay\(\"([^\"]*)\"", path.read_text("utf-8"))


def test_every_phrase_that_is_asked_for_has_its_chinese():
    asked = set(asked_in_code())
    assert len(asked) > 40
    assert asked - set(CATALOGUE["texts"]) == set()


def test_every_check_says_in_chinese_what_it_finds():
    assert set(CATALOGUE["checks"]) == {code for code in all_checks() if not code.startswith("X")}
    for text in CATALOGUE["checks"].values():
        assert re.search(r"[\u4e00-\u9fff]", text)
        assert not text.endswith("。")


def test_counts_follow_the_number():
    assert ZH.count(1359, "word") == "1,359 字"
    assert interface("en").count(1, "error") == "1 error"
    assert ZH.counted(2, "error") == ("2", "个错误")


def test_an_unknown_language_is_english():
    assert interface("und")("no findings") == "no findings"
    assert interface_for("zh", "en")("no findings") == "未发现问题"
    assert interface_for("auto", "zh").language == "zh"


def test_the_page_of_many_texts_has_the_language_of_most():
    assert main_language(["zh", "zh", "en"]) == "zh"
    assert main_language(["zh", "en"]) == "en"


def test_only_foreign_texts_are_marked():
    assert ZH.foreign("The total is wrong.") == ' lang="en"'
    assert ZH.foreign("合计有误。") == ""
    assert interface("en").foreign("合计有误。") == ' lang="zh-Hans"'
