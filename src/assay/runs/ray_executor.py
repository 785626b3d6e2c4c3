"""Ray as an executor: functions run on its workers, and their futures are those of the standard library."""

from __future__ import annotations

from concurrent.futures import Executor
from typing import TYPE_CHECKING, Any, TypeVar

from assay.runs.ray_library import connected, ray_library

if TYPE_CHECKING:
    from collections.abc import Callable
    from concurrent.futures import Future

T = TypeVar("T")


class RayExecutor(Executor):
    """Runs functions as Ray tasks, on this machine or on the cluster of RAY_ADDRESS.

    Raises:
        MissingExtraError: Ray is not installed.
        EngineError: The cluster cannot be reached.
    """

    def __init__(self) -> None:
        self._ray = ray_library()
        self._own = connected(self._ray)
        self._tasks: dict[Any, Any] = {}

    def submit(self, fn: Callable[..., T], /, *args: Any, **kwargs: Any) -> Future[T]:
        """Start a task; Ray runs it again elsewhere if its worker dies."""
        task = self._tasks.get(fn)
        if task is None:
            task = self._tasks[fn] = self._ray.remote(fn)
        future: Future[T] = task.remote(*args, **kwargs).future()
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:  # noqa: ARG002 - as in Executor
        """Leave the cluster, or end the one that was started here."""
        if self._own:
            self._ray.shutdown()
