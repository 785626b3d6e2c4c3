"""A page for annotators, who look at the pairs of a benchmark and label them."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Final

from assay.present.html.changed import changed_html
from assay.present.html.frame import render
from assay.present.numbers import titled

if TYPE_CHECKING:
    from collections.abc import Sequence

    from assay.interventions.validation import QueueItem

_KEYS: Final = (
    ("1 2 3", "valid, invalid, ambiguous"),
    ("j k", "next and previous"),
    ("s", "save the labels as a file"),
    ("t", "light or dark"),
    ("?", "these keys"),
)


def queue_page(pairs: Sequence[QueueItem], *, title: str) -> str:
    """Return a self-contained page. The browser keeps the labels under the ids of the pairs."""
    key = hashlib.blake2b("".join(pair.id for pair in pairs).encode(), digest_size=6).hexdigest()
    return render(
        "queue.html.j2",
        title=f"{title}: {len(pairs):,} pairs to look at",
        crumb="Validation",
        home=None,
        keys=_KEYS,
        key=key,
        pairs=[
            {
                "id": pair.id,
                "type": titled(pair.type),
                "definition": pair.definition,
                "asked": pair.asked,
                "query": pair.query,
                "text": changed_html(pair.before, pair.after),
                "note": pair.note,
            }
            for pair in pairs
        ],
    )
