"""From a program to something that runs: `lower` and `build`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tvmscript.backends import interp, llvm
from tvmscript.backends.runtime.module import Module
from tvmscript.ir.core.errors import TVMScriptError, WrongType
from tvmscript.ir.core.flags import deep_recursion
from tvmscript.ir.core.module import BaseFunc, IRModule
from tvmscript.ir.tir.function import PrimFunc
from tvmscript.ir.transform.context import PassContext
from tvmscript.ir.transform.pipeline import lower as lower_for_cpu


class UnknownTarget(TVMScriptError):
    """There is no backend for the kind of this target."""

    code = "TS7001"
    message = "there is no backend for the target {target}"


def as_module(program: Any) -> IRModule:
    """A module with the program in it; a function that has no public name is called `main`.

    Raises `WrongType` for what is neither a module nor a function.
    """
    if isinstance(program, IRModule):
        return program
    if isinstance(program, PrimFunc) and "global_symbol" not in program.attrs:
        program = program.with_attr("global_symbol", "main")
    if isinstance(program, BaseFunc):
        return IRModule.from_expr(program)
    raise WrongType(where="build", expected="a module or a function", got=repr(program))


def lower(program: Any, target: Any = "llvm") -> IRModule:
    """The program as loops over flat memory, as the backend of the target takes it.

    `program` is an IRModule or a PrimFunc. Raises `UnknownTarget`, `WrongType`.
    """
    kind = str(target).split()[0]
    if kind != "llvm":
        raise UnknownTarget(target=repr(str(target)), hint="lower takes a target of kind llvm")
    return lower_for_cpu(as_module(program))


def _llvm(program: IRModule, target: str) -> Module:
    has_debug_info = bool(PassContext.current().config.get("tir.enable_debug", False))
    return llvm.build(lower_for_cpu(program), target=target, has_debug_info=has_debug_info)


def _interp(program: IRModule, target: str) -> Module:
    return interp.build(program)


#: target kind -> builder
BACKENDS: dict[str, Callable[[IRModule, str], Module]] = {"llvm": _llvm, "interp": _interp}


def build(program: Any, target: Any = "llvm") -> Module:
    """Compile a module or a function.

    `target` is "llvm" (with options as LLVM names them: "llvm -mcpu=znver4") or "interp", the reference interpreter.
    With the option `tir.enable_debug` of the pass context the code knows the lines of the script (gdb, perf).

    The result runs with `built["name"](a, b, c)` on NumPy arrays in place, tvm-ffi tensors, or anything with DLPack.
    Raises `UnknownTarget`, `WrongType`, and what the passes and the backend raise for programs they refuse.
    """
    text = str(target)
    make = BACKENDS.get(text.split()[0] if text.split() else "")
    if make is None:
        raise UnknownTarget(target=repr(text), hint=f"the targets are {', '.join(sorted(BACKENDS))}")
    with deep_recursion():
        return make(as_module(program), text)
