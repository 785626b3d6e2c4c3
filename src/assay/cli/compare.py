"""``assay compare``: the options, and the judges that ask no model. The others are in `assay.cli.comparing`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click
import msgspec

from assay.cli.commands import command
from assay.cli.judge_options import JudgeAsked, model_options, refuse_said
from assay.cli.options import (
    color_option,
    format_option,
    output_option,
    painter_for,
    query_option,
    query_text,
)
from assay.cli.outputs import opened
from assay.errors import UsageError

if TYPE_CHECKING:
    from assay.judges.ensemble import Rule
    from assay.judges.judgment import Judgment
    from assay.present.display import Painter
    from assay.subjects.subject import Subject


class PairAsked(JudgeAsked, frozen=True, kw_only=True):
    """What was asked of ``assay compare``."""

    a: str
    b: str
    judges: tuple[str, ...] = ()
    ensemble: Rule | None = None


@command(
    short_help="Say which of two reports or trajectories is better, and why.",
    epilog="Exit codes: 0 done, whoever wins; 2 bad usage or input; 3 no verdict, a cap was reached, or something Assay relies "
    "on failed; 130 interrupted. What was finished is kept, and the same command goes on from there.",
)
@click.argument("a")
@click.argument("b")
@click.option(
    "--judge",
    "judges",
    multiple=True,
    default=("rules",),
    show_default="rules",
    metavar="STRATEGY@MODEL",
    help="Who judges, such as full@openai/gpt-5-mini; or rules, length, random, which ask no model. Repeatable, with "
    "--ensemble.",
)
@click.option(
    "--ensemble",
    type=click.Choice(["consensus", "majority"]),
    help="Put several judges together: what all of them say, or more than half; else it abstains.",
)
@query_option
@model_options(pairs=True)
@format_option("text", "json")
@output_option
@color_option
def compare(**options: object) -> int:
    """Say which of A and B is better, and why. Both are reports, or both trajectories. Margins run from -1 (B) to +1 (A).

    The rules judge asks no model, and its verdict does not depend on the order of A and B. A judge with a model is shown
    both orders; where they disagree the verdict is a tie, and said to be inconsistent.

    \b
    assay compare a.md b.md
    assay compare a.md b.md --judge full@openai/gpt-5-mini --trials 5 --early-stop
    """  # noqa: D301 - click reads the backspace as "do not wrap"
    judges: tuple[str, ...] = options["judges"]  # type: ignore[assignment]
    asked = PairAsked(judge=judges[0], **options)  # type: ignore[arg-type]
    _check_judges(asked)
    if "@" not in asked.judge:
        return _without_model(asked)
    from assay.cli.comparing import run_compare  # noqa: PLC0415 - loads what judging needs

    return run_compare(asked)


def _check_judges(asked: PairAsked) -> None:
    """One judge, or several as an ensemble of judges with models."""
    if len(asked.judges) > 1 and asked.ensemble is None:
        raise UsageError("several judges are named; --ensemble majority, or consensus, puts them together")
    if asked.ensemble is not None and len(asked.judges) < 2:
        raise UsageError("an ensemble takes two judges or more; name them with --judge, once for each")
    free = [name for name in asked.judges if "@" not in name]
    if asked.ensemble is not None and free:
        raise UsageError(f"an ensemble is of judges with models; {free[0]!r} has none")


def _without_model(asked: PairAsked) -> int:
    from assay.audits.compare import compare as judge_pair  # noqa: PLC0415 - loads every check

    refuse_said(asked)
    question = query_text(asked.query)
    a, b = read_one(asked.a, question), read_one(asked.b, question)
    judgment = judge_pair(a, b, query=question, judge=asked.judge)
    with opened(asked.output) as stream:
        if asked.format == "json":
            stream.write(msgspec.json.encode(judgment.to_dict()).decode() + "\n")
        else:
            color = asked.color if asked.output is None else "never"
            stream.write(_text(judgment, asked.a, asked.b, painter_for(color)))
    return 0


def read_one(path: str, query: str | None) -> Subject:
    """The one subject in a file.

    Raises:
        InputError: It cannot be read, or holds several.
    """
    from assay.errors import InputError  # noqa: PLC0415
    from assay.subjects.reading import read_subjects  # noqa: PLC0415

    found: Subject | None = None
    for subject in read_subjects(path, query=query):
        if isinstance(subject, InputError):
            raise subject
        if found is not None:
            raise InputError("more than one report", where=path, hint="compare takes two files of one each")
        found = subject
    if found is None:
        raise InputError("nothing to read", where=path)
    return found


def _text(judgment: Judgment, a: str, b: str, paint: Painter) -> str:
    from assay.present.display import visible  # noqa: PLC0415
    from assay.present.pairs import margin_lines, verdict_text  # noqa: PLC0415

    lines = [paint(verdict_text(judgment.preference, a, b), "bold")]
    if judgment.rationale:
        lines.append(visible(judgment.rationale))
    scores = {key: value for key, value in (judgment.scores or {}).items() if key != "overall"}
    if scores:
        lines += ["", *margin_lines(scores, paint)]
    overall = (judgment.scores or {}).get("overall")
    if overall is not None:
        lines += ["", f"  margin {overall:+.3f}, judge {judgment.judge}"]
    return "\n".join(lines) + "\n"
