"""Rubrics for single pairs: written by a model when a pair is judged, or read from a file that people may edit.

judge = ModelJudge(find_strategy("logicjudge"), model, InstanceRubrics.written(author))
rubric, parts = await judge.answer(Case(a, b))
parts[0].unit        # "rubric": the calls that wrote it, and its remaining flaws

This is the third setting of ReportLogic, section 5.4: none (rubric ``overall``), general (``reportlogic``), and
context-aware.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal

import msgspec

from assay.errors import InputError, UsageError
from assay.generation.base import answer_of
from assay.generation.instance_rubric import ASSIGNMENT, write_instance_rubric
from assay.judges.identity import digest_of, name_of
from assay.judges.parts import JudgmentPart
from assay.judges.rubric_source import ResolvedRubric
from assay.rubrics.instance import SCHEMA, InstanceRubric, as_rubric, typical
from assay.rubrics.instance_flaws import flaws
from assay.rubrics.loader import load_rubric
from assay.strategies.base import Answer
from assay.subjects.report import Report

if TYPE_CHECKING:
    from assay.generation.author import Author
    from assay.rubrics.rubric import Rubric
    from assay.subjects.case import Case


NAME: Final = "reportlogic-instance"
# Version of the rules about flaws, which decide which items are written again.
_RULES: Final = 1
_BYTES: Final = 65_536


class InstanceRubrics:
    """A `RubricSource` with a rubric for each pair. Create it by `written` or `read`.

    Args:
        author: Model that writes them; None if all are known.
        known: Known rubrics, by the digests of their reports.
        where: Name of the file that they are from, for messages.
    """

    def __init__(
        self,
        author: Author | None = None,
        known: Mapping[frozenset[str], Sequence[InstanceRubric]] | None = None,
        where: str = "",
    ) -> None:
        self._author = author
        self._known = known or {}
        self._where = where
        self._base = load_rubric("reportlogic")

    @classmethod
    def written(cls, author: Author) -> InstanceRubrics:
        """Return a source in which a model writes a rubric for each pair."""
        return cls(author)

    @classmethod
    def read(cls, path: str | Path) -> InstanceRubrics:
        """Return the rubrics of a JSONL file.

        Raises:
            InputError: The file cannot be read, or a line is not an instance rubric.
        """
        known: dict[frozenset[str], list[InstanceRubric]] = {}
        for instance in read_instances(path):
            known.setdefault(frozenset((instance.a.digest, instance.b.digest)), []).append(instance)
        return cls(known=known, where=str(path))

    @property
    def name(self) -> str:
        """``reportlogic-instance``, whether written or read."""
        return NAME

    @property
    def version(self) -> str:
        """Hash of the author and its prompts, or of the file's rubrics; 12 hex digits."""
        own: object = [list(rows) for rows in self._known.values()]
        if self._author is not None:
            own = [*self._author.version(ASSIGNMENT), _RULES]
        data = msgspec.json.encode((NAME, self._base.version, own))
        return hashlib.blake2b(data, digest_size=6).hexdigest()

    @property
    def typical(self) -> Rubric:
        """A rubric similar to those that the source gives."""
        return typical(self._base)

    def check(self, case: Case) -> None:
        """Refuse everything that is not a pair of reports, and pairs that the file does not cover.

        Raises:
            UsageError: There is no rubric for them.
        """
        if case.mode != "compare":
            doing = {"score": "score one report", "rank": "rank reports"}[case.mode]
            raise UsageError(
                f"rubric {NAME!r} compares two reports: its questions ask which of the two does better, so it cannot"
                f" {doing}; use rubric 'reportlogic' for that"
            )
        if any(not isinstance(item, Report) for item in case.subjects):
            raise UsageError(
                f"rubric {NAME!r} is for reports",
                hint="use another",
                cli_hint="`assay rubrics list` shows the others",
            )
        if self._author is None and self._find(case) is None:
            names = " and ".join(name_of(item) for item in case.subjects)
            raise UsageError(
                f"{self._where} has no rubric for {names}{' on this question' if case.query else ''} (they are found by the"
                " content of both reports)",
                cli_hint="`assay rubrics for-pair` writes one",
            )

    def known(self, case: Case) -> Rubric | None:
        """Return the rubric if the file has it."""
        if case.mode != "compare" or self._author is not None:
            return None
        instance = self._find(case)
        return None if instance is None else as_rubric(self._base, instance)

    async def rubric(self, case: Case, *, language: Literal["en", "zh"] = "en") -> ResolvedRubric:
        """Return the rubric of a pair, read or written. Flawed items count, and are flagged in the notes.

        Raises:
            UsageError: There is none for this pair.
        """
        self.check(case)
        a, b = case.subjects
        if self._author is None:
            found = self._find(case)
            assert found is not None
            notes = _flagged(found.flaws)
            answer = Answer(status="ok", notes=notes)
            parts = (JudgmentPart("rubric", "", (), answer),) if notes else ()
            return ResolvedRubric(as_rubric(self._base, found), parts)
        assert isinstance(a, Report)
        assert isinstance(b, Report)
        instance, written = await write_instance_rubric(self._author, case.query, a, b, language=language)
        part = JudgmentPart("rubric", "", (), answer_of(written))
        return ResolvedRubric(None if instance is None else as_rubric(self._base, instance), (part,))

    def _find(self, case: Case) -> InstanceRubric | None:
        """Return the last rubric of this pair and question: an edited line may follow the one that it replaces."""
        rows = self._known.get(frozenset(digest_of(item) for item in case.subjects), ())
        fitting = [row for row in rows if not case.query or not row.query or _same(row.query, case.query)]
        return fitting[-1] if fitting else None


def read_instances(path: str | Path) -> list[InstanceRubric]:
    """Return the instance rubrics of a JSONL file, with their recorded flaws.

    Raises:
        InputError: The file cannot be read, or a line is not an instance rubric.
    """
    instances: list[InstanceRubric] = []
    base = load_rubric("reportlogic")
    try:
        lines = Path(path).read_text("utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"cannot be read: {error}", where=str(path)) from error
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        where = f"{path}:{number}"
        try:
            instance = msgspec.json.decode(line, type=InstanceRubric)
        except msgspec.MsgspecError as error:
            raise InputError(f"is not an instance rubric: {error}", where=where) from error
        if instance.schema != SCHEMA:
            raise InputError(
                f"schema is {instance.schema!r}; this version of Assay reads {SCHEMA}", where=where
            )
        listed = flaws(instance.items, None, "", "").get("items")
        if listed:
            raise InputError(f"is not an instance rubric: {'; '.join(listed)}", where=where)
        as_rubric(base, instance)
        instances.append(instance)
    if not instances:
        raise InputError("holds no instance rubrics", where=str(path))
    return instances


def holds_instances(path: str | Path) -> bool:
    """Whether a file begins like a file of instance rubrics."""
    try:
        with Path(path).open("rb") as stream:
            head = stream.read(_BYTES)
    except OSError:
        return False
    first = next((line for line in head.splitlines() if line.strip()), b"")
    return SCHEMA.encode() in first[:200] or b'"good_example"' in first


def _flagged(flaws_by_key: Mapping[str, Sequence[str]]) -> tuple[str, ...]:
    return tuple(
        f"flagged for people: {key}: {flaw}" for key, flaws_ in flaws_by_key.items() for flaw in flaws_
    )


def _same(one: str, other: str) -> bool:
    return one.split() == other.split()
