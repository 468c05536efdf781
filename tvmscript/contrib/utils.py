"""Folders for the files of a test: `tvm.contrib.utils.tempdir()`."""

from __future__ import annotations

import os
import shutil
import tempfile
import weakref
from collections.abc import Generator
from contextlib import contextmanager
from typing import ClassVar

__all__ = ["TempDirectory", "tempdir"]


class TempDirectory:
    """A folder that is removed with the object, by `remove`, or at the end of the process."""

    #: folders that are to be removed
    TEMPDIRS: ClassVar[set[str]] = set()
    #: whether new folders stay
    _KEEP_FOR_DEBUG: ClassVar[bool] = False

    def __init__(self, custom_path: str | None = None, keep_for_debug: bool | None = None) -> None:
        self.temp_dir = custom_path if custom_path is not None else tempfile.mkdtemp(prefix="tvm")
        os.makedirs(self.temp_dir, exist_ok=True)
        keeps = custom_path is not None or (self._KEEP_FOR_DEBUG if keep_for_debug is None else keep_for_debug)
        if not keeps:
            self.TEMPDIRS.add(self.temp_dir)
            weakref.finalize(self, _remove, self.temp_dir)

    @classmethod
    @contextmanager
    def set_keep_for_debug(cls, set_to: bool = True) -> Generator[None]:
        """Let the folders that are created meanwhile stay."""
        before, cls._KEEP_FOR_DEBUG = cls._KEEP_FOR_DEBUG, set_to  # pyright: ignore[reportConstantRedefinition]  # TVM's name
        try:
            yield
        finally:
            cls._KEEP_FOR_DEBUG = before  # pyright: ignore[reportConstantRedefinition]

    @classmethod
    def remove_tempdirs(cls) -> None:
        """Remove all folders that are to be removed."""
        for path in list(cls.TEMPDIRS):
            _remove(path)

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
        _remove(self.temp_dir)

    def __truediv__(self, name: str) -> str:
        return self.relpath(name)

    def __enter__(self) -> TempDirectory:
        return self

    def __exit__(self, *_: object) -> None:
        self.remove()


def _remove(path: str) -> None:
    if path in TempDirectory.TEMPDIRS:
        TempDirectory.TEMPDIRS.remove(path)
        shutil.rmtree(path, ignore_errors=True)


def tempdir(custom_path: str | None = None, keep_for_debug: bool | None = None) -> TempDirectory:
    """Return a new folder for files."""
    return TempDirectory(custom_path, keep_for_debug)
