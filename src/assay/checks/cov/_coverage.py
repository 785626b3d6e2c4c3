"""Where a report speaks of each part of its query."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import msgspec

from assay.subjects.query import QueryAspect, read_query

if TYPE_CHECKING:
    from assay.subjects.report import Report
    from assay.subjects.span import Span

_MOST_PLACES: Final = 80

# Other words under which reports treat what queries ask for, by key of the query.
_OTHER_WORDS: Final[dict[str, tuple[str, ...]]] = {
    "时长": ("片长", "分钟", "小时"), "准确": ("精度", "误差", "mae"), "信誉": ("评级", "声誉", "信用"), "融资": ("募资", "投资", "资本"),
    "团队": ("创始人", "负责人", "成员"), "成员": ("教授", "研究员", "负责人", "院士", "团队"), "论文": ("发表", "文献", "期刊", "著作"),
    "经费": ("资金", "资助", "基金"), "资金": ("经费", "资助", "基金", "投资"), "成本": ("费用", "造价", "开支"), "挑战": ("难点", "瓶颈", "困难", "问题"),
    "优点": ("优势", "长处"), "缺点": ("劣势", "不足", "局限"), "价格": ("售价", "定价", "单价"), "工业": ("产业", "企业"), "分红": ("股息", "派息"),
    "风险": ("隐患", "危险", "误接"), "潜力": ("前景", "空间"), "商业": ("量产", "落地", "订单"), "效率": ("提速", "效能"), "收入": ("薪", "工资", "营收"),
    "cost": ("price", "expen", "afford", "budge"), "price": ("cost", "msrp", "usd"), "risk": ("hazar", "danger", "vulner"), "salar": ("wage", "pay", "compe"),
    "wage": ("salar", "pay", "earni"), "benef": ("advan", "gain"), "advan": ("benef", "stren", "pros"), "disad": ("weakn", "drawb", "limit", "cons"),
    "stren": ("advan", "pros"), "weakn": ("disad", "limit", "cons", "drawb"), "chall": ("limit", "barri", "diffi", "obsta"), "talen": ("workf", "skill", "train"),
    "dynam": ("relat",), "relat": ("dynam",), "housi": ("home", "resid", "dwell"), "cloth": ("appar", "fashi"), "trans": ("mobil", "trave"), "educa": ("schoo", "train"),
    "recom": ("shoul", "advic"), "safet": ("secur", "hazar"), "appli": ("use", "deplo"), "scena": ("situa",),
}  # fmt: skip


class Treatment(msgspec.Struct, frozen=True):
    """How a report treats one aspect.

    Attributes:
        aspect: The aspect.
        present: How many of its keys occur.
        places: Sentences, headings and table blocks that hold any key, by start offset (at most 80).
        titled: Whether a heading holds one.
    """

    aspect: QueryAspect
    present: int
    places: tuple[int, ...]
    titled: bool


def lead(report: Report) -> Span:
    """Where to report what is missing altogether: the title, or the first sentence. The report has sentences."""
    first = report.sentences[0].span
    titled = [s for s in report.sections[1:2] if s.span.start <= first.start]
    return titled[0].title_span if titled else first


def treatments(report: Report) -> tuple[Treatment, ...]:
    """How the report treats each aspect that has words of its own; empty where the languages differ."""
    found: tuple[Treatment, ...] | None = report.memo.get(treatments)
    if found is None:
        found = report.memo[treatments] = _treatments(report)
    return found


def _treatments(report: Report) -> tuple[Treatment, ...]:
    parts = read_query(report.query or "")
    if parts.language != report.language:
        return ()
    end = report.body_end
    out: list[Treatment] = []
    for aspect in parts.aspects:
        if not aspect.keys:
            continue
        present = 0
        places: set[int] = set()
        titled = False
        for key in aspect.keys:
            starts = _starts(report, key, end) or [
                start for word in _OTHER_WORDS.get(key, ()) for start in _starts(report, word, end)
            ]
            present += bool(starts)
            for start in starts:
                sentence = report.sentence_at(start)
                if sentence is not None:
                    places.add(sentence.span.start)
                elif block := report.block_at(start):
                    places.add(block.span.start)
                    titled = titled or block.kind == "heading"
        out.append(Treatment(aspect, present, tuple(sorted(places)), titled))
    return tuple(out)


def _starts(report: Report, key: str, end: int) -> list[int]:
    cues = report.cues
    found: list[int] = []
    if not key.isascii():
        at = cues.lower.find(key, 0, end)
        while at >= 0 and len(found) < _MOST_PLACES:
            found.append(at)
            at = cues.lower.find(key, at + 1, end)
    elif len(key) >= 4:
        found = [start for start, _ in cues.prefix(key) if start < end]
    else:
        found = [
            start for form in (key, key + "s", key + "es") for start in cues.positions(form) if start < end
        ]
    return found[:_MOST_PLACES]
