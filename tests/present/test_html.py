"""The page: self-contained, and deaf to whatever a report tries."""

import base64
import hashlib
import re
from html import unescape

import msgspec
import pytest

from assay.audits.result import Audit, Nothing, TrajectorySummary, Unchecked
from assay.checks.base import Finding, LocatedSpan
from assay.present.html.index import index_page, page_name
from assay.present.html.page import audit_page, title_of
from assay.present.ranking import row_of
from assay.subjects.report import Report
from assay.subjects.trajectory import RawCall, RawStep, Trajectory

from .conftest import finding, made

ATTACKS = [
    "<script>alert(1)</script>",
    "<ScRiPt src=//evil.example/x.js></sCrIpT>",
    "<img src=x onerror=alert(1)>",
    "<svg onload=alert(1)><animate onbegin=alert(1) attributeName=x></svg>",
    "<svg><script>alert(1)</script></svg>",
    "<iframe srcdoc='<script>alert(1)</script>'></iframe>",
    "<object data=javascript:alert(1)></object>",
    "<a href='javascript:alert(1)'>x</a>",
    "[x](javascript:alert(1))",
    "[x](JaVaScRiPt:alert(1))",
    "[x](java\tscript:alert(1))",
    "[x](&#106;avascript:alert(1))",
    "[x](data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==)",
    "[x](vbscript:msgbox(1))",
    "[x](//evil.example)",
    "[x](/etc/passwd)",
    "![x](https://evil.example/pixel.gif)",
    "![x](data:image/svg+xml,<svg onload=alert(1)>)",
    "<javascript:alert(1)>",
    "[x]: javascript:alert(1)\n\n[x]",
    '[x](https://ok.example "onmouseover=alert(1)")',
    '[x](https://ok.example/"onmouseover="alert(1))',
    "<style>body{background:url(https://evil.example)}</style>",
    "<link rel=stylesheet href=https://evil.example/x.css>",
    "<meta http-equiv=refresh content='0;url=https://evil.example'>",
    "<base href=https://evil.example/>",
    "<form action=https://evil.example><input name=q></form>",
    "<b onclick=alert(1)>bold</b>",
    "<cite id='\" onmouseover=alert(1) x=\"'>c</cite>",
    "<math><mtext><table><mglyph><style><img src=x onerror=alert(1)>",
    "<noscript><p title='</noscript><img src=x onerror=alert(1)>'>",
    "<template><script>alert(1)</script></template>",
    "<!--><script>alert(1)</script>-->",
    "</article></main><script>alert(1)</script>",
    "</style><script>alert(1)</script>",
    "{{ 7 * 7 }} {% include '/etc/passwd' %}",
    "&lt;script&gt;alert(1)&lt;/script&gt;",
    "```html\n<script>alert(1)</script>\n```",
    "`<img src=x onerror=alert(1)>`",
    "| <script>alert(1)</script> | b |\n|---|---|\n| <img src=x onerror=alert(1)> | 2 |",
    "<details open ontoggle=alert(1)><summary>x</summary></details>",
    "<input autofocus onfocus=alert(1)>",
    "<x id=f0 class='card' data-f='0' style='position:fixed'>",
]
TAG = re.compile(r"<([a-zA-Z][^\s/>]*)((?:[^>\"']|\"[^\"]*\"|'[^']*')*)>")


def body_of(page):
    """The page without the style and the script that are ours."""
    return re.sub(r"<(style|script)>.*?</\1>", "", page, flags=re.DOTALL)


def assert_inert(page):
    assert len(re.findall(r"<script\b", page, re.IGNORECASE)) == 1
    assert len(re.findall(r"<style\b", page, re.IGNORECASE)) == 1
    for name, attributes in TAG.findall(body_of(page)):
        assert name.lower() not in {
            "script",
            "iframe",
            "object",
            "embed",
            "img",
            "link",
            "base",
            "form",
            "style",
            "template",
            "math",
            "image",
            "use",
            "foreignobject",
            "animate",
            "video",
            "audio",
        }, name
        for attribute, value in re.findall(r"([^\s=\"'>/]+)\s*=\s*\"([^\"]*)\"", attributes):
            low = attribute.lower()
            assert not low.startswith("on"), (name, attribute)
            assert low not in {
                "style",
                "src",
                "srcdoc",
                "formaction",
                "xlink:href",
                "srcset",
                "background",
            }, (name, attribute)
            if low == "href":
                target = unescape(value).strip().lower()
                assert target.startswith(("http://", "https://", "mailto:", "#", "index.html")), value


@pytest.mark.parametrize("attack", ATTACKS)
@pytest.mark.parametrize("wrap", ["{}", "Words before {} and after.", "- item {}\n- next", "> {}"])
def test_nothing_in_a_report_survives_as_anything_but_text(attack, wrap):
    report = Report("# Title\n\n" + wrap.format(attack) + "\n", path=attack, query=attack)
    audit = made(
        report,
        [
            finding(report, "Title", message=attack, code="X'\"><b>1"),
            finding(report, attack[:9], message="m"),
        ],
    )
    page = audit_page(audit, home="index.html")
    assert_inert(page)
    row = row_of(audit, page=page_name(attack, set()), title=title_of(audit))
    index = index_page([row], problems=[attack])
    assert_inert(re.sub(r'href="[\w.-]+\.html"', 'href="#"', index))


def test_the_policy_names_the_one_style_and_the_one_script(audited):
    page = audit_page(audited)
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', page)[1]
    assert policy.startswith("default-src 'none';")
    assert "unsafe" not in policy
    for tag in ("style", "script"):
        text = re.search(rf"<{tag}>(.*?)</{tag}>", page, re.DOTALL)[1]
        digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        assert f"{tag}-src 'sha256-{digest}'" in policy


def test_the_page_asks_for_nothing(audited):
    page = audit_page(audited)
    assert not re.search(r"@import|url\(|fetch\(|XMLHttpRequest|WebSocket|sendBeacon|\bsrc=", page)


def test_findings_are_marked_in_place_and_listed(audited):
    page = audit_page(audited)
    assert '<mark class="error" data-f="0">63%</mark>' in page
    assert '<mark class="warning" data-f="1">热泵很安静</mark>' in page
    assert 'data-r="0-0">40,000</mark>' in page
    assert 'href="#r0-1" data-to="0-1"' in page
    assert page.count('<li class="card ') == 3
    assert "That is 45%, not 63%" in page
    assert '<a data-node="a1" href="#na1"' in page
    assert 'data-n="a1">they will spread</span>' in page
    assert "Sales grew &lt;b&gt;a lot&lt;/b&gt;" in page
    assert "Will heat pumps spread?" in page


def test_findings_are_counted_by_dimension_and_nothing_is_scored(audited):
    page = audit_page(msgspec.structs.replace(audited, unchecked=(Unchecked("query", "no query was given"),)))
    assert 'data-dimension="internal_consistency"' in page
    # A dimension without findings is no button, and has no number.
    assert 'data-dimension="task_alignment"' not in page
    assert "Structure, not quality (of 100)" in page
    assert "<li>no query was given</li>" in page
    assert 'class="petal' not in page.split("</header>")[1]


def test_nothing_to_judge_stands_in_the_head_and_last_in_the_index():
    empty = made(Report("x", path="x.md"), nothing=Nothing("few_words", "a few words"))
    assert '<p class="nothing"><b>nothing to judge</b>a few words</p>' in audit_page(empty)
    rows = [row_of(empty, page="x.html"), row_of(made(Report("Text.", path="y.md")), page="y.html")]
    page = index_page(rows)
    assert (
        page.index('href="y.html"')
        < page.index('href="x.html"')
        < page.index("nothing to judge: a few words")
    )


def test_the_index_names_rows_by_id_and_system():
    report = Report("# The title\n\nSales grew by 63%.\n", path="runs.jsonl:17", id="msd-017", system="grok3")
    audit = made(report, [finding(report, "63%")])
    page = index_page([row_of(audit, page="p.html", title=title_of(audit))])
    assert '<a href="p.html">msd-017 · grok3</a><small>The title</small><small>runs.jsonl:17</small>' in page
    assert "msd-017 · grok3 (runs.jsonl:17)" in audit_page(audit)


def test_chinese_reports_are_declared_chinese():
    page = audit_page(
        made(Report("# 滨湖新城再生水利用\n\n再生水的利用率正在提高，主要用于河道补水和工业冷却。\n"))
    )
    assert '<article class="text titled" lang="zh-Hans">' in page
    assert "滨湖新城再生水利用" in page


def test_a_plain_text_report_keeps_its_lines():
    page = audit_page(made(Report("\nLine one\n   indented <b>\n", markdown=False)))
    assert "\nLine one\n   indented &lt;b&gt;\n</div>" in page


@pytest.mark.parametrize(
    "source",
    ["", "\n", "[1]: https://x.example/only\n", "\x00", "> " * 3000 + "deep\n", "a\rb\rc", "\ud800 lone\n"],
)
def test_odd_reports_make_pages(source):
    report = Report(source)
    page = audit_page(made(report))
    assert_inert(page)


def test_a_report_without_findings_says_what_that_means(report):
    assert "No check objected" in audit_page(made(report))


def trajectory_audit():
    steps = [
        RawStep(
            "I search <b>now</b>.",
            [
                RawCall(
                    "search",
                    {"q": "<script>alert(1)</script>"},
                    "A page says 46 fires.\n<img src=x onerror=alert(1)>",
                )
            ],
        ),
        RawStep("", [RawCall("open", {"url": "https://x.example"}, None)]),
    ]
    run = Trajectory(
        "How many <i>fires</i>?",
        steps,
        answer="There were **46** fires.\n\n<script>alert(1)</script>",
        path="run.json",
    )
    start = run.source.index("46 fires")
    line, column = run.lines.place(start)
    found = Finding(
        "TRJ002",
        "ignored-failure",
        "warning",
        None,
        "the answer is not used",
        LocatedSpan(start, start + 8, line, column),
        (),
        0.7,
    )
    late = run.source.rindex("46")
    line, column = run.lines.place(late)
    other = Finding(
        "TRJ007",
        "unseen-claim",
        "error",
        None,
        "46 was never seen",
        LocatedSpan(late, late + 2, line, column),
        (),
        0.9,
    )
    summary = TrajectorySummary("run.json", None, None, "en", run.words, 2, 2, None)
    return Audit(run, summary, (found, other), {"reasoning": (0,), "tool_use": (1,)})


def test_a_trajectory_has_a_page_with_its_steps():
    page = audit_page(trajectory_audit())
    assert_inert(page)
    assert "<h2>Step 1</h2>" in page
    assert "<details open><summary>Response, 50 characters</summary>" in page
    assert '<mark class="warning" data-f="0">46 fires</mark>' in page
    assert (
        '<strong><a class="at" id="f1" data-no="2"></a><mark class="error" data-f="1">46</mark></strong>'
        in page
    )
    assert "no response" in page


def test_the_index_orders_and_links():
    rows = [
        row_of(made(Report(f"# {name}\n\nText.\n", path=f"{name}.md")), page=f"{name}.html", title=name)
        for name in ("b", "a")
    ]
    page = index_page(
        [*rows, row_of(trajectory_audit(), page="t.html", title="t")], problems=["x.jsonl:3: broken JSON"]
    )
    assert page.index('href="a.html"') < page.index('href="b.html"') < page.index('href="t.html"')
    assert "Trajectories, most errors first" in page
    assert "x.jsonl:3: broken JSON" in page


def test_page_names_are_safe_and_differ():
    taken = set()
    names = [
        page_name(label, taken)
        for label in (
            "../../etc/passwd",
            "a/b.md",
            "a-b.md",
            "热泵 报告.md",
            "..",
            "index",
            "A-B.MD",
            "x" * 300,
            "con:aux?*",
        )
    ]
    assert names[:6] == [
        "etc-passwd.html",
        "a-b.md.html",
        "a-b.md-2.html",
        "热泵-报告.md.html",
        "report.html",
        "index-2.html",
    ]
    assert names[6] == "A-B.MD-3.html"
    assert len({name.lower() for name in names}) == len(names)
    assert all(
        len(name) < 100 and not set(name) & set('/\\:*?"<>|') and not name.startswith(".") for name in names
    )
