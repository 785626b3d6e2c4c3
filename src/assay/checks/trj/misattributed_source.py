"""A claim attributed to one source although its facts come from another.

The sentence names a retrieved source – by citation id, or with "according to X", "X says" – but the name or figure that
it reports is not in that source's passage, whereas another passage contains it. A reader who follows the citation finds
nothing; one who trusts it credits the wrong authority.

Known problems: a search result shows only an excerpt, so a page may say more than its passage. Two sources with the
same name are treated as one.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from typing import TYPE_CHECKING, Final

from assay.checks.base import Check, Context, Example, RawFinding
from assay.checks.wording import FilledWording, Wording
from assay.subjects.assertions import Assertion, is_attributed
from assay.subjects.atoms import atom_set, find_names, find_numbers, fold
from assay.subjects.span import Span
from assay.subjects.timeline import Timeline, timeline_of
from assay.text.phrases import PhraseFile

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assay.subjects.response_passages import ResponsePassage
    from assay.subjects.trajectory import Trajectory

_PHRASES: Final = PhraseFile("assay.checks", "trj")

_CITE: Final = re.compile(
    r"<cite\s{1,4}id\s{0,2}=\s{0,2}[\"']?([^\"'>]{1,200})[\"']?\s{0,4}>([^<]{1,1500})</cite>"
)
# Words for several sources or for a contrast: only a part of the sentence may come from the source.
_SEVERAL: Final = _PHRASES.pattern(
    r"\b(?:<<misattributed_source_several.en>>)\b|都|等|但|而", flags=re.IGNORECASE
)
_LEAST: Final = 50
# Only this many of the latest passages are compared, which bounds the work on very long runs.
_MOST: Final = 200

_WRONG_SOURCE: Final = Wording(
    en="“{fact}” is credited to “{source}”, whose passage does not contain it; another passage does",
    zh="“{fact}”被归于“{source}”，但该来源的段落中没有，另一段落中才有",
)


def run(trajectory: Trajectory, _context: Context) -> Iterator[RawFinding]:
    """Yield findings for citations by id, then for claims that name their source."""
    view = timeline_of(trajectory)
    passages = view.passages
    if len(passages) < 2:
        return
    answer = trajectory.answer_span
    if answer is not None and "<cite" in (trajectory.answer or ""):
        by_key = {passage.key.lower(): passage for passage in passages if passage.key}
        for match in _CITE.finditer(trajectory.answer or ""):
            cited = [
                by_key[key] for part in match.group(1).split(",") if (key := part.strip().lower()) in by_key
            ]
            if cited:
                text = match.group(2)
                finding = _judge(view, _facts(view, text), cited, passages, match.group(1))
                if finding is not None:
                    span = Span(answer.start + match.start(2), answer.start + match.end(2))
                    yield RawFinding(span, finding[0], related=finding[1], confidence=0.8)
    index = _index(passages)
    events = [passage.event for passage in passages]
    for claim in view.assertions:
        named = [name for name in claim.names if is_attributed(claim.text, name)]
        if not named or _many_sources(claim):
            continue
        source, own = next(
            ((name, own) for name in named if (own := _of(view, name.atoms, index, claim.event))),
            (named[0], []),
        )
        # A title without text says nothing about the content of its page.
        if not own or max(len(passage.text.strip().partition("\n")[2]) for passage in own) < _LEAST:
            continue
        facts = [fact for fact in _facts(view, claim.text) if not set(fold(fact).split()) & set(source.atoms)]
        upto = bisect_left(events, claim.event)
        finding = _judge(view, facts, own, passages[max(0, upto - _MOST) : upto], source.text)
        if finding is not None:
            yield RawFinding(
                Span(claim.start, claim.end), finding[0], related=finding[1], confidence=0.65, severity="info"
            )


def _many_sources(claim: Assertion) -> bool:
    """Return whether only a part of the sentence may be attributed to the source it names."""
    return _SEVERAL.search(claim.text) is not None


def _index(passages: list[ResponsePassage]) -> dict[str, list[ResponsePassage]]:
    """Return the passages by the words of their headings and addresses."""
    index: dict[str, list[ResponsePassage]] = {}
    for passage in passages:
        for atom in atom_set(passage.head):
            index.setdefault(atom, []).append(passage)
    return index


def _of(
    view: Timeline, source: tuple[str, ...], index: dict[str, list[ResponsePassage]], before: int
) -> list[ResponsePassage]:
    """Return the earlier passages with this name in their heading, as words or run together as in a site's address."""
    telling = [atom for atom in source if len(atom) > 2 and atom not in view.lower]
    if not telling:
        return []
    near = [
        passage
        for passage in index.get(telling[0], [])[-_MOST:]
        if all(atom in passage.head for atom in telling)
    ]
    near += index.get("".join(source), [])[-_MOST:]
    return [passage for passage in near if passage.event < before]


def _facts(view: Timeline, text: str) -> list[str]:
    """Return the names and numbers in a text that do not occur in the query."""
    facts: list[str] = []
    for name in find_names(text):
        telling = view.distinctive_atoms(name)
        if (
            telling
            and not (name.first and len(name.atoms) == 1)
            and not all(view.given.knows(atom, 1) for atom in telling)
        ):
            facts.append(name.text)
    for number in find_numbers(text):
        if (number.year or number.percent or number.value >= 13) and not view.given.knows_number(number, 1):
            facts.append(number.text)
    return facts


def _judge(
    view: Timeline, facts: list[str], own: list[ResponsePassage], passages: list[ResponsePassage], source: str
) -> tuple[FilledWording, tuple[Span, ...]] | None:
    missing = [fact for fact in facts if not any(_has(view, passage, fact) for passage in own)]
    if not missing or len(missing) * 2 < len(facts):
        return None
    own_starts = {passage.start for passage in own}
    for other in passages:
        if other.start not in own_starts and all(_has(view, other, fact) for fact in missing):
            message = _WRONG_SOURCE(fact=missing[0], source=source)
            return message, (
                Span(own[0].start, min(own[0].end, own[0].start + 300)),
                Span(other.start, min(other.end, other.start + 300)),
            )
    return None


def _has(view: Timeline, passage: ResponsePassage, fact: str) -> bool:
    """Return whether a passage contains a fact: every distinctive word of a name, or the digits of a number."""
    if any(char.isdigit() for char in fact) and not any(char.isalpha() for char in fact):
        digits = fact.strip("%％ ")
        return digits in passage.body or digits.replace(",", "") in passage.body.replace(",", "")
    words = [word for word in re.split(r"[^\w]+", fold(fact)) if len(word) > 2 and word not in view.lower]
    return all(word[: max(3, len(word) - 2)] in passage.body for word in words)


CHECK = Check(
    code="TRJ012",
    name="misattributed-source",
    severity="warning",
    summary="A claim given to one retrieved source while its facts stand in another",
    run=run,
    bad=(
        Example(
            '{"schema": "assay.trajectory/1", "query": "Who founded the Skarvberg ski club?", "tools": '
            '["search"], "answer": "<cite id=\\"s2\\">It was founded by Anna Lund in 1931</cite>.", "steps": '
            "["
            '{"index": 0, "reasoning": "I search for the club.", "tool_calls": [{"name": "search", '
            '"arguments": {"query": "Skarvberg ski club founder"}, "response": "<snippet id=s1>\\nThe '
            "yearbook says that Anna Lund founded the club in 1931.\\n</snippet>\\n<snippet id=s2>\\nThe "
            'club has two slopes and a cabin by the lake.\\n</snippet>"}]}]}'
        ),
        Example(
            '{"schema": "assay.trajectory/1", "query": "Who founded the ski club?", "tools": ["search"], '
            '"answer": "According to Britannica, Anna Lund founded it in 1931.", "steps": ['
            '{"index": 0, "reasoning": "I search for the club.", "tool_calls": [{"name": "search", '
            '"arguments": {"query": "ski club founder"}, "response": "1. [Ski club - '
            "Wikipedia](https://en.wikipedia.org/wiki/Club)\\nAnna Lund founded the club in 1931, as the "
            "yearbook tells.\\n2. [Ski club | Britannica](https://britannica.com/club)\\nThe club has two "
            'slopes and a cabin by the lake, open all year.\\n"}]}]}'
        ),
    ),
    good=(
        Example(
            '{"schema": "assay.trajectory/1", "query": "Who founded the ski club?", "tools": ["search"], '
            '"answer": "According to Britannica, Anna Lund founded it in 1931.", "steps": ['
            '{"index": 0, "reasoning": "I search for the club.", "tool_calls": [{"name": "search", '
            '"arguments": {"query": "ski club founder"}, "response": "1. [Ski club - '
            "Wikipedia](https://en.wikipedia.org/wiki/Club)\\nThe club has two slopes and a cabin by the "
            "lake.\\n2. [Ski club | Britannica](https://britannica.com/club)\\nAnna Lund founded the club in "
            '1931, as the yearbook tells.\\n"}]}]}'
        ),
    ),
    failure="wrong_source_citation",
    subject="trajectory",
)
