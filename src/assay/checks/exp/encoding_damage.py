"""Characters that were decoded wrongly or escaped once too often: "â€™", "Ã©", �, "&amp;nbsp;", 锟斤拷.

The text was decoded with the wrong character set or escaped twice. Not only punctuation but also words and figures may be
damaged, and readers cannot know which.

Known problems: a text about character sets is flagged if it quotes such strings outside code.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from assay.checks.base import Check, Context, Example, RawFinding
from assay.checks.exp._shared import in_code
from assay.checks.wording import Wording
from assay.subjects.span import Span

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assay.subjects.report import Report

# Lead bytes of UTF-8 decoded as Latin-1 or Windows-1252, and patterns with the characters that may follow them.
_DAMAGED: Final = Wording(
    en="Damaged text in “{word}”: {reason}{more}", zh="“{word}”中有乱码：{reason}{more}"
)
_MORE: Final = Wording(en=" (and {n} more)", zh="（另有{n}处）")
_AS_WINDOWS: Final = Wording(en="UTF-8 read as Windows-1252", zh="UTF-8 被当作 Windows-1252 读取")
_AS_LATIN: Final = Wording(en="UTF-8 read as Latin-1", zh="UTF-8 被当作 Latin-1 读取")
_UNDECODED: Final = Wording(en="a character that could not be decoded", zh="有字符无法解码")
_MEMORY: Final = Wording(en="memory printed as text", zh="内存内容被当作文字输出")
_ESCAPED_TWICE: Final = Wording(en="escaped twice", zh="重复转义")
_ESCAPE: Final = Wording(en="an escape sequence", zh="转义序列没有还原")
_DAMAGE: Final[tuple[tuple[str, re.Pattern[str], Wording], ...]] = (
    (
        "â",
        re.compile(
            "(?:â(?:€[\u0080-\u00bf™œ\u009d˜“”¦¢–—\u201a-\u203a]?|\u0080[\u0080-\u00bf]|„¢|‚¬|†[’‘“]|ˆ’))+"
        ),
        _AS_WINDOWS,
    ),
    (
        "Ã",
        re.compile("(?:Ã[\u0080-\u00bf©¨¼¶¤±³¡­§ªº«´®¯¢°²µ¹»\u0192\u201a\u2020-\u2022\u0160\u0153\u017d])+"),
        _AS_LATIN,
    ),
    ("Â", re.compile("Â[\u00a0°±²³·£¥§©®«»]"), _AS_LATIN),
    ("ï", re.compile("ï»¿|ï¼[\u0080-\u00bf]|ï¿½"), _AS_LATIN),
    ("\ufffd", re.compile("\ufffd+"), _UNDECODED),
    ("锟", re.compile("(?:锟斤拷)+"), _UNDECODED),
    ("烫烫", re.compile("烫{3,}"), _MEMORY),
    (
        "&amp;",
        re.compile(
            r"&amp;(?:#\d{1,5}|#x[0-9a-fA-F]{1,5}|nbsp|amp|lt|gt|quot|ndash|mdash|rsquo|lsquo|ldquo|rdquo|hellip);"
        ),
        _ESCAPED_TWICE,
    ),
    ("\\u", re.compile(r"(?>(?:\\u[0-9a-fA-F]{4}){1,200})"), _ESCAPE),
)
_MOST: Final = 5


def run(report: Report, context: Context) -> Iterator[RawFinding]:
    """Yield a finding for each of the first five spans of each kind of damage; the fifth says how many more there are."""
    source = report.source
    for literal, pattern, reason in _DAMAGE:
        if literal not in source:
            continue
        spans = [match.span() for match in pattern.finditer(source) if _in_text(report, match.start())]
        for i, (start, end) in enumerate(spans[:_MOST]):
            word = _around(source, start, end)
            more = _MORE(n=len(spans) - _MOST) if i == _MOST - 1 and len(spans) > _MOST else ""
            yield RawFinding(Span(start, end), _DAMAGED(word=word, reason=reason, more=more), confidence=0.95)


def _in_text(report: Report, at: int) -> bool:
    block = report.block_at(at)
    return (block is None or block.kind != "code") and not in_code(report, at)


def _around(source: str, start: int, end: int) -> str:
    left = max(
        source.rfind(" ", max(0, start - 16), start),
        source.rfind("\n", max(0, start - 16), start),
        start - 16,
    )
    right = min(
        offset
        for offset in (source.find(" ", end, end + 16), source.find("\n", end, end + 16), end + 16)
        if offset >= 0
    )
    return source[max(0, left + 1) : right]


CHECK = Check(
    code="EXP012",
    name="encoding-damage",
    severity="warning",
    summary="wrongly decoded or doubly escaped characters",
    run=run,
    bad=(
        Example("The firmâ€™s cafÃ© sales rose by 12&amp;nbsp;%."),
        Example("销量增长了\ufffd\ufffd%，其余数据锟斤拷。"),
    ),
    good=(
        Example("Line breaks are sent as `\\u2028` or `&amp;nbsp;`, and sales rose by 12 %."),
        Example("The firm’s café sales rose by 12&nbsp;%, said Ângela Sâ of São Paulo."),
        Example("销量增长了12%，其余数据不详。"),
    ),
    failure="expression_quality",
)
