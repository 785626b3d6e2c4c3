"""What one judge said of what people labelled: its judgments by unit, trial by trial, and what they say together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, Literal

import msgspec

from assay.meta.consensus import together
from assay.meta.labelled_units import OVERALL, LabelledUnits, SubjectNames, better_of
from assay.meta.responses import Better, JudgeResponse

Key = tuple[str, str]
# Scores that a judge of criteria gives stand for words.
_WORDS: Final = {1.0: "met", 0.5: "partially met", 0.0: "not met"}
_EVEN: Final = 1e-9
# SubjectNames of either side that a message shows.
SHOWN: Final = 3


class UnitResponse(msgspec.Struct, frozen=True, gc=False):
    """One trial on one unit: what was said, None without a verdict; of a pair also in both orders."""

    value: Any
    orders: tuple[Better | None, Better | None] | None = None
    status: str = "ok"


class UnitVerdict(msgspec.Struct, frozen=True, gc=False):
    """A verdict to be compared with the labels of its unit."""

    key: Key
    value: Any
    orders: tuple[Better | None, Better | None] | None = None


class JudgeRatings(msgspec.Struct, frozen=True, kw_only=True):
    """All that one judge said.

    Attributes:
        judge: Who.
        heard: Trials by unit.
        strange: Judgments of what nobody labelled.
        judgments: Judgments of what somebody did.
        tokens: Of all of its judgments in the file, in and out; each counted once.
        cost: In US dollars; None where one is unknown.
        pointwise: Whether preferences were made of two scores.
    """

    judge: str
    heard: dict[Key, list[UnitResponse]]
    strange: int = 0
    judgments: int = 0
    tokens: int = 0
    cost: float | None = None
    pointwise: bool = False

    @property
    def trials(self) -> int:
        """The most trials of a unit."""
        return max(map(len, self.heard.values()), default=0)

    @property
    def orderless(self) -> bool:
        """Whether no order of a pair was shown to it: it asks no model, is a person, or scored each by itself."""
        return self.pointwise or "@" not in self.judge

    def statuses(self) -> Counter[str]:
        """Trials by outcome."""
        return Counter(
            "ok" if item.value is not None else item.status if item.status != "ok" else "unparsed"
            for trials in self.heard.values()
            for item in trials
        )

    def items(self, kind: Any, trials: Literal["together", "each"]) -> tuple[list[UnitVerdict], int]:
        """Verdicts, and how many units have several trials that come to none together.

        Args:
            kind: Of the labels.
            trials: One verdict a unit – the mean, or what most trials said – or one a trial.
        """
        found: list[UnitVerdict] = []
        undecided = 0
        for key, heard in self.heard.items():
            if trials == "each" or len(heard) == 1:
                found += [UnitVerdict(key, one.value, one.orders) for one in heard if one.value is not None]
                continue
            value = together([one.value for one in heard], kind)
            if value is not None:
                found.append(UnitVerdict(key, value, _orders(heard)))
            undecided += value is None and any(one.value is not None for one in heard)
        return found, undecided


def match_responses(
    said: Sequence[JudgeResponse], labelled: LabelledUnits, names: SubjectNames, called: Mapping[str, str]
) -> JudgeRatings:
    """The judgments of one judge, put to units.

    Args:
        said: All of one judge.
        labelled: What people said.
        names: Of what they labelled.
        called: What the judge calls a dimension or criterion of the labels, where that is another name.
    """
    parts: dict[str, list[str]] = {}
    for subject, part in labelled.units:
        parts.setdefault(subject, []).append(part)
    pairs = [item for item in said if item.pair]
    pointwise = labelled.kind == "preference" and not pairs
    heard: dict[Key, list[UnitResponse]] = {}
    strange = judgments = 0
    if pointwise:
        pairs, strange = _paired(said, names, parts)
    known = {name for item in said for name in (*item.scores, *item.verdicts)}
    for item in pairs if labelled.kind == "preference" else said:
        found = None if item.pair != (labelled.kind == "preference") else names.find(item)
        if found is None:
            strange += 1
            continue
        subject, flip = found
        judgments += 1
        for part in parts.get(subject, ()):
            one = _heard(item, called.get(part, part), known, labelled.kind, flip=flip)
            if one is not None:
                heard.setdefault((subject, part), []).append(one)
    costs = [item.cost for item in said]
    return JudgeRatings(
        judge=said[0].judge,
        heard=heard,
        strange=strange,
        judgments=judgments,
        tokens=sum(item.tokens for item in said),
        cost=None if None in costs else sum(cost for cost in costs if cost is not None),
        pointwise=pointwise,
    )


def _heard(item: JudgeResponse, part: str, known: set[str], kind: str, *, flip: bool) -> UnitResponse | None:
    """What a judgment says of a part; None where the judge was not asked about it."""
    if kind == "preference":
        if part == OVERALL:
            return UnitResponse(*better_of(item, flip=flip), item.status)
        margin = item.scores.get(part)
        if margin is None:
            return UnitResponse(None, None, item.status) if part in known else None
        return UnitResponse(_side(-margin if flip else margin), None, item.status)
    given: Mapping[str, Any] = item.scores
    if kind == "verdict":
        given = item.verdicts or {name: _WORDS.get(score) for name, score in item.scores.items()}
    if part in given:
        return UnitResponse(given[part], None, item.status)
    if part == OVERALL and len(given) == 1 and OVERALL not in known:
        return UnitResponse(next(iter(given.values())), None, item.status)
    asked = part in known or (item.status != "ok" and not given)
    return UnitResponse(None, None, item.status) if asked else None


def _paired(
    said: Iterable[JudgeResponse], names: SubjectNames, parts: Mapping[str, Sequence[str]]
) -> tuple[list[JudgeResponse], int]:
    """Pairs made of the scores that each of the two was given; which is shown first plays no part in them."""
    scores: dict[str, list[JudgeResponse]] = {}
    strange = 0
    for item in said:
        name = names.part(item.subject)
        strange += name is None
        if name is not None:
            scores.setdefault(name, []).append(item)
    made: list[JudgeResponse] = []
    for subject in parts:
        sides = subject.split(" | ")
        if len(sides) != 2:
            continue
        for a, b in zip(*(scores.get(side, []) for side in sides), strict=False):
            apart = {key: a.scores[key] - b.scores[key] for key in a.scores if key in b.scores}
            better = _side(apart[OVERALL]) if OVERALL in apart else None
            made.append(
                JudgeResponse(
                    judge=a.judge,
                    subject=subject,
                    better=better,
                    orders=None if better is None else (better, better),
                    scores=apart,
                    pair=True,
                    status=next((one.status for one in (a, b) if one.status != "ok"), "ok"),
                )
            )
    return made, strange


def _side(margin: float) -> Better:
    return "tie" if abs(margin) <= _EVEN else "A" if margin > 0 else "B"


def _orders(heard: Sequence[UnitResponse]) -> tuple[Better | None, Better | None] | None:
    """What most trials said in each order."""
    both = [one.orders for one in heard if one.orders is not None]
    if not both:
        return None
    return together([one[0] for one in both], "preference"), together([one[1] for one in both], "preference")


def explain_mismatch(
    said: Sequence[JudgeResponse], labelled: LabelledUnits, hearings: Sequence[JudgeRatings], *, known: bool
) -> str:
    """Why nothing was joined, with names of both sides."""
    if any(hearing.judgments for hearing in hearings):
        parts = list(dict.fromkeys(part for _, part in labelled.units))
        theirs = list(dict.fromkeys(name for item in said for name in (*item.scores, *item.verdicts)))
        return (
            f"labels are about {first_names(parts)}, judgments about {first_names(theirs) or 'nothing'}; --dimension "
            f"{parts[0][:40]}={theirs[0][:40] if theirs else 'NAME'} says which is which"
        )
    pairs = sum(item.pair for item in said)
    if labelled.kind != "preference" and pairs == len(said):
        return f"the judgments are of pairs, and the labels are {labelled.kind}s of single subjects"
    mine = list(dict.fromkeys(subject for subject, _ in labelled.units))
    theirs = list(dict.fromkeys(item.subject for item in said))
    more = "" if known else "; --subjects FILE names the file that was judged, so that ids are known"
    return f"no judgment is of what was labelled: judgments are of {first_names(theirs)}, labels of {first_names(mine)}{more}"


def first_names(names: Sequence[str]) -> str:
    """The first names, in quotes."""
    shown = ", ".join(repr(name[:60]) for name in names[:SHOWN])
    return shown + (" …" if len(names) > SHOWN else "")
