"""The index of a run: filters, orders, pages and updates agree with a plain reading of all judgments."""

import random
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.errors import UsageError
from assay.web.judgment_heads import JudgmentHead
from assay.web.judgment_index import SORTS, HeadFilter, JudgmentIndex

WORDS = ["heat", "pump", "50%", "a_b", "back\\slash", "中文", "O'Neil", '"x"']


class Made:
    """A source in memory."""

    def __init__(self, heads):
        self.all = {head.key: head for head in heads}

    def rows(self):
        return {key: head.row for key, head in self.all.items()}

    def heads(self, keys=None):
        yield from (self.all[key] for key in sorted(self.all if keys is None else keys))


def heads(count, seed=0):
    rng = random.Random(seed)
    for number in range(count):
        ok = rng.random() < 0.8
        pair = rng.random() < 0.4
        yield JudgmentHead(
            key=f"{rng.getrandbits(64):016x}", row=number, subject=f"{rng.choice(WORDS)} {number // 3}", judge=rng.choice("abc"),
            rubric=rng.choice(["r", "q"]), system=rng.choice(["s", "t", ""]), mode="compare" if pair else "score",
            status="ok" if ok else rng.choice(["failed", "unparsed"]), problem="" if ok else "cut off",
            verdict=rng.choice(["A>B", "A<B", "tie"]) if pair and ok else "", score=rng.randint(1, 5) / 1 if ok and not pair else None,
            case=f"q{number % 5}", split=pair and rng.random() < 0.2, values={"depth": rng.randint(1, 5) if ok else None, "it's": "met"}, tokens=rng.randint(0, 9), at=float(number),
        )  # fmt: skip


def index_of(items):
    index = JudgmentIndex()
    index.refresh("r", Made(items))
    return index


def every(index, wanted, limit=7):
    found, after = [], None
    while True:
        page = index.page("r", wanted, after, limit)
        found += page.rows
        assert len(page.rows) == limit or page.next is None
        if page.next is None:
            return found
        after = page.next


@pytest.fixture(scope="module")
def material():
    items = list(heads(200))
    index = index_of(items)
    yield items, index
    index.close()


@pytest.mark.parametrize("sort", [*SORTS, "value"])
@pytest.mark.parametrize("down", [False, True])
def test_every_order_shows_everything_once(material, sort, down):
    items, index = material
    found = every(index, HeadFilter(sort=sort, down=down, criterion="depth"))
    assert sorted(head.key for head in found) == sorted(head.key for head in items)

    def value(head):
        given = head.values["depth"] if sort == "value" else getattr(head, sort)
        if sort == "subject":  # in the order of their numbers
            given = re.sub(r"\d+", lambda found: found[0].zfill(12), given)
        return (-1e308 if given is None else given, head.key)

    assert [head.key for head in found] == [head.key for head in sorted(found, key=value, reverse=down)]


@given(
    judge=st.sampled_from(["", "a", "b", "none"]),
    system=st.sampled_from(["", "s"]),
    status=st.sampled_from(["", "ok", "failed"]),
    verdict=st.sampled_from(["", "A>B"]),
    search=st.sampled_from(["", "q3", *WORDS, "heat 1", "CUT", "%", "_", "\\", "zzz"]),
    disagree=st.booleans(),
    value=st.sampled_from(["", "3"]),
)
def test_filters_agree_with_a_plain_reading(
    material, judge, system, status, verdict, *, search, disagree, value
):
    _, index = material
    items = every(index, HeadFilter(), 500)
    wanted = HeadFilter(judge=judge, system=system, status=status, verdict=verdict, search=search, disagree=disagree, criterion="depth", value=value)  # fmt: skip

    def fits(head):
        plain = [(judge, head.judge), (system, head.system), (status, head.status), (verdict, head.verdict)]
        words = [head.subject, head.problem, head.judge, head.system, head.case]
        return (
            all(not asked or asked == own for asked, own in plain)
            and all(any(part.lower() in word.lower() for word in words) for part in search.split())
            and (not disagree or (head.spread or 0) >= 1)
            and (not value or str(head.values["depth"]) == value)
        )

    expected = [head.key for head in items if fits(head)]
    assert [head.key for head in every(index, wanted)] == expected
    assert index.count("r", wanted) == len(expected)


def test_disagreement_is_of_one_case_and_rubric(material):
    items, index = material
    for head in every(index, HeadFilter(), 500):
        same = [item for item in items if (item.subject, item.rubric) == (head.subject, head.rubric)]
        if len(same) == 1 and not head.split:
            assert head.spread is None
            continue
        if min(item.mode for item in same) == "compare":
            kinds = {item.verdict for item in same if item.verdict}
            expected = max(len(kinds) > 1, *(item.split for item in same))
        else:
            scores = [item.score for item in same if item.score is not None]
            expected = max(scores) - min(scores) if scores else None
        assert head.spread == expected


def test_an_update_adds_replaces_and_removes():
    items = list(heads(60))
    index = index_of(items)
    changed = [*items[10:], *heads(30, seed=5)]
    changed[0] = JudgmentHead(key=changed[0].key, row=10**6, subject="new", judge="z")
    assert index.refresh("r", Made(changed)) == 31
    found = {head.key: head for head in every(index, HeadFilter())}
    assert set(found) == {head.key for head in changed}
    assert found[changed[0].key].judge == "z"
    assert dict(index.facets("r", "judge"))["z"] == 1
    assert index.refresh("r", Made(changed)) == 0
    fresh = index_of(changed)
    assert every(fresh, HeadFilter(sort="spread")) == every(index, HeadFilter(sort="spread"))
    for one in (index, fresh):
        one.close()


def test_neighbours_follow_the_order(material):
    _, index = material
    wanted = HeadFilter(judge="a", sort="score", down=True)
    found = [head.key for head in every(index, wanted)]
    for at, key in enumerate(found):
        before, after = index.neighbours("r", wanted, key)
        assert before == (found[at - 1] if at else None)
        assert after == (found[at + 1] if at + 1 < len(found) else None)


@pytest.mark.parametrize("mark", ["", "x", "[]", "[null, 1]", '["a"]', '{"a": 1}'])
def test_a_place_that_is_none_is_refused(material, mark):
    with pytest.raises(UsageError, match="open the table again"):
        material[1].page("r", HeadFilter(), mark)
