"""Word counts, language, cue phrases."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.text.language import detect_language
from assay.text.lexicon import CueIndex, Lexicon
from assay.text.words import CJK_RANGES, content_terms, count_words, has_cjk, stem


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", 0),
        ("one", 1),
        ("one two", 2),
        ("long-term Moody's 3.5% and/or 1,000", 5),
        ("— – … !", 0),
        ("naïve Erdoğan", 2),
        ("增长了", 3),
        ("GDP增长5.2%", 4),
        ("中国 China", 3),
        ("日本語のテキスト", 8),
        ("한국어 문장", 2),
        ("snake_case", 2),
        ("Привет мир", 2),
    ],
)
def test_count_words(text, words):
    assert count_words(text) == words


@given(st.one_of(st.text(max_size=80), st.text(alphabet="aB1é中の한_-.'’ ,/①²", max_size=60)))
def test_count_words_against_the_definition(text):
    """A run of letters and digits – inner marks join – or one CJK character."""
    letter = rf"[^\W_{CJK_RANGES}]"
    naive = len(re.findall(rf"{letter}+(?:['’\-.,/]{letter}+)*|[{CJK_RANGES}]", text))
    assert count_words(text) == naive


@given(st.text(max_size=60), st.text(max_size=60))
def test_words_add_up_over_white_space(left, right):
    assert count_words(left + " " + right) == count_words(left) + count_words(right)


ENGLISH = "The market grew by five percent in the last year, and it is expected to grow further, as demand for heat pumps has not yet peaked. "
GERMAN = "Der Markt wuchs im letzten Jahr um fünf Prozent und wird voraussichtlich weiter wachsen, weil die Nachfrage nach Wärmepumpen noch steigt. "


@pytest.mark.parametrize(
    ("text", "language"),
    [
        (ENGLISH, "en"),
        (GERMAN, "und"),
        ("这是一份关于中国市场的报告，使用 GPT-4 和 Claude 模型。", "zh"),
        ("市场 GDP", "zh"),
        (ENGLISH + "（中文注释）", "en"),
        ("Short title", "en"),
        ("これは日本語のレポートです。市場は成長しています。", "und"),
        ("Это отчёт о рынке тепловых насосов в Европе и его росте за последние годы.", "und"),
        ("이것은 한국 시장에 대한 보고서입니다.", "und"),
        ("", "und"),
        ("12 34 56 %", "und"),
        ("1 2 3 4 5 6 7 8 9 10 " * 5, "und"),
    ],
)
def test_detect_language(text, language):
    assert detect_language(text) == language


@given(st.text(max_size=200))
def test_detect_language_never_raises(text):
    assert detect_language(text) in ("en", "zh", "und")


def test_terms_and_stems():
    assert content_terms("The growing markets of 2020") == {"grow", "market"}
    assert content_terms("市场增长") == {"市场", "场增", "增长"}
    assert stem("policies") == "policy"
    assert has_cjk("a中")
    assert not has_cjk("a–")


# ── cue phrases ─────────────────────────────────────────────────────────────────────────────────────────────

LETTER = "a-zß-öø-ɏ"


def naive_find(en, zh, text):
    """Every phrase at every place, by looking at each place."""
    lower = text.lower()
    if len(lower) != len(text):
        lower = "".join(low if len(low := char.lower()) == 1 else char for char in text)
    words = [m.span() for m in re.finditer(rf"[{LETTER}]+(?:['’\-][{LETTER}]+)*", lower)]
    hits = []
    for phrase in en:
        first = phrase.split(" ")[0]
        for left, right in words:
            if " " not in phrase and phrase.endswith("*"):
                if lower[left:right].startswith(phrase[:-1]):
                    hits.append((left, right))
            elif lower[left:right] == first:
                pattern = r"\s+".join(re.escape(part) for part in phrase.rstrip("*").split(" "))
                match = re.compile(pattern).match(lower, left)
                if match and (
                    phrase.endswith("*") or not re.match(f"[{LETTER}]", lower[match.end() : match.end() + 1])
                ):
                    hits.append(match.span())
    for phrase in zh:
        at = lower.find(phrase)
        while at >= 0:
            hits.append((at, at + len(phrase)))
            at = lower.find(phrase, at + len(phrase))
    return sorted(hits)


PHRASES = ("due", "due to", "caus*", "as a result", "because", "in order t*", "so")
PIECES = (
    "due|to|due to|cause|causing|Caus|as a result|As  A\nResult|as a|result|because|so|so-so|so's|overdue|‘because’|"
    "in order to|in order that|因此|由于|因|由|,|-|'|é|İ|\n|3"
).split("|")
PIECES = (
    "due|to|due to|cause|causing|Caus|as a result|As  A\nResult|as a|result|because|so|so-so|so's|overdue|‘because’|"
    "in order to|in order that|因此|由于|因|由|,|-|'|é|İ|\n|3"
).split("|")
TEXT = st.lists(st.sampled_from(PIECES), max_size=14)


@given(TEXT, st.sampled_from([" ", "", "  ", "\n"]))
def test_find_equals_a_naive_search(pieces, joiner):
    text = joiner.join(pieces)
    index = CueIndex(text, cjk=True)
    lexicon = Lexicon(PHRASES, ("因此", "由于"))
    found = lexicon.find(index)
    assert found == naive_find(PHRASES, ("因此", "由于"), text)
    for start, end in [(0, len(text)), (3, len(text) - 2), (5, 20)]:
        inside = [hit for hit in found if start <= hit[0] and hit[1] <= end]
        assert lexicon.find(index, start, end) == inside
        assert lexicon.any(index, start, end) == bool(inside)


@given(st.text(max_size=100))
def test_index_knows_every_word_and_its_places(text):
    index = CueIndex(text, cjk=False)
    assert len(index.lower) == len(text)
    for word, places in index.words().items():
        assert places == sorted(places)
        for at in places:
            assert index.lower.startswith(word, at)


def test_phrases_as_one_string():
    lexicon = Lexicon("because, due to", "因为, 由于")
    assert lexicon.en == ("because", "due to")
    text = "It fell because of rain; 由于下雨."
    assert [text[a:b] for a, b in lexicon.find(CueIndex(text, cjk=True))] == ["because", "由于"]
