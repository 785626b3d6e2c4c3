"""A server of the Model Context Protocol, over standard input and output: an agent audits its draft before it hands it in.

The protocol is the official SDK's; what the tools do is in `assay.services.agent_tools`.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import wraps
from typing import TYPE_CHECKING, Any, Final

from assay._version import __version__
from assay.errors import AssayError, MissingExtraError

if TYPE_CHECKING:
    from mcp.server import MCPServer

    from assay.services.agent_tools import AgentTools

INSTRUCTIONS: Final = (
    "Assay finds where the reasoning of a research report breaks. Before you hand a report in: audit_report with the whole "
    "text and the question; mend what it finds, or say why it stands; audit again. Give check_sources the texts of the "
    "pages you read, and see that each says what you cite it for. A finding is a hint with a place, not a verdict: "
    "read the sentence before you change it, and never invent a source or a figure to silence one."
)


def mcp_server(tools: AgentTools) -> MCPServer:
    """Return a server with the tools.

    Raises:
        MissingExtraError: The SDK is not installed.
    """
    try:
        from mcp.server import MCPServer  # noqa: PLC0415 - optional
        from mcp.server.mcpserver.exceptions import ToolError  # noqa: PLC0415
    except ImportError as error:
        raise MissingExtraError("the server for agents", "mcp") from error

    def told(run: Callable[..., Awaitable[dict[str, Any]]]) -> Callable[..., Awaitable[dict[str, Any]]]:
        """Turn an error of ours into one that the agent reads."""

        @wraps(run)
        async def ran(*args: Any, **named: Any) -> dict[str, Any]:
            try:
                return await run(*args, **named)
            except AssayError as error:
                raise ToolError(str(error)) from None

        return ran

    server = MCPServer("assay", version=__version__, instructions=INSTRUCTIONS)
    can_read = tools.model is not None

    @server.prompt(name="before_you_hand_in", description="How to use these tools on a draft.")
    def before_you_hand_in() -> str:
        return INSTRUCTIONS

    @server.tool(description=_about("audit", can_read))
    @told
    async def audit_report(report: str, question: str = "", review: bool = False) -> dict[str, Any]:
        return await tools.audit_report(report, question, review=review)

    @server.tool(
        description="Check whether sources say what a report cites them for. `sources` maps each address, or reference "
        "number, to the text of the page. Each cited claim gets supports, partly, contradicts, not_there, not_available or undecided."
    )
    @told
    async def check_sources(report: str, sources: dict[str, str]) -> dict[str, Any]:
        return await tools.check_sources(report, sources)

    @server.tool(description=_about("compare", can_read))
    @told
    async def compare_reports(a: str, b: str, question: str = "") -> dict[str, Any]:
        return await tools.compare_reports(a, b, question)

    @server.tool(
        description="Show the argument of a report as a graph: claims, evidence, and what supports what."
    )
    @told
    async def show_argument(report: str) -> dict[str, Any]:
        return tools.show_argument(report)

    @server.tool(
        description="Explain a code of a finding, such as NUM003: what it means, why it matters, where it errs."
    )
    @told
    async def explain_code(code: str) -> dict[str, Any]:
        return dict(tools.explain_code(code))

    if can_read:

        @server.tool(
            description="Have a model read a report for faults and make the smallest repairs. It never brings in a figure, an "
            "address or a citation that the report does not have; what needs a source is listed and left to you."
        )
        @told
        async def repair_report(report: str, question: str = "") -> dict[str, Any]:
            return await tools.repair_report(report, question)

    return server


def _about(tool: str, can_read: bool) -> str:
    if tool == "audit":
        more = " With review=true a model reads it as well (seconds, and money)." if can_read else ""
        return (
            "Find where a research report breaks: figures that disagree, citations that lead nowhere, claims without "
            f"support. Pass the whole Markdown text, and the question it answers.{more}"
        )
    how = (
        "A model compares them on eight dimensions of logic, in both orders."
        if can_read
        else "By rules alone: a weak hint."
    )
    return f"Say which of two reports on one question is better. {how}"
