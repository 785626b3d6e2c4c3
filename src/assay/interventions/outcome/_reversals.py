"""Reversals of one word: a connective becomes one of the opposite kind, a word of direction its opposite."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from assay.interventions.outcome._links import FORMER, opposite_pattern, turned
from assay.interventions.outcome._sentences import ProposedEdit, ProseSentence
from assay.text.phrases import PhraseFile
from assay.text.words import content_terms

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from random import Random

    from assay.subjects.report import Report

_PHRASES: Final = PhraseFile("assay.interventions", "reversals")
_LINKS: Final = PhraseFile("assay.interventions", "links")

_NEEDS_BEFORE: Final = re.compile(r",$|，$")
_ONLY_AT_START: Final = frozenset(("given", "unlike", "contrary to", "since"))
# Links between an action and its result.
_RESULT_EN: Final = _PHRASES.pattern(r"\b(?:<<result>>)\b")
_RESULT_ZH: Final = re.compile(r"从而|进而|使得|使其|因此|由此|最终|以便|导致(?!的)")
_UNFIT_AFTER: Final = re.compile(
    r"\s?(?:than |[约近达到至了超过]{0,3})\s?[$€£]?\d|[-–]|% | practices?\b| to \d| by \d| of \d"
)
_UNFIT_BEFORE: Final = _PHRASES.pattern(r"(?:<<unfit_before>>)\s?$")
# "So" for "but" needs one of these words in both clauses or in neither.
_LIMIT: Final = _PHRASES.pattern("<<limit>>")
_WORTH: Final = _PHRASES.pattern("<<worth>>")
_NEAR: Final = 70
_STANDS_ALONE: Final = (
    "(?![a-z])(?= ?[,;.—:)]| (?:is|are|was|were|has|have|had|can|may|will|would|should|must|being"
    r"|to|in|for|by|[a-z]+(?:ly|[^aius]s|ed))\b| ?[\u4e00-\u9fff，])"
)
# Words of direction or frequency, of which two statements can be compared. Nobody writes the opposite of what is
# meant to "hinder", or of a document of "marginal" weight.
_MEASURED: Final = _PHRASES.pattern("<<measured>>")
# Aims go up: nobody "consolidates" a fall in profits.
_SOUGHT: Final = _PHRASES.pattern("(?:<<sought>>)[^，。；]{0,8}$")
# Greatest number of sentences compared; the rest of a very long report adds nothing.
_COMPARED: Final = 600


def connectives(words: ProseSentence, draw: Random, *, opens: bool) -> Iterator[ProposedEdit]:
    """Yield edits that replace a connective by one of the opposite kind.

    Args:
        words: The sentence.
        draw: Random generator for the choice.
        opens: Whether the sentence opens its block; connectives that refer back are then left alone.
    """
    chinese = not words.plain.isascii() and any("\u4e00" <= char <= "\u9fff" for char in words.plain)
    table = _LINKS["links"].choices("zh" if chinese else "en")
    for link, others in table.items():
        for match in _matches_of_link(words.plain, link, chinese=chinese):
            refers = _NEEDS_BEFORE.search(link) is not None
            if refers and (match.start() > 3 or opens):
                continue
            if link in ("由于", "因为", "虽然", "尽管") and match.start() > 3:
                continue
            if (
                link in ("虽然", "尽管")
                and re.search(r"但|却|仍|也|依然", words.plain[match.end() :])
                and draw.random() < 0.5
            ):
                # 因为……但 reverses only one half; it may be acceptable, but not always.
                continue
            before, after = (
                words.plain[max(0, match.start() - 90) : match.start()],
                words.plain[match.end() : match.end() + 90],
            )
            # After "worth a look", a reservation may as well be a reason.
            if link in (
                _PHRASES["reserved"].words("en") | _PHRASES["reserved"].words("zh")
            ) and _WORTH.search(words.plain[match.end() :]):
                continue
            if link == "but" and (_LIMIT.search(before) or not _LIMIT.search(after)):
                continue
            if re.search(
                r"\b(?:mainly|primarily|largely|partly|mostly|chiefly|only|especially) $|\bnot\b.{0,8}$",
                before,
            ):
                continue
            new = draw.choice(others)
            text = new[0].upper() + new[1:] if match.group()[0].isupper() else new
            note = f"{match.group()} → {text}"
            yield ProposedEdit(
                words.start + match.start(), words.start + match.end(), text, "connective", note
            )


def _matches_of_link(plain: str, link: str, *, chinese: bool) -> Iterator[re.Match[str]]:
    """Yield the matches of a connective in a sentence."""
    if chinese:
        yield from re.finditer(re.escape(link) + ("(?!不|没|未|无)" if link == "从而" else ""), plain)
        return
    follow = _PHRASES["followed"].mapping("en").get(link, r"(?= [A-Za-z])")
    lead = r"(?<![-\w])"
    if link == "but":
        lead = r"(?<=, )"
    end = "" if link.endswith(",") else r"\b"
    for match in re.finditer(lead + re.escape(link) + end + follow, plain, re.IGNORECASE):
        if link in _ONLY_AT_START and match.start() > 3:
            continue
        yield match


def former_latter(words: ProseSentence) -> Iterator[ProposedEdit]:
    """Yield edits that exchange "the former" and "the latter"."""
    # "The former owner" is not the first of two: a pronoun has a verb, a comma or "of" after it.
    hits = [match for word in FORMER for match in re.finditer(re.escape(word) + _STANDS_ALONE, words.plain)]
    hits.sort(key=lambda match: match.start())
    if len(hits) == 1:
        hit = hits[0]
        yield ProposedEdit(
            words.start + hit.start(),
            words.start + hit.end(),
            turned(hit.group()),
            "former-latter",
            f"{hit.group()} → {turned(hit.group())}",
        )
    elif len(hits) == 2 and hits[0].group().lower() != hits[1].group().lower():
        one, two = hits
        text = turned(one.group()) + words.source[one.end() : two.start()] + turned(two.group())
        yield ProposedEdit(
            words.start + one.start(),
            words.start + two.end(),
            text,
            "former-latter",
            "former and latter change places",
        )


def results_reversed(words: ProseSentence) -> Iterator[ProposedEdit]:
    """Yield edits that reverse a sentence's second half: "improves X, thereby reducing Y" becomes "raising Y"."""
    chinese = any("\u4e00" <= char <= "\u9fff" for char in words.plain)
    pattern = opposite_pattern("zh" if chinese else "en")
    for link in (_RESULT_ZH if chinese else _RESULT_EN).finditer(words.plain):
        first = pattern.search(words.plain, 0, link.start())
        second = pattern.search(
            words.plain, link.start() if chinese else link.end(), link.end() + (30 if chinese else 80)
        )
        if first is None or second is None or not _fits(words.plain, second):
            continue
        if (
            second.group() in (_PHRASES["degree"].words("en") | _PHRASES["degree"].words("zh"))
            or ", which " in words.plain[first.end() : second.start()]
        ):
            continue
        yield _turn(words, second, "result-reversed", f"after “{link.group()}”")


def contradictions(report: Report, sentences: Iterable[ProseSentence]) -> Iterator[ProposedEdit]:
    """Yield edits that reverse a direction which another sentence states as before."""
    pattern = opposite_pattern(report.language)
    reach = _NEAR if report.language == "en" else 25
    least = 5 if report.language == "en" else 7
    for words in sentences:
        for match in pattern.finditer(words.plain):
            if (
                not _fits(words.plain, match)
                or match.group() in (_PHRASES["degree"].words("en") | _PHRASES["degree"].words("zh"))
                or not _MEASURED.fullmatch(match.group())
            ):
                continue
            own = content_terms(match.group())
            near = content_terms(words.plain[max(0, match.start() - reach) : match.end() + reach]) - own
            closest = (
                content_terms(words.plain[max(0, match.start() - reach // 4) : match.end() + reach // 3])
                - own
            )
            other = _support(report, words, match.group(), (near, closest), least)
            if other is not None:
                yield _turn(words, match, "contradiction", f"against: “{other[:110]}”")
                break


def _support(
    report: Report, words: ProseSentence, word: str, near: tuple[set[str], set[str]], least: int
) -> str | None:
    """Return another sentence that uses the same word of direction about the same things, or None."""
    terms = report.sentence_terms
    best, found = least - 1, None
    stem = word[: max(4, len(word) - 3)].lower() if word.isascii() else word
    for sentence in report.sentences[:_COMPARED]:
        if sentence.index == words.sentence.index:
            continue
        shared = len(near[0] & terms[sentence.index])
        # Within a section a contradiction is obvious; elsewhere more must agree for it to be noticed.
        shared -= sentence.section != words.sentence.section
        if shared <= best or not near[1] & terms[sentence.index]:
            continue
        text = report.plain_text(sentence.span)
        if stem in text.lower() and turned(word) not in text:
            best, found = shared, text
    return found


def _fits(plain: str, match: re.Match[str]) -> bool:
    before, after = plain[: match.start()], plain[match.end() :]
    if (
        before.count("《") > before.count("》")
        or before.count("“") > before.count("”")
        or before.count('"') % 2
    ):
        # A title or a quotation.
        return False
    if re.search(r"\b[Aa]n? {2,}$", before):
        # An article before bold text, which might have to change with the word.
        return False
    if _UNFIT_AFTER.match(after) or _UNFIT_BEFORE.search(before):
        return False
    if match.group() in ("more", "less", "fewer") and not re.match(r" [a-z]", after):
        return False
    if re.match(r"[\u4e00-\u9fff]", match.group()):
        if _SOUGHT.search(before):
            return False
        return not re.match(r"性|化|者|率|度|幅|量", after)
    if match.group() in ("growth", "decline", "rise", "fall"):
        return bool(re.match(r"[,.;]| (?:in|of)\b", after))
    # "More than half" states an amount, not a direction.
    return not re.match(r" than (?:a|an|one|half|just|any)\b| or less\b", after)


def _turn(words: ProseSentence, match: re.Match[str], pattern: str, note: str) -> ProposedEdit:
    start, new = match.start(), turned(match.group())
    article = re.search(r"\b([Aa]n?) $", words.plain[: match.start()])
    if article is not None:
        right = "an" if new[0] in "aeiou" else "a"
        if right != article.group(1).lower():
            start = article.start()
            new = f"{right.capitalize() if article.group(1)[0] == 'A' else right} {new}"
    return ProposedEdit(
        words.start + start, words.start + match.end(), new, pattern, f"{match.group()} → {new}; {note}"
    )
