"""Tool responses cut into the passages that belong to each address in them."""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import TYPE_CHECKING, Any, Final

import msgspec

from assay.subjects.references import URL, clean_url, normalize_url

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from assay.subjects.trajectory import ToolCall

# A line that opens a result: "2. [Title](https://…)", "URL: https://…", "[3] Title – https://…", a bare address.
_HEAD: Final = re.compile(
    r"^[ \t>]*(?:[-*•][ \t]+|\[?\d{1,3}[\].)][ \t]*)?(?:\**(?:url|link|source|page|webpage|来源|链接"
    r"|网址)\**[ \t]*[:：=][ \t]*|\[[^\n]{0,400}\]\(|<)?"
    r"(?=https?://|www\.)|^[ \t]*(?:[-*•][ \t]+|\[?\d{1,3}[\].)][ \t]*)[^\n]{0,300}?(?=https?://)"
    r"|^The useful information in (?=http)|^=======",
    re.IGNORECASE | re.MULTILINE,
)
_URL_FIELDS: Final = ("url", "link", "href", "source", "uri")
_TITLE_REACH: Final = 200


def cut_passages(call: ToolCall) -> Iterator[tuple[str, str]]:
    """Address and text of each passage of a response; an address may come more than once."""
    response = call.response or ""
    visited = list(dict.fromkeys(clean_url(url) for url in URL.findall(call.argument_text)))
    if response[:1] in "[{" and (objects := list(_objects(response))):
        yield from objects
        return
    heads = _heads(response)
    if len(visited) == 1 and (
        not heads or all(normalize_url(url) == normalize_url(visited[0]) for _, url in heads)
    ):
        # A page that was opened: whatever it links to, its words are its own.
        yield visited[0], response
    elif visited and not heads:
        for url in visited:
            yield url, response
    for i, (start, url) in enumerate(heads):
        stop = heads[i + 1][0] if i + 1 < len(heads) else len(response)
        yield url, response[start:stop].replace("=======", "").strip()
    starts = [start for start, _ in heads]
    for match in URL.finditer(response):
        # An address inside a passage was seen too; its passage is the line it stands in.
        url = clean_url(match.group())
        at = bisect_right(starts, match.start()) - 1
        if at < 0 or normalize_url(heads[at][1]) != normalize_url(url):
            begin = response.rfind("\n", 0, match.start()) + 1
            end = response.find("\n", match.end())
            yield url, response[begin : end if end >= 0 else len(response)].strip()


def _heads(response: str) -> list[tuple[int, str]]:
    """Return where the passage of each result begins, and its address; separators close the passage before them."""
    out: list[tuple[int, str]] = []
    for match in _HEAD.finditer(response):
        found = URL.match(response, match.end())
        if found is None:
            continue
        url = found.group()
        bracket = url.find(")")
        if "](" in match.group() and bracket >= 0 and url[:bracket].count("(") <= url[:bracket].count(")"):
            url = url[:bracket]
        elif "](" in match.group() and url.endswith(")") and url.count(")") > url.count("("):
            url = url[:-1]
        start = match.start()
        title = response.rfind("\n", 0, max(0, start - 1))
        # "Title: …" on the line above belongs to the result.
        above = response[title + 1 : start]
        if (
            start
            and len(above) < _TITLE_REACH
            and re.match(r"(?i)\s*(?:[-*\d.\[\]#]+\s*)?\**(?:title|标题)\**\s*[:：]", above)
        ):
            start = title + 1
        out.append((start, clean_url(url)))
    return out


def _objects(response: str) -> Iterable[tuple[str, str]]:
    """Result objects of a JSON response: their address and all their words."""
    try:
        data = msgspec.json.decode(response)
    except (msgspec.DecodeError, RecursionError):
        return
    stack: list[Any] = [data]
    while stack:
        item = stack.pop()
        if isinstance(item, list):
            stack.extend(item)
        elif isinstance(item, dict):
            url = next(
                (
                    item[f]
                    for f in _URL_FIELDS
                    if isinstance(item.get(f), str) and item[f].startswith(("http://", "https://", "www."))
                ),
                None,
            )
            if url is not None:
                yield url, "\n".join(_strings(item))
            else:
                stack.extend(item.values())


def _strings(item: Any) -> Iterator[str]:
    stack = [item]
    while stack:
        top = stack.pop()
        if isinstance(top, str):
            yield top
        elif isinstance(top, dict):
            stack.extend(reversed(list(top.values())))
        elif isinstance(top, list):
            stack.extend(reversed(top))
