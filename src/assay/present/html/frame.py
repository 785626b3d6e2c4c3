"""What all pages share: the templates, the style, the script, and the policy that lets only these two in."""

from __future__ import annotations

import base64
import hashlib
from functools import lru_cache
from importlib.resources import files
from typing import Any, Final

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from assay._version import __version__
from assay.present.html.figures import logo
from assay.present.interface import ENGLISH, Interface, html_language
from assay.present.markup import html_table

AUDIT_KEYS: Final = (
    ("j k", "next and previous finding"),
    ("r", "the place it conflicts with"),
    ("1 2 3", "show or hide errors, warnings, info"),
    ("f a", "findings, argument"),
    ("t", "light or dark"),
    ("Esc", "let go of the finding"),
    ("?", "these keys"),
)
PLAIN_KEYS: Final = (("t", "light or dark"), ("?", "these keys"))
INDEX_KEYS: Final = (("/", "find by name"), ("t", "light or dark"), ("?", "these keys"))


@lru_cache(maxsize=1)
def _environment() -> Environment:
    return Environment(
        loader=PackageLoader("assay.present", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


@lru_cache(maxsize=4)
def _asset(name: str) -> str:
    return files("assay.present").joinpath("templates", name).read_text("utf-8").strip()


def _hash(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


@lru_cache(maxsize=1)
def page_policy() -> str:
    """Return the policy of every page: its own style and script by their hashes, pictures that the script draws, nothing else."""
    return (
        f"default-src 'none'; style-src '{_hash(_asset('page.css'))}'; script-src '{_hash(_asset('page.js'))}'; "
        "img-src blob:; base-uri 'none'; form-action 'none'"
    )


def render(template: str, *, say: Interface = ENGLISH, **context: Any) -> str:
    """Return a page in the interface's language. The template escapes ``context`` except for `Markup`."""
    return (
        _environment()
        .get_template(template)
        .render(
            style=Markup(_asset("page.css")),  # noqa: S704 - our own file
            script=Markup(_asset("page.js")),  # noqa: S704 - our own file
            policy=Markup(page_policy()),  # noqa: S704 - quotes and hashes of our own files
            logo=logo(),
            version=__version__,
            html_table=html_table,
            say=say,
            page_language=html_language(say.language),
            **context,
        )
    )
