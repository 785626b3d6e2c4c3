"""What a frame of a tangent is; see `assay.interventions.outcome._tangents`."""

from __future__ import annotations

import msgspec

__all__ = ["Frame"]


class Frame(msgspec.Struct, frozen=True):
    """A small grammar for a passage beside the point.

    Attributes:
        kinds: Of the topics it can be about, several separated by blanks; ``none`` where it takes no topic.
        about: Words that show that a question or a report is about this very thing, small letters, separated by bars.
        text: ``{X}`` is the topic, ``[a|b]`` one of its parts, ``<a|b>`` one of them or nothing.
        clause: Whether it continues a sentence after a comma.
    """

    kinds: str
    about: str
    text: str
    clause: bool = False
