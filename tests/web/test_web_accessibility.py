"""Accessibility: axe finds nothing serious on any kind of page, in both themes."""

import pytest
from annotation_server import serving_project
from test_annotation_project import answer, project_of, reports
from web_rows import judged

from assay.web.annotation.items import pair_items, single_items

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def serious(page):
    axe = pytest.importorskip("axe_playwright_python.sync_playwright")
    found = axe.Axe().run(page).response["violations"]
    return [
        (item["id"], [node["html"][:200] for node in item["nodes"]][:3])
        for item in found
        if item["impact"] in ("serious", "critical")
    ]


@pytest.mark.parametrize("dark", [False, True])
def test_pages_of_a_view(make_run, view, ledger_path, open_page, dark):
    first = make_run(
        [judged(n, score=float(n % 5), subject=f"r{n // 2}.md", judge=f"m{n % 2}") for n in range(1, 9)]
    )
    second = make_run(
        [
            judged(n + 50, score=1.0, subject=f"r{n // 2}.md", judge=f"m{n % 2}", status="failed")
            for n in range(1, 9)
        ]
    )
    client = view(ledger_path)
    page = open_page(dark=dark)
    for path in (
        "/",
        f"/runs/0/{first}?status=ok",
        f"/runs/0/{first}/judgments/{1:032x}",
        f"/compare?a=0/{first}&b=0/{second}",
        "/nothing",
    ):
        page.goto(f"http://127.0.0.1:{client.port}{path}")
        assert serious(page) == [], path


@pytest.mark.parametrize("dark", [False, True])
def test_pages_of_a_labelling_project(tmp_path, open_page, dark):
    for task, items in (
        ("pairs", pair_items(reports(2))),
        ("faults", single_items(reports(2))),
        ("criteria", single_items(reports(2))),
    ):
        (tmp_path / task).mkdir()
        project = project_of(tmp_path / task, task, items)
        if task == "pairs":
            for rater in ("anna", "ben"):
                answer(project, rater, "A>B" if rater == "anna" else "A<B", question="overall")
        with serving_project(project.path) as client:
            page = open_page(dark=dark)
            page.goto(client.link("anna"))
            page.keyboard.press("Escape")
            assert serious(page) == [], task
            page.goto(client.link())
            assert serious(page) == [], task
