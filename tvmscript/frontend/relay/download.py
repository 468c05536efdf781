"""`contrib.download`: files of examples, which must be there already."""

from __future__ import annotations

import os
from pathlib import Path

from tvmscript.frontend.relay.errors import NoDownload


def _root() -> Path:
    """Return the folder of test data: `TEST_DATA_ROOT_PATH`, or ~/.tvm_test_data, as in TVM."""
    return Path(os.environ.get("TEST_DATA_ROOT_PATH") or Path.home() / ".tvm_test_data")


def download(url: str, path: str | Path, overwrite: bool = False, size_compare: bool = False, retries: int = 3) -> None:
    """Check that the file is there. Raises `NoDownload`."""
    if not Path(path).is_file():
        raise NoDownload(url=url, path=path)


def download_testdata(url: str, relpath: str, module: str | None = None, overwrite: bool = False) -> str:
    """Return the path of a file of test data. Raises `NoDownload` where it is not there."""
    if module is not None and not all(part.isidentifier() for part in module.split(".")):
        raise NoDownload(url=url, path=f"{_root()} (the module {module!r} is no name)")
    path = _root() / (module or "") / relpath
    download(url, path)
    return str(path)
