"""Wrong source citation: a retrieved fact is attributed to a source that does not contain it.

The fact itself is right, and another retrieved source contains it: only the attribution is wrong. Two patterns: a
source named in the sentence is replaced by another retrieved source; or a sentence that names no source (or says only
"the results") is attributed to one.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from assay.interventions.base import EditSite, Operator, step_site
from assay.interventions.edit_kit import unknown_figure
from assay.interventions.hints import place_hint
from assay.interventions.process._retrieved_sources import (
    claims_of,
    facts,
    sources_before,
)
from assay.interventions.process.step_changes import changed
from assay.subjects.atoms import find_names, fold
from assay.subjects.timeline import FirstMentions
from assay.text.bilingual import listed

if TYPE_CHECKING:
    from collections.abc import Iterator
    from random import Random

    from assay.interventions.base import StepRevision
    from assay.subjects.trajectory import Step, Trajectory

_TITLE: Final = re.compile("《([^《》]{1,40})》")


_ENGINE: Final = re.compile(
    r"(?:www\.)?(?:bing|google|duckduckgo|yahoo|sogou|baidu|so\.com)\b|search", re.IGNORECASE
)
_LABEL: Final = 40


def _wrong_sources(trajectory: Trajectory, step: Step) -> list[tuple[str, list[str]]]:
    """Return sentences with a fact that one retrieved source has, each with the sources that lack it.

    A search engine only lists what sources say.
    """
    claims = claims_of(trajectory, step)
    sources = [
        (source.label, _mentions(source.text)) for source in sources_before(trajectory, step.index) if claims
    ]
    found = []
    for start, end in claims:
        claim = step.reasoning[start:end]
        told = facts(trajectory, claim)
        lacking = [
            label
            for label, text in sources
            if not all(
                text.knows(fact, 1) if isinstance(fact, str) else fact in text.numbers for fact in told
            )
        ]
        wrong = [
            label
            for label in lacking
            if len(label) <= _LABEL and not _ENGINE.match(label) and label not in claim
        ]
        if wrong and len(lacking) < len(sources) and 15 <= end - start <= 400:
            found.append((" ".join(claim.split())[:200], wrong))
    return found


def _mentions(text: str) -> FirstMentions:
    mentions = FirstMentions()
    mentions.add(text, 0)
    return mentions


def _sites(trajectory: Trajectory, draw: Random) -> Iterator[EditSite]:
    sites: list[EditSite] = []
    for step in trajectory.steps:
        found = _wrong_sources(trajectory, step) if 20 <= len(step.reasoning) <= 2500 else []
        if found:
            claim, wrong = draw.choice(found)
            names = listed(draw.sample(wrong, min(6, len(wrong))))
            sites.append(
                step_site(step=step.index, hint=place_hint("wrong_sources", claim=claim, sources=names))
            )
    draw.shuffle(sites)
    yield from sites


def _check(reference: Trajectory, revised: Trajectory, revision: StepRevision) -> str | None:
    """Return why a thought does not name another retrieved source for the same fact, or None if it may."""
    change = changed(reference, revised)
    if change is None or change.parts != ("reasoning",):
        return "something other than the reasoning differs"
    earlier = reference.steps[: revision.index]
    shown = fold(
        "\n".join(
            f"{call.name} {call.argument_text} {call.response}"
            for step in earlier
            for call in step.tool_calls
        )
    )
    known = f"{shown}\n{fold(reference.query)}\n{fold(change.before)}"
    # The year or number of a source goes and comes with its name.
    if figure := unknown_figure(known, change.after):
        return f"the figure {figure} is new, and the fact is to stay as it is"
    for name in find_names(change.after):
        # "According to …": the first word of a sentence is no name by its capital.
        opens = name.first and len(name.atoms) == 1
        if name.text.isascii() and not opens and fold(name.atoms[-1]) not in known:
            return f"no response shows {name.text!r}"
    for title in _TITLE.findall(change.after):
        if fold(title) not in known:
            return f"no response shows 《{title}》"
    return None


OPERATOR = Operator(
    name="wrong_source_citation",
    title="Wrong Source Citation",
    title_zh="来源归属错误",
    level="process",
    module="tool",
    category="groundedness",
    definition=(
        "The reasoning attributes a fact to one of the retrieved sources whose content does not say it; "
        "the fact came from another."
    ),
    definition_zh="推理把某个事实归于检索到的某一来源，而该来源的内容并没有这样说；这一事实出自别的来源。",
    sites=_sites,
    ask=(
        "Let one sentence of the reasoning give a retrieved source as its authority that does not say what "
        "the sentence says: exchange the source it names for another retrieved one, or name one where it "
        "speaks of the results in general. Leave the fact as it is, and use the name by which the response "
        "shows the source."
    ),
    ask_zh=(
        "让推理中的一句话以某个检索到但并未这样说的来源为依据：把句中点名的来源换成另一个检索到的来源，或在泛指“搜索结果”处点名一个来源。"
        "事实本身不变，来源要用返回结果中出现的名称。"
    ),
    check=_check,
    against="responses",
)
