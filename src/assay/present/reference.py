"""The pages of all checks, written from the registry: ``python -m assay.present.reference docs``.

Everything on them – severities, explanations, examples and messages – comes from the checks themselves, so the pages
and the code cannot differ. Checks of other packages are left out.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final

import msgspec

from assay.checks.base import Context
from assay.checks.registry import all_checks, explanation
from assay.checks.runner import run_checks
from assay.checks.selection import family_of
from assay.present.display import visible
from assay.present.words import dimension_title
from assay.subjects.loaders import canonical
from assay.subjects.loaders.base import InputContext
from assay.subjects.report import Report
from assay.subjects.sources import SourceMap
from assay.subjects.subject import Subject
from assay.subjects.trajectory import Trajectory
from assay.text.wording import sentence

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from assay.checks.base import Check, Example

_PACKAGE: Final = "assay.checks."
_FAMILIES: Final = {
    "ASY": "Assay's own comments",
    "CIT": "Citations and references",
    "COH": "Coherence",
    "COV": "Coverage of the query",
    "EXP": "Expression",
    "NUM": "Numbers",
    "QUA": "Qualification",
    "SEC": "Safety of the reader",
    "STR": "Structure",
    "TRJ": "Trajectories",
}
_LANGUAGES: Final = {"en": "English", "zh": "Chinese", "und": "other"}
_LINES: Final = 24
_WIDE: Final = 300
_MESSAGES: Final = 3
_NOTE: Final = "<!-- Written by `python -m assay.present.reference docs`; do not edit. -->"
_HEAD: Final = """\
# Checks

{note}

{number} checks in {families} families. A code never changes its meaning and is never used again. What severity and
confidence mean, and how to switch checks on and off, is in [findings](reference/findings.md); how often they are right
is in [How good is it?](explanation/how-good-is-it.md).

Columns: *speaks to* is the logic dimension that a finding concerns, and the failure type it is a sign of; *needs* is
what must be at hand for the check to run at all.
"""


def reference_pages() -> dict[str, str]:
    """Return all pages as Markdown, by their path under ``docs``: a list, and a page for each family."""
    checks = [check for check in all_checks().values() if check.run.__module__.startswith(_PACKAGE)]
    families: dict[str, list[Check]] = {}
    for check in checks:
        families.setdefault(family_of(check.code), []).append(check)
    index = [_HEAD.format(note=_NOTE, number=len(checks), families=len(families))]
    pages = {}
    for family, members in families.items():
        title = f"{family} – {_FAMILIES.get(family, family)}"
        index.append(f"## {title}\n\n{_table(members)}")
        body = "\n".join(map(_section, members))
        pages[f"reference/checks/{family}.md"] = (
            f"# {title}\n\n{_NOTE}\n\n[All checks](../../checks.md)\n\n{body}"
        )
    return {"checks.md": "\n".join(index), **pages}


def _table(checks: Sequence[Check]) -> str:
    rows = [
        "| code | name | severity | speaks to | languages | needs | what |",
        "|---|---|---|---|---|---|---|",
    ]
    for check in checks:
        speaks = [dimension_title(check.dimension)] if check.dimension else []
        speaks += [check.failure.replace("_", " ")] if check.failure else []
        cells = (
            f"[{check.code}](reference/checks/{family_of(check.code)}.md#{check.code.lower()}-{check.name})",
            check.name,
            check.severity,
            " / ".join(speaks),
            ", ".join(_LANGUAGES[name] for name in check.languages) if check.languages else "any",
            ", ".join(check.needs),
            sentence(check.summary).rstrip("."),
        )
        rows.append("| " + " | ".join(_inline(cell).replace("|", "\\|") for cell in cells) + " |")
    return "\n".join(rows) + "\n"


def _section(check: Check) -> str:
    lines = [f"## {check.code} {check.name}", "", _prose(explanation(check)), ""]
    if not check.default:
        lines += [f"Off by default; `--select {check.code}` turns it on.", ""]
    lines += ["Flagged:", "", *_shown(check, check.bad[0]), ""]
    messages = list(dict.fromkeys(_messages(check, check.bad[0])))
    if messages:
        lines += [f"> {_inline(visible(message))}\n>" for message in messages[:_MESSAGES]]
        lines[-1] = lines[-1].removesuffix("\n>")
        lines.append("")
    lines += ["Left alone:", "", *_shown(check, check.good[0]), ""]
    return "\n".join(lines)


def _prose(text: str) -> str:
    """Return a docstring as Markdown: double backticks become single, and "<" outside code is escaped."""
    return "\n".join(
        line if line.startswith("    ") else _inline(line)
        for line in re.sub(r"``(.+?)``", r"`\1`", text, flags=re.DOTALL).split("\n")
    )


def _inline(text: str) -> str:
    parts = re.split(r"(`[^`]*`)", text)
    return "".join(part if part.startswith("`") else part.replace("<", "&lt;") for part in parts)


def _shown(check: Check, example: Example) -> Iterator[str]:
    for name, text in (
        ("Query", example.query),
        *((f"Source {key}", text) for key, text in _sources(example)),
    ):
        if text:
            yield f"{name}: {_inline(visible(' '.join(text.split())[:_WIDE]))}"
            yield ""
    if example.trajectory:
        yield "The run behind it:"
        yield ""
        yield from _fenced(_trajectory(example.trajectory).source)
        yield ""
        yield "The report:"
        yield ""
    text = _trajectory(example.text).source if check.subject == "trajectory" else example.text
    yield from _fenced(text)


def _sources(example: Example) -> Iterator[tuple[str, str]]:
    yield from (example.sources or {}).items()


def _fenced(text: str) -> Iterator[str]:
    lines = text.strip("\n").split("\n")
    cut = [line if len(line) <= _WIDE else line[:_WIDE] + "…" for line in map(visible, lines[:_LINES])]
    if len(lines) > _LINES:
        cut.append("…")
    fence = "`" * max(3, *(len(run) + 1 for run in re.findall("`+", "\n".join(cut))), 3)
    yield f"{fence}text"
    yield from cut
    yield fence


def _messages(check: Check, example: Example) -> Iterator[str]:
    """Yield the messages of a check about an example."""
    subject: Subject = (
        _trajectory(example.text)
        if check.subject == "trajectory"
        else Report(example.text, query=example.query)
    )
    context = Context(
        sources=SourceMap(example.sources) if example.sources is not None else None,
        trajectory=_trajectory(example.trajectory) if example.trajectory else None,
        language="en",
    )
    for finding in run_checks(subject, [check], context):
        yield finding.message


def _trajectory(text: str) -> Trajectory:
    return next(canonical.load(msgspec.json.decode(text), InputContext()))


def main(arguments: Sequence[str]) -> int:
    """Write the pages into the one folder given."""
    if len(arguments) != 1:
        sys.stderr.write("usage: python -m assay.present.reference docs\n")
        return 2
    for name, page in reference_pages().items():
        path = Path(arguments[0], name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(page, "utf-8", newline="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
