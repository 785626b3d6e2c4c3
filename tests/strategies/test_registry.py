"""Strategies of other packages, through entry points as a package manager installs them."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

import assay.strategies as package
from assay.errors import UsageError
from assay.strategies.registry import all_strategies, find_strategy

from .scripts import ask, question

PAGE = (Path(__file__).parents[2] / "docs" / "reference" / "strategies.md").read_text("utf-8")
# The example that the page shows is the one installed here.
ORACLE, TEMPLATE = (re.search(rf"```{kind}\n(.*?)```", PAGE, re.DOTALL)[1] for kind in ("python", "jinja"))


@pytest.fixture
def install(tmp_path, monkeypatch):
    """Put a distribution with one module and one entry point on the path."""

    def put(module: str, code: str, template: str | None, target: str = "STRATEGY") -> None:
        home = tmp_path / f"site-{module}"
        home.mkdir()
        (home / f"{module}.py").write_text(code, "utf-8")
        if template is not None:
            name = re.search(r'name="(\w+)"', code)[1]
            (home / f"{name}.jinja").write_text(template, "utf-8")
        info = home / f"assay_{module}-1.0.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(
            f"Metadata-Version: 2.1\nName: assay-{module}\nVersion: 1.0\n", "utf-8"
        )
        (info / "entry_points.txt").write_text(f"[assay.strategies]\n{module} = {module}:{target}\n", "utf-8")
        monkeypatch.syspath_prepend(str(home))
        monkeypatch.delitem(sys.modules, module, raising=False)
        all_strategies.cache_clear()

    yield put
    all_strategies.cache_clear()


def test_one_from_another_package_works_like_ours(install) -> None:
    install("oracle_plugin", ORACLE, TEMPLATE)
    strategy = find_strategy("oracle")
    assert Path(strategy.template).name == "oracle.jinja"
    result, (omens, verdict) = ask("oracle", question(), lambda n, _: "A crow." if n == 0 else None)
    assert (result.status, result.values) == ("ok", {"support": 1})
    assert omens.messages[1].text.startswith("\nName three omens in the report.")
    assert omens.sampling.max_tokens == 200
    assert "A crow." in verdict.messages[1].text
    assert '- "vision": what the omens mean' in verdict.messages[1].text
    # In Chinese it has no template of its own: its English task in the Chinese frame.
    result, _ = ask("oracle", question("compare", language="zh"))
    assert result.preference == "A>B"


@pytest.mark.parametrize(
    ("code", "template", "target", "message"),
    [
        (ORACLE.replace('"oracle"', '"full"'), TEMPLATE, "STRATEGY",
         "two extensions are called 'full': assay.strategies.full and entry point 'bad_plugin' of assay-bad_plugin in group"),
        (ORACLE, None, "STRATEGY", "has no template at .*oracle.jinja"),
        (ORACLE, TEMPLATE, "elicit", "'bad_plugin' of assay-bad_plugin in group 'assay.strategies' is function, not a"),
        (ORACLE, TEMPLATE, "MISSING", "does not load: AttributeError: .*MISSING"),
        (ORACLE + "\nimport no_such_module\n", TEMPLATE, "STRATEGY", "does not load: ModuleNotFoundError"),
        (ORACLE.replace('"vision"', '"score"'), TEMPLATE, "STRATEGY", "a field 'score', which is the name of a verdict"),
        (ORACLE.replace('name="oracle"', 'name="Oracle"'), TEMPLATE, "STRATEGY", "lower-case words"),
    ],
)  # fmt: skip
def test_what_is_wrong_with_one_is_said(install, code, template, target, message) -> None:
    install("bad_plugin", code, template, target)
    with pytest.raises(UsageError, match=message):
        all_strategies()


def test_names() -> None:
    assert find_strategy(" Self-Critique ").name == "self_critique"
    with pytest.raises(UsageError, match="no strategy is called 'comparitive'; did you mean 'comparative'"):
        find_strategy("comparitive")
    with pytest.raises(UsageError, match="there are brief, bullets, "):
        find_strategy("zzz")


def test_every_strategy_says_what_it_is() -> None:
    names = list(all_strategies())
    assert names == sorted(names)
    for strategy in all_strategies().values():
        assert strategy.summary.endswith(".")
        assert strategy.source
        least, most = strategy.calls
        assert 1 <= least <= most
        assert strategy.calls_with() == strategy.calls
        for field in strategy.fields:
            assert field.asks
            assert field.asks_zh


def test_the_page_lists_them_all() -> None:
    rows = [
        [cell.strip() for cell in line.split("|")[1:-1]]
        for line in PAGE.splitlines()
        if line.startswith("| `")
    ]
    listed = {cells[0].strip("`"): cells[1:4] for cells in rows if len(cells) == 5}
    for name, strategy in all_strategies().items():
        least, most = strategy.calls
        calls, reference, source = listed.pop(name)
        assert calls == (str(least) if least == most else f"{least}–{most}")
        assert reference == {0: "–", 1: "to score", 3: "always"}[len(strategy.needs_reference)]
        place, _, title = re.sub(r",? of \[.*", "", source).partition(", ")
        assert place in strategy.source
        assert title.split(" (")[0] in strategy.source
    assert not listed


def test_every_template_belongs_to_a_strategy_and_has_a_chinese_twin() -> None:
    home = Path(package.__path__[0])
    files = {path.name for path in home.glob("*.jinja")}
    used = {Path(strategy.template).name for strategy in all_strategies().values()} | {"layout.jinja"}
    assert files == used | {name.replace(".jinja", ".zh.jinja") for name in used}
