"""A response that has nothing to do with its call.

The response is about something other than the call's arguments: it contains none of the names asked for and hardly any
other term. Off-topic text is not evidence, and reasoning that takes it for an answer goes wrong. Error messages and
empty responses do not count (see TRJ002).

Known problems: a page may use another name for the same thing. A response in another language or script than the
call is not compared.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from assay.checks.base import Check, Context, RawFinding
from assay.checks.trj._examples import run_example
from assay.checks.wording import FilledWording, Wording, series
from assay.subjects.atoms import find_names, fold, terms
from assay.subjects.span import Span
from assay.subjects.timeline import Timeline, timeline_of
from assay.subjects.tool_calls import evidence, failure, kind, questions
from assay.text.phrases import PhraseFile, WordSets
from assay.text.words import has_cjk

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assay.subjects.trajectory import ToolCall, Trajectory

_PHRASES: Final = PhraseFile("assay.checks", "trj")
_WORDS: Final = WordSets(_PHRASES)

_SPLIT: Final = re.compile(r"^={5,}[ \t]*$", re.MULTILINE)
_NO_WORD: Final = re.compile(r"[\W_]+")
_ECHO: Final = re.compile(
    r"\s{0,8}(?:A |The )?(?:\w+ )?(?:search|results?) (?:results? )?for[: ]{1,3}['\"‘“]([^'\"’”\n]{4,200})['\"’”]",
    re.IGNORECASE,
)

_OTHER_QUESTION: Final = Wording(
    en="The response answers “{question}”, which {tool} was not asked",
    zh="返回的是“{question}”的结果，而 {tool} 查的并不是它",
)
_NAME_UNMENTIONED: Final = Wording(
    en="The response never mentions “{name}”, which {tool} was asked about",
    zh="返回内容从未提到 {tool} 所查的“{name}”",
)
_UNRELATED: Final = Wording(
    en="The response shares next to nothing with what {tool} was asked ({terms})",
    zh="返回内容与 {tool} 查询的内容（{terms}）几乎无关",
)


def run(trajectory: Trajectory, _context: Context) -> Iterator[RawFinding]:
    """Yield a finding for each response, or part of a response to several queries, that is not about its query."""
    view = timeline_of(trajectory)
    for call in trajectory.tool_calls:
        if call.response is None or call.response_span is None or kind(call) in ("code", "lookup", "other"):
            continue
        if len(call.response) < 60 or failure(call) is not None:
            continue
        queries = questions(call)
        echo = _other_query(call, queries) if queries else None
        if echo is not None:
            start = call.response_span.start
            message = _OTHER_QUESTION(question=echo, tool=call.name)
            yield RawFinding(
                Span(start, min(call.response_span.end, start + 300)), message, (call.span,), 0.9
            )
            continue
        text = evidence(call)
        cuts = [match.span() for match in _SPLIT.finditer(text)]
        starts = [0, *(end for _, end in cuts)]
        ends = [*(start for start, _ in cuts), len(text)]
        if len(queries) == len(starts) and len(queries) > 1:
            pairs = list(zip(queries, starts, ends, strict=True))
        else:
            pairs = [("\n".join(queries), 0, len(text))]
        for question, start, end in pairs:
            finding = _judge(view, call, question, text[start:end])
            if finding is not None:
                begin = call.response_span.start + start
                stop = min(call.response_span.start + end, begin + 300)
                yield RawFinding(Span(begin, stop), finding[0], related=(call.span,), confidence=finding[1])


def _judge(view: Timeline, call: ToolCall, question: str, seen: str) -> tuple[FilledWording, float] | None:
    wanted = {term for term in terms(question) if term not in _WORDS.irrelevant_response_asking}
    if len(wanted) < 2 or has_cjk(question) != has_cjk(seen[:2000]):
        return None
    text = " " + _NO_WORD.sub(" ", fold(seen))
    shared = [term for term in wanted if _within(term, text)]
    names = [
        name
        for name in find_names(question)
        if view.distinctive_atoms(name) and not (name.first and len(name.atoms) == 1)
    ]
    telling = {atom for name in names for atom in view.distinctive_atoms(name)}
    if telling and sum(_within(atom, text) for atom in telling) <= 0.15 * len(telling):
        if len(shared) <= 0.5 * len(wanted):
            return _NAME_UNMENTIONED(name=names[0].text, tool=call.name), 0.8
        return None
    if not shared or (len(wanted) >= 6 and len(shared) * 5 <= len(wanted)):
        return _UNRELATED(tool=call.name, terms=series(sorted(wanted)[:5], quoted=True)), 0.75
    return None


def _within(term: str, text: str) -> bool:
    """Return whether a text contains a word with the same stem as the term.

    A Chinese term may stand anywhere in the text.
    """
    if not term.isascii():
        return term in text
    return " " + (term[: max(4, len(term) - 3)] if len(term) > 5 else term) in text


def _other_query(call: ToolCall, queries: list[str]) -> str | None:
    """Return the query that the response claims to answer if it shares no term with those sent, or else None."""
    echo = _ECHO.match(call.response or "")
    if echo is None:
        return None
    echoed = terms(echo.group(1))
    if len(echoed) < 2 or any(echoed & terms(question) for question in queries):
        return None
    return echo.group(1)


_RICE = (
    "水稻是一种禾本科植物，种植在灌溉的田地里，养活了世界一半人口。它的种子称为稻谷，去壳后称为大米，是主要的粮食作物，"
    "分布广泛，品种繁多，产量很高。"
)
_QUERY = "Who founded the Skarvberg ski club?"

CHECK = Check(
    code="TRJ005",
    name="irrelevant-response",
    severity="warning",
    summary="A response that has nothing to do with its call's arguments",
    run=run,
    bad=(
        run_example(
            _QUERY,
            (
                "I search for the club.",
                "founder of the Skarvberg ski club",
                "Rice is the seed of a grass species. It is grown in flooded fields and feeds half of the people.",
            ),
        ),
        run_example(
            "谁创办了滨海读书会？",
            (
                "先搜索读书会。",
                "滨海读书会 创办人",
                _RICE,
            ),
        ),
    ),
    good=(
        run_example(
            _QUERY,
            (
                "I search for the club.",
                "founder of the Skarvberg ski club",
                "Skarvberg is a village in Finnmark with a school, a chapel and a small sports association.",
            ),
        ),
    ),
    failure="result_irrelevance",
    subject="trajectory",
)
