"""Checks, and the findings that they report.

A check is one file with a module-level ``CHECK``. Its docstring is the explanation for users
(``assay checks explain CODE``): what it looks for, why that matters, and when it is wrong. The bad and the good examples
run as tests. See ``CONTRIBUTING.md`` for a template.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, Literal

import msgspec

from assay.checks.wording import FilledWording, MessageLanguage
from assay.record import Record
from assay.rubrics.dimensions import DimensionKey
from assay.subjects.parts import SourceTexts
from assay.subjects.report import Report
from assay.subjects.span import Span
from assay.subjects.subject import Subject
from assay.subjects.trajectory import Trajectory
from assay.text.language import Language

Severity = Literal["error", "warning", "info"]
RepairKind = Literal["replace", "insert", "source", "delete"]

# The failure types of the REFLECT paper (table 3): seven of the outcome, ten of the process.
Failure = Literal[
    "incomplete_coverage",
    "topical_misalignment",
    "citation_groundedness",
    "evidence_omission",
    "fabrication",
    "expression_quality",
    "incoherence",
    "execution_stagnation",
    "shallow_reflection",
    "process_evidence_omission",
    "evidence_fabrication",
    "wrong_tool_selection",
    "constraint_drop",
    "argument_corruption",
    "result_irrelevance",
    "wrong_source_citation",
    "tool_response_hallucination",
]


class Hit(msgspec.Struct, frozen=True):
    """What a check yields: a span, a message and a confidence. The runner turns it into a `Finding`.

    Attributes:
        span: The flagged text, a `Span` or a pair of offsets in code points of the subject's source; as short as makes
            sense.
        message: A filled `Wording` that says what is wrong and names the values, without a full stop at the end. A
            check for one language only may give a plain string.
        related: Other spans that the finding refers to, such as the other half of a contradiction.
        confidence: Estimated probability that a careful reader agrees (0 to 1).
        severity: Replaces the check's severity, if given.
    """

    span: Span
    message: FilledWording | str
    related: tuple[Span, ...] = ()
    confidence: float = 0.8
    severity: Severity | None = None

    if TYPE_CHECKING:

        def __init__(
            self,
            span: Span | tuple[int, int],
            message: FilledWording | str,
            related: tuple[Span, ...] = (),
            confidence: float = 0.8,
            severity: Severity | None = None,
        ) -> None: ...

    def __post_init__(self) -> None:
        span: Any = self.span
        if type(span) is not Span:
            msgspec.structs.force_setattr(self, "span", Span(*span))


class LocatedSpan(msgspec.Struct, frozen=True):
    """A span with the 1-based line and column of its start."""

    start: int
    end: int
    line: int
    column: int


class Repair(msgspec.Struct, frozen=True):
    """The smallest repair of what was found.

    Attributes:
        kind: "replace" the flagged words, "insert" after them, "delete" them, or "source": only a source can mend it.
        text: The new words, or what source is needed.
    """

    kind: RepairKind
    text: str


class ReadingNote(msgspec.Struct, frozen=True):
    """What a model that read the subject adds to a finding of its own.

    Attributes:
        missing: The statement or evidence that would close the gap.
        repair: The smallest repair, if one was proposed.
        confirmed: Why a second reader lets the finding stand.
        model: The reader.
        step: Index of the step, in a run.
        message: Number of the message from 0, in a run that is a log of messages.
    """

    missing: str
    repair: Repair | None
    confirmed: str
    model: str
    step: int | None = None
    message: int | None = None


class Finding(Record, msgspec.Struct, frozen=True):
    """A finding of a check or of a reader, with its identity and the message in one language.

    ``reading`` is None for findings of checks.
    """

    code: str
    name: str
    severity: Severity
    dimension: DimensionKey | None
    message: str
    span: LocatedSpan
    related: tuple[Span, ...]
    confidence: float
    reading: ReadingNote | None = None

    def summary_line(self) -> str:
        """Return code, line and message."""
        return f"{self.code} line {self.span.line}: {self.message}"


class Context(msgspec.Struct, frozen=True):
    """What a check receives besides the subject.

    Attributes:
        sources: Texts of the cited sources, or None.
        trajectory: The run that produced the report, or None.
        options: Settings of this check from the configuration, by name; see `option`.
        language: Language of the messages; None for the subject's own.
    """

    sources: SourceTexts | None = None
    trajectory: Trajectory | None = None
    options: Mapping[str, Any] = {}
    language: MessageLanguage | None = None

    def message_language(self, subject: Subject) -> MessageLanguage:
        """Return the language of messages: the chosen one, or else Chinese for Chinese subjects and English for others."""
        return self.language or ("zh" if subject.language == "zh" else "en")

    def option(self, check: Check, name: str) -> Any:
        """Return the setting called ``name``, or the check's default."""
        return self.options.get(name, check.options[name])


class Example(msgspec.Struct, frozen=True):
    """A text that a check must flag (or must not flag), with the other input that the check needs.

    For a trajectory check ``text`` is the JSON of ``assay.trajectory/1``. ``sources`` maps reference keys or URLs
    to source texts; ``trajectory`` is the JSON of the run behind a report.
    """

    text: str
    query: str | None = None
    sources: Mapping[str, str] | None = None
    trajectory: str | None = None


class Check(msgspec.Struct, frozen=True):
    """A check's declaration.

    Attributes:
        code: Family and number, ``"NUM001"``; never reused.
        name: Kebab-case, stable, says what is wrong: ``"shares-exceed-whole"``.
        severity: How bad a finding usually is.
        summary: Description in one line, for listings.
        run: Yields raw findings for one subject; must be linear in the subject's length and must not raise.
        bad: Texts that it flags.
        good: Similar texts that it does not flag.
        dimension: The one of the eight logic dimensions that a finding lowers, if any.
        failure: The failure type of the taxonomy that a finding indicates, if any.
        subject: The kind of subject that it examines.
        languages: Languages that it supports; None for all.
        needs: Other input without which it does not run.
        options: Settings allowed in ``[options.CODE]``, with their defaults; a setting must have the default's type.
        default: Whether it runs when nothing is selected.
        since: The version that introduced it.
    """

    code: str
    name: str
    severity: Severity
    summary: str
    run: Callable[[Any, Context], Iterable[Hit]]
    bad: tuple[Example, ...] = ()
    good: tuple[Example, ...] = ()
    dimension: DimensionKey | None = None
    failure: Failure | None = None
    subject: Literal["report", "trajectory"] = "report"
    languages: tuple[Language, ...] | None = None
    needs: tuple[Literal["query", "sources", "trajectory"], ...] = ()
    options: Mapping[str, Any] = {}
    default: bool = True
    since: str = "0.1"

    def applies(self, subject: Subject, context: Context) -> bool:
        """Return whether the check supports the subject's kind and language and has the input that it needs."""
        if isinstance(subject, Report) != (self.subject == "report"):
            return False
        if self.languages is not None and subject.language not in self.languages:
            return False
        if "query" in self.needs and not (subject.query and subject.query.strip()):
            return False
        if "sources" in self.needs and context.sources is None:
            return False
        return not ("trajectory" in self.needs and context.trajectory is None)
