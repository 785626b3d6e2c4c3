"""Candidates for instances: revisions of a subject, by rule or by a model, that pass every filter."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any, Final

import msgspec

from assay.checks.base import Context
from assay.checks.registry import all_checks
from assay.checks.runner import run_checks
from assay.generation.base import Assignment
from assay.interventions.applying import AppliedRevision, apply, raw_step
from assay.interventions.base import Edit, EditSite, Operator, StepRevision, TextRevision
from assay.interventions.filters import RevisedPair, refusal
from assay.interventions.hints import edit_flaw
from assay.interventions.screening import already_there
from assay.strategies.base import PromptMaterial
from assay.subjects.report import Report
from assay.subjects.trajectory import RawCall, Trajectory
from assay.text.bilingual import in_language

if TYPE_CHECKING:
    from assay.checks.base import Finding
    from assay.generation.author import Author
    from assay.interventions.base import Revision
    from assay.subjects.subject import Subject

ASSIGNMENT: Final = Assignment(
    name="intervention",
    summary="One failure put into a passage or a step, everything else left as it is.",
    template=str(Path(__file__).with_name("editing.jinja")),
    source="reflect, section 2.2; reportlogic, appendix C.4",
)
# Greatest number of revisions examined per rule and subject.
_LOOKED_AT: Final = 24
# Greatest number of sites tried with a model per subject.
_SITES_ASKED: Final = 2
_REPLY: Final = 1600
# Shorter arguments occur in responses by chance.
_ECHO: Final = 8
# Phrases in which tools repeat an argument without quotation marks.
_REPEATED: Final = (
    ("ould not find [", "]"),
    ("ould not find ", ". Similar:"),
    ("No results for ", "."),
    ("for user goal ", " as follows"),
    ("useful information in ", " for user goal"),
)


class Candidate(msgspec.Struct, frozen=True):
    """A revision that passed every filter, with the revised subject."""

    operator: Operator
    subject: Any
    revision: TextRevision | StepRevision
    applied: AppliedRevision
    editor: str

    @property
    def growth(self) -> int:
        """Number of characters that the revision added; negative if it removed more."""
        return len(self.applied.subject.source) - len(self.subject.source)


class Screen:
    """Refuses revisions that cannot become instances, and counts why.

    The findings of checks on a reference are kept, so that many revisions of it cost one run of the checks.
    """

    def __init__(self) -> None:
        self.refused: Counter[tuple[str, str]] = Counter()
        self.passed: Counter[str] = Counter()
        self._findings: dict[tuple[int, str], list[Finding]] = {}

    def forget(self) -> None:
        """Drop the stored findings of subjects that will not come again."""
        self._findings.clear()

    def candidate(
        self, operator: Operator, subject: Subject, revision: Revision, editor: str
    ) -> Candidate | None:
        """Return the revision as a candidate, or None if a filter, the operator's check or the screening refuses it."""
        try:
            applied = apply(subject, revision)
        except (ValueError, TypeError) as error:
            self.refused[operator.name, f"does_not_apply: {error}"] += 1
            return None
        refused = refusal(RevisedPair(operator, subject, applied, revision))
        if refused is None and operator.check is not None:
            reason = operator.check(subject, applied.subject, revision)
            refused = None if reason is None else ("not_the_failure", reason)
        if refused is None:
            reason = already_there(operator, subject, applied.reference_site, self._known(operator, subject))
            refused = None if reason is None else ("already_there", reason)
        if refused is not None:
            self.refused[operator.name, refused[0]] += 1
            return None
        self.passed[operator.name] += 1
        echoed = _echoed(subject, revision)
        if echoed is not None:
            revision, applied = echoed, apply(subject, echoed)
        return Candidate(operator, subject, revision, applied, editor)

    def _known(self, operator: Operator, subject: Subject) -> list[Finding]:
        key = (id(subject), operator.name)
        if key not in self._findings:
            known = all_checks()
            checks = [known[code] for code in operator.codes if code in known]
            self._findings[key] = run_checks(subject, checks, Context()) if checks else []
        return self._findings[key]


def operator_random(seed: int, operator: Operator, subject: Subject) -> Random:
    """Return the random generator of an operator for a subject, fixed by seed, operator and text."""
    digest = hashlib.blake2b(
        f"{seed}\n{operator.name}\n{subject.source}".encode("utf-8", "surrogatepass"), digest_size=8
    ).digest()
    return Random(int.from_bytes(digest, "big"))  # noqa: S311 - no secret hangs on it


def by_rule(
    operator: Operator,
    subject: Subject,
    screen: Screen,
    *,
    seed: int,
    most: int,
    others: Sequence[Subject] = (),
) -> list[Candidate]:
    """Return up to ``most`` candidates of an operator's rule, of different patterns if possible, in the rule's order.

    Args:
        operator: The operator whose rule is applied.
        subject: The reference.
        screen: Filter for revisions that cannot become instances.
        seed: Seed of every random choice.
        most: Greatest number of candidates.
        others: Subjects from which words may be borrowed.
    """
    draw = operator_random(seed, operator, subject)
    revisions: Iterable[Revision] = operator.rule(subject, draw)
    if operator.borrow is not None and others:
        revisions = chain(operator.borrow(subject, draw, others), revisions)
    candidates: list[Candidate] = []
    patterns: Counter[str] = Counter()
    for revision in islice(revisions, _LOOKED_AT):
        if patterns[revision.pattern] >= max(2, most // 2):
            continue
        candidate = screen.candidate(operator, subject, revision, "rules")
        if candidate is not None:
            patterns[revision.pattern] += 1
            candidates.append(candidate)
            if len(candidates) >= most:
                break
    return candidates


async def by_model(
    author: Author, operator: Operator, subject: Subject, screen: Screen, *, seed: int
) -> Candidate | None:
    """Return a candidate written by a model, at the first of a few sites where its text passes; None if none passes."""
    if operator.sites is None:
        return None
    for site in islice(operator.sites(subject, operator_random(seed, operator, subject)), _SITES_ASKED):
        revision = await _written(author, operator, subject, site, screen)
        if revision is None:
            continue
        candidate = screen.candidate(operator, subject, revision, author.model.id)
        if candidate is not None:
            return candidate
    return None


async def _written(
    author: Author, operator: Operator, subject: Subject, site: EditSite, screen: Screen
) -> Revision | None:
    chinese = subject.language == "zh"
    text = _text_at(subject, site)
    written = await author.text(
        ASSIGNMENT,
        material=PromptMaterial(query=subject.query or None, language="zh" if chinese else "en"),
        check=lambda new: _flaws(operator, subject, site, new),
        max_tokens=_REPLY,
        operator=operator,
        ask=(operator.ask_zh or operator.ask) if chinese else operator.ask,
        definition=(operator.definition_zh or operator.definition) if chinese else operator.definition,
        passage=text,
        kind=_kind(site),
        hint=in_language(site.hint, "zh" if chinese else "en"),
        before=_before(subject, site),
    )
    if written.status != "ok":
        screen.refused[operator.name, f"model_{written.status}"] += 1
        return None
    if written.flaws and not _flaws(operator, subject, site, written.value):
        # The text is merely cut off, which no filter notices.
        screen.refused[operator.name, "cut_off"] += 1
        return None
    try:
        return _revision(subject, site, written.value)
    except ValueError:
        screen.refused[operator.name, "malformed"] += 1
        return None


def _flaws(operator: Operator, subject: Subject, site: EditSite, new: str) -> Sequence[str]:
    """Return descriptions of what is wrong with a model's text, worded to help the model correct it."""
    try:
        revision = _revision(subject, site, new)
        applied = apply(subject, revision)
    except (ValueError, TypeError) as error:
        return [edit_flaw("does_not_apply", str(error))]
    refused = refusal(RevisedPair(operator, subject, applied, revision))
    if refused is not None:
        return [edit_flaw(*refused)]
    reason = operator.check(subject, applied.subject, revision) if operator.check is not None else None
    return [] if reason is None else [edit_flaw("not_the_failure", reason)]


def _echoed(subject: Subject, revision: Revision) -> StepRevision | None:
    """Return the revision with the tool's echo of its arguments revised too; None if the tool echoes nothing.

    A search engine that repeats the original query would betray the changed one.
    """
    if not isinstance(revision, StepRevision) or not isinstance(subject, Trajectory):
        return None
    step = raw_step(subject.steps[revision.index])
    new = revision.step
    changed = False
    for at, (before, after) in enumerate(zip(step.tool_calls, new.tool_calls, strict=True)):
        if before.response is None or before.response != after.response:
            continue
        response = before.response
        for old, now in zip(_texts(before.arguments), _texts(after.arguments), strict=False):
            if old != now and old:
                response = _rewritten(response, old, now)
        if response != before.response:
            new.tool_calls[at] = RawCall(after.name, after.arguments, response)
            changed = True
    return (
        StepRevision(index=revision.index, step=new, pattern=revision.pattern, note=revision.note)
        if changed
        else None
    )


def _rewritten(response: str, old: str, now: str) -> str:
    """Return a response in which only the repeated argument is exchanged."""
    # Set phrases repeat what was not found, a goal or an address, however short it is.
    for lead, tail in _REPEATED:
        response = response.replace(f"{lead}{old}{tail}", f"{lead}{now}{tail}")
    if len(old) >= _ECHO:
        # In quotation marks the words are an echo; elsewhere they are a result.
        for opened, closed in ("''", '""', "“”", "「」"):
            response = response.replace(f"{opened}{old}{closed}", f"{opened}{now}{closed}")
    return response


def _texts(value: object) -> list[str]:
    if isinstance(value, str):
        return [value]
    if isinstance(value, dict):
        return [text for item in value.values() for text in _texts(item)]
    if isinstance(value, list):
        return [text for item in value for text in _texts(item)]
    return []


def _kind(site: EditSite) -> str:
    return "passage" if site.step is None else site.part


def _text_at(subject: Subject, site: EditSite) -> str:
    if isinstance(subject, Report):
        return subject.source[site.start : site.end]
    step = subject.steps[site.step or 0]
    if site.part == "reasoning":
        return step.reasoning
    call = step.tool_calls[site.call]
    if site.part == "response":
        return call.response or ""
    arguments = call.arguments
    text = arguments if isinstance(arguments, str) else msgspec.json.encode(arguments).decode()
    return call.name if site.part == "name" else text


def _before(subject: Subject, site: EditSite) -> str:
    """Return the context a model needs to edit a step well: up to two steps before it, and the step itself."""
    if isinstance(subject, Report) or site.step is None:
        return ""
    step = subject.steps[site.step]
    start = subject.steps[max(0, site.step - 2)].span.start
    return subject.source[start : step.span.end][-6000:]


def _revision(subject: Subject, site: EditSite, new: str) -> Revision:
    """Return a model's text as a revision, with the edit cut down to what differs.

    Raises:
        ValueError: The text does not have the required form.
    """
    note = f"written by a model at {_kind(site)}"
    if isinstance(subject, Report):
        old = subject.source[site.start : site.end]
        lead, tail = _shared(old, new)
        edit = Edit(site.start + lead, site.end - tail, new[lead : len(new) - tail])
        return TextRevision(edits=(edit,), pattern="model", note=note)
    assert isinstance(subject, Trajectory)
    assert site.step is not None
    step = raw_step(subject.steps[site.step])
    if site.part == "reasoning":
        step.reasoning = new
        return StepRevision(index=site.step, step=step, pattern="model", note=note)
    call = step.tool_calls[site.call]
    if site.part == "name":
        changed = RawCall(new.strip(), call.arguments, call.response)
    elif site.part == "response":
        changed = RawCall(call.name, call.arguments, new)
    else:
        changed = RawCall(call.name, _arguments(call.arguments, new), call.response)
    step.tool_calls[site.call] = changed
    return StepRevision(index=site.step, step=step, pattern="model", note=note)


def _arguments(old: dict[str, Any] | str, new: str) -> dict[str, Any] | str:
    if isinstance(old, str):
        return new
    try:
        return msgspec.json.decode(new, type=dict[str, Any])
    except msgspec.MsgspecError as error:
        raise ValueError(f"the arguments are not a JSON object: {error}") from error


def _shared(old: str, new: str) -> tuple[int, int]:
    """Return how many characters two texts share at the start and at the end, cut back to word boundaries."""
    lead = 0
    for a, b in zip(old, new, strict=False):
        if a != b:
            break
        lead += 1
    tail = 0
    for a, b in zip(_backwards(old, lead), _backwards(new, lead), strict=False):
        if a != b:
            break
        tail += 1
    while lead and lead < min(len(old), len(new)) and old[lead - 1].isalnum() and old[lead - 1].isascii():
        lead -= 1
    while tail and old[len(old) - tail].isalnum() and old[len(old) - tail].isascii():
        tail -= 1
    return lead, tail


def _backwards(text: str, until: int) -> Iterator[str]:
    for at in range(len(text) - 1, until - 1, -1):
        yield text[at]
