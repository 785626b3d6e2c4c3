"""Exports of labelling tools: Argilla, Label Studio, doccano."""

import json

from assay.meta.labels.label_set import read_labels


def read(tmp_path, *rows, name="l.jsonl", **rest):
    path = tmp_path / name
    text = json.dumps(list(rows)) if name.endswith(".json") else "\n".join(json.dumps(row) for row in rows)
    path.write_text(text, "utf-8")
    return read_labels([path], **rest)


def said(labels):
    return {
        (label.subject, label.rater, label.criterion, label.preference or label.verdict or label.score)
        for label in labels
    }


def test_argilla_records_nested(tmp_path):
    row = {
        "id": "r1", "fields": {"prompt": "Why?", "response": "Because."}, "metadata": {}, "suggestions": {"fluent": {"value": "no"}},
        "responses": {"fluent": [{"value": "yes", "user_id": "anna"}, {"value": "no", "user_id": "ben", "status": "draft"}],
                      "depth": [{"value": 4, "user_id": "anna"}], "faults": [{"value": ["vague", "long"], "user_id": "anna"}]},
    }  # fmt: skip
    found = read(tmp_path, row)
    assert found.formats == ("argilla",)
    assert said(found) == {
        ("r1", "anna", "fluent", "met"), ("r1", "anna", "depth", 4.0), ("r1", "anna", "faults: vague", "found"),
        ("r1", "anna", "faults: long", "found"),
    }  # fmt: skip
    assert (found.texts[0].report, found.texts[0].query) == ("Because.", "Why?")


def test_argilla_records_flat_and_of_a_feedback_dataset(tmp_path):
    flat = {
        "id": "r1", "text": "T.", "depth.responses": [4, 2, 5], "depth.responses.users": ["a", "b", "c"],
        "depth.responses.status": ["submitted", "discarded", "submitted"], "depth.suggestion": 1,
    }  # fmt: skip
    assert said(read(tmp_path, flat)) == {("r1", "a", "depth", 4.0), ("r1", "c", "depth", 5.0)}
    ranks = [{"rank": 1, "value": "reply-2"}, {"rank": 2, "value": "reply-1"}]
    old = {
        "external_id": "x", "text": "T.",
        "preference": [{"user_id": "a", "value": ranks, "status": "submitted"}, {"user_id": "b", "value": [*ranks[:1], {"rank": 1, "value": "reply-1"}], "status": "submitted"}],
    }  # fmt: skip
    assert said(read(tmp_path, old)) == {
        ("x:reply-1 | x:reply-2", "a", "preference", "A<B"),
        ("x:reply-1 | x:reply-2", "b", "preference", "tie"),
    }


def test_label_studio_tasks(tmp_path):
    row = {
        "id": 7, "data": {"text": "The report."}, "predictions": [{"result": [{"from_name": "x", "value": {"rating": 1}}]}],
        "annotations": [
            {"completed_by": {"id": 3, "email": "anna@lab"}, "result": [
                {"from_name": "depth", "type": "rating", "value": {"rating": 4}},
                {"from_name": "sound", "type": "choices", "value": {"choices": ["Yes"]}},
                {"from_name": "span", "type": "labels", "value": {"start": 1, "end": 3, "labels": ["Leap"]}}]},
            {"completed_by": 10, "was_cancelled": True, "result": [{"from_name": "depth", "type": "rating", "value": {"rating": 1}}]},
            {"completed_by": 11, "result": [{"from_name": "depth", "type": "number", "value": {"number": 2.5}}]},
        ],
    }  # fmt: skip
    found = read(tmp_path, row, name="export.json")
    assert found.formats == ("label-studio",)
    assert said(found) == {
        ("7", "anna@lab", "depth", 4.0), ("7", "anna@lab", "sound", "met"), ("7", "anna@lab", "span: Leap", "found"), ("7", "11", "depth", 2.5),
    }  # fmt: skip
    assert found.texts[0].report == "The report."


def test_label_studio_pairs(tmp_path):
    row = {
        "id": 1, "data": {"text1": "One.", "text2": "Two.", "prompt": "Why?"},
        "annotations": [{"completed_by": 1, "result": [{"from_name": "pw", "type": "pairwise", "value": {"selected": "right"}}]}],
    }  # fmt: skip
    found = read(tmp_path, row)
    assert said(found) == {("1:A | 1:B", "1", "pw", "A<B")}
    assert [(text.name, text.report) for text in found.texts] == [("1:A", "One."), ("1:B", "Two.")]
    [case] = found.cases()
    assert [subject.source for subject in case.subjects] == ["One.", "Two."]


def test_doccano_lines(tmp_path):
    rows = [
        {"id": 1, "text": "A text.", "label": ["correct"], "Comments": []},
        {"id": 2, "text": "A text.", "label": [[0, 1, "Leap"], [3, 5, "Leap"], [6, 7, "Gap"]]},
        {"id": 3, "text": "A text.", "entities": [{"id": 1, "label": "Gap", "start_offset": 0, "end_offset": 1}], "relations": []},
        {"id": 4, "text": "A text.", "label": []},
    ]  # fmt: skip
    found = read(tmp_path, *rows, default_rater="anna")
    assert found.formats == ("doccano",)
    assert said(found) == {
        ("1", "anna", None, "correct"), ("2", "anna", "Leap", "found"), ("2", "anna", "Gap", "found"), ("3", "anna", "Gap", "found"),
    }  # fmt: skip
    assert found.empty == 1


def test_malformed_rows_name_their_place(tmp_path):
    import pytest

    from assay.errors import InputError

    for row in (
        {"id": 1, "fields": {}, "responses": {"q": [{"value": {"a": 1}, "user_id": "x"}]}},
        {"id": 1, "data": {}, "annotations": ["x"]},
    ):
        with pytest.raises(InputError, match=r"l\.jsonl:1"):
            read(tmp_path, row)
