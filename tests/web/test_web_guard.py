"""Who may ask, under which name, and what a page may load."""

import pytest
from web_rows import judged
from web_server import Client, serving

from assay.errors import UsageError
from assay.web.guard import Access, Visitor, is_loopback
from assay.web.opened import open_items
from assay.web.serving import Address, access_to, link_to
from assay.web.view_app import view_app


@pytest.mark.parametrize(
    "host",
    ["evil.example", "evil.example:80", "127.0.0.1.evil.example", "", "localhost.evil.example", "10.0.0.1"],
)
def test_another_name_of_the_server_is_refused(make_run, view, ledger_path, host):
    make_run([judged_row()])
    client = view(ledger_path)
    assert client.get("/", host=host or " ").status in (400, 421)
    assert client.get("/").status == 200
    assert client.get("/", host=f"localhost:{client.port}").status == 200


def judged_row():
    return judged(1)


def test_every_answer_has_the_policy(make_run, view, ledger_path):
    run = make_run([judged_row()])
    client = view(ledger_path)
    for path in ("/", f"/runs/0/{run}", "/nothing", "/static/app.css", "/static/none.css"):
        reply = client.get(path)
        policy = reply.getheader("content-security-policy")
        assert policy.startswith("default-src 'none'")
        assert "unsafe" not in policy
        assert "frame-ancestors 'none'" in policy
        assert reply.getheader("x-content-type-options") == "nosniff"


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH"])
def test_a_view_changes_nothing(make_run, view, ledger_path, method):
    run = make_run([judged_row()])
    before = ledger_path.read_bytes()
    client = view(ledger_path)
    client.page("/")
    for path in ("/", f"/runs/0/{run}", f"/runs/0/{run}/judgments/{1:032x}"):
        assert client.ask(method, path, body="{}").status == 403
        assert client.ask(method, path, body="{}", headers={"X-Assay-Form": client.form_key}).status == 405
    assert ledger_path.read_bytes() == before


@pytest.mark.parametrize(
    "path",
    ["/static/../guard.py", "/static/..%2fguard.py", "/pages/0/..%2f..%2fetc%2fpasswd", "/static/%2e%2e/guard.py",
     "/pages/0/%2Fetc%2Fpasswd", "/pages/-1", "/pages/99/x", "/runs/9/x", "/audits/0/0", "/runs/0/none"],
)  # fmt: skip
def test_no_path_leads_out(make_run, view, ledger_path, tmp_path, path):
    make_run([judged_row()])
    (tmp_path / "secret.html").write_text("secret")
    folder = tmp_path / "open"
    folder.mkdir()
    (folder / "a.html").write_text("<p>shown</p>")
    (folder / "link.html").symlink_to(tmp_path / "secret.html")
    client = view(ledger_path, folder)
    reply = client.get(path)
    assert reply.status in (400, 404)
    assert "secret" not in reply.text
    assert "def " not in reply.text
    assert client.get("/pages/1/a.html").text == "<p>shown</p>"
    assert client.get("/pages/1/link.html").status == 404


def test_beyond_the_machine_a_key_is_needed(make_run, ledger_path):
    make_run([judged_row()])
    access = None

    def app(port):
        nonlocal access
        access = access_to(Address(host="0.0.0.0", names=("lab.example",)), port)
        return view_app(open_items([str(ledger_path)]), access)

    with serving(app) as port:
        stranger = Client(port)
        assert stranger.get("/").status == 401
        assert stranger.get("/static/app.css").status == 401
        assert stranger.get("/?key=wrong-wrong-wrong").status == 401
        owner = Client(port)
        reply = owner.get(f"/?key={access.key}&x=1")
        assert (reply.status, reply.getheader("location")) == (303, "/?x=1")
        cookie = reply.getheader("set-cookie").lower()
        assert "httponly" in cookie
        assert "samesite" in cookie
        assert "What is open" in owner.page("/")
        assert owner.get("/", host=f"lab.example:{port}").status == 200
        assert owner.get("/", host=f"10.1.2.3:{port}").status == 200
        assert owner.get("/", host="other.example").status == 421
    assert access.key in link_to(Address(host="0.0.0.0"), port, access)


def test_a_short_key_is_refused():
    with pytest.raises(UsageError, match="16 characters"):
        access_to(Address(host="0.0.0.0"), 1, key="short")


def test_the_key_of_a_form_belongs_to_one_visitor():
    access = Access(hosts=frozenset(), key="k" * 20)
    keys = {
        access.form_key(visitor)
        for visitor in (
            Visitor("owner"),
            Visitor("rater", "a"),
            Visitor("rater", "b"),
            Visitor("rater", "owner"),
        )
    }
    assert len(keys) == 4


@pytest.mark.parametrize(
    ("host", "expected"),
    [
        ("127.0.0.1", True),
        ("localhost", True),
        ("::1", True),
        ("127.8.0.1", True),
        ("0.0.0.0", False),
        ("192.168.1.4", False),
        ("lab", False),
    ],
)
def test_what_is_this_machine(host, expected):
    assert is_loopback(host) is expected
