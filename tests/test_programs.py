"""Eight programs that people write in notebooks: each short, with public names alone, run as printed."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

PROGRAMS = {
    "audit a hundred reports": """
import assay
audits = assay.audit_many(assay.read("reports/"), jobs=2)
frame, findings = audits.to_frame(), audits.findings.to_frame()
audits.save("audits.jsonl")
assert len(frame) == 100 and {"code", "severity", "message"} <= set(findings)
assert assay.Audits.load("audits.jsonl").to_frame().equals(frame)
""",
    "fifty reports, two judges, a plot": """
import assay
judges = [assay.Judge(f"{s}@scripted/random", rubric="reflect-report") for s in ("brief", "quote")]
judgments = assay.run(assay.read("reports/")[:50], judges, max_concurrency=16)
wide = judgments.to_frame().pivot(index="subject", columns="judge", values="overall")
assert wide.shape == (50, 2) and wide.notna().all(axis=None)
""",
    "pairs in both orders, three repetitions": """
import assay
judge = assay.Judge("full@scripted/random", swap=True, repetitions=3)
judgments = assay.run(assay.round_robin(assay.read("heat-pumps/")), [judge, "rules"])
table = judgments.to_frame()[["a", "b", "judge", "preference", "margin", "consistent"]]
assert len(table) == 6 and all(len(j.repetitions) == 3 and j.by_order for j in judgments if j.judge != "rules")
""",
    "a weighted rubric and compliance": """
import assay
rubric = assay.Rubric.of({"States the revenue with its source.": 5, "Invents a source.": -5})
judgments = assay.run(assay.read("runs.jsonl"), assay.Judge("grader@scripted/random", rubric=rubric))
verdicts = judgments.verdicts.to_frame()
assert {"weight", "verdict", "quotes", "missing", "status", "reasoning"} <= set(verdicts)
compliance = judgments.compliance(by="system").to_frame()
assert {"system", "compliance", "compliance_low", "compliance_high"} <= set(compliance)
""",
    "my function on trial": """
import assay
def cites(report):
    return len(report.citations) / max(1, report.words)
benchmark = assay.Benchmark.build(assay.read(["heat-pumps/", "shanghai-reuse/"]), types="outcome", per_type=6)
table = benchmark.run([cites, "rules"], interface="pairwise").to_frame(by="type")
assert set(table["judge"]) >= {"cites", "rules"}
""",
    "agreement with people": """
import assay
labels = assay.read_labels("labels.csv")
judgments = assay.run(labels.cases(), ["rules", "direct@scripted/random"])
table = assay.agree(judgments, labels).to_frame()
assert {"metric", "value", "low", "high", "n", "clusters"} <= set(table)
""",
    "a leaderboard": """
import assay
judgments = assay.run(assay.round_robin(assay.read("runs.jsonl"), by="query"), "rules")
table = assay.leaderboard(judgments).to_frame()
assert len(table) >= 2
""",
    "my check, strategy, loader and rubric": """
import assay
@assay.check("BUZ001", severity="info")
def buzzword(report):
    "Names a buzzword"
    start = report.source.find("the")
    if start >= 0:
        yield assay.Hit((start, start + 3), "a buzzword")
@assay.strategy(prompt="{{ task }} Judge as a sceptic.", fields={"doubts": "what is doubtful"})
async def sceptic(ask): return await ask.verdict("judge")
@assay.loader
def exam(row): yield assay.Report(row["body"], id=row["n"])
reports = assay.read("exam.jsonl", loader=exam)
assert "BUZ001" in {f.code for f in assay.audit_many(reports, checks=["default", buzzword]).findings}
assert assay.run(reports, assay.Judge(strategy=sceptic, model="scripted/random")).coverage == 1
""",
}


@pytest.fixture
def folder(examples: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working folder with what the programs read."""
    import json
    import shutil

    for name in ("heat-pumps", "shanghai-reuse"):
        shutil.copytree(examples / name, tmp_path / name)
    for name in ("runs.jsonl", "labels.csv"):
        shutil.copy(examples / name, tmp_path / name)
    (tmp_path / "reports").mkdir()
    text = (examples / "heat-pumps" / "flawed.md").read_text("utf-8")
    for number in range(100):
        (tmp_path / "reports" / f"{number:03}.md").write_text(f"{text}\n\nRun {number}.\n", "utf-8")
    rows = [{"n": str(number), "body": f"# Answer\n\nMind the answer: {number}."} for number in range(3)]
    (tmp_path / "exam.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("name", PROGRAMS)
def test_program_runs_as_printed(name: str, folder: Path) -> None:
    before = {path.name for path in folder.iterdir()}
    exec(compile(PROGRAMS[name], name, "exec"), {"__name__": "program"})
    made = {path.name for path in folder.iterdir()} - before
    assert made <= {"audits.jsonl"}, "no folder appears unless one is asked for"


@pytest.mark.parametrize("name", PROGRAMS)
def test_program_is_short_and_public(name: str) -> None:
    lines = PROGRAMS[name].strip().splitlines()
    code = [line for line in lines if not line.startswith(("import ", "assert "))]
    assert len(code) < 15
    assert re.findall(r"^(?:import|from) .*", PROGRAMS[name], re.MULTILINE) == ["import assay"]
