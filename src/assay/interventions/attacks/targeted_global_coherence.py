"""Targeted attack on global coherence: a model rewrites passages that announce, link or sum up."""

from __future__ import annotations

import re
from typing import Final

from assay.interventions.attacks._targeted_attacks import targeted

_FITS: Final = re.compile(
    r"(?i:\b(?:this (?:report|section|chapter|article|part|paper|review|briefing)"
    r"|(?:the )?following (?:sections?|parts?|chapters?)"
    r"|as (?:discussed|noted|shown|described) (?:above|below|earlier)|(?:see"
    r"|sections?) (?:above|below)|in (?:conclusion|summary|sum)"
    r"|to (?:conclude|sum up)|turn(?:s|ing)? (?:now )?to|taken together|having (?:examined"
    r"|discussed|reviewed|seen)|the previous section))\b"
    r"|(?:^|[.!?]\s)(?:Overall|Finally|First|Next|Lastly|Collectively),"
    r"|本报告|本文|本节|本章|下文|以下|综上|首先|最后|上述|接下来|总之|总体(?:来看|而言)|前文|如前所述",
    re.MULTILINE,
)

OPERATOR = targeted(
    dimension="global_coherence",
    title="Global coherence",
    title_zh="损害全局连贯",
    definition=(
        "A sentence that holds the report together – a roadmap, the framing of a section, a signpost, the "
        "closing – no longer fits what the sections do: it announces another order or topic, or sums up "
        "something else than the arc of the report."
    ),
    definition_zh="用来贯通全文的句子（路线说明、章节引入、过渡、收束）与各章节实际内容不符：预告了别的顺序或主题，或总结的不是全文的主线。",
    fits=_FITS,
    having="that announces, links or sums up",
    ask=(
        "Break what holds the report together in at least two of the passages: a roadmap announces an order or a part that "
        "does not come, a section opens as if it followed from another one, a transition links to the wrong theme, a "
        "closing sums up something else than the arc of the report. Use themes that the outline has. What the passages say "
        "of their subject – claims, figures, citations – stays; each must read well by itself, and a reader of the whole "
        "must lose the thread."
    ),
    ask_zh=(
        "在至少两段中破坏贯通全文的线索：路线说明预告了不会出现的部分或次序，章节开头像是承接另一章，过渡句连到无关的主题，"
        "或收束总结的并非全文主线。所用主题须出自提纲。各段关于其内容的论断、数字和引用不动；单看每段都通顺，通读全文则失去线索。"
    ),
    headings=3,
    frames=True,
)
