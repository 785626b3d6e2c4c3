"""An address that cannot lead anywhere: cut off, without a domain, with two schemes, or a placeholder.

A source that cannot be opened cannot be checked. Only the text of the address is examined; nothing is fetched. Flagged
are addresses with an ellipsis, without a host or top-level domain, with two schemes or on the writer's own machine,
placeholders, empty link targets and targets with spaces, and DOIs and arXiv numbers that cannot exist. One finding for
each kind of fault gives the number of addresses that have it.

Addresses in code and local addresses that the text shows as such (``http://localhost:8080``) are not flagged.

Known problems: dead links with well-formed addresses are not found. A future format of arXiv numbers would be flagged.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

import msgspec

from assay.checks.base import Check, Context, Example, Hit
from assay.checks.cit._addresses import address_problem, suspects
from assay.checks.cit._shared import excerpt
from assay.checks.wording import FilledWording, Wording
from assay.subjects.span import Span
from assay.text.phrases import PhraseFile

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assay.checks.cit._addresses import Problem
    from assay.subjects.report import Report

_PHRASES: Final = PhraseFile("assay.checks", "cit")

_RELATED: Final = 8
_REACH: Final = 400
_SPACED: Final = re.compile(r"\]\((?P<target>(?:https?:|www\.)[^\n()]{0,300}?)\)")
_TITLED: Final = re.compile(r"""\S+[ ]+(?:"[^"]*"|'[^']*')\s*$""")
_EMPTY_TARGET: Final = _PHRASES.pattern(
    "(?i)^(?:url|link|source|href|#|<<malformed_link_empty_target.en>>|<<malformed_link_empty_target.zh>>)?$",
)
# Addresses with a damaged scheme: "http:/energy…", "https//energy…", "htps://…".
_BROKEN: Final = re.compile(
    r"(?<![\w/.])(?:https?:/(?!/)[\w.\-]+|https?//[\w.\-]+|(?:hhtps?|htps|htttps?|ttps?)://\S+|https?:///?\s)",
    re.IGNORECASE,
)

_PROBLEM: Final = Wording(en="“{address}” {problem}", zh="网址“{address}”{problem}")
_CUT_OFF: Final = Wording(en="“{address}” is cut off with an ellipsis", zh="网址“{address}”被省略号截断")
_NO_ADDRESS: Final = Wording(en="The link “{words}” has no address", zh="链接“{words}”没有网址")
_SPACE: Final = Wording(
    en="The address “{address}” contains a space, so the link is broken",
    zh="网址“{address}”中有空格，链接因此失效",
)
_NOT_AN_ADDRESS: Final = Wording(en="“{text}” is not an address", zh="“{text}”不是有效的网址")
_LIKEWISE: Final = Wording(
    en="{first}, and so {n:=is|are} {n:other address|other addresses}", zh="{first}，另有{n}处网址同样有误"
)


def run(report: Report, context: Context) -> Iterator[Hit]:
    """Yield one finding for each kind of fault, at the first address that has it."""
    groups: dict[str, dict[Span, Hit]] = {}
    for finding in sorted(_all(report), key=lambda finding: finding.span):
        problem = (
            finding.message.values.get("problem") if isinstance(finding.message, FilledWording) else None
        )
        fault = _fault(problem if isinstance(problem, FilledWording) else finding.message)
        groups.setdefault(fault, {}).setdefault(finding.span, finding)
    for found in groups.values():
        first, *others = found.values()
        if others:
            yield msgspec.structs.replace(
                first,
                message=_LIKEWISE(first=first.message, n=len(others)),
                related=tuple(finding.span for finding in others[:_RELATED]),
            )
        else:
            yield first


def _fault(message: FilledWording | str) -> str:
    return message.wording.en if isinstance(message, FilledWording) else message


def _all(report: Report) -> Iterator[Hit]:
    source = report.source
    listed = report.reference_span
    suspicious = suspects("\n".join([inline.target for inline in report.inlines if inline.target]))
    for inline in report.inlines:
        kind = inline.kind
        if kind not in ("url", "link", "marker") or inline.target is None:
            continue
        target = inline.target
        problem: Problem | None = None
        if target.startswith(("http", "www.")) or target[:4].lower() == "http":
            end = inline.end
            if (
                kind == "url"
                and source.startswith(("...", "…"), end)
                and len(target) > 12
                and _in_list(listed, inline.start)
                and not _given_in_full(source, target, end)
            ):
                yield Hit(
                    Span(inline.start, inline.end),
                    _CUT_OFF(address=excerpt(target, 80)),
                    confidence=0.85,
                )
                continue
            problem = address_problem(target, suspicious)
            if problem is None:
                continue
            local = problem.local
            if local and not _in_list(listed, inline.start) and kind == "url":
                # Instructions name local addresses; sources do not.
                continue
            if _in_code(report, inline.start):
                continue
            if (
                local
                and source[inline.inner_start : inline.inner_end].strip("` ") in target
                and kind != "url"
            ):
                continue
        elif kind == "link" and _EMPTY_TARGET.match(target) and not _in_code(report, inline.start):
            words = excerpt(source[inline.inner_start : inline.inner_end], 40)
            if words and words.lower() != "x":
                yield Hit(Span(inline.start, inline.end), _NO_ADDRESS(words=words), confidence=0.85)
            continue
        if problem is not None:
            yield Hit(
                Span(inline.start, inline.end),
                _PROBLEM(address=excerpt(target, 80), problem=problem.what),
                confidence=problem.confidence,
                severity=problem.severity,
            )
    yield from _spaced(report)
    for ref in report.references:
        if (
            ref.url is None
            and "tp" in (text := source[ref.span.start : ref.span.end].lower())
            and (match := _BROKEN.search(text))
        ):
            yield Hit(ref.span, _NOT_AN_ADDRESS(text=excerpt(match.group(), 60)), confidence=0.85)


def _spaced(report: Report) -> Iterator[Hit]:
    source = report.source
    at = source.find("](http")
    while at >= 0:
        # Markdown ends a target at a space, so only targets with a space are broken.
        stop = min(
            (i for i in (source.find(end, at, at + _REACH) for end in (")", "\n", " ")) if i >= 0), default=at
        )
        if stop > at and source[stop] == " " and (match := _SPACED.match(source, at)):
            target = match["target"]
            # A text fragment quotes the source, blanks and all; readers and browsers understand it.
            if (
                " " in target.partition("#:~:text=")[0].strip()
                and not _TITLED.match(target)
                and not _in_code(report, at)
            ):
                start = source.rfind("[", max(0, at - 300), at)
                yield Hit(
                    Span(start if start >= 0 else at, match.end()),
                    _SPACE(address=excerpt(target, 60)),
                    confidence=0.85,
                )
        at = source.find("](http", at + 6)


def _in_list(listed: Span | None, offset: int) -> bool:
    return listed is not None and listed.start <= offset < listed.end


def _given_in_full(source: str, target: str, end: int) -> bool:
    """Return whether the cut-off address is the title of an entry and the full address follows in the same line."""
    stop = source.find("\n", end, end + _REACH)
    return source.find(target, end, stop if stop >= 0 else end + _REACH) >= 0


def _in_code(report: Report, offset: int) -> bool:
    block = report.block_at(offset)
    return block is not None and block.kind == "code"


_TEXT = "Sales doubled [1]. Load rose [2].\n\n## References\n\n"
_TEXT_ZH = "销量翻番[1]。负荷上升[2]。\n\n## 参考文献\n\n"

CHECK = Check(
    code="CIT004",
    name="malformed-link",
    severity="warning",
    summary="An address that cannot lead anywhere: cut off, no domain, two schemes, placeholder, impossible "
    "DOI or arXiv number.",
    run=run,
    dimension="evidence_sufficiency",
    failure="citation_groundedness",
    bad=(
        Example(
            _TEXT
            + "[1] Survey: https://https://energy.example.org/survey\n[2] Grid study: https://grid.example.org/st…\n"
        ),
        Example(
            _TEXT + "[1] Survey: https://energy/survey\n[2] Grid study: https://arxiv.org/abs/2413.01234\n"
        ),
        Example(
            _TEXT_ZH + "[1] 调查: http://localhost:8000/survey\n[2] 电网研究: https://your-domain.com/grid\n"
        ),
    ),
    good=(
        Example(
            _TEXT
            + "[1] Survey: https://energy.example.org/survey\n[2] Grid study: https://arxiv.org/abs/2311.01234v2\n"
        ),
        Example(
            "Start the server and open http://localhost:8080 in a browser, or read [the "
            "manual](https://docs.example.org/m).\n"
        ),
        Example(
            _TEXT_ZH + "[1] 调查: https://web.archive.org/web/2020/https://a.example.org/s\n[2] 电网研究: "
            "https://doi.org/10.1000/182\n"
        ),
    ),
)
