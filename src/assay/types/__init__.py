"""Types that you meet inside results and subjects, and seldom make: parts of reports, rows of tables.

What you make and call is in `assay` itself. Every type that is reachable from there is there or here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from assay.audits.baseline import BaselineFinding, Loss
    from assay.checks.base import ReadingNote, Repair
    from assay.checks.wording import FilledWording, Wording
    from assay.interventions.applying import Site
    from assay.interventions.artefacts import Artefact
    from assay.interventions.base import EditSite, Operator, Place
    from assay.interventions.manifest import Manifest, TypeCount, ValidationRecord
    from assay.interventions.refusals import Refusal
    from assay.interventions.second_reading import SecondReading
    from assay.interventions.validation import AnnotatorAgreement
    from assay.judges.case_judge import CaseJudge
    from assay.judges.compliance import ComplianceTable
    from assay.judges.judgments import Verdicts
    from assay.judges.stability import ConsistencyTable, StabilityTable
    from assay.measures.calibration import Calibration, Gain, Needed, ScoreMap
    from assay.measures.components import Components, NoiseFloor
    from assay.measures.win_rate import PreferenceWinRate
    from assay.meta.agreement_metrics import Grid
    from assay.meta.agreement_record import JudgeAgreement, Stratum
    from assay.meta.agreement_tests import JudgeComparison
    from assay.meta.contrasts import ConditionContrast
    from assay.meta.detection_record import (
        BestOfN,
        Detection,
        DetectionRate,
        EvaluationCost,
        Localisation,
        OrderEffects,
        ScoreGaps,
    )
    from assay.meta.gate import Gate, JudgeMetrics
    from assay.meta.human_agreement import HumanAgreement
    from assay.meta.labels.loaders.base import LabelledText
    from assay.meta.labels.record import Label
    from assay.meta.leaderboard.record import (
        ComparisonCounts,
        HeadToHead,
        Standing,
        StyleControl,
        StyleControlledSystem,
        StyleEffect,
        WinRate,
    )
    from assay.meta.published_verdicts import PublishedVerdicts, PublishedWinRate
    from assay.meta.results import RunOrigin
    from assay.meta.robustness import Robustness
    from assay.meta.scales import Rescale, ScaleMatch
    from assay.meta.stability import JudgeStability
    from assay.meta.trials import Condition, FailureLocalisation, Trial
    from assay.models.base import Message, Model, Reply, Request, Sampling, TokenLogprob, Usage
    from assay.models.prices import Price, TokenRate
    from assay.models.settings import ModelConfig
    from assay.reviews.citations import CheckedCitation, CitationCheck
    from assay.reviews.faults import DecisiveMistake, Review, TextFault
    from assay.strategies.base import Answer, Ask, Detail, Document, Field, Question, QuotedText, Strategy
    from assay.subjects.abbreviations import Abbreviation, Expansion
    from assay.subjects.cited_sources import Source, SourceIndex
    from assay.subjects.claims import SourcedClaim
    from assay.subjects.figures import Figure
    from assay.subjects.heading_labels import HeadingLabel
    from assay.subjects.loaders.base import InputContext
    from assay.subjects.numbered_text import NumberedText
    from assay.subjects.parts import (
        Block,
        Citation,
        Reference,
        ReportTable,
        Section,
        Sentence,
        SourceTexts,
        TableCell,
    )
    from assay.subjects.run_ending import RunEnding
    from assay.subjects.span import LineIndex
    from assay.subjects.tabular import ArrowTable, PandasFrame, PolarsFrame
    from assay.subjects.trajectory import RawCall, RawStep, Step, ToolCall
    from assay.subjects.unread_marks import UnreadMarks
    from assay.text.bilingual import Bilingual
    from assay.text.lexicon import CueIndex
    from assay.text.markup import InlineMarkup
    from assay.text.quantity import Quantity

__all__ = [
    "Abbreviation",
    "AnnotatorAgreement",
    "Answer",
    "ArrowTable",
    "Artefact",
    "Ask",
    "BaselineFinding",
    "BestOfN",
    "Bilingual",
    "Block",
    "Calibration",
    "CaseJudge",
    "CheckedCitation",
    "Citation",
    "CitationCheck",
    "ComparisonCounts",
    "ComplianceTable",
    "Components",
    "Condition",
    "ConditionContrast",
    "ConsistencyTable",
    "CueIndex",
    "DecisiveMistake",
    "Detail",
    "Detection",
    "DetectionRate",
    "Document",
    "EditSite",
    "EvaluationCost",
    "Expansion",
    "FailureLocalisation",
    "Field",
    "Figure",
    "FilledWording",
    "Gain",
    "Gate",
    "Grid",
    "HeadToHead",
    "HeadingLabel",
    "HumanAgreement",
    "InlineMarkup",
    "InputContext",
    "JudgeAgreement",
    "JudgeComparison",
    "JudgeMetrics",
    "JudgeStability",
    "Label",
    "LabelledText",
    "LineIndex",
    "Localisation",
    "Loss",
    "Manifest",
    "Message",
    "Model",
    "ModelConfig",
    "Needed",
    "NoiseFloor",
    "NumberedText",
    "Operator",
    "OrderEffects",
    "PandasFrame",
    "Place",
    "PolarsFrame",
    "PreferenceWinRate",
    "Price",
    "PublishedVerdicts",
    "PublishedWinRate",
    "Quantity",
    "Question",
    "QuotedText",
    "RawCall",
    "RawStep",
    "ReadingNote",
    "Reference",
    "Refusal",
    "Repair",
    "Reply",
    "ReportTable",
    "Request",
    "Rescale",
    "Review",
    "Robustness",
    "RunEnding",
    "RunOrigin",
    "Sampling",
    "ScaleMatch",
    "ScoreGaps",
    "ScoreMap",
    "SecondReading",
    "Section",
    "Sentence",
    "Site",
    "Source",
    "SourceIndex",
    "SourceTexts",
    "SourcedClaim",
    "StabilityTable",
    "Standing",
    "Step",
    "Strategy",
    "Stratum",
    "StyleControl",
    "StyleControlledSystem",
    "StyleEffect",
    "TableCell",
    "TextFault",
    "TokenLogprob",
    "TokenRate",
    "ToolCall",
    "Trial",
    "TypeCount",
    "UnreadMarks",
    "Usage",
    "ValidationRecord",
    "Verdicts",
    "WinRate",
    "Wording",
]

_HOMES: Final = {
    "ArrowTable": "assay.subjects.tabular",
    "PandasFrame": "assay.subjects.tabular",
    "PolarsFrame": "assay.subjects.tabular",
    "Abbreviation": "assay.subjects.abbreviations",
    "AnnotatorAgreement": "assay.interventions.validation",
    "Answer": "assay.strategies.base",
    "Artefact": "assay.interventions.artefacts",
    "Ask": "assay.strategies.base",
    "BaselineFinding": "assay.audits.baseline",
    "BestOfN": "assay.meta.detection_record",
    "Bilingual": "assay.text.bilingual",
    "Block": "assay.subjects.parts",
    "Calibration": "assay.measures.calibration",
    "CaseJudge": "assay.judges.case_judge",
    "Citation": "assay.subjects.parts",
    "ComparisonCounts": "assay.meta.leaderboard.record",
    "ComplianceTable": "assay.judges.compliance",
    "Components": "assay.measures.components",
    "Condition": "assay.meta.trials",
    "ConditionContrast": "assay.meta.contrasts",
    "ConsistencyTable": "assay.judges.stability",
    "CueIndex": "assay.text.lexicon",
    "DecisiveMistake": "assay.reviews.faults",
    "Detail": "assay.strategies.base",
    "Detection": "assay.meta.detection_record",
    "DetectionRate": "assay.meta.detection_record",
    "Document": "assay.strategies.base",
    "EditSite": "assay.interventions.base",
    "EvaluationCost": "assay.meta.detection_record",
    "Expansion": "assay.subjects.abbreviations",
    "FailureLocalisation": "assay.meta.trials",
    "TextFault": "assay.reviews.faults",
    "CheckedCitation": "assay.reviews.citations",
    "CitationCheck": "assay.reviews.citations",
    "Field": "assay.strategies.base",
    "Figure": "assay.subjects.figures",
    "FilledWording": "assay.checks.wording",
    "Gain": "assay.measures.calibration",
    "Gate": "assay.meta.gate",
    "Grid": "assay.meta.agreement_metrics",
    "HeadToHead": "assay.meta.leaderboard.record",
    "HeadingLabel": "assay.subjects.heading_labels",
    "HumanAgreement": "assay.meta.human_agreement",
    "InlineMarkup": "assay.text.markup",
    "InputContext": "assay.subjects.loaders.base",
    "JudgeAgreement": "assay.meta.agreement_record",
    "JudgeComparison": "assay.meta.agreement_tests",
    "JudgeMetrics": "assay.meta.gate",
    "JudgeStability": "assay.meta.stability",
    "Label": "assay.meta.labels.record",
    "LabelledText": "assay.meta.labels.loaders.base",
    "LineIndex": "assay.subjects.span",
    "Localisation": "assay.meta.detection_record",
    "Loss": "assay.audits.baseline",
    "Manifest": "assay.interventions.manifest",
    "Message": "assay.models.base",
    "Model": "assay.models.base",
    "ModelConfig": "assay.models.settings",
    "Needed": "assay.measures.calibration",
    "NoiseFloor": "assay.measures.components",
    "NumberedText": "assay.subjects.numbered_text",
    "Operator": "assay.interventions.base",
    "OrderEffects": "assay.meta.detection_record",
    "Place": "assay.interventions.base",
    "PreferenceWinRate": "assay.measures.win_rate",
    "Price": "assay.models.prices",
    "PublishedVerdicts": "assay.meta.published_verdicts",
    "PublishedWinRate": "assay.meta.published_verdicts",
    "Quantity": "assay.text.quantity",
    "Question": "assay.strategies.base",
    "QuotedText": "assay.strategies.base",
    "RawCall": "assay.subjects.trajectory",
    "RawStep": "assay.subjects.trajectory",
    "ReadingNote": "assay.checks.base",
    "Reference": "assay.subjects.parts",
    "Refusal": "assay.interventions.refusals",
    "Repair": "assay.checks.base",
    "Reply": "assay.models.base",
    "ReportTable": "assay.subjects.parts",
    "Request": "assay.models.base",
    "Rescale": "assay.meta.scales",
    "Review": "assay.reviews.faults",
    "Robustness": "assay.meta.robustness",
    "RunEnding": "assay.subjects.run_ending",
    "RunOrigin": "assay.meta.results",
    "Sampling": "assay.models.base",
    "ScaleMatch": "assay.meta.scales",
    "ScoreGaps": "assay.meta.detection_record",
    "ScoreMap": "assay.measures.calibration",
    "SecondReading": "assay.interventions.second_reading",
    "Section": "assay.subjects.parts",
    "Sentence": "assay.subjects.parts",
    "Site": "assay.interventions.applying",
    "Source": "assay.subjects.cited_sources",
    "SourceIndex": "assay.subjects.cited_sources",
    "SourceTexts": "assay.subjects.parts",
    "SourcedClaim": "assay.subjects.claims",
    "StabilityTable": "assay.judges.stability",
    "Standing": "assay.meta.leaderboard.record",
    "Step": "assay.subjects.trajectory",
    "Strategy": "assay.strategies.base",
    "Stratum": "assay.meta.agreement_record",
    "StyleControl": "assay.meta.leaderboard.record",
    "StyleControlledSystem": "assay.meta.leaderboard.record",
    "StyleEffect": "assay.meta.leaderboard.record",
    "TableCell": "assay.subjects.parts",
    "TokenLogprob": "assay.models.base",
    "TokenRate": "assay.models.prices",
    "ToolCall": "assay.subjects.trajectory",
    "Trial": "assay.meta.trials",
    "TypeCount": "assay.interventions.manifest",
    "UnreadMarks": "assay.subjects.unread_marks",
    "Usage": "assay.models.base",
    "ValidationRecord": "assay.interventions.manifest",
    "Verdicts": "assay.judges.judgments",
    "WinRate": "assay.meta.leaderboard.record",
    "Wording": "assay.checks.wording",
}


def __getattr__(name: str) -> Any:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module 'assay.types' has no attribute {name!r}")
    import importlib  # noqa: PLC0415 - only when a name is asked for

    value = getattr(importlib.import_module(home), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
