import json

import pytest

from assay.generation.author import Author
from assay.models.scripted import ScriptedModel
from assay.strategies.prompts import Prompts


@pytest.fixture
def author():
    """An author with scripted replies, data as JSON; its model knows what it was asked."""

    def make(*replies, retries=0):
        said = [json.dumps(item) if isinstance(item, dict) else item for item in replies]
        return Author(ScriptedModel(said), Prompts(), retries=retries)

    return make
