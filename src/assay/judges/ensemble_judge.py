"""Several judges as one: a label counts if all of them give it, or more than half."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Sequence
from typing import Any

import msgspec

from assay.errors import UsageError
from assay.judges.ensemble import RULES, Rule, ensemble
from assay.judges.identity import key_of, metadata_of
from assay.judges.judgment import Judgment
from assay.models.base import PendingCall
from assay.subjects.case import Case, Mode
from assay.suggest import did_you_mean


class EnsembleJudge:
    """Compares by the verdicts of several judges, which are asked in the same run; see `assay.judges.ensemble`.

    Args:
        judges: Two judges or more.
        rule: ``majority`` or ``consensus``.
        name: Its name in results; by default rule and members.

    Raises:
        UsageError: There are fewer, or the rule is unknown.
    """

    modes: tuple[Mode, ...] = ("compare",)

    def __init__(self, judges: Sequence[Any], rule: Rule = "majority", *, name: str | None = None) -> None:
        if rule not in RULES:
            raise UsageError(f"no ensemble rule is called {rule!r}; {did_you_mean(rule, RULES)}")
        if len(judges) < 2:
            raise UsageError(f"an ensemble takes two judges or more, not {len(judges)}")
        self.judges = tuple(judges)
        self.rule: Rule = rule
        names = [str(getattr(item, "name", None) or getattr(item, "__name__", item)) for item in self.judges]
        self.name = name or f"{rule}({' '.join(names)})"

    @property
    def version(self) -> str | None:
        """Hash of rule and members; None if that of a member is unknown."""
        versions = [item.version for item in self.judges]
        if None in versions:
            return None
        return hashlib.blake2b(f"{self.rule}{versions}".encode(), digest_size=6).hexdigest()

    @property
    def rubric_name(self) -> str | None:
        """Name of the rubric, if all members have the same."""
        names = {item.rubric_name for item in self.judges}
        return names.pop() if len(names) == 1 else None

    @property
    def repetitions(self) -> int:
        """How often the member with most repetitions judges each case."""
        return int(max(item.repetitions for item in self.judges))

    @property
    def early_stop(self) -> bool:
        """Whether repetitions end once the majority is settled."""
        return all(getattr(item, "early_stop", False) for item in self.judges)

    def check(self, case: Case) -> None:
        """Refuse a case that a member cannot judge.

        Raises:
            UsageError: A member cannot judge it, or it is not a pair.
        """
        if case.mode != "compare":
            raise UsageError(f"{self.name} compares two subjects; it cannot {case.mode}")
        for item in self.judges:
            item.check(case)

    def key(self, case: Case, repetition: int = 0) -> str:
        """Return the content address of a judgment."""
        keys = "".join(
            item.key(case, min(repetition, item.repetitions - 1)) for item in sorted(self.judges, key=_name)
        )
        return key_of(f"{self.rule}{keys}", case, repetition)

    async def judge(self, case: Case, repetition: int = 0) -> Judgment:
        """Ask all members, and combine their verdicts."""
        results = await asyncio.gather(
            *(item.judge(case, min(repetition, item.repetitions - 1)) for item in self.judges),
            return_exceptions=True,
        )
        errors = [item for item in results if isinstance(item, BaseException)]
        if errors:
            raise min(errors, key=lambda error: isinstance(error, PendingCall))
        made = [item for item in results if isinstance(item, Judgment)]
        return msgspec.structs.replace(
            ensemble(made, self.rule),
            judge=self.name,
            mode=case.mode,
            version=self.version,
            key=self.key(case, repetition),
            repetition=repetition,
            metadata=metadata_of(case),
        )


def _name(judge: Any) -> str:
    return str(judge.name)
