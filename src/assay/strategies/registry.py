"""Strategies: the files of this package, and entry points in the group ``assay.strategies``.

[project.entry-points."assay.strategies"]
oracle = "assay_oracle.oracle:STRATEGY"      # the template oracle.jinja lies beside oracle.py
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Final

import msgspec

import assay.strategies as package
from assay.errors import UsageError
from assay.registry import cached_list, discover
from assay.strategies.base import Strategy, check_fields
from assay.strategies.own_strategy import strategy_of_file
from assay.suggest import did_you_mean

if TYPE_CHECKING:
    from collections.abc import Mapping
    from types import ModuleType

GROUP: Final = "assay.strategies"

_NAME: Final = re.compile(r"[a-z][a-z0-9_]*")
# Suffixes of prompts; a file that exists, or a name with a folder, is a prompt whatever its suffix.
_SUFFIXES: Final = (".jinja", ".jinja2", ".j2", ".txt", ".md", ".prompt")


@cached_list
def all_strategies() -> Mapping[str, Strategy]:
    """Return every strategy by name, in alphabetical order.

    Raises:
        UsageError: Two strategies share a name, an entry point does not load or is not a strategy, or a strategy is
            faulty.
    """
    strategies = discover(
        [package],
        group=GROUP,
        attribute="STRATEGY",
        kind=Strategy,
        names=lambda strategy: (strategy.name,),
        prepare=_placed,
    )
    return {strategy.name: strategy for strategy in sorted(strategies, key=lambda strategy: strategy.name)}


def find_strategy(name: str | Path) -> Strategy:
    """Return the strategy of this name, or the one whose prompt is this file.

    Raises:
        UsageError: There is none, and the message offers similar names; or the file is not a usable prompt.
        InputError: The file cannot be read.
    """
    if isinstance(name, Path) or is_prompt_file(name):
        return strategy_of_file(name)
    strategies = all_strategies()
    wanted = name.strip().lower().replace("-", "_")
    if wanted in strategies:
        return strategies[wanted]
    raise UsageError(f"no strategy is called {name!r}; {did_you_mean(wanted, strategies)}")


def is_prompt_file(name: str, base: Path | None = None) -> bool:
    """Return whether a name is that of a prompt file, relative to a folder, rather than of a strategy or a model."""
    if name.lower().endswith(_SUFFIXES) or name.startswith(("./", "../", "~/", "/", ".\\", "..\\")):
        return True
    return ("/" in name or "." in name) and ((base or Path()) / name).is_file()


def _placed(strategy: Strategy, module: ModuleType) -> Strategy:
    """Check a strategy and complete the path of its template."""
    if not _NAME.fullmatch(strategy.name):
        raise UsageError(
            f"strategy {strategy.name!r} must be named in lower-case words joined by underscores"
        )
    check_fields(strategy.fields, f"strategy {strategy.name!r}")
    if strategy.texts:
        return strategy
    path = Path(strategy.template) if strategy.template else Path(f"{strategy.name}.jinja")
    if not path.is_absolute():
        path = Path(module.__file__ or "").parent / path
    if not path.is_file():
        raise UsageError(f"strategy {strategy.name!r} has no template at {path}")
    return msgspec.structs.replace(strategy, template=str(path))
