"""The addresses that reports cite."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING
from urllib.parse import urldefrag, urlsplit

from assay.subjects.references import normalize_url

if TYPE_CHECKING:
    from assay.subjects.report import Report


def cited_addresses(reports: Iterable[Report]) -> dict[str, str]:
    """Return the addresses that reports cite, each spelling of one once: normalised form to the first spelling."""
    found: dict[str, str] = {}
    for report in reports:
        urls = [source.url for source in report.sources if source.url]
        urls += [reference.url for reference in report.references if reference.url]
        for url in urls:
            whole = url if "://" in url else f"https://{url}"
            # A fragment names a place in the page, and is not sent.
            address = urldefrag(whole.strip()).url
            if urlsplit(address).hostname:
                found.setdefault(normalize_url(address), address)
    return found
