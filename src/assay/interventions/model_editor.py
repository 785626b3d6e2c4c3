"""A model that plants failures: it rewrites the places of a site, and is told once what a filter refuses."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal

from assay.generation.base import Assignment
from assay.interventions.applying import apply
from assay.interventions.filters import RevisedPair, refusal
from assay.interventions.hints import edit_flaw
from assay.interventions.material import around, retrieved, text_at
from assay.interventions.revising import NothingChangedError, revision_of
from assay.interventions.second_reader import DOCUMENT, document_lead
from assay.strategies.base import PromptMaterial
from assay.strategies.json_schema import array, flag, table, text
from assay.subjects.trajectory import Trajectory
from assay.text.bilingual import in_language

if TYPE_CHECKING:
    from assay.generation.author import Author
    from assay.interventions.base import EditSite, Operator, Place, Revision
    from assay.interventions.screen import Screen
    from assay.subjects.subject import Subject

ASSIGNMENT: Final = Assignment(
    name="editing",
    summary="One failure put into a document, everything else left as it is.",
    template=str(Path(__file__).with_name("editing.jinja")),
    source="reflect, section 2.2; reportlogic, appendix C.4",
)
# Tokens of a reply: of the texts to be rewritten, and beyond them.
_TOKENS_BESIDE: Final = 1_500
_GROWN: Final = 1.6


async def write_revision(
    author: Author, operator: Operator, subject: Subject, site: EditSite, screen: Screen
) -> Revision | None:
    """Have a model write a revision at a site; None if it writes none that can be used, which the screen counts."""
    language: Literal["en", "zh"] = "zh" if subject.language == "zh" else "en"
    chinese = language == "zh"
    places = [*site.places, *site.following]
    length = sum(len(text_at(subject, place)) for place in places)
    tokens = int(length * _GROWN / (1 if chinese else 3))
    contexts = around(subject, places)
    main = places[0]
    written = await author.data(
        ASSIGNMENT,
        schema=_schema(len(places)),
        material=PromptMaterial(language=language),
        lead=document_lead(author, subject),
        check=lambda value: _flaws(operator, subject, site, value),
        max_tokens=_TOKENS_BESIDE + tokens,
        operator=operator,
        attack=operator.kind in ("bias", "manipulation"),
        definition=(operator.definition_zh or operator.definition) if chinese else operator.definition,
        ask=(operator.ask_zh or operator.ask) if chinese else operator.ask,
        hint=in_language(site.hint, language),
        responses=(
            retrieved(subject, main.step or 0, text_at(subject, main))
            if operator.against == "responses" and isinstance(subject, Trajectory)
            else ""
        ),
        renames=any(place.part == "name" for place in site.places),
        places=[
            {
                **_shown(author, subject, place, context),
                "number": number,
                "fitting": number > len(site.places),
            }
            for number, (place, context) in enumerate(zip(places, contexts, strict=True), 1)
        ],
    )
    if written.status != "ok":
        screen.refuse(operator, subject, f"model_{written.status}", written.problem or "")
        return None
    if not written.value["possible"]:
        screen.refuse(operator, subject, "declined", written.value["obstacle"])
        return None
    try:
        return revision_of(subject, site, _texts(written.value))
    except ValueError as error:
        reason = "no_change" if isinstance(error, NothingChangedError) else "malformed"
        screen.refuse(operator, subject, reason, str(error))
        return None


def _schema(places: int) -> dict[str, Any]:
    passage = table(number={"type": "integer", "minimum": 1, "maximum": places}, text={"type": "string"})
    return table(possible=flag(), passages=array(passage, places), obstacle=text(300))


def _texts(value: dict[str, Any]) -> dict[int, str]:
    return {item["number"]: item["text"] for item in value["passages"]}


def _flaws(operator: Operator, subject: Subject, site: EditSite, value: dict[str, Any]) -> Sequence[str]:
    """Return what is wrong with a reply, worded to help the model correct it."""
    if not value["possible"]:
        return []
    try:
        revision = revision_of(subject, site, _texts(value))
        applied = apply(subject, revision)
    except (ValueError, TypeError) as error:
        name = "no_change" if isinstance(error, NothingChangedError) else "does_not_apply"
        return [edit_flaw(name, str(error))]
    refused = refusal(RevisedPair(operator, subject, applied, revision))
    if refused is not None:
        return [edit_flaw(*refused)]
    reason = operator.check(subject, applied.subject, revision) if operator.check is not None else None
    return [] if reason is None else [edit_flaw("not_the_failure", reason)]


def _shown(author: Author, subject: Subject, place: Place, context: dict[str, str]) -> dict[str, Any]:
    language = "zh" if subject.language == "zh" else "en"
    kind = "passage" if place.step is None else place.part
    where, passage = context["where"], text_at(subject, place)
    if where:
        block = "where_passage" if place.step is None else "where_step"
        where = author.prompts.page(DOCUMENT.template, block, language, {"where": where})
    return {
        **context,
        "kind": author.prompts.page(DOCUMENT.template, f"kind_{kind}", language, {}),
        "text": passage,
        "step": "" if context["step"].strip() == passage.strip() else context["step"],
        "where": where,
    }
