"""``assay rubrics``: list, show, lint and write rubrics."""

from __future__ import annotations

from assay.cli.commands import group


@group()
def rubrics() -> None:
    """List, show, lint and write rubrics.

    \b
    assay rubrics show reportlogic
    assay rubrics lint criteria.yaml --fail-on warning
    assay rubrics show tasks.jsonl --task 7
    """  # noqa: D301 - click reads the backspace as "do not wrap"
