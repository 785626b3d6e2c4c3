"""``assay bench compare``: judges, prompts or rubrics of several runs tested against each other."""

from __future__ import annotations

from typing import Literal

from assay.cli.arguments import argument, option
from assay.cli.commands import command
from assay.cli.options import ColorArguments, columns_for, wants_color
from assay.cli.outputs import RUN_FOLDER, OutputPath, opened


class CompareRunsArguments(ColorArguments):
    """What the command line of ``assay bench compare`` says."""

    runs: tuple[str, ...] = argument("RUN...", type=RUN_FOLDER)
    format: Literal["text", "json", "html"] = option("Output format.", flags="-f --format", default="text")
    output: str | None = option(
        "Write the result to this file instead of the terminal.",
        "PATH",
        flags="-o --output",
        type=OutputPath(),
    )


@command(CompareRunsArguments)
def compare(args: CompareRunsArguments) -> None:
    """Test the judges of two or more RUNs against each other, on the instances that both judged.

    \b
    assay bench compare bench/trials/ONE bench/trials/TWO
    assay bench compare bench/trials/ONE bench/trials/TWO -f html -o judges.html

    Runs may differ in judge, prompt, rubric or any setting, but must be of the same benchmark.
    """  # noqa: D301 - click reads the backspace as "do not wrap"
    import msgspec

    from assay.meta.result_comparison import compare_results
    from assay.meta.results import BenchmarkResult
    from assay.present.bench import results_text
    from assay.present.display import Painter

    found = compare_results(*map(BenchmarkResult.load, args.runs))
    with opened(args.output) as stream:
        if args.format == "json":
            stream.write(msgspec.json.encode(found.to_dict()).decode() + "\n")
        elif args.format == "html":
            stream.write(found.card())
        else:
            painter = Painter(wants_color(args.color, stream))
            stream.write(results_text(found, painter=painter, columns=columns_for(stream)))
