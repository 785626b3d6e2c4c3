"""A server for a GGUF file: llama.cpp, through ``xllamacpp``, in a process of its own.

    with LlamaServer(Path("model.gguf")) as server:
        ...  # server.base_url is OpenAI-compatible

In a process of its own, because llama.cpp ends the process when it runs out of memory, and because a judge's event loop
should not share its interpreter lock. The child (``python -m assay.models.llama_server``) says on its first line where
it listens, or why it does not. It ends with whoever started it, however that ends.

One slot is the default: each slot keeps the last prompt it has read, and slots do not share it. A report graded by many
criteria is then read once; with four slots it is read four times.
"""

from __future__ import annotations

import argparse
import contextlib
import importlib
import importlib.util
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.request
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Final, Self

from assay.errors import EngineError, MissingExtraError
from assay.models.local import CONTEXT

_START_SECONDS: Final = 600.0
_STOP_SECONDS: Final = 5.0
_PARENT_SECONDS: Final = 1.0
_MOST_THREADS: Final = 16
_LOG_LINES: Final = 12
# A line of the log that says what went wrong: "0.00.044.930 E llama_model_load: error loading model: …".
_ERROR_LINE: Final = re.compile(r"^[\d.]+ E [^:]*: (?:error loading model: )?(.+)$", re.MULTILINE)
_SETTINGS: Final[dict[str, Any]] = {
    # Errors only; at the next level llama.cpp writes some lines for each call.
    "verbosity": 1,
    # Pages in a browser have no business here.
    "cors_origins": "",
    "cors_origins_explicit": True,
    "ui": False,
    "endpoint_slots": False,
    # Keeps prompts of other slots in memory and hands them back. Slots do not share a prefix through it, and it has
    # answered a prompt with another one's continuation (llama.cpp issue 27148): the last thing a judge may do.
    "cache_ram_mib": 0,
    "cache_idle_slots": False,
}


class LlamaServerError(EngineError):
    """The server did not start, or ended by itself."""


def can_serve() -> bool:
    """Whether what serves GGUF files is installed."""
    return importlib.util.find_spec("xllamacpp") is not None


def usable_threads() -> int:
    """CPUs this process may use; more threads than that only wait for each other."""
    affinity = getattr(os, "sched_getaffinity", None)
    usable = len(affinity(0)) if affinity is not None else os.cpu_count() or 1
    return min(usable, _MOST_THREADS)


class LlamaServer:
    """A running server for one GGUF file.

    Args:
        path: The file.
        alias: What the server calls the model; the file's name without its ending by default.
        parallel: Slots, that is calls answered at a time.
        context: Context window of each slot, in tokens.
        threads: Threads that compute.
        port: 0 takes a free one.
        owner: A process the server should end with, if that is not this one. It then outlives this process.
        start_seconds: How long loading may take.
    """

    def __init__(
        self,
        path: Path,
        *,
        alias: str | None = None,
        parallel: int = 1,
        context: int = CONTEXT,
        threads: int | None = None,
        port: int = 0,
        owner: int | None = None,
        start_seconds: float = _START_SECONDS,
    ) -> None:
        self.path = path
        self.alias = alias or path.stem
        self.parallel = parallel
        self.context = context
        self.threads = threads
        self.port = port
        self._owner = owner
        self._start_seconds = start_seconds
        self._address: str | None = None
        self._process: subprocess.Popen[bytes] | None = None
        self._log: IO[bytes] | None = None

    @property
    def root_url(self) -> str:
        """Where ``/health`` and ``/props`` are."""
        if self._address is None:
            raise LlamaServerError(f"the server for {self.path.name} is not running; start it first")
        return self._address

    @property
    def base_url(self) -> str:
        """Where ``/chat/completions`` is: what ``OPENAI_BASE_URL`` would hold."""
        return f"{self.root_url}/v1"

    @property
    def alive(self) -> bool:
        """Whether it runs."""
        return self._process is not None and self._process.poll() is None

    def start(self) -> Self:
        """Load the model; come back when it answers.

        Raises:
            MissingExtraError: ``xllamacpp`` is not installed.
            LlamaServerError: It does not start.
        """
        if self.alive:
            return self
        if not can_serve():
            raise MissingExtraError("Serving a GGUF file", "local")
        self._log = tempfile.TemporaryFile(prefix="assay-llama-")  # noqa: SIM115 - closed by stop
        try:
            self._process = subprocess.Popen(  # noqa: S603 - ourselves
                self._command(),
                stdin=subprocess.PIPE if self._owner is None else subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=self._log,
            )
            self._address = self._listening_address()
        except BaseException:
            self.stop()
            raise
        return self

    def stop(self) -> None:
        """End it. Calls under way are cut off."""
        process, self._process, self._address = self._process, None, None
        if process is not None:
            if process.stdin is not None:
                with contextlib.suppress(OSError):
                    process.stdin.close()
            else:
                process.terminate()
            for end in (process.terminate, process.kill):
                try:
                    process.wait(_STOP_SECONDS)
                    break
                except subprocess.TimeoutExpired:
                    end()
            process.wait()
            if process.stdout is not None:
                process.stdout.close()
        if self._log is not None:
            self._log.close()
            self._log = None

    def problem(self) -> str | None:
        """Why it ended, where it did so by itself."""
        if self._process is None or self.alive:
            return None
        return self._explain(f"it ended by itself ({_exit_words(self._process.returncode)})")

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def _command(self) -> list[str]:
        # -P: a file of the working directory must not pass for a module.
        command = [sys.executable, "-P", "-m", "assay.models.llama_server"]
        command += ["--model", str(self.path.absolute()), "--alias", self.alias, "--port", str(self.port)]
        command += ["--parallel", str(self.parallel), "--context", str(self.context)]
        command += ["--parent", str(self._owner or os.getpid())]
        if self.threads is not None:
            command += ["--threads", str(self.threads)]
        return command if self._owner is not None else [*command, "--tied"]

    def _listening_address(self) -> str:
        said = self._first_line()
        if "url" not in said:
            if self._process is not None:
                with contextlib.suppress(subprocess.TimeoutExpired):
                    self._process.wait(_STOP_SECONDS)  # by then its log is complete
            raise LlamaServerError(self._explain(said.get("error")))
        return str(said["url"])

    def _first_line(self) -> dict[str, Any]:
        """What the child says first; nothing in it where it ended or took too long."""
        process = self._process
        if process is None or process.stdout is None:
            return {}
        stream = process.stdout
        lines: list[bytes] = []
        reader = threading.Thread(target=lambda: lines.append(stream.readline()), daemon=True)
        reader.start()
        reader.join(self._start_seconds)
        if not lines:
            process.kill()
            reader.join()
            return {"error": f"it was not ready after {self._start_seconds:.0f} s"}
        try:
            said = json.loads(lines[0])
        except ValueError:
            process.wait(_STOP_SECONDS)
            return {"error": f"it ended at once ({_exit_words(process.returncode)})"}
        return said if isinstance(said, dict) else {}

    def _explain(self, said: str | None) -> str:
        """An error message: what the child said, and what its log says."""
        log = self._log_text()
        found = _ERROR_LINE.search(log)
        reason = found[1].strip() if found else ""
        words = said or "it did not start"
        shown = f"{words}: {reason}" if reason else "; ".join([words, *log.splitlines()[-_LOG_LINES:]])
        return f"the server for {self.path}: {shown}"

    def _log_text(self) -> str:
        if self._log is None:
            return ""
        self._log.seek(0)
        return self._log.read().decode("utf-8", "replace")


def _exit_words(code: int | None) -> str:
    if code is None or code >= 0:
        return f"exit code {code}"
    with contextlib.suppress(ValueError):
        return f"killed by {signal.Signals(-code).name}"
    return f"killed by signal {-code}"


def main(arguments: list[str] | None = None) -> int:
    """The child: serve until told to stop.

    Returns:
        An exit code, where it could not serve.
    """
    parser = argparse.ArgumentParser(prog="python -m assay.models.llama_server", description=__doc__)
    parser.add_argument("--model", required=True, type=Path)
    parser.add_argument("--alias")
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--parallel", type=int, default=1)
    parser.add_argument("--context", type=int, default=CONTEXT, help="of each slot")
    parser.add_argument("--threads", type=int, default=None)
    parser.add_argument("--parent", type=int, default=None, help="process to end with")
    parser.add_argument("--tied", action="store_true", help="end when stdin is closed")
    options = parser.parse_args(arguments)

    # What is printed by llama.cpp itself goes to the log, so that stdout is ours.
    stdout = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    if options.tied:
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # whoever started us was told too, and decides
        threading.Thread(target=_end_with_stdin, daemon=True).start()
    if options.parent is not None:
        threading.Thread(target=_end_with, args=(options.parent,), daemon=True).start()
    try:
        server = _serve(options)
    except Exception as error:  # noqa: BLE001 - whatever it is, whoever started us must hear of it
        print(json.dumps({"error": str(error) or type(error).__name__}), file=stdout, flush=True)
        return 1
    print(json.dumps({"url": server.listening_address, "pid": os.getpid()}), file=stdout, flush=True)
    with contextlib.suppress(KeyboardInterrupt):
        threading.Event().wait()
    # Not by way of the interpreter's end, which waits for replies under way.
    os._exit(0)


def _serve(options: argparse.Namespace) -> Any:
    # By its name: it has no types, and need not be there.
    xllamacpp: Any = importlib.import_module("xllamacpp")
    params = xllamacpp.CommonParams()
    params.model.path = str(options.model)
    params.model_alias = {options.alias or options.model.stem}
    params.port = options.port
    params.n_parallel = options.parallel
    params.n_ctx = options.context * options.parallel
    threads = options.threads or usable_threads()
    params.cpuparams.n_threads = threads
    params.cpuparams_batch.n_threads = threads
    for name, value in _SETTINGS.items():
        if hasattr(params, name):  # they come and go with versions of llama.cpp
            setattr(params, name, value)
    try:
        server = xllamacpp.Server(params)
    except RuntimeError as error:
        raise LlamaServerError("the model cannot be served") from error
    _wait_until_healthy(server.listening_address)
    return server


def _wait_until_healthy(address: str) -> None:
    """Come back when ``/health`` says that the model is loaded."""
    ends = time.monotonic() + _START_SECONDS
    # Whatever proxy is set is not for this.
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    while True:
        try:
            with opener.open(f"{address}/health", timeout=5) as reply:
                if reply.status == 200:
                    return
        except (urllib.error.URLError, TimeoutError):
            if time.monotonic() > ends:
                raise
        time.sleep(0.05)


def _end_with_stdin() -> None:
    # The pipe closes when the other side does so, or ends.
    os.read(0, 1)
    os._exit(0)


def _end_with(parent: int) -> None:
    """End when a process has ended. For where its pipe was inherited by another one, which keeps it open."""
    if os.name == "nt":  # no way to ask without harm; the pipe has to do
        return
    while True:
        try:
            os.kill(parent, 0)
        except ProcessLookupError:
            os._exit(0)
        except PermissionError:
            pass  # it is there
        time.sleep(_PARENT_SECONDS)


if __name__ == "__main__":
    sys.exit(main())
