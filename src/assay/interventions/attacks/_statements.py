"""Sentences that can be said again elsewhere: whole, declarative, standing by themselves; and their short forms."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from assay.interventions.attacks._prose import (
    OWN_TALK,
    ProseLine,
    capital,
    chinese,
    lines,
    opening_small,
    plain_words,
)
from assay.text.words import STOPWORDS

if TYPE_CHECKING:
    from assay.subjects.report import Report, Section

# Whatever points back, addresses the reader, quotes, or leads to what follows does not stand by itself.
_LEANS_EN: Final = re.compile(
    r"^(?:This|These|Those|That|Such|However|For example|For instance|Therefore|Thus|Hence|As a result|As a consequence|In other words|It|Its|They|Their|He|She|His|Her|We|Our|You|Your|"
    r"Additionally|Furthermore|Moreover|Similarly|Likewise|In contrast|By contrast|On the other hand|Finally|First|Firstly|Second|Secondly|Third|Thirdly|Fourth|Lastly|Next|Then|Conversely|Also|Note|"
    r"See|Let|Here|There|Meanwhile|In addition|But|And|Or|Yet|So|Nor|Not|Consequently|Accordingly|Specifically|Overall|In summary|In short|In sum|In conclusion|To summarize|Ultimately|Instead|Rather|Nevertheless|"
    r"Nonetheless|Still|Indeed|Another|Other|Others|Both|Neither|Either|One|Beyond|What|How|Why|When asked|Given|Taken|Today|Interestingly|Notably|Importantly|Crucially|Critically|Perhaps|Again|Now|Only|Even|Despite|"
    r"In (?:this|these|such|that|both|each|all|particular)|At this|With this|From this|For this|To (?:this|that|do|be|address|achieve|get|make|avoid|ensure|meet)|The (?:former|latter|following|above|same|second|first|third|other|next|final|last|result|results|answer|report|table|figure|author|authors|study|company|paper|researchers|team|project|question|goal|aim|idea|difference|reason|reasons|key|main|most)|"
    r"Unlike|Looking|Generally|In general|More|At the same time|Initially|Later|Eventually|Subsequently|Under this|Through this|During this|By (?:this|then|doing)|According to (?:this|these|the (?:same|report|study|authors?))|Because of this|Due to this|Several|Recent examples|Examples?|Evidence|Key|Main|If you|Table|Figure|Step|Section|Question|Answer|Yes|No)\b"
    r"|\b(?:above|below|this|these|those|such an?|does so|do so|the following|following (?:table|section|points)|as follows|this (?:report|section|paper|table|analysis|research|study|question|answer|review)|the latter|the former|these|herein|you|your|we|our|us|I|my)\b"
    r"|[?!:;\"“”‘|]|\.\.\.|…| [–—-] |—|\*|e\.g\.|i\.e\.|^\W|\bvs\b"
)
_VERBS: Final = """is are was were has have had can could may might will would must does did shows show showed provides provided offers requires needs remains became becomes includes included involves contains
 consists depends leads led reduces reduced increases increased improves improved allows allowed enables enabled helps supports supported plays makes made uses used relies suggests suggested indicates indicated reports reported found finds reveals
 revealed demonstrates demonstrated achieves achieved affects affected causes caused creates created drives drove represents represented accounts accounted reached reaches grew rose fell declined dropped continues continued began begins focuses
 focused emphasizes highlights highlighted varies differs serves operates faces exhibits produces generates produced generated combines presents presented introduced introduces launched marks marked seeks follows covers comprises ranges lies
 stands holds takes took gives gave brings brought keeps works acts tends appears seems argues argued states estimates estimated projects predicts established identified developed implemented adopted published announced released expanded
 shifted shapes shaped influences influenced reflects reflected limits limited prevents prevented ensures addresses addressed integrates leverages employs employed outperforms outperformed received won saw signed built""".split()
_FINITE: Final = re.compile(rf"\b(?:{'|'.join(_VERBS)})\b")
# Sentences that open with a verb tell the reader what to do, or are lines of a list without a subject.
_ORDERS: Final = frozenset(
    """add adjust adopt align allow always analyze analyse apply arrange ask assess assign assume avoid balance be begin break build buy calculate capture carry change check choose clarify clean click collect combine communicate compare
 complete conduct configure confirm connect consider consult continue control convert copy cover create customize cut decide deepen define deliver demand deploy derive design designate determine develop diversify do document
 download draw drive drop edit educate emphasize employ enable encourage enforce engage enhance ensure enter establish estimate evaluate examine expand explain explore export extend facilitate fill find fix focus follow
 format foster fund gather generate get give go group grow guide handle have help hold identify implement import improve include incorporate increase inform initiate insert inspect install integrate introduce invest invite
 involve join keep know label launch lead learn leave let leverage limit link list load look lower maintain make manage map mark match maximize measure minimize mix model monitor move name navigate note observe offer open
 optimize order organize pair partner pay perform pick pilot place plan play plot point practice prefer prepare present press prevent prioritize produce promote protect provide publish pull push put quantify raise read
 recognize recommend record reduce refer refine register reinforce remember remove repeat replace report require reserve resolve review rotate run save scale schedule search secure seek select send separate set share shift show
 simplify sort specify spend split standardize start stay stop store strengthen study subscribe suggest supplement support switch tailor take target teach test think tie track train translate treat try turn understand
 update upgrade use utilize validate verify view visit wait watch weigh work write using including based having being given compared depending according""".split()
)
_LEANS_ZH: Final = re.compile(
    r"^(?:这|该|此|此外|然而|因此|例如|比如|但|其|它|他|她|由此|上述|以上|以下|不过|首先|其次|再次|最后|另外|综上|总之|总体|总的|即|也|并|而|如(?!果)|见|注|换|同时|与此|相比|相反|另|反之|[一二三四五]是|第[一二三四五]|随后|之后|后来|所以|从而|可见|尤其|特别|具体|我们|本(?:报告|文|节|章|研究|部分)|还|又|则|且|或|两者|二者|前者|后者|事实上|实际上|当然|目的|建议|需|应|不|未来|展望|相应|然后|接着|值得|重要的是|更|据此|再|只|仅|那|最|总而|反过来|近来|对此|在此|为此|与之|与其|同样|值此|为了?|是|简单|其实|使|让|把|要|可|能|会|将|有(?!研究|学者)|无|受|被)"
    r"|[^规原法准否]则|这|上面|前面|前文|后文|[?？!！:：;；\"「」‘’…|*]|——|本(?:报告|文|节|章|研究|部分)|上述|下表|上表|如下|以下|上文|下文|建议|我们|“[^“”]{13,}”|“[^”]*$"
)
# Points of lists that open so have no subject.
_BARE_ZH: Final = re.compile(
    r"^(?:加强|建立|推动|完善|提高|促进|通过|利用|采用|使用|提升|优化|强化|推进|开展|实施|制定|构建|鼓励|支持|引导|发展|培养|关注|选择|设置|确保|避免|增加|减少|降低|实现|形成|提供|结合|基于|根据|依据|旨在|适合|适用|包括|包含|具有|拥有|负责|进行|打造|探索|深化|扩大|健全|落实|注重|重视|坚持|整合|引入|参与|帮助|用于|属于|主要|对|从|以|向|按|由|与|和|及|评估|分析|研究(?!表明|显示|发现|人员|者)|设计|开发|检查|计算|记录|明确|保持|保护|改善|创新|创建|搭建|联合|组织|举办|围绕|针对|配合|借助|定期|逐步|进一步|持续|积极|充分|需要|强调|存在|面临|成为|是|已|曾|仍|正|覆盖|聚焦|突出|体现|反映|涉及|依托|涵盖|展示|展现|呈现|融合|集成|兼顾|部署|导致|带来|产生|处理|解决|应对|满足|允许|配备|配置|内置|采取|获得|获|达|都|均|约|平均|预算|全部|以及|若|占)"
)
_FINITE_ZH: Final = re.compile(
    r"是|成为|具有|存在|需要|取决于|达到?|占|使|导致|高于|低于|超过|已|仍|正在|能够|可以|可能|将|会|提供|表明|显示|发现|认为|指出|包括|影响|推动|促进|增长|下降|上升|提高|降低|实现|采用|面临|发挥|了|依赖|支持|强调|拥有|来自|属于|受到|呈现|体现|不同|不足|较"
)
# What trails behind a whole clause and can be left out in a short form.
_TRAILS: Final = re.compile(
    r", (?:which|including|such as|especially|particularly|ranging|making|allowing|enabling|leading|resulting|creating|providing|helping|offering|ensuring|reflecting|highlighting|underscoring|contributing|thereby|thus|driven|supported) [^,]{8,140}$"
)
# "**Lead:** text" is said again without its lead.
_LABELLED: Final = re.compile(r"^\*\*[^*\n]{2,70}(?:[:：]\*\*|\*\*\s?[:：])\s*")
_RELATIVE: Final = re.compile(r",? (?:which|who|that|whose|where|as)\b[^,]*")
_SUBORDINATE: Final = re.compile(
    r"(?:As|While|When|If|Although|Though|Since|Because|Once|Whereas|Unless|Until|After|Before)\b"
)
# What limits or turns a statement stays with it.
_TURNS: Final = re.compile(
    r"\b(?:but|however|although|though|while|whereas|except|unless|without|despite|not|no|only|if|rather|yet)\b"
)
# Pronouns whose noun would follow them only later.
_PRONOUN: Final = re.compile(r"\b(?:it|its|they|their|them|he|she|his|her|this|these)\b")
# First words that are no names, whatever is written after them.
_EVERYDAY: Final = frozenset(
    "recent early many most several various innovative new modern current advanced combined emerging existing typical common other different multiple both such".split()
)
_LAST: Final = re.compile(r"^(?P<main>[^,]{25,160}),? (?P<sub>(?:because|although) (?!of\b)[^,]{18,150})$")
_FIRST: Final = re.compile(
    r"^(?P<sub>(?:Because|Although|While|When|In|Since|During) [^,]{4,90}), (?P<main>(?:the|a|an|many|most|some|all|each|it|[A-Z][\w-]+|[a-z]+s) [^,]{25,170})$"
)
_ACCORDING: Final = re.compile(r"^According to (?P<who>(?:the |a |an )?[^,]{3,60}), (?P<main>[^,]{25,190})$")
_NEGATED: Final = re.compile(r"\b(?:not|never|no|only|simply|partly|mainly|largely|precisely|n't)\b|n[’']t\b")


def statements(report: Report, *, longest: int = 260) -> list[tuple[ProseLine, str]]:
    """Lines of the body that say something whole, each with what it says, without marks."""
    found = []
    for line in lines(report, shortest=45, longest=longest + 120):
        body = statement(report, line)
        if body is not None and len(body) <= (longest * 2 // 5 if chinese(report) else longest):
            found.append((line, body))
    return found


def statement(report: Report, line: ProseLine) -> str | None:
    """What a line says, without marks and full stop; None where it is no whole sentence or leans on its neighbours."""
    if not any(mark in line.text[line.tail :] for mark in ".。") or OWN_TALK.search(line.text):
        return None
    raw = _LABELLED.sub("", line.text[: line.tail])
    body = plain_words(raw)
    zh = chinese(report)
    if raw[:1] in "*_" or "**" in raw or not declares(body, zh=zh):
        return None
    if report.blocks[line.block].kind == "item":
        # Points of lists are often said without a subject.
        if zh and _BARE_ZH.match(body):
            return None
        if not zh and not re.match(
            r"(?:The|An?|Most|Many|Some|Several|All|Each|[A-Z][\w-]*(?: [\w-]+){0,4}? (?:is|are|was|were|has|have|can|may|will)) ",
            body,
        ):
            return None
    return body


def declares(body: str, *, zh: bool) -> bool:
    """Whether a text without marks is a whole declarative sentence that does not lean on what is around it."""
    if zh:
        return (
            14 <= len(body) <= 110
            and not _LEANS_ZH.search(body)
            and _FINITE_ZH.search(body) is not None
            and re.match(r"[\u4e00-\u9fffA-Z《]", body) is not None
        )
    first = re.match(r"[A-Za-z]+", body)
    if (
        first is None
        or first.group().lower() in _ORDERS
        or first.group().lower() in _VERBS
        or _LEANS_EN.search(body)
    ):
        return False
    if _SUBORDINATE.match(body):
        head, comma, rest = body.partition(", ")
        if not comma or not _FINITE.search(head) or not _FINITE.search(_RELATIVE.sub("", rest)):
            return False
    # The verb of a relative clause is none of the sentence.
    return len(body) >= 40 and _FINITE.search(_RELATIVE.sub("", body)) is not None


def finite(text: str, *, zh: bool) -> bool:
    """Whether a text has a finite verb."""
    return (_FINITE_ZH if zh else _FINITE).search(text) is not None


def small_opening(report: Report, text: str) -> str | None:
    """A sentence as it reads after other words; a first word that the report writes large in mid-sentence stays large."""
    word = re.match(r"[A-Z][\w'’-]*", text)
    if word is not None and text[word.end() : word.end() + 1] not in (" ", ","):
        return text
    if word is not None and word.group().lower() in _EVERYDAY:
        return text[0].lower() + text[1:]
    if word is not None and word.group().lower() not in STOPWORDS:
        name = re.escape(word.group())
        large = len(re.findall(rf"(?<=[a-z,] ){name}\b", report.plain))
        small = len(re.findall(rf"\b{re.escape(word.group().lower())}\b", report.plain))
        if large > small:
            return text
        if re.match(r"[\w'’-]+ [A-Z]", text) and large and large * 4 >= small:
            return text
        # "Light Emitting Diodes": one name or none, and half of it in small letters would be neither.
        if re.match(r"[\w'’-]+ [A-Z][a-z]", text) or (not small and re.match(r"[\w'’-]+ [A-Z]", text)):
            return None
    return opening_small(report, text)


def shortened(body: str, *, zh: bool) -> str:
    """A sentence without what trails behind its main clause; what stands in brackets belongs to it."""
    text = body
    if zh:
        return text
    cut = _TRAILS.search(text)
    if cut and (_TURNS.search(text, cut.start()) or re.search(r"[()]", text)):
        return text
    # What stands before must be whole by itself; the verb of "systems that are small, such as kilns" is none of it.
    if cut and cut.start() >= 45 and not _SUBORDINATE.match(text):
        head = text[: cut.start()]
        if not re.search(r"\b(?:that|who|which|whose|where)\b", head) and _FINITE.search(head):
            return head
    return text


def moved(report: Report, body: str) -> str | None:
    """A sentence with its clauses in the other order; None where grammar is not certain."""
    if chinese(report) or _NEGATED.search(body):
        return None
    match = _LAST.match(body)
    if match and _PRONOUN.search(match["sub"]):
        return None
    if match and _FINITE.search(match["main"]) and _FINITE.search(match["sub"]):
        small = small_opening(report, match["main"])
        return None if small is None else f"{capital(match['sub'])}, {small}"
    match = _ACCORDING.match(body)
    if match and _FINITE.search(match["main"]):
        return f"{capital(match['main'])}, according to {match['who']}"
    match = _FIRST.match(body)
    if match and _FINITE.search(match["main"]):
        sub = match["sub"]
        clause = sub.split()[0] in ("Because", "Although", "While", "When", "Since")
        if clause and not _FINITE.search(sub):
            return None
        if not clause and not re.match(r"(?:In|During|Since) (?:the )?(?:\w+ )?(?:\d{4}|[12]\d{3}s)$", sub):
            return None
        comma = "," if sub.startswith(("Although", "While")) else ""
        return f"{capital(match['main'])}{comma} {sub[0].lower()}{sub[1:]}"
    return None


def section_end(report: Report, section: Section) -> int | None:
    """Where a paragraph can be added at the end of a section's own text; None where a table, code or talk ends it."""
    blocks = [
        block
        for block in report.blocks
        if section.body.start <= block.span.start < section.body.end and block.kind != "heading"
    ]
    while blocks and blocks[-1].kind == "rule":
        blocks.pop()
    if not blocks or blocks[-1].kind not in ("paragraph", "item"):
        return None
    last = blocks[-1]
    text = report.source[last.span.start : last.span.end].rstrip()
    if text.endswith((":", "：", ":**", "：**")) or OWN_TALK.search(text) or "|" in text:
        return None
    if last.kind == "paragraph" and text[-1:] not in ".。]】)*":
        return None
    return last.span.start + len(text)
