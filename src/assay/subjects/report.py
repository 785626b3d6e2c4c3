"""A report: its source, and what stands where in it.

    report = Report.read("report.md", query="How fast will heat pumps spread?")
    for sentence in report.sentences:
        print(report.text(sentence.span))

Parsing never raises on any text and never loses a character: every part is a span into ``source``, and
``report.plain`` is the same text, same length, with the markup blanked out (see `assay.text.markup`).
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Mapping
from functools import cached_property
from os import PathLike
from typing import Any, Final

from assay.errors import InputError, UsageError
from assay.frozen import Frozen, frozen, thawed
from assay.given import require, require_mapping
from assay.record import Record, excerpt_html, name_text, path_text, require_fields
from assay.subjects.abbreviations import Abbreviation, find_abbreviations
from assay.subjects.citations import find_citations
from assay.subjects.cited_sources import Source, SourceIndex, find_sources
from assay.subjects.claims import SourcedClaim, find_claims
from assay.subjects.figures import Figure, find_figures
from assay.subjects.numbered_text import NumberedText
from assay.subjects.parts import Citation, Reference
from assay.subjects.references import find_references, split_lists
from assay.subjects.span import Span
from assay.subjects.unread_marks import UnreadMarks, find_unread_marks
from assay.text.words import count_words

SCHEMA = "assay.report/1"
_FIELDS: Final = ("source", "query", "path", "id", "system", "markdown", "meta")


def _start(figure: Figure) -> int:
    return figure.quantity.start


class Report(Frozen, Record, NumberedText):
    """A report and all its parts, each computed when first asked for, and kept. Frozen; `replace` makes another one.

    Args:
        source: The text. Markdown unless ``markdown=False``.
        query: The question the report answers, if known.
        path: Where it came from, for messages.
        id: Its name in a collection.
        system: The agent that wrote it.
        markdown: False reads the text as plain text: blank lines separate paragraphs.
        meta: Whatever else came along (dates, scores); kept, not interpreted.

    Raises:
        UsageError: The source is not text.
    """

    query: str | None
    path: str | None
    id: str | None
    system: str | None
    meta: Mapping[str, Any]

    def __init__(
        self,
        source: str,
        *,
        query: str | None = None,
        path: str | None = None,
        id: str | None = None,  # noqa: A002 - the field's own name for it
        system: str | None = None,
        markdown: bool = True,
        meta: Mapping[str, Any] | None = None,
    ) -> None:
        if not isinstance(source, str):
            raise UsageError(
                f"a report's source is its text, not {type(source).__name__}", hint="Report.read reads a file"
            )
        require(query, (str, type(None)), "the query of a report is a text")
        super().__init__(source, markdown=markdown)
        vars(self).update(query=query, path=path_text(path), id=name_text(id), system=name_text(system))
        vars(self)["meta"] = frozen(require_mapping(meta, "meta"))

    def replace(self, **changes: Any) -> Report:
        """Return a copy with other values for some of its fields: ``report.replace(query="…")``.

        Raises:
            UsageError: There is no such field.
        """
        fields = {name: getattr(self, name) for name in _FIELDS}
        require_fields("report", changes, fields)
        other = Report(**{**fields, **changes})
        if other.source == self.source and other.markdown == self.markdown:
            # What was read off the text holds for the copy; what others keep in the memo may depend on the rest.
            known = {
                key: value for key, value in vars(self).items() if key not in vars(other) and key != "memo"
            }
            vars(other).update(known)
        return other

    def __reduce__(self) -> tuple[Any, ...]:
        # What was read off the text stays behind: to read it again is cheaper than to send it to another process.
        return _restore, tuple(getattr(self, name) for name in _FIELDS)

    def summary_line(self) -> str:
        """Return its name and length."""
        return f"{self.id or self.path or 'unnamed'}, {len(self.source):,} characters"

    def to_dict(self) -> dict[str, Any]:
        """Return its fields, the text under ``report``; `assay.read` reads it too."""
        data = {name: getattr(self, name) for name in _FIELDS[1:]}
        return {"schema": SCHEMA, "report": self.source, **data, "meta": thawed(self.meta)}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Report:
        """Return the report that `to_dict` wrote.

        Raises:
            InputError: The data are not a report.
        """
        if not isinstance(data, Mapping):
            raise InputError(f"not a report: {type(data).__name__}, not a mapping")
        fields = {key: value for key, value in data.items() if key not in ("schema", "report")}
        try:
            return cls(data["report"], **fields)
        except KeyError as error:
            raise InputError("not a report: there is no 'report'") from error
        except (TypeError, UsageError) as error:
            raise InputError(f"not a report: {error}") from error

    def _repr_html_(self) -> str:
        return excerpt_html(self.summary_line(), self.query, self.source)

    @classmethod
    def read(cls, path: str | PathLike[str], *, query: str | None = None) -> Report:
        """Read one report from a file: Markdown or text; PDF, DOCX, HTML with the extra ``assay[docs]``.

        Raises:
            InputError: The file is missing, unreadable, empty, binary, or holds something else than one report.
        """
        from assay.subjects.reading import read_report  # noqa: PLC0415 - reading knows every loader

        return read_report(path, query=query)

    @cached_property
    def words(self) -> int:
        """Number of words in the body, headings and tables included, the reference list excluded; CJK by character."""
        ref = self.reference_span
        if ref is None:
            return count_words(self.plain)
        return count_words(self.plain[: ref.start]) + count_words(self.plain[ref.end :])

    @cached_property
    def figures(self) -> list[Figure]:
        """Numbers of body and tables with what they measure, whose, when and how exactly (`assay.subjects.figures`)."""
        return find_figures(self)

    def figures_in(self, span: Span) -> list[Figure]:
        """Return figures that begin inside ``span``."""
        first = bisect_left(self.figures, span.start, key=_start)
        return self.figures[first : bisect_left(self.figures, span.end, key=_start)]

    @cached_property
    def abbreviations(self) -> dict[str, Abbreviation]:
        """Abbreviations by their letters: where each is used, and where it is spelt out."""
        return find_abbreviations(self)

    @cached_property
    def references(self) -> list[Reference]:
        """Entries of the reference list, in order."""
        return find_references(self)

    @cached_property
    def reference_lists(self) -> list[list[Reference]]:
        """The entries by list: a report may have a list after each chapter, or two at its end."""
        return split_lists(self, self.references)

    @cached_property
    def citations(self) -> list[Citation]:
        """Citation markers and links in the body, in order."""
        return find_citations(self, self.references)

    @cached_property
    def unread_marks(self) -> list[UnreadMarks]:
        """Groups of marks that look like citations and lead to no source that the report lists."""
        return find_unread_marks(self, self.citations, listed=bool(self.references))

    @property
    def citations_readable(self) -> bool:
        """Whether the report's way of citing was understood; if not, judge nothing that rests on its citations.

        Marks whose list is missing are understood: they are citations, without a source to look up.
        """
        return not any(group.kind == "unknown" for group in self.unread_marks)

    @cached_property
    def source_index(self) -> SourceIndex:
        """Its sources, and which of them each citation names."""
        return find_sources(self, self.references, self.citations)

    @property
    def sources(self) -> list[Source]:
        """The works that it lists or links, each once (`assay.subjects.cited_sources`)."""
        return self.source_index.sources

    @cached_property
    def claims(self) -> list[SourcedClaim]:
        """Sentences and table rows with measured figures or citations (`assay.subjects.claims`)."""
        return find_claims(self, self.figures, self.citations, self.source_index)

    @cached_property
    def _citation_starts(self) -> list[int]:
        return [citation.span.start for citation in self.citations]

    def citations_in(self, span: Span) -> list[Citation]:
        """Citations that begin inside ``span``."""
        first = bisect_right(self._citation_starts, span.start - 1)
        last = bisect_right(self._citation_starts, span.end - 1)
        return self.citations[first:last]


def _restore(source: str, *fields: Any) -> Report:
    return Report(source, **dict(zip(_FIELDS[1:], fields, strict=True)))
