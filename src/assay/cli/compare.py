"""``assay compare``: which of two subjects is better."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Literal, TextIO

from assay.cli.arguments import argument, option
from assay.cli.commands import command
from assay.cli.judge_options import (
    MODEL_FREE,
    PairwiseArguments,
    refuse_model_options,
    settings_of,
)
from assay.cli.options import (
    columns_for,
    painter_for,
    query_text,
    wants_color,
)
from assay.cli.outputs import opened
from assay.cli.subjects import one_question
from assay.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from assay.judges.judgment import Judgment
    from assay.judges.settings import JudgeSettings
    from assay.present.display import Painter
    from assay.present.interface import Interface
    from assay.rubrics.rubric import Rubric
    from assay.subjects.subject import Subject


class CompareArguments(PairwiseArguments):
    """What the command line of ``assay compare`` says."""

    a: str = argument()
    b: str = argument()
    judge: str = ""
    judges: tuple[str, ...] = option(
        "The judge: a model (openai/gpt-5-mini), STRATEGY@MODEL, or your prompt (./strict.jinja@openai/gpt-5-mini), with "
        "NAME= before it to name it in results; or rules, length, random, which ask no model. Repeatable, with "
        "--ensemble.",
        "JUDGE",
        flags="--judge",
        default=("rules",),
        show_default="rules",
    )
    ensemble: Literal["consensus", "majority"] | None = option(
        "Combine several judges: what all of them say (consensus), or more than half (majority); otherwise the ensemble abstains."
    )
    format: Literal["text", "json", "html"]


@command(
    CompareArguments,
    epilog="Exit codes: 0 done, whichever is better; 2 bad usage or input; 3 no verdict, a cap was reached, or something "
    "Assay relies on failed; 130 interrupted. What was finished is kept, and the same command continues from there.",
)
def compare(args: CompareArguments) -> int:
    """Say which of A and B is better, and why. Both are reports, or both trajectories. Margins run from -1 (B) to +1 (A).

    The rules judge asks no model, and its verdict does not depend on the order of A and B. It tells a text from its damaged
    copy; of independent texts it cannot say which is better. A judge with a model sees both
    orders; if they disagree, the verdict is a tie and is marked as inconsistent.

    \b
    assay compare a.md b.md
    assay compare a.md b.md --judge full@openai/gpt-5-mini --format html -o why.html
    assay compare a.md b.md --judge full@openai/gpt-5-mini --repetitions 5 --early-stop
    """  # noqa: D301 - click reads the backspace as "do not wrap"
    import asyncio

    args = dataclasses.replace(args, judge=args.judges[0])
    _check_judges(args)
    if args.judge in MODEL_FREE:
        return _without_model(args)
    return asyncio.run(_compare(args, settings_of(args, mode="compare")))


def _check_judges(args: CompareArguments) -> None:
    """Refuse several judges without an ensemble, and ensembles of judges without models."""
    from assay.judges.settings import check_judge_names

    if len(args.judges) > 1 and args.ensemble is None:
        raise UsageError("several judges are named; combine them with --ensemble majority or consensus")
    if args.ensemble is not None and len(args.judges) < 2:
        raise UsageError("an ensemble takes at least two judges; name each with --judge")
    free = [name for name in args.judges if name in MODEL_FREE]
    if args.ensemble is not None and free:
        raise UsageError(f"an ensemble needs judges with models, and {free[0]!r} has none")
    if len(args.judges) > 1:
        check_judge_names(args.judges)


def _without_model(args: CompareArguments) -> int:
    import msgspec

    from assay.audits.compare import compare as judge_pair
    from assay.judges.identity import label_of
    from assay.present.interface import interface_of

    refuse_model_options(args)
    question = query_text(args.query)
    a, b = read_one(args.a, question), read_one(args.b, question)
    judgment = judge_pair(a, b, query=question, judge=args.judge)
    with opened(args.output) as stream:
        if args.format == "json":
            stream.write(msgspec.json.encode(judgment.to_dict()).decode() + "\n")
        elif args.format == "html":
            from assay.present.html.pair_page import pair_page

            stream.write(pair_page(judgment, (a, b)))
        else:
            color = args.color if args.output is None else "never"
            names = label_of(a, args.a), label_of(b, args.b)
            stream.write(_text(judgment, *names, painter_for(color), interface_of([a, b])))
    return 0


def read_one(path: str, query: str | None) -> Subject:
    """Return the one subject in a file.

    Raises:
        InputError: The file cannot be read, or holds several subjects.
    """
    from assay.errors import InputError
    from assay.subjects.reading import read_subjects

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


def _text(judgment: Judgment, a: str, b: str, paint: Painter, say: Interface) -> str:
    from assay.present.display import visible
    from assay.present.pairs import margin_lines, verdict_text

    lines = [paint(verdict_text(judgment.preference, a, b, say), "bold")]
    if judgment.rationale:
        lines.append(visible(judgment.rationale))
    scores = {key: value for key, value in (judgment.scores or {}).items() if key != "overall"}
    if scores:
        lines += ["", *margin_lines(scores, paint, say=say)]
    overall = (judgment.scores or {}).get("overall")
    if overall is not None:
        text = say("margin {value}, judge {name}", value=f"{overall:+.3f}", name=judgment.judge)
        lines += ["", f"  {text}"]
    return "\n".join(lines) + "\n"


async def _compare(args: CompareArguments, settings: JudgeSettings) -> int:
    from assay.cli.judge_session import open_judge_session
    from assay.judges.model_judge import ModelJudge
    from assay.present.judgments import without_verdict
    from assay.runs.in_order import all_of
    from assay.subjects.case import Case
    from assay.subjects.reference_answers import ReferenceAnswers

    query = query_text(args.query)
    pair = [read_one(args.a, query), read_one(args.b, query)]
    reference = ReferenceAnswers.read(args.reference).shared(pair)
    case = Case(*pair, query=query, reference=reference, mode="compare")
    async with open_judge_session(args, "compare") as session:
        bound = [await session.bound(session.judge(name, settings), case) for name in args.judges]
        for judge in bound:
            judge.check(case)
        session.run.plan(judge.repetitions for judge in bound)
        one_question(pair, query)
        found = await session.watch(all_of(session.run.ask(judge, case) for judge in bound))
        if found is not None:
            rubrics = [judge.rubric_for(case) for judge in bound if isinstance(judge, ModelJudge)]
            with opened(args.output) as stream:
                _show(args, found, pair, rubrics, stream)
        session.report_usage()
        return session.exit_code(none=found is None or all(map(without_verdict, found)))


def _show(
    args: CompareArguments,
    found: Sequence[Judgment],
    pair: Sequence[Subject],
    rubrics: Sequence[Rubric],
    stream: TextIO,
) -> None:
    """Write each judge's verdict, and that of the ensemble if there is one."""
    import msgspec

    from assay.judges.ensemble import ensemble
    from assay.judges.identity import name_of
    from assay.present.display import Painter
    from assay.present.pairs import pair_rows, pair_text, verdict_text

    together = None if args.ensemble is None else ensemble(found, args.ensemble)
    if args.format == "json":
        rows = [row for judgment in found for row in pair_rows(judgment)]
        rows += [] if together is None else [together.to_dict()]
        stream.writelines(msgspec.json.encode(row).decode() + "\n" for row in rows)
        return
    if args.format == "html":
        from assay.present.html.pair_page import pair_page

        # One page is about one verdict: that of the ensemble, or of the only judge.
        stream.write(pair_page(together or found[0], pair, rubrics[0]))
        return
    painter = Painter(wants_color(args.color, stream))
    for number, (judgment, rubric) in enumerate(zip(found, rubrics, strict=True)):
        stream.write("\n" if number else "")
        stream.write(pair_text(judgment, pair, rubric, painter=painter, columns=columns_for(stream)))
    if together is not None:
        a, b = (name_of(subject, side) for subject, side in zip(pair, "AB", strict=True))
        verdict = verdict_text(together.preference, a, b) if together.preference else "it abstains"
        stream.write("\n" + painter(f"{args.ensemble} of {len(found)}: {verdict}", "bold") + "\n")
