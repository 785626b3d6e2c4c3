"""What ``assay agree`` and ``assay stability`` do: files read and put together, shown as tables or JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import click
import msgspec

from assay.cli.options import columns_for, field_names, wants_color
from assay.cli.outputs import opened
from assay.errors import InputError, UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from assay.meta.agreement import AgreementOptions
    from assay.meta.agreement_record import Agreement
    from assay.meta.labelled_units import KnownSubject
    from assay.meta.labels.label_set import LabelSet
    from assay.meta.responses import JudgeResponse


class _Joining(msgspec.Struct, frozen=True, kw_only=True):
    """How judgments and labels are put together."""

    judgments: tuple[str, ...]
    labels: str | None
    subjects: tuple[str, ...] = ()
    labels_format: str | None = None
    field: tuple[str, ...] = ()
    rater: str = "human"
    raters: tuple[str, ...] = ()
    kind: Literal["preference", "score", "verdict"] | None = None
    called: tuple[str, ...] = ()
    rescale: tuple[str, ...] = ()
    format: str = "text"
    output: str | None = None
    color: str = "auto"


class AgreeAsked(_Joining, frozen=True, kw_only=True):
    """What was asked of ``assay agree``."""

    by: str = ""
    trials: Literal["together", "each"] | None = None
    calibrate: Literal["isotonic", "thresholds", "linear"] | None = None
    half_width: float | None = None


class StabilityAsked(_Joining, frozen=True, kw_only=True):
    """What was asked of ``assay stability``."""

    scores_of: str = "overall"
    tasks: int | None = None


def run_agree(asked: AgreeAsked) -> int:
    """Compare, and give the exit code.

    Raises:
        AssayError: Nothing can be compared; the message says why.
    """
    by = tuple(part.strip() for part in asked.by.split(",") if part.strip())
    options = _options(
        asked, by=by, trials=asked.trials, calibrate=asked.calibrate, half_width=asked.half_width
    )
    found, labels, said = joined(asked, options)
    with opened(asked.output) as stream:
        if asked.format == "json":
            stream.write(msgspec.json.encode(found.to_dict()).decode() + "\n")
        else:
            from assay.present.agreement import agreement_text  # noqa: PLC0415
            from assay.present.display import Painter  # noqa: PLC0415

            painter = Painter(wants_color(asked.color, stream))
            _tell(labels, said)
            stream.write(agreement_text(found, painter, columns_for(stream)))
    return 0


def run_stability(asked: StabilityAsked) -> int:
    """Say how steady judges are, and give the exit code.

    Raises:
        AssayError: There is nothing to say; the message says why.
    """
    from assay.meta.responses import read_responses  # noqa: PLC0415
    from assay.meta.stability import measure_stability  # noqa: PLC0415 - loads numpy

    agreement: Agreement | None = None
    if asked.labels is not None:
        agreement, labels, said = joined(asked, _options(asked))
        if asked.format == "text":
            _tell(labels, said)
    else:
        said = read_responses(asked.judgments)
    found = measure_stability(said, dimension=asked.scores_of, tasks=asked.tasks, agreement=agreement)
    with opened(asked.output) as stream:
        if asked.format == "json":
            stream.write(msgspec.json.encode(found.to_dict()).decode() + "\n")
        else:
            from assay.present.display import Painter  # noqa: PLC0415
            from assay.present.stability import stability_text  # noqa: PLC0415

            stream.write(
                stability_text(found, Painter(wants_color(asked.color, stream)), columns_for(stream))
            )
    return 0


def joined(asked: _Joining, options: AgreementOptions) -> tuple[Agreement, LabelSet, list[JudgeResponse]]:
    """Judgments and labels read and compared.

    Raises:
        AssayError: A file cannot be read, or nothing can be joined.
    """
    from assay.meta.agreement import measure_agreement  # noqa: PLC0415 - loads numpy
    from assay.meta.labels.label_set import read_labels  # noqa: PLC0415
    from assay.meta.responses import read_responses  # noqa: PLC0415

    assert asked.labels is not None  # for the type checker
    fields = field_names(asked.field)
    labels = read_labels([asked.labels], format=asked.labels_format, fields=fields, rater=asked.rater)
    said = read_responses(asked.judgments)
    return measure_agreement(said, labels.labels, options, known=_known(asked.subjects)), labels, said


def _options(asked: _Joining, **more: Any) -> AgreementOptions:
    from assay.meta.agreement import AgreementOptions  # noqa: PLC0415 - loads numpy
    from assay.meta.scales import Rescale  # noqa: PLC0415

    called: dict[str, str] = {}
    for pair in asked.called:
        theirs, sign, mine = pair.partition("=")
        if not sign or not theirs.strip() or not mine.strip():
            raise UsageError(
                f"--dimension {pair}: write it as LABELS=JUDGE, for example insight=warrants_causality"
            )
        called[theirs.strip()] = mine.strip()
    rescale = tuple(Rescale.parse(text) for text in asked.rescale)
    return AgreementOptions(kind=asked.kind, called=called, rescale=rescale, raters=asked.raters, **more)


def _known(paths: Sequence[str]) -> list[KnownSubject]:
    """Names and strata of subjects; what cannot be read is said and passed over."""
    if not paths:
        return []
    from assay.meta.labelled_units import known_subjects  # noqa: PLC0415
    from assay.subjects.reading import read_subjects  # noqa: PLC0415 - loads the parser

    good = []
    for item in read_subjects(paths):
        if isinstance(item, InputError):
            click.echo(f"assay: {item}", err=True)
        else:
            good.append(item)
    return known_subjects(good)


def _tell(labels: LabelSet, said: Sequence[JudgeResponse]) -> None:
    """What was taken for what, on stderr: a guess should be seen."""
    if labels.columns:
        taken = ", ".join(f"{what}={column}" for what, column in labels.columns.items())
        click.echo(f"assay: columns of the labels: {taken} (--field says otherwise)", err=True)
    if labels.silent:
        click.echo(f"assay: {labels.silent:,} rows of labels say nothing and were passed over", err=True)
    if not said:
        raise UsageError("there are no judgments")
