"""Incomplete coverage: something the query asks for is left out or barely touched. A model thins the passages out.

A site is a run of paragraphs of one section that treats an aspect of the query, and the other runs that speak of it, so
that the question about it can really stay open. No rule plants it: what a rule cuts is seldom all that answers.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from assay.interventions.base import EditSite, Operator
from assay.interventions.edit_kit import added_figures, joined_texts, lost, markers
from assay.interventions.hints import place_hint
from assay.interventions.outcome._prose import full_sentences, run_sites
from assay.subjects.query import keys_of, read_query
from assay.subjects.span import Span
from assay.text.words import content_terms

if TYPE_CHECKING:
    from collections.abc import Iterator
    from random import Random

    from assay.interventions.base import Place, TextRevision
    from assay.subjects.report import Report
    from assay.text.bilingual import Bilingual

# Fewest mentions of an aspect, or terms of the query, that make a passage treat it.
_MENTIONS: Final = 2
# Fewest whole sentences of a passage that says something of an aspect.
_SENTENCES: Final = 2
# What introduces the parts of a task, what parts them, and words that an aspect does not begin with.
_CUE: Final = re.compile(
    r"\b(?:focus(?:ing|ed)? on|considering|cover(?:ing)?|including|in terms of|address(?:ing)?"
    r"|be sure to (?:include|discuss))\b:?"
    r"|(?:重点)?(?:关注|比较|分析|评估|预测|介绍|说明)",
    re.IGNORECASE,
)
_PARTS: Final = re.compile(r"(?:,|;)\s*(?:(?:and|as well as|also)\s+)*|[，；、]\s*|以及|并(?=[^列存])")
_LEAD: Final = re.compile(
    r"^(?:(?:and|the|their|its|any|all|potential|resulting|associated|possible)\s+)+"
    r"|^(?:其|各|并|及)",
    re.IGNORECASE,
)
# "Collected, stored and shared" are parts of one thing.
_NO_ASPECT: Final = re.compile(r"\w*ed|.", re.IGNORECASE)
_JOINED: Final = re.compile(r"\s*(?:,|,? and|,? or|vs\.?|versus|/|、|和|与|及|以及|或)\s*")
# Greatest number of further passages that speak of the same aspect.
_OTHERS: Final = 3
# A key that occurs everywhere is the subject of the query, not a part of it.
_EVERYWHERE: Final = 0.5


def sites(report: Report, draw: Random) -> Iterator[EditSite]:
    """Yield runs of paragraphs that treat an aspect of the query, first those that treat one it lists."""
    runs = [
        place
        for place, _ in (run_sites(report, draw) if report.query else ())
        if len(full_sentences(report, Span(place.start, place.end))) >= _SENTENCES
    ]
    rest = []
    seen: set[tuple[tuple[Place, ...], str]] = set()
    for place in runs:
        site = _aspect_site(report, place, runs)
        if site is None:
            rest.append(place)
        elif (site.places, site.hint) not in seen:
            seen.add((site.places, site.hint))
            yield site
    terms = {place: content_terms(report.source[place.start : place.end]) for place in runs}
    # A term of most passages is the subject of the report, and no part of what is asked about it.
    asked = {
        term
        for term in content_terms(report.query or "")
        if sum(term in own for own in terms.values()) <= max(1, len(runs) // 2)
    }
    for place in rest:
        if len(terms[place] & asked) >= _MENTIONS:
            yield EditSite(places=(place,))


def _aspect_site(report: Report, place: Place, runs: list[Place]) -> EditSite | None:
    """Return the site of the aspect that a run treats before all others, with the other runs that speak of it."""
    best: tuple[int, Bilingual, list[Place]] | None = None
    for label, keys in _aspects(report.query or ""):
        mentions = {run: _mentions(report, run, keys) for run in runs}
        own = mentions[place]
        others = [run for run in runs if run != place and mentions[run]]
        if own < _MENTIONS or own < max(mentions.values()) or len(others) > _EVERYWHERE * len(runs) + 1:
            continue
        if best is None or own > best[0]:
            others.sort(key=lambda run: -mentions[run])
            best = (own, place_hint("treats_request", label=label[:80]), others[:_OTHERS])
    return (
        None if best is None else EditSite(places=tuple(sorted((place, *best[2]), key=_start)), hint=best[1])
    )


def _aspects(query: str) -> list[tuple[str, tuple[str, ...]]]:
    """Return the aspects that a query lists, each with what counts as a mention of it.

    They are the items and questions that the query numbers or lists, names that stand side by side, and the parts of what
    follows "focusing on" and the like. The subject of the query is none of them.
    """
    parts = read_query(query)
    found = [(aspect.label.strip(), aspect.keys) for aspect in parts.aspects if aspect.keys]
    names = [(name, query.find(name.text)) for name in parts.names]
    for (one, at), (two, later) in pairwise(sorted(names, key=lambda item: item[1])):
        if _JOINED.fullmatch(query[at + len(one.text) : later]):
            found += [(name.text, tuple(form for form in name.forms if len(form) > 1)) for name in (one, two)]
    cue = _CUE.search(query)
    if not found and cue is not None:
        sentence = re.split(r"[.?!。？！](?:\s|$)|\n", query[cue.end() :], maxsplit=1)[0]
        subject = set(keys_of(query[: cue.start()]))
        labels = [_LEAD.sub("", part.strip()) for part in _PARTS.split(sentence)]
        found = [
            (label, tuple(key for key in keys_of(label) if key not in subject)) for label in labels if label
        ]
    return [(label, keys) for label, keys in dict.fromkeys(found) if keys and not label.endswith((":", "："))]


def _mentions(report: Report, place: Place, keys: tuple[str, ...]) -> int:
    text = report.source[place.start : place.end].lower()
    block = report.block_at(place.start)
    title = report.sections[block.section].title.lower() if block is not None else ""
    return sum(text.count(key.lower()) + 2 * (key.lower() in title) for key in keys)


def _start(place: Place) -> int:
    return place.start


def unfit(report: Report) -> str | None:
    """Return why nothing can be left unanswered: it has no query, or no passage that speaks of it."""
    if not report.query:
        return "it has no question that could be left open"
    asked = content_terms(report.query)
    if any(len(report.sentence_terms[s.index] & asked) for s in report.sentences):
        return None
    return "no sentence shares a word with the question"


def check(reference: Report, perturbed: Report, revision: TextRevision) -> str | None:
    """Return why nothing can be missing: nothing was lost, or a figure or a source came in."""
    before, after = joined_texts(reference, perturbed, revision)
    if come := markers(after) - markers(before):
        return f"the citation {next(iter(come))} is new, and this type only leaves out"
    if (new := added_figures(before, after)) is not None:
        return f"the figure {new} is new, and this type only leaves out"
    return "nothing was left out" if lost(before, after) is None else None


OPERATOR = Operator(
    name="incomplete_coverage",
    title="Incomplete coverage",
    title_zh="覆盖不全",
    level="outcome",
    module="output",
    category="relevance",
    definition=(
        "Something that the query asks for is missing, or is mentioned so briefly or so generally that the "
        "question about it stays open."
    ),
    definition_zh="问题所要求的某个方面缺失，或只是一笔带过、泛泛而谈，没有真正作答。",
    sites=sites,
    unfit=unfit,
    ask=(
        "Find the part of the question that these passages answer, and let the report answer it no longer. Leave the "
        "aspect out where the text holds together without it, or mention it in one or two general sentences that "
        "would fit any report on the subject: no findings, figures, names, reasons or comparisons, and no citations "
        "that stood behind them. Do this in every passage given that answers this part, so that none of them makes "
        "up for it; leave out of your reply the passages that do not. What answers other parts of the question stays "
        "word for word. Keep tone, headings and format, do not say that something is left out, and bring in nothing "
        "new. One example or detail fewer is too little: a reader who asked for this aspect must go away without an "
        "answer."
    ),
    ask_zh=(
        "看清这几段回答了问题的哪一个方面，并使报告不再回答它：在不影响文气的地方整个略去，"
        "或只用一两句放在任何同类报告里都说得通的话带过，不留发现、数据、名称、理由和比较，也不留原先支撑它们的引用。"
        "凡给出的段落中回答这一方面的，都照此处理，以免别处又补上；与此无关的段落不必改写。"
        "回答其他方面的文字一字不动。语气、标题和格式照旧，不要说明有所省略，也不要添入新的内容。"
        "只少一个例子或一处细节是不够的：想了解这一方面的读者，读完必须一无所获。"
    ),
    check=check,
    against="report",
    codes=("COV004", "COV007", "COV009"),
    source="reflect, table 3: Output, Relevance, Incomplete Coverage",
)
