"""Criteria rewritten by a model with qualifiers and examples: an ablation, which does harm.

Section 4.4 of researchrubrics finds that criteria elaborated by a model agree with people far worse than the
experts' own: by 15 to 20 points, while short examples by the experts add 2 to 4. Use it only to measure this on
your own criteria. Rules check the result: figures, names and the language stay, and the text grows within bounds.
"""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from typing import Final, Literal

import msgspec

from assay.generation.author import Author
from assay.generation.base import Assignment, AuthorReply, flaw
from assay.rubrics.rubric import Criterion
from assay.strategies.base import PromptMaterial
from assay.text.bilingual import Bilingual, listed
from assay.text.words import count_words, has_cjk

ASSIGNMENT: Final = Assignment(
    name="augmentation",
    summary="A criterion elaborated with qualifiers and examples: an ablation that harms agreement.",
    template=str(Path(__file__).with_name("augmentation.jinja")),
    source="researchrubrics, section 4.4 and table 5",
)
_LONGEST: Final = 4
_ROOM: Final = 100
_TOKENS: Final = 1_024
_FIGURE: Final = re.compile(r"\d+(?:[.,]\d+)*")
_QUOTED: Final = re.compile(r"[“\"]([^”\"]{1,80})[”\"]|《([^》]{1,80})》|「([^」]{1,80})」")
# But not the first word of a sentence, which has a capital letter in any case.
_NAME: Final = re.compile(r"(?<=[\w,;:)] )[A-Z][\w&'’.-]*\w|\b[A-Z]{2,}\w*\b")
# The lines around the criterion in the prompt.
_FENCE: Final = re.compile(r"<<(?:END )?[A-Z]+ [0-9a-f]{12}>>")
_PREAMBLE: Final = re.compile(
    r"(?:sure|certainly|of course|here(?:'s| is| are)|the rewritten|rewritten|augmented)\b|(?:好的|当然|以下是|改写后)",
    re.IGNORECASE,
)


async def augment(author: Author, text: str, *, language: Literal["en", "zh"] | None = None) -> AuthorReply:
    """Have a criterion's text elaborated with qualifiers and examples.

    Args:
        author: The model.
        text: Text of the criterion.
        language: Language of the prompt; that of the criterion if None.
    """
    return await author.text(
        ASSIGNMENT,
        material=PromptMaterial(language=language or language_of(text)),
        check=lambda new: augmentation_flaws(text, new),
        max_tokens=_TOKENS,
        criterion=text,
    )


async def augmented(author: Author, criterion: Criterion) -> tuple[Criterion, AuthorReply]:
    """Return the criterion rewritten, or unchanged if nothing was written; and what was written.

    The notes of the new criterion say who wrote it and keep the original. A translation stays as it is.
    """
    written = await augment(author, criterion.asks)
    if written.status != "ok":
        return criterion, written
    notes = {**criterion.notes, "augmented_by": author.model.id, "original": criterion.asks}
    if written.flaws:
        notes["augmentation_flaws"] = list(written.flaws)
    text = " ".join(written.value.split())
    return msgspec.structs.replace(criterion, asks=text, notes=notes), written


def language_of(text: str) -> Literal["en", "zh"]:
    """Return the language of a criterion: it is short, so one Chinese character decides."""
    return "zh" if has_cjk(text) else "en"


def augmentation_flaws(text: str, new: str) -> list[Bilingual]:
    """List the flaws of an elaborated criterion, by rule.

    Args:
        text: The original.
        new: The elaborated text.
    """
    flaws: list[Bilingual] = []
    if has_cjk(text) != has_cjk(new):
        flaws.append(flaw("other_language"))
    lost = [
        *(Counter(_FIGURE.findall(text)) - Counter(_FIGURE.findall(new))),
        *(name for name in _names(text) if name.casefold() not in new.casefold()),
    ]
    if lost:
        flaws.append(flaw("leaves_out", lost=listed(dict.fromkeys(lost))))
    before, after = count_words(text), count_words(new)
    if after <= before:
        flaws.append(flaw("no_longer", after=after, before=before))
    most = _LONGEST * before + _ROOM
    if after > most:
        flaws.append(flaw("too_long", after=after, most=most))
    if _PREAMBLE.match(new.lstrip("*#> ")):
        flaws.append(flaw("preamble"))
    if _FENCE.search(new):
        flaws.append(flaw("criterion_fence"))
    if re.search(r"^\s*(?:[-*•]|\d+[.)])\s", new, re.MULTILINE):
        flaws.append(flaw("a_list"))
    return flaws


def _names(text: str) -> list[str]:
    quoted = [next(part for part in groups if part) for groups in _QUOTED.findall(text)]
    return [*quoted, *_NAME.findall(text)]
