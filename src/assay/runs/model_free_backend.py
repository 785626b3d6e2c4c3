"""Judges without a model: the rules judge, and the baselines that every judge must beat."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import msgspec

from assay.audits.audit import find
from assay.audits.compare import compare, measure, with_query
from assay.audits.result import SEVERITIES
from assay.checks.wording import MessageLanguage
from assay.errors import UsageError
from assay.judges.identity import label_of, language_of, name_of
from assay.judges.judgeable import WORDINGS, why_nothing
from assay.judges.judgment import Judgment, Quote
from assay.judges.model_free_comparison import length_score, random_score
from assay.judges.ranking import Ranking, ranking_of_scores, ranking_of_tournament
from assay.judges.repetitions import Repetitions
from assay.judges.rules import standing
from assay.judges.settings import MODEL_FREE
from assay.judges.tournament import tournament
from assay.judges.validity import quality_note
from assay.runs.recording_judge import names_of
from assay.subjects.report import Report
from assay.subjects.subject import Subject

# Findings that a judgment names, for evaluations that ask where the failure is.
_SHOWN: Final = 5


def refuse_scores(judge: str) -> None:
    """Refuse to score single subjects by rules.

    Raises:
        UsageError: The judge is ``rules``.
    """
    if judge == "rules":
        raise UsageError(
            "the rules judge compares texts and has no scores of single ones, because its numbers do not follow quality; "
            "`assay audit` shows what the rules find"
        )


class ModelFreeBackend:
    """``rules``, ``length`` or ``random``. Without calls, nothing is repeated, recorded or paid for.

    Args:
        name: One of `MODEL_FREE`.
    """

    def __init__(self, name: str) -> None:
        if name not in MODEL_FREE:
            raise UsageError(
                f"no judge is called {name!r}; without a model there are {', '.join(MODEL_FREE)}"
            )
        self.name = name

    def score(self, subject: Subject, *, query: str | None = None) -> Judgment:
        """Return the number of words, a random number, or for the rules what they measure, as scores.

        What the rules measure tells a text from its damaged copy and does not follow quality: evaluations use it, and
        nothing shows it as a score (see `refuse_scores`). A text with nothing to judge has none.
        """
        name = name_of(subject)
        if self.name != "rules":
            number = length_score(subject) if self.name == "length" else random_score(subject)
            return Judgment(name, self.name, scores={"overall": round(number, 4)})
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

    async def trials(
        self,
        subjects: Sequence[Subject],
        *,
        query: str | None = None,
        reference: str | None = None,  # noqa: ARG002
    ) -> Repetitions:
        """Return one score or one comparison, which a repetition would not change."""
        if len(subjects) == 1:
            return Repetitions((self.score(subjects[0], query=query),), 1)
        return Repetitions((compare(subjects[0], subjects[1], query=query, judge=self.name),), 1)

    async def rank(
        self,
        subjects: Sequence[Subject],
        *,
        method: str = "auto",
        query: str | None = None,
        reference: str | None = None,  # noqa: ARG002
    ) -> Ranking:
        """Rank by comparisons of pairs, or by scores."""
        if len(subjects) < 2:
            raise UsageError("a ranking takes two subjects or more")
        if method == "listwise":
            raise UsageError(
                f"judge {self.name!r} has no prompt that could hold all candidates; the methods are tournament and scores"
            )
        if method == "scores":
            judgments = [[self.score(subject, query=query)] for subject in subjects]
            return ranking_of_scores(names_of(subjects), judgments)

        async def prefer(a: Subject, b: Subject) -> Judgment:
            return compare(a, b, query=query, judge=self.name)

        ranking = ranking_of_tournament(names_of(subjects), await tournament(prefer, subjects))
        if self.name != "rules":
            return ranking
        return msgspec.structs.replace(ranking, notes=_notes(subjects))

    async def close(self) -> None:
        """Do nothing."""


def _notes(subjects: Sequence[Subject]) -> tuple[str, ...]:
    """Return what a ranking by rules must say about itself."""
    language: MessageLanguage = "zh" if all(language_of(subject) == "zh" for subject in subjects) else "en"
    nothing = [
        f"{label_of(subject)}: {WORDINGS[why].text(language)}"
        for subject in subjects
        if (why := why_nothing(subject)) is not None
    ]
    return (quality_note().text(language), *nothing)
