"""Targeted attack on task alignment: a model rewrites passages that take a position."""

from __future__ import annotations

import re
from typing import Final

from assay.interventions.attacks._targeted_attacks import targeted

_FITS: Final = re.compile(
    r"\b(?:recommend|conclud|conclusion|should\b|overall\b|in short\b|key finding"
    r"|bottom line|most (?:suitable|promising|likely|important)"
    r"|best (?:option|choice|suited|fit|approach|way)|the answer|therefore\b|takeaway|we find|depends on)"
    r"|建议|应当|应该|结论|总体|因此|综上|关键(?:在于|是)|答案|最(?:适合|有可能|重要)|取决于",
    re.IGNORECASE,
)

OPERATOR = targeted(
    dimension="task_alignment",
    title="Task alignment and claim clarity",
    title_zh="损害任务契合与观点清晰",
    definition=(
        "Where the report took a position on the question, it now says something beside it: an adjacent "
        "matter, another subject or aim, or a remark that commits to nothing."
    ),
    definition_zh="报告原本对问题作出回答的地方，改为谈论相邻的事情：别的对象或目的，或一句不表明立场的泛泛之谈。",
    fits=_FITS,
    having="that takes a position",
    ask=(
        "Rewrite the passages that answer the question, so that the report no longer takes a clear position on what was asked: "
        "each treats something adjacent instead (a neighbouring subject, the history of the topic, how it is studied) or "
        "balances without committing itself. Keep facts, figures, names and citations that the passages have, as far as "
        "they fit, and add none; same tone, about the same length. Change at least two passages if two are given; a single "
        "swapped word is too little, and a passage about something absurd too much."
    ),
    ask_zh=(
        "改写回答问题的各段，使报告不再对所问明确表态：改为谈相邻的事情（邻近对象、话题的由来、研究方式等），或只作两可之谈。"
        "原有的事实、数字、名称和引用尽量保留，不新增；语气和篇幅相近。给出两段以上时至少改两段；只换一个词太轻，扯到荒唐的话题则太过。"
    ),
    citations_stay=False,
    frames=True,
)
