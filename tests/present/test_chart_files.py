"""Charts as files: every format opens, and nothing is written halfway."""

import io
import sys

import pypdf
import pytest

from assay.errors import MissingExtraError, UsageError
from assay.present.chart_files import write_charts
from assay.present.charts import Bar, BarGroup, bars


def chart(key, label="一 <b> & Ωmega"):
    return bars([BarGroup("", [Bar(label=label, value=0.5, low=0.4, high=0.6)])], key=key, title="Shares")


def test_each_chart_is_a_file_beside_the_name(tmp_path):
    pytest.importorskip("vl_convert")
    for kind in ("svg", "png", "pdf"):
        files = write_charts([chart("one"), chart("two")], tmp_path / f"board.{kind}", kind)
        assert [file.name for file in files] == [f"board-one.{kind}", f"board-two.{kind}"]
    png = (tmp_path / "board-one.png").read_bytes()
    width = int.from_bytes(png[16:20])
    assert png.startswith(b"\x89PNG")
    assert width == 2 * (960 + 24)
    page = pypdf.PdfReader(io.BytesIO((tmp_path / "board-one.pdf").read_bytes())).pages[0]
    assert "50.0 %" in page.extract_text()


def test_one_chart_has_the_name_itself(tmp_path):
    assert write_charts([chart("one")], tmp_path / "front.svg", "svg") == [tmp_path / "front.svg"]


def test_without_the_extra_nothing_is_written(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "vl_convert", None)
    with pytest.raises(MissingExtraError, match="vl-convert-python"):
        write_charts([chart("one"), chart("two")], tmp_path / "board.png", "png")
    assert list(tmp_path.iterdir()) == []


def test_no_charts_is_an_error(tmp_path):
    with pytest.raises(UsageError, match="no charts"):
        write_charts([], tmp_path / "x.svg", "svg")
