"""``assay agree`` and ``assay agree stability``: judges compared with people, and with themselves."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any, Final, Literal

import click

from assay.cli.arguments import ADVANCED, SUBJECTS, argument, option
from assay.cli.chart_output import CHARTS, check_charts, write_chart_files
from assay.cli.commands import command
from assay.cli.options import Amount, OutputArguments, columns_for, field_names, wants_color
from assay.cli.outputs import opened
from assay.errors import InputError, UsageError
from assay.record import encode

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from assay.judges.judgment import Judgment
    from assay.meta.agreement_record import Agreement
    from assay.meta.labels.label_set import Labels
    from assay.meta.published_verdicts import PublishedWinRate
    from assay.subjects.subject import Subject


_LABELS: Final = "People's labels"


class JoinArguments(OutputArguments):
    """How judgments and labels are joined."""

    judgments: tuple[str, ...] = ()
    labels: str | None = None
    subjects: tuple[str, ...] = option(
        "The subjects that were judged: labels can then name them by id or id:system, and languages and tasks are known. "
        "Repeatable.",
        "FILE",
        group=SUBJECTS,
    )
    labels_format: str | None = option(
        "Format of the labels; `assay agree labels list` shows them.", "NAME", group=_LABELS
    )
    field: tuple[str, ...] = option(
        "Fields of labels, such as score=rating or rater=worker. Repeatable.", "A=B", group=ADVANCED
    )
    rater: str = option("Rater of labels that name none.", "NAME", default="human", group=ADVANCED)
    raters: tuple[str, ...] = option(
        "Only labels of this rater. Repeatable.", "NAME", flags="--only-rater", group=_LABELS
    )
    kind: Literal["preference", "score", "verdict"] | None = option(
        "Kind of label to use if a file has several. [the most frequent]", group=ADVANCED
    )
    called: tuple[str, ...] = option(
        "Match dimension A of the labels with dimension B of the judge. Repeatable.",
        "A=B",
        flags="--dimension",
        group=_LABELS,
    )
    rescale: tuple[str, ...] = option(
        "Convert scores from the judges' scale to the labels' scale, such as 1:5=0:1. Repeatable.",
        "LOW:HIGH=LOW:HIGH",
        group=ADVANCED,
    )


class AgreeArguments(JoinArguments):
    """What the command line of ``assay agree`` says."""

    judgments: tuple[str, ...] = argument("JUDGMENTS… [LABELS]")
    by: str = option(
        "Strata to report separately: domain,language,dimension, or all.",
        "A,B",
        default="",
        show_default=False,
    )
    repetitions: Literal["together", "each"] | None = option(
        "Several repetitions of a judgment: combine them (mean or majority), or use each. [together for scores, each "
        "otherwise]",
        older="--trials",
    )
    calibrate: Literal["isotonic", "thresholds", "linear"] | None = option(
        "Fit a map from scores to labels, and report the gain out of sample."
    )
    abstain: Literal["leave_out", "wrong"] = option(
        "Whether a judge that decides for nothing is left out of the metrics, or wrong.",
        default="leave_out",
        group=ADVANCED,
    )
    adjudicate: str | None = option(
        "What decides where raters are split: the name of a rater, or middle (a tie, partially met). [such units are left "
        "out]",
        "RATER|middle",
        group=_LABELS,
    )
    binary: bool | None = option(
        "Count partially met as not met, or keep it apart. [counted so if all labels are met or not met]",
        flags="--binary/--ternary",
        group=ADVANCED,
    )
    order_rule: Literal["assay", "llmbar", "judgebench"] | None = option(
        "Rule by which the two orders of a pair combine; a benchmark's rule adds the figures that it publishes. [assay, or "
        "that of the published verdicts]",
        group=ADVANCED,
    )
    format: Literal["text", "json", "csv", "markdown", "latex", "svg", "png", "pdf"]
    half_width: float | None = option(
        "Report how many labels are needed for intervals of ±W.",
        "W",
        type=Amount(min=0, min_open=True, max=1),
        group=ADVANCED,
    )


class StabilityArguments(JoinArguments):
    """What the command line of ``assay agree stability`` says."""

    judgments: tuple[str, ...] = argument("JUDGMENTS…")
    labels: str | None = option(
        "People's labels, to show agreement beside stability, and the Pareto front of both.",
        "FILE",
        group=_LABELS,
    )
    format: Literal["text", "json"]
    scores_of: str = option("The judges' score to use.", "NAME", default="overall")
    tasks: int | None = option(
        "Tasks on which two systems will be compared, for the noise floor. [as many as were judged]",
        "N",
        type=click.IntRange(min=1),
    )


@command(
    AgreeArguments,
    epilog="Exit codes: 0 done; 2 bad usage or input, or nothing that both judged.",
)
def agree(args: AgreeArguments) -> int:
    """Compare JUDGMENTS, JSONL of one judge or several, with LABELS of people, in any format of `assay agree labels list`.

    Preferences: agreement accuracy (right in both orders), accuracy, κ, α, AC1, macro-F1. Scores: weighted κ, correlations,
    mean absolute difference, exact and within a step. Verdicts: accuracy, F1 of each class. Each has its coverage and a
    95 % interval over tasks; judges are tested against each other, and people against people.

    \b
    assay agree judgments.jsonl labels.csv
    assay agree judgments.jsonl labels.csv --subjects reports.jsonl --by domain,language
    assay agree a.jsonl b.jsonl labels.jsonl --calibrate isotonic --half-width 0.05

    Verdicts as LLMBar, JudgeBench and AlpacaEval publish them hold their labels; the figures are those they publish:

    \b
    assay agree LLMBar/Dataset/LLMBar/Natural
    assay agree JudgeBench/outputs
    assay agree alpaca_eval/results/MODEL/ANNOTATOR/annotations.json
    """  # noqa: D301 - click reads the backspace as "do not wrap"
    from assay.meta.published_verdicts import holds_verdicts, read_verdicts

    check_charts(args.format, args.output)
    by = tuple(part.strip() for part in args.by.split(",") if part.strip())
    options = {
        "repetitions": args.repetitions,
        "calibrate": args.calibrate,
        "half_width": args.half_width,
        "abstain": args.abstain,
        "adjudicate": args.adjudicate,
        "binary": args.binary,
    }
    if len(args.judgments) == 1 or all(map(holds_verdicts, args.judgments)):
        if len(args.judgments) == 1 and not holds_verdicts(args.judgments[0]):
            raise click.UsageError(
                "name the judgments, then the labels: assay agree judgments.jsonl labels.jsonl"
            )
        verdicts = read_verdicts(args.judgments)
        if verdicts.win_rates:
            if args.format in CHARTS:
                raise UsageError(f"win rates have no charts; --format {args.format} is for agreement")
            return _win_rates(args, verdicts.win_rates)
        rule, labels = args.order_rule or verdicts.order_rule, verdicts.labels
        found = _joined(args, verdicts.judgments, labels, by=by or verdicts.by, order_rule=rule, **options)
    else:
        args = dataclasses.replace(args, judgments=args.judgments[:-1], labels=args.judgments[-1])
        found, labels = _agreement(args, by=by, order_rule=args.order_rule or "assay", **options)
    if args.format in CHARTS:
        from assay.present.agreement_charts import agreement_charts

        write_chart_files(agreement_charts(found), args.output, args.format)
        return 0
    with opened(args.output) as stream:
        if args.format == "json":
            stream.write(encode(found.to_dict()).decode() + "\n")
        elif args.format != "text":
            from assay.present.judge_tables import agreement_csv, agreement_tables
            from assay.present.markup import set_latex, set_markdown

            if args.format == "csv":
                stream.write(agreement_csv(found))
            else:
                write = set_markdown if args.format == "markdown" else set_latex
                stream.write(write(agreement_tables(found)))
        else:
            from assay.present.agreement import agreement_text
            from assay.present.display import Painter

            painter = Painter(wants_color(args.color, stream))
            _report_labels(labels)
            stream.write(agreement_text(found, painter, columns_for(stream)))
    return 0


@command(
    StabilityArguments,
    epilog="Exit codes: 0 done; 2 bad usage or input, or nothing that was judged twice.",
)
def stability(args: StabilityArguments) -> int:
    """Say how stable judges are: JUDGMENTS are JSONL in which the same judge judged the same subjects several times.

    Variance of scores over repetitions, flip rate, the sources of the spread (subjects, judges, repetitions), and the noise floor:
    the smallest difference between two systems that means anything. With --labels also which judges are on the Pareto
    front of agreement and stability, and at how many tokens.

    \b
    assay judge reports.jsonl --judge direct@M --repetitions 5 --format json > judgments.jsonl
    assay agree stability judgments.jsonl
    assay agree stability *.jsonl --labels labels.csv --tasks 50
    """  # noqa: D301 - click reads the backspace as "do not wrap"
    from assay.meta.judgment_files import read_judgments
    from assay.meta.stability import stability as measure

    agreement: Agreement | None = None
    if args.labels is not None:
        agreement, labels = _agreement(args)
        if args.format == "text":
            _report_labels(labels)
    found = measure(
        read_judgments(args.judgments), dimension=args.scores_of, tasks=args.tasks, agreement=agreement
    )
    with opened(args.output) as stream:
        if args.format == "json":
            stream.write(encode(found.to_dict()).decode() + "\n")
        else:
            from assay.present.display import Painter
            from assay.present.stability import stability_text

            stream.write(stability_text(found, Painter(wants_color(args.color, stream)), columns_for(stream)))
    return 0


def _agreement(args: JoinArguments, **options: Any) -> tuple[Agreement, Labels]:
    """Read judgments and labels, and compare them."""
    from assay.meta.judgment_files import read_judgments
    from assay.meta.labels.label_set import read_labels

    assert args.labels is not None  # for the type checker
    labels = read_labels(
        args.labels, format=args.labels_format, default_rater=args.rater, **field_names(args.field)
    )
    return _joined(args, read_judgments(args.judgments), labels, **options), labels


def _joined(args: JoinArguments, judgments: Iterable[Judgment], labels: Labels, **options: Any) -> Agreement:
    from assay.meta.agreement import agree

    return agree(
        judgments,
        labels,
        subjects=_known(args.subjects),
        kind=args.kind,
        dimensions=dict(map(_dimension, args.called)),
        rescale=args.rescale,
        raters=args.raters,
        **options,
    )


def _win_rates(args: AgreeArguments, rates: Sequence[PublishedWinRate]) -> int:
    """Show AlpacaEval's win rates; there are no labels to agree with."""
    from assay.present.display import Painter
    from assay.present.judge_tables import win_rate_csv, win_rate_tables
    from assay.present.markup import set_latex, set_markdown
    from assay.present.terminal import table_lines

    tables = win_rate_tables(rates)
    with opened(args.output) as stream:
        if args.format == "json":
            stream.write(encode({"win_rates": [item.to_dict() for item in rates]}).decode() + "\n")
        elif args.format == "csv":
            stream.write(win_rate_csv(rates))
        elif args.format == "text":
            paint = Painter(wants_color(args.color, stream))
            lines = [*table_lines(tables.tables[0], paint), "", *tables.methods.values()]
            stream.write("\n".join(lines) + "\n")
        else:
            stream.write((set_markdown if args.format == "markdown" else set_latex)(tables))
    return 0


def _dimension(pair: str) -> tuple[str, str]:
    theirs, sign, mine = pair.partition("=")
    if not sign or not theirs.strip() or not mine.strip():
        raise UsageError(
            f"--dimension {pair}: write it as LABELS=JUDGE, for example insight=warrants_causality"
        )
    return theirs.strip(), mine.strip()


def _known(paths: Sequence[str]) -> Iterator[Subject]:
    """Yield subjects; those that cannot be read are reported and skipped."""
    if not paths:
        return
    from assay.subjects.reading import read_subjects

    for item in read_subjects(paths):
        if isinstance(item, InputError):
            click.echo(f"assay: {item.cli_message}", err=True)
        else:
            yield item


def _report_labels(labels: Labels) -> None:
    """Report on stderr how the labels were interpreted, because it is a guess."""
    if labels.columns:
        taken = ", ".join(f"{what}={column}" for what, column in labels.columns.items())
        click.echo(f"assay: columns of the labels: {taken} (--field changes that)", err=True)
    if labels.empty:
        click.echo(f"assay: {labels.empty:,} rows of labels are empty and were skipped", err=True)
