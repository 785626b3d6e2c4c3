"""Good edits that must pass, and bad ones that must not, for each type: ``edits/TYPE.yaml``.

A file has the lists ``good`` and ``bad``, and may have ``texts``, passages that several edits share, beside those of
``shared_texts.yaml``::

    texts:
      ferry:
        query: Should the island keep its night ferry?     # optional, as are before, after and sources
        before: What stands before the passage, and stays.
        text: The passage. A blank line parts paragraphs, each of which is a place of its own.
        after: What stands after it.
        sources: |
          [1] Harbour office, ferry counts. https://harbour.example/counts
    good:
      - text: ferry                     # a name of ``texts``, or the passage itself
        swap: {was: is now}             # each must occur once; or ``edit``: the whole new passage
        why: a few words
    bad:
      - text: ferry
        edit: The whole passage, rewritten.
        by: filter                      # or reader
        filter: lost_list_mark          # the filter; not_the_failure is the operator's own check
        why: a few words

A type of trajectories names the part that is edited, ``part`` (reasoning, arguments, response, name; reasoning if it
is left out), and may give ``step``, the other parts of the same step; ``before`` and ``after`` are the reasoning of
the steps beside it, and ``sources`` is what an earlier call returned.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import yaml

from assay.interventions.applying import apply
from assay.interventions.base import EditSite, Place
from assay.interventions.filters import RevisedPair, refusal
from assay.interventions.material import text_at
from assay.interventions.registry import all_operators
from assay.interventions.revising import NothingChangedError, revision_of
from assay.subjects.report import Report
from assay.subjects.trajectory import RawCall, RawStep, Trajectory

if TYPE_CHECKING:
    from assay.interventions.base import Operator
    from assay.subjects.subject import Subject

FOLDER = Path(__file__).with_name("edits")
OPERATORS = all_operators()
FEWEST = 20
SHARED = yaml.safe_load((FOLDER / "shared_texts.yaml").read_text("utf-8"))
PATHS = sorted(path for path in FOLDER.glob("*.yaml") if path.stem in OPERATORS)


def load(path: Path) -> list[dict[str, Any]]:
    """Return the edits of a file, each with its fields in full."""
    data = yaml.safe_load(path.read_text("utf-8"))
    texts = {**SHARED, **data.get("texts", {})}
    edits = []
    for kind in ("good", "bad"):
        for number, item in enumerate(data[kind], 1):
            shared = texts.get(item["text"], {})
            edit = {**item, **(shared if isinstance(shared, dict) else {"text": shared})}
            edits.append({**edit, "type": path.stem, "good": kind == "good", "number": number})
    return edits


EDITS = [edit for path in PATHS for edit in load(path)]


def rewritten(edit: dict[str, Any]) -> str:
    """Return the passage after the edit."""
    if "edit" in edit:
        return str(edit["edit"])
    text = str(edit["text"])
    for old, new in edit["swap"].items():
        assert text.count(old) == 1, f"{old!r} occurs {text.count(old)} times"
        text = text.replace(old, new)
    return text


def subject_and_places(edit: dict[str, Any], operator: Operator) -> tuple[Subject, list[Place]]:
    """Return the document of an edit, and the places that its passage takes."""
    text = str(edit["text"]).strip("\n")
    if operator.level == "process":
        return _trajectory(edit, text)
    parts = ["# Report", str(edit.get("before", "")).strip("\n")]
    lead = "\n\n".join(part for part in parts if part) + "\n\n"
    source = lead + text
    for part in (edit.get("after"), edit.get("sources") and f"## References\n\n{edit['sources']}"):
        source += f"\n\n{str(part).strip(chr(10))}" if part else ""
    report = Report(source + "\n", query=edit.get("query"))
    places, at = [], len(lead)
    for paragraph in text.split("\n\n"):
        places.append(Place(start=at, end=at + len(paragraph)))
        at += len(paragraph) + 2
    if len(places) != len(rewritten(edit).strip("\n").split("\n\n")):
        places = [Place(start=len(lead), end=len(lead) + len(text))]
    return report, places


def _trajectory(edit: dict[str, Any], text: str) -> tuple[Subject, list[Place]]:
    part = edit.get("part", "reasoning")
    step = {"reasoning": "I search on.", **edit.get("step", {}), part: text}
    calls = []
    if {"name", "arguments", "response"} & set(step):
        arguments = step.get("arguments", {"query": edit.get("query", "")})
        calls = [
            RawCall(
                step.get("name", "search"),
                json.loads(arguments) if isinstance(arguments, str) else arguments,
                step.get("response"),
            )
        ]
    steps = [RawStep(str(step["reasoning"]), calls)]
    if edit.get("before") or edit.get("sources"):
        found = (
            [RawCall("search", {"query": "what is known"}, str(edit["sources"]))]
            if edit.get("sources")
            else []
        )
        steps.insert(0, RawStep(str(edit.get("before", "I look for sources.")), found))
    if edit.get("after"):
        steps.append(RawStep(str(edit["after"]), []))
    place = Place(step=1 if edit.get("before") or edit.get("sources") else 0, part=part)
    trajectory = Trajectory(
        edit.get("query", "What is known?"), steps, answer=edit.get("answer", "See above.")
    )
    return trajectory, [place]


def verdict(edit: dict[str, Any]) -> tuple[str, str] | None:
    """Return the filter that refuses an edit, with its reason, or None; ``not_the_failure`` is the type's own check."""
    operator = OPERATORS[edit["type"]]
    subject, places = subject_and_places(edit, operator)
    new = rewritten(edit).strip("\n")
    texts = dict(enumerate(new.split("\n\n") if len(places) > 1 else [new], 1))
    assert all(text_at(subject, place).strip() for place in places)
    try:
        revision = revision_of(subject, EditSite(places=tuple(places)), texts)
    except NothingChangedError as error:
        return "no_change", str(error)
    except ValueError as error:
        return "malformed", str(error)
    applied = apply(subject, revision)
    refused = refusal(RevisedPair(operator, subject, applied, revision))
    if refused is None and operator.check is not None:
        reason = operator.check(subject, applied.subject, revision)
        refused = None if reason is None else ("not_the_failure", reason)
    return refused


def name(edit: dict[str, Any]) -> str:
    return f"{edit['type']}-{'good' if edit['good'] else 'bad'}-{edit['number']}"


@pytest.mark.parametrize("edit", EDITS, ids=name)
def test_good_edits_pass_and_bad_ones_are_refused_by_whom_it_falls_to(edit: dict[str, Any]) -> None:
    found = verdict(edit)
    if edit["good"] or edit["by"] == "reader":
        assert found is None, f"{edit['why']}: {found}"
    else:
        assert found is not None, edit["why"]
        assert found[0] == edit["filter"], f"{edit['why']}: {found}"


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)
def test_each_type_has_enough_edits_in_both_languages(path: Path) -> None:
    edits = load(path)
    assert path.stem in OPERATORS
    for good in (True, False):
        own = [edit for edit in edits if edit["good"] is good]
        assert len(own) >= FEWEST
        assert len({rewritten(edit) for edit in own}) == len(own)
    chinese = sum(
        not edit["text"].isascii() and any("\u4e00" <= c <= "\u9fff" for c in edit["text"]) for edit in edits
    )
    assert len(edits) / 4 <= chinese <= len(edits) / 2
    for edit in edits:
        assert edit["why"]
        assert edit["good"] or edit["by"] in ("filter", "reader")
        assert ("filter" in edit) == (edit.get("by") == "filter")
