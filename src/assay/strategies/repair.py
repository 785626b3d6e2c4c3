"""Almost JSON: single quotes, a comma too many, comments, Python's words, a missing end.

The library that repairs it also repairs what is not a slip: it makes 4 of ``4 or 5``, of ``4%`` and of ``~4``, and
10 of ``1_0``. So the verdict is read twice, by the library and by the words after each key, and counts only if both
agree; the library adds the reasons around it. The library is also slow on nonsense, so nonsense is kept from it.
"""

from __future__ import annotations

import json
import re
from typing import Any, Final

from assay.strategies.answer_form import AnswerForm, ReplyVerdict, shown
from assay.strategies.json_text import unwrap
from assay.strategies.problems import problem
from assay.text.bilingual import Bilingual

# The library takes quadratic time in these.
_LONGEST: Final = 20_000
_MOST_BRACES: Final = 60
_MOST_QUOTES: Final = 600

# Full-width forms a Chinese keyboard gives, where they cannot be part of a text.
_NARROW: Final = str.maketrans("：，［］０１２３４５６７８９．“”", ':,[]0123456789.""')
_STRING_OR_WIDE: Final = re.compile(r'"(?>(?:[^"\\]++|\\.)*)"|[：，［］０-９．“”]++', re.DOTALL)

_BLANK: Final = re.compile(r"(?>(?:\s++|//[^\n]*+|#[^\n]*+|/\*(?>(?:[^*]++|\*(?!/))*)\*/)*)")
_TEXT: Final = r""""(?>(?:[^"\\\n]++|\\.)*)"|'(?>(?:[^'\\\n]++|\\.)*)'"""
_TOKEN: Final = re.compile(rf"""{_TEXT}|[^,}}\]\n"'{{\[#;]{{1,60}}?(?=[^\S\n]*+(?:[,}}\]\n#]|//|/\*|\Z))""")
_LIST: Final = re.compile(
    rf"\[\s*+(?>(?:(?:{_TEXT}|[^,\]\[\n\"'{{}}#]{{1,60}}+)\s*+(?:,\s*+|(?=\]|\Z)))*)(?:\]|\Z)"
)
_ITEM: Final = re.compile(rf"""{_TEXT}|[^,\]\[\n"'\s]{{1,60}}+(?>(?:[ ][^,\]\[\n"'\s]{{1,60}}+)*)""")
_NEXT_KEY: Final = re.compile(r"""["'][^"'\n]{1,80}+["']\s*+[:=]|[^\W\d]\w{0,80}+\s*+[:=]""")
# A string, and whether it is a key. A quotation mark inside one that is not escaped turns the rest inside out.
_QUOTED: Final = re.compile(r'"(?>(?:[^"\\]++|\\.)*)"(\s*+[:=])?', re.DOTALL)
_NUMBER: Final = re.compile(r"(?<=[:\[,])\s*+([-+]?[\d.][\w.+-]*+)(?=\s*+(?:[,}\]\n#]|//|/\*|\Z))")


def repaired_verdict(raw: str, form: AnswerForm) -> tuple[dict[str, Any] | None, ReplyVerdict]:
    """Return the object that was meant, if that is beyond doubt, and its verdict or the problem."""
    text = _narrow(raw)
    # The keys of entries are followed by objects, which cannot be read a second time by their words.
    if len(text) > _LONGEST or form.entries:
        return None, ReplyVerdict(problem=problem("unreadable"))
    words = _literal_verdict(text, form)
    if isinstance(words, Bilingual):
        return None, ReplyVerdict(problem=words)
    literal = form.read(words)
    if literal.problem is not None:
        return None, literal
    value = unwrap(_repaired(text), form.keys)
    if not isinstance(value, dict):
        return None, ReplyVerdict(problem=problem("unreadable"))
    verdict = form.read(value)
    if verdict.problem is None and verdict != literal:
        return None, ReplyVerdict(problem=problem("unreadable"))
    return value, verdict


def repaired_data(raw: str) -> Any | None:
    """Return the value that was meant, or None. A number counts only if it stands in the text as that number."""
    text = _narrow(raw)
    value = _repaired(text)
    numbers = [float(found) for found in _NUMBER.findall(text) if _is_number(found)]
    return value if _numbers(value) == numbers else None


def _repaired(text: str) -> Any | None:
    if (
        len(text) > _LONGEST
        or text.count("{") + text.count("[") > _MOST_BRACES
        or text.count('"') + text.count("'") > _MOST_QUOTES
    ):
        return None
    from json_repair import loads  # noqa: PLC0415 - costs 50 ms, and most replies do not need it

    try:
        return loads(text, skip_json_loads=True)
    except Exception:  # noqa: BLE001 - a reply can be anything, and nothing in it may end a run
        return None


def _narrow(raw: str) -> str:
    if raw.isascii():
        return raw
    return _STRING_OR_WIDE.sub(
        lambda found: found.group() if found.group()[0] == '"' else found.group().translate(_NARROW), raw
    )


def _literal_verdict(text: str, form: AnswerForm) -> dict[str, Any] | Bilingual:
    """Return the verdict by the words after its keys, as an object; or the problem."""
    # "score: 5 is too much" in a reason is not a verdict.
    bare = _QUOTED.sub(lambda found: found.group() if found[1] else " " * len(found.group()), text)
    if form.mode == "rank":
        ranking = _behind(text, bare, "ranking", many=True)
        return ranking if isinstance(ranking, Bilingual) else {"ranking": ranking[0]} if ranking else {}
    plain = [key for key in form.keys if key not in ("scores", "preferences")]
    verdict: dict[str, Any] = {}
    answers: dict[str, Any] = {}
    for names, into in (
        (plain, verdict),
        (list(form.scales) if len(plain) < len(form.keys) else [], answers),
    ):
        for name in names:
            tokens = _behind(text, bare, name)
            if isinstance(tokens, Bilingual):
                return tokens
            if tokens:
                into[name] = tokens[0]
    if len(form.scales) > 1:
        verdict[form.keys[0]] = answers
    return verdict


def _behind(text: str, bare: str, key: str, *, many: bool = False) -> list[Any] | Bilingual:
    """Return what stands after a key, once; an empty list if the key does not occur; or the problem."""
    values: list[Any] = []
    for match in re.finditer(rf"""(?<!\w)(["']?){re.escape(key)}\1\s*+[:=]""", bare):
        if not _begins_member(text, match.start()):
            continue
        start = _blank_end(text, match.end())
        token = (_LIST if many else _TOKEN).match(text, start)
        if token is None or not _ends_member(text, token.end()):
            rest = text[start : start + 60].split("\n", 1)[0].rstrip("} ")
            return problem("not_on_offer", key=shown(key), value=shown(rest))
        value: Any = (
            [_plain(item) for item in _ITEM.findall(token.group())] if many else _plain(token.group())
        )
        if value not in values:
            values.append(value)
    if len(values) > 1:
        return problem("given_twice", key=shown(key), first=shown(values[0]), second=shown(values[1]))
    return values


def _begins_member(text: str, at: int) -> bool:
    """Return whether a key can stand here: after a brace, a comma, a line break, a comment or a value."""
    while at and text[at - 1].isspace():
        at -= 1
        if text[at] == "\n":
            return True
    return at > 0 and (text[at - 1] in "{,}]\"'" or text[max(0, at - 2) : at] == "*/")


def _ends_member(text: str, at: int) -> bool:
    """Return whether a value can end here: before a bracket, a key, the end, or a lone comma."""
    at = _blank_end(text, at)
    if at == len(text) or text[at] in "}]":
        return True
    if text[at] == ",":
        at = _blank_end(text, at + 1)
        return at == len(text) or text[at] == "}" or _NEXT_KEY.match(text, at) is not None
    return _NEXT_KEY.match(text, at) is not None


def _blank_end(text: str, at: int) -> int:
    blank = _BLANK.match(text, at)
    return blank.end() if blank else at


def _plain(token: str) -> str:
    if token[0] not in "\"'":
        return token.strip()
    inner = token[1:-1]
    if "\\" not in inner:
        return inner
    try:
        return str(json.loads(f'"{inner}"' if token[0] == '"' else token, strict=False))
    except ValueError:
        return inner


def _numbers(value: Any) -> list[float]:
    """Return the numbers in a value, in order."""
    if isinstance(value, bool):
        return []
    if isinstance(value, int | float):
        return [float(value)]
    if isinstance(value, dict):
        value = list(value.values())
    return [number for item in value for number in _numbers(item)] if isinstance(value, list) else []


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return "_" not in text
