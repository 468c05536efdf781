"""Run the kernels of a program under the sanitizer of the interpreter."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tvmscript.backends.interp.sanitizer import SanitizerReport, run_sanitized
from tvmscript.backends.runtime.random_inputs import random_inputs
from tvmscript.ir.core import IRModule, WrongType, nodes
from tvmscript.ir.core.targets.target import Target
from tvmscript.ir.tir import AttrStmt, For, PrimFunc
from tvmscript.ir.transform.pipeline import lower_for_device


def sanitize(
    program: IRModule | PrimFunc,
    args: Sequence[object] | None = None,
    *,
    name: str = "main",
    seed: int = 0,
    dims: Mapping[str, int] | None = None,
    target: str = "cuda",
    all_blocks: bool = True,
    limit: int | None = None,
) -> SanitizerReport:
    """Run a kernel in the interpreter, and report races and other faults in the order of its accesses.

    A kernel with threads is lowered for `target` first, with barriers as on the device; a kernel for the CPU is run as
    it is. Arguments are drawn with `seed` unless they are given; `dims` has sizes that the signature leaves open.
    Without `all_blocks`, the first two and the last iteration of each axis of blocks are run; the run ends after
    `limit` accesses. Raises `WrongType`, and the errors of passes.
    """
    if isinstance(program, PrimFunc):
        program = IRModule({name: program.with_attr("global_symbol", name)})
    module, function = program, program[name]
    if not isinstance(function, PrimFunc):
        raise WrongType(where="sanitize", expected="a kernel", got=type(function).__name__)
    values = [argument.value for argument in random_inputs(function, seed, dims)] if args is None else args
    if launches_threads(function):
        module = lower_for_device(module, Target.make(target, host="llvm"))
    return run_sanitized(module, name, values, all_blocks=all_blocks, limit=limit)


def launches_threads(func: PrimFunc) -> bool:
    """Return whether a function is written for a device with threads."""
    return any(
        (isinstance(node, For) and node.thread_binding is not None)
        or (isinstance(node, AttrStmt) and node.attr_key == "thread_extent")
        for node in nodes(func.body)
    )
