"""Packed functions: LLVM functions with tvm-ffi's calling convention that check and unpack their arguments themselves.

    int name(void* self, const TVMFFIAny* args, int32_t count, TVMFFIAny* result)

The part under the attribute `compute_scope` is outlined, so that LLVM has the same facts about its memory as about a
kernel's. The checks around it are not optimized: that costs more time than it saves.
"""

from __future__ import annotations

from tvmscript.backends.llvm.assembly import FunctionText, quoted
from tvmscript.backends.llvm.calling_convention.kernel_function import argument_attributes
from tvmscript.backends.llvm.calling_convention.signature import PREFIX, interface_of
from tvmscript.backends.llvm.codegen.codegen import Codegen
from tvmscript.backends.llvm.codegen.loop_optimization import optimize_loops
from tvmscript.backends.llvm.codegen.outlining import OutlinedFunction
from tvmscript.backends.llvm.context import Callee, Program
from tvmscript.backends.llvm.errors import NotSupportedByLLVM
from tvmscript.backends.llvm.types import value_type
from tvmscript.ir.arith.intervals.bounds import Bounds
from tvmscript.ir.core import INT32, nodes
from tvmscript.ir.tir import Buffer, PrimFunc, stmt
from tvmscript.ir.tir import expr as tir
from tvmscript.ir.transform.function_attributes import contracts, is_noalias

_SCOPE = "compute_scope"
_PARAMS = ("ptr %self", "ptr %args", "i32 %count", "ptr %result")


def _status(cg: Codegen, node: tir.Call) -> str:
    """Write the value of `T.ret` of a packed function: the status of the call."""
    value = node.args[0]
    if value.dtype is not INT32:
        cg.refuse(f"a packed function that returns {value.dtype}, which is no status", node)
    return cg.expr(value)


class PackedFunction(Codegen):
    """Code generation of a function with the packed calling convention. Its name goes without `__tvm_ffi_`."""

    def __init__(self, program: Program, name: str, func: PrimFunc) -> None:
        symbol = func.attrs.get("global_symbol")
        if not isinstance(symbol, str):
            raise NotSupportedByLLVM(what=f"the packed function {name}, which has no symbol", span=func.span)
        if [value_type(param.dtype) for param in func.params] != [param.split()[0] for param in _PARAMS]:
            raise NotSupportedByLLVM(
                what=f"the packed function {symbol}, whose parameters are not those of tvm-ffi's convention",
                span=func.span,
            )
        super().__init__(program, FunctionText(program.text), symbol.removeprefix(PREFIX))
        self.symbol = symbol
        self.contracts = contracts(func)
        interface = interface_of(func)
        self.func = func
        if program.target.opt_level > 1:
            self.func = optimize_loops(func, interface.buffers.values(), program.target)
        program.checked[name] = f"@{quoted(symbol)}"
        program.packed[symbol] = interface.count
        program.functions[name] = Callee(func, self.symbol)
        program.arrays.update(interface.buffers)
        #: buffers of the arguments, by their memory
        self.buffers: dict[tir.Var, Buffer] = {buffer.data: buffer for buffer in interface.buffers.values()}
        #: variables of shapes and offsets, which are never negative
        self.sizes = [
            value
            for buffer in self.buffers.values()
            for value in (*buffer.shape, buffer.elem_offset)
            if isinstance(value, tir.Var) and value not in interface.params
        ]
        if is_noalias(func):
            self.exclusive.update(self.buffers)

    def compile(self) -> None:
        """Write the function. Raises `NotSupportedByLLVM`."""
        has_scope = any(isinstance(node, stmt.AttrStmt) and node.attr_key == _SCOPE for node in nodes(self.func.body))
        if self.program.debug is not None and not has_scope:
            self.program.debug.function(self.text, self.name, self.func.span or self.func.body.span)
        self.env = {var: param.split()[1] for var, param in zip(self.func.params, _PARAMS, strict=True)}
        self.statement(self.func.body)
        self.text.do("ret i32 0")
        effort = "noinline optnone" if has_scope else "noinline"
        self.text.define(f"i32 @{quoted(self.symbol)}({', '.join(_PARAMS)}) nounwind {effort}")

    def emit_compute_scope(self, node: stmt.AttrStmt) -> None:
        scope = ComputeScope(self)
        status = self.text.value(f"call i32 {scope.compile(node)}({scope.arguments()})")
        left, stays = self.text.label("left"), self.text.label("stays")
        self.text.branch(self.text.value(f"icmp eq i32 {status}, 0"), stays, left)
        self.text.place(left)
        returned = self.text.value(f"icmp eq i32 {status}, {ComputeScope.RETURNED}")
        self.leave(self.text.value(f"select i1 {returned}, i32 0, i32 {status}"))
        self.text.place(stays)

    def emit_return(self, node: tir.Call) -> None:
        self.leave(_status(self, node))


class ComputeScope(OutlinedFunction):
    """Code generation of the part of a packed function under `compute_scope`."""

    #: the status where the program returned 0, rather than came to the end of the scope
    RETURNED = 1

    def __init__(self, outer: PackedFunction) -> None:
        super().__init__(outer)
        self.function = outer
        for size in outer.sizes:
            self.ranges.bind_bounds(size, Bounds(0, size.dtype.max_value))

    def compile(self, node: stmt.AttrStmt) -> str:
        """Write the function; its symbol."""
        if self.program.debug is not None:
            self.program.debug.function(self.text, self.name, node.span or self.function.func.span)
        self.statement(node.body)
        self.text.do("ret i32 0")
        return self.text.define_internal("i32", f"{self.name}.kernel", self.parameters(), "noinline nounwind")

    def arguments(self) -> str:
        """Return the arguments of a call of it."""
        return ", ".join(f"{value_type(var.dtype)} {value}" for var, value in self.captured.items())

    def parameter(self, var: tir.Var) -> str:
        buffer = self.function.buffers.get(var)
        if buffer is None:
            return super().parameter(var)
        return f"{value_type(var.dtype)}{argument_attributes(buffer, var in self.exclusive)} {self.env[var]}"

    def emit_return(self, node: tir.Call) -> None:
        status = _status(self, node)
        is_success = self.text.value(f"icmp eq i32 {status}, 0")
        self.leave(self.text.value(f"select i1 {is_success}, i32 {self.RETURNED}, i32 {status}"))
