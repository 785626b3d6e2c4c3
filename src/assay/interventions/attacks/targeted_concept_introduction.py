"""A term is used without having been introduced: its expansion, gloss or definition at first use is gone."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from assay.interventions.attacks._introductions import (
    APPOSED,
    BEFORE_EN,
    BEFORE_ZH,
    BRACKET,
    BRACKET_ZH,
    DEFINES,
    DEFINES_ZH,
    FINITE,
    FRONTED,
    INSTEAD,
    INSTEAD_ZH,
    KNOWN,
    LEAD,
    LONG_AFTER,
    LONG_AFTER_ZH,
    MEANING,
    MEANING_ZH,
    NOT_NAME_ZH,
    NOT_TERMS,
    SHORT,
    SHORT_ZH,
    SMALL,
)
from assay.interventions.attacks._prose import Line, chinese, edit, lines, mixed, phrase_of, places
from assay.interventions.attacks._targeted import screened, targeted
from assay.text.generic import GENERIC
from assay.text.words import content_terms

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from random import Random

    from assay.interventions.base import Place, TextRevision
    from assay.subjects.report import Report

_FITS: Final = re.compile(
    r"\([A-Z][A-Za-z]{1,8}\)|refers to|defined as|i\.e\.|that is,|（[A-Z][A-Za-z]{1,8}）|是指|指的是|，即"
)


def rule(report: Report, draw: Random) -> Iterator[TextRevision]:
    """First uses that lose what introduced the term, and terms that turn up before they are introduced."""
    groups: dict[str, list[TextRevision]] = {}
    zh = chinese(report)
    everything = lines(report, shortest=40, longest=600)
    for line in everything:
        for found in (_chinese if zh else _english)(report, line, draw):
            groups.setdefault(found.pattern, []).append(found)
    early = list(_too_early(report, everything, draw, zh=zh))
    yield from mixed(groups, draw)
    # A term brought forward reads less smoothly than one whose introduction is gone.
    yield from mixed({"used-before": early}, draw)


def _too_early(report: Report, everything: list[Line], draw: Random, *, zh: bool) -> Iterator[TextRevision]:
    """Sentences of the opening that speak of a term which the report introduces much later."""
    ref = report.reference_span
    size = ref.start if ref is not None else len(report.source)
    late: list[str] = []
    for line in everything:
        if line.start < 0.18 * size or line.start >= size:
            continue
        pattern = SHORT_ZH if zh else SHORT
        for match in pattern.finditer(line.text):
            known = match["short"] in KNOWN or (not zh and _expansion(match["long"], match["short"]) is None)
            if not known and _nowhere(report, match["short"], line.start + match.start()):
                late.append(match["short"].rstrip("s") if match["short"][:-1].isupper() else match["short"])
        lead = LEAD.match(line.text)
        if lead and line.text[lead.end() :].strip():
            term = phrase_of(report, lead["term"])
            if (
                term
                and not re.search(r"\d", term)
                and _nowhere(report, term, line.start)
                and content_terms(term) - GENERIC
            ):
                late.append(term)
    late = list(dict.fromkeys(late))
    opening = [
        line
        for line in everything
        if line.start < 0.12 * size and line.text[line.tail :].strip()[:1] in (".", "。")
    ]
    draw.shuffle(late)
    for line in opening[:4]:
        if not late:
            return
        term = late.pop()
        # A singular reads right after each of the phrases; a plural only after those without a verb.
        many = term.endswith("s") and not term.endswith(("ss", "is", "us")) and not term.isupper()
        forms = BEFORE_ZH if zh else BEFORE_EN[:3] if many else BEFORE_EN
        new = draw.choice(forms).format(terms=term)
        yield edit(
            line,
            line.tail,
            line.tail,
            new,
            pattern="used-before",
            note=f"used before it is introduced: {term}",
        )


def _nowhere(report: Report, term: str, before: int) -> bool:
    return report.plain.lower().find(term.lower(), 0, before) < 0


def _later(report: Report, term: str, after: int) -> int:
    ref = report.reference_span
    end = ref.start if ref is not None and ref.start > after else len(report.plain)
    return len(
        re.findall(
            rf"(?<![A-Za-z0-9]){re.escape(term)}(?![A-Za-z0-9])", report.plain[after:end], re.IGNORECASE
        )
    )


def _first(report: Report, term: str, at: int) -> bool:
    """Whether running text does not use a term before a place; headings do not count."""
    pattern = re.compile(rf"(?<![A-Za-z0-9]){re.escape(term)}(?![A-Za-z0-9])", re.IGNORECASE)
    for match in pattern.finditer(report.plain, 0, at):
        block = report.block_at(match.start())
        if block is not None and block.kind in ("paragraph", "item"):
            return False
    return True


def _english(report: Report, line: Line, draw: Random) -> Iterator[TextRevision]:
    text = line.text
    for match in SHORT.finditer(text):
        short, start = match["short"], _expansion(match["long"], match["short"])
        at = line.start + match.start()
        if (
            start is None
            or short in KNOWN
            or not _first(report, short, at)
            or _later(report, short, line.end) < 1
        ):
            continue
        begin = match.start() + start
        note = f"expansion gone: {match.group()[start:]}"
        yield edit(line, begin, match.end(), short, pattern="expansion-gone", note=note)
    for match in LONG_AFTER.finditer(text):
        if (
            _expansion(match["long"], match["short"]) == 0
            and match["short"] not in KNOWN
            and _first(report, match["short"], line.start + match.start())
            and _later(report, match["short"], line.end)
        ):
            note = f"expansion gone: {match.group()}"
            yield edit(line, match.end("short"), match.end(), "", pattern="expansion-gone", note=note)
    for match in APPOSED.finditer(text[: line.tail]):
        term = _head(match["term"])
        before, after = text[: match.start("gloss")], text[match.end() : line.tail]
        if not _glossed(report, line, match, term) or FINITE.search(
            match["gloss"].split(" that ")[0].split(" which ")[0].split(" who ")[0].split(" where ")[0]
        ):
            continue
        if (
            FRONTED.match(before)
            or re.match(r" (?:an?|and|or|the) ", after)
            or (", " in before[-60:] and not match["end"])
        ):
            continue
        if not (term.islower() or term.isupper()) or (" and " in match["gloss"] and not match["end"]):
            continue
        end = match.end() if match["end"] else match.end("gloss")
        yield edit(
            line,
            match.start("gloss"),
            end,
            "",
            pattern="gloss-gone",
            note=f"gloss gone: {match['gloss'].strip(' ,')[:80]}",
        )
    for pattern in (MEANING, BRACKET):
        for match in pattern.finditer(text[: line.tail]):
            found = re.search(r"([A-Za-z][\w’'-]+)\W*$", text[: match.start("gloss")])
            term = found.group(1) if found else ""
            if not _glossed(report, line, match, term) or len(term) < 5:
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
    if defined and defined["term"].split()[0].lower() not in NOT_TERMS:
        term = defined["term"]
        bare = re.sub(r"^The ", "", term)
        if (
            not term.startswith(("A ", "An "))
            and len(text) <= 300
            and _first(report, bare, line.start)
            and _later(report, bare, line.end) >= 2
        ):
            many = bool(
                re.search(
                    r"(?:refer|denote|describe|are defined as)\b",
                    text[defined.end("term") : defined.start("rest")],
                )
            )
            verbs = (
                {"has": "have", "runs": "run", "is": "are", "deserves": "deserve", "figures": "figure"}
                if many
                else {}
            )
            new = draw.choice(INSTEAD).format(
                term=term,
                **{verb: verbs.get(verb, verb) for verb in ("has", "runs", "is", "deserves", "figures")},
            )
            yield edit(
                line,
                0,
                line.tail,
                new,
                pattern="definition-emptied",
                note=f"definition gone: {text[: line.tail][:90]}",
            )


def _chinese(report: Report, line: Line, draw: Random) -> Iterator[TextRevision]:
    text = line.text
    for match in SHORT_ZH.finditer(text):
        short = match["short"]
        if (
            _first(report, short, line.start + match.start())
            and short not in KNOWN
            and _later(report, short, line.end) >= 1
        ):
            # Only what is certainly part of the name goes with its bracket: the words after the last function word.
            name = NOT_NAME_ZH.split(match["long"])[-1]
            if len(name) < 3:
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
            and match["short"] not in KNOWN
            and text[max(0, match.start() - 1) : match.start()] != " "
            and _first(report, match["short"], line.start + match.start())
            and _later(report, match["short"], line.end)
        ):
            yield edit(
                line,
                match.end("short"),
                match.end(),
                "",
                pattern="expansion-gone",
                note=f"expansion gone: {match.group()}",
            )
    for pattern in (MEANING_ZH, BRACKET_ZH):
        for match in pattern.finditer(text[: line.tail]):
            before = re.search(
                r"([\u4e00-\u9fff]{2,4}|[A-Za-z][A-Za-z0-9-]+)[”》\"*]*$", text[: match.start("gloss")]
            )
            if before is None or _later(report, before.group(1), line.end) < 1 or match.start("gloss") < 2:
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
    defined = DEFINES_ZH.match(text[: line.tail])
    if defined and not re.match(r"这|该|其|它|此|本|上述|主要|目前|以下|以上", defined["term"]):
        term = defined["term"]
        if _first(report, term, line.start) and _later(report, term, line.end) >= 1:
            new = draw.choice(INSTEAD_ZH).format(term=term)
            yield edit(
                line,
                0,
                line.tail,
                new,
                pattern="definition-emptied",
                note=f"definition gone: {text[: line.tail][:60]}",
            )


def _head(words: str) -> str:
    return words.rsplit(maxsplit=1)[-1]


def _glossed(report: Report, line: Line, match: re.Match[str], term: str) -> bool:
    low = term.lower()
    if len(low) < 4 or low in NOT_TERMS or low.endswith("ly"):
        return False
    if re.match(
        r", a(?:n|s)? (?:\w+ )?(?:significant|major|key|notable|substantial|figure|increase|decrease|trend|fact|shift|finding|move|result|total|number|year|few|lot|variety|range|wide)\b",
        match["gloss"],
    ):
        return False
    return _later(report, term, line.end) >= 1


def _expansion(long: str, short: str) -> int | None:
    """Where in ``long`` the words begin whose initials make ``short``; None where they do not."""
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


def sites(report: Report, draw: Random) -> Iterable[Place]:
    """Paragraphs in which a term is introduced."""
    return places(report, draw, _FITS)


_screen: Final = screened(may_drop=True)


def check(reference: Report, perturbed: Report, revision: TextRevision) -> str | None:
    """An explanation is gone, and some term that stood beside it is used there or later."""
    found, problem = _screen(reference, perturbed, revision)
    if problem:
        return problem
    lost = content_terms(found.before) - content_terms(found.after)
    if not lost and len(found.after) >= len(found.before):
        ahead = content_terms(found.after) - content_terms(reference.source[: revision.edits[0].end])
        if ahead & content_terms(reference.source[revision.edits[0].end :]):
            # A term that the reference brings up only later.
            return None
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
    definition=(
        "A term, short form or assumption is used without having been introduced: its expansion, gloss or definition at first use "
        "is missing, so that a reader meets it unprepared."
    ),
    definition_zh="术语、缩写或前提在未作介绍的情况下被使用：首次出现处的全称、注解或定义缺失，读者看到时毫无准备。",
    rule=rule,
    sites=sites,
    ask=(
        "Find the place in the passage where a term or short form is introduced (spelt out, glossed, defined) and remove the "
        "introduction, so that the bare term stands there; or use a term of the report before it has been introduced. Say nothing "
        "false and leave every other sentence alone."
    ),
    ask_zh="找到段落中介绍某个术语或缩写的地方（给出全称、注解或定义），去掉介绍，只留下术语本身；或在介绍之前就使用报告中的某个术语。不写错误内容，其他句子不动。",
    check=check,
    codes=("COH005", "COH006"),
)
