"""Pairs of a report and its argument, put together from phrase banks: no model, no key, the same for the same seed.

Since the arguments are planted, the pairs prove little about real reports: an error of extraction here is a fault, but
what it gets right here it may still get wrong on real reports. They come in English and Chinese, in several shapes (sections, bare
paragraphs, lists), with claims before or after their evidence, with sentences that argue nothing, and with evidence
that carries a claim elsewhere.
"""

from __future__ import annotations

import random
import re
from functools import lru_cache
from pathlib import Path
from typing import Any, Final, Literal

import msgspec

from assay.errors import UsageError
from assay.logic.ground_truth.composer import Claim, ClaimFact, compose
from assay.logic.ground_truth.pair import GroundTruthPair, PairOrigin
from assay.text.phrases import PhraseFile

_PHRASES: Final = PhraseFile("assay.logic.ground_truth", "sentences")
SMALLEST: Final = 4
LARGEST: Final = 110
# Must change whenever the same seed gives another text.
_VERSION: Final = "1"
_RANGE: Final = re.compile(r"<(\d+(?:\.\d+)?)-(\d+(?:\.\d+)?)>")
_FIGURE: Final = re.compile(r"\d+(?:\.\d+)? ?(?:percent|%)")
_BETWEEN: Final = {"en": " ", "zh": ""}
# How often something happens.
_CROSS: Final = 0.12
_LINK: Final = 0.4
_FILLER: Final = 0.15
_AFTER: Final = 0.25
_LAYOUTS: Final = ("sections", "paragraphs", "lists")


class _Leaf(msgspec.Struct):
    """A point chosen for a report: its pillar, aspect and point, and how many of its facts are used."""

    pillar: int
    aspect: int
    point: int
    facts: int


def synthetic_pairs(
    count: int, *, seed: int = 0, languages: tuple[str, ...] = ("en", "zh")
) -> list[GroundTruthPair]:
    """Return pairs in alternating languages, with sizes spread over all bins of the paper.

    Args:
        count: Number of pairs.
        seed: Seed; another one gives other texts.
        languages: "en", "zh" or both.
    """
    pairs: list[GroundTruthPair] = []
    for number in range(count):
        rng = random.Random(f"{seed}/{number}")  # noqa: S311 - drawn, not guarded
        low, high = ((6, 24), (25, 49), (50, 100))[(number // len(languages)) % 3]
        language: Literal["en", "zh"] = "zh" if languages[number % len(languages)] == "zh" else "en"
        pairs.append(synthetic_pair(seed, number, size=rng.randint(low, high), language=language))
    return pairs


def synthetic_pair(
    seed: int, number: int = 0, *, size: int, language: Literal["en", "zh"] = "en"
) -> GroundTruthPair:
    """Return a pair of about ``size`` nodes.

    Args:
        seed: Seed of the set.
        number: Number of the pair in its set.
        size: Nodes, from `SMALLEST` to `LARGEST`; met within two or three.
        language: Language of the report.

    Raises:
        UsageError: The size is out of range.
    """
    if not SMALLEST <= size <= LARGEST:
        raise UsageError(f"a synthetic pair has {SMALLEST} to {LARGEST} nodes, not {size}")
    maker = _ReportBuilder(random.Random(f"{seed}/{number}/{size}/{language}"), language)  # noqa: S311 - as above
    root = maker.root(size)
    text, graph = compose(root, note=maker.note)
    return GroundTruthPair(
        id=f"synthetic-{seed}-{number}-{language}",
        topic=root.title,
        language=language,
        made_by=PairOrigin(kind="synthetic", version=_VERSION, seed=seed),
        evidence="planted",
        report=text,
        graph=graph,
    )


class _ReportBuilder:
    """Builds one report: its words are drawn once, its shape follows from its size."""

    def __init__(self, rng: random.Random, language: Literal["en", "zh"]) -> None:
        self.rng = rng
        self.language = language
        self.bank = _bank(language)
        self.note: tuple[str, str] = tuple(self.bank["note"])
        self.words: dict[str, str] = dict(rng.choice(self.bank["subjects"]))
        self.words["region"] = rng.choice(self.bank["regions"])
        self.layout = rng.choice(_LAYOUTS)
        # Claims are keyed by the path of their place in the bank.
        self.cited: list[tuple[str, str, str]] = []  # key of a point, its heading, a figure of its evidence
        self.leans: dict[str, str] = {}  # key of a claim → key of the point whose evidence it leans on

    def root(self, size: int) -> Claim:
        """Return the whole argument."""
        levels = (
            3 if size < 14 else self.rng.choice((3, 4) if size < 30 else (4, 5) if size < 60 else (5, 5, 4))
        )
        leaves = self._leaves(size, levels)
        if levels == 3:
            below = [self._point(leaf, section=size >= 12) for leaf in leaves]
        elif levels == 4:
            below = self._aspects(leaves)
        else:
            below = []
            for pillar in sorted({leaf.pillar for leaf in leaves}):
                inside = [leaf for leaf in leaves if leaf.pillar == pillar]
                entry = self.bank["pillars"][pillar]
                below.append(self._inner(str(pillar), entry, self._aspects(inside)))
        thesis = self._fill(self.rng.choice(self.bank["theses"]))
        title = self._fill(self.rng.choice(self.bank["titles"]))
        claim = Claim(
            key="root", text=thesis, title=title, blocks=(self._padded(thesis),), claims=tuple(below)
        )
        return self._carried(claim)

    def _leaves(self, size: int, levels: int) -> list[_Leaf]:
        """Return points with their facts, so that the nodes add up to ``size``."""
        rng = self.rng
        places = [
            (p, a, i)
            for p, pillar in enumerate(self.bank["pillars"])
            for a, aspect in enumerate(pillar["aspects"])
            for i in range(len(aspect["points"]))
        ]
        # If there are aspects, whole ones come first, so that none holds a single point.
        order = {(p, a): rng.random() for p, a, _ in places}
        rng.shuffle(places)
        if levels > 3:
            places.sort(key=lambda place: order[place[:2]])
        most = rng.choice((2, 3, 3, 4)) if size <= 90 else 4
        leaves: list[_Leaf] = []
        nodes = 1
        parts: set[tuple[int, ...]] = set()
        for pillar, aspect, point in places:
            over: set[tuple[int, ...]] = set()
            if levels > 3:
                over.add((pillar, aspect))
            if levels > 4:
                over.add((pillar,))
            cost = 1 + len(over - parts)
            if nodes + cost + 1 > size:
                break
            parts |= over
            facts = min(rng.randint(1, most), size - nodes - cost)
            leaves.append(_Leaf(pillar, aspect, point, facts))
            nodes += cost + facts
        for leaf in leaves:
            # The remaining nodes go wherever they fit.
            more = max(0, min(4 - leaf.facts, size - nodes))
            leaf.facts += more
            nodes += more
        return sorted(leaves, key=lambda leaf: (leaf.pillar, leaf.aspect)) if levels > 3 else leaves

    def _aspects(self, leaves: list[_Leaf]) -> list[Claim]:
        """Return the claims of the aspects that hold these points."""
        out: list[Claim] = []
        for pillar, aspect in sorted({(leaf.pillar, leaf.aspect) for leaf in leaves}):
            inside = [leaf for leaf in leaves if (leaf.pillar, leaf.aspect) == (pillar, aspect)]
            points = [self._point(leaf, section=self.layout == "sections") for leaf in inside]
            out.append(
                self._inner(f"{pillar}.{aspect}", self.bank["pillars"][pillar]["aspects"][aspect], points)
            )
        return out

    def _inner(self, key: str, entry: dict[str, Any], below: list[Claim]) -> Claim:
        text = self._lean(key, self._fill(self.rng.choice(entry["claims"])))
        return Claim(
            key=key,
            text=text,
            title=self._fill(entry["title"]),
            blocks=(self._padded(text),),
            claims=tuple(below),
        )

    def _point(self, leaf: _Leaf, *, section: bool) -> Claim:
        """Return a claim with its evidence in one paragraph or list."""
        rng = self.rng
        key = f"{leaf.pillar}.{leaf.aspect}.{leaf.point}"
        entry = self.bank["pillars"][leaf.pillar]["aspects"][leaf.aspect]["points"][leaf.point]
        title = self._fill(entry["title"])
        text = self._lean(key, self._fill(rng.choice(entry["claims"])))
        chosen = sorted(rng.sample(range(len(entry["evidence"])), leaf.facts))
        plain = [self._fill(entry["evidence"][i]) for i in chosen]
        listed = self.layout == "lists" and len(plain) > 1
        links = self.bank["links"]
        facts = list(plain)
        if not listed and rng.random() < _LINK:
            facts[0] = self._linked(rng.choice(links["evidence"]), facts[0])
        for sentence in facts:
            figure = _FIGURE.search(sentence)
            if figure:
                self.cited.append((key, title if section else "", figure.group()))
        between = _BETWEEN[self.language]
        if listed:
            blocks: tuple[str, ...] = (text, "\n".join(f"- {fact}" for fact in facts))
        elif rng.random() < _AFTER and len(facts) > 1:
            # The claim sums up what stands before it.
            lead = rng.choice(links["concluding"])
            blocks = (between.join([*facts, lead + text]),)
            if lead.endswith("："):
                # A sentence together with the list that it opens.
                text = lead + text
        else:
            blocks = (between.join([text, *facts]),)
        return Claim(
            key=key,
            text=text,
            title=title if section else "",
            blocks=blocks,
            facts=tuple(map(ClaimFact, facts)),
        )

    def _lean(self, key: str, text: str) -> str:
        """Return the claim's sentence, sometimes extended by an earlier figure, so that this evidence supports two claims."""
        far = [found for found in self.cited if found[0].rpartition(".")[0] != key.rpartition(".")[0]]
        if not far or key.count(".") < 1 or self.rng.random() >= _CROSS:
            return text
        at, title, figure = self.rng.choice(far)
        self.leans[key] = at + "\n" + figure
        words: str = self.rng.choice(self.bank["links"]["cross" if title else "cross_untitled"])
        words = words.format(figure=figure, title=title)
        return text[:-1] + words + text[-1]

    def _carried(self, claim: Claim) -> Claim:
        """Return the tree with the further claims of its evidence added."""
        facts = tuple(
            ClaimFact(
                fact.text,
                fact.source,
                tuple(key for key, at in self.leans.items() if self._is(claim, fact, at)),
            )
            for fact in claim.facts
        )
        return msgspec.structs.replace(claim, facts=facts, claims=tuple(map(self._carried, claim.claims)))

    @staticmethod
    def _is(claim: Claim, fact: ClaimFact, entry: str) -> bool:
        key, figure = entry.split("\n")
        first = _FIGURE.search(fact.text)
        return claim.key == key and first is not None and first.group() == figure

    def _padded(self, text: str) -> str:
        """Return the claim's paragraph, sometimes with a sentence that argues nothing."""
        if self.rng.random() >= _FILLER:
            return text
        filler = self.rng.choice(self.bank["fillers"])
        return _BETWEEN[self.language].join([text, filler])

    @staticmethod
    def _linked(link: str, sentence: str) -> str:
        if not link or link.endswith(("，", "：")):
            return link + sentence
        # Words that may open a sentence and lose their capital elsewhere; names keep theirs.
        first, _, rest = sentence.partition(" ")
        lower = first in _PHRASES["lowered_openers"].en
        return f"{link}{first.lower() if lower else first} {rest}"

    def _fill(self, template: str) -> str:
        """Return the template with its slots and numbers filled, its first letter a capital."""
        rng = self.rng
        firm, other = rng.sample(self.bank["firms"], 2)
        words = {**self.words, "firm": firm, "other": other, "agency": rng.choice(self.bank["agencies"])}
        text = _RANGE.sub(lambda found: _drawn(rng, found[1], found[2]), template.format(**words))
        return text[0].upper() + text[1:]


def _drawn(rng: random.Random, low: str, high: str) -> str:
    if "." in low or "." in high:
        return f"{rng.uniform(float(low), float(high)):.1f}"
    return str(rng.randint(int(low), int(high)))


@lru_cache(maxsize=2)
def _bank(language: str) -> dict[str, Any]:
    import yaml  # noqa: PLC0415 - where it is used

    entry: dict[str, Any] = yaml.safe_load(
        Path(__file__).with_name(f"bank.{language}.yaml").read_text("utf-8")
    )
    return entry
