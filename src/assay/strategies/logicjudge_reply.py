"""The reply form of LogicJudge: a block of reasons by criterion, then one verdict.

    <think>
    {"aspect_evaluations": {"global_coherence": {"decision": "A<B", "justification": "…"}, …},
     "overall_explanation": "…"}
    </think>
    A<B

What carries a decision must be there; how it is wrapped does not matter. The object is found wherever it stands, in
or outside the tags, in a fence, after prose or after the model's own reasoning, and is decoded and repaired like the
JSON of every other strategy (`assay.strategies.json_text`, `assay.strategies.repair`). Keys may be in any case and
further keys are ignored. The verdict is what stands after the object. Each decision counts by itself, so a reply
that leaves out a criterion still has the others; `LogicJudgeReply.problem` then names the ones it lacks.

The paper prints the form in two ways, and both are read: the two fields of an entry are called ``decision`` and
``justification`` (ReportLogic, A.1) or ``winner`` and ``explanation`` (figure 12). Aspects are named by key or by
title, and a tie may be spelt "both good", "both_good" or "Tie".
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final, TypeAlias

import msgspec

from assay.strategies.answer_form import shown
from assay.strategies.json_text import DuplicateKeyError, decode, pieces, split_hidden_reasoning, unwrap
from assay.strategies.pair_labels import read_label
from assay.strategies.problems import problem
from assay.strategies.rationale import BLANK
from assay.strategies.repair import repaired_data
from assay.text.bilingual import Bilingual, joined, listed

OPEN: Final = "<think>"
CLOSE: Final = "</think>"
ASPECTS: Final = "aspect_evaluations"
# Name of the entry of a criterion that is asked alone, so that questions differ in the criterion only.
ALONE: Final = "criterion"
_EXPLANATION: Final = "overall_explanation"
_DECISIONS: Final = ("decision", "winner", "verdict", "preference", "label", "score")
_REASONS: Final = ("justification", "explanation", "reason", "rationale")
_APART: Final = re.compile(r"[\W_]+")
_MARK: Final = re.compile(r"aspect[\s_-]?evaluations", re.IGNORECASE)
# A decision as it is written, to hold a repaired object against.
_WRITTEN: Final = re.compile(
    rf"[\"'](?:{'|'.join(_DECISIONS)})[\"']\s*:\s*[\"']?([^\"',}}\n]*)", re.IGNORECASE
)
# Braces in prose may open what never closes; the search goes on after this many of them.
_MOST_OPEN: Final = 20
# Keys alone, or each with the other names it may be called by.
Names: TypeAlias = "Sequence[str] | Mapping[str, Sequence[str]]"


class LogicJudgeReply(msgspec.Struct, frozen=True, kw_only=True):
    """What a reply in the form says.

    Attributes:
        problem: What is missing, in words that complete "that reply cannot be read: …"; None if nothing is.
        decisions: Decision on each aspect that has one, by key.
        justifications: Justification of each decision, by key; "" without one.
        explanation: The paragraph on the whole.
        rest: What stands after the block.
        verdict: The verdict on the whole; None without one.
        has_block: Whether there is a block of the judge's own.
        copied: Whether its only block stands in a document.
    """

    problem: Bilingual | None = None
    decisions: dict[str, Any] = {}
    justifications: dict[str, str] = {}
    explanation: str = ""
    verdict: Any = None
    rest: str = ""
    has_block: bool = False
    copied: bool = False

    @property
    def valid(self) -> bool:
        """Return whether nothing is missing."""
        return self.problem is None


class _Block(msgspec.Struct, frozen=True):
    """An object in a reply: its end, its text, and its value or why it has none."""

    end: int
    raw: str
    value: Any = None
    problem: Bilingual | None = None


def parse_reply(text: str, keys: Names, labels: Sequence[str]) -> LogicJudgeReply:
    """Read a comparison in the form of LogicJudge whose verdict is a label on offer.

    Args:
        text: The reply with its reasoning block.
        keys: The aspects, each of which must be evaluated.
        labels: What a decision and the verdict may be.
    """

    def decision(_key: str, value: Any) -> str | None:
        return read_label(value, labels)

    return read_form(text, keys, decision, lambda rest: read_label(rest, labels))


def read_form(
    text: str,
    keys: Names,
    decision: Callable[[str, Any], Any | None],
    verdict: Callable[[str], Any | None],
    *,
    documents: Sequence[str] = (),
    cut_off: bool = False,
) -> LogicJudgeReply:
    """Read a reply in the form with decisions of any kind.

    Args:
        text: The reply.
        keys: The aspects.
        decision: Reads the decision on an aspect; returns None if it was not on offer.
        verdict: Reads what stands after the block; returns None if that is not a verdict.
        documents: The texts that the judge was shown; a block that stands in one of them is not its own.
        cut_off: Whether the reply was cut off, so that the verdict may be the beginning of a longer word.
    """
    if not text.strip(BLANK):
        return LogicJudgeReply(problem=problem("empty"))
    blocks = list(_blocks(text))
    own = [block for block in blocks if not _stands_in(block.raw, documents)]
    if not own:
        why = "cut_off_form" if cut_off else "form_copied" if blocks else "no_block"
        return LogicJudgeReply(problem=problem(why), copied=bool(blocks))
    block = own[-1]
    decisions, justifications, problems = _aspects(block, keys, decision)
    rest = _after(text, block)
    read = None
    if cut_off:
        problems = [problem("cut_off_form")]
    elif not rest:
        problems.append(problem("no_verdict_after_block"))
    elif (read := verdict(rest)) is None:
        problems.append(problem("verdict_not_on_offer", value=shown(rest)))
    explanation = _field(block.value, (_EXPLANATION,)) if isinstance(block.value, dict) else None
    return LogicJudgeReply(
        problem=joined(problems) if problems else None,
        decisions=decisions,
        justifications=justifications,
        explanation=_text(explanation),
        verdict=read,
        rest=rest,
        has_block=True,
    )


def _blocks(text: str) -> Iterator[_Block]:
    """Yield the objects with evaluations, in order, readable or not."""
    start = opened = 0
    while opened <= _MOST_OPEN and _MARK.search(text, start) is not None:
        for piece in pieces(text[start:]):
            begin, end = start + piece.start, start + piece.end
            if piece.closed:
                if _MARK.search(text, begin, end) is not None:
                    yield _block(text[begin:end], end)
                continue
            # A bracket is missing, or these are braces of prose.
            opened += 1
            close = text.find(CLOSE, begin)
            raw = text[begin : close if close >= 0 else len(text)]
            mended = repaired_data(raw) if _MARK.search(raw) is not None else None
            if isinstance(mended, dict) and _same_decisions(raw, mended):
                yield _Block(begin + len(raw), raw, unwrap(mended, (ASPECTS,)))
                start = begin + len(raw)
            else:
                start = begin + 1
            break
        else:
            return


def _block(raw: str, end: int) -> _Block:
    try:
        return _Block(end, raw, unwrap(decode(raw), (ASPECTS,)))
    except DuplicateKeyError as error:
        return _Block(end, raw, problem=problem("key_twice", key=shown(error.key)))
    except ValueError:
        mended = repaired_data(raw)
        if isinstance(mended, dict) and _same_decisions(raw, mended):
            return _Block(end, raw, unwrap(mended, (ASPECTS,)))
        return _Block(end, raw, problem=problem("block_unreadable"))


def _same_decisions(raw: str, mended: Any) -> bool:
    """Return whether a repaired object has the decisions that are written in it, and no others."""
    entries = _field(unwrap(mended, (ASPECTS,)), (ASPECTS,))
    if not isinstance(entries, dict):
        return False
    given = [_field(entry, _DECISIONS) for entry in entries.values() if isinstance(entry, dict)]
    return [str(item).strip() for item in given] == [item.strip() for item in _WRITTEN.findall(raw)]


def _aspects(
    block: _Block, keys: Names, decision: Callable[[str, Any], Any | None]
) -> tuple[dict[str, Any], dict[str, str], list[Bilingual]]:
    """Return decisions and justifications by key, and what is wrong with the others."""
    if block.problem is not None:
        return {}, {}, [block.problem]
    entries = _field(block.value, (ASPECTS,))
    if not isinstance(entries, dict):
        return {}, {}, [problem("not_an_object", key=shown(ASPECTS), value=shown(entries))]
    names = _named(keys)
    ordered = tuple(dict.fromkeys(names.values()))
    decisions: dict[str, Any] = {}
    justifications: dict[str, str] = {}
    wrong: dict[str, Bilingual] = {}
    for name, entry in entries.items():
        key = names.get(_name(name))
        if key is None:
            continue
        value = _field(entry, _DECISIONS) if isinstance(entry, dict) else entry
        read = decision(key, value)
        if read is None:
            wrong[key] = problem("decision_not_on_offer", key=shown(key), value=shown(value))
        elif decisions.setdefault(key, read) != read:
            wrong[key] = problem("aspect_twice", key=shown(key))
        else:
            justifications[key] = _text(_field(entry, _REASONS)) if isinstance(entry, dict) else ""
    for key in wrong:
        decisions.pop(key, None)
    missing = [key for key in ordered if key not in decisions and key not in wrong]
    problems = list(wrong.values())
    if missing:
        problems.append(problem("not_evaluated", keys=listed(map(shown, missing))))
    kept = [key for key in ordered if key in decisions]
    return {key: decisions[key] for key in kept}, {key: justifications[key] for key in kept}, problems


def _after(text: str, block: _Block) -> str:
    """Return what stands after a block, without the end of its fence and of its tags."""
    visible, _ = split_hidden_reasoning(text[block.end :])
    return visible.strip(BLANK).removeprefix("```").strip(BLANK)


def _stands_in(raw: str, documents: Sequence[str]) -> bool:
    packed = "".join(raw.split())
    return any(packed in "".join(text.split()) for text in documents if _MARK.search(text) is not None)


def _field(value: Any, names: Sequence[str]) -> Any:
    """Return the first field of these names, in any case; None without one."""
    if not isinstance(value, dict):
        return None
    own = {_name(key): item for key, item in value.items() if isinstance(key, str)}
    return next((own[name] for name in names if name in own), None)


def _text(value: Any) -> str:
    return value.strip(BLANK) if isinstance(value, str) else ""


def _named(keys: Names) -> dict[str, str]:
    """Return the key that each name stands for; a key comes before another key's further names."""
    by_name = {_name(key): key for key in keys}
    if isinstance(keys, Mapping):
        for key, others in keys.items():
            for other in others:
                by_name.setdefault(_name(other), key)
    return by_name


def _name(text: str) -> str:
    return _APART.sub("_", text.casefold()).strip("_")
