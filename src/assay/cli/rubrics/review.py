"""``assay rubrics review``: a person decides on drafted criteria, one at a time, at a terminal."""

from __future__ import annotations

import contextlib
import datetime as dt
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from assay.cli.arguments import argument, option
from assay.cli.commands import command
from assay.cli.options import ColorArguments
from assay.cli.outputs import OutputPath
from assay.errors import InputError, UsageError

if TYPE_CHECKING:
    from assay.present.display import Painter
    from assay.rubrics.review import RejectedCriterion, RubricReview
    from assay.rubrics.tasks import RubricTask

_KEYS: Final = "a accept   e edit text   w weight   x axis   r reject   s skip   b back   q save and quit"


class ReviewArguments(ColorArguments):
    """What the command line of ``assay rubrics review`` says."""

    file: str = argument()
    output: str = option(
        "File for the reviewed rubric; may be FILE itself.",
        "FILE",
        flags="-o --output",
        type=OutputPath(replaces=("file",)),
        required=True,
    )
    by: str | None = option("Name of the person who decides. [your user name]", "NAME")
    task: str | None = option("Task of a set to review.", "ID")
    everything: bool = option("Also review criteria that are not drafts.", flags="--all")


@command(
    ReviewArguments,
    epilog="Every decision is saved at once; the same command continues where the last one ended.",
)
def review(args: ReviewArguments) -> None:
    """Decide on the drafted criteria in FILE, one at a time: accept, change, reject or skip.

    A criterion stays a draft until it is accepted; its notes then say who decided, when, and what the text was before.
    Rejected criteria leave the rubric and are kept beside the output, in NAME.rejected.jsonl.
    """
    from assay.cli.options import painter_for

    session = ReviewSession(
        args.file,
        args.output,
        args.task,
        args.by or _user(),
        painter_for(args.color),
        everything=args.everything,
    )
    if not session.review.waiting():
        hint = "" if args.everything else " (--all reviews criteria that are not drafts)"
        click.echo(f"{args.file}: every criterion is decided{hint}")
        session.save()
        return
    session.work()


class _Quit(Exception):  # noqa: N818 - no error
    """The person leaves the review."""


class ReviewSession:
    """A review at the terminal, and the files that keep it."""

    def __init__(
        self, file: str, output: str, task: str | None, by: str, paint: Painter, *, everything: bool
    ) -> None:
        from assay.rubrics.review import RubricReview

        self._task = _one(file, task)
        self._output = Path(output)
        self._aside = self._output.with_name(self._output.stem + ".rejected.jsonl")
        self._by = by
        self._paint = paint
        self._kept = _rejections(self._aside)
        done = None
        if self._output.is_file() and not self._output.samefile(file):
            done = _one(output, None).rubric
            if done.name != self._task.rubric.name:
                raise UsageError(
                    f"{output} holds another rubric, {done.name!r} and not {self._task.rubric.name!r}; write somewhere else"
                )
        self.review: RubricReview = RubricReview(
            self._task.rubric, done=done, rejected=self._kept, everything=everything
        )

    def work(self) -> None:
        """Go through the waiting criteria until all are decided or the person leaves."""
        queue = self.review.waiting()
        at = 0
        with contextlib.suppress(_Quit):
            while at < len(queue):
                self._show(queue[at], f"{at + 1} of {len(queue)}")
                move = self._decide(queue[at])
                if move < 0 and at == 0:
                    click.echo("this is the first one")
                at = max(0, at + move)
                if move < 0:
                    self.review.reopen(queue[at])
        self.save()
        self._end()

    def save(self) -> None:
        """Save the rubric and the rejections, each completely or not at all."""
        import msgspec

        from assay.rubrics.rubric_writer import write_rubrics
        from assay.rubrics.tasks import RubricSet

        rubric = self.review.rubric()
        if not rubric.criteria:
            # A rubric needs a criterion, so the file stays as it was.
            click.echo(
                "warning: all criteria are rejected, and a rubric needs at least one: nothing is written",
                err=True,
            )
            return
        mine = [item for item in self.review.rejected.values() if item not in self._kept]
        known = {item.key for item in self.review.items}
        # Keep rejections of earlier sessions that still hold, and those of criteria that the file no longer has.
        earlier = [
            item
            for item in self._kept
            if item.rubric != rubric.name
            or item.criterion.key not in known
            or item.criterion.key in self.review.rejected
        ]
        rows = [*earlier, *mine]
        if rows or self._aside.exists():
            lines = "".join(msgspec.json.encode(row).decode() + "\n" for row in rows)
            _replace(self._aside, lambda path: path.write_text(lines, encoding="utf-8"))
        task = msgspec.structs.replace(self._task, rubric=rubric)
        whole = RubricSet.of(str(self._output), [task])
        _replace(self._output, lambda path: write_rubrics(whole, path))

    def _decide(self, index: int) -> int:
        """Decide on one criterion, and return how many places to move on."""
        while True:
            answer = _read("> ").lower()
            if answer in ("a", "accept"):
                self.review.accept(index, by=self._by, at=_now())
            elif answer in ("r", "reject"):
                self.review.reject(index, by=self._by, at=_now())
            elif answer in ("s", "skip"):
                return 1
            elif answer in ("b", "back"):
                return -1
            elif answer in ("q", "quit"):
                raise _Quit
            elif answer in ("e", "edit", "w", "weight", "x", "axis"):
                self._change(index, answer[0])
                self.save()
                self._show(index, "changed; accept it, or go on changing")
                continue
            else:
                click.echo(_KEYS)
                continue
            self.save()
            return 1

    def _change(self, index: int, what: str) -> None:
        from assay.rubrics.weighted import AXES, LARGEST_WEIGHT, axis_key

        item = self.review.items[index]
        if what == "e":
            text = " ".join(_read("text: ", item.asks).split())
            if text:
                self.review.change(index, asks=text)
        elif what == "w":
            answer = _read(f"weight, -{LARGEST_WEIGHT:g} to {LARGEST_WEIGHT:g} and not 0 [{item.weight:g}]: ")
            weight = _number(answer) if answer else item.weight
            if weight is None or not 0 < abs(weight) <= LARGEST_WEIGHT:
                click.echo(f"{answer} is not a weight from -5 to 5; it stays {item.weight:g}")
            else:
                self.review.change(index, weight=weight)
        else:
            answer = _read(f"axis ({', '.join(AXES)}): ")
            axis = axis_key(answer) if answer else None
            if answer and axis is None:
                from assay.suggest import did_you_mean

                click.echo(f"{answer!r} is not an axis; {did_you_mean(answer, AXES)}")
            elif axis is not None:
                self.review.change(index, axis=AXES[axis])

    def _show(self, index: int, place: str) -> None:
        from assay.cli.options import columns_for
        from assay.present.display import visible
        from assay.present.wrapping import wrapped
        from assay.rubrics.lint import lint
        from assay.rubrics.weighted import LARGEST_WEIGHT, axis_of, axis_title, importance

        paint, columns = self._paint, columns_for(sys.stdout)
        item = self.review.items[index]
        level = f" ({importance(item.weight)})" if 1 <= abs(item.weight) <= LARGEST_WEIGHT else ""
        axis = visible(axis_title(axis_of(item))) or "no axis"
        head = f"{paint(f'[{place}]', 'bold')}  {paint(axis, 'accent')}  weight {item.weight:g}{level}"
        lines = ["", head, *wrapped(item.asks, columns, "  ")]
        lines += wrapped(item.asks_zh, columns, "  ")
        if rationale := item.notes.get("rationale"):
            lines += [paint(line, "dim") for line in wrapped(f"why: {rationale}", columns, "  ")]
        here = (
            f"criteria[{[one.key for one in self.review.rubric().criteria].index(item.key)}]."
            if (item.key not in self.review.rejected)
            else ""
        )
        for finding in lint(self.review.rubric()):
            if here and finding.place.startswith(here):
                note = f"! {finding.code} {finding.message}"
                lines += [paint(line, finding.severity) for line in wrapped(note, columns, "  ")]
        click.echo("\n".join([*lines, paint(_KEYS, "dim")]))

    def _end(self) -> None:
        from assay.present.display import visible

        tally = self.review.tally()
        rest = f", {tally.drafts} still drafts: the same command goes on" if tally.drafts else ""
        click.echo(
            f"\n{tally.accepted} accepted, {tally.edited} accepted with changes, {tally.rejected} rejected{rest}; "
            f"saved to {visible(str(self._output))}"
        )


def _one(name: str, task: str | None) -> RubricTask:
    import msgspec

    from assay.cli.rubrics.sets import open_rubrics

    opened = open_rubrics(name, task)
    only = opened.tasks.only
    if only is None:
        raise UsageError(f"{name} has {len(opened.tasks.tasks)} tasks; name the one to review with --task")
    return only if opened.rubric is None else msgspec.structs.replace(only, rubric=opened.rubric)


def _rejections(path: Path) -> list[RejectedCriterion]:
    import msgspec

    from assay.rows import text_lines
    from assay.rubrics.review import RejectedCriterion

    if not path.exists():
        return []
    try:
        return [msgspec.json.decode(line, type=RejectedCriterion) for _, line in text_lines(path)]
    except (InputError, msgspec.DecodeError) as error:
        hint = "it keeps what was rejected; move it away to begin anew"
        raise InputError(f"cannot be read: {error}", where=str(path), hint=hint) from error


def _replace(path: Path, write: Callable[[Path], object]) -> None:
    """Write to a file beside and then rename it, so that a killed review loses nothing."""
    # The suffix determines the format.
    beside = path.with_name(f".{path.stem}.new{path.suffix}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write(beside)
        beside.replace(path)
    except OSError as error:
        raise InputError(f"cannot be written: {error.strerror}", where=str(path)) from error
    finally:
        with contextlib.suppress(OSError):
            beside.unlink(missing_ok=True)


def _read(prompt: str, text: str = "") -> str:
    """Read a line from the person, offering ``text`` to edit if the terminal supports it.

    Raises:
        _Quit: The input has ended.
    """
    try:
        with _filled(text):
            return input(prompt).strip()
    except EOFError:
        click.echo()
        raise _Quit from None


@contextlib.contextmanager
def _filled(text: str) -> Iterator[None]:
    if not (text and sys.stdin.isatty() and sys.stdout.isatty()):
        yield
        return
    try:
        import readline
    except ImportError:
        yield
        return
    readline.set_startup_hook(lambda: readline.insert_text(text))
    try:
        yield
    finally:
        readline.set_startup_hook()


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


def _now() -> str:
    return dt.datetime.now(dt.UTC).isoformat(timespec="seconds").replace("+00:00", "Z")


def _user() -> str:
    name = os.environ.get("USER") or os.environ.get("USERNAME") or ""
    if not name:
        raise UsageError("the user is unknown; name who decides with --by NAME")
    return name
