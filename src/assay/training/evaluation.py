"""Trained models and other judges on the same pairs: form, agreement in both orders, dimensions, consistency.

Agreement accuracy is ReportLogic's (section 5.2): a pair counts as right only if the verdict is right in both orders.
A coin is right in a quarter of the pairs, and a judge that always prefers the same place in none. Intervals rest on
groups: pairs of one question, or of one reference, are not independent.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import msgspec

from assay.errors import InputError
from assay.measures.intervals import Estimate, mean_interval
from assay.rows import text_lines
from assay.training.examples import SWAPPED, TrainingExample
from assay.training.reward import expected_of, read_reply

if TYPE_CHECKING:
    from assay.judges.judgment import Judgment
    from assay.training.generation import GeneratedReply, LocalGenerator

SCHEMA: Final = "assay.training-eval/1"


class ReplyRecord(msgspec.Struct, frozen=True, kw_only=True):
    """What one reply about a pair in one order says, and what would be right.

    Attributes:
        id: The pair.
        order: The order, 0 or 1.
        group: What it shares with dependent pairs.
        kind: Kind of the pair, such as the type of its planted failure.
        label: The right verdict, in terms of the texts as shown.
        verdict: The reply's; None if it cannot be read.
        right: Right decisions by dimension, where they are known.
        decisions: The reply's decisions by dimension.
        tokens: Tokens of the reply; 0 if they are not known.
        seconds: Time that the reply took; 0 if it is not known.
        text: The reply itself.
    """

    id: str
    order: int
    group: str
    kind: str = ""
    label: str
    verdict: str | None = None
    right: dict[str, str] = {}
    decisions: dict[str, str] = {}
    tokens: int = 0
    seconds: float = 0.0
    text: str = ""


class JudgeMeasures(msgspec.Struct, frozen=True, kw_only=True):
    """What a judge achieves on the pairs of a test.

    Attributes:
        name: The judge.
        pairs: Number of pairs.
        form: Share of replies that can be read in full.
        agreement: Share of pairs with the right verdict in both orders.
        accuracy: Share of replies with the right verdict.
        consistency: Share of pairs, of those with a verdict in both orders, whose verdict turns with the order.
        first: Share of verdicts, of those for a side, that prefer the text shown first; 0.5 without a bias.
        dimensions: Share of right decisions by dimension.
        kinds: Agreement by kind of pair.
        tokens: Mean tokens of a reply; None if not known.
        seconds: Mean seconds of a reply; None if not known.
    """

    name: str
    pairs: int
    form: Estimate
    agreement: Estimate
    accuracy: Estimate
    consistency: Estimate
    first: Estimate
    dimensions: dict[str, Estimate]
    kinds: dict[str, Estimate]
    tokens: float | None = None
    seconds: float | None = None


class TrainingEvaluation(msgspec.Struct, frozen=True, kw_only=True):
    """Judges on the same test.

    Attributes:
        data: Folder of the data set.
        split: Its split.
        judges: What each achieves.
        schema: ``assay.training-eval/1``.
    """

    data: str
    split: str
    judges: list[JudgeMeasures]
    schema: str = SCHEMA


def measured(name: str, records: Sequence[ReplyRecord]) -> JudgeMeasures:
    """Return what the replies of one judge achieve."""
    pairs: defaultdict[str, list[ReplyRecord]] = defaultdict(list)
    for item in records:
        pairs[item.id].append(item)
    both = [given for given in pairs.values() if len({item.order for item in given}) == 2]
    known = [given for given in both if all(item.verdict is not None for item in given)]
    sided = [item for item in records if item.verdict in ("A>B", "A<B")]
    by_dimension: defaultdict[str, list[tuple[bool, str]]] = defaultdict(list)
    for item in records:
        for key, label in item.right.items():
            by_dimension[key].append((item.decisions.get(key) == label, item.group))
    by_kind: defaultdict[str, list[list[ReplyRecord]]] = defaultdict(list)
    for given in both:
        by_kind[given[0].kind or "other"].append(given)
    tokens = [item.tokens for item in records if item.tokens]
    seconds = [item.seconds for item in records if item.seconds]
    return JudgeMeasures(
        name=name,
        pairs=len(both),
        form=_share([(item.verdict is not None, item.group) for item in records]),
        agreement=_agreement(both),
        accuracy=_share([(item.verdict == item.label, item.group) for item in records]),
        consistency=_share([(_turns(given), given[0].group) for given in known]),
        first=_share([(item.verdict == "A>B", item.group) for item in sided]),
        dimensions={key: _share(values) for key, values in sorted(by_dimension.items())},
        kinds={key: _agreement(values) for key, values in sorted(by_kind.items())},
        tokens=sum(tokens) / len(tokens) if tokens else None,
        seconds=sum(seconds) / len(seconds) if seconds else None,
    )


def records_of_model(
    generator: LocalGenerator,
    rows: Sequence[Mapping[str, Any]],
    groups: Mapping[str, tuple[str, str]],
    *,
    max_new_tokens: int,
    batch: int,
    known: Mapping[tuple[str, int], ReplyRecord],
    keep: Callable[[Sequence[ReplyRecord]], None],
    clock: Callable[[], float],
) -> list[ReplyRecord]:
    """Return the replies of a model on this machine to the rows of a split.

    Args:
        generator: The model.
        rows: Rows with prompt, label, dimensions, id and order.
        groups: Group and kind of each pair, by id.
        max_new_tokens: Longest reply.
        batch: Prompts that are answered together.
        known: Replies that are there already.
        keep: Receives the replies of each batch.
        clock: Seconds, for the time that replies take.
    """
    found = {key: item for key, item in known.items()}  # noqa: C416 - a copy of a mapping of any kind
    waiting = [row for row in rows if (str(row["id"]), int(row["order"])) not in found]
    # Prompts of similar length waste little padding.
    waiting.sort(key=lambda row: sum(len(item["content"]) for item in row["prompt"]))
    for start in range(0, len(waiting), batch):
        chosen = waiting[start : start + batch]
        began = clock()
        replies = generator.replies([row["prompt"] for row in chosen], max_new_tokens=max_new_tokens)
        each = (clock() - began) / len(chosen)
        made = [_record(row, reply, groups, each) for row, reply in zip(chosen, replies, strict=True)]
        keep(made)
        found |= {(item.id, item.order): item for item in made}
    return [found[str(row["id"]), int(row["order"])] for row in rows]


def records_of_judgments(
    examples: Iterable[TrainingExample], judgments: Iterable[Judgment | None]
) -> list[ReplyRecord]:
    """Return the verdicts of any other judge on the same pairs, in both orders.

    A judge whose verdict does not depend on the order has the same in both.
    """
    records = []
    for example, judgment in zip(examples, judgments, strict=True):
        orders: Mapping[str, Any] = {}
        decided: Mapping[str, Mapping[str, Any]] = {}
        if judgment is not None:
            orders = judgment.by_order or dict.fromkeys(("AB", "BA"), judgment.preference)
            decided = {item.criterion: item.by_order or {} for item in judgment.verdicts}
        for number, order in enumerate(("AB", "BA")):
            shown = example.swapped() if number else example
            verdict = orders.get(order)
            records.append(
                ReplyRecord(
                    id=example.id,
                    order=number,
                    group=example.group or example.id,
                    kind=example.kind,
                    label=shown.label,
                    verdict=_as_shown(verdict, number),
                    right=shown.dimensions,
                    decisions={
                        key: read
                        for key, given in decided.items()
                        if (read := _as_shown(given.get(order), number))
                    },
                )
            )
    return records


def read_replies(path: Path) -> dict[tuple[str, int], ReplyRecord]:
    """Return the replies that an earlier, perhaps unfinished evaluation kept; an unfinished last line is left out."""
    if not path.is_file():
        return {}
    found = {}
    for place, line in text_lines(path):
        try:
            item = msgspec.json.decode(line, type=ReplyRecord)
        except msgspec.DecodeError as error:
            if not path.read_bytes().endswith(b"\n"):
                break
            raise InputError(f"not a reply: {error}", where=place) from error
        found[item.id, item.order] = item
    return found


def _record(
    row: Mapping[str, Any], reply: GeneratedReply, groups: Mapping[str, tuple[str, str]], seconds: float
) -> ReplyRecord:
    expected = expected_of(row)
    read = read_reply(reply.text, expected.keys)
    name = str(row["id"])
    group, kind = groups.get(name, (name, str(row.get("kind") or "")))
    return ReplyRecord(
        id=name,
        order=expected.order,
        group=group,
        kind=kind,
        label=expected.label,
        verdict=str(read.verdict) if read.valid else None,
        right={key: label for key, label in expected.dimensions.items() if label},
        decisions={key: str(value) for key, value in read.decisions.items()},
        tokens=reply.tokens,
        seconds=seconds,
        text=reply.text,
    )


def _as_shown(verdict: Any, order: int) -> str | None:
    if verdict not in SWAPPED:
        return None
    return SWAPPED[verdict] if order else str(verdict)


def _turns(given: Sequence[ReplyRecord]) -> bool:
    first, second = (item.verdict for item in sorted(given, key=lambda item: item.order))
    return first is not None and SWAPPED[first] == second


def _agreement(pairs: Iterable[Sequence[ReplyRecord]]) -> Estimate:
    return _share([(all(item.verdict == item.label for item in given), given[0].group) for given in pairs])


def _share(values: Sequence[tuple[bool, str]]) -> Estimate:
    return mean_interval(
        [float(value) for value, _ in values], [group for _, group in values], bounds=(0.0, 1.0)
    )
