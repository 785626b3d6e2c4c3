"""Write the page of contracts from what the commands write: ``python tests/contracts_page.py docs/reference/contracts.md``.

Each contract is produced by its command on the examples. The page lists the fields that came out, with their types; what
a field means comes from the docstring of the class behind it, where there is one.
"""

from __future__ import annotations

import importlib
import inspect
import json
import os
import re
import sys
import tempfile
from pathlib import Path
from typing import Any, NamedTuple

from documents import REPOSITORY, Shell

HEAD = """\
# Contracts

<!-- Written by `python tests/contracts_page.py docs/reference/contracts.md`; do not edit. -->

Every JSON that Assay writes names its contract in `schema`. An incompatible change gets a new number; new keys may be
added without one. Offsets are Unicode code points, 0-based, end-exclusive; lines and columns are 1-based. Files that
Assay reads have JSON schemas: `assay run --schema`, `assay rubrics schema`.

The fields are those that the command wrote for the examples. A field that was null there has the type `null`.
"""


class Contract(NamedTuple):
    """A contract: what it is, the command that writes it, the file it is in, and classes that explain its fields."""

    schema: str
    what: str
    command: str
    file: str = ""
    classes: tuple[str, ...] = ()


BENCH = "assay bench build examples/heat-pumps examples/trajectories -o bench --types all --per-type 2 -q"
RUN = "assay bench run bench --judge rules --interface pairwise --save trial -q"
GRADE = "assay grade examples/runs.jsonl --rubric examples/rubrics/tasks.jsonl --judge scripted/random -f jsonl -o grades.jsonl"
REPEATED = "assay judge examples/heat-pumps --judge direct@scripted/random --rubric overall --repetitions 3 -f json -o repeated.jsonl"
BEFORE = (
    BENCH,
    RUN,
    GRADE,
    REPEATED,
    "assay run --suite finresearch examples/runs.jsonl --judge brief@scripted/random -q",
    "assay run --suite researchrubrics examples/runs.jsonl --judge scripted/random --rubric examples/rubrics/tasks.jsonl -q",
    "assay lab extraction build --synthetic 4 -o pairs",
    "assay audit examples/runs.jsonl --format json --fail-on never -o last.jsonl",
    "assay rubrics convert examples/rubrics/tasks.jsonl -o tasks.jsonl",
    "mkdir notes",
    "printf 'The ferry carried 41,300 passengers in 2019, and the harbour was full every night.' > notes/1.txt",
    "printf '# Ferries\\n\\nThe ferry carried 41,300 passengers in 2019 [1].\\n\\n## References\\n\\n[1] http://localhost/x\\n' > linked.md",
)
CONTRACTS = (
    Contract(
        "assay.audit",
        "the audit of one subject",
        "assay audit examples/heat-pumps/flawed.md -f json -o audit.json",
        "audit.json",
        ("assay.audits.result:ReportAudit",),
    ),
    Contract(
        "assay.audit-comparison",
        "the last line of an audit with a baseline",
        "assay audit examples/runs.jsonl --baseline last.jsonl -f json --fail-on never -o compared.jsonl",
        "compared.jsonl",
    ),
    Contract(
        "assay.training",
        "a pair to train a judge on, with its label and where that comes from",
        "assay train distil --bench bench -o data -q",
        "data/examples/train.jsonl",
        ("assay.training.examples:TrainingExample",),
    ),
    Contract(
        "assay.training-data",
        "how a data set for training was made",
        "assay train distil --bench bench -o data -q",
        "data/manifest.json",
        ("assay.training.data_set:DataManifest",),
    ),
    Contract(
        "assay.logic",
        "an argument graph",
        "assay logic examples/heat-pumps/good.md -f json -o logic.json",
        "logic.json",
        ("assay.logic.graph:LogicGraph",),
    ),
    Contract(
        "assay.judgment",
        "a judgment: scores, a comparison, or a grade",
        "assay judge examples/heat-pumps/good.md --judge quote@scripted/random --rubric overall -f json -o judgment.json",
        "judgment.json",
        ("assay.judges.judgment:Judgment",),
    ),
    Contract(
        "assay.compliance",
        "tables of many grades",
        "assay compliance grades.jsonl -f json -o compliance.json",
        "compliance.json",
        ("assay.suites.compliance.record:Compliance",),
    ),
    Contract(
        "assay.finresearch",
        "FinResearchBench's ten dimensions",
        "assay run --suite finresearch examples/runs.jsonl --judge brief@scripted/random --reference-system good -f json > score.json",
        "score.json",
    ),
    Contract(
        "assay.suites",
        "where the results of suites agree",
        "assay run suites agree finresearch researchrubrics -f json > suites.json",
        "suites.json",
        ("assay.suites.concordance:RubricConcordance",),
    ),
    Contract(
        "assay.bench",
        "an instance: a reference and its perturbed copy; `site` refers to the perturbed text",
        "",
        "bench/instances.jsonl",
        ("assay.interventions.instances:Instance",),
    ),
    Contract(
        "assay.bench-manifest",
        "how a benchmark was made",
        "",
        "bench/bench.json",
        ("assay.interventions.manifest:Manifest",),
    ),
    Contract(
        "assay.bench-result",
        "one judge under one condition",
        "assay bench run bench --judge rules --interface pairwise --alone -f json -o result.json",
        "result.json",
        ("assay.meta.detection_record:Detection",),
    ),
    Contract(
        "assay.bench-results",
        "several conditions",
        "assay bench run bench --judge rules --interface pairwise --interface pointwise --types failures --alone -f json -o results.json",
        "results.json",
        ("assay.meta.results:BenchmarkResult",),
    ),
    Contract(
        "assay.card",
        "a judge's card",
        "assay bench card trial -f json -o card.json",
        "card.json",
        ("assay.meta.card:Card",),
    ),
    Contract(
        "assay.drift",
        "what has changed since an evaluation run",
        "assay bench drift trial --limit 1 -f json > drift.json",
        "drift.json",
        ("assay.meta.drift:JudgeDrift",),
    ),
    Contract(
        "assay.label",
        "one rater's rating of one subject or pair",
        "assay agree labels convert examples/labels.csv -o labels.jsonl",
        "labels.jsonl",
        ("assay.meta.labels.record:Label",),
    ),
    Contract(
        "assay.agreement",
        "agreement of judges with people",
        "assay agree examples/judgments.jsonl examples/labels.csv -f json -o agreement.json",
        "agreement.json",
        ("assay.meta.agreement_record:Agreement",),
    ),
    Contract(
        "assay.stability",
        "agreement of judges with themselves",
        "assay agree stability repeated.jsonl -f json -o stability.json",
        "stability.json",
        ("assay.meta.stability:Stability",),
    ),
    Contract(
        "assay.leaderboard",
        "systems ranked by comparisons",
        "assay leaderboard examples/runs.jsonl --judge rules -f json -o board.json",
        "board.json",
        ("assay.meta.leaderboard.record:Leaderboard",),
    ),
    Contract(
        "assay.plan",
        "what a run would take",
        "assay run examples/experiment.yaml --dry-run -f json > plan.json",
        "plan.json",
    ),
    Contract(
        "assay.run", "what a run did", "assay run examples/experiment.yaml -f json > run.json", "run.json"
    ),
    Contract(
        "assay.export",
        "the manifest of an exported run",
        "assay log export examples -o export",
        "export/manifest.json",
    ),
    Contract(
        "assay.batch",
        "a round of batch files",
        "assay run batch export examples/experiment.yaml -o requests.jsonl --fresh -f json > batch.json",
        "batch.json",
    ),
    Contract(
        "assay.rubric",
        "a rubric",
        "assay rubrics show overall -f json > rubric.json",
        "rubric.json",
        ("assay.rubrics.rubric:Rubric",),
    ),
    Contract(
        "assay.rubric-task", "a task with its rubric", "", "tasks.jsonl", ("assay.rubrics.tasks:RubricTask",)
    ),
    Contract(
        "assay.rubric-set",
        "what a set of tasks holds",
        "assay rubrics show examples/rubrics/tasks.jsonl -f json > set.json",
        "set.json",
    ),
    Contract(
        "assay.rubric-lint",
        "what makes a rubric hard to judge by",
        "assay rubrics lint overall -f json > lint.json",
        "lint.json",
    ),
    Contract(
        "assay.tree-pair",
        "a report with the argument it was written from",
        "",
        "pairs/pairs.jsonl",
        ("assay.logic.ground_truth.pair:GroundTruthPair",),
    ),
    Contract(
        "assay.snapshot",
        "what one cited address gave",
        "assay sources fetch linked.md -o pages -q",
        "pages/sources.jsonl",
        ("assay.fetching.snapshots:Snapshot",),
    ),
    Contract(
        "assay.citations",
        "whether sources say what they are cited for",
        "assay sources check linked.md --sources notes -f json > citations.json",
        "citations.json",
        ("assay.reviews.citations:CitationCheck", "assay.reviews.citations:CheckedCitation"),
    ),
    Contract(
        "assay.extraction",
        "how well arguments are extracted",
        "assay lab extraction measure pairs -f json > extraction.json",
        "extraction.json",
    ),
    Contract(
        "assay.suitability",
        "whether a question calls for a report",
        "assay lab query suitable 'Why did lithium prices fall in 2023?' --model scripted/random -o suitable.jsonl",
        "suitable.jsonl",
    ),
    Contract(
        "assay.complexity",
        "how complex a question is",
        "assay lab query complexity 'Why did lithium prices fall in 2023?' --model scripted/random -o complexity.jsonl",
        "complexity.jsonl",
    ),
)
# Written by commands that need a model that writes well, or read only.
WITHOUT_EXAMPLE = {
    "assay.training-run/1": "`training.json` of `assay train`: recipe, data, expected cost, what the trainer logged",
    "assay.training-eval/1": "`assay train eval --format json`: judges and trained models on the same test",
    "assay.trajectory/1": "a trajectory: `query`, `tools`, `steps` (`index`, `reasoning`, `calls`, `agent`), `answer`, `ending`; see [inputs](inputs.md)",
    "assay.report/1": "a report as `Report.to_dict` writes it: `report`, `query`, `path`, `id`, `system`, `meta`",
    "assay.instance-rubric/1": "a rubric for one pair of reports; written by `assay rubrics for-pair`",
    "assay.argued-text/1": "a short text with its annotated argument: `text`, `units`, `root`, `edges`; read by `assay lab extraction measure`",
    "assay.written-report/1": "a report that a model wrote; written by `assay lab write -f json` and, with `id` and `system`, by `assay lab reports`",
    "assay.query-variant/1": "a variant of a question, with its `origin` and what was changed; written by `assay lab query expand`",
    "assay.grade/1": "grades of earlier versions; read, no longer written",
}


def contracts_page(folder: Path) -> str:
    """Return the page; the commands run in the folder."""
    os.chdir(folder)
    shell = Shell(folder)
    for line in BEFORE:
        _run(shell, line)
    parts = [HEAD]
    for contract in CONTRACTS:
        if contract.command:
            _run(shell, contract.command)
        parts.append(_section(contract, Path(contract.file).read_text("utf-8")))
    parts += ["## Without an example\n", "| contract | what |", "|---|---|"]
    parts += [f"| `{name}` | {what} |" for name, what in WITHOUT_EXAMPLE.items()]
    return "\n".join(parts) + "\n"


def _run(shell: Shell, line: str) -> None:
    code, output, _ = shell.run(line)
    if code not in (0, 1):
        raise RuntimeError(f"$ {line}\n{output}")


def _section(contract: Contract, text: str) -> str:
    rows = (
        [json.loads(text)]
        if text.lstrip().startswith("{\n")
        else [json.loads(line) for line in text.splitlines()]
    )
    rows = [
        item for row in rows for value in row.values() if isinstance(value, list) for item in value
    ] + rows
    row = next(
        row
        for row in reversed([row for row in rows if isinstance(row, dict)])
        if str(row.get("schema", "")).startswith(f"{contract.schema}/")
    )
    words = {name: text for place in contract.classes for name, text in _words(place).items()}
    command = contract.command or next(
        line for line in BEFORE if contract.file.split("/", maxsplit=1)[0].split(".")[0] in line
    )
    lines = [
        f"## {row['schema']}",
        "",
        f"{contract.what[0].upper()}{contract.what[1:]}.",
        "",
        f"Written by `{' '.join(command.split()[: _depth(command)])}`.",
        "",
    ]
    lines += ["| field | type | |", "|---|---|---|"]
    lines += [
        f"| `{key}` | {_type(value)} | {words.get(key, '')} |"
        for key, value in row.items()
        if key != "schema"
    ]
    return "\n".join([*lines, ""])


def _depth(command: str) -> int:
    words = command.split()
    return (
        next((at for at, word in enumerate(words) if at > 1 and not re.fullmatch(r"[a-z-]+", word)), 2)
        if words[1] in ("bench", "lab", "log", "run", "rubrics", "agree", "train")
        else 2
    )


def _type(value: Any, level: int = 0) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true or false"
    if isinstance(value, int | float):
        return "number"
    if isinstance(value, str):
        return "text"
    if isinstance(value, list):
        return f"list of {_type(value[0], level)}" if value else "list"
    keys = list(value)
    if level or not keys or len(keys) > 12:
        return "object"
    return "object: " + ", ".join(f"`{key}`" for key in keys)


def _words(place: str) -> dict[str, str]:
    """Return what the docstrings of a class, and of its bases, say about its attributes."""
    module, _, name = place.partition(":")
    found: dict[str, str] = {}
    for home in reversed(getattr(importlib.import_module(module), name).__mro__):
        body = inspect.cleandoc(home.__doc__ or "").partition("Attributes:\n")[2]
        items = re.split(r"^ {4}(\w+): ", body, flags=re.MULTILINE)[1:]
        found |= {key: _cell(text) for key, text in zip(items[::2], items[1::2], strict=True)}
    return found


def _cell(text: str) -> str:
    text = re.sub(r"``(.+?)``", r"`\1`", " ".join(text.split()))
    return text.replace("|", "\\|").replace("<", "&lt;")


if __name__ == "__main__":
    target = Path(sys.argv[1]).resolve()
    with tempfile.TemporaryDirectory() as folder:
        page = contracts_page(Path(folder))
        os.chdir(REPOSITORY)
    target.write_text(page, "utf-8", newline="\n")
