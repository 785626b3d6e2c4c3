"""Examples for training a judge of pairs: what it is asked, the right verdict, and where that comes from.

Each line of a file (``assay.training/1``) is a pair in one order, with its label on the whole and on dimensions, a
reply in the form of LogicJudge if there is one, and its provenance. Kinds of labels are never mixed silently: the
field says whether teachers agreed on a label, a failure was planted, or people gave it.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final, Literal

import msgspec

from assay.errors import InputError
from assay.rows import text_lines
from assay.strategies.logicjudge_reply import ALONE, ASPECTS, CLOSE, OPEN

SCHEMA: Final = "assay.training/1"
Provenance = Literal["teachers", "planted", "people", "rules"]
# A verdict when the two change places.
SWAPPED: Final[Mapping[str, str]] = {
    "A>B": "A<B",
    "A<B": "A>B",
    "both_good": "both_good",
    "both_bad": "both_bad",
    "tie": "tie",
}

_WINS: Final = ("A>B", "A<B")


_DECISION: Final = re.compile(r'("decision"\s*:\s*")([^"]+)(")')
_CLOSE: Final = "</think>"


class TrainingExample(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A pair in one order with its right verdict.

    Attributes:
        id: Unique id; both orders of a pair have the same id and another ``order``.
        query: The question that both answer; may be empty.
        a: The text shown first.
        b: The text shown second.
        label: The right verdict on the whole, such as ``A>B``.
        dimensions: The right verdict by dimension, where it is known.
        criteria: What is asked by dimension, if a rubric was written for the pair or a teacher replied; an empty text
            stands for the rubric's own words.
        reply: A reply that comes to this verdict, in the form of LogicJudge; ``""`` if nobody wrote one.
        swapped_reply: The same about the pair in the other order.
        why: What decides, in one sentence, from which a reply can be composed; ``{good}`` and ``{bad}`` stand for the
            two sides.
        summary: What that makes of the whole, in a few words; ``why`` again if empty.
        provenance: Where the label comes from.
        source: The teacher, benchmark or label file, by name.
        kind: Kind of the pair, such as the type of the planted failure.
        system_a: System that wrote ``a``.
        system_b: System that wrote ``b``.
        language: Language of the texts.
        group: What must stay on one side of a split: the question, or the reference of a planted failure.
        order: 0 as found, 1 with the two exchanged.
    """

    id: str
    query: str
    a: str
    b: str
    label: str
    dimensions: dict[str, str] = {}
    criteria: dict[str, str] = {}
    reply: str = ""
    swapped_reply: str = ""
    why: str = ""
    summary: str = ""
    provenance: Provenance
    source: str = ""
    kind: str = ""
    system_a: str = ""
    system_b: str = ""
    language: str = "en"
    group: str = ""
    order: int = 0
    schema: str = SCHEMA

    @property
    def digest(self) -> str:
        """Hash of the two texts, whatever their order and white space; equal pairs have equal digests."""
        texts = sorted(" ".join(text.split()) for text in (self.a, self.b))
        return hashlib.blake2b("\x00".join(texts).encode(), digest_size=8).hexdigest()

    def swapped(self) -> TrainingExample:
        """Return the pair in the other order, with its labels inverted."""
        return msgspec.structs.replace(
            self,
            a=self.b,
            b=self.a,
            label=SWAPPED[self.label],
            dimensions={key: SWAPPED[value] for key, value in self.dimensions.items()},
            system_a=self.system_b,
            system_b=self.system_a,
            reply=self.swapped_reply,
            swapped_reply=self.reply,
            order=1 - self.order,
        )


def composed_reply(example: TrainingExample, keys: Iterable[str], *, verdict: str | None = None) -> str:
    """Return a reply in the form of LogicJudge that gives the example's labels, or another verdict everywhere.

    The reasons are the example's own sentence, with the sides named as the verdict has them: enough to learn the form,
    to look for the difference and to decide, not to learn to reason.

    Args:
        example: The example.
        keys: The dimensions to decide, in order.
        verdict: Verdict instead of the right one, for the rejected side of a preference.
    """
    decisions = {key: verdict or example.dimensions.get(key, example.label) for key in keys}
    label = verdict or example.label
    why = _named(example.why, label) or "The two differ in this."
    return reply_of(decisions, dict.fromkeys(decisions, why), _named(example.summary, label) or why, label)


def _named(words: str, label: str) -> str:
    good, bad = ("B", "A") if label == "A<B" else ("A", "B")
    return words.replace("{good}", good).replace("{bad}", bad)


def reply_of(decisions: Mapping[str, str], reasons: Mapping[str, str], explanation: str, verdict: str) -> str:
    """Return a reply in the form of LogicJudge: the block of decisions with reasons, then the bare verdict.

    The entry of a single criterion has the name under which it is asked for. The reason stands before its decision, so
    that a small model sees the difference before it decides.
    """
    block = {
        ASPECTS: {
            key if len(decisions) > 1 else ALONE: {"justification": reasons.get(key, ""), "decision": value}
            for key, value in decisions.items()
        },
        "overall_explanation": explanation,
    }
    return f"{OPEN}\n{json.dumps(block, ensure_ascii=False)}\n{CLOSE}\n{verdict}"


def write_examples(path: Path, examples: Iterable[TrainingExample]) -> int:
    """Write examples as JSONL and return their number."""
    count = 0
    with path.open("wb") as stream:
        for example in examples:
            row = {"schema": SCHEMA, **msgspec.to_builtins(example)}
            stream.write(msgspec.json.encode(row) + b"\n")
            count += 1
    return count


def read_examples(path: str | Path) -> Iterator[TrainingExample]:
    """Yield the examples of a file.

    Raises:
        InputError: A line is not an example; the message says which and why.
    """
    file = Path(path)
    for place, line in text_lines(file):
        try:
            example = msgspec.json.decode(line, type=TrainingExample)
        except msgspec.DecodeError as error:
            raise InputError(f"not a training example: {error}", where=place) from error
        if example.label not in SWAPPED:
            known = ", ".join(SWAPPED)
            raise InputError(f"label is {example.label!r}, not one of {known}", where=place)
        yield example


def inverted_reply(reply: str, verdict: str) -> str:
    """Return a teacher's reply with its decisions turned round and another verdict; empty if it is not in the usual form."""
    block, mark, rest = reply.partition(_CLOSE)
    if not mark or not rest.strip():
        return ""
    turned = _DECISION.sub(lambda match: f"{match[1]}{SWAPPED.get(match[2], match[2])}{match[3]}", block)
    return f"{turned}{mark}\n{verdict}"


def exported(
    example: TrainingExample, messages: list[dict[str, str]], keys: tuple[str, ...]
) -> dict[str, Any]:
    """Return one row for all ways of training: ``messages``, ``prompt``, ``label``, ``chosen`` and ``rejected``."""
    right = example.reply or composed_reply(example, keys)
    # Of a tie, either side is as wrong: which one follows the order, so that neither place is preferred.
    other = SWAPPED[example.label] if example.label in _WINS else _WINS[example.order]
    # As long as the right one, so that preference training does not learn a length.
    wrong = inverted_reply(example.reply, other) or composed_reply(example, keys, verdict=other)
    reply = [{"role": "assistant", "content": right}]
    return {
        "id": example.id,
        "order": example.order,
        "prompt": messages,
        "messages": [*messages, *reply],
        "chosen": reply,
        "rejected": [{"role": "assistant", "content": wrong}],
        "label": example.label,
        "dimensions": {key: example.dimensions.get(key, "") for key in keys},
        "provenance": example.provenance,
        "language": example.language,
        "kind": example.kind,
    }
