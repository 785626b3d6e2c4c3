"""Wrong source citation: a retrieved fact is attributed to a source that does not contain it.

The fact itself is right, and another retrieved source contains it: only the attribution is wrong. Two patterns: a
source named in the sentence is replaced by another retrieved source; or a sentence that names no source (or says only
"the results") is attributed to one.
"""

from __future__ import annotations

import re
from difflib import SequenceMatcher
from typing import TYPE_CHECKING, Final

from assay.interventions.base import EditSite, Operator, StepRevision, step_site
from assay.interventions.hints import place_hint
from assay.interventions.process._arguments import mixed
from assay.interventions.process._attributions import KIND_OF, SO, article, attached, specific
from assay.interventions.process._entities import holds, put
from assay.interventions.process._retrieved_sources import (
    RetrievedSource,
    claims_of,
    facts,
    has_fact,
    known_sites,
    ledger_of,
    responses_before,
    sources_before,
)
from assay.interventions.process._steps import changed, with_reasoning
from assay.subjects.atoms import sentences
from assay.text.bilingual import listed
from assay.text.phrases import PhraseFile

if TYPE_CHECKING:
    from collections.abc import Iterator
    from random import Random

    from assay.subjects.trajectory import Step, Trajectory

_PHRASES: Final = PhraseFile("assay.interventions", "wrong_source_citation")

_SAYS: Final = (
    "(?:mentions?|states?|says?|confirms?|notes?|lists?|describes?|explains?|reports?|shows?"
    "|indicates?|specif(?:y|ies)|highlights?|points?|places?|gives?|discuss(?:es)?)"
)
_ATTRIBUTED: Final = _PHRASES.pattern(
    rf"\b{_SAYS}\b|\b(?:<<attributed>>)\b|提到|指出|显示|表示|根据|据",
    flags=re.IGNORECASE,
)
# Phrases for all results at once, with the verb that follows.
_GENERIC: Final = _PHRASES.pattern(
    r"\b(?P<who><<generic_who>>)(?P<adverb> also| clearly| consistently| all| explicitly)? "
    r"(?P<verb><<generic_verb>>)\b",
)
_ORDINALS: Final = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth")
_ORDINAL: Final = re.compile(
    rf"\b(?P<n>{'|'.join(_ORDINALS)}) (?:search )?result(?! for)(?: from the [a-z]+ (?:search"
    rf"|query))? (?:also |clearly |explicitly |specifically )?{_SAYS}\b",
    re.IGNORECASE,
)
_ITEM: Final = re.compile(r"^\s{0,3}(\d{1,2})\. \[", re.MULTILINE)
# Sentences about the inquiry itself have no source.
_META: Final = _PHRASES.pattern(r"\b(?:<<meta>>)\b|[\u4e00-\u9fff]")
_NOUN: Final = re.compile(r"(?P<gap>\s)(?:entr(?:y|ies)|pages?|articles?)\b")


def _rule(trajectory: Trajectory, draw: Random) -> Iterator[StepRevision]:
    found: list[StepRevision] = []
    seen: set[str] = set()
    for step in trajectory.steps:
        sources = sources_before(trajectory, step.index)
        if len(sources) < 2 or not step.reasoning:
            continue
        for text, pattern, note in _misattributed(trajectory, step, sources, draw):
            if text not in seen and _why_not(trajectory, step.index, step.reasoning, text) is None:
                seen.add(text)
                made = with_reasoning(step, text)
                found.append(StepRevision(index=step.index, step=made, pattern=pattern, note=note))
    draw.shuffle(found)
    yield from mixed(found, draw, last=_ADDING)


# Patterns that add an attribution come after those that exchange one.
_ADDING: Final = frozenset({"fronted", "says", "tail", "as-noted"})


def _misattributed(
    trajectory: Trajectory, step: Step, sources: list[RetrievedSource], draw: Random
) -> Iterator[tuple[str, str, str]]:
    reasoning = step.reasoning
    for start, end in _sentences(trajectory, step):
        sentence = reasoning[start:end]
        named = [source for source in sources if _named(sentence, source)]
        wrong = _without(trajectory, sentence, sources, named)
        draw.shuffle(wrong)
        # Short ones too, or the length of site names would reveal the edit.
        wrong = list(
            dict.fromkeys([*wrong[:1], *sorted(wrong, key=lambda source: len(source.label))[:1], *wrong[1:]])
        )

        def whole(text: str, start: int = start, end: int = end) -> str:
            return reasoning[:start] + text + reasoning[end:]

        if named:
            if not _ATTRIBUTED.search(sentence):
                continue
            for right in named[:2]:
                for other in wrong[:2]:
                    text = _exchanged(sentence, right.label, other.label)
                    apart = not _near_kin(right.label, other.label) and not _spoken_of(
                        reasoning, start, end, other.label
                    )
                    apart = apart and not _holds_most(trajectory, sentence, right, other)
                    if right.site and other.site and text is not None and apart:
                        yield whole(text), "exchanged", f"{right.label} → {other.label}"
            continue
        yield from (
            (whole(text), "ordinal", note) for text, note in _ordinals(trajectory, step, sentence, draw)
        )
        generic = _GENERIC.search(sentence)
        # A source mentioned elsewhere in the step may have been the true one.
        wrong = [other for other in wrong if not holds(reasoning, _key(other.label)) or not other.site]
        for other in wrong[:2]:
            # "The ECB website and several sources confirm": the verb belongs to both.
            joint = generic is not None and (
                re.search(r"\b(?:and|or|as well as|both)\s$", sentence[: generic.start()])
                or re.search(rf",? and {_SAYS}\b", sentence[generic.end() :])
            )
            if generic is not None and generic.group("verb") != "point to" and not joint:
                yield (
                    whole(specific(sentence, generic, other, draw)),
                    "made-specific",
                    f"{generic.group('who')} → {other.label}",
                )
        if generic is None and not _META.search(SO.sub("", sentence)):
            query = ledger_of([trajectory.query])
            if all(has_fact(query, fact) for fact in facts(trajectory, sentence)):
                # A repeated question needs no source.
                continue
            for other in wrong[:1]:
                for text, pattern in attached(sentence, other, draw):
                    yield whole(text), pattern, f"said to be of {other.label}"


def _sentences(trajectory: Trajectory, step: Step) -> list[tuple[int, int]]:
    return [span for span in claims_of(trajectory, step) if 15 <= span[1] - span[0] <= 400]


def _named(sentence: str, source: RetrievedSource) -> bool:
    return source.site and holds(sentence, source.label)


def _near_kin(one: str, other: str) -> bool:
    a, b = one.lower(), other.lower()
    return a in b or b in a


def _without(
    trajectory: Trajectory, sentence: str, sources: list[RetrievedSource], named: list[RetrievedSource]
) -> list[RetrievedSource]:
    """Return sources that lack the facts of a sentence, provided that another retrieved source has them."""
    labels = " ".join(source.label for source in sources)
    claimed = [
        fact
        for fact in facts(trajectory, sentence)
        if not (isinstance(fact, str) and holds(labels, fact)) or not any(source.site for source in sources)
    ]
    if not claimed:
        return []
    query = ledger_of([trajectory.query])
    found: list[RetrievedSource] = []
    for source in sources:
        if (
            source in named
            or holds(sentence, source.label)
            or len(source.label) > 34
            or not _presentable(source)
        ):
            continue
        ledger = ledger_of([source.text])
        missing = [fact for fact in claimed if not has_fact(ledger, fact)]
        if any(not has_fact(query, fact) for fact in missing) or len(missing) * 2 > len(claimed):
            found.append(source)
    return found


# An encyclopaedia has no posts.
_OF_ITS_KIND: Final = _PHRASES.pattern(r"['’]s\b|\s(?:<<of_its_kind>>)\b")


def _holds_most(
    trajectory: Trajectory, sentence: str, right: RetrievedSource, other: RetrievedSource
) -> bool:
    """Return whether a source contains at least half of a sentence's facts, names of sources excepted."""
    said = sentence
    for verb in re.finditer(rf"\b{_SAYS}\b", sentence):
        if facts(trajectory, sentence[verb.end() :]):
            said = sentence[verb.end() :]
            break
    own = facts(trajectory, right.label)
    claimed = [fact for fact in facts(trajectory, said) if fact not in own]
    ledger = ledger_of([other.text])
    return 2 * sum(has_fact(ledger, fact) for fact in claimed) >= len(claimed)


def _presentable(source: RetrievedSource) -> bool:
    """Return whether a source can be cited by its label: a known site, an address, or a long enough name."""
    label = source.label
    if re.search(r"wordpress|blogspot", label, re.IGNORECASE):
        return False
    if (
        not source.site
        or label in known_sites().values()
        or re.fullmatch(r"[\w\-]{3,}(?:\.[\w\-]{2,}){1,2}", label)
    ):
        return True
    return len(label) > 5 and label[0].isupper() and not label.isupper()


def _exchanged(sentence: str, right: str, wrong: str) -> str | None:
    """Return a sentence with one label replaced by another, or None if the text after it fits only the first."""
    match = re.search(rf"(?<!\w){re.escape(right)}(?!\w)", sentence, re.IGNORECASE)
    if (
        match is None
        or _OF_ITS_KIND.match(sentence, match.end())
        or re.search(r"(?:official|['’]s|[A-Z]\w+|their|its|[-–|]) $|\($", sentence[: match.start()])
    ):
        return None
    if right.startswith("The ") and not wrong.startswith("The "):
        # The article stays as it is in the sentence.
        match = re.compile(re.escape(right[4:]), re.IGNORECASE).search(sentence, match.start()) or match
    before = re.sub(r"\b([Aa])n? $", lambda a: f"{a[1]}{article(wrong)[1:]} ", sentence[: match.start()])
    noun = _NOUN.match(sentence, match.end())
    if noun is not None and wrong in KIND_OF:
        plural = "s" if noun.group().endswith("s") else ""
        return put(
            before + sentence[match.start() :],
            len(before),
            len(before) + noun.end() - match.start(),
            f"{wrong} {KIND_OF[wrong]}{plural}",
        )
    return put(before + sentence[match.start() :], len(before), len(before) + len(match.group()), wrong)


def _spoken_of(reasoning: str, start: int, end: int, label: str) -> bool:
    """Return whether neighbouring sentences contain the other label, so that the exchange would repeat it."""
    return holds(reasoning[max(0, start - 250) : end + 250], _key(label))


def _key(label: str) -> str:
    """Return the word that identifies a label: the domain of an address, the first word of a name."""
    parts = label.split(".")
    if len(parts) > 1 and " " not in label:
        return parts[-2]
    return label.removeprefix("The ").split()[0]


def _items(trajectory: Trajectory, index: int) -> dict[int, list[str]]:
    """Return the items of all lists of results, by their number in the list."""
    found: dict[int, list[str]] = {}
    for response in responses_before(trajectory, index):
        starts = list(_ITEM.finditer(response))
        ends = [*(match.start() for match in starts[1:]), len(response)]
        for match, end in zip(starts, ends, strict=True):
            found.setdefault(int(match.group(1)), []).append(response[match.start() : end])
    return found


def _ordinals(trajectory: Trajectory, step: Step, sentence: str, draw: Random) -> Iterator[tuple[str, str]]:
    """Yield sentences such as "The first result states …" about a result that does not state it."""
    match = _ORDINAL.search(sentence)
    if match is None:
        return
    items = _items(trajectory, step.index)
    stated = _ORDINALS.index(match.group("n").lower()) + 1
    if any(len(texts) > 1 for texts in items.values()) or _lacks(trajectory, sentence, items.get(stated, [])):
        # With several lists it is unclear which is counted; a sentence that was wrong before shows nothing.
        return
    others = [
        word
        for number, word in enumerate(_ORDINALS, start=1)
        if number in items
        and _lacks(trajectory, sentence, items[number])
        and word != match.group("n").lower()
    ]
    if others:
        other = draw.choice(others)
        other = other.capitalize() if match.group("n")[0].isupper() else other
        yield (
            sentence[: match.start("n")] + other + sentence[match.end("n") :],
            f"{match.group('n')} → {other} result",
        )


def _lacks(trajectory: Trajectory, sentence: str, texts: list[str]) -> bool:
    ledger = ledger_of(texts)
    claimed = facts(trajectory, sentence)
    missing = [fact for fact in claimed if not has_fact(ledger, fact)]
    return bool(missing) and len(missing) * 2 >= len(claimed)


def _why_not(trajectory: Trajectory, index: int, before: str, after: str) -> str | None:
    """Return why reasoning does not newly misattribute a fact, or None if it does."""
    sources = sources_before(trajectory, index)
    if not sources:
        return "nothing was retrieved that could be named"
    old = [before[start:end] for start, end in sentences(before)]
    new = [after[start:end] for start, end in sentences(after)]
    parts = [
        (" ".join(old[a:b]), " ".join(new[c:d]))
        for tag, a, b, c, d in SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
        if tag != "equal"
    ]
    if len(parts) != 1:
        return "not exactly one passage differs"
    was, now = parts[0]
    if re.search(r"\b(?:the|a) (?:the|an?)\b", now, re.IGNORECASE) and not re.search(
        r"\b(?:the|a) (?:the|an?)\b", was, re.IGNORECASE
    ):
        return "an article is doubled"
    everything = ledger_of([trajectory.query, *responses_before(trajectory, index)])
    for source in sources:
        if not holds(now, source.label) or _count(now, source.label) <= _count(was, source.label):
            continue
        own = set(facts(trajectory, source.label))
        claimed = [fact for fact in facts(trajectory, now) if fact not in own]
        reported = [fact for fact in facts(trajectory, was) if fact not in own]
        labels = {
            fact for other in sources if holds(was, other.label) for fact in facts(trajectory, other.label)
        }
        claimed = [fact for fact in claimed if fact in reported and fact not in labels] or [
            fact for fact in reported if fact in facts(trajectory, now)
        ]
        if not claimed:
            return "the sentence says nothing that a source could have or lack"
        if any(fact not in reported and fact not in own for fact in facts(trajectory, now)):
            return "the fact differs too, not only its source"
        ledger = ledger_of([source.text])
        missing = [fact for fact in claimed if not has_fact(ledger, fact)]
        if not missing:
            return "the source that is named has it all"
        for former in sources:
            if former.site and _count(was, former.label) > _count(now, former.label):
                before_it = ledger_of([former.text])
                if not any(has_fact(before_it, fact) for fact in missing):
                    return "the source that was named has no more of it"
        if any(not has_fact(everything, fact) for fact in missing):
            return "what the source lacks was retrieved nowhere"
        return None
    ordinal, earlier = _ORDINAL.search(now), _ORDINAL.search(was)
    if ordinal is None or earlier is None or ordinal.group("n").lower() == earlier.group("n").lower():
        return "no other source is named than before"
    number = _ORDINALS.index(ordinal.group("n").lower()) + 1
    items = _items(trajectory, index)
    if number not in items:
        return "there is no such result"
    return None if _lacks(trajectory, now, items[number]) else "the result that is named has it"


def _count(text: str, label: str) -> int:
    return len(re.findall(rf"(?<!\w){re.escape(label)}(?!\w)", text, re.IGNORECASE))


def _check(reference: Trajectory, perturbed: Trajectory, revision: StepRevision) -> str | None:
    change = changed(reference, perturbed)
    if change is None or change.index != revision.index:
        return "the two differ in more than one place"
    if change.parts != ("reasoning",):
        return "something other than the reasoning differs"
    return _why_not(reference, change.index, change.before, change.after)


def _sites(trajectory: Trajectory, draw: Random) -> Iterator[EditSite]:
    sites: list[EditSite] = []
    for step in trajectory.steps:
        sources = [source for source in sources_before(trajectory, step.index) if len(source.label) <= 40]
        if len(sources) < 2 or not 20 <= len(step.reasoning) <= 2500 or not _sentences(trajectory, step):
            continue
        shown = draw.sample(sources, min(6, len(sources)))
        names = listed(source.label for source in shown)
        sites.append(step_site(step=step.index, hint=place_hint("sources", sources=names)))
    draw.shuffle(sites)
    yield from sites


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
    rule=_rule,
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
)
