"""Errors, grouped by what the caller should do about them.

AssayError
├── UsageError      wrong arguments or configuration: fix them                    (exit code 2)
├── InputError      a file or a row cannot be read, or is not what it should be   (exit code 2)
└── EngineError     a model or another engine failed; finished work is kept       (exit code 3)
"""

from __future__ import annotations


class AssayError(Exception):
    """Base of all errors that Assay raises on purpose. The message says what is wrong, where, and what to do."""

    exit_code = 2


class UsageError(AssayError):
    """The call or the configuration asks for something that does not exist or does not fit."""


class InputError(AssayError):
    """A file, a row or a text cannot be read.

    Args:
        problem: What is wrong, without the place.
        where: Path, and the row or line if it is known (``runs.jsonl:12``).
        hint: What the reader can do about it.
    """

    def __init__(self, problem: str, *, where: str | None = None, hint: str | None = None) -> None:
        self.problem = problem
        self.where = where
        self.hint = hint
        place = f"{where}: " if where else ""
        mend = f" ({hint})" if hint else ""
        super().__init__(f"{place}{problem}{mend}")


class MissingExtraError(UsageError):
    """An optional dependency is needed for this and is not installed."""

    def __init__(self, what: str, extra: str) -> None:
        super().__init__(f"{what} needs an optional part of Assay: pip install 'assay[{extra}]'")


class EngineError(AssayError):
    """A model, a subprocess or an engine failed. What was finished is kept."""

    exit_code = 3
