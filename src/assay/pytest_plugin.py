"""Assay in pytest: audits as assertions, a baseline for all tests, and thresholds on the safe end of an interval.

    def test_the_report(assay_report):
        assay_report("reports/solar.md", question="What does solar power cost?", fail_on="warning")

    @pytest.mark.assay(at_least=0.6)
    def test_the_judge(assay_holds):
        assay_holds(assay.Benchmark.load("bench").run("rules", interface="pairwise").accuracy["rules"])

Installed with Assay and found by pytest. It imports Assay only when a fixture is used.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from assay.audits.result import Audit
    from assay.measures.intervals import Estimate

_MARKER = "assay(at_least=None, at_most=None): bounds that the safe end of an estimate's interval must keep."


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options of Assay."""
    group = parser.getgroup("assay", "reports and judges (Assay)")
    group.addoption(
        "--assay-baseline",
        metavar="FILE",
        help="earlier audit (assay audit --format json); assay_report then fails for new findings only",
    )
    group.addoption(
        "--assay-judge", metavar="JUDGE", default="rules", help="judge of the fixture assay_judge [rules]"
    )


def pytest_configure(config: pytest.Config) -> None:
    """Register the marker."""
    config.addinivalue_line("markers", _MARKER)


@pytest.fixture(scope="session")
def assay_report(request: pytest.FixtureRequest) -> Callable[..., Audit]:
    """`assay.testing.assert_report`, with the baseline of the command line unless the call names another."""
    from functools import partial  # noqa: PLC0415 - only where it is used

    from assay.testing import assert_report  # noqa: PLC0415

    baseline = request.config.getoption("--assay-baseline")
    return partial(assert_report, baseline=baseline) if baseline else assert_report


@pytest.fixture(scope="session")
def assay_judge(request: pytest.FixtureRequest) -> Any:
    """The judge that the command line names."""
    from assay import Judge  # noqa: PLC0415

    return Judge(request.config.getoption("--assay-judge"))


@pytest.fixture
def assay_holds(request: pytest.FixtureRequest) -> Callable[[Estimate], None]:
    """A function that fails the test if an estimate does not surely keep the bounds of the test's marker."""
    from assay.testing import assert_holds  # noqa: PLC0415

    marker = request.node.get_closest_marker("assay")
    if marker is None or not marker.kwargs or marker.args:
        raise pytest.UsageError("assay_holds needs bounds: @pytest.mark.assay(at_least=0.6)")
    unknown = set(marker.kwargs) - {"at_least", "at_most"}
    if unknown:
        raise pytest.UsageError(
            f"@pytest.mark.assay has at_least and at_most, not {', '.join(sorted(unknown))}"
        )

    def holds(estimate: Estimate) -> None:
        __tracebackhide__ = True
        assert_holds(estimate, **marker.kwargs)

    return holds
