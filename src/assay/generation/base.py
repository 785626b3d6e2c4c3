"""What a model is given to write, and what comes back: the records of `assay.generation.author`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

import msgspec

from assay.models.base import Usage
from assay.strategies.base import Answer, Status
from assay.text.bilingual import Bilingual, message
from assay.text.phrases import PhraseFile

_FLAWS: Final = PhraseFile("assay.generation", "flaws")
# Lists what is wrong with a value, each in a few words a model can mend it by; empty if all is well.
Check = Callable[[Any], Sequence[str]]


class Assignment(msgspec.Struct, frozen=True, kw_only=True):
    """Something that a model is given to write.

    Attributes:
        name: Name in ``assay strategies show NAME``.
        summary: What is written, in one line.
        template: Path of its template; a Chinese one may lie beside it (``NAME.zh.jinja``). Its block ``task`` is
            sent unless another is named; a block ``system`` replaces the default system message.
        source: Paper and section, if it comes from a paper.
    """

    name: str
    summary: str
    template: str
    source: str = ""


class AuthorReply(msgspec.Struct, frozen=True, kw_only=True):
    """What a model wrote, or why it wrote nothing usable.

    Attributes:
        status: "ok" if there is a value; otherwise why there is none.
        value: Data by the schema, or a text; None unless the status is "ok".
        flaws: Flaws that the value still has after the model was told: for people to look at.
        problem: Why there is no value.
        usage: Tokens and cost of all calls.
        calls: Keys of the calls in the ledger, in order.
        reply: The raw reply that was read, with or without success.
        notes: What else happened.
    """

    status: Status
    value: Any = None
    flaws: tuple[str, ...] = ()
    problem: str | None = None
    usage: Usage = Usage()
    calls: tuple[str, ...] = ()
    reply: str = ""
    notes: tuple[str, ...] = ()


def flaw(name: str, /, **values: object) -> Bilingual:
    """Word a flaw; the names and their placeholders are those of ``phrases/flaws.yaml``."""
    return message(_FLAWS, name, **values)


def answer_of(written: AuthorReply, rationale: str = "") -> Answer:
    """Turn what was written on the way to a verdict into an answer without values, to be counted with the judgment."""
    flaws = tuple(f"still wrong after it was asked again: {flaw}" for flaw in written.flaws)
    return Answer(
        status=written.status,
        rationale=rationale,
        usage=written.usage,
        calls=written.calls,
        problem=written.problem,
        reply=written.reply,
        notes=(*written.notes, *flaws),
    )
