"""A text file that is one ReAct transcript. See `assay.subjects.loaders.react` for what is assumed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assay.errors import InputError
from assay.subjects.loaders._steps import StepBuilder
from assay.subjects.loaders.base import InputContext, SubjectLoader
from assay.subjects.loaders.react import looks_like_react, read_react
from assay.subjects.trajectory import Trajectory

if TYPE_CHECKING:
    from collections.abc import Iterator


def load(text: str, origin: InputContext) -> Iterator[Trajectory]:
    """Yield the one trajectory of a file."""
    builder = StepBuilder()
    question, answer = read_react(text, builder)
    if not builder.steps and answer is None:
        raise InputError("no Thought or Action lines")
    yield Trajectory(question or origin.query or "", builder.steps, answer=answer, path=origin.path)


LOADER = SubjectLoader(
    name="react-text",
    what="text with Thought:, Action:, Observation: lines",
    takes="text",
    sniff=looks_like_react,
    load=load,
    rank=32,
)
