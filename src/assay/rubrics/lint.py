"""What makes a rubric hard to judge by, found before anything is paid for.

Precision comes before recall.
"""

from __future__ import annotations

import math
import re
import statistics
from collections.abc import Iterator
from typing import Final, Literal

import msgspec

from assay.located import LocatedData
from assay.record import Record
from assay.rubrics.lint_weighted import breaches
from assay.rubrics.rubric import PAIR_SCALE, Rubric
from assay.rubrics.scale import Scale
from assay.rubrics.scales import load_scale, scale_names
from assay.rubrics.wording import double_demand, fault_phrase, has_observable, praise_phrase, vague_word
from assay.text.near_duplicates import details, similar_pairs
from assay.text.words import content_terms, count_words, has_cjk

Severity = Literal["error", "warning", "info"]
Code = Literal[
    "RUB001", "RUB002", "RUB003", "RUB004", "RUB005", "RUB006", "RUB007", "RUB008", "RUB010", "RUB011",
    "RUB012",
    "RUB013", "RUB014", "RUB015", "RUB016", "RUB017", "RUB018", "RUB019", "RUB020",
    "RUB021",
]  # fmt: skip

_ALIKE: Final = 0.9
# 0.9 of them are more than two.
_FEWEST_TERMS: Final = 3
_LONGEST: Final = 120
_LONGEST_CJK: Final = 220
_DWARFED: Final = 20
_MOST_TOGETHER: Final = 30
_FEW_POINTS: Final = 3


class LintRule(msgspec.Struct, frozen=True):
    """What one code means."""

    code: Code
    name: str
    severity: Severity
    summary: str


RULES: Final[dict[str, LintRule]] = {
    rule.code: rule
    for rule in (
        LintRule("RUB001", "duplicate-criterion", "error", "Two criteria ask the same in the same words."),
        LintRule("RUB002", "near-duplicate-criterion", "warning",
        "Two criteria ask the same in nearly the same words."),
        LintRule("RUB003", "two-demands", "warning",
        "A criterion joins two demands; one may be met and the other not."),
        LintRule("RUB004", "vague-measure", "warning", "A criterion measures by nothing but a vague word."),
        LintRule("RUB005", "odd-weight", "warning",
        "A weight is zero, or so far from the others that the smaller ones do not count."),
        LintRule("RUB006", "sign-and-wording", "warning", "A merit has a negative weight, or a fault a positive one."),
        LintRule("RUB007", "too-long", "warning", "A criterion is too long for a judge to keep in mind."),
        LintRule("RUB008", "no-observable", "warning", "A criterion names qualities, but nothing observable."),
        LintRule("RUB010", "unanchored-scale", "warning", "A scale with more than three points explains none of them."),
        LintRule("RUB011", "labels-differ-by-case", "error", "Two labels differ only in case or white space."),
        LintRule("RUB012", "label-within-label", "info",
        "One label occurs in another; Assay tells them apart, readers may not."),
        LintRule("RUB013", "mixed-spans", "warning", "Criteria with different ranges of numbers are averaged."),
        LintRule("RUB014", "many-together", "warning", "More than 30 criteria are asked in one call."),
        LintRule("RUB015", "missing-translation", "info", "A criterion has no Chinese text although others have one."),
        LintRule("RUB016", "label-without-number", "info",
        "An answer stands for no number, so it gives no overall score."),
        LintRule("RUB017", "no-positive-weight", "error",
        "Compliance is measured against positive weights, and the rubric has none."),
        LintRule("RUB018", "weight-off-scale", "error",
        "A weight is outside the scale from -5 to 5 that the other weights use."),
        LintRule("RUB019", "mandatory-and-weight", "warning",
        "A criterion with a weight below 4 is marked mandatory, or one with 4 or 5 optional."),
        LintRule("RUB020", "unknown-axis", "warning", "An axis is not one of the six that the other criteria use."),
        LintRule("RUB021", "draft", "info", "A criterion is a model's draft that is not yet reviewed."),
    )
}  # fmt: skip


class RubricFinding(Record, msgspec.Struct, frozen=True, kw_only=True):
    """A fault of a rubric.

    ``place`` is a path in the published format, ``line`` where known.
    """

    code: Code
    name: str
    severity: Severity
    message: str
    place: str
    line: int | None = None


def lint(rubric: Rubric) -> list[RubricFinding]:
    """Return the findings on a rubric in the order of its criteria; findings on the whole rubric come last."""
    found = [*_criteria(rubric), *_weighted(rubric), *_duplicates(rubric), *_scales(rubric)]
    found.sort(key=lambda finding: _index(finding.place))
    return [*found, *_whole(rubric)]


def lint_source(rubric: Rubric, source: LocatedData) -> list[RubricFinding]:
    """`lint`, with the lines of the file the rubric was read from."""
    key = next(
        (name for name in ("criteria", "rubrics") if isinstance(source.data, dict) and name in source.data),
        "",
    )

    def line(place: str) -> int | None:
        _, _, digits = (
            source.where(place.replace("criteria", key, 1)).removeprefix(source.name).rpartition(":")
        )
        return int(digits) if digits else None

    return [msgspec.structs.replace(finding, line=line(finding.place)) for finding in lint(rubric)]


def _weighted(rubric: Rubric) -> Iterator[RubricFinding]:
    """Yield findings on weighted criteria that break the conventions of ResearchRubrics (section 3.3)."""
    for index, code, place, message in breaches(rubric):
        yield _finding(code, f"criteria[{index}].{place}", message)


def _finding(code: Code, place: str, message: str, severity: Severity | None = None) -> RubricFinding:
    rule = RULES[code]
    return RubricFinding(
        code=code, name=rule.name, severity=severity or rule.severity, message=message, place=place
    )


def _index(place: str) -> float:
    found = re.match(r"criteria\[(\d+)\]", place)
    return int(found[1]) if found else math.inf


def _criteria(rubric: Rubric) -> Iterator[RubricFinding]:
    translated = any(item.asks_zh for item in rubric.criteria)
    for index, item in enumerate(rubric.criteria):
        place = f"criteria[{index}]"
        for name, text in (("asks", item.asks), ("asks_zh", item.asks_zh)):
            if text:
                yield from _wording(f"{place}.{name}", text, item.weight)
        if item.is_draft:
            yield _finding(
                "RUB021",
                f"{place}.notes.draft",
                f"{item.key} is a draft that is not yet reviewed; use assay rubrics review",
            )
        if translated and not item.asks_zh and not has_cjk(item.asks):
            yield _finding("RUB015", f"{place}.asks_zh", f"{item.key} is in English alone")
    yield from _weights(rubric)


def _wording(place: str, text: str, weight: float) -> Iterator[RubricFinding]:
    second = double_demand(text)
    if second:
        yield _finding(
            "RUB003", place, f"a second demand begins at “{second}”; ask it as a criterion of its own"
        )
    vague = vague_word(text)
    if vague:
        yield _finding("RUB004", place, f"“{vague}” is all the measure there is; say what would show it")
    if not has_observable(text):
        yield _finding(
            "RUB008", place, "it names qualities and nothing to look for; say what a judge would see"
        )
    words, most = count_words(text), _LONGEST_CJK if has_cjk(text) else _LONGEST
    if words > most:
        yield _finding("RUB007", place, f"it has {words} words; more than {most} are seldom one demand")
    fault = fault_phrase(text)
    if weight > 0 and fault:
        yield _finding("RUB006", place, f"“{fault}” names a fault, and the weight {weight:g} rewards it")
    praise = praise_phrase(text)
    if weight < 0 and praise:
        yield _finding("RUB006", place, f"“{praise}” names a merit, and the weight {weight:g} punishes it")


def _weights(rubric: Rubric) -> Iterator[RubricFinding]:
    sizes = [abs(item.weight) for item in rubric.criteria]
    usual = statistics.median(sizes) if sizes else 0.0
    for index, item in enumerate(rubric.criteria):
        place, size = f"criteria[{index}].weight", abs(item.weight)
        if not size:
            yield _finding(
                "RUB005", place, "the weight is 0: it is asked, paid for, and counts nothing", "error"
            )
        elif usual and not usual / _DWARFED <= size <= usual * _DWARFED:
            much = f"more than {_DWARFED} times" if size > usual else f"less than one part in {_DWARFED} of"
            yield _finding(
                "RUB005",
                place,
                f"the weight {item.weight:g} is {much} the usual {usual:g}",
            )


def _duplicates(rubric: Rubric) -> Iterator[RubricFinding]:
    """Equal texts, and texts of nearly equal terms whose numbers and names do not differ."""
    first: dict[str, int] = {}
    texts = [item.asks for item in rubric.criteria]
    same: dict[int, int] = {}
    for index, text in enumerate(texts):
        plain = " ".join(re.findall(r"\w+", text.casefold()))
        if first.setdefault(plain, index) != index:
            same[index] = first[plain]
    # Two terms are too few to tell what a criterion asks; what equals an earlier text is not compared again.
    terms = [frozenset() if i in same else frozenset(content_terms(text)) for i, text in enumerate(texts)]
    near: dict[int, int] = {}
    for earlier, later, _ in similar_pairs(terms, _ALIKE):
        if len(terms[earlier] | terms[later]) >= _FEWEST_TERMS and details(texts[earlier]) == details(
            texts[later]
        ):
            near.setdefault(later, earlier)
    for index in sorted({*same, *near}):
        if index in same:
            text = f"criteria[{same[index]}] asks the same in the same words"
            yield _finding("RUB001", f"criteria[{index}].asks", text)
        else:
            yield _finding(
                "RUB002", f"criteria[{index}].asks", f"criteria[{near[index]}] asks nearly the same"
            )


def _scales(rubric: Rubric) -> Iterator[RubricFinding]:
    own = [
        (f"criteria[{i}].scale", item.scale)
        for i, item in enumerate(rubric.criteria)
        if item.scale is not None
    ]
    known = [PAIR_SCALE, *map(load_scale, scale_names())]
    for place, scale in (("scale", rubric.scale), ("pair_scale", rubric.pair_scale), *own):
        if scale not in known:
            yield from _scale(place, scale, counted=rubric.aggregate != "none")


def _scale(place: str, scale: Scale, *, counted: bool) -> Iterator[RubricFinding]:
    if not scale.choices:
        values = scale.values()
        points = (
            "endless" if values is None and not scale.step else "many" if values is None else str(len(values))
        )
        if not scale.anchors and not scale.anchors_zh and (values is None or len(values) > _FEW_POINTS):
            yield _finding(
                "RUB010", place, f"it has {points} points and says of none what it means; anchor the ends"
            )
        return
    labels = [choice.label for choice in scale.choices]
    folded = [" ".join(label.split()).casefold() for label in labels]
    for index, label in enumerate(folded):
        where = f"{place}.choices[{index}].label"
        if label in folded[:index]:
            yield _finding(
                "RUB011",
                where,
                f"“{labels[index]}” differs from “{labels[folded.index(label)]}” in case alone",
            )
        inside = next(
            (other for other in folded if label != other and re.search(rf"\b{re.escape(label)}\b", other)),
            None,
        )
        if inside:
            yield _finding("RUB012", where, f"“{labels[index]}” occurs in “{labels[folded.index(inside)]}”")
        if counted and scale.choices[index].value is None:
            yield _finding(
                "RUB016",
                where,
                f"“{labels[index]}” stands for no number; a subject with this answer gets no overall score",
            )


def _whole(rubric: Rubric) -> Iterator[RubricFinding]:
    spans = {rubric.scale_of(item).span for item in rubric.criteria}
    if rubric.aggregate in ("mean", "compliance") and len(spans - {None}) > 1:
        shown = ", ".join(f"{low:g}–{high:g}" for low, high in sorted(span for span in spans if span))
        yield _finding(
            "RUB013", "aggregate", f"criteria on {shown} are averaged as they are; give them one scale"
        )
    if rubric.aggregate == "compliance" and all(item.weight <= 0 for item in rubric.criteria):
        yield _finding("RUB017", "aggregate", "no weight is positive, so there is never an overall score")
    if rubric.ask == "together" and len(rubric.criteria) > _MOST_TOGETHER:
        yield _finding(
            "RUB014",
            "ask",
            f"{len(rubric.criteria)} criteria are asked in one call; 'ask: each' reads each with care",
        )
