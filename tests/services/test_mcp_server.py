"""The server for agents, by the official SDK's own client: over standard input and output, and in memory."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest

from assay.errors import MissingExtraError, UsageError
from assay.models.scripted import ScriptedModel
from assay.services.agent_tools import LONGEST, AgentTools
from assay.services.mcp_server import mcp_server

mcp = pytest.importorskip("mcp")

ROOT = Path(__file__).parents[2]
REPORT = """# Heat pumps in Norfield

## Summary

Sales of heat pumps among rural households reached 356,000 units in 2023 [1]. Noise rose by 12 % [2], and installers left the trade [9].

## Sales

Sales reached 310,000 units in 2023, more than ever [1]. Therefore every household will switch by 2030.

## References

[1] Sales statistics: https://sales.example.org/2023
[2] Survey of noise: https://noise.example.org/survey
"""


def answered(tools: AgentTools, *calls: tuple[str, dict[str, Any]]) -> list[Any]:
    """What the SDK's client gets for calls of tools, from a server in this process."""
    from mcp.client import Client

    async def ask() -> list[Any]:
        async with Client(mcp_server(tools)) as client:
            return [await client.call_tool(name, given) for name, given in calls]

    return asyncio.run(ask())


def test_a_real_client_audits_over_standard_input_and_output() -> None:
    from mcp import ClientSession, StdioServerParameters
    from mcp.client.stdio import stdio_client

    async def go() -> tuple[Any, Any]:
        server = StdioServerParameters(
            command=sys.executable, args=["-m", "assay", "mcp"], env=dict(os.environ)
        )
        async with stdio_client(server) as (read, write), ClientSession(read, write) as session:
            about = await session.initialize()
            assert "Assay" in (about.instructions or "")
            prompts = await session.list_prompts()
            assert [item.name for item in prompts.prompts] == ["before_you_hand_in"]
            told = await session.get_prompt("before_you_hand_in")
            words = told.messages[0].content.text.split()
            assert words == (ROOT / "examples/agents/AGENTS.md").read_text("utf-8").split("\n", 1)[1].split()
            listed = await session.list_tools()
            return listed, await session.call_tool("audit_report", {"report": REPORT, "question": "Sales?"})

    listed, result = asyncio.run(go())
    names = {tool.name for tool in listed.tools}
    assert names == {"audit_report", "check_sources", "compare_reports", "show_argument", "explain_code"}
    assert all(tool.description for tool in listed.tools)
    found = json.loads(result.content[0].text)
    assert any(row["quote"] == "[9]" for row in found["findings"]), found
    assert found["read_by"] == "rules"


def test_findings_come_worst_first_and_lead_to_their_explanation() -> None:
    (result,) = answered(AgentTools(), ("audit_report", {"report": REPORT}))
    rows = result.structured_content["findings"]
    order = ["error", "warning", "info"]
    assert [row["severity"] for row in rows] == sorted((row["severity"] for row in rows), key=order.index)
    for row in rows:
        assert row["quote"] in REPORT
        assert row["quote"].splitlines()[0] in REPORT.splitlines()[row["line"] - 1]
    (told,) = answered(AgentTools(), ("explain_code", {"code": rows[0]["code"]}))
    assert told.structured_content["name"] == rows[0]["name"]
    assert told.structured_content["explanation"]


def test_sources_are_checked_against_the_texts_that_the_agent_has() -> None:
    sources = {
        "https://sales.example.org/2023/": "In Norfield, sales of heat pumps among rural households reached 356,000 units in 2023.",
        "[2]": "Bees make honey in summer.",
    }
    (result,) = answered(AgentTools(), ("check_sources", {"report": REPORT, "sources": sources}))
    verdicts = {
        (row["source"], row["line"]): row["verdict"] for row in result.structured_content["citations"]
    }
    assert verdicts["https://sales.example.org/2023", 5] == "supports"
    assert result.structured_content["counts"]["supports"] >= 1
    (none,) = answered(AgentTools(), ("check_sources", {"report": REPORT, "sources": {}}))
    assert set(none.structured_content["counts"]) == {"not_available"}


def test_errors_are_for_the_agent_to_read() -> None:
    calls = [
        ("audit_report", {"report": "  "}),
        ("audit_report", {"report": REPORT, "review": True}),
        ("explain_code", {"code": "XYZ999"}),
        ("compare_reports", {"a": REPORT, "b": ""}),
    ]
    results = answered(AgentTools(), *calls)
    told = [result.content[0].text for result in results]
    assert all(result.is_error for result in results)
    assert "pass its whole text" in told[0]
    assert "no model was given to this server" in told[1]
    assert "no check is called" in told[2]
    assert not any("Traceback" in text for text in told)
    with pytest.raises(UsageError, match="characters"):
        asyncio.run(AgentTools().audit_report("a" * (LONGEST + 1)))


def test_with_a_model_reports_can_be_repaired() -> None:
    seen: list[str] = []

    def reply(request: Any) -> str:
        seen.append(request.messages[-1].lead + request.messages[-1].text)
        return json.dumps({"faults": []})

    tools = AgentTools(ScriptedModel(reply))
    assert "repair_report" in asyncio.run(_names(tools))
    (result,) = answered(tools, ("repair_report", {"report": REPORT, "question": "Sales?"}))
    # A reader that finds nothing changes nothing.
    assert result.structured_content == {"report": REPORT, "repaired": [], "left": []}
    assert seen
    assert all("Norfield" in text for text in seen)


async def _names(tools: AgentTools) -> set[str]:
    from mcp.client import Client

    async with Client(mcp_server(tools)) as client:
        return {tool.name for tool in (await client.list_tools()).tools}


def test_without_the_sdk_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "mcp.server", None)
    with pytest.raises(MissingExtraError, match="mcp"):
        mcp_server(AgentTools())


def test_the_tools_read_no_file(tmp_path: Path) -> None:
    secret = tmp_path / "secret.md"
    secret.write_text("# Secret\n\nThe word is swordfish.\n", "utf-8")
    (result,) = answered(AgentTools(), ("audit_report", {"report": str(secret)}))
    assert "swordfish" not in json.dumps(result.structured_content)


def test_a_text_with_nothing_to_audit_says_so() -> None:
    (result,) = answered(AgentTools(), ("audit_report", {"report": "---"}))
    assert result.structured_content["findings"] == []
    assert result.structured_content["nothing"]
