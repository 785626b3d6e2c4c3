"""The extraction end to end with a real model, over HTTP: what comes back is sound, whatever it is worth."""

from __future__ import annotations

import asyncio

import pytest

from assay import Report
from assay.generation.author import Author
from assay.logic.model import Extraction, extract_graph
from assay.models.base import Sampling
from assay.models.llama_server import can_serve
from assay.models.settings import ModelSettings
from assay.runs.session import Session

from .test_model_graph import check

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not can_serve(), reason="xllamacpp is not installed"),
]
MODEL = "local/smollm2-135m"


def test_a_very_short_report(llama_url: str) -> None:
    report = Report("# Wind\n\nOffshore wind is the cheapest option. Prices fell to $62/MWh in 2023 [1].\n")

    async def read() -> Extraction:
        async with Session(overrides=ModelSettings(base_url=llama_url, timeout=400)) as session:
            opened = await session.open(MODEL)
            sampling = Sampling(temperature=0.0, max_tokens=480)
            return await extract_graph(
                Author(opened.model, session.prompts, sampling=sampling, retries=0), report
            )

    found = asyncio.run(read())
    check(report, found)
    assert found.steps[0].name == "section:0"
    assert found.steps[0].written.calls
    assert found.summary()
