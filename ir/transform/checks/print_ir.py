"""The program is as it was; its text is printed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from tvmscript.ir.core.module import IRModule
from tvmscript.ir.transform.base import Pass


@dataclass(frozen=True)
class PrintIR(Pass):
    """Prints the program where it stands among other passes, under a header; with `show_meta_data` also constants
    that are too large to stand in the text.
    """

    name: ClassVar[str] = "PrintIR"
    header: str = ""
    show_meta_data: bool = False

    def run(self, mod: IRModule) -> IRModule:
        print(f"PrintIR({self.header}):\n{mod.script(show_meta=self.show_meta_data)}")
        return mod
