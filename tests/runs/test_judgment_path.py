"""The path of one judgment, from the reply of a model to the caller, stays short."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

import msgspec

import assay
from assay.judges.judgments import Judgments
from assay.models.base import Reply

ROOT = Path(assay.__file__).parent
ROOMS = ("judges", "strategies", "runs", "models", "subjects")
# Files that define a function called on the way.
FILES = 20
# What an answer of a model becomes, one after the other.
TYPES = {"Reply", "Answer", "JudgmentPart", "Verdict", "Judgment", "Judgments"}


class Trace:
    """Files and types between the first reply and the judgments handed out."""

    def __init__(self) -> None:
        self.files: set[str] = set()
        self.types: set[str] = set()
        self._within = False

    def __call__(self, frame, event, value) -> None:
        path = Path(frame.f_code.co_filename)
        if not path.is_relative_to(ROOT) or path.relative_to(ROOT).parts[0] not in ROOMS:
            return
        if event == "return" and isinstance(value, Reply):
            self._within = True
        if self._within and event == "call":
            self.files.add(str(path.relative_to(ROOT)))
        if self._within and event == "return":
            for item in (
                value if isinstance(value, tuple | list) and not isinstance(value, Judgments) else (value,)
            ):
                if isinstance(item, Judgments) or (isinstance(item, msgspec.Struct) and is_verdict(item)):
                    self.types.add(type(item).__name__)
        if event == "return" and isinstance(value, Judgments):
            self._within = False


def is_verdict(item: msgspec.Struct) -> bool:
    """Return whether a record carries what a model said: it says how it went, or holds a part that does."""
    fields = set(item.__struct_fields__)
    return isinstance(item, Reply) or "status" in fields or "answer" in fields


def test_from_the_reply_to_the_judgments_there_are_few_files_and_types() -> None:
    report = assay.Report("# Heat\n\nPumps are quiet. They heat the house because they move heat.\n")
    # What is imported or cached at first is not on the path.
    asyncio.run(assay.arun([report], "direct@scripted/random"))
    trace = Trace()
    before = sys.getprofile()
    sys.setprofile(trace)
    try:
        (judgment,) = asyncio.run(assay.arun([report], "direct@scripted/random"))
    finally:
        sys.setprofile(before)
    assert judgment.status == "ok"
    assert trace.types <= TYPES, trace.types - TYPES
    assert len(trace.files) <= FILES, sorted(trace.files)
