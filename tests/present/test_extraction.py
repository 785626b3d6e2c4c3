"""The tables of extraction accuracy."""

import msgspec

from assay.logic.accuracy import extraction_accuracy, score_pair
from assay.logic.ground_truth.synthetic import synthetic_pairs
from assay.present.display import Painter
from assay.present.extraction import extraction_text


def test_the_tables_fit_and_say_what_is_left_out() -> None:
    pairs = synthetic_pairs(6)
    scores = [score_pair(pair, pair.graph) for pair in pairs]
    scores[0] = score_pair(pairs[0], None, status="fallback", problem="no\x1b[31m JSON")
    text = extraction_text(
        extraction_accuracy(scores, extractor="m\x1b[0m", not_made=1),
        painter=Painter(),
        columns=80,
        planted=True,
    )
    lines = text.split("\n")
    assert max(map(len, lines)) <= 80
    assert "\x1b" not in text
    assert "Extraction: m␛[0m  6 pairs (3 en, 3 zh)" in text
    head = next(line for line in lines if line.startswith("nodes of the truth"))
    assert head.split("  ")[-1].strip() == "all"
    assert "[25, 50)" in head
    assert "[50, ∞)" in head
    # Beside the extractor stand the baselines.
    assert "first sentence   cue sentence" in text
    assert next(line for line in lines if line.startswith("main claim right")).split()[3] == "1.00"
    average = next(line for line in lines if line.startswith("average"))
    # Fewer than three pairs in a bin have no interval.
    assert average.split() == ["average", "1.00", "1.00", "1.00", "1.00"]
    assert "1 of 6 pairs gave no graph of this extractor and are in no mean:" in text
    assert "synthetic-0-0-en: fallback: no␛[31m JSON" in text
    assert "1 pair of the set could not be made and was not measured." in text
    assert "show what breaks" in text


def test_one_pair_has_no_correlation() -> None:
    pair = synthetic_pairs(1)[0]
    text = extraction_text(
        extraction_accuracy([score_pair(pair, pair.graph)], extractor="rules"), painter=Painter()
    )
    assert "No rank correlation of node counts: " in text
    assert "None" not in text
    assert "–" in text
    assert "show what breaks" not in text
    assert msgspec.json.encode(pair)
