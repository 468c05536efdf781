"""Functions of an interpreted module, compiled at their first call."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from tvmscript.backends.interp import (
    accesses,
    async_copies,
    cooperative_threads,
    expressions,
    kernel_launch,
    mbarriers,
    print_and_breakpoint,
    ptx_barriers,
    ptx_copies,
    ptx_math,
    ptx_matrices,
    ptx_memory,
    statements,
    tensor_cores,
    warp_groups,
)
from tvmscript.backends.interp.arguments import Setter, array_setter, scalar_setter
from tvmscript.backends.interp.calls import Returned
from tvmscript.backends.interp.compiler import Code, Compiler, Frame
from tvmscript.backends.interp.debugger import compile_with_steps, has_breakpoint
from tvmscript.backends.interp.layout import binder, static_shape
from tvmscript.backends.interp.monitor import Monitor
from tvmscript.backends.runtime.arguments import matching_order, written_data
from tvmscript.backends.runtime.errors import TooManyCalls, UnknownFunction
from tvmscript.backends.runtime.python_function import PythonFunction
from tvmscript.ir.core import GlobalVar, IRModule, nodes
from tvmscript.ir.core.python_settings import deep_recursion
from tvmscript.ir.tir import Buffer, BufferLoad, BufferRegion, IntImm, PrimFunc, Var
from tvmscript.ir.tir.stmt import Allocate, AllocateConst, Block, BufferStore, DeclBuffer, LetStmt
from tvmscript.ir.transform.rewriters.empty_reductions import init_empty_reductions
from tvmscript.ir.transform.threads.lower_scope_ids import LowerScopeIds

#: Importing these modules registers their rules.
RULE_MODULES = (
    accesses,
    async_copies,
    print_and_breakpoint,
    expressions,
    kernel_launch,
    tensor_cores,
    statements,
    cooperative_threads,
    mbarriers,
    ptx_barriers,
    ptx_copies,
    ptx_math,
    ptx_matrices,
    ptx_memory,
    warp_groups,
)

#: `calling_conv` of what is launched
_KERNEL = 2


class Program:
    """The functions of a module."""

    def __init__(
        self,
        mod: IRModule,
        monitor: Monitor | None = None,
        *,
        calls_registered: bool = True,
        while_limit: int | None = None,
    ) -> None:
        self.monitor = monitor
        self.calls_registered = calls_registered
        self.while_iterations = None if while_limit is None else iter(range(while_limit))
        self.functions = {
            name.name_hint: InterpretedFunction(self, name.name_hint, init_empty_reductions(func))
            # instruments of passes do not see it: they run programs
            for name, func in LowerScopeIds().run(mod).functions.items()
            if isinstance(func, PrimFunc)
        }

    def link(self, name: GlobalVar) -> Callable[[tuple[Any, ...]], Any]:
        """Return the function of this name, to be called with values of the program."""

        def enter(values: tuple[object, ...]) -> Any:
            try:
                function = self.functions[name.name_hint]
            except KeyError:
                raise UnknownFunction(name=name.name_hint, span=name.span) from None
            return function.call(values)

        return enter

    def kernel(self, symbol: str) -> tuple[int, Callable[[tuple[Any, ...]], Any]] | None:
        """Return the number of arguments of the kernel of this symbol and its entry, None where there is none."""
        for function in self.functions.values():
            convention = function.func.attrs.get("calling_conv")
            own = function.func.attrs.get("global_symbol") or function.name
            if own == symbol and isinstance(convention, IntImm) and convention.value == _KERNEL:
                return len(function.func.params), function.call
        return None


class InterpretedFunction(PythonFunction):
    """A PrimFunc as a callable: `f(a, b, n)` works on the arrays in place and returns the value of `T.ret`, or None."""

    def __init__(self, program: Program, name: str, func: PrimFunc) -> None:
        super().__init__(name, func)
        self.program = program
        #: size of the frame, setters with the positions of their arguments, body
        self._compiled: tuple[int, list[tuple[int, Setter]], Code] | None = None

    @deep_recursion
    def run(self, args: tuple[Any, ...]) -> Any:
        try:
            return self.call(args)
        except RecursionError:
            raise TooManyCalls(function=self.name, span=self.func.span) from None

    def call(self, values: tuple[object, ...]) -> Any:
        """Call the function without raising the recursion limit."""
        size, setters, body = self._compiled or self._compile()
        self.check_count(values)
        frame: Frame = [None] * size
        frame[0] = memoryview(bytearray(4)).cast("f")
        for position, setter in setters:
            setter(frame, values[position])
        try:
            body(frame)
        except Returned as returned:
            return returned.value
        return None

    def _compile(self) -> tuple[int, list[tuple[int, Setter]], Code]:
        func = self.func
        compiler = Compiler(self.program, func.body)
        _find_undeclared(compiler, func)
        written = written_data(func)
        setters: list[tuple[int, Setter]] = []
        for position, param in matching_order(func):
            buffer = func.buffer_map.get(param)
            if buffer is None:
                compiler.define(param)
                setters.append((position, scalar_setter(compiler, param, self.name)))
            else:
                setters.append((position, array_setter(compiler, param, buffer, self.name, buffer.data in written)))
        first = [
            binder(compiler, late)
            for buffer in func.buffer_map.values()
            for late in compiler.bound_with.get(buffer.data, ())
        ]
        code = compile_with_steps(compiler, func, self.name) if has_breakpoint(func) else compiler.code(func.body)
        body = statements.run_in_order([*first, code])
        self._compiled = (compiler.size, setters, body)
        return self._compiled


def _is_flat(buffer: Buffer) -> bool:
    """Return whether a buffer is contiguous, one-dimensional and begins at the start of its memory."""
    offset = buffer.elem_offset
    is_at_start = isinstance(offset, IntImm) and offset.value == 0
    return len(buffer.shape) == 1 and not buffer.strides and is_at_start


def _find_undeclared(compiler: Compiler, func: PrimFunc) -> None:
    """Register the buffers that are used without a declaration, and those over merged bytes, with the compiler."""
    declared = set(func.buffer_map.values())
    used: dict[Buffer, None] = {}
    bound_data = {buffer.data for buffer in declared}
    #: memory that was merged, of bytes
    arenas: set[Var] = set()
    #: memory of a thread -> its elements; buffers over what was memory of a warp have the size of that
    own_sizes: dict[Var, int] = {}
    for node in nodes(func.body):
        if isinstance(node, (BufferLoad, BufferStore, BufferRegion)):
            used[node.buffer] = None
        elif isinstance(node, DeclBuffer):
            declared.add(node.buffer)
        elif isinstance(node, Block):
            introduced = [*node.alloc_buffers, *[match.buffer for match in node.match_buffers]]
            declared.update(introduced)
            bound_data.update(buffer.data for buffer in introduced)
        elif isinstance(node, (Allocate, AllocateConst)):
            bound_data.add(node.buffer_var)
            if node.dtype == "uint8" and node.buffer_var.storage_scope.startswith("shared"):
                arenas.add(node.buffer_var)
            if isinstance(node, Allocate) and node.buffer_var.storage_scope == "local":
                extents = [extent.value for extent in node.extents if isinstance(extent, IntImm)]
                own_sizes[node.buffer_var] = math.prod(extents)
        elif isinstance(node, LetStmt):
            bound_data.add(node.var)
    for buffer in used:
        is_larger = math.prod(static_shape(buffer) or ()) > own_sizes.get(buffer.data, math.inf)
        if (buffer.data in arenas or is_larger) and _is_flat(buffer):
            compiler.in_arena.add(buffer)
        if buffer in declared:
            continue
        if buffer in compiler.in_arena or (static_shape(buffer) is not None and buffer.data in bound_data):
            compiler.bound_with.setdefault(buffer.data, []).append(buffer)
        else:
            compiler.bound_late.add(buffer)
