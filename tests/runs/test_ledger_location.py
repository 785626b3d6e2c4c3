import pytest

from assay.errors import InputError, UsageError
from assay.runs.ledger_location import ledger_location


@pytest.fixture(autouse=True)
def _clean(monkeypatch, tmp_path):
    monkeypatch.delenv("ASSAY_LEDGER", raising=False)
    monkeypatch.chdir(tmp_path)


def test_option_then_variable_then_settings_then_usual(tmp_path, monkeypatch):
    assert ledger_location() == ".assay/ledger.sqlite"
    (tmp_path / "pyproject.toml").write_text('[tool.assay]\nledger = "postgresql://host/db"\n')
    assert ledger_location() == "postgresql://host/db"
    (tmp_path / "assay.toml").write_text('ledger = "kept/x.sqlite"\n')
    (tmp_path / "deep").mkdir()
    monkeypatch.chdir(tmp_path / "deep")
    assert ledger_location() == str(tmp_path / "kept/x.sqlite")
    monkeypatch.setenv("ASSAY_LEDGER", "variable.sqlite")
    assert ledger_location() == "variable.sqlite"
    assert ledger_location("option.sqlite") == "option.sqlite"


def test_bad_settings(tmp_path):
    (tmp_path / "assay.toml").write_text("ledger = 3\n")
    with pytest.raises(InputError, match="ledger is 3; it must be text"):
        ledger_location()
    (tmp_path / "assay.toml").write_text("ledger = \n")
    with pytest.raises(InputError, match="not valid TOML"):
        ledger_location()


def test_none_keeps_nothing_and_a_run_needs_a_ledger(tmp_path, monkeypatch):
    from assay.runs.ledger import open_ledger

    (tmp_path / "assay.toml").write_text('ledger = "none"\n')
    assert ledger_location() == "none"
    with pytest.raises(UsageError, match="needs a ledger"):
        open_ledger(ledger_location())
    assert [path.name for path in tmp_path.iterdir()] == ["assay.toml"]
