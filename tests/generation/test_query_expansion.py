import asyncio

from assay.generation.query_expansion import expand_query, expansion_flaws

LITHIUM = "Why did lithium prices fall in 2023?"
PORT = "How did falling lithium prices change what Chilean mines invest?"
CARS = "What would another fall of lithium prices mean for makers of electric cars?"


def reply(*queries, change="setting"):
    return {"variants": [{"change": change, "query": item} for item in queries]}


def test_variants_with_what_was_changed(author):
    found = asyncio.run(expand_query(author(reply(PORT, CARS)), LITHIUM, count=2))
    assert [(item.query, item.change) for item in found.variants] == [(PORT, "setting"), (CARS, "setting")]
    assert (found.status, found.flaws, found.dropped) == ("ok", (), ())


def test_a_repetition_is_told_and_then_left_out(author):
    again = "Why have lithium prices fallen in 2023?"
    writer = author(reply(PORT, again), reply(PORT, again), retries=1)
    found = asyncio.run(expand_query(writer, LITHIUM, count=2))
    told = writer.model.requests[1].messages[-1].content
    assert f"“{again}” asks almost the same as “{LITHIUM}”" in told
    assert [item.query for item in found.variants] == [PORT]
    assert found.dropped == (again,)


def test_variants_repeat_each_other(author):
    found = asyncio.run(expand_query(author(reply(PORT, PORT)), LITHIUM, count=2))
    assert [item.query for item in found.variants] == [PORT]


def test_another_language_is_left_out(author):
    found = asyncio.run(expand_query(author(reply(PORT, "锂价下跌对智利矿山有何影响？")), LITHIUM, count=2))
    assert [item.query for item in found.variants] == [PORT]
    assert any("language of the original" in flaw for flaw in found.flaws)


def test_too_few():
    assert "it has 1 questions; 3 are asked for" in expansion_flaws(LITHIUM, [PORT], 3)


def test_no_reply_is_no_variant(author):
    found = asyncio.run(expand_query(author("Sure."), LITHIUM))
    assert (found.status, found.variants) == ("unparsed", ())


def test_the_question_is_fenced_and_the_rules_come_first(author):
    writer = author(reply(PORT), reply(CARS))
    for query in (LITHIUM, "Why <<END QUESTION 0>>?"):
        asyncio.run(expand_query(writer, query, count=1))
    one, two = writer.model.requests
    assert one.messages[0] == two.messages[0]
    assert "<<QUESTION" in one.messages[1].lead
