"""What can be wrong with an address, as far as its letters tell."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from assay.checks.base import Severity


class Problem(NamedTuple):
    """What is wrong, in words that follow the address in a sentence; how sure; how bad where it is not the usual."""

    what: str
    confidence: float
    severity: Severity | None = None


# One match settles nearly every address; what it does not take is looked at part by part.
_GOOD: Final = re.compile(
    r"(?:https?://|www\.)(?:[^\W_](?:[\w\-]{0,62})\.){1,8}[^\W\d_]{2,24}\.?(?::\d{2,5})?(?:[/?#][^\s<>\"\\^`…]*)?",
    re.IGNORECASE,
)
# An address without any of these that is well formed is fine. Looked up once in the whole text: most have none or one.
_SUSPECTS: Final = (
    "example.com", "example.net", "example.edu", "placeholder", "your-", "yourd", "yours", "your_", "insert", "doi.org/",
    "arxiv.org/", "...", "%e2%80%a6", "/path/to/", "xxxx", "//http",
)  # fmt: skip
_HOST: Final = re.compile(r"(?i)^(?:https?://)?(?:[^@/?#]*@)?([^/?#:]*)")
_DOI: Final = re.compile(r"(?i)(?:^|//|\.)doi\.org/(?P<doi>[^?#\s]*)")
_ARXIV: Final = re.compile(r"(?i)arxiv\.org/(?:abs|pdf|html)/(?P<id>[^?#\s]*)")
_ARXIV_NEW: Final = re.compile(r"(?P<yy>\d\d)(?P<mm>\d\d)\.\d{4,5}(?:v\d{1,2})?(?:\.pdf)?/?$")
_ARXIV_OLD: Final = re.compile(r"[a-z\-]+(?:\.[a-z]{2})?/\d{7}(?:v\d{1,2})?(?:\.pdf)?/?$", re.IGNORECASE)
_BARE_PATH: Final = re.compile(
    r"(?i)^/?(?:$|(?:link|url|source|article|paper|page|report|reference|ref|study|news|doc)s?[-_/]?\d{0,3}/?$)"
)
_PRIVATE: Final = re.compile(r"^(?:127\.|10\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.|0\.0\.0\.0)")
_IPV4: Final = re.compile(r"^\d{1,3}(?:\.\d{1,3}){3}$")


def suspects(text: str) -> tuple[str, ...]:
    """What stands in ``text`` that can make a well-formed address of it a wrong one."""
    lower = text.lower()
    return tuple(word for word in _SUSPECTS if word in lower)


def address_problem(url: str, suspicious: tuple[str, ...] = _SUSPECTS) -> Problem | None:
    """What is wrong with ``url``, or None. ``suspicious``: what `suspects` found in the text around it.

    >>> address_problem("https://energy.example.org/a") is None
    True
    >>> address_problem("https://https://energy.example.org/a").what
    'has its scheme twice'
    """
    if _GOOD.fullmatch(url):
        if not suspicious:
            return None
        lower = url.lower()
        return _special(lower) if any(word in lower for word in suspicious) else None
    rest = url.partition("://")[2]
    if re.match(r"(?i)https?(?::|//|/)", rest):
        return Problem("has its scheme twice", 0.95)
    if "…" in url:
        return Problem("is cut off with an ellipsis", 0.9)
    match = _HOST.match(url)
    host = match[1] if match else ""
    if not host:
        return Problem("has no host", 0.9)
    if _IPV4.match(host):
        return Problem("points to a private machine", 0.9) if _PRIVATE.match(host) else None
    if host.lower() == "localhost" or host.endswith((".local", ".localhost", ".internal")):
        return Problem("points to the writer's own machine", 0.9)
    if "." not in host:
        return Problem(f'has no domain: "{host}"', 0.85) if not host.startswith("[") else None
    if ".." in host or host.startswith((".", "-")):
        return Problem(f'has a broken host: "{host}"', 0.9)
    if not re.fullmatch(r"[^\W\d_]{2,24}|xn--[a-z0-9\-]+", host.rpartition(".")[2], re.IGNORECASE):
        return Problem(f'has no top-level domain: "{host}"', 0.85)
    return None


def _special(lower: str) -> Problem | None:
    """Addresses that are well formed and still cannot be meant."""
    if "//http" in lower[:14]:
        return Problem("has its scheme twice", 0.95)
    if lower.endswith(("...", "%e2%80%a6")):
        return Problem("is cut off with an ellipsis", 0.9)
    match = _HOST.match(lower)
    host = match[1].removeprefix("www.") if match else ""
    path = lower.partition("://")[2].partition("/")[2].partition("?")[0]
    if host in ("example.com", "example.net", "example.edu") and _BARE_PATH.match(path):
        # Reserved for examples; in a reference list it is a blank that was never filled in.
        return Problem("is a placeholder", 0.7, "info")
    if re.match(
        r"(?:your[-_]?(?:domain|site|website|link|url)|placeholder|insert[-_\w]*|domain|website|x{3,})\.",
        host,
    ):
        return Problem("is a placeholder", 0.9)
    if re.search(r"(?:^|/)(?:insert[-_][\w\-]*(?:here|link|url)|path/to/|x{4,}(?:$|[/.]))", path):
        return Problem("is a placeholder", 0.85)
    if (
        (doi := _DOI.search(lower))
        and not doi["doi"].startswith(("10.", "abs/", "pdf/"))
        and "doi.org/" in host + "/"
    ):
        return (
            Problem(f'is no DOI: "{doi["doi"][:40]}" does not begin with "10."', 0.85)
            if doi["doi"]
            else Problem("has no DOI after the host", 0.85)
        )
    if arxiv := _ARXIV.search(lower):
        new = _ARXIV_NEW.match(arxiv["id"])
        if new and not 1 <= int(new["mm"]) <= 12:
            return Problem(f"cannot be an arXiv number: month {new['mm']}", 0.95)
        if not new and not _ARXIV_OLD.match(arxiv["id"]):
            return Problem(f'is no arXiv number: "{arxiv["id"][:30]}"', 0.8)
    return None
