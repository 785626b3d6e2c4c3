"""Reads the one verdict in a reply, or why there is none. Nothing is guessed.

Rules for what counts as the verdict:

- Candidates are the objects with the verdict's keys: the reply as a whole, objects in fences, between prose, or
  inside a mere wrapper (an array of one, ``{"result": {…}}``, a JSON text inside a JSON string), but not in hidden
  reasoning.
- A candidate that stands word for word in the material was copied from it. If no reasons were asked for and the reply
  is the bare object, a copy and an honest answer look the same, and a report could forbid its own grade by naming it.
  So the judge is told, once, and what it then gives is its own.
- A candidate with placeholders or the words of the instructions is the form of the answer, not an answer.
- If the remaining candidates agree, they are the verdict. If they differ, the last one counts, provided that it
  ends the
  reply: the others were drafts, readable or not. So a reply whose last candidate is not on offer has no verdict,
  even if a draft was.
- In a reply that was cut off, only a whole object that opens it counts, with no other begun after it: only a
  postscript is missing then. Anywhere else the missing part could have been the verdict.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, Final

import msgspec

from assay.strategies.answer_form import AnswerForm, ReplyVerdict, shown
from assay.strategies.criterion_entries import (
    CriterionEntry,
    entries_of,
    merged_reasons,
    quotes_of,
    values_of,
)
from assay.strategies.data_schema import fits
from assay.strategies.json_text import (
    DuplicateKeyError,
    JsonPiece,
    closes,
    decode,
    opens,
    pieces,
    split_hidden_reasoning,
    unwrap,
)
from assay.strategies.problems import problem
from assay.strategies.rationale import BLANK, prose_of, reasons, texts_of
from assay.strategies.refusals import is_refusal as _declines
from assay.strategies.refusals import repeats_itself
from assay.strategies.repair import repaired_data, repaired_verdict
from assay.text.bilingual import Bilingual, listed

# The problem of a bare verdict that may be a copy.
STANDS_IN_MATERIAL: Final = "stands_in_material"
_MOST_QUOTES: Final = 100
# A number, a word or a label without quotation marks at the very end may be the beginning of a longer one.
_CUT: Final = re.compile(r"[\w.+\-%/<>]\Z")
_PLACEHOLDER: Final = re.compile(
    r"\W{1,10}|<[^<>]{1,80}+>|\[[^\[\]]{1,80}+\]|\{[^{}]{1,80}+\}|string|text|integer|number|float|label"
)
_DOTS: Final = re.compile(r"\.{3,9}|…{1,4}|<[^<>]{1,80}+>")
# The library takes some time for each, and no judge writes so many drafts.
_MOST_REPAIRS: Final = 20
_MOST_CANDIDATES: Final = 200


class ParsedReply(msgspec.Struct, frozen=True):
    """What a reply says.

    Attributes:
        verdict: The verdict, or the problem with it.
        rationale: The reasons.
        quotes: Texts, each with where it should stand: ``"document"`` or ``"reference"``.
        entries: Reasons and quotes by criterion, if each criterion has an entry of its own.
    """

    verdict: ReplyVerdict
    rationale: str = ""
    quotes: tuple[tuple[str, str], ...] = ()
    entries: dict[str, CriterionEntry] = {}


class _Candidate(msgspec.Struct, frozen=True, gc=False):
    """An object in the reply, readable or not, and what it says."""

    start: int
    end: int
    value: dict[str, Any] | None
    verdict: ReplyVerdict


def read_reply(
    text: str,
    form: AnswerForm,
    *,
    truncated: bool = False,
    materials: Sequence[str] = (),
    warned: bool = False,
) -> ParsedReply:
    """Read the verdict in a reply.

    Args:
        text: The reply.
        form: The form of the answer.
        truncated: Whether the reply was cut off at the token limit.
        materials: Texts that the judge was shown; an object that stands in one of them is not its verdict.
        warned: Whether the judge was told that its bare verdict stands in the material, and this is its second.

    Returns:
        The verdict, or the problem in words that complete "that reply cannot be read: …".
    """
    body = text.strip(BLANK)
    if not body:
        return ParsedReply(ReplyVerdict(problem=problem("empty")))
    if body[0] == "{" and body[-1] == "}":
        # The usual case.
        candidate = _read_whole(body, form)
        if candidate is not None and not _is_copy(body, form, candidate, materials, honest=warned):
            return _parsed(candidate, form, "", "")
    elif body[0] == '"' and body[-1] == '"':
        inner = _json_text(body)
        if inner is not None:
            return read_reply(inner, form, truncated=truncated, materials=materials, warned=warned)
    return _search(text.lstrip(BLANK), form, truncated, materials, warned)


def find_data(text: str, schema: Mapping[str, Any], *, truncated: bool = False) -> Any | None:
    """Return the JSON value in a reply that fits a schema, by the same rules as a verdict, or None."""
    body = text.strip(BLANK)
    value = _fitting(_decoded(body), schema)
    if value is not None:
        return value
    visible, _ = split_hidden_reasoning(text.lstrip(BLANK))
    fitting: list[tuple[JsonPiece, Any]] = []
    for piece in pieces(visible, "[" if schema.get("type") == "array" else "{"):
        raw = visible[piece.start : piece.end]
        if not piece.closed and (truncated or _is_cut(piece, raw)):
            return None
        value = _decoded(raw)
        if value is None and not truncated:
            value = repaired_data(raw)
        value = _fitting(value, schema)
        if value is not None:
            fitting.append((piece, value))
    if not fitting:
        return None
    piece, value = fitting[-1]
    if truncated:
        return value if len(fitting) == 1 and opens(visible, piece.start) else None
    same = all(other == value for _, other in fitting)
    return value if same or closes(visible, piece.end) else None


def is_refusal(text: str) -> bool:
    """Return whether a reply without a verdict declines to give one."""
    visible, _ = split_hidden_reasoning(text.strip(BLANK))
    return _declines(visible.strip(BLANK))


def _read_whole(body: str, form: AnswerForm) -> _Candidate | None:
    try:
        value = decode(body)
    except DuplicateKeyError as error:
        return _Candidate(0, len(body), None, _twice(error))
    except ValueError:
        return None
    if not isinstance(value, dict):
        return None
    verdict = form.read(value)
    if verdict.problem is not None and not any(key in value for key in form.keys):
        return None
    return _Candidate(0, len(body), value, verdict)


def _json_text(body: str) -> str | None:
    """Return the text of a JSON string, if it begins as an object or an array does."""
    value = _decoded(body)
    return value if isinstance(value, str) and value.lstrip(BLANK)[:1] in ("{", "[") else None


def _search(
    text: str, form: AnswerForm, truncated: bool, materials: Sequence[str], warned: bool
) -> ParsedReply:
    """Return the verdict of a reply that is not simply an object."""
    visible, hidden = split_hidden_reasoning(text)
    candidates: list[_Candidate] = []
    aside: Bilingual | None = None  # why a candidate was not a verdict
    for piece in pieces(visible):
        raw = visible[piece.start : piece.end]
        if not piece.closed and (truncated or _is_cut(piece, raw)):
            why = problem("loops_until_cut_off" if repeats_itself(visible) else "cut_off")
            return ParsedReply(ReplyVerdict(problem=why), prose_of(visible, hidden))
        if not any(key in raw for key in form.keys):
            aside = aside or problem("no_keys", keys=_verdict_keys(form))
            continue
        candidate = _read_piece(piece, raw, form, repair=not truncated and len(candidates) < _MOST_REPAIRS)
        if candidate is None:
            aside = aside or problem("no_keys", keys=_verdict_keys(form))
            continue
        alone = opens(visible, piece.start) and closes(visible, piece.end)
        if _is_copy(raw, form, candidate, materials, honest=warned and alone):
            bare = alone and _is_bare(candidate, form)
            aside = problem(
                "form_repeated" if _is_form(candidate, form) else STANDS_IN_MATERIAL if bare else "copied"
            )
            continue
        if len(candidates) == _MOST_CANDIDATES:
            why = problem("too_many", count=_MOST_CANDIDATES)
            return ParsedReply(ReplyVerdict(problem=why), prose_of(visible, hidden))
        candidates.append(candidate)
    if not candidates:
        why = _why_none(visible, hidden, form, truncated, aside)
        return ParsedReply(ReplyVerdict(problem=why), prose_of(visible, hidden))
    last = candidates[-1]
    objection = _objection(candidates, visible, truncated)
    if objection is not None:
        last = msgspec.structs.replace(last, verdict=ReplyVerdict(problem=objection))
    return _parsed(last, form, visible, hidden)


def _read_piece(piece: JsonPiece, raw: str, form: AnswerForm, *, repair: bool) -> _Candidate | None:
    """Return what an object says, or None if it is not a verdict."""
    value: dict[str, Any] | None = None
    try:
        inner = unwrap(decode(raw), _known(form))
    except DuplicateKeyError as error:
        verdict = _twice(error)
    except ValueError:
        if repair:
            value, verdict = repaired_verdict(raw, form)
        else:
            verdict = ReplyVerdict(problem=problem("unreadable"))
    else:
        if not isinstance(inner, dict) or not any(key in inner for key in form.keys):
            return None
        value, verdict = inner, form.read(inner)
    return _Candidate(piece.start, piece.end, value, verdict)


def _objection(candidates: list[_Candidate], visible: str, truncated: bool) -> Bilingual | None:
    """Return why the last candidate is not the verdict, or None if it is."""
    last = candidates[-1]
    if truncated:
        if len(candidates) == 1 and opens(visible, last.start):
            return None
        return problem("cut_off")
    other = next((item for item in reversed(candidates) if item.verdict != last.verdict), None)
    if other is None or closes(visible, last.end):
        return None
    return problem("differ", first=_summary(other.verdict), second=_summary(last.verdict))


def _why_none(
    visible: str, hidden: str, form: AnswerForm, truncated: bool, aside: Bilingual | None
) -> Bilingual:
    if repeats_itself(visible):
        return problem("loops")
    if truncated:
        return problem("cut_off")
    if aside is not None:
        return aside
    prose = visible.strip(BLANK)
    if not prose:
        return problem("only_reasoning" if hidden else "empty")
    return problem("no_object", keys=_verdict_keys(form), text=shown(" ".join(prose[:200].split())))


def _verdict_keys(form: AnswerForm) -> Bilingual:
    return listed(map(shown, form.keys))


def _summary(verdict: ReplyVerdict) -> str:
    if verdict.problem is not None:
        return problem("invalid")
    if verdict.ranking is not None:
        return shown(verdict.ranking)
    values = list(verdict.values.values())
    return shown(values[0] if len(values) == 1 else verdict.values)


def _twice(error: DuplicateKeyError) -> ReplyVerdict:
    return ReplyVerdict(
        problem=problem(
            "given_twice", key=shown(error.key), first=shown(error.first), second=shown(error.second)
        )
    )


def _is_cut(piece: JsonPiece, raw: str) -> bool:
    """Return whether an open object ends within a value, rather than only lacking its bracket."""
    return piece.open_string or _CUT.search(raw) is not None


def _is_copy(
    raw: str, form: AnswerForm, candidate: _Candidate, materials: Sequence[str], *, honest: bool
) -> bool:
    """Return whether an object only repeats the form of the answer, or was copied from the material."""
    if _is_form(candidate, form):
        return True
    if honest and _is_bare(candidate, form):
        return False
    packed = ""
    for material in materials:
        where = _packed(material, form.keys)
        if where:
            packed = packed or "".join(raw.split())
            if packed in where:
                return True
    return False


def _is_bare(candidate: _Candidate, form: AnswerForm) -> bool:
    """Return whether a verdict comes alone, as it was asked for."""
    return not form.fields and candidate.value is not None and len(candidate.value) == len(form.keys)


@lru_cache(maxsize=64)
def _packed(material: str, keys: tuple[str, ...]) -> str:
    """Return a text without white space; empty if it cannot hold a verdict."""
    possible = "{" in material and any(key in material for key in keys)
    return "".join(material.split()) if possible else ""


def _is_form(candidate: _Candidate, form: AnswerForm) -> bool:
    """Return whether an object repeats the instructions instead of answering."""
    value = candidate.value
    if value is None:
        return False
    filled = values_of(value, form)
    if filled and all(_repeats_asks(item, form) for item in filled):
        return True
    if candidate.verdict.problem is None:
        return False
    for key in form.keys:
        answer = [item.get("score") for item in filled] if form.entries else value.get(key)
        inner = list(answer.values()) if isinstance(answer, dict) else answer
        for item in inner if isinstance(inner, list) else [inner]:
            if isinstance(item, str) and _is_placeholder(item.strip(), form):
                return True
    return False


def _repeats_asks(value: Mapping[str, Any], form: AnswerForm) -> bool:
    """Return whether a field holds its instruction, or dots, instead of an answer."""
    for field in form.fields:
        texts = [text.strip() for text in texts_of(value.get(field.key))]
        asks = {field.asks.rstrip(".。"), field.asks_zh.rstrip(".。")} - {""}
        if any(text.rstrip(".。") in asks for text in texts):
            return True
        # In a field for quotes, dots may say that there are none.
        if texts and field.quotes is None and all(_DOTS.fullmatch(text) for text in texts):
            return True
    return False


def _is_placeholder(text: str, form: AnswerForm) -> bool:
    if _PLACEHOLDER.fullmatch(text):
        return True
    scales = [*form.scales.values(), form.overall]
    text = text.removeprefix("取值为 ")
    return any(text == scale.sentence(language) for scale in scales for language in ("en", "zh"))


def _known(form: AnswerForm) -> tuple[str, ...]:
    return (*form.keys, *(field.key for field in form.fields))


def _parsed(candidate: _Candidate, form: AnswerForm, visible: str, hidden: str) -> ParsedReply:
    value = candidate.value or {}
    entries = entries_of(value, form)
    rationale = merged_reasons(entries) if form.entries else reasons(value, form)
    if not rationale and visible:
        around = f"{visible[: candidate.start].rstrip()}\n\n{visible[candidate.end :].lstrip()}"
        rationale = prose_of(around, hidden)
    quotes = [quote for item in values_of(value, form) for quote in quotes_of(item, form)]
    return ParsedReply(candidate.verdict, rationale, tuple(quotes[:_MOST_QUOTES]), entries)


def _decoded(raw: str) -> Any | None:
    try:
        return decode(raw)
    except ValueError:
        return None


def _fitting(value: Any, schema: Mapping[str, Any]) -> Any | None:
    """Return the value, or what it merely wraps, if it fits."""
    if value is None:
        return None
    if fits(value, schema):
        return value
    inner = unwrap(value, tuple(schema.get("properties", {})))
    return inner if inner is not value and fits(inner, schema) else None
