import pytest

from assay.errors import InputError, UsageError
from assay.runs.place import where_ledger


@pytest.fixture(autouse=True)
def _clean(monkeypatch, tmp_path):
    monkeypatch.delenv("ASSAY_LEDGER", raising=False)
    monkeypatch.chdir(tmp_path)


def test_option_then_variable_then_settings_then_usual(tmp_path, monkeypatch):
    assert where_ledger() == ".assay/ledger.sqlite"
    (tmp_path / "pyproject.toml").write_text('[tool.assay]\nledger = "postgresql://host/db"\n')
    assert where_ledger() == "postgresql://host/db"
    (tmp_path / "assay.toml").write_text('ledger = "kept/x.sqlite"\n')
    (tmp_path / "deep").mkdir()
    monkeypatch.chdir(tmp_path / "deep")
    assert where_ledger() == str(tmp_path / "kept/x.sqlite")
    monkeypatch.setenv("ASSAY_LEDGER", "variable.sqlite")
    assert where_ledger() == "variable.sqlite"
    assert where_ledger("option.sqlite") == "option.sqlite"


def test_bad_settings(tmp_path):
    (tmp_path / "assay.toml").write_text("ledger = 3\n")
    with pytest.raises(UsageError, match="must be a path"):
        where_ledger()
    (tmp_path / "assay.toml").write_text("ledger = \n")
    with pytest.raises(InputError, match="not valid TOML"):
        where_ledger()


def test_none_keeps_nothing_and_a_run_needs_a_ledger(tmp_path, monkeypatch):
    from assay import open_judge
    from assay.runs.ledger import open_ledger

    monkeypatch.setenv("ASSAY_LEDGER", "none")
    with open_judge("direct@scripted/random") as judge:
        assert judge.score("# Heat\n\nPumps are quiet.\n").status == "ok"
    monkeypatch.delenv("ASSAY_LEDGER")
    (tmp_path / "assay.toml").write_text('ledger = "none"\n')
    assert where_ledger() == "none"
    with pytest.raises(UsageError, match="cannot do without a ledger"):
        open_ledger(where_ledger())
    assert [path.name for path in tmp_path.iterdir()] == ["assay.toml"]
