"""Process evidence omission: the thought that weighs the findings lacks a relevant fact that was retrieved.

The fact occurs in an earlier response and occurred once in the thought. It is removed with its sentence or clause, or
replaced by another statement of the response or by the mere mention of pages. The conclusion of the thought stays.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from assay.interventions.base import EditSite, Operator, step_site
from assay.interventions.hints import place_hint
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
from assay.interventions.process._restatements import alike, article_sentences, heads, listed, titles
from assay.interventions.process._thoughts import (
    chinese,
    covered,
    differing,
    hangs_on,
    joined,
    replaced,
    revision,
    sentence_texts,
    topics,
)
from assay.interventions.process.step_changes import changed
from assay.subjects.atoms import find_numbers, sentences, terms
from assay.subjects.timeline import timeline_of
from assay.subjects.tool_calls import questions
from assay.text.phrases import PhraseFile

if TYPE_CHECKING:
    from collections.abc import Iterator
    from random import Random

    from assay.interventions.base import StepRevision
    from assay.interventions.process._evidence import FactSentence
    from assay.subjects.timeline import Timeline
    from assay.subjects.trajectory import Trajectory

_LONGEST_THOUGHT: Final = 2_500
# A line of a program or a list of addresses reports nothing.
_PROGRAM: Final = re.compile(r"://|\w = \S|[{};]$|^(?:import|print|def) ")
_PHRASES: Final = PhraseFile("assay.interventions", "process_evidence_omission")

_Made = tuple[float, str, int, int, str]

_TAIL: Final = _PHRASES.pattern(
    r",? (?:<<example_cues>>)\b [^;()]{6,200}(?=[.]$)|, an? [a-z][^,.;()]{8,90}(?=[.]$)|, (?:"
    r"<<trailing_clauses>>)\b [^;()]{8,200}(?=[.]$)|[，,](?:其中|包括|尤其是|特别是|并且|并|由)"
    "[^。；]{4,60}(?=。$)",
)
# A rejected candidate, or half a sentence: leaving it out loses nothing relevant.
_ASIDES: Final = _PHRASES.pattern(
    r"\bbut (?:that|this|those|these|he|she|it|they)\b|\b(?:<<asides>>)\b|\b(?:Op|Nos?|vol|ca?"
    r"|approx|D|v)\.$",
    flags=re.IGNORECASE,
)
_KIND: Final = _PHRASES.pattern(
    r"\b(?:<<kind>>)\b",
    flags=re.IGNORECASE,
)
# What the agent thinks is not what it was given.
_GUESS: Final = _PHRASES.pattern(
    r"\b(?:<<guess>>)\b|\b(?:backs?|confirms?|supports?) (?:this|that|it)\b",
    flags=re.IGNORECASE,
)
_CLOSE: Final = _PHRASES.pattern(
    r"^(?P<fact>.{12,}?)(?:<<close>>) (?P<end>(?:the answer|it|that|the|this)\b.{4,}|.{4,})$",
    flags=re.DOTALL,
)
_ZH_CLOSE: Final = re.compile(r"^(?P<fact>.{6,}?)[，。](?:所以|因此)(?P<end>.{3,})$", re.DOTALL)


def candidates(trajectory: Trajectory, draw: Random) -> Iterator[StepRevision]:
    """Yield revisions that leave out a fact or make it vague, patterns mixed."""
    view = timeline_of(trajectory)
    offers: list[tuple[float, StepRevision]] = []
    for step in trajectory.steps[1:]:
        made: list[_Made] = []
        found = findings(view, step.index, plans=True)
        for finding in found:
            made += _ways(view, step.index, finding, draw)
        if not step.tool_calls:
            made += _conclusions(view, step.index, draw)
        for rank, pattern, start, end, new in made:
            text = replaced(step.reasoning, start, end, new)
            if new and any(new in part for part in (step.reasoning[:start], step.reasoning[end:])):
                continue
            if _why_not(view, step.index, text) is None:
                old = " ".join(step.reasoning[start:end].split())
                note = f"{old[:120]} → {new[:120] if new else '(left out)'}"
                offers.append((rank + 1.5 * draw.random(), revision(step, text, pattern, note)))
    for _, item in sorted(offers, key=lambda offer: offer[0]):
        yield item


def _ways(view: Timeline, index: int, finding: FactSentence, draw: Random) -> list[_Made]:
    text = view.trajectory.steps[index].reasoning
    sentence = text[finding.start : finding.end]
    spans = sentences(text)
    following = text[slice(*spans[finding.sentence + 1])] if finding.sentence + 1 < len(spans) else ""
    made: list[_Made] = []
    if _ASIDES.search(sentence) or _GUESS.search(sentence) or _is_plan(sentence):
        return []
    # A fact that was read first-hand and is close to the question is missed most.
    weight = (0.0 if len(facts(view, sentence, event_of(index)) or finding.facts) > 1 else 0.3) - (
        0.3 if len(view.query_terms & terms(sentence)) > 1 else 0.0
    )
    is_list_item = re.match(
        r"(?:[-*•]\s|\d+[.)]|\*\*|(?:first|second|third|finally)\b)", sentence, re.IGNORECASE
    )
    free = finding.last or not (hangs_on(following) or following[:1].islower())
    if not CONCLUDES.search(sentence) and not is_list_item:
        # A fact that the next sentence builds on is not lost.
        acted = _is_plan(following) and terms(following) & terms(sentence) - view.query_terms
        if free and len(spans) > 1 and not acted:
            made.append((weight + 2.0, "sentence-out", finding.start, finding.end, ""))
        if free and len(spans) > 1:
            made += [
                (weight - 0.3, "other-finding", finding.start, finding.end, new)
                for new in _others(view, index, text, finding)
            ]
        made += [
            (weight + rank, pattern, finding.start, finding.end, new)
            for rank, pattern, new in _nothing_said(view, index, sentence, draw, free and len(spans) > 1)
        ]
    for match in _TAIL.finditer(sentence):
        rest = sentence[: match.start()] + sentence[match.end() :]
        clause = match.group()
        lost_with_it = facts(view, clause, event_of(index))
        # A single name in passing is not evidence that anyone would miss.
        weighty = len(lost_with_it) > 1 or any(fact.number for fact in lost_with_it) or chinese(clause)
        if len(rest) >= (8 if chinese(rest) else 25) and lost_with_it and weighty:
            made.append((weight - 0.2, "clause-out", finding.start, finding.end, rest))
    return made


def _others(view: Timeline, index: int, text: str, finding: FactSentence) -> list[str]:
    """Return other statements of the last response that are not in the thought and differ from the removed one."""
    trajectory = view.trajectory
    answer = trajectory.answer or ""
    rest = sentence_texts(text)
    about = " ".join(covered(trajectory, index))
    old = text[finding.start : finding.end]
    known = article_sentences(trajectory, index)
    if _KIND.search(trajectory.query) is not None:
        # How an article begins says what a thing is, and that may be what was asked.
        known = known[1:]
    if len(text) <= 500:
        known += heads(trajectory, index)
    return [
        new
        for new in known
        if 0.4 * len(old) <= len(new) <= max(2.2 * len(old), 150)
        and not alike(new, rest, 0.5, about)
        and not (answer and answer.strip(" .*").lower() in new.lower())
    ][:4]


def _is_plan(sentence: str) -> bool:
    return (
        re.search(
            r"\b(?:i need to|i should|i can|let me|i'll|i will)\b|需要|应该|接下来", sentence, re.IGNORECASE
        )
        is not None
    )


# --- a sentence that says nothing in its place ---

_SHORT: Final = (
    "The paragraph gives some background on {}.",
    "There is a fair amount on {} here.",
    "This tells me about {} in general.",
    "The article on {} came up and covers the basics.",
    "The result on {} has general information.",
    "I have the article on {} in front of me now.",
    "The search for {} brought up its article.",
    "What came back is an article about {}.",
)


def _nothing_said(
    view: Timeline, index: int, sentence: str, draw: Random, free: bool
) -> list[tuple[float, str, str]]:
    """Return statements that something was read, without its content, about as long as the sentence."""
    trajectory = view.trajectory
    name = subject_name(trajectory, index)
    speaks = SPEAKS.match(sentence)
    if speaks is not None and not chinese(sentence):
        words = speaks.group("say").split()
        verb = words[-2] if words[-1] in ("to", "about") and len(words) > 1 else words[-1]
        many = re.search(
            (
                "(?:sources|results|articles|pages|entries|sites|websites|blogs|posts|references|answers"
                r"|snippets|both|multiple|several)\b"
            ),
            speaks.group("source"),
            re.IGNORECASE,
        )
        if not many and not verb.endswith(("s", "ed")):
            return []
        one = verb.endswith("s") or not many
        lead = speaks.group("lead") or ""
        about = topics(trajectory.query)
        # "The results mention …" speaks of all of them; a single page is about the thing by its name.
        things = [name] if name else about[:2]
        made = [
            f"{lead}{speaks.group('source')} {touch} {thing}."
            for touch in draw.sample(_PHRASES["one"].en if one else _PHRASES["many"].en, 4)
            for thing in things
        ]
        return [(0.0, "source-only", text) for text in _near(made, sentence, draw)] if made else []
    if chinese(sentence):
        return (
            [(0.4, "vague-instead", frame.format(last)) for last, frame in _chinese_frames(view, draw)]
            if free
            else []
        )
    if not free:
        return []
    if len(trajectory.steps[index].reasoning) <= 500:
        last = [
            query.strip('"')
            for query in covered(trajectory, index)[-1:]
            if article_sentences(trajectory, index)
        ]
        made = [frame.format(query) for query in last for frame in draw.sample(_SHORT, 5)]
        return [(0.0, "result-only", text) for text in _near(made, sentence, draw)] if made else []
    shown = [title for title in titles(trajectory, index) if title not in sentence]
    made = [
        frame.format(phrase)
        for phrase in listed(shown, draw)
        for frame in draw.sample(_PHRASES["comes_up"].en, 4)
    ]
    made = [text[:1].upper() + text[1:] for text in made]
    return [(0.4, "pages-instead", text) for text in _near(made, sentence, draw)] if made else []


_FRAMES_ZH: Final = (
    "搜索结果介绍了{}的一些情况。",
    "这段内容提供了关于{}的背景信息。",
    "结果中有不少关于{}的介绍。",
)


def _chinese_frames(view: Timeline, draw: Random) -> list[tuple[str, str]]:
    asked = [text for call in view.trajectory.tool_calls[:1] for text in questions(call)]
    return [(asked[-1], frame) for frame in draw.sample(_FRAMES_ZH, 2)] if asked else []


def _near(made: list[str], sentence: str, draw: Random) -> list[str]:
    """Return two of the texts: one about as long as the sentence, and one somewhat longer."""
    found = []
    for share in (draw.uniform(0.8, 1.05), draw.uniform(1.05, 1.35)):
        best = min(made, key=lambda text: abs(len(text) - share * len(sentence)) + 12 * draw.random())
        if best not in found and len(best) <= 1.6 * len(sentence):
            found.append(best)
    return found


# --- a conclusion without what it rests on ---


def _conclusions(view: Timeline, index: int, draw: Random) -> list[_Made]:
    """Return revisions of short thoughts that keep only the conclusion, or base it on something else."""
    trajectory = view.trajectory
    text = trajectory.steps[index].reasoning
    if len(text) > 400:
        return []
    match = _ZH_CLOSE.match(text) if chinese(text) else _CLOSE.match(text)
    if match is None:
        return []
    end = match.group("end")
    named = {query.strip('"') for query in covered(trajectory, index)}
    own = [fact for fact in facts(view, match.group("fact"), event_of(index)) if fact.text not in named]
    answer = (trajectory.answer or "").strip(" .*").lower()
    kept = answer and answer in match.group("fact").lower() and answer not in trajectory.query.lower()
    if not chinese(text) and (not own or kept or any(fact.text in end for fact in own)):
        # The finding equals the conclusion and would still be there.
        return []
    if chinese(text):
        return [(0.2, "conclusion-only", 0, len(text), new) for new in (f"所以{end}", f"由此可知，{end}")]
    done = joined([query.strip('"') for query in covered(trajectory, index)[-2:]])
    longer = (
        f"From what came up for {done}, {end}",
        f"Going by the results for {done}, {end}",
        f"Judging by {done}, {end}",
        f"With {done} looked up, {end}",
        f"By what I have read on {done}, {end}",
    )
    news = (draw.choice((f"So {end}", f"{end[:1].upper()}{end[1:]}")), *draw.sample(longer, 2))
    made = [(0.4 + 0.1 * sentence, "conclusion-only", 0, len(text), new) for sentence, new in enumerate(news)]
    fact = match.group("fact")
    for other in article_sentences(trajectory, index):
        if (
            not alike(other, [fact, end], 0.5, " ".join(covered(trajectory, index)))
            and not (answer and answer in other.lower())
            and len(other) <= 180
        ):
            made.append((0.0, "other-finding", 0, len(text), f"{other} So {end}"))
    return made


# --- whether it is one ---


def _why_not(view: Timeline, index: int, text: str) -> str | None:
    reasoning = view.trajectory.steps[index].reasoning
    before, after = differing(reasoning, text)
    event = event_of(index)
    if not text.strip():
        return "nothing is left of the thought"
    # A name that is searched next is not what was found about it.
    stated = " ".join(part for part in sentence_texts(text) if not _is_plan(part))
    gone = lost(view, before, stated, event)
    if not gone:
        return "no fact of an earlier response went missing"
    taken = lost(view, before, after, event)
    if len(gone) < len(taken):
        return "some of what was taken out still stands elsewhere in the thought"
    if not chinese(before):
        out = _content(before) - _content(after)
        # Words of the question or the answer occur in every sentence; most of the others must be missing.
        own = out - view.query_terms - _content(view.trajectory.answer or "")
        if not own or len(own & _content(stated)) * 2 > len(own):
            return "the sentences beside it say the same"
        if not (view.query_terms | terms(view.trajectory.answer or "")) & terms(before):
            return "what was taken out has no bearing on the question"
        if not any(fact in _reported_part(part) for part in sentence_texts(before) for fact in gone):
            return "what was taken out is who says it, and not what is said"
        later = "\n".join(step.reasoning for step in view.trajectory.steps[index + 1 :])
        numbers = [fact for fact in gone if re.search(r"\d", fact)]
        if numbers and len(numbers) == len(gone) and not lost(view, "\n".join(numbers), later, event):
            return "a later thought has it"
    new = [item for item in fresh(view, after, event, said=True) if item not in reasoning]
    new = [item for item in new if not re.fullmatch(r"\d{3}0s?", item)]
    if new:
        return f"it brings in something that nothing holds: {new[0]}"
    return None


_REPORTS: Final = _PHRASES.pattern(r"\b(?:<<reports>>)\b")


def _reported_part(sentence: str) -> str:
    """Return the part of a sentence that states what a source says, without the source."""
    match = _REPORTS.search(sentence)
    return sentence if match is None else sentence[match.end() :]


def _content(text: str) -> set[str]:
    return {*terms(text), *(number.text for number in find_numbers(text))}


def check(reference: Trajectory, perturbed: Trajectory, _revision: StepRevision) -> str | None:
    """Return why an edit leaves out no evidence, or None if it does."""
    change = changed(reference, perturbed)
    if change is None or change.parts != ("reasoning",):
        return "not the reasoning of one step was changed"
    return _why_not(timeline_of(reference), change.index, change.after)


def edit_sites(trajectory: Trajectory, draw: Random) -> Iterator[EditSite]:
    """Yield thoughts that report retrieved facts which they state once, those with the most facts first."""
    view = timeline_of(trajectory)
    found = []
    for step in trajectory.steps[1:]:
        text = step.reasoning
        if len(text) > _LONGEST_THOUGHT or text.rstrip().endswith((":", "：")):
            continue
        reported = [
            (sum(text.count(fact.text) == 1 for fact in finding.facts), finding.start, finding.end)
            for finding in findings(view, step.index)
            if not _PROGRAM.search(text[finding.start : finding.end])
        ]
        once, start, end = max(reported, default=(0, 0, 0))
        if once:
            found.append((once + draw.random(), step.index, " ".join(text[start:end].split())))
    for _, index, sentence in sorted(found, reverse=True):
        yield step_site(step=index, part="reasoning", hint=place_hint("finding", finding=sentence[:200]))


OPERATOR = Operator(
    name="process_evidence_omission",
    title="Evidence Omission",
    title_zh="证据遗漏",
    level="process",
    module="reasoning",
    category="faithfulness",
    definition="Evidence that was retrieved and bears on the question does not enter the reasoning that "
    "weighs it: it is passed over, or told so vaguely that nothing of it remains.",
    definition_zh="已经检索到且与问题相关的证据没有进入推理：要么被略去，要么被说得含糊到失去内容。",
    rule=candidates,
    sites=edit_sites,
    ask="Take one fact out of the thought that the tool responses gave – a finding, a figure, a date, a "
    "name – or put something vague in its place, so that it stands nowhere in the thought. The "
    "conclusion and everything else stay as they are, and the thought must still read smoothly. Add "
    "nothing new.",
    ask_zh="从这段思考中去掉一个来自工具返回结果的事实（发现、数字、日期或名称），或换成含糊的说法，使它在这段思考中不再出现。"
    "结论和其余内容保持不变，读起来仍要通顺，不要添加新内容。",
    check=check,
)
