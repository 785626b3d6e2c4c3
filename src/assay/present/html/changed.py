"""What changed between two texts, as HTML."""

from __future__ import annotations

from typing import Final

from markupsafe import Markup, escape

from assay.present.changes import changes

__all__ = ["changed_html"]

# What is shown of words that stayed, on each side of a change, in characters.
_BESIDE: Final = 220
_CHANGED: Final = 1500


def changed_html(before: str, after: str) -> Markup:
    """A place with what was taken out and put in marked."""
    parts = changes(before, after)
    out: list[Markup] = []
    for at, (kind, words) in enumerate(parts):
        if kind == "same":
            out.append(escape(_beside(words, first=at == 0, last=at == len(parts) - 1)))
        else:
            tag = "del" if kind == "out" else "ins"
            text = words if len(words) <= _CHANGED else words[:_CHANGED] + "…"
            out.append(Markup("<{0}>{1}</{0}>").format(Markup(tag), text))  # noqa: S704 - our own tags; words are escaped
    return Markup("").join(out)


def _beside(text: str, *, first: bool, last: bool) -> str:
    if first and last:
        return text[: 2 * _BESIDE]
    if first:
        return text if len(text) <= _BESIDE else "…" + text[-_BESIDE:]
    if last:
        return text if len(text) <= _BESIDE else text[:_BESIDE] + "…"
    return text if len(text) <= 2 * _BESIDE else f"{text[:_BESIDE]} … {text[-_BESIDE:]}"
