"""Concept introduction: a term is used without its expansion, gloss or definition at first use."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from assay.interventions.attacks._introductions import (
    BRACKET,
    BRACKET_ZH,
    DEFINES,
    DEFINES_ZH,
    LONG_AFTER,
    LONG_AFTER_ZH,
    MEANING,
    MEANING_ZH,
    NOT_NAME_ZH,
    NOT_TERMS,
    SHORT,
    SHORT_ZH,
    SMALL,
    UNSURE_ZH,
)
from assay.interventions.attacks._prose import (
    ProseLine,
    chinese,
    edit,
    edit_sites,
    lines,
    mixed,
    opening_small,
)
from assay.interventions.attacks._targeted_attacks import screened, targeted
from assay.text.phrases import PhraseFile
from assay.text.words import content_terms

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from random import Random

    from assay.interventions.base import EditSite, TextRevision
    from assay.subjects.report import Report

_PHRASES: Final = PhraseFile("assay.interventions", "targeted_concept_introduction")
_INTRODUCTIONS: Final = PhraseFile("assay.interventions", "introductions")

_FITS: Final = _PHRASES.pattern("<<fits>>")


def rule(report: Report, draw: Random) -> Iterator[TextRevision]:
    """Yield revisions that remove the introduction of a term at its first use."""
    groups: dict[str, list[TextRevision]] = {}
    zh = chinese(report)
    everything = lines(report, shortest=40, longest=600)
    for i, line in enumerate(everything):
        after = everything[i + 1] if i + 1 < len(everything) else None
        follows = after if after and after.block == line.block and after.index == line.index + 1 else None
        for found in (_chinese if zh else _english)(report, line, follows, draw):
            groups.setdefault(found.pattern, []).append(found)
    yield from mixed(groups, draw)


def _later(report: Report, term: str, after: int) -> int:
    ref = report.reference_span
    end = ref.start if ref is not None and ref.start > after else len(report.plain)
    return len(
        re.findall(
            rf"(?<![A-Za-z0-9]){re.escape(term)}(?![A-Za-z0-9])", report.plain[after:end], re.IGNORECASE
        )
    )


def _explained_nearby(report: Report, line: ProseLine, long: str, short: str) -> bool:
    """Return whether a title, the query or another passage says what a short form stands for."""
    low = long.lower().strip()
    titles = " ".join(section.title for section in report.sections).lower() + (report.query or "").lower()
    if low in titles or short.lower() in (report.query or "").lower():
        return True
    text = report.source.lower()
    if low in text[max(0, line.start - 1_200) : line.start] or low in text[line.end : line.end + 700]:
        return True
    # Introduced a second time later on.
    again = rf"[(（]\s?(?:[^()（）]{{0,60}}[,，]\s?)?{re.escape(short)}s?\s?[)）]|(?<![A-Za-z]){re.escape(short)}\s?[(（]"
    rest = report.source[: line.start] + " ¶ " + report.source[line.end :]
    return re.search(again, rest) is not None


def _bare(text: str, begin: int, short: str) -> tuple[int, str]:
    """Return the offset at which a short form begins that replaces words, and the short form with its article."""
    article = re.search(r"\b(an?) $", text[:begin], re.IGNORECASE)
    if article is None:
        return begin, short
    spelt = short[1:2].isupper() or len(short) == 1
    vowel = short[0] in "AEFHILMNORSX" if spelt else short[0] in "AEIOU"
    new = "an" if vowel else "a"
    return article.start(1), f"{new.capitalize() if article[1][0].isupper() else new} {short}"


def _first(report: Report, term: str, at: int) -> bool:
    """Return whether running text does not use a term before an offset; headings do not count."""
    pattern = re.compile(rf"(?<![A-Za-z0-9]){re.escape(term)}(?![A-Za-z0-9])", re.IGNORECASE)
    for match in pattern.finditer(report.plain, 0, at):
        block = report.block_at(match.start())
        if block is not None and block.kind in ("paragraph", "item"):
            return False
    return True


def _english(
    report: Report, line: ProseLine, follows: ProseLine | None, draw: Random
) -> Iterator[TextRevision]:
    text = line.text
    for match in SHORT.finditer(text):
        short, start = match["short"], _expansion(match["long"], match["short"])
        at = line.start + match.start()
        if (
            start is None
            or short in _INTRODUCTIONS["known"].words("en")
            or not _first(report, short, at)
            or _later(report, short, line.end) < 1
            or _explained_nearby(report, line, match["long"][start:], short)
        ):
            continue
        note = f"expansion gone: {match.group()[start:]}"
        begin, new = _bare(text, match.start() + start, short)
        yield edit(line, begin, match.end(), new, pattern="expansion-gone", note=note)
    for match in LONG_AFTER.finditer(text):
        if (
            _expansion(match["long"], match["short"]) == 0
            and match["short"] not in _INTRODUCTIONS["known"].words("en")
            and _first(report, match["short"], line.start + match.start())
            and _later(report, match["short"], line.end)
            and not _explained_nearby(report, line, match["long"], match["short"])
        ):
            note = f"expansion gone: {match.group()}"
            yield edit(line, match.end("short"), match.end(), "", pattern="expansion-gone", note=note)
    for pattern in (MEANING, BRACKET):
        for match in pattern.finditer(text[: line.tail]):
            found = re.search(r"([A-Za-z][\w’'-]+)\W*$", text[: match.start("gloss")])
            term = found.group(1) if found else ""
            if not _glossed(report, line, term) or len(term) < 5:
                continue
            closed = "end" in match.groupdict() and match["end"] in (")", "—")
            end = match.end() if closed or pattern is BRACKET else match.end("gloss")
            start = match.start("gloss") - (pattern is BRACKET)
            yield edit(
                line,
                start,
                end,
                "",
                pattern="gloss-gone",
                note=f"gloss gone: {match['gloss'].strip(' ,()—')[:80]}",
            )
    defined = DEFINES.match(text[: line.tail])
    if defined and defined["term"].split()[0].lower() not in NOT_TERMS and len(text) <= 300:
        term = defined["term"]
        bare = re.sub(r"^The ", "", term)
        if (
            term.startswith(("A ", "An "))
            or not _first(report, bare, line.start)
            or _later(report, bare, line.end) < 2
            or _defined_again(report, bare, line)
        ):
            return
        note = f"definition gone: {text[: line.tail][:90]}"
        yield from _without(report, line, follows, bare, note)
        many = bool(
            re.search(
                r"(?:refer|denote|describe|are defined as)\b",
                text[defined.end("term") : defined.start("rest")],
            )
        )
        verbs = {"has": "have", "is": "are", "needs": "need"} if many else {}
        small = opening_small(report, term)
        forms = [form for form in _INTRODUCTIONS["empty_introductions"].en if "{small}" not in form or small]
        new = draw.choice(forms).format(
            term=term, small=small, **{verb: verbs.get(verb, verb) for verb in ("has", "is", "needs")}
        )
        yield edit(line, 0, line.tail, new, pattern="definition-emptied", note=note)


def _defined_again(report: Report, term: str, line: ProseLine) -> bool:
    """Return whether the meaning of a term is stated again later."""
    again = (
        rf"{re.escape(term)}[^.。\n]{{0,24}}(?:\b(?:refers? to|is defined as|are defined as|means"
        r"|denotes?|is an? \w+|is the \w+)|是指|指的是|是一种|是一类|被定义为|定义为|，即|[:：])"
    )
    return re.search(again, report.source[line.end : line.end + 4_000], re.IGNORECASE) is not None


def _without(
    report: Report, line: ProseLine, follows: ProseLine | None, term: str, note: str
) -> Iterator[TextRevision]:
    """Yield revisions in which a paragraph starts with the text that followed the definition."""
    if line.start > report.blocks[line.block].span.start + 2:
        return
    if follows is None or term.lower() not in follows.text.lower() or _LEANS.match(follows.text):
        return
    if report.source[line.end : follows.start].strip():
        return
    yield edit(line, 0, follows.start - line.start, "", pattern="definition-gone", note=note)


_LEANS: Final = _PHRASES.pattern(r"^(?:<<leans>>)\b|^(?:这|该|其|它|此|因此|例如|但|与此|也|即|换)")


def _chinese(
    report: Report, line: ProseLine, follows: ProseLine | None, draw: Random
) -> Iterator[TextRevision]:
    yield from _chinese_expansions(report, line)
    yield from _chinese_glosses(report, line)
    yield from _chinese_definitions(report, line, follows, draw)


def _chinese_expansions(report: Report, line: ProseLine) -> Iterator[TextRevision]:
    """Yield revisions that remove the full name before or after a short form."""
    text = line.text
    for match in SHORT_ZH.finditer(text):
        short = match["short"]
        if (
            _first(report, short, line.start + match.start())
            and short not in _INTRODUCTIONS["known"].words("en")
            and _later(report, short, line.end) >= 1
        ):
            # Only what is certainly part of the name goes with its bracket: the words after the last function word.
            name = NOT_NAME_ZH.split(match["long"])[-1]
            if len(name) < 3 or UNSURE_ZH.search(name) or _explained_nearby(report, line, name, short):
                continue
            begin = match.end("long") - len(name)
            yield edit(
                line,
                begin,
                match.end(),
                short,
                pattern="expansion-gone",
                note=f"expansion gone: {text[begin : match.end()]}",
            )
    for match in LONG_AFTER_ZH.finditer(text):
        if (
            match["short"].isupper()
            and not re.match("包含|包括|含|如|例|见|约|即|等|以|不|仅|已|或", match["long"])
            and match["short"] not in _INTRODUCTIONS["known"].words("en")
            and text[max(0, match.start() - 1) : match.start()] != " "
            and _first(report, match["short"], line.start + match.start())
            and _later(report, match["short"], line.end)
            and not _explained_nearby(report, line, match["long"], match["short"])
        ):
            yield edit(
                line,
                match.end("short"),
                match.end(),
                "",
                pattern="expansion-gone",
                note=f"expansion gone: {match.group()}",
            )


def _chinese_glosses(report: Report, line: ProseLine) -> Iterator[TextRevision]:
    """Yield revisions that remove the explanation after a term."""
    text = line.text
    for pattern in (MEANING_ZH, BRACKET_ZH):
        for match in pattern.finditer(text[: line.tail]):
            before = re.search(
                r"([\u4e00-\u9fff]{2,4}|[A-Za-z][A-Za-z0-9-]+)[”》\"*]*$", text[: match.start("gloss")]
            )
            if before is None or _later(report, before.group(1), line.end) < 1 or match.start("gloss") < 2:
                continue
            rest = text[: match.start("gloss")]
            if (
                re.match("[（(，—]*即(?:这|不|他|它|我|你)", match["gloss"])
                or "所谓" in rest[-12:]
                or rest[-1:] == "是"
                or _defined_again(report, before.group(1), line)
            ):
                continue
            # A term with its gloss and nothing more would be left as a stump.
            if len(text) - len(match.group("gloss")) < 18 or (
                not match.groupdict().get("end") and len(rest) < 16
            ):
                continue
            closed = "end" in match.groupdict() and match["end"] in ("）", ")")
            end = match.end() if closed or pattern is BRACKET_ZH else match.end("gloss")
            if closed != (match["gloss"][0] in "（(") and pattern is MEANING_ZH:
                continue
            yield edit(
                line,
                match.start("gloss"),
                end,
                "",
                pattern="gloss-gone",
                note=f"gloss gone: {match['gloss'].strip('，（）')[:60]}",
            )


def _chinese_definitions(
    report: Report, line: ProseLine, follows: ProseLine | None, draw: Random
) -> Iterator[TextRevision]:
    """Yield revisions that remove the sentence that defines a term, or replace it by an empty one."""
    text = line.text
    defined = DEFINES_ZH.match(text[: line.tail])
    if defined and not re.match(
        r"这|该|其|它|此|本|上述|主要|目前|以下|以上|.*[被就则都也]$", defined["term"]
    ):
        term = defined["term"]
        if (
            _first(report, term, line.start)
            and _later(report, term, line.end) >= 1
            and not _defined_again(report, term, line)
        ):
            note = f"definition gone: {text[: line.tail][:60]}"
            yield from _without(report, line, follows, term, note)
            new = draw.choice(_INTRODUCTIONS["empty_introductions"].zh).format(term=term)
            yield edit(line, 0, line.tail, new, pattern="definition-emptied", note=note)


def _glossed(report: Report, line: ProseLine, term: str) -> bool:
    low = term.lower()
    if len(low) < 4 or low in NOT_TERMS or low.endswith("ly"):
        return False
    if not _first(report, term, line.start):
        return False
    return _later(report, term, line.end) >= 1


def _expansion(long: str, short: str) -> int | None:
    """Return the offset in ``long`` of the words whose initials make ``short``, or None."""
    letters = [char.lower() for char in short.rstrip("s") if char.isalpha()]
    words = list(re.finditer(r"[A-Za-z][a-z’']*|[A-Z]", long.replace("-", " ").replace("/", " ")))
    at = len(letters) - 1
    start: int | None = None
    for word in reversed(words):
        if at < 0:
            break
        low = word.group().lower()
        if low[0] == letters[at]:
            at, start = at - 1, word.start()
        elif low not in SMALL:
            # "deoxyribonucleic acid (DNA)": letters from inside a word.
            inside = [i for i in range(at + 1) if letters[i] == low[0] and _within(letters[i : at + 1], low)]
            if not inside:
                return None
            at, start = inside[0] - 1, word.start()
    return start if at < 0 else None


def _within(letters: list[str], word: str) -> bool:
    rest = iter(word)
    return all(letter in rest for letter in letters)


def sites(report: Report, draw: Random) -> Iterable[EditSite]:
    """Return paragraphs in which a term is introduced."""
    return edit_sites(report, draw, _FITS)


_screen: Final = screened(may_drop=True)


def check(reference: Report, perturbed: Report, revision: TextRevision) -> str | None:
    """Return why an edit is refused, or None; it must remove the explanation of a term that the report still uses."""
    found, problem = _screen(reference, perturbed, revision)
    if problem:
        return problem
    lost = content_terms(found.before) - content_terms(found.after)
    if not lost and len(found.after) >= len(found.before):
        return "no explanation of a term is gone"
    site = revision.edits[0].start
    body = perturbed.source[max(0, site - 200) :]
    kept = content_terms(found.before) & content_terms(body)
    if not kept:
        return "the term itself is gone"
    new = content_terms(found.after) - content_terms(reference.source)
    if len(new) > 6:
        return f"new matter: {', '.join(sorted(new)[:4])}"
    return None


OPERATOR = targeted(
    dimension="concept_introduction",
    title="Concept introduction and logical transition",
    title_zh="损害概念引入与逻辑过渡",
    definition=(
        "A term, short form or assumption is used without having been introduced: its expansion, gloss or "
        "definition at first use is missing, so that a reader meets it unprepared."
    ),
    definition_zh="术语、缩写或前提在未作介绍的情况下被使用：首次出现处的全称、注解或定义缺失，读者看到时毫无准备。",
    rule=rule,
    sites=sites,
    ask=(
        "Find the place in the passage where a term or short form is introduced (spelt out, glossed, "
        "defined) and remove the introduction, so that the bare term stands there; or use a term of the "
        "report before it has been introduced. Say nothing false and leave every other sentence alone."
    ),
    ask_zh="找到段落中介绍某个术语或缩写的地方（给出全称、注解或定义），去掉介绍，只留下术语本身；或在介绍之前就使用报告中的某个术语。不写错误内容，其他句子不动。",
    check=check,
    codes=("COH005", "COH006"),
)
