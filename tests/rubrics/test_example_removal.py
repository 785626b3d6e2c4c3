"""Criteria without examples: what goes, what stays, and that nothing is ever lost but examples."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.rubrics.example_removal import strip_examples, without_examples
from assay.rubrics.loaders.registry import load_rubric_set
from assay.rubrics.rubric_file import parse_rubric
from assay.text.words import count_words


@pytest.mark.parametrize(
    ("text", "bare"),
    [
        ("Names two risks (e.g., cost, delay).", "Names two risks."),
        ("Names two risks (e.g. cost (high), delay) of the plan.", "Names two risks of the plan."),
        ("Names two risks (for example, cost) and a remedy.", "Names two risks and a remedy."),
        (
            "Uses charts (like bar charts) where numbers are compared.",
            "Uses charts where numbers are compared.",
        ),
        (
            "Compares models (three of them, e.g., A and B) by price.",
            "Compares models (three of them) by price.",
        ),
        ("Cites primary sources, such as letters and diaries.", "Cites primary sources."),
        ("Cites primary sources such as letters, diaries, or court files.", "Cites primary sources."),
        (
            "Checks if complex ideas, such as entropy or drift, are explained.",
            "Checks if complex ideas are explained.",
        ),
        (
            "Names competing designs, such as pumps, and explains the choice.",
            "Names competing designs, and explains the choice.",
        ),
        ("Names rival theories, such as A and B, rather than one.", "Names rival theories, rather than one."),
        ("Names three causes of the war. For example, trade is one.", "Names three causes of the war."),
        ("Names causes of the war, for example trade and faith.", "Names causes of the war."),
        (
            "Handles several inputs (e.g., a code block, a note (without names), a table) of a case.",
            "Handles several inputs of a case.",
        ),
        (
            "Uses a suitable method (i.e. keyword search, stricter linguistic or learned methods, etc.).",
            "Uses a suitable method.",
        ),
        (
            "Cites a public source ((1) the statistics office, (2) Data Finder or (3) papers of known universities).",
            "Cites a public source.",
        ),
        ("Names costs (wages, rent (net), energy and so on) by year.", "Names costs by year."),
        ("是否引用公开来源（（1）统计局、（2）央行，或（3）高校论文）？", "是否引用公开来源？"),
        ("是否引用公开来源（①统计局；②央行；或③高校论文）？", "是否引用公开来源？"),
        ("是否采用合适的方法（即关键词检索、机器学习方法等）", "是否采用合适的方法"),
        ("是否列出主要成本（人工、材料等）及其变化", "是否列出主要成本及其变化"),
        ("是否说明主要成本（如人工、材料等）的变化", "是否说明主要成本的变化"),
        ("是否说明主要成本(例如：人工（含税）、材料)的变化", "是否说明主要成本的变化"),
        ("是否提出独特见解，例如对现有做法的反思、或从新角度审视。", "是否提出独特见解。"),
        ("是否分析了驱动因素，如：里程增长、采购量、磨损率等。", "是否分析了驱动因素。"),
        ("是否探讨了主要挑战，如成本高、数据少等，并据此给出建议。", "是否探讨了主要挑战，并据此给出建议。"),
        ("结论是否有启发？例如，对技术路线作出判断。", "结论是否有启发？"),
        ("是否说明了定义（阐明范围，例如是否含税）以及来源", "是否说明了定义（阐明范围）以及来源"),
    ],
)
def test_examples_go(text, bare):
    assert without_examples(text) == bare


@pytest.mark.parametrize(
    "text",
    [
        "Names the capital of France.",
        "Gives the revenue (in USD) and the year.",
        "E.g., Paris.",
        "(e.g., Paris, Rome)",
        "For example, Paris is named.",
        # What is asked are examples.
        "Gives at least one example of a failed merger.",
        "Includes aspects such as cost and time.",
        "Discusses tools such as lathes to reduce the time of machining.",
        "Explains that metals such as iron rust when they are wet.",
        # Numbered demands, definitions, and a list that is complete.
        "Names three costs ((1) wages, (2) rent and (3) energy).",
        "Uses the net price (i.e., without tax).",
        "Compares both systems (heat pump, gas boiler).",
        "是否列出三项成本（（1）人工、（2）租金和（3）能源）",
        "是否比较两种方案（热泵、燃气锅炉）",
        # Conditions, not examples.
        "案例选择（如有）是否贴切",
        "是否说明局限（如果存在）",
        "是否说明如何计算，如有假设，是否列出",
        "是否解释了影响如何传导",
        # The list's end cannot be told.
        "是否组织信息，例如，在探讨路径时，是否使用了列表",
        "分析例如农业、工业等领域的变化",
        "说明原因，例如：如何生成？如何验证？",
        "",
    ],
)
def test_everything_else_stays(text):
    assert without_examples(text) == text


PIECES = st.sampled_from(
    ["Names", " two risks", " (e.g., cost", ")", "(", ", such as", " A and B", ", are", ".", " For example, ", "，例如", "，如",
     "（如", "）", "人工、材料", "等", "，并", "是否", "说明", "。", "？", " e.g. ", " ", "[e.g. x]", "—", ";", "such as"]
)  # fmt: skip


@given(st.lists(PIECES, max_size=25).map("".join) | st.text(max_size=80))
def test_idempotent_and_never_empty(text):
    bare = without_examples(text)
    assert without_examples(bare) == bare
    assert len(bare) <= len(text)
    if text.strip():
        assert bare.strip()
    assert bare == text or count_words(bare) >= 2
    # Nothing is moved or made up: what stays is in the text in this order.
    left = iter(text)
    assert all(char in left for char in bare if not char.isspace())


def test_hostile_text_takes_no_time():
    for text in (
        "(e.g. " * 3000,
        ", such as a" * 1500,
        "，例如" * 4000,
        "（如" * 5000,
        " for example, " * 1000,
        "(" * 19_000,
    ):
        # It returns at all, and removes rather than adds.
        assert len(without_examples(text)) <= len(text)
        assert len(without_examples(text + "x" * 20_000)) <= len(text) + 20_000


def test_real_criteria(shared):
    """Of 2,517 criteria 1,068 have examples that are taken out; of some 85 read, four were wrong and were mended."""
    tasks = load_rubric_set(shared / "deepresearch_bench" / "criteria.jsonl").tasks.values()
    texts = [item.asks for task in tasks for item in task.rubric.criteria]
    bare = [without_examples(text) for text in texts]
    changed = [(old, new) for old, new in zip(texts, bare, strict=True) if old != new]
    assert 1000 <= len(changed) <= 1150
    assert all(without_examples(new) == new for _, new in changed)
    assert all(len(new) > 0.2 * len(old) for old, new in changed)
    for cue in ("(e.g.", "（例如", "（如下", "(such as"):
        assert not any(cue in new for _, new in changed if cue != "（如下")


def test_a_rubric_keeps_its_keys_and_says_so_in_its_name():
    long = "Names at least two of the most important risks of the plan (e.g., cost)."
    rubric = parse_rubric(
        [
            {"text": long, "asks_zh": "列出两项风险（如成本）", "weight": 3},
            {"title": "Risks (e.g., cost)", "key": "risks", "text": "Names two risks."},
        ],
        name="mine",
    )
    bare = strip_examples(rubric)
    assert bare.name == "mine-no-examples"
    assert [item.key for item in bare.criteria] == [item.key for item in rubric.criteria]
    assert bare.criteria[0].asks == "Names at least two of the most important risks of the plan."
    assert bare.criteria[0].asks_zh == "列出两项风险"
    assert bare.criteria[0].title == bare.criteria[0].asks
    assert bare.criteria[1].title == "Risks"
    assert bare.version != rubric.version
    assert strip_examples(bare) == bare


def test_a_set_changes_its_version(examples):
    tasks = load_rubric_set(examples / "rubrics" / "tasks.jsonl")
    bare = strip_examples(tasks)
    assert bare.name == "tasks-no-examples"
    assert list(bare.tasks) == list(tasks.tasks)
    assert bare.version != tasks.version
    assert strip_examples(bare).version == bare.version
