"""The operators of the subpackages, one per module, and of the entry point group ``assay.operators``."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from assay.errors import UsageError
from assay.interventions import attacks, outcome, process
from assay.interventions.base import Operator
from assay.registry import cached_list, discover
from assay.suggest import did_you_mean

GROUP: Final = "assay.operators"
# Names that stand for several operators.
GROUPS: Final = ("failures", "process", "outcome", "attacks", "targeted", "bias", "manipulation", "all")


@cached_list
def all_operators() -> Mapping[str, Operator]:
    """Return every operator by name: process failures, outcome failures, attacks; each in the order of its modules.

    Raises:
        UsageError: Two operators have the same name, or an entry point does not load.
    """
    operators = discover(
        (process, outcome, attacks),
        group=GROUP,
        attribute="OPERATOR",
        kind=Operator,
        names=lambda operator: (operator.name,),
    )
    return {operator.name: operator for operator in operators}


def find_operators(names: Iterable[str | Operator] = ("failures",)) -> list[Operator]:
    """Return operators by name or by group, each once; an operator stands for itself.

    Raises:
        UsageError: No operator or group has that name; the message offers the nearest.
    """
    everything = all_operators()
    operators: dict[str, Operator] = {}
    for name in names:
        if isinstance(name, Operator):
            operators[name.name] = name
            continue
        if not isinstance(name, str):
            raise UsageError(f"a type is a name or a perturbation, not {type(name).__name__}")
        wanted = name.strip().lower().replace("-", "_")
        chosen = [operator for operator in everything.values() if _is(operator, wanted)]
        if not chosen:
            raise UsageError(
                f"no type is called {name.strip()!r}; {did_you_mean(wanted, (*GROUPS, *everything))}",
                cli_hint="`assay bench types` lists them",
            )
        operators.update({operator.name: operator for operator in chosen})
    return list(operators.values())


def _is(operator: Operator, wanted: str) -> bool:
    failure = operator.kind == "failure"
    return (
        wanted in (operator.name, "all")
        or (wanted == "failures" and failure)
        or (wanted == "attacks" and not failure)
        or (wanted in ("process", "outcome") and failure and operator.level == wanted)
        or (not failure and wanted == operator.kind)
    )
