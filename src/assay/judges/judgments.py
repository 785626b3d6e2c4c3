"""Many judgments: as a data frame, by criterion, and what they say about judges and systems.

judgments = assay.run(cases, judges)
judgments.to_frame()                            # a row for each judgment
judgments.verdicts.to_frame()                   # a row for each criterion
judgments.compliance(by="system").to_frame()    # with intervals
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from operator import attrgetter, itemgetter
from typing import TYPE_CHECKING, Any, ClassVar, Final

import msgspec
import numpy as np

from assay.frozen import EMPTY
from assay.garbage import paused_collector
from assay.judges.compliance import ComplianceTable, compliance_table
from assay.judges.judgment import Judgment, Verdict
from assay.judges.stability import ConsistencyTable, StabilityTable, consistency_table, stability_table
from assay.models.base import Usage
from assay.record import SHOWN_ROWS, Records, frame_of, html_table

if TYPE_CHECKING:
    import pandas as pd

# Score columns of a frame at most; more belong into the frame of verdicts.
_SCORES: Final = 16
# Judgments whose columns are made at once; they fit a processor's cache.
_AT_ONCE: Final = 1024
_MARGINS: Final = {"A>B": 1.0, "A<B": -1.0}
_QUESTION: Final = tuple(Verdict.__struct_fields__)


class JudgedVerdict(Verdict, frozen=True, kw_only=True):
    """A verdict with its judgment.

    Attributes:
        subject: Name of the case.
        judge: Name of the judge.
        rubric: Name of the rubric.
        repetition: Number of the repetition, from 0.
        id: Id of the case, if it is known.
        system: System that wrote the subject, if it is known.
    """

    subject: str
    judge: str
    rubric: str | None = None
    repetition: int = 0
    id: str | None = None
    system: str | None = None


class Verdicts(Records[JudgedVerdict]):
    """The verdicts of many judgments."""

    item_type = JudgedVerdict
    noun = "verdict"

    def to_columns(self) -> dict[str, list[Any]]:
        """Return a row for each verdict, with subject and judge first."""
        first = ("subject", "judge", "rubric", "id", "system", "repetition")
        return {name: [getattr(item, name) for item in self] for name in (*first, *_QUESTION)}


class Judgments(Records[Judgment]):
    """Many judgments, in order; saved as ``assay.judgment/2``, one a line."""

    item_type: ClassVar[type[Any]] = Judgment
    noun = "judgment"

    @property
    def usage(self) -> Usage:
        """Calls, tokens and cost of all judgments."""
        return sum((item.usage for item in self), Usage())

    @property
    def coverage(self) -> float | None:
        """Share of judgments with a verdict, 0 to 1; None if there are no judgments."""
        return sum(item.status == "ok" for item in self) / len(self) if len(self) else None

    @property
    def verdicts(self) -> Verdicts:
        """The verdicts on single criteria, in order."""
        return Verdicts(_judged(self))

    def compliance(self, by: str = "system") -> ComplianceTable:
        """Return the compliance of each group, with intervals clustered by task; best first.

        Args:
            by: ``judge``, ``rubric`` or a key of the metadata, such as ``system`` or ``domain``.
        """
        return compliance_table(self, by)

    def consistency(self) -> ConsistencyTable:
        """Return how often each judge gives pairs the same verdict in both orders."""
        return consistency_table(self)

    def stability(self) -> StabilityTable:
        """Return how far the repetitions of each judge agree: flips of comparisons, variance of overall scores."""
        return stability_table(self)

    def to_columns(self) -> dict[str, list[Any]]:
        """Return the columns of `to_frame`: one row for each judgment, scores and metadata as columns."""
        columns: dict[str, list[Any]]
        with paused_collector():
            layout = _Layout.of(self._items)
            columns = _columns((), layout)
            for start in range(0, len(self), _AT_ONCE):
                for name, values in _columns(self._items[start : start + _AT_ONCE], layout).items():
                    columns[name] += values
        return columns

    def to_frame(self) -> pd.DataFrame:
        """Return a pandas data frame with a row for each; numbers that are missing are NaN.

        Raises:
            MissingExtraError: pandas is not installed.
        """
        layout = _Layout.of(self._items)
        texts = {*_TEXTS, *layout.metadata.values()}
        columns: dict[str, Any] = {
            name: []
            if name in texts
            else np.empty(len(self), dtype=np.int64 if name in _COUNTS else np.float64)
            for name in _columns((), layout)
        }
        with paused_collector():
            for start in range(0, len(self), _AT_ONCE):
                for name, values in _columns(self._items[start : start + _AT_ONCE], layout).items():
                    if name in texts:
                        columns[name] += values
                    else:
                        column = columns[name]
                        column[start : start + len(values)] = np.array(values, dtype=column.dtype)
            for name in texts & columns.keys():
                columns[name] = _text_column(name, columns[name])
            return frame_of(columns)

    def _repr_html_(self) -> str:
        first = self[:SHOWN_ROWS].to_columns()
        subjects = ["a", "b"] if any(first.get("a", ())) else ["subject"]
        names = (
            *subjects,
            "id",
            "system",
            "judge",
            "preference",
            "margin",
            "consistent",
            "overall",
            "status",
        )
        shown = {name: first[name] for name in names if name in first}
        return html_table(shown, caption=self.summary_line(), total=len(self))

    def summary_line(self) -> str:
        """Return how many there are, by how many judges, and how many have no verdict."""
        judges = len({item.judge for item in self})
        lacking = sum(item.status != "ok" for item in self)
        by = f" by {judges:,} judges" if judges > 1 else ""
        return f"{super().summary_line()}{by}{f', {lacking:,} without a verdict' if lacking else ''}"


_FIRST: Final = ("subject", "a", "b", "judge", "rubric", "mode", "status", "preference", "margin", "overall")
_LAST: Final = ("consistent", "repetition", "repetitions", "coverage", "tokens", "cost_usd", "version", "key")


_TEXTS: Final = (
    *("subject", "a", "b", "judge", "rubric", "mode", "status", "preference", "consistent", "version", "key"),
)
_COUNTS: Final = ("repetition", "repetitions", "tokens")


class _Layout(msgspec.Struct, frozen=True):
    """The columns that depend on the judgments.

    Attributes:
        pairs: Whether some are of pairs.
        scores: Column of each score, but ``overall``.
        metadata: Column of each key of the metadata.
    """

    pairs: bool
    scores: dict[str, str]
    metadata: dict[str, str]

    @classmethod
    def of(cls, items: Sequence[Judgment]) -> _Layout:
        modes = set(map(attrgetter("mode"), items))
        metadata = _keys(map(attrgetter("metadata"), items))
        keys = [key for key in _keys(map(attrgetter("scores"), items)) if key != "overall"]
        if len(keys) > _SCORES or modes <= {"rank"}:
            keys = []
        taken = {*_FIRST, *_LAST}
        scores = {key: f"score_{key}" if key in taken or key in metadata else key for key in keys}
        taken.update(scores.values())
        return cls(
            "compare" in modes, scores, {key: f"metadata_{key}" if key in taken else key for key in metadata}
        )


def _text_column(name: str, values: list[Any]) -> pd.Series[Any]:
    """Return texts as a series, which infers its type several times faster than a frame; one text is read once."""
    constant = len(values) > 1 and values.count(values[0]) == len(values)
    column: pd.Series[Any] = frame_of({name: values[:1] if constant else values})[name]
    return column.repeat(len(values)).reset_index(drop=True) if constant else column


def _columns(items: Sequence[Judgment], layout: _Layout) -> dict[str, list[Any]]:
    """Return the columns of some judgments: so few that what is read once is near when it is read again."""

    def field(name: str) -> list[Any]:
        return list(map(attrgetter(name), items))

    modes, preferences, verdicts = field("mode"), field("preference"), field("verdicts")
    columns: dict[str, list[Any]] = {"subject": field("subject")}
    if layout.pairs:
        none = ("", None, "")
        pairs = [
            subject.partition(" | ") if mode == "compare" else none
            for subject, mode in zip(columns["subject"], modes, strict=True)
        ]
        columns["a"] = [pair[0] if pair[1] else None for pair in pairs]
        columns["b"] = [pair[2] if pair[1] else None for pair in pairs]
    columns |= {"judge": field("judge"), "rubric": field("rubric"), "mode": modes}
    columns |= {"status": field("status"), "preference": preferences}
    scores: list[Mapping[str, float]] = [own or EMPTY for own in field("scores")]
    overall = _values(scores, "overall")
    columns["margin"] = [
        None
        if preference is None or mode != "compare"
        else value
        if value is not None
        else _MARGINS.get(preference, 0.0)
        for preference, mode, value in zip(preferences, modes, overall, strict=True)
    ]
    columns["overall"] = overall
    for key, name in layout.scores.items():
        columns[name] = _values(scores, key)
    usages = field("usage")
    columns |= {
        "consistent": [item.consistent if item.by_order else None for item in items],
        "repetition": field("repetition"),
        "repetitions": [len(own) or 1 for own in field("repetitions")],
        "coverage": [
            item.coverage if own else float(status == "ok")
            for item, own, status in zip(items, verdicts, columns["status"], strict=True)
        ],
        "tokens": [usage.input_tokens + usage.output_tokens for usage in usages],
        "cost_usd": [usage.cost_usd for usage in usages],
        "version": field("version"),
        "key": field("key"),
    }
    mappings = field("metadata")
    return columns | {name: _values(mappings, key) for key, name in layout.metadata.items()}


def _keys(mappings: Iterable[Mapping[str, Any] | None]) -> list[str]:
    """Return all keys in order of first appearance."""
    return list(
        dict.fromkeys(key for keys in dict.fromkeys(map(tuple, filter(None, mappings))) for key in keys)
    )


def _values(mappings: Sequence[Mapping[str, Any]], key: str) -> list[Any]:
    """Return one value of each mapping; None if it has none."""
    try:
        return list(map(itemgetter(key), mappings))
    except KeyError:
        return [own.get(key) for own in mappings]


def _judged(judgments: Iterable[Judgment]) -> Iterator[JudgedVerdict]:
    for item in judgments:
        known: dict[str, Any] = {"id": item.metadata.get("id"), "system": item.metadata.get("system")}
        for verdict in item.verdicts:
            own: dict[str, Any] = {name: getattr(verdict, name) for name in _QUESTION}
            yield JudgedVerdict(
                **own,
                subject=item.subject,
                judge=item.judge,
                rubric=item.rubric,
                repetition=item.repetition,
                **known,
            )
