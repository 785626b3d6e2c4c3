"""Sets of tasks: found by id, by file, by query."""

import pytest

from assay.errors import InputError
from assay.rubrics.rubric_file import parse_rubric
from assay.rubrics.tasks import RubricSet, RubricTask


def task(name, query="", *texts):
    return RubricTask(id=name, query=query, rubric=parse_rubric(list(texts) or ["Names Paris."], name="r"))


@pytest.fixture
def tasks():
    return RubricSet.of(
        "set", [task("64f", "Why  is\nit?"), task("v1.2", "How?"), task("7", "Same"), task("8", "Same")]
    )


@pytest.mark.parametrize(
    ("wanted", "found"),
    [
        ("64f", "64f"),
        ("reports/agent/64f.md", "64f"),
        ("64f.tar.gz", "64f"),
        (r"C:\reports\64f.md", "64f"),
        ("v1.2.md", "v1.2"),
        ("x/v1.2", "v1.2"),
        ("Why is it?", "64f"),
        ("Same", None),
        ("why is it?", None),
        ("64", None),
        ("", None),
        (".md", None),
    ],
)
def test_find(tasks, wanted, found):
    task = tasks.find(wanted)
    assert (task.id if task else None) == found


def test_the_only_one(tasks):
    assert tasks.only is None
    assert RubricSet.of("one", [task("a")]).only.id == "a"


def test_ids_are_unique_and_there_are_some():
    with pytest.raises(InputError, match="two tasks have the id 'a'"):
        RubricSet.of("x", [task("a"), task("a")])
    with pytest.raises(InputError, match="x: holds no rubric"):
        RubricSet.of("x", [])


def test_nearest(tasks):
    assert tasks.nearest("64e") == "there are 64f, v1.2, 7 and 1 more"
    assert (
        RubricSet.of("x", [task("heat-pumps"), task("tea")]).nearest("heat-pump")
        == "did you mean 'heat-pumps'?"
    )


def test_version_is_of_rubrics_and_of_what_finds_them(tasks):
    def version(*rows):
        return RubricSet.of("any name", rows).version

    one, other = task("a", "Why?"), task("b", "How?")
    assert version(one, other) == version(other, one)
    assert version(one) != version(one, other)
    assert version(one) != version(task("a", "When?"))
    assert version(one) != version(task("a", "Why?", "Names Rome."))
    assert len(tasks.version) == 12
