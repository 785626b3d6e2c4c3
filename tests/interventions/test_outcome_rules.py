"""What the operators on outcomes do by rule, where they let a model work, and when they say that they cannot."""

from __future__ import annotations

from random import Random

import pytest

from assay.interventions.applying import apply
from assay.interventions.base import Operator, TextRevision
from assay.interventions.edit_kit import edit_runs, undo
from assay.interventions.filters import RevisedPair, refusal
from assay.interventions.registry import all_operators
from assay.subjects.report import Report

EN = """# Heat pumps in Norfield

## Sales of heat pumps

Sales of heat pumps in Norfield reached 356,000 units in 2023, a record for the district [1]. This record rests on household demand for heat pumps, which subsidies had raised within one year [1]. For example, the number of subsidy applications rose among rural households [1].

Meyer (2014) found that installers depend on seasonal orders, leading many of them to leave the trade. Training of installers has since been extended by the energy trade [5]. The courses are full.

## Grid load and transformers

Evening peak load rose in the study of transformers after the switch to heat pumps [2]. Unlike earlier winters, the second one brought transformers to their limit, thereby forcing the operator to act.

Before the grid study began, sales of heat pumps in Norfield had reached 356,000 units, more than the load study expected [1]. Noise complaints came from neighbours in the survey, who said "the pump depends on the weather, which is loud" [3].

## References

[1] Heat pump sales and household subsidy statistics: https://sales.example.org/heat-pump-sales-statistics
[2] Grid study of transformers and evening peak load: https://grid.example.org/study-of-transformers-and-load
[3] Survey of noise complaints among neighbours: https://noise.example.org/survey-noise-complaints
[4] Installation and running costs of oil heating: https://costs.example.org/installation-running-costs
[5] Training of installers in the energy trade: https://train.example.org/training-installers-energy
[6] Forestry and timber exports of the coast: https://wood.example.org/forestry-timber-exports
"""

ZH = """# 热泵研究

## 一、销售

2023年全区热泵销量达到35.6万台，创下历史新高[1]。这一销量主要来自农村家庭的补贴申请[1]。例如，山区乡镇的申请数量增长最快，已连续两年居全区首位[1]。

## 二、电网

热泵普及之后，电网变压器的晚间峰值负荷明显上升，运维人员已着手扩容[2]。2023年全区热泵销量达到35.6万台，电网研究曾预计需要五年[2]。

## 参考文献

[1] 热泵销售与农村家庭补贴申请统计: https://sales.example.org/a1
[2] 电网变压器与晚间峰值负荷研究: https://grid.example.org/b2
[3] 室外机噪声投诉调查: https://noise.example.org/c3
"""
QUERY = "Study heat pumps in Norfield. Your report should cover sales, grid load, and noise complaints."
ZH_QUERY = "请研究热泵，报告需要包括：销售情况、电网负荷。"
OUTCOME = {name: op for name, op in all_operators().items() if op.level == "outcome" and op.kind == "failure"}
RULES = ["incoherence", "citation_groundedness", "expression_quality"]


def report(text: str = EN, query: str | None = QUERY) -> Report:
    return Report(text, query=ZH_QUERY if text == ZH else query)


def revisions(operator: Operator, subject: Report, seeds: int = 6) -> list[TextRevision]:
    assert operator.rule is not None
    found = {}
    for seed in range(seeds):
        for revision in operator.rule(subject, Random(seed)):
            found[revision.edits] = revision
    return list(found.values())


def changes(name: str, text: str = EN) -> dict[str, set[tuple[str, str]]]:
    """Return what a rule swaps, by pattern: each run of an edit before and after."""
    subject = report(text)
    out: dict[str, set[tuple[str, str]]] = {}
    for revision in revisions(OUTCOME[name], subject):
        revised = apply(subject, revision).subject
        for run in edit_runs(subject.source, revised.source):
            out.setdefault(revision.pattern, set()).add((run.old.strip(), run.new.strip()))
    return out


def test_seven_types_of_which_four_have_a_rule() -> None:
    assert len(OUTCOME) == 7
    assert sorted(name for name, op in OUTCOME.items() if op.rule is not None) == sorted(RULES)
    assert all(op.sites and op.unfit and op.check and op.ask and op.ask_zh for op in OUTCOME.values())


@pytest.mark.parametrize("name", RULES)
def test_every_revision_passes_and_can_be_undone(name: str) -> None:
    for text in (EN, ZH):
        subject = report(text)
        found = revisions(OUTCOME[name], subject)
        assert found or (name, text) == ("expression_quality", ZH)
        for revision in found:
            applied = apply(subject, revision)
            assert undo(applied.subject.source, edit_runs(text, applied.subject.source)) == text
            assert len(revision.edits) == 1
            assert refusal(RevisedPair(OUTCOME[name], subject, applied, revision)) is None
            check = OUTCOME[name].check
            assert check is not None
            assert check(subject, applied.subject, revision) is None


@pytest.mark.parametrize("name", RULES)
def test_the_same_seed_gives_the_same_revisions(name: str) -> None:
    rule = OUTCOME[name].rule
    assert rule is not None
    assert list(rule(report(), Random(7))) == list(rule(report(), Random(7)))


def test_connectives_turn_and_sentences_change_places() -> None:
    found = changes("incoherence")
    assert {old for old, _ in found["connective"]} == {"For example", "Unlike", "thereby"}
    assert dict(found["connective"])["thereby"] == "without"
    subject = report()
    orders = [r for r in revisions(OUTCOME["incoherence"], subject) if r.pattern == "sentence-order"]
    assert [revision.edits[0].text.startswith("This record rests") for revision in orders] == [True]
    assert apply(subject, orders[0]).subject.source.count("[1]") == EN.count("[1]")
    chinese = {old.rstrip("，") for old, _ in changes("incoherence", ZH)["connective"]}
    assert chinese == {"例如"}


def test_a_wrong_source_is_on_another_subject_and_an_absent_one_past_the_list() -> None:
    found = changes("citation_groundedness")
    assert found["wrong-source"] <= {(f"[{a}]", f"[{b}]") for a in range(1, 7) for b in range(1, 7) if a != b}
    assert ("[5]", "[1]") in found["wrong-source"] or ("[5]", "[2]") in found["wrong-source"]
    # Nothing cites the list's fourth and sixth source, so that no marker shows how they are cited.
    assert not {new for _, new in found["wrong-source"]} & {"[4]", "[6]"}
    assert all(int(new.strip("[]")) > 6 for _, new in found["no-such-source"])
    assert set(found) <= {"wrong-source", "no-such-source", "exchanged-sources", "altered-address"}


def test_an_address_shown_as_its_own_link_text_is_left_alone() -> None:
    linked = EN
    for word in ("sales", "grid", "noise", "costs", "train", "wood"):
        start = linked.index(f"https://{word}.")
        address = linked[start : linked.index("\n", start)]
        linked = linked.replace(address, f"[{address}]({address})")
    assert "altered-address" in changes("citation_groundedness")
    assert "altered-address" not in changes("citation_groundedness", linked)


def test_the_slips_of_hurried_writers_and_none_in_a_quotation() -> None:
    found = changes("expression_quality")
    assert set(found) <= {"run-on", "fragment", "preposition", "wrong-word"}
    assert ("on", "of") in found["preposition"]
    assert (", leading", ". Leading") in found["fragment"]
    assert any(new.startswith(", the") for _, new in found["run-on"])
    for revision in revisions(OUTCOME["expression_quality"], report()):
        assert "said" not in report().source[revision.edits[0].start - 80 : revision.edits[0].end]


@pytest.mark.parametrize("name", sorted(OUTCOME))
def test_sites_are_passages_of_the_body(name: str) -> None:
    for text in (EN, ZH):
        subject = report(text)
        sites = OUTCOME[name].sites
        assert sites is not None
        found = list(sites(subject, Random(0)))
        assert found
        for place in (place for site in found for place in site.places):
            assert 0 <= place.start < place.end <= subject.body_end
        assert found == list(sites(report(text), Random(0)))


def test_an_aspect_of_the_query_takes_every_passage_that_treats_it() -> None:
    sites = OUTCOME["incomplete_coverage"].sites
    assert sites is not None
    found = [site for site in sites(report(), Random(0)) if len(site.places) > 1]
    assert found
    assert any("sales" in site.hint for site in found)
    assert all(site.hint.zh for site in found)  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("name", "text", "query", "why"),
    [
        ("incomplete_coverage", EN, None, "no question"),
        ("topical_misalignment", EN, None, "no question"),
        ("citation_groundedness", "# A\n\nOne source only [1].\n\n[1] Log. https://a.example/log\n", QUERY, "fewer than two"),
        ("fabrication", "# A\n\nNothing here can be looked up or counted by anybody at all.\n", QUERY, "no paragraph states"),
        ("evidence_omission", "# A\n\nNothing here is borne out. It is only said.\n", QUERY, "no paragraph of two"),
        ("incoherence", "# A\n\nOne sentence stands alone here.\n", QUERY, "two sentences"),
        ("expression_quality", "# A\n", QUERY, "no paragraph"),
    ],
)  # fmt: skip
def test_a_report_that_offers_nothing_is_told_why(name: str, text: str, query: str | None, why: str) -> None:
    unfit = OUTCOME[name].unfit
    assert unfit is not None
    assert why in unfit(report(text, query))
    assert unfit(report()) is None


SURVEY = """# Ostrel harbour

## Traffic

Ostrel harbour saw more boats than in any year since the quay was built, most of them in June and July. The traffic of
yachts grew fastest, and the traffic of trawlers fell a little below that of the year before.

## Dredging

Ostrel harbour spends a third of its money on dredging, because sand drifts in with every storm from the west. The
dredging contract of the harbour ends next spring, and three firms have asked for the papers.

## What comes next

We now come to the rest. More on this below, in the parts on traffic and dredging, and in the words at the end.
"""
ASKED = "Assess the state of Ostrel harbour, focusing on the traffic of yachts, potential costs of dredging, and safety."


def hints(query: str) -> set[str]:
    found = OUTCOME["incomplete_coverage"].sites(Report(SURVEY, query=query), Random(1))
    return {str(site.hint) for site in found}


def test_an_aspect_that_is_asked_for_is_named_and_the_subject_is_not() -> None:
    named = " ".join(hints(ASKED))
    assert "“traffic of yachts”" in named
    assert "“costs of dredging”" in named
    assert "“Ostrel" not in named
    assert all(
        "Ostrel" not in hint
        for hint in hints("What is new at Ostrel harbour? Compare Ostrel harbour with others.")
    )


def test_a_passage_that_only_leads_on_is_not_offered_as_coverage_of_anything() -> None:
    text = SURVEY.replace(
        "More on this below, in the parts on traffic and dredging, and in the words at the end.", ""
    )
    sites = OUTCOME["incomplete_coverage"].sites(Report(text, query=ASKED), Random(1))
    assert all("We now come" not in text[place.start : place.end] for site in sites for place in site.places)


LABELS = "- Rule: Harbour Act of 1994, section 12, with the annex on quays https://harbour.example/act-and-annex-of-1994\n"
PLAN = "## Action plan\n\nAsk 3 firms for the price of dredging within 14 days [1]. Write to the 40 owners of yachts about the new quay [1].\n"
LEAD_IN = (
    "The harbour earned 4.2 million crowns from yachts in the year that ended in June [1]. The sums by month are given in the "
    "table, with 12 rows.\n\n| month | sum |\n|---|---|\n| June | 4 |\n"
)


@pytest.mark.parametrize("text", [PLAN, LEAD_IN])
def test_no_evidence_is_taken_from_plans_or_from_what_a_table_bears_out(text: str) -> None:
    source = f"# Harbour\n\n{text}\n## References\n\n[1] Office. https://office.example/1\n"
    assert "no paragraph of two whole sentences" in str(OUTCOME["evidence_omission"].unfit(Report(source)))
    bare = source.replace("Action plan", "Prices").partition("| month")[0] + "\n"
    assert OUTCOME["evidence_omission"].unfit(Report(bare)) is None


def test_labels_offer_no_sentence_that_could_be_spoilt() -> None:
    spoilt = OUTCOME["expression_quality"]
    assert spoilt.unfit(Report("# Rules\n\n" + LABELS * 3)) == "it has no paragraph with a whole sentence"
    report = Report("# Rules\n\n" + LABELS * 3 + "\n" + SURVEY)
    assert all(
        "Harbour Act" not in report.source[site.places[0].start : site.places[0].end]
        for site in spoilt.sites(report, Random(1))
    )
