"""``assay agree`` and ``assay agree stability``: judges compared with people, and with themselves."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any, Literal

import click

from assay.cli.arguments import argument, option
from assay.cli.commands import command
from assay.cli.options import Amount, OutputArguments, columns_for, field_names, wants_color
from assay.cli.outputs import opened
from assay.errors import InputError, UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from assay.meta.agreement import AgreementOptions
    from assay.meta.agreement_record import Agreement
    from assay.meta.labelled_units import KnownSubject
    from assay.meta.labels.label_set import LabelSet
    from assay.meta.responses import JudgeResponse


class JoinArguments(OutputArguments):
    """How judgments and labels are joined."""

    judgments: tuple[str, ...] = ()
    labels: str | None = None
    subjects: tuple[str, ...] = option(
        "The subjects that were judged: labels can then name them by id or id:system, and languages and tasks are known. "
        "Repeatable.",
        "FILE",
    )
    labels_format: str | None = option("Format of the labels; `assay agree labels list` shows them.", "NAME")
    field: tuple[str, ...] = option(
        "Fields of labels, such as score=rating or rater=worker. Repeatable.", "A=B"
    )
    rater: str = option("Rater of labels that name none.", "NAME", default="human")
    raters: tuple[str, ...] = option("Only labels of this rater. Repeatable.", "NAME", flags="--only-rater")
    kind: Literal["preference", "score", "verdict"] | None = option(
        "Kind of label to use if a file has several. [the most frequent]"
    )
    called: tuple[str, ...] = option(
        "Match dimension A of the labels with dimension B of the judge. Repeatable.",
        "A=B",
        flags="--dimension",
    )
    rescale: tuple[str, ...] = option(
        "Convert scores from the judges' scale to the labels' scale, such as 1:5=0:1. Repeatable.",
        "LOW:HIGH=LOW:HIGH",
    )
    format: Literal["text", "json"]


class AgreeArguments(JoinArguments):
    """What the command line of ``assay agree`` says."""

    judgments: tuple[str, ...] = argument("JUDGMENTS… LABELS")
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
    half_width: float | None = option(
        "Report how many labels are needed for intervals of ±W.",
        "W",
        type=Amount(min=0, min_open=True, max=1),
    )


class StabilityArguments(JoinArguments):
    """What the command line of ``assay agree stability`` says."""

    judgments: tuple[str, ...] = argument("JUDGMENTS…")
    labels: str | None = option(
        "People's labels, to show agreement beside stability, and the Pareto front of both.", "FILE"
    )
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
    """  # noqa: D301 - click reads the backspace as "do not wrap"
    import msgspec

    if len(args.judgments) < 2:
        raise click.UsageError(
            "name the judgments, then the labels: assay agree judgments.jsonl labels.jsonl"
        )
    args = dataclasses.replace(args, judgments=args.judgments[:-1], labels=args.judgments[-1])
    by = tuple(part.strip() for part in args.by.split(",") if part.strip())
    options = _options(
        args, by=by, trials=args.repetitions, calibrate=args.calibrate, half_width=args.half_width
    )
    found, labels, responses = joined(args, options)
    with opened(args.output) as stream:
        if args.format == "json":
            stream.write(msgspec.json.encode(found.to_dict()).decode() + "\n")
        else:
            from assay.present.agreement import agreement_text
            from assay.present.display import Painter

            painter = Painter(wants_color(args.color, stream))
            _report_labels(labels, responses)
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
    import msgspec

    from assay.meta.responses import read_responses
    from assay.meta.stability import measure_stability

    agreement: Agreement | None = None
    if args.labels is not None:
        agreement, labels, responses = joined(args, _options(args))
        if args.format == "text":
            _report_labels(labels, responses)
    else:
        responses = read_responses(args.judgments)
    found = measure_stability(responses, dimension=args.scores_of, tasks=args.tasks, agreement=agreement)
    with opened(args.output) as stream:
        if args.format == "json":
            stream.write(msgspec.json.encode(found.to_dict()).decode() + "\n")
        else:
            from assay.present.display import Painter
            from assay.present.stability import stability_text

            stream.write(stability_text(found, Painter(wants_color(args.color, stream)), columns_for(stream)))
    return 0


def joined(args: JoinArguments, options: AgreementOptions) -> tuple[Agreement, LabelSet, list[JudgeResponse]]:
    """Read judgments and labels, and compare them.

    Raises:
        AssayError: A file cannot be read, or nothing can be joined.
    """
    from assay.meta.agreement import measure_agreement
    from assay.meta.labels.label_set import read_labels
    from assay.meta.responses import read_responses

    assert args.labels is not None  # for the type checker
    fields = field_names(args.field)
    labels = read_labels([args.labels], format=args.labels_format, fields=fields, rater=args.rater)
    responses = read_responses(args.judgments)
    return (
        measure_agreement(responses, labels.labels, options, known=_known(args.subjects)),
        labels,
        responses,
    )


def _options(args: JoinArguments, **more: Any) -> AgreementOptions:
    from assay.meta.agreement import AgreementOptions
    from assay.meta.scales import Rescale

    called: dict[str, str] = {}
    for pair in args.called:
        theirs, sign, mine = pair.partition("=")
        if not sign or not theirs.strip() or not mine.strip():
            raise UsageError(
                f"--dimension {pair}: write it as LABELS=JUDGE, for example insight=warrants_causality"
            )
        called[theirs.strip()] = mine.strip()
    rescale = tuple(Rescale.parse(text) for text in args.rescale)
    return AgreementOptions(kind=args.kind, called=called, rescale=rescale, raters=args.raters, **more)


def _known(paths: Sequence[str]) -> list[KnownSubject]:
    """Return names and strata of subjects; those that cannot be read are reported and skipped."""
    if not paths:
        return []
    from assay.meta.labelled_units import known_subjects
    from assay.subjects.reading import read_subjects

    good = []
    for item in read_subjects(paths):
        if isinstance(item, InputError):
            click.echo(f"assay: {item.cli_message}", err=True)
        else:
            good.append(item)
    return known_subjects(good)


def _report_labels(labels: LabelSet, responses: Sequence[JudgeResponse]) -> None:
    """Report on stderr how the labels were interpreted, because it is a guess."""
    if labels.columns:
        taken = ", ".join(f"{what}={column}" for what, column in labels.columns.items())
        click.echo(f"assay: columns of the labels: {taken} (--field changes that)", err=True)
    if labels.silent:
        click.echo(f"assay: {labels.silent:,} rows of labels are empty and were skipped", err=True)
    if not responses:
        raise UsageError("there are no judgments")
