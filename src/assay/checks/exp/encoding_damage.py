"""Characters that were decoded wrongly or escaped once too often: "â€™", "Ã©", �, "&amp;nbsp;", 锟斤拷.

The text was decoded with the wrong character set or escaped twice. Not only punctuation but also words and figures may be
damaged, and readers cannot know which. All places of one kind make one finding.

Known problems: a text about character sets is flagged if it quotes such strings outside code.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from assay.checks.base import Check, Context, Example, Hit
from assay.checks.prose import in_code
from assay.checks.wording import Wording
from assay.subjects.span import Span

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assay.subjects.report import Report

_DAMAGED: Final = Wording(
    en="Damaged text in “{word}”: {reason}{more}", zh="“{word}”中有乱码：{reason}{more}"
)
_MORE: Final = Wording(en=" (and {n} more)", zh="（另有{n}处）")
_AS_WINDOWS: Final = Wording(en="UTF-8 read as Windows-1252", zh="UTF-8 被当作 Windows-1252 读取")
_AS_LATIN: Final = Wording(en="UTF-8 read as Latin-1", zh="UTF-8 被当作 Latin-1 读取")
_UNDECODED: Final = Wording(en="a character that could not be decoded", zh="有字符无法解码")
_ESCAPED_TWICE: Final = Wording(en="escaped twice", zh="重复转义")
_ESCAPE: Final = Wording(en="an escape sequence", zh="转义序列没有还原")
# A literal that every match contains, the pattern, and what happened. Lead bytes of UTF-8 decoded as Latin-1 or
# Windows-1252 are followed by the characters that the next bytes give there.
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
    (
        "&amp;",
        re.compile(
            r"&amp;(?:#\d{1,5}|#x[0-9a-fA-F]{1,5}|nbsp|amp|lt|gt|quot|ndash|mdash|rsquo|lsquo|ldquo|rdquo|hellip);"
        ),
        _ESCAPED_TWICE,
    ),
    ("\\u", re.compile(r"(?>(?:\\u[0-9a-fA-F]{4}){1,200})"), _ESCAPE),
)
_SHOWN: Final = 8


def run(report: Report, context: Context) -> Iterator[Hit]:
    """Yield a finding for each kind of damage, at its first place."""
    source = report.source
    for literal, pattern, reason in _DAMAGE:
        if literal not in source:
            continue
        spans = [
            Span(*match.span()) for match in pattern.finditer(source) if not in_code(report, match.start())
        ]
        if spans:
            first = spans[0]
            left = source[max(0, first.start - 15) : first.start].split()
            right = source[first.end : first.end + 15].split()
            word = (
                (left[-1] if left and not source[first.start - 1].isspace() else "")
                + report.text(first)
                + (right[0] if right and not source[first.end].isspace() else "")
            )
            yield Hit(
                first,
                _DAMAGED(word=word, reason=reason, more=_MORE(n=len(spans) - 1) if len(spans) > 1 else ""),
                related=tuple(spans[1:_SHOWN]),
                confidence=0.95,
            )


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
