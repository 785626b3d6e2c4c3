"""Tables and figures of the five papers as data: what is printed, and how Assay makes the same.

Every file in ``data/`` is a paper. What is printed is kept as the text of the paper has it, also where the paper's own
figures disagree; ``printed_otherwise`` then names the cell and what follows from the other figures.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Final, Literal

import msgspec
import yaml

from assay.errors import UsageError
from assay.suggest import did_you_mean

_DATA: Final = Path(__file__).with_name("data")


class Cell(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Where a column of an exhibit stands in a run on a benchmark.

    Attributes:
        metric: Name of the metric, as `assay bench gate` lists them.
        granularity: Condition of the column; None if it is not part of it.
        rubric: ``usual`` or ``none``.
        reasoning: Whether the judge reasons before its verdict.
    """

    metric: str
    granularity: Literal["holistic", "fine"] | None = None
    rubric: Literal["usual", "none"] | None = None
    reasoning: bool | None = None


class FromBenchmark(
    msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="bench", tag_field="how", kw_only=True
):
    """An exhibit that a run on a benchmark makes, a row for each judge; values are shares times 100."""

    interface: tuple[Literal["pointwise", "pairwise", "ranking"], ...]
    granularity: tuple[Literal["holistic", "fine"], ...] = ("holistic",)
    rubric: tuple[str, ...] = ("usual",)
    reasoning: tuple[bool, ...] | None = None
    cells: dict[str, Cell]


class FromCounts(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="counts", tag_field="how"):
    """An exhibit that counts the instances of a benchmark by type."""


class FromAgreement(
    msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="agreement", tag_field="how", kw_only=True
):
    """An exhibit about the agreement of judges with people: a row for each judge, a column for each stratum."""

    metric: str
    by: str
    scale: float = 1.0


class FromPeople(
    msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="people", tag_field="how", kw_only=True
):
    """An exhibit about the agreement of people with each other: one row, a column for each metric."""

    metrics: dict[str, str]


class FromStability(
    msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="stability", tag_field="how"
):
    """An exhibit of agreement and stability of repeated judgments: a row for each judge."""


Making = FromBenchmark | FromCounts | FromAgreement | FromPeople | FromStability


class OtherValue(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A printed value that does not follow from the paper's other values, and what follows from them."""

    row: str
    column: str
    recomputed: float


class Exhibit(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A table or figure of a paper.

    Exactly one of ``make``, ``command`` and ``unmade`` is given.

    Attributes:
        name: Name in the paper, such as "table 2".
        shows: What it shows, in one sentence.
        rows_are: What a row is: ``judges``, ``systems``, ``types`` …
        columns: Names of the columns.
        rows: Printed values by row; None where nothing is printed. Empty if the paper prints no values.
        decimals: Decimals that the paper prints.
        make: How `assay papers run` makes it.
        command: The commands that make it step by step.
        unmade: Why it cannot be made.
        differs: Why a value of one's own cannot be compared with the printed one as it is.
        mean_of: Exhibits whose mean the values are.
        mean_of_columns: Whether the first column is the mean of the others.
        printed_otherwise: Printed values that disagree with the paper's other values.
    """

    name: str
    shows: str
    rows_are: str = ""
    columns: tuple[str, ...] = ()
    rows: dict[str, tuple[float | None, ...]] = {}
    decimals: int = 1
    make: Making | None = None
    command: str = ""
    unmade: str = ""
    differs: str = ""
    mean_of: tuple[str, ...] = ()
    mean_of_columns: bool = False
    printed_otherwise: tuple[OtherValue, ...] = ()

    def __post_init__(self) -> None:
        if sum(map(bool, (self.make, self.command, self.unmade))) != 1:
            raise ValueError(f"{self.name} needs one of make, command and unmade")
        for row, values in self.rows.items():
            if len(values) != len(self.columns):
                raise ValueError(f"{self.name}: row {row} has {len(values)} of {len(self.columns)} values")


class Paper(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A paper and its exhibits."""

    title: str
    exhibits: Annotated[tuple[Exhibit, ...], msgspec.Meta(min_length=1)]

    def exhibit(self, name: str) -> Exhibit:
        """Return an exhibit by its name.

        Raises:
            UsageError: The paper has none of that name.
        """
        for item in self.exhibits:
            if item.name == name:
                return item
        raise UsageError(
            f"the paper has no {name}; {did_you_mean(name, [item.name for item in self.exhibits])}"
        )


@lru_cache(maxsize=1)
def all_papers() -> Mapping[str, Paper]:
    """Return every paper by its short name, in alphabetical order."""
    return {
        path.stem: msgspec.convert(yaml.safe_load(path.read_text("utf-8")), Paper)
        for path in sorted(_DATA.glob("*.yaml"))
    }


def paper_of(name: str) -> Paper:
    """Return a paper by its short name.

    Raises:
        UsageError: There is none of that name.
    """
    papers = all_papers()
    if name not in papers:
        raise UsageError(f"there is no paper {name!r}; {did_you_mean(name, list(papers))}")
    return papers[name]
