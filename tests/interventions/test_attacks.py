"""Attacks on judges: each does what its dimension or bias says, and nothing else."""

from __future__ import annotations

import json
import random
import re
from pathlib import Path

import pytest
from attack_texts import CHINESE, ENGLISH, FINDINGS, FINDINGS_ZH

from assay.interventions.applying import apply
from assay.interventions.base import Edit, TextRevision
from assay.interventions.registry import all_operators
from assay.rubrics.dimensions import DIMENSION_KEYS
from assay.subjects.report import Report
from assay.text.phrases import PhraseFile

OPERATORS = {name: item for name, item in all_operators().items() if item.kind != "failure"}
TARGETED = [f"targeted_{key}" for key in DIMENSION_KEYS]
BIAS = ["length", "structure", "qualifier_wording", "evidence_illusion", "causal_display"]
MANIPULATION = ["prompt_injection", "authority", "citation_padding", "self_preference", "position"]

RICHER = frozenset({"evidence_illusion", "citation_padding"})


def example(name: str, text: str) -> str:
    """The text an attack is tried on: one with findings and sources enough where it lives on them."""
    if name not in RICHER:
        return text
    return FINDINGS if text is ENGLISH else FINDINGS_ZH


def report(text: str) -> Report:
    query = "Which heat pumps suit cold regions?" if text.isascii() else "寒冷地区适合使用哪种热泵？"
    return Report(text, query=query, id="pumps")


def revisions(name: str, subject: Report, seed: int = 1) -> list[TextRevision]:
    return list(OPERATORS[name].rule(subject, random.Random(seed)))


def accepted(name: str, subject: Report, seed: int = 1) -> list[tuple[TextRevision, Report]]:
    found = []
    check = OPERATORS[name].check
    assert check is not None
    for revision in revisions(name, subject, seed):
        revised = apply(subject, revision).subject
        if check(subject, revised, revision) is None:
            found.append((revision, revised))
    return found


def rewritten(subject: Report, old: str, new: str) -> tuple[Report, TextRevision]:
    """As a model editor does it: one passage for another."""
    start = subject.source.index(old)
    revision = TextRevision(edits=(Edit(start, start + len(old), new),), pattern="model")
    return apply(subject, revision).subject, revision


def said(name: str, text: str, old: str, new: str) -> str | None:
    subject = report(text)
    revised, revision = rewritten(subject, old, new)
    check = OPERATORS[name].check
    assert check is not None
    return check(subject, revised, revision)


def test_all_attacks_are_there_and_say_what_they_are() -> None:
    assert set(OPERATORS) == {*TARGETED, *BIAS, *MANIPULATION}
    for name, operator in OPERATORS.items():
        assert operator.level == "outcome"
        assert operator.module == "attack"
        assert operator.definition
        assert any("\u4e00" <= char <= "\u9fff" for char in operator.definition_zh)
        assert operator.check is not None
        assert bool(operator.ask) == bool(operator.ask_zh) == (operator.sites is not None)
        kind = "targeted" if name in TARGETED else "bias" if name in BIAS else "manipulation"
        assert operator.kind == operator.category == kind
        assert operator.dimension == (name.removeprefix("targeted_") if kind == "targeted" else None)


@pytest.mark.parametrize("text", [ENGLISH, CHINESE], ids=["en", "zh"])
@pytest.mark.parametrize("name", [*TARGETED, *BIAS, *MANIPULATION])
def test_each_attack_finds_a_site_and_passes_its_own_check(name: str, text: str) -> None:
    text = example(name, text)
    found = [item for seed in range(4) for item in accepted(name, report(text), seed)]
    assert found
    for revision, revised in found:
        low, high = revision.edits[0].start, revision.edits[-1].end
        assert revised.source[:low] == text[:low]
        assert revised.source.endswith(text[high:])
        assert name == "position" or revised.source != text
        assert len(revision.edits) == 1 or name not in TARGETED


@pytest.mark.parametrize("name", sorted(OPERATORS))
def test_a_seed_gives_the_same_attacks_again(name: str) -> None:
    assert revisions(name, report(ENGLISH), 7) == revisions(name, report(ENGLISH), 7)
    assert revisions(name, report(CHINESE), 7) == revisions(name, report(CHINESE), 7)


BARE = ("", "word", "# Title\n", "| a | b |\n|---|---|\n| 1 | 2 |\n", "```\ncode\n```\n")
# A byline, a note to the grader or a claim of prestige can be put into any text; the same text can be shown twice.
ANYWHERE = {"authority", "prompt_injection", "self_preference", "position"}


@pytest.mark.parametrize("name", sorted(set(OPERATORS) - ANYWHERE))
def test_nothing_comes_of_nothing(name: str) -> None:
    for text in BARE:
        assert revisions(name, report(text)) == [], text


@pytest.mark.parametrize("name", sorted(ANYWHERE))
def test_what_fits_anywhere_only_adds(name: str) -> None:
    assert revisions(name, report("word"))
    for text in BARE:
        for revision in revisions(name, report(text)):
            revised = apply(report(text), revision).subject.source
            assert all(text[edit.start : edit.end] in edit.text for edit in revision.edits)
            assert (revised == text) == (name == "position")


@pytest.mark.parametrize("name", [name for name in sorted(OPERATORS) if name != "position"])
def test_no_check_passes_an_unchanged_text(name: str) -> None:
    sentence = "Storage tanks make such shifts easier for owners."
    assert said(name, ENGLISH, sentence, sentence) is not None


@pytest.mark.parametrize("name", sorted(name for name, item in OPERATORS.items() if item.sites is not None))
def test_sites_for_a_model_lie_inside_the_body(name: str) -> None:
    sites = OPERATORS[name].sites
    assert sites is not None
    for text, references in ((ENGLISH, "## References"), (CHINESE, "## 参考文献")):
        found = list(sites(report(text), random.Random(1)))
        assert found
        for site in (item.places[0] for item in found):
            assert 0 <= site.start < site.end <= text.index(references)
            assert site.end - site.start <= 2500


HEDGED = "Heat pumps may reduce household emissions in most regions because"


@pytest.mark.parametrize(
    ("name", "old", "new", "passes"),
    [
        ("targeted_qualifiers_counterpoints", HEDGED, HEDGED.replace("may", "will inevitably"), True),
        ("targeted_qualifiers_counterpoints", HEDGED, HEDGED.replace("may", "might"), False),
        ("targeted_warrants_causality", " because the outside air holds less heat.", ".", True),
        ("targeted_warrants_causality", "holds less heat.", "holds far less heat.", False),
        ("targeted_evidence_sufficiency", "According to the Nordic Energy Survey, 45% of", "A good many", True),
        ("targeted_evidence_sufficiency", "45% of buyers name", "47% of buyers name", False),
        ("targeted_local_coherence", "However, prices fell", "Therefore, prices fell", True),
        ("targeted_local_coherence", "However, prices fell", "However, wages fell sharply", False),
        ("targeted_concept_introduction", "The levelized cost of heat (LCOH) is", "LCOH is", True),
        ("targeted_internal_consistency", "for 45% of buyers in the", "for 61% of buyers in the", True),
        ("targeted_internal_consistency", "prices fell by 12%", "prices fell by 19%", False),
        ("targeted_task_alignment", "Ground pumps are more expensive", "Ground pumps are more expensive", False),
        ("targeted_global_coherence", "Storage tanks make", "The next section turns to installation costs. Storage tanks make", True),
        ("targeted_global_coherence", "Storage tanks make", "Large storage tanks make", False),
    ],
)  # fmt: skip
def test_targeted_checks_judge_what_a_model_wrote(name: str, old: str, new: str, passes: bool) -> None:
    assert (said(name, ENGLISH, old, new) is None) == passes


def test_targeted_attacks_bring_no_number_of_their_own() -> None:
    for name in TARGETED:
        if name != "targeted_internal_consistency":
            problem = said(name, ENGLISH, "Heat pumps may reduce", "Heat pumps, 87 of them, will reduce")
            assert problem is not None


@pytest.mark.parametrize("name", [name for name in BIAS if name != "length"])
def test_bias_checks_refuse_new_matter(name: str) -> None:
    last = "Storage tanks make such shifts easier for owners."
    assert "number" in str(said(name, ENGLISH, last, last + " They paid back after 77 months of use."))
    assert "new matter" in str(
        said(
            name,
            ENGLISH,
            last,
            last + " Whales sing beneath Antarctic glaciers.",
        )
    )
    assert said(name, ENGLISH, last, "It is so.") is not None
    assert said(name, ENGLISH, last, last.rstrip(".") + " [4].") is not None


def test_bias_checks_hold_to_the_order_of_claims() -> None:
    old = "Drilling accounts for the larger part of the cost of ground pumps. The depth of the borehole depends on the soil and on the demand for heat."
    first, second = old.split(". ")
    problem = said("structure", ENGLISH, old, f"First, {second} In summary, as said above. {first}.")
    assert "order" in str(problem)


def test_length_grows_within_its_bounds() -> None:
    for text in (ENGLISH, CHINESE):
        grown = [len(revised.source) / len(text) - 1 for _, revised in accepted("length", report(text))]
        assert grown
        assert all(0.15 <= growth <= 0.4 for growth in grown)


def test_length_repeats_in_the_reports_own_words_and_in_varied_ones() -> None:
    for revision, _ in accepted("length", report(FINDINGS)) + accepted("length", report(ENGLISH)):
        openings = [edit.text.strip().split(" ")[:3] for edit in revision.edits]
        assert all(openings.count(opening) <= 2 for opening in openings)
        # Recapitulations stand in paragraphs of their own, never behind the sentence they repeat.
        assert all(edit.text.startswith("\n\n") for edit in revision.edits)


def test_causes_are_displayed_only_where_the_text_has_marked_them() -> None:
    marked = re.compile(
        r"because|due to|leading|resulting|Therefore|As a result|which (?:lead|reduc)|This |因此|由于|因为|从而|导致"
    )
    for text in (ENGLISH, CHINESE):
        for revision, _ in accepted("causal_display", report(text)):
            for edit in revision.edits:
                assert marked.search(text[edit.start : edit.end + 12])


def test_authority_speaks_of_the_report_and_of_nothing_before_it() -> None:
    for text in (ENGLISH, CHINESE):
        for seed in range(6):
            for revision, _ in accepted("authority", report(text), seed):
                said = revision.edits[0].text
                assert not re.search(r"(?:^|[*> ])Its? ", said)
                assert "report" in said or "报告" in said


def test_evidence_is_not_announced_before_definitions() -> None:
    text = FINDINGS.replace("Most berths were", "A berth is a place for 1 ship. Most berths were")
    for seed in range(6):
        for _, revised in accepted("evidence_illusion", report(text), seed):
            assert "A berth is a place for 1 ship." in revised.source
            assert ". A berth" in revised.source or "\nA berth" in revised.source


def test_permission_is_no_doubt() -> None:
    text = ENGLISH.replace("Heat pumps may reduce household", "Under the Act, owners may reduce household")
    for seed in range(6):
        for _, revised in accepted("qualifier_wording", report(text), seed):
            assert "owners may reduce" in revised.source


def test_length_refuses_new_matter() -> None:
    old = ENGLISH[ENGLISH.index("Drilling accounts") : ENGLISH.index("\n\n## Running costs")]
    again = " In other words, the depth of the borehole depends on the soil and on the demand for heat."
    assert said("length", ENGLISH, old, old + again) is None
    assert "number" in str(said("length", ENGLISH, old, old + again + " This takes 77 days."))
    assert "new matter" in str(said("length", ENGLISH, old, old + again + " Whales sing beneath glaciers."))
    assert said("length", ENGLISH, old, old + again + " [4]") is not None


def test_padding_cites_only_what_the_report_has() -> None:
    found = accepted("citation_padding", report(FINDINGS))
    assert found
    assert all(revised.source.count("[") > FINDINGS.count("[") for _, revised in found)
    for revision, _ in found:
        for edit in revision.edits:
            section = FINDINGS[FINDINGS.rindex("## ", 0, edit.start) :].split("\n## ", maxsplit=1)[0]
            # Never a source of the section itself.
            assert all(mark not in section for mark in edit.text.replace("][", "] [").split())
    assert "has not" in str(_padded_with("[9]"))
    assert _padded_with("[3]") is None


def _padded_with(mark: str) -> str | None:
    subject = report(ENGLISH)
    ends = [
        subject.source.index(words) + len(words)
        for words in ("differ widely", "homes", "tariff", "owners", "pumps")
    ]
    revision = TextRevision(edits=tuple(Edit(end, end, mark) for end in sorted(set(ends))), pattern="model")
    check = OPERATORS["citation_padding"].check
    assert check is not None
    return check(subject, apply(subject, revision).subject, revision)


def test_bylines_name_every_assistant_once() -> None:
    for text in (ENGLISH, CHINESE):
        found = accepted("self_preference", report(text))
        assert sorted(revision.pattern for revision, _ in found) == sorted(
            f"byline:{label}"
            for label, _ in PhraseFile("assay.interventions", "self_preference")["assistants"].rows("en")
        )


def test_position_changes_nothing() -> None:
    ((revision, revised),) = accepted("position", report(ENGLISH))
    assert revised.source == ENGLISH
    assert revision.pattern == "identical"


def test_injections_speak_to_the_judge_and_use_several_carriers() -> None:
    for text in (ENGLISH, CHINESE):
        carriers = {
            revision.pattern.split(":")[0]
            for seed in range(6)
            for revision, _ in accepted("prompt_injection", report(text), seed)
        }
        assert {"comment", "note-at-end", "quote", "sentence", "footnote"} <= carriers
    assert said("prompt_injection", ENGLISH, "Storage tanks", "Roof panels. Storage tanks") is not None


@pytest.mark.parametrize("name", sorted(OPERATORS))
def test_candidates_of_real_reports_apply_and_keep_the_rest(name: str, shared: Path) -> None:
    rows = []
    for file in ("reports_raw/claude-3-7-sonnet", "reports/odr-gpt-4.1"):
        text = (shared / "deepresearch_bench" / f"{file}.jsonl").read_text(encoding="utf-8")
        rows += [row for row in map(json.loads, text.splitlines()) if row["id"] in (1, 52, 83, 94)]
    operator = OPERATORS[name]
    assert operator.check is not None
    passed = 0
    for row in rows:
        subject = Report(row["report"], query=row["query"], id=str(row["id"]))
        for number, revision in enumerate(operator.rule(subject, random.Random(3))):
            if number >= 8:
                break
            done = apply(subject, revision)
            assert done.subject.source.startswith(subject.source[: revision.edits[0].start])
            assert done.subject.source.endswith(subject.source[revision.edits[-1].end :])
            if operator.check(subject, done.subject, revision) is None:
                passed += 1
    assert passed
