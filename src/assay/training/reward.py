"""The reward of a judge in training: the form first, then the verdict (ReportLogic, appendix A.2.2, equation 4).

A reply that the judge's own parser does not read in full gets -1, a readable one +1 if its verdict is right and -0.5
if it is wrong. Parts beyond the paper are off unless given a weight. All functions are plain: `rewards` takes texts,
and the adapters below give it the signatures of TRL, verifiers and OpenRLHF.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import msgspec

from assay.strategies.logicjudge_reply import ALONE, ASPECTS, CLOSE, OPEN, LogicJudgeReply, parse_reply
from assay.strategies.problems import problem
from assay.training.examples import SWAPPED

# Braces, and the strings in which they are none; the last string may break off.
_BRACES: Final = re.compile(r'[{}]|"(?:[^"\\]|\\.)*(?:"|$)', re.DOTALL)
_QUOTE: Final = re.compile(r"[\"“]([^\"“”]{8,300})[\"”]|「([^」]{4,200})」")
_LABELS: Final = tuple(SWAPPED)


class RewardSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a reply is worth.

    Attributes:
        invalid: For a reply that cannot be read in full.
        right: For the right verdict on the whole.
        wrong: For a wrong one.
        dimensions: Weight of the share of right decisions on dimensions, where they are known.
        quotes: Weight of the share of quoted passages that stand in the texts; a reply without a quote gets none of it.
        orders: Weight of the share of replies about the exchanged pair, in the same batch, whose verdict is the inverse.
        length: Deduction for each thousand characters beyond ``free_chars``.
        free_chars: Characters that cost nothing.
    """

    invalid: float = -1.0
    right: float = 1.0
    wrong: float = -0.5
    dimensions: float = 0.0
    quotes: float = 0.0
    orders: float = 0.0
    length: float = 0.0
    free_chars: int = 2000


class Expected(msgspec.Struct, frozen=True, kw_only=True):
    """What is known of the pair that a reply is about.

    Attributes:
        label: The right verdict on the whole.
        keys: The dimensions that a reply must decide.
        dimensions: The right decision by dimension; those not known are left out or ``""``.
        pair: Id of the pair, shared by its two orders; ``""`` if it is shown in one order only.
        order: The order, 0 or 1.
        texts: The texts that were shown, for quotes.
    """

    label: str
    keys: tuple[str, ...]
    dimensions: Mapping[str, str] = {}
    pair: str = ""
    order: int = 0
    texts: tuple[str, ...] = ()


def rewards(
    replies: Sequence[str],
    expected: Sequence[Expected],
    settings: RewardSettings | None = None,
) -> list[float]:
    """Return the reward of each reply.

    Args:
        replies: Texts of the replies.
        expected: For each reply, what is known of its pair.
        settings: Weights; by default the paper's.

    Raises:
        ValueError: There is not one expectation for each reply.
    """
    chosen = settings or RewardSettings()
    read = [read_reply(text, item.keys) for text, item in zip(replies, expected, strict=True)]
    verdicts: dict[tuple[str, int], list[str]] = {}
    for reply, item in zip(read, expected, strict=True):
        if item.pair and reply.valid:
            verdicts.setdefault((item.pair, item.order), []).append(str(reply.verdict))
    return [
        _reward(text, reply, item, verdicts.get((item.pair, 1 - item.order), []), chosen)
        for text, reply, item in zip(replies, read, expected, strict=True)
    ]


def read_reply(text: str, keys: tuple[str, ...]) -> LogicJudgeReply:
    """Return what a reply about these dimensions says; a single one may be named as it is asked for."""
    if _breaks_off(text):
        return LogicJudgeReply(problem=problem("no_verdict_after_block"))
    return _plain(text, keys) or parse_reply(
        text, {key: [ALONE] if len(keys) == 1 else [] for key in keys}, _LABELS
    )


def _breaks_off(text: str) -> bool:
    """Return whether a reply ends within its only block, so that no verdict can follow.

    Replies of an untrained model do so by the hundred, and mending each is what takes time.
    """
    start = text.find("{")
    if start < 0 or CLOSE in text or "'" in text[start : start + 3] or text.count(ASPECTS) != 1:
        return False
    depth, opened = 0, -1
    for found in _BRACES.finditer(text, start):
        if found[0] == "{":
            opened = found.start() if depth == 0 else opened
            depth += 1
        elif found[0] == "}" and depth:
            depth -= 1
    return depth > 0 and opened < text.find(ASPECTS)


class _PlainEntry(msgspec.Struct):
    decision: str
    justification: str


class _PlainReply(msgspec.Struct, forbid_unknown_fields=True):
    aspect_evaluations: dict[str, _PlainEntry]
    overall_explanation: str


_BLOCK: Final = msgspec.json.Decoder(_PlainReply)


def _plain(text: str, keys: tuple[str, ...]) -> LogicJudgeReply | None:
    """Return a reply that has the form to the letter, as most have after some training; None leaves it to the parser.

    It is ten times as fast as the parser and reads nothing otherwise than that does.
    """
    head, _, rest = text.partition(CLOSE)
    opening, mark, body = head.partition(OPEN)
    verdict = rest.strip()
    if opening.strip() or not mark or verdict not in _LABELS:
        return None
    try:
        block = _BLOCK.decode(body.encode("utf-8", "surrogatepass"))
    except (msgspec.DecodeError, UnicodeError):
        return None
    entries = block.aspect_evaluations
    if len(keys) == 1 and list(entries) == [ALONE]:
        entries = {keys[0]: entries[ALONE]}
    # A key given twice is for the parser, which refuses it.
    once = body.count('"decision"') == len(entries) == len(keys)
    if not once or any(key not in entries or entries[key].decision not in _LABELS for key in keys):
        return None
    return LogicJudgeReply(
        decisions={key: entries[key].decision for key in keys},
        justifications={key: entries[key].justification for key in keys},
        explanation=block.overall_explanation,
        verdict=verdict,
        has_block=True,
    )


def _reward(
    text: str, reply: LogicJudgeReply, item: Expected, opposite: Sequence[str], settings: RewardSettings
) -> float:
    if not reply.valid:
        return settings.invalid
    value = settings.right if reply.verdict == item.label else settings.wrong
    known = {key: label for key, label in item.dimensions.items() if label}
    if settings.dimensions and known:
        right = sum(reply.decisions.get(key) == label for key, label in known.items())
        value += settings.dimensions * right / len(known)
    if settings.quotes:
        said = "\n".join([*reply.justifications.values(), reply.explanation])
        value += settings.quotes * _quoted(said, item.texts)
    if settings.orders and opposite:
        wanted = SWAPPED.get(str(reply.verdict))
        value += settings.orders * sum(verdict == wanted for verdict in opposite) / len(opposite)
    if settings.length:
        value -= settings.length * max(0, len(text) - settings.free_chars) / 1000
    return value


def _quoted(text: str, texts: Sequence[str]) -> float:
    """Return the share of the quotes of a reply that stand in the texts, 0 to 1."""
    found = [one or other for one, other in _QUOTE.findall(text)]
    quotes = [quote for quote in found if " " in quote or not quote.isascii()]
    flat = [" ".join(item.split()) for item in texts]
    exist = sum(any(" ".join(quote.split()) in item for item in flat) for quote in quotes)
    return exist / len(quotes) if quotes else 0.0


def expected_of(row: Mapping[str, Any]) -> Expected:
    """Return what a row of an exported data set says of its pair (`assay.training.examples.exported`)."""
    dimensions = {key: value for key, value in (row.get("dimensions") or {}).items() if value is not None}
    return Expected(
        label=str(row["label"]),
        keys=tuple(dimensions),
        dimensions=dimensions,
        pair=str(row.get("id") or ""),
        order=int(row.get("order") or 0),
        texts=tuple(str(item["content"]) for item in row.get("prompt") or () if item["role"] == "user"),
    )


def for_trl(settings: RewardSettings | None = None) -> Callable[..., list[float]]:
    """Return a reward function for `trl.GRPOTrainer`: it gets prompts, completions and the columns of the data set."""

    def assay_reward(prompts: list[Any], completions: list[Any], **columns: Any) -> list[float]:
        texts = [item if isinstance(item, str) else str(item[0]["content"]) for item in completions]
        names = [name for name in ("label", "dimensions", "id", "order") if name in columns]
        rows = [
            {"prompt": prompt, **{name: columns[name][at] for name in names}}
            for at, prompt in enumerate(prompts)
        ]
        return rewards(texts, [expected_of(row) for row in rows], settings)

    return assay_reward


def for_openrlhf(settings: RewardSettings | None = None) -> Callable[..., dict[str, Any]]:
    """Return ``reward_func(queries, prompts, labels, **kwargs)`` for OpenRLHF; a label is the JSON of a row of the data set.

    What OpenRLHF calls a query is the prompt with the reply; the reply is what follows the prompt.
    """

    def reward_func(queries: list[str], prompts: list[str], labels: list[str], **_: Any) -> dict[str, Any]:
        texts = [query.removeprefix(prompt) for query, prompt in zip(queries, prompts, strict=True)]
        values = rewards(texts, [expected_of(msgspec.json.decode(label)) for label in labels], settings)
        return {"rewards": values, "scores": values}

    return reward_func


def for_verifiers(settings: RewardSettings | None = None) -> Callable[..., float]:
    """Return a reward function for a rubric of verifiers: ``completion`` and ``info``, a row of the data set."""

    def assay_reward(completion: Any, info: Mapping[str, Any], **_: Any) -> float:
        text = completion if isinstance(completion, str) else str(completion[-1]["content"])
        return rewards([text], [expected_of(info)], settings)[0]

    return assay_reward
