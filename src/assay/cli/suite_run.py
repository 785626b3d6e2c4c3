"""``assay run --suite``: an experiment described on the command line instead of in a file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from assay.errors import InputError, UsageError
from assay.located import LocatedData
from assay.runs.experiment_file import parse_experiment
from assay.suites.registry import find_suite

if TYPE_CHECKING:
    from collections.abc import Sequence

    from assay.cli.run_arguments import RunArguments
    from assay.runs.experiment import Experiment
    from assay.suites.base import Suite


def suite_experiment(args: RunArguments) -> Experiment:
    """Return the experiment that suites, subjects and judges of the command line describe.

    Raises:
        UsageError: Reports or judges are missing.
        InputError: The file of --save cannot be written.
    """
    if not args.paths:
        raise UsageError("no reports: `assay run --suite NAME REPORT... --judge MODEL`")
    if not args.judges:
        raise UsageError("no judge: --judge MODEL, or --judge STRATEGY@MODEL")
    data = _data(args)
    if args.save is not None:
        _save(args.save, data)
    return parse_experiment(LocatedData(data, "command line"), base=Path(), name="-".join(args.suites))


def _data(args: RunArguments) -> dict[str, Any]:
    suites = [find_suite(name) for name in args.suites]
    # --rubric applies to suites without a rubric of their own, or to the only suite.
    uses: list[Any] = []
    for suite in suites:
        wants = args.rubric is not None and (len(suites) == 1 or not suite.rubric)
        uses.append({"suite": suite.name, "rubric": args.rubric} if wants else suite.name)
    about: dict[str, Any] = {}
    if args.query is not None:
        about["query"] = args.query
    if args.fields:
        pairs = (text.partition("=") for text in args.fields)
        about["fields"] = {key.strip(): value.strip() for key, _, value in pairs}
    subjects: list[dict[str, Any]] = [{"path": list(args.paths), **about}]
    if args.limit is not None:
        # The limit applies to each path: the first N of all could come from one system, with none to compare it to.
        subjects = [{"path": path, "limit": args.limit, **about} for path in args.paths]
    return {
        "name": "-".join(suite.name for suite in suites),
        "suites": uses,
        "subjects": subjects,
        "judges": list(args.judges),
        **({"problems": "skip"} if args.skip else {}),
        **({"settings": {"options": options}} if (options := _options(args, suites)) else {}),
    }


def _options(args: RunArguments, suites: Sequence[Suite]) -> dict[str, Any]:
    """Return the options of the suites' judges.

    Raises:
        UsageError: A suite or a judge does not have them, or a weight is not one.
    """
    options: dict[str, Any] = {}
    if args.weights:
        options["weights"] = _weights(args.weights)
    if args.graph is not None:
        options["graph"] = args.graph
    given = {"graph": "--graph", "weights": "--weight"}
    for suite in suites:
        strange = [given[name] for name in options if name not in suite.options]
        if strange:
            raise UsageError(
                f"{', '.join(strange)}: not for suite {suite.name}; run the suites one at a time"
            )
    if options and set(args.judges) == {"rules"}:
        flags = ", ".join(given[name] for name in options)
        raise UsageError(f"judge 'rules' asks no model and has no final score; {flags} would do nothing")
    return options


def _weights(pairs: Sequence[str]) -> dict[str, float]:
    from assay.suites.finresearch.dimensions import check_weights

    weights: dict[str, float] = {}
    for pair in pairs:
        key, sign, text = pair.partition("=")
        try:
            weights[key.strip()] = float(text)
        except ValueError:
            sign = ""
        if not sign:
            raise UsageError(f"--weight {pair}: write it as DIMENSION=NUMBER, such as logic_consistency=0.3")
    check_weights(weights)
    return weights


def _save(path: str, data: dict[str, Any]) -> None:
    import yaml

    file = Path(path)
    if file.parent.resolve() != Path.cwd():
        raise UsageError(
            f"--save {path}: paths in an experiment file are relative to that file; save it in the current folder"
        )
    try:
        file.write_text(yaml.safe_dump(data, sort_keys=False, allow_unicode=True), "utf-8")
    except OSError as error:
        raise InputError(f"cannot be written: {error.strerror}", where=path) from error
