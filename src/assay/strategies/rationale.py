"""The words of a reply besides its verdict: readable, bounded, fit to be stored."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from assay.strategies.answer_form import AnswerForm

# White space, and characters without width.
BLANK: Final = " \t\r\n\f\v\u00a0\u3000\ufeff\u200b\u200c\u200d\u2060"
_LONGEST: Final = 8000
# Keys of the words in an object that stands in place of a passage.
_PASSAGE: Final = ("quote", "text", "passage", "excerpt", "quotation", "原文", "引文", "片段")
_DEEPEST: Final = 4
_MARKS: Final = re.compile(r"(?:```|~~~)[\w+-]{0,20}+|</?[\w-]{1,30}+>|<\|[\w-]{1,30}+\|>")


def reasons(value: Mapping[str, Any], form: AnswerForm) -> str:
    """Return the texts of the requested fields, or of whichever fields there are."""
    asked = [field.key for field in form.fields]
    rows = [(key, texts) for key in asked if (texts := _nested_texts(value.get(key)))]
    if not rows:
        rows = [
            (key, texts) for key in value if key not in form.keys and (texts := _nested_texts(value[key]))
        ]
    if len(rows) == 1:
        return _bounded("\n".join(rows[0][1]))
    lines: list[str] = []
    for key, texts in rows:
        name = key.replace("_", " ")
        if len(texts) == 1:
            lines.append(f"{name}: {texts[0]}")
        else:
            lines.extend((f"{name}:", *(f"- {text}" for text in texts)))
    return _bounded("\n".join(lines))


def texts_of(value: Any) -> list[str]:
    """Return the texts in a field; none if it is neither a text nor a list of texts."""
    if isinstance(value, str):
        return [value] if value.strip(BLANK) else []
    if isinstance(value, list):
        return [item for item in value if isinstance(item, str) and item.strip(BLANK)]
    return []


def passages_of(value: Any) -> list[str]:
    """Return the passages in a field, even if each is an object: ``{"quote": …, "claim": …}``."""
    items = value if isinstance(value, list) else [value]
    return [text for item in items for text in texts_of(_passage(item) if isinstance(item, dict) else item)]


def _passage(item: Mapping[str, Any]) -> Any:
    named = next((item[key] for key in _PASSAGE if key in item), None)
    if named is not None:
        return named
    texts = [each for each in item.values() if isinstance(each, str)]
    # With several texts it would be a guess which one is the passage, and a wrong guess would look invented.
    return texts[0] if len(texts) == 1 else None


def _nested_texts(value: Any, depth: int = 0) -> list[str]:
    """Return the texts in a field, those of an object with their keys, at any depth up to a limit."""
    if isinstance(value, Mapping) and depth < _DEEPEST:
        return [
            f"{str(key).replace('_', ' ')}: {text}"
            for key, inner in value.items()
            for text in _nested_texts(inner, depth + 1)
        ]
    if isinstance(value, list) and depth < _DEEPEST:
        return [text for item in value for text in _nested_texts(item, depth + 1)]
    return texts_of(value)


def prose_of(visible: str, hidden: str) -> str:
    """Return the words of a reply without fences and tags; its hidden reasoning if there are no others."""
    words = _MARKS.sub("", visible[: 4 * _LONGEST]).strip(BLANK)
    return _bounded(words or hidden)


def _bounded(text: str) -> str:
    text = text.strip(BLANK)
    if len(text) > _LONGEST:
        text = text[: _LONGEST - 1].rstrip() + "…"
    return storable(text)


def storable(text: str) -> str:
    """Return a text that can be stored: an escape in JSON can leave half a character."""
    if text.isascii():
        return text
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
