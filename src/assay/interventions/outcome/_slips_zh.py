"""Chinese slips of the kinds that school grammar knows: 搭配不当, 成分残缺, 语序不当, 冗余重复, 句式杂糅, 的地得.

Each function takes a correct sentence and yields edits. Patterns that need a verb or an object list the words, because
the script does not show word classes.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Final

from assay.interventions.outcome._sentences import ProposedEdit, ProseSentence
from assay.text.phrases import PhraseFile

if TYPE_CHECKING:
    from collections.abc import Iterator

_PHRASES: Final = PhraseFile("assay.interventions", "slips")

_GAP: Final = "[^，。；：、！？（）()\\n]{0,12}?"
_ADVERBS: Final = "<<adverbs>>"
_VERBS: Final = (
    "提高|提升|增强|完善|降低|减少|增加|推动|促进|改善|优化|扩大|下降|上升|加强|发展|形成|成为|影响|支持|集中|采用|应用|体现|实现|参与|推进|利用|发挥|拓展|满足|缩短|缓解|"
    "依赖|取决于|面临|具有|需要|用于|来自|来源于|表现为|增长|反映|深化|超过|占据|获得|转向|探索|建立|引入|关注"
)
_ORDER: Final = _PHRASES.pattern(
    rf"(?<![\u4e00-\u9fff]的)(?<!可)({_ADVERBS})({_VERBS})(了?)(?=[\u4e00-\u9fff])"
    "(?![的和与或、了])",
)
_MODIFIERS: Final = re.compile(
    "(?<=[，。；、是为有了以])(重要|主要|关键|核心|显著|独特|巨大|严峻|较高|较强|完整|明确|稳定"
    "|新的|复杂|潜在)的?(作用|因素|组成部分|手段|途径|优势|挑战|特征|影响|依据|基础|方向|支撑"
    "|环节|潜力|差异|标志|趋势)(?=[，。；、和与之])",
)
_DE: Final = _PHRASES.pattern(r"(<<de>>)地(?=[\u4e00-\u9fff]{2})")
_DE_RESULT: Final = re.compile(r"(变|显|使|值)得(?=[\u4e00-\u9fff])")
_LEAD_AGENT: Final = re.compile(
    r"(?:(?<=^)|(?<=[。；]))([\u4e00-\u9fffA-Za-z0-9·“”与和的、]{3,22}?)(使得|使(?!用|命|得)|促使|让)(?=[\u4e00-\u9fff]{2})"
)
_HEADS: Final = _PHRASES.pattern(
    "(具有|呈现出?|存在|面临|发挥|起到|采取|形成|成为|起着)(?:了|着)?"
    r"([\u4e00-\u9fffA-Za-z0-9、“”]{3,22})的(<<heads>>)(?=[，。；])",
)
_FRAMES: Final = re.compile(
    r"(在[\u4e00-\u9fffA-Za-z0-9、“”]{2,20}?)(过程中|背景下|基础上|条件下|影响下|推动下|方面|领域|环境下|框架下|情况下|驱动下)(?=[，])"
)
_FRAME_CUT: Final = {
    "过程中": "过程",
    "背景下": "背景",
    "基础上": "基础",
    "条件下": "条件",
    "影响下": "影响",
    "推动下": "推动",
    "环境下": "环境",
    "框架下": "框架",
    "情况下": "情况",
    "驱动下": "驱动",
    "方面": "",
    "领域": "",
}
_LOST: Final = _PHRASES.pattern("<<lost>>")
_ABOUT: Final = re.compile(
    r"(约为?|大约|近|接近|将近)\s?(\d[\d.,]*(?:[-–—~～至到]\d[\d.,]*)?\s?(?:%|％|亿|万|千|百|个|人"
    r"|元|年|家|美元|亿元|万元|公里|吨|倍)+)(?![\d左上余多的])",
)
_OVER: Final = re.compile(
    r"(超过|超|逾|高于|至少|不低于)\s?(\d[\d.,]*\s?(?:%|％|亿|万|千|百|个|人|元|年|家|美元|亿元|万元|公里|吨|倍)+)(?![\d以左上余多的])"
)
_UNDER: Final = re.compile(
    r"(不足|低于|少于|不到|小于)\s?(\d[\d.,]*\s?(?:%|％|亿|万|千|百|个|人|元|年|家|美元|亿元|万元|公里|吨|倍)+)(?![\d以左上余多的])"
)
_MIXED: Final[tuple[tuple[re.Pattern[str], str, str], ...]] = (
    (
        re.compile(r"((?:主要|根本|重要)?原因(?:在于|是)[^，。；]{4,40})(?=。)"),
        r"\1所造成的",
        "原因是……所造成的",
    ),
    (re.compile(r"(关键在于[^，。；]{3,40})(?=[。；])"), r"\1是最重要的", "关键在于……是最重要的"),
    (re.compile(r"(取决于[^，。；]{3,40})(?=[。；，])"), r"\1所决定", "取决于……所决定"),
    (re.compile(r"(由[^，。；的]{3,30})(组成|构成)(?=[，。；])"), r"\1所\2而成的", "由……所组成而成的"),
    (re.compile(r"以([^，。；为]{2,16})为主(?=[，。；])"), r"以\1为主所构成", "以……为主所构成"),
    (
        re.compile(
            r"(?:(?<=^)|(?<=[。；，]))((?:研究|数据|调查|统计|结果|资料|报告)[^，。；]{0,6})(表明|显示|指出)(?=[，：])"
        ),
        r"根据\1\2",
        "根据……显示",
    ),
    (re.compile(r"(受[^，。；]{2,20}?)影响(?=[，。；])"), r"\1影响所致", "受……影响所致"),
    (re.compile(r"(围绕)([^，。；]{2,16}?)(展开)(?=[，。；])"), r"\1以\2为中心\3", "围绕以……为中心展开"),
    (
        re.compile(r"(?<=[\u4e00-\u9fff])(是)(为了[^，。；]{4,40})(?=[。；])"),
        r"\1目的\2的目的",
        "是目的为了……的目的",
    ),
    (re.compile(r"(对于?)([^，。；对]{2,14})(来说|而言)(?=，)"), r"\1\2的角度\3", "对……的角度来说"),
    (re.compile(r"只有([^。；]{3,30})才(?!能力)"), r"只有\1就", "只有……就"),
    (re.compile(r"只要([^。；]{3,30})就"), r"只要\1才", "只要……才"),
    (re.compile(r"无论([^。；]{3,30})都"), r"无论\1则", "无论……则"),
    (re.compile(r"不仅([^。；]{3,40}[，])(?:还|也|更)(?=[\u4e00-\u9fff])"), r"不仅\1而", "不仅……而"),
    (re.compile(r"(?<=[\u4e00-\u9fff])有助于([^，。；]{3,30})(?=[。；])"), r"有助于对\1", "有助于对……"),
)
_NOMINAL: Final = re.compile(
    "(?<=[能可以将应需于过来并，])(提高|提升|降低|减少|分析|评估|改善|优化|解决|识别|调整|监测"
    r"|管理|预测|控制|比较)(了?)([\u4e00-\u9fffA-Za-z]{2,10}?)(?=[，。；])",
)
# Adverbs count only before a verb, unlike 快速 in 快速手势; 同时 in 的同时 is a noun.
_ADVERBIAL: Final = frozenset("共同 快速 逐步 不断 进一步 通常 显著 全面 广泛 普遍 分别".split())
_FAULTS: Final[tuple[tuple[str, re.Pattern[str]], ...]] = (
    (
        "approximation said twice",
        re.compile(
            r"(?:约为?|大约|近|接近|将近)\s?\d[^，。；]{0,10}左右|(?:超过?|逾|高于|至少|不低于)"
            r"\s?\d[^，。；]{0,10}以上|(?:不足|低于|少于|不到|小于)\s?\d[^，。；]{0,10}以下",
        ),
    ),
    ("的 for 地", re.compile(_DE.pattern.replace(")地(", ")的("))),
    ("的 for 得", re.compile(r"(?:变|显|做|使|取|获|值)的(?=[\u4e00-\u9fff])")),
    (
        "no subject is left",
        re.compile(r"(?:^|[。；])\W{0,4}(?:通过|由于|经过)[^，。；]{3,26}?[，]?(?:使得?|令|促使|让)"),
    ),
    (
        "two constructions mixed",
        _PHRASES.pattern("<<faults>>"),
    ),
)


@cache
def faults() -> tuple[tuple[str, re.Pattern[str]], ...]:
    """Return the names and patterns of faults; a changed sentence may match one only if its original does not."""
    collocations = "|".join(
        f"(?:{'|'.join(wrong)})了?{_GAP}(?:{objects})" for _, objects, wrong in _collocations()
    )
    twice = "|".join(_PHRASES["words_said_twice"].mapping("zh").values())
    doubled = r"(的|在|和|与|对|了|将|为|是|以|从|及|并|由)\1(?!确)|([\u4e00-\u9fff]{2,6})\2"
    return (
        *_FAULTS[:-1],
        ("verb and object do not go together", re.compile(collocations)),
        ("measure word", re.compile("|".join(_PHRASES["wrong_measure_words"].mapping("zh").values()))),
        ("said twice", re.compile(f"{twice}|{doubled}")),
        _FAULTS[-1],
    )


@cache
def _collocations() -> list[tuple[str, str, list[str]]]:
    """Return rows of a verb, a pattern of the objects it takes, and verbs that do not take them."""
    rows = _PHRASES["collocations"].rows("zh")
    return [(verb, objects.replace(", ", "|"), wrong) for verb, objects, *wrong in rows]


def _at(words: ProseSentence, start: int, end: int, text: str, pattern: str, note: str) -> ProposedEdit:  # noqa: PLR0917
    """Return an edit of the sentence, with offsets in the report."""
    return ProposedEdit(words.start + start, words.start + end, text, pattern, note)


def collocation(words: ProseSentence) -> Iterator[ProposedEdit]:
    """Yield edits to a verb that does not take its object (搭配不当), or to a wrong measure word."""
    for verb, objects, wrong in _collocations():
        for match in re.finditer(rf"(?<!不)({verb})(了?{_GAP}(?:{objects}))", words.plain):
            if re.search(_VERBS, match.group(2)[:-2]):
                # The object belongs to a nearer verb.
                continue
            new = wrong[(words.start + match.start()) % len(wrong)]
            note = f"{match.group()} → {new}{match.group(2)}"
            yield _at(words, match.start(1), match.end(1), new, "搭配不当", note)
    for right, wrong_one in _PHRASES["wrong_measure_words"].mapping("zh").items():
        at = words.plain.find(right)
        if at >= 0 and right not in ("一位", "三种"):
            yield _at(words, at, at + len(right), wrong_one, "量词", f"{right} → {wrong_one}")


def particle(words: ProseSentence) -> Iterator[ProposedEdit]:
    """Yield edits that write 的 for 地 or 得."""
    for match in _DE.finditer(words.plain):
        yield _at(
            words, match.end() - 1, match.end(), "的", "的地得", f"{match.group()} → {match.group(1)}的"
        )
    for match in _DE_RESULT.finditer(words.plain):
        yield _at(
            words, match.end() - 1, match.end(), "的", "的地得", f"{match.group()} → {match.group(1)}的"
        )


def incomplete(words: ProseSentence) -> Iterator[ProposedEdit]:
    """Yield edits that drop a part of the sentence (成分残缺): subject, head of the object, or half of a frame."""
    match = _LEAD_AGENT.search(words.plain)
    if match is not None and not re.match(
        r"通过|由于|经过|如果|若|这|但|因此|并|从而|主要|即", match.group(1)
    ):
        yield _at(words, match.start(1), match.start(1), "通过", "成分残缺", "主语 lost: 通过……使")
    for match in _HEADS.finditer(words.plain):
        yield _at(
            words,
            match.end(2),
            match.end(),
            "",
            "成分残缺",
            f"的{match.group(3)} lost after {match.group(1)}",
        )
    for match in _FRAMES.finditer(words.plain):
        new = _FRAME_CUT[match.group(2)]
        yield _at(
            words, match.start(2), match.end(2), new, "成分残缺", f"在……{match.group(2)} → {new or 'nothing'}"
        )
    for match in _LOST.finditer(words.plain):
        yield _at(words, match.start(), match.end(), "", "成分残缺", f"{match.group()} lost")


def order(words: ProseSentence) -> Iterator[ProposedEdit]:
    """Yield edits that put an adverb behind its verb, or a modifier behind its noun (语序不当)."""
    for match in _ORDER.finditer(words.plain):
        adverb, verb, tail = match.groups()
        yield _at(
            words,
            match.start(),
            match.end(),
            f"{verb}{adverb}{tail}",
            "语序不当",
            f"{match.group()} → {verb}{adverb}{tail}",
        )
    for match in _MODIFIERS.finditer(words.plain):
        adjective, noun = match.groups()
        middle = match.group()[len(adjective) : len(match.group()) - len(noun)]
        yield _at(
            words,
            match.start(),
            match.end(),
            f"{noun}{adjective}{middle}",
            "语序不当",
            f"{match.group()} → {noun}{adjective}{middle}",
        )


def redundant(words: ProseSentence) -> Iterator[ProposedEdit]:
    """Yield edits that express the same idea twice (冗余重复): 约30%左右, 旨在为了."""
    for pattern, tail in ((_ABOUT, "左右"), (_OVER, "以上"), (_UNDER, "以下")):
        for match in pattern.finditer(words.plain):
            yield _at(words, match.end(), match.end(), tail, "冗余重复", f"{match.group()} + {tail}")
    doubled = _PHRASES["words_said_twice"].mapping("zh")
    hits = [(words.plain.find(word), word) for word in doubled]
    for at, word in sorted(hit for hit in hits if hit[0] >= 0)[:3]:
        new = doubled[word]
        after = words.plain[at + len(word) :]
        if after[:1] in "的性化于者点地" or new in words.plain or words.plain[at - 1 : at] in ("的", "不"):
            continue
        if word in _ADVERBIAL and not re.match(_VERBS, after):
            continue
        yield _at(words, at, at + len(word), new, "冗余重复", f"{word} → {new}")


def blended(words: ProseSentence) -> Iterator[ProposedEdit]:
    """Yield edits that mix two constructions (句式杂糅), or pair halves that do not match."""
    for pattern, new, note in _MIXED:
        match = pattern.search(words.plain)
        if match is not None:
            yield _at(words, match.start(), match.end(), match.expand(new), "句式杂糅", note)


def heavy(words: ProseSentence) -> Iterator[ProposedEdit]:
    """Yield edits that inflate a plain verb to 对…进行了一个…的工作."""
    for match in _NOMINAL.finditer(words.plain):
        verb, done, noun = match.groups()
        if re.search("的|和|与|或|是|在|对|了|及", noun):
            continue
        new = f"对{noun}进行{done}一个{verb}的工作"
        yield _at(words, match.start(), match.end(), new, "累赘", f"{match.group()} → {new}")


CHINESE: Final = (collocation, incomplete, order, redundant, blended, particle, heavy)
