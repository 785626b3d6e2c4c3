"""What `import assay` offers, and what it costs."""

from __future__ import annotations

import subprocess
import sys

import assay


def test_every_exported_name_resolves() -> None:
    for name in assay.__all__:
        assert getattr(assay, name) is not None
    assert set(dir(assay)) >= set(assay.__all__)


def test_names_stay_sorted() -> None:
    assert assay.__all__ == sorted(assay.__all__)


def test_importing_loads_nothing_heavy() -> None:
    code = "import sys, assay; print([m for m in ('markdown_it', 'msgspec', 'rich', 'jinja2', 'click') if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_readme_example(examples) -> None:
    from assay import Report, audit

    result = audit(Report.read(examples / "heat-pumps" / "flawed.md", query="Should we install heat pumps?"))
    assert len(result.findings) >= 8
    assert list(result.dimensions) == [
        "task_alignment",
        "global_coherence",
        "internal_consistency",
        "concept_introduction",
        "local_coherence",
        "evidence_sufficiency",
        "warrants_causality",
        "qualifiers_counterpoints",
    ]
