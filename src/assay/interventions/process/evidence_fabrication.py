"""Evidence fabrication: a thought states evidence that nothing retrieved: from an unread source, or not on the page.

The invented source supports a finding on which the answer rests. It joins the sources that were read, or replaces one
of them, the finding itself, or a sentence that says little. It fits the kind of thing, and neither the query nor a
response mentions it.
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
    subject_name,
)
from assay.interventions.process._invented_sources import (
    among,
    attributed,
    capital,
    confirming,
    sources,
    unread,
    unread_sources,
)
from assay.interventions.process._reflections import CONCLUDES, IDLE, TURN
from assay.interventions.process._thoughts import (
    balanced,
    chinese,
    covered,
    differing,
    hangs_on,
    replaced,
    revision,
    sentence_texts,
)
from assay.interventions.process.step_changes import changed
from assay.subjects.atoms import sentences
from assay.subjects.timeline import timeline_of
from assay.text.phrases import PhraseFile

if TYPE_CHECKING:
    from collections.abc import Iterator
    from random import Random

    from assay.interventions.base import StepRevision
    from assay.interventions.process._evidence import FactSentence, ThoughtFact
    from assay.subjects.timeline import Timeline
    from assay.subjects.trajectory import Trajectory

_PHRASES: Final = PhraseFile("assay.interventions", "evidence_fabrication")

# Rank, pattern, span of the reasoning, and replacement.
_Made = tuple[float, str, int, int, str]

_NEGATED: Final = _PHRASES.pattern(
    r"\b(?P<be>is|are|was|were)(?:n't| not) (?P<how>(?:directly|explicitly|specifically|clearly) )"
    r"(?P<verb><<negated_verb>>)\b|\b(?P<do>do|does|did)(?:n't| not) (?P<way>(?:directly"
    "|explicitly|specifically|clearly) )(?P<act>mention|state|say|list|confirm|specify|cite|name"
    r"|describe)\b",
)
# What was not found because it does not exist: claiming it gains nothing.
_ABSENT: Final = re.compile(r"\b(?:any|other|else|another|conflict\w*|different)\b", re.IGNORECASE)


def candidates(trajectory: Trajectory, draw: Random) -> Iterator[StepRevision]:
    """Yield inventions of all kinds, mixed."""
    view = timeline_of(trajectory)
    offers: list[tuple[float, StepRevision]] = []
    for step in trajectory.steps[1:]:
        for rank, pattern, start, end, new in _ways(view, step.index, draw):
            text = replaced(step.reasoning, start, end, new)
            if _why_not(view, step.index, text) is None:
                old, now = differing(step.reasoning, text)
                offers.append(
                    (rank + draw.random(), revision(step, text, pattern, f"{old[:120]} → {now[:200]}"))
                )
    for _, item in sorted(offers, key=lambda offer: offer[0]):
        yield item


def _ways(view: Timeline, index: int, draw: Random) -> Iterator[_Made]:
    text = view.trajectory.steps[index].reasoning
    found = findings(view, index)
    if chinese(text):
        yield from _chinese(text, found, draw)
        return
    yield from _flips(text)
    if len(sentence_texts(text)) <= 4 and len(text) <= 600:
        yield from _short(view, index, draw)
    else:
        yield from _long(view, index, found, draw)


# --- what was missing is there, what was there is another ---


def _flips(text: str) -> Iterator[_Made]:
    """Yield "is explicitly mentioned" for "is not explicitly mentioned"."""
    for start, end in sentences(text):
        part = text[start:end]
        match = _NEGATED.search(part)
        if match is None or _ABSENT.search(part):
            continue
        if match.group("be"):
            said = f"{match.group('be')} {match.group('how')}{match.group('verb')}"
        else:
            act = match.group("act")
            ending = {"does": "s", "do": "", "did": "ed"}[match.group("do")]
            if ending == "ed":
                act, ending = (
                    {"say": "said"}.get(act, act),
                    "" if act == "say" else "d" if act.endswith("e") else "ed",
                )
            if act == "specify" and ending == "s":
                act, ending = "specifie", "s"
            if act == "specify" and ending == "ed":
                act, ending = "specifi", "ed"
            said = f"{match.group('way')}{act}{ending}"
        rest = re.sub(r"^(.{0,40}?), but\b", r"\1, and", part[match.end() :], count=1)
        goes_on = re.match(r"(?:but|however|still|that said)\b", _after(text, end), re.IGNORECASE)
        if goes_on or re.search(r"\b(?:while|although|though)\b", part, re.IGNORECASE):
            continue
        before = part[: match.start()]
        yield 0.0, "gap-filled", start, end, before + said + rest


# --- long thoughts ---


def _long(view: Timeline, index: int, found: list[FactSentence], draw: Random) -> Iterator[_Made]:
    text = view.trajectory.steps[index].reasoning
    name = subject_name(view.trajectory, index)
    known = sources(view, name, index, draw, other=True)
    if not known:
        return
    for start, end in sentences(text):
        part = text[start:end]
        if TURN.search(part) or "?" in part or re.search(r"\bnot?\b|n't\b", part) or not _plain(part):
            continue
        wider = among(part, draw.choice(known[:4]), draw)
        if wider is not None:
            yield 0.2, "source-among", start, end, wider
        if IDLE.match(part) and end - start <= 170 and not facts(view, part, event_of(index)):
            made = confirming(draw.choice(known[:4]), name, draw)
            made.sort(key=lambda new: abs(len(new) - len(part)) + 25 * draw.random())
            for new in made[:2]:
                yield 0.3, "in-place-of-filler", start, end, new
    for finding in found:
        sentence = text[finding.start : finding.end]
        if not _plain(sentence) or CONCLUDES.search(sentence):
            continue
        source = draw.choice(known[:4])
        speaks = SPEAKS.match(sentence)
        if speaks is not None:
            if " I " not in speaks.group("source") and not re.search(r"\bbut\b|\bnot\b|n't\b", sentence):
                yield 0.0, "source-swapped", finding.start, finding.end, _spoken(speaks, sentence, source)
            continue
        if not finding.last and hangs_on(_after(text, finding.end)):
            continue
        if not _AT_SECOND_HAND.search(sentence):
            new = draw.choice(attributed(sentence[:-1], ".", source, draw))
            yield 0.2, "source-added", finding.start, finding.end, new
        if finding.last:
            new = draw.choice(confirming(source, name, draw))
            yield 0.6, "source-added", finding.start, finding.end, f"{sentence} {new}"


# A source cannot say what describes the search or weighs it.
_AT_SECOND_HAND: Final = _PHRASES.pattern(
    r"\b(?:<<at_second_hand>>)s?\b|^So\b|^putting\b|\b(?:other|others|mentioned)\b",
    flags=re.IGNORECASE,
)


def _plain(sentence: str) -> bool:
    """Return whether a sentence can be attributed to a source.

    It must be whole, not a list item, and not about the question or the agent.
    """
    return (
        sentence.endswith(".")
        and balanced(sentence)
        and re.match(r"\s*(?:[-*•]|\d+[.)]) |\*\*", sentence) is None
        and re.search(r"\b(?:question|user|I)\b|\b(?:Op|Nos?|vol)\.$", sentence) is None
    )


def _spoken(speaks: re.Match[str], sentence: str, source: str) -> str:
    """Return a sentence with ``source`` as the speaker in place of the page; the verb is in the singular."""
    *before, verb = speaks.group("say").split()
    if verb in ("to", "about"):
        before, verb, tail = before[:-1], before[-1], f" {verb}"
    else:
        tail = ""
    if not verb.endswith(("s", "ed")) or verb == "discuss":
        verb += "es" if verb.endswith("ss") else "s"
    said = " ".join([*(word for word in before if word not in ("all", "both", "consistently")), verb]) + tail
    lead = speaks.group("lead") or ""
    whole = f"{lead}{source} {said}{sentence[speaks.end('say') :]}"
    return whole[:1].upper() + whole[1:]


def _after(text: str, end: int) -> str:
    rest = sentence_texts(text[end:])
    return rest[0] if rest else ""


# --- short thoughts ---


def _short(view: Timeline, index: int, draw: Random) -> Iterator[_Made]:
    """Yield revisions of short thoughts whose finding or conclusion then rests on a source that was not read."""
    trajectory = view.trajectory
    text = trajectory.steps[index].reasoning
    asked = [query.strip('"') for query in covered(trajectory, index)]
    for start, end in sentences(text)[:2]:
        sentence = text[start:end]
        name = next((item for item in reversed(asked) if item in sentence), "")
        if TURN.search(sentence) or not name or not _plain(sentence) or not sentence[0].isupper():
            continue
        close = re.search(r", so\b", sentence)
        body, tail = (sentence[: close.start()], sentence[close.start() :]) if close else (sentence[:-1], ".")
        if re.search(r"\b(?:not|cannot|So|Therefore|paragraph)\b|n't|<", body):
            continue
        known = sources(view, name, index, draw)[:3]
        for source in known[:2]:
            for new in attributed(body, tail, source, draw)[:2]:
                yield 0.2, "source-added", start, end, new
        own = facts(view, body, event_of(index))
        if known and own and _bare(body, own[-1]) and not hangs_on(_after(text, end)):
            said = f"{capital(known[0])} {draw.choice(('gives', 'has'))} {own[-1].text}"
            for new in (said, f"{said} for {name}"):
                yield 0.1, "finding-swapped", start, end, f"{new}{tail}"
        if known and not trajectory.steps[index].tool_calls:
            yield from _supported(text, name, known[-1], draw)


def _bare(body: str, fact: ThoughtFact) -> bool:
    """Return whether a finding ends with its only fact: "… was founded in 1941"."""
    before = r"\b(?:in|on|is|was) $" if fact.number else r"\b(?:by|is|was) $"
    return fact.end == len(body) and "," not in body and re.search(before, body[: fact.start]) is not None


_ANSWERS: Final = re.compile(
    r"(?P<close>,? [Ss]o the (?:answer|\w+) (?:is|must be) (?P<what>[^.]{2,70}(?:\.[^.]{1,30})?))\.$"
)


def _supported(text: str, last: str, source: str, draw: Random) -> Iterator[_Made]:
    """Yield revisions that support a conclusion by a source that was not read."""
    match = _ANSWERS.search(text)
    if match is None or len(text) > 260 or match.group("what").strip() in (last, last.strip('"')):
        return
    what = match.group("what")
    big = capital(source)
    made = [
        f"{big} gives {what}",
        f"{big} has {what}",
        f"{big} on {last} gives {what}"
        if source.startswith(("a ", "an "))
        else f"{big} gives {what} for {last}",
        f"For {last}, {source} has {what}",
        f"It is {what} in {source}",
    ]
    for new in draw.sample(made, 2):
        close = match.group("close")
        yield 0.0, "support-swapped", 0, len(text), f"{new}{close if close.startswith(',') else '.' + close}."


def _chinese(text: str, found: list[FactSentence], draw: Random) -> Iterator[_Made]:
    """Yield revisions of Chinese thoughts that add a source that was not read and an invented year."""
    year = draw.randint(2004, 2022)
    paper = draw.choice(("人民日报", "光明日报", "南方周末", "中国青年报", "文汇报", "新京报"))
    for finding in found:
        sentence = text[finding.start : finding.end]
        if sentence.endswith("。"):
            for new in (
                f"《{paper}》{year}年的报道也证实，{sentence}",
                f"{sentence[:-1]}，《{paper}》{year}年的一篇文章也这样写道。",
            ):
                yield 0.3, "source-added", finding.start, finding.end, new


# --- whether it is one ---


def _why_not(view: Timeline, index: int, text: str) -> str | None:
    reasoning = view.trajectory.steps[index].reasoning
    before, after = differing(reasoning, text)
    event = event_of(index)
    old = fresh(view, before, event)
    own = "\n".join(part for part in sentence_texts(after) if not part.endswith(("?", "？")))
    new = [item for item in fresh(view, own, event) if item not in old and item not in reasoning]
    if new:
        return None
    named = [source for source in unread_sources() if source in own and source not in reasoning]
    if any(unread(view, source) for source in named):
        return None
    negated = _NEGATED.search(before)
    if (
        negated is not None
        and _NEGATED.search(after) is None
        and (negated.group("verb") or negated.group("act")) in after
    ):
        return None
    return "nothing it says now is missing from the responses and the question"


def check(reference: Trajectory, perturbed: Trajectory, _revision: StepRevision) -> str | None:
    """Return why an edit fabricates nothing, or None if it does."""
    change = changed(reference, perturbed)
    if change is None or change.parts != ("reasoning",):
        return "not the reasoning of one step was changed"
    if not any(call.response for step in reference.steps[: change.index] for call in step.tool_calls):
        return "nothing had been retrieved yet"
    return _why_not(timeline_of(reference), change.index, change.after)


def edit_sites(trajectory: Trajectory, draw: Random) -> Iterator[EditSite]:
    """Yield thoughts that report a finding, later ones first."""
    view = timeline_of(trajectory)
    for step in reversed(trajectory.steps[1:]):
        if 40 <= len(step.reasoning) <= 2500 and (found := findings(view, step.index)):
            one = draw.choice(found)
            finding = " ".join(step.reasoning[one.start : one.end].split())
            yield step_site(
                step=step.index, part="reasoning", hint=place_hint("finding", finding=finding[:160])
            )


OPERATOR = Operator(
    name="evidence_fabrication",
    title="Evidence Fabrication",
    title_zh="捏造证据",
    level="process",
    module="reasoning",
    category="faithfulness",
    definition="The reasoning rests on a specific finding, figure, source or author's position that stands "
    "in nothing that was retrieved.",
    definition_zh="推理中出现了任何检索结果里都没有的具体发现、数字、来源或作者观点。",
    rule=candidates,
    sites=edit_sites,
    ask="Let the thought rest on one specific thing that nobody retrieved: a study, a report, an article, a record "
    "or what a named person holds, with what it is said to show. It is told as if it had been read, fits the topic, "
    "sounds as sure as the rest and supports the thought's conclusion. Put it in place of a finding or join it to "
    "one; change nothing else. Giving something that was retrieved another value is not a failure of this type.",
    ask_zh="让这段思考依据一项从未检索到的具体材料：某项研究、报告、文章、记录，或某位有名有姓者的看法，并写明它说了什么，"
    "如同真的读过一样。要贴合主题，语气与上下文一样肯定，并支持这段思考的结论。可以替换或补充一处发现，其余不动。"
    "把已检索到的内容改成另一个值，不属于这类缺陷。",
    check=check,
    codes=("TRJ007", "TRJ014"),
)
