"""A claim of cause stays, and the reason that carried it is gone or says nothing."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from assay.interventions.attacks._differences import shared_terms
from assay.interventions.attacks._prose import (
    Line,
    capital,
    chinese,
    edit,
    lines,
    mixed,
    places,
    section_phrases,
)
from assay.interventions.attacks._targeted import screened, targeted

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from random import Random

    from assay.interventions.base import Place, TextRevision
    from assay.subjects.report import Report

_LAST_EN: Final = re.compile(
    r",? (?:because(?! of)|since (?=(?:the|it|they|these|this|both|each|most|many|no|such) [^.;:]*\b(?:is|are|has|have|can|do|does|was|were)\b)|"
    r"given that|owing to|due to|because of|in that|on the grounds that|as a result of|"
    r"(?:driven|caused|explained|underpinned|motivated|fuell?ed|propelled|spurred)(?: \w+ly| in part)? by) ?[^.;:]{18,190}$"
)
_MEANS_EN: Final = re.compile(
    r",? (?:by (?:[a-z]+ly )?(?:reduc|increas|improv|enabl|allow|provid|creat|limit|lower|rais|remov|shift|cutt?|prevent|align|shorten|encourag|"
    r"support|promot|integrat|combin|minimi[sz]|optimi[sz]|leverag|strengthen|expand|facilitat|offer|reinforc|mak|us|help|driv|learn|focus|"
    r"address|shap|chang|giv|adjust|analy[sz]|balanc|build|decreas|exploit|identify|introduc|maintain|modulat|simplify|target|transform)ing|"
    r"through (?!which|the (?:use|cron|process|lens)|time|years)(?:the |a |an )?(?:[a-z-]+ ){1,2}(?=[a-z])) ?[^.;:]{12,150}$"
)
_FRONT_EN: Final = re.compile(
    r"^(?:(?:Because(?! of)|Since|Given that|As) (?=(?:the|it|they|these|this|both|each|most|many|more|such|[a-z]+s) [^,]*\b(?:is|are|has|have|can|do|does|was|were|becomes?|grows?)\b)|"
    r"(?:Because of|Due to|Owing to|As a result of|Given (?=the|these|its|their)) ?)[^,.;:()]{14,140}, (?=(?:the|a|an|this|that|these|those|there|we|some|many|most|several|both|all|[A-Z]\w+)\s)"
)
_REASON_EN: Final = re.compile(
    r"^(?:This is (?:largely |mainly |primarily |partly )?because|This is (?:largely |mainly |primarily |partly )?due to|The (?:main |key |underlying )?reason (?:is|for this)|"
    r"This (?:occurs|happens|works|arises|stems) (?:because|from|when|since)|The mechanism)\b"
)
_FRONT_ZH: Final = re.compile(
    r"^(?:由于|因为|鉴于|受益于|得益于|受[^，。；]{2,16}(?:影响|推动|驱动))[^，。；]{4,60}，(?:所以|因此|因而|使得|从而|于是)?(?![它其他她这该可并而以和及])"
)
_LAST_ZH: Final = re.compile(
    r"[，,](?:因为|由于|原因在于|主要是因为|其原因是|这主要得益于|这主要是由于|这是因为|主要得益于|主要源于|源于)[^。；]{6,80}$"
)
_MIDDLE_ZH: Final = re.compile(
    r"(?<=，)(?:从而|进而|并由此|由此|通过)[^，。；]{5,40}，(?=(?:从而|进而|最终|使|因此|并|以|提|促|推|实现|降|增)[^，。；]{4,})"
)
_MEANS_ZH: Final = re.compile(
    r"(?:^|(?<=，))(?:通过(?!梳理|分析|研究|比较|对比|回顾|上述|以上)|借助|凭借|利用)[^，。；]{5,45}，(?=[^，。；]{5,}(?:提升|提高|降低|减少|增强|促进|推动|改善|实现|扩大|优化|支持|满足|确保|帮助|加强|加快|形成|构建|带来|建立|达到|使|能|可))"
)
_INSIDE_ZH: Final = re.compile(
    r"(?<=[，；])(?:由于|鉴于|受益于|得益于)[^，。；]{4,50}，(?:因此|所以|因而)?(?![它其他她这该可并而以和及])"
    r"|(?:^|(?<=[，；：]))在[^，。；]{3,30}(?:推动|驱动|作用|影响|带动|支持|加持)下，(?![它其他她这该可并而以和及])"
    r"|因(?![此为而素子果])[^，。；、（）]{3,24}而(?=[被得备受成更导广显难无面产])"
)
_REASON_ZH: Final = re.compile(
    r"^(?:这是因为|原因在于|其原因|究其原因|这主要(?:是因为|是由于|得益于|源于)|主要原因)"
)

_BARE_EN: Final = (
    ", as one would expect",
    ", and the connection is plain",
    ", which follows directly",
    ", and the link between the two is obvious",
    ", as has long been apparent",
    ", as the overall picture makes plain",
    ", a connection so widely taken for granted by now that it hardly needs to be spelled out here",
    ", and nobody who has followed the matter for some time will be surprised that the one goes together with the other",
    ", which is one of those connections that are accepted on all sides and have long ceased to call for any comment",
)
_BARE_ZH: Final = (
    "，这是理所当然的",
    "，二者的联系显而易见",
    "，这一点不言自明",
    "，这是自然而然的结果",
    "，其间的联系早已为各方所公认，在此似乎不必再作说明",
    "，熟悉这一领域的人对二者之间的关联想必都不会感到意外，这里也就无需赘述",
)

_REASONS: Final = re.compile(
    r"\b(?:because|since|due to|owing to|given(?: that)?|as a result of|by (?:\w+ly )?\w+ing|thereby|thus|in turn|which means|so that|such that|"
    r"in that|reasons?|mechanisms?|through|which is why|stems? from|on the grounds|as (?:they|it|this|these|more|both|the))\b"
    r"|因为|由于|原因|得益|源于|鉴于|从而|进而|由此|通过|借助|凭借|利用|使得|受.{2,16}(?:影响|推动|驱动)|在.{3,30}(?:推动|驱动|作用|影响|带动|支持|加持)下|因.{3,24}而|driven|caused by|explained by|underpinned|motivated|fuell?ed|propelled|spurred",
    re.IGNORECASE,
)
_FITS: Final = re.compile(
    r"\b(?:because|due to|owing to|leads? to|results? in|thereby|in turn|driven by)\b|因为|由于|导致|从而|进而|使得"
)


def rule(report: Report, draw: Random) -> Iterator[TextRevision]:
    """Sentences that lose the reason, the means or the middle of a chain; reasons given as a sentence made empty."""
    groups: dict[str, list[TextRevision]] = {}
    everything = lines(report)
    phrases = {section.index: phrase for section, phrase in section_phrases(report)}
    for i, line in enumerate(everything):
        before = everything[i - 1] if i and everything[i - 1].index == line.index - 1 else None
        found = _chinese(line, draw) if chinese(report) else _english(line, draw)
        for revision in found:
            groups.setdefault(revision.pattern, []).append(revision)
        reason = _REASON_ZH if chinese(report) else _REASON_EN
        if before is not None and before.block == line.block and reason.match(line.text):
            phrase = phrases.get(line.section)
            empty = _empty(phrase, draw, zh=chinese(report))
            note = f"reason made empty: {line.text[:80]}"
            groups.setdefault("reason-emptied", []).append(
                edit(line, 0, line.tail, empty, pattern="reason-emptied", note=note)
            )
    yield from mixed(groups, draw)


def _english(line: Line, draw: Random) -> Iterator[TextRevision]:
    body = line.text[: line.tail]
    for name, pattern in (("reason", _LAST_EN), ("means", _MEANS_EN)):
        match = pattern.search(body)
        if match is None or match.start() < 40 or len(match.group()) > 0.65 * len(body):
            continue
        # "is due to X": the reason is what the sentence says.
        if re.search(
            r"\b(?:is|are|was|were|be|been|largely|mainly|partly|primarily|and|or|only|not|simply|just|how|it|in part|part)$",
            body[: match.start()],
        ):
            continue
        if re.search(
            r"\b(?:this|the) (?:\w+ )?(?:report|section|analysis|study|paper|review)\b",
            body[: match.start()],
            re.IGNORECASE,
        ):
            continue
        if re.search(
            r"\b(?:how|whether|if|when|aims?|seeks?|try|tries|designed|used|work)\b",
            body[: match.start()][-60:],
        ):
            continue
        note = f"{name} dropped: {match.group().strip(' ,')[:80]}"
        if not _whole(body[: match.start()]):
            continue
        yield edit(line, match.start(), match.end(), "", pattern=f"{name}-dropped", note=note)
        if not line.text.rstrip().endswith((".", "]")):
            continue
        bare = draw.choice(_BARE_EN)
        yield edit(line, match.start(), match.end(), bare, pattern=f"{name}-asserted", note=note)
    front = _FRONT_EN.match(body)
    if front and len(body) - front.end() >= 40:
        note = f"reason dropped: {front.group().strip(' ,')[:80]}"
        rest = capital(body[front.end() :])
        yield edit(line, 0, front.end() + 1, rest[:1], pattern="reason-dropped", note=note)


def _whole(kept: str) -> bool:
    return (
        kept.count("(") == kept.count(")")
        and kept.count("—") % 2 == 0
        and kept.count('"') % 2 == 0
        and kept.count("“") == kept.count("”")
        and not kept.endswith(",")
    )


def _chinese(line: Line, draw: Random) -> Iterator[TextRevision]:
    body = line.text[: line.tail]
    if body.endswith(("：", ":")):
        return
    front = _FRONT_ZH.match(body)
    if front and len(body) - front.end() >= 12:
        note = f"reason dropped: {front.group()[:60]}"
        yield edit(line, 0, front.end(), "", pattern="reason-dropped", note=note)
        bare = draw.choice(("理所当然地，", "不言而喻，", "显而易见，", "自然而然地，"))
        yield edit(line, 0, front.end(), bare, pattern="reason-asserted", note=note)
    last = _LAST_ZH.search(body)
    if last and last.start() >= 12:
        note = f"reason dropped: {last.group()[:60]}"
        yield edit(line, last.start(), last.end(), "", pattern="reason-dropped", note=note)
        yield edit(
            line, last.start(), last.end(), draw.choice(_BARE_ZH), pattern="reason-asserted", note=note
        )
    for name, pattern in (("chain", _MIDDLE_ZH), ("means", _MEANS_ZH), ("cause", _INSIDE_ZH)):
        match = pattern.search(body)
        if match and len(body) - len(match.group()) >= 16 and len(body) <= 160:
            note = f"{name} dropped: {match.group()[:60]}"
            yield edit(line, match.start(), match.end(), "", pattern=f"{name}-dropped", note=note)


def _empty(phrase: str | None, draw: Random, *, zh: bool) -> str:
    """A sentence in the place of a reason that gives none."""
    if zh:
        about = f"从{phrase}的角度看，" if phrase else ""
        return about + draw.choice(
            ("这种联系十分明显", "这一结果是可以预料的", "这样的走向合乎常理", "出现这种情况并不令人意外")
        )
    about = f"As far as {phrase} is concerned, this" if phrase and not phrase.endswith("s") else "This"
    return about + draw.choice(
        (
            " is only what one would expect",
            " is how things generally turn out",
            " follows naturally and needs little comment",
            " comes as no surprise to anyone familiar with the field",
        )
    )


def sites(report: Report, draw: Random) -> Iterable[Place]:
    """Paragraphs with a causal claim."""
    return places(report, draw, _FITS)


_screen: Final = screened(may_drop=True)


def check(reference: Report, perturbed: Report, revision: TextRevision) -> str | None:
    """Fewer reasons than before, at one place, with a good part of the claim still there and no figure lost with it."""
    found, problem = _screen(reference, perturbed, revision)
    if problem:
        return problem
    before, after = (len(_REASONS.findall(text)) for text in (found.before, found.after))
    if after >= before:
        return "no reason, means or mechanism is gone"
    kept = shared_terms(found.before, found.after)
    if kept < 0.3 and not (_REASON_EN.match(found.before) or _REASON_ZH.match(found.before)):
        return f"the claim itself is gone: {kept:.0%} of the passage's terms are left"
    return None


OPERATOR = targeted(
    dimension="warrants_causality",
    title="Warrants and causal reasoning",
    definition=(
        "A causal or inferential claim stands, but why it holds is no longer said: its reason, means or mechanism is missing, "
        "or was replaced by a bare assertion that the link exists."
    ),
    definition_zh="因果或推论性的论断仍在，但其成立的理由不见了：原因、途径或机制被删去，或被一句“显而易见”式的断言取代。",
    rule=rule,
    sites=sites,
    ask=(
        "Find a claim in the passage that is backed by a reason, a mechanism or an intermediate step. Take that link away, or put "
        "a bare assertion of the connection in its place; keep the claim, its scope, its figures and its citations. The passage "
        "must still read smoothly, and nothing may contradict the rest of the report."
    ),
    ask_zh=(
        "找出段落中由原因、机制或中间环节支撑的一个论断，去掉这一环节，或用一句不作解释的断言代替；论断本身、适用范围、数字和引用都保留。"
        "改后的文字要通顺，不得与报告其他部分矛盾。"
    ),
    check=check,
    codes=("WAR001",),
)
