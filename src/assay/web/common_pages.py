"""The pages and files that every application has, and what it says if something is wrong."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from assay.errors import AssayError, UsageError
from assay.web.templating import page, serve_static

if TYPE_CHECKING:
    from starlette.requests import Request


def common_routes() -> list[Route]:
    """Return the routes that every application has."""
    return [
        Route("/static/{name}", serve_static),
        Route("/language/{name}", choose_language),
        Route("/favicon.ico", no_icon),
    ]


def choose_language(request: Request) -> Response:
    """Remember the language of the interface, and go back."""
    back = request.query_params.get("back", "/")
    local = back.startswith("/") and not back.startswith(("//", "/\\"))
    response = RedirectResponse(back if local else "/", 303)
    name = request.path_params["name"]
    if name in ("en", "zh"):
        response.set_cookie("assay-language", name, max_age=31536000, samesite="lax", httponly=True)
    return response


def no_icon(_request: Request) -> Response:
    """Answer the browser's request for an icon."""
    return Response(status_code=204)


def failed(request: Request, error: Exception) -> Response:
    """Say what is wrong with a request, or with what was opened."""
    return page(
        request,
        "problem.html.j2",
        status=400 if isinstance(error, UsageError) else 500,
        title="This cannot be shown",
        problem=error.cli_message if isinstance(error, AssayError) else str(error),
    )


def missing_page(request: Request, _error: Exception) -> Response:
    """Say that an address leads nowhere."""
    return missing(request)


def missing(request: Request) -> Response:
    """Say that an address leads nowhere."""
    return page(
        request,
        "problem.html.j2",
        status=404,
        title="There is nothing at this address",
        problem="The run may have been made again, or the address was cut.",
    )


def broken(_request: Request, _error: Exception) -> Response:
    """Say that a page failed, without what may be private in the error."""
    return Response("A bug in Assay: this page failed. The server goes on.", 500, media_type="text/plain")


def spreadsheet_cell(value: object) -> object:
    """Return a cell that no spreadsheet takes for a formula."""
    return f"'{value}" if isinstance(value, str) and value[:1] in ("=", "+", "-", "@", "\t", "\r") else value
