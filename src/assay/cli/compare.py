"""``assay compare``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from assay.cli.options import (
    color_option,
    format_option,
    opened,
    output_option,
    painter_for,
    query_option,
    query_text,
    spare_inputs,
)

if TYPE_CHECKING:
    from assay.judges.judgment import Judgment
    from assay.present.display import Painter
    from assay.subjects.report import Report
    from assay.subjects.trajectory import Trajectory

__all__ = ["compare"]


@click.command(short_help="Say which of two reports or trajectories is better, and why.")
@click.argument("a")
@click.argument("b")
@query_option
@click.option("--judge", default="rules", show_default=True, metavar="NAME", help="rules, length or random.")
@format_option("text", "json")
@output_option
@color_option
def compare(
    a: str,
    b: str,
    *,
    query: str | None,
    judge: str,
    format: str,  # noqa: A002 - the option's name
    output: str | None,
    color: str,
) -> None:
    """Say which of A and B is better, and why. Both are reports, or both trajectories.

    The verdict does not depend on the order of A and B. Margins run from -1 (B) to +1 (A).
    """
    from assay.audits.compare import compare as judge_pair  # noqa: PLC0415 - loads every check

    spare_inputs(output, [a, b])
    question = query_text(query)
    judgment = judge_pair(_read(a, question), _read(b, question), query=question, judge=judge)
    with opened(output) as stream:
        if format == "json":
            import msgspec  # noqa: PLC0415

            stream.write(msgspec.json.encode(judgment.to_dict()).decode() + "\n")
        else:
            stream.write(_text(judgment, a, b, painter_for(color if output is None else "never")))


def _read(path: str, query: str | None) -> Report | Trajectory:
    from assay.errors import InputError  # noqa: PLC0415
    from assay.subjects.reading import read_subjects  # noqa: PLC0415

    found: Report | Trajectory | None = None
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
    from assay.present.display import pad, visible  # noqa: PLC0415
    from assay.present.words import dimension_title  # noqa: PLC0415

    verdicts = {"A>B": f"A is better: {visible(a)}", "A<B": f"B is better: {visible(b)}", "tie": "a tie"}
    lines = [paint(verdicts.get(judgment.preference or "", judgment.preference or "no verdict"), "bold")]
    if judgment.rationale:
        lines.append(visible(judgment.rationale))
    scores = {key: value for key, value in (judgment.scores or {}).items() if key != "overall"}
    if scores:
        wide = max(len(dimension_title(key)) for key in scores)
        lines += ["", paint(f"  {pad('', wide)}      B {' ' * 7}   {' ' * 7} A", "dim")]
        for key, value in scores.items():
            lines.append(f"  {pad(dimension_title(key), wide)}  {_balance(value, paint)}  {value:+.2f}")
    overall = (judgment.scores or {}).get("overall")
    if overall is not None:
        lines += ["", f"  margin {overall:+.3f}, judge {judgment.judge}"]
    return "\n".join(lines) + "\n"


def _balance(value: float, paint: Painter, half: int = 10) -> str:
    """A bar to the left for B, to the right for A."""
    filled = min(half, round(abs(value) * half)) or (1 if abs(value) >= 0.005 else 0)
    left = ("█" * filled if value < 0 else "").rjust(half, "·")
    right = ("█" * filled if value > 0 else "").ljust(half, "·")
    return f"{paint(left, 'accent')}│{paint(right, 'accent')}"
