"""Old public names: each works for one more release, warns, and says the new one."""

from __future__ import annotations

import importlib
import warnings
from typing import Any, Final

# Old name in `assay`: module and attribute that it stands for, and what to write instead.
OLD_NAMES: Final[dict[str, tuple[str, str, str]]] = {
    "open_judge": ("assay.runs.judge", "Judge", "assay.Judge, and ledger=… in assay.run"),
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
