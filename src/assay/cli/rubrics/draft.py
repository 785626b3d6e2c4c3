"""``assay rubrics draft`` and ``assay lab augment``: criteria that a model writes."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal

import click

from assay.cli.arguments import ADVANCED, argument, option
from assay.cli.author_session import AuthorArguments, run_author_session
from assay.cli.commands import command
from assay.cli.options import query_text
from assay.cli.outputs import OutputPath

if TYPE_CHECKING:
    from assay.cli.author_session import AuthorSession
    from assay.generation.rubric_draft import RubricDraft

# 43 criteria with their reasons, in Chinese.
_DRAFT_TOKENS: Final = 12_000
_FINDINGS: Final = 12


class DraftArguments(AuthorArguments):
    """What the command line of ``assay rubrics draft`` says."""

    query: str = argument("QUERY|@FILE")
    output: Path = option(
        "File to write: .jsonl, .yaml or .json.",
        "FILE",
        flags="-o --output",
        type=OutputPath(kind=Path),
        required=True,
    )
    least: int = option("Minimum number of criteria.", default=20, type=click.IntRange(1, 200))
    most: int = option("Maximum number of criteria.", default=43, type=click.IntRange(1, 200))
    language: Literal["en", "zh"] | None = option(
        "Language of the criteria. [that of the question]", group=ADVANCED
    )


@command(DraftArguments)
def draft(args: DraftArguments) -> int:
    """Have a model draft criteria for a question, each with weight, axis and reason; faults have negative weights.

    The criteria are marked as drafts until a person has reviewed them; `assay rubrics review` goes through them one at a
    time.
    """
    from assay.errors import UsageError
    from assay.text.language import detect_language

    text = (query_text(args.query) or "").strip()
    if not text:
        raise UsageError("the question is empty")
    if args.least > args.most:
        raise UsageError(f"--least {args.least} is more than --most {args.most}")
    check_ending(args.output)
    chosen: Literal["en", "zh"] = args.language or ("zh" if detect_language(text) == "zh" else "en")

    async def work(session: AuthorSession) -> int:
        from assay.generation.rubric_draft import draft_rubric
        from assay.rubrics.rubric_writer import write_rubrics
        from assay.rubrics.tasks import RubricSet, RubricTask

        author = await session.author(max_tokens=_DRAFT_TOKENS)
        found = await draft_rubric(author, text, language=chosen, least=args.least, most=args.most)
        if found.rubric is None:
            return _no_draft(found)
        task = RubricTask(id=found.rubric.name, rubric=found.rubric, query=text)
        write_rubrics(RubricSet.of(str(args.output), [task]), args.output)
        click.echo(_draft_summary(found, args.output))
        return 0

    return run_author_session(args, work)


def _no_draft(found: RubricDraft) -> int:
    from assay.present.display import visible

    problem = visible(found.written.problem or "")
    click.echo(f"assay: no draft was written ({found.written.status}): {problem}", err=True)
    return 3


def _draft_summary(found: RubricDraft, output: Path) -> str:
    """Return a summary of the draft: its size, its flaws, and what to do next."""
    import shlex

    from assay.generation.rubric_draft import count_by_axis
    from assay.present.display import visible
    from assay.rubrics.weighted import is_mandatory
    from assay.text.amounts import plural

    assert found.rubric is not None
    criteria = found.rubric.criteria
    negative = sum(item.weight < 0 for item in criteria)
    mandatory = sum(map(is_mandatory, criteria))
    name = visible(str(output))
    noun = "criterion" if len(criteria) == 1 else "criteria"
    lines = [f"{name}: {len(criteria)} drafted {noun}, {mandatory} mandatory, {negative} negative"]
    lines.append("  " + ", ".join(f"{axis} {number}" for axis, number in count_by_axis(found.rubric).items()))
    if found.dropped:
        lines.append(f"  {len(found.dropped)} more repeat another criterion, and are left out")
    lines += [f"warning: {visible(flaw)}" for flaw in found.written.flaws]
    for item in found.findings[:_FINDINGS]:
        lines.append(f"  {item.code} {item.severity} {item.place}: {visible(item.message)}")
    if len(found.findings) > _FINDINGS:
        lines.append(
            f"  … and {plural(len(found.findings) - _FINDINGS, 'finding')} more: assay rubrics lint {name}"
        )
    quoted = shlex.quote(str(output))
    lines.append(f"these are drafts; review them: assay rubrics review {quoted} -o {quoted}")
    return "\n".join(lines)


def check_ending(output: Path) -> None:
    """Refuse an output that cannot be written, before anything is spent."""
    from assay.errors import UsageError

    endings = (".yaml", ".yml", ".json", ".jsonl", ".ndjson")
    if output.suffix.lower() not in endings:
        raise UsageError(f"{output} ends in none of {', '.join(endings)}, which determine the format")
    if not (output.parent.is_dir() or not output.parent.exists()):
        raise UsageError(f"{output.parent} is not a folder")
