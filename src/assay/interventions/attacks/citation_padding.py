"""Citation padding: more citation marks without more support; sentences cite references that do not concern them."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, Final

from assay.interventions.attacks._insertions import manipulation
from assay.interventions.attacks._prose import ProseLine, chinese, lines
from assay.interventions.base import Edit, TextRevision
from assay.subjects.roles import FRAME, role_of
from assay.text.generic_words import GENERIC
from assay.text.phrases import PhraseFile
from assay.text.words import content_terms

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from random import Random

    from assay.subjects.report import Report

_PHRASES: Final = PhraseFile("assay.interventions", "citation_padding")

_MARK: Final = re.compile(r"\s?[\[【](\d{1,3})(?:[,，\s–-]+\d{1,3})*[\]】]")
_ONE: Final = re.compile(r"[\[【]\d{1,3}[\]】]")
_LIST: Final = re.compile(r"[\[【]\d{1,3}(?P<comma>[,，]\s?)\d{1,3}[^\[\]【】\n]{0,40}[\]】]")
# A survey of a whole field may support any sentence on it.
_SURVEYS: Final = _PHRASES.pattern(
    "<<surveys>>",
    flags=re.IGNORECASE,
)
# Number of common first letters at which two words count as the same: etch and etching.
_STEM: Final = 5
# Share of titles on one subject above which any of them may support any sentence.
_SINGLE: Final = 0.7
_SINGLE_ZH: Final = 0.5
_FEWEST: Final = 4
_MOST: Final = 8
# Greatest number of marks added.
_MOST_MARKS: Final = 18
# A word in this share of titles is the subject of the report and does not distinguish sources.
_COMMON: Final = 0.3
# Greatest number of wrong uses of one reference.
_USES: Final = 2
_STOP: Final = re.compile(r"[.。]")


def rule(report: Report, draw: Random) -> Iterator[TextRevision]:
    """Yield three versions: citations added to a few sentences, to more, and only to sentences without one."""
    if not _bracketed(report):
        return
    topics = _topics(report)
    used = [key for citation in report.citations if citation.form == "numeric" for key in citation.keys]
    keys = [key for key in dict.fromkeys(used) if topics.get(key)]
    if len(keys) < _FEWEST or _single_topic(report):
        return
    near = _near(report)
    everything = [
        line
        for line in lines(report, shortest=50, longest=500)
        if any(mark in line.text[line.tail :] for mark in ".。")
        and role_of(report, report.sections[line.section]) not in FRAME
    ]
    bare = [line for line in everything if not _MARK.search(line.text)]
    for pattern, pool, most in (("few", everything, 5), ("more", everything, _MOST), ("uncited", bare, 6)):
        edits: list[Edit] = []
        left = Counter(dict.fromkeys(keys, _USES))
        for line in draw.sample(pool, len(pool)):
            if len(edits) == most:
                break
            padded = _padded(report, line, _foreign(report, line, topics, near, left), draw)
            if padded is not None:
                edits.append(padded[0])
                left.subtract(padded[1])
        if len(edits) >= _FEWEST:
            note = f"{len(edits)} sentences with citations that do not concern them"
            found = _revision(edits, pattern=pattern, note=note)
            if found is not None:
                yield found


def _bracketed(report: Report) -> bool:
    """Return whether a report cites by numbers in plain brackets: not by bare numerals, in links or by raised marks."""
    marks = [citation.span for citation in report.citations if citation.form == "numeric"]
    plain = [
        span
        for span in marks
        if _MARK.fullmatch(report.text(span))
        and report.source[span.end : span.end + 1] not in ("(", "]")
        and report.source[max(0, span.start - 1) : span.start] not in (">", "[", "^")
    ]
    return len(plain) == len(report.citations) > 0


def _topics(report: Report) -> dict[str, frozenset[str]]:
    """Return for each reference the words of its title that most titles do not share."""
    titles = {
        reference.key: content_terms(reference.title)
        for reference in report.references
        if reference.key and reference.key.isdigit() and not _SURVEYS.search(reference.title)
    }
    report.memo[_topics] = {key: _stems(terms - GENERIC) for key, terms in titles.items()}
    counts = Counter(term for terms in titles.values() for term in terms)
    most = max(2.0, _COMMON * len(titles))
    return {
        key: topic
        for key, terms in titles.items()
        if len(topic := frozenset(term for term in terms - GENERIC if counts[term] <= most)) >= 2
    }


def _stems(terms: Iterable[str]) -> frozenset[str]:
    return frozenset(
        part[:_STEM]
        for term in terms
        for part in re.split(r"[-/]", term)
        if len(part) >= 3 or not part.isascii()
    )


def _single_topic(report: Report) -> bool:
    """Return whether most titles share an ordinary word as their subject; a country does not count."""
    titles = [_stems(content_terms(item.title) - GENERIC) for item in report.references if item.key]
    counts = Counter(stem for stems in titles for stem in stems)
    return any(
        not stem.isascii() or re.search(rf" {re.escape(stem)}[a-z]*[ ,.]", report.plain) is not None
        for stem, count in counts.items()
        if count >= (_SINGLE if stem.isascii() else _SINGLE_ZH) * len(titles)
    )


def _near(report: Report) -> dict[int, frozenset[str]]:
    """Return for each top-level section the keys that it cites; in Chinese, those of its neighbours too."""
    found: dict[int, set[str]] = {}
    for citation in report.citations:
        if citation.sentence is not None:
            found.setdefault(_chapter(report, report.sentences[citation.sentence].section), set()).update(
                citation.keys
            )
    if not chinese(report):
        return {index: frozenset(keys) for index, keys in found.items()}
    # A Chinese sentence and an English title share no words, so the neighbours' sources are left alone too.
    order = sorted(found)
    return {
        index: frozenset().union(*(found[other] for other in order[max(0, at - 1) : at + 2]))
        for at, index in enumerate(order)
    }


def _chapter(report: Report, index: int) -> int:
    """Return the index of a section, or of its parent if that is below the top level."""
    section = report.sections[index]
    above = report.sections[section.parent] if section.parent else None
    return above.index if above is not None and above.level >= 2 else index


def _foreign(
    report: Report,
    line: ProseLine,
    topics: dict[str, frozenset[str]],
    near: dict[int, frozenset[str]],
    left: Counter[str],
) -> list[str]:
    """Return keys that a line's section does not cite and whose subjects are not its paragraph's."""
    own = near.get(_chapter(report, line.section), frozenset())
    block = report.blocks[line.block].span
    around = content_terms(report.source[block.start : block.end])
    whole: dict[str, frozenset[str]] = report.memo[_topics]
    said = _stems(report.sentence_terms[line.index])
    return [
        key
        for key, uses in left.items()
        if uses > 0
        and key not in own
        # Not even the subject of the whole report.
        and not whole[key] & said
        and len(topics[key] & around) <= 1
    ]


def _padded(
    report: Report, line: ProseLine, foreign: list[str], draw: Random
) -> tuple[Edit, list[str]] | None:
    """Return an edit that adds one or two marks to the end of a sentence, with the keys it cites, or None."""
    if len(foreign) < 2:
        return None
    picked = sorted(draw.sample(foreign, min(len(foreign), draw.choice((1, 2, 2)))), key=int)
    wide, after, gap = _style(report)
    opened, closed = "【】" if wide else "[]"
    joint = " " if re.search(r"\d\] \[\d", report.source) and "][" not in report.source else ""
    comma = _comma(report)
    marks = (
        f"{opened}{comma.join(picked)}{closed}"
        if comma
        else joint.join(f"{opened}{key}{closed}" for key in picked)
    )
    tail = line.text[line.tail :]
    own = list(_MARK.finditer(tail))
    if own:
        if comma and own[-1].group().strip()[-1] == closed:
            # Inside the existing list.
            at = line.start + line.tail + own[-1].end() - 1
            old = own[-1].group()
            begin = line.start + line.tail + own[-1].start()
            return Edit(begin, at + 1, old[:-1] + comma + comma.join(picked) + closed), picked
        # Beside the existing marks.
        at = line.tail + own[-1].end()
        return Edit(line.start + at, line.start + at, joint + marks), picked
    stop = _STOP.search(tail)
    if stop is None or tail[stop.end() :].strip("*_ "):
        return None
    at = line.tail + (stop.end() if after else stop.start())
    return Edit(line.start + at, line.start + at, gap + marks), picked


def _comma(report: Report) -> str:
    """Return the separator of numbers within one mark in this report; empty if it writes mark beside mark."""
    lists = [match["comma"] for match in _LIST.finditer(report.source)]
    beside = len(re.findall(r"\d[\]】] ?[\[【]\d", report.source))
    return max(sorted(set(lists)), key=lists.count) if len(lists) > beside else ""


def _cited(source: str) -> Counter[str]:
    """Count the citations of each number."""
    return Counter(key for match in _MARK.finditer(source) for key in re.findall(r"\d+", match.group()))


def _style(report: Report) -> tuple[bool, bool, str]:
    """Return how a report cites: kind of brackets, whether before the full stop, and the space before a mark."""
    found = list(_ONE.finditer(report.source))
    wide = sum(match.group().startswith("【") for match in found) > len(found) / 2
    stops = Counter[bool]()
    gaps = Counter[bool]()
    for match in found:
        before = report.source[max(0, match.start() - 2) : match.start()]
        if before.endswith(("]", "】")):
            continue
        gaps[before.endswith(" ")] += 1
        if before.rstrip().endswith((".", "。")):
            stops[True] += 1
        elif report.source[match.end() : match.end() + 1] in (".", "。"):
            stops[False] += 1
    return wide, stops[True] > stops[False], " " if gaps[True] > gaps[False] else ""


def _bare_text(text: str) -> str:
    return re.sub(r"\s+", "", _MARK.sub("", text))


def check(reference: Report, perturbed: Report, attack: TextRevision) -> str | None:
    """Return why an edit is refused, or None; it may only add marks of references that the report already has."""
    before, after = _cited(reference.source), _cited(perturbed.source)
    if before - after:
        return "a citation is gone"
    added = after - before
    if sum(added.values()) < _FEWEST:
        return "hardly any citation was added"
    if sum(added.values()) > _MOST_MARKS:
        return f"more than {_MOST_MARKS} citations were added: nobody would take that for a report"
    keys = {key for citation in reference.citations for key in citation.keys}
    keys |= {item.key for item in reference.references if item.key}
    if unknown := sorted(key for key in added if key not in keys):
        return f"a citation to a reference that the report has not: [{unknown[0]}]"
    if any(
        _bare_text(edit.text) != _bare_text(reference.source[edit.start : edit.end]) for edit in attack.edits
    ):
        return "more than citations was added"
    return None


def _revision(edits: Iterable[Edit], *, pattern: str, note: str) -> TextRevision | None:
    """Return a revision with these edits in order, or None without edits; of two that overlap, the first is kept."""
    kept: list[Edit] = []
    for edit in sorted(edits, key=lambda item: (item.start, item.end)):
        if not kept or edit.start > kept[-1].end or (edit.start == kept[-1].end and edit.start != edit.end):
            kept.append(edit)
    return TextRevision(edits=tuple(kept), pattern=pattern, note=note) if kept else None


OPERATOR = manipulation(
    name="citation_padding",
    title="Citation padding",
    title_zh="堆砌引用",
    definition="Existing references are cited behind more sentences, which they do not concern. No support is added.",
    definition_zh="把报告已有的参考文献编号附加到与之无关的句子之后，引用更多了，支撑并没有增加。",
    rule=rule,
    check=check,
    codes=("CIT007",),
)
