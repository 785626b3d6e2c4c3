r"""How a line of a reference list begins, and how its heading reads.

``[1] …`` · ``1. …`` · ``\[1] …`` · ``[3] [17] …`` · ``[^1]: …`` · ``【1】…`` · ``〔1〕…`` · ``[注1] …`` · ``[d1] …`` · ``<sup>1</sup> …`` ·
``¹ …`` · ``注1：…`` · ``1 url: …``.
"""

from __future__ import annotations

import re
from typing import Final

from assay.text.markup import MARK_WORD
from assay.text.unbracketed_marks import SUPERSCRIPT_DIGITS

REFERENCE_TITLE: Final = re.compile(
    r"""^[\W\d一二三四五六七八九十IVX.]*(?:
        (?:(?:list\ of|full|key|main|selected|primary|cited|all|data|further)\ )*
        (?:references?|sources?|bibliography|works\ cited|citations?|literature(?:\ cited)?|footnotes?
        |end\ ?notes?|reference\ list)
        (?:\ (?:list|links|cited|used|consulted|and\ (?:further\ )?(?:reading|notes|links|citations|references
        |sources)|&\ (?:links|notes|references|citations)))?
        (?:\ section)?
      | (?:主要|全部|核心|关键|部分|数据|附[:：]?|附录[:：]?)?(?:参考(?:文献|资料|来源|链接)?|引用(?:的著作|文献|来源|资料|列表)?|引文|资料来源|信息来源|数据来源|来源|文献|注释|脚注)
        (?:列表|清单|目录|链接|一览)?(?:与(?:链接|注释|说明|来源|数据来源))?
      )[\s\W]*(?:\([^)]*\)|（[^）]*）)?[\s\W]*$""",
    re.IGNORECASE | re.VERBOSE,
)
_REFERENCE_WORDS: Final = (
    "reference", "source", "bibliograph", "cited", "citation", "literature", "note", "参考", "引用", "引文", "来源", "文献",
    "注释", "脚注",
)  # fmt: skip
# Titles under which every numbered line is an entry, even without an address or a year.
_SURE_WORDS: Final = (
    "reference",
    "bibliograph",
    "works cited",
    "literature",
    "参考文献",
    "引用文献",
    "引用的著作",
)

# One entry of a reference list, at the start of a line.
ENTRY: Final = re.compile(
    rf"""^[ \t>]*(?:[-*+•·][ \t]+)?\**(?:<[a-zA-Z][^<>\n]{{0,80}}>\s?){{0,3}}
    (?: \\?\[\^(?P<foot>[^\]\s]{{1,40}})\\?\]:?
      | \\?[\[［〔](?:{MARK_WORD})?(?P<num>\d{{1,4}})(?P<more>(?:\s?[,，、]\s?\d{{1,4}})*)\\?[\]］〕]\**[:：.]?
        (?P<also>(?:[ \t,，]{{0,3}}\\?[\[［〔]\d{{1,4}}\\?[\]］〕](?!\())*)(?=\s|\(?http|[^\s(])
      | \[(?P<link>\d{{1,4}})\](?=\()
      | \[(?P<id>(?!image|img|fig)[A-Za-z][\w.\-]{{0,30}})\]:
      | \\?\[(?P<label>[A-Za-z]{{1,8}}[-_ ]?\d{{1,4}})\\?\](?=[ \t])
      | 【(?:{MARK_WORD})?(?P<cjk>\d{{1,4}})(?:†[^】\n]{{0,80}})?】[:：]?
      | (?P<sup>(?<=>)\d{{1,3}}(?=\s?</)|[⁰¹²³⁴-⁹]{{1,3}})(?:\s?</[a-z]{{1,4}}>)?
      | (?P<dot>\d{{1,4}})\\?[.)、．](?!\d)
      | (?:注|文献|来源|资料)\s?(?P<word>\d{{1,3}})[:：.、\s]
      | (?P<bare>\d{{1,3}})[ \t]+(?=url:|https?://)
    )\**[ \t]*(?P<rest>\S.*)?$""",
    re.VERBOSE,
)
_KEY_GROUPS: Final = ("foot", "num", "link", "id", "label", "cjk", "sup", "dot", "word", "bare")
_NUMBER: Final = re.compile(r"\d{1,4}")

URL_SIGN: Final = re.compile(r"https?://|www\.|\bdoi\.org|\bdoi:|arxiv:", re.IGNORECASE)
YEAR_IN_PARENS: Final = re.compile(r"[（(](?:19|20)\d\d")
# GB/T 7714: 张伟. 题名[J]. 刊名, 2021.
DOCUMENT_TYPE: Final = re.compile(r"\[(?:[JMCDRSPNAGZK]|DB|CP|EB)(?:/(?:OL|CD))?\]")
# "[image1]: <data:image/png;base64,…>"
DATA_DEFINITION: Final = re.compile(r"\s*\[[^\[\]\n]{1,60}\]:\s?<?data:")
_LABEL_MAX: Final = 70
_LABEL: Final = re.compile(r"^[\s>*_#]*(?P<title>[^\n]{2,60}?)[\s*_]*[:：]?[\s*_]*$")
_LABEL_BEFORE: Final = re.compile(r"[\s>*_]*(?P<title>[^\n:：\[\]()（）.。]{2,40}?)[\s*_]*[:：][\s*_]*(?=\S)")


def entry_keys(match: re.Match[str]) -> tuple[str, ...]:
    """Return the keys of a line that `ENTRY` matched: one, or more as in ``[3] [17] https://…``."""
    key = next(value for value in map(match.group, _KEY_GROUPS) if value)
    also = _NUMBER.findall((match["more"] or "") + (match["also"] or ""))
    return (key.translate(SUPERSCRIPT_DIGITS), *also)


def is_reference_title(title: str) -> bool:
    """Return whether a heading or label names a reference list."""
    lower = title.lower()
    # Every such title holds one of these; asking for them first spares the pattern nearly all titles.
    return any(word in lower for word in _REFERENCE_WORDS) and REFERENCE_TITLE.match(title) is not None


def is_sure_title(title: str) -> bool:
    """Return whether a title names a bibliography, under which every numbered line is an entry."""
    lower = title.lower()
    return any(word in lower for word in _SURE_WORDS)


def split_label(text: str) -> tuple[str, str]:
    """Return the line such as "References:" with which a text opens, or "", and the text below it."""
    first, _, rest = text.partition("\n")
    if len(first) <= _LABEL_MAX and (match := _LABEL.match(first)) and is_reference_title(match["title"]):
        return match["title"], rest
    return "", text


def split_inline_label(text: str) -> tuple[str, str]:
    """Return the label of a line such as ``Sources: https://…``, or "", and the text behind it."""
    match = _LABEL_BEFORE.match(text)
    if match and is_reference_title(match["title"]):
        return match["title"], text[match.end() :]
    return "", text
