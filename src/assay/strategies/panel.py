"""Three judges of different temper and a chair who reads them (Multi-judge ensemble of the paper).

The three are exacting, minded of the whole, and teacherly; each reasons freely and they do not see each other. The
chair sees the material and their reasons and verdicts. A judge whose verdict cannot be read is named to the chair as
silent, and noted. Where all three are silent there is no chair either: what it said would be one judge's word.

``early_stop`` asks the three one by one and lets their majority decide: as soon as two agree on everything, a third
could not change it and is not asked, nor is the chair, who decides only where no two agree. The paper's chair may
overrule a majority, so this is a different judge, and a cheaper one: two calls where the first two agree.
"""

from typing import Final

import msgspec

from assay.strategies.base import Answer, Ask, Strategy
from assay.strategies.full import REASONING
from assay.strategies.verdict_text import verdict_text

PERSONAS: Final = ("exacting", "holistic", "teacherly")


async def elicit(ask: Ask) -> Answer:
    """Three verdicts and the chair's, or as many as a majority takes."""
    if ask.options["early_stop"]:
        heard: list[Answer] = []
        for persona in PERSONAS:
            heard.append(await ask.verdict("persona", persona=persona))
            agreed = _majority(heard)
            if agreed:
                return _settled(ask, heard, agreed)
    else:
        heard = await ask.all(*(ask.verdict("persona", persona=persona) for persona in PERSONAS))
    _note_silent(ask, heard)
    if all(item.status != "ok" for item in heard):
        refused = all(item.status == "refused" for item in heard)
        return Answer(
            status="refused" if refused else "unparsed",
            problem=f"none of the three judges gave a verdict: {heard[0].problem}",
            reply=heard[0].reply,
        )
    return await ask.verdict("chair", judges=[verdict_text(item, ask.question) for item in heard])


def _majority(heard: list[Answer]) -> tuple[int, int] | None:
    """The first two that agree on every criterion and on the whole."""
    for second, answer in enumerate(heard):
        for first in range(second):
            if answer.status == "ok" and _verdict(answer) == _verdict(heard[first]):
                return first, second
    return None


def _verdict(answer: Answer) -> tuple[object, ...]:
    return answer.status, answer.values, answer.preference, answer.ranking


def _settled(ask: Ask, heard: list[Answer], agreed: tuple[int, int]) -> Answer:
    _note_silent(ask, heard)
    names = [PERSONAS[index] for index in agreed]
    spared = [*(f"the {name} judge" for name in PERSONAS[len(heard) :]), "the chair"]
    ask.note(
        f"the {names[0]} and the {names[1]} judge agree, so the majority cannot change: "
        f"{' and '.join(spared)} not asked"
    )
    first, second = (heard[index] for index in agreed)
    return msgspec.structs.replace(
        first,
        rationale="\n\n".join(text for text in (first.rationale, second.rationale) if text),
        quotes=(*first.quotes, *second.quotes),
    )


def _note_silent(ask: Ask, heard: list[Answer]) -> None:
    for persona, item in zip(PERSONAS, heard, strict=False):
        if item.status != "ok":
            ask.note(f"the {persona} judge gave no verdict ({item.status}: {item.problem})")


STRATEGY = Strategy(
    name="panel",
    summary="Three judges – exacting, holistic, teacherly – and a chair who weighs their reasons.",
    source="cot-judges, section 3.3, Multi-judge ensemble",
    fields=(REASONING,),
    elicit=elicit,
    calls=(4, 4),
    calls_by=lambda options: (2, 4) if options["early_stop"] else (4, 4),
    options={"early_stop": False},
)
