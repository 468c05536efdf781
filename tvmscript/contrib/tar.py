"""TVM's `contrib.tar`: archives of files."""

from __future__ import annotations

import tarfile
from collections.abc import Sequence
from pathlib import Path

from tvmscript.ir.core.lazy import lazy_names

__all__ = ["tar", "untar"]


def tar(output: str, files: str | Sequence[str]) -> None:
    """Put files, by their names without folders, into an archive."""
    with tarfile.open(output, "w") as archive:
        for path in [files] if isinstance(files, str) else files:
            archive.add(path, arcname=Path(path).name)


def untar(tar_file: str, directory: str) -> None:
    """Take the files out of an archive; none lands outside of the folder."""
    with tarfile.open(tar_file) as archive:
        archive.extractall(directory, filter="data")


__getattr__, __dir__ = lazy_names(__name__, {})
