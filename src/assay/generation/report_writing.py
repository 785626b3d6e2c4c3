"""A report on a question, written from documents that were found for it: how a benchmark's reports are made from scratch.

What the paper asks of its writers (reportlogic, section 3 and figure 9, in our own words): prose in paragraphs of at
least four sentences, no lists and no tables; 3,000 words at least, or 6,000 characters in Chinese; what the documents
leave out is filled from the writer's knowledge, but nothing is invented. Documents are cited by their ids here, so that
what is cited can be checked. `flaws` is that check: rules alone, and what they find the writer is told.
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
# The most places of one kind that are named to the writer.
_NAMED: Final = 3
_SHOWN: Final = 60

ASSIGNMENT: Final = Assignment(
    name="report_writing",
    summary="A report on a question from documents that were found for it, cited by their ids.",
    template=str(Path(__file__).with_name("report_writing.jinja")),
    source="reportlogic, section 3 and figure 9",
)


class SourceDocument(msgspec.Struct, frozen=True):
    """A document that was found: the id it is cited by, its text, what it is called and where it was."""

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
    """Have a report written; what is wrong with it still stands in ``flaws``.

    Args:
        author: Who writes.
        query: The question.
        documents: What was found for it.
        language: Of the prompt and the report.
        least: Least length, where it is not that of the paper: words, or characters in Chinese.
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
    """About how many tokens the prompt takes."""
    prompts = author.prompts
    parts = (
        prompts.page(ASSIGNMENT.template, "system", language, {}),
        prompts.page(ASSIGNMENT.template, "task", language, _variables(query, documents, LEAST[language])),
    )
    return sum(map(estimate_tokens, parts))


def tokens_needed(least: int, language: Literal["en", "zh"]) -> int:
    """About how many tokens a report of that length takes."""
    return int(least * (_PER_CHARACTER if language == "zh" else _PER_WORD)) + 1


def length_of(text: str, language: Literal["en", "zh"]) -> int:
    """Words, or characters without white space in Chinese, as the paper counts."""
    return len("".join(text.split())) if language == "zh" else count_words(text)


def flaws(
    text: str, ids: Sequence[str], *, language: Literal["en", "zh"] = "en", least: int | None = None
) -> list[Bilingual]:
    """What a report is not as it was asked for, by rule.

    Args:
        text: The report, in Markdown.
        ids: Of the documents; what else is cited does not exist.
        language: It was to be written in.
        least: Least length; that of the paper where None.
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
    """Lists, tables and blocks of code, counted by kind."""
    kinds = [block.kind for block in report.blocks]
    for kind, name in (("item", "list_items"), ("table", "tables"), ("code", "code_blocks")):
        if number := kinds.count(kind):  # type: ignore[arg-type]
            yield flaw(name, count=number)


def _remains(text: str) -> Iterator[Bilingual]:
    """What of the prompt stands in it, and a text that goes round in circles."""
    if _FENCE.search(text):
        yield flaw("document_fence")
    if repeats_itself(text):
        yield flaw("repeats_itself")


def _paragraphs(report: Report) -> Iterator[Bilingual]:
    """Paragraphs of fewer sentences than are asked for."""
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
