"""``assay mcp``: tools for agents over the Model Context Protocol."""

from __future__ import annotations

from assay.cli.arguments import JUDGE, Arguments, option
from assay.cli.commands import command
from assay.cli.options import Amount


class McpArguments(Arguments):
    """What the command line of ``assay mcp`` says."""

    model: str = option(
        "The model that reads for faults, repairs and compares; without one, rules alone.",
        "MODEL",
        default="",
        show_default=False,
        group=JUDGE,
    )
    max_usd: float | None = option("Most that one review may cost, in USD.", type=Amount(0), group=JUDGE)
    ledger: str | None = option(
        "Where calls are kept, so that none is paid for twice. [nowhere]", "WHERE", group=JUDGE
    )


@command(McpArguments)
def mcp(args: McpArguments) -> int:
    """Serve audits, source checks, comparisons and repairs to an agent, over standard input and output.

    \b
    {"mcpServers": {"assay": {"command": "assay", "args": ["mcp"]}}}

    The agent passes whole texts; the server opens no file and fetches no page. Without --model nothing leaves the machine.
    """  # noqa: D301 - click reads the backspace as "do not wrap"
    from assay.runs.budget import Budget
    from assay.services.agent_tools import AgentTools
    from assay.services.mcp_server import mcp_server

    budget = Budget(usd=args.max_usd) if args.max_usd is not None else None
    mcp_server(AgentTools(args.model or None, ledger=args.ledger, budget=budget)).run("stdio")
    return 0
