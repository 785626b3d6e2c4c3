"""Warrants and causality: a causal claim stays, and the reason that supported it is removed."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from assay.interventions.attacks._differences import shared_terms
from assay.interventions.attacks._prose import (
    ProseLine,
    capital,
    chinese,
    edit,
    edit_sites,
    lines,
    mixed,
)
from assay.interventions.attacks._targeted_attacks import screened, targeted
from assay.text.phrases import PhraseFile

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from random import Random

    from assay.interventions.base import EditSite, TextRevision
    from assay.subjects.report import Report

_PHRASES: Final = PhraseFile("assay.interventions", "targeted_warrants_causality")

_LAST_EN: Final = _PHRASES.pattern(
    ",? (?:because(?! of)|since (?=(?:the|it|they|these|this|both|each|most|many|no|such)"
    r" [^.;:]*\b(?:is|are|has|have|can|do|does|was|were)\b)|given that|owing to|due to|because of"
    r"|in that|on the grounds that|as a result of|(?<=, )(?:<<last>>)(?: \w+ly| in part)? by)"
    " ?[^.;:]{18,190}$",
)
_MEANS_EN: Final = _PHRASES.pattern(
    ",? (?:by (?:[a-z]+ly )?(?:<<means>>)ing|through (?!which|the (?:use|cron|process|lens)|time"
    "|years)(?:the |a |an )?(?:[a-z-]+ ){1,2}(?=[a-z])) ?[^.;:]{12,150}$",
    "en",
)
_FRONT_EN: Final = _PHRASES.pattern(
    r"^(?:(?:Because(?! of)|Since|Given that|As) (?=(?:<<front>>) [^,]*\b(?:is|are|has|have|can|do"
    r"|does|was|were|becomes?|grows?)\b)|(?:<<cause_prepositions>>) ?)[^,.;:()]{14,140}, (?=(?:"
    r"<<clause_starts>>)\s)",
)
_REASON_EN: Final = _PHRASES.pattern(r"^(?:<<reason>>)\b")
_FRONT_ZH: Final = re.compile(
    r"^(?:由于|因为|鉴于|受益于|得益于|受[^，。；]{2,16}(?:影响|推动|驱动))[^，。；]{4,60}，(?:所以|因此|因而|使得|从而|于是)?(?![它其他她这该可并而以和及])"
)
_LAST_ZH: Final = re.compile(
    r"[，,](?:因为|由于|原因在于|主要是因为|其原因是|这主要得益于|这主要是由于|这是因为|主要得益于|主要源于|源于)[^。；]{6,80}$"
)
_MIDDLE_ZH: Final = re.compile(
    r"(?<=，)(?:从而|进而|并由此|由此|通过)[^，。；]{5,40}，(?=(?:从而|进而|最终|使|因此|并|以|提|促|推|实现|降|增)[^，。；]{4,})"
)
_MEANS_ZH: Final = _PHRASES.pattern(
    "(?:^|(?<=，))(?:通过(?!梳理|分析|研究|比较|对比|回顾|上述|以上)|借助|凭借|利用)"
    "[^，。；]{5,45}，(?=[^，。；]{5,}(?:<<means>>))",
    "zh",
)
_INSIDE_ZH: Final = re.compile(
    r"(?<=[，；])(?:由于|鉴于|受益于|得益于)[^，。；]{4,50}，(?:因此|所以|因而)?(?![它其他她这该可并而以和及])"
    r"|(?:^|(?<=[，；：]))在[^，。；]{3,30}(?:推动|驱动|作用|影响|带动|支持|加持)下，(?![它其他她这该可并而以和及])"
    r"|因(?![此为而素子果])[^，。；、（）]{3,24}而(?=[被得备受成更导广显难无面产])"
)
_REASON_ZH: Final = re.compile(
    r"^(?:这是因为|原因在于|其原因|究其原因|这主要(?:是因为|是由于|得益于|源于)|主要原因)"
)

# A clause that says that something happens or is so.
_VERB_EN: Final = _PHRASES.pattern(r"\b(?:<<verb>>)\b")
_CAUSAL_ZH: Final = _PHRASES.pattern("<<causal>>")
_SAYS_ZH: Final = re.compile("(?:表明|显示|指出|认为|发现|称|是指|定义为|即|包括|为|于)，?$")

# Associations, and the same stated as cause and effect.
_TOGETHER_EN: Final[tuple[tuple[re.Pattern[str], tuple[str, ...]], ...]] = tuple(
    (_PHRASES.pattern(pattern), options)
    for pattern, options in (
        (
            (
                r"\b(?P<be>is|are|was|were)(?: (?:strongly|closely|significantly|positively|often|consistently"
                "|directly|also|highly|frequently|commonly|independently))* (?:associated|correlated"
                "|linked)(?: positively| significantly)? (?:with|to)(?= (?:an? |the )?(?:higher|lower"
                "|increas|decreas|reduc|improv|greater|better|worse|poor|more|less|fewer|elevated"
                "|enhanced|stronger|declin|ris|los|growth|risk|positive|negative|adverse|long|short))"
            ),
            (
                "{be} the direct cause of",
                "{be} directly responsible for",
                "{be} what brings about",
            ),
        ),
        (
            r"\bcorrelates (?:\w+ly )?with\b",
            ("is the direct cause of", "by itself brings about", "directly produces"),
        ),
        (
            r"\bcorrelate (?:\w+ly )?with\b",
            ("are the direct cause of", "by themselves bring about", "directly produce"),
        ),
        (
            (
                r"\bcontributes to(?= (?:an? |the )?(?:higher|lower|increas|decreas|reduc|improv|greater"
                "|better|worse|more|less|fewer|enhanced|stronger|declin|ris|los|growth|development"
                "|success|failure|spread|economic|overall|long))"
            ),
            (
                "by itself brings about",
                "alone is responsible for",
                "is the sole cause of",
                "is all it takes for",
            ),
        ),
        (
            (
                r"(?<!can )(?<!may )(?<!to )(?<!could )(?<!will )(?<!would )(?<!might )\bcontribute to(?= "
                "(?:an? |the )?(?:higher|lower|increas|decreas|reduc|improv|greater|better|worse|more"
                "|less|fewer|enhanced|stronger|declin|ris|los|growth|development|success|failure|spread"
                "|economic|overall|long))"
            ),
            (
                "by themselves bring about",
                "alone are responsible for",
                "are the sole cause of",
                "are all it takes for",
            ),
        ),
        (
            r"\bcontributed to(?= (?:an? |the |its |their )?[a-z])",
            ("alone brought about", "single-handedly brought about"),
        ),
        (
            (
                r"\bone of the (?:main|key|major|primary|most important|leading|biggest|principal) (?:cause"
                r"|reason|driver)s(?= (?:of|for|behind)\b)"
            ),
            ("the sole cause", "in itself the whole cause", "the sole and sufficient cause"),
        ),
        (r"\bcoincide[sd] with\b", ("resulted directly from", "arose solely from")),
    )
)
_TOGETHER_ZH: Final = re.compile(
    "(?<![的和、能会])与(?P<x>[^，。；：、（）与的弱不非仅无词]{2,16}?)(?:存在|呈现?|具有|有)?"
    "(?:着)?(?:(?:密切|显著|高度|明显|紧密|较强|直接|强)+(?:正相关|相关联|相关|关联|有关)|正相关)"
    "(?:关系)?(?=[，。；]|$)",
)
_CAUSED_ZH: Final = (
    "直接导致{x}",
    "必然带来{x}",
    "正是{x}的直接原因",
    "本身就是造成{x}的原因",
    "独自决定了{x}",
)
_NOT_FOUND: Final = _PHRASES.pattern(r"\b(?:<<not_found>>)\b|不|无|未|是否|负相关|如果|和.{0,12}与")
_ASSOCIATED: Final = _PHRASES.pattern(
    "<<associated>>",
    flags=re.IGNORECASE,
)
_CAUSED: Final = _PHRASES.pattern("<<caused>>")

_REASONS: Final = _PHRASES.pattern(
    r"\b(?:<<reasons>>)\b|因为|由于|原因|得益|源于|鉴于|从而|进而|由此|通过|借助|凭借|利用|使得"
    "|受.{2,16}(?:影响|推动|驱动)|在.{3,30}(?:推动|驱动|作用|影响|带动|支持|加持)下|因.{3,24}而"
    "|driven|caused by|explained by|underpinned|motivated|fuell?ed|propelled|spurred",
    flags=re.IGNORECASE,
)
_FITS: Final = _PHRASES.pattern("<<fits>>")


def rule(report: Report, draw: Random) -> Iterator[TextRevision]:
    """Yield revisions that remove a reason, a means or the middle of a chain, or state an association as a cause."""
    groups: dict[str, list[TextRevision]] = {}
    everything = lines(report)
    for line in everything:
        zh = chinese(report)
        for revision in (
            *(_chinese if zh else _english)(line),
            *_made_cause(line, draw, zh=zh),
        ):
            groups.setdefault(revision.pattern, []).append(revision)
    yield from mixed(groups, draw)


def _english(line: ProseLine) -> Iterator[TextRevision]:
    body = line.text[: line.tail]
    if not line.text.rstrip().endswith((".", "]")):
        return
    for name, pattern in (("reason", _LAST_EN), ("means", _MEANS_EN)):
        match = pattern.search(body)
        if match is None or match.start() < 40 or len(match.group()) > 0.65 * len(body):
            continue
        kept = body[: match.start()]
        # "is due to X": the reason is what the sentence says.
        if _OPEN_END.search(kept) or _OWN_REPORT.search(kept) or _PURPOSE.search(kept[-60:]):
            continue
        # "growth due to crowding has been …": the claim's verb would go with its reason.
        if re.match(r",? (?:due|owing|because of|as a result)", match.group()) and _FINITE.search(
            match.group()
        ):
            continue
        if name == "means" and not _EFFECT_EN.search(_LEAD.sub("", kept)):
            continue
        if not _whole(kept) or not _VERB_EN.search(_LEAD.sub("", kept)) or _OTHER_REASON.search(kept):
            continue
        note = f"{name} dropped: {match.group().strip(' ,')[:80]}"
        if name == "reason" and _still_said(kept, match.group()):
            continue
        yield edit(line, match.start(), match.end(), "", pattern=f"{name}-dropped", note=note)
    front = _FRONT_EN.match(body)
    if front and len(body) - front.end() >= 40 and not _OTHER_REASON.search(body[front.end() :]):
        note = f"reason dropped: {front.group().strip(' ,')[:80]}"
        rest = capital(body[front.end() :])
        yield edit(line, 0, front.end() + 1, rest[:1], pattern="reason-dropped", note=note)


_OPEN_END: Final = _PHRASES.pattern(r"\b(?:<<open_end>>)$")
_OWN_REPORT: Final = re.compile(
    r"\b(?:this|the|our) (?:\w+ )?(?:report|section|analysis|study|paper|review)\b", re.IGNORECASE
)
_PURPOSE: Final = _PHRASES.pattern(r"\b(?:<<purpose>>)\b")
_FINITE: Final = re.compile(r"\b(?:is|are|was|were|has|have|had|can|may|will|could|would|might)\b")
# Means serve an end: something is to be brought about.
_EFFECT_EN: Final = _PHRASES.pattern(r"\b(?:<<effect>>)\w*\b")
_LEAD: Final = re.compile(r"^\*\*[^*]{2,80}\*\*:?")
# With another reason left, the claim would still have one.
_OTHER_REASON: Final = _PHRASES.pattern(r"\b(?:<<other_reason>>)\b")


# Clauses of a sentence that supports its claim without "because".
_SO_FAR: Final = _PHRASES.pattern("<<so_far>>")


def _still_said(kept: str, reason: str) -> bool:
    """Return whether the rest of a sentence gives another reason, or repeats the removed one."""
    if _SO_FAR.search(kept):
        return True
    words = [{word[:5].lower() for word in re.findall(r"[A-Za-z]{5,}", text)} for text in (kept, reason)]
    return re.search(r", and |; ", kept) is not None and len((words[0] & words[1]) - {"becau"}) > 0


def _whole(kept: str) -> bool:
    return (
        kept.count("(") == kept.count(")")
        and kept.count("—") % 2 == 0
        and kept.count('"') % 2 == 0
        and kept.count("“") == kept.count("”")
        and not kept.endswith(",")
    )


def _chinese(line: ProseLine) -> Iterator[TextRevision]:
    body = line.text[: line.tail]
    if not line.text.rstrip().endswith(("。", "]", "】")) or body.endswith(("：", ":")):
        return
    front = _FRONT_ZH.match(body)
    if front and len(body) - front.end() >= 12 and not _SO_FAR.search(body[front.end() :]):
        note = f"reason dropped: {front.group()[:60]}"
        yield edit(line, 0, front.end(), "", pattern="reason-dropped", note=note)
    last = _LAST_ZH.search(body)
    # "由于甲，乙": the claim itself would go with its reason.
    whole = last is not None and (
        not last.group()[1:].startswith("由于") or not re.search("[，而]", last.group()[1:])
    )
    apart = last is not None and not _SO_FAR.search(body[: last.start()])
    if (
        last
        and whole
        and apart
        and last.start() >= 12
        and not re.search("如果|例如|^若", body[: last.start()])
    ):
        note = f"reason dropped: {last.group()[:60]}"
        yield edit(line, last.start(), last.end(), "", pattern="reason-dropped", note=note)
    for name, pattern in (("chain", _MIDDLE_ZH), ("means", _MEANS_ZH), ("cause", _INSIDE_ZH)):
        match = pattern.search(body)
        if match is None or len(body) - len(match.group()) < 16 or len(body) > 160:
            continue
        before, after = body[: match.start()], body[match.end() :]
        # What follows must have a subject and be the claim, not part of a definition.
        if _SAYS_ZH.search(before) or re.match("使其|并用|并|以(?!及)|令其|让其|也|都|均|才", after):
            continue
        if name == "means" and match.start() and not re.search("[，；]$", before):
            continue
        if not _CAUSAL_ZH.search(after):
            continue
        note = f"{name} dropped: {match.group()[:60]}"
        yield edit(line, match.start(), match.end(), "", pattern=f"{name}-dropped", note=note)


def _made_cause(line: ProseLine, draw: Random, *, zh: bool) -> Iterator[TextRevision]:
    """Yield revisions that state an association as cause and effect."""
    body = line.text[: line.tail]
    if line.text.rstrip()[-1:] not in ".]。】" or _NOT_FOUND.search(body):
        return
    if zh:
        match = _TOGETHER_ZH.search(body)
        if match:
            new = draw.choice(_CAUSED_ZH).format(x=match["x"])
            note = f"goes together → cause: {match.group()} → {new}"
            yield edit(line, match.start(), match.end(), new, pattern="association-made-cause", note=note)
        return
    for pattern, options in _TOGETHER_EN:
        match = pattern.search(body)
        if match:
            be = match.groupdict().get("be") or ""
            new = draw.choice(options).format(be=be)
            note = f"goes together → cause: {match.group()} → {new}"
            yield edit(line, match.start(), match.end(), new, pattern="association-made-cause", note=note)
            return


def sites(report: Report, draw: Random) -> Iterable[EditSite]:
    """Return paragraphs with a causal claim."""
    return edit_sites(report, draw, _FITS)


_screen: Final = screened(may_drop=True)


def check(reference: Report, perturbed: Report, revision: TextRevision) -> str | None:
    """Return why an edit is refused, or None; it must remove a reason and keep the claim with its figures."""
    found, problem = _screen(reference, perturbed, revision)
    if problem:
        return problem
    before, after = (len(_REASONS.findall(text)) for text in (found.before, found.after))
    together = [len(_ASSOCIATED.findall(text)) for text in (found.before, found.after)]
    made = together[1] < together[0] and _CAUSED.search(found.added) is not None
    if after >= before and not made:
        return "no reason, means or mechanism is gone"
    kept = shared_terms(found.before, found.after)
    if kept < 0.3 and not (_REASON_EN.match(found.before) or _REASON_ZH.match(found.before)):
        return f"the claim itself is gone: {kept:.0%} of the passage's terms are left"
    return None


OPERATOR = targeted(
    dimension="warrants_causality",
    title="Warrants and causal reasoning",
    title_zh="损害理据与因果推理",
    definition=(
        "A causal or inferential claim stands, but why it holds is no longer said: its reason, means or "
        "mechanism is missing, or was replaced by a bare assertion that the link exists."
    ),
    definition_zh="因果或推论性的论断仍在，但其成立的理由不见了：原因、途径或机制被删去，或被一句“显而易见”式的断言取代。",
    rule=rule,
    sites=sites,
    ask=(
        "Find a claim in the passage that is backed by a reason, a mechanism or an intermediate step. Take "
        "that link away, or put a bare assertion of the connection in its place; keep the claim, its "
        "scope, its figures and its citations. The passage must still read smoothly, and nothing may "
        "contradict the rest of the report."
    ),
    ask_zh=(
        "找出段落中由原因、机制或中间环节支撑的一个论断，去掉这一环节，或用一句不作解释的断言代替；论断本身、适用范围、数字和引用都保留。"
        "改后的文字要通顺，不得与报告其他部分矛盾。"
    ),
    check=check,
)
