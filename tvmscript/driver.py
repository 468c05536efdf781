"""From a program to something that runs: `lower` and `build`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from tvmscript.backends import interp, llvm
from tvmscript.backends.runtime.module import Module
from tvmscript.ir.core.errors import TVMScriptError, WrongType
from tvmscript.ir.core.module import BaseFunc, IRModule
from tvmscript.ir.core.recursion import deep_recursion
from tvmscript.ir.core.target import Target
from tvmscript.ir.tir.function import PrimFunc
from tvmscript.ir.transform import pipeline
from tvmscript.ir.transform.context import PassContext


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


def lower(program: Any, target: Any = None, *, simple_mode: bool = False) -> IRModule:
    """The program as loops over flat memory: an IRModule or a PrimFunc, which becomes a module.

    Without a target it is what `tvm.lower` makes, with `simple_mode` without loop partition. With one it is what its
    backend takes: for a CPU the functions with their parameters, for a device kernels, and host functions that launch
    them. The options of the current `PassContext` hold. Raises `UnknownTarget`, `WrongType`, `InvalidTarget`, and what
    passes refuse.
    """
    module = as_module(program)
    if target is None:
        return pipeline.lower(module, is_simple=simple_mode)
    machine = Target.make(target)
    if machine.kind in _FOR_ANY:
        return pipeline.lower(module, is_simple=simple_mode)
    if machine.kind == "llvm":
        return pipeline.lower_for_llvm(module)
    if "gpu" in machine.keys:
        host = machine.host or Target.make("llvm")
        return pipeline.lower_for_device(module, Target.make(machine.without_host(), host=host))
    raise UnknownTarget(target=repr(str(target)), hint="lower knows llvm, c, interp and GPUs")


#: targets whose backends take what `tvm.lower` makes
_FOR_ANY: Final = frozenset({"interp", "c"})


def _llvm(program: IRModule, target: str) -> Module:
    has_debug_info = bool(PassContext.current().config.get("tir.enable_debug", False))
    return llvm.build(pipeline.lower_for_llvm(program), target=target, has_debug_info=has_debug_info)


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
