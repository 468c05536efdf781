"""The reference interpreter, which defines the semantics of the language.

It runs every stage of the IR: blocks with their init and predicates, and loops over flat memory. The semantics of each
construct is documented where it is compiled: `scalars`, `expressions`, `accesses` and `layout` (buffers), `statements`,
`calls`, `arguments` (the calling convention).
"""

from __future__ import annotations

from tvmscript.backends.interp.function import Program
from tvmscript.backends.runtime.module import Module
from tvmscript.ir.core import IRModule
from tvmscript.ir.tir import PrimFunc


def build(mod: IRModule | PrimFunc, *, calls_registered: bool = True, while_limit: int | None = None) -> Module:
    """Return the module's PrimFuncs as Python callables, private ones too: `built["main"](a, b, c)`.

    Arguments are NumPy arrays, runtime arrays, tvm-ffi tensors or anything with DLPack on the CPU, used in place, and
    Python numbers. A call raises the errors of `tvmscript.backends.runtime.errors`, which point at the program's text.
    Packed calls reach functions of `tvm.register_func` only where `calls_registered`. After `while_limit` iterations of
    `while` loops, in all calls together, `TooManyIterations` is raised.
    """
    module = IRModule.from_expr(mod) if isinstance(mod, PrimFunc) else mod
    program = Program(module, calls_registered=calls_registered, while_limit=while_limit)
    return Module(program.functions, {"script": module.script}, target="interp")
