"""Errors, grouped by what the caller should do about them.

AssayError
├── UsageError           wrong arguments or configuration: fix them; also a ValueError          (exit code 2)
│   └── MissingExtraError    an optional dependency is not installed
├── InputError           a file or a row is not what it should be; also a ValueError            (exit code 2)
└── EngineError          something Assay relies on failed; finished work is kept                (exit code 3)
    ├── LedgerError          the ledger failed; it says what is kept
    └── ModelError           a call of a model failed for good

A message is written for Python. ``hint`` says what to do there; ``cli_hint`` says it to a user of the command line.
"""

from __future__ import annotations

from typing import Any, Final, Self, TypeVar

E = TypeVar("E", bound="AssayError")


class AssayError(Exception):
    """Base of all errors that Assay raises on purpose. The message says what is wrong, where, and what to do.

    Args:
        problem: What is wrong, without the place.
        where: Path, and the row or line if it is known (``runs.jsonl:12``).
        hint: What the caller can do about it in Python.
        cli_hint: The same for the command line, if other words are needed there.
    """

    exit_code = 2

    def __init__(
        self,
        problem: str = "",
        *,
        where: str | None = None,
        hint: str | None = None,
        cli_hint: str | None = None,
    ) -> None:
        self.problem = problem
        self.where = where
        self.hint = hint
        self.cli_hint = cli_hint
        super().__init__(_message(problem, where, hint))

    @property
    def cli_message(self) -> str:
        """The message with the hint for the command line."""
        return _message(self.problem, self.where, self.cli_hint) if self.cli_hint else str(self)

    def at(self, where: str) -> Self:
        """Return the same error with its place, unless it has one already."""
        if self.where:
            return self
        message = _message(self.problem, where, self.hint)
        error = _restore(type(self), (message,), {**vars(self), "where": where})
        error.__cause__ = self
        return error

    def __reduce__(self) -> tuple[Any, ...]:
        # Whatever arguments a subclass takes, the error comes back from another process as it was.
        return _restore, (type(self), self.args, vars(self))


def _message(problem: str, where: str | None, hint: str | None) -> str:
    return f"{f'{where}: ' if where else ''}{problem}{f' ({hint})' if hint else ''}"


def _restore(kind: type[E], args: tuple[Any, ...], state: dict[str, Any]) -> E:
    error = kind.__new__(kind, *args)
    error.args = args
    error.__dict__.update(state)
    return error


class UsageError(AssayError, ValueError):
    """The call or the configuration asks for something that does not exist or does not fit."""


class InputError(AssayError, ValueError):
    """A file, a row or a text cannot be read."""


# The package behind each extra, where its name differs.
_PACKAGES: Final = {
    "charts": "vl-convert-python",
    "docs": "markitdown[docx,pdf]",
    "fetch": "trafilatura lxml-html-clean pypdf",
    "hf": "datasets",
    "inspect": "inspect-ai",
    "local": "xllamacpp",
    "otlp": "opentelemetry-proto",
    "parquet": "pyarrow",
    "postgres": "psycopg[binary]",
    "serve": "starlette uvicorn prometheus-client",
    "train": "trl[peft]",
}


class MissingExtraError(UsageError):
    """An optional dependency is needed for this and is not installed."""

    def __init__(self, what: str, extra: str) -> None:
        package = _PACKAGES.get(extra, extra)
        super().__init__(
            f"{what} needs {package}, or a newer version of it: pip install -U '{package}', or assay with the extra [{extra}]"
        )


class EngineError(AssayError):
    """A model, a subprocess or an engine failed. What was finished is kept."""

    exit_code = 3


class LedgerError(EngineError):
    """The ledger failed: what it recorded before is kept, and what was under way may be lost."""


class ModelError(EngineError):
    """A call of a model failed for good, after its retries. What was finished is kept."""
