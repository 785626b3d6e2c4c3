"""The reply form of LogicJudge, read strictly: a block of reasons, then one verdict token, and nothing else.

    <think>
    {"aspect_evaluations": {"global_coherence": {"decision": "A<B", "justification": "…"}, …},
     "overall_explanation": "…"}
    </think>
    A<B

A reply has the form, or there is a reason why not; nothing is repaired or guessed here. So the same function reads
verdicts and checks the format of replies in training (ReportLogic, appendix A.1, A.2.2, equation 4).

The paper prints the form in two ways, and both are read: the two fields of an entry are called ``decision`` and
``justification`` (A.1) or ``winner`` and ``explanation`` (figure 12). Aspects are named by key or by title, and a
tie may be spelt "both good", "both_good" or "Tie".
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, TypeAlias

import msgspec

from assay.strategies.answer_form import shown
from assay.strategies.json_text import DuplicateKeyError, decode, pieces
from assay.strategies.problems import problem
from assay.strategies.rationale import BLANK
from assay.text.bilingual import Bilingual, listed

OPEN: Final = "<think>"
CLOSE: Final = "</think>"
_TOP: Final = ("aspect_evaluations", "overall_explanation")
_FIELDS: Final = (("decision", "justification"), ("winner", "explanation"))
_APART: Final = re.compile(r"[\W_]+")
_TIES: Final = frozenset(("tie", "both_good", "both_bad"))
# Keys alone, or each with the other names it may be called by.
Names: TypeAlias = "Sequence[str] | Mapping[str, Sequence[str]]"


class LogicJudgeReply(msgspec.Struct, frozen=True, kw_only=True):
    """What a reply in the form says.

    Attributes:
        problem: Why it does not have the form, in words that complete "that reply cannot be read: …"; None if it has.
        decisions: Decision on each aspect, by key; empty unless the reply has the form.
        justifications: Justification of each decision, by key.
        explanation: The paragraph on the whole.
        verdict: The token.
    """

    problem: Bilingual | None = None
    decisions: dict[str, Any] = {}
    justifications: dict[str, str] = {}
    explanation: str = ""
    verdict: Any = None

    @property
    def valid(self) -> bool:
        """Return whether the reply has the form."""
        return self.problem is None


class _FormError(Exception):
    """The reply does not have the form; its problem says why."""

    def __init__(self, name: str, /, **values: object) -> None:
        self.problem = problem(name, **values)
        super().__init__(self.problem)


def parse_reply(text: str, keys: Names, labels: Sequence[str]) -> LogicJudgeReply:
    """Read a comparison in the form of LogicJudge.

    Args:
        text: The reply with its reasoning block.
        keys: The aspects, each of which must be evaluated, and no others.
        labels: What a decision and the verdict may be.
    """

    def decision(_key: str, value: Any) -> str | None:
        return read_label(value, labels)

    return read_form(text, keys, decision, lambda token: read_label(token, labels))


def read_form(
    text: str,
    keys: Names,
    decision: Callable[[str, Any], Any | None],
    verdict: Callable[[str], Any | None],
) -> LogicJudgeReply:
    """Read a reply in the form with decisions of any kind.

    Args:
        text: The reply.
        keys: The aspects.
        decision: Reads the decision on an aspect; returns None if it was not on offer.
        verdict: Reads the token; returns None if it was not on offer.
    """
    try:
        value, token = _parts(text)
        decisions, justifications = _aspects(value["aspect_evaluations"], _named(keys), decision)
        explanation = _text(value["overall_explanation"], "overall_explanation")
    except _FormError as error:
        return LogicJudgeReply(problem=error.problem)
    token_value = verdict(token)
    if token_value is None:
        return LogicJudgeReply(problem=problem("verdict_not_on_offer", value=shown(token)))
    return LogicJudgeReply(
        decisions=decisions, justifications=justifications, explanation=explanation, verdict=token_value
    )


def read_label(value: Any, labels: Sequence[str]) -> str | None:
    """Return the label on offer that a text stands for, or None.

    Case, white space and the mark between words do not matter. A tie that is not on offer under its own name
    becomes the only tie on offer, or plain ``tie`` if there are several and it does not say which.
    """
    if not isinstance(value, str):
        return None
    wanted = _label(value)
    for label in labels:
        if _label(label) == wanted:
            return label
    ties = [label for label in labels if _label(label) in _TIES]
    if wanted not in _TIES or not ties:
        return None
    if len(ties) == 1:
        return ties[0]
    return "tie" if wanted == "tie" else None


def _label(text: str) -> str:
    words = re.sub(r"\s*([<>=|])\s*", r"\1", text.strip(BLANK).casefold())
    return re.sub(r"[\s_-]+", "_", words)


def _parts(text: str) -> tuple[dict[str, Any], str]:
    """Return the object in the block and the token after it."""
    body = text.strip(BLANK)
    if not body:
        raise _FormError("empty")
    if not body.startswith(OPEN):
        raise _FormError("no_opening")
    inner = body[len(OPEN) :].lstrip(BLANK)
    if not inner.startswith("{"):
        raise _FormError("no_object_in_block")
    # Brackets are counted, because a text of the object may hold the closing tag too.
    piece = next(pieces(inner), None)
    if piece is None or piece.start != 0 or not piece.closed:
        raise _FormError("object_incomplete")
    value = _object(inner[: piece.end])
    rest = inner[piece.end :].lstrip(BLANK)
    if not rest.startswith(CLOSE):
        raise _FormError("no_closing")
    token = rest[len(CLOSE) :].strip(BLANK)
    if not token:
        raise _FormError("no_verdict_after_block")
    return value, token


def _object(raw: str) -> dict[str, Any]:
    try:
        value = decode(raw)
    except DuplicateKeyError as error:
        raise _FormError("key_twice", key=shown(error.key)) from None
    except ValueError:
        raise _FormError("block_unreadable") from None
    _exactly(value, _TOP, problem("the_object"))
    block: dict[str, Any] = value
    return block


def _exactly(value: Any, keys: Sequence[str], part: Bilingual) -> None:
    if not isinstance(value, dict):
        raise _FormError("part_not_an_object", part=part, value=shown(value))
    missing = [key for key in keys if key not in value]
    if missing:
        raise _FormError("part_lacks", part=part, keys=listed(map(shown, missing)))
    unknown = [key for key in value if key not in keys]
    if unknown:
        raise _FormError("part_unasked", part=part, keys=listed(map(shown, unknown), most=3, more=""))


def _aspects(
    value: Any, names: dict[str, str], decision: Callable[[str, Any], Any | None]
) -> tuple[dict[str, Any], dict[str, str]]:
    if not isinstance(value, dict):
        raise _FormError("not_an_object", key=shown("aspect_evaluations"), value=shown(value))
    keys = tuple(dict.fromkeys(names.values()))
    decisions: dict[str, Any] = {}
    justifications: dict[str, str] = {}
    for name, entry in value.items():
        key = names.get(_name(name))
        if key is None:
            raise _FormError("aspect_unasked", name=shown(name))
        if key in decisions:
            raise _FormError("aspect_twice", key=shown(key))
        first, second = next(
            (pair for pair in _FIELDS if isinstance(entry, dict) and pair[0] in entry), _FIELDS[0]
        )
        _exactly(entry, (first, second), problem("the_aspect", key=shown(key)))
        read = decision(key, entry[first])
        if read is None:
            raise _FormError("decision_not_on_offer", field=first, key=shown(key), value=shown(entry[first]))
        decisions[key] = read
        justifications[key] = _text(entry[second], problem("field_of", field=second, key=key))
    missing = [key for key in keys if key not in decisions]
    if missing:
        raise _FormError("not_evaluated", keys=listed(map(shown, missing), most=3))
    return {key: decisions[key] for key in keys}, {key: justifications[key] for key in keys}


def _text(value: Any, part: str) -> str:
    if not isinstance(value, str) or not value.strip(BLANK):
        raise _FormError("not_a_text", part=part, value=shown(value))
    return value.strip(BLANK)


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
