"""Extensions of other distributions: what is found, and that a fault names the distribution it comes from."""

import importlib
import sys

import pytest

from assay.errors import UsageError
from assay.registry import discover, plug_in_of


class Tool:
    def __init__(self, *names):
        self.names = names


@pytest.fixture
def tools(tmp_path, monkeypatch):
    """A package of tools, and a function that installs one from another distribution."""
    home = tmp_path / "own_tools"
    home.mkdir()
    (home / "__init__.py").write_text("")
    (home / "hammer.py").write_text("from test_registry import Tool\nTOOL = Tool('hammer', 'mallet')\n")
    (home / "_drawer.py").write_text("raise RuntimeError('private modules are not imported')\n")
    (home / "notes.py").write_text("TOOL = 'not a tool'\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setitem(sys.modules, "test_registry", sys.modules[__name__])

    def install(code, target="TOOL"):
        (tmp_path / "their_tool.py").write_text(f"from test_registry import Tool\n{code}\n")
        info = tmp_path / "their_shop-1.0.dist-info"
        info.mkdir()
        (info / "METADATA").write_text("Metadata-Version: 2.1\nName: their-shop\nVersion: 1.0\n")
        (info / "entry_points.txt").write_text(f"[test.tools]\nsaw = their_tool:{target}\n")
        importlib.invalidate_caches()

    yield install
    for name in list(sys.modules):
        if name.partition(".")[0] in ("own_tools", "their_tool"):
            del sys.modules[name]


def found(**more):
    package = importlib.import_module("own_tools")
    return discover(
        [package], group="test.tools", attribute="TOOL", kind=Tool, names=lambda tool: tool.names, **more
    )


def test_own_modules_come_first(tools):
    tools("TOOL = Tool('saw')")
    assert [tool.names for tool in found()] == [("hammer", "mallet"), ("saw",)]


@pytest.mark.parametrize(
    ("code", "target", "message"),
    [
        ("TOOL = Tool('mallet')", "TOOL", "two extensions are called 'mallet': own_tools.hammer and {}; rename one"),
        ("TOOL = 'saw'", "TOOL", "{} is str, not a Tool"),
        ("TOOL = Tool()", "MISSING", "{} does not load: AttributeError: module 'their_tool' has no attribute 'MISSING'"),
        ("1 / 0", "TOOL", "{} does not load: ZeroDivisionError: division by zero"),
    ],
)  # fmt: skip
def test_a_fault_names_the_distribution(tools, code, target, message):
    tools(code, target)
    with pytest.raises(UsageError) as error:
        found()
    assert str(error.value) == message.format("entry point 'saw' of their-shop in group 'test.tools'")


def test_what_prepare_refuses_is_a_fault_of_the_extension(tools):
    tools("TOOL = Tool('saw')")

    def prepare(tool, module):
        if module.__name__ == "their_tool":
            raise UsageError("it is blunt")
        return Tool(*tool.names, module.__name__)

    with pytest.raises(UsageError, match=r"of their-shop in group .* it is blunt"):
        found(prepare=prepare)


def test_an_error_inside_a_plug_in_names_its_function_and_package(tmp_path, monkeypatch):
    (tmp_path / "their_failures.py").write_text("def slip(report):\n    return report['x']\n")
    info = tmp_path / "their_failures-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: their-failures\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[assay.operators]\nslip = their_failures:slip\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    importlib.invalidate_caches()
    with pytest.raises(KeyError) as caught:
        importlib.import_module("their_failures").slip({})
    assert plug_in_of(caught.value) == "slip of their_failures, line 2"
    assert plug_in_of(UsageError("ours")) is None
