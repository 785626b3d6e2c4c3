"""Judges without a model: the rules judge, and the baselines that every judge must beat."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final, Literal

import msgspec

from assay._version import __version__
from assay.audits.audit import find
from assay.audits.compare import compare, measure, with_query
from assay.audits.result import SEVERITIES
from assay.checks.wording import MessageLanguage
from assay.errors import UsageError
from assay.judges.identity import key_of, label_of, language_of, metadata_of, name_of
from assay.judges.judgeable import WORDINGS, why_nothing
from assay.judges.judgment import Judgment, Quote
from assay.judges.model_free_comparison import length_score, random_score
from assay.judges.ranking import Ranking, ranking_of_scores, ranking_of_tournament
from assay.judges.rules import standing
from assay.judges.tournament import tournament
from assay.judges.validity import quality_note
from assay.subjects.case import MODES, Case, Mode
from assay.subjects.report import Report
from assay.subjects.subject import Subject

if TYPE_CHECKING:
    from assay.judges.case_judge import CaseJudge
    from assay.suites.base import Suite

# Findings that a judgment names, for evaluations that ask where the failure is.
_SHOWN: Final = 5


class ModelFreeJudge:
    """A judge without a model: it is deterministic, costs nothing, and is never repeated."""

    name: str
    modes: tuple[Mode, ...] = MODES
    rubric_name: str | None = None
    repetitions = 1

    @property
    def version(self) -> str:
        """Hash of its name and the version of Assay."""
        return hashlib.blake2b(f"{self.name} {__version__}".encode(), digest_size=6).hexdigest()

    def check(self, case: Case) -> None:
        """Refuse a case that the judge cannot judge.

        Raises:
            UsageError: It cannot.
        """

    def key(self, case: Case, repetition: int = 0) -> str:
        """Return the content address of a judgment."""
        return key_of(self.version, case, repetition)

    async def judge(self, case: Case, repetition: int = 0) -> Judgment:
        """Judge a case."""
        self.check(case)
        if case.mode == "score":
            judgment = self._score(case.subjects[0], case.query)
        elif case.mode == "compare":
            judgment = compare(*case.subjects, query=case.query, judge=self.name)
        else:
            judgment = (await self.rank(case.subjects, query=case.query)).judgment
        return msgspec.structs.replace(
            judgment,
            subject=case.name,
            mode=case.mode,
            version=self.version,
            key=self.key(case, repetition),
            repetition=repetition,
            metadata=metadata_of(case),
        )

    async def rank(
        self,
        subjects: Sequence[Subject],
        *,
        method: Literal["tournament", "scores"] = "tournament",
        query: str | None = None,
    ) -> Ranking:
        """Order subjects by comparisons of pairs, or by scores."""
        names = [name_of(item, str(i + 1)) for i, item in enumerate(subjects)]
        if method == "scores":
            return ranking_of_scores(names, [[self._score(subject, query)] for subject in subjects])

        async def prefer(a: Subject, b: Subject) -> Judgment:
            return compare(a, b, query=query, judge=self.name)

        return ranking_of_tournament(names, await tournament(prefer, subjects))

    def _score(self, subject: Subject, query: str | None) -> Judgment:
        raise NotImplementedError


class LengthJudge(ModelFreeJudge):
    """Prefers the longer subject; its score is the number of words."""

    name = "length"

    def _score(self, subject: Subject, query: str | None) -> Judgment:  # noqa: ARG002 - the rules' signature
        return Judgment(name_of(subject), self.name, scores={"overall": round(length_score(subject), 4)})


class RandomJudge(ModelFreeJudge):
    """Tosses a coin that depends on the texts alone."""

    name = "random"

    def _score(self, subject: Subject, query: str | None) -> Judgment:  # noqa: ARG002 - the rules' signature
        return Judgment(name_of(subject), self.name, scores={"overall": round(random_score(subject), 4)})


class RulesJudge(ModelFreeJudge):
    """Compares by what rules find in the texts and measure of them.

    Args:
        measures: Whether single subjects are scored by what the rules measure. That tells a text from its damaged copy
            and does not follow quality, so evaluations of judges use it, and nothing shows it as a score.
    """

    name = "rules"

    def __init__(self, *, measures: bool = False) -> None:
        self.modes = MODES if measures else ("compare", "rank")

    def check(self, case: Case) -> None:
        """Refuse to score.

        Raises:
            UsageError: The case is one subject to score.
        """
        if case.mode not in self.modes:
            raise UsageError(
                "the rules judge compares texts and has no scores of single ones, because its numbers do not follow"
                " quality",
                hint="assay.audit shows what the rules find",
                cli_hint="`assay audit` shows what the rules find",
            )

    async def rank(
        self,
        subjects: Sequence[Subject],
        *,
        method: Literal["tournament", "scores"] = "tournament",
        query: str | None = None,
    ) -> Ranking:
        """Order subjects by comparisons of pairs; the notes say what the order means."""
        ranking = await super().rank(subjects, method=method, query=query)
        return msgspec.structs.replace(ranking, notes=_notes(subjects))

    def _score(self, subject: Subject, query: str | None) -> Judgment:
        name = name_of(subject)
        subject = with_query(subject, query)
        nothing = why_nothing(subject)
        if nothing is not None:
            return Judgment(name, self.name, rationale=WORDINGS[nothing].text(language_of(subject)))
        findings = find(subject)
        measured = measure(subject, findings)
        scores = {
            key: item.discount * (1.0 if item.base is None else item.base) for key, item in measured.items()
        }
        worst = sorted(findings, key=lambda item: SEVERITIES.index(item.severity))[:_SHOWN]
        return Judgment(
            name,
            self.name,
            rubric="reportlogic" if isinstance(subject, Report) else None,
            scores={key: round(value, 4) for key, value in {**scores, "overall": standing(measured)}.items()},
            rationale="\n".join(f"{item.code} {item.severity}: {item.message}" for item in worst),
            quotes=tuple(
                Quote(subject.source[item.span.start : item.span.end], item.span.start, item.span.end)
                for item in worst
            ),
        )


def model_free_judge(name: str, suite: Suite | None = None) -> CaseJudge | None:
    """Return the judge without a model of this name, or None.

    Raises:
        UsageError: The judge is to be one of a suite that has none of this name.
    """
    kinds: dict[str, Callable[[], CaseJudge]] = {
        "rules": RulesJudge,
        "length": LengthJudge,
        "random": RandomJudge,
    }
    if suite is not None and name in kinds:
        if name != "rules" or suite.by_rules is None:
            other = "" if suite.by_rules is None else "; it has one by rules"
            raise UsageError(f"suite {suite.name} has no judge {name!r}: its judges ask a model{other}")
        return suite.by_rules()
    return kinds[name]() if name in kinds else None


def _notes(subjects: Sequence[Subject]) -> tuple[str, ...]:
    """Return what a ranking by rules must say about itself."""
    language: MessageLanguage = "zh" if all(language_of(subject) == "zh" for subject in subjects) else "en"
    nothing = [
        f"{label_of(subject)}: {WORDINGS[why].text(language)}"
        for subject in subjects
        if (why := why_nothing(subject)) is not None
    ]
    return (quality_note().text(language), *nothing)
