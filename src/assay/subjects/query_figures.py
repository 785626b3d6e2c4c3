"""Figures that a query asks for: "how many …", "what share of …", 多少, 占比.

    [asked.head for asked in read_figures("死刑的数量、比例、减刑率")]     # ["数量", "比例", "减刑率"]

A head is the noun whose value is wanted, as the query writes it, with other words for it. Nouns that may also be treated
in words (cost, risk, efficiency, impact) do not count.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

import msgspec

from assay.text.phrases import PhraseFile

if TYPE_CHECKING:
    from collections.abc import Iterator

_PHRASES: Final = PhraseFile("assay.subjects", "query_figures")

_HOW_MANY: Final = re.compile(
    r"\bhow many (?:(?:different|more|other|of the) )?(?P<head>[a-z]+(?: [a-z]+s)?)\b", re.IGNORECASE
)
_EN: Final = _PHRASES.pattern(
    r"\b(?P<head>(?:<<query_figures_measures.en>>)|(?:<<query_figures_shares.en>>))\b", flags=re.IGNORECASE
)
_EN_SHARE: Final = _PHRASES.pattern(r"(?:<<query_figures_shares.en>>)$", flags=re.IGNORECASE)
_ZH: Final = _PHRASES.pattern(
    "(?P<head>(?:<<query_figures_measures.zh>>)|(?:<<query_figures_shares.zh>>)|(?<![效功频概])[\u4e00-\u9fff]{2}率(?![先领性]))"
)
_ZH_SHARE: Final = _PHRASES.pattern("(?:<<query_figures_shares.zh>>|率)$")
_NOT_RATE: Final = _PHRASES.pattern("<<query_figures_not_rates.zh>>")
_OWNER: Final = re.compile("([\u4e00-\u9fff]{2,3})的?$")
# In these places a head is the subject of the question and not its answer: "an increase in the failure rate leads to …".
_AS_SUBJECT: Final = re.compile(r"(?:影响|提高|提升|降低|减少|优化|改善|高|低)[^，。；、]{0,4}$")


class AskedFigure(msgspec.Struct, frozen=True):
    """A figure that a query asks for.

    Attributes:
        head: What is counted or measured, as the query writes it.
        start: Offset into the query.
        end: Offset after its last character.
        words: Lower-case spellings of the head, other words for it included.
        is_share: Whether the figure must be a share, rate or ratio.
        owner: Chinese words right before the head that say whose figure it is (供应商 of 供应商的份额), or ``""``.
    """

    head: str
    start: int
    end: int
    words: tuple[str, ...]
    is_share: bool
    owner: str = ""


def read_figures(text: str) -> Iterator[AskedFigure]:
    """Yield the figures that a query asks for, each head once."""
    seen: set[str] = set()
    others = _PHRASES["query_figures_other_words"]
    known = others.choices("en") | others.choices("zh")
    for pattern, share in ((_HOW_MANY, None), (_EN, _EN_SHARE), (_ZH, _ZH_SHARE)):
        for match in pattern.finditer(text):
            head = match["head"].lower()
            before = text[max(0, match.start() - 12) : match.start()]
            if head in seen or _NOT_RATE.search(head) or _AS_SUBJECT.search(before):
                continue
            seen.add(head)
            words = (head, *known.get(head, ()))
            start, end = match.span("head")
            # In 甲、乙的数量 the last one is not the only owner.
            owner = _OWNER.search(before) if pattern is _ZH and "、" not in before else None
            yield AskedFigure(
                match["head"],
                start,
                end,
                words,
                bool(share and share.search(head)),
                owner[1] if owner else "",
            )
