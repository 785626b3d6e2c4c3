"""Whether sources say what they are cited for: each pair of a claim and a source, by rule where that decides, else by a model.

Citation accuracy and effective citations are those of DeepResearch Bench's FACT (section 3.2): the share of pairs of a statement
and an address that the page supports, and the mean number of supported pairs of a report.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal, get_args

import msgspec

from assay.checks.cit.source_figures import Figures, source_of, verifiable
from assay.generation.base import Assignment
from assay.generation.passages import PassageIndex, passages_of
from assay.models.tokens import estimate_tokens
from assay.reviews.gathering import all_of
from assay.strategies.base import PromptMaterial
from assay.strategies.json_schema import array, choice, table, text
from assay.strategies.quotes import locate
from assay.subjects.cited_claims import cited_claims
from assay.text.bilingual import Bilingual
from assay.text.words import content_terms, has_cjk

if TYPE_CHECKING:
    from assay.generation.author import Author
    from assay.subjects.parts import Citation, SourceTexts
    from assay.subjects.report import Report
    from assay.subjects.span import Span

ASSIGNMENT: Final = Assignment(
    name="citation_check",
    summary="Whether a source says what it is cited for, with its own words.",
    template=str(Path(__file__).with_name("citations.jinja")),
    source="DeepResearch Bench, section 3.2 (FACT)",
)
CitationVerdict = Literal["supports", "partly", "contradicts", "not_there", "not_available", "undecided"]
SCHEMA: Final = "assay.citations/1"
VERDICTS: Final[tuple[CitationVerdict, ...]] = get_args(CitationVerdict)
_ASKED: Final = ("supports", "partly", "contradicts", "not_there")
# Claims about one source in a request, and tokens of the source that are shown for them.
_CLAIMS: Final = 8
_SHOWN: Final = 5_000
# Share of a claim's terms that one passage with all its figures must have to support it by rule.
_COVERED: Final = 0.75
_FEWEST_TERMS: Final = 4
# Share of a claim's terms below which a whole source without its figures is about something else.
_FOREIGN: Final = 0.25
_QUOTE: Final = 400
_SAID: Final = 300


class CheckedCitation(msgspec.Struct, frozen=True, kw_only=True):
    """A claim, a source that is cited for it, and whether the source says it.

    Attributes:
        claim: The claim's words.
        start: Its start in the report, in code points.
        end: Its end.
        line: Its line, from 1.
        source: What the report cites: an address, or the key of a reference without one.
        verdict: "supports", "partly", "contradicts", "not_there" (the source does not speak of it), "not_available" (its
            text is missing), or "undecided" (rules do not decide, and no model did).
        by: "rule" or "model"; empty if nothing decided.
        quote: Words of the source that decide.
        reason: Why, in a few words.
    """

    claim: str
    start: int
    end: int
    line: int
    source: str
    verdict: CitationVerdict
    by: Literal["rule", "model", ""] = ""
    quote: str = ""
    reason: str = ""


class CitationCheck(msgspec.Struct, frozen=True, kw_only=True):
    """The citations of one report.

    Attributes:
        id: Id of the report.
        system: Its system.
        path: Its path.
        citations: Each pair of a claim and a source, once.
        unlocated: Quotes of the model that were not in the source.
        problems: Requests that failed.
    """

    id: str | None = None
    system: str | None = None
    path: str | None = None
    citations: tuple[CheckedCitation, ...] = ()
    unlocated: int = 0
    problems: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Return the contract as plain data."""
        return {
            "schema": SCHEMA,
            **msgspec.to_builtins(self),
            "checked": self.checked,
            "accuracy": self.accuracy,
            "effective": self.effective,
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> CitationCheck:
        """Return what `to_dict` wrote."""
        return msgspec.convert({key: data[key] for key in cls.__struct_fields__ if key in data}, cls)

    def count(self, verdict: CitationVerdict) -> int:
        """Return the number of pairs with a verdict."""
        return sum(item.verdict == verdict for item in self.citations)

    @property
    def checked(self) -> int:
        """The number of pairs with a verdict about what the source says."""
        return sum(item.verdict in _ASKED for item in self.citations)

    @property
    def effective(self) -> int:
        """Supported pairs: FACT's effective citations of one report."""
        return self.count("supports")

    @property
    def accuracy(self) -> float | None:
        """Share of supported pairs among those checked (FACT's citation accuracy); None if none was checked."""
        return self.effective / self.checked if self.checked else None


class _Pair(msgspec.Struct, frozen=True):
    span: Span
    claim: str
    source: str
    text: str | None


async def check_citations(
    report: Report, sources: SourceTexts, author: Author | None = None
) -> CitationCheck:
    """Return for each claim and source of a report whether the source says it.

    Args:
        report: The report.
        sources: The texts of its sources.
        author: The model that reads where rules do not decide; None for rules alone.
    """
    pairs = _pairs(report, sources)
    by_rule = citations_by_rule(report, sources)
    done = dict(enumerate(by_rule.citations))
    left: dict[str, list[int]] = {}
    for number, pair in enumerate(pairs):
        if done[number].verdict == "undecided" and pair.text is not None:
            left.setdefault(pair.text, []).append(number)
    unlocated, problems = 0, list[str]()
    if author is not None:
        batches = [
            (source, numbers[at : at + _CLAIMS])
            for source, numbers in left.items()
            for at in range(0, len(numbers), _CLAIMS)
        ]
        replies = await all_of(_by_model(author, report, pairs, source, own) for source, own in batches)
        for found_by_model, lost, problem in replies:
            for number, values in found_by_model.items():
                done[number] = msgspec.structs.replace(done[number], by="model", **values)
            unlocated += lost
            problems += [problem] if problem else []
    return msgspec.structs.replace(
        by_rule,
        citations=tuple(done[number] for number in range(len(pairs))),
        unlocated=unlocated,
        problems=tuple(problems),
    )


def citations_by_rule(report: Report, sources: SourceTexts) -> CitationCheck:
    """Return what rules alone say of the claims and sources of a report."""
    figures: dict[str, Figures] = {}
    return CitationCheck(
        id=report.id,
        system=report.system,
        path=report.path,
        citations=tuple(_by_rule(report, pair, figures) for pair in _pairs(report, sources)),
    )


def _pairs(report: Report, sources: SourceTexts) -> list[_Pair]:
    """Return each pair of a claim and a source once, in the order of the text."""
    found: dict[tuple[str, str], _Pair] = {}
    for cited in cited_claims(report):
        words = " ".join(report.plain[cited.claim.start : cited.claim.end].split())
        for citation in cited.citations:
            for name, said in _cited(report, citation, sources):
                found.setdefault((words, name), _Pair(cited.claim, words, name, said))
    return list(found.values())


def _cited(report: Report, citation: Citation, sources: SourceTexts) -> Iterable[tuple[str, str | None]]:
    for key, index in zip(citation.keys, citation.references, strict=True):
        url = report.references[index].url if index is not None else key if citation.form == "link" else None
        found = source_of(report, sources, key, index, citation.form)
        if found is None and index is not None and not url:
            # A report that was written from files names them in its list.
            found = sources.text(report.references[index].title.strip(), None)
        yield url or key, found


def _by_rule(report: Report, pair: _Pair, known: dict[str, Figures]) -> CheckedCitation:
    """Return what rules decide: all figures and most words in one passage, or neither anywhere in the source."""

    def decided(verdict: CitationVerdict, reason: str = "", quote: str = "") -> CheckedCitation:
        return CheckedCitation(
            claim=pair.claim, start=pair.span.start, end=pair.span.end, source=pair.source,
            line=report.lines.place(pair.span.start)[0], verdict=verdict, quote=quote, reason=reason,
            by="" if verdict in ("undecided", "not_available") else "rule",
        )  # fmt: skip

    if pair.text is None:
        return decided("not_available", "the text of the source is not there")
    terms = content_terms(pair.claim)
    figures = [item for item in report.quantities_in(pair.span) if verifiable(item)]
    if len(terms) < _FEWEST_TERMS or has_cjk(pair.claim) != has_cjk(pair.text):
        # Too little to go by, or words in another language.
        return decided("undecided")
    whole = known.setdefault(pair.text, Figures([pair.text]))
    passages = passages_of(pair.text)
    best = PassageIndex(passages).ranked(pair.claim)
    if figures and all(whole.has(item) for item in figures) and best:
        passage = passages[best[0]]
        inside = Figures([passage])
        covered = len(terms & content_terms(passage)) / len(terms)
        if covered >= _COVERED and all(inside.has(item) for item in figures):
            return decided(
                "supports", "one passage has all its figures and most of its words", passage[:_QUOTE]
            )
    if figures and not any(whole.has(item) for item in figures):
        covered = len(terms & content_terms(pair.text)) / len(terms)
        if covered < _FOREIGN:
            return decided("not_there", "the source has none of its figures and hardly any of its words")
    return decided("undecided")


async def _by_model(
    author: Author, report: Report, pairs: Sequence[_Pair], source: str, numbers: Sequence[int]
) -> tuple[dict[int, dict[str, Any]], int, str | None]:
    """Return the verdicts of a model on some claims about one source, the quotes that are not in it, and what failed."""
    language: Any = "zh" if report.language == "zh" else "en"
    claims = [pairs[number].claim for number in numbers]
    entry = table(
        number={"type": "integer", "minimum": 1, "maximum": len(claims)},
        quote=text(_QUOTE),
        verdict=choice(_ASKED),
        reason=text(_SAID),
    )

    def flaws(value: Mapping[str, Any]) -> list[str]:
        return _flaws(author, source, value["citations"], len(claims))

    written = await author.data(
        ASSIGNMENT,
        schema=table(citations=array(entry, len(claims))),
        material=PromptMaterial(language=language),
        check=flaws,
        source=_shown(source, claims),
        claims=claims,
    )
    if written.status != "ok":
        return {}, 0, f"{pairs[numbers[0]].source}: {written.problem}"
    found: dict[int, dict[str, Any]] = {}
    lost = 0
    for row in written.value["citations"]:
        if not 1 <= row["number"] <= len(numbers):
            continue
        values = {"verdict": row["verdict"], "reason": row["reason"], "quote": row["quote"]}
        if row["verdict"] != "not_there" and locate(row["quote"], source) is None:
            lost += 1
            reason = f"the words quoted are not in the source: {row['reason']}"
            values = {"verdict": "undecided", "reason": reason, "quote": ""}
        found.setdefault(numbers[row["number"] - 1], values)
    return found, lost, None


def _flaws(author: Author, source: str, rows: Sequence[Mapping[str, Any]], count: int) -> list[str]:
    page = author.prompts.page
    found: list[str] = []

    def add(block: str, **values: object) -> None:
        words = [page(ASSIGNMENT.template, block, language, values) for language in ("en", "zh")]
        found.append(Bilingual(words[0], words[1]))

    if {row["number"] for row in rows} != set(range(1, count + 1)):
        add("flaw_numbers", count=count)
    lost = [row for row in rows if row["verdict"] != "not_there" and locate(row["quote"], source) is None]
    for row in lost[:3]:
        add("flaw_quote", number=row["number"])
    return found


def _shown(source: str, claims: Sequence[str]) -> str:
    """Return a source, or of a long one the passages that fit the claims best, in their order."""
    if estimate_tokens(source) <= _SHOWN:
        return source
    passages = passages_of(source)
    index = PassageIndex(passages)
    rankings = [index.ranked(claim) for claim in claims]
    chosen: set[int] = set()
    size = 0
    for rank in range(len(passages)):
        for ranking in rankings:
            if rank < len(ranking) and ranking[rank] not in chosen:
                size += estimate_tokens(passages[ranking[rank]])
                if size > _SHOWN:
                    return "\n\n[…]\n\n".join(passages[number] for number in sorted(chosen))
                chosen.add(ranking[rank])
    return "\n\n[…]\n\n".join(passages[number] for number in sorted(chosen)) or source[: 4 * _SHOWN]
