"""What editor and second reader are shown of a document: no text twice, and what a failure can be seen by."""

from __future__ import annotations

import asyncio

import pytest

from assay.generation.author import Author
from assay.interventions.applying import apply
from assay.interventions.base import Edit, EditSite, Place, TextRevision
from assay.interventions.changed_passages import changed_passages
from assay.interventions.material import around, elsewhere, retrieved
from assay.interventions.model_editor import write_revision
from assay.interventions.registry import all_operators
from assay.interventions.revising import revision_of
from assay.interventions.screen import Screen
from assay.interventions.second_reader import read_again
from assay.models.base import Reply, Request, Usage
from assay.strategies.prompts import Prompts
from assay.subjects.report import Report
from assay.subjects.trajectory import RawCall, RawStep, Trajectory

FERRY = Report(
    "# The ferry\n\nIn winter the Ostrel ferry carries 40 passengers a night.\n\nIt sails at nine.\n\n"
    "## Cost\n\nFuel takes most of the money.\n\n## In short\n\nThe Ostrel ferry carries few passengers in winter.\n"
)
CHINESE = Report("# 渡轮\n\n冬季每晚约有四十名乘客搭乘渡轮。\n\n## 小结\n\n冬季乘客很少。\n")
OPERATORS = all_operators()


def place(words: str, report: Report = FERRY) -> Place:
    start = report.source.index(words)
    return Place(start=start, end=start + len(words))


def run(lengths: tuple[int, ...] = (1, 1)) -> Trajectory:
    """Return a trajectory that searches twice; each response names its search, after so many lines of filler."""
    steps = [
        RawStep(f"I look for harbour {n}.", [RawCall("search", {"query": f"harbour {n}"}, response)])
        for n, length in enumerate(lengths)
        for response in [
            "The tide table lists nothing more.\n" * length + f"Pilot {n} of Ostrel is Ada Brun."
        ]
    ]
    return Trajectory("Who is the pilot?", [*steps, RawStep("Ada Brun is the pilot.", [])], answer="Ada Brun")


class Asked:
    """A model that answers nothing useful and keeps what it was asked."""

    id = "test/asked"

    def __init__(self) -> None:
        self.text = ""

    async def complete(self, request: Request) -> Reply:
        self.text = "\n".join(message.content for message in request.messages)
        return Reply(text="{}", usage=Usage(calls=1))


def asked(name: str, report: Report, places: tuple[Place, ...], *, reader: bool = False) -> str:
    """Return the request for an edit by the operator of this name, or for a second reading of one."""
    model = Asked()
    author = Author(model, Prompts(), retries=0)
    if reader:
        edit = Edit(places[0].start, places[0].end, "Otherwise." if report is FERRY else "并非如此。")
        revision = TextRevision(edits=(edit,), pattern="model")
        revised = apply(report, revision).subject
        asyncio.run(read_again(author, OPERATORS[name], report, revised, revision))
    else:
        asyncio.run(write_revision(author, OPERATORS[name], report, EditSite(places=places), Screen()))
    return model.text


def test_what_stands_between_two_places_is_shown_once() -> None:
    one, two = around(
        FERRY, [place("In winter the Ostrel ferry carries 40 passengers a night."), place("Fuel takes")]
    )
    assert one["after"] == "It sails at nine.\n\n## Cost"
    assert two["before"] == ""


def test_the_passage_that_an_edit_clashes_with_is_shown_and_headings_are_not() -> None:
    at = place("40 passengers")
    near = elsewhere(FERRY, [(at.start, at.end)], "the Ostrel ferry carries 400 passengers a night")
    assert near[-1] == "The Ostrel ferry carries few passengers in winter."
    assert "# The ferry" not in near
    assert (
        near[-1]
        in asked("targeted_internal_consistency", FERRY, (at,), reader=True).split("<<ELSEWHERE", 1)[1]
    )


def test_responses_are_shown_in_full_up_to_a_limit_and_beyond_it_what_is_nearest() -> None:
    short = retrieved(run(), 2, "Pilot")
    assert short == "\n".join(
        f"{n}. search ← The tide table lists nothing more.\nPilot {n} of Ostrel is Ada Brun." for n in (0, 1)
    )
    long = retrieved(run((3_000, 3_000)), 2, "Pilot 1 is Ada Brun")
    assert len(long) < 21_000
    assert "Pilot 1 of Ostrel is Ada Brun." in long
    assert "[…]" in long
    assert retrieved(run(), 0, "Pilot") == ""


def test_the_reader_of_a_changed_call_sees_what_stays_in_its_step_and_no_changed_text_as_unchanged() -> None:
    trajectory = run()
    site = EditSite(
        places=(Place(step=0, part="arguments"),), following=(Place(step=0, part="response"), Place(step=1))
    )
    new = {1: '{"query":"harbour 7"}', 2: "Pilot 7 is Lars.", 3: "I look on."}
    revision = revision_of(trajectory, site, new)
    passages = changed_passages(trajectory, apply(trajectory, revision).subject, revision)
    assert [passage.part for passage in passages] == ["arguments", "response", "reasoning"]
    assert passages[0].preceding == "I look for harbour 0.\n→ search"
    assert [passage.succeeding for passage in passages[:2]] == ["", ""]
    assert passages[2].preceding == ""
    assert "→ search" in passages[2].succeeding


@pytest.mark.parametrize("reader", [False, True])
def test_a_surface_attack_is_not_asked_to_be_a_failure(*, reader: bool) -> None:
    where = (place("It sails at nine."), place("Fuel takes most of the money."))
    task = asked("structure", FERRY, where, reader=reader).rpartition("The attack: ")[2]
    assert task
    assert "failure" not in task
    where = (place("冬季乘客很少。", CHINESE),)
    assert "缺陷" not in asked("structure", CHINESE, where, reader=reader).rpartition("攻击方式")[2]
    assert "failure" in asked("expression_quality", FERRY, (place("It sails at nine."),), reader=reader)


def test_bad_wording_is_not_held_against_a_copy_whose_failure_it_is() -> None:
    at = (place("It sails at nine."),)
    assert "The bad wording is the failure itself" in asked("expression_quality", FERRY, at, reader=True)
    assert "The bad wording is the failure itself" not in asked("fabrication", FERRY, at, reader=True)
    assert "前后矛盾或接不上正是缺陷本身" in asked(
        "incoherence", CHINESE, (place("冬季乘客很少。", CHINESE),), reader=True
    )


def test_a_list_of_numbered_placeholders_offers_no_wrong_source():
    from assay.interventions.outcome.citation_groundedness import unfit

    body = "# Review\n\nThe share of renewables rose to 40 % in 2023 [1], and prices fell by a tenth [2].\n\n## References\n\n"
    hollow = body + "[1] Reference 1 from collected information\n[2] Reference 2 from collected information\n"
    real = body + "[1] Grid report 2023, https://grid.example/a\n[2] Price index, https://prices.example/b\n"
    assert unfit(Report(hollow)) == "it cites fewer than two different sources"
    assert unfit(Report(real)) is None
