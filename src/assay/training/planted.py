"""Examples from planted failures: the label holds by construction, because one side is a copy made worse."""

from __future__ import annotations

import re
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
# Failures that a paragraph alone does not show: the list of sources, or the rest of the report, decides.
_BEYOND: Final = ("citation_groundedness", "evidence_omission", "incomplete_coverage", "topical_misalignment")


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
    operators = all_operators()
    for item in instances:
        if item.kind not in KINDS or item.level != "outcome":
            continue
        if most_chars is not None and item.type in _BEYOND:
            continue
        good, bad = str(item.reference["report"]), str(item.perturbed["report"])
        if most_chars is not None:
            good, bad = differing_paragraphs(good, bad)
            if not good or not bad or max(len(good), len(bad)) > most_chars:
                continue
        language = item.language or Report(good).language
        operator = operators.get(item.type)
        name = item.type.replace("_", " ")
        if operator is not None:
            name = operator.title_zh if language == "zh" else operator.title
        yield TrainingExample(
            id=item.id,
            query=item.query or "",
            a=good,
            b=bad,
            label="A>B",
            dimensions={item.dimension: "A>B"} if item.dimension else {},
            why=difference(good, bad, chinese=language == "zh"),
            summary=name + ("。" if language == "zh" else "."),
            provenance="planted",
            source=source or item.editor,
            kind=item.type,
            system_a=item.system or "",
            system_b=item.system or "",
            language=language,
            group=" ".join((item.query or item.group).split()),
        )


def difference(good: str, bad: str, *, chinese: bool = False) -> str:
    """Return in words where two texts differ first, with ``{good}`` and ``{bad}`` for the names of the two sides.

    A reply that quotes the difference teaches to look for it; the definition of a failure teaches only its own words.
    """
    old, new = _pieces(good), _pieces(bad)
    codes = SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
    for _, a, b, c, d in (code for code in codes if code[0] != "equal"):
        # A neighbour on each side, so that a place where words are missing can be quoted too.
        was = _quotable("".join(old[max(0, a - _BESIDE) : b + _BESIDE]))
        now = _quotable("".join(new[max(0, c - _BESIDE) : d + _BESIDE]))
        if was and now and was != now:
            if chinese:
                return f"{{bad}}写作“{now}”，{{good}}写作“{was}”。"
            return f'{{bad}} reads "{now}" where {{good}} reads "{was}".'
    return "{bad}不如{good}。" if chinese else "{bad} is the worse copy of {good}."


def _pieces(text: str) -> list[str]:
    """Words with the space that follows; single characters in Chinese."""
    return re.findall(r"[\u3400-\u9fff]|[^\s\u3400-\u9fff]+\s*|\s+", text)


def _quotable(text: str) -> str:
    """Return a short quotation on one line, without braces, which stand for the names of the sides."""
    words = " ".join(text.split()).replace("{", "(").replace("}", ")").replace('"', "'")
    return words if len(words) <= _QUOTED else words[:_QUOTED].rstrip() + "…"


# Words beside a difference, and the longest quotation in characters.
_BESIDE: Final = 2
_QUOTED: Final = 80


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
