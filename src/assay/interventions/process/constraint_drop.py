"""Constraint drop: a call's arguments lack one of the query's constraints, so the call asks for more.

A year, a place name, a qualifier, a part of a name, a source or a word in brackets is left out, or a wider term
replaces it. A batch of queries must lose the constraint as a whole: if one of them keeps it, it is not dropped.
"""

from __future__ import annotations

import re
from functools import cache
from itertools import zip_longest
from typing import TYPE_CHECKING, Any, Final

import msgspec

from assay.interventions.base import EditSite, Operator, StepRevision, step_site
from assay.interventions.hints import place_hint
from assay.interventions.process._arguments import (
    asking_calls,
    context,
    leaves_of,
    mixed,
    said_by,
    same_shape,
    with_leaf,
    words_of,
)
from assay.interventions.process._entities import confusable_rows, holds, people, put
from assay.interventions.process._query_gaps import breaks_off, fits_region, leaves_stump, stands, tidy
from assay.interventions.process._steps import changed, with_call
from assay.subjects.atoms import atoms, find_numbers
from assay.subjects.timeline import FirstMentions
from assay.subjects.tool_calls import failure, kind
from assay.text.bilingual import listed
from assay.text.phrases import PhraseFile
from assay.text.words import STOPWORDS

if TYPE_CHECKING:
    from collections.abc import Iterator
    from random import Random

    from assay.interventions.process._arguments import ArgumentText
    from assay.subjects.trajectory import ToolCall, Trajectory

_PHRASES: Final = PhraseFile("assay.interventions", "constraint_drop")
_CONFUSABLE_WORDS: Final = PhraseFile("assay.interventions", "confusable_words")

_MONTHS: Final = "<<months>>"
_IN: Final = r"(?:\b(?:in|of|from|at|on|since|before|after|during|by|for)\s+(?:the\s+)?(?:year\s+)?)?"
_WHO: Final = (
    "(?:authors?|actress(?:es)?|actors?|playwrights?|novelists?|writers?|poets?|outlaws?"
    "|composers?|architects?|scientists?|athletes?|artists?|singers?|rock bands?|bands?"
    "|cartoonists?|philosophers?|mathematicians?|directors?|politicians?|footballers?|painters?"
    "|serial killers?|film directors?|musicians?)"
)
_MORE_PLACES: Final = (
    "UK",
    "US",
    "USA",
    "Europe",
    "Africa",
    "Asia",
    "Britain",
    "Northern England",
    "Vienna",
    "Disney",
    "Netflix",
    "BBC",
)


@cache
def _words_of_kinds(*kinds: str) -> list[str]:
    """Return a pattern fragment of the confusable words of some kinds."""
    return [re.escape(word) for kind, *words in confusable_rows() if kind in kinds for word in words]


@cache
def _place_pattern() -> re.Pattern[str]:
    words = _words_of_kinds("nationality", "country", "city", "state", "county")
    places = "|".join(sorted({*words, *_MORE_PLACES}, key=len, reverse=True))
    return re.compile(rf"(?:,\s)?{_IN}(?<![A-Z][a-z] )\b(?:{places})(?=\s[a-z0-9]|$|[,?])")


# What a query can lose, by pattern. Order matters: the whole date comes before its year.
_PARTS: Final[tuple[tuple[str, re.Pattern[str] | None], ...]] = (
    (
        "date",
        _PHRASES.pattern(
            rf"{_IN}\b(?:(?:{_MONTHS})\s+\d{{1,2}}(?:st|nd|rd|th)?,?(?:\s+\d{{4}})?|\d{{1,2}}\s+(?:{_MONTHS})"
            r"(?:\s+\d{4})?)\b",
        ),
    ),
    (
        "year",
        re.compile(
            rf"{_IN}(?<![\d\-–])(?<!\d[ ,])(?:1[0-9]\d\d|20[0-3]\d)(?:s\b|\s?(?:to|-|–)\s?(?:1[0-9]\d\d"
            r"|20[0-3]\d))?(?![\w\-–])",
        ),
    ),
    ("year", re.compile(r"(?<!\d)(?:1[0-9]|20)\d\d年(?:\d{1,2}月)?(?:\d{1,2}日)?的?")),
    ("period", re.compile(rf"{_IN}\b(?:(?:early|late|mid)[ -])?(?:1[5-9]|20|21)(?:th|st)[ -]century\b")),
    # Read from the word lists when first used: see `_place_pattern`.
    ("place", None),
    (
        "place",
        re.compile(
            "(?:在(?:中国|美国|英国|法国|德国|日本|韩国|印度|北京|上海|广州|深圳|香港|台湾|欧洲|亚洲)"
            "(?:出生|成立|举[行办]|拍摄|上市|工作)?|(?:中国|美国|英国|法国|德国|日本|韩国|印度|北京|上海"
            "|广州|深圳|香港|台湾|欧洲|亚洲))的?(?!大学|银行|人民)",
        ),
    ),
    (
        "rank",
        _PHRASES.pattern(
            r"\b(?:<<ordinals>>)\b(?!-|\s(?:<<name_continuations>>)\b)(?=\s[a-z]|\s[A-Z]\w+ [a-z]|\s"
            r"(?:President|Governor|Prime|King|Queen)\b)",
            flags=re.IGNORECASE,
        ),
    ),
    ("rank", re.compile(r"(?:第[一二三四五][部个位次届名家座任本]?|最大的?|最早的?|最后的?|首[位次届部])")),
    ("bracket", re.compile(r"\s\([^()]{2,60}\)$")),
    ("quote", re.compile(r"\s?(?:\"[^\"]{3,60}\"|“[^”]{3,60}”|《[^》]{2,40}》)")),
    (
        "source",
        _PHRASES.pattern(
            r"\bsite:\S+|\b(?:according to|on|from|in)\s+(?:<<source_names>>)\b|\bfiletype:\w+|\blang:\w+"
        ),
    ),
    (
        "qualifier",
        _PHRASES.pattern(
            r"\b(?:<<qualifiers>>)\b(?=\s[a-z]{3})(?!\s(?:origins?|roots?|times?|history|past|era"
            r"|ancestors?|version)\b)",
            flags=re.IGNORECASE,
        ),
    ),
    (
        "count",
        _PHRASES.pattern(r"\b(?:<<number_words>>)\s?(?=\b[a-z]+(?:s|ch|ce)?\b)(?!<<unit_words>>)"),
    ),
    (
        "clause",
        _PHRASES.pattern(r"(?<!ed)\s(?:<<relations>>)(?:\s[^\s,;?]+){1,3}$"),
    ),
)
_YEAR: Final = re.compile(
    r"(?<![\d\-–])(?<!\d[ ,])(?P<in>\bin (?:the year )?)?(?P<year>1[1-9]\d\d|20[0-3]\d)(?![\w\-–]"
    r"|\sto\s)(?P<more>\s\w)?",
)
_DATED: Final = re.compile(r"\b(?:born|died|killed|founded|established|released|published|\w{3,}ed)\s$")
_DECADE: Final = re.compile(r"(?:1\d|20)\d0s?$")
_HANGS_ON: Final = _PHRASES.pattern(
    rf"(?:{_MONTHS}|\d{{1,2}}(?:st|nd|rd|th)?,?|before|after|since|until|from|to|prior to|born|and"
    r"|between|feb|jan|mar|dec)\s$",
    flags=re.IGNORECASE,
)
# Constraints whose loss changes the results less.
_WEAK: Final = frozenset({"qualifier", "name part"})


class _DroppedConstraint(msgspec.Struct, frozen=True):
    pattern: str
    text: str
    core: tuple[str, ...]
    loose: str = ""


def _rule(trajectory: Trajectory, draw: Random) -> Iterator[StepRevision]:
    found: list[StepRevision] = []
    for step in trajectory.steps:
        known = context(trajectory, step.index)
        said = said_by(trajectory, step.index)
        for number, call in asking_calls(step):
            leaves = [leaf for leaf in leaves_of(call.arguments) if not leaf.address]
            seen: set[str] = set()
            for dropped in _constraints(leaves, draw):
                if not dropped.core or not holds(known, " ".join(dropped.core)):
                    continue
                for arguments, pattern in _without(call.arguments, leaves, dropped):
                    # A page has the year itself, not its decade.
                    lookup = kind(call) == "lookup" and pattern in ("century", "decade")
                    if lookup or _made_elsewhere(trajectory, call, arguments):
                        continue
                    if (
                        repr(arguments) in seen
                        or _why_not(call.arguments, arguments, said, known) is not None
                    ):
                        continue
                    seen.add(repr(arguments))
                    note = f"{dropped.text.strip()} → {dropped.loose or '∅'}"
                    made = with_call(step, number, arguments=arguments)
                    found.append(StepRevision(index=step.index, step=made, pattern=pattern, note=note))
    draw.shuffle(found)
    yield from _alternating(trajectory, list(mixed(found, draw, last=_WEAK)), draw)


def _alternating(trajectory: Trajectory, found: list[StepRevision], draw: Random) -> Iterator[StepRevision]:
    """Yield queries that grew and queries that shrank in turn, so that some of both can be chosen."""

    def grown(item: StepRevision) -> bool:
        pairs = zip(trajectory.steps[item.index].tool_calls, item.step.tool_calls, strict=True)
        return sum(len(repr(new.arguments)) - len(repr(old.arguments)) for old, new in pairs) > 0

    turns = [[item for item in found if grown(item)], [item for item in found if not grown(item)]]
    draw.shuffle(turns)
    for pair in zip_longest(*turns):
        yield from (item for item in pair if item is not None)


def _constraints(leaves: list[ArgumentText], draw: Random) -> Iterator[_DroppedConstraint]:
    for leaf in leaves:
        text = leaf.text
        for row, *wider in (*_CONFUSABLE_WORDS["looser"].rows("en"), *_CONFUSABLE_WORDS["looser"].rows("zh")):
            for word in row.split(", "):
                for match in re.finditer(_whole(word), text):
                    if _free(text, match.start(), match.end()):
                        chosen = draw.choice(wider)
                        if text[: match.start()].endswith(", "):
                            chosen = chosen.removeprefix("the ")
                        yield _DroppedConstraint("loosened", match.group(), (match.group(),), chosen)
        for match in _YEAR.finditer(text):
            # 2000 is in the 20th century, and only a quarter of the current century has passed.
            if (
                int(match.group("year")) < 1990
                and "century" not in text
                and not _HANGS_ON.search(text, 0, match.start())
            ):
                for span in ("decade", "century"):
                    yield _DroppedConstraint(span, match.group("year"), (match.group("year"),))
        for name in people(text):
            words = name.split()
            # Few people bear a rare surname, so the given name adds nothing.
            if name == text and words[-1] in _CONFUSABLE_WORDS["common_surnames"].words("en"):
                yield _DroppedConstraint("name part", " ".join(words[:-1]) + " ", tuple(words[:-1]))
        for pattern, known in _PARTS:
            regex = known or _place_pattern()
            for match in regex.finditer(text):
                if pattern == "date" and (year := re.search(r"\d{4}$", match.group())):
                    decade = f"{year.group()[:3]}0s"
                    within = match.group()[:3] == "on " or _DATED.search(text, 0, match.start())
                    yield _DroppedConstraint(
                        "date",
                        match.group(),
                        _core(match.group()),
                        f"in the {decade}" if within else decade,
                    )
                if pattern == "rank" and re.search(r"\d{4}", text):
                    # A given day has only one "first".
                    continue
                if pattern == "place" and re.match(
                    r"(?:\s[a-z]+){1,2}\s[A-Z][a-z]+ [A-Z]", text[match.end() :]
                ):
                    # "Dutch manager Ronald Koeman" narrows nothing.
                    continue
                yield _DroppedConstraint(pattern, match.group(), _core(match.group()))


def _whole(word: str) -> str:
    if not word.isascii():
        return re.escape(word)
    nationality = re.fullmatch("|".join(_words_of_kinds("nationality")), word)
    return rf"(?<![\w\-]){re.escape(word)}(?![\w\-])" + (rf"(?= {_WHO}\b)" if nationality else "")


def _free(text: str, start: int, end: int) -> bool:
    """Return whether a place name stands by itself and is not part of a longer name."""
    if not text[start:end].isascii() or text[start].islower():
        return True
    if not any(word.islower() for word in words_of(text) if word not in STOPWORDS) and re.search(
        r"\w (?:in|of) $", text[:start]
    ):
        # "Sleepless in Seattle" is one name.
        return False
    return not re.match(r"\s[A-Z]", text[end:]) and not re.search(r"[A-Z]\w+ (?:of )?$", text[:start])


def _core(text: str) -> tuple[str, ...]:
    """Return the words of a constraint without those that lead up to it."""
    words = words_of(text)
    while words and words[0].lower() in STOPWORDS | {"year", "featuring", "directed", "written", "created"}:
        words = words[1:]
    return tuple(words)


def _without(
    arguments: Any, leaves: list[ArgumentText], dropped: _DroppedConstraint
) -> Iterator[tuple[Any, str]]:
    """Yield arguments from which every text has lost a constraint; none if a text would not survive that."""
    made: Any = arguments
    core = " ".join(dropped.core)
    for leaf in leaves:
        text = leaf.text
        if not holds(text, core):
            continue
        if dropped.pattern in ("century", "decade"):
            shorter = _to_span(text, core, decade=dropped.pattern == "decade")
        else:
            at = text.find(dropped.text)
            piece = dropped.text
            if at < 0 and dropped.pattern != "clause":
                # Elsewhere it may lack its preposition, or have another case.
                at, piece = text.lower().find(core.lower()), core
                leads = re.search(rf"{_IN}$", text[: max(at, 0)])
                if at > 0 and leads and leads.group():
                    at, piece = leads.start(), text[leads.start() : at + len(core)]
            if at < 0 or (
                dropped.pattern in ("place", "loosened")
                and not _free(text, at + len(piece) - len(core), at + len(piece))
            ):
                return
            if not dropped.loose and leaves_stump(text[:at], text[at + len(piece) :]):
                return
            if dropped.pattern == "loosened" and not fits_region(text, at, at + len(piece), dropped.loose):
                return
            shorter = tidy(put(text, at, at + len(piece), dropped.loose or (" " if piece[:1] == " " else "")))
        if shorter is None or not stands(shorter):
            return
        if leaf.text[:1].isupper() and shorter[:1].islower() and not leaf.path:
            shorter = shorter[:1].upper() + shorter[1:]
        made = with_leaf(made, leaf.path, shorter)
    yield made, dropped.pattern


def _to_span(text: str, year: str, *, decade: bool) -> str | None:
    """Return a text in which a decade or century replaces a year."""
    number = (int(year) - 1) // 100 + 1
    name = f"{year[:3]}0s" if decade else f"{number}{'st' if number == 21 else 'th'} century"

    def wider(match: re.Match[str]) -> str:
        if match.group("year") != year:
            return match.group()
        if match.group("in"):
            return f"in the {name}{match.group('more') or ''}"
        return (
            f"{name if decade else name.replace(' ', '-')}{match.group('more')}"
            if match.group("more")
            else name
        )

    if any(
        _HANGS_ON.search(text, 0, match.start())
        for match in _YEAR.finditer(text)
        if match.group("year") == year
    ):
        return None
    made = _YEAR.sub(wider, text)
    if any(
        match.group("year") == year
        and not match.group("in")
        and (
            re.search(
                r"(?:\w{3,}ed|[A-Z]\w*|\bon|[-–'\"“(]|\b(?:premiere|release|debut))\s?$",
                text[: match.start()],
            )
            or (match.group("more") and not text[match.end("year") :].lstrip()[:1].isalpha())
        )
        for match in _YEAR.finditer(text)
    ):
        # "A Grand Day Out 20th century", "debuted 20th century"
        return None
    return None if holds(made, year) else made


def _tokens(text: str) -> set[str]:
    return (set(atoms(text)) | {f"{number.printed:g}" for number in find_numbers(text)}) - STOPWORDS


def _why_not(before: object, after: object, said: str, known: str) -> str | None:
    """Return why arguments do not newly lack a constraint, or None if they do."""
    if not same_shape(before, after):
        return "the structure of the arguments differs"
    old_leaves, new_leaves = leaves_of(before), leaves_of(after)
    old, new = (_tokens("\n".join(leaf.text for leaf in leaves)) for leaves in (old_leaves, new_leaves))
    if any(not leaf.text.strip() for leaf in new_leaves):
        return "an argument is empty"
    ledger = FirstMentions()
    ledger.add("\n".join(leaf.text for leaf in new_leaves), 0)
    # "French" remains if "France" does.
    lost = {token for token in old - new if token[0].isdigit() or not ledger.knows(token, 1)}
    if not lost:
        return "the arguments together still say everything"
    if not lost & (_tokens(said) | _tokens(known)):
        return "neither the question nor what was found asks for what is gone"
    new = {token for token in new if not _DECADE.match(token) or token[:3] not in {word[:3] for word in lost}}
    if (
        new
        - old
        - _PHRASES["general"].words("en")
        - {atom for word in _PHRASES["general"].words("en") for atom in atoms(word)}
    ):
        return "something new is in the arguments"
    if not new:
        return "nothing of the query is left"
    if len(lost) > 6:
        return "more than one constraint is gone"
    for was, now in zip(old_leaves, new_leaves, strict=True):
        if was.text == now.text:
            continue
        for year in re.findall(r"\b(?:1\d|20)\d\d\b", was.text):
            # "Agenda Canaria 2030" is a name, and its year is not a constraint.
            if not holds(now.text, year) and re.search(rf"[A-Z][a-z]+ [A-Z][a-z]+ {year}\b", said):
                return "the year is part of a name"
        if breaks_off(now.text) and not breaks_off(was.text):
            return "what is left hangs in the air"
    return None


def _made_elsewhere(trajectory: Trajectory, call: ToolCall, arguments: object) -> bool:
    """Return whether another step made the shortened query and received other results."""
    old, new = ({leaf.text.casefold() for leaf in leaves_of(item)} for item in (call.arguments, arguments))
    others = [other.arguments for other in trajectory.tool_calls if other is not call]
    return any(leaf.text.casefold() in new - old for leaf in leaves_of(others))


def _check(reference: Trajectory, perturbed: Trajectory, revision: StepRevision) -> str | None:
    change = changed(reference, perturbed)
    if change is None or change.index != revision.index:
        return "the two differ in more than one place"
    if change.call is None or change.parts != ("arguments",):
        return "something other than the arguments of one call differs"
    call = reference.steps[change.index].tool_calls[change.call]
    if failure(call) is not None and any(
        f"'{leaf.text}'" in (call.response or "") or f'"{leaf.text}"' in (call.response or "")
        for leaf in leaves_of(change.after)
    ):
        return "without the constraint the call names what could have been found"
    if _made_elsewhere(reference, call, change.after):
        return "without the constraint the call was made elsewhere"
    return _why_not(
        change.before, change.after, said_by(reference, change.index), context(reference, change.index)
    )


def _sites(trajectory: Trajectory, draw: Random) -> Iterator[EditSite]:
    sites: list[EditSite] = []
    for step in trajectory.steps:
        for number, call in asking_calls(step):
            leaves = [leaf for leaf in leaves_of(call.arguments) if not leaf.address]
            names = [" ".join(item.core) for item in _constraints(leaves, draw) if item.core]
            hint = place_hint("constraints", constraints=listed(dict.fromkeys(names))) if names else ""
            if len(call.argument_text) <= 2500:
                sites.append(step_site(step=step.index, part="arguments", call=number, hint=hint))
    draw.shuffle(sites)
    yield from sorted(sites, key=lambda site: not site.hint)


OPERATOR = Operator(
    name="constraint_drop",
    title="Constraint Drop",
    title_zh="遗漏限定条件",
    level="process",
    module="tool",
    category="faithfulness",
    definition=(
        "A tool call leaves out a constraint of the question – a year, a place, a qualifier, a part of a "
        "name, a source – so that what it asks for is wider than what was asked."
    ),
    definition_zh="工具调用遗漏了问题中的某个限定条件（年份、地点、修饰语、姓名的一部分或来源），使检索范围超出了问题所要求的范围。",
    rule=_rule,
    sites=_sites,
    ask=(
        "Take one constraint out of the arguments: from every query of the call that has it, so that the "
        "call as a whole no longer asks for it. A wider word may stand in its place (a continent for a "
        "country, no year for a year). What is left must read as a query that the agent could have typed. "
        "Change nothing else and add nothing new."
    ),
    ask_zh=(
        "从参数中去掉一个限定条件：凡含有它的查询都要去掉，使整个调用不再包含这一条件；也可以换成更宽泛的词（如以洲代国）。"
        "剩下的部分应当仍像智能体会输入的查询。其他内容一律不改，也不增加新内容。"
    ),
    check=_check,
)
