"""A labelling project, served to its owner and its raters."""

import contextlib

from web_server import Client, serving

from assay.web.annotation.annotate_app import annotate_app
from assay.web.annotation.project import AnnotationProject
from assay.web.serving import Address, access_to


@contextlib.contextmanager
def serving_project(path, *, port=0):
    """Serve the project in a file; yields a function that returns a client, of the owner or of a rater."""

    def app(port):
        project = AnnotationProject(path)
        access = access_to(
            Address(),
            port,
            key=project.owner_key,
            always=True,
            rater_of=project.rater_of,
            secret=project.secret,
        )
        return annotate_app(project, access)

    with serving(app, port=port) as found:
        with contextlib.closing(AnnotationProject(path)) as project:
            keys = {"": project.owner_key, **{rater.name: rater.link for rater in project.raters()}}

        def client(name=""):
            one = Client(found)
            one.page(f"/?key={keys[name]}")
            return one

        client.port = found
        client.link = lambda name="": f"http://127.0.0.1:{found}/?key={keys[name]}"
        yield client
