"""The reward on a table of replies, and the signatures of the libraries that call it."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.training.examples import TrainingExample, composed_reply
from assay.training.reward import (
    Expected,
    RewardSettings,
    expected_of,
    for_openrlhf,
    for_trl,
    for_verifiers,
    rewards,
)

KEYS = ("local_coherence", "evidence_sufficiency")
EXPECTED = Expected(
    label="A>B",
    keys=KEYS,
    dimensions=dict.fromkeys(KEYS, "A>B"),
    texts=("The pump pays back in nine years.",),
)


def reply(
    verdict: str = "A>B", why: str = "It follows.", keys: tuple[str, ...] = KEYS, **decisions: str
) -> str:
    block = {
        "aspect_evaluations": {
            key: {"decision": decisions.get(key, verdict), "justification": why} for key in keys
        },
        "overall_explanation": why,
    }
    return f"<think>\n{json.dumps(block)}\n</think>\n{verdict}"


TABLE = [
    (reply(), 1.0),
    (reply("A<B"), -0.5),
    (reply("both_good"), -0.5),
    (reply("A>B", local_coherence="A<B"), 1.0),
    ("```\n" + reply() + "\n```", 1.0),
    (reply(keys=KEYS[:1]), -1.0),
    (reply().rpartition("\n")[0], -1.0),
    (reply("B wins"), -1.0),
    ("A>B", -1.0),
    ("", -1.0),
    ("A is better because its evidence is stronger.", -1.0),
    (reply()[:60], -1.0),
]


@pytest.mark.parametrize(("text", "value"), TABLE)
def test_the_form_comes_first_then_the_verdict(text: str, value: float) -> None:
    assert rewards([text], [EXPECTED]) == [value]


def test_a_reply_is_worth_the_same_among_others() -> None:
    assert rewards([text for text, _ in TABLE], [EXPECTED] * len(TABLE)) == [value for _, value in TABLE]


def test_parts_beyond_the_paper_count_by_their_weight() -> None:
    half = reply(local_coherence="A<B")
    assert rewards([half], [EXPECTED], RewardSettings(dimensions=0.4)) == [pytest.approx(1.2)]
    quoting = reply(why="It says “The pump pays back” and “the roof is made of tin”.")
    assert rewards([quoting], [EXPECTED], RewardSettings(quotes=0.2)) == [pytest.approx(1.1)]
    long = reply(why="x" * 3000)
    (value,) = rewards([long], [EXPECTED], RewardSettings(length=0.1, free_chars=0))
    assert value == pytest.approx(1 - 0.1 * len(long) / 1000)


def test_both_orders_agree_if_the_verdict_is_inverted() -> None:
    settings = RewardSettings(orders=0.5)
    one = Expected(label="A>B", keys=KEYS, pair="p", order=0)
    other = Expected(label="A<B", keys=KEYS, pair="p", order=1)
    assert rewards([reply("A>B"), reply("A<B")], [one, other], settings) == [1.5, 1.5]
    assert rewards([reply("A>B"), reply("A>B")], [one, other], settings) == [1.0, -0.5]
    # An unreadable reply says nothing about the other order.
    assert rewards([reply("A>B"), "?"], [one, other], settings) == [1.0, -1.0]


def test_an_invalid_reply_never_earns_a_bonus() -> None:
    settings = RewardSettings(dimensions=1, quotes=1, orders=1)
    assert rewards(["“The pump pays back in nine years.”"], [EXPECTED], settings) == [-1.0]


def test_every_library_gets_its_signature() -> None:
    prompt = [{"role": "system", "content": "s"}, {"role": "user", "content": "The pump pays back."}]
    row = {"prompt": prompt, "label": "A>B", "dimensions": dict.fromkeys(KEYS, "A>B"), "id": "p", "order": 0}
    texts = [reply(), reply("A<B")]
    trl = for_trl()(
        prompts=[prompt] * 2,
        completions=[[{"role": "assistant", "content": text}] for text in texts],
        label=["A>B"] * 2,
        dimensions=[row["dimensions"]] * 2,
        trainer_state=None,
    )
    assert trl == [1.0, -0.5]
    assert (
        for_openrlhf()([f"P{text}" for text in texts], ["P"] * 2, [json.dumps(row)] * 2, step=3)["rewards"]
        == trl
    )
    assert [for_verifiers()([{"role": "assistant", "content": text}], row) for text in texts] == trl
    assert expected_of(row).texts == ("The pump pays back.",)


def test_a_composed_reply_is_one_that_the_reward_accepts() -> None:
    example = TrainingExample(
        id="1",
        query="",
        a="x",
        b="y",
        label="A>B",
        dimensions={KEYS[0]: "A>B"},
        why="B contradicts itself.",
        provenance="planted",
    )
    right, wrong = composed_reply(example, KEYS), composed_reply(example, KEYS, verdict="A<B")
    assert rewards([right, wrong], [EXPECTED] * 2) == [1.0, -0.5]
    swapped = example.swapped()
    assert (swapped.label, swapped.a, swapped.dimensions) == ("A<B", "y", {KEYS[0]: "A<B"})
    assert swapped.digest == example.digest
    assert swapped.swapped() == example


@pytest.mark.parametrize(
    "text",
    [
        reply(),
        reply("both_bad", why='She said "no", and “yes”.'),
        reply("tie"),
        reply().replace('"decision": "A>B"', '"decision": "A>B", "decision": "A<B"', 1),
        reply(keys=(KEYS[0], KEYS[0])),
        reply("A<B", why="结论没有依据。") + "\n\n",
    ],
)
def test_the_quick_way_reads_what_the_parser_reads(text: str) -> None:
    from assay.strategies.logicjudge_reply import parse_reply
    from assay.training import reward as module

    quick = module._plain(text, KEYS)
    parsed = parse_reply(text, KEYS, module._LABELS)
    if quick is not None:
        assert parsed.valid
        assert (quick.decisions, quick.verdict) == (parsed.decisions, parsed.verdict)


PIECES = st.sampled_from([
    "<think>", "</think>", "A>B", "A<B", "\n", "{", "}", '"', "\\", "'", "Aspect evaluations", "aspect_evaluations", '"decision": "A>B",',
    reply(), reply()[:90], reply()[90:], reply()[:-9], '{"a": "}"}',
])  # fmt: skip


@given(st.lists(PIECES, max_size=8))
def test_a_reply_that_is_held_for_broken_off_has_no_verdict(pieces: list[str]) -> None:
    from assay.strategies.logicjudge_reply import parse_reply
    from assay.training import reward as module

    text = "".join(pieces)
    if module._breaks_off(text):
        assert not parse_reply(text, KEYS, module._LABELS).valid


def test_replies_that_break_off_are_held_for_broken_off() -> None:
    from assay.training import reward as module

    whole = reply(why='She said "no"; {nothing} else.')
    end = whole.rindex("}")
    assert all(module._breaks_off(whole[:at]) for at in range(whole.index("aspect_evaluations") + 20, end))
    assert not module._breaks_off(whole)
