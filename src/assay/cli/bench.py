"""``assay bench``: benchmarks built from your own reports and trajectories, and judges evaluated on them."""

from __future__ import annotations

from typing import Final

from assay.cli.commands import LazyGroup, group

# The module of each subcommand, and its line in the list.
SUBCOMMANDS: Final[dict[str, tuple[str, str]]] = {
    "build": ("bench_build", "Build a benchmark: failures planted in copies of your own files."),
    "queue": ("bench_check", "Write the pairs out for people to label."),
    "run": ("bench_run", "Evaluate judges on a benchmark: what they detect, what they miss."),
    "show": ("bench_check", "Show instances: the text before and after the change."),
    "types": ("bench_check", "List the types of failures and attacks."),
    "validate": ("bench_check", "Read people's labels, and drop invalid instances."),
}


class BenchGroup(LazyGroup):
    """The subcommands of ``assay bench``."""

    places = SUBCOMMANDS
    called = "subcommand of `assay bench`"


@group(cls=BenchGroup)
def bench() -> None:
    """Put judges on trial, on your own reports and trajectories.

    \b
    assay bench build reports/ runs.jsonl -o bench      plant failures by rule: no model, no key
    assay bench run bench --judge rules                 what the rules judge detects, and what a coin toss does
    assay bench run bench --judge direct@openai/gpt-5-mini --granularity both --rubric usual,none
    assay card bench/trials/RUN -o card.html            one page about the judge
    """  # noqa: D301 - click reads the backspace as "do not wrap"
