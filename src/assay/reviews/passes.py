"""Asking for faults: the form of the reply, its check against the text, and the second reader."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import msgspec

from assay.checks.base import Repair, RepairKind
from assay.checks.fault_types import FaultType
from assay.generation.base import Assignment
from assay.models.base import Usage
from assay.reviews.faults import REPAIRS, WEIGHTS, TextFault
from assay.reviews.merging import merged
from assay.reviews.run_text import ShownRun
from assay.strategies.json_schema import array, choice, table, text
from assay.strategies.quotes import locate
from assay.subjects.span import Span
from assay.text.bilingual import Bilingual

if TYPE_CHECKING:
    from assay.generation.author import Author
    from assay.generation.base import AuthorReply
    from assay.strategies.base import PromptMaterial

ASSIGNMENT: Final = Assignment(
    name="review",
    summary="Faults of a report or a run, each with its place, the missing link and a repair.",
    template=str(Path(__file__).with_name("review.jinja")),
    source="reflect, section 2.1 and table 3; reportlogic, section 3.1 and figure 6",
)
_QUOTE: Final = 400
_SAID: Final = 500
_EXAMPLES: Final = 3
_EXCERPT: Final = 80
_SPOKEN: Final = ("quote", "type", "problem", "other", "missing", "repair", "text", "weight")
_WEIGHT_WORDS: Final = {
    "critical": "grave",
    "severe": "grave",
    "major": "serious",
    "moderate": "serious",
    "low": "minor",
}
# Any list of faults is read; `_rows` says what of it counts.
_READ: Final = {"type": "object", "properties": {"faults": {"type": "array"}}, "required": ["faults"]}
# Faults that the second reader is shown in one request.
BATCH: Final = 20


class Pass(msgspec.Struct, frozen=True, kw_only=True):
    """One reading.

    Attributes:
        name: Its name, as ``"argument"`` or ``"part 2"``.
        block: Block of the template.
        source: The subject's text, in which quotes are located.
        within: Where quotes are looked for first.
        material: What is shown.
        types: Types of faults.
        most: Most faults in the reply.
        variables: Variables of the block.
        run: The run as it is shown; None for a report.
        beside: Another text in which the other place may stand; it is told in words, not as a place of this text.
    """

    name: str
    block: str
    source: str
    within: Span
    material: PromptMaterial
    types: Sequence[FaultType]
    most: int
    variables: Mapping[str, Any] = {}
    run: ShownRun | None = None
    beside: str = ""


class Found(msgspec.Struct, frozen=True):
    """What a reading found.

    Attributes:
        faults: The faults located.
        unlocated: Number of those whose words are not in the text.
        unread: Number of those beyond the limit, or not in the form asked for.
        problem: What failed.
        usage: Tokens and cost.
    """

    faults: tuple[TextFault, ...] = ()
    unlocated: int = 0
    unread: int = 0
    problem: str | None = None
    usage: Usage = Usage()


async def read_once(author: Author, reading: Pass) -> Found:
    """Have faults listed; a reply with quotes that are not in the text is asked for again, as often as the author asks.

    A reply is read row by row: what is not in the form asked for, and what goes beyond the limit, is left out and counted,
    and the rest counts. A fault that one reply names in the text's words stays if the next reply leaves it out.
    """
    seen: list[dict[str, Any]] = []

    def check(value: Any) -> list[str]:
        rows, _ = _rows(reading, value)
        seen.extend(row for row in rows if _quoted(reading, row) is not None)
        return _flaws(author, reading, rows)

    written = await author.data(
        ASSIGNMENT,
        reading.block,
        schema=_faults_schema(reading),
        reads=_READ,
        material=reading.material,
        lead=_lead(author, reading),
        check=check,
        most=reading.most,
        types=_types(reading.types, reading.material.language),
        place="message" if reading.run is not None and reading.run.messages else "step",
        **reading.variables,
    )
    if written.status != "ok":
        return Found(problem=f"{reading.name}: {written.problem}", usage=written.usage)
    rows, unread = _rows(reading, written.value)
    faults = [fault for row in rows if (fault := _fault(reading, row)) is not None]
    unlocated = len(rows) - len(faults)
    faults += [fault for row in seen if row not in rows and (fault := _fault(reading, row)) is not None]
    return Found(tuple(merged(faults)[0]), unlocated, unread, usage=written.usage)


def _rows(reading: Pass, value: Mapping[str, Any]) -> tuple[list[dict[str, Any]], int]:
    """Return the faults of a reply that can be read, at most as many as were asked for, and the number of the others."""
    given = value["faults"]
    rows = [row for item in given if (row := _row(reading, item)) is not None][: reading.most]
    return rows, len(given) - len(rows)


def _row(reading: Pass, item: Any) -> dict[str, Any] | None:
    """Return a fault in the form asked for; None if it names no words, no problem or no known type."""
    if not isinstance(item, dict):
        return None
    row = {key: item[key] if isinstance(item.get(key), str) else "" for key in _SPOKEN}
    kind = row["type"].strip().lower().replace(" ", "_").replace("-", "_")
    names = {
        name: known.key
        for known in reading.types
        for name in (known.key, known.code.lower(), known.title.lower())
    }
    row["type"] = names.get(kind) or names.get(kind.replace("_", " ")) or ""
    row["weight"] = row["weight"].strip().lower()
    if row["weight"] not in WEIGHTS:
        row["weight"] = _WEIGHT_WORDS.get(row["weight"], "serious")
    if reading.run is not None:
        place = "message" if reading.run.messages else "step"
        try:
            row[place] = int(item[place])
        except (KeyError, TypeError, ValueError):
            return None
    else:
        row["repair"] = row["repair"] if row["repair"] in REPAIRS else None
    return row if row["quote"].strip() and row["problem"].strip() and row["type"] else None


async def judge_faults(
    sceptic: Author,
    faults: Sequence[TextFault],
    *,
    source: str,
    material: PromptMaterial,
    types: Mapping[str, FaultType],
    noun: str,
) -> tuple[list[TextFault], int, AuthorReply]:
    """Return faults with the verdict of a second reader, those that are another again joined, and their number."""
    zh = material.language == "zh"
    shown = [
        {
            "title": types[fault.type].title_zh if zh else types[fault.type].title,
            "quote": source[fault.span.start : fault.span.end],
            "other": source[fault.other.start : fault.other.end] if fault.other else "",
            "problem": fault.problem,
            "place": _place_name(fault, zh=zh),
        }
        for fault in faults
    ]
    numbers = {"type": "integer", "minimum": 0, "maximum": len(faults)}
    entry = table(
        number=numbers,
        reason=text(_SAID),
        verdict=choice(("stands", "arguable", "falls")),
        weight=choice(WEIGHTS),
        same_as=numbers,
    )
    written = await sceptic.data(
        ASSIGNMENT,
        "sceptic",
        schema=table(verdicts=array(entry, len(faults))),
        material=material,
        check=lambda value: _verdict_flaws(sceptic, value["verdicts"], len(faults), material.language),
        faults=shown,
        noun=noun,
    )
    if written.status != "ok":
        return list(faults), 0, written
    return *_with_verdicts(faults, written.value["verdicts"]), written


def _place_name(fault: TextFault, *, zh: bool) -> str:
    if fault.message is not None:
        return f"消息 {fault.message}" if zh else f"message {fault.message}"
    if fault.step is not None:
        return f"步骤 {fault.step + 1}" if zh else f"step {fault.step + 1}"
    return ""


def _with_verdicts(
    faults: Sequence[TextFault], rows: Sequence[Mapping[str, Any]]
) -> tuple[list[TextFault], int]:
    by_number = {row["number"]: row for row in reversed(rows)}
    kept: dict[int, TextFault] = {}
    repeated = 0
    for number, fault in enumerate(faults, 1):
        row = by_number.get(number)
        if row is None:
            kept[number] = fault
            continue
        same = row["same_as"]
        if same in kept and kept[same].verdict == row["verdict"]:
            passes = tuple(dict.fromkeys((*kept[same].passes, *fault.passes)))
            kept[same] = msgspec.structs.replace(kept[same], passes=passes)
            repeated += 1
            continue
        kept[number] = msgspec.structs.replace(
            fault, verdict=row["verdict"], reason=row["reason"], weight=row["weight"]
        )
    return list(kept.values()), repeated


def _verdict_flaws(author: Author, rows: Sequence[Mapping[str, Any]], count: int, language: str) -> list[str]:
    if {row["number"] for row in rows} >= set(range(1, count + 1)):
        return []
    return [author.prompts.page(ASSIGNMENT.template, "flaw_verdicts", language, {"count": count})]


def _lead(author: Author, reading: Pass) -> str:
    """Return what stands before the task: the material, and for a report what all readings of it are told."""
    material = author.prompts.lead(reading.material)
    if reading.run is not None:
        return material
    language = reading.material.language
    values = {"types": _types(reading.types, language)}
    return f"{material}\n{author.prompts.page(ASSIGNMENT.template, 'rules', language, values)}\n"


def _types(types: Sequence[FaultType], language: str) -> list[dict[str, str]]:
    return [{"key": item.key, "asks": item.asks_zh if language == "zh" else item.asks} for item in types]


def _faults_schema(reading: Pass) -> dict[str, Any]:
    said: dict[str, Any] = {
        "quote": text(_QUOTE),
        "type": choice([item.key for item in reading.types]),
        "problem": text(_SAID),
        "other": text(_QUOTE),
        "missing": text(_SAID),
    }
    if reading.run is not None:
        said = {"message" if reading.run.messages else "step": {"type": "integer"}, **said}
    else:
        said |= {"repair": choice(REPAIRS), "text": text(_SAID)}
    return table(faults=array(table(**said, weight=choice(WEIGHTS)), reading.most))


def _flaws(author: Author, reading: Pass, rows: Sequence[Mapping[str, Any]]) -> list[str]:
    places = [(row["quote"], _quoted(reading, row)) for row in rows]
    lost = [quote for quote, span in places if span is None]
    twice = [quote for quote, span in places if span is not None and _stands_again(reading, span)]
    return [
        _flaw(author, reading, block, quotes, len(rows))
        for block, quotes in (("flaw_quote", lost), ("flaw_twice", twice))
        if quotes
    ]


def _flaw(author: Author, reading: Pass, block: str, quotes: Sequence[str], count: int) -> Bilingual:
    examples = "; ".join(f"“{quote[:_EXCERPT]}”" for quote in quotes[:_EXAMPLES])
    values = {"count": len(quotes), "all": count, "examples": examples}
    return Bilingual(
        *(
            author.prompts.page(
                ASSIGNMENT.template, block, language, {**values, "noun": _noun(reading, language)}
            )
            for language in ("en", "zh")
        )
    )


def _stands_again(reading: Pass, span: Span) -> bool:
    """Return whether the words of a report stand at another place too; in a run the step tells them apart."""
    return reading.run is None and reading.source.find(reading.source[span.start : span.end], span.end) >= 0


def _noun(reading: Pass, language: str) -> str:
    run = reading.run is not None
    if language == "zh":
        return "执行轨迹" if run else "报告"
    return "run" if run else "report"


def _fault(reading: Pass, row: Mapping[str, Any]) -> TextFault | None:
    span = _quoted(reading, row)
    if span is None:
        return None
    said, problem = row["other"].strip(), row["problem"].strip()
    other = located(said, reading.source, Span(0, len(reading.source))) if said else None
    if other is None and reading.beside and locate(said, reading.beside) is not None:
        problem = f"{problem} – {said}"
    return TextFault(
        type=row["type"],
        weight=row["weight"],
        problem=problem,
        span=span,
        other=other if other is None or other != span else None,
        missing=row["missing"].strip(),
        repair=_repair(row, reading.source[span.start : span.end]),
        step=_step_of(reading, span),
        message=row.get("message"),
        passes=(reading.name,),
    )


def _repair(row: Mapping[str, Any], words: str) -> Repair | None:
    kind: RepairKind | None = row.get("repair") or None
    said = row.get("text", "").strip()
    if kind is None or (kind in ("replace", "insert") and (not said or said == words)):
        return None
    return Repair(kind, "" if kind == "delete" else said)


def _quoted(reading: Pass, row: Mapping[str, Any]) -> Span | None:
    if reading.run is None:
        return located(row["quote"], reading.source, reading.within)
    place = reading.run.places.get(row["message" if reading.run.messages else "step"])
    return None if place is None else located(row["quote"], reading.source, place.span)


def _step_of(reading: Pass, span: Span) -> int | None:
    if reading.run is None:
        return None
    places = reading.run.places.values()
    return next((place.step for place in places if place.span.start <= span.start < place.span.end), None)


def located(quote: str, source: str, within: Span) -> Span | None:
    """Return the place of a quote: in a piece of the text if it is there, otherwise anywhere; None if nowhere."""
    place = locate(quote, source[within.start : within.end])
    if place is not None:
        return Span(within.start + place[0], within.start + place[1])
    place = locate(quote, source)
    return None if place is None else Span(*place)
