"""Folders for the files of a test: `tvm.contrib.utils.tempdir()`."""

from __future__ import annotations

import os
import tempfile

__all__ = ["TempDirectory", "tempdir"]


class TempDirectory:
    """A folder that is removed with the object, or by `remove`."""

    def __init__(self, custom_path: str | None = None) -> None:
        self._owned = None if custom_path is not None else tempfile.TemporaryDirectory(prefix="tvm")
        self.temp_dir = custom_path if custom_path is not None else str(self._owned and self._owned.name)
        os.makedirs(self.temp_dir, exist_ok=True)

    @property
    def path(self) -> str:
        """The path of the folder."""
        return self.temp_dir

    def relpath(self, name: str) -> str:
        """Return the path of a file in the folder."""
        return os.path.join(self.temp_dir, name)

    def listdir(self) -> list[str]:
        """Return the names of the files in the folder."""
        return os.listdir(self.temp_dir)

    def remove(self) -> None:
        """Remove the folder with all its files."""
        if self._owned is not None:
            self._owned.cleanup()

    def __truediv__(self, name: str) -> str:
        return self.relpath(name)

    def __enter__(self) -> TempDirectory:
        return self

    def __exit__(self, *_: object) -> None:
        self.remove()


def tempdir(custom_path: str | None = None, keep_for_debug: bool | None = None) -> TempDirectory:
    """Return a new folder for files."""
    return TempDirectory(custom_path)
