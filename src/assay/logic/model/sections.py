"""The nodes of the parts of a report: requested, compared with the report, joined."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from assay.logic.model.calls import ASSIGNMENT, failure, nodes_schema
from assay.logic.model.node_words import LocatedWords, NodeRefusal, locate_words
from assay.logic.model.numbered_lines import outline_text, path_text
from assay.logic.model.records import ExtractionStep

if TYPE_CHECKING:
    from collections.abc import Sequence

    from assay.logic.model.extraction_run import ExtractionRun
    from assay.logic.model.graph_draft import DraftNode
    from assay.logic.model.numbered_lines import NumberedLine

_LEAST_NODES: Final = 6
_MOST_NODES: Final = 100
# Estimated tokens of a node in a reply.
_NODE: Final = 40
# One node in this many may be unusable before the model is asked again.
_TOLERATED: Final = 8
_NAMED: Final = 3
# What a fact can be looked up by: a figure, a name, a title, a quotation.
_CHECKABLE: Final = re.compile(
    r"[0-9０-９〇一二三四五六七八九十百千万亿]|[《“\"«]|(?<=[a-z,;] )[A-Z][A-Za-z]|\b[A-Z]{2,}\b"
)


async def ask_part(
    run: ExtractionRun, number: int, lines: Sequence[NumberedLine], *, whole: bool
) -> ExtractionStep:
    """Ask for the nodes of one part, or of the whole report."""
    budget = run.author.sampling.max_tokens or _MOST_NODES * _NODE
    most = max(_LEAST_NODES, min(_MOST_NODES, len(lines) * 3 // 2, budget // _NODE))

    def check(value: dict[str, Any]) -> list[str]:
        rows = value["nodes"]
        lost = [
            (row["id"], located)
            for row in rows
            if isinstance(
                located := locate_words(run.numbered, lines, row["lines"], row["text"]), NodeRefusal
            )
        ]
        lost += [
            (row["id"], NodeRefusal("alone"))
            for row in rows
            if row["kind"] == "evidence" and not row["supports"]
        ]
        if len(lost) * _TOLERATED <= len(rows):
            return []
        examples = "; ".join(
            run.word("node", id=name, why=run.word("why", code=located.code, detail=located.detail))
            for name, located in lost[:_NAMED]
        )
        return [run.word("flaw_nodes", count=len(lost), all=len(rows), examples=examples)]

    written = await run.author.data(
        ASSIGNMENT,
        "section",
        schema=nodes_schema(most),
        material=run.material,
        check=check,
        whole=whole,
        most=most,
        query=run.query,
        outline="" if whole else outline_text(run.report),
        path="" if whole else path_text(run.report, lines[0].section),
        text="\n".join(line.shown for line in lines),
    )
    return ExtractionStep(f"section:{number}", written)


def take_part(run: ExtractionRun, number: int, lines: Sequence[NumberedLine], step: ExtractionStep) -> None:
    """Put the nodes of a part that stand in the report into the draft, and join them."""
    problem = failure(step.name, step.written)
    if problem:
        first, last = lines[0].span.start, lines[-1].span.start
        place = run.report.lines.place
        run.problems.append(f"{problem}; nothing was read from lines {place(first)[0]} to {place(last)[0]}")
        return
    rows: list[dict[str, Any]] = step.written.value["nodes"]
    kept: dict[int, DraftNode] = {}
    supports: dict[int, list[int]] = {}
    mine: list[tuple[DraftNode, list[int]]] = []
    lost: list[str] = []
    twice = repeated = 0
    for row in rows:
        name = int(row["id"])
        if name in supports:
            repeated += 1
        else:
            supports[name] = row["supports"]
        located = locate_words(run.numbered, lines, row["lines"], row["text"])
        if not isinstance(located, LocatedWords):
            lost.append(f"node {name}: {located.why}")
            continue
        item, new = run.draft.add(number, row["kind"], located)
        twice += not new
        kept.setdefault(name, item)
        mine.append((item, row["supports"]))
    run.dropped += len(lost)
    if lost:
        examples = "; ".join(lost[:_NAMED]) + ("; …" if len(lost) > _NAMED else "")
        run.problems.append(
            f"{step.name}: {len(lost)} of {len(rows)} nodes dropped, which do not stand in the report: {examples}"
        )
    if not rows:
        run.problems.append(f"{step.name}: the model located no statement in it")
    _note(run, step.name, repeated, "node ids given twice; what refers to them is put to the first")
    _note(run, step.name, twice, "nodes with the words of another")
    _join(run, step.name, mine, kept, supports)
    _check_facts(run, step.name, {item.key: item for item, _ in mine})


def _join(
    run: ExtractionRun,
    name: str,
    mine: Sequence[tuple[DraftNode, list[int]]],
    kept: dict[int, DraftNode],
    supports: dict[int, list[int]],
) -> None:
    unknown = cycles = itself = 0
    lifted = 0
    for item, parents in mine:
        for parent in parents:
            if parent not in supports:
                unknown += 1
                continue
            direct = kept.get(parent)
            if direct is not None and direct.is_argument:
                goals = [direct]
            else:
                # What was to support evidence, or a refused node, supports what that one supports.
                goals = _above(parent, kept, supports)
                lifted += 1
            for goal in goals:
                why = run.draft.join(item.key, goal.key)
                cycles += why == "cycle"
                itself += why == "itself" and direct is item
    _note(run, name, unknown, "edges to nodes that are not there left out")
    _note(run, name, itself, "nodes that were to support themselves")
    _note(run, name, lifted, "edges to evidence or to dropped nodes put to the claims above")
    _note(run, name, cycles, "edges left out that closed a circle")


def _above(name: int, kept: dict[int, DraftNode], supports: dict[int, list[int]]) -> list[DraftNode]:
    """Return the nearest arguments above a node that can have nothing under it."""
    out: list[DraftNode] = []
    seen = {name}
    stack = list(reversed(supports[name]))
    while stack:
        at = stack.pop()
        if at in seen or at not in supports:
            continue
        seen.add(at)
        item = kept.get(at)
        if item is not None and item.is_argument:
            out.append(item)
        else:
            stack.extend(reversed(supports[at]))
    return out


def _check_facts(run: ExtractionRun, name: str, items: dict[int, DraftNode]) -> None:
    """Note evidence that cannot be looked up: by the rules it is rather a claim."""
    report = run.report
    bare: list[int] = []
    for item in items.values():
        if item.is_argument or item.cited or _CHECKABLE.search(item.text):
            continue
        sentence = report.sentence_at(item.span.start)
        if sentence is not None and sentence.index in run.telling:
            continue
        bare.append(item.span.start)
    if bare:
        places = ", ".join(str(report.lines.place(start)[0]) for start in bare[:_NAMED])
        more = ", …" if len(bare) > _NAMED else ""
        run.problems.append(
            f"{name}: {len(bare)} evidence nodes give no figure, name, event or source (line {places}{more})"
        )


def _note(run: ExtractionRun, name: str, count: int, what: str) -> None:
    if count:
        run.problems.append(f"{name}: {count} {what}")
