"""Word lists kept as data."""

from __future__ import annotations

import importlib
import pkgutil
import re
from importlib import resources
from pathlib import Path

import pytest

import assay
from assay.errors import InputError
from assay.text.phrases import LANGUAGES, PhraseFile, parse_phrases

FILES = sorted(Path(str(resources.files(assay))).glob("**/phrases/*.yaml"))

SAMPLE = """
# Words that soften.
hedges:
  en: |
    may
    # not a phrase
    might
  zh: |
    可能
opposites:
  en: |
    rose | fell
"""


def has_han(text: str) -> bool:
    return any("\u4e00" <= char <= "\u9fff" for char in text)


def test_lists_keep_their_order_and_leave_out_comments() -> None:
    lists = parse_phrases(SAMPLE, where="sample")
    assert lists["hedges"].en == ("may", "might")
    assert lists["hedges"].zh == ("可能",)
    assert lists["hedges"].any == ()
    assert lists["opposites"].rows("en") == (("rose", "fell"),)


def test_alternation_escapes_only_on_request() -> None:
    lists = parse_phrases("units:\n  any: |\n    m.\n    kg\n", where="sample")
    assert lists["units"].alternation("any") == "m.|kg"
    assert lists["units"].alternation("any", escape=True) == r"m\.|kg"


@pytest.mark.parametrize(
    "text", ["- a\n", "a: text\n", "a:\n  fr: |\n    mot\n", "a:\n  en: [may]\n", "a: {en: |\n", "a: {}\n"]
)
def test_a_malformed_file_is_refused_by_name(text: str) -> None:
    with pytest.raises(InputError, match=r"^sample"):
        parse_phrases(text, where="sample")


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.parent.name}/{path.name}")
def test_shipped_lists_keep_the_schema(path: Path) -> None:
    text = path.read_text("utf-8")
    for name, phrases in parse_phrases(text, where=str(path)).items():
        assert any(phrases.phrases(language) for language in LANGUAGES), f"{name} is empty"
        for language in LANGUAGES:
            lines = phrases.phrases(language)
            twice = {line for line in lines if lines.count(line) > 1}
            assert not twice, f"{name}.{language} has a line twice: {twice}"
        assert not [line for line in phrases.en if has_han(line)], f"{name}.en has Chinese"


def test_a_list_reads_as_set_mapping_and_choices() -> None:
    lists = parse_phrases(
        "opposites:\n  en: |\n    rose | fell\n    up | down | low\n  zh: |\n    升 | 降\n", where="sample"
    )
    opposites = lists["opposites"]
    assert opposites.words("zh") == {"升 | 降"}
    assert opposites.mapping("en") == {"rose": "fell", "up": "down"}
    assert opposites.choices("en") == {"rose": ("fell",), "up": ("down", "low")}
    assert opposites.mapping("any") == {}


def test_a_pattern_is_composed_of_lists_when_it_is_first_used(monkeypatch: pytest.MonkeyPatch) -> None:
    file = PhraseFile("assay.text", "no such file")
    pattern = file.pattern(r"\b(?P<word><<hedges>>)\b", "en", re.IGNORECASE)
    both = file.pattern("^(?:<<hedges>>)$")
    missing = file.pattern("<<nothing>>")
    monkeypatch.setattr(PhraseFile, "_lists", parse_phrases(SAMPLE, where="sample"))
    match = pattern.search("It MIGHT rain")
    assert match is not None
    assert match["word"] == "MIGHT"
    assert pattern.pattern == r"\b(?P<word>may|might)\b"
    assert [bool(both.match(text)) for text in ("may", "可能", "maybe")] == [True, True, False]
    with pytest.raises(KeyError, match="nothing"):
        missing.search("")
    with pytest.raises(AttributeError):
        pattern.nothing  # noqa: B018


def test_every_pattern_of_the_package_composes() -> None:
    composed = 0
    for module in pkgutil.walk_packages(assay.__path__, "assay."):
        if module.name.endswith("__main__"):
            continue
        for value in vars(importlib.import_module(module.name)).values():
            for item in patterns_in(value):
                assert "<<" not in item.pattern
                composed += 1
    assert composed > 100


def patterns_in(value: object) -> list[re.Pattern[str]]:
    if type(value).__name__ == "_LazyPattern":
        return [value]
    if isinstance(value, tuple | list):
        return [found for item in value for found in patterns_in(item)]
    return []
