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
from assay.cli.command_table import COMMANDS, ELSEWHERE, MOVED, RENAMED, SECTIONS, walk
from assay.cli.commands import Group, load_command
from assay.errors import AssayError
from assay.registry import plug_in_of

_INTERRUPTED: Final = 130
_BROKEN_PIPE: Final = 141
_ENGINE: Final = 3
_USAGE: Final = 2
# A disk or a quota that is full, a file that has grown too large, a device that failed.
_FULL: Final = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)


class _ReaderLeftError(Exception):
    """The reader closed stdout. Click would exit with 1, which means findings here."""


class Root(Group):
    """The command ``assay``, which knows earlier names and ends with our exit codes."""

    places = COMMANDS

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the command that is meant; an earlier name works, and stderr says the new one."""
        for count in (2, 1):
            earlier = " ".join(args[:count])
            if len(args) >= count and earlier in RENAMED:
                if not ctx.resilient_parsing:
                    click.echo(f"assay: `assay {earlier}` is now `assay {RENAMED[earlier]}`", err=True)
                args = [*RENAMED[earlier].split(), *args[count:]]
                if moved := MOVED.get(RENAMED[earlier]):
                    _refuse_moved(load_command(args[0], COMMANDS[args[0]]), args, moved)
                break
        return super().resolve_command(ctx, args)

    def suggestion(self, name: str) -> str:
        """Return the command that an unknown name means: by likeness, by an earlier name, or by another tool's word."""
        from assay.suggest import closest, did_you_mean

        known = {**{word: word for word in COMMANDS}, **RENAMED, **ELSEWHERE}
        for path, _ in walk(COMMANDS):
            known.setdefault(path.rpartition(" ")[2], path)
        near = [name] if name in known else closest(name, known, n=1)
        return f"did you mean {known[near[0]]!r}?" if near else did_you_mean(name, COMMANDS)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands, and then the few options."""
        self.format_commands(ctx, formatter)
        click.Command.format_options(self, ctx, formatter)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        """List the commands in sections."""
        wide = max(map(len, COMMANDS))
        for title, entries in SECTIONS.items():
            with formatter.section(title):
                formatter.write_dl([(name.ljust(wide), entry.line) for name, entry in entries.items()])

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


def _refuse_moved(command: click.Command, args: list[str], where: str) -> None:
    """Refuse options that an earlier command had and that its successor lacks, and say where they are now."""
    known = {"--help", "--help-all", *(name for param in command.params for name in param.opts)}
    missing = [
        name for word in args if (name := word.partition("=")[0]).startswith("--") and name not in known
    ]
    if missing:
        raise click.UsageError(f"no {', '.join(missing)} any more: {where}")


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
        return _say(f"assay: {error.cli_message}", error.exit_code)
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
        if plug_in := plug_in_of(error):
            return _say(f"assay: a plug-in failed: {plug_in}: {type(error).__name__}: {error}", _ENGINE)
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
    epilog="`assay COMMAND --help` shows a command, and the commands below it. Every option has a variable: --fail-on of "
    "`assay audit` is ASSAY_AUDIT_FAIL_ON. audit and checks use no model, no key and no network; nor does logic without "
    "--model, nor do compare and rank with --judge rules.",
)
@click.option(
    "--color",
    type=click.Choice(["auto", "always", "never"]),
    help="When to use colours; auto: on a terminal, unless NO_COLOR is set.",
)
@click.version_option(__version__, "-V", "--version", message="assay %(version)s")
def root(color: str | None) -> None:
    """Judge deep-research reports and agent trajectories, and test LLM judges.

    Five commands to start with:

    \b
    assay audit report.md                    findings and argument: no model, no key
    assay compare a.md b.md                  which of two reports is better, by rules or by a judge
    assay judge report.md --judge openai/gpt-5-mini
                                             scores with reasons, by an LLM judge
    assay run experiment.yaml --dry-run      many judges and reports, and first of all what it will cost
    assay bench build reports/ -o bench      planted failures; `assay bench run bench --judge …` tests a judge
    """  # noqa: D301 - click reads the backspace as "do not wrap"


def main() -> None:
    """The entry point of the console script."""
    root.main(prog_name="assay")
