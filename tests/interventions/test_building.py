"""A benchmark: balanced, the same by seed, every line of it the contract, and refusals counted."""

from __future__ import annotations

import asyncio
from collections import Counter
from random import Random

import msgspec
import pytest
from bench_parts import NUMBERS, QUERIES, numbers, report, trajectory

from assay.errors import InputError
from assay.generation.author import Author
from assay.interventions.base import Edit, Operator, TextRevision
from assay.interventions.building import build, build_by_model
from assay.interventions.candidates import by_model, validated
from assay.interventions.instances import Instance, read_instances, write_instances
from assay.interventions.manifest import manifest_of
from assay.interventions.registry import all_operators
from assay.models.base import Reply, Request, Usage
from assay.strategies.prompts import Prompts
from assay.subjects.report import Report

REPORTS = [*(report(seed) for seed in range(12)), *(report(seed, language="zh") for seed in range(4))]


def test_the_same_seed_gives_the_same_benchmark() -> None:
    one = build(REPORTS, [NUMBERS], per_type=6, seed=3)
    two = build(list(reversed(REPORTS)), [NUMBERS], per_type=6, seed=3)
    assert [item.to_dict() for item in one.instances] == [item.to_dict() for item in two.instances]
    other = build(REPORTS, [NUMBERS], per_type=6, seed=4)
    assert {item.id for item in other.instances} != {item.id for item in one.instances}


def test_growth_and_patterns_are_balanced() -> None:
    built = build(REPORTS, [NUMBERS], per_type=12)
    growth = [len(item.perturbed["report"]) - len(item.reference["report"]) for item in built.instances]
    assert len(growth) == 12
    assert abs(sum((size > 0) - (size < 0) for size in growth)) <= 1
    assert max(Counter(item.pattern for item in built.instances).values()) <= 6


def test_every_instance_differs_in_its_site_and_nowhere_else() -> None:
    built = build([*REPORTS, trajectory()], [NUMBERS, QUERIES], per_type=8)
    for item in built.instances:
        if item.level == "process":
            steps = [side["trajectory"]["steps"] for side in (item.reference, item.perturbed)]
            differ = [i for i, (a, b) in enumerate(zip(*steps, strict=True)) if a != b]
            assert differ == [item.site.index]
            continue
        before, after, site = item.reference["report"], item.perturbed["report"], item.site
        assert before.startswith(after[: site.start])
        assert before.endswith(after[site.end :])


def test_an_echo_of_the_query_is_revised_with_it() -> None:
    built = build([trajectory()], [QUERIES], per_type=1)
    call = built.instances[0].perturbed["trajectory"]["steps"][0]["tool_calls"][0]
    assert call["response"] == "A search for 'song of the south author' found: Jean wrote it."


def test_types_share_references_and_shortfalls_are_told() -> None:
    other = msgspec.structs.replace(NUMBERS, name="more_numbers")
    built = build(REPORTS[:5], [NUMBERS, other, QUERIES], per_type=4)
    groups = Counter(item.group for item in built.instances)
    assert set(groups.values()) == {2}
    assert [(item.type, item.wanted, item.found) for item in built.shortfalls] == [("queries", 4, 0)]
    manifest = manifest_of(
        built, [], types=["numbers", "more_numbers", "queries"], per_type=4, seed=0, editor="rules"
    )
    assert manifest.groups == {2: 4}
    assert manifest.types["queries"].instances == 0


def test_a_text_that_would_be_a_trick_is_used_twice_at_most() -> None:
    trick = "It must also be said that this is of some interest to many."

    def rule(subject: Report, draw: Random):
        end = subject.paragraphs[0].span.end
        yield TextRevision(edits=(Edit(end, end, " " + trick),), pattern="trick")

    built = build(REPORTS[:10], [msgspec.structs.replace(NUMBERS, rule=rule)], per_type=10)
    assert len(built.instances) == 2


def test_subjects_that_cannot_serve_are_counted() -> None:
    built = build(
        [Report("Too short."), report(1), report(1), Report("Слишком " * 200)], [NUMBERS], per_type=3
    )
    assert built.subjects == 1
    assert sum(built.unusable.values()) == 3


def test_what_the_operator_refuses_is_no_instance() -> None:
    never = msgspec.structs.replace(NUMBERS, check=lambda a, b, c: "it is not there")
    built = build(REPORTS[:3], [never], per_type=3)
    assert built.instances == ()
    assert set(built.refused["numbers"]) == {"not_the_failure"}


def test_round_trip_and_rubbish(tmp_path) -> None:
    built = build([*REPORTS, trajectory()], [NUMBERS, QUERIES], per_type=3)
    path = tmp_path / "instances.jsonl"
    assert write_instances(path, built.instances) == 4
    back = read_instances(tmp_path)
    assert back == list(built.instances)
    assert isinstance(back[0].subject("perturbed"), Report)
    first = msgspec.json.decode(path.read_bytes().splitlines()[0])
    assert next(iter(first)) == "schema"
    assert first["schema"] == "assay.bench/1"
    assert {
        "id",
        "group",
        "level",
        "module",
        "category",
        "type",
        "query",
        "reference",
        "perturbed",
        "site",
        "editor",
    } <= set(first)
    for line, said in (
        (b"{", "instances.jsonl:1"),
        (b'{"schema": "assay.bench/2"}', "assay.bench/1"),
        (b"", "empty"),
    ):
        path.write_bytes(line + b"\n")
        with pytest.raises(InputError, match=said):
            read_instances(tmp_path)
    line = msgspec.json.encode(built.instances[0].to_dict())
    path.write_bytes(line + b"\n" + line + b"\n")
    with pytest.raises(InputError, match="is used twice"):
        read_instances(tmp_path)
    with pytest.raises(InputError, match="bench build"):
        read_instances(tmp_path / "none")


SOUND = {"present": "yes", "plausible": "yes", "original_better": "yes", "other_change": "no"}


class Editor:
    """Rewrites what it is shown as the test says, or answers as a second reader; keeps what it was asked."""

    id = "test/editor"

    def __init__(self, *replies, **validity: str) -> None:
        self.replies = list(replies)
        self.validity = {**SOUND, **validity}
        self.asked: list[str] = []

    async def complete(self, request: Request) -> Reply:
        text = "\n".join(message.content for message in request.messages)
        self.asked.append(text)
        if "<<ORIGINAL" in text:
            value = {"difference": "One word.", **self.validity, "reason": "As it is."}
        else:
            passage = text.rsplit("<<PASSAGE", 1)[1].split(">>\n", 1)[1].split("\n<<END PASSAGE", 1)[0]
            reply = self.replies.pop(0) if len(self.replies) > 1 else self.replies[0]
            written = reply(passage)
            passages = [] if written is None else [{"number": 1, "text": written}]
            value = {
                "possible": bool(passages),
                "passages": passages,
                "obstacle": "" if passages else "No way.",
            }
        return Reply(text=msgspec.json.encode(value).decode(), usage=Usage(calls=1))


async def _built(model: Editor, subjects, operators, per_type: int, *, reader: Editor | None = None):
    author = Author(model, Prompts(), retries=1)

    async def edit(operator: Operator, subject, screen):
        candidate = await by_model(author, operator, subject, screen, seed=0)
        if candidate is None or reader is None:
            return candidate
        return await validated(Author(reader, Prompts()), candidate, screen)

    async def each(items, make):
        return [await make(item) for item in items]

    return await build_by_model(subjects, operators, edit, per_type=per_type, each=each)


def test_a_model_edits_and_the_edit_is_cut_to_what_differs() -> None:
    model = Editor(lambda passage: passage.replace("rose", "fell", 1))
    built = asyncio.run(_built(model, REPORTS[:4], [NUMBERS], 3))
    assert len(built.instances) == 3
    item = built.instances[0]
    assert item.editor == "test/editor"
    assert item.perturbed["report"] == item.reference["report"].replace("rose", "fell", 1)
    assert item.site.end - item.site.start < 250
    # No more is asked than is wanted.
    assert len(model.asked) == 3


def test_what_a_model_writes_goes_through_the_same_filters_and_it_is_told() -> None:
    model = Editor(
        lambda passage: "Here is the revised passage: " + passage,
        lambda passage: passage.replace("rose", "fell", 1),
    )
    built = asyncio.run(_built(model, REPORTS[:1], [NUMBERS], 1))
    assert len(built.instances) == 1
    assert "words about the task" in model.asked[1]
    stubborn = Editor(lambda passage: passage)
    built = asyncio.run(_built(stubborn, REPORTS[:2], [NUMBERS], 1))
    assert built.instances == ()
    assert built.refused["numbers"]["no_change"] > 0


def test_a_model_edits_arguments_as_json() -> None:
    model = Editor(lambda passage: '{"query": "song of the east author"}')
    built = asyncio.run(_built(model, [trajectory()], [QUERIES], 1))
    call = built.instances[0].perturbed["trajectory"]["steps"][0]["tool_calls"][0]
    assert call["arguments"] == {"query": "song of the east author"}
    broken = Editor(lambda passage: "east")
    assert asyncio.run(_built(broken, [trajectory()], [QUERIES], 1)).instances == ()


def test_a_second_reader_must_find_nothing_against_an_instance() -> None:
    model = Editor(lambda passage: passage.replace("rose", "fell", 1))
    accepted = asyncio.run(_built(model, REPORTS[:1], [NUMBERS], 1, reader=model))
    validity = accepted.instances[0].second_reading
    assert validity is not None
    assert validity.accepted
    assert validity.reader == "test/editor"
    for question, answer in (
        ("present", "no"),
        ("plausible", "no"),
        ("original_better", "no"),
        ("other_change", "yes"),
    ):
        reader = Editor(lambda passage: passage, **{question: answer})
        built = asyncio.run(_built(model, REPORTS[:1], [NUMBERS], 1, reader=reader))
        assert built.instances == ()
        assert [item.second_reading.objections for item in built.disputed] == [(question,)]
        assert built.refused["numbers"] == {f"second reader: {question}": 1}


def test_a_second_reader_sees_both_versions_and_not_the_instructions_of_the_editor() -> None:
    model = Editor(lambda passage: passage.replace("rose", "fell", 1))
    asyncio.run(_built(model, REPORTS[:1], [NUMBERS], 1, reader=model))
    writing, reading = model.asked
    assert "rose" in reading.split("<<ORIGINAL")[1].split("<<END")[0]
    assert "fell" in reading.split("<<COPY")[1].split("<<END")[0]
    assert NUMBERS.definition in reading
    assert "How to put it in" not in reading
    # Both begin with the same document.
    assert (
        writing.split("<<QUESTION")[1].split("<<END")[0] == reading.split("<<QUESTION")[1].split("<<END")[0]
    )


def test_an_editor_may_decline_and_its_reason_is_kept() -> None:
    model = Editor(lambda passage: None)
    built = asyncio.run(_built(model, REPORTS[:1], [NUMBERS], 1, reader=model))
    assert built.instances == ()
    assert {(item.reason, item.detail) for item in built.refusals} == {("declined", "No way.")}
    assert all("<<ORIGINAL" not in text for text in model.asked)


def test_prompts_are_in_the_language_of_the_report() -> None:
    model = Editor(lambda passage: passage.replace("上升", "下降", 1))
    built = asyncio.run(_built(model, [report(1, language="zh")], [NUMBERS], 1))
    assert len(built.instances) == 1
    assert "数字有误" in model.asked[0]
    assert "The failure" not in model.asked[0]


def test_numbers_is_an_operator_worth_testing_with() -> None:
    assert len(list(numbers(report(1), Random(0)))) > 5
    assert isinstance(build(REPORTS, [NUMBERS], per_type=1).instances[0], Instance)


def test_agents_are_called_agents_in_chinese() -> None:
    for operator in all_operators().values():
        assert "代理" not in operator.definition_zh + operator.ask_zh, operator.name
