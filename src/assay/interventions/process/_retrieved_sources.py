"""Sources that a trajectory retrieved, under the labels its reasoning uses: names of sites, titles of pages, queries.

A source has a label ("Wikipedia", "BBC", the title of a page) and holds all text that was returned under it. A fact is
a name or a number; a source contains it if it contains its words, inflected or not.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Final

import msgspec

from assay.interventions.process._entities import confusable_rows
from assay.interventions.process._thoughts import states
from assay.subjects.atoms import find_names, find_numbers, sentences
from assay.subjects.timeline import timeline_of
from assay.subjects.tool_calls import evidence, failure, kind, leaves
from assay.text.phrases import PhraseFile

if TYPE_CHECKING:
    from assay.subjects.trajectory import Step, Trajectory

_PHRASES: Final = PhraseFile("assay.interventions", "retrieved_sources")

_LINK: Final = re.compile(r"\[([^\[\]\n]{2,200})\]\((https?://[^)\s]+)\)")
_SPLIT: Final = re.compile(r"\s[-|–—·:]\s")


@cache
def known_sites() -> dict[str, str]:
    """Return well-known sites by a part of their address."""
    return {**_PHRASES["sites"].mapping("en"), **_PHRASES["sites"].mapping("zh")}


@cache
def _nations() -> frozenset[str]:
    """Return countries, nationalities and months in lower case; their names count as facts even as single words."""
    kinds = ("nationality", "country", "month")
    return frozenset(word.lower() for kind_, *words in confusable_rows() if kind_ in kinds for word in words)


class RetrievedSource(msgspec.Struct, frozen=True):
    """A source that the trajectory retrieved.

    Attributes:
        label: Name by which the reasoning may refer to it.
        text: All text that was returned under this label.
        site: Whether it is a site; otherwise it is a page.
    """

    label: str
    text: str
    site: bool


def responses_before(trajectory: Trajectory, index: int) -> list[str]:
    """Return the responses before a step's reasoning, without the part of each that echoes its call."""
    return [
        evidence(call)
        for step in trajectory.steps[:index]
        for call in step.tool_calls
        if call.response and failure(call) is None
    ]


def sources_before(trajectory: Trajectory, index: int) -> list[RetrievedSource]:
    """Return the sources retrieved before a step, one per label, each with all its text."""
    known = trajectory.memo.get(f"sources:{index}")
    if isinstance(known, list):
        return list(known)
    texts: dict[str, list[str]] = {}
    sites: set[str] = set()
    for passage in timeline_of(trajectory).passages:
        if passage.event >= 3 * index + 1:
            continue
        link = _LINK.search(passage.text[:600])
        if link is None:
            continue
        for label in _labels(link.group(1), link.group(2)):
            texts.setdefault(label, []).append(passage.text)
            sites.add(label)
    for step in trajectory.steps[:index]:
        for call in step.tool_calls:
            asked = list(leaves(call.arguments))
            if (
                call.response
                and failure(call) is None
                and not _LINK.search(call.response)
                and len(asked) == 1
            ):
                title = asked[0].strip(" \"'")
                if kind(call) != "code" and 2 < len(title) <= 60 and title[:1].isupper():
                    texts.setdefault(title, []).append(call.response)
    found = [RetrievedSource(label, "\n".join(parts), label in sites) for label, parts in texts.items()]
    trajectory.memo[f"sources:{index}"] = found
    return list(found)


def _labels(title: str, address: str) -> list[str]:
    """Return the label of a result's site, taken from its address or from the end of its title, if there is one."""
    host = re.sub(r"^https?://(?:www\d?\.)?", "", address).split("/", 1)[0].lower()
    for part in host.split("."):
        if part in known_sites():
            return [known_sites()[part]]
    pieces = [piece.strip(" .…") for piece in _SPLIT.split(title)]
    tail = pieces[-1] if len(pieces) > 1 else ""
    joined = re.sub(r"\W", "", tail.lower())
    # The end of a title is the site's name if the address agrees.
    if 3 <= len(tail) <= 32 and joined and joined[:5] in host.replace("-", ""):
        return [tail]
    return [host] if host.count(".") <= 2 and len(host) <= 32 else []


def facts(trajectory: Trajectory, text: str) -> list[str | float]:
    """Return the facts of a text: distinctive parts of names, and numbers, in order and once each."""
    view = timeline_of(trajectory)
    found: dict[str | float, None] = {}
    for name in find_names(text):
        if name.first and len(name.atoms) == 1 and view.is_word(name) and name.atoms[0] not in _nations():
            continue
        for atom in view.distinctive_atoms(name):
            found[atom] = None
    for word in re.findall(r"[A-Z][a-z]+", text):
        if word.lower() in _nations():
            found[word.lower()] = None
    for number in find_numbers(text):
        found[number.printed] = None
    return list(found)


# Sentences about the question, plans, doubts and questions report nothing from a response.
_NO_REPORT: Final = _PHRASES.pattern(
    r"\?|\b(?:<<no_report>>)\b|可能|也许|是否|需要|接下来|问题|用户|？",
    flags=re.IGNORECASE,
)


def claims_of(trajectory: Trajectory, step: Step) -> list[tuple[int, int]]:
    """Return the spans of the sentences in a step's reasoning that report a fact.

    The list is empty as long as no response has been returned.
    """
    if not any(call.response for earlier in trajectory.steps[: step.index] for call in earlier.tool_calls):
        return []
    return [
        (start, end)
        for start, end in sentences(step.reasoning)
        if not _NO_REPORT.search(step.reasoning, start, end)
        and states(step.reasoning[start:end])
        and facts(trajectory, step.reasoning[start:end])
    ]
