"""A report and its argument, written by a model: split or explore from the top, then write from the bottom.

    pair = await write_pair(author, "Is the market for heat pumps saturated?", sources=read_documents("texts/"))

Each topic is split into sub-topics or explored for evidence; then every topic is argued as soon as what stands
under it is written (FinResearchBench, sections 3.1.2 and 4.3). Every node's sentence must stand in the report word
for word. If one is still missing after the model was asked to correct this, the pair fails.
"""

from __future__ import annotations

import asyncio
import hashlib
import re
from collections.abc import Awaitable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal, TypeVar

import msgspec

from assay.generation.base import Assignment, AuthorReply
from assay.logic.ground_truth.composer import Claim, ClaimFact, compose, locate
from assay.logic.ground_truth.pair import Evidence, GroundTruthPair, PairOrigin, WritingStep
from assay.logic.ground_truth.search import DocumentSearch, Passage
from assay.logic.ground_truth.targets import Target
from assay.models.base import PendingCall
from assay.strategies.base import PromptMaterial
from assay.strategies.json_schema import choice, table, text

if TYPE_CHECKING:
    from assay.generation.author import Author
    from assay.generation.base import Check
    from assay.logic.ground_truth.search import Search

T = TypeVar("T")
ASSIGNMENT: Final = Assignment(
    name="logic_pair",
    summary="A report together with its argument: split or explore, then writing from the bottom up.",
    template=str(Path(__file__).with_name("logic_pair.jinja")),
    source="finresearchbench, sections 3.1.2 and 4.3",
)
_PASSAGES: Final = 8
_TITLE: Final = 120
_SENTENCE: Final = 400
_TEXT: Final = 4000
_FIGURE: Final = re.compile(r"\d+(?:[.,]\d+)*")
_MARKED: Final = re.compile(r"^\s*(?:#|[-*+•]\s|\d{1,2}[.)]\s|>|\||```)", re.MULTILINE)
_ENDS: Final = frozenset(""".!。！”"'’」)）""")
_ORDER: Final = {"decide": 0, "gather": 1, "argue": 2}


class _UnwrittenNodeError(Exception):
    """A node could not be written, so there is no pair."""


class _Topic(msgspec.Struct, frozen=True):
    """A topic: its key ("1.2"), the titles from the whole down to it, what it covers, its neighbours."""

    key: str
    path: tuple[str, ...]
    covers: str = ""
    siblings: tuple[str, ...] = ()


async def write_pair(
    author: Author,
    topic: str,
    *,
    sources: Search | None = None,
    max_depth: int = 4,
    max_children: int = 4,
    language: Literal["en", "zh"] = "en",
) -> GroundTruthPair:
    """Return a report on a topic, and the graph it was written from.

    The calls depend only on the arguments and on earlier replies; siblings are asked at once.

    Args:
        author: The model.
        topic: The topic.
        sources: Search for evidence: `DocumentSearch`, or any other. Without one the model makes evidence up; the
            pair and the last section of its report then say that it is hypothetical.
        max_depth: Most levels, including the root and the evidence.
        max_children: Most sub-topics of a topic, and most pieces of evidence.
        language: Language of the report.

    Raises:
        UsageError: No such tree can be written.
        PendingCall: A reply comes in a later round.
    """
    target = Target(max_depth, max_children)
    topic = _line(topic)
    evidence: Evidence = "hypothetical"
    if sources is not None:
        evidence = "documents" if isinstance(sources, DocumentSearch) else "search"
    version = _hash([author.version(ASSIGNMENT), evidence])
    origin = PairOrigin(kind="model", version=version, model=author.model.id, seed=author.sampling.seed)
    maker = _PairWriter(author, topic, sources, target, language)
    shared: dict[str, Any] = {
        "id": _hash([topic, language, target, origin]),
        "topic": topic,
        "language": language,
        "made_by": origin,
        "evidence": evidence,
    }
    try:
        root = await maker.claim(_Topic("1", (topic,)))
    except _UnwrittenNodeError as error:
        return GroundTruthPair(**shared, status="failed", problem=str(error), steps=maker.recorded())
    word = maker.word
    listed, titles = maker.numbered(root)
    report, graph = compose(
        listed,
        sources=titles,
        sources_title=word("sources_title"),
        note=(word("note_title"), word("note")) if sources is None else None,
    )
    return GroundTruthPair(**shared, report=report, graph=graph, steps=maker.recorded())


class _PairWriter:
    """Writes one pair."""

    def __init__(
        self,
        author: Author,
        topic: str,
        sources: Search | None,
        target: Target,
        language: Literal["en", "zh"],
    ) -> None:
        self.author = author
        self.sources = sources
        self.target = target
        self.language = language
        self.material = PromptMaterial(query=topic, language=language)
        self.steps: list[WritingStep] = []
        # Passages of each explored topic: facts are numbered by topic first, by report when all is written.
        self.passages: dict[str, Sequence[Passage]] = {}

    def recorded(self) -> tuple[WritingStep, ...]:
        """Return the calls in the order of the tree; their replies came in any order."""
        return tuple(
            sorted(self.steps, key=lambda step: (tuple(map(int, step.node.split("."))), _ORDER[step.what]))
        )

    def word(self, block: str, **variables: Any) -> str:
        """Render words of the template."""
        return self.author.prompts.page(ASSIGNMENT.template, block, self.language, variables).strip()

    async def claim(self, topic: _Topic) -> Claim:
        """Write the argument of a topic, after everything below it."""
        below: list[Claim] = []
        facts: list[ClaimFact] = []
        parts = await self._parts(topic)
        if parts:
            below = await _together([self.claim(part) for part in parts])
        else:
            facts = await self._gather(topic)
        return await self._argue(topic, facts, below)

    async def _parts(self, topic: _Topic) -> list[_Topic]:
        """Return the sub-topics of a topic, or none if it is explored; at the last level but one it must be explored."""
        most = self.target.width
        if len(topic.path) >= self.target.depth - 1:
            return []
        schema = table(
            reason=text(_SENTENCE),
            choice=choice(("split", "explore")),
            subtopics={
                "type": "array",
                "maxItems": most,
                "items": table(title=text(_TITLE), covers=text(_SENTENCE)),
            },
        )

        def titles(value: Any) -> list[str]:
            return [_title(part["title"]) for part in value["subtopics"]]

        def flaws(value: Any) -> list[str]:
            if value["choice"] == "explore":
                return []
            found = titles(value)
            few = [] if len(found) >= 2 else [self.word("few", most=most, found=len(found))]
            return few + self._alike(found)

        value = await self._ask(topic, "decide", schema, flaws, most=most)
        if value["choice"] == "explore":
            return []
        if flaws(value):
            raise _UnwrittenNodeError(f"{topic.key}: {'; '.join(flaws(value))}")
        names = titles(value)
        return [
            _Topic(
                f"{topic.key}.{number}",
                (*topic.path, name),
                _line(part["covers"]),
                tuple(other for other in names if other != name),
            )
            for number, (name, part) in enumerate(zip(names, value["subtopics"], strict=True), start=1)
        ]

    async def _gather(self, topic: _Topic) -> list[ClaimFact]:
        """Gather evidence about a topic."""
        passages: Sequence[Passage] = ()
        if self.sources is not None:
            passages = await self.sources(" ".join((*topic.path, topic.covers)), _PASSAGES)
            if not passages:
                raise _UnwrittenNodeError(f"{topic.key}: no source says anything about {topic.path[-1]!r}")
        self.passages[topic.key] = passages
        number = {"source": {"type": "integer", "minimum": 1, "maximum": len(passages)}} if passages else {}
        item = table(statement=text(_SENTENCE), **number)
        schema = table(evidence={"type": "array", "maxItems": self.target.width, "items": item})

        def flaws(value: Any) -> list[str]:
            found = value["evidence"]
            if not found:
                return [self.word("none")]
            out = self._ill_formed([_line(item["statement"]) for item in found])
            for item in found if passages else ():
                out += self._unfounded(_line(item["statement"]), int(item["source"]), passages)
            return out

        value = await self._ask(
            topic, "gather", schema, flaws, most=self.target.width, covers=topic.covers, passages=passages
        )
        statements = [_line(item["statement"]) for item in value["evidence"]]
        broken = self._ill_formed(statements) if statements else [self.word("none")]
        if broken:
            raise _UnwrittenNodeError(f"{topic.key}: {'; '.join(broken)}")
        return [
            ClaimFact(statement, int(item["source"]) if passages else None)
            for statement, item in zip(statements, value["evidence"], strict=True)
        ]

    async def _argue(self, topic: _Topic, facts: list[ClaimFact], below: list[Claim]) -> Claim:
        """Write the argument of a topic and its passage."""
        known = [fact.text for fact in facts] or [claim.text for claim in below]

        def flaws(value: Any) -> list[str]:
            return self._unwritten(_line(value["claim"]), [fact.text for fact in facts], value["passage"])

        value = await self._ask(
            topic,
            "argue",
            table(claim=text(_SENTENCE), passage=text(_TEXT)),
            flaws,
            kind="evidence" if facts else "claims",
            known=known,
            top=len(topic.path) == 1,
        )
        broken = flaws(value)
        if broken:
            raise _UnwrittenNodeError(f"{topic.key}: {'; '.join(broken)}")
        return Claim(
            key=topic.key,
            text=_line(value["claim"]),
            title=_title(topic.path[-1]),
            blocks=tuple(_blocks(value["passage"])),
            facts=tuple(facts),
            claims=tuple(below),
        )

    async def _ask(
        self,
        topic: _Topic,
        what: Literal["decide", "gather", "argue"],
        schema: dict[str, Any],
        check: Check,
        **variables: Any,
    ) -> Any:
        """Make a call for a topic, and keep it.

        Raises:
            _UnwrittenNodeError: The call gave no value.
        """
        place = self.word("place", path=topic.path, siblings=topic.siblings)
        written: AuthorReply = await self.author.data(
            ASSIGNMENT, what, schema=schema, material=self.material, check=check, place=place, **variables
        )
        self.steps.append(WritingStep(topic.key, what, written))
        if written.status != "ok":
            raise _UnwrittenNodeError(f"{topic.key}: {what}: {written.status}: {written.problem}")
        return written.value

    def _alike(self, texts: Sequence[str]) -> list[str]:
        if not all(texts):
            return [self.word("blank")]
        again = [item for i, item in enumerate(texts) if item.casefold() in map(str.casefold, texts[:i])]
        return [self.word("twice", text=item) for item in again[:3]]

    def _ill_formed(self, sentences: Sequence[str]) -> list[str]:
        """Return why sentences cannot be nodes: each has to be a whole sentence, and occur once."""
        open_ended = [self.word("unended", text=item) for item in sentences if item and item[-1] not in _ENDS]
        return self._alike(sentences) + open_ended[:3]

    def _unfounded(self, statement: str, number: int, passages: Sequence[Passage]) -> list[str]:
        """Return figures that the cited source does not give; those that remain are kept as flaws of the step."""
        given = set(_FIGURE.findall(passages[number - 1].text))
        figures = [figure for figure in _FIGURE.findall(statement) if figure not in given]
        return [self.word("figure", number=number, figure=figure) for figure in figures[:2]]

    def _unwritten(self, claim: str, facts: Sequence[str], passage: str) -> list[str]:
        """Return why a passage cannot be a part of the report: a node of it is not found there."""
        ill_formed = self._ill_formed([claim])
        if ill_formed:
            return ill_formed
        if _MARKED.search(passage):
            return [self.word("marked")]
        sentences = [claim, *facts]
        places = locate(sentences, _blocks(passage))
        return [
            self.word("missing", text=sentence)
            for sentence, place in zip(sentences, places, strict=True)
            if place is None
        ]

    def numbered(self, root: Claim) -> tuple[Claim, list[str]]:
        """Return the tree with sources numbered through the report, and their titles in that order."""
        titles: dict[str, int] = {}

        def walk(claim: Claim) -> Claim:
            passages = self.passages.get(claim.key, ())
            facts = [
                fact
                if fact.source is None
                else ClaimFact(
                    fact.text, titles.setdefault(passages[fact.source - 1].source, len(titles) + 1)
                )
                for fact in claim.facts
            ]
            return msgspec.structs.replace(
                claim, facts=tuple(facts), claims=tuple(walk(child) for child in claim.claims)
            )

        return walk(root), list(titles)


async def _together(asked: Sequence[Awaitable[T]]) -> list[T]:
    """Make all calls, even if one has no reply yet or fails, and return their results."""
    results = await asyncio.gather(*asked, return_exceptions=True)
    raised = [result for result in results if isinstance(result, BaseException)]
    for error in raised:
        # Errors of the program or the run count first, then calls that are pending, then calls that failed for good.
        if not isinstance(error, PendingCall | _UnwrittenNodeError):
            raise error
    for error in raised:
        if isinstance(error, PendingCall):
            raise error
    if raised:
        raise raised[0]
    return [result for result in results if not isinstance(result, BaseException)]


def _line(text: str) -> str:
    """Return a text on one line, so that sentences are found despite line breaks."""
    return " ".join(text.split())


def _title(text: str) -> str:
    return _line(text).strip("#*_ ")


def _blocks(passage: str) -> list[str]:
    return [line for part in re.split(r"\n\s*\n", passage) if (line := _line(part))]


def _hash(value: Any) -> str:
    return hashlib.blake2b(msgspec.json.encode(value), digest_size=6).hexdigest()
