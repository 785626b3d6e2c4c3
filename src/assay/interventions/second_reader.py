"""A second reading of an instance by a model: whether the failure is there, plausible, for the worse, and alone.

The reader sees the question, the outline, the sources, and each changed place before and after; it has neither the
editor's prompt nor its reply. An instance is accepted if every answer speaks for it; the rest are for people
(REFLECT, section 2.2: automated filtering before human validation; ReportLogic, appendix C.4: three criteria).
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal

import msgspec

from assay.generation.base import Assignment
from assay.interventions.base import TextRevision
from assay.interventions.changed_passages import ChangedPassage, changed_passages
from assay.interventions.material import document, elsewhere, retrieved
from assay.interventions.second_reading import EXPECTED, Question, SecondReading
from assay.strategies.base import PromptMaterial
from assay.strategies.json_schema import choice, table, text
from assay.subjects.report import Report
from assay.subjects.trajectory import Trajectory

if TYPE_CHECKING:
    from assay.generation.author import Author
    from assay.interventions.base import Operator, Revision
    from assay.subjects.subject import Subject

_HERE: Final = Path(__file__).parent
DOCUMENT: Final = Assignment(
    name="edited-document",
    summary="The document of which places are edited: question, outline, sources; or tools and steps.",
    template=str(_HERE / "document.jinja"),
)
VALIDITY: Final = Assignment(
    name="validity",
    summary="Whether a planted failure is there, plausible, for the worse, and alone.",
    template=str(_HERE / "validity.jinja"),
    source="reflect, section 2.2; reportlogic, appendix C.4",
)
ASSIGNMENTS: Final = (DOCUMENT, VALIDITY)
_ATTACK: Final[tuple[Question, ...]] = ("present", "plausible", "other_change")
# Changed places that are shown; an attack on a whole report may have dozens of like ones.
_SHOWN: Final = 10
# Characters on either side of an edit that say what it speaks of.
_NEAR: Final = 80


async def read_again(
    author: Author, operator: Operator, reference: Subject, revised: Subject, revision: Revision
) -> SecondReading:
    """Have a model read a reference and its revised copy."""
    language: Literal["en", "zh"] = "zh" if reference.language == "zh" else "en"
    written = await author.data(
        VALIDITY,
        schema=schema_of(operator),
        material=PromptMaterial(language=language),
        lead=document_lead(author, reference),
        max_tokens=2_048,
        **variables(author, operator, reference, revised, revision),
    )
    if written.status != "ok":
        return SecondReading(reader=author.model.id, status=written.status, reason=written.problem or "")
    return reading_of(operator, written.value, author.model.id)


def reading_of(operator: Operator, value: dict[str, Any], reader: str) -> SecondReading:
    """Return a reply to the question of validity as a record."""
    return SecondReading(
        reader=reader,
        answers={key: value[key] for key in questions(operator)},
        difference=value["difference"].strip(),
        reason=value["reason"].strip(),
    )


def questions(operator: Operator) -> tuple[Question, ...]:
    """Return what is asked of instances of a type."""
    return _ATTACK if operator.kind in ("bias", "manipulation") else tuple(EXPECTED)


def schema_of(operator: Operator) -> dict[str, Any]:
    """Return the schema of the reply."""
    answers = {key: choice(("yes", "no")) for key in questions(operator)}
    return table(difference=text(400), **answers, reason=text(400))


def document_lead(author: Author, subject: Subject) -> str:
    """Return how prompts about a subject begin, for editing and for the second reading."""
    language = "zh" if subject.language == "zh" else "en"
    shown = {"query": "", "outline": "", "sources": "", "tools": "", "steps": "", **document(subject)}
    return author.prompts.page(DOCUMENT.template, "task", language, shown)


def variables(
    author: Author, operator: Operator, reference: Subject, revised: Subject, revision: Revision
) -> dict[str, Any]:
    """Return the variables of the question."""
    chinese = reference.language == "zh"
    passages = changed_passages(reference, revised, revision)
    growth = len(revised.source) / max(1, len(reference.source)) - 1
    return {
        "operator": operator,
        "definition": (operator.definition_zh or operator.definition) if chinese else operator.definition,
        "attack": operator.kind in ("bias", "manipulation"),
        "targeted": operator.kind == "targeted",
        "trajectory": not isinstance(reference, Report),
        "passages": [_shown(author, passage, "zh" if chinese else "en") for passage in passages],
        **_shown_beside(operator, reference, revision, passages),
        "shown": min(_SHOWN, len(passages)),
        "growth": round(100 * growth) if operator.growth is not None else None,
    }


def _shown_beside(
    operator: Operator, reference: Subject, revision: Revision, passages: list[ChangedPassage]
) -> dict[str, Any]:
    """Return what shows a failure of this type beside the place itself: ``responses``, ``elsewhere``."""
    responses, near = "", []
    if operator.against == "responses" and isinstance(reference, Trajectory):
        told = "\n".join(f"{passage.before}\n{passage.after}" for passage in passages)
        responses = retrieved(reference, getattr(revision, "index", 0), told)
    if operator.against == "report" and isinstance(revision, TextRevision):
        assert isinstance(reference, Report)
        source = reference.source
        said = [source[max(0, edit.start - _NEAR) : edit.end + _NEAR] + edit.text for edit in revision.edits]
        near = elsewhere(reference, [(edit.start, edit.end) for edit in revision.edits], "\n".join(said))
    return {"responses": responses, "elsewhere": near}


def _shown(author: Author, passage: ChangedPassage, language: str) -> dict[str, str]:
    def word(block: str, **values: str) -> str:
        return author.prompts.page(DOCUMENT.template, block, language, values)

    kind = passage.part.partition(" ")[0]
    where = "where_passage" if kind == "passage" else "where_step"
    return {
        **msgspec.structs.asdict(passage),
        "kind": word(f"kind_{kind}"),
        "where": word(where, where=passage.where) if passage.where else "",
    }
