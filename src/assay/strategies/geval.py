"""A plan of checks made for the case, then a verdict by these checks (G-Eval of the paper).

The plan sees all of the material, as in the paper. The rule that turns checks into a verdict is that of the paper's
first data set: best if every critical check passes and at most one other fails, worst if a critical one fails. The
paper gives every criterion the same value by this rule; here a criterion considers only the checks that bear on it,
and documents are compared by the checks that they pass. If the plan comes back empty, there is no verdict.
"""

from assay.strategies.base import Answer, Ask, Field, Strategy, no_answer


async def elicit(ask: Ask) -> Answer:
    """Ask for a plan, then for the verdict."""
    plan = await ask.text("plan")
    return await ask.verdict("score", plan=plan) if plan else no_answer("plan of checks")


STRATEGY = Strategy(
    name="geval",
    summary="Draw up three to five checks for the case, critical or minor; judge by which pass.",
    source="cot-judges, section 3.3, G-Eval",
    fields=(
        Field(
            "checks",
            "each check by its number: pass or fail, and why in a few words",
            "按序号逐项检查：通过或未通过，并简述原因",
            many=True,
        ),
    ),
    elicit=elicit,
    calls=(2, 2),
)
