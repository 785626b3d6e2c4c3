"""Three judges of different temper and a chair who reads them (Multi-judge ensemble of the paper).

One judge is exacting, one looks at the whole, one is teacherly; each reasons freely and none sees the others. The
chair sees the material and their reasons and verdicts. A judge whose verdict cannot be read is announced to the
chair as silent, and noted. If all three are silent, there is no verdict: the chair's would be one judge's word.

With ``early_stop`` the three are asked one by one and their majority decides: as soon as two agree on everything,
the third could not change the result, and neither the third nor the chair is asked. The chair decides only if no
two agree. The paper's chair may overrule a majority, so this is a different judge, and a cheaper one: two calls if
the first two agree.
"""

from typing import Final

import msgspec

from assay.strategies.base import Answer, Ask, Strategy
from assay.strategies.full import REASONING
from assay.strategies.verdict_text import verdict_text

PERSONAS: Final = ("exacting", "holistic", "teacherly")


async def elicit(ask: Ask) -> Answer:
    """Ask for three verdicts and the chair's, or for as many as a majority takes."""
    if ask.options["early_stop"]:
        verdicts: list[Answer] = []
        for persona in PERSONAS:
            verdicts.append(await ask.verdict("persona", persona=persona))
            agreed = _majority(verdicts)
            if agreed:
                return _settled(ask, verdicts, agreed)
    else:
        verdicts = await ask.all(*(ask.verdict("persona", persona=persona) for persona in PERSONAS))
    _note_silent(ask, verdicts)
    if all(item.status != "ok" for item in verdicts):
        refused = all(item.status == "refused" for item in verdicts)
        return Answer(
            status="refused" if refused else "unparsed",
            problem=f"none of the three judges gave a verdict: {verdicts[0].problem}",
            reply=verdicts[0].reply,
        )
    return await ask.verdict("chair", judges=[verdict_text(item, ask.question) for item in verdicts])


def _majority(verdicts: list[Answer]) -> tuple[int, int] | None:
    """Return the first two judges that agree on every criterion and on the whole."""
    for second, answer in enumerate(verdicts):
        for first in range(second):
            if answer.status == "ok" and _verdict(answer) == _verdict(verdicts[first]):
                return first, second
    return None


def _verdict(answer: Answer) -> tuple[object, ...]:
    return answer.status, answer.values, answer.preference, answer.ranking


def _settled(ask: Ask, verdicts: list[Answer], agreed: tuple[int, int]) -> Answer:
    _note_silent(ask, verdicts)
    names = [PERSONAS[index] for index in agreed]
    spared = [*(f"the {name} judge" for name in PERSONAS[len(verdicts) :]), "the chair"]
    ask.note(
        f"the {names[0]} and the {names[1]} judge agree, so the majority cannot change: "
        f"{' and '.join(spared)} not asked"
    )
    first, second = (verdicts[index] for index in agreed)
    return msgspec.structs.replace(
        first,
        rationale="\n\n".join(text for text in (first.rationale, second.rationale) if text),
        quotes=(*first.quotes, *second.quotes),
    )


def _note_silent(ask: Ask, verdicts: list[Answer]) -> None:
    for persona, item in zip(PERSONAS, verdicts, strict=False):
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
