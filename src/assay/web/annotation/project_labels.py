"""What a project says, in the formats that other commands read: labels, validations of a benchmark, marked faults."""

from __future__ import annotations

from collections import defaultdict
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final

import msgspec

from assay.interventions.instances import subject_of_side
from assay.meta.labels.loaders.base import LabelledText
from assay.meta.labels.record import Label
from assay.web.annotation.item_view import marked_faults
from assay.web.annotation.items import SEPARATOR
from assay.web.annotation.questions import CANNOT_SAY, FAULT_TYPES, FAULTS, NOTE, OVERALL

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from assay.web.annotation.project import AnnotationProject
    from assay.web.annotation.project_records import AnswerRecord

_LONGEST_NOTE: Final = 200
_EVIDENCE: Final = ":evidence"


def project_labels(project: AnnotationProject) -> Iterator[Label]:
    """Yield what raters said as labels, with who, when, how long, and the hash of what they were told.

    "Cannot say" gives no label, nor does an item of the training. A report in which faults were marked has a verdict for each type: found or not found.
    """
    given = _by_item(project.answers())
    times = {rater: project.seconds(rater) for rater in dict.fromkeys(rater for rater, _ in given)}
    for (rater, number), answers in given.items():
        if number in project.training:
            continue
        common = _common(project, rater, number, answers, times[rater].get(number, 0.0))
        if project.plan.task == "faults":
            yield from _fault_labels(answers, common)
            continue
        for question in project.plan.questions:
            answer = answers.get(question.key)
            if answer is None or answer.value in (None, CANNOT_SAY):
                continue
            value = str(answer.value)
            criterion = None if question.key == OVERALL else question.key
            about = {**common, "criterion": criterion}
            if project.plan.task == "pairs":
                yield Label(**about, preference=value)  # type: ignore[arg-type]
            elif question.level == "interval":
                yield Label(**about, score=float(value))
            else:
                yield Label(**about, verdict=_canonical(value))


def _canonical(value: str) -> str:
    """Return a verdict that does not depend on the side: a planted failure is in the revised text, B."""
    return {"A": "reference", "B": "revised"}.get(value, value)


def _by_item(rows: Iterable[AnswerRecord]) -> dict[tuple[str, int], dict[str, AnswerRecord]]:
    given: defaultdict[tuple[str, int], dict[str, AnswerRecord]] = defaultdict(dict)
    for row in rows:
        given[row.rater, row.item][row.question] = row
    return dict(given)


def _common(
    project: AnnotationProject, rater: str, number: int, answers: dict[str, AnswerRecord], seconds: float
) -> dict[str, Any]:
    item = project.outlines[number]
    at = max(answer.at for answer in answers.values())
    strata = {
        "at": datetime.fromtimestamp(at, UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        "seconds": f"{seconds:.0f}",
        "guidelines": project.plan.guidelines_hash,
    }
    note = answers.get(NOTE)
    if note is not None and note.value:
        strata["note"] = note.value[:_LONGEST_NOTE]
    if project.plan.task == "planted":
        strata["type"] = str(item.hidden.get("type", ""))
    return {"subject": item.subject, "rater": rater, "task": item.task[:2000] or None, "strata": strata}


def _fault_labels(answers: dict[str, AnswerRecord], common: dict[str, Any]) -> Iterator[Label]:
    if "read" not in answers or answers["read"].value == CANNOT_SAY:
        return
    found = marked_faults(answers[FAULTS].value if FAULTS in answers else None)
    for key, _ in FAULT_TYPES:
        own = [fault for fault in found if fault.type == key]
        strata = {**common["strata"], "faults": str(len(own))}
        yield Label(**{**common, "strata": strata}, criterion=key, verdict="found" if own else "not found")


def fault_rows(project: AnnotationProject) -> Iterator[dict[str, Any]]:
    """Yield a row for each marked fault: who, in what, where, of which type, how bad."""
    for row in project.answers():
        if row.question != FAULTS:
            continue
        for rank, fault in enumerate(marked_faults(row.value), start=1):
            yield {
                "subject": project.outlines[row.item].subject,
                "rater": row.rater,
                "rank": rank,
                **msgspec.to_builtins(fault),
            }


def evidence_rows(project: AnnotationProject) -> Iterator[dict[str, Any]]:
    """Yield a row for each passage that was marked as evidence of a criterion."""
    for row in project.answers():
        if row.question.endswith(_EVIDENCE) and row.value and row.item not in project.training:
            yield {
                "subject": project.outlines[row.item].subject,
                "rater": row.rater,
                "criterion": row.question.removesuffix(_EVIDENCE),
                **msgspec.json.decode(row.value),
            }


def validation_rows(project: AnnotationProject, rater: str) -> Iterator[dict[str, Any]]:
    """Yield a rater's labels of instances, as `assay bench validate` reads them.

    Valid: the failure is seen in the revised passage, both passages are plausible, and the original is better. Invalid: any of
    these is denied. Ambiguous: anything else.
    """
    for (name, number), answers in _by_item(project.answers(rater=rater)).items():
        assert name == rater
        values = [answers[key].value if key in answers else None for key in ("there", "plausible", "better")]
        if None in values or number in project.training:
            continue
        there, plausible, better = values
        if (there, plausible, better) == ("B", "yes", "A"):
            label = "valid"
        elif CANNOT_SAY in values and not (
            there in ("A", "neither") or plausible == "no" or better in ("B", "same")
        ):
            label = "ambiguous"
        else:
            label = "invalid"
        note = answers.get(NOTE)
        comment = (note.value if note else "") or ""
        yield {"id": project.outlines[number].subject, "label": label, "comment": comment}


def labelled_texts(project: AnnotationProject) -> Iterator[LabelledText]:
    """Yield the texts that labels are about, once each, so that judges and training can read them."""
    seen: set[str] = set()
    for number in project.numbers():
        item = project.item(number)
        names = item.subject.split(SEPARATOR) if len(item.texts) == 2 else [item.subject]
        for letter, name, text in zip("AB", names, item.texts, strict=False):
            if name in seen:
                continue
            seen.add(name)
            source = subject_of_side(text, query=item.query, name=name).source
            system = item.hidden.get(f"system_{letter.lower()}") or item.hidden.get("system") or None
            yield LabelledText(
                name=name, id=item.task[:200] or name, system=system, report=source, query=item.query or None
            )
