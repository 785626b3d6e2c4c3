"""The author: what it asks, what it takes, and when it asks again."""

from __future__ import annotations

import asyncio
import json

import pytest

from assay.generation.author import Author
from assay.generation.base import Assignment, answer_of
from assay.models.base import CallFailedError, PendingCall, Reply, Sampling, Usage
from assay.models.scripted import ScriptedModel
from assay.strategies.base import Document, PromptMaterial
from assay.strategies.prompts import Prompts

SCHEMA = {
    "type": "object",
    "properties": {"items": {"type": "array", "maxItems": 5, "items": {"type": "string", "maxLength": 100}}},
    "required": ["items"],
    "additionalProperties": False,
}


def data(*items):
    return json.dumps({"items": list(items)})


def cut(text):
    return Reply(text=text, finish="length", usage=Usage(1, 10, 0, 5, 0.0))


@pytest.fixture
def assignment(tmp_path):
    (tmp_path / "list.jinja").write_text("{% block task %}List {{ what }}.{% endblock %}", "utf-8")
    (tmp_path / "own.jinja").write_text(
        "{% block system %}You list.{% endblock %}{% block task %}Go.{% endblock %}", "utf-8"
    )
    return Assignment(name="list", summary="A list.", template=str(tmp_path / "list.jinja"))


@pytest.fixture
def write(assignment):
    """Write with scripted replies; gives what was written and what was asked."""

    def run(
        *replies, kind="data", retries=1, what="fruit", sampling=None, structured=True, of=assignment, **rest
    ):
        model = ScriptedModel(replies)
        author = Author(model, Prompts(), retries=retries, sampling=sampling, structured=structured)
        if kind == "data":
            call = author.data(of, schema=SCHEMA, what=what, **rest)
        else:
            call = author.text(of, what=what, **rest)
        return asyncio.run(call), model.requests

    return run


def short(value):
    return [f"{item} is too long" for item in value["items"] if len(item) > 5]


class TestData:
    def test_a_value_by_the_schema(self, write):
        written, asked = write(data("fig", "date"))
        assert (written.status, written.value, written.flaws) == ("ok", {"items": ["fig", "date"]}, ())
        assert written.reply == data("fig", "date")
        assert written.calls == (asked[0].key(),)
        assert asked[0].messages[1].content == "List fruit."
        assert asked[0].schema is not None

    def test_the_model_is_told_what_is_wrong_and_asked_again(self, write):
        written, asked = write(data("pineapple"), data("fig"), check=short)
        assert written.value == {"items": ["fig"]}
        assert written.flaws == ()
        assert written.usage.calls == 2
        roles = [message.role for message in asked[1].messages]
        assert roles == ["system", "user", "assistant", "user"]
        assert asked[1].messages[2].content == data("pineapple")
        assert "pineapple is too long" in asked[1].messages[3].content

    def test_the_best_value_is_kept_with_its_flaws(self, write):
        written, _ = write(
            data("pineapple", "tangerine"),
            data("pineapple"),
            data("mandarine", "apricot"),
            check=short,
            retries=2,
        )
        assert written.status == "ok"
        assert written.value == {"items": ["pineapple"]}
        assert written.flaws == ("pineapple is too long",)
        assert written.reply == data("pineapple")

    def test_a_value_with_flaws_outlives_rubbish_refusals_and_failures(self, write):
        for later in ("rubbish", "I'm sorry, but I cannot help with that.", CallFailedError("down")):
            written, _ = write(data("pineapple"), later, check=short)
            assert (written.status, written.value) == ("ok", {"items": ["pineapple"]})
        assert written.notes == ("asking again failed: down",)

    def test_unparsed_after_all_retries(self, write):
        written, asked = write("what?", "who?", "no")
        assert len(asked) == 2
        assert (written.status, written.value, written.reply) == ("unparsed", None, "who?")
        assert written.problem
        assert written.usage.calls == 2

    def test_what_was_wrong_before_is_past(self, write):
        """The third request says what is wrong with the second reply alone, also where replies are not shown again."""
        _, asked = write(cut('{"items": ["a'), cut('{"items": ["b'), data("fig"), retries=2)
        assert all(len(request.messages) == 2 for request in asked)
        assert asked[2].messages == asked[1].messages
        _, asked = write("what?", cut('{"items": ["b'), data("fig"), retries=2)
        assert len(asked[1].messages) == 4
        assert len(asked[2].messages) == 2
        assert "form asked for" not in asked[2].messages[1].content

    def test_a_reply_that_was_cut_off_is_no_value_and_texts_get_less_room(self, write):
        written, asked = write(cut('{"items": ["fig", "da'), data("fig"), sampling=Sampling(max_tokens=100))
        assert written.value == {"items": ["fig"]}
        assert "cut off" in asked[1].messages[1].content
        first, second = (request.schema["properties"]["items"] for request in asked)
        assert (
            second["items"]["maxLength"] * second["maxItems"]
            < first["items"]["maxLength"] * first["maxItems"]
        )

    def test_refusals(self, write):
        written, asked = write("I'm sorry, but I can't help with that.", data("fig"))
        assert (written.status, len(asked)) == ("refused", 1)
        written, _ = write(Reply(text=data("fig"), finish="refusal"))
        assert written.status == "refused"  # a filter stopped it: what looks whole may not be

    def test_a_call_that_fails(self, write):
        written, asked = write(CallFailedError("the server is down"))
        assert (written.status, written.problem, len(asked)) == ("failed", "the server is down", 1)
        answer = answer_of(written, "a list")
        assert (answer.status, answer.problem, answer.rationale) == ("failed", "the server is down", "a list")

    def test_without_structured_output(self, write):
        _, asked = write(data("fig"), structured=False)
        assert asked[0].schema is None

    def test_draws_differ(self, write):
        _, one = write(data("fig"), draw=0, sampling=Sampling(seed=7))
        _, two = write(data("fig"), draw=2, sampling=Sampling(seed=7))
        assert two[0].sampling.seed == 9
        assert one[0].key() != two[0].key()

    def test_a_call_waits_for_its_batch(self, write):
        with pytest.raises(PendingCall):
            write(PendingCall("later"))

    def test_flaws_are_kept_with_the_judgment(self, write):
        written, _ = write(data("pineapple"), retries=0, check=short)
        assert answer_of(written).notes == ("still wrong after it was asked again: pineapple is too long",)


class TestText:
    def test_a_text_without_hidden_reasoning(self, write):
        written, _ = write("<think>hm</think>\n\nFigs grow.\n", kind="text")
        assert (written.status, written.value) == ("ok", "Figs grow.")

    def test_nothing_is_no_text(self, write):
        written, _ = write(" \n", "<think>hm</think>", kind="text")
        assert (written.status, written.value) == ("unparsed", None)

    def test_one_that_declines_is_no_text(self, write):
        written, _ = write("I'm sorry, but I can't help with that.", kind="text")
        assert (written.status, written.value) == ("refused", None)
        written, _ = write(Reply(text="Figs grow in", finish="refusal"), kind="text")
        assert (written.status, written.value) == ("refused", None)

    def test_one_that_was_cut_off_is_kept_and_flagged(self, write):
        written, _ = write(cut("Figs grow in"), retries=0, kind="text")
        assert (written.status, written.value) == ("ok", "Figs grow in")
        assert any("cut off" in flaw for flaw in written.flaws)

    def test_a_long_text_is_not_shown_again(self, write):
        _, asked = write("fig " * 5000, "fig", kind="text", check=lambda text: ["long"] * (len(text) > 9))
        assert len(asked[1].messages) == 2
        assert "long" in asked[1].messages[1].content

    def test_fewer_tokens_than_usual_and_never_more(self, write):
        _, asked = write("fig", kind="text", max_tokens=50, sampling=Sampling(max_tokens=100))
        assert asked[0].sampling.max_tokens == 50
        _, asked = write("fig", kind="text", max_tokens=500, sampling=Sampling(max_tokens=100))
        assert asked[0].sampling.max_tokens == 100


class TestPrompt:
    def test_what_is_shown_is_the_beginning_that_judges_share(self, write):
        material = PromptMaterial(documents=(Document("A", "Figs."),), query="What grows?")
        _, asked = write("fig", kind="text", material=material)
        message = asked[0].messages[1]
        assert message.lead == Prompts().lead(material)
        assert message.text == "\nList fruit."

    def test_a_system_message_of_its_own(self, write, assignment, tmp_path):
        own = Assignment(name="own", summary="", template=str(tmp_path / "own.jinja"))
        _, asked = write("fig", kind="text", of=own)
        assert asked[0].messages[0].content == "You list."
        _, asked = write("fig", kind="text")
        assert asked[0].messages[0].content == Prompts().system("en")

    def test_the_version_is_that_of_all_it_depends_on(self, assignment, tmp_path):
        def version(folders=(), **rest):
            return Author(ScriptedModel(()), Prompts(folders), **rest).version(assignment)

        assert version() == version()
        assert version() != version(retries=3)
        assert version() != version(sampling=Sampling(seed=1))
        mine = tmp_path / "mine"
        mine.mkdir()
        (mine / "frame.jinja").write_text("{% block again %}Again{% endblock %}", "utf-8")
        assert version() != version([mine])
