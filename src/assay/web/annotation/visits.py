"""What every page of the labelling application asks about a request: the project, the rater, the item."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assay.errors import UsageError

if TYPE_CHECKING:
    from starlette.requests import Request

    from assay.web.annotation.assignment import Assigned
    from assay.web.annotation.project import AnnotationProject
    from assay.web.guard import Visitor


def project_of(request: Request) -> AnnotationProject:
    """Return the project that is served."""
    found: AnnotationProject = request.app.state.project
    return found


def rater_of(request: Request) -> str | None:
    """Return the rater who asks; None for the owner."""
    visitor: Visitor = request.state.visitor
    return visitor.name if visitor.role == "rater" else None


def assigned_to(request: Request, project: AnnotationProject, rater: str) -> tuple[int, Assigned, int]:
    """Return position, item and number of all items of a rater."""
    position: int = request.path_params["position"]
    own, assigned = own_item(project, rater, position)
    return position, assigned, len(own)


def own_item(project: AnnotationProject, rater: str, position: int) -> tuple[list[Assigned], Assigned]:
    """Return all items of a rater, and the one at a position.

    Raises:
        UsageError: There is none.
    """
    own = project.assigned(rater)
    if not 1 <= position <= len(own):
        raise UsageError("there is no such item among yours")
    return own, own[position - 1]
