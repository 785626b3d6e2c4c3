"""The verdict of a reply that did not keep to its form: its last explicit comparative statement, or none.

A rule and nothing but a rule (ReportLogic, appendix B.3, *Deterministic Parsing Rule*): "A is better than B",
"B outperforms A", "both are equally good", or the bare token at the end; in English and in Chinese. Read as follows:

- A token on a line of its own at the end is the verdict (``A>B``, ``**Verdict: A<B**``, ``[[B]]``).
- Else the last statement on the whole is. Statements on a single aspect ("on evidence, A is stronger than B") are none.
- A statement that is denied, supposed, asked or reported ("A is not better", "if …", "some would say …") is not a
  verdict, and where it is the last one the verdict is not clear: none. So it is where two in one sentence disagree.
- Words that stand in a document, or between quotation marks, are not the judge's – unless they are the whole reply.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final, Literal, TypeAlias

import msgspec

from assay.strategies.json_text import split_hidden_reasoning
from assay.strategies.logicjudge_reply import read_label
from assay.text.words import STOPWORDS

Direction: TypeAlias = Literal["A>B", "A<B", "tie", "both_good", "both_bad"]

# Only the end of a long reply is looked at: the final decision stands there.
_TAIL: Final = 6000
# So much of what stands before a verdict tells whether both were copied together.
_BEFORE: Final = 24
_SIDE: Final = (
    r"(?:(?:the\s)?(?:report|text|response|answer|document|candidate|essay|trajectory|step|option)\s)?"
    r"[\"“'*`]{0,3}(?P<%s>[AB])[\"”'*`]{0,3}"
)
_SIDE_ZH: Final = r"(?:报告|文本|回答|文档|文章|轨迹|步骤|候选)?\s?[“\"*「]{0,3}(?P<%s>[AB])[”\"*」]{0,3}\s?"
_ADVERBS: Final = (
    r"(?:(?:clearly|overall|logically|much|far|slightly|somewhat|significantly|considerably|substantially|notably"
    r"|decisively|generally|definitely|the|a|bit|on\sthe\swhole|on\sbalance|therefore|thus|also|still|marginally"
    r"|ultimately|indeed),?\s){0,4}"
)
_IS: Final = r"(?:is|was|remains|proves|comes\sout(?:\sas)?|appears|seems)"
_DENIED: Final = r"(?P<denied>\s?(?:not|never|hardly|no|n['’]t)\b\s?)?"
# What is said of the whole; "clearer" or "more coherent" would be one aspect.
_BETTER: Final = (
    r"(?:better|stronger|superior|preferable|preferred|(?:more\s)(?:convincing|persuasive)|ahead|winner|best)"
)
_WORSE: Final = r"(?:worse|weaker|inferior)"
_NOUN: Final = (
    r"(?:\s(?:report|one|text|response|answer|document|argument|overall|logically|choice|of\sthe\stwo)){0,3}"
)
_BEATS: Final = (
    r"(?:outperforms?|surpass(?:es)?|beats?|exceeds?|outclass(?:es)?|outdoes|(?:has|takes)\sthe\sedge\sover"
    r"|prevails?\sover|wins?\s(?:over|against))"
)
_FLAGS: Final = re.IGNORECASE


def _side(template: str, name: str) -> str:
    return template % name


# Patterns are tried at every place of a sentence. ``x`` is the side that is better, ``y`` the worse; one is enough.
_THAN: Final = r"(?:\s(?:than|to|over|compared\s(?:to|with))\s"
_ON_ZH: Final = "(?:总体上?|整体上?|明显|显然|显著|略|稍|远|综合来看|要|更|还)?"
_BOTH_ZH: Final = (
    r"(?:两者|二者|两份报告|两篇报告|两份|双方|A\s?[和与]\s?B)(?:总体上?|整体上?|基本上?|的?逻辑质量)?"
)
_NOT_ZH: Final = r"(?P<denied>[未]|不(?!如|及)|并不(?!如|及)|并未|没有|并没有)?"
_BETTER_ONE: Final = (
    r"(?:better|stronger|superior|preferred|winning)(?:\s(?:report|one|text|response|answer|document))?"
)
_ALIKE_ZH: Final = "(?:都|均|同样|一样|都同样|都一样)(?:很|较)?"
_BETTERS: Final = tuple(
    re.compile(pattern, _FLAGS)
    for pattern in (
        rf"\b{_side(_SIDE, 'x')}\s{_IS}{_DENIED}\s?{_ADVERBS}{_BETTER}{_NOUN}{_THAN}{_side(_SIDE, 'y')})?(?![\w'’])",
        rf"\b{_side(_SIDE, 'y')}\s{_IS}{_DENIED}\s?{_ADVERBS}{_WORSE}{_NOUN}{_THAN}{_side(_SIDE, 'x')})?(?![\w'’])",
        rf"\b{_side(_SIDE, 'x')}(?:\s(?:does|did|do){_DENIED})?\s?{_ADVERBS}{_BEATS}\s{_side(_SIDE, 'y')}(?![\w'’])",
        rf"\b{_side(_SIDE, 'x')}\s{_ADVERBS}(?:wins|prevails|comes\sout\s(?:ahead|on\stop))(?![\w'’])",
        rf"\b(?:the\s)?{_BETTER_ONE}\s{_IS}{_DENIED}\s?{_side(_SIDE, 'x')}(?![\w'’])",
        rf"\b(?:the\s)?(?:overall\s)?winner(?:\sis\s?|:\s?){_side(_SIDE, 'x')}(?![\w'’])",
        rf"\bI\s(?:clearly\s|would\s|strongly\s)?(?:prefer|choose|pick|favou?r)\s{_side(_SIDE, 'x')}(?![\w'’])",
        rf"{_side(_SIDE_ZH, 'x')}{_ON_ZH}{_NOT_ZH}(?:优于|胜过|强于|好于|超过|胜于){_side(_SIDE_ZH, 'y')}",
        rf"{_side(_SIDE_ZH, 'x')}{_NOT_ZH}比{_side(_SIDE_ZH, 'y')}{_ON_ZH}(?:更?好|更优|更强|更佳|更胜一筹|强|优秀)",
        rf"{_side(_SIDE_ZH, 'y')}{_ON_ZH}{_NOT_ZH}(?:不如|不及|逊于|劣于|逊色于|差于|弱于){_side(_SIDE_ZH, 'x')}",
        rf"{_side(_SIDE_ZH, 'x')}{_ON_ZH}{_NOT_ZH}(?:更?好|更优|更胜一筹|更佳|更强|胜出|获胜|占优)",
        rf"(?:更好|更优|更佳|更强|胜出|获胜)的(?:一[份方个篇])?(?:报告|文本|回答)?(?:是|为|：){_side(_SIDE_ZH, 'x')}",
    )
)
_BOTH: Final = (
    r"(?:(?:the\s)?(?:two|both)(?:\s(?:reports|texts|responses|answers|documents|trajectories|steps|of\sthem))?"
    r"|(?:(?:the\s)?(?:reports?|texts?|responses?|answers?)\s)?A\sand\s(?:(?:report|text|response|answer)\s)?B|they)"
)
_ARE: Final = (
    r"\s(?:are|were|perform|do|score|fare)(?P<denied>\s?(?:not|never|hardly|n['’]t)\b)?\s?(?:\sboth|\soverall|\slogically"
    r"|\sabout|\sroughly|\sgenerally)?\s?"
)
_NEITHER: Final = r"(?:\s(?:report|text|response|answer|one|of\s(?:the\stwo|them)))?"
_EVEN_ZH: Final = "不相上下|难分高下|难分伯仲|旗鼓相当|打成?平手|平手|平局|不分高下|不分伯仲"
_TIE_WORDS: Final[tuple[tuple[str, Direction], ...]] = (
        (rf"\b{_BOTH}{_ARE}equally\s(?:good|strong|convincing|well)(?![\w'’])", "both_good"),
        (rf"\b{_BOTH}{_ARE}equally\s(?:bad|poor|poorly|weak|badly|unconvincing)(?![\w'’])", "both_bad"),
        (rf"\b{_BOTH}{_ARE}(?:equal|tied|on\s(?:a\s)?par|evenly\smatched|equivalent|comparable)(?![\w'’])", "tie"),
        (rf"\b(?:it|this|the\s(?:result|verdict|comparison|outcome))\s(?:is|ends\sin){_DENIED}\s?{_ADVERBS}(?:tie|draw)(?![\w'’])", "tie"),
        (rf"\bneither{_NEITHER}\sis\s(?:clearly\s)?(?:better|stronger|superior)(?![\w'’])", "tie"),
        (rf"\b{_side(_SIDE, 'x')}\sis{_DENIED}\s?(?:just\s)?as\s(?:good|strong)\sas\s{_side(_SIDE, 'y')}(?![\w'’])", "tie"),
        (rf"{_BOTH_ZH}{_ALIKE_ZH}(?:好|优秀|出色)", "both_good"),
        (rf"{_BOTH_ZH}{_ALIKE_ZH}(?:差|糟糕|不好|薄弱)", "both_bad"),
        (rf"{_BOTH_ZH}(?P<denied>并?非|并不|不是)?(?:{_EVEN_ZH})", "tie"),
)  # fmt: skip
_TIES: Final = tuple((re.compile(pattern, _FLAGS), said) for pattern, said in _TIE_WORDS)
# A denial with its own word, where the verb has it: "A isn't better", "A does not outperform".
_NOT_BEFORE: Final = re.compile(
    r"(?:\bnot|\bnever|n['’]t|\bhardly|\bno longer|无法说|不能说|不认为|并非|不代表|难说)[^.;。；]{0,40}\Z",
    _FLAGS,
)
_SUPPOSED: Final = re.compile(
    r"\b(?:if|unless|whether|would|could|might|may|suppose|assuming|were\sit|some\s(?:may|might|would|could|people|readers)"
    r"|one\s(?:may|might|could)|claims?\sthat|says?\sthat|states?\sthat|argues?\sthat|according\sto|at\sfirst|initially"
    r"|on\sfirst|seemingly|for\sexample|e\.g\.|such\sas|not\sclear|unclear|unsure)\b"
    r"|如果|假如|倘若|是否|可能|也许|或许|乍看|起初|有人|声称|据称|例如|比如|不清楚|不确定",
    _FLAGS,
)
_ASPECT: Final = re.compile(
    r"\b(?:in\sterms\sof|with\s(?:respect|regard)\sto|regarding|concerning|as\s(?:to|for)|when\sit\scomes\sto|on\s(?:this|that|the"
    r"|its)?\s?(?:first|second|third|dimension|criterion|aspect|point|count|evidence|coherence|consistency|logic\sof|structure"
    r"|clarity|sources?|causal\w*|qualifiers?|counterpoints?|warrants?)|(?:for|in|on|under)\s(?:this|that|the)\s(?:dimension|criterion|aspect"
    r"|section|part)|at\s\w+ing)\b|在[^，。；]{1,20}(?:方面|上|维度)|就[^，。；]{1,20}而言",
    _FLAGS,
)
_WHOLE: Final = re.compile(
    r"\b(?:overall|on\sthe\swhole|all\sin\sall|in\s(?:sum|total|conclusion|summary|short)|on\sbalance|taken\stogether"
    r"|all\sthings\sconsidered|finally|verdict|final|ultimately|across\s(?:all|the))\b|总的来说|总体|整体|综合|总之|最终|综上",
    _FLAGS,
)
# A point within a number or a name ends no sentence.
_SENTENCE: Final = re.compile(r"[^.!?。！？；;\n]++(?:\.(?=[^\s.])[^.!?。！？；;\n]*+)*+[.!?。！？；;]*+")
# The word before a side: of another kind, and "A" is a plan, a vitamin, a company the report is about.
_WORD_BEFORE: Final = re.compile(r"(?<![\w])([A-Za-z][\w'’-]*)\s+\Z")
_LEADING: Final = frozenset(
    """overall conclude concluded think believe find found judge say consider feel hold verdict finally ultimately hence
    therefore clearly logically conclusion decision preference means is balance sum whole result""".split()
)
_OTHER_ZH: Final = re.compile(
    r"(?:方案|计划|维生素|类型|产品|公司|模式|选项|模型|情景|策略|政策|药物|地区|国家|组|型|类|股)\s?\Z"
)
_QUOTED: Final = re.compile(r"“[^”\n]{0,600}”|\"[^\"\n]{3,600}\"|「[^」\n]{0,600}」|『[^』\n]{0,600}』")
_FENCED: Final = re.compile(r"```.*?(?:```|\Z)|^[ \t]*>[^\n]*$", re.DOTALL | re.MULTILINE)
_TOKEN: Final = re.compile(
    r"[\s*_`#\[({\"'“]*(?:(?:(?:the|my)\s)?(?:final\s|overall\s)*(?:verdict|decision|answer|preference|judge?ment|winner|conclusion|choice"
    r"|preferred)(?:\sis)?|最终结论|总体结论|结论|最终判断|判断|胜者|答案)?[\s*_`\"'“]*[:：]?[\s*_`\[({\"'“]*"
    r"(?P<token>[AB]\s?[<>＜＞]\s?[AB]|both[\s_-](?:good|bad)|tie|draw|平局|(?P<bare>[AB]))[\s*_`\])}\"'”.。!]*\Z",
    _FLAGS,
)


class ComparativeStatement(msgspec.Struct, frozen=True):
    """A verdict that was said, and the words it was said in."""

    direction: Direction
    words: str


class _SentenceVerdict(msgspec.Struct, frozen=True):
    """One statement: its direction (None: not clear), its place, whether it is on the whole."""

    direction: Direction | None
    words: str
    whole: bool
    aspect: bool


def last_statement(
    text: str, *, materials: Sequence[str] = (), aspects: Sequence[str] = ()
) -> ComparativeStatement | None:
    """The verdict a reply comes to, or None where it comes to none that is clear.

    Args:
        text: The reply. Hidden reasoning is left out.
        materials: The texts the judge was shown.
        aspects: Names of single criteria: a sentence that names one is about that one.
    """
    if ends_as_material(text, materials):
        return None
    visible = split_hidden_reasoning(text)[0].strip()
    packed = [_packed(material) for material in materials]
    found = _token(visible, packed)
    if found is not None:
        return found
    alone = _packed(visible)
    own = _QUOTED.sub(_blank, _FENCED.sub(_blank, visible[-_TAIL:]))
    last: _SentenceVerdict | None = None
    for said in _statements(own, aspects):
        words = _packed(said.words)
        copied = words != alone and any(words in material for material in packed)
        if not copied and not (said.aspect and not said.whole):
            last = said
    if last is None or last.direction is None:
        return None
    return ComparativeStatement(last.direction, last.words)


def ends_as_material(text: str, materials: Sequence[str]) -> bool:
    """Whether the visible end of a reply stands in a material together with what comes before it.

    A closing tag inside a document hides all that a judge copied before it, and what is left looks like a whole reply.
    """
    end = _packed(split_hidden_reasoning(text)[0])
    whole = _packed(text)
    tags = [found.start() for found in re.finditer(rf"</[a-z]+>{re.escape(end)}", whole)] if end else []
    if not tags:
        return False
    # Of a judge's own reasons so much does not stand in a document by chance; where there are none, the tag decides.
    start = tags[-1] - _BEFORE if tags[-1] >= 2 * _BEFORE else tags[-1]
    copied = whole[start : whole.index(">", tags[-1]) + 1] + end
    return any(copied in _packed(material) for material in materials)


def last_line(text: str) -> str:
    """The last line of a reply that is not blank, without hidden reasoning and emphasis."""
    lines = [line.strip(" \t*_`") for line in split_hidden_reasoning(text)[0].splitlines() if line.strip()]
    return lines[-1] if lines else ""


def _token(visible: str, packed: Sequence[str]) -> ComparativeStatement | None:
    """The bare token at the end, if there is one that is the judge's own."""
    line = visible.splitlines()[-1] if visible else ""
    if len(line) > 120 or line.lstrip().startswith(">"):
        return None
    found = _TOKEN.match(line)
    if found is None:
        return None
    direction = _direction(found["token"])
    if direction is None:
        return None
    said = _packed(line)
    token = _packed(found["token"])
    bare = found["bare"] is not None
    if bare and len(said.strip("[]().*_`:：")) == 1 and _packed(visible) != said and "[[" not in line:
        # A letter alone at the end of prose may be anything: the end of a list, a name.
        return None
    if _packed(visible) != said and any((token if not bare else said) in material for material in packed):
        return None
    return ComparativeStatement(direction, line.strip())


def _direction(token: str) -> Direction | None:
    written = "".join(token.split()).replace("＜", "<").replace("＞", ">").upper()
    if written in ("A", "A>B", "B<A"):
        return "A>B"
    if written in ("B", "A<B", "B>A"):
        return "A<B"
    if written in ("DRAW", "平局"):
        return "tie"
    known: Sequence[Direction] = ("tie", "both_good", "both_bad")
    label = read_label(token, known)
    return next((name for name in known if name == label), None)


def _statements(text: str, aspects: Sequence[str]) -> Iterator[_SentenceVerdict]:
    """What is said, sentence by sentence; of a sentence that says several things, all of them or that it is not clear."""
    names = [name.casefold() for name in aspects if len(name) > 2]
    for match in _SENTENCE.finditer(text):
        sentence = match.group()
        found = list(_in_sentence(sentence))
        if not found:
            continue
        directions = {direction for direction, _ in found}
        words = found[-1][1]
        direction = found[-1][0] if len(directions) == 1 else None
        asked = sentence.rstrip("\"'”」 ").endswith(("?", "？"))
        if asked:
            continue
        if _SUPPOSED.search(sentence):
            direction = None
        lower = sentence.casefold()
        aspect = _ASPECT.search(sentence) is not None or any(name in lower for name in names)
        yield _SentenceVerdict(direction, words, _WHOLE.search(sentence) is not None, aspect)


def _in_sentence(sentence: str) -> Iterator[tuple[Direction | None, str]]:
    """Directions and their words, in order of place."""
    flat = re.sub(r"\s", " ", sentence)
    found: list[tuple[int, int, Direction | None]] = []
    for pattern in _BETTERS:
        for match in pattern.finditer(flat):
            found.append((*match.span(), _better(match)))
    for pattern, tie in _TIES:
        for match in pattern.finditer(flat):
            denied = match.groupdict().get("denied") is not None
            sides = match.groupdict()
            if sides.get("x") and sides.get("x") == sides.get("y"):
                continue
            found.append((*match.span(), None if denied else tie))
    # Of two that overlap, the one that begins first says more: "A is better than B" holds "B".
    found.sort(key=lambda item: (item[0], -item[1]))
    end = -1
    for start, stop, direction in found:
        if start < end:
            continue
        end = stop
        if _is_other(flat[:start]):
            continue
        denied = _NOT_BEFORE.search(flat[:start]) is not None
        yield None if denied else direction, flat[start:stop]


def _is_other(before: str) -> bool:
    """Whether what stands before a statement makes its A and B something else than the documents."""
    word = _WORD_BEFORE.search(before)
    if word is None:
        return _OTHER_ZH.search(before) is not None
    return word[1].lower() not in STOPWORDS and word[1].lower() not in _LEADING


def _better(match: re.Match[str]) -> Direction | None:
    groups = match.groupdict()
    better, worse = groups.get("x"), groups.get("y")
    # "report a better …" has an article, and "A is better than A" says nothing.
    if any(side is not None and side not in "AB" for side in (better, worse)) or better == worse:
        return None
    if groups.get("denied"):
        return None
    first = better == "A" if better else worse == "B"
    return "A>B" if first else "A<B"


def _packed(text: str) -> str:
    """A text without white space and emphasis, in one case: the same words however they are set."""
    return re.sub(r"[\s*_`]+", "", text).casefold()


def _blank(match: re.Match[str]) -> str:
    """As many blanks, so that places stay; line breaks stay too."""
    return re.sub(r"[^\n]", " ", match.group())
