"""FinResearchBench's judge: four dimensions are computed, and six rated by a model that sees the argument graph.

judge = FinResearchJudge(find_strategy("direct"), model, load_rubric("finresearch"))
judgment = await judge.judge(Case(report))
judgment.scores["overall"]        # the final score, if all ten dimensions have scores

The graph is built by the judge's model, or by rules (option ``graph``). A report without tables and figures scores 0
for visuals without a call. The option ``weights`` replaces the paper's weights of 0.1.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, Literal

import msgspec

from assay.errors import UsageError
from assay.generation.base import answer_of
from assay.judges.identity import language_of, name_of
from assay.judges.model_judge import ModelJudge
from assay.judges.parts import JudgmentPart
from assay.judges.questions import JudgmentQuestion
from assay.judges.rubric_source import SetupCost
from assay.judges.synthesis import ReportReading
from assay.logic.rule_graph import build_graph
from assay.logic.scores import rule_scores, words_per_section
from assay.models.base import Sampling
from assay.models.tokens import estimate_tokens
from assay.rubrics.rubric import Criterion, Rubric
from assay.rubrics.scale import Scale
from assay.strategies.base import Answer
from assay.subjects.report import Report
from assay.suggest import did_you_mean
from assay.suites.finresearch.dimensions import DIMENSIONS, RULE_DERIVED, check_weights
from assay.suites.finresearch.facts import ASSIGNMENT as FACTS
from assay.suites.finresearch.facts import facts_text
from assay.suites.finresearch.visuals import find_visuals

if TYPE_CHECKING:
    from assay.generation.author import Author
    from assay.judges.rubric_source import RubricSource
    from assay.judges.settings import JudgeSettings
    from assay.logic.graph import LogicGraph
    from assay.logic.model.records import Extraction
    from assay.models.base import Model
    from assay.strategies.base import Strategy
    from assay.strategies.prompts import Prompts
    from assay.subjects.case import Case


GraphOrigin = Literal["model", "rules", "fallback"]
GRAPHS: Final = ("model", "rules")
VISUAL: Final = "visual_linguistic_synergy"
# Options of this judge besides those of the strategy.
OPTIONS: Final[Mapping[str, Any]] = {"graph": "model", "weights": {}}
# Version of the rules in this module, as part of the judge's version.
_RULES: Final = 1
# Default token limit of an extraction reply.
_TOKENS: Final = 4096
_USUAL_TOKENS: Final = 2048
# Cost of the extraction: calls for each thousand tokens of a report, tokens read and written for each token.
_CALLS: Final = 2.0
_READ: Final = 3.0
_WRITTEN: Final = 1.0


class FinResearchJudge(ModelJudge):
    """Scores reports on FinResearchBench's ten dimensions; arguments as for `ModelJudge`.

    Raises:
        UsageError: The rubric does not have the six rated dimensions, or an option has an invalid value.
    """

    def __init__(
        self,
        strategy: Strategy,
        model: Model,
        rubric: Rubric | RubricSource,
        settings: JudgeSettings | None = None,
        prompts: Prompts | None = None,
        *,
        extra: Mapping[str, Any] | None = None,
        name: str | None = None,
    ) -> None:
        if not isinstance(rubric, Rubric):
            raise UsageError(
                "FinResearchBench has one rubric for all reports",
                hint="leave rubric out, or name 'finresearch'",
                cli_hint="leave --rubric out, or name finresearch",
            )
        own = msgspec.structs.replace(strategy, options={**strategy.options, **OPTIONS})
        super().__init__(own, model, rubric, settings, prompts, extra=extra, name=name)
        options = {**OPTIONS, **self.settings.options}
        if options["graph"] not in GRAPHS:
            raise UsageError(
                f"option 'graph' is {options['graph']!r}; {did_you_mean(str(options['graph']), GRAPHS)}"
            )
        self.graph: str = options["graph"]
        # The model rates the given rubric; the full one has all ten dimensions, so that coverage and means count them.
        self.rated = rubric
        self.rubric = full_rubric(rubric, options["weights"])

    @cached_property
    def version(self) -> str:
        """Version of the judge, including the extraction's prompts and the rules."""
        parts: list[object] = [super().version, _RULES, self.prompts.version_of(FACTS.template)]
        if self.graph == "model":
            from assay.logic.model.calls import ASSIGNMENT  # noqa: PLC0415 - only where a model reads
            from assay.logic.model.records import ExtractionSettings  # noqa: PLC0415

            parts += [*self._extractor().version(ASSIGNMENT), ExtractionSettings()]
        return hashlib.blake2b(msgspec.json.encode(parts), digest_size=6).hexdigest()

    def questions(
        self,
        case: Case,
        repetition: int = 0,
        *,
        rubric: Rubric | None = None,
        reading: ReportReading | None = None,
    ) -> list[JudgmentQuestion]:
        """Return the questions to the model, without the graph; visuals are asked about only if there are any."""
        report = report_of(case)
        if rubric is None:
            rubric = self._asked(report)
        if not rubric.criteria:
            return []
        return super().questions(case, repetition, rubric=rubric, reading=reading)

    def setup_cost(self, case: Case) -> SetupCost:
        """Estimate the calls of the extraction from the report's length, by measured rates (docs/explanation/argument-graph.md)."""
        cost = super().setup_cost(case)
        if self.graph != "model":
            return cost
        tokens = sum(estimate_tokens(subject.source) for subject in case.subjects)
        calls = max(2, round(_CALLS * tokens / 1000))
        return SetupCost(
            cost.calls + calls, cost.read + round(_READ * tokens), cost.written + round(_WRITTEN * tokens)
        )

    async def answer(self, case: Case, repetition: int = 0) -> tuple[Rubric, tuple[JudgmentPart, ...]]:
        """Build the graph, compute four dimensions from it, and let the model that sees it rate the others."""
        report = report_of(case)
        steps: tuple[JudgmentPart, ...] = ()
        origin: GraphOrigin = "rules"
        problems: tuple[str, ...] = ()
        language = self.settings.language
        language = language_of(report) if language == "auto" else language
        if self.graph == "model":
            from assay.logic.model import extract_graph  # noqa: PLC0415

            extraction = await extract_graph(self._extractor(), report, query=case.query, language=language)
            graph, problems = extraction.graph, (*extraction.problems, *_cross_check(extraction))
            origin = "fallback" if extraction.fallback else "model"
            steps = tuple(
                JudgmentPart(step.name, "", (), answer_of(step.written)) for step in extraction.steps
            )
        else:
            graph = build_graph(report)
        asked = self._asked(report)
        facts = facts_text(self.prompts, graph, find_visuals(report), language, by_rule=origin != "model")
        shown = msgspec.structs.replace(
            asked, about=_joined(asked.about, facts), about_zh=_joined(asked.about_zh, facts)
        )
        answers = await self.ask_by(shown, case, repetition)
        by_rule = (rule_part(report, graph, origin, problems), *_no_visuals(self.rated, asked))
        return self.rubric, (*steps, *by_rule, *answers)

    def _asked(self, report: Report) -> Rubric:
        """Return the rubric for the model, without visuals if the report has none."""
        if find_visuals(report):
            return self.rated
        left = tuple(item for item in self.rated.criteria if item.key != VISUAL)
        return msgspec.structs.replace(self.rated, criteria=left)

    def _extractor(self) -> Author:
        """Return an author that extracts the argument graph with the judge's model, once for all repetitions."""
        from assay.generation.author import Author  # noqa: PLC0415

        settings = self.settings
        most = settings.max_tokens if settings.max_tokens != _USUAL_TOKENS else _TOKENS
        temperature = settings.temperature if settings.repetitions == 1 else None
        return Author(
            self.model,
            self.prompts,
            sampling=Sampling(
                temperature=temperature or 0.0,
                top_p=settings.top_p,
                max_tokens=most,
                seed=settings.seed,
                reasoning_effort=settings.reasoning_effort,
                extra=self._extra,
            ),
            structured=settings.structured,
            retries=settings.retries,
        )


def report_of(case: Case) -> Report:
    """Return the report of a case to score.

    Raises:
        UsageError: The case is a comparison or a ranking, or its subject is a trajectory.
    """
    if case.mode != "score":
        raise UsageError(
            "FinResearchBench scores reports one by one",
            hint='rank them by their final scores, method="scores", or compare them with another rubric',
            cli_hint="rank them by their final scores, --method scores, or compare them with another rubric",
        )
    report = case.subjects[0]
    if not isinstance(report, Report):
        raise UsageError(f"FinResearchBench scores reports, but {name_of(report)} is a trajectory")
    return report


def full_rubric(rated: Rubric, weights: Mapping[str, float] | None = None) -> Rubric:
    """Return a rubric of all ten dimensions, with rated ones as in ``rated``; its overall score is the final score.

    Raises:
        UsageError: ``rated`` has other dimensions, or a weight is invalid.
    """
    shares = check_weights(weights or {})
    given = {item.key: item for item in rated.criteria}
    wanted = [item.key for item in DIMENSIONS if not item.by_rule]
    if set(given) != set(wanted):
        odd = sorted(set(given) ^ set(wanted))
        raise UsageError(
            f"rubric {rated.name!r} does not fit FinResearchBench: a model rates {', '.join(wanted)};"
            f" {', '.join(odd[:3])} {'is' if len(odd) == 1 else 'are'} missing or too many"
        )
    exact = Scale(low=0, high=100, step=0)
    criteria = tuple(
        msgspec.structs.replace(given[item.key], weight=shares[item.key])
        if item.key in given
        else Criterion(
            key=item.key,
            title=item.title,
            asks="Computed from the argument graph and the text; no model is asked.",
            weight=shares[item.key],
            scale=exact,
        )
        for item in DIMENSIONS
    )
    return msgspec.structs.replace(rated, criteria=criteria, aggregate="mean")


def rule_part(
    report: Report, graph: LogicGraph, origin: GraphOrigin = "rules", problems: Sequence[str] = ()
) -> JudgmentPart:
    """Return the four computed dimensions as an answer without a call."""
    scores = rule_scores(report, graph)
    sizes = graph.metrics
    origin_text = {"model": "built by the model", "rules": "built by rules"}.get(
        origin, "built by rules, since nothing usable came of the model"
    )
    rationale = (
        f"graph {origin_text}: {_nodes(sizes.nodes)}, {sizes.evidence} of them evidence; deepest "
        f"{sizes.max_depth}, leaves "
        f"{sizes.mean_leaf_depth:.2f} deep, {sizes.mean_children:.2f} children a claim; "
        f"{words_per_section(report):.0f} words a section"
    )
    answer = Answer(
        status="ok",
        values={key: round(getattr(scores, key), 6) for key in RULE_DERIVED},
        rationale=rationale,
        notes=(f"graph: {origin}", *problems),
    )
    return JudgmentPart("", "", RULE_DERIVED, answer)


def _nodes(number: int) -> str:
    return "1 node" if number == 1 else f"{number:,} nodes"


def _no_visuals(rated: Rubric, asked: Rubric) -> tuple[JudgmentPart, ...]:
    """Return a score of 0 for visuals if there are none, as in the paper's tables."""
    if len(asked.criteria) == len(rated.criteria):
        return ()
    answer = Answer(
        status="ok", values={VISUAL: 0.0}, rationale="no table and no figure: 0 by rule, not asked"
    )
    return (JudgmentPart("", "", (VISUAL,), answer),)


def _cross_check(extraction: Extraction) -> tuple[str, ...]:
    """Describe how far the model's graph and the rule-built one agree."""
    agreement = extraction.rules
    if extraction.fallback or agreement.in_rules is None or agreement.in_model is None:
        return ()
    text = (
        f"{agreement.in_rules:.0%} of the model's nodes are in the rule-built graph too, and "
        f"{agreement.in_model:.0%} of that one's"
        " in the model's"
    )
    return (text,)


def _joined(about: str, facts: str) -> str:
    return f"{about}\n\n{facts}" if about else f"\n{facts}"
