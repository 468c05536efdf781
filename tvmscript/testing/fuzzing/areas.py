"""The areas by name."""

from __future__ import annotations

import importlib
from typing import Final

from tvmscript.ir.core.errors import UnknownName
from tvmscript.testing.fuzzing.area import Area

#: name -> the module of the same name has it as AREA
NAMES: Final = ("parser", "printer", "arith", "schedule", "passes", "relax", "codegen")


def area(name: str) -> Area:
    """The area of a name. Raises `UnknownName`."""
    if name not in NAMES:
        raise UnknownName(kind="area", name=repr(name), hint=f"the areas are {', '.join(NAMES)}")
    found: Area = importlib.import_module(f"tvmscript.testing.fuzzing.{name}").AREA
    return found
