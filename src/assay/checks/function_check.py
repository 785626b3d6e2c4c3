"""Checks made of a function.

@assay.check("BUZ001", severity="info")
def buzzword(report):
"Names a buzzword"
start = report.source.find("synergy")
if start >= 0:
yield assay.Hit((start, start + 7), "a buzzword")

assay.audit(report, checks=["default", buzzword])
"""

from __future__ import annotations

import importlib
import inspect
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Final, Literal

from assay.checks.base import Check, Context, Example, Hit, Severity
from assay.errors import UsageError
from assay.rubrics.dimensions import DimensionKey
from assay.subjects.subject import Subject
from assay.text.language import Language

_CODE: Final = re.compile(r"[A-Z]{2,6}[0-9]{3}")
CheckFunction = Callable[..., Iterable[Hit | tuple[tuple[int, int], str]] | None]


def check(
    code: str,
    *,
    severity: Severity = "warning",
    languages: Sequence[Language] | None = None,
    name: str | None = None,
    summary: str | None = None,
    subject: Literal["report", "trajectory"] = "report",
    needs: Sequence[Literal["query", "sources", "trajectory"]] = (),
    dimension: DimensionKey | None = None,
    bad: Sequence[Example | str] = (),
    good: Sequence[Example | str] = (),
) -> Callable[[CheckFunction], Check]:
    """Make a check of a function; a decorator.

    The function takes a report (or a trajectory), and the `Context` too if it has two parameters. It yields a `Hit`,
    or a span and a message, for each flagged place: offsets into ``report.source`` and what is wrong with them. Its
    docstring is the check's summary and explanation. Use the check as ``assay.audit(report, checks=[…])``; after
    ``assay.register`` also by its code and name, and by default.

    Args:
        code: Letters and three digits, ``"BUZ001"``.
        severity: How bad a finding usually is.
        languages: Languages that it supports; by default all.
        name: Its name; by default that of the function, with hyphens.
        summary: Description in one line; by default the first line of the docstring.
        subject: The kind of subject that it examines.
        needs: Other input without which it does not run.
        dimension: The dimension of a report's logic that a finding lowers, if any.
        bad: Texts that it flags.
        good: Texts that it does not flag.

    Raises:
        UsageError: The code, severity, or the function's parameters are not as described.
    """
    if not _CODE.fullmatch(code):
        raise UsageError(f"the code of a check is letters and three digits like 'BUZ001', not {code!r}")
    if severity not in ("error", "warning", "info"):
        raise UsageError(f"severity is {severity!r}; it is 'error', 'warning' or 'info'")

    def make(function: CheckFunction) -> Check:
        doc = inspect.getdoc(function) or function.__name__.replace("_", " ")
        return Check(
            code=code,
            name=name or function.__name__.replace("_", "-"),
            severity=severity,
            summary=summary or doc.split("\n")[0],
            run=FunctionRun(function),
            bad=tuple(Example(item) if isinstance(item, str) else item for item in bad),
            good=tuple(Example(item) if isinstance(item, str) else item for item in good),
            dimension=dimension,
            subject=subject,
            languages=None if languages is None else tuple(languages),
            needs=tuple(needs),
        )

    return make


class FunctionRun:
    """Calls a function as a check's ``run``, and turns what it yields into hits."""

    def __init__(self, function: CheckFunction) -> None:
        self.function = function
        self.__module__ = function.__module__
        self.__name__ = function.__qualname__
        parameters = [
            item
            for item in inspect.signature(function).parameters.values()
            if item.kind in (item.POSITIONAL_ONLY, item.POSITIONAL_OR_KEYWORD) and item.default is item.empty
        ]
        if len(parameters) not in (1, 2):
            raise UsageError(
                f"{function.__name__} takes {len(parameters)} arguments; a check takes a subject, or subject and context"
            )
        self.takes_context = len(parameters) == 2

    @property
    def explanation(self) -> str:
        """The docstring of the function."""
        return inspect.getdoc(self.function) or ""

    def __call__(self, subject: Subject, context: Context) -> Iterator[Hit]:
        """Yield the hits in a subject."""
        size = len(subject.source)
        found: Iterable[Any] | None = (
            self.function(subject, context) if self.takes_context else self.function(subject)
        )
        for item in found or ():
            if not isinstance(item, Hit) and not (isinstance(item, tuple) and len(item) == 2):
                raise UsageError(
                    f"it yields {type(item).__name__}; a check yields Hits, or spans with messages"
                )
            hit = item if isinstance(item, Hit) else Hit(*item)
            if not 0 <= hit.span.start <= hit.span.end <= size:
                raise UsageError(
                    f"it yields the span {hit.span.start} to {hit.span.end}, and the text has {size} characters"
                )
            yield hit

    def __reduce__(self) -> tuple[Any, ...]:
        # The decorated name holds the check, so the function cannot be found by its own name.
        return _run_at, (self.__module__, self.__name__)


def _run_at(module: str, name: str) -> Any:
    return getattr(importlib.import_module(module), name).run
