from hypothesis import given
from hypothesis import strategies as st

from assay.generation.passages import PassageIndex, fitting_passages, passages_of
from assay.generation.report_writing import SourceDocument
from assay.models.tokens import estimate_tokens

FILLER = "Ferries left the harbour at noon and came back at dusk, as they had done for decades. " * 9
LITHIUM = "Lithium prices fell by four fifths in 2023 because new mines in Australia opened. " * 9
NICKEL = "Nickel prices followed a year later, for another reason. " * 9
PORTS = SourceDocument("ports", f"{FILLER}\n\n{LITHIUM}\n\n{FILLER}\n\n{NICKEL}", "Ports", "https://x.org/p")
BREAD = SourceDocument("bread", "Bakers bake at night.\n\nBread keeps for two days.")
QUESTION = "Why did lithium prices fall?"


class TestFitting:
    def test_everything_if_it_fits(self):
        assert fitting_passages(QUESTION, [PORTS, BREAD], 100_000) == [PORTS, BREAD]

    def test_the_best_passages_in_their_order_under_the_same_id(self):
        (found,) = fitting_passages(QUESTION, [BREAD, PORTS], 450)
        assert (found.id, found.title, found.url) == ("ports", "Ports", "https://x.org/p")
        assert found.text == f"{LITHIUM.strip()}\n\n[…]\n\n{NICKEL.strip()}"

    def test_the_better_one_if_only_one_fits(self):
        (found,) = fitting_passages(QUESTION, [PORTS, BREAD], 250)
        assert found.text == LITHIUM.strip()

    def test_nothing_fits(self):
        assert fitting_passages(QUESTION, [PORTS], 20) == []
        assert fitting_passages("Who painted the ceiling?", [PORTS], 250) == []

    @given(
        st.lists(st.text(alphabet="ab 锂价跌。\n", max_size=1500), max_size=4),
        st.integers(1, 900),
    )
    def test_never_more_than_the_budget(self, texts, tokens):
        documents = [SourceDocument(str(i), text) for i, text in enumerate(texts)]
        found = fitting_passages("ab 锂价跌", documents, tokens)
        assert sum(estimate_tokens(document.text) for document in found) <= tokens


class TestRanking:
    def test_rare_words_and_short_passages_count_more(self):
        passages = [
            "prices of nickel",
            "prices of lithium",
            "prices of nickel and of much else that ferries carry between harbours",
            "ferries",
        ]
        assert PassageIndex(passages).ranked("lithium prices") == [1, 0, 2]

    def test_chinese(self):
        assert PassageIndex(["镍价走高", "锂价下跌的原因"]).ranked("锂价为何下跌？") == [1]

    def test_no_passages(self):
        assert PassageIndex([]).ranked("lithium") == []


class TestPassages:
    @given(st.text(alphabet="ab 锂。\n", max_size=3000))
    def test_no_character_is_lost(self, text):
        assert "".join("".join(passages_of(text)).split()) == "".join(text.split())

    def test_chinese_is_cut_after_a_sentence(self):
        text = "锂价在二〇二三年大幅下跌。" * 60
        assert all(piece.endswith("。") and len(piece) <= 300 for piece in passages_of(text))
