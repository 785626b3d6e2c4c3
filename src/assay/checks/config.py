"""Settings: what ``assay.toml`` or ``[tool.assay]`` in ``pyproject.toml`` may say.

    select = ["NUM", "CIT001"]            # codes, families, names; without it the default checks run
    ignore = ["repeated-source"]
    fail-on = "warning"
    [per-file]
    "drafts/**" = { ignore = ["STR"] }    # globs are relative to the settings file
    [options.QUA004]
    words = 600

An unknown key is an error, which suggests the nearest known key: a misspelt setting should fail, not vanish.
"""

from __future__ import annotations

from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Annotated, Any, Literal

import msgspec

from assay.checks.registry import find_check
from assay.checks.selection import chosen, covers, reader_codes, require_known
from assay.decoding import decode, fail, kind_of
from assay.located import LocatedData
from assay.settings import read_settings
from assay.suggest import did_you_mean

if TYPE_CHECKING:
    from assay.checks.base import Check

FailOn = Literal["error", "warning", "info", "never", "new:error", "new:warning", "new:info"]

_Labels = list[str] | str


class _FileRule(msgspec.Struct, forbid_unknown_fields=True):
    """Settings for files that match a glob."""

    ignore: _Labels = []


class CheckSettingsTable(msgspec.Struct, forbid_unknown_fields=True, rename="kebab", kw_only=True):
    """A settings file: what it says about checks, and the tables that other rooms read.

    Attributes:
        select: Codes, families or names of the checks to run; empty for the default checks.
        ignore: Checks to leave out.
        per_file: Checks to leave out in some files, by glob.
        fail_on: The least severity that makes the command fail; with ``new:`` only of what a baseline does not have.
        query: The question the reports answer.
        sources: A folder of source texts, relative to the settings file.
        min_confidence: Lowest confidence of the findings to report.
        inline: Whether comments in a report may suppress findings.
        options: Options of single checks, by code.
        models: Settings by model id.
        providers: Settings by provider.
        ledger: The ledger: a path relative to the settings file, or an address.
        prompts: Folders of templates, relative to the settings file.
    """

    select: _Labels = []
    ignore: _Labels = []
    per_file: dict[str, _FileRule] = {}
    fail_on: FailOn = "error"
    query: str | None = None
    sources: str | None = None
    min_confidence: Annotated[float, msgspec.Meta(ge=0, le=1)] = 0.0
    inline: bool = True
    options: dict[str, dict[str, Any]] = {}
    models: Any = None
    providers: Any = None
    ledger: Any = None
    prompts: Any = None


class PerFile(msgspec.Struct, frozen=True):
    """Checks to leave out in files that match a glob."""

    glob: str
    ignore: tuple[str, ...]


class CheckSettings(msgspec.Struct, frozen=True, kw_only=True):
    """Settings of an audit.

    Attributes:
        select: Codes, families or names of the checks to run; empty for the default checks.
        ignore: Checks to leave out.
        per_file: Checks to leave out in some files.
        fail_on: The least severity that makes the command fail.
        query: The question the reports answer.
        sources: A folder of source texts; relative to the settings file.
        min_confidence: Lowest confidence of the findings to report.
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
        """Return the checks to run on a file."""
        picked = chosen(self.select, self.ignore)
        extra = self._ignored_in(path)
        return tuple(check for check in picked if not any(covers(label, check) for label in extra))

    def reader_codes(self, path: str | None = None) -> frozenset[str]:
        """Return the codes of the faults that a model may name in a file."""
        return reader_codes(self.select, self.ignore) & reader_codes((), self._ignored_in(path))

    def _ignored_in(self, path: str | None) -> list[str]:
        return [
            label
            for rule in self.per_file
            if path and self._matches(rule.glob, path)
            for label in rule.ignore
        ]

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


def load_settings(path: Path) -> CheckSettings:
    """Read a settings file.

    Raises:
        InputError: The file cannot be read, a key is unknown, or a value is of the wrong kind.
        UsageError: A selector selects nothing.
    """
    return parse_settings(read_settings(path), base=str(path.parent.absolute()))


def parse_settings(data: LocatedData, *, base: str | None = None) -> CheckSettings:
    """Return the settings that plain data describes.

    Args:
        data: The tables of the file.
        base: The folder that globs and ``sources`` are relative to.

    Raises:
        InputError: A key is unknown, or a value is of the wrong kind.
        UsageError: A selector selects nothing.
    """
    table = decode(data, CheckSettingsTable)
    sources = table.sources
    return CheckSettings(
        select=_labels(data, "select", table.select),
        ignore=_labels(data, "ignore", table.ignore),
        per_file=tuple(
            PerFile(glob, _labels(data, f"per-file.{glob}.ignore", rule.ignore))
            for glob, rule in table.per_file.items()
        ),
        fail_on=table.fail_on,
        query=table.query,
        sources=sources if sources is None or base is None else str(Path(base) / sources),
        min_confidence=table.min_confidence,
        inline=table.inline,
        options={
            check.code: _options(data, f"options.{code}", check, given)
            for code, given in table.options.items()
            for check in (find_check(code),)
        },
        base=base,
    )


def _options(data: LocatedData, path: str, check: Check, given: dict[str, Any]) -> dict[str, Any]:
    """Return the options given for one check, after a test that the check has them and that their types are right."""
    if not check.options:
        fail(data, path, f"is given, but {check.code} has no options")
    for name, value in given.items():
        if name not in check.options:
            fail(data, f"{path}.{name}", f"is not a field here; {did_you_mean(name, check.options)}")
        usual = check.options[name]
        if type(value) is not type(usual):
            fail(data, f"{path}.{name}", f"is {kind_of(value)}; it must be like {usual!r}")
    return given


def _labels(data: LocatedData, path: str, labels: _Labels) -> tuple[str, ...]:
    named = (labels,) if isinstance(labels, str) else tuple(labels)
    require_known(named, where=f"{data.where(path)}: {path}")
    return named
