"""``assay lab``: tools that single studies need."""

from __future__ import annotations

from assay.cli.commands import group


@group()
def lab() -> None:
    """Prepare a study: label questions, have reports written, make reports whose argument is known, vary a rubric.

    \b
    assay lab query suitable "Why did lithium prices fall?" --model openai/gpt-5-mini
    assay lab write @question.txt --documents sources/ --model openai/gpt-5-mini -o report.md
    assay lab extraction build --synthetic 60 -o pairs/
    """  # noqa: D301 - click reads the backspace as "do not wrap"


@group()
def query() -> None:
    """Filter and label research questions with a model; list those that suites bring.

    \b
    assay lab query suitable "Why did lithium prices fall?" --model openai/gpt-5-mini
    assay lab query complexity questions.jsonl --model openai/gpt-5-mini -o labels.jsonl
    """  # noqa: D301 - click reads the backspace as "do not wrap"
