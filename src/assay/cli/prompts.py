"""``assay strategies``: the templates in force, and what is really sent to a model."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import click

from assay.cli.arguments import argument, option
from assay.cli.commands import command, group
from assay.cli.options import FormatArguments, PromptArguments, json_text, painter_for

if TYPE_CHECKING:
    from pathlib import Path

    from assay.models.base import Request
    from assay.present.display import Painter
    from assay.rubrics.rubric import Rubric
    from assay.strategies.base import Question, Strategy
    from assay.strategies.prompts import Prompts
    from assay.subjects.case import Mode

_LAYOUT = "layout"


@group()
def prompts() -> None:
    """List and show prompts: templates, and what is sent to a model.

    A prompt of your own is a judge: a file with the task, in plain text or as a template with a block `judge`. Assay adds
    the query, the documents, the format of the reply and the criteria.

    \b
    assay strategies show full --raw > mine.jinja         take a template to change it
    assay strategies show ./mine.jinja --rubric my.yaml   see exactly what is sent
    assay judge report.md --judge ./mine.jinja@openai/gpt-5-mini

    A template in a folder of yours (--prompts, ASSAY_PROMPTS, or `prompts` in assay.toml) replaces the package's template
    of the same name for every judge.
    """  # noqa: D301 - click reads the backspace as "do not wrap"


class PromptListArguments(PromptArguments, FormatArguments):
    """What the command line of ``assay strategies templates`` says."""

    format: Literal["text", "json"]


@command(PromptListArguments, name="list")
def list_(args: PromptListArguments) -> None:
    """List the templates: name, version, and the files in force.

    Templates of strategies, which judge, come first; then those of assignments, which write.
    """
    loaded = _load(args.prompts)
    rows = _rows(loaded)
    if args.format == "json":
        click.echo(json_text(rows))
        return
    from assay.present.display import pad

    paint = painter_for(args.color)
    wide = max(len(str(row["name"])) for row in rows)
    kind = rows[0]["kind"]
    for row in rows:
        if row["kind"] == "assignment" != kind:
            click.echo()
        kind = row["kind"]
        files = ", ".join(
            paint(str(file["path"]), "accent") if file["yours"] else str(file["file"])
            for file in row["files"]
        )
        click.echo(f"{paint(pad(str(row['name']), wide), 'bold')}  {row['version'] or ' ' * 12}  {files}")


class PromptShowArguments(PromptArguments, FormatArguments):
    """What the command line of ``assay strategies show`` says."""

    name: str = argument()
    language: Literal["en", "zh"] | None = option("Language of the prompt. [en, or that of a prompt file]")
    rubric: str | None = option(
        "Show the prompt for this rubric instead of for one small criterion.", "NAME|FILE"
    )
    mode: Literal["score", "compare", "rank"] = option(
        "Whether one subject is scored, two are compared, or several are ranked.", default="score"
    )
    raw: bool = option("Show the template as it is in its file.")
    format: Literal["text", "json"]


@command(PromptShowArguments)
def show(args: PromptShowArguments) -> None:
    """Show what strategy, prompt file or assignment NAME sends, or its template.

    A strategy or a prompt file is shown with a small example, call by call. An assignment, by which a model writes
    text, is shown as a template if it depends on the task.

    "(its reply)" stands for replies that later calls contain. With --raw, NAME may also be `layout`, the frame around every
    strategy.
    """
    loaded = _load(args.prompts)
    if args.name == _LAYOUT:
        if not args.raw:
            raise click.UsageError("the layout is the frame of all prompts; add --raw, or name a strategy")
        click.echo(loaded.source("layout.zh.jinja" if args.language == "zh" else "layout.jinja")[1], nl=False)
        return
    from assay.strategies.registry import all_strategies, find_strategy, is_prompt_file

    own = is_prompt_file(args.name)
    if not own and args.name not in all_strategies():
        chosen = args.language or "en"
        _show_assignment(args.name, chosen, loaded, raw=args.raw, form=args.format, color=args.color)
        return
    strategy = find_strategy(args.name)
    language = args.language or strategy.language or "en"
    path, text = loaded.template(strategy, language)
    if args.raw:
        click.echo(text, nl=False)
        return
    question = _example(strategy, args.mode, language, _rubric(args.rubric))
    requests = _rehearsed(strategy, question, loaded)
    if args.format == "json":
        click.echo(
            json_text(
                {
                    "strategy": strategy.name,
                    "version": loaded.version(strategy),
                    "template": str(path),
                    "calls": [_call(request) for request in requests],
                }
            )
        )
        return
    paint = painter_for(args.color)
    yours = " (yours)" if own or path.parent != _home(strategy) else ""
    click.echo(f"{paint(strategy.name, 'bold')}  version {loaded.version(strategy)}  {path}{yours}")
    for number, request in enumerate(requests, 1):
        click.echo("\n" + "\n".join(_request_lines(request, f"call {number} of {len(requests)}", paint)))


def _show_assignment(
    name: str, language: Literal["en", "zh"], loaded: Prompts, *, raw: bool, form: str, color: str
) -> None:
    from assay.cli.prompts_assignments import (
        assignment_data,
        assignment_text,
        assignments,
        template_of,
    )
    from assay.errors import UsageError
    from assay.strategies.registry import all_strategies
    from assay.suggest import did_you_mean

    known = assignments()
    if name not in known:
        hint = did_you_mean(name, (*all_strategies(), *known))
        raise UsageError(f"no strategy and no assignment is called {name!r}; {hint}")
    if raw:
        click.echo(template_of(known[name], language, loaded)[1], nl=False)
    elif form == "json":
        click.echo(json_text(assignment_data(known[name], language, loaded)))
    else:
        click.echo(assignment_text(known[name], language, loaded, painter_for(color)))


def _request_lines(request: Request, title: str, paint: Painter) -> list[str]:
    lines = [paint(f"━━ {title} ", "accent")]
    for message in request.messages:
        lines.append(paint(f"── {message.role}, {len(message.content):,} characters", "accent"))
        if message.lead and message.text:
            lines += [
                message.lead.strip("\n"),
                paint("── shared up to here by every question about the same material", "accent"),
                message.text.strip("\n"),
            ]
        else:
            lines.append(message.content.strip("\n"))
    if request.schema is not None:
        lines.append(
            paint(f"── held to a JSON schema with {', '.join(request.schema['properties'])}", "accent")
        )
    return lines


def _call(request: Request) -> dict[str, Any]:
    return {
        "messages": [
            {"role": item.role, "content": item.content, "shared": len(item.lead)}
            for item in request.messages
        ],
        "schema": request.schema,
    }


def _load(folders: tuple[str, ...]) -> Prompts:
    from assay.strategies.prompt_folders import prompt_folders
    from assay.strategies.prompts import Prompts

    return Prompts(prompt_folders(folders))


def _rows(loaded: Prompts) -> list[dict[str, Any]]:
    from assay.strategies.registry import all_strategies

    layout = [loaded.source(file) for file in ("layout.jinja", "layout.zh.jinja")]
    rows: list[dict[str, Any]] = [
        {
            "name": _LAYOUT,
            "kind": "frame",
            "version": None,
            "files": [_file(path, _home(None)) for path, _ in layout],
        }
    ]
    for strategy in all_strategies().values():
        paths = dict.fromkeys(loaded.template(strategy, language)[0] for language in ("en", "zh"))
        files = [_file(path, _home(strategy)) for path in paths]
        rows.append(
            {
                "name": strategy.name,
                "kind": "strategy",
                "version": loaded.version(strategy),
                "files": files,
            }
        )
    return [*rows, *_assignment_rows(loaded)]


def _assignment_rows(loaded: Prompts) -> list[dict[str, Any]]:
    from pathlib import Path

    from assay.cli.prompts_assignments import assignments, template_of

    return [
        {
            "name": item.name,
            "kind": "assignment",
            "version": loaded.version_of(item.template),
            "files": [
                _file(path, Path(item.template).parent)
                for path in dict.fromkeys(template_of(item, language, loaded)[0] for language in ("en", "zh"))
            ],
        }
        for item in assignments().values()
    ]


def _file(path: Path, home: Path) -> dict[str, Any]:
    return {"file": path.name, "path": str(path), "yours": path.parent != home}


def _home(strategy: Strategy | None) -> Path:
    """Return the folder of the built-in templates."""
    from pathlib import Path

    import assay.strategies as package

    return Path(strategy.template).parent if strategy else Path(package.__path__[0])


def _rubric(name: str | None) -> Rubric:
    if name is not None:
        from assay.rubrics.loader import load_rubric

        return load_rubric(name)
    from assay.rubrics.rubric import Criterion, Rubric
    from assay.rubrics.scale import Scale

    criterion = Criterion(
        key="support",
        asks="Is every claim that matters backed by a source that says so?",
        asks_zh="每一项重要论断是否都有切实的来源支持？",
    )
    scale = Scale(
        low=1,
        high=5,
        anchors={"1": "very poor", "5": "excellent"},
        anchors_zh={"1": "很差", "5": "优秀"},
    )
    return Rubric(name="example", criteria=(criterion,), scale=scale)


def _example(strategy: Strategy, mode: Mode, language: Literal["en", "zh"], rubric: Rubric) -> Question:
    from assay.strategies.base import Document, Question

    chinese = language == "zh"
    labels = {"score": ("",), "compare": ("A", "B"), "rank": ("1", "2", "3")}[mode]
    kind = rubric.targets[0] if rubric.targets else "report"
    text = "（此处为全文）" if chinese else "(its whole text)"
    reference = "（此处为参考答案）" if chinese else "(the reference)"
    return Question(
        mode=mode,
        documents=tuple(Document(label, f"{text} {label}".strip(), kind) for label in labels),
        rubric=rubric,
        criteria=rubric.criteria if rubric.ask == "together" else rubric.criteria[:1],
        query="家用热泵值得安装吗？" if chinese else "Is a heat pump worth it for a home?",
        reference=reference if mode in strategy.needs_reference else None,
        language=language,
    )


def _rehearsed(strategy: Strategy, question: Question, loaded: Prompts) -> list[Request]:
    import asyncio

    from assay.strategies.dry_run import dry_run

    return asyncio.run(dry_run(strategy, question, loaded))[0]
