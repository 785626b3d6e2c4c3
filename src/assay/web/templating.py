"""The templates of the application: those of this package, and the parts of the static pages."""

from __future__ import annotations

import hashlib
import json
import time
from datetime import datetime
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any, Final, cast

import msgspec
import yaml
from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined
from markupsafe import Markup
from starlette.responses import HTMLResponse, Response

from assay._version import __version__
from assay.present.html.figures import logo
from assay.present.interface import Catalogue, Interface, Shown, html_language, interface
from assay.present.markup import html_table
from assay.web.guard import Access, Visitor

if TYPE_CHECKING:
    from starlette.requests import Request

_FILES: Final = {
    "page.css": ("assay.present", "templates/page.css", "text/css"),
    "app.css": ("assay.web", "static/app.css", "text/css"),
    "app.js": ("assay.web", "static/app.js", "text/javascript"),
    "annotate.js": ("assay.web", "static/annotate.js", "text/javascript"),
}
_LANGUAGES: Final[tuple[Shown, ...]] = ("en", "zh")
KEYS: Final = (
    ("j k", "next and previous row"),
    ("Enter", "open the row"),
    ("n p", "next and previous judgment"),
    ("/", "search"),
    ("t", "light or dark"),
    ("?", "these keys"),
)


@cache
def web_interface(language: str) -> Interface:
    """Return the phrases of the application in a language, those of the static pages included."""
    base = interface(language)
    if base.language == "en":
        return base
    text = files("assay.web").joinpath("interface.yaml").read_text("utf-8")
    own = msgspec.convert(yaml.safe_load(text), Catalogue)
    known = base.catalogue
    return Interface(
        base.language,
        Catalogue(
            counts={**known.counts, **own.counts}, texts={**known.texts, **own.texts}, checks=known.checks
        ),
    )


@cache
def static_file(name: str) -> tuple[bytes, str] | None:
    """Return the content and the media type of a file of this package; None if there is none of this name."""
    if name not in _FILES:
        return None
    package, path, kind = _FILES[name]
    return files(package).joinpath(path).read_bytes(), kind


@cache
def static_address(name: str) -> str:
    """Return the address of a file, which changes with its content, so that browsers may keep it."""
    found = static_file(name)
    assert found is not None
    return f"/static/{name}?{hashlib.sha256(found[0]).hexdigest()[:12]}"


def serve_static(request: Request) -> Response:
    """Serve a file of this package."""
    found = static_file(request.path_params["name"])
    if found is None:
        return Response("There is no such file.", 404, media_type="text/plain")
    return Response(
        found[0], media_type=found[1], headers={"Cache-Control": "public, max-age=31536000, immutable"}
    )


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=ChoiceLoader(
            [PackageLoader("assay.web", "templates"), PackageLoader("assay.present", "templates")]
        ),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {
        "when": when, "usd": usd, "score": score_text, "many": lambda number: f"{number:,}", "ago": ago,
    }  # fmt: skip
    return environment


def compile_templates() -> None:
    """Compile all templates, so that the first page is as fast as the others."""
    environment = _environment()
    for name in environment.list_templates(extensions=["j2"]):
        environment.get_template(name)


def language_of(request: Request) -> Shown:
    """Return the language that was chosen, or the first that the browser asks for."""
    chosen = request.cookies.get("assay-language") or getattr(request.app.state, "language", None)
    if chosen in _LANGUAGES:
        return cast("Shown", chosen)
    asked = request.headers.get("accept-language", "").lower()
    return "zh" if asked.startswith("zh") else "en"


def page(request: Request, template: str, *, status: int = 200, **context: Any) -> HTMLResponse:
    """Return a page in the reader's language; the template escapes everything except `Markup`."""
    say = web_interface(language_of(request))
    visitor: Visitor = request.state.visitor
    access: Access = request.state.access
    given: dict[str, Any] = {"crumbs": (), "keys": KEYS, "scripts": ("app.js",), "body_class": ""}
    text = (
        _environment()
        .get_template(template)
        .render(
            say=say,
            logo=logo(),
            version=__version__,
            address=static_address,
            html_table=html_table,
            page_language=html_language(say.language),
            other_language="en" if say.language == "zh" else "zh",
            visitor=visitor,
            form_key=access.form_key(visitor),
            here=request.url.path + (f"?{request.url.query}" if request.url.query else ""),
            **{**given, **context},
        )
    )
    # A lone surrogate in a report or a reply must not break its page.
    return HTMLResponse(text.encode("utf-8", "replace"), status)


def json_response(value: Any, status: int = 200) -> Response:
    """Return plain data as JSON."""
    return Response(json.dumps(value, ensure_ascii=True), status, media_type="application/json")


def when(at: float) -> str:
    """Return a time in the time zone of the server."""
    return datetime.fromtimestamp(at).astimezone().strftime("%Y-%m-%d %H:%M:%S") if at else ""


def ago(at: float) -> str:
    """Return a duration until now in seconds, minutes or hours."""
    seconds = max(0.0, time.time() - at)
    return (
        f"{seconds:.0f} s"
        if seconds < 120
        else f"{seconds / 60:.0f} min"
        if seconds < 7200
        else f"{seconds / 3600:.0f} h"
    )


def usd(cost: float | None) -> str:
    """Return a cost in US dollars; a question mark if the price is unknown."""
    if cost is None:
        return "?"
    return "$0" if cost == 0 else f"${cost:.4f}" if cost < 0.1 else f"${cost:,.2f}"


def score_text(value: object) -> str:
    """Return a score or a verdict in a few characters."""
    if value is None:
        return "–"
    return f"{value:.3g}" if isinstance(value, float | int) else str(value)


def safe_markup(html: str) -> Markup:
    """Return HTML that `assay.present.html` cleaned, for a template."""
    return Markup(html)  # noqa: S704 - cleaned and escaped there
