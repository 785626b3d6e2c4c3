"""Zip archives, also with Zstandard, which the standard library knows from Python 3.14."""

from __future__ import annotations

import sys
import zlib

if sys.version_info >= (3, 14):
    import zipfile

    from compression.zstd import ZstdError
else:
    from backports.zstd import ZstdError, zipfile

ZipFile = zipfile.ZipFile
# What reading a damaged archive may raise.
DAMAGE = (zipfile.BadZipFile, zlib.error, ZstdError, EOFError, OSError, KeyError, ValueError, OverflowError)
