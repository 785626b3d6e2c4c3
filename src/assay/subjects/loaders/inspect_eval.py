"""Inspect AI ``.eval`` logs: a zip with ``header.json`` and one ``samples/ID_epoch_N.json`` for each sample.

Samples are read one by one, so a log of any size needs the memory of its largest sample. Entries may be stored,
deflated or, as in recent logs, compressed with Zstandard.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, BinaryIO, Final

from assay.errors import InputError
from assay.json_values import parse_json
from assay.subjects.loaders.base import InputContext, SubjectLoader
from assay.subjects.loaders.inspect_json import sample_name, sample_subject

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assay.subjects.loaders._zip import ZipFile
    from assay.subjects.subject import Subject

_HINT: Final = "inspect log convert --to json makes a file that can be read"


def sniff(head: bytes) -> bool:
    """Return whether a file is a zip whose first entry belongs to a log."""
    return head.startswith(b"PK\x03\x04") and head[30:70].startswith(
        (b"_journal/", b"samples/", b"header.json", b"summaries.json")
    )


def load(stream: BinaryIO, origin: InputContext) -> Iterator[Subject | InputError]:
    """Yield one trajectory or report for each sample; an error for one that cannot be read."""
    from assay.subjects.loaders._zip import DAMAGE, ZipFile  # noqa: PLC0415 - takes time to load

    try:
        archive = ZipFile(stream)
    except DAMAGE as error:
        raise InputError(f"no readable .eval log: {error}") from error
    with archive:
        names = sorted(
            name for name in archive.namelist() if name.startswith("samples/") and name.endswith(".json")
        )
        if not names:
            raise InputError("an .eval log without samples")
        header = _entry(archive, "header.json", origin) if "header.json" in archive.namelist() else {}
        spec = header.get("eval")
        for name in names:
            try:
                sample = _entry(archive, name, origin)
                where = f"{origin.path}[{sample_name(sample)}]" if origin.path else None
                yield sample_subject(sample, spec if isinstance(spec, dict) else {}, where)
            except InputError as error:
                yield InputError(error.problem, where=f"{origin.path}[{name}]", hint=error.hint)


def _entry(archive: ZipFile, name: str, origin: InputContext) -> dict[str, Any]:
    """Return the object in one entry of the archive."""
    from assay.subjects.loaders._zip import DAMAGE  # noqa: PLC0415

    try:
        # The size a zip declares can lie; the read is bounded all the same.
        with archive.open(name) as entry:
            data = entry.read(origin.max_bytes + 1)
    except (NotImplementedError, RuntimeError) as error:
        raise InputError(f"cannot be unpacked: {error}", hint=_HINT) from error
    except DAMAGE as error:
        raise InputError(f"damaged: {error}") from error
    if len(data) > origin.max_bytes:
        raise InputError(
            f"{name} has more than {origin.max_bytes} bytes",
            hint="a larger max_bytes raises the limit",
            cli_hint="--max-bytes raises the limit",
        )
    value = parse_json(data)
    if not isinstance(value, dict):
        raise InputError(f"{name} holds no object")
    return value


LOADER = SubjectLoader(
    name="inspect-eval",
    what="Inspect AI .eval log (zip with samples)",
    takes="file",
    sniff=sniff,
    load=load,
    suffixes=(".eval",),
    rank=40,
)
