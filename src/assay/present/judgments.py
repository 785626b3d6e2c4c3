"""Judgments of single subjects for a terminal, each in full."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

from assay.judges.combine import sections_of
from assay.judges.coverage import Coverage, coverage_of
from assay.judges.identity import name_of
from assay.judges.repetitions import spreads_of
from assay.judges.units import units_of
from assay.present.display import Painter, bar, fit, pad, visible, width
from assay.present.interface import ENGLISH, Interface, interface_of
from assay.present.numbers import NONE
from assay.present.table import table_of
from assay.present.terminal import table_lines
from assay.present.wrapping import wrapped
from assay.rubrics.scale import number_text

if TYPE_CHECKING:
    from assay.judges.judgment import Judgment, Quote
    from assay.judges.repetitions import Spread
    from assay.rubrics.rubric import Rubric
    from assay.subjects.subject import Subject


_BAR: Final = 12
_QUOTES: Final = 8
_LINES: Final = 60
_GAPS: Final = 5
_UNIT: Final = (0.0, 1.0)


def judgment_text(
    judgment: Judgment, subject: Subject, rubric: Rubric | None, *, painter: Painter, columns: int
) -> str:
    """Return one subject: its scores, the reasons, the passages quoted, and what was not answered."""
    single = judgment.repetitions or (judgment,)
    many = len(single) > 1
    say = interface_of([subject])
    lines = [painter(visible(name_of(subject)), "bold"), painter(head_text(judgment, rubric, say), "dim"), ""]
    lines += _score_lines(judgment, rubric, painter, say)
    if rubric is not None and not many:
        lines += unit_lines(judgment, subject, rubric, painter=painter, say=say)
    for number, item in enumerate(single, 1):
        text = _reasons(item, say)
        if text:
            title = [painter(f"  {say('Repetition {number}', number=number)}", "bold")] if many else []
            lines += ["", *title, *shortened_text(text, columns, say)]
    if judgment.quotes:
        lines += ["", *quote_lines(judgment.quotes, [subject], painter=painter, columns=columns, say=say)]
    lines += note_lines(judgment, columns, say)
    if rubric is not None:
        total = total_coverage(judgment)
        lines += [
            "",
            *coverage_lines(total, painter=painter, columns=columns, repetitions=len(single), say=say),
        ]
    return "\n".join(lines) + "\n"


def head_text(
    judgment: Judgment, rubric: Rubric | None, say: Interface = ENGLISH, *, rubric_name: str = ""
) -> str:
    """Return the judge and the rubric: the name given, or the rubric's title."""
    repetitions = len(judgment.repetitions)
    named = rubric_name or ((rubric.title or rubric.name) if rubric is not None else "")
    rubric_name = f" · {visible(named)}" if named else ""
    often = (
        f" · {say('{repetitions} repetitions, mean ± standard deviation', repetitions=repetitions)}"
        if repetitions > 1
        else ""
    )
    return f"{visible(judgment.judge)}{rubric_name}{often}"


def _score_lines(judgment: Judgment, rubric: Rubric | None, painter: Painter, say: Interface) -> list[str]:
    """Return a line for each criterion in the rubric's order, also without a score; the overall score comes first."""
    spreads = spreads_of(judgment)
    rows: list[tuple[str, str, tuple[float, float] | None]] = []
    if rubric is None:
        rows = [(key, say.dimension_title(key), _UNIT if len(spreads) > 1 else None) for key in spreads]
    else:
        rows = [
            (item.key, say.criterion_title(item.key, rubric), rubric.scale_of(item).span)
            for item in rubric.criteria
        ]
        if rubric.aggregate != "none" and all(key != "overall" for key, _, _ in rows):
            rows.insert(0, ("overall", say("Overall"), overall_span(rubric)))
    rows.sort(key=lambda row: row[0] != "overall")
    if not spreads and rubric is None:
        return []
    wide = max(width(title) for _, title, _ in rows)
    labels = _labels(judgment)
    asked = {item.key for item in rubric.criteria} if rubric is not None else set()
    texts = {key: _value(spread, whole=key in asked or len(spreads) == 1) for key, spread in spreads.items()}
    column = max(map(len, texts.values()), default=0)
    lines = []
    for key, title, span in rows:
        if key in spreads:
            shown = _shown(spreads[key], span, pad(texts[key], column, right=True), painter, say)
        else:
            shown = painter("·" * _BAR, "dim") + (
                f"  {say('no number')}" if key in labels else painter(f"  {say('no score')}", "error")
            )
        label = f"  {labels[key]}" if key in labels else ""
        lines.append(f"  {pad(title, wide)}  {shown}{label}".rstrip())
    return lines


def _value(spread: Spread, *, whole: bool) -> str:
    """Return a score; one answer on a scale of whole numbers is a whole number."""
    if whole and spread.n == 1:
        return score_text(spread.mean)
    return f"{spread.mean:.2f}" + ("" if spread.sd is None else f" ± {spread.sd:.2f}")


def _shown(
    spread: Spread, span: tuple[float, float] | None, text: str, painter: Painter, say: Interface
) -> str:
    """Return bar, number and scale, and the number of each repetition."""
    drawn = ""
    if span is not None and span[1] > span[0]:
        drawn = painter(bar((spread.mean - span[0]) / (span[1] - span[0]), _BAR), "accent") + "  "
    scale = painter(f" {say('of {span}', span=span_text(span))}", "dim") if span else ""
    each = f"  {say('each')} {' '.join(score_text(value) for value in spread.values)}" if spread.n > 1 else ""
    return f"{drawn}{painter(text, 'bold')}{scale}{painter(each, 'dim')}"


def _labels(judgment: Judgment) -> dict[str, str]:
    """Return the verdicts that are words, if there is one verdict for each criterion."""
    if judgment.repetitions or len({item.unit for item in judgment.verdicts}) != 1:
        return {}
    return {item.criterion: item.verdict for item in judgment.verdicts if isinstance(item.verdict, str)}


def overall_span(rubric: Rubric) -> tuple[float, float] | None:
    """Return the least and the greatest overall score, by the rubric's own formula."""
    low: dict[str, float] = {}
    high: dict[str, float] = {}
    for item in rubric.criteria:
        span = rubric.scale_of(item).span
        if span is None:
            return None
        low[item.key], high[item.key] = span if item.weight >= 0 else span[::-1]
    ends = rubric.overall(low), rubric.overall(high)
    return None if ends[0] is None or ends[1] is None else (ends[0], ends[1])


def score_text(value: float) -> str:
    """Return a score as people write it: ``4``, ``3.63``."""
    return number_text(value) if float(value).is_integer() else f"{value:.2f}"


def span_text(span: tuple[float, float]) -> str:
    """Return a range of scores: ``1–5``."""
    return f"{score_text(span[0])}–{score_text(span[1])}"


def unit_lines(
    judgment: Judgment, subject: Subject, rubric: Rubric, *, painter: Painter, say: Interface = ENGLISH
) -> list[str]:
    """Return where each chunk or step begins, and its scores; nothing for a subject judged as a whole."""
    if all(not item.unit for item in judgment.verdicts):
        return []
    values: dict[str, dict[str, float | str | None]] = {}
    for item in judgment.verdicts:
        values.setdefault(item.unit, {})[item.criterion] = item.verdict
    begins = {unit.id: unit.pieces[0][1] for unit in units_of(subject, "fine") if unit.pieces}
    heads = short_heads([item.key for item in rubric.criteria], say)

    def place(unit: str) -> list[str]:
        kind, _, number = unit.partition(":")
        line = str(subject.lines.place(begins[unit])[0]) if unit in begins else ""
        return [f"{say(kind)} {int(number) + 1}", line]

    def score(value: float | str | None) -> str:
        return NONE if value is None else value if isinstance(value, str) else score_text(value)

    table = table_of(
        values,
        [
            ((say("part"), say("line")), place),
            (list(heads.values()), lambda unit: [score(values[unit].get(key)) for key in heads]),
        ],
    )
    return ["", *(f"  {line}" for line in table_lines(table, painter))]


def short_heads(keys: Sequence[str], say: Interface) -> dict[str, str]:
    """Return the heads of columns: a few letters each, or numbers if letters would not tell them apart."""
    heads = {key: say.dimension_short(key) for key in keys}
    if len(set(heads.values())) == len(heads):
        return heads
    return {key: f"c{number}" for number, key in enumerate(keys, 1)}


def _reasons(judgment: Judgment, say: Interface) -> str:
    """Return the reasons, each with its part of the subject and its criteria."""
    lines = []
    for label, text in sections_of(judgment.rationale):
        kind, _, number = label.partition(" ")[0].partition(":")
        if number.isdigit():
            rest = label.removeprefix(f"{kind}:{number}")
            lines.append(f"[{say(kind)} {int(number) + 1}{rest}] {text}")
        else:
            lines.append(f"[{label}] {text}" if label else text)
    return "\n".join(lines)


def shortened_text(text: str, columns: int, say: Interface = ENGLISH) -> list[str]:
    """Return reasons, indented and wrapped; of endless ones, as small models give, only the beginning."""
    lines = wrapped(text, columns, "  ")
    more = len(lines) - _LINES
    return (
        lines
        if more <= 0
        else [*lines[:_LINES], f"  … {say('and {rest}', rest=say.count(more, 'more line'))}"]
    )


def quote_lines(
    quotes: Sequence[Quote],
    subjects: Sequence[Subject],
    *,
    painter: Painter,
    columns: int,
    say: Interface = ENGLISH,
) -> list[str]:
    """Return the quoted passages, each with its line and column; invented ones are marked."""
    lines = []
    for quote in list(dict.fromkeys(quotes))[:_QUOTES]:
        if quote.start is None or quote.document >= len(subjects):
            place, style = say("invented"), "error"
        else:
            row, column = subjects[quote.document].lines.place(quote.start)
            which = (
                f"{'AB'[quote.document]} "
                if len(subjects) == 2
                else f"{quote.document + 1} "
                if len(subjects) > 2
                else ""
            )
            place, style = f"{which}{row}:{column}", "dim"
        text = fit(visible(" ".join(quote.text.split())), columns - 16)
        lines.append(f"  {painter(pad(place, 9, right=True), style)}  “{text}”")  # type: ignore[arg-type]
    more = len(set(quotes)) - _QUOTES
    if more > 0:
        lines.append(painter(f"  {'':9}  {say('and {rest}', rest=say.count(more, 'more quote'))}", "dim"))
    invented = sum(quote.start is None for quote in set(quotes))
    if invented:
        number = say.count(invented, "quote")
        text = (
            say("{quotes} stands nowhere in the text", quotes=number)
            if invented == 1
            else say("{quotes} stand nowhere in the text", quotes=number)
        )
        lines.append(painter(f"  {'':9}  {text}", "error"))
    return lines


def note_lines(judgment: Judgment, columns: int, say: Interface) -> list[str]:
    """Return how the answers came about, after an empty line; nothing without notes."""
    lines = [line for note in judgment.notes for line in wrapped(say.label(say("note"), note), columns, "  ")]
    return ["", *lines] if lines else []


def total_coverage(judgment: Judgment) -> Coverage:
    """Return the coverage over all repetitions."""
    return sum(map(coverage_of, judgment.repetitions or (judgment,)), Coverage(0, 0))


def coverage_text(coverage: Coverage, say: Interface = ENGLISH) -> str:
    """Return ``24 of 25``."""
    return say("{part} of {whole}", part=f"{coverage.answered:,}", whole=f"{coverage.asked:,}")


def coverage_lines(
    coverage: Coverage,
    *,
    painter: Painter,
    columns: int,
    what: str = "criteria",
    repetitions: int = 1,
    say: Interface = ENGLISH,
) -> list[str]:
    """Return how much was answered, and why the rest was not."""
    answered = {"answered": f"{coverage.answered:,}", "asked": f"{coverage.asked:,}", "what": say(what)}
    lines = [
        "  "
        + say(
            "{answered} of {asked} {what} answered over {repetitions} repetitions",
            repetitions=repetitions,
            **answered,
        )
        if repetitions > 1
        else "  " + say("{answered} of {asked} {what} answered", **answered)
    ]
    for gap in coverage.gaps[:_GAPS]:
        more = len(gap.criteria) - 4
        names = ", ".join(gap.criteria[:4]) + (
            f" {say('and {number} more', number=more)}" if more > 0 else ""
        )
        about = ", ".join(
            text for text in (gap.where, names if coverage.asked > len(gap.criteria) else "") if text
        )
        text = say.label(
            f"{say(gap.status)}{f' ({about})' if about else ''}", gap.problem or say("no reason given")
        )
        lines += [painter(line, "error") for line in wrapped(text, columns, "  ")]
    if len(coverage.gaps) > _GAPS:
        rest = say.count(len(coverage.gaps) - _GAPS, "more answer")
        lines.append(painter(f"  {say('and {rest} without a verdict', rest=rest)}", "error"))
    return lines


def without_verdict(judgment: Judgment) -> bool:
    """Return whether a judgment has no verdict at all."""
    return judgment.preference is None and judgment.choice is None and not judgment.scores


def judgment_rows(judgment: Judgment) -> list[dict[str, Any]]:
    """Return ``assay.judgment/2`` for every repetition, with its coverage if it has criteria."""
    rows = []
    for item in judgment.repetitions or (judgment,):
        row = item.to_dict()
        if item.verdicts:
            row["coverage"] = coverage_of(item).to_dict()
        rows.append(row)
    return rows
