"""Grades made by hand and by a seeded generator."""

import random

from msgspec.structs import replace

from assay.judges.compliance import compliance_of
from assay.judges.judgment import Judgment, Verdict
from assay.suites.compliance.grade_files import SourcedJudgment

AXES = (
    "Explicit Criteria",
    "Implicit Criteria",
    "Synthesis of Information",
    "References & Citation Quality",
    "Communication Quality",
    "Instruction Following",
)


def criterion(key, weight, score, axis="Explicit Criteria", **rest):
    status = "ok" if score is not None else "unparsed"
    return Verdict(
        criterion=key,
        text=f"Criterion {key}",
        weight=weight,
        axis=axis,
        mandatory=abs(weight) >= 4,
        status=rest.pop("status", status),
        score=score,
        **rest,
    )


def grade(group, task, *criteria, **rest):
    known = {"id": task, "system": group, "words": 100, "tokens": 150}
    compliance = rest.pop("compliance", None)
    subject = rest.pop("report", f"{group}/{task}.md")
    judge = rest.pop("judge", "grader@demo/x")
    return Judgment(
        subject,
        judge,
        rest.pop("rubric", "r"),
        scores=None if compliance is None else {"overall": compliance},
        verdicts=criteria,
        version=rest.pop("version", "0123456789ab"),
        metadata={**known, **rest},
    )


def sourced(*grades, file="grades"):
    return [SourcedJudgment(item, f"{file}.jsonl:{at}", file) for at, item in enumerate(grades, 1)]


def many(systems=("one", "two", "three"), tasks=12, criteria=9, *, seed=5, gaps=True):
    """Grades with marks drawn by chance: systems differ, a few verdicts are missing, one system lacks a task."""
    draw = random.Random(seed)
    rubrics = [
        [(f"c{n}", draw.choice((-4, 1, 2, 3, 4, 5)), draw.choice(AXES)) for n in range(criteria - 1)]
        + [(f"c{criteria - 1}", 5, AXES[0])]
        for _ in range(tasks)
    ]
    made = []
    for at, system in enumerate(systems):
        for task, rubric in enumerate(rubrics):
            if gaps and at == 1 and task == 0:
                continue
            marks = [
                None if gaps and draw.random() < 0.01 else draw.choices((0, 0.5, 1), (3 - at, 2, 3 + at))[0]
                for _ in rubric
            ]
            items = [criterion(key, w, m, axis) for (key, w, axis), m in zip(rubric, marks, strict=True)]
            words = draw.randint(500, 6000)
            made.append(
                grade(
                    system,
                    f"t{task}",
                    *items,
                    domain=("Health", "Travel")[task % 2],
                    complexity={"exploration": ("Low", "Medium", "High")[task % 3]},
                    words=words,
                    tokens=words * 3 // 2,
                    citations={"marks": 20 + at, "faulty": 5},
                )
            )
    return [_whole(item) for item in made]


def _whole(item):
    overall = compliance_of(item)
    return item if overall is None else replace(item, scores={"overall": overall})
