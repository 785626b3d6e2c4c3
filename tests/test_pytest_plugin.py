"""The plugin of pytest, in runs of pytest of their own."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import assay
from assay.errors import UsageError
from assay.testing import assert_holds, assert_report

pytest_plugins = ["pytester"]
# An installed Assay is found by its entry point, which has the same name.
PLUGIN = ("-p", "assay.pytest_plugin")
FLAWED = """# Sales

Sales of lamps rose from 100 to 150 units [1]. The costs of lamps fell by 5 % [7].

## References

[1] Log of sales: https://log.example.org
[2] Costs: https://costs.example.org
"""


def estimate(value: float, low: float | None, high: float | None) -> assay.Estimate:
    return assay.Estimate(value=value, low=low, high=high, n=40, clusters=40, method="bootstrap")


def test_a_report_with_findings_fails_with_their_places(tmp_path: Path) -> None:
    path = tmp_path / "sales.md"
    path.write_text(FLAWED, "utf-8")
    with pytest.raises(AssertionError, match=r"CIT001 .*, line 3: ") as caught:
        assert_report(path)
    assert "sales.md has" in str(caught.value)
    assert "'[7]'" in str(caught.value)
    codes = {item.code for item in assay.audit(path).findings if item.severity == "error"}
    assert assert_report(path, allow=codes).findings
    with pytest.raises(UsageError, match="no check is called"):
        assert_report(path, allow=["CIT999"])
    assert (
        assert_report(path, question="What do lamps cost?", allow=codes).subject.query
        == "What do lamps cost?"
    )
    with pytest.raises(UsageError, match="one of error, warning, info"):
        assert_report(path, fail_on="fatal")  # type: ignore[arg-type]


def test_with_a_baseline_only_new_findings_fail(tmp_path: Path) -> None:
    path, earlier = tmp_path / "sales.md", tmp_path / "last.json"
    path.write_text(FLAWED, "utf-8")
    earlier.write_text(json.dumps(assay.audit(path).to_dict()) + "\n", "utf-8")
    assert_report(path, baseline=earlier)
    path.write_text(FLAWED.replace("[7].", "[7]. [INSERT SOURCE HERE] Their weight fell."), "utf-8")
    with pytest.raises(AssertionError, match="1 new finding:") as caught:
        assert_report(path, baseline=earlier)
    assert "INSERT SOURCE" in str(caught.value)


def test_a_bound_holds_only_if_the_whole_interval_keeps_it() -> None:
    assert_holds(estimate(0.8, 0.7, 0.9), at_least=0.7, at_most=0.9)
    with pytest.raises(AssertionError, match=r"reaches below 0\.75"):
        assert_holds(estimate(0.8, 0.7, 0.9), at_least=0.75)
    with pytest.raises(AssertionError, match=r"reaches above 0\.85"):
        assert_holds(estimate(0.8, 0.7, 0.9), at_most=0.85)
    with pytest.raises(AssertionError, match="no interval"):
        assert_holds(estimate(0.8, None, None), at_least=0.1)
    with pytest.raises(UsageError):
        assert_holds(estimate(0.8, 0.7, 0.9))


def test_fixtures_options_and_the_marker(pytester: pytest.Pytester) -> None:
    pytester.path.joinpath("sales.md").write_text(FLAWED, "utf-8")
    pytester.makepyfile(
        """
        import assay, pytest

        def test_report(assay_report):
            assay_report("sales.md")

        def test_judge(assay_judge):
            assert assay_judge.name == "length"

        @pytest.mark.assay(at_least=0.6)
        def test_bound(assay_holds):
            assay_holds(assay.Estimate(value=0.7, low=0.5, high=0.9, n=9, clusters=9, method="exact"))

        @pytest.mark.assay(atleast=0.6)
        def test_typo(assay_holds):
            pass
        """
    )
    found = pytester.runpytest_subprocess(*PLUGIN, "-q", "--assay-judge", "length", "--strict-markers")
    found.assert_outcomes(failed=2, passed=1, errors=1)
    text = found.stdout.str()
    assert "CIT001" in text
    assert "the interval reaches below 0.6" in text
    assert "has at_least and at_most, not atleast" in text
    last = pytester.path / "last.json"
    last.write_text(json.dumps(assay.audit(pytester.path / "sales.md").to_dict()) + "\n", "utf-8")
    again = pytester.runpytest_subprocess(*PLUGIN, "-q", "-k", "report", "--assay-baseline", str(last))
    again.assert_outcomes(passed=1)
