"""A PrimFunc as an internal LLVM function over data pointers, sizes and scalars: the kernel.

Its parameters are the variables of the signature that the body uses; it returns 0, or -1 with an error recorded.
"""

from __future__ import annotations

from tvmscript.backends.llvm.assembly import FunctionText
from tvmscript.backends.llvm.calling_convention.signature import hidden_variables
from tvmscript.backends.llvm.codegen.codegen import Codegen
from tvmscript.backends.llvm.codegen.loop_accesses import NOT_OPTIMIZED
from tvmscript.backends.llvm.context import Program
from tvmscript.backends.llvm.types import element_bytes, value_type
from tvmscript.ir.arith.intervals.bounds import Bounds
from tvmscript.ir.core import DType
from tvmscript.ir.tir import Buffer, IntImm, PrimFunc
from tvmscript.ir.tir import expr as tir
from tvmscript.ir.transform.function_attributes import contracts, is_noalias


class Kernel(Codegen):
    """Code generation of the body of a PrimFunc."""

    def __init__(self, program: Program, name: str, func: PrimFunc) -> None:
        super().__init__(program, FunctionText(program.text), name)
        self.func = func
        self.symbol = program.text.fresh(f"{name}.kernel")
        self._noalias = is_noalias(func)
        self.contracts = contracts(func)
        self._buffers: dict[tir.Var, Buffer] = {}
        #: every variable that the signature defines
        self._known: dict[tir.Var, None] = dict.fromkeys([*func.params, *hidden_variables(func)])
        for buffer in func.buffer_map.values():
            self._define_buffer(buffer)
        #: dtype of the returned value, once a `T.ret` was written
        self.returned: DType | None = None
        #: variables that are handed over, in this order
        self.params: list[tir.Var] = []

    def _define_buffer(self, buffer: Buffer) -> None:
        self._buffers.setdefault(buffer.data, buffer)
        self._known.setdefault(buffer.data)
        for value in (*buffer.shape, *buffer.strides, buffer.elem_offset):
            if isinstance(value, tir.Var):
                self._known.setdefault(value)
                if value not in self.func.params and value not in buffer.strides:
                    # A size that a caller hands over is checked to be one; distances may be negative.
                    self.ranges.known.setdefault(value, Bounds(0, value.dtype.max_value))
        if self._noalias:
            self.exclusive.add(buffer.data)
        self.readable[buffer.data] = dereferenceable_bytes(buffer)

    def free_variable(self, var: tir.Var) -> str:
        if var not in self._known:
            return super().free_variable(var)
        self.params.append(var)
        return f"%p{len(self.params)}"

    def emit_return(self, node: tir.Call) -> None:
        value = node.args[0]
        operand = self.expr(value)
        self.text.do(f"store {value_type(value.dtype)} {operand}, ptr %result, align {element_bytes(value.dtype)}")
        self.returned = value.dtype
        self.leave("0")

    def compile(self) -> None:
        """Write the function. Raises `NotSupportedByLLVM`."""
        if self.program.debug is not None:
            self.program.debug.function(self.text, self.name, self.func.span or self.func.body.span)
        if not self.func.buffer_map:
            # other functions of the module call it with all of them
            for var in (*self.func.params, *hidden_variables(self.func)):
                self.lookup(var)
        self.statement(self.func.body)
        self.text.do("ret i32 0")
        params = ", ".join(["ptr %result", *(self._param(var) for var in self.params)])
        only_launches = self.launches and not self.has_loops
        attributes = f" {NOT_OPTIMIZED}" if only_launches else self.accesses.attribute(self.private)
        self.text.define(f"{self.program.linkage} i32 {self.symbol}({params}) noinline nounwind{attributes}")

    @property
    def signature(self) -> str:
        """The type of the function, once it is written, around its name."""
        return f"i32 {{}}({', '.join(['ptr', *(value_type(var.dtype) for var in self.params)])})"

    def _param(self, var: tir.Var) -> str:
        buffer = self._buffers.get(var)
        facts = argument_attributes(buffer, var in self.exclusive) if buffer is not None else ""
        return f"{value_type(var.dtype)}{facts} {self.env[var]}"


def argument_attributes(buffer: Buffer, is_alone: bool) -> str:
    """Return LLVM attributes of a pointer argument: no overlap, alignment to elements, dereferenceable bytes."""
    facts = ["", "noalias"] if is_alone else [""]
    if size := dereferenceable_bytes(buffer):
        facts.append(f"dereferenceable({size})")
    facts.append(f"align {element_bytes(buffer.dtype)}")
    return " ".join(facts)


def dereferenceable_bytes(buffer: Buffer) -> int:
    """Return the bytes of an array that has the shape of a parameter, 0 where they are no constant."""
    size = element_bytes(buffer.dtype) * buffer.dtype.lanes
    for extent in buffer.shape:
        size *= extent.value if isinstance(extent, IntImm) else 0
    return size if not buffer.strides and isinstance(buffer.elem_offset, IntImm) else 0
