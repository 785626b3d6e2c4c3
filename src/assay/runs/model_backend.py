"""The backend of a judge with a model: its session and ledger."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from assay.judges.default_rubrics import default_rubric
from assay.judges.ranking import Ranking
from assay.judges.repetitions import Repetitions
from assay.judges.settings import JudgeSettings, split_judge
from assay.runs.recording_judge import RecordingJudge, new_run
from assay.strategies.prompt_folders import prompt_folders
from assay.subjects.subject import Subject

if TYPE_CHECKING:
    from assay.models.settings import ModelSettings
    from assay.runs.budget import Budget
    from assay.runs.ledger import Ledger
    from assay.runs.rubric_lookup import AnyRubric
    from assay.runs.session import Session


class ModelBackend:
    """A judge with a model. The first judgment opens session and ledger, on its event loop.

    The arguments are those of `assay.runs.bound_judge.open_judge`.

    Raises:
        UsageError: The model is unknown, or its settings are invalid.
        InputError: A folder of prompts is invalid.
    """

    def __init__(
        self,
        name: str,
        model: str,
        *,
        rubric: AnyRubric | None,
        settings: JudgeSettings,
        ledger: str | Path | Ledger | None,
        fresh: bool,
        budget: Budget | None,
        prompts: Sequence[str | Path],
        overrides: ModelSettings | None,
    ) -> None:
        from assay.models.registry import settings_of  # noqa: PLC0415 - with the models

        settings_of(model, overrides=overrides)
        self.name = split_judge(name).label
        self._judge = name
        self._rubric = rubric
        self._settings = settings
        self._ledger = ledger
        self._since = time.time() if fresh else 0.0
        self._rest: dict[str, Any] = {
            "fresh": fresh,
            "budget": budget,
            "prompts": prompt_folders(prompts),
            "overrides": overrides,
        }
        self._session: Session | None = None
        self._own: Ledger | None = None
        self._makers: dict[str, RecordingJudge] = {}

    async def trials(
        self, subjects: Sequence[Subject], *, query: str | None, reference: str | None
    ) -> Repetitions:
        """Score one subject, or compare two."""
        maker = await self._maker(subjects)
        mode = "score" if len(subjects) == 1 else "compare"
        maker.check(mode, subjects, query=query, reference=reference)  # type: ignore[arg-type]
        return (await maker.repeat(mode, subjects, query=query, reference=reference)).trials  # type: ignore[arg-type]

    async def rank(
        self, subjects: Sequence[Subject], *, method: str, query: str | None, reference: str | None
    ) -> Ranking:
        """Order several subjects."""
        maker = await self._maker(subjects)
        return await maker.rank(subjects, method=method, query=query, reference=reference)

    async def close(self) -> None:
        """Close models, and the ledger if it was opened here."""
        session, self._session = self._session, None
        if session is not None:
            for maker in self._makers.values():
                await maker.finish("done")
            await session.close()
        if self._own is not None:
            self._own.close()
            self._own = None

    async def _maker(self, subjects: Sequence[Subject]) -> RecordingJudge:
        session = self._open()
        rubric: str | AnyRubric = self._rubric or default_rubric(subjects, self._settings.granularity)
        name = rubric if isinstance(rubric, str) else rubric.name
        if name not in self._makers:
            judge = await session.judge(self._judge, rubric=rubric, settings=self._settings)
            plan = {"judge": judge.name, "rubric": name, "version": judge.version}
            self._makers[name] = RecordingJudge(
                session, judge, run=new_run("python", plan), since=self._since
            )
        return self._makers[name]

    def _open(self) -> Session:
        if self._session is None:
            from assay.runs.ledger import Ledger, open_ledger  # noqa: PLC0415 - sqlite3
            from assay.runs.ledger_location import ledger_location  # noqa: PLC0415
            from assay.runs.session import Session  # noqa: PLC0415

            ledger = self._ledger
            if isinstance(ledger, str | Path):
                where = ledger_location(None if ledger == "auto" else str(ledger))
                ledger = self._own = None if where == "none" else open_ledger(where)
            assert ledger is None or isinstance(ledger, Ledger)
            self._session = Session(ledger=ledger, **self._rest)
        return self._session
