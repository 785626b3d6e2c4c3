"""Compare what two checkouts of Assay put out: the net under a change that should alter nothing.

    python tests/compare_outputs.py OLD_CHECKOUT NEW_CHECKOUT [--data FOLDER] [--only PREFIX] [--show 20]

Both checkouts run the same commands on the examples of the old one (and on files of ``--data``: any reports or
trajectories that `assay audit` reads). JSON is compared value by value; prose (messages, reasons, titles) is counted apart,
because wording may change where numbers, codes, spans and names may not. Other output is compared line by line. The
script exits with 1 if anything but prose differs.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

REPORTS = "heat-pumps shanghai-reuse"
AUDITED = f"{REPORTS} trajectories"

# Each is run in a folder that holds a copy of the examples. Later commands read what earlier ones of a group wrote.
GROUPS: dict[str, list[str]] = {
    "audit": [
        f"audit {AUDITED} --format json --fail-on never",
        f"audit {AUDITED} --format sarif --fail-on never",
        f"audit {AUDITED} --format junit --fail-on never",
        f"audit {AUDITED} --format text --fail-on never",
        f"audit {AUDITED} --format html -o pages --fail-on never",
        "audit heat-pumps/flawed.md",
        "audit runs.jsonl --format json --fail-on never",
        "audit heat-pumps/god.md",
    ],
    "logic": [
        *(
            f"logic heat-pumps/good.md --format {f}"
            for f in ("text", "json", "dot", "mermaid", "svg", "html")
        ),
        "logic shanghai-reuse/flawed.md --format json",
    ],
    "pairs": [
        "compare heat-pumps/good.md heat-pumps/flawed.md --format json",
        "compare heat-pumps/good.md heat-pumps/middling.md",
        "rank heat-pumps shanghai-reuse --judge rules --format json",
        "rank heat-pumps --judge length",
        "judge heat-pumps/good.md --judge brief@scripted/random --format json",
        "judge shanghai-reuse/good.md --judge panel@scripted/random --format json",
    ],
    "bench": [
        f"bench build {AUDITED} -o b --types all --per-type 4 --seed 3",
        "bench run b --judge rules --interface pairwise --format json --save b/trials/rules",
        "bench run b --judge random --judge length --interface pairwise --save b/trials/others",
        "card b/trials/rules --format json",
        "card b/trials/rules",
        "gate b/trials/rules",
        "bench types",
    ],
    "run": [
        "run experiment.yaml --dry-run",
        "run experiment.yaml --ledger l.sqlite",
        "run --schema",
        "run --init",
        "batch export experiment.yaml -o r1.jsonl",
    ],
    "meta": [
        "agree judgments.jsonl labels.csv --format json",
        "agree judgments.jsonl labels.csv",
        "leaderboard judgments.jsonl --format json",
        "leaderboard runs.jsonl --judge rules --format json",
        "leaderboard runs.jsonl --judge rules",
        "labels list",
    ],
    "suites": [
        f"grade {REPORTS} --rubric rubrics/tasks.jsonl --judge scripted/random --format jsonl -o g.jsonl",
        "grades g.jsonl",
        "grades g.jsonl --format csv",
        "grades g.jsonl --format json",
        "score heat-pumps --judge rules --format json",
        "suites",
        "extraction build --synthetic 6 -o pairs --seed 0",
        "extraction measure pairs --format json",
        "query list finresearch",
    ],
    "lists": [
        "checks",
        "strategies",
        "models list",
        "prompts list",
        "rubric list",
        "rubric schema",
        "init --help",
        *(
            f"rubric show {r} --format json"
            for r in ("reportlogic", "overall", "reflect-report", "finresearch")
        ),
        *(f"rubric show {r}" for r in ("reflect-step", "imo-7", "putnam-5", "rubrics/decision-ready.yaml")),
        "rubric lint rubrics/tasks.jsonl",
        "rubric strip-examples rubrics/tasks.jsonl -o stripped.jsonl",
    ],
    "prompts": [
        f"prompts show {s} {lang}"
        for s in (
            *(
                "brief",
                "bullets",
                "comparative",
                "cove",
                "debate",
                "direct",
                "full",
                "geval",
                "grader",
            ),
            *(
                "logicjudge",
                "overseer",
                "panel",
                "quote",
                "quote_reference",
                "reference_checklist",
                "self_critique",
            ),
        )
        for lang in ("", "--language zh")
    ],
}

PROSE = {"message", "rationale", "reason", "title", "summary", "notes", "note", "description", "hint", "cautions", "why", "problem", "help", "fullDescription", "shortDescription", "text", "markdown", "methods", "detail", "excerpt"}  # fmt: skip
# Times, versions and paths that are never equal.
FLEETING = {"created", "date", "started", "finished", "seconds", "took", "version", "assay", "semanticVersion", "elapsed"}  # fmt: skip


def outputs(checkout: Path, work: Path, data: list[Path], only: str) -> dict[str, bytes]:
    """Run every command with one checkout; return standard output, exit code and written files by name."""
    env = {k: v for k, v in os.environ.items() if not k.startswith("ASSAY_")}
    env |= {
        "PYTHONPATH": str(checkout / "src"),
        "NO_COLOR": "1",
        "COLUMNS": "100",
        "ASSAY_LEDGER": "l.sqlite",
    }
    groups = dict(GROUPS)
    for path in data:
        groups[f"data {path.name}"] = [
            f"audit {path} --format json --fail-on never",
            f"audit {path} --format sarif --fail-on never",
        ]
    results: dict[str, bytes] = {}
    for group, commands in groups.items():
        if not group.startswith(only):
            continue
        folder = work / group.replace(" ", "_")
        shutil.copytree(checkout / "examples", folder)
        before = {path for path in folder.rglob("*") if path.is_file()}
        for command in commands:
            done = subprocess.run(
                [sys.executable, "-m", "assay", *command.split()],
                cwd=folder,
                env=env,
                capture_output=True,
                check=False,
            )
            results[f"{group}: assay {command}"] = done.stdout
            results[f"{group}: assay {command} (exit code)"] = str(done.returncode).encode()
            results[f"{group}: assay {command} (stderr)"] = done.stderr
        for path in sorted(folder.rglob("*")):
            if (
                path.is_file()
                and path not in before
                and path.suffix not in {".sqlite", ".db"}
                and "-wal" not in path.name
            ):
                results[f"{group}: file {path.relative_to(folder)}"] = path.read_bytes()
    return results


def decoded(text: str) -> Any:
    """Return JSON or JSON lines as values, or None if the text is neither."""
    try:
        return json.loads(text)
    except ValueError:
        pass
    try:
        rows = [json.loads(line) for line in text.splitlines() if line.strip()]
    except ValueError:
        return None
    return rows if rows and all(isinstance(row, dict) for row in rows) else None


def differences(old: Any, new: Any, path: str = "") -> list[tuple[str, bool]]:
    """List where two JSON values differ, and whether it is only prose."""
    leaf = path.rpartition(".")[2].partition("[")[0]
    if leaf in FLEETING or old == new or path.endswith(("origin.id", "run.id")) or path == ".id":
        return []
    if isinstance(old, dict) and isinstance(new, dict):
        keys = [*old, *(key for key in new if key not in old)]
        return [d for key in keys for d in differences(old.get(key), new.get(key), f"{path}.{key}")]
    if isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        return [
            d for i, pair in enumerate(zip(old, new, strict=True)) for d in differences(*pair, f"{path}[{i}]")
        ]
    return [
        (
            f"{path}: {json.dumps(old, ensure_ascii=False)[:150]} → {json.dumps(new, ensure_ascii=False)[:150]}",
            leaf in PROSE,
        )
    ]


def compared(old: bytes, new: bytes) -> list[tuple[str, bool]]:
    """List the differences of one output."""
    left, right = (
        re.sub(r"/\S*/wt/\w+|/\S*?/(old|new)/", "", raw.decode("utf-8", "replace")) for raw in (old, new)
    )
    if left == right:
        return []
    a, b = decoded(left), decoded(right)
    if a is not None and b is not None:
        return differences(a, b)
    if (a is None) != (b is None):
        return [("JSON on one side only", False)]
    # Prose between figures and codes may change; the figures and codes may not.
    figures = [re.findall(r"\b[A-Z]{3}\d{3}\b|\d+(?:\.\d+)?", text) for text in (left, right)]
    first = next(
        (
            f"{x[:110]} → {y[:110]}"
            for x, y in zip(left.splitlines(), right.splitlines(), strict=False)
            if x != y
        ),
        "length",
    )
    return [(first, figures[0] == figures[1])]


def main() -> int:
    """Run both, compare, print what differs."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("old", type=Path)
    parser.add_argument("new", type=Path)
    parser.add_argument("--data", type=Path, nargs="*", default=[], help="files or folders to audit as well")
    parser.add_argument("--only", default="", help="only groups whose name begins so")
    parser.add_argument("--show", type=int, default=12, help="differences shown per output")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as work, ThreadPoolExecutor(2) as pool:
        data = [path.resolve() for path in options.data]
        old, new = pool.map(
            lambda pair: outputs(pair[0].resolve(), Path(work) / pair[1], data, options.only),
            [(options.old, "old"), (options.new, "new")],
        )
    changed = prose = 0
    for name in sorted(old.keys() | new.keys()):
        if name not in old or name not in new:
            print(f"{name}: only in the {'old' if name in old else 'new'} checkout")
            changed += 1
            continue
        found = compared(old[name], new[name])
        real = [text for text, is_prose in found if not is_prose]
        prose += len(found) - len(real)
        if real and not name.endswith("(stderr)"):
            changed += 1
            print(f"{name}: {len(real)} differences")
            print(*(f"    {text}" for text in real[: options.show]), sep="\n")
    print(f"{len(old)} outputs, {changed} differ, {prose} differences in prose only")
    return 1 if changed else 0


if __name__ == "__main__":
    sys.exit(main())
