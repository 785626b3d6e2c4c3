"""Experiments as plain records; `assay.runs.experiment_file` reads them."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import msgspec

from assay.judges.ensemble import Rule
from assay.judges.settings import JudgeName, JudgeSettings
from assay.models.settings import ModelConfig
from assay.runs.budget import Budget
from assay.subjects.case import MODES, Mode

On = Literal["id", "query"]
Problems = Literal["stop", "skip"]


class SubjectSource(msgspec.Struct, frozen=True, kw_only=True):
    """A source of subjects.

    Attributes:
        path: Files, folders or globs, relative to the experiment.
        limit: Maximum subjects from this source.
        ids: Subjects to take, by id, path or file name; all by default.
        system: System that wrote them, for inputs that do not name it.
        query: Question that they answer, for inputs that do not carry it; ``@FILE`` reads it.
        reference: Reference answers; see `Experiment`.
        format: Format of the input, if it is not to be recognised.
        fields: Names of row fields by what they hold: ``report: article``.
    """

    path: tuple[str, ...]
    limit: int | None = None
    ids: tuple[str, ...] = ()
    system: str | None = None
    query: str | None = None
    reference: str | None = None
    format: str | None = None
    fields: dict[str, str] = {}


class JudgeSpec(msgspec.Struct, frozen=True, kw_only=True):
    """A judge of an experiment.

    Attributes:
        strategy: Prompting strategy.
        model: Model id.
        label: Name in results.
        rubrics: Names or paths of rubrics, each making a judge of its own; by default what fits the subjects.
        modes: What it is used for: scoring, pairs, rankings.
        settings: All other settings.
        suite: Suite that it belongs to, if any.
        place: Its place in the file.
        rule: Rule of an ensemble; empty for another judge.
        members: Judges of an ensemble, or the only one, without a model: ``rules``, ``length``, ``random``.
    """

    strategy: str
    model: str
    label: str
    rubrics: tuple[str, ...]
    modes: tuple[Mode, ...] = MODES
    settings: JudgeSettings = JudgeSettings()
    suite: str = ""
    place: str = ""
    rule: Rule | Literal[""] = ""
    members: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """``STRATEGY@MODEL``, or the name of a judge without a model of its own."""
        if self.members:
            return f"{self.rule}({' '.join(self.members)})" if self.rule else self.members[0]
        return f"{self.strategy}@{self.model}"

    @property
    def given(self) -> str:
        """Its name in results, if it was given one."""
        if self.members:
            return "" if self.label == self.name else self.label
        return "" if self.label == JudgeName(self.strategy, self.model).label else self.label


class Grouping(msgspec.Struct, frozen=True, kw_only=True):
    """Subjects that are compared with each other, or ranked together.

    Attributes:
        members: Ids or paths of the subjects; two for a pair, in order.
        systems: Systems whose subjects are grouped, in this order; all if empty.
        on: What the subjects must share.
        place: Its place in the file.
    """

    members: tuple[str, ...] = ()
    systems: tuple[str, ...] = ()
    on: On = "query"
    place: str = ""


class Experiment(msgspec.Struct, frozen=True, kw_only=True):
    """An experiment.

    Attributes:
        name: Name of its runs.
        base: Folder that paths are relative to.
        subjects: Sources of subjects.
        judges: The judges.
        score: Whether subjects are scored singly; by default only if nothing is compared or ranked.
        compare: Pairs to compare.
        rank: Sets to rank.
        ensemble: Rules by which the judges of each pair are combined as well.
        query: Question for subjects that carry none.
        reference: Reference answers: one text for all, or a JSONL file or folder with one for each id.
        limit: Maximum subjects.
        problems: What happens if subjects cannot be read or judged: the run does not begin, or leaves them out.
        budget: Caps on spending.
        models: Settings of models.
        ledger: Location of the ledger; None leaves it to the command.
        prompts: Folders of templates that take precedence over the package's.
    """

    name: str
    base: Path
    subjects: tuple[SubjectSource, ...]
    judges: tuple[JudgeSpec, ...]
    score: bool | None = None
    compare: tuple[Grouping, ...] = ()
    rank: tuple[Grouping, ...] = ()
    ensemble: tuple[Rule, ...] = ()
    query: str | None = None
    reference: str | None = None
    limit: int | None = None
    problems: Problems = "stop"
    budget: Budget = Budget()
    models: ModelConfig = ModelConfig()
    ledger: str | None = None
    prompts: tuple[str, ...] = ()

    @property
    def modes(self) -> tuple[Mode, ...]:
        """What is done with the subjects."""
        score = self.score if self.score is not None else not (self.compare or self.rank)
        wanted = {"score": score, "compare": bool(self.compare), "rank": bool(self.rank)}
        return tuple(mode for mode in MODES if wanted[mode])

    def at(self, path: str) -> str:
        """Return a path of the file relative to the working directory."""
        return str(self.base / path)
