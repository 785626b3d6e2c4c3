"""A labelling project: assignment, answers that are never lost, undo, and what is exported."""

import json
import random
import sqlite3

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.errors import EngineError, InputError, UsageError
from assay.interventions.validation import read_validation
from assay.meta.benchmark import Benchmark
from assay.meta.labels.label_set import read_labels
from assay.rubrics.loader import load_rubric
from assay.subjects.report import Report
from assay.subjects.trajectory import RawCall, RawStep, Trajectory
from assay.training.people import examples_from
from assay.web.annotation.assignment import assign
from assay.web.annotation.item_view import (
    MarkedFault,
    place_of_selection,
    sentence_spans,
    shown_texts,
    subject_of,
)
from assay.web.annotation.items import citation_items, finding_items, pair_items, planted_items, single_items
from assay.web.annotation.known_items import attention, feedback_on, known_from
from assay.web.annotation.live_agreement import question_agreement, rater_agreement, split_items
from assay.web.annotation.project import AnnotationProject
from assay.web.annotation.project_file import is_project
from assay.web.annotation.project_labels import (
    evidence_rows,
    fault_rows,
    labelled_texts,
    project_labels,
    validation_rows,
)
from assay.web.annotation.project_records import ProjectPlan, StaleAnswerError
from assay.web.annotation.questions import CANNOT_SAY, TASKS, AnnotationQuestion, AnswerOption, questions_of
from assay.web.templating import web_interface


def reports(count=4):
    return [
        Report(
            f"# Heat {n}\n\nSales grew by {n}5%. They are *quiet*, and **cheap** too.\n\nSo they will spread.\n",
            path=f"{system}{n}.md", id=str(n), system=system, query=f"Question {n}?",
        )
        for n in range(count)
        for system in ("x", "y")
    ]  # fmt: skip


def project_of(tmp_path, task="pairs", items=None, *, raters=("anna", "ben"), rubric="reportlogic", **plan):
    chosen = load_rubric(rubric) if task in ("pairs", "criteria", "score") else None
    plan = ProjectPlan(task=task, questions=questions_of(task, chosen), guidelines="Be careful.", **plan)
    made = AnnotationProject.create(tmp_path / "p.sqlite", plan, items or pair_items(reports()))
    made.add_raters(raters)
    return made


def answer(project, rater, value, *, question=None, items=None):
    """Give the same answer, in terms of the item, to every item of a rater."""
    for assigned in project.assigned(rater):
        if items is not None and assigned.item not in items:
            continue
        shown = (
            {"A>B": "A<B", "A<B": "A>B", "A": "B", "B": "A"}.get(value, value) if assigned.swapped else value
        )
        for asked in [question] if question else [item.key for item in project.plan.questions]:
            _, seen = project.shown_answers(rater, assigned)
            project.record(rater, assigned, asked, shown, seen=seen, seconds=2.0)


@given(
    raters=st.integers(1, 6),
    items=st.integers(0, 40),
    overlap=st.one_of(st.none(), st.integers(1, 6)),
    seed=st.integers(0, 50),
)
def test_assignment_is_balanced_and_complete(raters, items, overlap, seed):
    names = [f"r{n}" for n in range(raters)]
    found = assign(names, range(items), overlap=overlap, seed=seed)
    wanted = raters if overlap is None else min(overlap, raters)
    times = [sum(any(own.item == item for own in given) for given in found.values()) for item in range(items)]
    assert set(times) <= {wanted}
    loads = [len(given) for given in found.values()]
    assert max(loads) - min(loads) <= 1
    for own in found.values():
        assert abs(2 * sum(item.swapped for item in own) - len(own)) <= 1
    assert assign(names, range(items), overlap=overlap, seed=seed) == found


def test_orders_and_sides_differ_between_raters(tmp_path):
    project = project_of(tmp_path, items=pair_items(reports(12)))
    anna, ben = project.assigned("anna"), project.assigned("ben")
    assert {own.item for own in anna} == {own.item for own in ben}
    assert [own.item for own in anna] != [own.item for own in ben]
    sides = [{own.item: own.swapped for own in given} for given in (anna, ben)]
    assert sides[0] != sides[1]


def test_a_rater_who_joins_later_takes_what_lacks_raters(tmp_path):
    project = project_of(tmp_path, items=single_items(reports(5)), task="score", raters=("a", "b"), overlap=3)
    project.add_raters(["c", "d"])
    counts = [
        sum(own.item == item for name in "abcd" for own in project.assigned(name))
        for item in project.numbers()
    ]
    assert set(counts) == {3}


def test_answers_survive_and_undo_restores(tmp_path):
    project = project_of(tmp_path)
    first = project.assigned("anna")[0]
    one = project.record("anna", first, "overall", "A>B", seen=0, seconds=1)
    two = project.record("anna", first, "overall", "both_good", seen=one, seconds=1)
    project.record("anna", first, "note", "hard", seen=two, seconds=1)
    again = AnnotationProject(tmp_path / "p.sqlite")  # as after a kill: nothing was closed
    assert again.shown_answers("anna", first)[0] == {"overall": "both_good", "note": "hard"}
    assert again.undo("anna") == first.item
    assert again.shown_answers("anna", first)[0] == {"overall": "both_good"}
    again.undo("anna")
    assert again.shown_answers("anna", first)[0] == {"overall": "A>B"}
    again.undo("anna")
    assert again.shown_answers("anna", first)[0] == {}
    assert again.undo("anna") is None
    kept = sqlite3.connect(tmp_path / "p.sqlite").execute("SELECT count(*) FROM answers").fetchone()[0]
    assert kept == 6, "nothing is overwritten"


@given(
    steps=st.lists(st.one_of(st.sampled_from(["A>B", "A<B", "both_bad", None]), st.just("undo")), max_size=25)
)
def test_undo_is_the_inverse_of_every_answer(tmp_path_factory, steps):
    project = project_of(tmp_path_factory.mktemp("undo"))
    first, history = project.assigned("ben")[0], [None]
    for step in steps:
        if step == "undo":
            project.undo("ben")
            history = history[:-1] or [None]
        else:
            project.record(
                "ben", first, "overall", step, seen=project.shown_answers("ben", first)[1], seconds=0
            )
            history.append(step)
        assert project.shown_answers("ben", first)[0].get("overall") == history[-1]
    project.close()


def test_a_second_tab_does_not_overwrite(tmp_path):
    project = project_of(tmp_path)
    first = project.assigned("anna")[0]
    project.record("anna", first, "overall", "A>B", seen=0, seconds=1)
    with pytest.raises(StaleAnswerError, match="another tab"):
        project.record("anna", first, "overall", "A<B", seen=0, seconds=1)
    assert project.shown_answers("anna", first)[0] == {"overall": "A>B"}


def test_a_full_disk_loses_nothing_and_says_so(tmp_path):
    project = project_of(tmp_path)
    first = project.assigned("anna")[0]
    newest = project.record("anna", first, "overall", "A>B", seen=0, seconds=1)
    pages = project._con.execute("PRAGMA page_count").fetchone()[0]
    project._con.execute(f"PRAGMA max_page_count = {pages}")
    with pytest.raises(EngineError, match=r"nothing was saved just now.*earlier answers are kept"):
        project.record("anna", first, "note", "x" * 200_000, seen=newest, seconds=1)
    assert project.shown_answers("anna", first) == ({"overall": "A>B"}, newest)
    project._con.execute("PRAGMA max_page_count = 1000000")
    project.record("anna", first, "note", "x" * 200_000, seen=newest, seconds=1)


def test_labels_are_in_terms_of_the_pair_whatever_was_shown(tmp_path):
    project = project_of(tmp_path)
    answer(project, "anna", "A>B")
    answer(project, "ben", CANNOT_SAY)
    labels = list(project_labels(project))
    assert {label.preference for label in labels} == {"A>B"}
    assert {label.rater for label in labels} == {"anna"}
    assert {label.criterion for label in labels} == {
        None,
        *(item.key for item in load_rubric("reportlogic").criteria),
    }
    one = labels[0]
    assert " | " in one.subject
    assert set(one.strata) == {"at", "seconds", "guidelines"}
    assert one.strata["guidelines"] == project.plan.guidelines_hash
    path = tmp_path / "labels.jsonl"
    path.write_text("\n".join(json.dumps(label.to_dict()) for label in labels))
    assert list(read_labels(path)) == labels


def test_training_reads_the_whole_not_the_dimensions(tmp_path):
    project = project_of(tmp_path)
    answer(project, "anna", "A<B")
    answer(project, "anna", "A>B", question="overall")
    labels = list(project_labels(project))
    found = list(examples_from(read_set(labels, project)))
    assert {item.label for item in found} == {"A>B"}
    assert len(found) == 4


def read_set(labels, project):
    from assay.meta.labels.label_set import Labels

    return Labels(labels, texts=labelled_texts(project))


def test_agreement_counts_what_raters_share(tmp_path):
    project = project_of(tmp_path, items=pair_items(reports(20)), raters=("anna", "ben", "cara"))
    rng = random.Random(2)
    for item in project.numbers():
        truth = rng.choice(["A>B", "A<B", "both_good"])
        for rater in ("anna", "ben", "cara"):
            said = truth if rng.random() < 0.8 else rng.choice(["A>B", "A<B"])
            answer(project, rater, said, question="overall", items={item})
    [overall] = [item for item in question_agreement(project) if item.key == "overall"]
    assert overall.shared == 20
    assert 0.3 < overall.kappa.value < 0.9
    assert overall.alpha.low < overall.alpha.value < overall.alpha.high
    krippendorff = pytest.importorskip("krippendorff")
    codes = {"A>B": 0, "A<B": 1, "both_good": 2}
    table = [
        [codes[row.value] for row in sorted(project.answers(rater=name), key=lambda row: row.item)]
        for name in ("anna", "ben", "cara")
    ]
    expected = krippendorff.alpha(table, level_of_measurement="nominal")
    assert overall.alpha.value == pytest.approx(expected)
    assert set(split_items(project)) == {n for n in range(20) if len({row[n] for row in table}) > 1}
    assert {item.rater for item in rater_agreement(project)} == {"anna", "ben", "cara"}
    assert all(item.share.n > 10 for item in rater_agreement(project))


def test_adjudicators_do_not_count(tmp_path):
    project = project_of(tmp_path)
    answer(project, "anna", "A>B", question="overall")
    answer(project, "ben", "A<B", question="overall")
    project.add_raters(["dora"], "adjudicator")
    assert project.assigned("dora") == []
    project.give("dora", split_items(project))
    answer(project, "dora", "A>B", question="overall")
    [overall] = [item for item in question_agreement(project) if item.key == "overall"]
    assert overall.split == 4
    assert len([label for label in project_labels(project) if label.rater == "dora"]) == 4


def test_planted_failures_are_validated_blind(tmp_path, examples):
    bench = Benchmark.build([*examples.glob("heat-pumps/*.md")], per_type=1)
    bench.save(tmp_path / "bench")
    project = project_of(tmp_path, "planted", planted_items([str(tmp_path / "bench")]), raters=("anna",))
    for key, value in (("there", "B"), ("plausible", "yes"), ("better", "A")):
        answer(project, "anna", value, question=key)
    first, second, *_ = project.numbers()
    answer(project, "anna", "same", question="better", items={first})
    answer(project, "anna", CANNOT_SAY, question="plausible", items={second})
    path = tmp_path / "anna.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in validation_rows(project, "anna")))
    labels = read_validation(path)
    assert labels[project.item(first).subject] == "invalid"
    assert labels[project.item(second).subject] == "ambiguous"
    assert sorted(labels) == sorted(item.id for item in bench if item.kind == "failure")
    assert {"reference", "revised"} <= {label.verdict for label in project_labels(project)}


def test_scores_and_criteria_become_numbers_and_verdicts(tmp_path):
    project = project_of(tmp_path, "score", single_items(reports()), raters=("anna",))
    answer(project, "anna", "4")
    assert {label.score for label in project_labels(project)} == {4.0}
    (tmp_path / "c").mkdir()
    graded = project_of(tmp_path / "c", "criteria", single_items(reports()), raters=("anna",))
    answer(graded, "anna", "partially met")
    first = graded.assigned("anna")[0]
    key = graded.plan.questions[0].key
    place = {"start": 3, "end": 9, "text": "Heat 0"}
    _, seen = graded.shown_answers("anna", first)
    graded.record("anna", first, f"{key}:evidence", json.dumps(place), seen=seen, seconds=0)
    assert {label.verdict for label in project_labels(graded)} == {"partially met"}
    assert [row["text"] for row in evidence_rows(graded)] == ["Heat 0"]


def test_faults_have_places_and_give_a_verdict_for_each_type(tmp_path):
    project = project_of(tmp_path, "faults", single_items(reports()), raters=("anna",))
    first = project.assigned("anna")[0]
    fault = {
        "start": 10,
        "end": 20,
        "type": "local_coherence",
        "severity": "error",
        "note": "leap",
        "text": "grew",
    }
    one = project.record("anna", first, "faults", json.dumps([fault]), seen=0, seconds=1)
    assert list(project_labels(project)) == [], "not read to the end yet"
    project.record("anna", first, "read", "read", seen=one, seconds=1)
    labels = {label.criterion: label.verdict for label in project_labels(project)}
    assert labels.pop("local_coherence") == "found"
    assert set(labels.values()) == {"not found"}
    [row] = fault_rows(project)
    assert (row["start"], row["severity"], row["rater"], row["rank"]) == (10, "error", "anna", 1)


@pytest.mark.parametrize(
    ("words", "expected"),
    [("They are quiet, and cheap", "They are *quiet*, and **cheap"), ("grew by 05%", "grew by 05%"), ("Heat 0", "Heat 0"), ("nowhere at all", "They are *quiet*, and **cheap** too.")],
)  # fmt: skip
def test_selected_words_are_found_in_the_markdown(tmp_path, words, expected):
    project = project_of(tmp_path, "faults", single_items(reports(1)), raters=("anna",))
    item = project.item(0)
    source = subject_of(item).source
    spans = sentence_spans(subject_of(item))
    if words == "nowhere at all":
        first = last = next(n for n, (a, b) in enumerate(spans) if "quiet" in source[a:b])
    else:
        first, last = 0, len(spans) - 1
    start, end = place_of_selection(item, words, first, last)
    assert source[start:end] == expected
    assert place_of_selection(item, words, 0, 99) is None


def test_findings_of_audits_are_items(tmp_path):
    path = tmp_path / "r.md"
    path.write_text(
        "# Heat\n\nSales grew from 40 to 58 units, an increase of 63% [1].\n\n" + "Words in a row. " * 60
    )
    items = list(finding_items([str(path)]))
    assert items
    assert all(item.about["message"] for item in items)
    assert "severity" in items[0].hidden


@pytest.mark.parametrize("task", TASKS)
def test_every_question_takes_its_own_answers_only(task):
    rubric = load_rubric("reportlogic") if task in ("pairs", "criteria", "score") else None
    for question in questions_of(task, rubric):
        assert question.accepts(CANNOT_SAY)
        assert all(question.accepts(option.value) for option in question.options)
        assert not question.accepts("nonsense")
        assert not question.accepts("")


def test_what_cannot_be_a_project_is_refused(tmp_path):
    with pytest.raises(InputError, match="no such labelling project"):
        AnnotationProject(tmp_path / "none.sqlite")
    (tmp_path / "text").write_text("x")
    assert not is_project(tmp_path / "text")
    other = sqlite3.connect(tmp_path / "other.sqlite")
    other.execute("CREATE TABLE t (x)")
    other.commit()
    other.close()
    with pytest.raises(InputError, match="is not a labelling project"):
        AnnotationProject(tmp_path / "other.sqlite")
    project = project_of(tmp_path)
    assert is_project(project.path)
    with pytest.raises(UsageError, match="exists"):
        project_of(tmp_path)
    with pytest.raises(UsageError, match="name of a rater"):
        project.add_raters([" "])
    with pytest.raises(UsageError, match="nothing to label"):
        AnnotationProject.create(tmp_path / "empty.sqlite", project.plan, [])


def test_a_digit_is_its_value_on_a_scale_of_digits():
    rubric = load_rubric("reportlogic")
    assert questions_of("score", rubric)[0].keys == ["1", "2", "3", "4", "5"]
    assert questions_of("pairs", rubric)[0].keys == ["1", "2", "3", "4"]
    options = tuple(AnswerOption(str(n), str(n)) for n in range(4))
    assert AnnotationQuestion(key="k", title="K", options=options).keys == ["0", "1", "2", "3"]


def test_citations_stand_beside_their_sources(tmp_path):
    report = tmp_path / "r.md"
    report.write_text(
        "# Heat pumps\n\nSales grew by 45% in 2023 [1]. Most are quiet [2].\n\n## References\n\n"
        "[1] A survey. https://survey.example.org/2024\n[2] Noise study. https://noise.example.org\n"
    )
    sources = tmp_path / "sources"
    sources.mkdir()
    row = {"url": "https://noise.example.org", "text": "Half of them are loud."}
    (sources / "index.jsonl").write_text(json.dumps(row) + "\n")
    [item] = citation_items([str(report)], str(sources))
    assert item.about["text"] == "Half of them are loud."
    assert report.read_text()[item.about["start"] : item.about["end"]].strip() == "Most are quiet"
    assert item.hidden == {"rule": item.hidden["rule"]}


def test_words_of_a_trajectory_are_found(tmp_path):
    steps = [RawStep("I look it up first.", [RawCall("search", {"q": "heat"}, "Sales grew by 45%.")])]
    trajectory = Trajectory("How fast?", steps, answer="Fast.", path="t.jsonl")
    project = project_of(tmp_path, "faults", single_items([trajectory]), raters=("anna",))
    item = project.item(0)
    source = subject_of(item).source
    last = len(sentence_spans(subject_of(item))) - 1
    start, end = place_of_selection(item, "Sales grew by 45%", 0, last)
    assert source[start:end] == "Sales grew by 45%"
    [text] = shown_texts(
        item,
        "faults",
        web_interface("en"),
        faults=[MarkedFault(start=start, end=end, type="local_coherence")],
    )
    assert ">Sales grew by 45%</mark>" in text.html


@pytest.fixture
def trained(tmp_path):
    """A project of four pairs: one for training and one check from an earlier project, in which A is always better."""
    (tmp_path / "earlier").mkdir()
    pairs = list(pair_items(reports()))
    earlier = project_of(tmp_path / "earlier", items=pairs[:2], raters=["me"])
    answer(earlier, "me", "A>B")
    answer(earlier, "me", "It gives its sources.", question="note")
    asked = [question.key for question in earlier.plan.questions]
    known = known_from(earlier, asked, training=1)
    made = AnnotationProject.create(
        tmp_path / "p.sqlite",
        ProjectPlan(task="pairs", questions=earlier.plan.questions, overlap=1),
        [*(item for item, _ in known), *pairs],
        [one for _, one in known],
    )
    made.add_raters(["anna", "ben"])
    yield made
    made.close()


def test_raters_begin_with_training_and_everyone_gets_the_checks(trained):
    own = {name: [one.item for one in trained.assigned(name)] for name in ("anna", "ben")}
    [first] = trained.training
    [check] = set(trained.known) - trained.training
    assert {items[0] for items in own.values()} == {first}
    assert all(check in items[1:] for items in own.values())
    others = [item for items in own.values() for item in items[1:] if item != check]
    assert sorted([first, check, *others]) == [0, 1, 2, 3]


def test_training_says_what_was_expected_once_all_is_answered_and_gives_no_label(trained):
    start = trained.assigned("anna")[0]
    questions = [question.key for question in trained.plan.questions]
    for key in questions[:-1]:
        answer(trained, "anna", "A>B", question=key, items={start.item})
    assert feedback_on(trained, "anna", start) == ([], "")
    answer(trained, "anna", "both_good", question=questions[-1], items={start.item})
    found, why = feedback_on(trained, "anna", start)
    assert [one.right for one in found] == [True] * (len(questions) - 1) + [False]
    assert found[-1].given == "both good"
    assert found[-1].known == ("B is better" if start.swapped else "A is better")
    assert why == "It gives its sources."
    assert list(project_labels(trained)) == []


def test_checks_count_known_answers_and_say_nothing(trained):
    [check] = set(trained.known) - trained.training
    answer(trained, "anna", "A>B", items={check})
    answer(trained, "ben", "A<B", items={check})
    place = next(one for one in trained.assigned("anna") if one.item == check)
    assert feedback_on(trained, "anna", place) == ([], "")
    shares = attention(trained)
    assert (shares["anna"].value, shares["ben"].value) == (1.0, 0.0)
    assert shares["anna"].n == len(trained.plan.questions)
    assert {label.rater for label in project_labels(trained)} == {"anna", "ben"}


def test_an_adjudicator_settles_what_is_known(tmp_path):
    project = project_of(tmp_path, items=list(pair_items(reports()))[:2])
    asked = [question.key for question in project.plan.questions]
    answer(project, "anna", "A>B")
    answer(project, "ben", "A<B")
    with pytest.raises(InputError, match="no item whose answers are all settled"):
        known_from(project, asked, training=1)
    with pytest.raises(InputError, match="asks other questions"):
        known_from(project, asked[1:], training=1)
    project.add_raters(["dora"], "adjudicator")
    project.give("dora", [0])
    answer(project, "dora", "A<B")
    [(item, known)] = known_from(project, asked, training=1)
    assert item.key == project.item(0).key
    assert set(known.answers.values()) == {"A<B"}
    (tmp_path / "faults").mkdir()
    faults = project_of(tmp_path / "faults", "faults", single_items(reports()))
    with pytest.raises(InputError, match="no answer can be known"):
        known_from(faults, ["read"], training=1)
