"""Criteria graded one by one, each verdict with its evidence (the grader of ResearchRubrics).

For each criterion the judge writes its reasons, the passages they rest on, what is missing, the verdict, and how
sure it is. There is one call for each criterion, or one for many with an entry for each. Entries count by
themselves: those that can be read count, and each criterion left out is asked once more, alone.

As in the paper's prompt (figure 20), the judge sees the category and weight of each criterion, and a note that examples are
illustrations; the words are our own. A comparison has nothing to be missing, so it is asked for reasons and passages only.
"""

from typing import Final

from assay.strategies.base import Answer, Ask, ConfidenceField, Field, Strategy

_REASONED: Final = (
    Field(
        "reasoning",
        "what speaks for and against, in two to four sentences",
        "正反两方面的理由，两到四句话",
    ),
    Field(
        "quotes",
        "the passages this rests on, short, word for word; empty if there are none",
        "所依据的原文片段，简短，一字不差；没有则为空列表",
        many=True,
        quotes="document",
    ),
)
_GRADED: Final = (
    *_REASONED,
    Field(
        "missing",
        "whatever keeps the criterion from being fully met – content that is lacking or, for a fault, what of it is absent; "
        "empty if nothing does",
        "标准未能完全成立的原因，即还缺少哪些内容；如果标准描述的是缺点，则写明缺点的哪些方面并不存在；完全成立则为空列表",
        many=True,
    ),
    ConfidenceField(
        "confidence",
        "how sure you are of this verdict, a number from 0 (a guess) to 1 (certain)",
        "你对这一结论的把握，0（纯属猜测）到 1（完全确定）之间的数",
    ),
)


async def elicit(ask: Ask) -> Answer:
    """Make one call."""
    return await ask.verdict(fields=_GRADED if ask.question.mode == "score" else _REASONED)


STRATEGY = Strategy(
    name="grader",
    summary="Per criterion: reasons, passages, what is missing, the verdict, how sure it is.",
    source="ResearchRubrics, section 3.4",
    fields=_GRADED,
    each=True,
    elicit=elicit,
)
