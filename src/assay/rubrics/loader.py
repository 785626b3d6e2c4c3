"""Loading rubrics by name or from a file."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Final

from assay.errors import UsageError
from assay.located import LocatedData, read_data_file
from assay.registry import cached_list, registered
from assay.rubrics.rubric import Rubric
from assay.rubrics.rubric_file import dump_rubric, parse_rubric
from assay.rubrics.scales import DATA
from assay.suggest import did_you_mean

# Other names of built-in rubrics. To judge by no rubric is to give one holistic score.
ALIASES: Final[dict[str, str]] = {"none": "overall"}
_SUFFIXES: Final = (".yaml", ".yml", ".json")


@cached_list
def rubric_names() -> tuple[str, ...]:
    """Return the rubrics that have names, sorted: the built-in ones, and those registered in this process.

    Raises:
        UsageError: A registered rubric has the name of a built-in one.
    """
    own = sorted(path.stem for path in DATA.glob("*.yaml"))
    for name in _registered():
        if name in own or name in ALIASES:
            raise UsageError(f"there is a built-in rubric called {name!r}; rename yours")
    return tuple(sorted((*own, *_registered())))


def load_rubric(name_or_path: str | Path) -> Rubric:
    """Return a built-in rubric by name, or one from a YAML or JSON file.

    Raises:
        UsageError: The name is neither that of a rubric nor of a file.
        InputError: The file is not a rubric; the message names the place, the value, and what would fit.
    """
    return read_rubric(name_or_path)[0]


def read_rubric(name_or_path: str | Path) -> tuple[Rubric, LocatedData]:
    """Return a rubric and the located data it was read from."""
    if isinstance(name_or_path, str):
        name = ALIASES.get(name_or_path, name_or_path)
        if name in _registered():
            rubric = _registered()[name]
            return rubric, LocatedData(dump_rubric(rubric), name)
        if name in rubric_names():
            return _built_in(name)
        if not is_file_name(name):
            raise UsageError(
                f"no rubric is called {name!r}; {did_you_mean(name, (*rubric_names(), *ALIASES))} (a file "
                f"is named with its "
                "ending, .yaml or .json)"
            )
    source = read_data_file(Path(name_or_path))
    return parse_rubric(source), source


def _registered() -> dict[str, Rubric]:
    return {item.name: item for item in registered(Rubric, lambda item: (item.name,))}


def is_file_name(name: str) -> bool:
    """Return whether a text looks like the name of a file rather than of a rubric."""
    return name.lower().endswith(_SUFFIXES) or "/" in name or "\\" in name or Path(name).is_file()


@lru_cache(maxsize=64)
def _built_in(name: str) -> tuple[Rubric, LocatedData]:
    source = read_data_file(DATA / f"{name}.yaml")
    return parse_rubric(source), source
