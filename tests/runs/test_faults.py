"""A run through faults ends with the table of one without."""

import json

import pytest
from run_helpers import comparable, experiment, run_all, write_rows

from assay.runs.ledger import open_ledger
from servers.fault import FAULTS, FaultServer

JUDGES = """
subjects: r.jsonl
judges:
  - {judge: brief@lab/m, rubric: reflect-report, per_call: 1}
  - panel@lab/m
  - direct@lab/m
"""


def lab(server, **more):
    rows = {"base_url": server.base_url, "concurrency": 16, "timeout": 5, "max_attempts": 9, **more}
    return "providers: " + json.dumps({"lab": rows}) + "\n"


@pytest.fixture
def plain(tmp_path):
    write_rows(tmp_path / "r.jsonl", 5)
    with FaultServer() as server:
        run, rows = run_all(experiment(tmp_path, JUDGES + lab(server)), tmp_path / "plain")
        assert run.progress.statuses == {"ok": 15}
        assert set(server.answered.values()) == {1}
        return comparable(rows, usage=False), set(server.answered), run


@pytest.fixture
def quick(monkeypatch):
    """Pauses between tries as short as the tests are."""
    from assay.models.retry import RetryPolicy

    monkeypatch.setattr(RetryPolicy, "bound", lambda self, tries: min(0.2, 0.01 * 2**tries))


@pytest.mark.parametrize("seed", [1, 2])
def test_the_table_is_that_of_a_run_without_faults(tmp_path, plain, quick, seed):
    rows, contents, calm = plain
    with FaultServer(seed=seed, share=0.5, stall=0.2) as server:
        run, found = run_all(experiment(tmp_path, JUDGES + lab(server)), tmp_path / "faulty")
    # But for replies that came back empty and were paid for.
    assert comparable(found, usage=False) == rows
    assert run.progress.statuses == {"ok": 15}
    # Nothing lost, nothing asked that was not asked before, no call answered twice.
    assert set(server.answered) == contents
    assert set(server.answered.values()) == {1}
    assert len(server.met) >= len(FAULTS) - 3, "the server was hardly at fault"
    # What came back empty was asked again, and was paid for all the same.
    assert run.session.spending.spent.calls >= calm.session.spending.spent.calls
    assert run.session.spending.retries > 20


def test_calls_that_fail_for_good_are_failed_judgments_and_are_made_up_for_later(tmp_path, plain, quick):
    rows, contents, _ = plain
    with FaultServer(seed=5, share=0.6, most=2, faults=["500", "reset", "bad_json"]) as server:
        text = JUDGES + lab(server, max_attempts=2)
        first, found = run_all(experiment(tmp_path, text), tmp_path / "faulty")
        assert first.progress.statuses["failed"] > 0
        assert first.status == "done"
        for row in found:
            if row.judgment.status == "failed":
                assert row.judgment.scores is None or "overall" not in row.judgment.scores
        failed = first.progress.statuses["failed"]
        while failed:
            again, whole = run_all(experiment(tmp_path, text), tmp_path / "faulty")
            assert again.id == first.id
            assert again.progress.made == failed
            failed = again.progress.statuses["failed"]
    assert set(server.answered) == contents
    assert set(server.answered.values()) == {1}
    assert comparable(whole, usage=False) == rows


def test_an_endpoint_that_goes_away_ends_the_run_with_one_line(tmp_path, quick):
    from assay.models.base import ModelSetupError

    write_rows(tmp_path / "r.jsonl", 5)
    with FaultServer() as server:
        text = JUDGES + lab(server, max_attempts=2)
    with pytest.raises(ModelSetupError, match=r"check that a server runs at http://127\.0\.0\.1"):
        run_all(experiment(tmp_path, text), tmp_path / "l")
    with open_ledger(tmp_path / "l") as ledger:
        assert [head.status for head in ledger.runs()] == ["failed"]


def test_a_wrong_key_is_one_call_a_slot_and_no_storm(tmp_path, quick):
    from assay.models.base import ModelSetupError

    write_rows(tmp_path / "r.jsonl", 40)
    refusal = (401, {}, {"error": {"message": "Incorrect API key provided"}})
    with FaultServer([refusal] * 1000) as server:
        with pytest.raises(ModelSetupError):
            run_all(experiment(tmp_path, JUDGES + lab(server)), tmp_path / "l")
        assert sum(server.counts.values()) <= 16


def test_usage_of_all_tries_is_counted(tmp_path, quick):
    write_rows(tmp_path / "r.jsonl", 3)
    with FaultServer(["blank", "ok"]) as server:
        text = "subjects: r.jsonl\njudges: direct@lab/m\n" + lab(server, concurrency=1)
        run, rows = run_all(experiment(tmp_path, text), tmp_path / "l")
    assert run.session.spending.spent.calls == 4
    assert sum(row.judgment.usage.calls for row in rows) == 4
