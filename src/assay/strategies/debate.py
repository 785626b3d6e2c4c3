"""An advocate, a critic, and an arbiter who knows only their arguments (Debate of the paper).

For one document the advocate argues for the best verdict and the critic for the worst; for two, each argues for one
of them; for several, one argues for their merits and one for their faults. The arbiter sees the two arguments, the
criteria, and nothing else, as section 3.3 says. (The token counts of appendix D suggest that the paper's runs did
show it the material, as the option ``blind: false`` does.) If an argument comes back empty, there is no verdict: a
debate needs two sides.
"""

from assay.strategies.base import ALL_MATERIAL, Answer, Ask, Strategy, no_answer
from assay.strategies.full import REASONING


async def elicit(ask: Ask) -> Answer:
    """Ask for two arguments at once, then for the verdict on them."""
    pro, con = await ask.all(ask.text("advocate"), ask.text("critic"))
    if not pro or not con:
        return no_answer("advocate's argument" if not pro else "critic's argument")
    blind = bool(ask.options["blind"])
    return await ask.verdict("arbiter", sees=() if blind else ALL_MATERIAL, blind=blind, pro=pro, con=con)


STRATEGY = Strategy(
    name="debate",
    summary="An advocate and a critic argue; an arbiter who sees only their arguments decides.",
    source="cot-judges, section 3.3, Debate",
    fields=(REASONING,),
    elicit=elicit,
    calls=(3, 3),
    options={"blind": True},
)
