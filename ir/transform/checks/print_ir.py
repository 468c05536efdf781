"""Print the module."""

from __future__ import annotations

from dataclasses import dataclass

from tvmscript.ir.core import IRModule
from tvmscript.ir.transform.base import Pass


@dataclass(frozen=True)
class PrintIR(Pass):
    """Print the module under a header, between other passes. The program is not changed.

    show_meta_data: also print constants that are too large for the text.
    """

    name = "PrintIR"
    is_idempotent = True
    header: str = ""
    show_meta_data: bool = False

    def run(self, mod: IRModule) -> IRModule:
        print(f"PrintIR({self.header}):\n{mod.script(show_meta=self.show_meta_data)}")
        return mod
