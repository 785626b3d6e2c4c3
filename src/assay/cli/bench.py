"""``assay bench``: benchmarks built from your own reports and trajectories, and judges evaluated on them."""

from __future__ import annotations

from assay.cli.commands import group


@group()
def bench() -> None:
    """Put judges on trial, on your own reports and trajectories.

    \b
    assay bench build reports/ runs.jsonl -o bench      plant failures by rule: no model, no key
    assay bench run bench --judge rules                 what the rules judge detects, and what a coin toss does
    assay bench run bench --judge direct@openai/gpt-5-mini --rubric usual --rubric none
    assay bench card bench/trials/RUN -o card.html      one page about the judge
    assay bench gate bench/trials/RUN --min detection=0.8
    """  # noqa: D301 - click reads the backspace as "do not wrap"
