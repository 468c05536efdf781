"""Running a text in the interpreter."""

from __future__ import annotations

from typing import Any

import tvmscript
from tvmscript.backends import interp


def run(source: str, *args: Any) -> Any:
    """Call the only function (or `main`) of a text."""
    return interp.build(tvmscript.from_source(source))(*args)


def kernel(signature: str, *lines: str) -> str:
    """The text of a function from its parameters and its lines; it begins in line 1."""
    return "\n".join(["@T.prim_func", f"def main({signature}):", *[f"    {line}" for line in lines], ""])
