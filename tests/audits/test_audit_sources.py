"""An audit with the texts of sources says of each citation whether its source supports it."""

import json

import pytest

from assay import Report, audit
from assay.audits.result import Audit
from assay.present.display import Painter
from assay.present.html.page import audit_page
from assay.present.interface import interface
from assay.present.text import overview_text
from assay.subjects.sources import SourceFolder

TEXT = """# Ferries

The night ferry of Norfield carried 41,300 passengers in 2019 [1]. The harbour was rebuilt in stone after the fire [2].
The bridge of Ostrel cost 17,400 crowns in 1873 [3].

## References

[1] https://a.example/one
[2] https://b.example/two
[3] https://c.example/three
"""


@pytest.fixture
def found(tmp_path):
    (tmp_path / "1.txt").write_text(
        "The night ferry of Norfield carried 41,300 passengers in 2019, says the office."
    )
    (tmp_path / "3.txt").write_text(
        "Recipes for a soup of leeks, potatoes and cream, with a note on pans. " * 4
    )
    return audit(Report(TEXT), sources=SourceFolder(tmp_path))


def test_each_citation_has_a_verdict_and_accuracy_stands_beside_what_was_checked(found):
    assert [item.verdict for item in found.citations.citations] == ["supports", "not_available", "not_there"]
    assert (found.citations.checked, found.citations.accuracy, found.citations.effective) == (2, 0.5, 1)
    text = overview_text(found, painter=Painter(), say=interface("en"))
    assert "citation accuracy 50%, checked 2 of 3" in text
    assert "not there https://c.example/three" in text
    assert "引用准确率 50%，已核对 2/3" in overview_text(found, painter=Painter(), say=interface("zh"))


def test_json_has_them_and_reads_them_back(found):
    data = json.loads(json.dumps(found.to_dict()))
    assert data["citations"]["accuracy"] == 0.5
    assert Audit.from_dict(data).citations == found.citations


def test_the_page_has_them(found):
    assert "citation accuracy 50%, checked 2 of 3" in audit_page(found)


def test_without_texts_nothing_is_said(tmp_path):
    assert "citations" not in audit(Report(TEXT)).to_dict()
