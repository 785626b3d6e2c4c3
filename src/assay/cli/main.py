"""The command ``assay``.

Exit codes: 0 done; 1 findings at or above ``--fail-on``; 2 bad usage or input, with one line that says why; 3 something
Assay relies on failed; 130 interrupted. Commands are imported when they are called, so that ``assay --help`` is fast.
"""

from __future__ import annotations

import contextlib
import errno
import os
import sys
from pathlib import Path
from typing import Any, Final

import click

from assay._version import __version__
from assay.cli.commands import LazyGroup
from assay.errors import AssayError

# The module of each command, and its line in the list, so that listing them imports none.
COMMANDS: Final[dict[str, tuple[str, str]]] = {
    "agree": ("agree", "Compare judgments with people's labels, with intervals."),
    "audit": ("audit", "Audit reports and trajectories: findings and argument."),
    "batch": ("batch", "Run an experiment through batch files, in rounds."),
    "bench": ("bench", "Put judges on trial: build benchmarks, run judges on them."),
    "card": ("card", "Make a card of a judge: what it detects, what fools it."),
    "checks": ("checks", "List the checks, or explain one."),
    "compare": ("compare", "Say which of two reports or trajectories is better, and why."),
    "completion": ("completion", "Print the completion script for a shell."),
    "drift": ("drift", "Judge an earlier run again: has the judge changed?"),
    "extraction": ("extraction", "Measure how well arguments are extracted from reports."),
    "gate": ("card", "Fail CI when a judge misses a threshold."),
    "grade": ("grade", "Grade reports against weighted criteria, with evidence."),
    "grades": ("grades", "Make tables of many grades: compliance, failures, length."),
    "init": ("init", "Write a commented assay.toml to start from."),
    "judge": ("judge", "Score reports and trajectories with an LLM judge, with reasons."),
    "labels": ("labels", "Read people's labels, in the formats that they come in."),
    "leaderboard": ("leaderboard", "Rank systems by pairwise verdicts, with intervals."),
    "logic": ("logic", "Show the argument of a report: claims and what supports them."),
    "models": ("models", "List models, test one, download or serve a local one."),
    "prompts": ("prompts", "List and show prompts: templates, and what is sent to a model."),
    "query": ("query", "Filter and label research questions with a model."),
    "rank": ("rank", "Put several reports or trajectories in order, best first."),
    "rubric": ("rubric", "List, show, lint and write rubrics."),
    "run": ("run", "Run an experiment: many judges, many subjects, resumable."),
    "runs": ("runs", "List runs, inspect one down to its prompts, export it."),
    "score": ("score", "Score finance reports on ten dimensions, with a final score."),
    "stability": ("agree", "Say how stable judges are over repeated judgments."),
    "strategies": ("strategies", "List the prompting strategies: ways to elicit a verdict."),
    "suites": ("suites", "List suites (published ways to score); compare their results."),
    "write": ("write", "Have a model write a report on a question from documents."),
}
_INTERRUPTED: Final = 130
_BROKEN_PIPE: Final = 141
_ENGINE: Final = 3
_USAGE: Final = 2
# A disk or a quota that is full, a file that has grown too large, a device that failed.
_FULL: Final = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)


class _ReaderLeftError(Exception):
    """The reader closed stdout. Click would exit with 1, which means findings here."""


class Root(LazyGroup):
    """The command ``assay``, which ends with our exit codes."""

    places = COMMANDS

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command that was called."""
        try:
            result = super().invoke(ctx)
            sys.stdout.flush()
        except BrokenPipeError as error:
            raise _ReaderLeftError from error
        return result

    def main(self, *args: Any, **kwargs: Any) -> Any:
        """Run, and leave with an exit code."""
        kwargs["standalone_mode"] = False
        sys.exit(_run(lambda: super(Root, self).main(*args, **kwargs)))


def _run(call: Any) -> int:
    try:
        result = call()
        sys.stdout.flush()
    except click.exceptions.NoArgsIsHelpError as error:
        # The help has many lines and is not squeezed into one like an error.
        click.echo(error.format_message(), err=True)
        return _USAGE
    except click.UsageError as error:
        place = error.ctx.command_path if error.ctx else "assay"
        return _say(f"{place}: {error.format_message()}", _USAGE, hint=f"`{place} --help` shows how")
    except click.ClickException as error:
        return _say(f"assay: {error.format_message()}", _USAGE)
    except AssayError as error:
        return _say(f"assay: {error}", error.exit_code)
    except (KeyboardInterrupt, click.Abort):
        return _say("assay: interrupted; what was finished is kept", _INTERRUPTED)
    except (BrokenPipeError, _ReaderLeftError):
        _forget_stdout()
        return _BROKEN_PIPE
    except Exception as error:
        if os.environ.get("ASSAY_DEBUG"):
            raise
        if isinstance(error, OSError) and error.errno in _FULL:
            _forget_stdout()
            return _say(f"assay: cannot write: {error.strerror}; what could be written is kept", _ENGINE)
        if isinstance(error, PermissionError) and error.filename is not None:
            # Any look at a file fails if its folder may not be entered.
            name = os.fsdecode(error.filename) if isinstance(error.filename, str | bytes) else error.filename
            return _say(
                f"assay: {name}: {error.strerror}; this user may not open the file or its folder", _USAGE
            )
        return _say(f"assay: a bug in Assay: {_where(error)}; ASSAY_DEBUG=1 shows all of it", _ENGINE)
    return result if isinstance(result, int) else 0


def _forget_stdout() -> None:
    """Make sure that nothing more is written, not even by the interpreter at exit."""
    with contextlib.suppress(OSError, ValueError):  # stdout may have no file, as in tests
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _say(line: str, code: int, *, hint: str = "") -> int:
    text = " ".join(f"{line} {f'({hint})' if hint else ''}".split())
    with contextlib.suppress(OSError):  # stderr may be closed
        click.echo(text, err=True)
    return code


def _where(error: Exception) -> str:
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    place = f" at {Path(trace.tb_frame.f_code.co_filename).name}:{trace.tb_lineno}" if trace else ""
    return f"{type(error).__name__}: {error}{place}"


@click.command(
    cls=Root,
    context_settings={
        "auto_envvar_prefix": "ASSAY",
        "help_option_names": ["-h", "--help"],
        "max_content_width": 100,
    },
    epilog="Every option has a variable: --fail-on of `assay audit` is ASSAY_AUDIT_FAIL_ON. audit, checks and logic use "
    "no model, no key and no network; nor do compare and rank with --judge rules.",
)
@click.version_option(__version__, "-V", "--version", message="assay %(version)s")
def root() -> None:
    """Judge deep-research reports and agent trajectories, and test LLM judges.

    \b
    assay audit report.md                    findings and argument; no model
    assay audit runs/ --format html -o out   a page for each, and an index
    assay checks explain NUM001              what a code means
    assay judge report.md --judge full@openai/gpt-5-mini
    assay run experiment.yaml --dry-run      what a thousand judgments would take
    """  # noqa: D301 - click reads the backspace as "do not wrap"


def main() -> None:
    """The entry point of the console script."""
    root.main(prog_name="assay")
