"""The settings of an extraction, and its results."""

from __future__ import annotations

from typing import Final

import msgspec

from assay.generation.base import AuthorReply
from assay.logic.graph import LogicGraph
from assay.logic.similarity import Similarity

# Most tokens of a call: its own text, a query, a reply, and a second try that shows the reply.
_WINDOW: Final = 32_000
# The words of the task.
_TASK: Final = 1400
_LEAST: Final = 300


class ExtractionSettings(msgspec.Struct, frozen=True, kw_only=True):
    """How much is shown in one call. By default every call fits a window of 32,000 tokens, whatever the report.

    Attributes:
        whole: Most tokens of a report that is read in one call: about 2,200 English words.
        part: Most tokens of a part of a longer report. With more, a model lists fewer statements.
        line: Most characters of a sentence that is shown in one piece.
        claims: Most claims that one call of the merge puts in order.
        claims_tokens: Most tokens of these claims.
        pairs: Pairs in one call about links between parts.
        links: Most pairs that are asked about, for each part of the report.
        supports: Claims in one call about support.
        supports_tokens: Most tokens of these claims and what stands under them.
        children: Most nodes that are shown under a claim that is checked; the first ones.
        text: Most characters of a node that is shown outside its part.
        query: Most characters of the query that are shown.
    """

    whole: int = 3000
    part: int = 2500
    line: int = 1200
    claims: int = 40
    claims_tokens: int = 4000
    pairs: int = 16
    links: int = 6
    supports: int = 8
    supports_tokens: int = 4000
    children: int = 16
    text: int = 400
    query: int = 4000

    def within(self, window: int | None, reply: int) -> ExtractionSettings:
        """Return settings for a model with a small window; unchanged if the window is unknown or large enough.

        Args:
            window: Tokens of prompt and reply together.
            reply: Tokens of the reply.
        """
        if window is None or window >= _WINDOW:
            return self
        # A second try shows the first reply again.
        budget = max(_LEAST, window - 2 * reply - _TASK)
        return msgspec.structs.replace(
            self,
            whole=min(self.whole, budget),
            part=min(self.part, budget),
            line=min(self.line, budget),
            claims_tokens=min(self.claims_tokens, budget),
            pairs=max(1, min(self.pairs, budget // self.text)),
            supports_tokens=min(self.supports_tokens, budget),
            children=max(4, min(self.children, budget // self.text * 2)),
            query=min(self.query, budget),
        )


class ExtractionStep(msgspec.Struct, frozen=True):
    """A call of the extraction, by name: ``section:3``, ``merge``, ``links``, ``support:0``.

    If several calls merge or link, they are ``merge:LEVEL:NUMBER`` and ``links:NUMBER``; all numbers start at 0.
    """

    name: str
    written: AuthorReply


class GraphComparison(msgspec.Struct, frozen=True):
    """The similarity of the model's graph and the rule-built one.

    Attributes:
        similarity: Similarity of their sizes (FinResearchBench, section 4.3.4).
        in_rules: Share of the model's nodes whose words overlap those of a rule-built node; None if it has no nodes.
        in_model: Share of the rule-built nodes whose words overlap those of a node of the model's; None likewise.
    """

    similarity: Similarity
    in_rules: float | None
    in_model: float | None


class Extraction(msgspec.Struct, frozen=True):
    """A graph, and how it was made.

    Attributes:
        graph: The graph; each node is words of the report, or a shorter wording without other words.
        steps: All calls, in the order in which they build on each other.
        problems: Problems and corrections, in words.
        fallback: Whether the graph is the rule-built one, because the model gave nothing usable.
        rules: Comparison of the model's graph, empty with a fallback, with the rule-built one.
        dropped: Nodes of the model that are not in the graph: not in the report, or evidence for nothing.
    """

    graph: LogicGraph
    steps: tuple[ExtractionStep, ...]
    problems: tuple[str, ...]
    fallback: bool
    rules: GraphComparison
    dropped: int = 0

    def summary(self) -> str:
        """Return one line: the size of the graph, and how far the rules agree."""
        count = len(self.graph.nodes)
        nodes = "1 node" if count == 1 else f"{count} nodes"
        dropped = f"{self.dropped} of the model's dropped"
        if self.fallback:
            return f"{nodes}, all by rules; {dropped}"
        rules = self.rules
        shares = [
            f"{share:.0%} of {whose}"
            for share, whose in ((rules.in_rules, "its nodes in theirs"), (rules.in_model, "theirs in its"))
            if share is not None
        ]
        return (
            f"{nodes}, {dropped}; beside the rule-built graph: size and shape {rules.similarity.average:.2f} alike"
            + "".join(f", {share}" for share in shares)
        )
