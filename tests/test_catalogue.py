"""The catalogue of errors: every class is raised by a test, and codes are what they look like."""

from __future__ import annotations

import importlib
import pkgutil
import re
from pathlib import Path

import pytest

import tvmscript
from tvmscript.ir.core.errors import DiagnosticError, TVMScriptError

_TESTS = Path(__file__).parent


def _load_everything() -> None:
    for module in pkgutil.walk_packages(tvmscript.__path__, "tvmscript."):
        if not module.name.endswith("__main__"):
            importlib.import_module(module.name)


_load_everything()
CATALOGUE = sorted(TVMScriptError.catalogue.items())
WORDS = {
    word
    for path in _TESTS.rglob("*.py")
    if path.name != "test_catalogue.py"
    for word in re.findall(r"\w+", path.read_text())
}


@pytest.mark.parametrize(("code", "cls"), CATALOGUE, ids=[code for code, _ in CATALOGUE])
def test_every_error_is_raised_somewhere(code: str, cls: type[TVMScriptError]) -> None:
    assert re.fullmatch(r"TS\d{4}", code)
    assert {cls.__name__, code} & WORDS, f"no test mentions {cls.__name__}"


def test_parse_errors_are_diagnostics() -> None:
    for code, cls in CATALOGUE:
        if code.startswith("TS20"):
            assert issubclass(cls, DiagnosticError), cls.__name__
