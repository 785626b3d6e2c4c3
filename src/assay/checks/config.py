"""Settings: what ``assay.toml`` or ``[tool.assay]`` in ``pyproject.toml`` may say.

    select = ["NUM", "CIT001"]            # codes, families, names; without it the default checks run
    ignore = ["repeated-source"]
    fail-on = "warning"
    [per-file]
    "drafts/**" = { ignore = ["STR"] }    # globs are relative to the settings file
    [options.EXP004]
    words = 60

A key nobody knows is refused with the nearest one that exists: a misspelt setting should fail, not vanish.
"""

from __future__ import annotations

from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any, Final, Literal, get_args

import msgspec

from assay.checks.registry import find_check
from assay.checks.selection import chosen, covers, require_known
from assay.decoding import kind_of
from assay.errors import UsageError
from assay.settings import TABLES, read_settings, refuse_unknown, table_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from assay.checks.base import Check

FailOn = Literal["error", "warning", "info", "never"]

_KEYS: Final = (
    "select", "ignore", "per-file", "fail-on", "query", "sources", "min-confidence", "inline", "options",
)  # fmt: skip


class PerFile(msgspec.Struct, frozen=True):
    """What is ignored in files that match a glob."""

    glob: str
    ignore: tuple[str, ...]


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """Settings of an audit.

    Attributes:
        select: What to run; empty for the default checks.
        ignore: What to leave out.
        per_file: What to leave out in some files.
        fail_on: The least severity that makes the command fail.
        query: The question the reports answer.
        sources: A folder of source texts; relative to the settings file.
        min_confidence: Findings less sure than this are left out.
        inline: Whether comments in a report may suppress findings.
        options: Settings of single checks, by code.
        base: The folder of the settings file; per-file globs are relative to it.
    """

    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    per_file: tuple[PerFile, ...] = ()
    fail_on: FailOn = "error"
    query: str | None = None
    sources: str | None = None
    min_confidence: float = 0.0
    inline: bool = True
    options: dict[str, dict[str, Any]] = {}
    base: str | None = None

    def checks(self, path: str | None = None) -> tuple[Check, ...]:
        """The checks to run on a file."""
        picked = chosen(self.select, self.ignore)
        extra = [
            label
            for rule in self.per_file
            if path and self._matches(rule.glob, path)
            for label in rule.ignore
        ]
        return tuple(check for check in picked if not any(covers(label, check) for label in extra))

    def _matches(self, glob: str, path: str) -> bool:
        full = Path(path).absolute()
        base = Path(self.base) if self.base else Path.cwd()
        relative = PurePosixPath(full.relative_to(base)) if full.is_relative_to(base) else PurePosixPath(full)
        # A bare "drafts" or "drafts/" means everything below it; a bare "*.md" matches at any depth.
        bare = glob.rstrip("/")
        return (
            relative.match(glob)
            or any(parent.match(bare) for parent in relative.parents if parent.name)
            or (
                bare.endswith("/**")
                and any(parent.match(bare[:-3]) for parent in relative.parents if parent.name)
            )
        )


def load_settings(path: Path) -> Settings:
    """Read a settings file.

    Raises:
        InputError: It cannot be read or is not TOML.
        UsageError: It says something that is not known or not of the right kind.
    """
    return parse_settings(read_settings(path), where=str(path), base=str(path.parent.absolute()))


def parse_settings(data: Mapping[str, Any], *, where: str, base: str | None = None) -> Settings:
    """Settings from plain data.

    Args:
        data: The table.
        where: Its place, for messages.
        base: The folder that globs are relative to.

    Raises:
        UsageError: A key is unknown, a value of the wrong kind, or a selector selects nothing.
    """
    refuse_unknown(data, (*_KEYS, *TABLES), where)
    values: dict[str, Any] = {}
    for key in ("select", "ignore"):
        if key in data:
            values[key] = _labels(data[key], f"{where}: {key}")
    if "fail-on" in data:
        if data["fail-on"] not in get_args(FailOn):
            raise UsageError(
                f"{where}: fail-on is {data['fail-on']!r}; it may be {', '.join(get_args(FailOn))}"
            )
        values["fail_on"] = data["fail-on"]
    for key in ("query", "sources"):
        if key in data:
            if not isinstance(data[key], str):
                raise UsageError(f"{where}: {key} is {kind_of(data[key])}; it must be text in quotes")
            values[key] = data[key]
    if "sources" in values and base is not None:
        values["sources"] = str(Path(base) / values["sources"])
    if "min-confidence" in data:
        value = data["min-confidence"]
        if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
            raise UsageError(f"{where}: min-confidence is {value!r}; it must be a number from 0 to 1")
        values["min_confidence"] = float(value)
    if "inline" in data:
        if not isinstance(data["inline"], bool):
            raise UsageError(f"{where}: inline is {data['inline']!r}; it must be true or false")
        values["inline"] = data["inline"]
    values["per_file"] = tuple(_per_file(table_of(data.get("per-file", {}), f"{where}: per-file"), where))
    values["options"] = {
        check.code: _options(check, table, f"{where}: options.{code}")
        for code, table in table_of(data.get("options", {}), f"{where}: options").items()
        for check in (find_check(code),)
    }
    return Settings(**values, base=base)


def _options(check: Check, table: Any, where: str) -> dict[str, Any]:
    """Options of one check: those it declares, of the types it declares."""
    given = dict(table_of(table, where))
    if not check.options:
        raise UsageError(f"{where}: {check.code} has nothing to set")
    refuse_unknown(given, tuple(check.options), where)
    for name, value in given.items():
        usual = check.options[name]
        if type(value) is not type(usual):
            raise UsageError(f"{where}: {name} is {kind_of(value)}; it must be like {usual!r}")
    return given


def _per_file(table: Mapping[str, Any], where: str) -> Iterable[PerFile]:
    for glob, rule in table.items():
        place = f'{where}: per-file."{glob}"'
        refuse_unknown(table_of(rule, place), ("ignore",), place)
        yield PerFile(glob, _labels(rule.get("ignore", []), f"{place}: ignore"))


def _labels(value: Any, where: str) -> tuple[str, ...]:
    if isinstance(value, str):
        value = [value]
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise UsageError(f"{where} is {kind_of(value)}; it must be a list of codes, families or names")
    require_known(value, where=where)
    return tuple(value)
