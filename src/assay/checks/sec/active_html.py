"""Active HTML: scripts, frames, forms, event handlers, redirects.

Markdown may contain HTML, and a viewer that does not sanitise it will run a script, load a frame or redirect the reader.
Agents copy such markup from web pages, where attackers may have put it.

Code blocks, inline code and HTML that only formats (``<br>``, ``<sup>``, ``<details>``) are not flagged.

Known problems: markup that is split over several lines in unusual ways may not be found.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from assay.checks.base import Check, Context, Example, Hit
from assay.checks.prose import in_code
from assay.checks.wording import Wording
from assay.subjects.span import Span
from assay.text.phrases import PhraseFile

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assay.subjects.report import Report

_PHRASES: Final = PhraseFile("assay.checks", "sec")

# A literal "<" first: texts without one cost a single search.
_ACTIVE: Final = _PHRASES.pattern(
    r"<(?P<tag><<active_html_active.en>>)(?=[\s/>])(?P<rest>[^<>]{0,400})>?", flags=re.IGNORECASE
)
_HANDLER: Final = re.compile(
    r"<[a-z][a-z0-9]{0,15}\b[^<>]{0,300}?[\s\"'/](?P<name>on[a-z]{3,20})\s*=\s*[\"']?[^\s<>\"']",
    re.IGNORECASE,
)
_HARMLESS: Final = frozenset({"svg", "math", "link", "meta", "input", "button", "base"})
# Elements that act by what they contain; the others need an address.
_CONTAINERS: Final = ("script", "form")
_CAP: Final = 8

_ACTIVE_ELEMENT: Final = Wording(
    en="<{tag}> is active HTML: a viewer that does not sanitise it will {effect}",
    zh="<{tag}> 是活动 HTML：未经过滤的阅读器会{effect}",
)
_ACTIVE_HANDLER: Final = Wording(
    en="The handler {name}= runs code when the report is shown or touched",
    zh="事件属性 {name}= 会在报告显示或被点击时运行代码",
)
_ACT: Final = Wording(en="act on it", zh="执行它")


def run(report: Report, context: Context) -> Iterator[Hit]:
    """Yield one finding for each active element or event handler, up to a maximum."""
    source = report.source
    if "<" not in source:
        return
    findings = 0
    # The offset of each container's last end tag takes one search, however many start tags there are.
    last = {tag: _last_end(source, tag) for tag in _CONTAINERS}
    for match in _ACTIVE.finditer(source):
        tag = match["tag"].lower()
        rest = match["rest"].lower()
        if (tag in _HARMLESS and not _harmful(tag, rest)) or not _does_anything(last, match.end(), tag, rest):
            continue
        if in_code(report, match.start()):
            continue
        yield Hit(
            Span(match.start(), match.end()),
            _ACTIVE_ELEMENT(tag=tag, effect=_DOES.get(tag, _ACT)),
            confidence=0.92,
        )
        findings += 1
        if findings == _CAP:
            return
    if "=" in source and ("on" in source or "ON" in source) and _any_handler(source):
        for match in _HANDLER.finditer(source):
            if not in_code(report, match.start()):
                yield Hit(
                    Span(match.start(), match.end()),
                    _ACTIVE_HANDLER(name=match["name"].lower()),
                    confidence=0.92,
                )
                findings += 1
                if findings == _CAP:
                    return


_DOES: Final = {
    "script": Wording(en="run it", zh="运行其中的脚本"),
    "iframe": Wording(en="load another page into the report", zh="在报告中加载其他网页"),
    "frame": Wording(en="load another page into the report", zh="在报告中加载其他网页"),
    "object": Wording(en="load what it names", zh="加载它指定的内容"),
    "embed": Wording(en="load what it names", zh="加载它指定的内容"),
    "applet": Wording(en="load what it names", zh="加载它指定的内容"),
    "form": Wording(en="send what the reader enters", zh="提交读者填写的内容"),
    "base": Wording(
        en="resolve every relative address against another site", zh="使所有相对地址都指向另一个网站"
    ),
    "meta": Wording(en="send the reader elsewhere", zh="把读者带到别的网页"),
    "link": Wording(en="load what it names", zh="加载它指定的内容"),
}
_ANY_HANDLER: Final = re.compile(r"<[^<>]{0,300}?\son[a-z]{3,20}\s*=", re.IGNORECASE)


def _last_end(source: str, tag: str) -> int:
    return max(source.rfind(f"</{tag}"), source.rfind(f"</{tag.upper()}"), source.rfind(f"</{tag.title()}"))


def _does_anything(last: dict[str, int], end: int, tag: str, rest: str) -> bool:
    """Return whether an element can have an effect: it has an attribute, or an end tag follows.

    Manuals write ``-S <script>``, but a browser ignores a script that never ends and a frame without an address.
    """
    if "=" in rest or tag in _HARMLESS:
        return True
    return last.get(tag, -1) >= end


def _any_handler(source: str) -> bool:
    return _ANY_HANDLER.search(source) is not None


def _harmful(tag: str, rest: str) -> bool:
    if tag == "meta":
        return "refresh" in rest
    if tag == "link":
        return "stylesheet" in rest or "import" in rest
    if tag == "base":
        return "href" in rest
    # Images and buttons have no effect on their own; their event handlers are checked below.
    return False


CHECK = Check(
    code="SEC004",
    name="active-html",
    severity="error",
    summary="Scripts, frames, forms, redirects or event handlers in the report.",
    run=run,
    bad=(
        Example('Sales rose by 4 %.\n\n<script src="https://x.example.net/a.js"></script>\n'),
        Example('Sales rose by 4 %. <img src="x" onerror="fetch(\'https://x.example.net\')"> Bills fell.\n'),
        Example("Sales rose by 4 %. <script>alert('XSS')</script> Bills fell. <svg/onload=alert(1)>\n"),
        Example('销量增长4%。<meta http-equiv="refresh" content="0;url=https://x.example.net">\n'),
    ),
    good=(
        Example("The option -S <script> runs a file, and -o <object> names the output."),
        Example(
            "Sales rose by 4 %<sup>1</sup>.<br>Bills fell.\n\n<details><summary>More</summary>Load rose.</details>\n"
        ),
        Example(
            'Put `<script src="a.js"></script>` into the page head:\n\n```html\n<script>run()</script>\n```\n'
        ),
        Example("销量 <4% 且 >2% 时，<b>电费</b>下降。\n"),
    ),
)
