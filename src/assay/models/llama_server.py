"""A server for a GGUF file: llama.cpp, through ``xllamacpp``, in a process of its own.

    with LlamaServer(Path("model.gguf")) as server:
        ...  # server.base_url is OpenAI-compatible

It has its own process because llama.cpp ends the process when memory runs out, and because a judge's event
loop should not share its interpreter lock. The child (``python -m assay.models.llama_server``) prints on its
first line where it listens, or why it does not. It ends with the process that started it, however that ends.

One slot is the default: each slot keeps the last prompt it has read, and slots do not share it. A report
graded by many criteria is then read once; with four slots it is read four times.
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

from assay.errors import MissingExtraError, ModelError
from assay.models.local import CONTEXT

_START_SECONDS: Final = 600.0
_STOP_SECONDS: Final = 5.0
_PARENT_SECONDS: Final = 1.0
_MOST_THREADS: Final = 16
_LOG_LINES: Final = 12
# A log line with an error: "0.00.044.930 E llama_model_load: error loading model: …".
_ERROR_LINE: Final = re.compile(r"^[\d.]+ E [^:]*: (?:error loading model: )?(.+)$", re.MULTILINE)
_SETTINGS: Final[dict[str, Any]] = {
    # Errors only; at the next level llama.cpp writes several lines per call.
    "verbosity": 1,
    # The web interface is not needed.
    "cors_origins": "",
    "cors_origins_explicit": True,
    "ui": False,
    "endpoint_slots": False,
    # A cache of prompts of other slots. Slots do not share a prefix through it, and it has answered a prompt with
    # another one's continuation (llama.cpp issue 27148), which a judge must never do.
    "cache_ram_mib": 0,
    "cache_idle_slots": False,
}


class LlamaServerError(ModelError):
    """The server did not start, or ended unexpectedly."""


def can_serve() -> bool:
    """Whether the software that serves GGUF files is installed."""
    return importlib.util.find_spec("xllamacpp") is not None


def usable_threads() -> int:
    """Return the number of CPUs that this process may use; more threads would only wait for each other."""
    affinity = getattr(os, "sched_getaffinity", None)
    usable = len(affinity(0)) if affinity is not None else os.cpu_count() or 1
    return min(usable, _MOST_THREADS)


class LlamaServer:
    """A running server for one GGUF file.

    Args:
        path: The file.
        alias: Name of the model at the server; by default the file's name without its ending.
        parallel: Slots, that is, calls answered at a time.
        context: Context window of each slot in tokens.
        threads: Compute threads.
        port: Port; 0 takes a free one.
        owner: Process to end with, if not this one; the server then outlives this process.
        start_seconds: Maximum time for loading.
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
        """URL below which ``/health`` and ``/props`` are."""
        if self._address is None:
            raise LlamaServerError(f"the server for {self.path.name} is not running; start it first")
        return self._address

    @property
    def base_url(self) -> str:
        """URL below which ``/chat/completions`` is, as in ``OPENAI_BASE_URL``."""
        return f"{self.root_url}/v1"

    @property
    def alive(self) -> bool:
        """Whether the process runs."""
        return self._process is not None and self._process.poll() is None

    def start(self) -> Self:
        """Load the model, and return when the server answers.

        Raises:
            MissingExtraError: ``xllamacpp`` is not installed.
            LlamaServerError: The server does not start.
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
        """End the server. Calls in flight are cut off."""
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
        """Return why the server ended, if it ended by itself."""
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
        # -P: files of the working directory must not be imported as modules.
        command = [sys.executable, "-P", "-m", "assay.models.llama_server"]
        command += ["--model", str(self.path.absolute()), "--alias", self.alias, "--port", str(self.port)]
        command += ["--parallel", str(self.parallel), "--context", str(self.context)]
        command += ["--parent", str(self._owner or os.getpid())]
        if self.threads is not None:
            command += ["--threads", str(self.threads)]
        return command if self._owner is not None else [*command, "--tied"]

    def _listening_address(self) -> str:
        report = self._first_line()
        if "url" not in report:
            if self._process is not None:
                with contextlib.suppress(subprocess.TimeoutExpired):
                    self._process.wait(_STOP_SECONDS)  # its log is complete then
            raise LlamaServerError(self._explain(report.get("error")))
        return str(report["url"])

    def _first_line(self) -> dict[str, Any]:
        """Return the child's first line as data; empty if it is not JSON, with an error if it did not come."""
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
            report = json.loads(lines[0])
        except ValueError:
            process.wait(_STOP_SECONDS)
            return {"error": f"it ended at once ({_exit_words(process.returncode)})"}
        return report if isinstance(report, dict) else {}

    def _explain(self, message: str | None) -> str:
        """Return an error message from the child's own message and its log."""
        log = self._log_text()
        match = _ERROR_LINE.search(log)
        reason = match[1].strip() if match else ""
        problem = message or "it did not start"
        details = f"{problem}: {reason}" if reason else "; ".join([problem, *log.splitlines()[-_LOG_LINES:]])
        return f"the server for {self.path}: {details}"

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
    """Run the child: serve until told to stop.

    Returns:
        An exit code if the server could not start.
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

    # llama.cpp's own output goes to the log; stdout is reserved for the first line.
    stdout = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    if options.tied:
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent receives it too, and decides
        threading.Thread(target=_end_with_stdin, daemon=True).start()
    if options.parent is not None:
        threading.Thread(target=_end_with, args=(options.parent,), daemon=True).start()
    try:
        server = _serve(options)
    except Exception as error:  # noqa: BLE001 - the parent must learn of any error
        print(json.dumps({"error": str(error) or type(error).__name__}), file=stdout, flush=True)
        return 1
    print(json.dumps({"url": server.listening_address, "pid": os.getpid()}), file=stdout, flush=True)
    with contextlib.suppress(KeyboardInterrupt):
        threading.Event().wait()
    # A normal exit would wait for replies in flight.
    os._exit(0)


def _serve(options: argparse.Namespace) -> Any:
    # Imported by name: it has no types and is optional.
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
        if hasattr(params, name):  # settings differ between versions of llama.cpp
            setattr(params, name, value)
    try:
        server = xllamacpp.Server(params)
    except RuntimeError as error:
        raise LlamaServerError("the model cannot be served") from error
    _wait_until_healthy(server.listening_address)
    return server


def _wait_until_healthy(address: str) -> None:
    """Return when ``/health`` reports that the model is loaded."""
    ends = time.monotonic() + _START_SECONDS
    # Never through a proxy.
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
    # The pipe closes when the parent closes it or ends.
    os.read(0, 1)
    os._exit(0)


def _end_with(parent: int) -> None:
    """End when a process has ended, for cases in which another process inherited its pipe and keeps it open."""
    if os.name == "nt":  # cannot be checked safely; the pipe must suffice
        return
    while True:
        try:
            os.kill(parent, 0)
        except ProcessLookupError:
            os._exit(0)
        except PermissionError:
            pass  # it exists
        time.sleep(_PARENT_SECONDS)


if __name__ == "__main__":
    sys.exit(main())
