"""Result irrelevance: a response is about another page, query or passage than the one its call asked for.

A faulty search engine returns the page it returned before, starts further down another page, or answers one query of a
batch with the results of the next. Format and length stay about the same, and so do the agent's later thoughts.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from assay.interventions.base import EditSite, Operator, StepRevision, step_site
from assay.interventions.hints import place_hint
from assay.interventions.process._arguments import leaves_of, mixed, words_of
from assay.interventions.process._entities import (
    holds,
)
from assay.interventions.process._results import FOUND, ITEM, asked_in, blocks, items_of, topic_of
from assay.interventions.process._retrieved_sources import ledger_of
from assay.interventions.process._steps import changed, with_call
from assay.subjects.atoms import find_names, find_numbers, sentences, terms
from assay.subjects.tool_calls import evidence, failure, kind
from assay.text.phrases import PhraseFile

if TYPE_CHECKING:
    from collections.abc import Iterator
    from random import Random

    from assay.subjects.trajectory import Step, ToolCall, Trajectory

_PHRASES: Final = PhraseFile("assay.interventions", "result_irrelevance")

_RESULT: Final = re.compile(r"^\((?:Result|结果) ?(\d+) ?/ ?(\d+)\)\s")
# A passage that begins like this has its subject before it.
_HANGING: Final = _PHRASES.pattern(
    "(?:It|Its|He|She|They|His|Her|Their|This|These|That|Those|The (?:<<hanging>>)|However|Also"
    r"|But|And|In addition|Other|Another|Since|After|Later|During|Following)\b",
)
_LIMIT: Final = 60_000


def _rule(trajectory: Trajectory, draw: Random) -> Iterator[StepRevision]:
    found: list[StepRevision] = []
    for step in trajectory.steps:
        for number, call in enumerate(step.tool_calls):
            if not call.response or failure(call) or kind(call) == "code" or len(call.response) > _LIMIT:
                continue
            for text, pattern, note in _unrelated(trajectory, step, call, draw):
                made = with_call(step, number, response=text)
                if _why_not(call, text) is None:
                    found.append(StepRevision(index=step.index, step=made, pattern=pattern, note=note))
    draw.shuffle(found)
    # Responses of about the same length come first; shorter ones are offered too and are easier to spot.
    found.sort(
        key=lambda item: (
            abs(len(_response(item)) - _before(trajectory, item)) > 0.15 * _before(trajectory, item)
        )
    )
    yield from mixed(found, draw)


def _response(revision: StepRevision) -> str:
    return "".join(call.response or "" for call in revision.step.tool_calls)


def _before(trajectory: Trajectory, revision: StepRevision) -> int:
    return sum(len(call.response or "") for call in trajectory.steps[revision.index].tool_calls)


def _unrelated(
    trajectory: Trajectory, step: Step, call: ToolCall, draw: Random
) -> Iterator[tuple[str, str, str]]:
    response = call.response or ""
    if _RESULT.match(response):
        yield from _other_lines(trajectory, step, call, draw)
        return
    for other in trajectory.tool_calls:
        if other is call or not other.response or failure(other) or kind(other) != kind(call):
            continue
        if _RESULT.match(other.response) or other.response == response or len(other.response) > _LIMIT:
            continue
        if (ITEM.search(response) is None) != (ITEM.search(other.response) is None):
            continue
        name = other.argument_text.replace("\n", "; ")[:60]
        for text, pattern in _pieces(other.response, len(response)):
            yield _reechoed(text, other, call), pattern, f"what came back is on: {name}"
    yield from _other_query(trajectory, call, draw)


def _pieces(text: str, size: int) -> Iterator[tuple[str, str]]:
    """Yield pieces of another response of about a given size, from its beginning and from further down."""
    spans = sentences(text)
    whole = text if len(text) <= 1.35 * size else text[: _stop(spans, int(1.15 * size))].rstrip()
    if len(whole) >= 0.4 * size:
        yield whole, "other-call"
    begin = next(
        (
            start
            for start, end in spans
            if start > 0.3 * len(text) and start > 300 and _speaks(text[start:end])
        ),
        None,
    )
    if begin is not None and len(text) - begin > max(150, 0.5 * size) and ITEM.search(text) is None:
        end = _stop([span for span in spans if span[0] >= begin], begin + int(1.2 * size))
        yield text[begin:end].rstrip(), "other-passage"


def _speaks(sentence: str) -> bool:
    """Return whether a sentence names its own subject."""
    if _HANGING.match(sentence) or not sentence[:1].isupper():
        return False
    return any(name.start < 60 and len(name.atoms) >= 2 for name in find_names(sentence))


def _stop(spans: list[tuple[int, int]], limit: int) -> int:
    ends = [end for _, end in spans if end <= limit]
    return ends[-1] if ends else spans[0][1]


def _reechoed(text: str, other: ToolCall, call: ToolCall) -> str:
    """Return a response that echoes the queries of this call in place of its own."""
    asked = [leaf.text for leaf in leaves_of(call.arguments) if not leaf.address]
    there = [leaf.text for leaf in leaves_of(other.arguments) if not leaf.address]
    for number, said in enumerate(there):
        if len(said) > 3 and f"'{said}'" in text and asked:
            text = text.replace(f"'{said}'", f"'{asked[min(number, len(asked) - 1)]}'")
    return text


def _other_query(trajectory: Trajectory, call: ToolCall, draw: Random) -> Iterator[tuple[str, str, str]]:
    """Yield responses to a batch in which one query is answered with unrelated results of another."""
    response = call.response or ""
    parts_of = blocks(response)
    parts = [response[start:end] for start, end in parts_of]
    queries = [asked_in(call, part) for part in parts]
    lists = [items_of(part) for part in parts]
    # An answer to the question is useful whichever query brought it.
    answer = {
        atom
        for name in find_names((trajectory.answer or "")[:400])
        for atom in name.atoms
        if len(atom) > 3 and not holds(trajectory.query, atom)
    }
    for target, (start, end) in enumerate(parts_of):
        query, (head, own) = queries[target], lists[target]
        if query is None or len(own) < 3 or len(parts_of) < 2:
            continue
        wanted, topic = _telling(query), topic_of(own) | answer
        # No result may be about what this query alone asks for.
        alone = terms(query) - {
            word
            for number, other in enumerate(queries)
            if number != target and other
            for word in terms(other)
        }
        pool = [
            item
            for source, (_, items) in enumerate(lists)
            for item in items
            if _share(wanted, item) <= (0.2 if source == target else 0.34)
            and not (topic | alone) & terms(item)
        ]
        # One page may answer two queries.
        pool = list({item[:60]: item for item in pool}.values())
        if len(pool) < 3:
            continue
        draw.shuffle(pool)
        chosen = pool[: min(10, len(own) + 1)]
        text = FOUND.sub(str(len(chosen)), head) + "\n\n".join(
            f"{number}{item}" for number, item in enumerate(chosen, start=1)
        )
        text += parts[target][len(parts[target].rstrip()) :]
        yield (
            response[:start] + text + response[end:],
            "other-query",
            f"results for '{query}' are on other matters",
        )


def _other_lines(
    trajectory: Trajectory, step: Step, call: ToolCall, draw: Random
) -> Iterator[tuple[str, str, str]]:
    """Yield responses with only those lines of the page that lack the requested information."""
    response = call.response or ""
    head = _RESULT.match(response)
    if head is None:
        return
    pages = [
        earlier.response
        for other in trajectory.steps[: step.index]
        for earlier in other.tool_calls
        if earlier.response and not failure(earlier) and not _RESULT.match(earlier.response)
    ]
    for page in pages[-1:]:
        lines = [page[start:end] for start, end in sentences(page)]
        lines = [
            line
            for line in lines
            if 40 < len(line) < 500 and not _holds_any(line, call) and line not in response
        ]
        lines.sort(key=lambda line: abs(len(line) - (len(response) - head.end())))
        lines = lines[:4]
        draw.shuffle(lines)
        for line in lines[:2]:
            yield head.group() + line, "other-line", f"not on: {call.argument_text[:60]}"


def _holds_any(text: str, call: ToolCall) -> bool:
    return bool(terms(call.argument_text) & terms(text))


def _echoes(response: str, asked: list[str]) -> list[tuple[int, int]]:
    return [
        match.span()
        for text in asked
        if len(text) > 3
        for match in re.finditer(re.escape(f"'{text}'"), response)
    ]


def _telling(query: str) -> set[str]:
    return terms(query) | {f"{number.printed:g}" for number in find_numbers(query)}


def _share(wanted: set[str], text: str) -> float:
    """Return the share of the wanted words and numbers that a text contains."""
    if not wanted:
        return 1.0
    ledger = ledger_of([text])
    return sum(
        (float(word) in ledger.numbers) if word[0].isdigit() else ledger.knows(word, 1) for word in wanted
    ) / len(wanted)


def _names_of(query: str) -> set[str]:
    """Return the words that identify a query's subject: parts of names and numbers, or all words if it has neither."""
    named = {atom for name in find_names(query) for atom in name.atoms if len(atom) > 2}
    named |= {f"{number.printed:g}" for number in find_numbers(query)}
    return named & _telling(query) or _telling(query)


def _why_not(before: ToolCall, after: str | None) -> str | None:
    """Return why a response does not newly miss its call, or None if it does."""
    if not after or not after.strip():
        return "nothing comes back"
    now = _as_seen(before, after)
    was = evidence(before)
    asked = [leaf.text for leaf in leaves_of(before.arguments) if not leaf.address and len(leaf.text) > 1]
    if not asked:
        return "the call asks for nothing in words"
    if len(after) < 0.15 * len(before.response or ""):
        return "hardly anything comes back"
    scope = set().union(*(_names_of(text) for text in asked))
    had = {word for word in scope if _share({word}, was) > 0}
    if not had:
        return "what came back was off the scope before"
    # A response may be irrelevant as a whole …
    lost = {word for word in had if _share({word}, now) == 0}
    if lost:
        return None
    # … or for one query of a batch.
    old_blocks, new_blocks = blocks(was), blocks(now)
    if len(old_blocks) == len(new_blocks) > 1:
        raw = blocks(before.response or "")
        for (a, b), (c, d), (e, f) in zip(old_blocks, new_blocks, raw, strict=True):
            query = asked_in(before, (before.response or "")[e:f])
            if query is None or was[a:b] == now[c:d]:
                continue
            wanted = _telling(query)
            old_items, new_items = items_of(was[a:b])[1], items_of(now[c:d])[1]
            if not old_items or not new_items:
                continue
            best = max(_share(wanted, item) for item in new_items)
            usual = sum(_share(wanted, item) for item in old_items) / len(old_items)
            if best <= 0.4 and usual > sum(_share(wanted, item) for item in new_items) / len(new_items) + 0.1:
                return None
    return "the response still is on what the call asks"


def _as_seen(call: ToolCall, response: str) -> str:
    """Return a response without the parts that echo its call."""
    asked = [leaf.text for leaf in leaves_of(call.arguments) if not leaf.address]
    for start, end in _echoes(response, asked):
        response = response[:start] + " " * (end - start) + response[end:]
    return response


def _check(reference: Trajectory, perturbed: Trajectory, revision: StepRevision) -> str | None:
    change = changed(reference, perturbed)
    if change is None or change.index != revision.index:
        return "the two differ in more than one place"
    if change.call is None or change.parts != ("response",):
        return "something other than the response of one call differs"
    call = reference.steps[change.index].tool_calls[change.call]
    if failure(call) is not None or not call.response:
        return "nothing came back before either"
    if failure(perturbed.steps[change.index].tool_calls[change.call]) is not None:
        return "the response says that nothing was found; that is another matter"
    return _why_not(call, change.after)


def _sites(trajectory: Trajectory, draw: Random) -> Iterator[EditSite]:
    sites = [
        step_site(
            step=step.index,
            part="response",
            call=number,
            hint=place_hint(
                "asked", words="; ".join(words_of(call.argument_text)[:24])[:224].replace("; ", " ")
            ),
        )
        for step in trajectory.steps
        for number, call in enumerate(step.tool_calls)
        if call.response and failure(call) is None and 40 <= len(call.response) <= 2500
    ]
    draw.shuffle(sites)
    yield from sites


OPERATOR = Operator(
    name="result_irrelevance",
    title="Result Irrelevance",
    title_zh="返回结果不相关",
    level="process",
    module="tool",
    category="faithfulness",
    definition=(
        "What a tool returns lies outside what the arguments of its call ask for: it is on another person, "
        "place, time or matter."
    ),
    definition_zh="工具返回的内容超出了调用参数所限定的范围：说的是另一个人、另一个地点、另一个时间或另一件事。",
    rule=_rule,
    sites=_sites,
    ask=(
        "Rewrite the response so that it is on something near to what the call asks for, but not on it: a "
        "namesake, a neighbouring place, another edition or year, a related matter. It must look like what "
        "the tool really returns: same format, about the same length, real-sounding text. It must not say "
        "that nothing was found, and must not contain what the call asked for."
    ),
    ask_zh=(
        "改写返回内容，使其讲的是与调用所问相近但不同的对象：同名者、邻近的地点、另一届或另一年、相关但不同的事。"
        "格式和长度要与工具真实返回的内容相仿，读来可信。不要写成“未找到”，也不要包含调用所要的内容。"
    ),
    check=_check,
)
