"""Local coherence: a wrong connective or a wrong order breaks the step from one sentence to the next."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from assay.interventions.attacks._prose import ProseLine, edit, edit_sites, lines, mixed
from assay.interventions.attacks._targeted_attacks import screened, targeted
from assay.interventions.base import Edit, TextRevision
from assay.text.phrases import PhraseFile
from assay.text.words import content_terms

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from random import Random

    from assay.interventions.base import EditSite
    from assay.subjects.report import Report

_PHRASES: Final = PhraseFile("assay.interventions", "targeted_local_coherence")

# By relation: the words that express it, and words for the wrong relation.
_CONTRAST: Final = (
    "However",
    "Nevertheless",
    "By contrast",
    "On the other hand",
    "Conversely",
    "Even so",
    "That said",
    "In contrast",
    "Nonetheless",
    "Still",
)
_RESULT: Final = (
    "Therefore",
    "As a result",
    "Consequently",
    "For this reason",
    "Accordingly",
    "It follows that",
    "Hence",
    "Thus",
)
_MORE: Final = (
    "Additionally",
    "Furthermore",
    "Moreover",
    "In addition",
    "Similarly",
    "Likewise",
    "Also",
    "Beyond this",
)
_EXAMPLE: Final = ("For example", "For instance", "Specifically", "In particular", "In other words")
_EN_WRONG: Final[tuple[tuple[tuple[str, ...], tuple[str, ...], str], ...]] = (
    (
        _CONTRAST,
        ("Therefore", "As a result", "Consequently", "For this reason", "Accordingly", "In the same way"),
        "contrast → result",
    ),
    (
        _RESULT,
        ("However", "Nevertheless", "By contrast", "Even so", "On the other hand", "In spite of this"),
        "result → contrast",
    ),
    (
        _MORE,
        ("By contrast", "On the contrary", "In spite of this", "Even so", "Instead", "Otherwise"),
        "addition → another relation",
    ),
    (_EXAMPLE, ("By contrast", "Even so", "Instead", "Nevertheless", "Otherwise"), "elaboration → contrast"),
)
_ZH_WRONG: Final[tuple[tuple[tuple[str, ...], tuple[str, ...], str], ...]] = (
    (
        ("然而", "但是", "不过", "相比之下", "与之相反", "相反"),
        ("因此", "由此可见", "正因如此", "所以"),
        "contrast → result",
    ),
    (
        ("因此", "由此可见", "综上", "因而", "所以", "总之", "由此"),
        ("然而", "尽管如此", "相反", "不过"),
        "result → contrast",
    ),
    (
        ("此外", "同时", "另外", "其次", "与此同时", "再次", "再者"),
        ("相反", "尽管如此", "反之", "否则"),
        "addition → another relation",
    ),
    (
        ("例如", "比如", "具体而言", "具体来说", "换言之", "也就是说"),
        ("相反", "尽管如此", "不过", "否则"),
        "elaboration → contrast",
    ),
)
_MID_EN: Final = (
    (
        re.compile(r", but (?=(?:the|these|this|it|they|its|their|most|many|some|there)\b)"),
        (", so ", ", and therefore "),
    ),
    (
        re.compile(
            "(?<!because)(?<!that)(?<!and), (?:while|whereas) (?=(?:the|these|this|it|they|its|their|most"
            r"|many|some|others?)\b)",
        ),
        (", because ", ", so that "),
    ),
    (re.compile(r", so (?=(?:the|these|this|it|they|its|their|most|many)\b)"), (", although ", ", whereas ")),
    (re.compile(r"; however, "), ("; therefore, ", "; for this reason, ")),
    (re.compile(r"; therefore, |; thus, |; as a result, "), ("; nevertheless, ", "; by contrast, ")),
)
_MID_ZH: Final = (
    (re.compile("，因此|，因而|，所以"), ("，但", "，然而", "，不过")),
    (re.compile("，而(?=(?:在|中国|国外|美国|欧洲|其他|传统|后者|另))"), ("，因此", "，所以")),
)
# Words that refer to the sentence before and to nothing else, however a paragraph begins.
_POINTS: Final = _PHRASES.pattern(
    r"^(?:(?:This|These|Such|That|Those) (?!(?:<<document_nouns>>)\b)[a-z]+|(?:<<connectives>>)\b)"
    "|^(?:这(?!里|次)|例如|比如|因此|由此|相比之下|换言之|换句话说|也就是说|具体而言|与之相反"
    "|正因如此|为此)",
)
# A pronoun is left hanging only if nothing at all stands before it.
_PRONOUN: Final = _PHRASES.pattern(
    r"^(?:It(?! (?:<<pronoun>>)\b)|They|Its|Their)\b|^(?:它|其(?!中|他|次|余|实|一|二|三))"
)
_LEANS: Final = _PHRASES.pattern(
    r"^(?:<<leans>>)\b|^(?:这|该|此外|然而|因此|例如|但|同时|其(?!中|他|次|余)|由此|上述|与此同时"
    r"|不过|这些|首先|其次|另)|[:：]\s*$",
)
_OWN_PLAN: Final = re.compile(
    r"This (?:\w+ )?(?:report|research|paper|review|section|analysis|study)\b|本(?:文|报告|研究)"
)
_FITS: Final = _PHRASES.pattern(r"\b(?:<<fits>>)\b|然而|因此|但|同时|此外|例如|不过")
# Words that say how a sentence follows; all others must stay.
_JOINTS: Final = _PHRASES.pattern(
    r"\b(?:<<joints>>)\b|然而|但是|但|不过|相比之下|与之相反|相反|因此|由此可见|综上|因而|所以"
    "|总之|由此|此外|同时|另外|其次|与此同时|再次|再者|例如|比如|具体而言|具体来说|换言之"
    "|也就是说|正因如此|尽管如此|反之|否则|从而|而|即使|除非|如果",
    flags=re.IGNORECASE,
)


def rule(report: Report, draw: Random) -> Iterator[TextRevision]:
    """Yield revisions with a connective of the wrong relation, or with two sentences in the wrong order."""
    groups: dict[str, list[TextRevision]] = {}
    everything = lines(report, shortest=30)
    zh = report.language == "zh"
    for i, line in enumerate(everything):
        follows = (
            i > 0 and everything[i - 1].index == line.index - 1 and everything[i - 1].block == line.block
        )
        if follows:
            found = [
                _opener(line, _ZH_WRONG if zh else _EN_WRONG, draw, zh=zh),
                _turned(report, everything[i - 1], line),
            ]
        else:
            found = []
        found.append(_inside(line, _MID_ZH if zh else _MID_EN, draw))
        for revision in found:
            if revision is not None:
                groups.setdefault(revision.pattern, []).append(revision)
    yield from mixed(groups, draw)


def _opener(
    line: ProseLine,
    table: tuple[tuple[tuple[str, ...], tuple[str, ...], str], ...],
    draw: Random,
    *,
    zh: bool,
) -> TextRevision | None:
    for right, wrong, relation in table:
        for word in sorted(right, key=len, reverse=True):
            if not line.text.startswith(word):
                continue
            rest = line.text[len(word) :]
            if not rest.startswith(("，", ",") if zh else (", ",)):
                return None
            new = draw.choice([other for other in wrong if other != word])
            return edit(
                line, 0, len(word), new, pattern="connective-reversed", note=f"{relation}: {word} → {new}"
            )
    return None


def _inside(
    line: ProseLine, table: tuple[tuple[re.Pattern[str], tuple[str, ...]], ...], draw: Random
) -> TextRevision | None:
    for pattern, wrong in table:
        found = list(pattern.finditer(line.text))
        if (
            len(found) == 1
            and not re.search('["“”]', line.text)
            and re.search(
                r"^(?:虽|由于|鉴于|因为|尽管|即使|Although|While|Though|If)|不仅|not only|不是", line.text
            )
            is None
        ):
            match, new = found[0], draw.choice(wrong)
            note = f"between clauses: {match.group().strip(' ,;，')} → {new.strip(' ,;，')}"
            return edit(line, match.start(), match.end(), new, pattern="clause-joint-reversed", note=note)
    return None


def _turned(report: Report, first: ProseLine, second: ProseLine) -> TextRevision | None:
    """Return a revision that swaps a paragraph's first two sentences, or None if that would still make sense."""
    block = report.blocks[first.block]
    if block.kind != "paragraph" or first.start > block.span.start + 1:
        return None
    opens = first.block > 0 and report.blocks[first.block - 1].kind == "heading"
    hangs = opens and not _answered(report, first.block - 1, first) and _PRONOUN.match(second.text)
    if not _POINTS.match(second.text) and not hangs:
        return None
    if not opens and first.block > 0 and _answered(report, first.block - 1, second):
        return None
    if _LEANS.search(first.text) or first.text.startswith("*") or _OWN_PLAN.match(second.text):
        return None
    between = report.source[first.end : second.start]
    if between.strip() or len(first.text) + len(second.text) > 700:
        return None
    if not all(text.rstrip().endswith((".", "]", "。", "】")) for text in (first.text, second.text)):
        return None
    return TextRevision(
        edits=(Edit(first.start, second.end, second.text + between + first.text),),
        pattern="order-reversed",
        note=f"now before what it refers to: {second.text[:70]}",
    )


def _answered(report: Report, before: int, second: ProseLine) -> bool:
    """Return whether a sentence may refer to the paragraph before, because that contains its first terms."""
    block = report.blocks[before]
    opening = content_terms(second.text[: 24 if report.language == "zh" else 60])
    return len(opening & content_terms(report.source[block.span.start : block.span.end])) > 0


def sites(report: Report, draw: Random) -> Iterable[EditSite]:
    """Return paragraphs with connectives."""
    return edit_sites(report, draw, _FITS)


_screen: Final = screened()


def check(reference: Report, perturbed: Report, revision: TextRevision) -> str | None:
    """Return why an edit is refused, or None; it may only exchange a connective or the order of the same terms."""
    found, problem = _screen(reference, perturbed, revision)
    if problem:
        return problem
    before, after = (content_terms(_JOINTS.sub(" ", text)) for text in (found.before, found.after))
    lost, new = before - after, after - before
    # A boundary between Chinese characters makes a pair of its own; one word more or less is a rewording.
    allowed = 4 if reference.language == "zh" else 1
    if len(lost) > allowed or len(new) > allowed:
        return f"more than the transition differs: {', '.join(sorted(lost | new)[:4])}"
    joints = [[match.lower() for match in _JOINTS.findall(text)] for text in (found.before, found.after)]
    flat = [" ".join(text.split()) for text in (found.before, found.after)]
    if joints[0] == joints[1] and sorted(flat[0]) != sorted(flat[1]):
        return "neither a connective nor the order of sentences differs"
    return None


OPERATOR = targeted(
    dimension="local_coherence",
    title="Local coherence",
    title_zh="损害局部连贯",
    definition=(
        "Two neighbouring sentences or clauses no longer follow from each other: the connective names a "
        "relation they do not have, a condition is turned round, or what refers back stands before what it "
        "refers to."
    ),
    definition_zh="相邻的句子或分句之间不再连贯：连接词所表示的关系并不存在，条件被颠倒，或指代前文的句子被放到了所指内容之前。",
    rule=rule,
    sites=sites,
    ask=(
        "Break one transition between two neighbouring sentences or clauses: reverse the connective, turn "
        "a condition round, or put a sentence that refers back before what it refers to. Use the same "
        "words otherwise; facts, figures and citations stay. Each sentence must be good by itself, only "
        "their relation wrong."
    ),
    ask_zh=(
        "破坏相邻两句（或两个分句）之间的一处衔接：把连接词换成相反的关系、颠倒条件，或把指代前文的句子移到所指内容之前。"
        "其余用词、事实、数字和引用不变；每句话单独看都通顺，只是相互关系不对。"
    ),
    check=check,
    codes=("COH008",),
)
