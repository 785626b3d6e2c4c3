"""Passages of documents that fit a question best, up to a number of tokens: the context of a writer.

ReportLogic retrieves context by a web search and an extraction of passages (section 3.2). Here the documents are there
already. Their passages are ranked by BM25 (Robertson and Zaragoza 2009) over the presence of content terms, so that no
model and no index is needed.
"""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Final

import msgspec

from assay.models.tokens import estimate_tokens
from assay.text.words import content_terms, has_cjk

if TYPE_CHECKING:
    from assay.generation.report_writing import SourceDocument

_PARAGRAPHS: Final = re.compile(r"\n\s*\n")
# Characters of a passage: about a hundred words, enough for a fact and its subject. Chinese says as much in a third.
_PASSAGE: Final = 900
_PASSAGE_CHINESE: Final = 300
# BM25's usual constants: how fast further words count less, and how much long passages are held back.
_K1: Final = 1.2
_B: Final = 0.75
_GAP: Final = "\n\n[…]\n\n"


class PassageIndex:
    """Ranks passages by the content terms they share with a question; rare terms count more.

    Args:
        passages: The passages.
    """

    def __init__(self, passages: Sequence[str]) -> None:
        self._terms = [content_terms(passage) for passage in passages]
        known = Counter(term for terms in self._terms for term in terms)
        total = len(passages)
        self._weights = {
            term: math.log(1 + (total - count + 0.5) / (count + 0.5)) for term, count in known.items()
        }
        mean = sum(map(len, self._terms)) / total if total else 0.0
        self._held = [_K1 * (1 - _B + _B * len(terms) / mean) if mean else 0.0 for terms in self._terms]

    def ranked(self, question: str) -> list[int]:
        """Return the indices of the passages that share a term with the question, best first."""
        wanted = content_terms(question)
        scored = [
            (-sum(self._weights[term] for term in sorted(shared)) * (_K1 + 1) / (1 + held), i)
            for i, (terms, held) in enumerate(zip(self._terms, self._held, strict=True))
            if (shared := wanted & terms)
        ]
        return [i for _, i in sorted(scored)]


def passages_of(text: str) -> list[str]:
    """Return the paragraphs of a text, small ones joined and large ones cut between words or sentences."""
    most = _PASSAGE_CHINESE if has_cjk(text) else _PASSAGE
    out: list[str] = []
    held = ""
    for part in _PARAGRAPHS.split(text):
        words = " ".join(part.split())
        if not words:
            continue
        if held and len(held) + len(words) > most:
            out.append(held)
            held = ""
        held = f"{held} {words}".strip()
        while len(held) > most:
            cut = max(held.rfind(" ", 1, most), held.rfind("。", 1, most - 1) + 1)
            cut = cut if cut > 0 else most
            out.append(held[:cut].rstrip())
            held = held[cut:].strip()
    if held:
        out.append(held)
    return out


def fitting_passages(question: str, documents: Sequence[SourceDocument], tokens: int) -> list[SourceDocument]:
    """Return the documents cut down to the passages that fit a question best; all of them if they are small enough.

    Passages keep their order, and a gap is marked with […]. A document without such a passage is left out.

    Args:
        question: The question.
        documents: The documents.
        tokens: Most tokens of all passages together, as `estimate_tokens` counts.
    """
    if sum(estimate_tokens(document.text) for document in documents) <= tokens:
        return list(documents)
    pieces = [(i, piece) for i, document in enumerate(documents) for piece in passages_of(document.text)]
    room = tokens
    chosen: list[int] = []
    for index in PassageIndex([piece for _, piece in pieces]).ranked(question):
        size = estimate_tokens(_GAP + pieces[index][1])
        if size <= room:
            room -= size
            chosen.append(index)
    kept: defaultdict[int, list[int]] = defaultdict(list)
    for index in sorted(chosen):
        kept[pieces[index][0]].append(index)
    return [
        msgspec.structs.replace(documents[i], text=_joined(indices, [piece for _, piece in pieces]))
        for i, indices in kept.items()
    ]


def _joined(indices: Sequence[int], pieces: Sequence[str]) -> str:
    text = pieces[indices[0]]
    for before, index in pairwise(indices):
        text += ("\n\n" if index == before + 1 else _GAP) + pieces[index]
    return text
