"""What no statement is, and what an opening tells about the sentence before it."""

from __future__ import annotations

import pytest

from assay import Report
from assay.logic.roles import (
    announces,
    concludes,
    defines,
    gives_ground,
    lacks_referent,
    opens_items,
    sets_apart,
)
from assay.logic.rule_graph import build_graph


@pytest.mark.parametrize(
    "text",
    [
        "several scholars have examined how comics shape speech.",
        "the craft has a long history.",
        "选取三个城市作为代表性案例，比较其做法。",
        "针对中小企业，提出以下建议：",
    ],
)
def test_an_announcement_claims_nothing(text: str) -> None:
    assert announces(text)


def test_a_review_that_tells_what_it_found_is_no_announcement() -> None:
    assert not announces("several scholars have examined the trade and found that it shrank.")


@pytest.mark.parametrize(
    "text",
    [
        "a heat pump is a type of device that moves heat.",
        "柔性制造是指能够快速切换产品的生产方式。",
        "乡村书店：设在村镇里的小型书店，通常由村民经营。",
    ],
)
def test_a_definition_claims_nothing(text: str) -> None:
    assert defines(text)


def test_a_judgement_is_no_definition() -> None:
    assert not defines("heat pumps are the best way to cut bills.")
    assert not defines("乡村书店：正在成为村镇文化生活的中心。")


def test_openings() -> None:
    assert opens_items("small ports help their regions in the following ways:")
    assert opens_items("small ports raise incomes by:")
    assert not opens_items("small ports are worth their cost:")
    assert lacks_referent("these works changed the genre.")
    assert not lacks_referent("it is essential to keep the old rules.")
    assert concludes("因此，成本最低。", 0)
    assert gives_ground("this is because wages rose.", 0)
    assert sets_apart("与此同时，出口也在增长。", 0)


def edges(source: str) -> set[tuple[str, str]]:
    graph = build_graph(Report(source))
    texts = {node.id: node.text for node in graph.nodes}
    return {(texts[edge.child], texts[edge.parent]) for edge in graph.edges}


def test_a_conclusion_stands_over_what_it_follows_from() -> None:
    found = edges(
        "# Trams\n\n## Costs\n\nTrams are clearly the most expensive option for small towns. Therefore small towns should "
        "prefer buses above all.\n\n## Noise\n\nTrams remain the most important source of noise at night.\n"
    )
    assert (
        "Trams are clearly the most expensive option for small towns.",
        "Therefore small towns should prefer buses above all.",
    ) in found


def test_advice_and_siblings_support_nothing() -> None:
    found = edges(
        "# Trams\n\n## Recommendations\n\nThe following measures are needed to improve the tram network:\n\n"
        "- Prioritize the tram network in the north of the town.\n- The tram network should be kept in public hands.\n"
    )
    assert not found


def test_a_list_of_sources_does_not_make_a_short_text_a_report() -> None:
    text = "Tariffs raise prices. Importers pass on 12% of them [1]. So tariffs hurt consumers most.\n\n"
    sources = "[1] A study: https://a.example/1\n[2] A survey: https://a.example/2\n"
    alone = edges(text)
    assert alone
    assert edges(f"{text}## References\n\n{sources}") == edges(f"{text}Sources:\n\n{sources}") == alone


def test_bullets_within_a_paragraph_stand_side_by_side() -> None:
    found = edges(
        "# Trams\n\n## Costs\n\n\u2022 Trams are clearly the most expensive option for towns.\n\u2022 Trams cost towns "
        "$40 million in 2023.\n\n## Noise\n\nNoise remains the most important concern at night.\n"
    )
    assert not found
