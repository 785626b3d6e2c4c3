"""Many judgments: frames, files, and what they say about judges; every number by hand."""

from __future__ import annotations

import pytest

from assay.errors import InputError
from assay.judges.judgment import Judgment, Preference, Verdict
from assay.judges.judgments import Judgments
from assay.judges.repetitions import combine_repetitions
from assay.meta.stability import stability


def graded(subject: str, system: str, *marks: float | None, task: str = "") -> Judgment:
    verdicts = tuple(
        Verdict(
            criterion=f"c{number}",
            weight=weight,
            status="unparsed" if mark is None else "ok",
            verdict=None if mark is None else {1.0: "met", 0.5: "partially met", 0.0: "not met"}[mark],
            score=mark,
        )
        for number, (mark, weight) in enumerate(zip(marks, (4, 2, -3), strict=True))
    )
    return Judgment(
        subject,
        "grader@x/y",
        "r",
        scores={item.criterion: item.score for item in verdicts if item.score is not None} or None,
        verdicts=verdicts,
        metadata={"system": system, "id": task or subject},
    )


def pair(subject: str, first: Preference, second: Preference, *, repetition: int = 0) -> Judgment:
    return Judgment(
        subject,
        "j",
        mode="compare",
        preference=first if first == second else "tie",
        by_order={"AB": first, "BA": second},
        repetition=repetition,
    )


JUDGMENTS = Judgments(
    [graded("a.md", "one", 1.0, 0.5, 1.0), graded("b.md", "two", 1.0, 1.0, 0.0), pair("a | b", "A>B", "A>B")]
)


def test_columns_join_subjects_scores_and_metadata() -> None:
    columns = JUDGMENTS.to_columns()
    assert {len(values) for values in columns.values()} == {3}
    assert columns["subject"] == ["a.md", "b.md", "a | b"]
    assert (columns["a"], columns["b"]) == ([None, None, "a"], [None, None, "b"])
    assert columns["c1"] == [0.5, 1.0, None]
    assert columns["margin"] == [None, None, 1.0]
    assert columns["consistent"] == [None, None, True]
    assert columns["system"] == ["one", "two", None]


def test_verdicts_know_their_subject_and_judge() -> None:
    verdicts = JUDGMENTS.verdicts
    assert len(verdicts) == 6
    assert [item.subject for item in verdicts.filter(criterion="c1")] == ["a.md", "b.md"]
    columns = verdicts.to_columns()
    assert list(columns)[:2] == ["subject", "judge"]
    assert columns["system"] == ["one"] * 3 + ["two"] * 3


def test_compliance_by_system() -> None:
    # (4·1 + 2·½ − 3·1) / 6 = 1/3; binary (4 − 3) / 6; the other one has all of it.
    two, one = JUDGMENTS[:2].compliance()
    assert (two.group, two.compliance.value) == ("two", 1.0)
    assert one.compliance.value == pytest.approx(1 / 3)
    assert one.binary.value == pytest.approx(1 / 6)
    (short,) = Judgments([graded("c.md", "three", 1.0, None, 0.0)]).compliance(by="judge")
    assert (short.compliance.value, short.answered.value, short.complete) == (None, 1.0, 0)


def test_consistency_and_stability() -> None:
    pairs = [pair("1 | 2", "A>B", "A>B"), pair("1 | 3", "A>B", "A<B"), pair("2 | 3", "tie", "both_good")]
    (row,) = Judgments(pairs).consistency()
    assert (row.consistent.value, row.first, row.second, row.pairs) == (
        pytest.approx(2 / 3),
        pytest.approx(1 / 3),
        0.0,
        3,
    )
    again = combine_repetitions([pair("1 | 2", "A>B", "A>B"), pair("1 | 2", "A<B", "A<B", repetition=1)], 2)
    (row,) = Judgments([again]).stability()
    assert (row.mode, row.cases, row.flips.value if row.flips else None) == ("compare", 1, 1.0)
    scored = [Judgment("s", "j", scores={"overall": value}) for value in (2.0, 4.0)]
    (row,) = Judgments([combine_repetitions(scored, 2)]).stability()
    assert row.sd == pytest.approx(2**0.5)
    (judge,) = stability(scored).judges
    assert (judge.within_variance, judge.repeated) == (row.variance, row.cases)
    assert Judgment("s", "j", mode="compare", by_order={"AB": "tie", "BA": "both_bad"}).consistent


def test_a_file_of_judgments(tmp_path) -> None:
    path = tmp_path / "judgments.jsonl"
    both = Judgments([*JUDGMENTS, combine_repetitions([pair("a | b", "A>B", "tie")] * 2, 2)])
    both.save(path)
    assert Judgments.load(path) == both


def test_earlier_files_are_read(tmp_path) -> None:
    path = tmp_path / "old.jsonl"
    path.write_text(
        '{"schema":"assay.judgment/1","subject":"a | b","judge":"j","preference":"A>B","trial":2,"key":"k",'
        '"coverage":{"asked":1,"answered":1,"gaps":[]}}\n'
        '{"schema":"assay.grade/1","report":"r.md","id":"t1","system":"one","judge":"g","judge_version":"v",'
        '"compliance":0.5,"words":9,"criteria":[{"key":"c","criterion":"Is it?","weight":2,"verdict":"partially met",'
        '"score":0.5,"reasoning":"So so."},{"key":"d","criterion":"And?","weight":1,"status":"refused","reasoning":"No."}]}\n',
        "utf-8",
    )
    old, grade = Judgments.load(path)
    assert (old.mode, old.repetition, old.key, old.schema) == ("compare", 2, "k", "assay.judgment/2")
    assert (grade.subject, grade.version, grade.overall, grade.metadata["words"]) == ("r.md", "v", 0.5, 9)
    c, d = grade.verdicts
    assert (c.criterion, c.text, c.score, c.reasoning) == ("c", "Is it?", 0.5, "So so.")
    assert (d.status, d.problem, d.score) == ("refused", "No.", None)
    path.write_text('{"schema":"assay.card/1"}\n', "utf-8")
    with pytest.raises(InputError, match=r"assay\.card/1"):
        Judgments.load(path)


def test_a_notebook_shows_verdicts_and_only_what_is_there() -> None:
    import assay

    reports = [assay.Report("Costs fall <b>fast</b>.", id="a"), assay.Report("Costs rise.", id="b")]
    judgments = assay.run([assay.Case(*reports)], assay.Judge("full@scripted/random", rubric="overall"))
    page = judgments._repr_html_()
    assert "<th>a</th><th>b</th><th>judge</th><th>preference</th>" in page
    assert "<th>system</th>" not in page
    assert "<th>criterion</th>" in judgments[0]._repr_html_()
