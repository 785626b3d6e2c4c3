"""Citations: what the examples of the checks do not show."""

import pytest

from assay.checks.base import Check, Context, Hit
from assay.checks.cit import (
    claim_not_in_source,
    duplicate_source,
    malformed_link,
    marker_without_reference,
    numbering_gap,
    page_without_claim,
    reference_never_cited,
    single_source_dependence,
    source_never_retrieved,
    swapped_citation,
    uncited_figure,
    weak_source,
)
from assay.checks.cit._addresses import address_problem
from assay.checks.cit._shared import ranges
from assay.checks.cit.source_figures import Figures, verifiable
from assay.subjects.report import Report
from assay.subjects.source_identity import work_identity
from assay.subjects.sources import SourceMap, TrajectorySources
from assay.subjects.trajectory import RawCall, RawStep, Trajectory
from assay.text.quantities import find_quantities

ENTRIES = "\n\n## References\n\n" + "".join(
    f"[{i}] Source {i}: https://s{i}.example.org/p\n" for i in range(1, 6)
)


def hits(check: Check, text: str, context: Context | None = None) -> list[Hit]:
    return list(check.run(Report(text), context or Context()))


def test_many_missing_entries_are_one_finding():
    text = "Cited: [1][2][3][4][5]. " * 4 + " ".join(f"Claim {i} [{i}]." for i in range(6, 20)) + ENTRIES
    (hit,) = hits(marker_without_reference.CHECK, text)
    assert hit.message.text("en") == "[6]–[19] have no entry in the reference list, which ends at [5]"
    assert len(hit.related) == 7


def test_a_list_that_fits_no_marker_is_left_alone():
    assert not hits(
        marker_without_reference.CHECK, "Claims [11], [12], [13], [14], [15], [16], [17]." + ENTRIES
    )


def test_repeated_markers_make_one_finding():
    (hit,) = hits(marker_without_reference.CHECK, "A [1]. B [9]. C [9]. D [2][3]. E [9]." + ENTRIES)
    assert "cited 3 times" in hit.message.text("en")
    assert len(hit.related) == 2


def test_a_mostly_unused_list_is_one_finding():
    entries = "\n\n## References\n\n" + "".join(
        f"[{i}] Source {i}: https://s{i}.example.org/p\n" for i in range(1, 21)
    )
    (hit,) = hits(reference_never_cited.CHECK, "A [1]. B [2]. C [3]." + entries)
    assert hit.message.text("en").startswith("17 of the 20 listed sources are never cited: [4]–[20]")
    assert hit.severity == "warning"


def test_further_reading_need_not_be_cited():
    text = "A [1]. B [2].\n\n## Sources and further reading\n\n[1] A: https://a.example.org\n[2] B: https://b.example.org\n[3] C: https://c.example.org\n"
    assert not hits(reference_never_cited.CHECK, text)


def test_routes_are_pages_of_their_own():
    text = "A [1][2].\n\n## References\n\n[1] A: https://a.example.org/app#/one\n[2] B: https://a.example.org/app#/two\n"
    assert not hits(duplicate_source.CHECK, text)


@pytest.mark.parametrize(
    ("url", "what"),
    [
        ("https://https://energy.example.org", "scheme twice"),
        ("http://localhost:8080/x", "own machine"),
        ("http://192.168.1.7/x", "private machine"),
        ("https://energy/x", "no domain"),
        ("https://energy.example.1", "no top-level domain"),
        ("https://energy..example.org/x", "broken host"),
        ("https://energy.example.org/x…", "ellipsis"),
        ("https://www.example.com/article1", "placeholder"),
        ("https://your-website.com/report", "placeholder"),
        ("https://a.example.org/insert-link-here", "placeholder"),
        ("https://doi.org/nature12345", "not a DOI"),
        ("https://arxiv.org/abs/2313.00001", "month 13"),
        ("https://arxiv.org/abs/some-paper", "not an arXiv number"),
    ],
)
def test_bad_addresses(url: str, what: str):
    problem = address_problem(url)
    assert problem is not None
    assert what in problem.what.text("en")


@pytest.mark.parametrize(
    "url",
    [
        "https://energy.example.org", "https://en.wikipedia.org/wiki/Heat_pump_(device)", "http://117.190.86.18:8083/detail.do?id=1",
        "https://web.archive.org/web/2020/https://a.example.org/x", "https://doi.org/10.1000/182", "https://arxiv.org/abs/2311.01234v2",
        "https://arxiv.org/abs/hep-th/9901001", "https://arxiv.org/pdf/1706.03762.pdf", "https://zh.wikipedia.org/wiki/道德经",
        "https://example.com/research/2023/heat-pump-sales", "https://xn--bcher-kva.example.org/x", "https://a.example.org/x?u=https://b.example.org",
        "https://news.example.org/2023/your-heat-pump-guide", "http://www.gov.cn/zhengce/2022-01/04/content_5666429.htm",
    ],
)  # fmt: skip
def test_good_addresses(url: str):
    assert address_problem(url) is None


def test_links_without_and_with_broken_targets():
    found = hits(
        malformed_link.CHECK,
        'See [the annex](URL), [the note](#limits), [a study](https://a.example.org/my file.pdf) and [b](https://b.example.org "B").\n',
    )
    assert [hit.message.text("en").split("“")[1].split("”")[0] for hit in found] == [
        "the annex",
        "https://a.example.org/my file.pdf",
    ]


def test_second_list_is_one_finding():
    one, two = (f"[{i}] {name}: https://{name}{i}.example.org/p\n" * 1 for i, name in ((1, "a"), (2, "b")))
    text = (
        f"A [1][2][3].\n\n## References\n\n{one}{two}[3] C: https://c.example.org/p\n\n## Further sources\n\n"
        "[1] D: https://d.example.org/p\n[2] E: https://e.example.org/p\n[3] F: https://f.example.org/p\n"
    )
    (hit,) = hits(numbering_gap.CHECK, text)
    assert "second list" in hit.message.text("en")


def test_two_listings_of_the_same_sources_are_no_clash():
    rows = "[1] A: https://a.example.org/p\n[2] B: https://b.example.org/p\n[3] C: https://c.example.org/p\n"
    assert not hits(numbering_gap.CHECK, f"A [1][2][3].\n\n## Sources\n\n{rows}\n## References\n\n{rows}")


def test_two_listings_of_one_source_count_together():
    entries = "\n\n## References\n\n[1] A: https://a.example.org/x\n[2] A again: https://a.example.org/x/\n[3] B: https://b.example.org/y\n"
    body = " ".join(f"Claim {i} [{1 + i % 2 if i < 9 else 3}]." for i in range(12))
    (hit,) = hits(single_source_dependence.CHECK, body + entries)
    assert "9 of the 12" in hit.message.text("en")


def test_ranges():
    assert ranges(["3", "1", "2", "7", "note"]).text("en") == "[1]–[3], [7], [^note]"


@pytest.mark.parametrize(
    ("claim", "source", "found"),
    [
        ("35 %", "It was 34.7 percent.", True),
        ("34.7 %", "It was 35 percent.", False),
        ("1.2 billion", "1,187 million euros", True),
        ("1.3 billion", "1,187 million euros", False),
        ("3.5亿元", "营收为350百万元", True),
        ("35.6万", "共356,000台", True),
        ("50 %", "Half of them agreed.", True),
        ("30%", "约三成受访者同意", True),
        ("$4,500", "The price was 4500 dollars.", True),
        ("12.5 %", "Revenue 12.5 (in percent)", True),
    ],
)
def test_figures(claim: str, source: str, found: bool):
    quantity = find_quantities(claim)[0]
    assert verifiable(quantity)
    assert Figures([source]).has(quantity) is found


PAGE = (
    "In 2023 the members of the association sold 356,000 heat pumps, 53 percent more than in 2022, at 28,400 euros each. "
    * 3
)
OTHER = (
    "Peak load on the twelve feeders rose by 4.2 % in winter, and three transformers in the villages reached their limits. "
    * 3
)


def sources() -> Context:
    return Context(sources=SourceMap({"1": PAGE, "2": OTHER}))


def test_figure_of_another_source_is_pointed_out():
    (hit,) = hits(claim_not_in_source.CHECK, "Load rose by 4.2 % [1]." + ENTRIES, sources())
    assert "4.2 % is not in the cited source [1], but in [2]" in hit.message.text("en")
    assert hit.related


def test_claim_with_a_source_that_is_not_at_hand():
    assert not hits(claim_not_in_source.CHECK, "Load rose by 9.9 % [1][3]." + ENTRIES, sources())


def test_calculated_claim():
    assert not hits(
        claim_not_in_source.CHECK, "That is equivalent to 829 million euros [1]." + ENTRIES, sources()
    )


def test_names_that_the_source_lacks():
    (hit,) = hits(
        claim_not_in_source.CHECK,
        "Sales were led by Hallingdal Varme and by Nordlys Kraft Group last year [1]." + ENTRIES,
        sources(),
    )
    assert "Hallingdal Varme" in hit.message.text("en")
    assert not hits(swapped_citation.CHECK, "Sales of the association rose [1]." + ENTRIES, sources())


def test_swapped_pair():
    text = (
        "Feeders and transformers in the villages reached their limits in winter [1]. The association sold more, at 28,400 euros [2]."
        + ENTRIES
    )
    assert [hit.span.start for hit in hits(swapped_citation.CHECK, text, sources())] == [
        0,
        text.index("The assoc"),
    ]


def trajectory(*responses: str) -> Context:
    steps = [RawStep("search", [RawCall("search", {"q": "x"}, response)]) for response in responses]
    return Context(trajectory=Trajectory("q", steps))


def test_forms_of_one_paper_count_as_seen():
    context = trajectory(
        "1. [A](https://arxiv.org/abs/2311.01234)\n\nalpha\n\n2. [B](https://pub.example.org/doi/10.1000/xyz123)\n\nbeta\n\n3. [C](https://c.example.org/reports/heat)\n\nc"
    )
    text = "A [1]. B [2]. C [3].\n\n## References\n\n[1] A: https://arxiv.org/pdf/2311.01234v2\n[2] B: https://doi.org/10.1000/XYZ123\n[3] C: https://c.example.org/reports/heat/summary\n"
    assert not hits(source_never_retrieved.CHECK, text, context)


def test_unseen_sources():
    context = trajectory("1. [A](https://a.example.org/x)\n\nalpha")
    text = "A [1]. B [2]. C [here](https://c.example.org/z).\n\n## References\n\n[1] A: https://a.example.org/x\n[2] B: https://a.example.org/other\n"
    found = hits(source_never_retrieved.CHECK, text, context)
    assert ["a.example.org/other" in hit.message.text("en") for hit in found] == [True, False]
    assert found[0].confidence < found[1].confidence


def test_runs_without_addresses_say_nothing():
    assert not hits(source_never_retrieved.CHECK, "A [1]." + ENTRIES, trajectory("Nick Park is an animator."))


def test_cite_tags():
    context = trajectory('<snippet id="S1">alpha</snippet>')
    (hit,) = hits(
        source_never_retrieved.CHECK, '<cite id="S1">Alpha.</cite> <cite id="S9">Beta.</cite>', context
    )
    assert "“S9”" in hit.message.text("en")


def test_run_as_sources():
    context = trajectory(
        f"1. [Sales](https://s1.example.org/p)\n\n{PAGE}\n\n2. [Load](https://s2.example.org/p)\n\n{OTHER}"
    )
    assert context.trajectory is not None
    context = Context(sources=TrajectorySources(context.trajectory))
    assert not hits(
        claim_not_in_source.CHECK, "Sales rose by 53 % [1], load by 4.2 % [2]." + ENTRIES, context
    )
    assert (
        len(hits(claim_not_in_source.CHECK, "Sales rose by 43 % [1], load by 4.2 % [1]." + ENTRIES, context))
        == 2
    )


def test_sections_without_any_source():
    bad = uncited_figure.CHECK.bad[2].text
    (hit,) = hits(uncited_figure.CHECK, bad)
    assert "1 section states" in hit.message.text("en")
    cited = bad.replace(
        "Sales grew by 12.4 %",
        "The north had 640 million euros, up 21.7 %, of which 38 % exports; sales grew by 12.4 %",
    )
    assert not hits(uncited_figure.CHECK, cited), "figures that another section cites need no second citation"
    assert not hits(uncited_figure.CHECK, bad.replace("## The north", "## Summary"))
    assert not hits(
        uncited_figure.CHECK, bad.replace("bought a pump.", "bought a pump (https://a.example.org/n).")
    )


def test_report_without_any_source():
    text = " ".join(
        f"Region {i} sold pumps for {i}.4 million euros, {i + 20}.5 % more than before." for i in range(2, 12)
    )
    (hit,) = hits(uncited_figure.CHECK, text)
    assert hit.severity == "warning"
    assert "10 statements" in hit.message.text("en")
    marks = text.replace("before.", "before [src-1].")
    assert not hits(
        uncited_figure.CHECK, "".join(m + f"[src-{i}]. " for i, m in enumerate(marks.split("[src-1].")) if m)
    )
    assert not hits(
        uncited_figure.CHECK, "Take 250 g of rice, 30 g of oil and 2 eggs. Cook for 20 minutes. " * 8
    )


def test_long_history_without_any_source():
    text = " ".join(
        f"The guild of {year} met again in {year + 3} and split soon after." for year in range(1900, 1960, 5)
    )
    (hit,) = hits(uncited_figure.CHECK, text)
    assert hit.message.text("en") == "The report lists and links no source for its 12 statements with years"


def test_list_at_the_end_of_a_section_covers_it():
    text = uncited_figure.CHECK.bad[2].text.replace("bought a pump.", "bought a pump.\n\nSources: [1], [2]")
    assert not hits(uncited_figure.CHECK, text)


def test_labels_are_no_measured_figures():
    report = Report(
        "Our service meets ISO/IEC 27001 and EN 50126, runs on an RTX 5090 and serves 48,213 people."
    )
    assert [figure.printed for claim in report.claims for figure in claim.figures] == ["48,213 people"]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("https://arxiv.org/abs/2311.01234", "http://arxiv.org/pdf/2311.01234v2.pdf"),
        (
            "https://doi.org/10.1038/s41586-020-2649-2",
            "https://journal.example.org/doi/full/10.1038/s41586-020-2649-2",
        ),
        (
            "https://pmc.ncbi.nlm.nih.gov/articles/PMC1234567/",
            "https://www.ncbi.nlm.nih.gov/pmc/articles/PMC1234567/",
        ),
        ("https://m.example.org/a/index.html", "http://www.example.org/a?utm_source=run"),
    ],
)
def test_forms_of_one_work(one: str, other: str):
    assert work_identity(one) == work_identity(other)
    (source,) = Report(f"A [1][2].\n\n## References\n\n[1] A: {one}\n[2] B: {other}\n").sources
    assert source.references == (0, 1)


@pytest.mark.parametrize(
    ("entry", "kind"),
    [
        ("Heat pumps: https://en.wikipedia.org/wiki/Heat_pump", "encyclopaedia"),
        ("Heat pumps: https://news.example.org/2021/03/pumps", ""),
        ("Heat pumps, FY2023: https://news.example.org/2021/03/pumps", ""),
        ("Annual report 2019, accessed May 20, 2025: https://a.example.org/ar", ""),
        ("Ministry: https://www.energy.example.org/en/", "home page"),
        ("热泵的搜索结果: https://a.example.org/s?wd=x", "search"),
        ("On sorting: https://arxiv.org/abs/1905.01234", "preprint"),
        ("Our pumps: https://blog.pumps.example.org/x", "blog"),
    ],
)
def test_what_a_source_tells(entry: str, kind: str):
    (source,) = Report(f"A [1].\n\n## References\n\n[1] {entry}\n").sources
    assert source.kind == kind


def test_home_page_of_the_subject_itself():
    entries = "".join(
        f"[{i}] {name}: https://{name}.com/\n"
        for i, name in enumerate(("acmepump", "boreheat", "coolwarm"), 1)
    )
    asked = "Acmepump sells three models [1]. Boreheat sells four [2]. Coolwarm sells none [3]."
    assert not hits(page_without_claim.CHECK, f"{asked}\n\n## References\n\n{entries}")
    assert hits(
        page_without_claim.CHECK, f"A grew [1]. B fell [2]. C stayed [3].\n\n## References\n\n{entries}"
    )


def test_own_blog_is_the_original():
    text = weak_source.CHECK.bad[0].text.replace("medium.com/@someone", "blog.nordpump.com")
    assert hits(weak_source.CHECK, text)
    assert not hits(weak_source.CHECK, text.replace("The market", "Nordpump's market"))


def test_site_of_whom_the_question_is_about():
    entries = "\n\n## References\n\n" + "".join(
        f"[{i}] Page {i}: https://www.nordpump.com/p{i}\n" for i in range(1, 6)
    )
    body = " ".join(f"Claim {i} holds [{1 + i % 5}]." for i in range(12))
    report = Report(body + entries, query="What does Nord Pump sell?")
    assert not list(single_source_dependence.CHECK.run(report, Context()))
    (hit,) = single_source_dependence.CHECK.run(Report(body + entries, query="Which pumps sell?"), Context())
    assert "nordpump.com supports 12 of the 12" in hit.message.text("en")
