"""Hedges of one sentence become certainty, or the limit it names is gone; what it claims stays."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from assay.interventions.attacks._differences import shared_terms
from assay.interventions.attacks._prose import (
    Line,
    capital,
    chinese,
    edit,
    lines,
    mixed,
    opening_small,
    places,
)
from assay.interventions.attacks._targeted import screened, targeted

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from random import Random

    from assay.interventions.base import Place, TextRevision
    from assay.subjects.report import Report

_NOUN_BEFORE: Final = r"(?<!in )(?<!of )(?<!early )(?<!late )(?<!since )"
# What is replaced, and by which of several; longer phrases first, so that none is read in halves.
_EN: Final[tuple[tuple[re.Pattern[str], tuple[str, ...]], ...]] = tuple(
    (re.compile(pattern), options)
    for pattern, options in (
        (r"\b(?:may|might|could) (?:potentially|possibly|also|well|even)(?= [a-z])", ("will inevitably", "will certainly", "will without exception")),
        (rf"{_NOUN_BEFORE}\b(?:may|might|could)(?= (?!have|not|never|as well|or\b|only|seem|appear|at least|perform|choose|wish|want|face)[a-z])", ("will", "will inevitably", "will always")),
        (r"\b(?:is|are) (?:very |more |most |highly )?likely to\b", ("is certain to", "will")),
        (r"\b(?:is|are) expected to\b", ("is bound to", "will")),
        (r"\b(?:tends?|seems?) to (?=[a-z]+\b)", ("",)),
        (r"\bsuggest(?= that\b)", ("prove", "establish")),
        (r"\bsuggests(?= that\b)", ("proves", "establishes")),
        (r"\b(?:often|typically|generally|usually|frequently)(?= (?!used|cited|asked|overlooked)[a-z])", ("always", "invariably", "without exception")),
        (r"\b(?:in|for) (?:many|most|some|certain) (?:cases|situations|contexts|instances)\b", ("in every case", "in all cases")),
        (r"\bIn (?:many|most|some|certain) (?:cases|situations|contexts|instances)\b", ("In every case", "In all cases")),
        (r"\bpotentially(?= [a-z]+ing\b)", ("inevitably", "unavoidably")),
        (r"\blikely(?= (?:reflects?|contributes?|results?|reduces?|leads?|increases?|explains?|remains?|depends?)\b)", ("undoubtedly",)),
        (r"\b[Pp]erhaps\b|\b[Pp]ossibly\b|\b[Pp]resumably\b|\b[Aa]rguably\b", ("undoubtedly", "unquestionably")),
    )
)  # fmt: skip
_ZH: Final[tuple[tuple[re.Pattern[str], tuple[str, ...]], ...]] = tuple(
    (re.compile(pattern), options)
    for pattern, options in (
        ("可能(?:会|将)|或将|或会|预计将会?|有望", ("必将", "必然会", "一定会")),
        ("(?<![不尽有只未大无才很更最])可能(?![性的是为有存因需影在与出和，。、；）])", ("必然", "必定")),
        ("(?:往往|通常|一般)(?=[会能需是以在采具表要可])", ("总是", "无一例外地")),
        ("在?(?:一定|某种|很大|较大)程度上", ("从根本上", "完全")),
        ("(?:似乎|看来|或许|也许|大概)(?=[是会能有可更已不])", ("无疑", "毫无疑问")),
        ("多数情况下|大多数情况下|通常情况下|一般情况下", ("任何情况下",)),
        ("潜在的?(?=[益收增价机影优])", ("必然的", "确定的")),
        ("(?<=研究|数据|结果|分析|证据|调查|实验|文献)(?:表明|显示|提示)(?=[，,]?[^，。的]{6,})", ("充分证明",)),
    )
)  # fmt: skip

_DROP_EN: Final = (
    re.compile(
        r",? (?:although|though|but only|albeit|provided that|assuming(?: that)?|(?<!for )as long as|unless|depending on|subject to|even though|"
        r"especially if|particularly if|at least (?:in|for|until|when)|but (?:this|these|it|they|results?|evidence|effects?) )\s?[^.;:()]{18,170}$"
    ),
    re.compile(r"; however, [^.;:()]{20,190}$"),
)
_FRONT_EN: Final = re.compile(
    r"^(?:While|Although|Though|Even though|Despite|Notwithstanding|Depending on|Subject to|Assuming) [^,.;:()]{18,150}, (?=(?:the|a|an|this|that|these|those|there|we|some|many|most|several|both|all|other|[A-Z]\w+)\s)"
)
# What makes a clause a limit and not only a contrast.
_LIMIT: Final = re.compile(
    r"\b(?:challeng\w*|limit\w*|not|no|only|lack\w*|little|few|uncertain\w*|remain\w*|risks?|concerns?|gaps?|critic\w*|debat\w*|mixed|small|"
    r"weak\w*|difficult\w*|barriers?|fail\w*|lag\w*|var(?:y|ies)|differ\w*|contest\w*|constrain\w*|ongoing|early|costs?|costly|slow\w*|depend\w*|"
    r"questions?|if|unless|provided|assum\w*|subject|trade-?offs?|less|lower|controvers\w*|complex\w*|expensive|rare\w*|"
    r"unclear|unknown|insufficient|incomplete|bias\w*|may|might|could|some|at least|in exchange)\b|"
    r"不|未|难|限|缺|风险|挑战|问题|仅|只|受|取决|差异|争议|成本|尚|仍|有待|滞后|压力|制约|依赖|弱|除非|前提|可能"
)
_DROP_ZH: Final = (re.compile(r"[，；](?:但|不过|然而|尽管|虽然|前提是|除非|但是)[^。；]{8,70}$"),)
_FRONT_ZH: Final = re.compile(
    r"^(?:尽管|虽然|虽)[^，。；]{6,45}，(?:但是?|然而|不过|却|仍)?(?![它其他她却仍这该])"
)
_NEGATIVE: Final = re.compile(r"\b(?:not|no|never|cannot|risks?|implications)\b|不|没有|无法|缺点|风险|问题")
_CONCEDES: Final = re.compile(r"^\W*(?:although|though|while|despite|even)|虽|尽管|即使|如果", re.IGNORECASE)
_CERTAIN_END: Final = (
    ", and there is no reason to expect otherwise",
    ", and this holds without qualification",
    ", with no exceptions worth noting",
    ", whatever the circumstances",
)
_CERTAIN_END_ZH: Final = ("，对此已无任何疑问", "，而且在任何条件下都是如此", "，不存在例外")

_HEDGE: Final = re.compile(
    r"\b(?:may|might|could|possibl[ey]|perhaps|probabl[ey]|likely|potential(?:ly)?|arguably|presumably|seems?|appears?|suggests?|tends?|"
    r"generally|usually|often|typically|frequently|mostly|largely|sometimes|expected|in (?:many|most|some|certain) \w+|although|though|while|"
    r"despite|however|but|unless|depending|provided|assuming|as long as|subject to|albeit|if|at least)\b"
    r"|可能|或许|也许|大概|预计|有望|似乎|看来|或将|或会|往往|通常|一般|程度上|多数|潜在|表明|显示|提示|但|不过|然而|尽管|虽|前提|除非",
    re.IGNORECASE,
)
_FITS: Final = re.compile(
    r"\b(?:may|might|could|likely|potential|suggests?|although|though|however|tends?)\b|可能|有望|或许|尽管|虽然|但|一定程度"
)


def rule(report: Report, draw: Random) -> Iterator[TextRevision]:
    """Sentences with hedges made certain, and sentences that lose their limit."""
    groups: dict[str, list[TextRevision]] = {}
    for line in lines(report):
        for found in _of(report, line, draw):
            groups.setdefault(found.pattern, []).append(found)
    yield from mixed(groups, draw)


def _of(report: Report, line: Line, draw: Random) -> Iterator[TextRevision]:
    zh = chinese(report)
    body = line.text[: line.tail]
    if body.count('"') or body.count("“"):
        # What somebody is quoted as saying is not the report's to be certain of.
        return
    certain, done = _certain(body, _ZH if zh else _EN, draw)
    if done:
        start, end, text = _narrow(body, certain)
        strong = any(_STRONG.search(new) for _, new in done)
        if len(done) > 1 or strong:
            note = "; ".join(f"{old} → {new or 'nothing'}" for old, new in done)
            yield edit(line, start, end, text, pattern="hedges-to-certainty", note=note)
    for drop in _DROP_ZH if zh else _DROP_EN:
        match = drop.search(body)
        kept = body[: match.start()] if match else ""
        if (
            match
            and len(kept) >= (14 if zh else 45)
            and len(match.group()) <= 0.62 * len(body)
            and _LIMIT.search(match.group())
            and not _CONCEDES.search(kept)
            and not _NEGATIVE.search(kept)
            and kept.count("（") == kept.count("）")
            and kept.count("(") == kept.count(")")
        ):
            note = f"limit dropped: {match.group().strip(' ,;，；')[:80]}"
            yield edit(line, match.start(), match.end(), "", pattern="limit-dropped", note=note)
            if _LIMIT.search(kept):
                # "… carries risks, with no exceptions": the certainty would be that of another limit.
                continue
            instead = draw.choice(_CERTAIN_END_ZH if zh else _CERTAIN_END)
            yield edit(line, match.start(), match.end(), instead, pattern="limit-overruled", note=note)
    front = (_FRONT_ZH if zh else _FRONT_EN).match(body)
    if (
        front
        and len(body) - front.end() >= (14 if zh else 40)
        and _LIMIT.search(front.group())
        and not _LIMIT.search(body[front.end() : front.end() + (12 if zh else 60)])
    ):
        note = f"concession dropped: {front.group().strip(' ,，')[:80]}"
        rest = body[front.end() :]
        yield edit(line, 0, front.end() + 1, capital(rest)[:1], pattern="concession-dropped", note=note)
        small = opening_small(report, capital(rest)) if not zh else rest
        if small is not None:
            opener = draw.choice(
                ("毫无疑问，", "可以肯定的是，", "无论如何，")
                if zh
                else (
                    "Without question, ",
                    "There is no doubt that ",
                    "In every respect, ",
                    "It is settled that ",
                )
            )
            yield edit(
                line, 0, front.end() + 1, opener + small[:1], pattern="concession-overruled", note=note
            )


_STRONG: Final = re.compile(
    r"inevit|certain|always|invariabl|without|prove|establish|bound|every|all|undoubt|unquest|unavoid|will|必|总是|无一|一定|根本|完全|无疑|任何|确定"
)


def _certain(
    body: str, table: tuple[tuple[re.Pattern[str], tuple[str, ...]], ...], draw: Random
) -> tuple[str, list[tuple[str, str]]]:
    """A sentence with every hedge of a table replaced, each by one way only; and what was replaced."""
    done: list[tuple[str, str]] = []
    for pattern, options in table:
        choice = draw.choice(options)

        def put(match: re.Match[str], choice: str = choice) -> str:
            new = choice
            if match.group().startswith("are ") and new.startswith("is "):
                new = "are " + new[3:]
            if match.group()[:1].isupper():
                new = capital(new)
            if not new:
                return match.group()
            # "will … will inevitably … will inevitably": once is enough.
            if any(new == earlier for _, earlier in done) and new.startswith("will "):
                new = "will"
            done.append((match.group(), new))
            return new

        body = pattern.sub(put, body)
    return body, done


def _narrow(old: str, new: str) -> tuple[int, int, str]:
    """The span of ``old`` that differs from ``new``, at word borders, and what replaces it."""
    low = 0
    while low < min(len(old), len(new)) and old[low] == new[low]:
        low += 1
    high = 0
    while high < min(len(old), len(new)) - low and old[-1 - high] == new[-1 - high]:
        high += 1
    return low, len(old) - high, new[low : len(new) - high]


def sites(report: Report, draw: Random) -> Iterable[Place]:
    """Paragraphs with a hedge or a limit."""
    return places(report, draw, _FITS)


_screen: Final = screened(may_drop=True)


def check(reference: Report, perturbed: Report, revision: TextRevision) -> str | None:
    """Fewer hedges and limits than before, at one place, with the claim still there."""
    found, problem = _screen(reference, perturbed, revision)
    if problem:
        return problem
    before, after = (len(_HEDGE.findall(text)) for text in (found.before, found.after))
    if after >= before:
        return "no hedge, condition or limit is gone"
    kept = shared_terms(found.before, found.after)
    if kept < 0.35:
        return f"the claim itself is gone: {kept:.0%} of its terms are left"
    return None


OPERATOR = targeted(
    dimension="qualifiers_counterpoints",
    title="Qualifiers and counterpoints",
    definition=(
        "A conclusion that was scoped by uncertainty, a condition or a counterpoint is stated as certain: the hedge became "
        "a certainty, or the limit it came with is gone, though nothing in the report supports the stronger claim."
    ),
    definition_zh="原本带有不确定性、条件或反面考虑的结论被写成了定论：缓和语变成了断言，或者限定条件被删去，而报告并没有支持更强说法的依据。",
    rule=rule,
    sites=sites,
    ask=(
        "Choose one claim of the passage that is hedged or limited. Turn its hedges into certainty (may → will, potential → "
        "inevitable, suggests → proves), or replace the limitation it names by a wave of the hand. Leave evidence, figures, "
        "citations and every other sentence as they are; do not make it sound like shouting."
    ),
    ask_zh=(
        "从段落中选一处带有缓和语或限定条件的论断，把缓和语改为肯定语气（可能→必然，有望→必将，表明→证明），或把它所说的局限一笔带过。"
        "证据、数字、引用和其他句子保持原样，语气仍要像研究报告。"
    ),
    check=check,
    codes=("QUA001",),
)
