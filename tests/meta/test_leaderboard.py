"""Leaderboards from verdicts on pairs."""

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.errors import InputError, UsageError
from assay.judges.judgment import Verdict
from assay.meta.judgment_files import judgment_of, read_judgments
from assay.meta.leaderboard.build import build_leaderboard, leaderboard
from assay.meta.leaderboard.comparisons import (
    HALF_WIN,
    LOSS,
    NO_VERDICT,
    TIE,
    UNASKED,
    WIN,
    ComparisonsBuilder,
    TextStyle,
)
from assay.meta.leaderboard.judged_pairs import JudgedPairs, codes_of
from assay.meta.leaderboard.subject_index import SubjectIndex, object_rows, text_style
from assay.meta.leaderboard.system_pairs import system_pairs
from assay.runs.running import run
from assay.subjects.report import Report
from assay.subjects.subjects import read as read_all
from assay.suites.compliance.prompts import GradedTask

NONE = NO_VERDICT


def built(rows):
    """From (a, b, task, domain, verdicts) tuples."""
    builder = ComparisonsBuilder()
    for a, b, task, domain, said in rows:
        builder.add((a, b), said, task=task, domain=domain, judge="j")
    return builder.build()


def overall(a, b, task, said, domain=None):
    return (a, b, task, domain, {"overall": said})


def by_name(board):
    return {item.system: item for item in board.systems}


def synthetic(seed=1, tasks=80, domains=("Law", "Health")):
    """Four systems of known strength, each pair on each task, a tenth ties, some without a verdict."""
    random = np.random.default_rng(seed)
    strengths = {"ada": 1.0, "ben": 0.3, "cyd": -0.3, "dot": -1.0}
    names = list(strengths)
    rows = []
    for task in range(tasks):
        for i, a in enumerate(names):
            for b in names[i + 1 :]:
                chance = 1 / (1 + np.exp(strengths[b] - strengths[a]))
                said = WIN if random.random() < chance else LOSS
                dice = random.random()
                said = TIE if dice < 0.1 else NONE if dice < 0.13 else said
                rows.append(overall(a, b, f"t{task}", said, domains[task % len(domains)]))
    return strengths, rows


def test_win_rates_leave_ties_and_silence_out_and_count_them():
    board = build_leaderboard(
        built(
            [
                overall("x", "y", "1", WIN),
                overall("y", "x", "2", LOSS),
                overall("x", "y", "3", LOSS),
                overall("x", "y", "4", TIE),
                overall("x", "y", "5", NONE),
            ]
        )
    )
    x, y = by_name(board)["x"], by_name(board)["y"]
    assert x.rate.value == pytest.approx(2 / 3)
    assert (x.counts.wins, x.counts.losses, x.counts.ties, x.counts.no_verdict) == (2, 1, 1, 1)
    assert y.rate.value == pytest.approx(1 / 3)
    assert x.rank == 1
    assert board.counts.ties == 1
    assert any("1 of 5 comparisons have no verdict" in note for note in board.notes)


def test_pooled_and_by_opponent():
    """Pooled, each comparison counts once; by opponent, each opponent does."""
    rows = [overall("x", "y", f"{n}", WIN) for n in range(8)]
    rows += [overall("x", "z", f"{n}", LOSS) for n in range(2)]
    board = build_leaderboard(built(rows))
    share = board.cells()[None, "overall", "x"]
    assert share.rate.value == 0.8
    assert share.by_opponent == 0.5
    assert any("were not compared equally often" in note for note in board.notes)


def test_known_strengths_are_recovered():
    inside = total = 0
    for seed in range(6):
        strengths, rows = synthetic(seed)
        board = build_leaderboard(built(rows), draws=300)
        assert board.systems[0].system == "ada"
        for item in board.systems:
            # A tie is half a win for either, which draws strengths together; so the ends, not the middle, are looked at.
            true = 1000 + 173.72 * strengths[item.system] * 0.9
            inside += item.rating.low <= true <= item.rating.high
            total += 1
            assert item.rank_low <= item.rank <= item.rank_high
            assert sum(item.chances) == pytest.approx(1, abs=1e-3)
    assert inside >= 0.8 * total


def test_equal_systems_share_a_letter_and_unequal_do_not():
    random = np.random.default_rng(4)
    rows = []
    for task in range(60):
        rows.append(overall("even1", "even2", f"{task}", WIN if random.random() < 0.5 else LOSS))
        rows.append(overall("even1", "bad", f"{task}", WIN if random.random() < 0.9 else LOSS))
        rows.append(overall("even2", "bad", f"{task}", WIN if random.random() < 0.9 else LOSS))
    found = by_name(build_leaderboard(built(rows)))
    assert found["even1"].letters == found["even2"].letters == "a"
    assert found["bad"].letters == "b"
    assert found["bad"].places == (3, 3)
    assert found["even1"].places == (1, 2)


def test_five_wins_of_five_are_no_certainty():
    board = build_leaderboard(built([overall("x", "y", f"{n}", WIN) for n in range(5)]))
    assert not board.pairs[0].apart
    assert board.systems[0].rate.low < 0.6
    assert "unbeaten" in board.systems[0].note
    assert "never won" in board.systems[1].note
    assert any("Only 5 tasks" in note for note in board.notes)


def test_systems_that_never_met_are_not_told_apart():
    rows = [overall("a", "b", f"{n}", WIN if n % 4 else LOSS) for n in range(40)]
    rows += [overall("c", "d", f"{n}", WIN if n % 4 else LOSS) for n in range(40)]
    board = build_leaderboard(built(rows))
    assert any("2 groups without comparisons" in note for note in board.notes)
    apart = {frozenset((pair.first, pair.second)) for pair in board.pairs if pair.apart}
    assert apart == {frozenset("ab"), frozenset("cd")}


def test_one_task_has_no_intervals_and_says_so():
    board = build_leaderboard(built([overall("a", "b", "1", WIN), overall("b", "c", "1", WIN)]))
    assert board.systems[0].rating.low is None
    assert board.systems[0].letters == ""
    assert any("one task" in note for note in board.notes)


def test_dimensions_in_the_papers_order_and_what_was_not_asked():
    rows = [
        (
            "a",
            "b",
            "1",
            None,
            {"qualifiers_counterpoints": WIN, "task_alignment": LOSS, "zest": TIE, "overall": WIN},
        ),
        ("a", "b", "2", None, {"task_alignment": LOSS, "overall": WIN}),
    ]
    comparisons = built(rows)
    # The same judge was asked on all of them, so what is missing is no verdict.
    assert comparisons.verdicts["zest"].tolist() == [TIE, NONE]
    board = build_leaderboard(comparisons)
    assert board.dimensions == ("task_alignment", "qualifiers_counterpoints", "zest", "overall")
    builder = ComparisonsBuilder()
    builder.add(("a", "b"), {"overall": WIN}, judge="one")
    builder.add(("a", "b"), {"overall": WIN, "zest": WIN}, judge="two")
    both = builder.build()
    assert both.verdicts["zest"].tolist() == [UNASKED, WIN]
    assert build_leaderboard(both).cells()[None, "zest", "a"].counts.asked == 1
    assert any("2 judges are in one leaderboard" in note for note in build_leaderboard(both).notes)


def test_a_domain_and_a_dimension_of_ones_own():
    _, rows = synthetic()
    comparisons = built(rows)
    board = build_leaderboard(comparisons, domain="Law", draws=100)
    assert board.domains == ("Law",)
    assert board.tasks == 40
    assert {share.domain for share in board.shares} == {None}
    whole = build_leaderboard(comparisons, draws=100)
    assert whole.cells()["Law", "overall", "ada"].rate == board.cells()[None, "overall", "ada"].rate
    with pytest.raises(UsageError, match="Law"):
        build_leaderboard(comparisons, domain="law")
    with pytest.raises(UsageError, match="overall"):
        build_leaderboard(comparisons, by="overal")


def test_nothing_to_compare():
    with pytest.raises(UsageError, match="no comparison"):
        build_leaderboard(ComparisonsBuilder().build())
    with pytest.raises(UsageError, match="no comparison has a verdict"):
        build_leaderboard(built([overall("a", "b", "1", NONE)]))


bouts_of_four = st.lists(
    st.tuples(
        st.integers(0, 3),
        st.integers(1, 3),
        st.integers(0, 5),
        st.sampled_from([WIN, LOSS, TIE, NONE]),
    ),
    min_size=1,
    max_size=30,
).filter(lambda rows: any(row[3] != NONE for row in rows))


@settings(max_examples=30, deadline=None)
@given(bouts_of_four, st.randoms(use_true_random=False))
def test_neither_order_nor_sides_matter(rows, random):
    plain = [overall("abcd"[a], "abcd"[(a + b) % 4], f"{t}", said) for a, b, t, said in rows]
    turned = [
        overall(b, a, t, {WIN: LOSS, LOSS: WIN}.get(said["overall"], said["overall"]))
        if random.random() < 0.5
        else (a, b, t, None, said)
        for a, b, t, _, said in plain
    ]
    random.shuffle(turned)
    one, two = build_leaderboard(built(plain), draws=100), build_leaderboard(built(turned), draws=100)
    first, second = by_name(one), by_name(two)
    assert first.keys() == second.keys()
    for name, item in first.items():
        other = second[name]
        assert other.rating.value == pytest.approx(item.rating.value, abs=1e-5)
        assert (other.rate, other.counts, other.places) == (item.rate, item.counts, item.places)
        if item.rating.low is not None:
            assert other.rating.low == pytest.approx(item.rating.low, abs=1e-3)
    assert one.notes == two.notes


@settings(max_examples=20, deadline=None)
@given(bouts_of_four, st.permutations("abcd"))
def test_names_do_not_matter(rows, names):
    one = build_leaderboard(
        built([overall("abcd"[a], "abcd"[(a + b) % 4], f"{t}", s) for a, b, t, s in rows]), draws=100
    )
    two = build_leaderboard(
        built([overall(names[a], names[(a + b) % 4], f"{t}", s) for a, b, t, s in rows]), draws=100
    )
    renamed = dict(zip("abcd", names, strict=True))
    found = by_name(two)
    for item in one.systems:
        other = found[renamed[item.system]]
        assert other.rating.value == pytest.approx(item.rating.value, abs=1e-5)
        assert (other.rate, other.rank, other.note) == (item.rate, item.rank, item.note)


# Style


def test_style_is_held_constant():
    """The judge likes length; "long" writes twice as much and is no better otherwise."""
    random = np.random.default_rng(6)
    builder = ComparisonsBuilder()
    for task in range(150):
        styles = {}
        for name, base in (("long", 2000), ("short", 1000), ("mid", 1400)):
            words = int(base * random.lognormal(0, 0.5))
            styles[name] = TextStyle(
                words, 5, 9, words * int(random.integers(1, 9)) // 999, words // int(random.integers(90, 400))
            )
        for a, b in (("long", "short"), ("mid", "long"), ("short", "mid")):
            lead = 1.5 * np.log(styles[a].words / styles[b].words)
            said = WIN if random.random() < 1 / (1 + np.exp(-lead)) else LOSS
            builder.add((a, b), {"overall": said}, task=f"{task}", styles=(styles[a], styles[b]))
    style = build_leaderboard(builder.build()).style
    assert style.n == style.of == 450
    raw = {item.system: item.raw.value for item in style.systems}
    held = {item.system: item.controlled.value for item in style.systems}
    assert raw["long"] - raw["short"] > 120
    assert abs(held["long"] - held["short"]) < 70
    length, headings, *_ = style.effects
    assert length.name == "length"
    assert length.estimate.low / length.unit < 1.5 < length.estimate.high / length.unit
    assert length.p < 0.001
    assert 0.1 < length.by_system < 0.9
    assert (headings.estimate.value, headings.odds) == (None, None)


def test_style_of_a_report():
    text = "# One\n\nIt **grows** fast [1]. 它**很快**。\n\n- first\n- second\n\n## Two\n\nEnd.\n"
    found = text_style(Report(text))
    assert (found.headings, found.bold, found.items) == (2, 2, 2)
    assert found.citations == 1


# Reading


def judgment(a, b, preference="A>B", **rest):
    return {
        "schema": "assay.judgment/2",
        "subject": f"{a} | {b}",
        "judge": "direct@m",
        "rubric": "overall",
        "scores": None,
        "preference": preference,
        "status": "ok",
        **rest,
    }


def read(tmp_path, rows, *, who=None, name="j.jsonl", **options):
    path = tmp_path / name
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    pairs = JudgedPairs(who or SubjectIndex(), **options)
    return pairs.add(read_judgments([path])), pairs


def codes(row, tie=None):
    return codes_of(judgment_of(row, "row 1"), tie)


def test_verdicts_of_a_judgment():
    row = judgment("a", "b", "A<B", scores={"overall": 0.9, "depth": 0.5, "tone": 0.0, "form": -0.01})
    assert codes(row) == {"overall": LOSS, "depth": WIN, "tone": TIE, "form": LOSS}
    assert codes({**row, "judge": "rules"})["form"] == TIE
    assert codes(row, 0.6)["depth"] == TIE
    assert codes(judgment("a", "b", "both_bad"))["overall"] == TIE
    # Without a verdict: never a tie, never what a margin might say.
    assert codes(judgment("a", "b", None, scores={"overall": 1.0}))["overall"] == NONE
    assert codes(judgment("a", "b", "A>B", status="unparsed"))["overall"] == NONE
    assert codes(judgment("a", "b", scores={"tone": None})) == {"overall": WIN}


def test_each_order_counts_half_on_a_dimension_as_overall():
    seconds = {"depth": "A>B", "tone": "tie", "form": "A<B", "zest": "both_good"}
    firsts = {"depth": "A>B", "tone": "A>B", "form": "A>B", "zest": "A<B"}
    margins = {"depth": 1.0, "tone": 0.5, "form": 0.0, "zest": -0.5}
    verdicts = [
        Verdict(criterion=name, by_order={"AB": firsts[name], "BA": second}).to_dict()
        for name, second in seconds.items()
    ]
    for name, margin in margins.items():
        orders = {"AB": firsts[name], "BA": seconds[name]}
        preference = firsts[name] if orders["AB"] == orders["BA"] else "tie"
        row = judgment("a", "b", preference, by_order=orders, scores=margins, verdicts=verdicts)
        assert codes(row) == {**margins, "overall": margin}
        assert judgment_of(row, "row 1").margin == margin
        # Up to a margin of a half, a half win is a tie.
        assert codes(row, 0.5)["tone"] == TIE
    assert (
        codes(judgment("a", "b", None, status="unparsed", by_order={"AB": "A>B", "BA": "A>B"}))["overall"]
        == NONE
    )


def test_half_wins_by_hand():
    """Won 2, half won 1, lost 1, tied 1: (2 + .5) of (2 + .5 + 1) decided; 2 + .75 + .5 = 3.25 points of 5."""
    said = (WIN, WIN, HALF_WIN, LOSS, TIE)
    board = build_leaderboard(built([overall("x", "y", f"{n}", code) for n, code in enumerate(said)]))
    x, y = by_name(board)["x"], by_name(board)["y"]
    assert x.rate.value == pytest.approx(2.5 / 3.5)
    assert y.rate.value == pytest.approx(1 / 3.5)
    assert (x.counts.won, x.counts.lost, x.counts.tied) == (2.5, 1, 1.5)
    assert (y.counts.half_losses, y.counts.won, y.counts.lost) == (1, 1, 2.5)
    (pair,) = board.pairs
    assert (pair.counts.wins, pair.counts.half_wins, pair.counts.losses, pair.counts.ties) == (2, 1, 1, 1)
    assert pair.rate.value == pytest.approx(2.5 / 3.5)
    same = built([overall("x", "y", f"{n}", code) for n, code in enumerate((WIN, WIN, HALF_WIN, TIE, LOSS))])
    results = (same.verdicts["overall"] + 1) / 2
    assert float(results.sum()) == pytest.approx(3.25)
    only = build_leaderboard(built([overall("x", "y", f"{n}", HALF_WIN) for n in range(4)]))
    assert by_name(only)["x"].rate.value == 1
    assert (
        by_name(only)["x"].rating.value
        < by_name(build_leaderboard(built([overall("x", "y", f"{n}", WIN) for n in range(4)])))[
            "x"
        ].rating.value
    )


def test_a_table_of_subjects_names_systems(tmp_path):
    table = tmp_path / "who.csv"
    table.write_text("subject,system,task,domain\na/1.md,x,1,Law\nb/1.md,y,1,Law\n", "utf-8")
    who = SubjectIndex()
    who.add_table(str(table))
    comparisons, pairs = read(tmp_path, [judgment("a/1.md", "b/1.md"), judgment("a/1.md", "c/1.md")], who=who)
    assert (comparisons.systems, comparisons.domains, comparisons.tasks, len(comparisons)) == (
        ("x", "y"),
        ("Law",),
        1,
        1,
    )
    assert (pairs.unknown, pairs.example) == (1, "c/1.md")


def test_tags_and_an_export(tmp_path):
    rows = [judgment("r.jsonl:1", "r.jsonl:2"), judgment("r.jsonl:3", "r.jsonl:4", "tie")]
    tags = {"system_a": "x", "system_b": "y", "id_a": "7", "id_b": "7", "judge": "small"}
    (tmp_path / "index.jsonl").write_text("".join(json.dumps({"tags": tags}) + "\n" for _ in rows), "utf-8")
    who = SubjectIndex({"7": GradedTask(id="7", domain="Health")})
    comparisons, _ = read(tmp_path, rows, name="judgments.jsonl", who=who)
    assert (comparisons.systems, comparisons.domains, comparisons.tasks) == (("x", "y"), ("Health",), 1)
    assert comparisons.judges == {"small": 2}
    comparisons, pairs = read(tmp_path, rows, name="judgments.jsonl", judge="another")
    assert (len(comparisons), pairs.filtered) == (0, 2)


def test_arena_rows(tmp_path):
    winners = ["model_a", "model_b", "tie", "tie (bothbad)", "gpt", "claude", "", None, "both_bad"]
    rows = [
        {"model_a": "gpt", "model_b": "claude", "winner": said, "question_id": n}
        for n, said in enumerate(winners)
    ]
    comparisons = read(tmp_path, rows)[0]
    assert comparisons.systems == ("claude", "gpt")
    assert comparisons.verdicts["overall"].tolist() == [WIN, LOSS, TIE, TIE, WIN, LOSS, NONE, NONE, TIE]
    path = tmp_path / "arena.csv"
    path.write_text("left,right,winner,category\nx,y,left,math\ny,x,x,math\nx,x,tie,math\n", "utf-8")
    pairs = JudgedPairs(SubjectIndex())
    comparisons = pairs.add(read_judgments([path]))
    assert (comparisons.verdicts["overall"].tolist(), comparisons.domains) == ([WIN, LOSS], ("math",))
    assert (pairs.same, comparisons.unknown_tasks) == (1, 2)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('{"model_a": "x", "model_b": "y", "winner": "perhaps"}', "winner 'perhaps'"),
        ('{"id": 1, "report": "text"}', "model_a, model_b, winner"),
        ('{"schema": "assay.audit/2"}', "assay.audit/2"),
        ('{"schema": "assay.label/1"}', "holds no rating"),
        ("[1, 2]", "not a judgment"),
        ("not json", "broken JSON"),
        ("\x00\x01", "broken JSON"),
    ],
)
def test_what_is_no_comparison_is_said(tmp_path, text, said):
    path = tmp_path / "bad.jsonl"
    path.write_text(text, "utf-8")
    with pytest.raises(InputError, match=said):
        list(read_judgments([path]))


@settings(max_examples=60, deadline=None)
@given(
    st.lists(
        st.dictionaries(
            st.sampled_from(["schema", "subject", "model_a", "model_b", "winner", "scores", "preference", "tags", "task"]),
            st.recursive(
                st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8) | st.just("assay.judgment/2")
                | st.just("a | b"),
                lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=4), inner, max_size=2),
                max_leaves=4,
            ),
        ),
        max_size=4,
    )
)  # fmt: skip
def test_rubbish_is_an_input_error_or_nothing(tmp_path_factory, rows):
    path = tmp_path_factory.mktemp("rubbish") / "rows.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    try:
        comparisons = JudgedPairs(SubjectIndex()).add(read_judgments([path]))
    except InputError:
        return
    assert len(comparisons) <= len(rows)


# All against all


def rows_of(system, texts):
    return [
        {"id": str(n), "system": system, "query": f"Question {n}?", "report": text}
        for n, text in enumerate(texts)
    ]


def write(path, rows):
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    return str(path)


def paired(index, *paths):
    subjects = read_all(paths)
    for subject in subjects:
        index.add(subject, index.describe(subject))
    return system_pairs(subjects, index)


def test_every_pair_of_systems_on_every_task(tmp_path):
    short, long = "# A\n\nOne thing.\n", "# A\n\n" + "One thing follows from another. " * 9
    paths = [
        write(tmp_path / "a.jsonl", rows_of("x", [short, long, short])),
        write(tmp_path / "b.jsonl", rows_of("y", [long, short])),
        write(tmp_path / "c.jsonl", rows_of("z", [long, long])),
    ]
    who = SubjectIndex({"0": GradedTask(id="0", domain="Law")})
    pairs = paired(who, *paths)
    assert (len(pairs.cases), pairs.alone, pairs.by) == (6, 1, "query")
    judgments = run(pairs.cases, "length")
    comparisons = JudgedPairs(who).add(judgments)
    assert len(comparisons) == len(judgments) == 6
    assert comparisons.domains == ("Law",)
    assert comparisons.verdicts["overall"].tolist() == [LOSS, LOSS, TIE, WIN, TIE, LOSS]
    assert by_name(build_leaderboard(comparisons))["z"].rank == 1
    # What was kept gives the same board, read again or as a frame.
    again = read(tmp_path, [item.to_dict() for item in judgments], name="kept.jsonl")[0]
    assert build_leaderboard(again).systems == build_leaderboard(comparisons).systems
    board = leaderboard(judgments.to_frame())
    assert (
        board.ranks == leaderboard(judgments).ranks == {"z": 1, **{name: board.ranks[name] for name in "xy"}}
    )
    assert board.to_frame()["rating"].tolist() == [float(item) for item in board.ratings.values()]


def test_a_leaderboard_needs_systems():
    with pytest.raises(UsageError, match="unknown system"):
        leaderboard([judgment_of(judgment("a.md", "b.md"), "row 1")])
    reports = [Report("# A", path="a.md", id="1", system="x"), Report("# B", path="b.md", id="1", system="y")]
    board = leaderboard([judgment_of(judgment("a.md", "b.md"), "row 1")], subjects=reports, draws=100)
    assert board.ranks == {"x": 1, "y": 2}
    assert type(board).from_dict(board.to_dict()) == board


def test_by_id_where_no_question_is_shared_and_a_file_for_each_system(tmp_path):
    for name in ("x", "y"):
        write(
            tmp_path / f"{name}.jsonl",
            [{"id": n, "article": f"# T\n\nText of {name}. " * (n + 1)} for n in (1, 2)],
        )
    who = SubjectIndex()
    pairs = paired(who, tmp_path / "x.jsonl", tmp_path / "y.jsonl")
    assert (len(pairs.cases), pairs.by) == (2, "id")
    assert JudgedPairs(who).add(run(pairs.cases, "random")).systems == ("x", "y")


def test_pairs_of_systems_that_cannot_be(tmp_path):
    one = write(tmp_path / "a.jsonl", rows_of("x", ["# A\n\nText.\n"]))
    with pytest.raises(UsageError, match="two systems"):
        paired(SubjectIndex(), one)
    other = write(
        tmp_path / "b.jsonl", [{"id": "9", "system": "y", "query": "Else?", "report": "# B\n\nText.\n"}]
    )
    with pytest.raises(UsageError, match="same task"):
        paired(SubjectIndex(), one, other)


def test_a_table_of_a_european_spreadsheet(tmp_path):
    path = tmp_path / "arena.csv"
    path.write_text("\ufeffmodel_a;model_b;winner\nx;y;model_a\n", "utf-8")
    assert [row for _, row in object_rows(path)] == [{"model_a": "x", "model_b": "y", "winner": "model_a"}]
