"""Sources from a folder, from memory, and from the run that wrote a report."""

import json
from pathlib import Path

import pytest

from assay.errors import InputError
from assay.subjects.sources import SourceFolder, SourceMap, TrajectorySources
from assay.subjects.trajectory import RawCall, RawStep, Trajectory

SEARCH = """A search for 'heat pump sales' found 2 results:

## Web Results
1. [Sales (2023) | Energy](https://energy.example.org/sales_(2023))
Date published: May 1, 2024

Sales rose by 12 % in 2023.

2. [Grid study](https://www.grid.example.org/study?utm_source=search#load)

Peak load rose by 4 %.
=======
A search for 'noise' found 1 result:

## Web Results
1. [Noise survey](https://noise.example.org/n)

One in nine neighbours was disturbed; see https://noise.example.org/method for the method.
"""


def run(*calls: RawCall) -> Trajectory:
    return Trajectory("How fast do heat pumps spread?", [RawStep("look", [call]) for call in calls])


# ── in memory ────────────────────────────────────────────────────────────────────────────────────────────────────


def test_map_by_key_and_url():
    sources = SourceMap({"1": "one", "[02]": "two", "https://www.a.example.org/x/": "x"})
    assert sources.text("1", None) == "one"
    assert sources.text("[2]", None) == "two"
    assert sources.text("^2", None) == "two"
    assert sources.text("9", "http://a.example.org/x#part") == "x"
    assert sources.text("9", "https://a.example.org/y") is None
    assert sources.text(None, None) is None
    assert len(sources) == 3


def test_address_wins_over_key():
    sources = SourceMap({"1": "of another report", "https://a.example.org/x": "the right one"})
    assert sources.text("1", "https://a.example.org/x") == "the right one"


# ── a folder ─────────────────────────────────────────────────────────────────────────────────────────────────────


def test_folder_by_file_name(tmp_path: Path):
    (tmp_path / "1.txt").write_text("\ufeffone", encoding="utf-8")
    (tmp_path / "[2].md").write_text("zwei", encoding="utf-8")
    (tmp_path / "03.html").write_text("<p>drei &amp; <script>x()</script>vier</p>", encoding="utf-8")
    (tmp_path / "notes.pdf").write_bytes(b"%PDF")
    sources = SourceFolder(tmp_path)
    assert sources.text("1", None) == "one"
    assert sources.text("2", "https://unknown.example.org") == "zwei"
    assert sources.text("3", None) == "drei & vier"
    assert sources.text("notes", None) is None
    assert len(sources) == 3


@pytest.mark.parametrize("name", ["index.json", "sources.jsonl"])
def test_folder_with_index(tmp_path: Path, name: str):
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "a.txt").write_text("from a file", encoding="utf-8")
    rows = [{"key": 7, "file": "deep/a.txt"}, {"url": "https://b.example.org/p", "text": "inline"}]
    text = json.dumps(rows) if name.endswith("json") else "\n\n".join(map(json.dumps, rows))
    (tmp_path / name).write_text(text, encoding="utf-8")
    sources = SourceFolder(tmp_path)
    assert sources.text("7", None) == "from a file"
    assert sources.text(None, "b.example.org/p/") == "inline"


def test_index_as_mapping(tmp_path: Path):
    (tmp_path / "a.txt").write_text("A", encoding="utf-8")
    (tmp_path / "index.json").write_text(
        '{"4": "a.txt", "https://c.example.org": {"text": "C"}}', encoding="utf-8"
    )
    sources = SourceFolder(tmp_path)
    assert sources.text("4", None) == "A"
    assert sources.text(None, "https://c.example.org/") == "C"


@pytest.mark.parametrize("file", ["../secret.txt", "/etc/hostname", "link.txt", "sub/../../secret.txt"])
def test_index_never_leaves_the_folder(tmp_path: Path, file: str):
    folder = tmp_path / "sources"
    (folder / "sub").mkdir(parents=True)
    (tmp_path / "secret.txt").write_text("secret", encoding="utf-8")
    (folder / "link.txt").symlink_to(tmp_path / "secret.txt")
    (folder / "index.json").write_text(json.dumps([{"key": "1", "file": file}]), encoding="utf-8")
    with pytest.raises(InputError, match="outside the folder"):
        SourceFolder(folder)


def test_links_out_of_the_folder_are_not_followed(tmp_path: Path):
    folder = tmp_path / "sources"
    folder.mkdir()
    (tmp_path / "secret.txt").write_text("secret", encoding="utf-8")
    (folder / "1.txt").symlink_to(tmp_path / "secret.txt")
    (folder / "2.txt").write_text("two", encoding="utf-8")
    assert SourceFolder(folder).text("1", None) is None


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("sources.jsonl", '{"key": "1", "text": "a"}\n{"key": ', r"sources\.jsonl:2.*broken JSON"),
        ("sources.jsonl", '["1"]', r"sources\.jsonl:1.*expected an object"),
        ("index.json", '[{"text": "a"}]', 'neither "key" nor "url"'),
        ("index.json", '[{"key": "1"}]', 'neither "text" nor "file"'),
        ("index.json", '[{"key": "1", "file": "gone.txt"}]', "does not exist"),
        ("index.json", '[{"key": "1", "file": "nul\\u0000"}]', "usable path|does not exist"),
        ("index.json", "3", "expected a list"),
        ("index.json", "[]", "holds no sources"),
    ],
)
def test_broken_index(tmp_path: Path, name: str, text: str, message: str):
    (tmp_path / name).write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=message):
        SourceFolder(tmp_path)


def test_bad_folders(tmp_path: Path):
    with pytest.raises(InputError, match="no such folder"):
        SourceFolder(tmp_path / "gone")
    (tmp_path / "file.txt").write_text("x", encoding="utf-8")
    with pytest.raises(InputError, match="not a folder"):
        SourceFolder(tmp_path / "file.txt")
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError, match="holds no sources"):
        SourceFolder(tmp_path / "empty")


def test_binary_source(tmp_path: Path):
    (tmp_path / "1.txt").write_bytes(b"\x00\x01\x02")
    sources = SourceFolder(tmp_path)
    with pytest.raises(InputError, match="binary"):
        sources.text("1", None)


# ── the run ──────────────────────────────────────────────────────────────────────────────────────────────────────


def test_search_results_are_cut_by_address():
    sources = TrajectorySources(run(RawCall("search", {"query": ["heat pump sales", "noise"]}, SEARCH)))
    sales = sources.text(None, "https://energy.example.org/sales_(2023)")
    assert sales is not None
    assert "12 %" in sales
    assert "4 %" not in sales
    grid = sources.text("2", "http://grid.example.org/study")
    assert grid is not None
    assert "4 %" in grid
    assert "neighbours" not in grid
    assert "One in nine" in (sources.text(None, "https://noise.example.org/n") or "")
    # An address that a passage only mentions was seen as well.
    assert "noise.example.org/method" in sources.urls
    assert sources.text(None, "https://elsewhere.example.org") is None


def test_visited_page_is_one_passage():
    page = "The useful information in https://a.example.org/p for the goal:\n\nSales rose. See https://b.example.org/q too.\n\nLoad fell."
    sources = TrajectorySources(
        run(RawCall("visit", {"url": ["https://a.example.org/p"], "goal": "sales"}, page))
    )
    assert "Load fell" in (sources.text(None, "https://a.example.org/p") or "")
    assert "b.example.org/q" in sources.urls


def test_passages_of_one_address_are_joined():
    first = "1. [A](https://a.example.org/p)\n\nSales rose by 12 %."
    second = "1. [A](https://a.example.org/p)\n\nLoad fell by 3 %."
    text = (
        TrajectorySources(run(RawCall("s", {}, first), RawCall("s", {}, second))).text(
            None, "a.example.org/p"
        )
        or ""
    )
    assert "12 %" in text
    assert "3 %" in text


def test_json_results():
    response = json.dumps(
        {
            "results": [
                {"title": "A", "url": "https://a.example.org", "content": "alpha"},
                {"url": "https://b.example.org", "snippets": ["beta", "gamma"]},
            ]
        }
    )
    sources = TrajectorySources(run(RawCall("search", {"q": "x"}, response)))
    assert "alpha" in (sources.text(None, "https://a.example.org/") or "")
    assert "gamma" in (sources.text(None, "https://b.example.org") or "")
    assert "alpha" not in (sources.text(None, "https://b.example.org") or "")


def test_labelled_results():
    response = "Title: A\nURL: https://a.example.org/1\nContent: alpha\n\nTitle: B\nURL: https://b.example.org/2\nContent: beta"
    sources = TrajectorySources(run(RawCall("search", {"q": "x"}, response)))
    text = sources.text(None, "https://a.example.org/1") or ""
    assert "alpha" in text
    assert "beta" not in text
    assert "Title: B" not in text


def test_tagged_passages():
    response = '<snippet id="S_1">alpha</snippet><snippet id=S_2 url="https://a.example.org">beta</snippet>'
    sources = TrajectorySources(run(RawCall("search", {"q": "x"}, response)))
    assert sources.text("S_1", None) == "alpha"
    assert sources.text("S_2", None) == "beta"
    assert sources.keys == {"S_1", "S_2"}


def test_run_without_addresses():
    sources = TrajectorySources(
        run(RawCall("Search", "Nick Park", "Nick Park is an animator."), RawCall("Search", "x", None))
    )
    assert not sources.urls
    assert len(sources) == 0
    assert sources.text("1", "https://a.example.org") is None
