"""Hard figures that rest only on blogs, forums, social media, encyclopaedias, press releases or shops.

Market sizes, shares and doses that are repeated from such pages have an original source, which the report should
name. One finding counts the statements whose sources are all of these kinds, from three on. A blog counts by its address;
those of firms that publish their own results there, and of the firm that the statement itself names, do not.

Known problems: some research firms publish their data in a part of their site called a blog.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from assay.checks.base import Check, Context, Example, Hit
from assay.checks.wording import Wording, series

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assay.subjects.claims import SourcedClaim
    from assay.subjects.report import Report

_CLAIMS: Final = 3
_SHARE: Final = 0.2
_RELATED: Final = 8
_NAMED: Final = 3
_LABEL: Final = 4

_WEAK: Final = Wording(
    en="{n} of the {total} cited statements with figures rest only on {kinds}, such as {figure} ({hosts})",
    zh="有引用的{total}处带数据的陈述中，{n}处只依据{kinds}，例如{figure}（{hosts}）",
)
_KINDS: Final = {
    "blog": Wording(en="blogs", zh="博客"),
    "forum": Wording(en="forums", zh="论坛"),
    "social": Wording(en="social media", zh="社交媒体"),
    "encyclopaedia": Wording(en="encyclopaedias", zh="百科"),
    "press release": Wording(en="press release wires", zh="新闻稿平台"),
    "shop": Wording(en="shop pages", zh="购物页面"),
}


def run(report: Report, context: Context) -> Iterator[Hit]:
    """Yield one finding that counts the statements."""
    claims = [claim for claim in report.claims if claim.figures and claim.sources]
    weak = [claim for claim in claims if _rests_on_weak(report, claim)]
    if len(weak) < _CLAIMS or len(weak) < _SHARE * len(claims) or not report.citations_readable:
        return
    sources = [report.sources[i] for claim in weak for i in claim.sources]
    kinds = [_KINDS[kind]() for kind in dict.fromkeys(source.kind for source in sources)]
    hosts = list(dict.fromkeys(source.host for source in sources))
    yield Hit(
        weak[0].span,
        _WEAK(
            n=len(weak),
            total=len(claims),
            kinds=series(kinds, "and"),
            figure=weak[0].figures[0].printed,
            hosts=series(hosts[:_NAMED], cut=len(hosts) > _NAMED),
        ),
        related=tuple(claim.span for claim in weak[1:_RELATED]),
        confidence=0.75,
    )


def _rests_on_weak(report: Report, claim: SourcedClaim) -> bool:
    sources = [report.sources[i] for i in claim.sources]
    if any(source.kind not in _KINDS for source in sources):
        return False
    text = "".join(report.plain[claim.span.start : claim.span.end].lower().split())
    # What a firm says of itself on its own page is the original.
    return not any(
        len(label) >= _LABEL and label in text
        for source in sources
        if source.kind == "blog"
        for label in source.host.split(".")[:-1]
    )


_SAYS = (
    "The market reached 4.2 billion dollars [1]. Households bought 38.5 % of all pumps [2]. Prices fell by 7.3 % [{0}].\n\n"
    "## References\n\n[1] Pump market in numbers: https://medium.com/@someone/pumps\n"
    "[2] Heat pump: https://en.wikipedia.org/wiki/Heat_pump\n[3] Survey: https://energy.example.org/survey\n"
)
_SAYS_ZH = (
    "市场规模达到42亿元[1]。家庭用户占38.5%[2]。价格下降7.3%[{0}]。\n\n## 参考文献\n\n"
    "[1] 热泵市场数据: https://zhuanlan.zhihu.com/p/1\n[2] 热泵: https://baike.baidu.com/item/pump\n"
    "[3] 调查: https://energy.example.org/survey\n"
)

CHECK = Check(
    code="CIT017",
    name="weak-source",
    severity="info",
    summary="Hard figures that rest only on blogs, forums, encyclopaedias, press release wires or shops.",
    run=run,
    dimension="evidence_sufficiency",
    failure="citation_groundedness",
    bad=(Example(_SAYS.format(1)), Example(_SAYS_ZH.format(1))),
    good=(Example(_SAYS.format(3)), Example(_SAYS_ZH.format(3))),
)
