"""What went wrong with a call, and what follows from it.

try again                 429, 408, 409, 425, 5xx, broken connections, timeouts, bodies that are not replies
change the request        400 or 422 that names a parameter (see `assay.models.quirks`)
give up this call         the prompt is too long, the response too large
record a refusal          a content filter declined
stop the model            wrong key, unknown model, no credit, a request that is refused in every form
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

# "rate": too many calls; "busy": the endpoint cannot answer now; "broken": no response, or not a reply;
# "unreachable": no server; "long": the prompt does not fit; "oversized": the response is too large; "declined": by a
# content filter; "field": perhaps a parameter; "key", "model", "money", "request", "forbidden": no retry helps.
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
    r"content[ _](?:filter|policy|management)|invalid_prompt|flagged|safety (?:system|policy)|moderation"
    r"|data_inspection_failed",
    re.IGNORECASE,
)
_MONEY: Final = re.compile(
    r"insufficient[_ ](?:quota|credits?|balance|funds)|exceeded your current quota|billing|payment required"
    r"|credit balance",
    re.IGNORECASE,
)
_BROKE: Final = re.compile(r"insufficient[_ ](?:quota|credits?|balance|funds)", re.IGNORECASE)
_NO_MODEL: Final = re.compile(
    r"model[^.]{0,80}(?:not found|does not exist|not exist|not available|no longer|unknown)"
    r"|(?:no such|unknown|invalid) model|not a valid model|model_not_found|no endpoints found",
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
        kind: What follows from it.
        message: What happened, on one line.
        status: HTTP status, if there was a response.
        wait: Seconds that the endpoint asks to wait.
        parameter: Parameter that the endpoint names.
        detail: The whole error message, to learn from.
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
    """Return the fault behind an HTTP response whose status is not 200."""
    text, code, parameter = _error_parts(body)
    everything = f"{text} {code}"
    kind = _kind(status, everything)
    wait = retry_after(headers, body) if kind in ("rate", "busy") else None
    message = f"HTTP {status}" + (f": {brief(text)}" if text else "")
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
            # More tokens than the account may send in a minute: waiting does not help.
            return "long"
        # "You exceeded your current quota" may mean a quota per minute; the code means money only.
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
        # Gemini reports a wrong key as a bad request.
        return "key" if _KEY.search(text) else "field"
    return "request"


def _error_parts(body: bytes) -> tuple[str, str, str | None]:
    """Return message, code and parameter of an error body in any of the usual forms."""
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
        # OpenRouter puts the message of the provider behind it here.
        message = f"{message} {data['metadata'].get('raw', '')}"
    code = " ".join(str(data.get(key)) for key in ("code", "type", "status") if data.get(key))
    parameter = data.get("param")
    return message, code, parameter if isinstance(parameter, str) and parameter else None


def retry_after(
    headers: Mapping[str, str], body: bytes = b"", *, now: datetime | None = None
) -> float | None:
    """Return the seconds that the endpoint asks to wait, by a header (number or date) or in the body (Gemini)."""
    exact = _number(headers.get("retry-after-ms"))
    if exact is not None:
        return exact / 1000
    header = headers.get("retry-after")
    if header:
        seconds = _number(header)
        if seconds is not None:
            return seconds
        try:
            until = parsedate_to_datetime(header)
        except ValueError:
            return _duration(header)
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
    parts = _DURATION.findall(text)
    return sum(float(number) * _SECONDS[unit] for number, unit in parts) if parts else None
