"""The planted bugs: one file for each part of the package, with the areas of `tvmscript fuzz` that look at it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from tests.mutation.patch import Patch
from tests.mutation.planted import arithmetic, build, cuda, graphs, llvm, parser, passes, printer, relax, schedule, te
from tvmscript.ir.transform.registry import graph_pass_modules, pass_modules


@dataclass(frozen=True)
class Part:
    """A part of the package: its bugs, and who looks for them."""

    areas: tuple[str, ...]
    patches: tuple[Patch, ...]

    def pointed(self, patch: Patch | None) -> tuple[str, ...]:
        """The areas, pointed at the passes that the file of a bug belongs to, where it belongs to some."""
        names = (patch.subjects or passes_of(patch.file)) if patch else ()
        return tuple(f"{area}:{','.join(names)}" if area in _POINTED and names else area for area in self.areas)


#: areas that can be pointed at passes
_POINTED: Final = ("passes", "graphs")


def passes_of(file: str) -> tuple[str, ...]:
    """Name the pass that a file holds: one at most."""
    module = "tvmscript." + file.removesuffix(".py").replace("/", ".").removeprefix("tvmscript.")
    passes = {**pass_modules(), **graph_pass_modules()}
    return tuple(name for name, other in passes.items() if other == module)


PARTS: Final = {
    "parser": Part(("parser", "printer"), parser.PATCHES),
    "printer": Part(("printer",), printer.PATCHES),
    "arithmetic": Part(("arith",), arithmetic.PATCHES),
    "schedule": Part(("schedule",), schedule.PATCHES),
    "passes": Part(("passes",), passes.PATCHES),
    "relax": Part(("relax", "printer"), relax.PATCHES),
    "llvm": Part(("codegen",), llvm.PATCHES),
    "build": Part(("builds", "runtime"), build.PATCHES),
    "te": Part(("te",), te.PATCHES),
    "graphs": Part(("graphs",), graphs.PATCHES),
    "cuda": Part((), cuda.PATCHES),
}
