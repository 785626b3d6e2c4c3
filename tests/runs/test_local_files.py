"""Models in files of one's own: a changed file is another model."""

import asyncio

import pytest

from assay.judges.settings import JudgeSettings
from assay.models.settings import ModelSettings
from assay.runs.ledger import open_ledger
from assay.runs.session import Session
from assay.subjects.case import Case
from assay.subjects.report import Report
from servers.fault import FaultServer

REPORT = Report("Heat pumps save money, says an audit.", query="Is a heat pump worth it?")


@pytest.fixture
def server():
    with FaultServer() as running:
        yield running


def judged(tmp_path, server, *names):
    """Judge by each name, in one session, with the ledger of this test."""

    async def run():
        ledger = open_ledger(tmp_path / "ledger.sqlite")
        overrides = ModelSettings(base_url=server.base_url, context=4096)
        try:
            async with Session(ledger=ledger, overrides=overrides) as session:
                found = []
                for name in names:
                    judge = await session.judge(name, settings=JudgeSettings(max_tokens=50))
                    judge.check(Case(REPORT))
                    assert session.settings(judge.model.id).context == 4096
                    found.append((judge.version, await judge.judge(Case(REPORT))))
                return found
        finally:
            ledger.close()

    return asyncio.run(run())


def test_a_changed_file_is_asked_again_and_an_unchanged_one_is_not(tmp_path, server):
    path = tmp_path / "own.gguf"
    path.write_bytes(b"GGUF" + bytes(2000))
    ((first, judgment),) = judged(tmp_path, server, f"direct@local/{path}")
    assert judgment.status == "ok"
    assert judgment.judge.startswith(f"direct@local/{path}#")
    assert len(server.bodies) == 1
    ((second, _),) = judged(tmp_path, server, f"direct@local/{path}")
    assert (second, len(server.bodies)) == (first, 1)
    path.write_bytes(b"GGUF" + bytes(1999) + b"?")
    ((third, _),) = judged(tmp_path, server, f"direct@local/{path}")
    assert third != first
    assert len(server.bodies) == 2


def test_the_id_of_a_file_opens_the_same_model(tmp_path, server):
    path = tmp_path / "own.gguf"
    path.write_bytes(b"GGUF" + bytes(2000))
    ((_, judgment),) = judged(tmp_path, server, f"direct@local/{path}")
    (one, _), (two, _) = judged(tmp_path, server, f"direct@local/{path}", judgment.judge)
    assert one == two
    assert len(server.bodies) == 1


def test_a_plan_has_the_version_of_the_run(tmp_path, server):
    path = tmp_path / "own.gguf"
    path.write_bytes(b"GGUF" + bytes(2000))
    name = f"direct@local/{path}"
    ((version, _),) = judged(tmp_path, server, name)

    async def planned():
        overrides = ModelSettings(base_url=server.base_url, context=4096)
        async with Session(connect=False, overrides=overrides) as session:
            return (await session.judge(name, settings=JudgeSettings(max_tokens=50))).version

    assert asyncio.run(planned()) == version
