"""The JSON schema of settings files (``assay.toml``), with the tables of all rooms."""

from __future__ import annotations

from typing import Any

import msgspec

from assay.checks.config import CheckSettingsTable
from assay.models.settings import ModelSettings
from assay.schemas import json_schema


class SettingsFile(CheckSettingsTable, forbid_unknown_fields=True, rename="kebab", kw_only=True):
    """Settings of Assay."""

    models: dict[str, ModelSettings] = msgspec.field(default_factory=dict)
    providers: dict[str, ModelSettings] = msgspec.field(default_factory=dict)
    ledger: str | None = None
    prompts: str | list[str] = ""


def settings_schema() -> dict[str, Any]:
    """Return the JSON schema of settings files."""
    return json_schema(SettingsFile, schema_id="urn:assay:settings:1", title="Assay settings, version 1")
