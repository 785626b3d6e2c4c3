"""``assay annotate``: people label reports, pairs, citations or findings in the browser."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal

import click

from assay.cli.arguments import ADVANCED, LIMITS, Arguments, argument, option
from assay.cli.commands import command
from assay.cli.outputs import ANY_FILE, OutputPath, opened
from assay.cli.view import ServerArguments, announce, need_web
from assay.errors import InputError, UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assay.rubrics.rubric import Rubric
    from assay.web.annotation.items import AnnotationItem
    from assay.web.annotation.project import AnnotationProject
    from assay.web.annotation.project_records import KnownAnswers, ProjectPlan
    from assay.web.opened import OpenedLedger

_PROJECT: Final = "labels.sqlite"


class AnnotateArguments(ServerArguments):
    """What the command line of ``assay annotate`` says."""

    paths: tuple[str, ...] = argument("[PATH]...", required=False)
    task: Literal["faults", "pairs", "criteria", "score", "planted", "citations", "findings"] | None = option(
        "What people do with each item."
    )
    rubric: str | None = option(
        "Rubric of pairs, criteria and scores; `assay rubrics list` shows them. [reportlogic]", "NAME|FILE"
    )
    scale: Literal["binary", "ternary"] = option(
        "Answers to a criterion: met or not met, or also partially met.", default="ternary", group=ADVANCED
    )
    rater: tuple[str, ...] = option("Name of a person who labels. Repeatable.", "NAME")
    adjudicator: tuple[str, ...] = option("Name of a person who settles disagreements. Repeatable.", "NAME")
    overlap: int | None = option("Raters of each item. [all]", "N", type=click.IntRange(min=1))
    guidelines: str | None = option(
        "What raters are told, as Markdown. [a few sentences]", "FILE", type=ANY_FILE
    )
    known: str | None = option(
        "Labelling project whose settled answers train raters, and check them.", "PROJECT", type=ANY_FILE
    )
    training: int = option(
        "How many items of --known raters begin with, and are told the answers of; the others are checks of attention.",
        "N",
        type=click.IntRange(min=0),
        default=3,
        group=ADVANCED,
    )
    sources: str | None = option(
        "Folder with the texts of cited sources, for citations.", "DIR", type=ANY_FILE, group=ADVANCED
    )
    from_run: str | None = option(
        "Take the cases of this run in the ledger, by id or name.", "RUN", flags="--from"
    )
    where: str | None = option(
        "Which of its cases: judge, system, status or rubric, or status=disagree.", "NAME=VALUE,…"
    )
    disputed: bool = option(
        "Take the instances that the second reader did not accept.", default=False, group=ADVANCED
    )
    limit: int | None = option(
        "Take only N items, chosen by the seed.", "N", type=click.IntRange(min=1), group=ADVANCED
    )
    seed: int = option("Seed of all orders.", default=0, group=ADVANCED)
    ledger: str | None = option(
        "The ledger of --from. [ASSAY_LEDGER, assay.toml, .assay/ledger.sqlite]", "WHERE", group=LIMITS
    )
    output: str | None = option(
        f"File of the project, which keeps everything. [{_PROJECT}]",
        "FILE",
        flags="-o --output",
        type=OutputPath(),
    )


@command(AnnotateArguments)
def annotate(args: AnnotateArguments) -> int:
    """Have people label what PATH holds; or open the labelling project in PATH again.

    \b
    assay annotate reports.jsonl --task pairs --rater anna --rater ben -o pairs.sqlite
    assay annotate reports/ --task faults            also criteria, score, findings
    assay annotate bench --task planted              the three questions about planted failures
    assay annotate reports/ --task citations --sources pages/
    assay annotate --from RUN --where status=disagree --task pairs
    assay annotate reports/ --task pairs --known mine.sqlite     raters begin with items that you have labelled
    assay annotate pairs.sqlite                      goes on where it stopped
    assay annotate export pairs.sqlite -o labels.jsonl --subjects texts.jsonl

    Each rater has a link of their own. Systems and judges are hidden; order and sides differ for each rater. Every answer is on
    the disk before the page says so. The first page shows progress and agreement.
    """  # noqa: D301 - click reads the backspace as "do not wrap"
    need_web()
    from assay.web.annotation.annotate_app import annotate_app
    from assay.web.serving import Address, access_to, link_to, listening, serve

    project = _project(args)
    project.add_raters(args.rater)
    project.add_raters(args.adjudicator, "adjudicator")
    address = Address(host=args.host, port=args.port, names=args.name)
    with listening(address) as listener:
        port: int = listener.getsockname()[1]
        access = access_to(
            address,
            port,
            key=args.key or project.owner_key,
            always=True,
            rater_of=project.rater_of,
            secret=project.secret,
        )
        link = link_to(address, port, access)
        app = annotate_app(project, access, language=None if args.language == "auto" else args.language)
        click.echo(f"assay: {len(project.numbers()):,} items to label in {project.path}", err=True)
        announce(link, args.host)
        for rater in project.raters():
            click.echo(f"assay: {rater.name}: {link_to(address, port, access, key=rater.link)}", err=True)
        serve(app, listener, open_link=link if args.browser else None)
    return 0


def _project(args: AnnotateArguments) -> AnnotationProject:
    from assay.web.annotation.project import AnnotationProject
    from assay.web.annotation.project_file import is_project

    if len(args.paths) == 1 and is_project(args.paths[0]):
        if args.task or args.output:
            raise UsageError(f"{args.paths[0]} is a labelling project; open it without --task and -o")
        return AnnotationProject(args.paths[0])
    if args.task is None:
        raise UsageError("--task says what people are to do; or name a labelling project to go on with")
    if not args.paths and args.from_run is None:
        raise UsageError("name reports, a benchmark or audits, or a run with --from")
    path = args.output or _PROJECT
    if Path(path).exists():
        raise UsageError(f"{path} exists; `assay annotate {path}` goes on with it, and -o names another file")
    items = list(_items(args))
    plan = _plan(args, items)
    if args.limit is not None and args.limit < len(items):
        import random

        items = random.Random(args.seed).sample(items, args.limit)  # noqa: S311 - a choice that can be made again
    known = _known(args, plan)
    return AnnotationProject.create(
        path, plan, [*(item for item, _ in known), *items], [one for _, one in known]
    )


def _known(args: AnnotateArguments, plan: ProjectPlan) -> list[tuple[AnnotationItem, KnownAnswers]]:
    if args.known is None:
        return []
    from assay.web.annotation.known_items import known_from
    from assay.web.annotation.project import AnnotationProject

    earlier = AnnotationProject(args.known)
    try:
        asked = [question.key for question in plan.questions]
        return known_from(earlier, asked, training=args.training, seed=args.seed)
    finally:
        earlier.close()


def _plan(args: AnnotateArguments, items: list[AnnotationItem]) -> ProjectPlan:
    from assay.present.interface import main_language
    from assay.rows import read_text
    from assay.text.language import detect_language
    from assay.web.annotation.guidelines import usual_guidelines
    from assay.web.annotation.project_records import ProjectPlan
    from assay.web.annotation.questions import questions_of

    assert args.task is not None
    texts = [str(item.texts[0].get("report", item.query)) for item in items]
    language = (
        main_language([detect_language(text) for text in texts]) if args.language == "auto" else args.language
    )
    rubric = _rubric(args) if args.task in ("pairs", "criteria", "score") else None
    return ProjectPlan(
        task=args.task,
        questions=questions_of(args.task, rubric, args.scale),
        guidelines=read_text(args.guidelines) if args.guidelines else usual_guidelines(args.task, language),
        rubric=(rubric.title or rubric.name) if rubric else "",
        seed=args.seed,
        overlap=args.overlap,
    )


def _rubric(args: AnnotateArguments) -> Rubric:
    """Return the rubric that is named, or that of the run, or ReportLogic's."""
    from assay.rubrics.loader import load_rubric

    if args.rubric is not None or args.from_run is None:
        return load_rubric(args.rubric or "reportlogic")
    from assay.web.annotation.run_cases import run_rubric

    ledger, run = _run_of(args)
    return run_rubric(ledger, run, _where(args).get("rubric", ""))


def _run_of(args: AnnotateArguments) -> tuple[OpenedLedger, str]:
    from assay.runs.ledger_location import ledger_location
    from assay.web.opened import OpenedLedger

    ledger = OpenedLedger(ledger_location(args.ledger))
    return ledger, ledger.ledger.run(args.from_run or "").id


def _where(args: AnnotateArguments) -> dict[str, str]:
    given: dict[str, str] = {}
    for part in (args.where or "").split(","):
        name, sign, value = part.partition("=")
        if part and (not sign or name not in ("judge", "system", "status", "rubric", "search")):
            raise UsageError(f"--where {part}: write judge=, system=, status=, rubric= or search=")
        if part:
            given[name] = value
    return given


def _items(args: AnnotateArguments) -> Iterator[AnnotationItem]:
    from assay.web.annotation import items
    from assay.web.annotation.pair_sources import pairs_in, subjects_in

    if args.from_run is not None:
        return _run_items(args)
    if args.task == "pairs":
        return pairs_in(args.paths)
    if args.task == "planted":
        return items.planted_items(args.paths, disputed=args.disputed)
    if args.task == "citations":
        if args.sources is None:
            raise UsageError("--sources names the folder with the texts of the cited sources")
        return items.citation_items(args.paths, args.sources)
    if args.task == "findings":
        return items.finding_items(args.paths)
    return items.single_items(subjects_in(args.paths))


def _run_items(args: AnnotateArguments) -> Iterator[AnnotationItem]:
    from assay.web.annotation.run_cases import run_items
    from assay.web.judgment_index import HeadFilter

    if args.task not in ("pairs", "criteria", "score", "faults"):
        raise UsageError(f"--from gives reports and pairs; the task {args.task} takes {args.task} themselves")
    given = _where(args)
    disagree = given.get("status") == "disagree"
    if disagree:
        del given["status"]
    ledger, run = _run_of(args)
    wanted = HeadFilter(**given, disagree=disagree)  # type: ignore[arg-type]
    return run_items(ledger, run, wanted, pairs=args.task == "pairs")


class AnnotateExportArguments(Arguments):
    """What the command line of ``assay annotate export`` says."""

    project: str = argument("PROJECT")
    what: Literal["labels", "faults", "evidence", "validation"] = option(
        "What to write: labels; marked faults; evidence of criteria; or labels of instances for `assay bench validate`.",
        default="labels",
    )
    rater: str | None = option("The rater whose labels of instances are written.", "NAME")
    subjects: str | None = option(
        "Write the labelled texts to this file, for judges and training to read.", "PATH", type=OutputPath()
    )
    output: str | None = option(
        "Write the result to this file instead of the terminal.",
        "PATH",
        flags="-o --output",
        type=OutputPath(),
    )


@command(AnnotateExportArguments)
def export(args: AnnotateExportArguments) -> int:
    """Write what people said in PROJECT as assay.label/1, one a line, and with --subjects the labelled texts.

    \b
    assay annotate export pairs.sqlite -o labels.jsonl --subjects texts.jsonl
    assay agree judgments.jsonl labels.jsonl
    assay train distil --labels labels.jsonl -o data
    assay annotate export planted.sqlite --what validation --rater anna -o anna.jsonl
    assay bench validate bench anna.jsonl ben.jsonl -o bench-valid
    """  # noqa: D301 - click reads the backspace as "do not wrap"
    import json

    need_web()
    from assay.meta.labels.export import label_lines, renamed, subject_lines
    from assay.web.annotation import project_labels as labels
    from assay.web.annotation.project import AnnotationProject

    project = AnnotationProject(args.project)
    try:
        if args.what != "labels":
            rows: Iterator[dict[str, object]]
            if args.what == "validation":
                rows = labels.validation_rows(project, project.rater(args.rater or "").name)
            else:
                rows = labels.fault_rows(project) if args.what == "faults" else labels.evidence_rows(project)
            lines = (json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
            with opened(args.output) as stream:
                stream.writelines(lines)
            return 0
        found = list(labels.project_labels(project))
        if not found:
            raise InputError("nobody has labelled anything yet", where=args.project)
        if args.subjects is not None:
            if not args.subjects.lower().endswith(".jsonl"):
                raise UsageError(f"--subjects {args.subjects}: name a file that ends in .jsonl")
            texts = list(labels.labelled_texts(project))
            found = renamed(found, texts, args.subjects)
            with opened(args.subjects) as stream:
                stream.writelines(subject_lines(texts))
        with opened(args.output) as stream:
            stream.writelines(label_lines(found))
    finally:
        project.close()
    return 0
