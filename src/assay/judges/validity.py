"""How far what the rules measure follows quality: figures that ``benchmarks/rules_validity.py`` measured and stored."""

from __future__ import annotations

from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, Final

import msgspec

from assay.checks.wording import Wording

if TYPE_CHECKING:
    from assay.checks.wording import FilledWording

Figures = tuple[float, float, float]

_NOTE: Final = Wording(
    en="This order is not one of quality: rules tell a text from its damaged copy, not good reports from bad ones. Over "
    "{reports} reports of one system, what they measure correlates with published quality at ρ = {value} [{low}, {high}]",
    zh="此顺序不代表质量：规则能分辨原文与受损的副本，不能分辨报告的优劣。在同一系统的 {reports} 份报告上，规则的度量与已发表的"
    "质量分数的相关系数为 ρ = {value} [{low}, {high}]",
)


class Validity(msgspec.Struct, frozen=True):
    """Correlations with published quality.

    Attributes:
        reports: Number of reports.
        correlations: Spearman's ρ with the published overall score and its 95 % interval, by what the rules measure.
        pairs: How often the first of two systems was preferred, how often the second, and ties, by judge and systems.
        predictor: Held-out correlation of a predictor fitted to the published scores, of length, and the difference.
    """

    reports: int
    correlations: dict[str, Figures]
    pairs: dict[str, tuple[int, int, int]]
    predictor: dict[str, Figures]


@cache
def validity() -> Validity:
    """Return the stored figures."""
    data = resources.files("assay.judges").joinpath("data", "validity.json").read_bytes()
    return msgspec.json.decode(data, type=Validity)


def quality_note() -> FilledWording:
    """Return what stands beside an order of reports that rules made."""
    measured = validity()
    value, low, high = (f"{number:+.2f}".replace("-", "−") for number in measured.correlations["standing"])
    return _NOTE(reports=measured.reports, value=value, low=low, high=high)
