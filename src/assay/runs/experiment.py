"""What an experiment file says, as plain records."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import msgspec

from assay.judges.ensemble import Rule
from assay.judges.settings import JudgeSettings
from assay.models.settings import ModelConfig
from assay.runs.budget import Budget
from assay.strategies.base import MODES, Mode

On = Literal["id", "query"]
Problems = Literal["stop", "skip"]


class SubjectSource(msgspec.Struct, frozen=True, kw_only=True):
    """Where subjects come from.

    Attributes:
        path: Files, folders or globs, relative to the experiment.
        limit: Most subjects taken from here.
        ids: Only these, by id, by path or by the file's name.
        system: Who made them, where the input does not say.
        query: The question they answer, where the input does not say; ``@FILE`` reads it.
        reference: Reference answers; see `Experiment`.
        format: How to read the input, instead of recognising it.
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
    """A judge as the file has it.

    Attributes:
        strategy: How it asks.
        model: Whom.
        label: What it is called in results.
        rubrics: By which yardsticks, each making a judge of its own; names or paths. Empty: what fits the subjects.
        modes: For which of scoring, pairs and rankings it is used.
        settings: Everything else.
        suite: The suite it is of, if any.
        place: Where it stands in the file.
    """

    strategy: str
    model: str
    label: str
    rubrics: tuple[str, ...]
    modes: tuple[Mode, ...] = MODES
    settings: JudgeSettings = JudgeSettings()
    suite: str = ""
    place: str = ""

    @property
    def name(self) -> str:
        """``STRATEGY@MODEL``."""
        return f"{self.strategy}@{self.model}"


class Grouping(msgspec.Struct, frozen=True, kw_only=True):
    """Which subjects are compared with each other, or ranked together.

    Attributes:
        members: These, by id or path; two of a pair, in order.
        systems: Else those of these systems, in this order; all where empty.
        on: What must be the same.
        place: Where it stands in the file.
    """

    members: tuple[str, ...] = ()
    systems: tuple[str, ...] = ()
    on: On = "query"
    place: str = ""


class Experiment(msgspec.Struct, frozen=True, kw_only=True):
    """What a file says.

    Attributes:
        name: Of its runs.
        base: The folder paths are relative to.
        subjects: What is judged.
        judges: By whom.
        score: Whether subjects are judged by themselves; None: unless they are compared or ranked.
        compare: Which pairs are compared.
        rank: Which sets are ranked.
        ensemble: Rules by which the judges of each pair are put together besides.
        query: The question, for subjects that do not carry their own.
        reference: Reference answers: a text for all, or a JSONL file or a folder that has one for each id.
        limit: Most subjects.
        problems: What happens to subjects that cannot be read or judged: nothing is begun, or they are left out.
        budget: Caps.
        models: What it says about models.
        ledger: Where results are kept; None leaves it to the command.
        prompts: Folders of templates that come before the package's.
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
        wanted = {"score": score, "pair": bool(self.compare), "rank": bool(self.rank)}
        return tuple(mode for mode in MODES if wanted[mode])

    def at(self, path: str) -> str:
        """A path of the file as seen from the working directory."""
        return str(self.base / path)
