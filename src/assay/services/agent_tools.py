"""What an agent can ask of Assay about its own draft: plain functions from texts to plain data.

Every text is passed in the call. Nothing is read from the disk and nothing is fetched, so that a page that speaks to
the agent cannot make these tools open a file or an address.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import nullcontext
from typing import TYPE_CHECKING, Any, Final

from assay.audits.audit import audit
from assay.checks.registry import explanation, find_check
from assay.errors import UsageError
from assay.logic.rule_graph import build_graph
from assay.reviews.citations import check_citations
from assay.reviews.repairing import repaired
from assay.runs.judge import Judge
from assay.runs.ledger import open_ledger
from assay.runs.review_run import areview
from assay.runs.session import Session
from assay.subjects.report import Report

if TYPE_CHECKING:
    from os import PathLike

    from assay.audits.result import Audit
    from assay.checks.base import Finding
    from assay.models.base import Model
    from assay.runs.budget import Budget

# Characters of all texts of a call, findings of a reply, and characters of a quotation.
LONGEST: Final = 2_000_000
_SHOWN: Final = 40
_QUOTE: Final = 300
_NODES: Final = 200
# Tokens of a reply about the claims of one source.
_TOKENS: Final = 4_096
_ORDER: Final = ("error", "warning", "info")


class AgentTools:
    """The tools, with the model that reads, if there is one.

    Args:
        model: Name of the model that reads for faults and compares, or the model; None for rules alone.
        ledger: Where calls are kept, so that none is paid for twice; nowhere by default.
        budget: Most that a review may spend.
    """

    def __init__(
        self,
        model: str | Model | None = None,
        *,
        ledger: str | PathLike[str] | None = None,
        budget: Budget | None = None,
    ) -> None:
        self.model = model
        self._ledger = ledger
        self._budget = budget

    async def audit_report(self, report: str, question: str = "", *, review: bool = False) -> dict[str, Any]:
        """Return the findings about a report, worst first.

        Args:
            report: The report, as Markdown.
            question: The question that it answers.
            review: Whether the model reads it too, for faults that rules cannot see.

        Raises:
            UsageError: The text is empty or too long, or there is no model for a review.
        """
        subject = _report(report, question)
        found = await self._audited(subject, review=review)
        rows = [_row(subject, number, item) for number, item in enumerate(found.findings, 1)]
        rows.sort(key=lambda row: _ORDER.index(row["severity"]))
        counts = {severity: sum(row["severity"] == severity for row in rows) for severity in _ORDER}
        result: dict[str, Any] = {"counts": counts, "findings": rows[:_SHOWN]}
        if len(rows) > _SHOWN:
            result["not_shown"] = len(rows) - _SHOWN
        if found.nothing is not None:
            result["nothing"] = found.nothing.message
        result["read_by"] = "rules and a model" if review else "rules"
        return result

    async def repair_report(self, report: str, question: str = "") -> dict[str, Any]:
        """Return a report with the repairs that the model proposes and that bring in nothing new.

        Args:
            report: The report, as Markdown.
            question: The question that it answers.

        Raises:
            UsageError: The text is empty or too long, or there is no model.
        """
        subject = _report(report, question)
        found = await self._audited(subject, review=True)
        result = repaired(subject, found.findings)
        by_number = dict(enumerate(found.findings, 1))
        return {
            "report": result.text,
            "repaired": [_row(subject, number, by_number[number]) for number in result.made],
            "left": [
                {**_row(subject, number, by_number[number]), "left_because": why}
                for number, why in result.left
            ],
        }

    async def check_sources(self, report: str, sources: Mapping[str, str]) -> dict[str, Any]:
        """Return for each cited claim whether the source says it: by rule, and by the model where rules do not decide.

        Args:
            report: The report, as Markdown.
            sources: Texts of its sources, by address or by reference number.
        """
        subject = _report(report, "", *sources.values())
        texts = _Sources(sources)
        if self.model is None:
            checked = await check_citations(subject, texts)
        else:
            keeping = nullcontext(None) if self._ledger is None else open_ledger(str(self._ledger))
            with keeping as opened:
                async with Session(ledger=opened, budget=self._budget) as session:
                    author = await session.author(self.model, retries=1, max_tokens=_TOKENS)
                    checked = await check_citations(subject, texts, author)
        rows = [
            {
                "line": item.line,
                "claim": item.claim[:_QUOTE],
                "source": item.source,
                "verdict": item.verdict,
                "quote": item.quote,
                "reason": item.reason,
            }
            for item in checked.citations
        ]
        counts: dict[str, int] = {}
        for row in rows:
            counts[str(row["verdict"])] = counts.get(str(row["verdict"]), 0) + 1
        return {"counts": counts, "citations": rows}

    async def compare_reports(self, a: str, b: str, question: str = "") -> dict[str, Any]:
        """Return which of two reports is better, with reasons.

        Args:
            a: A report.
            b: Another one on the same question.
            question: The question.
        """
        one, two = _report(a, question, b), _report(b, question)
        judge = Judge("rules") if self.model is None else Judge(model=self.model, rubric="reportlogic")
        judgment = await judge.acompare(one, two, query=question or None)
        return {
            "better": {"A>B": "a", "A<B": "b"}.get(str(judgment.preference), "neither"),
            "status": judgment.status,
            "by_criterion": {item.criterion: str(item.verdict) for item in judgment.verdicts if item.verdict},
            "why": judgment.rationale,
            "judge": judgment.judge,
        }

    def show_argument(self, report: str) -> dict[str, Any]:
        """Return the claims of a report and what supports them: those that nothing supports first."""
        graph = build_graph(_report(report, ""))
        data = graph.to_dict()
        return {"nodes": data["nodes"][:_NODES], "edges": data["edges"][: 2 * _NODES]}

    def explain_code(self, code: str) -> dict[str, str]:
        """Return what a check looks for, why it matters, and where it errs."""
        check = find_check(code)
        return {
            "code": check.code,
            "name": check.name,
            "severity": check.severity,
            "explanation": explanation(check),
            "flagged": check.bad[0].text if check.bad else "",
            "left_alone": check.good[0].text if check.good else "",
        }

    async def _audited(self, subject: Report, *, review: bool) -> Audit:
        if not review:
            return audit(subject)
        if self.model is None:
            raise UsageError("no model was given to this server, so it can only audit by rule")
        return await areview(subject, self.model, ledger=self._ledger, budget=self._budget)


class _Sources:
    """Texts of sources by address or by key, as `assay.subjects.parts.SourceTexts`."""

    def __init__(self, texts: Mapping[str, str]) -> None:
        self._texts = {key.strip().strip("[]").rstrip("/"): text for key, text in texts.items()}

    def text(self, key: str | None, url: str | None) -> str | None:
        """Return the text of a source."""
        for name in (url, key):
            if name is not None and name.strip("[]").rstrip("/") in self._texts:
                return self._texts[name.strip("[]").rstrip("/")]
        return None


def _report(text: str, question: str, *more: str) -> Report:
    if not text.strip():
        raise UsageError("the report is empty; pass its whole text")
    if sum(map(len, (text, question, *more))) > LONGEST:
        raise UsageError(f"the texts have more than {LONGEST:,} characters; pass fewer or shorter ones")
    return Report(text, query=question or None)


def _row(report: Report, number: int, finding: Finding) -> dict[str, Any]:
    row: dict[str, Any] = {
        "number": number,
        "code": finding.code,
        "name": finding.name,
        "severity": finding.severity,
        "line": finding.span.line,
        "quote": report.source[finding.span.start : finding.span.end][:_QUOTE],
        "message": finding.message,
    }
    if finding.reading is not None:
        if finding.reading.missing:
            row["missing_link"] = finding.reading.missing
        if finding.reading.repair is not None:
            row["repair"] = {"kind": finding.reading.repair.kind, "text": finding.reading.repair.text}
    return row
