"""Places a model names in words that are not quite the text's, and bounds on what is not known."""

from __future__ import annotations

import pytest

from assay.generation.fault_location import FaultLocation
from assay.interventions.applying import Site
from assay.measures.intervals import Estimate, exact
from assay.meta.gate import JudgeMetrics, check_thresholds, parse_thresholds
from assay.meta.localisation import localise_faults
from assay.subjects.report import Report

TEXT = "Pumps are quiet. The audit found savings of **40 %**\nin insulated houses. Boilers are loud.\n"
SITE = Site(kind="span", start=TEXT.index("The audit"), end=TEXT.index(" Boilers"))


@pytest.mark.parametrize(
    ("quote", "hit", "all_of_it"),
    [
        ("The audit found savings of **40 %**\nin insulated houses.", True, True),
        # Models leave out marks of Markdown and line ends, and put quotation marks around what they copy.
        ("\u201cThe audit found savings of 40 % in insulated houses.\u201d", True, True),
        ("Boilers are loud.", False, False),
        ("The audit found savings of 70 % in insulated houses.", False, False),
        ("", False, False),
    ],
)
def test_a_place_in_words(quote: str, hit: bool, all_of_it: bool) -> None:
    found = localise_faults(Report(TEXT), [SITE], [FaultLocation(quote=quote)])
    assert found is not None
    assert (found.first, found.any) == (hit, hit)
    assert (found.overlap or 0) > 0.9 if all_of_it else not found.overlap


def test_any_place_and_any_site_count_and_the_worst_fault_comes_first() -> None:
    other = Site(kind="span", start=TEXT.index("Boilers"), end=len(TEXT) - 1)
    named = [FaultLocation(quote="Pumps are quiet."), FaultLocation(quote="Boilers are loud.")]
    found = localise_faults(Report(TEXT), [SITE, other], named)
    assert found is not None
    assert (found.first, found.any, found.places) == (False, True, 2)
    assert localise_faults(Report(TEXT), [SITE], []) is None


@pytest.mark.parametrize(
    ("measure", "met"),
    [
        (Estimate(value=0.9, low=0.8, high=1.0), True),
        (Estimate(value=0.9, low=0.6, high=1.0), False),
        # Of one reference there is no interval: nothing is sure.
        (Estimate(value=1.0), False),
        # A number of tokens has none, and needs none.
        (exact(1.0), True),
        (exact(None), False),
    ],
)
def test_what_is_sure(measure: Estimate, met: bool) -> None:
    bounds = parse_thresholds(["it=0.7"], [])
    assert check_thresholds([JudgeMetrics("judge", {"it": measure})], bounds, sure=True)[0].met is met
    assert check_thresholds([JudgeMetrics("judge", {"it": measure})], bounds)[0].met is (
        measure.value is not None
    )
