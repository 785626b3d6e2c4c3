"""Messages in English and Chinese at once."""

from __future__ import annotations

import copy
import pickle

import pytest

from assay.strategies.problems import problem
from assay.text.bilingual import Bilingual, in_language, joined, listed

PAIR = Bilingual("a fault", "一处错误")


def test_it_is_the_english_text() -> None:
    assert PAIR == "a fault"
    assert type(str(PAIR)) is str
    assert f"{PAIR}." == "a fault."


@pytest.mark.parametrize("again", [copy.copy, copy.deepcopy, lambda text: pickle.loads(pickle.dumps(text))])
def test_copies_keep_the_chinese(again) -> None:
    assert again(PAIR).zh == "一处错误"


def test_each_language_has_its_own_marks() -> None:
    both = joined([PAIR, Bilingual("another", "又一处")])
    assert (both, both.zh) == ("a fault; another", "一处错误；又一处")
    names = listed(["a", "b", "c"], most=2)
    assert (names, names.zh) == ("a, b …", "a、b等")
    assert listed(["a", "b"], most=2).zh == "a、b"


def test_text_without_chinese_stays_as_it_is() -> None:
    assert in_language("plain", "zh") == "plain"
    assert in_language(PAIR, "zh") == "一处错误"
    assert in_language(PAIR, "en") == "a fault"


def test_values_go_into_each_wording_in_its_language() -> None:
    found = problem("verdict_differs", expected=problem("decisions"))
    assert found == "the verdict after </think> differs from the decisions"
    assert found.zh == "</think> 之后的结论与各项判断不一致"
