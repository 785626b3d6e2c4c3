"""The helpers of the expression checks: grammar rules, runs of talk, near duplicates, scale."""

import time

import pytest

from assay.checks.base import Context
from assay.checks.exp import (
    broken_agreement,
    broken_markdown,
    degenerate_text,
    encoding_damage,
    garbled_punctuation,
    leftover_placeholder,
    mixed_language,
    model_talk,
    near_duplicate_paragraph,
    repeated_word,
    runaway_sentence,
    verbose_filler,
)
from assay.subjects.report import Report
from assay.text.english_grammar import base_of, number_of, plural_of, third_of

MODULES = [
    broken_agreement, broken_markdown, degenerate_text, encoding_damage, garbled_punctuation, leftover_placeholder,
    mixed_language, model_talk, near_duplicate_paragraph, repeated_word, runaway_sentence, verbose_filler,
]  # fmt: skip


def hits(module, text):
    report = Report(text)
    return [(text[hit.span.start : hit.span.end], hit) for hit in module.CHECK.run(report, Context())]


def flagged(module, text):
    return [words for words, _ in hits(module, text)]


@pytest.mark.parametrize(
    ("sentence", "words"),
    [
        ("The system generally admit an infinite number of solutions.", "The system generally admit"),
        ("A system of equations, like the one in Section 5.3, generally admit solutions.", None),
        ("In recent years, the policy have changed.", "the policy have"),
        ("This approach require careful tuning.", "This approach require"),
        ("Results shows a clear trend.", "Results shows"),
        ("These methods provides a basis.", "These methods provides"),
        ("It is said that the costs of the programme is high.", "the costs of the programme is"),
        ("They is late.", "They is"),
        ("This are the results.", "This are"),
        ("One of the systems are old.", "One of the systems are"),
        ("These system is well known.", "These system"),
        ("Several intervention in this field failed.", "Several intervention"),
        ("This methods are known.", "This methods"),
        ("It has been show that costs fall.", "has been show"),
        ("It can provides a basis.", "can provides"),
        ("It does not requires a key.", "not requires"),
        ("We did it in order improve comfort.", "in order improve"),
        ("It is able handle the load.", "able handle"),
        ("It fell due the crisis.", "due the"),
        ("It is more better now.", "more better"),
        ("It is a important step.", "a important"),
        ("It is an system of rules.", "an system"),
        ("It is an unique case.", "an unique"),
        ("It is a unusual case.", "a unusual"),
        ("It is one of the most important factor in growth.", "one of the most important factor"),
    ],
)
def test_broken_grammar_is_seen(sentence, words):
    found = flagged(broken_agreement, sentence)
    assert len(found) == 1
    assert words is None or found == [words]


@pytest.mark.parametrize(
    "sentence",
    [
        "A number of systems are old, and the majority of users have left.",
        "The data show a clear trend; the media are divided.",
        "The committee have decided, and the police are informed.",
        "They recommend that the system include a key, and that it be tested.",
        "If the system were new, it would help.",
        "Subsidies help the system admit new users and make the market grow.",
        "How does the system require a key? How many owners has it had?",
        "The users of the system require a key.",
        "The system that the users require is new.",
        "What the users want is a key, and all it does is provide one.",
        "Norway and the system are fine.",
        "The system, the users and the firm require a key.",
        "The ability to predict prices matters; the first person to build one won.",
        "The rich are richer, the unemployed have less, and the British are out.",
        "The United States has a plan. The Netherlands is small. Microsoft Teams is an app.",
        "The news is good, physics is hard, and the series has ended.",
        "These days prices rise, and these two are the largest.",
        "These include a key, these range from one to two, and these differ in size.",
        "These system components are old, and many evaluation pipelines use them.",
        "This results in a loss, and this issues a warning.",
        "It has been the case that prices rise; it has been use-tested.",
        "They may want to use it in order books, and in order that it works.",
        "An hour, an honest man, an MBA, an LLM, an x-ray, an F-16, an 8-bit chip.",
        "A unit, a European, a one-off, a university, a useful idea, a U-turn.",
        "Vitamin A is good, hepatitis A infection is not, and option A offers more.",
        "No more easier said than done; the more, better and cheaper the product, the better.",
        "Five years is a long time.",
        "It is one of the most important factors in growth.",
    ],
)
def test_good_grammar_is_left_alone(sentence):
    assert flagged(broken_agreement, sentence) == []


def test_morphology():
    assert [third_of(verb) for verb in ("provide", "apply", "reach", "play")] == [
        "provides",
        "applies",
        "reaches",
        "plays",
    ]
    assert [plural_of(noun) for noun in ("policy", "analysis", "child", "day", "process")] == [
        "policies", "analyses", "children", "days", "processes",
    ]  # fmt: skip
    assert [number_of(noun) for noun in ("systems", "system", "analysis", "people", "data", "economics", "unemployed")] == [
        "plural", "singular", "singular", "plural", None, None, None,
    ]  # fmt: skip
    assert [base_of(verb) for verb in ("is", "provides", "shows", "system")] == [
        "are",
        "provide",
        "show",
        None,
    ]


def test_repeated_words():
    assert sorted(flagged(repeated_word, "It is the the best of of all.")) == ["of of", "the the"]
    assert flagged(repeated_word, "It is the\nthe best.") == ["the\nthe"]
    assert flagged(
        repeated_word, "The **the** end, and very, very good; that that is; 5 5; New New York."
    ) == ["The **the"]
    assert flagged(repeated_word, "| the | the |\n|---|---|\n| of | of |\n") == []
    assert flagged(repeated_word, "“the the” is a band. See to-to and in-in.") == []


def test_a_run_of_equal_words_is_one_finding():
    [(words, hit)] = hits(repeated_word, "It was autonomous autonomous autonomous systems.")
    assert words == "autonomous autonomous autonomous"
    assert "3 times" in hit.message.text("en")


def test_neighbouring_talk_is_one_finding():
    text = "I'll search for figures.\n\nLet me look at more sources.\n\n# Heat pumps\n\nSales rose.\n\nI now have enough. I'll create a report."
    found = flagged(model_talk, text)
    assert found == [
        "I'll search for figures.\n\nLet me look at more sources.",
        "I now have enough. I'll create a report.",
    ]


def test_near_duplicates_name_the_first_place():
    first = "Heat pumps spread fastest where electricity is cheap relative to gas, where installers are plentiful, and where subsidies reward replacement of working boilers instead of waiting for failure; Norway meets all three conditions."
    text = f"{first}\n\nSomething else entirely stands here.\n\n{first.replace('Norway', 'Finland')}"
    [(words, hit)] = hits(near_duplicate_paragraph, text)
    assert words.startswith("Heat pumps")
    assert [text[span.start : span.end] for span in hit.related] == [first]


def test_forms_may_repeat_their_rows():
    row = "- Breakfast: a bowl of porridge, two boiled eggs, an apple and a cup of tea without any sugar.\n"
    assert flagged(near_duplicate_paragraph, f"## Monday\n\n{row}\n## Tuesday\n\n{row}") == []


def test_markdown():
    assert flagged(broken_markdown, "A **bold** word, and **one more.") == ["**"]
    assert flagged(broken_markdown, "```\n**\n```\n\nText with `**` code.") == []
    assert flagged(broken_markdown, "| a | b |\n|---|---|\n| 1 | 2 |\n| 3 |\n") == []


def test_brackets():
    assert flagged(garbled_punctuation, "One (two (three) four. It goes on.") == ["("]
    assert flagged(garbled_punctuation, "1) one, 2) two, a) three, (b) four, [0, 1) and a 5.5” screen.") == []
    assert flagged(garbled_punctuation, "他说：“好。\n\n“不错。”她答。") == []


UNITS = [
    "the the ", "的的", "a ", "The system is that ", "TODO ", "XX% ", "[insert x] ", "**", "(", "“", "## a\n", "我需要更具体", ", ", ".. ", "，。",
    "Sales grew again in the northern markets of Europe last year. ", "| a | b | c |\n", "\n\n- **a** b [1]\n", "[a](", "â€™", "it is ",
]  # fmt: skip


@pytest.mark.parametrize("module", MODULES)
@pytest.mark.parametrize("unit", UNITS)
def test_linear(module, unit):
    def cost(size):
        report = Report(unit * (size // len(unit)))
        _ = report.cues, report.sentences, report.tables, report.citations
        begin = time.process_time()
        list(module.CHECK.run(report, Context()))
        return time.process_time() - begin

    # Anything quadratic takes minutes on 60 kB of this; the bound leaves room for a slow machine.
    assert cost(60_000) < 2


def test_a_table_without_header_cells_is_read():
    ((words, hit),) = hits(broken_markdown, "-|-\n-|-\n|\nd")
    assert words == "d"
    assert "under a header of 0" in hit.message.text("en")
    assert hit.related == ()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("本项目的的成本很高，需要严格控制。", ["的的"]),
        ("栏目的的内容很好，需要继续保持。", ["的的"]),
        ("他的目的的实现需要时间，目的的确明确。", []),
    ],
)
def test_doubled_de_after_words_that_end_in_mu(text, words):
    assert flagged(repeated_word, text) == words
