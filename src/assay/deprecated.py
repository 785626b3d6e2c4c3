"""Old public names: each works for one more release, warns, and says the new one."""

from __future__ import annotations

import importlib
import warnings
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

    from assay.runs.judge import Judge

_INSTEAD_OF_OPEN_JUDGE: Final = (
    "assay.Judge; ledger=, fresh= and budget= belong to assay.run, overrides= is model_settings=, and"
    " .trials(…) is .score(…).repetitions"
)
# Old name in `assay`: module and attribute that it stands for, and what to write instead.
OLD_NAMES: Final[dict[str, tuple[str, str, str]]] = {
    "open_judge": (__name__, "open_judge", _INSTEAD_OF_OPEN_JUDGE),
    "EngineError": ("assay.errors", "EngineError", "assay.ModelError, or assay.AssayError for all errors"),
    "compare": ("assay.audits.compare", "compare", 'assay.Judge("rules").compare'),
    "read_subjects": ("assay.subjects.reading", "read_subjects", "assay.read"),
}


def old_name(name: str) -> Any:
    """Return what an old name stands for, with a warning.

    Raises:
        AttributeError: There never was such a name.
    """
    if name not in OLD_NAMES:
        raise AttributeError(f"module 'assay' has no attribute {name!r}")
    module, attribute, instead = OLD_NAMES[name]
    warnings.warn(
        f"assay.{name} will go with the next release; use {instead}", DeprecationWarning, stacklevel=3
    )
    return getattr(importlib.import_module(module), attribute)


def renamed_settings(settings: Mapping[str, Any]) -> dict[str, Any]:
    """Return settings of a judge by their current names, with a warning about old ones."""
    warnings.warn("trials= will go with the next release; use repetitions=", DeprecationWarning, stacklevel=5)
    return {"repetitions" if key == "trials" else key: value for key, value in settings.items()}


def open_judge(
    name: str,
    *,
    ledger: Any = None,
    fresh: bool = False,
    budget: Any = None,
    overrides: Any = None,
    **settings: Any,
) -> Judge:
    """Return a judge that keeps its calls in a ledger; ``ledger="auto"`` is that of the command line."""
    from assay.runs.judge import Judge  # noqa: PLC0415 - only for callers of the old name
    from assay.runs.ledger_location import ledger_location  # noqa: PLC0415
    from assay.runs.run_settings import RunSettings  # noqa: PLC0415

    class OpenedJudge(Judge):
        """A judge with the methods of old."""

        _run_settings = RunSettings(
            ledger=ledger_location() if ledger == "auto" else ledger,
            fresh=fresh,
            budget=budget,
            progress=False,
        )

        def trials(self, *subjects: Any, **given: Any) -> Any:
            """Return the repetitions of one score or one comparison."""
            judgment = (self.score if len(subjects) == 1 else self.compare)(*subjects, **given)
            return judgment.repetitions or (judgment,)

        def close(self) -> None:
            """Do nothing; `Judge` closes its model itself."""

    return OpenedJudge(name, model_settings=overrides, **settings)
