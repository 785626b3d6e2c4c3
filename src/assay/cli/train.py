"""``assay train``: a judge of one's own, from data to an endpoint."""

from __future__ import annotations

from assay.cli.commands import group


@group()
def train() -> None:
    """Train a small judge of pairs on your own reports: first data, then SFT, then GRPO or DPO.

    \b
    assay train distil reports.jsonl --teacher logicjudge@openai/gpt-5 -o data
    """  # noqa: D301 - click reads the backspace as "do not wrap"
