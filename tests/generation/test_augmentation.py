import asyncio

import pytest

from assay.generation.augmentation import augment, augmentation_flaws, augmented
from assay.rubrics.rubric import Criterion

ASKS = "The report cites the 2021 census of Paris."
LONGER = (
    "The report cites the 2021 census of Paris (e.g. its table of districts), and not a mere estimate of it."
)


@pytest.mark.parametrize(
    ("new", "told"),
    [
        (LONGER, None),
        (LONGER.replace("2021", "last"), "it leaves out 2021"),
        (LONGER.replace("Paris", "the city"), "it leaves out Paris"),
        (ASKS, "no longer than"),
        (LONGER + " More." * 200, "at most"),
        ("报告引用了 2021 年 Paris 的人口普查数据（例如各区的表格），而不是估计。", "another language"),
        ("Here is the rewritten criterion: " + LONGER, "about the rewriting"),
        (LONGER + "\n- one\n- two", "a list"),
        (f"<<CRITERION 8c15b8bce487>>\n{LONGER}\n<<END CRITERION 8c15b8bce487>>", "the lines that mark"),
    ],
)
def test_rules(new, told):
    found = augmentation_flaws(ASKS, new)
    assert (found == []) if told is None else any(told in flaw for flaw in found)


def test_quoted_words_stay():
    assert augmentation_flaws("是否提到“碳中和”目标", "报告是否明确提到减排目标，例如某个年份的目标值") == [
        "it leaves out 碳中和"
    ]


def test_the_original_is_kept(author):
    criterion = Criterion(key="census", asks=ASKS, weight=4.0, notes={"axis": "references"})
    new, written = asyncio.run(augmented(author(LONGER), criterion))
    assert new.asks == LONGER
    assert (new.key, new.weight) == ("census", 4.0)
    assert new.notes == {"axis": "references", "augmented_by": "scripted/test", "original": ASKS}
    assert written.flaws == ()


def test_what_breaks_the_rules_says_so(author):
    new, _ = asyncio.run(augmented(author(ASKS), Criterion(key="census", asks=ASKS)))
    assert new.notes["augmentation_flaws"]


def test_what_was_not_written_stays_as_it_was(author):
    criterion = Criterion(key="census", asks=ASKS)
    new, written = asyncio.run(augmented(author("I'm sorry, but I can't help with that."), criterion))
    assert (new, written.status) == (criterion, "refused")


def test_in_the_language_of_the_criterion(author):
    writer = author("x")
    asyncio.run(augment(writer, "是否说明样本量"))
    assert "改写" in writer.model.requests[0].messages[1].content
    assert "<<CRITERION" in writer.model.requests[0].messages[1].content
