"""Every path of the yardsticks once through the real SmolLM2, as a user runs it: command line, ledger, HTTP, llama.cpp.

A model of 135 million parameters judges nothing well. What is held here is form: a valid value, or a status with its
reason; nothing invented; each call counted and kept; the same answer again for nothing. Which of the two it is may
differ between machines, so no test says which, except where the schema leaves the model no way out.

``ASSAY_LIVE_TABLE=FILE`` adds a line for each path: calls, tokens in, of these cached, tokens out, seconds, outcome.
"""

from __future__ import annotations

import json
import os
import re
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
import yaml
from click.testing import CliRunner, Result

from assay import Report
from assay.cli.main import root
from assay.generation.query_category import load_categories
from assay.generation.suitability import CONSTRAINTS, CRITERIA
from assay.models.base import Usage
from assay.models.llama_server import can_serve
from assay.rubrics.dimensions import DIMENSION_KEYS
from assay.rubrics.instance import load_instance_rubrics
from assay.rubrics.loader import load_rubric
from assay.rubrics.tasks import LEVELS
from assay.runs.ledger import open_ledger
from assay.strategies.quotes import locate

pytestmark = pytest.mark.skipif(not can_serve(), reason="xllamacpp is not installed")

MODEL = "local/smollm2-135m"
QUERY = "Is a heat pump worth it in an old house?"
A = (
    "# Heat pumps\n\nHeat pumps cut heating costs in insulated houses. An audit of 120 houses in 2023 found savings of 40 % "
    "where the walls were insulated. Without insulation the savings fell to 12 %.\n"
)
B = (
    "# Heat pumps\n\nHeat pumps never pay back. They cost 12,000 euros and a gas boiler costs 4,000 euros. So a boiler is "
    "the better choice.\n"
)
LONGER = (
    "# Heat pumps\n\n## Costs\n\nAn audit of 120 houses in 2023 found that heat pumps saved 40 % of heating costs where the "
    "house was insulated. Without insulation the savings fell to 12 %. The audit covers one region only.\n\n"
    "## Limits\n\nNo house was older than 1950. Heat pumps never pay back without insulation, said the authors. They advise "
    "to insulate first and to buy the pump later.\n"
)
CRITERION = {"key": "savings", "asks": "States the savings found by the audit of 2023.", "weight": 5}
OTHERS = (
    {"key": "limits", "asks": "Names a limit of the audit.", "weight": 2},
    {"key": "wrong", "asks": "Claims that heat pumps never pay back.", "weight": -3},
)
STATUSES = ("ok", "unparsed", "refused", "failed")
_SPENT = re.compile(r"(\d+) calls?, ([\d,]+) tokens in(?:, \d+% cached)?, ([\d,]+) out")


class Done(msgspec.Struct):
    """What a command did."""

    result: Result
    usage: Usage
    replies: list[dict[str, Any]]
    seconds: float

    @property
    def out(self) -> str:
        return self.result.stdout

    def json(self) -> Any:
        return json.loads(self.out)


class Live:
    """Runs commands on one ledger, each twice: the second time nothing may be asked."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.ledger = folder / "ledger.sqlite"

    def write(self, name: str, text: str) -> str:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
        return name

    def rubric(self, *criteria: dict[str, Any]) -> str:
        return self.write("criteria.yaml", yaml.safe_dump({"name": "pumps", "criteria": list(criteria)}))

    def __call__(self, *args: object, codes: tuple[int, ...] = (0, 3), made: str | None = None) -> Done:
        """Run a command.

        Args:
            *args: Its words, without the ledger.
            codes: Exit codes that are an honest end. 3: the model gave nothing that could be used.
            made: A file it writes, which must come out the same.
        """
        before = self._calls()
        began = time.monotonic()
        result = self._run(*args)
        seconds = time.monotonic() - began
        assert result.exit_code in codes, result.stderr
        assert "a bug in Assay" not in result.stderr
        assert "Traceback" not in result.stderr
        rows = self._calls()[len(before) :]
        usage = sum((msgspec.convert(row["usage"], Usage) for row in rows), start=Usage())
        self._check_usage(rows, usage, result.stderr)
        written = self._bytes(made)
        self._same_for_nothing(args, result, made, written)
        return Done(result, usage, rows, seconds)

    def _run(self, *args: object) -> Result:
        words = [*map(str, args), "--ledger", str(self.ledger)]
        return CliRunner().invoke(root, words, prog_name="assay")

    def _check_usage(self, rows: list[dict[str, Any]], usage: Usage, said: str) -> None:
        """Every call in the ledger, with what it took; and what the user is told is their sum."""
        assert rows
        assert usage.calls == len(rows)
        assert all(row["usage"]["input_tokens"] > 50 for row in rows)
        assert usage.output_tokens > 0
        assert usage.cost_usd == 0
        told = _SPENT.search(said)
        assert told is not None, said
        assert [int(number.replace(",", "")) for number in told.groups()] == [
            usage.calls,
            usage.input_tokens,
            usage.output_tokens,
        ]

    def _same_for_nothing(
        self, args: tuple[object, ...], first: Result, made: str | None, written: bytes | None
    ) -> None:
        count = len(self._calls())
        if made is not None:
            (self.folder / made).unlink(missing_ok=True)
        again = self._run(*args)
        assert len(self._calls()) == count
        assert again.exit_code == first.exit_code
        assert again.stdout == first.stdout
        assert self._bytes(made) == written

    def _bytes(self, made: str | None) -> bytes | None:
        path = self.folder / (made or "")
        return path.read_bytes() if made is not None and path.is_file() else None

    def _calls(self) -> list[dict[str, Any]]:
        if not self.ledger.exists():
            return []
        ledger = open_ledger(self.ledger, read_only=True)
        try:
            keys = ledger.find_keys()
            return [msgspec.to_builtins(ledger.reply(key)) for key in keys]
        finally:
            ledger.close()


@pytest.fixture
def live(llama_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request) -> Iterator[Live]:
    """The command line in an empty folder, with the server of the tests for the model."""
    from servers.llama import model_file

    table = os.environ.get("ASSAY_LIVE_TABLE")
    for name in list(os.environ):
        if name.startswith("ASSAY_") or name in ("NO_COLOR", "FORCE_COLOR"):
            monkeypatch.delenv(name)
    monkeypatch.setenv("ASSAY_CACHE_DIR", str(model_file().parent.parent))
    monkeypatch.setenv("LOCAL_BASE_URL", llama_url)
    monkeypatch.chdir(tmp_path)
    yield Live(tmp_path)
