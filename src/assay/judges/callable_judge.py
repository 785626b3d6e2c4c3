"""A judge that is a function, or an object with methods: any metric, script or service of your own.

def cites(report):                       # one parameter: scores
    return len(report.citations)

async def shorter(a, b):                 # two parameters: compares
    return "A>B" if a.words < b.words else "A<B"
"""

from __future__ import annotations

import asyncio
import hashlib
import inspect
import math
import secrets
import traceback
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any, Final, cast, get_args

import msgspec

from assay.errors import UsageError
from assay.judges.identity import key_of, metadata_of
from assay.judges.judgment import ABSTAINED, Judgment, Preference, Verdict, settle_orders
from assay.subjects.case import Case, Mode

_METHODS: Final[tuple[Mode, ...]] = ("score", "compare", "rank")
_PREFERENCES: Final = get_args(Preference)
_PARAMETERS: Final = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)


class CallableJudge:
    """A judge that calls a function, or the methods ``score``, ``compare`` and ``rank`` of an object.

    A function with one parameter scores a subject: it returns a number, a mapping of numbers (their mean is the overall
    score unless it has one), a `Judgment`, or None to abstain. One with two compares: it returns a preference (``"A>B"``,
    ``"A<B"``, ``"tie"`` …), a margin from -1 (B) to 1 (A), a `Judgment`, or None. ``rank`` takes a list and returns
    indices, best first. Any of them may be a coroutine function. An exception makes a judgment of status "failed".

    Other functions than coroutine functions run in a thread of their own, one case at a time.

    Args:
        target: The function or object. Its attributes ``name`` and ``version`` are used if it has them; without a
            version, judgments are never recalled from a ledger.
        name: Name in results.
        version: Version of what it does.
        swap: Whether pairs are shown in both orders.
        raises: Whether exceptions are raised instead.

    Raises:
        UsageError: It is neither, or takes another number of parameters.
    """

    rubric_name: str | None = None
    repetitions = 1

    def __init__(
        self,
        target: Any,
        *,
        name: str | None = None,
        version: str | None = None,
        swap: bool = False,
        raises: bool = False,
    ) -> None:
        self._calls = _calls_of(target)
        self.modes: tuple[Mode, ...] = tuple(self._calls)
        self.name = name or _text(target, "name") or getattr(target, "__name__", type(target).__name__)
        version = version or _text(target, "version")
        self.version = (
            version and hashlib.blake2b(f"{self.name}\n{version}".encode(), digest_size=6).hexdigest()
        )
        self.swap = swap
        self.raises = raises
        # Held during a call, if calls are limited.
        self.limit: asyncio.Semaphore | None = None
        # Without a version no other judge may find its judgments.
        self._salt = self.version or secrets.token_hex(6)
        self._thread: ThreadPoolExecutor | None = None

    def check(self, case: Case) -> None:
        """Refuse a case that the function does not take.

        Raises:
            UsageError: It takes other cases.
        """
        if case.mode not in self._calls:
            does = {"score": "scores one subject", "compare": "compares two", "rank": "ranks several"}
            raise UsageError(
                f"{self.name} {' and '.join(does[mode] for mode in self.modes)}; it cannot {case.mode}"
            )

    def key(self, case: Case, repetition: int = 0) -> str:
        """Return the content address of a judgment."""
        return key_of(self._salt, case, repetition)

    async def judge(self, case: Case, repetition: int = 0) -> Judgment:
        """Call the function. Whatever it raises is the problem of a failed judgment."""
        whole = {
            "judge": self.name, "mode": case.mode, "version": self.version, "key": self.key(case, repetition),
            "repetition": repetition, "metadata": metadata_of(case),
        }  # fmt: skip
        try:
            if case.mode == "score":
                read = _scored(await self._call(case, *case.subjects))
            elif case.mode == "rank":
                read = _ranked(await self._call(case, case.subjects), len(case.subjects))
            else:
                read = await self._compared(case)
        except Exception as error:
            if self.raises:
                raise
            read = Judgment("", "", status="failed", problem=_problem(error))
        if read.abstained and not read.problem:
            whole["problem"] = ABSTAINED
        return msgspec.structs.replace(read, subject=case.name, **whole)

    async def _compared(self, case: Case) -> Judgment:
        a, b = case.subjects
        first = _preferred(await self._call(case, a, b))
        if not self.swap:
            return first
        second = _turned(_preferred(await self._call(case, b, a)))
        orders = {"AB": first.preference, "BA": second.preference}
        margins = [item.overall for item in (first, second) if item.overall is not None]
        scores = {"overall": sum(margins) / 2} if len(margins) == 2 else None
        preference = settle_orders([first.preference, second.preference])
        return msgspec.structs.replace(first, preference=preference, by_order=orders, scores=scores)

    async def _call(self, case: Case, *arguments: Any) -> Any:
        call = self._calls[case.mode]
        async with AsyncExitStack() as stack:
            if self.limit is not None:
                await stack.enter_async_context(self.limit)
            if inspect.iscoroutinefunction(call) or inspect.iscoroutinefunction(
                getattr(call, "__call__", None)  # noqa: B004 - to see whether it is a coroutine function
            ):
                return await call(*arguments)
            if self._thread is None:
                self._thread = ThreadPoolExecutor(1, "assay-judge")
            loop = asyncio.get_running_loop()
            result = await loop.run_in_executor(self._thread, call, *arguments)
            return await result if inspect.isawaitable(result) else result


def _calls_of(target: Any) -> dict[Mode, Callable[..., Any]]:
    methods = {mode: call for mode in _METHODS if callable(call := getattr(target, mode, None))}
    if methods and not inspect.isclass(target):
        return methods
    if not callable(target) or inspect.isclass(target):
        raise UsageError(
            f"{target!r} is not a judge; give a name, a Judge, a function of one or two subjects, or an object with"
            " score, compare or rank"
        )
    parameters = [item for item in inspect.signature(target).parameters.values() if item.kind in _PARAMETERS]
    needed = [item for item in parameters if item.default is inspect.Parameter.empty]
    count = len(needed) or min(1, len(parameters))
    if count not in (1, 2):
        name = getattr(target, "__name__", repr(target))
        raise UsageError(
            f"{name} takes {count} parameters; a judge takes one subject to score it, or two to compare them"
        )
    return {"score" if count == 1 else "compare": target}


def _text(target: Any, name: str) -> str | None:
    value = getattr(target, name, None)
    return value if isinstance(value, str) and value else None


def _scored(value: Any) -> Judgment:
    if value is None or isinstance(value, Judgment):
        return value or Judgment("", "")
    given = value if isinstance(value, Mapping) else {"overall": value}
    scores = {str(key): _number(item) for key, item in given.items() if item is not None}
    if scores and "overall" not in scores:
        scores["overall"] = round(math.fsum(scores.values()) / len(scores), 6)
    verdicts = tuple(Verdict(criterion=key, verdict=scores[key], score=scores[key]) for key in map(str, given) if key in scores)  # fmt: skip
    return Judgment("", "", scores=scores or None, verdicts=verdicts)


def _preferred(value: Any) -> Judgment:
    if value is None or isinstance(value, Judgment):
        return value or Judgment("", "", mode="compare")
    if isinstance(value, str):
        if value not in _PREFERENCES:
            raise ValueError(f"returned {value!r}; a preference is one of {', '.join(_PREFERENCES)}")
        return Judgment("", "", preference=cast("Preference", value), mode="compare")
    margin = _number(value)
    if not -1 <= margin <= 1:
        raise ValueError(f"returned {value!r}; a margin is a number from -1 (B is better) to 1 (A is better)")
    preference: Preference = "A>B" if margin > 0 else "A<B" if margin < 0 else "tie"
    verdict = Verdict(criterion="overall", verdict=margin, score=margin)
    return Judgment(
        "", "", scores={"overall": margin}, preference=preference, verdicts=(verdict,), mode="compare"
    )


def _turned(judgment: Judgment) -> Judgment:
    """Return a judgment of B and A in terms of A and B."""
    opposite: dict[Preference | None, Preference | None] = {"A>B": "A<B", "A<B": "A>B"}
    scores = judgment.scores and {key: -value for key, value in judgment.scores.items()}
    preference = opposite.get(judgment.preference, judgment.preference)
    return msgspec.structs.replace(judgment, preference=preference, scores=scores)


def _ranked(value: Any, count: int) -> Judgment:
    if value is None or isinstance(value, Judgment):
        return value or Judgment("", "", mode="rank")
    order = list(value) if isinstance(value, Sequence) else []
    if sorted(order) != list(range(count)):
        raise ValueError(
            f"returned {value!r}; a ranking has each index from 0 to {count - 1} once, best first"
        )
    points = {str(index): (count - 1 - place) / (count - 1) for place, index in enumerate(order)}
    scores = {str(index): round(points[str(index)], 6) for index in range(count)}
    return Judgment("", "", scores=scores, choice=order[0], mode="rank")


def _number(value: Any) -> float:
    try:
        number = float(value)
    except (TypeError, ValueError):
        raise TypeError(
            f"returned {value!r}; a verdict is a number, a mapping of numbers, a Judgment or None"
        ) from None
    if not math.isfinite(number):
        raise ValueError(f"returned {value!r}, which is not a finite number; return None to abstain")
    return number


def _problem(error: Exception) -> str:
    """Return an exception with its place, unless it is about the value that came back."""
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename != __file__]
    text = str(error)
    if text.startswith("returned ") or not frames:
        return text or type(error).__name__
    return f"{type(error).__name__}: {text} ({Path(frames[-1].filename).name}:{frames[-1].lineno})"
