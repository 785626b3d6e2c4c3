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
)
from assay.subjects.report import Report
from assay.text.english_grammar import number_of, plural_of, third_of

MODULES = [
    broken_agreement, broken_markdown, degenerate_text, encoding_damage, garbled_punctuation, leftover_placeholder,
    mixed_language, model_talk, near_duplicate_paragraph, repeated_word,
]  # fmt: skip


def hits(module, text):
    report = Report(text)
    return [(text[hit.span.start : hit.span.end], hit) for hit in module.CHECK.run(report, Context())]


def flagged(module, text):
    return [words for words, _ in hits(module, text)]


@pytest.mark.parametrize(
    ("sentence", "words"),
    [
        ("Those methods provides a basis for it.", "Those methods provides"),
        ("It has been show that costs fall.", "has been show"),
        ("It can provides a basis.", "can provides"),
        ("It is used to provides a basis.", "to provides"),
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
    assert flagged(broken_agreement, sentence) == [words]


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
        "These analyses matter, the ethos was new, and the role of these findings remains open.",
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


def test_repeated_words():
    assert sorted(flagged(repeated_word, "It is the the best of of all.")) == ["of of", "the the"]
    assert flagged(repeated_word, "The agent may query query\\_batch, and Walla Walla is far.") == []
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


def kinds(text):
    report = Report(text)
    return {kind: len(spans) for kind, spans in model_talk.leftovers(report).items()}


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("I'll search for figures.\n\nLet me look at more sources.\n\n# Heat pumps\n\nSales rose.", "steps"),
        ("I now have sufficient information to write it.", "steps"),
        ("让我再次尝试更具体的搜索，聚焦电价。", "steps"),
        ("现在我需要获取更多关于补贴的信息：", "steps"),
        ("The plan and its limits, as requested, follow.", "request"),
        ("This explains the behaviour identified in the user query.", "request"),
        ("Because the user did not specify a region, the scope is broad.", "request"),
        ("Although the prompt did not specify a year, sales of 2022 are used.", "request"),
        ("根据您的要求，本文比较三种方案。", "request"),
        ("Please let me know if this meets your requirements.", "offer"),
        ("I hope this helps with the decision.", "offer"),
        ("Would you like me to add a table?", "offer"),
        ("如需进一步了解，请随时告诉我。", "offer"),
        ("希望以上内容对您有所帮助。", "offer"),
        ("Certainly! Here is a report on heat pumps:\n\nSales rose.", "opening"),
        ("好的，以下是关于热泵的报告。\n\n销量上升。", "opening"),
        ("This report was generated by AI and should be checked.", "machine"),
        ("My knowledge cutoff is April 2023.", "machine"),
        ("本内容由AI生成，仅供参考。", "machine"),
        ("The provided snippets do not give the price.", "search"),
        ("Based on the search results, sales rose.", "search"),
        ("基于搜索结果[1]提到的类型，可以分为三类。", "search"),
        ("This is a strict superset of the direct answer.", "grading"),
        ("This report meets all of your formatting requirements.", "grading"),
        ("以上就是关于热泵市场的全部内容。", "grading"),
        ("Word count: 1,998", "length"),
        ("## Summary (approx. 500 words)", "length"),
        ("字数：约1998", "length"),
        ("<think>Sales first.</think> Sales rose.", "debris"),
        ("Sales rose. </tool_call>", "debris"),
        ("Sales rose. \ue200image_group\ue202{}\ue201", "debris"),
    ],
)
def test_what_agents_leave(text, kind):
    assert kind in kinds(text)


@pytest.mark.parametrize(
    "text",
    [
        "When the user wants to search, the agent breaks the user request into subtasks.",
        "I could not verify this figure, and I found no study that compares both.",
        "In this report I will show that prices fell. Let us turn to demand.",
        "The prompt guides the model, and the user's query is rewritten before retrieval.",
        "Google ranks its search results by relevance, and search results differ by country.",
        "Labelling rules cover AI-generated content; text generated by AI must be marked.",
        "If you want faster time to production, choose the managed index.",
        "Copilot serves as an AI assistant for office work.",
        "The essay may have 4,000 words, and the abstract 300 words.",
        "Here is what changed: prices fell.",
        "Resources are allocated as requested by the scheduler.",
        "The team asked: “Would you like me to stay?” Nobody answered.",
        "Of course, prices also depend on the weather.",
        "We searched three databases; the search returned 412 records.",
        "The contract meets the requirements of the directive.",
        "The model follows instructions well.",
        "Bring your own device, and ask your doctor.",
        "Last updated in May, the register lists 40 firms.",
        "我们发现销量上升，我们将在下文说明原因。",
        "系统根据用户需求调整搜索结果页的排序。",
        "平台为用户提供如需定制可联系厂商的服务。",
        "以下是主要结论，以上就是三个原因。",
        "受访者说：“如果你愿意，我可以帮忙。”",
        "AI生成内容的标识办法自九月起施行。",
        "希望本研究对后续工作有所启发。",
        "我国需要进一步了解市场。",
        "该产品满足用户要求，好的设计很重要。",
    ],
)
def test_what_authors_write(text):
    assert kinds(text) == {}


def test_leftovers_of_one_kind_are_one_finding():
    text = "I'll search for figures.\n\n# Heat pumps\n\nSales rose.\n\nI now have enough information. If you want, I can add a table."
    found = hits(model_talk, text)
    assert [words for words, _ in found] == ["I'll search for figures.", "If you want, I can add a table."]
    assert [len(hit.related) for _, hit in found] == [1, 0]


def test_stray_words_of_another_script():
    assert flagged(
        mixed_language, "Sales rose in 2022. The agency 已经 extended the subsidies for homes."
    ) == ["已经"]
    assert (
        flagged(
            mixed_language, "Sales rose in 2022. The 国家电网 (State Grid) extended it, and 国家电网 agrees."
        )
        == []
    )


def test_a_statement_told_in_three_sections():
    said = (
        "Amazon paid a civil penalty of $25 million for storing the voice recordings of children indefinitely"
    )
    text = "".join(
        f"## Part {name}\n\n{lead} {said.lower()}{end}.\n\n"
        for name, lead, end in [
            ("one", "In 2023,", ""),
            ("two", "As regulators note,", ", which is large"),
            ("three", "Again,", " in 2023"),
        ]
    )
    ((_, hit),) = hits(near_duplicate_paragraph, text)
    assert "3 sections" in hit.message.text("en")


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


_CANALS = (
    "Barges on the Ostrava canal carry gravel, timber and scrap from the quarries to the foundry. The lock keepers count "
    "each hull, weigh the cargo by its draught and note the toll in a ledger. In dry summers the sluices stay shut for "
    "weeks, so the gravel goes by lorry and the foundry pays twice the freight. The council has therefore dredged the "
    "upper basin and raised two weirs.\n\n"
)
_CANALS_AGAIN = (
    "From the quarries to the foundry, barges move timber, scrap and gravel along the Ostrava canal. Lock keepers weigh "
    "every cargo by the draught of its hull and enter tolls in the ledger. When a summer is dry, closed sluices send the "
    "gravel onto lorries at double freight for weeks. That is why the council dredged the upper basin and built up its "
    "weirs, two of them.\n\n"
)
_OTHERS = [
    (
        "Rail",
        "Night trains bring coal from the border to the power station, where a single tippler empties forty wagons an "
        "hour. Crews change at the junction, and the signal box there still works with levers from the thirties. "
        "Electrification stops short of the yard, which keeps diesel shunters in service and neighbours awake. A new "
        "loop would let passenger expresses overtake without waiting.",
    ),
    (
        "Roads",
        "The ring road collects commuters from six suburbs and spills them into the old market square. Buses share its "
        "lanes with delivery vans, and cyclists use the pavement instead. Traffic lights follow a timetable that was "
        "drawn up before the hospital moved, so ambulances meet red at every crossing. Engineers propose roundabouts, "
        "shopkeepers fear losing parking.",
    ),
    (
        "Air",
        "The airfield has one runway of grass and a hangar that a flying club rents by the year. Medical flights land "
        "there in emergencies, guided by lamps that volunteers set out. Fog closes it on most mornings of November. "
        "Plans for asphalt were dropped when the region chose a heliport beside the clinic, cheaper to light and to "
        "clear of snow.",
    ),
]


def _report(*sections):
    return "# Transport\n\n" + "".join(f"## {title}\n\n{text.strip()}\n\n" for title, text in sections)


def test_a_section_told_twice_in_other_words():
    text = _report(("Canals", _CANALS), *_OTHERS, ("Waterways", _CANALS_AGAIN))
    [(words, hit)] = hits(near_duplicate_paragraph, text)
    assert words == "Waterways"
    assert text[hit.related[0].start : hit.related[0].end] == "Canals"


@pytest.mark.parametrize("title", ["Summary", "Conclusion", "Canals compared with the others"])
def test_a_recapitulation_may_repeat(title):
    assert (
        flagged(near_duplicate_paragraph, _report(("Canals", _CANALS), *_OTHERS, (title, _CANALS_AGAIN)))
        == []
    )


def test_profiles_of_one_pattern_are_not_told_twice():
    form = (
        "{} is a harbour town whose council runs ferries, pilots and a fish market. The quay was rebuilt with money from "
        "the region, and the cranes were leased for twenty years. Fees depend on length and tonnage and are published "
        "each spring. Complaints go to the harbour master, who answers within ten days and keeps a public register of "
        "accidents, delays and spills in the customs house."
    )
    towns = [(town, form.format(town)) for town in ("Alby", "Borka", "Cerna", "Dunmore", "Essen")]
    found = [
        hit
        for _, hit in hits(near_duplicate_paragraph, _report(*towns))
        if "says on line" in str(hit.message)
    ]
    assert found == []


@pytest.mark.parametrize(
    "text",
    [
        "The dose is not specified in the provided sources, so none is given.",
        "Only statements supported by the vetted items are included.",
        "All figures below are grounded in official statistics.",
        '<img src="https://tool.example.org/full-logo.png" class="logo" width="120"/>\n\n# Pumps\n\nSales grew.',
        "Sales grew.\n\n---\n来自 Perplexity 的回答: pplx.ai/share",
    ],
)
def test_traces_of_instructions_and_tools(text):
    assert len(flagged(model_talk, text)) == 1


@pytest.mark.parametrize(
    "text",
    [
        "The items in the basket are weighed, and the provided cups hold 200 ml.",
        "All figures are in euros, and all data are from 2021.",
        "![A map of the sources](map.png)\n\nThe sources are shown on the map.",
    ],
)
def test_ordinary_words_are_no_traces(text):
    assert flagged(model_talk, text) == []


def test_stripped_chinese_citations():
    text = "销量增长了12% 。价格下降 ，需求上升 。补贴延长了两年 。"
    [(_, hit)] = hits(garbled_punctuation, text)
    assert hit.severity is None
    [(_, hit)] = hits(garbled_punctuation, text * 3)
    assert hit.severity == "warning"


@pytest.mark.parametrize("word", ["BECAUSE", "**because**", "**Therefore**"])
def test_connectives_for_a_checker(word):
    text = f"Pumps sell well, {word} gas is dear. " * 6
    [(_, hit)] = hits(model_talk, text)
    assert hit.severity == "info"
    assert len(hit.related) == 5


def test_a_few_stressed_words_are_style():
    text = (
        "Pumps sell well **because** gas is dear. They sell because of grants, **not because of** looks. " * 3
    )
    assert flagged(model_talk, text) == []
