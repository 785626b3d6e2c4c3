"""Examples from planted failures: the label holds by construction, because one side is a copy made worse."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from difflib import SequenceMatcher
from typing import TYPE_CHECKING, Final

from assay.interventions.registry import all_operators
from assay.subjects.report import Report
from assay.training.examples import TrainingExample

if TYPE_CHECKING:
    from assay.interventions.instances import Instance

# Failures of the whole and attacks on a dimension make one side worse; a surface attack makes neither.
KINDS: Final = ("failure", "targeted")


def examples_of(
    instances: Iterable[Instance], *, source: str = "", most_chars: int | None = None
) -> Iterator[TrainingExample]:
    """Yield one example for each report with a planted failure, the reference shown first.

    Args:
        instances: Instances of a benchmark; trajectories and surface attacks are passed over.
        source: Name of the benchmark, for the record.
        most_chars: With a number, only the paragraphs that differ are taken, and pairs that are still longer left out;
            a pair is then a short one in which the failure has to be seen, not searched.
    """
    titles = {name: item.title for name, item in all_operators().items()}
    definitions = {name: item.definition for name, item in all_operators().items()}
    for item in instances:
        if item.kind not in KINDS or item.level != "outcome":
            continue
        good, bad = str(item.reference["report"]), str(item.perturbed["report"])
        if most_chars is not None:
            good, bad = differing_paragraphs(good, bad)
            if not good or not bad or max(len(good), len(bad)) > most_chars:
                continue
        what = definitions.get(item.type) or titles.get(item.type, item.type.replace("_", " "))
        yield TrainingExample(
            id=item.id,
            query=item.query or "",
            a=good,
            b=bad,
            label="A>B",
            dimensions={item.dimension: "A>B"} if item.dimension else {},
            why=what,
            provenance="planted",
            source=source or item.editor,
            kind=item.type,
            system_a=item.system or "",
            system_b=item.system or "",
            language=item.language or Report(good).language,
            group=" ".join((item.query or item.group).split()),
        )


def differing_paragraphs(one: str, other: str) -> tuple[str, str]:
    """Return the paragraphs in which two texts differ, of each side; both empty if more than three do."""
    old, new = one.split("\n"), other.split("\n")
    changes = [
        code for code in SequenceMatcher(None, old, new, autojunk=False).get_opcodes() if code[0] != "equal"
    ]
    if not changes or changes[-1][2] - changes[0][1] > _SPAN or changes[-1][4] - changes[0][3] > _SPAN:
        return "", ""
    (_, a, _, c, _), (_, _, b, _, d) = changes[0], changes[-1]
    return "\n".join(old[a:b]).strip(), "\n".join(new[c:d]).strip()


# Lines that a short pair may have, blank ones included.
_SPAN: Final = 5
