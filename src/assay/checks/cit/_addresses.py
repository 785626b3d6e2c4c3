"""Faults of a web address that show without opening it."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from assay.checks.base import Severity
from assay.checks.wording import FilledWording, Wording
from assay.text.phrases import PhraseFile

_PHRASES: Final = PhraseFile("assay.checks", "cit")


class Problem(NamedTuple):
    """What is wrong with an address.

    Attributes:
        what: The fault, worded to follow the address in a sentence.
        confidence: Probability that a careful reader agrees.
        severity: Replaces the check's severity, if given.
        local: Whether the address leads to one machine only, as addresses in instructions do on purpose.
    """

    what: FilledWording
    confidence: float
    severity: Severity | None = None
    local: bool = False


# Nearly every address matches this pattern. The others are examined part by part.
_GOOD: Final = re.compile(
    r"(?:https?://|www\.)(?:[^\W_](?:[\w\-]{0,62})\.){1,8}[^\W\d_]{2,24}\.?(?::\d{2,5})?(?:[/?#][^\s<>\"\\^`…]*)?",
    re.IGNORECASE,
)
# A well-formed address that contains none of these is correct. They are looked up once in the whole text, since most
# texts contain none or one.
_SUSPECTS: Final = (
    "example.com",
    "example.net",
    "example.edu",
    "placeholder",
    "your-",
    "yourd",
    "yours",
    "your_",
    "insert",
    "doi.org/",
    "arxiv.org/",
    "...",
    "%e2%80%a6",
    "/path/to/",
    "xxxx",
    "//http",
)
_HOST: Final = re.compile(r"(?i)^(?:https?://)?(?:[^@/?#]*@)?([^/?#:]*)")
_DOI: Final = re.compile(r"(?i)(?:^|//|\.)doi\.org/(?P<doi>[^?#\s]*)")
_ARXIV: Final = re.compile(r"(?i)arxiv\.org/(?:abs|pdf|html)/(?P<id>[^?#\s]*)")
_ARXIV_NEW: Final = re.compile(r"(?P<yy>\d\d)(?P<mm>\d\d)\.\d{4,5}(?:v\d{1,2})?(?:\.pdf)?/?$")
_ARXIV_OLD: Final = re.compile(r"[a-z\-]+(?:\.[a-z]{2})?/\d{7}(?:v\d{1,2})?(?:\.pdf)?/?$", re.IGNORECASE)
_BARE_PATH: Final = _PHRASES.pattern(r"(?i)^/?(?:$|(?:<<addresses_bare_path.en>>)s?[-_/]?\d{0,3}/?$)")
_PRIVATE: Final = re.compile(r"^(?:127\.|10\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.|0\.0\.0\.0)")
_IPV4: Final = re.compile(r"^\d{1,3}(?:\.\d{1,3}){3}$")
_TWO_SCHEMES: Final = Wording(en="has its scheme twice", zh="写了两遍协议头")
_CUT_OFF: Final = Wording(en="is cut off with an ellipsis", zh="被省略号截断")
_PLACEHOLDER: Final = Wording(en="is a placeholder", zh="只是占位的示例地址")
_NOT_A_DOI: Final = Wording(
    en="is not a DOI: “{doi}” does not begin with “10.”", zh="不是有效的 DOI：“{doi}”不以“10.”开头"
)
_NO_DOI: Final = Wording(en="has no DOI after the host", zh="的主机名后面没有 DOI")
_NO_SUCH_MONTH: Final = Wording(
    en="cannot be an arXiv number: month {month}", zh="不可能是 arXiv 编号：月份为{month}"
)
_NOT_ARXIV: Final = Wording(en="is not an arXiv number: “{id}”", zh="不是 arXiv 编号：“{id}”")
_NO_HOST: Final = Wording(en="has no host", zh="没有主机名")
_PRIVATE_HOST: Final = Wording(en="points to a private machine", zh="指向私有网络中的机器")
_OWN_HOST: Final = Wording(en="points to the writer's own machine", zh="指向作者本机")
_NO_DOMAIN: Final = Wording(en="has no domain: “{host}”", zh="没有域名：“{host}”")
_BROKEN_HOST: Final = Wording(en="has a broken host: “{host}”", zh="的主机名不正确：“{host}”")
_NO_TOP_LEVEL: Final = Wording(en="has no top-level domain: “{host}”", zh="没有顶级域名：“{host}”")


def suspects(text: str) -> tuple[str, ...]:
    """Return the strings in ``text`` that a well-formed address with a fault must contain one of."""
    lower = text.lower()
    return tuple(word for word in _SUSPECTS if word in lower)


def address_problem(url: str, suspicious: tuple[str, ...] = _SUSPECTS) -> Problem | None:
    """Return what is wrong with ``url``, or None. ``suspicious`` is what `suspects` returned for the whole text.

    >>> address_problem("https://energy.example.org/a") is None
    True
    >>> address_problem("https://https://energy.example.org/a").what.text("en")
    'has its scheme twice'
    """
    if _GOOD.fullmatch(url):
        if not suspicious:
            return None
        lower = url.lower()
        return _special(lower) if any(word in lower for word in suspicious) else None
    rest = url.partition("://")[2]
    if re.match(r"(?i)https?(?::|//|/)", rest):
        return Problem(_TWO_SCHEMES(), 0.95)
    if "…" in url:
        return Problem(_CUT_OFF(), 0.9)
    match = _HOST.match(url)
    host = match[1] if match else ""
    if not host:
        return Problem(_NO_HOST(), 0.9)
    if _IPV4.match(host):
        return Problem(_PRIVATE_HOST(), 0.9, local=True) if _PRIVATE.match(host) else None
    if host.lower() == "localhost" or host.endswith((".local", ".localhost", ".internal")):
        return Problem(_OWN_HOST(), 0.9, local=True)
    if "." not in host:
        return Problem(_NO_DOMAIN(host=host), 0.85, local=True) if not host.startswith("[") else None
    if ".." in host or host.startswith((".", "-")):
        return Problem(_BROKEN_HOST(host=host), 0.9)
    if not re.fullmatch(r"[^\W\d_]{2,24}|xn--[a-z0-9\-]+", host.rpartition(".")[2], re.IGNORECASE):
        return Problem(_NO_TOP_LEVEL(host=host), 0.85)
    return None


def _special(lower: str) -> Problem | None:
    """Return the fault of a well-formed address in lower case, such as a placeholder or an impossible DOI, or None."""
    if "//http" in lower[:14]:
        return Problem(_TWO_SCHEMES(), 0.95)
    if lower.endswith(("...", "%e2%80%a6")):
        return Problem(_CUT_OFF(), 0.9)
    match = _HOST.match(lower)
    host = match[1].removeprefix("www.") if match else ""
    path = lower.partition("://")[2].partition("/")[2].partition("?")[0]
    if host in ("example.com", "example.net", "example.edu") and _BARE_PATH.match(path):
        # Reserved for examples; in a reference list it is a blank that was never filled in.
        return Problem(_PLACEHOLDER(), 0.7, "info")
    if re.match(
        r"(?:your[-_]?(?:domain|site|website|link|url)|placeholder|insert[-_\w]*|domain|website|x{3,})\.",
        host,
    ):
        return Problem(_PLACEHOLDER(), 0.9)
    if re.search(r"(?:^|/)(?:insert[-_][\w\-]*(?:here|link|url)|path/to/|x{4,}(?:$|[/.]))", path):
        return Problem(_PLACEHOLDER(), 0.85)
    if (
        (doi := _DOI.search(lower))
        and not doi["doi"].startswith(("10.", "abs/", "pdf/"))
        and "doi.org/" in host + "/"
    ):
        return Problem(_NOT_A_DOI(doi=doi["doi"][:40]), 0.85) if doi["doi"] else Problem(_NO_DOI(), 0.85)
    if arxiv := _ARXIV.search(lower):
        new = _ARXIV_NEW.match(arxiv["id"])
        if new and not 1 <= int(new["mm"]) <= 12:
            return Problem(_NO_SUCH_MONTH(month=new["mm"]), 0.95)
        if not new and not _ARXIV_OLD.match(arxiv["id"]):
            return Problem(_NOT_ARXIV(id=arxiv["id"][:30]), 0.8)
    return None
