"""``assay lab augment`` and ``assay lab strip-examples``: rubrics rewritten for an ablation."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from assay.cli.author_session import AuthorArguments, run_author_session
from assay.cli.commands import command
from assay.cli.rubrics.draft import check_ending
from assay.cli.rubrics.sets import RubricFileArguments, open_rubrics, report_written

if TYPE_CHECKING:
    from assay.cli.author_session import AuthorSession

_SUFFIX: Final = "-augmented"
_LONGEST_NAME: Final = 64


class AugmentArguments(RubricFileArguments, AuthorArguments):
    """What the command line of ``assay lab augment`` says."""


@command(AugmentArguments)
def augment(args: AugmentArguments) -> int:
    """Have a model rewrite criteria with qualifiers and examples, for an ablation.

    This does not improve a rubric: in ResearchRubrics (section 4.4), criteria elaborated by a model agreed with people 15
    to 20 points less than the experts' own. The notes of each criterion keep the original. Keys stay the same.
    """
    import msgspec

    from assay.rubrics.tasks import RubricSet

    check_ending(args.output)
    opened = open_rubrics(args.source, args.task)
    found = opened.tasks
    if opened.rubric is not None:
        key, only = next(iter(found.tasks.items()))
        found = RubricSet(found.name, {key: msgspec.structs.replace(only, rubric=opened.rubric)})

    async def work(session: AuthorSession) -> int:
        from assay.generation.augmentation import augmented

        author = await session.author()
        items = [item for one in found.tasks.values() for item in one.rubric.criteria]
        made = await session.each(items, lambda item: augmented(author, item))
        if any(item is None for item in made):
            # Some replies of the batch are missing, and half a rubric could be mistaken for a whole one.
            return 0
        return _written(found, [item for item in made if item is not None], args.output)

    return run_author_session(args, work)


def _written(found: Any, made: list[Any], output: Path) -> int:
    import msgspec

    from assay.present.display import visible
    from assay.rubrics.rubric_writer import write_rubrics
    from assay.rubrics.tasks import RubricSet

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
            flaw_text = f"as it was ({written.status}: {written.problem})"
        elif written.flaws:
            flaw_text = "; ".join(written.flaws)
        else:
            continue
        click.echo(visible(f"warning: {item.key}: {flaw_text}"), err=True)
    return 0


@command(RubricFileArguments)
def strip_examples(args: RubricFileArguments) -> None:
    """Write a rubric, or a set of tasks, without the examples in its criteria.

    Grade with and without them to see how the examples affect agreement with people. This removes brackets with "e.g.", and lists after
    "such as", 例如, 如; if the end of a list is unclear, the criterion stays as it is. Keys stay the same.
    """
    import msgspec

    from assay.rubrics.example_removal import strip_examples
    from assay.rubrics.rubric_writer import write_rubrics
    from assay.rubrics.tasks import RubricSet

    found = open_rubrics(args.source, args.task)
    bare = strip_examples(found.tasks)
    if found.rubric is not None:
        # A single rubric gets a name that says that its examples are gone.
        rubric = strip_examples(found.rubric)
        key, only = next(iter(bare.tasks.items()))
        bare = RubricSet(bare.name, {key: msgspec.structs.replace(only, rubric=rubric)})
    changed = sum(
        old.asks != new.asks or old.asks_zh != new.asks_zh
        for key, one in found.tasks.tasks.items()
        for old, new in zip(one.rubric.criteria, bare.tasks[key].rubric.criteria, strict=True)
    )
    total = sum(len(one.rubric.criteria) for one in bare.tasks.values())
    report_written(
        args.output, write_rubrics(bare, args.output), f"; {changed} of {total} criteria lost examples"
    )
