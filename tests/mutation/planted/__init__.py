"""The planted bugs: one file for each part of the package, with the areas of `tvmscript fuzz` that look at it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from tests.mutation.patch import Patch
from tests.mutation.planted import arithmetic, llvm, parser, passes, printer, relax, schedule


@dataclass(frozen=True)
class Part:
    """A part of the package: its bugs, and who looks for them."""

    areas: tuple[str, ...]
    patches: tuple[Patch, ...]


PARTS: Final = {
    "parser": Part(("parser", "printer"), parser.PATCHES),
    "printer": Part(("printer",), printer.PATCHES),
    "arithmetic": Part(("arith",), arithmetic.PATCHES),
    "schedule": Part(("schedule",), schedule.PATCHES),
    "passes": Part(("passes",), passes.PATCHES),
    "relax": Part(("relax", "printer"), relax.PATCHES),
    "llvm": Part(("codegen",), llvm.PATCHES),
}
