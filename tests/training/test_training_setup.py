"""Recipes, the arithmetic of memory and time, what is refused before the first step, checkpoints and curves."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from xml.etree import ElementTree as ET

import msgspec
import pytest

from assay.errors import InputError, MissingExtraError, UsageError
from assay.present.training import cost_text
from assay.present.training_curves import curves_svg
from assay.training.libraries import library, model_files
from assay.training.memory import training_cost
from assay.training.preparation import PreparedData, checked_cost, prepared
from assay.training.recipe import load_recipe, recipe_names
from assay.training.reward import RewardSettings
from assay.training.trainers import TrainingRun, last_checkpoint, ordered, read_run, refuse_other_run

SMALL = load_recipe("cpu")


def words(messages) -> int:
    return sum(len(message["content"].split()) for message in messages)


def write(folder: Path, stage: str, rows: list[dict], split: str = "train") -> Path:
    (folder / stage).mkdir(parents=True, exist_ok=True)
    text = "".join(json.dumps(row) + "\n" for row in rows)
    (folder / stage / f"{split}.jsonl").write_text(text, "utf-8")
    return folder


def row(size: int = 5) -> dict:
    prompt = [{"role": "user", "content": "word " * size}]
    reply = [{"role": "assistant", "content": "A>B"}]
    wrong = [{"role": "assistant", "content": "A<B"}]
    return {
        "messages": [*prompt, *reply],
        "prompt": prompt,
        "chosen": reply,
        "rejected": wrong,
        "label": "A>B",
        "dimensions": {"overall": "A>B"},
    }


def test_every_recipe_can_be_read_and_says_what_it_is_for() -> None:
    assert {"paper", "cpu", "gpu-24gb", "gpu-80gb", "gpu-8x80gb"} <= set(recipe_names())
    for name in recipe_names():
        recipe = load_recipe(name)
        assert recipe.about
        assert recipe.shape is not None
        for stage in ("sft", "grpo", "dpo"):
            settings = recipe.stage(stage)
            assert settings.batch % (settings.per_device * recipe.hardware.devices) == 0, (name, stage)


def test_the_paper_s_recipe_has_the_paper_s_numbers() -> None:
    recipe = load_recipe("paper")
    assert (recipe.model, recipe.max_length, recipe.lora) == ("Qwen/Qwen3-30B-A3B", 40_960, None)
    assert (recipe.sft.epochs, recipe.sft.batch, recipe.sft.learning_rate) == (5, 128, 1e-5)
    grpo = recipe.grpo
    assert (grpo.batch, grpo.batch // grpo.replies, grpo.kl, grpo.temperature) == (2048, 512, 0.001, 1.0)
    assert grpo.max_new_tokens == 4096
    assert (grpo.reward.invalid, grpo.reward.right, grpo.reward.wrong) == (-1, 1, -0.5)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("model: m\nlorra: {}", "lorra"),
        ("model: m\ngrpo: {replies: 1}", "at least two replies"),
        ("model: m\ngrpo: {batch: 10, replies: 4}", "not a multiple of replies"),
        ("model: m\nsft: {batch: 0}", "at least one row"),
        ("max_length: 5", "model"),
    ],
)
def test_a_wrong_recipe_is_refused_with_the_remedy(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "r.yaml"
    path.write_text(text + "\n", "utf-8")
    with pytest.raises(InputError, match=message):
        load_recipe(str(path))
    with pytest.raises(InputError, match="gpu-24gb"):
        load_recipe("gpu-24")


def test_memory_of_full_training_is_sixteen_bytes_a_parameter() -> None:
    recipe = load_recipe("paper")
    shape = recipe.shape
    assert shape is not None
    one = msgspec.structs.replace(recipe, sharding="none", precision="float32")
    cost = training_cost(one, "sft", shape, rows=1000, median=10, longest=10)
    assert cost.weights_gb + cost.optimiser_gb == pytest.approx(16 * shape.parameters / 1e9)
    sharded = training_cost(recipe, "sft", shape, rows=1000, median=10, longest=10)
    assert sharded.optimiser_gb == pytest.approx(16 * shape.parameters / 1e9 / 16)
    assert (sharded.fits, cost.fits) == (True, False)


def test_vllm_takes_its_share_and_must_hold_the_weights_in_it() -> None:
    recipe = load_recipe("gpu-8x80gb")
    shape = recipe.shape
    assert shape is not None
    spread = training_cost(recipe, "grpo", shape, rows=1000, median=4000, longest=40960)
    assert (spread.generation_gb, spread.fits) == (pytest.approx(24), True)
    alone = msgspec.structs.replace(recipe, grpo=msgspec.structs.replace(recipe.grpo, vllm_devices=1))
    cost = training_cost(alone, "grpo", shape, rows=1000, median=4000, longest=40960)
    assert cost.generation_needs_gb > 61
    assert not cost.fits
    data = PreparedData(train=[{}], validation=[], lengths=_lengths().of([40000]))
    with pytest.raises(UsageError, match=r"vLLM gets 24\.0 GB of a device and needs about 64\.9"):
        checked_cost(alone, "grpo", shape, data, device_gb=80)
    usual = load_recipe("gpu-24gb")
    assert usual.shape is not None
    without = training_cost(usual, "grpo", usual.shape, rows=1000, median=4000, longest=8192)
    assert without.generation_needs_gb == without.generation_gb


def test_both_orders_of_a_pair_stay_together_where_their_agreement_counts() -> None:
    rows = [{"id": f"p{n}", "order": order} for n in range(20) for order in (0, 1)]
    assert ordered(SMALL, "grpo", rows) == rows
    grpo = msgspec.structs.replace(SMALL.grpo, reward=RewardSettings(orders=0.5))
    recipe = msgspec.structs.replace(SMALL, grpo=grpo)
    found = ordered(recipe, "grpo", rows)
    assert found != rows
    assert sorted(map(str, found)) == sorted(map(str, rows))
    assert all(one["id"] == other["id"] for one, other in zip(found[::2], found[1::2], strict=True))
    assert ordered(recipe, "sft", rows) == rows


def test_what_costs_more_is_said_to_cost_more() -> None:
    recipe = load_recipe("gpu-24gb")
    shape = recipe.shape
    assert shape is not None
    usual = training_cost(recipe, "sft", shape, rows=1000, median=4000, longest=8000)
    longer = training_cost(recipe, "sft", shape, rows=1000, median=4000, longest=16000)
    full = training_cost(
        msgspec.structs.replace(recipe, lora=None), "sft", shape, rows=1000, median=4000, longest=8000
    )
    plain = training_cost(
        msgspec.structs.replace(recipe, checkpointing=False),
        "sft",
        shape,
        rows=1000,
        median=4000,
        longest=8000,
    )
    assert usual.fits
    assert longer.activations_gb > usual.activations_gb
    assert not full.fits
    assert plain.activations_gb > 5 * usual.activations_gb
    assert plain.hours < usual.hours < full.hours
    assert usual.steps == round(1000 * recipe.sft.epochs / recipe.sft.batch)
    assert usual.usd == pytest.approx(usual.hours * 0.4)
    assert "of 24.0 GB" in cost_text("sft", recipe, msgspec.convert({"n": 1000}, type=_lengths()), usual)


def _lengths():
    from assay.training.data_set import TokenLengths

    return TokenLengths


def test_rows_that_are_too_long_are_refused_with_their_number(tmp_path: Path) -> None:
    recipe = msgspec.structs.replace(SMALL, max_length=20)
    folder = write(tmp_path, "sft", [row(5), row(50), row(70)])
    with pytest.raises(InputError, match=r"2 of 3 rows need more than max_length 20 tokens, the longest 71"):
        prepared(folder, "sft", recipe, words)
    write(tmp_path, "grpo", [row(5)])
    with pytest.raises(InputError, match="128 of them for the reply"):
        prepared(tmp_path, "grpo", recipe, words)


@pytest.mark.parametrize(
    ("stage", "rows", "message"),
    [
        ("sft", [{"text": "x"}], "lacks messages"),
        ("sft", [{"messages": [{"role": "user", "content": "?"}]}], "do not end with the reply"),
        ("sft", [], "holds no rows"),
        ("grpo", [{**row(), "label": "B"}], "label is 'B'"),
        ("dpo", [{**row(), "rejected": row()["chosen"]}], "the same in 1 rows"),
    ],
)
def test_wrong_data_is_refused(tmp_path: Path, stage, rows, message) -> None:
    with pytest.raises(InputError, match=message):
        prepared(write(tmp_path, stage, rows), stage, SMALL, words)
    with pytest.raises(InputError, match="assay train distil writes it"):
        prepared(tmp_path / "nothing", stage, SMALL, words)


def test_a_small_context_and_a_small_device_are_refused_with_numbers(tmp_path: Path) -> None:
    data = prepared(write(tmp_path, "sft", [row(100)]), "sft", SMALL, words)
    shape = SMALL.shape
    assert shape is not None
    with pytest.raises(UsageError, match=r"needs 101 tokens, and the context of .* has 64"):
        checked_cost(SMALL, "sft", msgspec.structs.replace(shape, context=64), data, device_gb=8)
    with pytest.raises(UsageError, match=r"needs about 2\.\d GB on a device, and it has 0\.5 GB"):
        checked_cost(SMALL, "sft", shape, data, device_gb=0.5)


def test_a_checkpoint_that_a_kill_left_unfinished_is_passed_over(tmp_path: Path) -> None:
    for step, state in ((9, "{}"), (10, '{"global_step": 10}'), (20, '{"global_'), (30, None)):
        folder = tmp_path / f"checkpoint-{step}"
        folder.mkdir()
        for name in ("optimizer.pt", "scheduler.pt"):
            (folder / name).touch()
        if state is not None:
            (folder / "trainer_state.json").write_text(state, "utf-8")
    assert last_checkpoint(tmp_path) == tmp_path / "checkpoint-10"
    assert not (tmp_path / "checkpoint-30").exists()
    assert last_checkpoint(tmp_path / "nothing") is None


def test_a_folder_with_another_run_is_left_alone(tmp_path: Path) -> None:
    shape = SMALL.shape
    assert shape is not None
    cost = training_cost(SMALL, "sft", shape, rows=1, median=1, longest=1)
    run = TrainingRun(stage="sft", base="m", data="d", data_files={}, recipe=SMALL, rows={}, cost=cost)
    refuse_other_run(tmp_path, run)
    (tmp_path / "training.json").write_bytes(msgspec.json.encode(run))
    refuse_other_run(tmp_path, run)
    assert read_run(tmp_path) == run
    for change, word in (
        ({"stage": "dpo"}, "stage"),
        ({"data_files": {"a": "b"}}, "data set"),
        ({"base": "n"}, "base"),
    ):
        with pytest.raises(UsageError, match=f"another {word}"):
            refuse_other_run(tmp_path, msgspec.structs.replace(run, **change))


def test_curves_show_what_was_logged() -> None:
    log = [{"step": n, "loss": 2.0 / n, "reward": float("nan") if n == 2 else n / 5} for n in range(1, 6)]
    log.append({"step": 5, "eval_loss": 0.5})
    root = ET.fromstring(curves_svg(log, title="sft of <m>"))
    lines = root.findall(".//{http://www.w3.org/2000/svg}polyline")
    assert [len(line.attrib["points"].split()) for line in lines] == [5, 1, 4]
    assert "Reward" in "".join(root.itertext())
    assert "KL" not in "".join(root.itertext())
    ET.fromstring(curves_svg([]))


def test_a_missing_library_is_named_with_the_extra(monkeypatch) -> None:
    monkeypatch.setitem(sys.modules, "trl", None)
    with pytest.raises(MissingExtraError, match=r"extra \[train\]"):
        library("trl")


def test_a_gguf_file_is_loaded_by_its_name() -> None:
    assert model_files("/m/x.gguf") == {"pretrained_model_name_or_path": "/m", "gguf_file": "x.gguf"}
    assert model_files("Qwen/Qwen3-8B") == {"pretrained_model_name_or_path": "Qwen/Qwen3-8B"}
