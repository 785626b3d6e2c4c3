"""What changed between two texts, as HTML."""

from __future__ import annotations

from typing import Final

from markupsafe import Markup, escape

from assay.present.changes import changes, near

# How many unchanged characters are shown on each side of a change.
_BESIDE: Final = 220
_CHANGED: Final = 1500


def changed_html(before: str, after: str) -> Markup:
    """Return a passage in which what was taken out and put in is marked."""
    parts = changes(before, after)
    out: list[Markup] = []
    for at, (kind, words) in enumerate(parts):
        if kind == "same":
            out.append(escape(near(words, _BESIDE, first=at == 0, last=at == len(parts) - 1)))
        else:
            tag = "del" if kind == "out" else "ins"
            text = words if len(words) <= _CHANGED else words[:_CHANGED] + "…"
            out.append(Markup("<{0}>{1}</{0}>").format(Markup(tag), text))  # noqa: S704 - words are escaped
    return Markup("").join(out)
