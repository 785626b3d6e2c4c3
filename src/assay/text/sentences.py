"""Sentence boundaries for English and Chinese, on the plain view, in linear time.

Right for abbreviations, initials, decimals, versions, URLs (already blanked), closing quotes and brackets, and for
citation markers after the full stop (blanked too, so they count as the space that follows the sentence). A line
break inside a paragraph is not a boundary in prose.

Where a full stop could be either – "in the U.S. Department" against "in the U.S. The" – the next word decides: a
capitalised function word begins a sentence, a name does not. That errs towards leaving two sentences together, which
harms a rule less than half a sentence.
"""

from __future__ import annotations

import re
from typing import Final

ABBREVIATIONS: Final = frozenset(
    """adj adm approx apr art assn assoc aug ave bldg bn blvd bros c ca capt cf ch chap cir circa co col comdr
    corp cos d.c dec dept dist div dr e.g e.u ed eds eg e.g eq eqs esp esq est et etc ex ext feb ff fig figs
    ft gal gen gov govt hon hr hrs i.e ibid ie inc incl inst int intl jan jr jul jun lb lbs lt ltd maj mar
    max messrs mfg mg mgr min mm mo mon mr mrs ms mt nat natl nm no nos nov nr oct op oz p par para pct ph.d
    phd pl pp pres prof pt pub qtr ref refs reg rep reps resp ret rev rs sat sci sec sect secs sen sens sep
    sept ser sgt sic sq sr st supp suppl tbsp tel thu thurs treas tue tues u.k u.n u.s u.s.a univ v var viz
    vol vols vs wed yd yr yrs a.m p.m a.k.a al b.a b.s m.a m.d m.sc b.sc u.s.c n.b w.r.t d.phil""".split()
)
# Never the last word of a sentence, whatever follows: titles before a name, and Latin in the middle of things.
_NEVER_LAST: Final = frozenset(
    """dr mr mrs ms messrs prof capt col sgt lt maj gen gov sen rep hon e.g eg i.e ie cf vs v viz eq eqs fig
    figs""".split()
)
# After these any capital begins a sentence.
_OFTEN_LAST: Final = frozenset(["etc", "ibid"])
# Capitalised, these begin a sentence far more often than they continue a name.
_STARTERS: Final = frozenset(
    """The This These Those That There Their They It Its In If As At And But By For From However Although
    Though While When Where Whether With Within Without After Before Since Such Some Several Many Most Both
    Each All Our We He She His Her You To On Of Or So Yet Another Other Thus Therefore Hence Moreover
    Furthermore Additionally Also Meanwhile Finally Overall Instead Nevertheless Nonetheless Conversely
    Consequently Similarly Because Despite Given Here How What Why Which Who During Under Over Through Not
    No Nor Once Only Then Until Unless Now Today More Further First Second Third Despite Even According An""".split()
)
# After a single capital ("J. He", "Plan B. The") only words that are not surnames.
_INITIAL_STARTERS: Final = _STARTERS - frozenset(
    "An And At By He Her Here How In No Now On Or So To We You Why Over Even".split()
)
_NUMBERED: Final = frozenset(
    """table figure fig chart box step section sec chapter part appendix exhibit phase stage tier option
    question note""".split()
)

# A candidate: an end mark not preceded by another, its like, then any closers. The set at the front is what lets
# `re` skip ahead; what follows the mark is looked at in code.
_CANDIDATE: Final = re.compile(
    r"[.!?。｡！？…；](?<![.!?。｡！？…].)[.!?。｡！？…]*+[\"'”’」』）》)\]»〉]*+[¹²³⁰-⁹]{0,6}+"
)
_NEXT: Final = re.compile(r"\s*+[\"'“‘(\[«「『（《〈*_~¿¡]*+(.)?", re.DOTALL)
_NEXT_WORD: Final = re.compile(r"\s*+[\"'“‘(\[«「『（《〈]*+([A-Z][a-z]*)(?![A-Za-z])")
_LINE_END: Final = re.compile(r"[ \t]*+(?:[\r\n]|\Z)")
_HAN: Final = re.compile("[\u3400-\u9fff]")
# A half-width stop after these ends a sentence if Chinese follows; a digit may number an item ("1.市场").
_BEFORE_STOP: Final = re.compile("[\u3400-\u9fff%％)）”]")
_TITLE_REACH: Final = 40


def split_sentences(plain: str, start: int, end: int) -> list[tuple[int, int]]:
    """Return spans of the sentences in ``plain[start:end]``, trimmed of white space, in order.

    Together they cover everything but white space. Empty when there is none.
    """
    end = min(end, len(plain))
    out: list[tuple[int, int]] = []
    begin = start
    quotes = counted = 0
    for match in _CANDIDATE.finditer(plain, start, end):
        stop = match.end()
        if match[0][0] in "。｡！？" and '"' in match[0]:
            # "起点。"就香港": a straight quote closes only what stands open; otherwise it opens the next sentence.
            mark = plain.index('"', match.start())
            quotes += plain.count('"', max(start, counted), mark)
            counted = mark
            if quotes % 2 == 0 and stop < end:
                stop = mark
        if stop < end and not _ends(plain, begin, match.start(), stop, end):
            continue
        _emit(plain, begin, stop, out)
        begin = stop
    if begin < end:
        _emit(plain, begin, end, out)
    return out


def _emit(plain: str, begin: int, stop: int, out: list[tuple[int, int]]) -> None:
    left = begin + 1 if plain[begin] == " " else begin
    if left == stop or plain[left].isspace():
        # Blanked markup can leave long runs; slices skip them faster than a loop.
        left = stop - len(plain[left:stop].lstrip())
        if left == stop:
            return
    if plain[stop - 1].isspace():
        stop = left + len(plain[left:stop].rstrip())
    if out and not plain[left].isalnum() and not any(map(str.isalnum, plain[left : min(stop, left + 400)])):
        # A stray mark alone ("…", ")") belongs to the sentence before it.
        out[-1] = (out[-1][0], stop)
    else:
        out.append((left, stop))


def _ends(plain: str, begin: int, dot: int, stop: int, limit: int) -> bool:
    """Return whether the mark at ``dot``, whose closers end at ``stop``, ends the sentence begun at ``begin``."""
    mark = plain[dot]
    after = plain[stop]
    if mark == ".":
        if after == " " or after.isspace():
            return _full_stop_ends(plain, begin, dot, stop, limit)
        # "增长35%.中国": a half-width stop inside Chinese; not "1.市场", "(1).市场" nor "AI.中国".
        return (
            dot > begin
            and "\u3400" <= after <= "\u9fff"
            and _BEFORE_STOP.match(plain[dot - 1]) is not None
            and _HAN.search(plain, begin, dot) is not None
        )
    if mark in "。｡！？":
        if mark not in "。｡" and _inside_title(plain, begin, dot, limit):
            return False
        # "“好。”，他说": a comma after the quote carries the sentence on.
        return after not in "，、；,;：:"
    if mark == "；":
        # A list written line by line; elsewhere a semicolon joins clauses.
        return _LINE_END.match(plain, stop, limit) is not None
    if mark == "…":
        if after.isspace():
            return not _continues(plain, stop, limit)
        # "价格下跌……中产阶级" ends; "国债、地方债……和折扣率" and a single "…" do not.
        return stop - dot >= 2 and "\u3400" <= after <= "\u9fff" and after not in "的地得和或与及等就而也都是"
    if after.isspace():
        return not _continues(plain, stop, limit)
    return "\u3400" <= after <= "\u9fff"


def _continues(plain: str, stop: int, limit: int) -> bool:
    following = _NEXT.match(plain, stop, limit)
    char = following.group(1) if following else None
    if following is None or char is None:
        return False
    # "Yahoo! is", "Kahoot! (2006) is".
    return char.islower() or char in ",;:" or (char.isdigit() and plain[following.start(1) - 1] in "(（")


def _inside_title(plain: str, begin: int, at: int, limit: int) -> bool:
    opened = plain.rfind("《", max(begin, at - _TITLE_REACH), at)
    return (
        opened >= 0
        and plain.find("》", opened, at) < 0
        and plain.find("》", at, min(limit, at + _TITLE_REACH)) >= 0
    )


def _full_stop_ends(plain: str, begin: int, dot: int, stop: int, limit: int) -> bool:
    if plain[stop : stop + 1] == " " and stop + 1 < limit and plain[stop + 1].isalnum():
        char = plain[stop + 1]
    else:
        following = _NEXT.match(plain, stop, limit)
        found = following.group(1) if following else None
        if found is None:
            return True
        char = found
    if char.islower():
        return False
    piece = plain[max(begin, dot - 30) : dot]
    token = piece[piece.rfind(" ") + 1 :]
    if not token.isalpha():
        token = token.split()[-1] if token.split() else ""
        token = token.lstrip("([{\"'“‘（「")
        if not token:
            return True
        if token.isdigit():
            return not _enumerates(plain, begin, dot - len(token))
    if len(token) == 1 and (token.isupper() or (token.isalpha() and char.isdigit())):
        # An initial ("J. Smith") or "c. 1900". "Vitamin C. Foods" loses; initials are far more common in reports.
        return _next_word(plain, stop, limit) in _INITIAL_STARTERS
    low = token.lower()
    if low not in ABBREVIATIONS:
        if "." in token and len(token) <= 5 and token.replace(".", "").isupper():
            # "J.K. Rowling", "P.R. China".
            return _next_word(plain, stop, limit) in _INITIAL_STARTERS
        # "et al.(2020" never gets here; a digit after a full stop begins a sentence ("… 2019. 2020 saw …").
        return char not in ",;:"
    if low in _NEVER_LAST or char.isdigit():
        return False
    if low in _OFTEN_LAST:
        return char.isupper()
    return _next_word(plain, stop, limit) in _STARTERS


def _next_word(plain: str, stop: int, limit: int) -> str:
    match = _NEXT_WORD.match(plain, stop, limit)
    return match.group(1) if match else ""


def _enumerates(plain: str, begin: int, at: int) -> bool:
    """Return whether the digits at ``at`` number an item ("1. First", "Table 2.

    Sales") that stands at the start of a piece.
    """
    before = plain[begin:at][-24:].strip()
    return (
        not before
        or (at - begin <= 24 and before.lower() in _NUMBERED)
        or (before[-1] in ":：;；" and plain[at - 1].isspace())
    )
