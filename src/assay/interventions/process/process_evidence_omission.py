"""A fact that was found and bears on the question is missing from the thought that weighs what was found.

It stands in an earlier response and stood in the thought. It is taken out – with its sentence or its clause –, or a vaguer
statement takes its place; what the thought concludes stays.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from assay.checks.trj._view import view_of
from assay.checks.trj._words import sentences, terms
from assay.interventions.base import Operator, Place
from assay.interventions.process._evidence import (
    SPEAKS,
    event_of,
    facts,
    findings,
    fresh,
    lost,
    subject_name,
)
from assay.interventions.process._reflections import CONCLUDES
from assay.interventions.process._steps import changed
from assay.interventions.process._thoughts import (
    chinese,
    covered,
    differing,
    hangs_on,
    joined,
    replaced,
    revision,
    sought,
    titles,
    topics,
)
from assay.interventions.process._vaguer import vaguer

if TYPE_CHECKING:
    from collections.abc import Iterator
    from random import Random

    from assay.checks.trj._view import View
    from assay.interventions.base import StepRevision
    from assay.interventions.process._evidence import Finding
    from assay.subjects.trajectory import Trajectory

_Made = tuple[float, str, int, int, str]

_ASIDE: Final = re.compile(r" \([^()?]{3,140}\)|（[^（）？]{2,60}）")
_TAIL: Final = re.compile(
    r",? (?:specifically|including|such as|especially|particularly|namely)\b [^;()]{6,200}(?=[.]$)"
    r"|, an? [a-z][^,.;()]{8,90}(?=[.]$)"
    r"|, (?:where|who|which|whose|with|noting|even noting|citing|dating|starting|beginning|carrying|having|giving|adding|while|because|as|due to|known|led|founded|created|built|and (?:it|he|she|they))\b [^;()]{8,200}(?=[.]$)"
    r"|[，,](?:其中|包括|尤其是|特别是|并且|并|由)[^。；]{4,60}(?=。$)"
)
# A rival that is turned down, or half a sentence: leaving it out loses nothing that bears on the question.
_ASIDES: Final = re.compile(
    r"\bbut (?:that|this|those|these|he|she|it|they)\b|\b(?:the (?:only )?other|different|unrelated|isn't|doesn't|aren't|wasn't|not)\b|\b(?:Op|Nos?|vol|ca?|approx|D|v)\.$",
    re.IGNORECASE,
)
_CLOSE: Final = re.compile(
    r"^(?P<fact>.{12,}?)(?:, so|\.? So,?|\. Therefore,?|, therefore,?|, which means(?: that)?) (?P<end>(?:the answer|it|that|the|this)\b.{4,}|.{4,})$",
    re.DOTALL,
)
_ZH_CLOSE: Final = re.compile(r"^(?P<fact>.{6,}?)[，。](?:所以|因此)(?P<end>.{3,})$", re.DOTALL)


def candidates(trajectory: Trajectory, draw: Random) -> Iterator[StepRevision]:
    """Facts left out or made vague, ways of all kinds mixed."""
    view = view_of(trajectory)
    offers: list[tuple[float, StepRevision]] = []
    for step in trajectory.steps[1:]:
        made: list[_Made] = []
        found = findings(view, step.index, plans=True)
        for finding in found:
            made += _ways(view, step.index, finding, draw)
        if not step.tool_calls:
            made += _conclusions(
                step.reasoning,
                trajectory.answer or "",
                covered(trajectory, step.index),
                sought(trajectory, step.index),
                draw,
            )
        for rank, pattern, start, end, new in made:
            text = replaced(step.reasoning, start, end, new)
            if _why_not(view, step.index, text) is None:
                old = " ".join(step.reasoning[start:end].split())
                note = f"{old[:120]} → {new[:120] if new else '(left out)'}"
                offers.append((rank + 1.5 * draw.random(), revision(step, text, pattern, note)))
    for _, item in sorted(offers, key=lambda offer: offer[0]):
        yield item


def _ways(view: View, index: int, finding: Finding, draw: Random) -> list[_Made]:
    text = view.trajectory.steps[index].reasoning
    sentence = text[finding.start : finding.end]
    spans = sentences(text)
    following = text[slice(*spans[finding.place + 1])] if finding.place + 1 < len(spans) else ""
    made: list[_Made] = []
    if _ASIDES.search(sentence):
        return []
    told = facts(view, sentence, event_of(index)) or list(finding.facts)
    plain = not CONCLUDES.search(sentence)
    # What was read first-hand is missed most.
    query = view.query_terms
    weight = (0.0 if len(told) > 1 else 0.3) - (0.3 if len(query & terms(sentence)) > 1 else 0.0)
    if plain and not _is_plan(sentence):
        leads = re.match(r"(?:first|second|third|finally)\b", sentence, re.IGNORECASE)
        free = finding.last or not (hangs_on(following) or following[:1].islower())
        if free and not leads and not re.match(r"(?:[-*•]\s|\d+[.)]|\*\*)", sentence) and len(spans) > 1:
            made.append((weight + 0.5, "sentence-out", finding.start, finding.end, ""))
        made += [
            (weight + 0.5 * (pattern == "vague-instead"), pattern, finding.start, finding.end, new)
            for pattern, new in _nothing_said(
                view, index, sentence, draw, free and not leads and len(spans) > 1
            )
        ]
    if _is_plan(sentence):
        return made
    for match in (*_ASIDE.finditer(sentence), *_TAIL.finditer(sentence)):
        rest = sentence[: match.start()] + sentence[match.end() :]
        if len(rest) >= (8 if chinese(rest) else 25) and facts(view, match.group(), event_of(index)):
            made.append((weight, "clause-out", finding.start, finding.end, rest))
    made += [
        (weight + 0.5, "made-vague", finding.start, finding.end, new)
        for new in vaguer(view, index, sentence, draw)
    ]
    return made


def _is_plan(sentence: str) -> bool:
    return (
        re.search(
            r"\b(?:i need to|i should|i can|let me|i'll|i will)\b|需要|应该|接下来", sentence, re.IGNORECASE
        )
        is not None
    )


# --- a sentence that says nothing in its place ---

_ONE: Final = (
    "touches on", "deals with", "gives some background on", "goes into", "has a good deal on", "covers", "is also about", "offers an overview of",
)  # fmt: skip
_MANY: Final = (
    "touch on", "deal with", "give some background on", "go into", "have a good deal on", "cover", "are also about", "offer an overview of",
)  # fmt: skip
_SHORT: Final = (
    "The paragraph gives some background on {}.",
    "The paragraph has general information on {}.",
    "There is a fair amount on {} here.",
    "The page describes {} in some detail.",
    "The search result is about {}.",
    "The result covers {}.",
    "This gives me the background on {}.",
    "The article on {} came up and covers the basics.",
)
_SHORT_ZH: Final = (
    "搜索结果介绍了{}的一些情况。",
    "这段内容提供了关于{}的背景信息。",
    "结果中有不少关于{}的介绍。",
)


_SEVERAL: Final = (
    "Several of the results deal with {}.",
    "The results have more on {}.",
    "A number of pages go into {}.",
    "There is further material on {} among the results.",
    "Other results give some background on {}.",
)
_LISTS: Final = (
    "Pages such as {} came up as well.",
    "The search also brought up {}.",
    "The results include {}.",
    "There are also pages like {}.",
    "Further down the results are {}.",
)


def _nothing_said(view: View, index: int, sentence: str, draw: Random, free: bool) -> list[tuple[str, str]]:
    """Statements that something was read, without what it said; near the length of the sentence, or a little over."""
    trajectory = view.trajectory
    name = subject_name(trajectory, index)
    speaks = SPEAKS.match(sentence)
    if speaks is not None and not chinese(sentence):
        words = speaks.group("say").split()
        verb = words[-2] if words[-1] in ("to", "about") and len(words) > 1 else words[-1]
        many = re.search(
            r"(?:sources|results|articles|pages|entries|sites|websites|blogs|posts|references|answers|snippets|both|multiple|several)\b",
            speaks.group("source"),
            re.IGNORECASE,
        )
        if not many and not verb.endswith(("s", "ed")):
            return []
        one = verb.endswith("s") or not many
        lead = speaks.group("lead") or ""
        about = topics(trajectory.query)
        # "The results mention …", of all of them; a single page is about the thing by its name.
        things = [name, *about] if name else about or ["the subject"]
        made = [
            f"{lead}{speaks.group('source')} {touch} {thing}."
            for touch in draw.sample(_ONE if one else _MANY, 3)
            for thing in things
        ]
        return [("source-only", text) for text in _near(made, sentence, draw)]
    if len(trajectory.steps[index].reasoning) > 500:
        if not free or re.match(r"(?:[-*•]\s|\d+[.)]|\*\*)", sentence):
            return []
        made = [
            frame.format(thing)
            for frame in _SEVERAL
            for thing in ([name] if name else []) + topics(trajectory.query)
        ]
        shown = [title for title in titles(trajectory, index) if title not in sentence]
        for count in (2, 3, 4):
            for frame in draw.sample(_LISTS, 2):
                if len(shown) >= count:
                    made.append(frame.format(joined([f'"{title}"' for title in draw.sample(shown, count)])))
        if not made:
            return []
        return [("vague-instead", text) for text in _near(made, sentence, draw)]
    asked = covered(trajectory, index)
    last = asked[-1].strip('"') if asked else ""
    if (
        not last
        or len(last) > 60
        or not free
        or ", so " in sentence
        or not trajectory.steps[index].reasoning.startswith(sentence)
    ):
        return []
    frames = _SHORT_ZH if chinese(sentence) else _SHORT
    return [("result-only", frame.format(last)) for frame in draw.sample(frames, 2)]


def _near(made: list[str], sentence: str, draw: Random) -> list[str]:
    """Two of the texts: one about as long as the sentence, one somewhat longer."""
    found = []
    for share in (draw.uniform(0.8, 1.05), draw.uniform(1.05, 1.35)):
        best = min(made, key=lambda text: abs(len(text) - share * len(sentence)) + 12 * draw.random())
        if best not in found and len(best) <= 1.6 * len(sentence):
            found.append(best)
    return found


# --- a conclusion without what it rests on ---


def _conclusions(text: str, answer: str, asked: list[str], wanted: list[str], draw: Random) -> list[_Made]:
    """A short thought that says what it found and concludes: only the conclusion is left."""
    if len(text) > 400:
        return []
    match = _ZH_CLOSE.match(text) if chinese(text) else _CLOSE.match(text)
    if match is not None:
        end = match.group("end")
    elif answer and 3 <= len(answer) <= 80 and answer in text and len(sentences(text)) == 1:
        # "Marktown is the community that Shaw designed": the finding is the conclusion.
        end = f"答案是{answer}。" if chinese(text) else f"the answer is {answer}."
    else:
        return []
    news: tuple[str, ...]
    done = joined([query.strip('"') for query in asked[-2:]])
    if chinese(text):
        news = (f"所以{end}", f"综合以上搜索，{end}", f"根据查到的内容，{end}")
    else:
        news = (
            f"So {end}",
            f"{end[:1].upper()}{end[1:]}",
            f"Based on what the searches returned, {end}",
            f"From the paragraph it is clear that {end}",
            f"After searching {done}, I can say that {end}",
            f"With {done} searched, {end}",
            f"Having read what came up for {done}, {end}",
        )
        if wanted and not end.startswith("the search"):
            news = (*news, *(f"The search was for {thing}, so {end}" for thing in wanted[-1:]))
    news = tuple(draw.sample(news[: len(news) // 2], 1) + draw.sample(news[len(news) // 2 :], 2))
    return [(0.3 + 0.1 * place, "conclusion-only", 0, len(text), new) for place, new in enumerate(news)]


# --- whether it is one ---


def _why_not(view: View, index: int, text: str) -> str | None:
    reasoning = view.trajectory.steps[index].reasoning
    before, after = differing(reasoning, text)
    event = event_of(index)
    if not text.strip():
        return "nothing is left of the thought"
    gone = lost(view, before, text, event)
    if not gone:
        return "no fact of an earlier response went missing"
    taken = lost(view, before, after, event)
    if len(gone) * 2 <= len(taken):
        return "most of what was taken out still stands elsewhere in the thought"
    new = [item for item in fresh(view, after, event, said=True) if item not in reasoning]
    new = [item for item in new if not re.fullmatch(r"\d{3}0s?", item)]
    if new:
        return f"it brings in something that nothing holds: {new[0]}"
    return None


def check(reference: Trajectory, perturbed: Trajectory, _revision: StepRevision) -> str | None:
    """Why no evidence was left out."""
    place = changed(reference, perturbed)
    if place is None or place.parts != ("reasoning",):
        return "not the reasoning of one step was changed"
    return _why_not(view_of(reference), place.index, place.after)


def places(trajectory: Trajectory, draw: Random) -> Iterator[Place]:
    """Thoughts that tell facts they were given, those with most first."""
    view = view_of(trajectory)
    found = []
    for step in trajectory.steps[1:]:
        told = [fact.text for finding in findings(view, step.index) for fact in finding.facts]
        if told and len(step.reasoning) <= 2500:
            found.append((len(told) + draw.random(), step.index, told))
    for _, index, told in sorted(found, reverse=True):
        once = [text for text in dict.fromkeys(told) if trajectory.steps[index].reasoning.count(text) == 1]
        if once:
            yield Place(step=index, part="reasoning", hint=f"Facts told once here: {'; '.join(once[:6])}")


OPERATOR = Operator(
    name="process_evidence_omission",
    title="Evidence Omission",
    level="process",
    module="reasoning",
    category="faithfulness",
    definition="Evidence that was retrieved and bears on the question does not enter the reasoning that weighs it: it is "
    "passed over, or told so vaguely that nothing of it remains.",
    definition_zh="已经检索到且与问题相关的证据没有进入推理：要么被略去，要么被说得含糊到失去内容。",
    rule=candidates,
    sites=places,
    ask="Take one fact out of the thought that the tool responses gave – a finding, a figure, a date, a name – or put "
    "something vague in its place, so that it stands nowhere in the thought. The conclusion and everything else stay as "
    "they are, and the thought must still read smoothly. Add nothing new.",
    ask_zh="从这段思考中去掉一个来自工具返回结果的事实（发现、数字、日期或名称），或换成含糊的说法，使它在这段思考中不再出现。"
    "结论和其余内容保持不变，读起来仍要通顺，不要添加新内容。",
    check=check,
    codes=("TRJ009",),
)
