from pathlib import Path

import pytest

from assay.errors import UsageError
from assay.generation import registry
from assay.generation.base import Assignment
from assay.generation.registry import all_assignments
from assay.strategies.prompts import Prompts

ROOMS = ("assay.generation", "assay.logic", "assay.judges", "assay.suites")


@pytest.mark.parametrize("name", sorted(all_assignments(ROOMS)))
def test_every_assignment_has_templates_in_both_languages(name):
    item = all_assignments(ROOMS)[name]
    prompts = Prompts()
    assert item.name == name
    assert item.summary.endswith(".")
    for language in ("en", "zh"):
        blocks = prompts._template(item.template, language)[0].blocks
        assert blocks
    chinese = Path(item.template.removesuffix(".jinja") + ".zh.jinja")
    assert sum("\u4e00" <= char <= "\u9fff" for char in chinese.read_text("utf-8")) > 20


def test_assignments_of_this_room_are_found():
    assert {"suitability", "complexity", "report_writing", "augmentation", "drafting", "frame"} <= set(
        all_assignments()
    )


def test_two_of_one_name(monkeypatch):
    one, two = (Assignment(name="x", summary=text, template="x.jinja") for text in "ab")

    class Module:
        __name__ = "m"
        ASSIGNMENTS = (one, two)

    monkeypatch.setattr(registry, "_modules", lambda _: [Module])
    with pytest.raises(UsageError, match="two assignments are called 'x'"):
        all_assignments(("nowhere",))
