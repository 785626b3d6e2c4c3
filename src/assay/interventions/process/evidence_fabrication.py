"""A thought holds evidence that nobody retrieved: a finding, a figure, a source, what a source holds.

It is added to a finding, takes the place of one, or of a sentence that says little. Names, sources and topics are the
run's own as far as they go; what is made up stands in no response and not in the question.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from assay.checks.trj._view import view_of
from assay.checks.trj._words import sentences
from assay.interventions.base import Operator, Place
from assay.interventions.process._evidence import (
    SPEAKS,
    event_of,
    facts,
    findings,
    fresh,
    subject_name,
)
from assay.interventions.process._inventions import (
    a_source,
    added,
    counted,
    kind_of,
    other_figure,
    other_source,
)
from assay.interventions.process._reflections import CONCLUDES, IDLE, TURN
from assay.interventions.process._steps import changed
from assay.interventions.process._thoughts import (
    chinese,
    covered,
    differing,
    hangs_on,
    replaced,
    revision,
    sentence_texts,
    titles,
    topics,
)
from assay.interventions.process._words_evidence import PRESS, REFERENCE

if TYPE_CHECKING:
    from collections.abc import Iterator
    from random import Random

    from assay.checks.trj._view import View
    from assay.interventions.base import StepRevision
    from assay.interventions.process._evidence import Finding
    from assay.subjects.trajectory import Trajectory

# Rank, pattern, the span of the reasoning, what takes its place.
_Made = tuple[float, str, int, int, str]

_NEGATED: Final = re.compile(
    r"\b(?P<be>is|are|was|were)(?:n't| not) (?P<how>(?:directly|explicitly|specifically|clearly) )(?P<verb>cited|mentioned|stated|listed|given|specified|confirmed|detailed|named)\b"
    r"|\b(?P<do>do|does|did)(?:n't| not) (?P<way>(?:directly|explicitly|specifically|clearly) )(?P<act>mention|state|say|list|confirm|specify|cite|name|describe)\b"
)
# What was not found because it is not there: nothing is gained by saying that it was.
_ABSENT: Final = re.compile(r"\b(?:any|other|else|another|conflict\w*|different)\b", re.IGNORECASE)


def candidates(trajectory: Trajectory, draw: Random) -> Iterator[StepRevision]:
    """Inventions of all kinds, mixed."""
    view = view_of(trajectory)
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


def _ways(view: View, index: int, draw: Random) -> Iterator[_Made]:
    text = view.trajectory.steps[index].reasoning
    found = findings(view, index)
    yield from _flips(text)
    yield from _figures(view, index, found, draw)
    for start, end in sentences(text):
        part = text[start:end]
        if TURN.search(part) or "?" in part:
            continue
        other = other_source(part, draw)
        if other is not None:
            yield 0.0, "source-swapped", start, end, other
    if chinese(text):
        yield from _chinese(text, found, draw)
        return
    if len(sentence_texts(text)) <= 4 and len(text) <= 600:
        yield from _short(view, index, draw)
    else:
        yield from _long(view, index, found, draw)


# --- what was missing is there, what was there is another ---


def _flips(text: str) -> Iterator[_Made]:
    """Turn "is not explicitly mentioned" into "is explicitly mentioned"."""
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


def _figures(view: View, index: int, found: list[Finding], draw: Random) -> Iterator[_Made]:
    """A figure that was read becomes one that was not."""
    text = view.trajectory.steps[index].reasoning
    answer = view.trajectory.answer or ""
    for finding in found:
        for fact in finding.facts:
            if not fact.number or text.count(fact.text) > 1 or fact.text in answer:
                continue
            new = other_figure(view, text, fact, draw)
            if new is not None:
                sentence = text[finding.start : fact.start] + new + text[fact.end : finding.end]
                yield 0.2, "figure-swapped", finding.start, finding.end, sentence


# --- long thoughts ---


def _long(view: View, index: int, found: list[Finding], draw: Random) -> Iterator[_Made]:
    trajectory = view.trajectory
    text = trajectory.steps[index].reasoning
    name = subject_name(trajectory, index)
    numbers = counted(kind_of(view, name, index), draw) if name else []
    told = [f"{name} {does} {phrase}" for does, phrase, _ in numbers]
    matter = name or next((item for item in topics(trajectory.query) if len(item) <= 50), "")
    idle = [
        (start, end)
        for start, end in sentences(text)
        if IDLE.match(text[start:end])
        and end - start <= 170
        and re.search(r"\d", text[start:end]) is None
        and not facts(view, text[start:end], event_of(index))
    ][-2:]
    plain = [finding for finding in found if not CONCLUDES.search(text[finding.start : finding.end])]
    pages = [title for title in titles(trajectory, index) if len(title) <= 70]
    # A finding of a page is another finding.
    for finding in plain:
        sentence = text[finding.start : finding.end]
        speaks = SPEAKS.match(sentence)
        if speaks is None or not numbers or sentence.count('"') % 2 or " I " in speaks.group("source"):
            continue
        if re.search(r"\bbut\b|\bnot\b|n't\b", sentence):
            continue
        does, phrase, _ = draw.choice(numbers)
        whole = f"{speaks.group('lead') or ''}{speaks.group('source')}"
        many = not re.search(r"s$", speaks.group("say"))
        yield (
            0.1,
            "finding-swapped",
            finding.start,
            finding.end,
            f"{whole} {'say' if many else 'says'} that {name} {does} {phrase}.",
        )
        follow = "One of them adds" if many else "It adds"
        new = f"{sentence} {follow} that {name} {does} {phrase}."
        if finding.last or not hangs_on(_after(text, finding.end)):
            yield 0.4, "figure-added", finding.start, finding.end, new
    for start, end in idle:
        old = text[start:end]
        made = []
        for does, phrase, _ in numbers:
            if pages:
                page = draw.choice(pages)
                made += [
                    f'The page "{page}" says that {name} {does} {phrase}.',
                    f'According to "{page}", {name} {does} {phrase}.',
                ]
            made.append(f"The results also say that {name} {does} {phrase}.")
        made += added(matter, told, draw)
        made.sort(key=lambda new: abs(len(new) - len(old)) + 25 * draw.random())
        shorter = [new for new in made if len(new) < len(old)]
        for new in dict.fromkeys([*shorter[:1], *made[:2]]):
            yield 0.3, "in-place-of-filler", start, end, new
    for finding in draw.sample(plain, min(3, len(plain))):
        if not finding.last and hangs_on(_after(text, finding.end)):
            continue
        sentence = text[finding.start : finding.end]
        if not sentence.endswith(".") or re.match(r"\s*(?:[-*•]|\d+[.)]) ", sentence):
            continue
        new = draw.choice(added(matter, told, draw))
        yield 0.6, "source-added", finding.start, finding.end, f"{sentence} {new}"


def _after(text: str, end: int) -> str:
    rest = sentence_texts(text[end:])
    return rest[0] if rest else ""


# --- short thoughts ---


def _short(view: View, index: int, draw: Random) -> Iterator[_Made]:
    """The first sentence of a short thought, about what was searched last, says more than was read."""
    trajectory = view.trajectory
    text = trajectory.steps[index].reasoning
    spans = sentences(text)
    asked = [query.strip('"') for query in covered(trajectory, index)]
    named = [query for query in asked if query[:1].isupper()]
    if named and not trajectory.steps[index].tool_calls:
        yield from _supported(text, named[-1], draw)
    for start, end in spans[:2]:
        sentence = text[start:end]
        name = next((item for item in reversed(asked) if sentence.startswith(item)), "")
        if TURN.search(sentence) or "?" in sentence or not sentence.endswith("."):
            continue
        about = name or next((item for item in reversed(asked) if item in sentence), "")
        if not about:
            continue
        close = re.search(r", so\b", sentence)
        body, tail = (sentence[: close.start()], sentence[close.start() :]) if close else (sentence[:-1], ".")
        if re.search(r"\b(?:not|cannot|I|So|Therefore)\b|n't", body):
            continue
        follows = (
            re.match(
                r" (?:is|was|are|were|has|had|fought|played|won|wrote|founded|disbanded|linked|holds|starred|appeared|worked|directed|created|plays|did|can)\b",
                sentence[len(name) :],
            )
            if name
            else None
        )
        for does, phrase, person in counted(kind_of(view, about, index), draw):
            if follows is not None and name:
                who = "who" if person else "which"
                yield (
                    0.0,
                    "figure-added",
                    start,
                    end,
                    f"{name}, {who} {does} {phrase},{sentence[len(name) :]}",
                )
            if close is None and (end == len(text) or not hangs_on(_after(text, end))):
                yield 0.3, "figure-added", start, end, f"{sentence} {about} {does} {phrase}."
                if len(spans) > 1 and (start, end) != spans[-1]:
                    yield 0.0, "finding-swapped", start, end, f"{about} {does} {phrase}."
        for made in _attributed(body, tail, draw):
            yield 0.2, "source-added", start, end, made


_ANSWERS: Final = re.compile(
    r"(?P<close>,? [Ss]o the (?:answer|\w+) (?:is|must be) (?P<what>[^.]{2,70}(?:\.[^.]{1,30})?))\.$"
)


def _supported(text: str, last: str, draw: Random) -> Iterator[_Made]:
    """A conclusion whose support is a source that was not read."""
    match = _ANSWERS.search(text)
    if match is None or len(text) > 260:
        return
    what, paper = match.group("what"), draw.choice(PRESS)
    entry = f"The {draw.choice(REFERENCE[1:])} entry"
    made = [
        f"{entry} gives {what}",
        f"{draw.choice(REFERENCE[1:])} gives {what}",
        f"{paper} gives it as {what}",
        f"{entry} on {last} has it as {what}",
        f"A {draw.randint(1999, 2021)} {paper.removeprefix('The ')} article on {last} gives {what}",
    ]
    for new in draw.sample(made, 3):
        yield 0.0, "support-swapped", 0, len(text), f"{new}, so the answer is {what}."


def _attributed(body: str, tail: str, draw: Random) -> list[str]:
    """The finding, with a source that was not read."""
    small = body[:1].lower() + body[1:] if re.match(r"(?:The|An?) [a-z]", body) else body
    one, two = a_source(draw), a_source(draw)
    made = [
        f"According to {one}, {small}{tail}",
        f"{body}, as {two} also has it{tail}",
        f"{one[:1].upper()}{one[1:]} confirms that {small}{tail}",
        f"{body}, which {two} confirms{tail}",
    ]
    if small == body and body.startswith("The "):
        # "The Colony, Texas": whether the article belongs to the name cannot be told, so it stays at the beginning.
        return made[1::2]
    return draw.sample(made, 2)


def _chinese(text: str, found: list[Finding], draw: Random) -> Iterator[_Made]:
    """Chinese thoughts: a source that was not read, with a year of its own."""
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


def _why_not(view: View, index: int, text: str) -> str | None:
    reasoning = view.trajectory.steps[index].reasoning
    before, after = differing(reasoning, text)
    event = event_of(index)
    old = fresh(view, before, event)
    own = "\n".join(part for part in sentence_texts(after) if not part.endswith(("?", "？")))
    new = [item for item in fresh(view, own, event) if item not in old and item not in reasoning]
    if new:
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
    """Why nothing was made up."""
    place = changed(reference, perturbed)
    if place is None or place.parts != ("reasoning",):
        return "not the reasoning of one step was changed"
    if not any(call.response for step in reference.steps[: place.index] for call in step.tool_calls):
        return "nothing had been retrieved yet"
    return _why_not(view_of(reference), place.index, place.after)


def places(trajectory: Trajectory, draw: Random) -> Iterator[Place]:
    """Thoughts that tell what was found, the later first."""
    view = view_of(trajectory)
    for step in reversed(trajectory.steps[1:]):
        if 40 <= len(step.reasoning) <= 2500 and (found := findings(view, step.index)):
            one = draw.choice(found)
            told = " ".join(step.reasoning[one.start : one.end].split())
            yield Place(step=step.index, part="reasoning", hint=f"For instance at: {told[:160]}")


OPERATOR = Operator(
    name="evidence_fabrication",
    title="Evidence Fabrication",
    level="process",
    module="reasoning",
    category="faithfulness",
    definition="The reasoning rests on a specific finding, figure, source or author's position that stands in nothing "
    "that was retrieved.",
    definition_zh="推理中出现了任何检索结果里都没有的具体发现、数字、来源或作者观点。",
    rule=candidates,
    sites=places,
    ask="Let the thought state one specific thing as found that no tool response holds and the question does not give: a "
    "figure, a study, a source, or what someone holds. It must fit the topic, sound as sure as the rest, and not "
    "contradict the conclusion. Put it in place of a finding or join it to one; change nothing else.",
    ask_zh="让这段思考把一件具体的事当作已查到的内容来陈述，而它既不在任何工具返回结果中，也不在问题里：例如某个数字、研究、来源或某人的观点。"
    "要贴合主题，语气与上下文一样肯定，不与结论矛盾。可以替换或补充一处发现，其余不动。",
    check=check,
    codes=("TRJ007", "TRJ008", "TRJ012"),
)
