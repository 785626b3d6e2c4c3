"""Rewards in a real training of TRL: two steps of GRPO with a model of random weights."""

import math

import pytest

trl = pytest.importorskip("trl", reason="the extra [train] is not installed")
pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore")]


def test_two_steps_of_grpo(tmp_path):
    from datasets import Dataset
    from tokenizers import Tokenizer, models, pre_tokenizers
    from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast

    from assay.integrations.rewards import AuditReward, JudgeReward
    from assay.models.scripted import ScriptedModel
    from assay.runs.judge import Judge

    words = ["<pad>", "<eos>", "<unk>", *(f"w{n}" for n in range(60)), "12%", "of", "costs", "."]
    core = Tokenizer(models.WordLevel({word: n for n, word in enumerate(words)}, unk_token="<unk>"))
    core.pre_tokenizer = pre_tokenizers.Whitespace()
    tokenizer = PreTrainedTokenizerFast(
        tokenizer_object=core, pad_token="<pad>", eos_token="<eos>", unk_token="<unk>"
    )
    tokenizer.chat_template = "{% for m in messages %}{{ m['content'] }} {% endfor %}"
    model = LlamaForCausalLM(
        LlamaConfig(
            vocab_size=len(words), hidden_size=32, intermediate_size=64, num_hidden_layers=1,
            num_attention_heads=2, num_key_value_heads=1, pad_token_id=0, eos_token_id=1,
        )
    )  # fmt: skip
    rewards = [
        AuditReward(),
        JudgeReward(
            Judge(strategy="direct", model=ScriptedModel(lambda _: '{"score": 7}'), rubric="overall")
        ),
    ]
    questions = [{"prompt": [{"role": "user", "content": f"w{n} costs ."}]} for n in range(8)]
    arguments = trl.GRPOConfig(
        output_dir=str(tmp_path), per_device_train_batch_size=4, num_generations=4, max_completion_length=8,
        max_steps=2, report_to=[], use_cpu=True, logging_steps=1, save_strategy="no",
    )  # fmt: skip
    trainer = trl.GRPOTrainer(
        model, reward_funcs=rewards, args=arguments, train_dataset=Dataset.from_list(questions),
        processing_class=tokenizer,
    )  # fmt: skip
    trainer.train()
    logged = [row for row in trainer.state.log_history if "rewards/assay_audit/mean" in row]
    assert len(logged) == 2
    assert all(math.isfinite(row["reward"]) for row in logged)
    assert any("rewards/assay_judge/mean" in row for row in logged)
    assert [len(reward.reasons) for reward in rewards] == [8, 8]
    # A model of random weights may write nothing, which gets the least.
    values = {reason.value for reason in rewards[1].reasons}
    assert 2 / 3 in values <= {2 / 3, 0.0}
