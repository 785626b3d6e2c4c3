"""What went wrong with a call, and what to do about it.

try again       429, 408, 409, 425, 5xx, connections that break, timeouts, bodies that are no reply   Retry
mend the body   400 or 422 that names a parameter                                                     Unmended → Quirks
record          the prompt is too long; a filter declined                                             TooLong, Declined
stop            a wrong key, no such model, no money, a request nothing can mend                      Hopeless
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any, Final, Literal

import msgspec

from assay.models.wire import brief

# "rate": too many calls; "busy": the endpoint cannot now; "broken": what came was no reply, or nothing came;
# "unreachable": nobody was there.
# "long": the prompt does not fit; "declined": a filter; "field": a parameter, perhaps; "key", "model", "money",
# "request", "forbidden": no retry helps.
FaultKind = Literal[
    "rate",
    "busy",
    "broken",
    "unreachable",
    "long",
    "oversized",
    "declined",
    "field",
    "key",
    "model",
    "money",
    "forbidden",
    "request",
]

_LONG: Final = re.compile(
    r"context[ _]length|context window|maximum context|exceeds? the (?:available )?context|exceed_context_size"
    r"|prompt is too long|input (?:is )?too long|too many (?:input )?tokens|input token count|reduce the length"
    r"|longer than the (?:model's )?maximum|maximum (?:allowed )?(?:prompt|input) (?:length|tokens)",
    re.IGNORECASE,
)
_DECLINED: Final = re.compile(
    r"content[ _](?:filter|policy|management)|invalid_prompt|flagged|safety (?:system|policy)|moderation|data_inspection_failed",
    re.IGNORECASE,
)
_MONEY: Final = re.compile(
    r"insufficient[_ ](?:quota|credits?|balance|funds)|exceeded your current quota|billing|payment required|credit balance",
    re.IGNORECASE,
)
_BROKE: Final = re.compile(r"insufficient[_ ](?:quota|credits?|balance|funds)", re.IGNORECASE)
_NO_MODEL: Final = re.compile(
    r"model[^.]{0,80}(?:not found|does not exist|not exist|not available|no longer|unknown)|(?:no such|unknown|invalid) model"
    r"|not a valid model|model_not_found|no endpoints found",
    re.IGNORECASE,
)
_KEY: Final = re.compile(
    r"(?:invalid|incorrect|missing|no|expired)[^.]{0,20}(?:api[ _-]?key|credentials|token)|unauthori[sz]ed",
    re.IGNORECASE,
)
_AGAIN: Final = frozenset((408, 409, 425))
_DURATION: Final = re.compile(r"(\d+(?:\.\d+)?)(ms|h|m|s)")
_SECONDS: Final = {"h": 3600.0, "m": 60.0, "s": 1.0, "ms": 0.001}


class Fault(msgspec.Struct, frozen=True, kw_only=True):
    """A call that brought no reply.

    Attributes:
        kind: What to do about it.
        message: What happened, on one line.
        status: Of the HTTP answer, if there was one.
        wait: Seconds the endpoint asks to wait.
        parameter: The parameter it names.
        detail: All it said, for learning from.
    """

    kind: FaultKind
    message: str
    status: int | None = None
    wait: float | None = None
    parameter: str | None = None
    detail: str = ""

    @property
    def again(self) -> bool:
        """Whether trying again may help."""
        return self.kind in ("rate", "busy", "broken", "unreachable")


def fault_of(status: int, headers: Mapping[str, str], body: bytes) -> Fault:
    """What an HTTP answer that is not 200 means."""
    said, code, parameter = _said(body)
    everything = f"{said} {code}"
    kind = _kind(status, everything)
    wait = retry_after(headers, body) if kind in ("rate", "busy") else None
    message = f"HTTP {status}" + (f": {brief(said)}" if said else "")
    return Fault(
        kind=kind,
        message=message,
        status=status,
        wait=wait,
        parameter=parameter,
        detail=brief(everything, 2000),
    )


def _kind(status: int, text: str) -> FaultKind:
    if status == 401:
        return "key"
    if status == 402:
        return "money"
    if status == 429:
        if "request too large" in text.lower():
            # More tokens than the account may send in a minute: waiting does not make it fit.
            return "long"
        # "You exceeded your current quota" is said of a minute's quota too; the code is said of money only.
        return "money" if _BROKE.search(text) else "rate"
    if status >= 500 or status in _AGAIN:
        return "busy"
    if status == 413 or _LONG.search(text):
        return "long"
    if status == 403:
        return "declined" if _DECLINED.search(text) else "forbidden"
    if status == 404:
        return "model"
    if status in (400, 422):
        if _DECLINED.search(text):
            return "declined"
        if _MONEY.search(text):
            return "money"
        if _NO_MODEL.search(text):
            return "model"
        # Gemini says of a wrong key that it is a bad request.
        return "key" if _KEY.search(text) else "field"
    return "request"


def _said(body: bytes) -> tuple[str, str, str | None]:
    """Message, code and parameter of an error body, whichever of the usual forms it has."""
    text = body[:20_000].decode("utf-8", "replace")
    try:
        data: Any = json.loads(body)
    except (ValueError, RecursionError):
        return ("an HTML page" if text.lstrip()[:1] == "<" else text), "", None
    if isinstance(data, list) and data:
        data = data[0]
    if isinstance(data, dict) and data.get("error"):
        data = data["error"]
    if not isinstance(data, dict):
        return str(data), "", None
    message = data.get("message", data.get("detail", data.get("msg")))
    if message is None or not isinstance(message, str):
        message = json.dumps(message if message is not None else data, ensure_ascii=False)
    elif isinstance(data.get("metadata"), dict):
        # OpenRouter puts what the provider behind it said here.
        message = f"{message} {data['metadata'].get('raw', '')}"
    code = " ".join(str(data.get(key)) for key in ("code", "type", "status") if data.get(key))
    parameter = data.get("param")
    return message, code, parameter if isinstance(parameter, str) and parameter else None


def retry_after(
    headers: Mapping[str, str], body: bytes = b"", *, now: datetime | None = None
) -> float | None:
    """Seconds the endpoint asks to wait: by header, as a number or a date, or in the body as Gemini does."""
    exact = _number(headers.get("retry-after-ms"))
    if exact is not None:
        return exact / 1000
    said = headers.get("retry-after")
    if said:
        seconds = _number(said)
        if seconds is not None:
            return seconds
        try:
            until = parsedate_to_datetime(said)
        except ValueError:
            return _duration(said)
        if until.tzinfo is None:
            until = until.replace(tzinfo=UTC)
        return max(0.0, (until - (now or datetime.now(UTC))).total_seconds())
    inside = re.search(rb'"retryDelay"\s*:\s*"([0-9.]+m?s)"', body)
    return _duration(inside[1].decode()) if inside else None


def _number(text: str | None) -> float | None:
    try:
        value = float(text) if text else None
    except ValueError:
        return None
    return value if value is not None and 0 <= value < 1e9 else None


def _duration(text: str) -> float | None:
    found = _DURATION.findall(text)
    return sum(float(number) * _SECONDS[unit] for number, unit in found) if found else None
