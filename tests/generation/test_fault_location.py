"""Where a model says that faults are, and whether a second look confirms one."""

from __future__ import annotations

import asyncio
import json

import pytest

from assay.generation.author import Author
from assay.generation.fault_location import FaultLocation, confirm_fault, locate_faults
from assay.models.base import Reply, Request, Usage
from assay.strategies.prompts import Prompts

TEXT = "Pumps are quiet. The audit found savings of 40 %. Boilers are loud."


class Model:
    id = "test/model"

    def __init__(self, value: object) -> None:
        self.text = json.dumps(value)
        self.asked: list[str] = []

    async def complete(self, request: Request) -> Reply:
        self.asked.append("\n".join(message.content for message in request.messages))
        return Reply(text=self.text, usage=Usage(calls=1))


def test_up_to_three_places_the_worst_first() -> None:
    model = Model(
        {"faults": [{"why": "No source.", "quote": "savings of 40 %"}, {"why": "Vague.", "quote": "loud"}]}
    )
    named, _ = asyncio.run(
        locate_faults(Author(model, Prompts()), TEXT, query="Q?", language="en", steps=None)
    )
    assert named == [
        FaultLocation(quote="savings of 40 %", why="No source."),
        FaultLocation(quote="loud", why="Vague."),
    ]


def test_a_report_without_faults_names_none() -> None:
    author = Author(Model({"faults": []}), Prompts())
    named, written = asyncio.run(locate_faults(author, TEXT, query=None, language="zh", steps=None))
    assert (named, written.status) == ([], "ok")


@pytest.mark.parametrize(("verdict", "native"), [("serious", True), ("minor", False), ("none", False)])
def test_a_second_look_sees_the_place_and_what_is_said_of_it(verdict: str, native: bool) -> None:
    model = Model({"reason": "As it says.", "verdict": verdict})
    fault = FaultLocation(quote="savings of 40 %", why="No source is given.")
    found, _ = asyncio.run(
        confirm_fault(Author(model, Prompts()), TEXT, fault, query="Q?", language="en", steps=None)
    )
    assert found is native
    assert "No source is given." in model.asked[0]
    assert "savings of 40 %" in model.asked[0].rsplit("<<PASSAGE", 1)[1]
