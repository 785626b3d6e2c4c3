"""Codes of what a reader names: explained by the command, and listed in the reference."""


def test_codes_of_readers_are_explained_too(assay) -> None:
    found = assay("checks", "explain", "RDR103")
    assert "Overreach" in found.stdout
    assert "assay audit --model" in found.stdout
    assert assay("checks", "explain", "causal-leap").stdout.startswith("RDR110")


def test_all_codes_of_readers_are_in_the_reference(root) -> None:
    from assay.checks.fault_types import FAULT_TYPES

    page = (root / "docs/reference/findings.md").read_text("utf-8")
    assert all(f"| {item.code} | {item.key.replace('_', '-')} |" in page for item in FAULT_TYPES.values())
