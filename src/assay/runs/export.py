"""Export of a run to files: JSON Lines, CSV or Parquet, row by row from the ledger, always in the same order.

judgments   one row per judgment; as JSON Lines exactly the contract ``assay.judgment/2``
answers     one row per question, with the keys of its calls and the raw reply
calls       one row per model call: prompt, reply, usage
index       (JSON Lines) key, version, repetition, tags and time of each line of judgments
"""

from __future__ import annotations

import contextlib
import csv
import errno
import hashlib
import importlib
import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, Any, Final, Literal, get_args

import msgspec

from assay._version import __version__
from assay.errors import EngineError, InputError, MissingExtraError, UsageError
from assay.models.base import Usage
from assay.runs.ledger import Ledger
from assay.runs.records import AnswerRow, CallRow, JudgmentRow

Format = Literal["jsonl", "csv", "parquet"]
Table = Literal["judgments", "answers", "calls"]
SCHEMA: Final = "assay.export/1"

_Flat = dict[str, Any]
# Rows of Parquet written at a time.
_GROUP: Final = 5000
_FULL: Final = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)
_USAGE: Final = ("calls", "input_tokens", "cached_input_tokens", "output_tokens")


def export(
    ledger: Ledger, run: str, fmt: Format, out: str | Path | IO[str], *, table: Table | None = None
) -> list[str]:
    """Write a run.

    Args:
        ledger: Ledger of the run.
        run: Its id or name.
        fmt: JSON Lines, CSV or Parquet.
        out: Folder for all tables and a manifest; with ``table``, a file or a text stream.
        table: The only table to write.

    Returns:
        The names of the files written.

    Raises:
        UsageError: There is no such run, or Parquet is requested for a stream.
        MissingExtraError: Parquet needs ``assay[parquet]``.
        InputError: The output cannot be written.
    """
    row = ledger.run(run)
    if fmt == "parquet":
        _pyarrow()
    if table is None:
        if not isinstance(out, str | Path):
            raise UsageError(
                "a stream takes one table", hint="name it with table=…", cli_hint="name it with --table"
            )
        return _folder(ledger, row.id, fmt, Path(out))
    if isinstance(out, str | Path):
        with _replaced(Path(out)) as path:
            _file(ledger, row.id, fmt, table, path)
        return [str(out)]
    if fmt == "parquet":
        raise UsageError("Parquet needs a file: name it with -o")
    _stream(ledger, row.id, fmt, table, out)
    return []


def json_lines(ledger: Ledger, run: str, table: Table | Literal["index"]) -> Iterator[str]:
    """Yield a table of a run (by id) as JSON Lines, line breaks included."""
    if table == "judgments":
        yield from (_line(row.judgment.to_dict()) for row in ledger.judgments(run))
    elif table == "index":
        for row in ledger.judgments(run):
            yield _line(
                {
                    "key": row.key,
                    "judge_version": row.judge_version,
                    "trial": row.trial,
                    "tags": row.tags,
                    "at": row.at,
                }
            )
    elif table == "answers":
        yield from map(_line, ledger.answers(run))
    else:
        yield from (_line(_call_json(call)) for call in _calls(ledger, run))


def _calls(ledger: Ledger, run: str) -> Iterator[CallRow]:
    return ledger.calls(ledger.call_keys(run))


def _call_json(row: CallRow) -> dict[str, Any]:
    request: dict[str, Any] = msgspec.to_builtins(row.request)
    request["messages"] = [
        {"role": message.role, "content": message.content} for message in row.request.messages
    ]
    return {"key": row.key, "at": row.at, "request": request, "reply": msgspec.to_builtins(row.reply)}


def _line(value: Any) -> str:
    try:
        return msgspec.json.encode(value).decode() + "\n"
    except UnicodeEncodeError:
        return json.dumps(msgspec.to_builtins(value)) + "\n"  # a lone surrogate, as an escape


def _folder(ledger: Ledger, run: str, fmt: Format, folder: Path) -> list[str]:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"cannot make the folder: {error.strerror}", where=str(folder)) from error
    files: dict[str, dict[str, Any]] = {}
    tables: tuple[Any, ...] = (*get_args(Table), "index") if fmt == "jsonl" else get_args(Table)
    for table in tables:
        name = f"{table}.{fmt}"
        with _replaced(folder / name) as path:
            rows = _file(ledger, run, fmt, table, path)
            files[name] = {"rows": rows, "bytes": path.stat().st_size, "sha256": _sha256(path)}
    manifest = {
        "schema": SCHEMA,
        "assay": __version__,
        "run": msgspec.to_builtins(ledger.run(run)),
        "status": ledger.coverage(run),
        "usage": msgspec.to_builtins(ledger.usage_by_model(run)),
        "files": files,
    }
    with _replaced(folder / "manifest.json") as path:
        path.write_text(json.dumps(manifest, indent=2) + "\n", "utf-8")
    more = ["manifest.json"]
    if fmt == "parquet":
        with _replaced(folder / "README.md") as path:
            path.write_text(_dataset_card(ledger, run, files), "utf-8")
        more.append("README.md")
    return [str(folder / name) for name in (*files, *more)]


def _dataset_card(ledger: Ledger, run: str, files: dict[str, dict[str, Any]]) -> str:
    """Return the card that makes the folder a dataset of the Hugging Face Hub, with a configuration for each table."""
    row = ledger.run(run)
    configs = "".join(
        f"- config_name: {Path(name).stem}\n  data_files: {name}\n"
        + ("  default: true\n" if name.startswith("judgments") else "")
        for name in files
    )
    lines = [
        f"| {Path(name).stem} | {found['rows']:,} | `{found['sha256'][:16]}` |"
        for name, found in files.items()
    ]
    judges = {(item["judge"], item["rubric"] or "") for item in row.plan.get("judgments", ())}
    return (
        f"---\npretty_name: {json.dumps(f'Judgments of {row.name}')}\ntags:\n- llm-as-a-judge\n- assay\nconfigs:\n{configs}---\n\n"
        f"# Judgments of {row.name}\n\n"
        f"Run `{row.id}` of Assay {__version__}: {', '.join(sorted(f'`{a}` by `{b}`' if b else f'`{a}`' for a, b in judges))}.\n\n"
        "| table | rows | sha256 |\n|---|---:|---|\n" + "\n".join(lines) + "\n\n"
        "`calls` has the prompts, and so the texts that were judged: publish it only if their licences allow it. "
        "`manifest.json` has provenance, settings and token counts.\n"
    )


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


@contextlib.contextmanager
def _replaced(path: Path) -> Iterator[Path]:
    """Yield a path that replaces ``path`` once everything is written, so that no partial file is ever seen."""
    part = path.with_name(f"{path.name}.{os.getpid()}.part")
    try:
        yield part
        part.replace(path)
    except OSError as error:
        if error.errno in _FULL:
            raise EngineError(
                f"{path}: cannot be written: {error.strerror}; the ledger has everything, so make room and export again"
            ) from error
        raise InputError(f"cannot be written: {error.strerror}", where=str(path)) from error
    finally:
        with contextlib.suppress(OSError):
            part.unlink()


def _file(ledger: Ledger, run: str, fmt: Format, table: Any, path: Path) -> int:
    if fmt == "parquet":
        return _parquet(ledger, run, table, path)
    with path.open("w", encoding="utf-8", errors="backslashreplace", newline="") as out:
        return _stream(ledger, run, fmt, table, out)


def _stream(ledger: Ledger, run: str, fmt: Format, table: Any, out: IO[str]) -> int:
    count = 0
    if fmt == "csv":
        columns = _columns(ledger, run, table)
        writer = csv.DictWriter(out, list(columns), lineterminator="\n", restval="")
        writer.writeheader()
        for row in _flat_rows(ledger, run, table):
            writer.writerow({name: _cell(value) for name, value in row.items() if name in columns})
            count += 1
        return count
    for line in json_lines(ledger, run, table):
        out.write(line)
        count += 1
    return count


def _cell(value: Any) -> Any:
    return (
        {None: "", True: "true", False: "false"}[value] if value is None or isinstance(value, bool) else value
    )


def _parquet(ledger: Ledger, run: str, table: Table, path: Path) -> int:
    pa, pq = _pyarrow()
    kinds = {"str": pa.string(), "int": pa.int64(), "float": pa.float64(), "bool": pa.bool_()}
    columns = _columns(ledger, run, table)
    schema = pa.schema([(name, kinds[kind]) for name, kind in columns.items()])
    count = 0
    with pq.ParquetWriter(path, schema, compression="zstd") as writer:
        rows: list[_Flat] = []

        def write() -> None:
            writer.write_table(pa.Table.from_pylist(rows, schema=schema))
            rows.clear()

        for row in _flat_rows(ledger, run, table):
            rows.append(
                {name: _sound(value) if isinstance(value, str) else value for name, value in row.items()}
            )
            count += 1
            if len(rows) == _GROUP:
                write()
        write()
    return count


def _sound(text: str) -> str:
    return text if text.isascii() else text.encode("utf-8", "backslashreplace").decode()


def _pyarrow() -> tuple[Any, Any]:
    try:
        return importlib.import_module("pyarrow"), importlib.import_module("pyarrow.parquet")
    except ImportError as error:
        raise MissingExtraError("Parquet", "parquet") from error


def _columns(ledger: Ledger, run: str, table: Table) -> dict[str, str]:
    """Return names and types of a table's columns, after a first pass that collects the scores and tags."""
    fixed, families, _ = _TABLES[table]
    columns = dict(fixed)
    if families:
        names: set[str] = set()
        for row in _flat_rows(ledger, run, table):
            names.update(row.keys() - columns.keys())
        for family, kind in families.items():
            columns.update((name, kind) for name in sorted(names) if name.startswith(family))
    return columns


def _flat_rows(ledger: Ledger, run: str, table: Table) -> Iterator[_Flat]:
    return _TABLES[table][2](ledger, run)


def _usage(usage: Usage) -> _Flat:
    return {**{name: getattr(usage, name) for name in _USAGE}, "cost_usd": usage.cost_usd}


def _json(value: Any) -> str:
    return _line(value).rstrip("\n")


def _flat_judgments(ledger: Ledger, run: str) -> Iterator[_Flat]:
    for row in ledger.judgments(run):
        yield _flat_judgment(row)


def _flat_judgment(row: JudgmentRow) -> _Flat:
    judgment = row.judgment
    orders = judgment.by_order or {}
    return {
        "key": row.key,
        "subject": judgment.subject,
        "judge": judgment.judge,
        "judge_version": row.judge_version,
        "rubric": judgment.rubric,
        "trial": row.trial,
        "status": judgment.status,
        "preference": judgment.preference,
        "order_ab": orders.get("AB"),
        "order_ba": orders.get("BA"),
        "choice": judgment.choice,
        "rationale": judgment.rationale,
        "quotes": len(judgment.quotes),
        "quotes_not_found": sum(quote.start is None for quote in judgment.quotes),
        **_usage(judgment.usage),
        "at": row.at,
        **{f"score.{name}": float(value) for name, value in (judgment.scores or {}).items()},
        **{f"tag.{name}": value for name, value in row.tags.items()},
    }


def _flat_answers(ledger: Ledger, run: str) -> Iterator[_Flat]:
    for row in ledger.answers(run):
        yield _flat_answer(row)


def _flat_answer(row: AnswerRow) -> _Flat:
    answer = row.answer
    return {
        "key": row.key,
        "judgment": row.judgment,
        "unit": row.unit,
        "order": row.order,
        "criteria": _json(row.criteria),
        "status": answer.status,
        "values": _json(answer.values),
        "preference": answer.preference,
        "ranking": None if answer.ranking is None else _json(answer.ranking),
        "rationale": answer.rationale,
        "problem": answer.problem,
        "reply": answer.reply,
        "notes": _json(answer.notes),
        "call_keys": _json(answer.calls),
        **_usage(answer.usage),
    }


def _flat_calls(ledger: Ledger, run: str) -> Iterator[_Flat]:
    for row in _calls(ledger, run):
        reply, request = row.reply, row.request
        yield {
            "key": row.key,
            "model": request.model,
            "served": reply.served,
            "at": row.at,
            "messages": _json([{"role": part.role, "content": part.content} for part in request.messages]),
            "sampling": _json(request.sampling),
            "schema": None if request.schema is None else _json(request.schema),
            "draw": request.draw,
            "reply": reply.text,
            "reasoning": reply.reasoning,
            "finish": reply.finish,
            "attempts": reply.attempts,
            "seconds": reply.seconds,
            **_usage(reply.usage),
        }


def _kinds(text: str) -> dict[str, str]:
    """Return types by name from ``name:type``; a name alone is text."""
    return {name: kind or "str" for name, _, kind in (word.partition(":") for word in text.split())}


_USED: Final = " ".join(f"{name}:int" for name in _USAGE) + " cost_usd:float"
# Columns, families of further columns by prefix, and rows of each table.
_TABLES: Final[
    dict[Table, tuple[dict[str, str], dict[str, str], Callable[[Ledger, str], Iterator[_Flat]]]]
] = {
    "judgments": (
        _kinds(
            "key subject judge judge_version rubric trial:int status preference order_ab order_ba choice:int rationale "
            f"quotes:int quotes_not_found:int {_USED} at:float"
        ),
        {"score.": "float", "tag.": "str"},
        _flat_judgments,
    ),
    "answers": (
        _kinds(
            "key judgment unit order criteria status values preference ranking rationale problem reply notes call_keys "
            f"{_USED}"
        ),
        {},
        _flat_answers,
    ),
    "calls": (
        _kinds(
            "key model served at:float messages sampling schema draw:int reply reasoning finish attempts:int "
            f"seconds:float {_USED}"
        ),
        {},
        _flat_calls,
    ),
}
