"""What can be wrong with a reply, worded for the record and for the model that is asked again."""

from __future__ import annotations

from typing import Final

from assay.text.bilingual import Bilingual, message
from assay.text.phrases import PhraseFile

_PROBLEMS: Final = PhraseFile("assay.strategies", "problems")


def problem(name: str, /, **values: object) -> Bilingual:
    """Word a problem with a reply; the names and their placeholders are those of ``phrases/problems.yaml``."""
    return message(_PROBLEMS, name, **values)
