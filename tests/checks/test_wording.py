"""Every message of every check is there in English and in Chinese, with the same values."""

from __future__ import annotations

import importlib
import pkgutil
import re
from collections.abc import Iterator
from string import Formatter

import pytest
from test_examples import DECLARED, parse_trajectory

import assay.checks
from assay.audits.audit import find
from assay.checks.base import Check
from assay.checks.registry import all_checks
from assay.checks.wording import Series, Wording, series
from assay.subjects.report import Report
from assay.subjects.sources import SourceMap
from assay.text.language import detect_language

HAN = re.compile("[\u4e00-\u9fff]")
# Quoted text, code, file names and terms of technique stay as they are.
QUOTED = re.compile(r"“[^”]*”|‘[^’]*’|`[^`]*`|https?://\S+|\b(?:UTF-8|Windows-1252|Latin-1)\b")
ENGLISH = re.compile(r"[A-Za-z]{2,}[ ,;]+[A-Za-z]{2,}")
HALF_WIDTH = re.compile(
    '[\u4e00-\u9fff][,;:?!]|[,;:?!][\u4e00-\u9fff]|[\u4e00-\u9fff]\\(|\\)[\u4e00-\u9fff]|"'
)


def wordings(value: object) -> Iterator[Wording]:
    if isinstance(value, Wording):
        yield value
    elif isinstance(value, dict):
        for item in value.values():
            yield from wordings(item)
    elif isinstance(value, tuple | list):
        for item in value:
            yield from wordings(item)


def all_wordings() -> list:
    return [
        pytest.param(wording, id=f"{module.name}:{name}:{number}")
        for module in pkgutil.walk_packages(assay.checks.__path__, "assay.checks.")
        for name, value in vars(importlib.import_module(module.name)).items()
        for number, wording in enumerate(wordings(value))
    ]


def placeholders(template: str) -> tuple[set[str], set[str]]:
    """The names whose value is shown, and those that only choose between singular and plural."""
    shown, choosing = set(), set()
    for _, name, spec, _ in Formatter().parse(template):
        if name is not None:
            (choosing if (spec or "").startswith("=") else shown).add(name)
    return shown, choosing


@pytest.mark.parametrize("wording", all_wordings())
def test_both_languages_have_the_same_placeholders(wording: Wording) -> None:
    english, choosing = placeholders(wording.en)
    chinese, _ = placeholders(wording.zh)
    assert english | choosing == chinese | choosing
    assert chinese <= english | choosing
    assert not wording.en.endswith(".")
    assert not wording.zh.endswith("。")
    assert not HALF_WIDTH.search(QUOTED.sub("", wording.zh))


def messages(check: Check, language: str | None) -> Iterator[tuple[str, str]]:
    for example in check.bad:
        subject = (
            parse_trajectory(example.text)
            if check.subject == "trajectory"
            else Report(example.text, query=example.query)
        )
        sources = SourceMap(example.sources) if example.sources is not None else None
        run = parse_trajectory(example.trajectory) if example.trajectory else None
        for finding in find(
            subject, checks=[check], sources=sources, trajectory=run, inline=False, language=language
        ):
            yield subject.language, finding.message


@pytest.mark.parametrize("check", DECLARED, ids=lambda check: check.code)
def test_a_message_can_be_asked_for_in_either_language(check: Check) -> None:
    for _, message in messages(check, "zh"):
        assert HAN.search(QUOTED.sub("", message)), message
    for _, message in messages(check, "en"):
        assert not HAN.search(QUOTED.sub("", message)) or HAN.search(str(check.bad)), message


@pytest.mark.parametrize("check", DECLARED, ids=lambda check: check.code)
def test_findings_are_in_the_language_of_the_report(check: Check) -> None:
    for language, message in messages(check, None):
        bare = QUOTED.sub("", message)
        if language == "zh":
            assert HAN.search(bare), message
            assert not ENGLISH.search(bare), message
        else:
            assert detect_language(bare) != "zh", message


def test_series() -> None:
    assert series(["A", "B", "C"], "and").text("en") == "A, B and C"
    assert series(["A", "B", "C"], "and").text("zh") == "A、B和C"
    assert series(["A", "B"], quoted=True, cut=True).text("en") == "“A”, “B” …"
    assert series(["A", "B"], quoted=True, cut=True).text("zh") == "“A”“B”等"
    assert Series(("A",), "or").text("zh") == "A"


def test_counts_take_the_noun_in_the_right_number() -> None:
    rows = Wording(en="{n:row|rows} {n:=is|are} missing", zh="缺{n}行")
    assert rows(n=1).text("en") == "1 row is missing"
    assert rows(n=3).text("en") == "3 rows are missing"
    assert rows(n=3).text("zh") == "缺3行"


def test_values_may_be_wordings_and_hold_braces() -> None:
    outer = Wording(en="{a}: {b}", zh="{a}：{b}")
    filled = outer(a=Wording(en="yes", zh="是"), b="{x}")
    assert filled.text("en") == "yes: {x}"
    assert filled.text("zh") == "是：{x}"


def test_all_checks_are_looked_at() -> None:
    assert len(all_checks()) - len(DECLARED) == 1
