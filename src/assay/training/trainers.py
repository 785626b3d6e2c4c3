"""SFT, GRPO and DPO: a recipe and rows, handed to TRL's trainers.

    OUT/checkpoints/        TRL's own, with TensorBoard files in runs/
    OUT/model/              the trained model, adapters merged, as safetensors
    OUT/base/               the weights of a GGUF file, if training began with one
    OUT/adapter/            the adapters alone, if the recipe has them
    OUT/training.json       assay.training-run/1: recipe, data, what was measured

The loss is on the reply only, rows are not packed, the checkpoint with the best validation is kept, and a run that was
killed goes on from its last whole checkpoint. Nothing is reported to anybody: ``report_to`` is TensorBoard alone.
"""

from __future__ import annotations

import json
import random
import shutil
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import msgspec

from assay._version import __version__
from assay.errors import InputError, UsageError
from assay.training.libraries import library
from assay.training.memory import TrainingCost
from assay.training.models import model_and_tokenizer, save_model
from assay.training.preparation import PreparedData
from assay.training.recipe import GrpoSettings, Recipe, Stage
from assay.training.reward import expected_of, for_trl, read_reply

SCHEMA: Final = "assay.training-run/1"
RUN: Final = "training.json"
CHECKPOINTS: Final = "checkpoints"
MODEL: Final = "model"
_ADAPTER: Final = "adapter"
# What a whole checkpoint has; the state is written last.
_WHOLE: Final = ("trainer_state.json", "optimizer.pt", "scheduler.pt")
_SAVED: Final = 2


class TrainingRun(msgspec.Struct, kw_only=True):
    """What a run of training was, and what it measured.

    Attributes:
        stage: The stage.
        base: The model it began with.
        data: Folder of the data set.
        data_files: Hashes of the data set's files.
        recipe: The recipe.
        rows: Rows of the training and of the validation split.
        cost: What the arithmetic expected.
        log: What the trainer logged, step by step.
        best: The measure by which the kept checkpoint is the best, such as ``eval_loss``, and its value.
        steps: Steps that were made.
        seconds: Time of this process; a run that went on counts only its last part.
        peak_gb: Largest memory of the device; None on a CPU.
        tokens_per_second: Tokens read by training in a second, in this process; None if the trainer does not count them.
        libraries: Versions of torch, transformers, TRL and PEFT.
        version: Version of Assay.
        schema: ``assay.training-run/1``.
    """

    stage: Stage
    base: str
    data: str
    data_files: dict[str, str]
    recipe: Recipe
    rows: dict[str, int]
    cost: TrainingCost
    log: list[dict[str, Any]] = []
    best: dict[str, float] = {}
    steps: int = 0
    seconds: float = 0.0
    peak_gb: float | None = None
    tokens_per_second: float | None = None
    libraries: dict[str, str] = {}
    version: str = __version__
    schema: str = SCHEMA


def read_run(folder: str | Path) -> TrainingRun:
    """Return the record of a run.

    Raises:
        InputError: The folder has none.
    """
    file = Path(folder) / RUN
    try:
        return msgspec.json.decode(file.read_bytes(), type=TrainingRun)
    except FileNotFoundError:
        raise InputError(
            "has no training.json", where=str(folder), hint="name the folder of assay train"
        ) from None
    except msgspec.MsgspecError as error:
        raise InputError(f"is not the record of a run of training: {error}", where=str(file)) from error


def last_checkpoint(folder: Path) -> Path | None:
    """Return the last whole checkpoint; one that a kill left unfinished is deleted."""
    found = sorted(folder.glob("checkpoint-*"), key=lambda path: int(path.name.rpartition("-")[2]))
    for path in reversed(found):
        if _is_whole(path):
            return path
        shutil.rmtree(path)
    return None


def _is_whole(path: Path) -> bool:
    if not all((path / name).is_file() for name in _WHOLE):
        return False
    try:
        json.loads((path / _WHOLE[0]).read_text("utf-8"))
    except ValueError:
        return False
    return True


def train(
    stage: Stage,
    recipe: Recipe,
    data: PreparedData,
    out: Path,
    cost: TrainingCost,
    *,
    base: str,
    data_name: str,
    data_files: dict[str, str],
    max_steps: int = 0,
    quiet: bool = False,
) -> TrainingRun:
    """Train, go on with what a killed run left, and return the record.

    Args:
        stage: The stage.
        recipe: The recipe.
        data: The rows.
        out: Where to.
        cost: What the arithmetic expects, for the record.
        base: The model that the recipe's was made from, for the record.
        data_name: Folder of the data set, for the record.
        data_files: Hashes of its files; a run goes on with the same data only.
        max_steps: Steps after which training ends; 0 for the recipe's epochs.
        quiet: Whether there is no progress bar.

    Raises:
        UsageError: The folder has a run with another recipe or other data.
        MissingExtraError: TRL is not installed.
    """
    run = TrainingRun(
        stage=stage,
        base=base,
        data=data_name,
        data_files=data_files,
        # What a GGUF file was converted to is the same model.
        recipe=msgspec.structs.replace(recipe, model=base),
        rows={"train": len(data.train), "validation": len(data.validation)},
        cost=cost,
        libraries={name: str(library(name).__version__) for name in ("torch", "transformers", "trl", "peft")},
    )
    refuse_other_run(out, run)
    out.mkdir(parents=True, exist_ok=True)
    _keep(run, out)
    began = time.monotonic()
    trainer = _trainer(stage, recipe, data, out / CHECKPOINTS, cost, max_steps=max_steps, quiet=quiet)
    last = last_checkpoint(out / CHECKPOINTS)
    trainer.train(resume_from_checkpoint=None if last is None else str(last))
    if not trainer.is_world_process_zero():
        return run
    run.seconds = time.monotonic() - began
    run.log = [dict(row) for row in trainer.state.log_history]
    run.steps = int(trainer.state.global_step)
    if trainer.state.best_metric is not None:
        run.best = {str(trainer.args.metric_for_best_model): float(trainer.state.best_metric)}
    torch = library("torch")
    if torch.cuda.is_available():
        run.peak_gb = torch.cuda.max_memory_allocated() / 1e9
    seen = [float(row["num_tokens"]) for row in run.log if "num_tokens" in row]
    if seen and last is None:
        run.tokens_per_second = seen[-1] / run.seconds
    if recipe.lora is not None:
        trainer.model.save_pretrained(out / _ADAPTER)
    save_model(trainer.accelerator.unwrap_model(trainer.model), trainer.processing_class, out / MODEL)
    _keep(run, out)
    return run


def _keep(run: TrainingRun, out: Path) -> None:
    (out / RUN).write_bytes(msgspec.json.format(msgspec.json.encode(run), indent=2) + b"\n")


def refuse_other_run(out: Path, run: TrainingRun) -> None:
    """Refuse to go on with another run's checkpoints.

    Raises:
        UsageError: The folder holds a run of another stage, or with another recipe or data set.
    """
    if not (out / RUN).is_file():
        return
    earlier = read_run(out)
    for name in ("stage", "base", "recipe", "data_files"):
        if getattr(earlier, name) != getattr(run, name):
            what = "data set" if name == "data_files" else name
            raise UsageError(f"{out} holds a run with another {what}; name another folder, or delete it")


def _trainer(
    stage: Stage,
    recipe: Recipe,
    data: PreparedData,
    folder: Path,
    cost: TrainingCost,
    *,
    max_steps: int,
    quiet: bool,
) -> Any:
    """Return TRL's trainer of a stage."""
    trl, datasets, transformers = library("trl"), library("datasets"), library("transformers")
    # One bar is enough: that of the steps.
    datasets.disable_progress_bars()
    settings = recipe.stage(stage)
    kind = {"sft": trl.SFTConfig, "grpo": trl.GRPOConfig, "dpo": trl.DPOConfig}[stage]
    arguments = _arguments(
        stage, recipe, folder, cost.steps, validates=bool(data.validation), max_steps=max_steps
    )
    # Before the model is loaded: with ZeRO-3 it says that the weights are spread while they are read.
    config = kind(**arguments, disable_tqdm=quiet)
    model, tokenizer = model_and_tokenizer(
        recipe.model, precision=recipe.precision, sharded=recipe.sharding != "none"
    )
    validates = config.eval_strategy != "no"
    rest: dict[str, Any] = {
        "model": model,
        "args": config,
        "train_dataset": datasets.Dataset.from_list(_columns(stage, ordered(recipe, stage, data.train))),
        "eval_dataset": datasets.Dataset.from_list(_columns(stage, data.validation)) if validates else None,
        "processing_class": tokenizer,
        "peft_config": _peft(recipe),
        "callbacks": [transformers.EarlyStoppingCallback(settings.patience)]
        if validates and settings.patience
        else None,
    }
    if isinstance(settings, GrpoSettings):
        rest["reward_funcs"] = [for_trl(settings.reward), valid_form]
        return trl.GRPOTrainer(**rest)
    return {"sft": trl.SFTTrainer, "dpo": trl.DPOTrainer}[stage](**rest)


def ordered(recipe: Recipe, stage: Stage, rows: Sequence[dict[str, Any]]) -> Sequence[dict[str, Any]]:
    """Return the rows; where the agreement of both orders counts, pairs shuffled with their orders side by side."""
    if stage != "grpo" or not recipe.grpo.reward.orders:
        return rows
    pairs: dict[str, list[dict[str, Any]]] = {}
    for row in rows:
        pairs.setdefault(str(row["id"]), []).append(row)
    order = list(pairs.values())
    random.Random(recipe.seed).shuffle(order)  # noqa: S311 - an order, no secret
    return [row for pair in order for row in pair]


def valid_form(prompts: list[Any], completions: list[Any], **columns: Any) -> list[float]:
    """Return 1.0 for each reply that can be read in full; TRL logs its mean, and it counts nothing."""
    texts = [item if isinstance(item, str) else str(item[0]["content"]) for item in completions]
    names = [name for name in ("label", "dimensions") if name in columns]
    expected = [expected_of({name: columns[name][at] for name in names}) for at in range(len(prompts))]
    return [float(read_reply(text, item.keys).valid) for text, item in zip(texts, expected, strict=True)]


def _columns(stage: Stage, rows: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return rows with the columns that the trainer reads; for SFT the reply apart, because the loss is on it alone."""
    if stage == "sft":
        return [{"prompt": row["messages"][:-1], "completion": row["messages"][-1:]} for row in rows]
    if stage == "dpo":
        return [{name: row[name] for name in ("prompt", "chosen", "rejected")} for row in rows]
    names = ("prompt", "label", "dimensions", "id", "order")
    return [{name: row[name] for name in names if name in row} for row in rows]


def _peft(recipe: Recipe) -> Any:
    if recipe.lora is None:
        return None
    lora = recipe.lora
    return library("peft").LoraConfig(
        r=lora.rank,
        lora_alpha=lora.alpha,
        lora_dropout=lora.dropout,
        target_modules=lora.modules if isinstance(lora.modules, str) else list(lora.modules),
        task_type="CAUSAL_LM",
    )


def _arguments(
    stage: Stage, recipe: Recipe, folder: Path, steps: int, *, validates: bool, max_steps: int
) -> dict[str, Any]:
    """Return the arguments of TRL's configuration."""
    settings = recipe.stage(stage)
    hardware = recipe.hardware
    on_gpu = bool(library("torch").cuda.is_available())
    parallel = settings.per_device * hardware.devices
    if settings.batch % parallel:
        raise UsageError(
            f"batch {settings.batch} is not a multiple of per_device × devices ({settings.per_device} × {hardware.devices})"
        )
    validates = validates and settings.evaluations > 0
    every = max(1, steps // max(1, settings.evaluations or 5))
    arguments: dict[str, Any] = {
        "output_dir": str(folder),
        "num_train_epochs": settings.epochs,
        "max_steps": max_steps or -1,
        "per_device_train_batch_size": settings.per_device,
        "per_device_eval_batch_size": settings.per_device,
        "gradient_accumulation_steps": settings.batch // parallel,
        "learning_rate": settings.learning_rate,
        "lr_scheduler_type": settings.schedule,
        "warmup_steps": settings.warmup,
        "bf16": recipe.precision == "bfloat16",
        "use_cpu": not on_gpu,
        "activation_checkpointing": recipe.checkpointing,
        "logging_steps": max(1, min(10, steps // 50)),
        "save_strategy": "steps",
        "save_steps": every,
        "save_total_limit": _SAVED,
        "eval_strategy": "steps" if validates else "no",
        "eval_steps": every if validates else None,
        "load_best_model_at_end": validates,
        "metric_for_best_model": ("eval_reward" if stage == "grpo" else "eval_loss") if validates else None,
        "greater_is_better": stage == "grpo" if validates else None,
        "report_to": ["tensorboard"],
        "seed": recipe.seed,
        "data_seed": recipe.seed,
        **_sharding(recipe),
    }
    if stage in ("sft", "dpo"):
        arguments["max_length"] = recipe.max_length
    if stage == "sft":
        arguments |= {"packing": False, "completion_only_loss": True}
    if stage == "dpo":
        arguments["beta"] = recipe.dpo.beta
    if isinstance(settings, GrpoSettings):
        arguments |= {
            "num_generations": settings.replies,
            "num_generations_eval": min(settings.replies, settings.per_device * hardware.devices),
            "max_completion_length": settings.max_new_tokens,
            "temperature": settings.temperature,
            "beta": settings.kl,
            "use_vllm": settings.vllm,
            "reward_weights": [1.0, 0.0],
            # Both orders of a pair meet in a batch only where rows are not shuffled again.
            "shuffle_dataset": not settings.reward.orders,
            **(_vllm(recipe, settings) if settings.vllm else {}),
        }
        if settings.reward.orders and settings.batch // hardware.devices < 2 * settings.replies:
            raise UsageError(
                f"reward.orders compares both orders of a pair on a device, and it gets {settings.batch // hardware.devices} "
                f"replies of a batch: raise batch to at least {2 * settings.replies * hardware.devices}"
            )
    return arguments


def _vllm(recipe: Recipe, settings: GrpoSettings) -> dict[str, Any]:
    return {
        "vllm_mode": "colocate",
        "vllm_gpu_memory_utilization": settings.vllm_memory,
        "vllm_tensor_parallel_size": settings.vllm_devices,
        "vllm_max_model_length": recipe.max_length,
    }


def _sharding(recipe: Recipe) -> dict[str, Any]:
    """Return how transformers is told to spread a model; ``accelerate launch`` starts a process for each device."""
    if recipe.sharding == "none":
        return {}
    if recipe.sharding == "fsdp":
        return {"fsdp": "full_shard auto_wrap"}
    zero = {"stage": int(recipe.sharding[-1]), "overlap_comm": True, "contiguous_gradients": True}
    if zero["stage"] == 3:
        zero["stage3_gather_16bit_weights_on_model_save"] = True
    automatic = dict.fromkeys(
        (
            "train_batch_size",
            "train_micro_batch_size_per_gpu",
            "gradient_accumulation_steps",
            "gradient_clipping",
        ),
        "auto",
    )
    return {"deepspeed": {"zero_optimization": zero, "bf16": {"enabled": "auto"}, **automatic}}
