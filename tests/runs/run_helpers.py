"""Small experiments for tests: subjects on disk, and runs of them in this process."""

from __future__ import annotations

import asyncio
import json
import re
from pathlib import Path

from assay.models.scripted import ScriptedModel
from assay.runs.experiment_file import parse_experiment
from assay.runs.ledger import open_ledger
from assay.runs.run_options import RunOptions
from assay.runs.runner import opened_run


def report(number, words=60):
    lines = [f"# Report {number}", ""]
    lines += [
        f"Sentence {i} of report {number} says that pumps are quiet in case {i * number}."
        for i in range(words // 10)
    ]
    return "\n".join(lines) + "\n"


def write_rows(path: Path, count, *, system=None, words=60, first=0, query="How quiet are pumps in case {}?"):
    with path.open("w", encoding="utf-8") as out:
        for number in range(first, first + count):
            row = {
                "id": number,
                "query": query.format(number),
                "report": report(number, words) + (system or ""),
            }
            if system:
                row["system"] = system
            out.write(json.dumps(row) + "\n")


def experiment(folder: Path, text: str):
    if not re.search("^rubrics?:", text, re.MULTILINE):
        # One criterion: replies of tests are short.
        text += "rubrics: overall\n"
    return parse_experiment(text, base=folder, name="test")


async def go(experiment, ledger, options=None, on_judgment=None):
    """Execute one run and return it."""
    async with opened_run(experiment, ledger, options or RunOptions()) as run:
        await run.go(on_judgment)
        return run


def run_all(experiment, where, options=None):
    """Execute one run with the ledger at a path; return the run and its judgments."""
    with open_ledger(where) as ledger:
        run = asyncio.run(go(experiment, ledger, options))
        return run, list(ledger.judgments(run.id))


def comparable(rows, *, usage=True):
    """Return what must be equal however a run went."""
    table = []
    for row in rows:
        data = row.judgment.to_dict()
        if not usage:
            del data["usage"]
        table.append((row.key, row.judge_version, row.trial, json.dumps(data, sort_keys=True)))
    return sorted(table)


def scripted(monkeypatch, script, name="scripted/test"):
    """Replace every model of a session by a scripted one; return the models by id as they are opened."""
    from assay.models import registry

    opened = {}

    def open_it(model_id, settings=None, **rest):
        model = opened[model_id] = ScriptedModel(script, model_id)
        return model

    monkeypatch.setattr(registry, "open_model", open_it)
    return opened
