"""``assay lab extraction``: reports whose argument is known, and how well it is extracted from them."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, Literal

import click

from assay.cli.arguments import ADVANCED, argument, option
from assay.cli.author_session import OptionalAuthorArguments, run_author_session
from assay.cli.commands import command, group
from assay.cli.options import OutputArguments
from assay.cli.outputs import ANY_FILE, OutputPath
from assay.errors import EngineError, UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from assay.cli.author_session import AuthorSession
    from assay.cli.lab.questions import Query
    from assay.logic.accuracy import PairScore
    from assay.logic.ground_truth.pair import GroundTruthPair
    from assay.logic.ground_truth.search import DocumentSearch

_RULES = "rules"


@group()
def extraction() -> None:
    """Measure how well arguments are extracted from reports, on reports whose argument is known.

    \b
    assay lab extraction build --synthetic 60 -o pairs/
    assay lab extraction measure pairs/                        by rules
    assay lab extraction measure pairs/ --model openai/gpt-5-mini
    """  # noqa: D301 - click reads the backspace as "do not wrap"


class PairArguments(OptionalAuthorArguments):
    """What the command line of ``assay lab extraction build`` says."""

    topics: tuple[str, ...] = argument("[TOPIC|FILE]...", required=False)
    synthetic: int | None = option("Make N pairs without a model.", "N", type=click.IntRange(1, 100_000))
    output: str = option(
        "Folder in which pairs.jsonl is written; an older one is replaced.",
        "DIR",
        flags="-o --output",
        type=OutputPath("pairs.jsonl"),
        required=True,
    )
    language: Literal["auto", "en", "zh"] = option(
        "Language of the reports; auto: the topic's, or both in turn.", default="auto", group=ADVANCED
    )
    sources: str | None = option("Texts to take evidence from: a folder, or JSONL.", "DIR|FILE")
    depth: int | None = option(
        "Maximum number of levels, including the evidence. [2 to 5 in turn]",
        type=click.IntRange(min=2),
        group=ADVANCED,
    )
    children: int | None = option(
        "Maximum number of children per claim. [3 to 6]", type=click.IntRange(min=2), group=ADVANCED
    )
    pick: int | None = option(
        "Keep the N pairs that differ most in depth and width.", "N", type=click.IntRange(min=1)
    )


@command(
    PairArguments,
    epilog="Exit codes: 0 done; 2 bad usage or input; 3 the model failed, or no pair could be made.",
)
def build(args: PairArguments) -> int:
    """Make reports together with their arguments, and write them as a set of pairs.

    A TOPIC is a question in quotes; a FILE has one a line (.txt), or rows with query, prompt or question (.jsonl). The
    model splits each topic or gathers evidence for it, then writes from the bottom up. Without --sources it makes
    evidence up, and the pairs say so. --synthetic takes no topics and no model: it builds the reports from phrases, and
    another --seed gives other reports.
    """
    if args.synthetic is not None:
        _no_model(
            args.topics,
            sources=args.sources,
            depth=args.depth,
            children=args.children,
            model=args.model or None,
        )
        return _synthetic(
            args.synthetic, args.output, args.language, seed=args.seed or 0, pick=args.pick, quiet=args.quiet
        )
    if not args.topics:
        raise UsageError("name topics, or a file of them; or --synthetic N for pairs without a model")
    if not args.model:
        raise UsageError("name a --model that writes; or --synthetic N for pairs without a model")
    from assay.cli.lab.questions import read_queries
    from assay.logic.ground_truth.search import read_documents
    from assay.logic.ground_truth.targets import Target, targets

    found = list({query.text: query for query in read_queries(args.topics)}.values())
    aims = [
        Target(
            args.depth if args.depth is not None else aim.depth,
            args.children if args.children is not None else aim.width,
        )
        for aim in targets(len(found))
    ]
    documents = read_documents(args.sources) if args.sources is not None else None
    work = partial(_made, items=list(zip(found, aims, strict=True)), documents=documents)
    return run_author_session(
        args,
        partial(work, language=args.language, output=args.output, pick=args.pick, quiet=args.quiet),
    )


class MeasureArguments(OptionalAuthorArguments, OutputArguments):
    """What the command line of ``assay lab extraction measure`` says."""

    folder: str = argument("DIR|FILE", type=ANY_FILE)
    limit: int | None = option("Only the first N pairs.", "N", type=click.IntRange(min=1))
    format: Literal["text", "json"]


@command(
    MeasureArguments,
    epilog="Exit codes: 0 done; 2 bad usage or input; 3 the model failed, or gave no graph of any pair.",
)
def measure(args: MeasureArguments) -> int:
    """Extract the argument of each report in DIR, and compare it with the one the report was written from.

    DIR may also be a corpus of annotated texts: JSONL rows with text, units, root and edges, or a folder of arggraph XML.
    Extraction is by rules, or by --model; two baselines stand beside it. Sizes (total nodes, depth, width) are compared as in FinResearchBench. As equal
    sizes may hide different content, nodes are also compared by the words they cover, and so are the links between them.
    """
    from assay.logic.ground_truth.corpus import read_corpus

    if not args.model:
        # Without an error, the user would wait for files that never come.
        for name in ("requests", "responses"):
            if getattr(args, name):
                raise UsageError(f"--{name} needs a --model; rules ask none")
    pairs = read_corpus(args.folder)
    made = [pair for pair in pairs if pair.status == "ok"][: args.limit]
    if not made:
        raise UsageError(
            f"{args.folder}: none of its {len(pairs)} pairs could be made, so there is nothing to measure"
        )
    shown = partial(
        _shown,
        not_made=len(pairs) - sum(pair.status == "ok" for pair in pairs),
        form=args.format,
        color=args.color,
    )
    made_from = {pair.evidence for pair in made}
    shown = partial(shown, planted="planted" in made_from, annotated=made_from == {"annotated"})
    if not args.model:
        return shown(_by_rules(made), extractor=_RULES, output=args.output)

    async def work(session: AuthorSession) -> int:
        scores = await _by_model(session, made)
        if session.pending:
            # A mean over the pairs that are done so far could be mistaken for the result.
            return 0
        return shown(scores, extractor=args.model, output=args.output)

    return run_author_session(args, work)


def _no_model(topics: tuple[str, ...], **given: Any) -> None:
    """Refuse options that have no effect on synthetic pairs.

    Raises:
        UsageError: One is given.
    """
    named = ["topics"] if topics else []
    named += [f"--{name}" for name, value in given.items() if value is not None]
    if named:
        raise UsageError(f"--synthetic takes no {' and no '.join(named)}: its reports come from phrases")


def _synthetic(number: int, output: str, language: str, *, seed: int, pick: int | None, quiet: bool) -> int:
    from assay.logic.ground_truth.synthetic import synthetic_pairs

    languages = ("en", "zh") if language == "auto" else (language,)
    return _kept(synthetic_pairs(number, seed=seed, languages=languages), output, pick=pick, quiet=quiet)


async def _made(
    session: AuthorSession,
    *,
    items: Sequence[tuple[Query, Any]],
    documents: DocumentSearch | None,
    language: str,
    output: str,
    pick: int | None,
    quiet: bool,
) -> int:
    from assay.logic.ground_truth.pair_writer import write_pair

    author = await session.author()

    async def one(item: tuple[Query, Any]) -> GroundTruthPair:
        query, aim = item
        spoken: Literal["en", "zh"] = query.language
        if language in ("en", "zh"):
            spoken = "zh" if language == "zh" else "en"
        return await write_pair(
            author,
            query.text,
            sources=documents,
            max_depth=aim.depth,
            max_children=aim.width,
            language=spoken,
        )

    pairs = [pair for pair in await session.each(items, one) if pair is not None]
    # While replies are missing there is nothing to write; the ledger has those that arrived.
    return 0 if session.pending else _kept(pairs, output, pick=pick, quiet=quiet)


def _kept(pairs: Sequence[GroundTruthPair], output: str, *, pick: int | None, quiet: bool) -> int:
    """Write the set and report what is in it; return 3 if no pair could be made."""
    from assay.logic.ground_truth import targets
    from assay.logic.ground_truth.pair import write_pairs
    from assay.present.display import visible

    failed = [pair for pair in pairs if pair.status != "ok"]
    made = [pair for pair in pairs if pair.status == "ok"]
    kept = made if pick is None else targets.pick(made, pick)
    # Failed pairs stay in the set, so that it is visible that the others are a selection.
    path = write_pairs(output, [*kept, *failed])
    if not quiet:
        sizes = [pair.graph.metrics for pair in kept if pair.graph is not None]
        text = f"wrote {len(kept)} {'pair' if len(kept) == 1 else 'pairs'} to {path}"
        if sizes:
            text += (
                f": {min(s.nodes for s in sizes)} to {max(s.nodes for s in sizes)} nodes,"
                f" depth {min(s.max_depth for s in sizes)} to {max(s.max_depth for s in sizes)}"
            )
        click.echo(text)
        for pair in failed[:3]:
            click.echo(f"assay: not made: {visible(pair.topic)}: {visible(pair.problem or '')}", err=True)
        if len(failed) > 3:
            click.echo(f"assay: and {len(failed) - 3} more; {path} says why", err=True)
    return EngineError.exit_code if failed and not made else 0


def _by_rules(pairs: Sequence[GroundTruthPair]) -> list[PairScore]:
    from assay.logic.accuracy import score_pair
    from assay.logic.rule_graph import build_graph
    from assay.subjects.report import Report

    return [score_pair(pair, build_graph(Report(pair.report, query=pair.topic))) for pair in pairs]


async def _by_model(session: AuthorSession, pairs: Sequence[GroundTruthPair]) -> list[PairScore]:
    from assay.logic.accuracy import score_pair
    from assay.logic.model import ExtractionSettings, extract_graph
    from assay.subjects.report import Report

    author = await session.author()
    window = session.backend.window(author.model.id)
    settings = ExtractionSettings().within(window, author.sampling.max_tokens or 0)

    async def one(pair: GroundTruthPair) -> PairScore:
        report = Report(pair.report, query=pair.topic)
        found = await extract_graph(author, report, query=pair.topic, settings=settings)
        if found.fallback:
            # The graph that rules built says nothing about the model.
            problem = "; ".join(found.problems[:2]) or "nothing usable came of the model"
            return score_pair(pair, None, status="fallback", problem=problem)
        return score_pair(pair, found.graph)

    return [score for score in await session.each(pairs, one) if score is not None]


def _shown(
    scores: Sequence[PairScore],
    *,
    extractor: str,
    not_made: int,
    form: str,
    color: str,
    output: str | None,
    planted: bool,
    annotated: bool,
) -> int:
    import sys

    import msgspec

    from assay.cli.options import columns_for, painter_for
    from assay.cli.outputs import opened
    from assay.logic.accuracy import extraction_accuracy
    from assay.present.display import Painter
    from assay.present.extraction import extraction_text

    result = extraction_accuracy(scores, extractor=extractor, not_made=not_made)
    if form == "json":
        text = msgspec.json.format(msgspec.json.encode(result), indent=2).decode() + "\n"
    else:
        painter = painter_for(color) if output is None else Painter()
        text = extraction_text(
            result, painter=painter, columns=columns_for(sys.stdout), planted=planted, annotated=annotated
        )
    with opened(output) as stream:
        stream.write(text)
    return EngineError.exit_code if result.left_out == result.pairs else 0
