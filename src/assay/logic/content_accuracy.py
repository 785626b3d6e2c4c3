"""How much of a known argument was found: the main claim, the nodes, the links, the attacks.

Counts are pooled over texts, because a text of five sentences has too few links for a share of its own; intervals
resample texts.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import msgspec
import numpy as np

from assay.logic.matching import (
    Match,
    attack_match,
    has_right_root,
    link_match,
    match_nodes,
    node_match,
    relation_match,
)
from assay.measures.intervals import Estimate, too_few

if TYPE_CHECKING:
    from collections.abc import Sequence

    from assay.logic.graph import LogicGraph

RESAMPLES: Final = 2000
SEED: Final = 20250722


class ContentScore(msgspec.Struct, frozen=True, kw_only=True):
    """What one graph has in common with the true one.

    Attributes:
        root: Whether the first root is the true one.
        nodes: Match of the nodes, by the words they cover.
        links: Match of the edges as pairs of units.
        relations: Match of the edges with direction and relation.
        attacks: Match of the edges that rebut or undercut, as pairs of units.
    """

    root: bool
    nodes: Match
    links: Match
    relations: Match
    attacks: Match


class ContentAccuracy(msgspec.Struct, frozen=True, kw_only=True):
    """Shares over all texts, each with its 95 % interval."""

    texts: int
    root: Estimate
    node_precision: Estimate
    node_recall: Estimate
    link_precision: Estimate
    link_recall: Estimate
    relation_precision: Estimate
    relation_recall: Estimate
    attack_f1: Estimate


def score_content(true: LogicGraph, found: LogicGraph) -> ContentScore:
    """Compare an extracted graph with the true one."""
    matched = match_nodes(true, found)
    return ContentScore(
        root=has_right_root(true, found, matched),
        nodes=node_match(true, found, matched),
        links=link_match(true, found, matched),
        relations=relation_match(true, found, matched),
        attacks=attack_match(true, found, matched),
    )


def content_accuracy(
    scores: Sequence[ContentScore], *, resamples: int = RESAMPLES, seed: int = SEED
) -> ContentAccuracy:
    """Return the shares over some texts, with bootstrap intervals."""

    def share(hits: Sequence[float], wholes: Sequence[float]) -> Estimate:
        return pooled(hits, wholes, resamples, seed)

    def precision(matches: Sequence[Match]) -> Estimate:
        return share([m.hits for m in matches], [m.found for m in matches])

    def recall(matches: Sequence[Match]) -> Estimate:
        return share([m.hits for m in matches], [m.true for m in matches])

    nodes, links = [s.nodes for s in scores], [s.links for s in scores]
    relations, attacks = [s.relations for s in scores], [s.attacks for s in scores]
    return ContentAccuracy(
        texts=len(scores),
        root=share([float(s.root) for s in scores], [1.0 for _ in scores]),
        node_precision=precision(nodes),
        node_recall=recall(nodes),
        link_precision=precision(links),
        link_recall=recall(links),
        relation_precision=precision(relations),
        relation_recall=recall(relations),
        attack_f1=share([2 * m.hits for m in attacks], [m.found + m.true for m in attacks]),
    )


def pooled(hits: Sequence[float], wholes: Sequence[float], resamples: int, seed: int) -> Estimate:
    """Return the sum of ``hits`` over that of ``wholes``, with the percentile interval of resampled texts."""
    n, whole = len(wholes), sum(wholes)
    if not whole:
        return Estimate(n=n, clusters=n, method="bootstrap", reason="nothing to average")
    value = sum(hits) / whole
    fields: dict[str, Any] = {"value": value, "n": n, "clusters": n, "method": "bootstrap"}
    if reason := too_few(n):
        return Estimate(**fields, reason=reason)
    drawn = np.random.default_rng(seed).integers(0, n, size=(resamples, n))
    above = np.asarray(hits, dtype=float)[drawn].sum(axis=1)
    below = np.asarray(wholes, dtype=float)[drawn].sum(axis=1)
    shares = above[below > 0] / below[below > 0]
    low, high = (float(x) for x in np.quantile(shares, (0.025, 0.975)))
    return Estimate(**fields, low=low, high=high)
