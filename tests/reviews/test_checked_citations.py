"""Citations against their sources: by rule where figures and words decide, by a model with its quotes looked up."""

from __future__ import annotations

import asyncio
import json
import re

from assay.audits.audit import audit
from assay.audits.reviewed import with_citations
from assay.generation.author import Author
from assay.models.base import CallFailedError
from assay.models.function_model import FunctionModel
from assay.present.html.page import audit_page
from assay.reviews.citations import check_citations
from assay.strategies.prompts import Prompts
from assay.subjects.report import Report
from assay.subjects.sources import SourceMap

TEXT = """# Ferries

The night ferry of Norfield carried 41,300 passengers in 2019, the harbour office reports [1]. Half of all travellers
come from the islands in the north, which depend on the ferry in winter [2]. Ticket prices rose by 12 % after the bridge
had opened, as the council decided [3]. Lighthouse keepers were paid 812 crowns a month in those years [1].

## References

[1] Harbour office: https://harbour.example/yearly
[2] Islands: https://islands.example/travel
[3] Council: https://council.example/prices
"""
SOURCES = SourceMap({
    "https://harbour.example/yearly": "Yearly report of the harbour office. In 2019 the night ferry of Norfield carried 41,300 "
    "passengers, the office reports. That was more than in the year before.",
    "https://islands.example/travel": "About a third of those who travel come from the northern islands. In winter the ferry is "
    "their only way to the mainland, though an ice road opens in some years.",
})  # fmt: skip


def checked(answer=None, **rest):
    """Check the citations with a reader that gives this answer; return the check and the prompts."""
    asked = []

    def reader(request):
        asked.append(request.messages[-1].content)
        if isinstance(answer, Exception):
            raise answer
        return json.dumps({"citations": answer})

    author = None if answer is None else Author(FunctionModel(reader), Prompts(), retries=1)
    return asyncio.run(check_citations(Report(TEXT), SOURCES, author, **rest)), asked


def row(
    number=1, verdict="contradicts", quote="About a third of those who travel come from the northern islands"
):
    return {"number": number, "quote": quote, "verdict": verdict, "reason": "a third, not half"}


def test_rules_decide_where_figures_and_words_do() -> None:
    found, _ = checked()
    assert [(item.source, item.verdict, item.by) for item in found.citations] == [
        ("https://harbour.example/yearly", "supports", "rule"),
        ("https://islands.example/travel", "undecided", ""),
        ("https://council.example/prices", "not_available", ""),
        ("https://harbour.example/yearly", "not_there", "rule"),
    ]
    assert found.citations[0].quote in SOURCES.text(None, "https://harbour.example/yearly")


def test_accuracy_and_effective_citations_are_those_of_fact() -> None:
    found, _ = checked([row(verdict="partly")])
    assert (found.checked, found.effective, found.accuracy) == (3, 1, 1 / 3)
    assert found.to_dict()["schema"] == "assay.citations/1"


def test_a_model_reads_only_what_rules_leave_open() -> None:
    found, asked = checked([row()])
    assert len(asked) == 1
    assert "Half of all travellers" in asked[0]
    assert "41,300" not in asked[0]
    assert (found.citations[1].verdict, found.citations[1].by) == ("contradicts", "model")
    assert found.citations[1].reason == "a third, not half"


def test_a_quote_that_the_source_does_not_have_is_asked_for_again_and_then_not_believed() -> None:
    found, asked = checked([row(quote="Two thirds of all travellers come from the islands")])
    assert len(asked) == 2
    assert "does not stand in the source" in asked[1]
    assert (found.citations[1].verdict, found.unlocated) == ("undecided", 1)


def test_a_request_that_fails_leaves_the_pair_open_and_is_told() -> None:
    found, _ = checked(CallFailedError("gone"))
    assert found.citations[1].verdict == "undecided"
    assert found.problems == ("https://islands.example/travel: gone",)


def test_claims_about_one_source_share_a_request() -> None:
    text = "# F\n\n" + " ".join(
        f"The keeper of lamp {n} was seen by many people on the pier [1]." for n in range(11)
    )
    text += "\n\n## References\n\n[1] Pier: https://pier.example/x\n"
    asked = []

    def reader(request):
        asked.append(request.messages[-1].content)
        count = asked[-1].count("<<CLAIM")
        return json.dumps({"citations": [row(n + 1, "not_there", "") for n in range(count)]})

    sources = SourceMap(
        {"https://pier.example/x": "Nothing is said here of lamps or of who kept them, ever. " * 5}
    )
    found = asyncio.run(check_citations(Report(text), sources, Author(FunctionModel(reader), Prompts())))
    assert len(asked) == 2
    assert [item.verdict for item in found.citations] == ["not_there"] * 11


def test_of_a_long_source_the_passages_that_fit_are_shown() -> None:
    filler = "\n\n".join(
        f"Section {n} is about boats, sails and ropes of many kinds and colours." * 4 for n in range(400)
    )
    long = f"{filler}\n\nTravellers from the islands in the north were a third of all in winter.\n\n{filler}"
    asked = []

    def reader(request):
        asked.append(request.messages[-1].content)
        return json.dumps({"citations": [row(quote="Travellers from the islands in the north were a third")]})

    sources = SourceMap({"https://islands.example/travel": long})
    found = asyncio.run(check_citations(Report(TEXT), sources, Author(FunctionModel(reader), Prompts())))
    assert "were a third of all in winter" in asked[0]
    assert len(asked[0]) < 30_000
    assert found.citations[1].verdict == "contradicts"


def test_a_source_in_another_language_is_left_to_a_model() -> None:
    sources = SourceMap(
        {"https://harbour.example/yearly": "港务局年报：2019年夜间渡轮运送乘客41300人次。" * 6}
    )
    found = asyncio.run(check_citations(Report(TEXT), sources))
    assert found.citations[0].verdict == "undecided"


def test_a_page_marks_the_claims_that_their_sources_do_not_support() -> None:
    sources = SourceMap(
        {"https://harbour.example/yearly": "The harbour office has moved to a new house by the quay."}
    )
    found = audit(Report(TEXT), sources=sources)
    page = audit_page(found)
    assert re.search(r'data-r="[^"]*\bc0\b', page)
    assert 'href="#rc0" data-cite="c0"' in page


def test_a_model_that_finds_the_claim_in_its_source_refutes_the_rule_that_does_not() -> None:
    text = "# Shops\n\nSales rose by 40 % in 2023, the yearly report says [1].\n\n## References\n\n[1] https://shops.example/yearly\n"
    source = "Yearly report of the shops. Sales went from 50 to 70 million crowns in 2023. " * 4
    sources = SourceMap({"https://shops.example/yearly": source})
    by_rule = audit(Report(text), sources=sources)
    assert [item.code for item in by_rule.findings] == ["CIT009"]

    def decided(verdict):
        reply = {"citations": [row(verdict=verdict, quote="Sales went from 50 to 70 million crowns in 2023")]}
        author = Author(FunctionModel(lambda _: json.dumps(reply)), Prompts(), retries=1)
        cited = asyncio.run(check_citations(Report(text), sources, author))
        return with_citations(by_rule, cited)

    assert decided("supports").findings == ()
    assert [item.code for item in decided("contradicts").findings] == ["CIT009"]
    assert decided("supports").citations.accuracy == 1
