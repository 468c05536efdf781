"""The class with every primitive."""

from __future__ import annotations

from tvmscript.ir.core.module import IRModule
from tvmscript.ir.schedule.errors import RenderLevel
from tvmscript.ir.schedule.primitive.get import Get
from tvmscript.ir.schedule.primitive.loops import Loops
from tvmscript.ir.tir.function import PrimFunc


class Schedule(Loops, Get):
    """A program that is changed step by step, each step by a primitive; `mod` is the program as it is now.

    A function alone is the function `main`. `error_render_level`: "detail" shows the program with the places
    underlined, "fast" the message alone, "none" that there is an error.
    """

    def __init__(self, mod: IRModule | PrimFunc, *, error_render_level: RenderLevel = "detail") -> None:
        if isinstance(mod, PrimFunc):
            mod = IRModule({"main": mod})
        kernels = [var.name_hint for var, func in mod.items() if isinstance(func, PrimFunc)]
        working_on = kernels[0] if len(kernels) == 1 else "main" if "main" in kernels else None
        super().__init__(mod, error_render_level=error_render_level, func_name=working_on)
