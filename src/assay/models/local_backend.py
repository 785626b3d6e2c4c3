"""Models ``local/NAME`` and ``local/PATH.gguf``: a server on this machine, started by the first call.

If ``LOCAL_BASE_URL`` (or ``base-url`` in the settings) names a running server, such as that of ``assay models
serve``, that one is used.

A path does not identify the contents of a file, which may be trained further under the same name. The id of a
model given by path therefore ends in the file's fingerprint, ``local/my.gguf#1a2b3c4d5e6f``: a changed file
is another model, and never gets the verdicts of the old one. Such an id also opens the model, as long as the
file has not changed.
"""

from __future__ import annotations

import asyncio
import re
import threading
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Final

import msgspec

from assay.errors import InputError, MissingExtraError
from assay.models.base import CallFailedError, Model, ModelSetupError, Reply, Request
from assay.models.endpoint import Endpoint, EndpointModel
from assay.models.environment import Secret, environment
from assay.models.llama_server import LlamaServer, LlamaServerError, can_serve
from assay.models.local import CONTEXT, file_fingerprint, find_model_file, model_context, served_name
from assay.models.prices import FREE
from assay.models.providers import Provider
from assay.models.settings import ModelSettings

LOCAL: Final = Provider(name="local", key=False, caches=True, concurrency=1, kind="llama.cpp")
# On a small machine, a large model reads a long prompt for many minutes, and there is no alternative to waiting.
_TIMEOUT: Final = 3600.0
_MARKED: Final = re.compile(r"(.+\.gguf)#([0-9a-f]{12})", re.IGNORECASE | re.DOTALL)


class LocalModelError(ModelSetupError):
    """The server of a local model does not start, or ended unexpectedly. Finished work is kept."""

    exit_code = 3


def open_local(
    name: str, settings: ModelSettings | None = None, environ: Mapping[str, str] | None = None
) -> Model:
    """Return the model ``local/name``.

    Args:
        name: Name in the catalogue, or the path of a GGUF file.
        settings: Settings of the model; ``concurrency`` is the number of slots, each with a window of
            ``context`` tokens.
        environ: Variables; those of the process and of ``.env`` by default.

    Raises:
        UsageError: The name is unknown, or the model has not been pulled.
        InputError: The file cannot be read.
        MissingExtraError: The server software is not installed.
    """
    name, wanted = _split(name)
    settings = settings or ModelSettings()
    variables = environment() if environ is None else environ
    url = LOCAL.find_url(variables)
    base_url = settings.base_url or (url[0] if url else None)
    if base_url is not None:
        key = None if settings.key_env == "" else LOCAL.find_key(variables, settings.key_env)
        # The server does not tell its file. If the file is on this machine too, it is most likely that one.
        here = _is_path(name) and Path(name).expanduser().is_file()
        model_id = f"local/{name}#{wanted}" if wanted else f"local/{name}"
        if here:
            model_id = _id_of(name, file_fingerprint(find_model_file(name)), wanted)
        return _endpoint_model(model_id, base_url, settings.name or served_name(name), settings, key)
    path = find_model_file(name)
    if not can_serve():
        raise MissingExtraError(f"local/{name}", "local")
    model = LocalModel(name, path, settings)
    _id_of(name, model.fingerprint, wanted)
    return model


class LocalModel:
    """A model file behind a server of its own.

    Attributes:
        path: The file.
        fingerprint: Hash that changes with the file.
        settings: Its settings, with the server's slots (``concurrency``) and window (``context``), and that
            it caches.
    """

    def __init__(self, name: str, path: Path, settings: ModelSettings) -> None:
        self.path = path
        self.fingerprint = file_fingerprint(path)
        self.settings = msgspec.structs.replace(
            settings,
            concurrency=settings.concurrency or 1,
            context=settings.context or model_context(name),
            caches=LOCAL.caches if settings.caches is None else settings.caches,
        )
        self._id = _id_of(name, self.fingerprint)
        self._alias = served_name(name)
        self._shared = _shared_server(
            path.absolute(), self._alias, self.settings.concurrency or 1, self.settings.context or CONTEXT
        )
        self._starting: asyncio.Task[EndpointModel] | None = None
        self._loop: asyncio.AbstractEventLoop | None = None

    @property
    def id(self) -> str:
        """``local/name``, or ``local/PATH.gguf#fingerprint``."""
        return self._id

    def __repr__(self) -> str:
        return f"LocalModel({self._id!r})"

    async def complete(self, request: Request) -> Reply:
        """Answer one request; the first one waits for the server.

        Raises:
            LocalModelError: The server does not start, or has ended.
            ContextLengthError: The prompt is too long for a slot.
            CallFailedError: This call failed for good.
        """
        endpoint = await self.endpoint_model()
        try:
            return await endpoint.complete(request)
        except (CallFailedError, ModelSetupError) as error:
            problem = self._shared.server.problem()
            if problem is None:
                raise
            raise LocalModelError(f"{self._id}: {problem}; finished work is kept") from error

    async def endpoint_model(self) -> EndpointModel:
        """Return the client of the server, which is started if necessary.

        Raises:
            LocalModelError: The server does not start.
        """
        if self._starting is None or self._loop is not asyncio.get_running_loop():
            self._loop = asyncio.get_running_loop()
            self._starting = asyncio.create_task(self._start())
        # All calls wait for the same start; a cancelled one must not end it for the others.
        return await asyncio.shield(self._starting)

    async def close(self) -> None:
        """Release the server; the last model to do so ends it."""
        task, self._starting = self._starting, None
        if task is not None and self._loop is asyncio.get_running_loop():
            await asyncio.wait([task])
            if not task.cancelled() and task.exception() is None:
                await task.result().close()
        await asyncio.to_thread(self._shared.leave, self)

    async def _start(self) -> EndpointModel:
        try:
            base_url = await asyncio.to_thread(self._shared.join, self)
        except LlamaServerError as error:
            raise LocalModelError(f"{self._id}: {error}") from error
        return _endpoint_model(self._id, base_url, self._alias, self.settings, None)


def _is_path(name: str) -> bool:
    return name.lower().endswith(".gguf")


def _split(name: str) -> tuple[str, str | None]:
    """Return a name and its fingerprint, if it has one."""
    match = _MARKED.fullmatch(name)
    return (match[1], match[2].lower()) if match else (name, None)


def _id_of(name: str, fingerprint: str, wanted: str | None = None) -> str:
    """Return the id of a model with this file.

    Raises:
        InputError: The id names another fingerprint.
    """
    if wanted is not None and wanted != fingerprint:
        raise InputError(
            f"does not match the id: its fingerprint is {fingerprint}, not {wanted}",
            where=name,
            hint=f"local/{name} names the file as it is now",
        )
    return f"local/{name}#{fingerprint}" if _is_path(name) else f"local/{name}"


class _SharedServer:
    """One server for all models with the same file and settings. The last model to leave ends it."""

    def __init__(self, server: LlamaServer) -> None:
        self.server = server
        self._members: set[int] = set()
        self._lock = threading.Lock()

    def join(self, member: object) -> str:
        with self._lock:
            problem = self.server.problem()
            if problem is not None:
                raise LlamaServerError(problem)
            self.server.start()
            self._members.add(id(member))
            return self.server.base_url

    def leave(self, member: object) -> None:
        with self._lock:
            self._members.discard(id(member))
            if not self._members:
                self.server.stop()


@lru_cache(maxsize=64)
def _shared_server(path: Path, alias: str, parallel: int, context: int) -> _SharedServer:
    return _SharedServer(LlamaServer(path, alias=alias, parallel=parallel, context=context))


def _endpoint_model(
    model_id: str, base_url: str, name: str, settings: ModelSettings, key: Secret | None
) -> EndpointModel:
    endpoint = Endpoint(provider=LOCAL, base_url=base_url, name=name, key=key, body=settings.body)
    patient = (
        settings if settings.timeout is not None else msgspec.structs.replace(settings, timeout=_TIMEOUT)
    )
    return EndpointModel(model_id, endpoint, patient, price=settings.price or FREE)
