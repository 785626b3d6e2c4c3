"""``assay train``: a judge of one's own, from data to an endpoint."""

from __future__ import annotations

from assay.cli.commands import group


@group()
def train() -> None:
    """Train a small judge of pairs on your own reports: first data, then SFT, then GRPO or DPO.

    \b
    assay train distil reports.jsonl --teacher logicjudge@openai/gpt-5 -o data
    assay train sft data --recipe gpu-24gb --dry-run      memory, time, cost
    assay train sft data --recipe gpu-24gb -o sft
    assay train grpo data --recipe gpu-24gb --model sft -o grpo
    assay train eval data --model sft --model grpo --judge rules
    assay train serve grpo                                a judge like any other
    """  # noqa: D301 - click reads the backspace as "do not wrap"
