"""``assay bench``: benchmarks of judges, built from your own reports and trajectories, and judges put to them.

Each subcommand lives in a file of its own and loads when it is called.
"""

from __future__ import annotations

from typing import Final

from assay.cli.commands import LazyGroup, group

# Where each subcommand lives, and its one line of help.
SUBCOMMANDS: Final[dict[str, tuple[str, str]]] = {
    "build": ("assay.cli.bench_build:build", "Build a benchmark: failures put into your own files."),
    "queue": ("assay.cli.bench_check:queue", "Write the pairs out for people to look at."),
    "run": ("assay.cli.bench_run:run", "Put judges to a benchmark: what they see, what they miss."),
    "show": ("assay.cli.bench_check:show", "Show instances: what stood there, what stands there now."),
    "types": ("assay.cli.bench_check:types", "List the failures and attacks there are."),
    "validate": ("assay.cli.bench_check:validate", "Read labels of people; drop what is invalid."),
}


class _Group(LazyGroup):
    """Loads its subcommands when they are called."""

    places = SUBCOMMANDS
    called = "subcommand of `assay bench`"


@group(cls=_Group, short_help="Put judges on trial: build benchmarks, run judges on them.")
def bench() -> None:
    """Put judges on trial, on your own reports and trajectories.

    \b
    assay bench build reports/ runs.jsonl -o bench      failures put into them, by rule: no model, no key
    assay bench run bench --judge rules                 what the rules judge sees, and what a coin toss does
    assay bench run bench --judge direct@openai/gpt-5-mini --granularity both --rubric usual,none
    assay card bench/trials/RUN -o card.html            one page about the judge
    """  # noqa: D301 - click reads the backspace as "do not wrap"
