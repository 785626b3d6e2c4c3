"""Sentence boundaries for English and Chinese, on the plain view, in linear time.

Right for abbreviations, initials, decimals, versions, URLs (already blanked), closing quotes and brackets, and for
citation markers after the full stop (blanked too, so they count as the space that follows the sentence). A line
break inside a paragraph is no boundary in prose.
"""

from __future__ import annotations

import re
from typing import Final

__all__ = ["ABBREVIATIONS", "split_sentences"]

ABBREVIATIONS: Final = frozenset(
    """adj adm adv al approx apr art assn assoc aug ave bn blvd bros capt cf ch chap cir circa co col comm comdr corp
    cos cst ct dec dept dist div dr ed eds eg e.g eq eqs est esp esq etc ex ext feb fig figs fl fn fri ft gal gen gov
    govt gr hon hosp hr hrs i.e ibid ie inc incl inst int intl jan jr jul jun lb lbs lib lt ltd maj mar max messrs mfg
    mg mgr min misc mm mo mon mr mrs ms msec mt mtn mths nat natl no nos nov oct op oz p par para pct pg ph.d phd pp
    pres prof prop pt pub pvt qtr qty rd ref refs reg rep res resp ret rev rs sat sec sect sen sep sept ser sgt
    sic sq sr st sta stat subj sun supp suppl tbsp tel thu thurs trans treas tsp tue tues univ u.k u.n u.s u.s.a
    v var viz vol vols vs wed wk wt yd yr yrs a.m p.m a.k.a d.c""".split()
)
# Abbreviations that also end sentences ("… by Apple Inc. The firm …"): a capital after them starts a new one
# unless a number or a lower-case word follows.
_MAY_END: Final = frozenset("inc ltd co corp etc bn u.s u.k u.n u.s.a a.m p.m d.c al yr yrs hrs".split())
_NEVER_END: Final = ABBREVIATIONS - _MAY_END

# A candidate: an end mark, then any closers, then white space or the end – or a full-width end mark.
_CANDIDATE: Final = re.compile(r"[.!?]+[\"'”’)\]»]*(?=\s|$)|[。！？!?…]+[”’」』）》\"']*|[.!?](?=[\u4e00-\u9fff])|；(?=\s*\n)")
_LAST_TOKEN: Final = re.compile(r"(\S+)$")
_NEXT: Final = re.compile(r"\s*[\"'“‘(\[«「『（《]*(.)?", re.DOTALL)


def split_sentences(plain: str, start: int, end: int) -> list[tuple[int, int]]:
    """Spans of the sentences in ``plain[start:end]``, trimmed of white space, in order.

    Together they cover everything but white space. Empty when there is none.
    """
    out: list[tuple[int, int]] = []
    begin = start
    for match in _CANDIDATE.finditer(plain, start, end):
        stop = match.end()
        if stop <= begin:
            continue
        mark = plain[match.start()]
        if mark in ".!?" and not _ends(plain, begin, match.start(), stop, end):
            continue
        begin = _emit(plain, begin, stop, out)
    if begin < end:
        _emit(plain, begin, end, out)
    return out


def _emit(plain: str, begin: int, stop: int, out: list[tuple[int, int]]) -> int:
    piece = plain[begin:stop]
    stripped = piece.lstrip()
    left = begin + len(piece) - len(stripped)
    right = left + len(stripped.rstrip())
    if right > left:
        # A stray mark alone ("…", ")") belongs to the sentence before it.
        if out and not any(map(str.isalnum, plain[left : min(right, left + 400)])):
            out[-1] = (out[-1][0], right)
        else:
            out.append((left, right))
    return stop


def _ends(plain: str, begin: int, dot: int, stop: int, limit: int) -> bool:
    if plain[dot] in "!?":
        following = _NEXT.match(plain, stop, limit)
        char = following.group(1) if following else None
        return char is None or not char.islower()
    token_match = _LAST_TOKEN.search(plain, max(begin, dot - 40), dot)
    token = token_match.group(1) if token_match else ""
    bare = token.lstrip("([{\"'“‘（").lower()
    following = _NEXT.match(plain, stop, limit)
    char = following.group(1) if following else None
    if char is None:
        return True
    if bare in _NEVER_END:
        # "No. 5", "Fig. 2", "Dr. Li" – but "… and so on, no. Then" is a sentence ending in the word no.
        return bare in {"no", "sun", "sat", "max", "min", "art", "par", "ex", "rep", "ed", "res"} and not char.isdigit() and token.islower()
    if len(bare) == 1 and bare.isalpha() and token[-1:].isupper():
        # An initial: "J. Smith". "Vitamin C. The" loses; initials are far more common in reports.
        return False
    if bare in _MAY_END:
        return char.isupper() and not char.isdigit()
    if not token:
        return True
    if token.replace(".", "").isdigit() and begin >= dot - len(token) - 1:
        # "1. First": an enumerator at the very start of a piece.
        return False
    return not char.islower() or char.isdigit()
