"""What a query asks for, read off its words: names, years, sub-questions, listed aspects, requested forms.

    parts = read_query("Compare A2A and MCP in a table with at least 5 rows. How do they differ?")
    [name.text for name in parts.names]     # ["A2A", "MCP"]
    [form.kind for form in parts.forms]     # ["table", "rows"]

Rules only, English and Chinese. Nothing is remembered between calls; a caller that asks twice keeps the answer.
A query that holds a page of background gives many names, and a query without structure gives no aspects: both are
fine for rules that ask "is this missing?", which must not ask for what the query never asked.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final, Literal

import msgspec

from assay.subjects.query_forms import RequestedForm, read_forms
from assay.subjects.query_names import QueryName, read_names
from assay.text.language import Language, detect_language
from assay.text.words import content_terms

AspectKind = Literal["question", "item"]


class QueryYear(msgspec.Struct, frozen=True):
    """A year in the query. ``bound`` marks limits on sources and dates ("since 2020"), which need no mention."""

    value: int
    start: int
    end: int
    bound: bool = False


class RequestedAspect(msgspec.Struct, frozen=True):
    """A part of the task: a numbered or plain sub-question, or an item of a list of things to cover.

    Attributes:
        text: Its words.
        label: What it is about in short: the words before a colon, or the item itself.
        kind: ``"question"`` or ``"item"``.
        start: Offset into the query.
        end: Offset after its last character.
        keys: Content terms of the label that tell it from the rest of the query, cut to prefixes for matching.
        share: Which share of the label's words the keys are; the rest are common words or words of the whole query.
    """

    text: str
    label: str
    kind: AspectKind
    start: int
    end: int
    keys: tuple[str, ...]
    share: float


class QueryParts(msgspec.Struct, frozen=True):
    """A query, taken apart."""

    text: str
    language: Language
    names: tuple[QueryName, ...]
    years: tuple[QueryYear, ...]
    aspects: tuple[RequestedAspect, ...]
    forms: tuple[RequestedForm, ...]
    terms: frozenset[str]
    asks: bool


_YEAR: Final = re.compile(
    r"(?<![\d.,/\-–])((?:1[89]|20)\d\d)(?:\s?年?\s?[-–—~～至到]\s?((?:1[89]|20)\d\d))?(?![\d%字元个家人万亿种项米]|[.,]\d"
    r"|[A-Za-rt-z])"
)
_QUOTED: Final = re.compile(r"《[^》]{1,80}》|“[^”]{1,120}”|\"[^\"\n]{1,120}\"")
_BOUND_BEFORE: Final = re.compile(
    r"(?:since|after|before|until|from sources|published (?:in|after|since)|later than|post-?"
    r"|built (?:between|in)|sources? from|sources? since|born in)\s*$",
    re.IGNORECASE,
)
_BOUND_AFTER: Final = re.compile(
    r"\s*(?:or (?:later|newer|after|earlier)|onwards?\b|and later)|\s*年?(?:以后|之后|以来|及以后|发布|印发|颁布|出台|通过)",
    re.IGNORECASE,
)

_NUMBERED: Final = re.compile(
    r"(?:(?<=^)|(?<=[\s:：;；。，,.?？!]))(?:[(（]?(\d{1,2})[.)）、．](?!\d)|([一二三四五六七八九])(?:是|、)|[(（]([一二三四五六七八九])[)）])\s*"
)
_ZH_DIGIT: Final = {char: i for i, char in enumerate("一二三四五六七八九", start=1)}
_STOP: Final = re.compile(r"[?？]|[.!](?=\s)|[。！\n;；]")
_LINE_ITEM: Final = re.compile(r"^[ \t]*(?:[-*•])[ \t]+(.{3,300})$", re.MULTILINE)

_EN_LIST: Final = re.compile(
    r"""\b(?:cover(?:ing)?\ aspects|aspects|dimensions|criteria|contexts?|factors|areas|topics|perspectives
    |sections|questions|components|in\ terms\ of|
        based\ on\ criteria|(?:should|must)\ (?:also\ )?(?:present|include|cover|address|discuss)|(?:your
        |the)\ (?:final\ )?(?:report|analysis|paper|answer)\ should\ (?:include|cover|present|address)|
        please\ (?:include|cover)|be\ sure\ to\ (?:include|cover)|focus\ on\ areas|provide\ details\ on
        |details\ on|measurement\ of)
        \s*(?:such\ as|like|including|include|are|:|,?\ namely|\(e\.g\.,?)?\s*:?\s*""",
    re.IGNORECASE | re.VERBOSE,
)
_ZH_LIST_BEFORE: Final = re.compile(
    r"(?:以下|如下|下列)(?:几个|各个|这些|\w{0,2})?(?:维度|方面|问题|内容|要点)[^：:]{0,16}[：:]|(?:需要|请|应|须)(?:要)?(?:包括|包含|涵盖|覆盖)"
    r"|(?:包括|包含|涵盖)[：:]?"
)
_ZH_LIST_AFTER: Final = re.compile(r"等(?:多个|多)?(?:维度|方面|角度|要素|指标|内容)")
_ITEM_EN: Final = re.compile(r",\s*(?:and|or|as well as)\s+|;\s*|,\s*|\s+and\s+|\s+as well as\s+")
_ITEM_ZH: Final = re.compile(r"[、，,；;]|以及|和(?=[^谐平解])|与|及")
_SENTENCE_END: Final = re.compile(r"[。！!?？]|\.\s+[A-Z]")
_LIST_END: Final = re.compile(r"[.?!)\n](?:\s|$)|\b(?:across|for each|for treating)\b|, the specific\b")
_ZH_LIST_END: Final = re.compile(r"[。？！\n]")
_TAIL_EN: Final = re.compile(
    r"\b(?:etc\.?|and (?:so on|others|other relevant [\w ]+|more))\s*$|\bother\s+relevant\s+[\w ]+$",
    re.IGNORECASE,
)
_HEAD_NOISE: Final = re.compile(
    r"^(?:the|a|an|their|its|any|all|overall|detailed|relevant|potential|key|main|major|common|such as"
    r"|including|specific|an overall|most)\s+",
    re.IGNORECASE,
)
_ZH_NOISE: Final = re.compile(
    r"^(?:各公司的|各|其|该\w{0,3}的?|这些\w{1,3}的|具体|已发表的|对应的|相关的?|实际|目前|使用的|活跃的|面临的|未来)|(?:的?(?:情况|状况|方面|维度|程度|问题|等"
    r"|信息|资料|进度|分析|评估|角度))+$"
)
# Words that ask for work and name no subject.
_TASK: Final = frozenset(
    """analyze analyse analysis research report compare comparison comparative explain describe provide give list
    discuss evaluate assess identify summarize summary review study investigate explore examine present write
    create question questions detail detailed comprehensive depth key main relevant various different specific
    aspect aspects factor factors include including current recent latest overall general kind type types way
    ways example examples information answer please need want make well based potential related respective
    effective effectively possible better best most impact role effect difference future trend trends
    development approach method methods strategy strategies issue problem change application practical common
    major usage use result situation level term terms condition area topic field process system""".split()
)
_ZH_TASK: Final = frozenset(
    "分析 研究 调研 报告 收集 整理 比较 横向 评估 总结 提供 详细 目前 当前 未来 发展 趋势 情况 方面 维度 问题 相关 不同 哪些 什么 如何 怎样 怎么 是否 能否 "
    "可以 需要 进行 主要 具体 各个 以及 包括 其中 我们 影响 因素 方法 应用 领域 实际 现状 特点 程度 角度 资料 内容 方案 方向 水平 结果 作用 状况 信息".split()
)
_PREFIX: Final = 5
# A query of more than this is a document; what it asks for stands at its beginning.
_LONGEST: Final = 20_000


def keys_of(text: str) -> tuple[str, ...]:
    """Return the terms that stand for ``text``: prefixes of its content words and Chinese bigrams, sorted."""
    found: set[str] = set()
    for term in content_terms(text):
        if not term.isascii():
            if term not in _ZH_TASK:
                found.add(term)
        else:
            # "cost-effectiveness" is treated by a text about costs.
            for part in term.split("-"):
                if part not in _TASK and len(part) > 2:
                    found.add(part[:_PREFIX])
    return tuple(sorted(found))


@lru_cache(maxsize=256)
def read_query(text: str) -> QueryParts:
    """Take a query apart.

    Any text is accepted: an empty one has no parts, and only the beginning of a very long one is read. Results are
    cached, since several checks and several reports ask about one query.
    """
    text = text[:_LONGEST]
    language = detect_language(text)
    years = tuple(_years(text))
    forms = tuple(read_forms(text))
    raw = _numbered(text) or _bullets(text)
    questions = not raw
    if questions:
        raw = _listed(text) or _questions(text)
    taken = [(start, end) for start, end, _, _ in raw]
    aspects = tuple(_aspects(text, raw, taken))
    asks = bool(re.search(r"[?？]", text)) or bool(
        re.match(
            r"\s*(?:what|which|how|why|is|are|can|could|does|do|should|will|who|when|where)\b",
            text,
            re.IGNORECASE,
        )
    )
    return QueryParts(
        text, language, tuple(read_names(text)), years, aspects, forms, frozenset(keys_of(text)), asks
    )


def _years(text: str) -> list[QueryYear]:
    out: dict[int, QueryYear] = {}
    quoted = [match.span() for match in _QUOTED.finditer(text)]
    last_bound = -1
    for match in _YEAR.finditer(text):
        before = text[max(0, match.start() - 24) : match.start()]
        bound = (
            bool(_BOUND_BEFORE.search(before))
            or bool(_BOUND_AFTER.match(text, match.end()))
            # "built between 1965 and 1985": the second year shares the fate of the first.
            or (last_bound >= 0 and match.start() - last_bound < 8)
            or any(start <= match.start() < end for start, end in quoted)
        )
        last_bound = match.end() if bound else -1
        for group in (1, 2):
            if match.group(group) and (value := int(match.group(group))) <= 2100:
                out.setdefault(value, QueryYear(value, match.start(group), match.end(group), bound))
    return list(out.values())


_Raw = tuple[int, int, str, AspectKind]


def _piece(text: str, start: int, end: int, kind: AspectKind) -> _Raw | None:
    piece = text[start:end]
    start += len(piece) - len(piece.lstrip())
    end -= len(piece) - len(piece.rstrip(" \t\r\n;；。.,，"))
    return (start, end, text[start:end], kind) if end - start >= 2 else None


def _numbered(text: str) -> list[_Raw]:
    """Parts that count up from one; an ordinary number or a date in brackets does not."""
    marks: list[re.Match[str]] = []
    for match in _NUMBERED.finditer(text):
        digit = match.group(1)
        number = int(digit) if digit else _ZH_DIGIT[match.group(2) or match.group(3)]
        if number == len(marks) + 1:
            marks.append(match)
    if len(marks) < 2:
        return []
    out: list[_Raw] = []
    for i, mark in enumerate(marks):
        stop = marks[i + 1].start() if i + 1 < len(marks) else len(text)
        line = text.find("\n", mark.end(), stop)
        # The last part ends with its line; what follows is about the whole task.
        if line >= 0:
            stop = line
        elif i + 1 == len(marks):
            found = _SENTENCE_END.search(text, mark.end())
            stop = found.start() + 1 if found else stop
        piece = _piece(text, mark.end(), stop, "question")
        if piece:
            out.append(piece)
    return out


def _bullets(text: str) -> list[_Raw]:
    rows = [_piece(text, m.start(1), m.end(1), "question") for m in _LINE_ITEM.finditer(text)]
    return [row for row in rows if row] if len(rows) >= 2 else []


def _questions(text: str) -> list[_Raw]:
    rows: list[_Raw] = []
    begin = 0
    for match in _STOP.finditer(text):
        if match.group() in "?？" and match.end() - begin > 6:
            # "Two things matter here: how … ?" asks what stands behind the colon.
            colon = max(text.rfind(":", begin, match.end()), text.rfind("：", begin, match.end())) + 1
            piece = _piece(text, max(begin, colon), match.end(), "question")
            if piece:
                rows.append(piece)
        begin = match.end()
    return rows if len(rows) >= 2 else []


def _listed(text: str) -> list[_Raw]:
    for lead in _EN_LIST.finditer(text):
        out = _items(text, lead.end(), _until(_LIST_END, text, lead.end()), _ITEM_EN, chinese=False)
        if len(out) >= 3:
            return out
    if opening := _ZH_LIST_BEFORE.search(text):
        out = _items(text, opening.end(), _until(_ZH_LIST_END, text, opening.end()), _ITEM_ZH, chinese=True)
        if len(out) >= 2:
            return out
    if closing := _ZH_LIST_AFTER.search(text):
        stop = closing.start()
        start = max(text.rfind(mark, 0, stop) for mark in "。？！，：:\n") + 1
        compared = text.find("比较", start, stop)
        start = compared + 2 if compared >= 0 else start
        # "各公司的融资、分红": what stands before 的 belongs to every item.
        owner = text.rfind("的", start, stop) + 1
        start = owner if owner and "、" not in text[start:owner] else start
        out = _items(text, start, stop, _ITEM_ZH, chinese=True)
        if len(out) >= 2:
            return out
    return []


def _until(pattern: re.Pattern[str], text: str, start: int) -> int:
    match = pattern.search(text, start)
    return match.start() if match else len(text)


def _items(text: str, start: int, end: int, split: re.Pattern[str], *, chinese: bool) -> list[_Raw]:
    if end - start > 500:
        return []
    out: list[_Raw] = []
    at = start
    for match in [*split.finditer(text, start, end), None]:
        stop = match.start() if match else end
        piece = _piece(text, at, stop, "item")
        at = match.end() if match else end
        if piece is None:
            continue
        left, right, words, kind = piece
        bare = words.strip("（）()\"'“” ")
        limit = 16 if chinese else 60
        # A clause is not an item: the list has ended, or there was no list.
        if len(bare) > limit:
            if out:
                break
            return []
        if not chinese and _TAIL_EN.search(bare):
            continue
        out.append((left, right, bare, kind))
    return out


def _label(words: str, kind: AspectKind) -> str:
    head = re.match(r"^\**([^:：\n]{2,40})[:：]", words)
    label = head.group(1) if head else words
    label = _HEAD_NOISE.sub("", label)
    previous = ""
    while kind == "item" and label != previous:
        previous, label = label, _ZH_NOISE.sub("", label) or label
    return label.strip(" *（）()“”\"'")


def _aspects(text: str, raw: list[_Raw], taken: list[tuple[int, int]]) -> list[RequestedAspect]:
    # Terms of the frame around the parts are the topic of all of them and tell none apart.
    rest: list[str] = []
    at = 0
    for start, end in taken:
        rest.append(text[at:start])
        at = end
    rest.append(text[at:])
    common = set(keys_of(" ".join(rest)))
    labels = [_label(words, kind) for _, _, words, kind in raw]
    all_keys = [keys_of(label) for label in labels]
    out: list[RequestedAspect] = []
    for i, (start, end, words, kind) in enumerate(raw):
        others = {key for j, keys in enumerate(all_keys) if j != i for key in keys}
        keys = tuple(key for key in all_keys[i] if key not in common and key not in others)
        size = len({term[:_PREFIX] for term in content_terms(labels[i])})
        if keys and not keys[0].isascii():
            keys = _inner(labels[i], set(keys))
        out.append(
            RequestedAspect(words, labels[i], kind, start, end, keys, len(keys) / size if size else 0.0)
        )
    return out


def _inner(label: str, keys: set[str]) -> tuple[str, ...]:
    """Bigrams without those that only bridge two words, such as 究方 in 研究方向."""
    kept: set[str] = set()
    for i in range(len(label) - 1):
        if label[i : i + 2] in keys:
            left = i == 0 or label[i - 1 : i + 1] in keys
            right = i + 2 >= len(label) or label[i + 1 : i + 3] in keys
            if left or right:
                kept.add(label[i : i + 2])
    return tuple(sorted(kept))
