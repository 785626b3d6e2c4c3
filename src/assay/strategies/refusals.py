"""Replies that do not answer: the model declines, or repeats itself."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Final

from assay.text.phrases import PhraseFile

if TYPE_CHECKING:
    from assay.text.phrases import Language

# Longer replies that begin like a refusal go on to say something.
_LONGEST: Final = 800
_TAIL: Final = 4000
_SHORTEST_LOOP: Final = 200
_SHINGLE: Final = 16

_PHRASES: Final = PhraseFile("assay.strategies", "refusals")
# A model with an enforced schema declines inside the first text of the object.
_INSIDE: Final = re.compile(r"""\s*+(?>(?:\{\s*+["']\w{1,60}+["']\s*+:\s*+(?>(?:\[\s*+)?)["']\s*+)?)""")
_DIGITS: Final = re.compile(r"\d++")


def is_refusal(text: str) -> bool:
    """Return whether a reply without a verdict declines to give one.

    Only short replies that begin with the phrases of a refusal do: "I cannot find evidence" is a finding, and so is
    "I'm sorry to say that I cannot give more than 2".
    """
    if len(text) > _LONGEST:
        return False
    inside = _INSIDE.match(text)
    start = inside.end() if inside else 0
    for pattern in (_english(), _chinese()):
        refusal = pattern.match(text, start)
        if refusal is not None:
            return not (refusal["weak"] and _DIGITS.search(text, start))
    return False


def repeats_itself(text: str) -> bool:
    """Return whether a reply ends in a loop: almost every run of characters near its end occurs more than once."""
    # The turns of a loop may be numbered.
    tail = _DIGITS.sub("0", text[-_TAIL:])
    count = len(tail) - _SHINGLE + 1
    if len(tail) < _SHORTEST_LOOP:
        return False
    return len({tail[at : at + _SHINGLE] for at in range(count)}) * 5 <= count


def _words(name: str, language: Language) -> str:
    return _PHRASES[name].alternation(language).replace(" ", r"\s")


@cache
def _english() -> re.Pattern[str]:
    sorry = rf"(?:(?:{_words('sorry', 'en')})[^.!?\n]{{0,60}}?[,.;:—–-]?\s{{0,3}}(?:but\s|that\s)?)"
    as_assistant = rf"(?:as\san?\s(?:{_words('assistant', 'en')})\b[^.,!?\n]{{0,60}},?\s)"
    cannot = (
        rf"i(?:\s(?:really|simply|just))?(?:\s(?:{_words('cannot', 'en')})"
        rf"|(?:['’]?\s?a?m)\s(?:{_words('unable', 'en')})\sto)"
    )
    return re.compile(
        rf"(?:{sorry})?(?:{as_assistant})?(?:{sorry})?{cannot}\s(?:{_words('help', 'en')})\b"
        rf"|(?:{sorry}|{as_assistant})+{cannot}\s(?P<weak>(?:{_words('judge', 'en')})\b)"
        r"|i\s(?:must|have\sto|need\sto)\s(?:respectfully\s)?(?:decline|refuse)\b",
        re.IGNORECASE,
    )


@cache
def _chinese() -> re.Pattern[str]:
    sorry = rf"(?:(?:非常|很|十分|真的)?(?:{_words('sorry', 'zh')})[,，。!！、\s]{{0,3}}(?:但是?)?)"
    as_assistant = rf"(?:作为(?:一[个名款])?(?:{_words('assistant', 'zh')})[^,，。\n]{{0,20}}[,，]?\s?)"
    cannot = rf"(?:我|本模型|本助手)?(?:目前|暂时|现在)?(?:{_words('cannot', 'zh')})"
    whom = r"(?:为|向|给|对|就)?(?:您|你|此|这个|该)?"
    return re.compile(
        rf"(?:{sorry}|{as_assistant}){{0,2}}{cannot}{whom}(?:{_words('help', 'zh')})"
        rf"|(?:{sorry}|{as_assistant}){{1,2}}{cannot}{whom}(?P<weak>(?:{_words('judge', 'zh')}))",
        re.IGNORECASE,
    )
