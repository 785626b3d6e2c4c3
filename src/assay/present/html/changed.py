"""What changed between two texts, as HTML."""

from __future__ import annotations

from typing import Final

from markupsafe import Markup, escape

from assay.present.changes import changes, near

# What is shown of words that stayed, on each side of a change, in characters.
_BESIDE: Final = 220
_CHANGED: Final = 1500


def changed_html(before: str, after: str) -> Markup:
    """A place with what was taken out and put in marked."""
    parts = changes(before, after)
    out: list[Markup] = []
    for at, (kind, words) in enumerate(parts):
        if kind == "same":
            out.append(escape(near(words, _BESIDE, first=at == 0, last=at == len(parts) - 1)))
        else:
            tag = "del" if kind == "out" else "ins"
            text = words if len(words) <= _CHANGED else words[:_CHANGED] + "…"
            out.append(Markup("<{0}>{1}</{0}>").format(Markup(tag), text))  # noqa: S704 - our own tags; words are escaped
    return Markup("").join(out)
