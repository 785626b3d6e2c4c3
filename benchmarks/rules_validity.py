"""Measure how far what the rules compute follows quality that others measured.

    python benchmarks/rules_validity.py DATA [--write]

DATA is a folder with ``deepresearch_bench/``: ``race_scores.jsonl`` (four dimensions and an overall score of 100 reports,
given by a model beside a reference report), ``reports/claude-3-7-sonnet.jsonl`` (the texts that were scored),
``reports_raw/`` (the same with their citations), and ``reports/odr-gpt-5.jsonl`` and ``odr-gpt-4.1.jsonl`` (two more
systems on the same questions). It prints three tables:

1. Spearman's rank correlation of each number with each published dimension, with a 95 % bootstrap interval over reports.
2. How often the rules judge prefers the system assumed to be better, question by question.
3. A fitted predictor: ridge regression on features of the text, its penalty chosen by nested cross-validation. Folds are
   questions, and every question has one report. It must beat the number of words, which needs no fitting.

``--write`` stores the figures that the program shows beside rankings in ``src/assay/judges/data/validity.json``, and the
tables in ``docs/explanation/how-good-is-it.md``.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
from pathlib import Path
from typing import Any

import numpy as np
from scipy.stats import rankdata

from assay.audits.audit import find
from assay.audits.compare import compare
from assay.checks.registry import all_checks
from assay.checks.selection import family_of
from assay.judges.model_free_comparison import length_margin
from assay.judges.report_features import MEASURES, ReportFacts
from assay.judges.rules import finding_weight, measure_report, standing
from assay.logic.rule_graph import build_graph
from assay.logic.scores import rule_scores
from assay.subjects.report import Report

TARGETS = ("overall_score", "comprehensiveness", "insight", "instruction_following", "readability")
SYSTEM = "claude-3-7-sonnet"
STORED = Path(__file__).parents[1] / "src/assay/judges/data/validity.json"
PAGE = Path(__file__).parents[1] / "docs/explanation/how-good-is-it.md"
DRAWS = 2000


def rows_of(path: Path) -> list[dict[str, Any]]:
    """Return the rows of a JSON Lines file, by id."""
    rows = [json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip()]
    return sorted(rows, key=lambda row: int(row["id"]))


def report_of(row: dict[str, Any]) -> Report:
    """Return a row as a report."""
    return Report(row["report"], query=row["query"], id=str(row["id"]), system=row["system"])


def numbers_of(report: Report, cited: Report) -> dict[str, float]:
    """Return every number that the rules have of a report; those about citations come from the text that has them."""
    findings = find(report)
    words = max(1, report.words) / 1000
    measured = measure_report(report, findings)
    graph = build_graph(report)
    scores = rule_scores(report, graph)
    out: dict[str, float] = {"standing": standing(measured)}
    for key, item in measured.items():
        out[f"dimension: {key}"] = item.discount * (1.0 if item.base is None else item.base)
    out |= {f"structure: {name}": getattr(scores, name) for name in scores.__struct_fields__}
    for level in ("error", "warning", "info"):
        out[f"{level}s per 1,000 words"] = sum(item.severity == level for item in findings) / words
    out["weight of findings per 1,000 words"] = sum(map(finding_weight, findings)) / words
    out["words"] = float(report.words)
    cited_findings = find(cited)
    cited_words = max(1, cited.words) / 1000
    out["with citations: findings per 1,000 words"] = len(cited_findings) / cited_words
    out["with citations: evidence base"] = (
        measure_report(cited, cited_findings)["evidence_sufficiency"].base or 0.0
    )
    return out


def features_of(report: Report, cited: Report) -> dict[str, float]:
    """Return the features of the predictor."""
    words = max(1, report.words)
    per = 1000 / words
    facts = ReportFacts.of(report)
    findings = find(cited)
    sources = {ref for mark in cited.citations for ref in mark.references if ref is not None}
    out = {
        "log words": math.log(words),
        "sections": float(len(report.sections) - 1),
        "words per section": math.log(words / max(1, len(report.sections) - 1)),
        "tables": float(len(report.tables)),
        "list items per 1,000": sum(block.kind == "list_item" for block in report.blocks) * per,
        "words per sentence": words / max(1, len(report.sentences)),
        "terms per word": len(facts.terms) / words,
        "figures per 1,000": len(report.quantities) * per,
        "citations per 1,000": len(cited.citations) * per,
        "distinct sources": float(len(sources)),
        "citations per source": len(cited.citations) / max(1, len(sources)),
        "chinese": float(report.language == "zh"),
    }
    for key, measure in MEASURES.items():
        _, parts = measure(facts)
        out |= {f"{key}: {name}": value for name, value in parts.items()}
    scores = rule_scores(report, build_graph(report))
    out |= {name: getattr(scores, name) for name in scores.__struct_fields__}
    for family in sorted({family_of(code) for code in all_checks()}):
        out[f"findings {family}"] = sum(family_of(item.code) == family for item in findings) * per
    return out


def spearman(a: np.ndarray, b: np.ndarray) -> float:
    """Return the rank correlation; 0 if either is constant."""
    x, y = rankdata(a), rankdata(b)
    if x.std() == 0 or y.std() == 0:
        return 0.0
    return float(np.corrcoef(x, y)[0, 1])


def interval(values: np.ndarray) -> tuple[float, float]:
    """Return the central 95 % of bootstrap draws."""
    low, high = np.percentile(values, [2.5, 97.5])
    return float(low), float(high)


def correlation(a: np.ndarray, b: np.ndarray, seed: int = 0) -> tuple[float, float, float]:
    """Return Spearman's correlation and its 95 % bootstrap interval."""
    draw = np.random.default_rng(seed)
    picks = draw.integers(0, len(a), (DRAWS, len(a)))
    return (spearman(a, b), *interval(np.array([spearman(a[pick], b[pick]) for pick in picks])))


def ridge(x: np.ndarray, y: np.ndarray, penalty: float) -> Any:
    """Return a function that predicts from standardised features."""
    mean, spread = x.mean(0), x.std(0)
    spread[spread == 0] = 1.0
    z = (x - mean) / spread
    weights = np.linalg.solve(z.T @ z + penalty * np.eye(z.shape[1]), z.T @ (y - y.mean()))
    return lambda new: (new - mean) / spread @ weights + y.mean()


def folds(count: int, parts: int, draw: np.random.Generator) -> list[np.ndarray]:
    """Return the indices of each fold."""
    return np.array_split(draw.permutation(count), parts)


def held_out(x: np.ndarray, y: np.ndarray, seed: int) -> np.ndarray:
    """Return predictions for each report by a model that has not seen it; the penalty is chosen inside each fold."""
    draw = np.random.default_rng(seed)
    out = np.zeros(len(y))
    for test in folds(len(y), 10, draw):
        train = np.setdiff1d(np.arange(len(y)), test)
        best, lowest = 1.0, math.inf
        for penalty in (1.0, 10.0, 30.0, 100.0, 300.0, 1000.0):
            loss = 0.0
            for inner in folds(len(train), 5, np.random.default_rng(seed + 1)):
                rest = np.setdiff1d(np.arange(len(train)), inner)
                model = ridge(x[train[rest]], y[train[rest]], penalty)
                loss += float(((model(x[train[inner]]) - y[train[inner]]) ** 2).sum())
            if loss < lowest:
                best, lowest = penalty, loss
        out[test] = ridge(x[train], y[train], best)(x[test])
    return out


def predictor(features: list[dict[str, float]], target: np.ndarray) -> dict[str, tuple[float, float, float]]:
    """Return held-out correlations of the predictor, of length alone, and their difference."""
    names = sorted({name for row in features for name in row})
    x = np.array([[row.get(name, 0.0) for name in names] for row in features])
    length = x[:, names.index("log words")]
    # Averaged over ways to cut the folds, since one way alone moves the figure by several hundredths.
    full = np.mean([held_out(x, target, seed) for seed in range(5)], axis=0)
    draw = np.random.default_rng(0)
    picks = draw.integers(0, len(target), (DRAWS, len(target)))
    # Length in the better of its two directions: a predictor that cannot beat that has learnt nothing.
    sign = 1.0 if spearman(length, target) >= 0 else -1.0
    gains = [spearman(full[p], target[p]) - sign * spearman(length[p], target[p]) for p in picks]
    gain = spearman(full, target) - sign * spearman(length, target)
    return {
        "predictor": correlation(full, target),
        "length": correlation(sign * length, target),
        "gain over length": (gain, *interval(np.array(gains))),
    }


def preferred(better: list[Report], worse: list[Report], judge: Any) -> tuple[int, int, int]:
    """Return how often the first system is preferred, how often the second, and how many ties there are."""
    wins = losses = 0
    for a, b in zip(better, worse, strict=True):
        margin = judge(a, b)
        wins += margin > 0
        losses += margin < 0
    return wins, losses, len(better) - wins - losses


def rules_margin(a: Report, b: Report) -> float:
    """Return 1, 0 or -1 by the verdict of the rules judge."""
    verdict = compare(a, b).preference
    return {"A>B": 1.0, "A<B": -1.0}.get(str(verdict), 0.0)


def show(label: str, figures: tuple[float, float, float]) -> str:
    """Return a line of a table."""
    value, low, high = figures
    return f"  {label:<48} {value:+.2f} [{low:+.2f}, {high:+.2f}]"


def cell(figures: list[float]) -> str:
    """Return a correlation with its interval for a table."""
    value, low, high = (f"{number:+.2f}".replace("-", "−") for number in figures)
    return f"{value} [{low}, {high}]"


def tables(stored: dict[str, Any], by_target: dict[str, dict[str, list[float]]]) -> str:
    """Return the tables of the page."""
    rows = [
        "| | overall | comprehensiveness | insight | instruction following | readability |",
        "|---|---|---|---|---|---|",
    ]
    for name in by_target["overall_score"]:
        rows.append(f"| {name} | " + " | ".join(cell(by_target[target][name]) for target in TARGETS) + " |")
    rows += ["", "| pairs on the same 100 questions | rules | length |", "|---|---|---|"]
    for name, (wins, losses, ties) in stored["pairs"].items():
        judge, _, pair = name.partition(": ")
        if judge == "rules":
            long = stored["pairs"][f"length: {pair}"]
            rows.append(
                f"| {pair} | {wins}, {losses} the other way, {ties} ties | {long[0]}, {long[1]} the other way |"
            )
    names = list(stored["predictor"])
    rows += ["", f"| {' | '.join(names)} |", "|" + "---|" * len(names)]
    rows.append(f"| {' | '.join(cell(stored['predictor'][name]) for name in names)} |")
    return "\n".join(rows)


def main() -> None:
    """Measure, print, and store."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    parser.add_argument("data", type=Path)
    parser.add_argument("--write", action="store_true")
    args = parser.parse_args()
    base = args.data / "deepresearch_bench"
    if not base.is_dir():
        sys.exit(f"skipped: {base} does not exist")
    published = rows_of(base / "race_scores.jsonl")
    clean = list(map(report_of, rows_of(base / f"reports/{SYSTEM}.jsonl")))
    raw = list(map(report_of, rows_of(base / f"reports_raw/{SYSTEM}.jsonl")))
    targets = {name: np.array([row[name] for row in published]) for name in TARGETS}
    numbers = [numbers_of(*pair) for pair in zip(clean, raw, strict=True)]
    by_number = {name: np.array([row[name] for row in numbers]) for name in numbers[0]}
    stored: dict[str, Any] = {"reports": len(clean), "correlations": {}, "pairs": {}, "predictor": {}}
    by_target: dict[str, dict[str, list[float]]] = {target: {} for target in TARGETS}
    print(f"Rank correlation with published quality, {len(clean)} reports of {SYSTEM}")
    for target, values in targets.items():
        print(f"\n{target}")
        for name, own in by_number.items():
            figures = correlation(own, values)
            print(show(name, figures))
            by_target[target][name] = list(figures)
            if target == "overall_score":
                stored["correlations"][name] = [round(value, 3) for value in figures]
    print("\nPairs on the same question; assumed, not measured: the newer model writes the better report")
    systems = {
        name: list(map(report_of, rows_of(base / f"reports/{name}.jsonl")))
        for name in ("odr-gpt-5", "odr-gpt-4.1")
    }
    systems[SYSTEM] = raw
    for one, two in (("odr-gpt-5", "odr-gpt-4.1"), ("odr-gpt-5", SYSTEM), ("odr-gpt-4.1", SYSTEM)):
        for name, judge in (("rules", rules_margin), ("length", length_margin)):
            wins, losses, ties = preferred(systems[one], systems[two], judge)
            print(
                f"  {name:<8} {one} over {two}: {wins} of {wins + losses + ties} ({losses} the other way, {ties} ties)"
            )
            stored["pairs"][f"{name}: {one} over {two}"] = [wins, losses, ties]
    print("\nA fitted predictor, on held-out questions")
    features = [features_of(*pair) for pair in zip(clean, raw, strict=True)]
    for target, values in targets.items():
        print(f"\n{target}")
        results = predictor(features, values)
        for name, figures in results.items():
            print(show(name, figures))
        if target == "overall_score":
            stored["predictor"] = {name: [round(v, 3) for v in figures] for name, figures in results.items()}
    if args.write:
        STORED.parent.mkdir(exist_ok=True)
        STORED.write_text(json.dumps(stored, indent=1) + "\n", "utf-8")
        head, _, rest = PAGE.read_text("utf-8").partition("<!-- figures -->")
        _, _, tail = rest.partition("<!-- /figures -->")
        block = f"<!-- figures -->\n\n{tables(stored, by_target)}\n\n<!-- /figures -->"
        PAGE.write_text(head + block + tail, "utf-8")
        print(f"\nwritten: {STORED} and {PAGE}")


if __name__ == "__main__":
    main()
