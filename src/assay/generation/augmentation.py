"""Criteria rewritten by a model with qualifiers and examples: an ablation, and one that does harm.

Section 4.4 of researchrubrics finds that criteria which a model has elaborated agree with people far worse than what
experts wrote: 15 to 20 points less, where short examples of the experts' own add 2 to 4. This is here to measure that on
your own criteria, and to no other end. Rules check what is written: figures and names stay, the language stays, and the
text grows within bounds.
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
# Not the first word of a sentence: that has a capital letter in any case.
_NAME: Final = re.compile(r"(?<=[\w,;:)] )[A-Z][\w&'’.-]*\w|\b[A-Z]{2,}\w*\b")
# The lines around the criterion in the prompt.
_FENCE: Final = re.compile(r"<<(?:END )?[A-Z]+ [0-9a-f]{12}>>")
_PREAMBLE: Final = re.compile(
    r"(?:sure|certainly|of course|here(?:'s| is| are)|the rewritten|rewritten|augmented)\b|(?:好的|当然|以下是|改写后)",
    re.IGNORECASE,
)


async def augment(author: Author, text: str, *, language: Literal["en", "zh"] | None = None) -> AuthorReply:
    """A criterion's text with qualifiers and examples.

    Args:
        author: Who writes.
        text: Of the criterion.
        language: Of the prompt; the criterion's own where None.
    """
    return await author.text(
        ASSIGNMENT,
        material=PromptMaterial(language=language or language_of(text)),
        check=lambda new: augmentation_flaws(text, new),
        max_tokens=_TOKENS,
        criterion=text,
    )


async def augmented(author: Author, criterion: Criterion) -> tuple[Criterion, AuthorReply]:
    """The criterion rewritten, or as it was where nothing was written; and what was written.

    Its notes say by whom and keep the original. A translation is left as it is.
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
    """Of a criterion: a few words, so that one Chinese character says it."""
    return "zh" if has_cjk(text) else "en"


def augmentation_flaws(text: str, new: str) -> list[Bilingual]:
    """What is wrong with a criterion that was elaborated, by rule.

    Args:
        text: As it was.
        new: As it is now.
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
    quoted = [next(part for part in found if part) for found in _QUOTED.findall(text)]
    return [*quoted, *_NAME.findall(text)]
