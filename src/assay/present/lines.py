"""Results as JSON: one object a line, so that one report is one object and ten thousand stream."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from assay.audits.result import Audit


def json_line(audit: Audit) -> str:
    """The contract ``assay.audit/1`` on one line, line break included."""
    return msgspec.json.encode(audit.to_dict()).decode() + "\n"
