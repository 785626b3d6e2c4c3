"""Typesetting of messages."""

from __future__ import annotations


def sentence(message: str) -> str:
    """Return a message that begins as a sentence does; a quoted word or a name at its head stays as it is."""
    first = message.split(" ", 1)[0]
    return (
        message[0].upper() + message[1:]
        if first.isascii() and first.isalpha() and first.islower()
        else message
    )
