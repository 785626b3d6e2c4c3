"""`assay annotate` over HTTP: who sees what, and what is refused."""

import json

import pytest
from annotation_server import serving_project
from test_annotation_project import answer, project_of, reports
from web_server import Client

from assay.web.annotation.items import pair_items, single_items


@pytest.fixture
def project(tmp_path):
    project = project_of(tmp_path, items=pair_items(reports()), raters=("anna", "ben"))
    project.add_raters(["dora"], "adjudicator")
    return project


@pytest.fixture
def served(project):
    with serving_project(project.path) as client:
        yield client


def post(client, **changes):
    return client.post(
        "/answers", {"position": 1, "question": "overall", "value": "A>B", "seen": 0, **changes}
    )


def test_a_rater_sees_nothing_that_gives_a_system_away(served, project):
    anna = served("anna")
    for position in range(1, 5):
        page = anna.page(f"/items/{position}")
        assert "Sales grew by" in page
        for hidden in ("x0.md", "y0.md", ">x<", ">y<", "system", "ben", "dora"):
            assert hidden not in page.partition("<main")[2], hidden
    assert anna.get("/items/5").status == 400
    assert anna.get("/items/0").status == 400


def test_strangers_and_raters_do_not_see_the_owners_pages(served):
    anna = served("anna")
    for path in (
        "/export/labels.jsonl",
        "/export/labels.csv",
        "/review/0",
        "/export/validation.jsonl?rater=ben",
    ):
        assert anna.get(path).status == 404
        assert Client(served.port).get(path).status == 401
        assert Client(served.port).get(f"{path.partition('?')[0]}?key=wrong").status == 401
    assert anna.post("/raters", {"name": "eve"}).status == 403
    assert post(served()).status == 403
    assert "Link to send" in served().page("/")
    assert "Link to send" not in anna.page("/")


def test_an_answer_is_kept_before_the_page_says_so(served, project):
    anna = served("anna")
    reply = post(anna)
    assert reply.status == 200
    told = json.loads(reply.text)
    assert (told["done"], told["total"], told["complete"]) == (0, 4, False)
    [row] = project.answers()
    assert row.id == told["saved"]
    first = project.assigned("anna")[0]
    assert row.value == ("A<B" if first.swapped else "A>B")
    assert 'aria-checked="true" data-value="A&gt;B"' in anna.page("/items/1")


@pytest.mark.parametrize(
    "changes",
    [{"value": "C"}, {"question": "none"}, {"position": 99}, {"position": "1"}, {"value": 3}, {"more": 1}, {"question": "overall:evidence"},
     {"value": "x" * 300_000, "question": "note"}, {"question": "faults", "value": "[]"}, {"seconds": "nan"}],
)  # fmt: skip
def test_what_is_no_answer_is_refused(served, project, changes):
    assert post(served("anna"), **changes).status == 400
    assert project.answers() == []


def test_only_pages_of_this_server_change_something(served, project):
    anna, ben = served("anna"), served("ben")
    body = {"position": 1, "question": "overall", "value": "A>B", "seen": 0}
    assert anna.ask("POST", "/answers", body=body).status == 403
    assert (
        anna.ask("POST", "/answers", body=body, headers={"X-Assay-Form": ben.form_key or "0"}).status == 403
    )
    anna.page("/items/1")
    ben.page("/items/1")
    assert anna.ask("POST", "/answers", body=body, headers={"X-Assay-Form": ben.form_key}).status == 403
    foreign = {"X-Assay-Form": anna.form_key, "Origin": "http://evil.example"}
    assert anna.ask("POST", "/answers", body=body, headers=foreign).status == 403
    assert project.answers() == []
    large = {"X-Assay-Form": anna.form_key, "Content-Length": "9000000"}
    assert anna.ask("POST", "/answers", body="x", headers=large).status == 413


def test_two_tabs_are_told_apart(served, project):
    anna = served("anna")
    anna.page("/items/1")
    first = json.loads(post(anna).text)
    stale = post(anna, value="A<B")
    assert stale.status == 409
    assert json.loads(stale.text)["stale"]
    assert post(anna, value="A<B", seen=first["saved"]).status == 200


def test_undo_says_where(served, project):
    anna = served("anna")
    anna.page("/items/1")
    post(anna, position=3)
    assert json.loads(anna.post("/undo", {}).text) == {"position": 3}
    assert json.loads(anna.post("/undo", {}).text) == {"position": None}


def test_adjudicators_get_what_raters_disagree_about(served, project):
    dora = served("dora")
    assert "nothing to settle" in dora.page("/")
    answer(project, "anna", "A>B", question="overall")
    answer(project, "ben", "A<B", question="overall", items={0, 1})
    page = dora.page("/")
    assert "1 of 2" in page
    assert "Raters said:" in page
    assert "A&gt;B × 1" in page
    assert "anna" not in page.partition("<main")[2]


def test_the_owner_follows_agreement_and_exports(served, project):
    for rater in ("anna", "ben"):
        answer(project, rater, "A>B")
    answer(project, "ben", "A<B", question="overall", items={0})
    owner = served()
    page = owner.page("/")
    assert "4 / 4" in page
    assert "Disagreements" in page
    assert "x0.md" in owner.page("/review/0")
    lines = [json.loads(line) for line in owner.get("/export/labels.jsonl").text.splitlines()]
    assert len(lines) == 72
    assert {line["schema"] for line in lines} == {"assay.label/1"}
    assert owner.get("/export/labels.csv").text.startswith("schema,subject,rater,")
    assert json.loads(owner.post("/raters", {"name": "eve"}).text) == {"added": ["eve"]}
    assert owner.post("/raters", {"name": "\u200b"}).status == 400
    assert "eve" in owner.page("/")


def test_what_is_done_says_so(tmp_path):
    project = project_of(tmp_path, "score", single_items(reports(1)), raters=("anna",))
    answer(project, "anna", "3")
    with serving_project(project.path) as client:
        assert "All 2 items are done" in client("anna").page("/")
