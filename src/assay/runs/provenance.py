"""Provenance of a run, recorded so that the run can be explained years later. It never contains anything secret."""

from __future__ import annotations

import hashlib
import platform
import sys
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

import msgspec

from assay._version import __version__
from assay.judges.model_judge import ModelJudge
from assay.runs.plan import model_judges

if TYPE_CHECKING:
    from collections.abc import Sequence

    from assay.models.settings import ModelSettings
    from assay.runs.experiment import Experiment
    from assay.runs.plan import PlannedJudge

_PACKAGES: Final = ("aiohttp", "jinja2", "json-repair", "litellm", "msgspec", "pyyaml", "xllamacpp")


def provenance_of(
    experiment: Experiment, planned: Sequence[PlannedJudge], models: dict[str, ModelSettings]
) -> dict[str, Any]:
    """Return versions, judges, settings of models, rubrics and templates of a run.

    Args:
        experiment: The experiment.
        planned: Its judges.
        models: Settings of the models, by id.
    """
    asking = model_judges(item.judge for item in planned)
    rubrics = {judge.rubric.version: judge.rubric for judge in asking}
    return {
        "assay": __version__,
        "python": platform.python_version(),
        "platform": platform.platform(terse=True),
        "packages": _versions(),
        "git": git_revision(experiment.base),
        "command": " ".join(["assay", *sys.argv[1:]]) if sys.argv else "assay",
        "judges": [_judge(item) for item in planned],
        "models": {name: _settings(settings) for name, settings in models.items()},
        "rubrics": {key: msgspec.to_builtins(rubric) for key, rubric in rubrics.items()},
        "templates": _templates(asking),
    }


def git_revision(folder: Path) -> str | None:
    """Return the commit of a folder's repository, or None. Reads files and runs nothing."""
    start = folder.absolute()
    for parent in (start, *start.parents):
        git = parent / ".git"
        try:
            if git.is_file():
                # A worktree or a submodule points elsewhere.
                git = parent / git.read_text("utf-8").removeprefix("gitdir:").strip()
            if git.is_dir():
                return _head(git)
        except (OSError, UnicodeDecodeError):
            return None
    return None


def _head(git: Path) -> str | None:
    head = (git / "HEAD").read_text("utf-8").strip()
    if not head.startswith("ref:"):
        return head
    name = head.removeprefix("ref:").strip()
    common = git / "commondir"
    roots = [git, git / common.read_text("utf-8").strip()] if common.is_file() else [git]
    for root in roots:
        if (root / name).is_file():
            return (root / name).read_text("utf-8").strip()
        packed = root / "packed-refs"
        if packed.is_file():
            for line in packed.read_text("utf-8").splitlines():
                if line.endswith(f" {name}"):
                    return line.partition(" ")[0]
    return None


def _judge(planned: PlannedJudge) -> dict[str, Any]:
    judge = planned.judge
    known = {
        "label": planned.label,
        "name": judge.name,
        "version": judge.version,
        "modes": list(planned.modes),
    }
    if not isinstance(judge, ModelJudge):
        return {**known, "members": [item.name for item in getattr(judge, "judges", ())]}
    return {
        **known,
        "strategy": judge.strategy.name,
        "model": judge.model.id,
        "rubric": judge.rubric_name,
        "rubric_version": judge.rubric.version if judge.source is None else judge.source.version,
        "suite": planned.suite or None,
        "settings": msgspec.to_builtins(judge.settings),
        "sampling": msgspec.to_builtins(judge.sampling),
        "templates": judge.prompts.version(judge.strategy),
        "context_window": judge.window,
    }


def _settings(settings: ModelSettings) -> dict[str, Any]:
    """Return the settings without the values of headers and additional fields, which may hold keys."""
    data: dict[str, Any] = msgspec.to_builtins(settings)
    for name in ("headers", "body"):
        if data.get(name):
            data[name] = sorted(data[name])
    if data.get("base-url"):
        url = urlsplit(data["base-url"])
        data["base-url"] = (
            f"{url.scheme}://{url.hostname or ''}{f':{url.port}' if url.port else ''}{url.path}"
        )
    return data


def _templates(judges: Sequence[ModelJudge]) -> dict[str, str]:
    """Return the hashes of the templates in use, by name."""
    hashes: dict[str, str] = {}
    for judge in judges:
        prompts = judge.prompts
        texts = [prompts.source(name) for name in ("layout.jinja", "layout.zh.jinja")]
        texts += [prompts.template(judge.strategy, language) for language in ("en", "zh")]
        for path, text in texts:
            hashes[path.name] = hashlib.blake2b(text.encode(), digest_size=6).hexdigest()
    return dict(sorted(hashes.items()))


def _versions() -> dict[str, str]:
    versions = {}
    for name in _PACKAGES:
        try:
            versions[name] = version(name)
        except PackageNotFoundError:
            continue
    return versions
