"""Where commands write, and the one guard that keeps an output from replacing what is read.

Every option that names something to write has the type `OutputPath`. Before a command runs, `guard` compares each such
path with everything else the command line names: files, what would be read from folders, the ledger, the settings.
What only becomes known later, such as the files of an experiment, is passed to `refuse_overwrite` by the command.
"""

from __future__ import annotations

import io
import os
import stat
import sys
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TextIO

import click

from assay.errors import InputError, UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_INPUTS: Final = "assay.inputs"
_SQLITE: Final = b"SQLite format 3\0"
# SQLite keeps what is not yet in the database in files beside it.
_BESIDE: Final = ("-wal", "-shm", "-journal")
# Names of models that are files.
_FILE_MODELS: Final = ("scripted/", "local/")


class OutputPath(click.ParamType[str | Path]):
    """A file or folder that the command writes.

    Args:
        holds: Names of the files that are written there if it is a folder.
        replaces: Parameters whose file may be replaced, as in editing a file in place.
        kind: What the command gets: text or a `Path`.
    """

    name = "path"

    def __init__(self, *holds: str, replaces: tuple[str, ...] = (), kind: type[str | Path] = str) -> None:
        self.holds = holds
        self.replaces = replaces
        self.kind = kind

    def convert(
        self,
        value: Any,
        param: click.Parameter | None,  # noqa: ARG002 - click's signature
        ctx: click.Context | None,  # noqa: ARG002
    ) -> str | Path:
        """Return the path."""
        return self.kind(value)

    def targets(self, value: str | Path) -> list[Path]:
        """Return the paths that would be replaced."""
        return [Path(value), *(Path(value) / name for name in self.holds)]


class InputFolder(click.ParamType[str]):
    """A folder of which the command reads certain files.

    Args:
        reads: Names of the files that are read, or patterns as of `Path.glob`.
    """

    name = "path"

    def __init__(self, *reads: str) -> None:
        self.reads = reads

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:  # noqa: ARG002
        """Return the path as text."""
        return str(value)

    def files(self, folder: Path) -> Iterator[Path]:
        """Yield the files that are read."""
        for pattern in self.reads:
            yield from folder.glob(pattern)


ANY_FILE: Final = InputFolder("**/*")
RUN_FOLDER: Final = InputFolder("run.json", "trials.jsonl", "result.json")
BENCHMARK: Final = InputFolder("instances.jsonl", "bench.json", "trials/*/*.json*")


class InputFiles:
    """Files that no output may replace, recognised under any name: other paths, other case, symbolic and hard links."""

    def __init__(self, files: Iterable[str | Path] = ()) -> None:
        self._ids: set[tuple[int, int]] = set()
        self._paths: set[str] = set()
        self.add(files)

    def add(self, files: Iterable[str | Path]) -> None:
        """Add files; a file that does not exist yet is identified by its path."""
        for file in files:
            self._paths.add(_real(file))
            identity = _identity(file)
            if identity is not None:
                self._ids.add(identity)

    def merge(self, other: InputFiles) -> None:
        """Add the files of another collection."""
        self._ids |= other._ids
        self._paths |= other._paths

    def __contains__(self, path: str | Path) -> bool:
        return _identity(path) in self._ids or _real(path) in self._paths

    def refuse(self, output: str | Path, option: str = "-o") -> None:
        """Refuse to write to one of these files, or to a database.

        Raises:
            UsageError: The output is one of them.
        """
        if output in self:
            raise UsageError(f"{option} {output} is one of the files to read; write somewhere else")
        if is_database(Path(output)):
            raise UsageError(f"{option} {output} is a database, such as a ledger; write somewhere else")


def refuse_overwrite(
    output: str | Path | None, inputs: Iterable[str | Path | None], *, option: str = "-o"
) -> None:
    """Refuse an output that would replace one of the inputs: files, folders, glob patterns or ledgers.

    Raises:
        UsageError: The output is one of them.
    """
    if output is None or str(output) in ("", "-"):
        return
    files = InputFiles()
    for item in inputs:
        if item is not None:
            files.add(_files_of(str(item), None))
    files.refuse(output, option)


def inputs_of_command() -> InputFiles:
    """Return what the running command reads, as far as its command line says."""
    context = click.get_current_context(silent=True)
    inputs = context.meta.get(_INPUTS) if context else None
    return inputs if isinstance(inputs, InputFiles) else InputFiles()


def guard(context: click.Context) -> None:
    """Refuse a command whose output would replace one of its inputs, the ledger or the settings.

    Raises:
        UsageError: An output is one of them, or two outputs are the same.
    """
    outputs: list[tuple[click.Parameter, OutputPath, str | Path]] = []
    others: list[click.Parameter] = []
    for param in context.command.params:
        value = context.params.get(param.name or "")
        if isinstance(param.type, OutputPath):
            if value is not None and str(value) not in ("", "-"):
                outputs.append((param, param.type, value))
        elif not isinstance(param.type, click.Choice):
            others.append(param)
    if not outputs:
        return
    always = InputFiles(_settings_files())
    if any(param.name == "ledger" for param in others):
        always.add(ledger_files(context.params["ledger"]))
    named = {param.name: list(_files_of_param(param, context)) for param in others}
    context.meta[_INPUTS] = always
    written: dict[str, str] = {}
    for param, kind, value in outputs:
        option = _option(param)
        inputs = InputFiles()
        inputs.merge(always)
        for name, files in named.items():
            if name not in kind.replaces:
                inputs.add(files)
        inputs.refuse(value, option)
        for name in kind.holds:
            if Path(value) / name in inputs:
                raise UsageError(
                    f"{option} {value} would replace {Path(value) / name}, which is read; name another folder"
                )
        for target in kind.targets(value):
            other = written.setdefault(_real(target), option)
            if other != option:
                raise UsageError(f"{other} and {option} both name {target}; one would replace the other")
    if not any(kind.replaces for _, kind, _ in outputs):
        for files in named.values():
            always.add(files)


def ledger_files(option: str | None = None) -> list[str]:
    """Return the files of the ledger that a command uses; none if it is not a file."""
    from assay.runs.ledger_location import ledger_location

    where = ledger_location(option)
    if "://" in where or where in (":memory:", "none"):
        return []
    return [where, *(where + end for end in _BESIDE)]


def is_database(path: Path) -> bool:
    """Whether the path is an SQLite database, or one of the files that SQLite keeps beside one."""
    name = _real(path)
    for main in (name, *(name.removesuffix(end) for end in _BESIDE if name.endswith(end))):
        try:
            if Path(main).is_file():
                with Path(main).open("rb") as stream:
                    if stream.read(len(_SQLITE)) == _SQLITE:
                        return True
        except OSError:
            continue
    return False


class _OutputFile(io.TextIOWrapper):
    """A file to write, whose old content stays until there is something to write in its place."""

    replaced = False

    def write(self, text: str, /) -> int:
        if text and not self.replaced:
            self.empty()
        return super().write(text)

    def empty(self) -> None:
        """Remove the old content."""
        self.replaced = True
        # A device or a pipe has no content to remove.
        if stat.S_ISREG(os.fstat(self.fileno()).st_mode):
            self.truncate(0)


@contextmanager
def opened(output: str | None, *, keep: bool = False) -> Iterator[TextIO]:
    """Open the file behind ``-o``, or stdout. A file keeps its content until something else is written.

    Args:
        output: The path; None and ``-`` are stdout.
        keep: Whether the file keeps its content also if in the end there was nothing to write.

    Raises:
        InputError: The file cannot be written.
        UsageError: It is a ledger.
    """
    if output is None or output == "-":
        reconfigure = getattr(sys.stdout, "reconfigure", None)
        if reconfigure is not None:
            # A terminal that cannot show a character shows a mark instead; that does not end the run.
            reconfigure(errors="replace")
        yield sys.stdout
        return
    # The ledger of this very command may be younger than the guard.
    inputs_of_command().refuse(output)
    try:
        is_new = not Path(output).exists()
        # Opened before anything is asked or paid for, so that a path that cannot be written is told at once.
        raw = open(output, "wb", opener=_not_emptied)  # noqa: SIM115 - closed below; `Path.open` has no opener
    except OSError as error:
        raise InputError(f"cannot be written: {error.strerror}", where=output) from error
    stream = _OutputFile(raw, encoding="utf-8", errors="replace", newline="\n")
    try:
        with stream:
            yield stream
            if not keep and not stream.replaced:
                stream.empty()
    finally:
        if is_new and not stream.replaced:
            Path(output).unlink(missing_ok=True)


def _not_emptied(path: str, flags: int) -> int:
    return os.open(path, flags & ~os.O_TRUNC, 0o666)


def _settings_files() -> Iterator[str | Path]:
    from assay.settings import find_settings

    settings = find_settings(Path.cwd())
    if settings is not None:
        yield settings
    if Path(".env").is_file():
        yield ".env"


def _files_of_param(param: click.Parameter, context: click.Context) -> Iterator[str | Path]:
    value = context.params.get(param.name or "")
    for item in value if isinstance(value, tuple | list) else (value,):
        if isinstance(item, str | Path):
            yield from _files_of(str(item), param.type)


def _files_of(text: str, kind: click.ParamType[Any] | None) -> Iterator[str | Path]:
    """Yield the existing files that a value of the command line stands for."""
    from assay.subjects.reading import places

    text = text.removeprefix("@")
    names = dict.fromkeys((text, text.partition("=")[2], *text.split(",")))
    names.update(dict.fromkeys(text.partition(mark)[2] for mark in _FILE_MODELS if mark in text))
    for name in filter(None, names):
        path = Path(name)
        try:
            if path.is_dir():
                yield from kind.files(path) if isinstance(kind, InputFolder) else places((name,))
                yield from path.rglob("query.txt")
            elif path.exists():
                yield path
                yield path.with_name("query.txt")
            elif any(mark in name for mark in "*?["):
                yield from places((name,))
        except (OSError, ValueError):
            continue  # a question, or another text that is not a path


def _option(param: click.Parameter) -> str:
    if isinstance(param, click.Argument):
        return param.human_readable_name
    return "-o" if "-o" in param.opts else max(param.opts, key=len)


def _identity(path: str | Path) -> tuple[int, int] | None:
    try:
        status = Path(path).stat()
    except (OSError, ValueError):
        return None
    return status.st_dev, status.st_ino


def _real(path: str | Path) -> str:
    try:
        return os.path.normcase(os.path.realpath(path))
    except (OSError, ValueError):
        return str(path)
