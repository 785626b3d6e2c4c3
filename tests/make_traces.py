"""Makes the traces of `tests/data/traces` with the libraries themselves, against an endpoint with a script.

    python -m venv traces && traces/bin/pip install openai-agents langgraph langchain-openai langsmith smolagents \
        autogen-agentchat autogen-ext[openai] openinference-instrumentation-openai-agents \
        openinference-instrumentation-smolagents opentelemetry-sdk opentelemetry-exporter-otlp-proto-http
    traces/bin/python tests/make_traces.py tests/data/traces [NAME...]

Each writes one file, and `versions.json` says which versions wrote it.
"""

# ruff: noqa: T201 - what was written is told

import asyncio
import importlib.metadata
import json
import os
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

QUESTION = "How many heat pumps were sold in Norway in 2023?"
PAGE = "Statistics Norway: 94,000 heat pumps were sold in Norway in 2023, down from 126,000 in 2022."
ANSWER = "About 94,000 heat pumps were sold in Norway in 2023, according to Statistics Norway."
KEEP_OUT = ("PATH", "HOME", "USER")


class Scripted(BaseHTTPRequestHandler):
    """Calls the tool first; answers once a result is in the messages."""

    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        said = json.dumps(body.get("messages") or body.get("input"), ensure_ascii=False)
        tools = [tool.get("function", tool).get("name") for tool in body.get("tools") or []]
        done = PAGE in said
        message = {"role": "assistant", "content": None}
        if not tools:
            # smolagents' CodeAgent writes code; what has no tools otherwise just answers.
            message["content"] = ANSWER
        elif not done or "final_answer" in tools:
            name, arguments = (
                ("final_answer", {"answer": ANSWER})
                if done
                else ("search", {"query": "heat pumps Norway 2023"})
            )
            message["content"] = None if done else "I look for the statistics first."
            message["tool_calls"] = [
                {
                    "id": f"call_{name}",
                    "type": "function",
                    "function": {"name": name, "arguments": json.dumps(arguments)},
                }
            ]
        else:
            message["content"] = ANSWER
        reply = {
            "id": "chatcmpl-1", "object": "chat.completion", "created": 1750000000, "model": body["model"],
            "choices": [{"index": 0, "message": message, "finish_reason": "tool_calls" if message.get("tool_calls") else "stop"}],
            "usage": {"prompt_tokens": 50, "completion_tokens": 20, "total_tokens": 70},
        }  # fmt: skip
        data = json.dumps(reply).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)


class Collector(BaseHTTPRequestHandler):
    """Takes OTLP over HTTP and keeps it as OTLP JSON."""

    protocol_version = "HTTP/1.1"
    spans: list[dict] = []  # noqa: RUF012 - one collector
    raw: list[bytes] = []  # noqa: RUF012

    def log_message(self, *_):
        pass

    def do_POST(self):
        from google.protobuf.json_format import MessageToDict
        from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

        data = self.rfile.read(int(self.headers["Content-Length"]))
        if self.headers.get("Content-Encoding") == "gzip":
            import gzip

            data = gzip.decompress(data)
        self.raw.append(data)
        found = MessageToDict(ExportTraceServiceRequest.FromString(data))
        # OTLP JSON writes ids in hexadecimal, protobuf's own JSON in base64.
        import base64

        for resource in found.get("resourceSpans", []):
            for scope in resource.get("scopeSpans", []):
                for span in scope.get("spans", []):
                    for key in ("traceId", "spanId", "parentSpanId"):
                        if key in span:
                            span[key] = base64.b64decode(span[key]).hex()
        self.spans.extend(found.get("resourceSpans", []))
        self.send_response(200)
        self.send_header("Content-Length", "0")
        self.end_headers()


def served(handler):
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{server.server_port}"


def tracing(collector):
    from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import SimpleSpanProcessor

    provider = TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(OTLPSpanExporter(f"{collector}/v1/traces")))
    return provider


def openai_agents(base, folder):
    from agents import Agent, OpenAIChatCompletionsModel, Runner, function_tool
    from agents.tracing import TracingProcessor, set_trace_processors
    from openai import AsyncOpenAI

    spans = []

    class Keep(TracingProcessor):
        def on_trace_start(self, trace):
            spans.append(trace.export())

        def on_trace_end(self, trace):
            pass

        def on_span_start(self, span):
            pass

        def on_span_end(self, span):
            spans.append(span.export())

        def shutdown(self):
            pass

        def force_flush(self):
            pass

    @function_tool
    def search(query: str) -> str:
        """Search the web."""
        return PAGE

    set_trace_processors([Keep()])
    model = OpenAIChatCompletionsModel("gpt-5-mini", AsyncOpenAI(base_url=base + "/v1", api_key="none"))
    agent = Agent(name="Researcher", instructions="Answer from sources.", tools=[search], model=model)
    result = asyncio.run(Runner.run(agent, QUESTION))
    write(folder / "openai-agents-spans.jsonl", spans, lines=True)
    write(folder / "openai-agents-items.json", {"input": result.to_input_list()})


def openinference(base, folder):
    """OpenAI Agents by OpenInference's instrumentation."""
    from agents import Agent, OpenAIChatCompletionsModel, Runner, function_tool
    from agents.tracing import set_trace_processors
    from openai import AsyncOpenAI
    from openinference.instrumentation.openai_agents import OpenAIAgentsInstrumentor

    Collector.spans, Collector.raw = [], []
    set_trace_processors([])
    OpenAIAgentsInstrumentor().instrument(tracer_provider=tracing(served(Collector)))

    @function_tool
    def search(query: str) -> str:
        """Search the web."""
        return PAGE

    model = OpenAIChatCompletionsModel("gpt-5-mini", AsyncOpenAI(base_url=base + "/v1", api_key="none"))
    agent = Agent(name="Researcher", instructions="Answer from sources.", tools=[search], model=model)
    asyncio.run(Runner.run(agent, QUESTION))
    write(folder / "openinference-openai-agents.otlp.json", {"resourceSpans": Collector.spans})
    (folder / "openinference-openai-agents.otlp.pb").write_bytes(b"".join(Collector.raw))


def smol(base, folder):
    from openinference.instrumentation.smolagents import SmolagentsInstrumentor
    from smolagents import OpenAIServerModel, ToolCallingAgent, tool

    Collector.spans = []
    SmolagentsInstrumentor().instrument(tracer_provider=tracing(served(Collector)))

    @tool
    def search(query: str) -> str:
        """Search the web.

        Args:
            query: What to look for.
        """
        return PAGE

    model = OpenAIServerModel("gpt-5-mini", api_base=base + "/v1", api_key="none")
    agent = ToolCallingAgent(tools=[search], model=model, verbosity_level=0)
    agent.run(QUESTION)
    write(folder / "smolagents-steps.json", agent.memory.get_full_steps())
    write(folder / "openinference-smolagents.otlp.json", {"resourceSpans": Collector.spans})


def langgraph(base, folder):
    from langchain_core.tools import tool
    from langchain_core.tracers.run_collector import RunCollectorCallbackHandler
    from langchain_openai import ChatOpenAI
    from langgraph.prebuilt import create_react_agent

    @tool
    def search(query: str) -> str:
        """Search the web."""
        return PAGE

    model = ChatOpenAI(model="gpt-5-mini", base_url=base + "/v1", api_key="none")
    agent = create_react_agent(model, [search])
    kept = RunCollectorCallbackHandler()
    state = agent.invoke({"messages": [("user", QUESTION)]}, config={"callbacks": [kept]})
    write(
        folder / "langgraph-state.json", {"messages": [message.model_dump() for message in state["messages"]]}
    )
    # As LangSmith's client writes runs: one after another, joined by parent_run_id.
    from langsmith._internal._serde import dumps_json

    flat = []

    def walk(run):
        row = {
            name: getattr(run, name)
            for name in type(run).model_fields
            if name not in ("child_runs", "serialized")
        }
        flat.append(json.loads(dumps_json(row)))
        for child in run.child_runs:
            walk(child)

    walk(kept.traced_runs[0])
    write(folder / "langsmith-runs.jsonl", flat, lines=True)


def langfuse(base, folder):
    """Langfuse's SDK sends spans of OpenTelemetry with attributes of its own."""
    Collector.spans = []
    os.environ["LANGFUSE_HOST"] = os.environ["LANGFUSE_BASE_URL"] = served(Collector)
    os.environ.update(LANGFUSE_PUBLIC_KEY="pk-lf-1", LANGFUSE_SECRET_KEY="sk-lf-1")
    from langfuse import Langfuse

    client = Langfuse()
    with client.start_as_current_observation(name="research", as_type="agent", input=QUESTION) as root:
        with root.start_as_current_observation(
            name="plan",
            as_type="generation",
            model="gpt-5-mini",
            input=[{"role": "user", "content": QUESTION}],
        ) as one:
            one.update(output={
                "role": "assistant", "content": "I look for the statistics first.",
                "tool_calls": [{"id": "c1", "type": "function", "function": {"name": "search", "arguments": '{"query": "heat pumps Norway 2023"}'}}],
            })  # fmt: skip
        with root.start_as_current_observation(
            name="search", as_type="tool", input={"query": "heat pumps Norway 2023"}
        ) as two:
            two.update(output=PAGE)
        with root.start_as_current_observation(
            name="write", as_type="generation", model="gpt-5-mini", input=[]
        ) as three:
            three.update(output={"role": "assistant", "content": ANSWER})
        root.update(output=ANSWER)
    client.flush()
    write(folder / "langfuse.otlp.json", {"resourceSpans": Collector.spans})


def autogen(base, folder):
    from autogen_agentchat.agents import AssistantAgent
    from autogen_agentchat.conditions import TextMessageTermination
    from autogen_agentchat.teams import RoundRobinGroupChat
    from autogen_ext.models.openai import OpenAIChatCompletionClient

    def search(query: str) -> str:
        """Search the web."""
        return PAGE

    model = OpenAIChatCompletionClient(
        model="gpt-5-mini", base_url=base + "/v1", api_key="none",
        model_info={"vision": False, "function_calling": True, "json_output": True, "family": "unknown", "structured_output": False},
    )  # fmt: skip
    agent = AssistantAgent("researcher", model_client=model, tools=[search], reflect_on_tool_use=True)
    team = RoundRobinGroupChat([agent], termination_condition=TextMessageTermination("researcher"))
    result = asyncio.run(team.run(task=QUESTION))
    write(
        folder / "autogen.json",
        {"messages": [json.loads(message.model_dump_json()) for message in result.messages]},
    )


def write(path, value, *, lines=False):
    text = (
        "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in value)
        if lines
        else json.dumps(value, ensure_ascii=False, indent=1)
    )
    path.write_text(text, "utf-8")
    print(path, len(text))


MAKERS = {
    "openai-agents": (openai_agents, ("openai-agents",)),
    "openinference": (openinference, ("openinference-instrumentation-openai-agents", "opentelemetry-sdk")),
    "smolagents": (smol, ("smolagents", "openinference-instrumentation-smolagents")),
    "langgraph": (langgraph, ("langgraph", "langchain-core", "langsmith")),
    "langfuse": (langfuse, ("langfuse",)),
    "autogen": (autogen, ("autogen-agentchat",)),
}


def main():
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    place = folder / "versions.json"
    versions = json.loads(place.read_text()) if place.exists() else {}
    for name in sys.argv[2:] or MAKERS:
        maker, packages = MAKERS[name]
        maker(served(Scripted), folder)
        versions[name] = {package: importlib.metadata.version(package) for package in packages}
        place.write_text(json.dumps(versions, indent=1) + "\n")


if __name__ == "__main__":
    main()
