"""A model that is a function: from a request to a text, a reply, or a coroutine that returns one."""

from __future__ import annotations

import asyncio
import inspect
import secrets
from collections.abc import Awaitable, Callable
from typing import TypeAlias

from assay.errors import AssayError
from assay.models.base import CallFailedError, Reply, Request, Usage
from assay.models.tokens import estimate_request, estimate_tokens

ModelFunction: TypeAlias = Callable[[Request], str | Reply | Awaitable[str | Reply]]


class FunctionModel:
    """Calls a function for each request; other functions than coroutine functions run in threads.

    Args:
        function: The function. With an attribute ``version``, replies may be recalled from a ledger.
    """

    def __init__(self, function: ModelFunction) -> None:
        self.name = str(getattr(function, "__name__", type(function).__name__)).strip("<>")
        self.id = f"python/{self.name}#{getattr(function, 'version', None) or secrets.token_hex(4)}"
        self._function = function

    async def complete(self, request: Request) -> Reply:
        """Call the function.

        Raises:
            CallFailedError: It raised an exception.
        """
        try:
            if inspect.iscoroutinefunction(self._function):
                result = await self._function(request)
            else:
                result = await asyncio.to_thread(self._function, request)
                result = await result if inspect.isawaitable(result) else result
        except (AssayError, asyncio.CancelledError):
            raise
        except Exception as error:
            raise CallFailedError(f"{self.name}: {type(error).__name__}: {error}") from error
        if isinstance(result, Reply):
            return result
        if not isinstance(result, str):
            kind = type(result).__name__
            raise CallFailedError(f"{self.name} returned {kind}; a model returns a text or a Reply")
        text = result
        usage = Usage(1, estimate_request(request), 0, estimate_tokens(text), 0.0)
        return Reply(text=text, usage=usage, served=self.name)

    async def close(self) -> None:
        """Do nothing."""
