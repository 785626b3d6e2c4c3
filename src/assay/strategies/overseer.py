"""A verdict, an audit of it, and another draw if the audit finds an error (Overseer-guided retry of the paper).

The auditor says for every criterion whether the judgment is in error, of any of the paper's five kinds. The first
attempt without an error is the answer; after the last attempt, the one with the fewest errors, and the earlier one
of equals.

An audit that cannot be read neither approves nor counts: its attempt stays unaudited, another is drawn, and it is
chosen only if no attempt was audited. A verdict that cannot be read is not audited, and is never chosen if there is
another. An attempt that repeats an earlier one to the letter ends the drawing, because a model that is not sampled
(at temperature 0, say; the default is 0.7) says the same every time. All of this is noted with the answer.

The paper caps an audit of five criteria at 800 tokens; beyond ten criteria, each adds 80.
"""

from collections.abc import Mapping
from typing import Any, Final

from assay.errors import UsageError
from assay.strategies.base import Answer, Ask, Question, Strategy
from assay.strategies.full import REASONING
from assay.strategies.json_schema import flag, table, text
from assay.strategies.verdict_text import verdict_text

_MOST_ATTEMPTS: Final = 50  # draws of one repetition must not run into those of the next
_AUDIT_TOKENS: Final = 800
_MORE_TOKENS: Final = 80
_WHY: Final = 300


async def elicit(ask: Ask) -> Answer:
    """Ask for a verdict and its audit until one is clean."""
    most = _attempts(ask.options)
    keys = _keys(ask.question)
    tried: dict[str, tuple[int | None, Answer]] = {}
    unread: Answer | None = None
    for attempt in range(1, most + 1):
        verdict = await ask.verdict(draw=attempt - 1)
        text = verdict_text(verdict, ask.question)
        if verdict.status != "ok":
            unread = unread or verdict
            ask.note(f"attempt {attempt} gave no verdict ({verdict.status}: {verdict.problem})")
            continue
        if text in tried:
            ask.note(f"attempt {attempt} repeats an earlier one to the letter: no more were drawn")
            break
        errors = await _audit(ask, text, keys)
        tried[text] = (None if errors is None else len(errors), verdict)
        if errors is None:
            ask.note(f"the audit of attempt {attempt} could not be read")
        elif errors:
            ask.note(f"the audit of attempt {attempt} found errors in {', '.join(errors)}")
        else:
            ask.note(f"attempt {attempt} of at most {most} passed the audit")
            return verdict
    audited = [(count, verdict) for count, verdict in tried.values() if count is not None]
    if audited:
        fewest, best = min(audited, key=lambda pair: pair[0])
        ask.note(f"no attempt passed; kept the one with the fewest errors, {fewest}")
        return best
    if tried:
        ask.note("no audit could be read; kept the first attempt, unaudited")
        return next(iter(tried.values()))[1]
    return unread or Answer(status="unparsed", problem="no attempt was made")


async def _audit(ask: Ask, judgment: str, keys: list[str]) -> list[str] | None:
    """Return the keys whose judgment is in error, or None if the audit cannot be read."""
    cap = _AUDIT_TOKENS + _MORE_TOKENS * max(0, len(keys) - 10)
    audit = await ask.data("audit", _schema(keys), max_tokens=cap, judgment=judgment, keys=keys)
    return None if audit is None else [key for key in keys if audit[key]["error"]]


def _keys(question: Question) -> list[str]:
    """Return what is audited by itself: each criterion and the verdict over several, or the ranking."""
    if question.mode == "rank":
        return ["ranking"]
    keys = [item.key for item in question.criteria]
    if question.mode == "compare" and len(keys) > 1 and "preference" not in keys:
        keys.append("preference")
    return keys


def _schema(keys: list[str]) -> dict[str, Any]:
    """Return the schema of an audit: the reason comes before the finding here too."""
    entry = table(why=text(_WHY), error=flag())
    return table(**dict.fromkeys(keys, entry))


def _attempts(options: Mapping[str, Any]) -> int:
    most: int = options["attempts"]
    if not 1 <= most <= _MOST_ATTEMPTS:
        raise UsageError(f"option 'attempts' of 'overseer' is {most}; it must be 1 to {_MOST_ATTEMPTS}")
    return most


STRATEGY = Strategy(
    name="overseer",
    summary="A verdict is audited and drawn again while errors are found; the first clean one wins.",
    source="cot-judges, section 3.3, Overseer-guided retry",
    fields=(REASONING,),
    elicit=elicit,
    calls=(2, 10),
    calls_by=lambda options: (2, 2 * _attempts(options)),
    draws=True,
    options={"attempts": 5},
)
