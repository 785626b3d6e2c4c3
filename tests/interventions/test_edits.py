"""Good edits that must pass, and bad ones that must not, for each type: ``edits/TYPE.yaml``.

A file has the lists ``good`` and ``bad``, and may have ``texts``, passages that several edits share, beside those of
``shared_texts.yaml`` and the small reports of ``shared_reports.yaml``::

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

An edit of a trajectory names one of ``shared_trajectories.yaml`` or of ``texts``, the number of the ``step`` and the
``part`` of it (reasoning, if it is left out; name, arguments as JSON, response); ``swap`` or ``edit`` give the new part,
and ``fit`` the parts that are rewritten with it: ``arguments`` beside a name, ``response``, and ``next``, the reasoning of
the next step, each by swaps or as a whole::

    good:
      - {text: wolves, step: 2, part: arguments, swap: {Harn: Hirn}, fit: {response: {Harn: Hirn}}, why: another place}
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

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

FOLDER = Path(__file__).with_name("edits")
OPERATORS = all_operators()
FEWEST = 20
SHARED = {
    name: text
    for file in ("shared_texts", "shared_reports", "shared_trajectories")
    for name, text in yaml.safe_load((FOLDER / f"{file}.yaml").read_text("utf-8")).items()
}
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
            if "steps" in edit:
                edit = {"step": 1, "part": "reasoning", **edit}
                edit["text"] = text_at(trajectory_of(edit), Place(step=edit["step"], part=edit["part"]))
            edits.append({**edit, "type": path.stem, "good": kind == "good", "number": number})
    return edits


def rewritten(edit: dict[str, Any]) -> str:
    """Return the passage after the edit."""
    return swapped(str(edit["text"]), edit.get("edit", edit.get("swap")))


def swapped(text: str, new: Any) -> str:
    """Return a text with swaps made, each of which must occur once; or the new text, if that is given as a whole."""
    if not isinstance(new, dict):
        return str(new)
    for old, other in new.items():
        # A figure in YAML is a number.
        assert text.count(str(old)) == 1, f"{old!r} occurs {text.count(str(old))} times in {text!r}"
        text = text.replace(str(old), str(other))
    return text


def passages(edit: dict[str, Any]) -> list[tuple[str, str]]:
    """Return the passages of an edit, one for each paragraph, before and after; or all as one, if they do not align."""
    old, new = str(edit["text"]).strip("\n"), rewritten(edit).strip("\n")
    before, after = old.split("\n\n"), new.split("\n\n")
    swap = edit.get("swap", {})
    if swap and all(any(str(key) in paragraph for paragraph in before) for key in swap):
        # A paragraph may become several, such as one with a heading.
        own = [{key: swap[key] for key in swap if str(key) in paragraph} for paragraph in before]
        after = [swapped(*pair) for pair in zip(before, own, strict=True)]
    return list(zip(before, after, strict=True)) if len(before) == len(after) else [(old, new)]


def report_and_places(edit: dict[str, Any], texts: list[str]) -> tuple[Report, list[Place]]:
    """Return the document of an edit, and the places of its passages, which stand one below the other."""
    parts = ["# Report", str(edit.get("before", "")).strip("\n")]
    lead = "\n\n".join(part for part in parts if part) + "\n\n"
    source = lead + "\n\n".join(texts)
    for part in (edit.get("after"), edit.get("sources") and f"## References\n\n{edit['sources']}"):
        source += f"\n\n{str(part).strip(chr(10))}" if part else ""
    places, at = [], len(lead)
    for text in texts:
        places.append(Place(start=at, end=at + len(text)))
        at += len(text) + 2
    return Report(source + "\n", query=edit.get("query")), places


def trajectory_of(edit: dict[str, Any]) -> Trajectory:
    """Return the trajectory of an edit."""
    steps = [
        RawStep(
            step["reasoning"],
            [RawCall(step["name"], step["arguments"], step["response"])] if "name" in step else [],
        )
        for step in edit["steps"]
    ]
    return Trajectory(edit["query"], steps, answer=edit["answer"], tools=edit["tools"])


def _step_revision(edit: dict[str, Any]) -> tuple[Trajectory, EditSite, dict[int, str]]:
    """Return the trajectory of an edit, the site, and the new texts by number of the place."""
    trajectory, number, part = trajectory_of(edit), edit["step"], edit["part"]
    parts = ["name", "arguments"] if part == "name" else [part]
    fit = {key: new for key, new in edit.get("fit", {}).items() if key not in parts}

    def place(key: str) -> Place:
        return Place(step=number + 1) if key == "next" else Place(step=number, part=key)

    site = EditSite(places=tuple(map(place, parts)), following=tuple(map(place, fit)))
    texts = {1: rewritten(edit)}
    if part == "name" and "arguments" in edit.get("fit", {}):
        texts[2] = swapped(text_at(trajectory, site.places[1]), edit["fit"]["arguments"])
    for at, (key, new) in enumerate(fit.items(), len(parts) + 1):
        texts[at] = swapped(text_at(trajectory, place(key)), new)
    return trajectory, site, texts


def verdict(edit: dict[str, Any]) -> tuple[str, str] | None:
    """Return the filter that refuses an edit, with its reason, or None; ``not_the_failure`` is the type's own check."""
    operator = OPERATORS[edit["type"]]
    subject: Report | Trajectory
    try:
        if operator.level == "process":
            subject, site, texts = _step_revision(edit)
        else:
            pairs = passages(edit)
            subject, places = report_and_places(edit, [old for old, _ in pairs])
            texts = dict(enumerate([new for _, new in pairs], 1))
            site = EditSite(places=tuple(places))
        assert all(text_at(subject, place).strip() for place in site.places)
        revision = revision_of(subject, site, texts)
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


@pytest.mark.parametrize("edit", [edit for path in PATHS for edit in load(path)], ids=name)
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
        assert len({(edit.get("query"), rewritten(edit), str(edit.get("fit"))) for edit in own}) == len(own)
    chinese = sum(
        any("\u4e00" <= c <= "\u9fff" for c in f"{edit.get('query')}{edit['text']}") for edit in edits
    )
    assert len(edits) / 4 <= chinese <= len(edits) / 2
    for edit in edits:
        assert edit["why"]
        assert edit["good"] or edit["by"] in ("filter", "reader")
        assert ("filter" in edit) == (edit.get("by") == "filter")
