"""A report on a question, written from documents found for it: how the reports of a benchmark are made from scratch.

The requirements are those of the paper (reportlogic, section 3 and figure 9), in our words: prose in paragraphs of
at least four sentences, no lists and no tables; at least 3,000 words, or 6,000 characters in Chinese; gaps in the
documents are filled from the writer's knowledge, but nothing is invented. Here documents are cited by their ids, so
that citations can be checked. `flaws` checks all of this by rules, and the writer is told what they find.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final, Literal

import msgspec

from assay.generation.author import Author
from assay.generation.base import Assignment, AuthorReply, flaw
from assay.generation.cited_documents import cited_ids
from assay.models.tokens import estimate_tokens
from assay.strategies.base import PromptMaterial
from assay.strategies.refusals import repeats_itself
from assay.subjects.report import Report
from assay.text.bilingual import Bilingual, listed
from assay.text.words import count_words, has_cjk

# Words in English, characters without white space in Chinese.
LEAST: Final[dict[str, int]] = {"en": 3_000, "zh": 6_000}
SENTENCES: Final = 4
_PER_WORD: Final = 1.4
_PER_CHARACTER: Final = 1.1
_FENCE: Final = re.compile(r"<<(?:END )?(?:DOCUMENT|QUESTION) [0-9a-f]{12}>>")
# Most places of one kind that the writer is told.
_NAMED: Final = 3
_SHOWN: Final = 60

ASSIGNMENT: Final = Assignment(
    name="report_writing",
    summary="A report on a question from documents that were found for it, cited by their ids.",
    template=str(Path(__file__).with_name("report_writing.jinja")),
    source="reportlogic, section 3 and figure 9",
)


class SourceDocument(msgspec.Struct, frozen=True):
    """A document that was found: the id it is cited by, its text, its title and its address."""

    id: str
    text: str
    title: str = ""
    url: str = ""


async def write_report(
    author: Author,
    query: str,
    documents: Sequence[SourceDocument],
    *,
    language: Literal["en", "zh"] = "en",
    least: int | None = None,
    max_tokens: int | None = None,
) -> AuthorReply:
    """Have a report written; flaws that it still has stand in ``flaws``.

    Args:
        author: The model.
        query: The question.
        documents: The documents found for it.
        language: Language of the prompt and the report.
        least: Least length in words, or characters in Chinese; that of the paper if None.
        max_tokens: Most tokens of the report.
    """
    most = LEAST[language] if least is None else least
    ids = [document.id for document in documents]
    return await author.text(
        ASSIGNMENT,
        material=PromptMaterial(language=language),
        check=lambda text: flaws(text, ids, language=language, least=most),
        max_tokens=max_tokens,
        **_variables(query, documents, most),
    )


def prompt_tokens(
    author: Author, query: str, documents: Sequence[SourceDocument], *, language: Literal["en", "zh"] = "en"
) -> int:
    """Estimate the tokens of the prompt."""
    prompts = author.prompts
    parts = (
        prompts.page(ASSIGNMENT.template, "system", language, {}),
        prompts.page(ASSIGNMENT.template, "task", language, _variables(query, documents, LEAST[language])),
    )
    return sum(map(estimate_tokens, parts))


def tokens_needed(least: int, language: Literal["en", "zh"]) -> int:
    """Estimate the tokens of a report of that length."""
    return int(least * (_PER_CHARACTER if language == "zh" else _PER_WORD)) + 1


def length_of(text: str, language: Literal["en", "zh"]) -> int:
    """Count words, or characters without white space in Chinese, as the paper does."""
    return len("".join(text.split())) if language == "zh" else count_words(text)


def flaws(
    text: str, ids: Sequence[str], *, language: Literal["en", "zh"] = "en", least: int | None = None
) -> list[Bilingual]:
    """List what a report lacks of what was asked for, by rule.

    Args:
        text: The report, in Markdown.
        ids: Ids of the documents; other citations are of documents that do not exist.
        language: Language it was to be written in.
        least: Least length; that of the paper if None.
    """
    report = Report(text)
    return [
        *_length(text, LEAST[language] if least is None else least, language),
        *_forms(report),
        *_remains(text),
        *_paragraphs(report),
        *_citations(report, ids),
    ]


def _variables(query: str, documents: Sequence[SourceDocument], least: int) -> dict[str, Any]:
    return {
        "query": query,
        "documents": [msgspec.structs.asdict(document) for document in documents],
        "least": f"{least:,}",
        "sentences": SENTENCES,
    }


def _length(text: str, least: int, language: Literal["en", "zh"]) -> Iterator[Bilingual]:
    if language == "zh" and not has_cjk(text):
        yield flaw("not_in_chinese")
    if language == "en" and len(text) > 100 and _mostly_cjk(text):
        yield flaw("not_in_english")
    length = length_of(text, language)
    if length < least:
        name = "too_short_chinese" if language == "zh" else "too_short"
        yield flaw(name, length=f"{length:,}", least=f"{least:,}")


def _mostly_cjk(text: str) -> bool:
    return 2 * sum(map(has_cjk, text)) > len("".join(text.split()))


def _forms(report: Report) -> Iterator[Bilingual]:
    """Yield flaws for lists, tables and blocks of code."""
    kinds = [block.kind for block in report.blocks]
    for kind, name in (("item", "list_items"), ("table", "tables"), ("code", "code_blocks")):
        if number := kinds.count(kind):  # type: ignore[arg-type]
            yield flaw(name, count=number)


def _remains(text: str) -> Iterator[Bilingual]:
    """Yield flaws for remains of the prompt, and for a text that repeats itself."""
    if _FENCE.search(text):
        yield flaw("document_fence")
    if repeats_itself(text):
        yield flaw("repeats_itself")


def _paragraphs(report: Report) -> Iterator[Bilingual]:
    """Yield flaws for paragraphs with too few sentences."""
    counts: dict[int, int] = {}
    for sentence in report.sentences:
        counts[sentence.block] = counts.get(sentence.block, 0) + 1
    prose = [block for block in report.paragraphs if block.kind == "paragraph"]
    if not prose:
        yield flaw("no_paragraph")
    short = [block for block in prose if counts.get(block.index, 0) < SENTENCES]
    if short:
        heads = listed((f"“{_head(report.text(block.span))}”" for block in short), most=_NAMED, comma="; ")
        yield flaw("short_paragraphs", count=len(short), all=len(prose), least=SENTENCES, heads=heads)


def _citations(report: Report, ids: Sequence[str]) -> Iterator[Bilingual]:
    cited = cited_ids(report.source, ids)
    if cited.unknown:
        names = listed((f"[{_head(item)}]" for item in cited.unknown), most=_NAMED)
        yield flaw("unknown_documents", names=names)
    if ids and not cited.known:
        yield flaw("cites_nothing", example=ids[0])


def _head(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _SHOWN else line[:_SHOWN].rstrip() + "…"
