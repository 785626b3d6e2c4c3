"""Questions drawn from the reference, answered yes or no, then the verdict (ablation A3).

Two calls, like `geval`: the paper generates three to five questions "from the ground truth" and "then has the judge
    answer
them before scoring". The first call is shown the reference and the query but no document, so all documents of one
reference get the same questions, which are asked for once. If no questions come back, there is no verdict.
"""

from assay.strategies.base import Answer, Ask, Field, Strategy, no_answer
from assay.subjects.case import MODES


async def elicit(ask: Ask) -> Answer:
    """Ask for questions from the reference, then for the verdict."""
    questions = await ask.text("questions", sees=("query", "reference"))
    return await ask.verdict("judge", questions=questions) if questions else no_answer("list of questions")


STRATEGY = Strategy(
    name="reference_checklist",
    summary="Three to five yes/no questions from the reference, answered, then the verdict.",
    source="cot-judges, appendix E, A3",
    fields=(
        Field(
            "answers",
            "each question by its number: yes or no, and why in a few words",
            "按序号逐题回答：是或否，并简述原因",
            many=True,
        ),
    ),
    elicit=elicit,
    needs_reference=frozenset(MODES),
    calls=(2, 2),
)
