"""What raters are told if the owner of a project writes no guidelines."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from assay.present.interface import Shown
    from assay.web.annotation.questions import Task

_COMMON: Final = """
Judge only what is in front of you. The systems that wrote the texts, and what any judge said of them, are hidden; the order
is different for each rater. Work alone; if you really cannot decide, choose **cannot say**, and write a note on why.
"""
_TASKS: Final[dict[Task, str]] = {
    "pairs": """Read both reports, then say for each dimension which of them is better. **Both good** and **both bad** are for pairs between
which there is no difference worth naming. Length and layout are not merits by themselves. Decide each dimension on its own: a
report may win one and lose another.""",
    "criteria": """Say for each criterion whether the report meets it. **Partially met** is for a criterion of which a part is missing. Select
the passage that decides and press **e** to keep it as evidence.""",
    "score": """Give each criterion a value of its scale. Use the whole scale; what its values mean stands with them.""",
    "faults": """Read the report as a careful editor would. Select the words that are at fault; choose the type and how bad it is. An **error**
makes a statement wrong or a conclusion unfounded; a **warning** weakens it; **info** is a matter of style. Mark a fault once,
where it does its harm. When you have read to the end, say so.""",
    "planted": """Two versions of one passage are shown; at most one of them was changed on purpose. Say whether one has the failure that is
described, whether both could have been written by a careful author or agent, and which you would rather have.""",
    "citations": """Compare the marked claim with the source beside it. **Supported** means that the source says it, with its figures and
conditions; **partly**, that something of weight is missing or stated more strongly; **contradicted**, that it says otherwise.""",
    "findings": """Read the marked passage and what the finding says about it. It is **right** if the passage has this fault, even a small one;
it is **wrong** if it has not, or if the text explains it elsewhere.""",
}


_COMMON_ZH: Final = """
只评判眼前的内容。文本出自哪个系统、任何评判者说过什么，都不会显示；每位标注者看到的顺序各不相同。请独立完成；确实无法决定时，选择
**无法判断**，并在备注中说明原因。
"""
_TASKS_ZH: Final[dict[Task, str]] = {
    "pairs": """先读完两份报告，再逐个维度判断哪一份更好。两者之间没有值得一提的差别时，选择**都好**或**都差**。篇幅和排版本身不算优点。各个
维度分别判断：一份报告可以在某个维度胜出，而在另一个维度落后。""",
    "criteria": """逐条判断报告是否符合准则。准则只有一部分得到满足时，选择**部分符合**。选中起决定作用的段落，按 **e** 将其保留为证据。""",
    "score": """按量表给每条准则打分。请使用整个量表；各分值的含义标在旁边。""",
    "faults": """像认真的编辑那样通读报告。选中有问题的文字，再选择类型和严重程度。**错误**使陈述不成立或结论没有依据；**警告**使其变弱；**提示**只
涉及表达。同一个问题只在造成损害之处标记一次。全部读完后，请确认已读完。""",
    "planted": """页面显示同一段文字的两个版本，其中至多有一个被有意改动过。请判断其中是否存在所描述的缺陷，两者是否都可能出自认真的作者或智能体，
以及您更愿意采用哪一个。""",
    "citations": """将标出的论断与旁边的来源对照。**支持**是指来源确实这样说，数字和条件也一致；**部分支持**是指缺少重要内容或说得过强；**相矛盾**是指来源
的说法相反。""",
    "findings": """阅读标出的段落和该发现的说明。段落确有此问题（哪怕很小）即为**正确**；没有此问题，或文中别处已经解释，即为**不正确**。""",
}


def usual_guidelines(task: Task, language: Shown = "en") -> str:
    """Return guidelines for a task in a language, as Markdown."""
    if language == "zh":
        return f"{_TASKS_ZH[task]}\n{_COMMON_ZH}"
    return f"{_TASKS[task]}\n{_COMMON}"
