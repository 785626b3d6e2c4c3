"""One judgment: its verdicts, its answers with their calls, and the texts that its quotes stand in."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

import msgspec
from markupsafe import Markup  # noqa: TC002 - a field of a struct

from assay.judges.judgment import Judgment, Quote
from assay.models.base import Request
from assay.present.html.marks import Mark
from assay.present.html.prose import markdown_html, text_html
from assay.runs.records import AnswerRow, CallRow
from assay.subjects.report import Report
from assay.web.opened import OpenedLedger
from assay.web.prompt_parts import PromptPart, documents_in, prompt_parts, question_in
from assay.web.templating import safe_markup

# Other judgments of a case that are searched for its text.
_TRIED: Final = 12


class ShownQuote(msgspec.Struct, frozen=True):
    """A quote, and where it is marked: number of the document and key of the mark; None if it is in neither."""

    text: str
    document: int | None
    key: str


class ShownDocument(msgspec.Struct, frozen=True):
    """A text that was judged, with its quotes marked."""

    label: str
    html: Markup
    source: str


class JudgmentDetail(msgspec.Struct, frozen=True, kw_only=True):
    """What the page of a judgment shows.

    Attributes:
        judgment: The judgment.
        answers: Its answers.
        calls: The newest call of each key of the answers.
        documents: The texts, as a judge was shown them.
        quotes: Quotes by criterion; those of no criterion under "".
        question: The question that the subjects answer.
        borrowed: Whether the texts come from a prompt of another judge of the same case.
    """

    judgment: Judgment
    answers: Sequence[AnswerRow] = ()
    calls: dict[str, CallRow] = {}
    documents: Sequence[ShownDocument] = ()
    quotes: dict[str, list[ShownQuote]] = {}
    question: str = ""
    borrowed: bool = False


def detail_of(item: OpenedLedger, run: str, key: str, siblings: Iterable[str]) -> JudgmentDetail | None:
    """Return what the page of a judgment shows; None if the run has no such judgment.

    Args:
        item: The ledger.
        run: Id of the run.
        key: Key of the judgment.
        siblings: Keys of other judgments of the same case, whose prompts may show the texts.
    """
    with item.lock:
        ledger = item.ledger
        row = ledger.judgment(key, run)
        if row is None:
            return None
        answers = ledger.answers_to(key, run)
        calls = {call.key: call for call in ledger.calls(_keys(answers))}
        requests, borrowed = _requests(answers, calls), False
        documents = documents_in(requests)
        if not documents:
            borrowed = True
            for other in list(siblings)[:_TRIED]:
                theirs = ledger.answers_to(other, run)
                requests = _requests(theirs, {call.key: call for call in ledger.calls(_keys(theirs))})
                documents = documents_in(requests)
                if documents:
                    break
    shown, quotes = marked_documents(row.judgment, documents)
    return JudgmentDetail(
        judgment=row.judgment,
        answers=answers,
        calls=calls,
        documents=shown,
        quotes=quotes,
        question=question_in(requests),
        borrowed=borrowed and bool(shown),
    )


def _keys(answers: Iterable[AnswerRow]) -> list[str]:
    return list(dict.fromkeys(key for answer in answers for key in answer.answer.calls))


def _requests(answers: Sequence[AnswerRow], calls: dict[str, CallRow]) -> list[Request]:
    """Return the requests of the answers about the whole, those in the order of the case before those turned round."""
    ordered = sorted(answers, key=lambda answer: (answer.unit != "", answer.order == "BA"))
    keys = _keys(answer for answer in ordered if not answer.unit)
    if any(answer.order == "AB" for answer in ordered):
        keys = _keys(answer for answer in ordered if answer.order == "AB")
    return [calls[key].request for key in keys if key in calls]


def marked_documents(
    judgment: Judgment, documents: Sequence[tuple[str, str]]
) -> tuple[list[ShownDocument], dict[str, list[ShownQuote]]]:
    """Return the texts with the quotes of a judgment marked, and the quotes by criterion."""
    marks: list[list[Mark]] = [[] for _ in documents]
    numbers: dict[tuple[int, int, int], str] = {}
    quotes: dict[str, list[ShownQuote]] = {}
    given = [(item.criterion, quote) for item in judgment.verdicts for quote in item.quotes]
    named = {quote for _, quote in given}
    given += [("", quote) for quote in judgment.quotes if quote not in named]
    for criterion, quote in given:
        place = _place_of(quote, documents)
        key = ""
        if place is not None:
            key = numbers.setdefault(place, str(len(numbers)))
            if key == str(len(numbers) - 1):
                mark = Mark(place[1], place[2], role="finding", key=key, severity="info")
                marks[place[0]].append(mark)
        found = ShownQuote(quote.text, None if place is None else place[0], key)
        quotes.setdefault(criterion, []).append(found)
    shown = [
        ShownDocument(label, _text_html(text, own), text)
        for (label, text), own in zip(documents, marks, strict=True)
    ]
    return shown, quotes


def _place_of(quote: Quote, documents: Sequence[tuple[str, str]]) -> tuple[int, int, int] | None:
    """Return document, start and end of a quote; offsets that do not fit the text are looked for again."""
    if quote.start is None or quote.end is None or not 0 <= quote.document < len(documents):
        return None
    text = documents[quote.document][1]
    if quote.end <= len(text) and _alike(text[quote.start : quote.end], quote.text):
        return quote.document, quote.start, quote.end
    at = text.find(quote.text)
    return None if at < 0 else (quote.document, at, at + len(quote.text))


def _alike(a: str, b: str) -> bool:
    """Return whether two passages are alike but for white space and signs, as the location of quotes allows."""
    left, right = ("".join(char for char in text.casefold() if char.isalnum())[:40] for text in (a, b))
    return left == right


def _text_html(text: str, marks: Sequence[Mark]) -> Markup:
    report = Report(text)
    if report.markdown:
        return safe_markup(markdown_html(text, 0, len(text), marks, report=report))
    return safe_markup(f'<div class="plain">{text_html(text, 0, len(text), marks)}</div>')


def message_parts(call: CallRow) -> list[tuple[str, list[PromptPart]]]:
    """Return role and parts of each message of a prompt."""
    return [(message.role, prompt_parts(message.content)) for message in call.request.messages]


def call_facts(call: CallRow) -> dict[str, Any]:
    """Return what a page says of a call beside prompt and reply."""
    reply, request = call.reply, call.request
    sampling = msgspec.to_builtins(request.sampling)
    return {
        "key": call.key,
        "model": request.model,
        "served": reply.served or "",
        "finish": reply.finish,
        "attempts": reply.attempts,
        "seconds": reply.seconds,
        "usage": reply.usage,
        "sampling": ", ".join(f"{name} {value}" for name, value in sampling.items() if value is not None),
        "draw": request.draw,
        "dropped": ", ".join(reply.dropped),
        "at": call.at,
    }
