"""Settings and selectors."""

import pytest

from assay.checks.config import CheckSettings, PerFile, load_settings, parse_settings
from assay.checks.registry import all_checks
from assay.checks.selection import chosen
from assay.errors import AssayError, InputError
from assay.located import LocatedData
from assay.settings import find_settings


def codes(select=(), ignore=()):
    return {check.code for check in chosen(select, ignore)}


def of(prefix):
    return {code for code in all_checks() if code.startswith(prefix)}


def test_by_default_the_default_checks_run():
    assert codes() == {check.code for check in all_checks().values() if check.default}


@pytest.mark.parametrize("label", ["NUM", "num", "NUM0", " NUM "])
def test_a_family_selects_its_checks(label):
    assert codes([label]) == of("NUM")
    assert len(of("NUM")) > 1


def test_codes_and_names_select_one():
    assert codes(["NUM009"]) == codes(["table-total"]) == {"NUM009"}


def test_all_selects_all_and_ignore_takes_away():
    assert codes(["ALL"]) == set(all_checks())
    assert codes(["ALL"], ["NUM"]) == set(all_checks()) - of("NUM")
    assert codes((), ["NUM", "CIT001"]) == codes() - of("NUM") - {"CIT001"}


def test_the_closer_selector_wins_and_ignore_wins_a_draw():
    assert codes(["NUM009"], ["NUM"]) == {"NUM009"}
    assert codes(["NUM"], ["NUM009"]) == of("NUM") - {"NUM009"}
    assert codes(["NUM"], ["NUM"]) == set()
    assert codes(["NUM009"], ["table-total"]) == set()


def test_settings_are_read(tmp_path):
    path = tmp_path / "assay.toml"
    path.write_text(
        'select = ["NUM", "CIT001"]\nignore = ["table-total"]\nfail-on = "warning"\nquery = "Why?"\nsources = "src"\n'
        'min-confidence = 0.5\ninline = false\n[per-file]\n"drafts/**" = { ignore = ["NUM"] }\n[options.qua004]\nwords = 60\n'
    )
    settings = load_settings(path)
    assert settings == CheckSettings(
        select=("NUM", "CIT001"), ignore=("table-total",), fail_on="warning", query="Why?", sources=str(tmp_path / "src"),
        min_confidence=0.5, inline=False, per_file=(PerFile("drafts/**", ("NUM",)),), options={"QUA004": {"words": 60}},
        base=str(tmp_path),
    )  # fmt: skip
    assert {check.code for check in settings.checks()} == of("NUM") - {"NUM009"} | {"CIT001"}


@pytest.mark.parametrize(
    ("glob", "path", "matches"),
    [
        ("drafts/**", "drafts/a.md", True),
        ("drafts/**", "drafts/deep/a.md", True),
        ("drafts", "drafts/deep/a.md", True),
        ("drafts/", "drafts/a.md", True),
        ("*.md", "deep/er/a.md", True),
        ("drafts/*.md", "drafts/a.md", True),
        ("a.md", "x/a.md", True),
        ("drafts/**", "final/a.md", False),
        ("*.md", "a.txt", False),
    ],
)
def test_per_file_globs(tmp_path, glob, path, matches):
    settings = CheckSettings(per_file=(PerFile(glob, ("NUM",)),), base=str(tmp_path))
    kept = {check.code for check in settings.checks(str(tmp_path / path))}
    assert kept == (codes() - of("NUM") if matches else codes())
    assert {check.code for check in settings.checks()} == codes()


def test_what_a_file_ignores_beats_what_is_selected(tmp_path):
    settings = CheckSettings(select=("NUM009",), per_file=(PerFile("a.md", ("NUM",)),), base=str(tmp_path))
    assert settings.checks(str(tmp_path / "a.md")) == ()


def test_the_nearest_file_is_found(tmp_path):
    deep = tmp_path / "a" / "b"
    deep.mkdir(parents=True)
    assert find_settings(deep) is None
    (tmp_path / "assay.toml").write_text("")
    assert find_settings(deep) == tmp_path / "assay.toml"
    (tmp_path / "a" / "pyproject.toml").write_text("[project]\nname = 'x'\n")
    assert find_settings(deep) == tmp_path / "assay.toml"
    (tmp_path / "a" / "pyproject.toml").write_text("[tool.assay]\nfail-on = 'never'\n")
    assert find_settings(deep) == tmp_path / "a" / "pyproject.toml"
    assert load_settings(tmp_path / "a" / "pyproject.toml").fail_on == "never"
    (deep / "pyproject.toml").write_text("= broken")
    assert find_settings(deep) == tmp_path / "a" / "pyproject.toml"


@pytest.mark.parametrize(
    ("data", "says"),
    [
        ({"selct": []}, "selct is not a field here; did you mean 'select'?"),
        ({"fail_on": "error"}, "fail_on is not a field here; did you mean 'fail-on'?"),
        ({"xyzzy": 1}, "xyzzy is not a field here; there are select,"),
        ({"select": ["NUMM"]}, "select: no check, family or name is called 'NUMM'; near: NUM"),
        ({"ignore": 3}, "ignore is 3; it must be text or a list"),
        ({"select": [3]}, "select[0] is 3; it must be text"),
        (
            {"fail-on": "fatal"},
            "fail-on is 'fatal'; it may be error, info, never, new:error, new:info, new:warning, warning",
        ),
        ({"query": ["x"]}, "query is a list; it must be text"),
        ({"min-confidence": 2}, "min-confidence is 2; it must be a number, at most 1"),
        ({"min-confidence": True}, "min-confidence is true"),
        ({"inline": "no"}, "inline is 'no'; it must be true or false"),
        ({"per-file": {"a": {"ignor": []}}}, "did you mean 'ignore'?"),
        ({"per-file": {"a": ["NUM"]}}, "per-file.a is a list; it must be a table"),
        ({"options": {"NUM9999": {}}}, "no check is called 'NUM9999'"),
        ({"options": {"NUM001": 3}}, "options.NUM001 is 3; it must be a table"),
    ],
)
def test_mistakes_are_refused_with_a_way_out(data, says):
    with pytest.raises(AssayError) as caught:
        parse_settings(LocatedData(data, "assay.toml"))
    assert says in str(caught.value)
    if "options" not in data or data["options"] == {"NUM001": 3}:
        assert str(caught.value).startswith("assay.toml")


@pytest.mark.parametrize(("content", "says"), [(b"= x", "is not valid TOML"), (b"\xff\xfe", "is not UTF-8")])
def test_broken_files_are_named(tmp_path, content, says):
    path = tmp_path / "assay.toml"
    path.write_bytes(content)
    with pytest.raises(InputError, match=says):
        load_settings(path)


def test_a_missing_file_and_a_missing_table(tmp_path):
    with pytest.raises(InputError, match="cannot be read: No such file"):
        load_settings(tmp_path / "assay.toml")
    (tmp_path / "pyproject.toml").write_text("[project]\n")
    with pytest.raises(AssayError, match=r"no table \[tool.assay\]"):
        load_settings(tmp_path / "pyproject.toml")


def test_options_are_the_ones_a_check_declares() -> None:
    from assay.audits.audit import find
    from assay.checks.registry import find_check
    from assay.subjects.report import Report

    settings = parse_settings(LocatedData({"options": {"QUA004": {"words": 12}}}, "assay.toml"))
    assert settings.options == {"QUA004": {"words": 12}}
    report = Report("Green roofs should be paid for by every council, since they cool the flats below them.")
    check = find_check("QUA004")
    assert find(report, checks=[check]) == []
    [finding] = find(report, checks=[check], options=settings.options)
    assert finding.severity == "info"
    with pytest.raises(AssayError, match=r"options.QUA004.word is not a field here; did you mean 'words'"):
        parse_settings(LocatedData({"options": {"QUA004": {"word": 12}}}, "assay.toml"))
    with pytest.raises(AssayError, match=r"words is .*; it must be like 400"):
        parse_settings(LocatedData({"options": {"QUA004": {"words": "many"}}}, "assay.toml"))
    with pytest.raises(AssayError, match="CIT001 has no options"):
        parse_settings(LocatedData({"options": {"CIT001": {"x": 1}}}, "assay.toml"))
