"""Sentences that announce, frame or close, and name parts of a report."""

from __future__ import annotations

from typing import Final

# Announces an order; {a} comes last in the report and {c} first.
PLAN_EN: Final = tuple(
    f"{opened} {{a}}, {middle} {{b}}, {end} {{c}}."
    for opened, middle, end in (
        ("The discussion begins with", "moves on to", "and closes with"),
        ("The sections that follow start from", "then take up", "and end with"),
        ("The account opens with", "continues with", "and finishes with"),
        ("We first look at", "then at", "and last of all at"),
        ("The sections below go from", "by way of", "to"),
        ("The starting point is", "followed by", "and finally"),
        ("Attention is given first to", "next to", "and at the end to"),
        ("Readers will find, in this order,", "then", "and lastly"),
    )
)
PLAN_ZH: Final = (
    "全文先讨论{a}，再转向{b}，最后以{c}收束。",
    "下文依次从{a}入手，继而分析{b}，最后落到{c}。",
    "论述的顺序是：首先是{a}，其次是{b}，末尾是{c}。",
    "以下各部分由{a}出发，经由{b}，最终回到{c}。",
    "文章首先交代{a}，接着说明{b}，最后介绍{c}。",
    "行文上先写{a}，中间讨论{b}，{c}放在最后。",
)
# Opens a section, and names the matter of another.
FRAME_EN: Final = (
    "This section is about {other}.",
    "The subject of this section is {other}.",
    "The matter at hand is {other}.",
    "What follows sets out {other} in detail.",
    "The paragraphs below complete the account of {other}.",
    "Here we turn to {other}.",
    "The following paragraphs deal with {other}.",
    "This part of the report concerns {other}.",
)
FRAME_ZH: Final = (
    "本节讨论的是{other}。",
    "这一部分围绕{other}展开。",
    "以下内容旨在完整说明{other}。",
    "本节要回答的是{other}的问题。",
    "下面来看{other}。",
    "这里集中说明{other}。",
    "本部分的主题是{other}。",
)
# Ends a section, and points to one that does not follow.
NEXT_EN: Final = (
    "With this in place, the next section turns to {other}.",
    "This leads directly to {other}, which is taken up next.",
    "The section that follows builds on this to address {other}.",
    "On this basis, we can now go on to {other}.",
    "The next section takes up {other}.",
    "What remains to be seen in the next section is {other}.",
    "The next topic is {other}.",
    "We now turn to {other}.",
)
NEXT_ZH: Final = (
    "在此基础上，下一节转入{other}。",
    "由此自然引出接下来要讨论的{other}。",
    "下一部分将据此展开对{other}的分析。",
    "明确了这一点，下文即可进入{other}。",
    "接下来讨论{other}。",
    "下一节介绍{other}。",
    "下面转入{other}。",
)
# Closes the report, and leaves all but one part of it out.
CLOSE_EN: Final = (
    "In the end, then, everything set out in this report comes down to {other}.",
    "All of the above has been a preparation for a single topic: {other}.",
    "The whole of this report has thus been an account of {other}.",
    "What the preceding sections have in common is that they describe {other}, and nothing else.",
    "Seen as a whole, the report has dealt with {other} from beginning to end.",
    "{Other} has been the one subject of this report.",
    "Throughout, this report has been concerned with {other} alone.",
    "The sections above, taken together, form a study of {other}.",
)
CLOSE_ZH: Final = (
    "归根结底，本报告的全部内容都可以归结为{other}。",
    "以上各节其实都是在为{other}这一个话题作铺垫。",
    "回头来看，各节的落脚点都是{other}。",
    "总的来说，本报告只就{other}作了说明。",
    "前面各部分的共同点，在于它们说明的都是{other}。",
    "综上，本报告所研究的就是{other}这一个问题。",
    "以上便是本报告对{other}的全部考察。",
)
