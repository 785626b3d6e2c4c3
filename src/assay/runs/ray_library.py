"""Ray itself: imported when it is asked for, joined or started, and silent."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from assay.errors import EngineError, MissingExtraError

if TYPE_CHECKING:
    from collections.abc import Callable


def ray_library() -> Any:
    """Return Ray.

    Raises:
        MissingExtraError: It is not installed.
    """
    # Nothing is reported to anybody, and workers inherit the environment of this process.
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")
    # Ray prints to stdout that a worker died, where a result is expected; the engine deals with it.
    os.environ.setdefault("RAY_DEDUP_LOGS_SKIP_REGEX", ".")
    try:
        import ray  # noqa: PLC0415 - optional, and takes a second
    except ModuleNotFoundError as error:
        raise MissingExtraError("running on Ray", "ray") from error
    return ray


def connected(ray: Any) -> bool:
    """Join the cluster that RAY_ADDRESS names, or start one on this machine; return False if that was done before.

    Raises:
        EngineError: The cluster cannot be reached.
    """
    if ray.is_initialized():
        return False
    start: Callable[..., Any] = ray.init
    try:
        start(log_to_driver=False, logging_level="error", include_dashboard=False)
    except (ConnectionError, RuntimeError, TimeoutError, ValueError) as error:
        raise EngineError(
            f"Ray cannot be reached: {str(error).splitlines()[0]}",
            hint="RAY_ADDRESS names a cluster; without it Ray is started on this machine",
        ) from error
    return True
