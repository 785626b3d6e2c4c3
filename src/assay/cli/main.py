"""The command ``assay``.

Exit codes: 0 done; 1 findings at or above ``--fail-on``; 2 bad usage or input, said in one line; 3 something Assay
relies on failed; 130 interrupted. Commands load when they are called, so that ``assay --help`` answers at once.
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

# Where each command lives, and its one line of help, so that listing them loads none.
COMMANDS: Final[dict[str, tuple[str, str]]] = {
    "agree": ("assay.cli.agree:agree", "Compare judgments with what people said, with intervals."),
    "audit": ("assay.cli.audit:audit", "Audit reports and trajectories: findings, argument, scores."),
    "batch": ("assay.cli.batch:batch", "Run an experiment by batch files: requests out, responses in."),
    "bench": ("assay.cli.bench:bench", "Put judges on trial: build benchmarks, run judges on them."),
    "card": ("assay.cli.card:card", "Make a card of a judge: what it sees, what fools it."),
    "checks": ("assay.cli.checks:checks", "List the checks, or explain one."),
    "compare": ("assay.cli.compare:compare", "Say which of two reports or trajectories is better, and why."),
    "completion": ("assay.cli.completion:completion", "Print the completion script for a shell."),
    "drift": ("assay.cli.card:drift", "Judge a kept run again: has the judge changed?"),
    "extraction": (
        "assay.cli.extraction:extraction",
        "Measure how well arguments are extracted from reports.",
    ),
    "gate": ("assay.cli.card:gate", "Hold a judge to bounds, for a build server."),
    "grade": ("assay.cli.grade:grade", "Grade reports by weighted criteria, with evidence."),
    "grades": ("assay.cli.grades:grades", "Make tables of many grades: compliance, failures, length."),
    "init": ("assay.cli.init:init", "Write a commented assay.toml to start from."),
    "judge": ("assay.cli.judge:judge", "Judge reports and trajectories by a model: scores and reasons."),
    "labels": ("assay.cli.labels:labels", "Read what people said, in formats they have."),
    "leaderboard": (
        "assay.cli.leaderboard:leaderboard",
        "Rank systems by who won against whom, with intervals.",
    ),
    "logic": ("assay.cli.logic:logic", "Show the argument of a report: claims and what supports them."),
    "models": ("assay.cli.models:models", "List the models, try one, fetch or serve a local one."),
    "prompts": ("assay.cli.prompts:prompts", "List and show prompts: templates, and what a model is sent."),
    "query": ("assay.cli.query:query", "Filter and label research questions by a model."),
    "rank": ("assay.cli.rank:rank", "Put several reports or trajectories in order, best first."),
    "rubric": ("assay.cli.rubric:rubric", "List, show and lint rubrics: yardsticks of judges."),
    "run": ("assay.cli.run:run", "Run an experiment: many judges, many subjects, resumable."),
    "runs": ("assay.cli.runs:runs", "List runs, look into one down to its prompts, export it."),
    "score": ("assay.cli.score:score", "Score finance reports on ten dimensions, with a final score."),
    "stability": (
        "assay.cli.stability:stability",
        "Say how steady judges are over repeated judgments.",
    ),
    "strategies": (
        "assay.cli.strategies:strategies",
        "List the strategies: ways to ask a model for a verdict.",
    ),
    "suites": ("assay.cli.suites:suites", "List the suites: published ways to score; compare their results."),
    "write": ("assay.cli.write:write", "Have a model write a report on a question from documents."),
}
_INTERRUPTED: Final = 130
_BROKEN_PIPE: Final = 141
_ENGINE: Final = 3
_USAGE: Final = 2
# A disk or a quota that is full, a file that has grown too large, a device that failed.
_FULL: Final = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)


class _ReaderLeftError(Exception):
    """Stdout was closed by whoever read it. Click would make exit code 1 of it, which means findings here."""


class Root(LazyGroup):
    """A group that loads its commands when they are called and ends with our exit codes."""

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
        # The help is many lines: as it is, and not squeezed into the one line of an error.
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
        # Whoever read us has read enough.
        _forget_stdout()
        return _BROKEN_PIPE
    except Exception as error:
        if os.environ.get("ASSAY_DEBUG"):
            raise
        if isinstance(error, OSError) and error.errno in _FULL:
            _forget_stdout()
            return _say(f"assay: cannot write: {error.strerror}; what fitted is kept", _ENGINE)
        if isinstance(error, PermissionError) and error.filename is not None:
            # Asking whether a file is there already fails in a folder that may not be entered, wherever that is asked.
            name = os.fsdecode(error.filename) if isinstance(error.filename, str | bytes) else error.filename
            return _say(f"assay: {name}: {error.strerror}; it, or its folder, is closed to this user", _USAGE)
        return _say(f"assay: a bug in Assay: {_where(error)}; ASSAY_DEBUG=1 shows all of it", _ENGINE)
    return result if isinstance(result, int) else 0


def _forget_stdout() -> None:
    """Nothing more may be written, not even by the interpreter at exit."""
    with contextlib.suppress(OSError, ValueError):  # it may have no file, as in tests
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _say(line: str, code: int, *, hint: str = "") -> int:
    text = " ".join(f"{line} {f'({hint})' if hint else ''}".split())
    with contextlib.suppress(OSError):  # there may be nobody left to tell
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
    epilog="Every option has a variable: --fail-on of `assay audit` is ASSAY_AUDIT_FAIL_ON. audit, checks and logic ask no "
    "model, need no key and use no network; nor do compare and rank with --judge rules.",
)
@click.version_option(__version__, "-V", "--version", message="assay %(version)s")
def root() -> None:
    """Judge deep-research reports and agent trajectories.

    \b
    assay audit report.md                    findings, argument, scores; no model
    assay audit runs/ --format html -o out   a page for each, and a ranking
    assay checks explain NUM001              what a code means
    assay judge report.md --judge full@openai/gpt-5-mini
    assay run experiment.yaml --dry-run      what a thousand judgments would take
    """  # noqa: D301 - click reads the backspace as "do not wrap"


def main() -> None:
    """The entry point of the console script."""
    root.main(prog_name="assay")
