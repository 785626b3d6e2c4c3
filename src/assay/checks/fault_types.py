"""Types of faults that a reader looks for, with the words by which a model is told of them.

Of reports: the outcome types of REFLECT (table 3) and what ReportLogic's dimensions ask (section 3.1), in the terms of an
editor. Of runs: REFLECT's process types, with mistakes in code and answers that nothing seen supports.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal

import msgspec

if TYPE_CHECKING:
    from assay.checks.base import Failure
    from assay.rubrics.dimensions import DimensionKey


class FaultType(msgspec.Struct, frozen=True):
    """A type of fault.

    Attributes:
        code: Code of its findings.
        key: Name in replies and findings.
        title: Its name for people.
        title_zh: The same in Chinese.
        asks: What a model is told.
        asks_zh: The same in Chinese.
        dimension: Logic dimension that it hurts; None for runs.
        failure: Failure type of REFLECT that it is closest to.
        part: Part of a run that it is about; None for reports.
    """

    code: str
    key: str
    title: str
    title_zh: str
    asks: str
    asks_zh: str
    dimension: DimensionKey | None = None
    failure: Failure | None = None
    part: Literal["reasoning", "tool_use"] | None = None

    @property
    def name(self) -> str:
        """Name of its findings, like the name of a check."""
        return self.key.replace("_", "-")


REPORT_FAULTS: Final = (
    FaultType("RDR101", "unanswered", "Unanswered", "未作回答",
              "a part of the question gets no answer, or an answer to something else",
              "问题的某一部分没有回答，或答非所问", "task_alignment", "incomplete_coverage"),
    FaultType("RDR102", "off_question", "Off the question", "偏离问题",
              "a passage of weight serves another question than the one asked",
              "有分量的一段内容回答的是另一个问题", "task_alignment", "topical_misalignment"),
    FaultType("RDR103", "overreach", "Overreach", "结论过度",
              "a conclusion is wider, surer or stronger than what is shown for it",
              "结论比所给依据更宽、更肯定或更强", "warrants_causality", "incoherence"),
    FaultType("RDR104", "unsupported", "Unsupported", "缺少依据",
              "a claim or figure on which the argument rests has no evidence and no source, or none that a reader could find",
              "论证所依赖的论断或数字没有依据和来源，或来源无从查找", "evidence_sufficiency", "citation_groundedness"),
    FaultType("RDR105", "source_misfit", "Source does not fit", "来源不符",
              "what is cited, by what is said or known of it, is not about the claim or cannot carry it",
              "所引来源就其内容或性质而言与论断无关，或不足以支撑论断", "evidence_sufficiency", "citation_groundedness"),
    FaultType("RDR106", "wrong_fact", "Wrong fact", "事实错误",
              "a fact, name, date or figure is wrong beyond reasonable doubt, or cannot be true",
              "事实、名称、日期或数字显然有误，或不可能成立", "evidence_sufficiency", "fabrication"),
    FaultType("RDR107", "contradiction", "Contradiction", "前后矛盾",
              "two places cannot both be true, or a recommendation goes against the report's own findings",
              "两处不能同时成立，或建议与报告自己的发现相违背", "internal_consistency", "incoherence"),
    FaultType("RDR108", "arithmetic", "Arithmetic", "计算有误",
              "a sum, share, rate, conversion or comparison does not follow from the figures given",
              "合计、占比、增速、换算或比较与所给数字对不上", "internal_consistency", "fabrication"),
    FaultType("RDR109", "example_misfit", "Example does not fit", "例证不符",
              "an example, table, figure or quotation does not show what it is said to show",
              "例子、表格、图或引文并不能说明它要说明的事", "local_coherence", "incoherence"),
    FaultType("RDR110", "causal_leap", "Causal leap", "因果跳跃",
              "a cause, or an effect to come, is claimed from a correlation, a sequence or an analogy, or a step between is left out",
              "由相关、先后或类比得出因果或预言，或缺了中间一环", "warrants_causality", "incoherence"),
    FaultType("RDR111", "one_sided", "One-sided", "片面",
              "an objection, cost, risk or alternative that would change the verdict is missing or waved away",
              "足以改变结论的反对意见、代价、风险或其他方案没有提及或一带而过", "qualifiers_counterpoints", "evidence_omission"),
    FaultType("RDR112", "undefined", "Undefined or shifting term", "概念不清",
              "a term, measure or category that the argument turns on is not explained, or is used in two senses",
              "论证所依靠的概念、口径或分类没有说明，或前后含义不一", "concept_introduction", "incoherence"),
    FaultType("RDR113", "broken_thread", "Broken thread", "思路中断",
              "sections or sentences do not follow on: what was announced does not come, the parts give no common answer",
              "章节或句子接不上：预告的内容没有出现，各部分合不成一个回答", "global_coherence", "incoherence"),
    FaultType("RDR114", "unreadable", "Unreadable", "无法读通",
              "a passage is cut off, garbled or left over from a tool, so that its meaning is lost",
              "文字残缺、错乱或夹带工具残留，以致意思丢失", "local_coherence", "expression_quality"),
)  # fmt: skip

RUN_FAULTS: Final = (
    FaultType("RDR201", "stagnation", "Stagnation", "原地打转",
              "actions are repeated that brought nothing before, or time goes by without progress",
              "重复此前无果的操作，或迟迟没有进展", None, "execution_stagnation", "tool_use"),
    FaultType("RDR202", "shallow_reasoning", "Shallow reasoning", "思考浮浅",
              "a plan or a conclusion is taken up without the thought that it needs, or is wrong as a way to the goal",
              "计划或判断缺少必要的思考，或方向本身就不对", None, "shallow_reflection", "reasoning"),
    FaultType("RDR203", "ignored_evidence", "Evidence ignored", "忽略证据",
              "something that a response showed, and that matters, is passed over",
              "返回结果中有重要信息，却被忽略", None, "process_evidence_omission", "reasoning"),
    FaultType("RDR204", "invented_evidence", "Evidence invented", "编造证据",
              "a finding, a source or a result is made up that nothing in the run shows",
              "编造了运行记录中并不存在的发现、来源或结果", None, "evidence_fabrication", "reasoning"),
    FaultType("RDR205", "wrong_tool", "Wrong tool", "工具选错",
              "a tool or an agent is chosen that cannot do what is needed, while another could",
              "选用了无法完成任务的工具或智能体，而另有合适的", None, "wrong_tool_selection", "tool_use"),
    FaultType("RDR206", "dropped_constraint", "Constraint dropped", "遗漏约束",
              "a condition of the task (a date, a place, a unit, a number of items) is left out or changed",
              "任务的某个条件（日期、地点、单位、数量等）被遗漏或改变", None, "constraint_drop", "tool_use"),
    FaultType("RDR207", "bad_arguments", "Bad arguments", "参数有误",
              "a call's arguments, query, address or code are wrong for what it is to bring",
              "调用的参数、检索词、网址或代码有误，得不到所需结果", None, "argument_corruption", "tool_use"),
    FaultType("RDR208", "useless_result", "Useless result", "结果无用",
              "what came back does not serve the request, and the run goes on as if it did",
              "返回结果与请求不符，却当作有用继续下去", None, "result_irrelevance", "tool_use"),
    FaultType("RDR209", "wrong_source", "Wrong source", "来源有误",
              "a fact is put to a source that does not have it, or rests on one that is unfit",
              "把事实归于并无此内容的来源，或依据了不合适的来源", None, "wrong_source_citation", "reasoning"),
    FaultType("RDR210", "misread_response", "Response misread", "误读结果",
              "what is said of a response differs from what it shows",
              "对返回结果的转述与其内容不符", None, "tool_response_hallucination", "reasoning"),
    FaultType("RDR211", "unfounded_answer", "Unfounded answer", "答案无据",
              "the answer does not follow from what was seen, misses a part of the task, or there is none",
              "答案不能由所见内容得出、漏了任务的一部分，或根本没有答案", None, "incomplete_coverage", "reasoning"),
)  # fmt: skip
# Not a type that a reader is offered: it marks the earliest mistake without which the task would have been solved.
DECISIVE: Final = FaultType(
    "RDR212", "decisive_mistake", "Decisive mistake", "决定性错误",
    "the earliest mistake of a run without which its task would have been solved",
    "执行轨迹中最早的、没有它任务就会完成的错误", None, None, "reasoning",
)  # fmt: skip
FAULT_TYPES: Final = {item.key: item for item in (*REPORT_FAULTS, *RUN_FAULTS, DECISIVE)}
READER_CODES: Final = frozenset(item.code for item in FAULT_TYPES.values())


def find_fault(label: str) -> FaultType | None:
    """Return the type of fault with a code or name; None if there is none."""
    wanted = label.strip().lower().replace("-", "_")
    return next((item for item in FAULT_TYPES.values() if wanted in (item.code.lower(), item.key)), None)
