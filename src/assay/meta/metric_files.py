"""Metrics of judges in files: runs of a benchmark, or JSON with results of a benchmark or of agreement."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec

from assay.errors import InputError
from assay.measures.intervals import Estimate, exact
from assay.meta.gate import JudgeMetrics
from assay.meta.results import BenchmarkResult
from assay.rows import read_text


def read_metrics(path: str | Path) -> list[JudgeMetrics]:
    """Read the metrics of a run's folder, or of a file with results of a benchmark or of agreement.

    Raises:
        InputError: The file cannot be read, or has another schema.
    """
    source = Path(path)
    if source.is_dir():
        return BenchmarkResult.load(source).metrics
    try:
        data = msgspec.json.decode(read_text(source), type=dict[str, Any])
    except msgspec.MsgspecError as error:
        raise InputError(f"not a JSON object: {error}", where=str(path)) from error
    schema = str(data.get("schema"))
    if schema.startswith("assay.bench-result"):
        return BenchmarkResult.load(source).metrics
    if schema not in ("assay.agreement/1", "assay.agreement/2"):
        raise InputError(
            f"schema is {schema!r}",
            where=str(path),
            hint="give what BenchmarkResult.save or Agreement.save wrote",
            cli_hint="give a run of `assay bench run`, or JSON from it or from `assay agree`",
        )
    metrics = data.get("metrics")
    if not isinstance(metrics, dict) or not all(isinstance(item, dict) for item in metrics.values()):
        raise InputError("incomplete result: there are no metrics", where=str(path))
    found = {
        name: Estimate(value=item.get("value"), low=item.get("low"), high=item.get("high"))
        for name, item in metrics.items()
    }
    return [JudgeMetrics("agreement", {"coverage": exact(data.get("coverage")), **found})]
