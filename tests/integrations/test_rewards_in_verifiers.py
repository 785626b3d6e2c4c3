"""Rewards in rollouts of verifiers: its agent, its harness and its scoring, against a model over HTTP.

verifiers pins a version of the MCP package that `assay mcp` does not have, so it has an environment of its own:
`.ci/try-verifiers` makes it and runs this file.
"""

import asyncio
import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

vf = pytest.importorskip("verifiers.v1", reason="verifiers is not installed: .ci/try-verifiers installs it")
pytestmark = pytest.mark.filterwarnings("ignore")

import openai  # noqa: E402

from assay.integrations.rewards import AuditReward, JudgeReward, RewardError  # noqa: E402
from assay.models.scripted import ScriptedModel  # noqa: E402
from assay.runs.judge import Judge  # noqa: E402

WRONG = "Hardware made up 58% of the cost, labour 31% and permits 23%."
RIGHT = "Hardware made up 58% of the cost, labour 31% and permits 11%."

rules = AuditReward(["NUM"])


def judge_that_says(reply):
    return JudgeReward(Judge(strategy="direct", model=ScriptedModel(lambda _: reply), rubric="overall"))


class Research(vf.Task[vf.TaskData]):
    judge = judge_that_says('{"score": 7}')

    @vf.reward(weight=0.5)
    async def rules(self, trace: vf.Trace) -> float:
        return await rules.score(trace.last_reply, self.data.prompt)

    @vf.reward
    async def quality(self, trace: vf.Trace) -> float:
        return await self.judge.score(trace.last_reply, self.data.prompt)


class Unsure(Research):
    judge = judge_that_says("I cannot say.")


class OneTurn(vf.Harness[vf.HarnessConfig]):
    """Asks the model once. The harnesses of verifiers fetch their programs from the network first."""

    NEEDS_CONTAINER = False
    EXECUTES_CODE = False

    async def launch(self, ctx, trace, runtime, endpoint, secret, *_, **__):
        client = openai.AsyncOpenAI(base_url=endpoint, api_key=secret)
        stream = await client.chat.completions.create(
            model=ctx.model, messages=[{"role": "user", "content": trace.task.data.prompt}], stream=True
        )
        async for _ in stream:
            pass
        return vf.ProgramResult(exit_code=0, stdout="", stderr="")


@pytest.fixture
def endpoint():
    """An endpoint that streams; its model writes the wrong sum where the question asks for it."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self):
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            text = WRONG if "wrong" in json.dumps(body["messages"]) else RIGHT
            chunks = [
                {"delta": {"role": "assistant", "content": text}, "finish_reason": None},
                {"delta": {}, "finish_reason": "stop"},
            ]
            self.send_response(200)
            self.send_header("Content-Type", "text/event-stream")
            self.end_headers()
            for chunk in chunks:
                event = {
                    "id": "1", "object": "chat.completion.chunk", "created": 0, "model": body["model"],
                    "choices": [{"index": 0, **chunk}],
                }  # fmt: skip
                self.wfile.write(b"data: " + json.dumps(event).encode() + b"\n\n")
            self.wfile.write(b"data: [DONE]\n\n")

        def log_message(self, *_):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/v1"
    server.shutdown()


def rollouts(endpoint, tasks):
    async def run():
        config = vf.AgentConfig(
            model="writer",
            harness={"id": "null"},
            runtime=vf.SubprocessConfig(),
            client=vf.EvalClientConfig(base_url=endpoint, api_key_var="NO_KEY_AT_ALL"),
        )
        async with vf.Agent(config) as agent:
            agent.harness = OneTurn(config.harness)
            return await asyncio.gather(*(agent.run(task) for task in tasks))

    return asyncio.run(run())


def test_rollouts_are_scored_by_rules_and_by_a_judge(endpoint):
    prompts = ["What does it cost?", "What does it cost? Get it wrong."]
    right, wrong = rollouts(endpoint, [Research(vf.TaskData(prompt=prompt)) for prompt in prompts])
    assert (right.errors, wrong.errors) == ([], [])
    assert (right.last_reply, wrong.last_reply) == (RIGHT, WRONG)
    assert right.rewards["rules"].score == 0
    assert wrong.rewards["rules"].score == -0.4
    assert right.rewards["quality"].score == pytest.approx(2 / 3)
    assert wrong.reward == pytest.approx(0.5 * -0.4 + 2 / 3)
    reasons = {reason.completion: reason.reason for reason in rules.reasons}
    assert any("112 %" in reason for reason in reasons.values())


def test_a_rollout_without_a_verdict_has_an_error_and_no_reward(endpoint):
    (trace,) = rollouts(endpoint, [Unsure(vf.TaskData(prompt="What does it cost?"))])
    assert trace.rewards["quality"] is None
    assert any(
        RewardError.__name__ in error.message or "no verdict" in error.message for error in trace.errors
    )
