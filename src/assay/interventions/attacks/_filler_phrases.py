"""Terms without content of their own: function words of discourse, and the phrases that attacks add.

A surface attack may add these words and the report's own terms. Any other term would be new content.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from assay.text.generic_words import GENERIC
from assay.text.phrases import PhraseFile
from assay.text.words import content_terms

_PHRASES: Final = PhraseFile("assay.interventions", "filler_phrases")


@lru_cache(maxsize=1)
def neutral_terms() -> frozenset[str]:
    """Return English terms that carry no content of their own."""
    phrases = " ".join(
        [
            *_PHRASES["openings"].en,
            *_PHRASES["continuations"].en,
            *_PHRASES["closings"].en,
            *_PHRASES["lead_in"].en,
            *_PHRASES["points"].en,
        ]
    )
    own = content_terms(" ".join(_PHRASES["neutral"].en)) | content_terms(re.sub(r"\{\w+\}", " ", phrases))
    return frozenset(own | GENERIC)
