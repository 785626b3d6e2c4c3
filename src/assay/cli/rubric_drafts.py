"""``assay rubric draft`` and ``assay rubric augment``: criteria that a model writes."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal

import click
import msgspec

from assay.cli.authoring import author_options
from assay.cli.commands import command
from assay.cli.options import query_text
from assay.cli.outputs import ANY_FILE, OutputPath
from assay.cli.rubric_review import review

if TYPE_CHECKING:
    from assay.cli.authoring import Authoring
    from assay.generation.rubric_draft import RubricDraft

# 43 criteria with their reasons, in Chinese.
_DRAFT_TOKENS: Final = 12_000
_FINDINGS: Final = 12
_SUFFIX: Final = "-augmented"
_LONGEST_NAME: Final = 64


@command(short_help="RubricDraft criteria for a question by a model.")
@click.argument("query", metavar="QUERY|@FILE")
@click.option(
    "-o",
    "--output",
    required=True,
    type=OutputPath(kind=Path),
    help="File to write: .yaml, .json, .jsonl.",
)
@click.option("--least", type=click.IntRange(1, 200), default=20, show_default=True, help="Fewest criteria.")
@click.option("--most", type=click.IntRange(1, 200), default=43, show_default=True, help="Most criteria.")
@click.option("--language", type=click.Choice(["en", "zh"]), help="Of the criteria. [that of the question]")
@author_options
def draft(
    query: str,
    *,
    output: Path,
    least: int,
    most: int,
    language: Literal["en", "zh"] | None,
    **asked: Any,
) -> int:
    """RubricDraft criteria for a question: weight, axis and reason each, faults with negative weights among them.

    They are drafts, and say so: a model's criteria are nobody's judgment yet. `assay rubric review` goes through them
    with you, one at a time.
    """
    from assay.cli.authoring import AuthorAsked, run_authoring  # noqa: PLC0415
    from assay.errors import UsageError  # noqa: PLC0415
    from assay.text.language import detect_language  # noqa: PLC0415

    text = (query_text(query) or "").strip()
    if not text:
        raise UsageError("the question is empty")
    if least > most:
        raise UsageError(f"--least {least} is more than --most {most}")
    _check_ending(output)
    chosen: Literal["en", "zh"] = language or ("zh" if detect_language(text) == "zh" else "en")

    async def work(authoring: Authoring) -> int:
        from assay.generation.rubric_draft import draft_rubric  # noqa: PLC0415
        from assay.rubrics.sets_out import write_rubrics  # noqa: PLC0415
        from assay.rubrics.tasks import RubricSet, RubricTask  # noqa: PLC0415

        author = await authoring.author(max_tokens=_DRAFT_TOKENS)
        found = await draft_rubric(author, text, language=chosen, least=least, most=most)
        if found.rubric is None:
            return _none(found)
        task = RubricTask(id=found.rubric.name, rubric=found.rubric, query=text)
        write_rubrics(RubricSet.of(str(output), [task]), output)
        click.echo(_told(found, output))
        return 0

    return run_authoring(AuthorAsked(**asked), work)


def _none(found: RubricDraft) -> int:
    from assay.present.display import visible  # noqa: PLC0415

    problem = visible(found.written.problem or "")
    click.echo(f"assay: there is no draft ({found.written.status}): {problem}", err=True)
    return 3


def _told(found: RubricDraft, output: Path) -> str:
    """What was drafted, what is wrong with it, and what to do next."""
    import shlex  # noqa: PLC0415

    from assay.generation.rubric_draft import count_by_axis  # noqa: PLC0415
    from assay.present.display import visible  # noqa: PLC0415
    from assay.present.numbers import plural  # noqa: PLC0415
    from assay.rubrics.weighted import is_mandatory  # noqa: PLC0415

    assert found.rubric is not None
    criteria = found.rubric.criteria
    negative = sum(item.weight < 0 for item in criteria)
    mandatory = sum(map(is_mandatory, criteria))
    name = visible(str(output))
    noun = "criterion" if len(criteria) == 1 else "criteria"
    lines = [f"{name}: {len(criteria)} drafted {noun}, {mandatory} mandatory, {negative} negative"]
    lines.append("  " + ", ".join(f"{axis} {number}" for axis, number in count_by_axis(found.rubric).items()))
    if found.dropped:
        lines.append(f"  {len(found.dropped)} more asked what another one asks, and are left out")
    lines += [f"warning: {visible(flaw)}" for flaw in found.written.flaws]
    for item in found.findings[:_FINDINGS]:
        lines.append(f"  {item.code} {item.severity} {item.place}: {visible(item.message)}")
    if len(found.findings) > _FINDINGS:
        lines.append(
            f"  … and {plural(len(found.findings) - _FINDINGS, 'finding')} more: assay rubric lint {name}"
        )
    quoted = shlex.quote(str(output))
    lines.append(f"these are drafts; decide on them: assay rubric review {quoted} -o {quoted}")
    return "\n".join(lines)


@command(short_help="Elaborate criteria by a model, an ablation.")
@click.argument("source", metavar="FILE", type=ANY_FILE)
@click.option(
    "-o",
    "--output",
    required=True,
    type=OutputPath(kind=Path),
    help="File to write: .jsonl, .yaml, .json.",
)
@click.option("--task", metavar="ID", help="Only this task.")
@author_options
def augment(source: str, *, output: Path, task: str | None, **asked: Any) -> int:
    """Have a model rewrite criteria with qualifiers and examples, for an ablation.

    Not to improve a rubric: in ResearchRubrics (section 4.4) criteria elaborated by a model agreed with people 15 to 20
    points less than those of the experts. The notes of each criterion keep the original. Keys stay the same.
    """
    from assay.cli.authoring import AuthorAsked, run_authoring  # noqa: PLC0415
    from assay.cli.rubric_sets import open_rubrics  # noqa: PLC0415
    from assay.rubrics.tasks import RubricSet  # noqa: PLC0415

    _check_ending(output)
    opened = open_rubrics(source, task)
    found = opened.tasks
    if opened.rubric is not None:
        key, only = next(iter(found.tasks.items()))
        found = RubricSet(found.name, {key: msgspec.structs.replace(only, rubric=opened.rubric)})

    async def work(authoring: Authoring) -> int:
        from assay.generation.augmentation import augmented  # noqa: PLC0415

        author = await authoring.author()
        items = [item for one in found.tasks.values() for item in one.rubric.criteria]
        made = await authoring.each(items, lambda item: augmented(author, item))
        if any(item is None for item in made):
            # In rounds of a batch: half a rubric would be taken for a whole one.
            return 0
        return _written(found, [item for item in made if item is not None], output)

    return run_authoring(AuthorAsked(**asked), work)


def _written(found: Any, made: list[Any], output: Path) -> int:
    from assay.present.display import visible  # noqa: PLC0415
    from assay.rubrics.sets_out import write_rubrics  # noqa: PLC0415
    from assay.rubrics.tasks import RubricSet  # noqa: PLC0415

    rest = iter(made)
    tasks = []
    for one in found.tasks.values():
        criteria = tuple(next(rest)[0] for _ in one.rubric.criteria)
        name = one.rubric.name[: _LONGEST_NAME - len(_SUFFIX)] + _SUFFIX
        rubric = msgspec.structs.replace(one.rubric, criteria=criteria, name=name)
        tasks.append(msgspec.structs.replace(one, rubric=rubric))
    done = [written for _, written in made if written.status == "ok"]
    if not done:
        problem = visible(made[0][1].problem or "")
        click.echo(f"assay: no criterion was rewritten ({made[0][1].status}): {problem}", err=True)
        return 3
    what = write_rubrics(RubricSet.of(str(output), tasks), output)
    click.echo(f"{visible(str(output))}: {what}; {len(done)} of {len(made)} criteria rewritten")
    for item, written in made:
        if written.status != "ok":
            told = f"as it was ({written.status}: {written.problem})"
        elif written.flaws:
            told = "; ".join(written.flaws)
        else:
            continue
        click.echo(visible(f"warning: {item.key}: {told}"), err=True)
    return 0


def _check_ending(output: Path) -> None:
    """Refuse what cannot be written before anything is paid for."""
    from assay.errors import UsageError  # noqa: PLC0415

    endings = (".yaml", ".yml", ".json", ".jsonl", ".ndjson")
    if output.suffix.lower() not in endings:
        raise UsageError(f"{output} has none of the endings {', '.join(endings)}; the ending says the format")
    if not (output.parent.is_dir() or not output.parent.exists()):
        raise UsageError(f"{output.parent} is no folder")


def add_draft_commands(group: click.Group) -> None:
    """Attach the commands to ``assay rubric``."""
    for each in (augment, draft, review):
        group.add_command(each)
