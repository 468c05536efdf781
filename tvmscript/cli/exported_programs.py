"""Files of `torch.export.save`, read without running what they hold, as the reader of torch itself would."""

from __future__ import annotations

import json
import os
import re
import warnings
import zipfile
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from tvmscript.cli.errors import FileFailed
from tvmscript.frontend.optional import load_library
from tvmscript.frontend.torch import from_exported_program
from tvmscript.ir.core import IRModule

#: how parts of names of members begin that are pickled objects or machine code
_CODE: Final = ("aotinductor", "custom_obj", "opaque_obj")
#: has torch.load refuse pickles of other things than tensors and numbers, where torch asks for them too
_WITHOUT_CODE: Final = "TORCH_FORCE_WEIGHTS_ONLY_LOAD"
#: a size that torch evaluates: names, numbers, operators, and calls of functions of sizes, which begin with a capital
_SIZE: Final = re.compile(
    r"(?!.*(__|\b[a-z_]\w*\s*\(|\)\s*\(|\.\s*[A-Za-z_]))(?:[\w +\-*/%(),.<>=&|~!]|(?<=\()'\w+'(?=[,)]))*"
)


def read_exported_program(path: Path) -> IRModule:
    """Import a model of `torch.export.save`. Raises `FileFailed`, errors of the importer."""
    _check(path)
    torch = load_library("torch", "a model of torch")
    try:
        with _without_code(), warnings.catch_warnings():
            warnings.simplefilter("ignore", FutureWarning)  # torch's, about itself
            program = torch.export.load(path)
    except Exception as error:  # a damaged file: torch's reader raises what it meets
        raise FileFailed(file=path, reason=f"torch cannot load it: {type(error).__name__}: {error}") from error
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FutureWarning)
        return from_exported_program(program)


def _check(path: Path) -> None:
    """Raise `FileFailed` for members that torch would run."""
    try:
        with zipfile.ZipFile(path) as archive:
            for name in archive.namelist():
                if any(part.startswith(_CODE) for part in name.split("/")):
                    raise FileFailed(file=path, reason=f"it holds {name}, which torch would run")
                if name.endswith(".json"):
                    json.loads(archive.read(name), object_hook=lambda fields: _check_size(path, fields))
    except (OSError, ValueError, RecursionError, zipfile.BadZipFile) as error:
        raise FileFailed(file=path, reason=f"it is no archive of torch.export.save: {error}") from error


def _check_size(path: Path, fields: dict[str, object]) -> None:
    text = fields.get("expr_str", "")
    if not (isinstance(text, str) and _SIZE.fullmatch(text)):
        raise FileFailed(file=path, reason=f"{text!r} is no expression of sizes")


@contextmanager
def _without_code() -> Generator[None]:
    """Have torch unpickle tensors and numbers alone."""
    before = os.environ.get(_WITHOUT_CODE)
    os.environ[_WITHOUT_CODE] = "1"
    try:
        yield
    finally:
        if before is None:
            del os.environ[_WITHOUT_CODE]
        else:
            os.environ[_WITHOUT_CODE] = before
