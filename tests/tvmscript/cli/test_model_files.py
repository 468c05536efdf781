"""Models of other libraries on the command line."""

from __future__ import annotations

from tvmscript.cli.files import MODEL_SUFFIXES
from tvmscript.cli.model_files import READERS


def test_each_suffix_has_a_reader() -> None:
    assert sorted(READERS) == sorted(MODEL_SUFFIXES)
