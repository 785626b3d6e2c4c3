"""The tables of commands: what exists, under which heading of the help, and what used to have another name.

An entry names the module in `assay.cli` that defines a command, and the command's line in a list, so that listing
commands imports none of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple


class Entry(NamedTuple):
    """A command in a list.

    Attributes:
        module: The module in `assay.cli`, such as "audit", with the object's name if it differs: "prompts:list_".
        line: What the command does, in one line.
        subcommands: Commands below one that does something by itself, such as ``run batch`` below ``run``.
    """

    module: str
    line: str
    subcommands: Mapping[str, Entry] = {}


SECTIONS: Final[dict[str, dict[str, Entry]]] = {
    "Reports": {
        "audit": Entry("audit", "Audit reports and trajectories: findings and argument."),
        "repair": Entry("repair", "Make the repairs that readers of a report proposed."),
        "sources": Entry(
            "sources",
            "Fetch cited sources, and check what they are cited for.",
            {
                "fetch": Entry("sources", "Fetch the sources that reports cite, and keep their texts."),
                "check": Entry("sources", "Check each claim against the sources cited for it."),
            },
        ),
        "compare": Entry("compare", "Say which of two reports or trajectories is better, and why."),
        "rank": Entry("rank", "Put several reports or trajectories in order, best first."),
        "logic": Entry("logic", "Show the argument of a report: claims and what supports them."),
    },
    "Judges": {
        "judge": Entry("judge", "Score reports and trajectories with an LLM judge, with reasons."),
        "grade": Entry("grade", "Grade reports against weighted criteria, with evidence."),
        "run": Entry(
            "run",
            "Run an experiment: many judges, many subjects, resumable.",
            {
                "batch": Entry(
                    "batch",
                    "Run an experiment through batch files, in rounds.",
                    {
                        "export": Entry("batch", "Write the requests that wait for a reply."),
                        "import": Entry(
                            "batch:import_", "Read responses, and finish the judgments that they complete."
                        ),
                        "status": Entry("batch", "Show which judgments are done and which requests wait."),
                    },
                ),
                "suites": Entry(
                    "suites",
                    "List suites (published ways to score); compare their results.",
                    {
                        "list": Entry(
                            "suites:list_", "List the suites: published scoring methods for reports."
                        ),
                        "agree": Entry("suites", "Show how far suites agree about the same reports."),
                    },
                ),
            },
        ),
    },
    "Trials of judges": {
        "bench": Entry(
            "bench",
            "Put judges on trial: benchmarks, cards, CI gates, drift.",
            {
                "build": Entry(
                    "bench_build", "Build a benchmark: failures planted in copies of your own files."
                ),
                "run": Entry(
                    "bench_run", "Evaluate judges on a benchmark: what they detect, what they miss."
                ),
                "card": Entry("card", "Make a card of a judge: what it detects, what fools it."),
                "compare": Entry("bench_compare", "Test the judges of several runs against each other."),
                "plan": Entry(
                    "bench_plan", "How many cases, repetitions and orders an evaluation takes, and its cost."
                ),
                "gate": Entry("card", "Fail CI when a judge misses a threshold."),
                "drift": Entry("drift", "Judge an earlier run again: has the judge changed?"),
                "show": Entry("bench_check", "Show instances: the text before and after the change."),
                "types": Entry("bench_check", "List the types of failures and attacks."),
                "queue": Entry("bench_check", "Write the pairs out for people to label."),
                "validate": Entry("bench_check", "Read people's labels, and drop invalid instances."),
            },
        ),
    },
    "A judge of one's own": {
        "train": Entry(
            "train",
            "Train a judge of pairs: data from teachers, SFT, GRPO, DPO.",
            {
                "distil": Entry("train_distil", "Make training data: teachers, planted failures, people."),
                "sft": Entry("train_stages", "Teach a model the replies: supervised fine-tuning."),
                "grpo": Entry("train_stages", "Reinforce right verdicts in the right form."),
                "dpo": Entry("train_stages", "Teach a model to prefer the right reply."),
                "eval": Entry("train_eval:evaluate", "Put models and judges to the same test."),
                "serve": Entry("train_serve", "Serve a trained model as a judge."),
                "recipes": Entry("train_stages", "List or print the recipes."),
            },
        ),
    },
    "For other programs": {
        "mcp": Entry("mcp", "Serve audits to agents over the Model Context Protocol."),
        "serve": Entry("serve", "Serve audits, judgments and grades over HTTP."),
    },
    "Analysis": {
        "log": Entry(
            "log",
            "List runs, inspect one down to its prompts, export it.",
            {
                "list": Entry("log:list_", "List the runs of a ledger, newest first."),
                "show": Entry("log", "Show a run, one of its judgments, or a call."),
                "export": Entry("log", "Export a run as JSONL, CSV or Parquet."),
            },
        ),
        "view": Entry("view", "See runs, audits and benchmarks in the browser."),
        "annotate": Entry(
            "annotate",
            "Have people label reports, pairs or findings in the browser.",
            {"export": Entry("annotate:export", "Write the labels of a project, and the texts.")},
        ),
        "agree": Entry(
            "agree",
            "Compare judgments with people's labels, with intervals.",
            {
                "labels": Entry(
                    "labels",
                    "Read people's labels, in the formats that they come in.",
                    {
                        "list": Entry("labels:list_", "List the formats of labels."),
                        "convert": Entry("labels", "Convert labels, and the texts that they are about."),
                    },
                ),
                "stability": Entry("agree:stability", "Say how stable judges are over repeated judgments."),
            },
        ),
        "leaderboard": Entry("leaderboard", "Rank systems by pairwise verdicts, with intervals."),
        "compliance": Entry("compliance", "Make tables of many grades: compliance, failures, length."),
        "papers": Entry(
            "papers",
            "Tables and figures of five papers, made with your own material.",
            {
                "list": Entry("papers:list_", "List the papers with their tables and figures."),
                "show": Entry("papers", "Show what a paper prints."),
                "run": Entry("papers", "Make a table or figure with your judges, reports and labels."),
            },
        ),
    },
    "Catalogues": {
        "checks": Entry(
            "checks",
            "List the checks, or explain one.",
            {
                "list": Entry("checks:list_", "List the checks: code, severity, name, what they find."),
                "explain": Entry("checks", "Explain a check, by CODE or name."),
            },
        ),
        "rubrics": Entry(
            "rubrics",
            "List, show, lint and write rubrics.",
            {
                "list": Entry("rubrics.catalogue:list_", "List the built-in rubrics and the named scales."),
                "show": Entry("rubrics.catalogue", "Show a rubric, or what a set of tasks holds."),
                "lint": Entry("rubrics.catalogue", "Find what makes a rubric hard to judge by."),
                "draft": Entry("rubrics.draft", "Have a model draft criteria for a question."),
                "review": Entry("rubrics.review", "Decide on drafted criteria, one at a time."),
                "for-pair": Entry(
                    "rubrics.for_pair", "Have a model write the rubric of one pair of reports."
                ),
                "convert": Entry("rubrics.sets", "Write rubrics of other tools in Assay's format."),
                "schema": Entry("rubrics.catalogue", "Print the JSON schema of rubric files."),
            },
        ),
        "strategies": Entry(
            "strategies",
            "List the prompting strategies, and show what they send.",
            {
                "show": Entry("prompts:show", "Show what a strategy or an assignment sends."),
                "templates": Entry("prompts:list_", "List the templates: name, version, files in force."),
            },
        ),
        "models": Entry(
            "models",
            "List models, test one, download or serve a local one.",
            {
                "list": Entry("models:list_", "List the providers, or the priced models of one."),
                "check": Entry("models", "Say whether a model works, what it supports and what it costs."),
                "pull": Entry("models_local", "Download local models, or list them."),
                "serve": Entry("models_local", "Serve a local model over HTTP."),
                "answer": Entry("models_answer", "Answer a batch file by a model, here or on Ray."),
            },
        ),
    },
    "Set-up": {
        "init": Entry("init", "Write a commented assay.toml; print shell completion."),
        "lab": Entry(
            "lab",
            "Prepare a study: questions, reports, known arguments, ablations.",
            {
                "query": Entry(
                    "lab",
                    "Filter and label research questions with a model.",
                    {
                        "list": Entry("lab.query_list:list_", "List the questions that suites bring."),
                        "suitable": Entry("lab.query_labels", "Say which questions call for a report."),
                        "complexity": Entry("lab.query_labels", "Label how complex questions are."),
                        "category": Entry("lab.query_category", "Sort finance questions into categories."),
                        "expand": Entry("lab.query_sets", "Have a model write variants of questions."),
                        "dedupe": Entry("lab.query_sets", "Leave out near-duplicates."),
                        "split": Entry("lab.query_sets", "Split questions into train, dev and test."),
                    },
                ),
                "write": Entry("lab.write", "Have a model write a report on a question from documents."),
                "reports": Entry("lab.reports", "Have several models write a report on each question."),
                "extraction": Entry(
                    "lab.extraction",
                    "Measure how well arguments are extracted from reports.",
                    {
                        "build": Entry("lab.extraction", "Make reports together with their arguments."),
                        "measure": Entry(
                            "lab.extraction", "Extract again, and compare with the known arguments."
                        ),
                    },
                ),
                "augment": Entry("lab.ablations", "Have a model elaborate criteria, for an ablation."),
                "strip-examples": Entry("lab.ablations", "Write a rubric without its examples."),
            },
        ),
    },
}

COMMANDS: Final[dict[str, Entry]] = {
    name: entry for section in SECTIONS.values() for name, entry in section.items()
}

# Earlier names, by the words that were typed, and the words that replace them. They work, and the new name is shown.
RENAMED: Final[dict[str, str]] = {
    "batch": "run batch",
    "card": "bench card",
    "completion": "init --completion",
    "drift": "bench drift",
    "extraction": "lab extraction",
    "gate": "bench gate",
    "grades": "compliance",
    "lab score": "run --suite finresearch",
    "labels": "agree labels",
    "prompts": "strategies",
    "prompts list": "strategies templates",
    "query": "lab query",
    "rubric": "rubrics",
    "rubric augment": "lab augment",
    "rubric generate": "rubrics for-pair",
    "rubric strip-examples": "lab strip-examples",
    "runs": "log",
    "score": "run --suite finresearch",
    "stability": "agree stability",
    "suites": "run suites",
    "write": "lab write",
}

# Where to find what earlier commands took and the newer ones do not.
MOVED: Final[dict[str, str]] = {
    "run --suite finresearch": "`assay run batch` takes batch files; settings of judges stand in an experiment file, "
    "which --save FILE writes",
}

# What other tools and habits call a command here.
ELSEWHERE: Final[dict[str, str]] = {
    "check": "audit",
    "completions": "init --completion",
    "config": "init",
    "diff": "compare",
    "eval": "run",
    "evaluate": "run",
    "experiment": "run",
    "graph": "logic",
    "help": "--help",
    "history": "log",
    "label": "agree labels",
    "lint": "audit",
    "model": "models",
    "prompt": "strategies show",
    "strategy": "strategies",
    "suite": "run suites",
    "trial": "bench run",
    "version": "--version",
}


def walk(places: Mapping[str, Entry], above: str = "") -> Iterator[tuple[str, Entry]]:
    """Yield every command and subcommand with its words, such as "bench card"."""
    for name, entry in places.items():
        yield above + name, entry
        yield from walk(entry.subcommands, f"{above}{name} ")
