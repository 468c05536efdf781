"""State of the code generation of one kernel: LLVM's rules, and over them those of threads of a GPU."""

from __future__ import annotations

import math
from collections import ChainMap
from collections.abc import Sequence
from typing import ClassVar, Final, NoReturn

from tvmscript.backends.cuda.codegen import accessed_by_vectors, reads_asynchronously
from tvmscript.backends.cuda.kernel import written_in_kernel
from tvmscript.backends.cuda.tensor_maps import is_tensor_map
from tvmscript.backends.llvm.assembly import FunctionText, arguments
from tvmscript.backends.llvm.codegen import codegen as llvm
from tvmscript.backends.llvm.context import Program
from tvmscript.backends.llvm.types import element_bytes, memory_type, value_type
from tvmscript.backends.nvptx.errors import NotSupportedByNvptx
from tvmscript.ir.arith.analyzer import Analyzer
from tvmscript.ir.core import DType, TVMScriptError
from tvmscript.ir.core.dispatch import Dispatch
from tvmscript.ir.tir import Buffer, Call, Expr, PrimFunc, Range, Stmt, Var
from tvmscript.ir.transform.function_attributes import contracts, is_noalias

_RULES: Final[llvm.Rules] = Dispatch(below=llvm.RULES)
_CALL_RULES: Final[llvm.CallRules] = ChainMap({}, llvm.CALL_RULES)
rule: Final = _RULES.register
call_rule: Final = llvm.registrar(_CALL_RULES)

#: bytes that one instruction moves, and that memory of vectors begins at multiples of
VECTOR_BYTES: Final = 16
#: a tensor map is a value of the launch, which bulk copies read where it is
_TENSOR_MAP: Final = 'ptr byval([128 x i8]) align 64 "nvvm.grid_constant"'


class KernelCode(llvm.Codegen):
    """Code generation of one kernel."""

    rules: ClassVar[llvm.Rules] = _RULES
    call_rules: ClassVar[llvm.CallRules] = _CALL_RULES
    limits_unrolling: ClassVar[bool] = False

    def __init__(self, program: Program, symbol: str, func: PrimFunc) -> None:
        super().__init__(program, FunctionText(program.text), symbol)
        self.func = func
        self.contracts = contracts(func)
        self.analyzer = Analyzer()
        #: data that begins at a multiple of `VECTOR_BYTES`
        self.aligned = accessed_by_vectors(func)
        #: whether warp groups multiply matrices in shared memory
        self.has_async_reads = reads_asynchronously(func)
        self._written = written_in_kernel(func)
        if is_noalias(func):
            self.exclusive |= {param for param in func.params if param.dtype.is_handle}

    def compile(self, threads: int) -> None:
        """Write the kernel for blocks of so many threads, 0: any number. Raises `NotSupportedByNvptx`."""
        params: list[tuple[str, str]] = []
        for number, param in enumerate(self.func.params):
            name = f"%p{number}"
            params.append((self._param_type(param), name))
            self.env[param] = self.text.value(f"icmp ne i8 {name}, 0") if param.dtype.is_bool else name
        self.statement(self.func.body)
        self.text.do("ret void")
        bounds = f' "nvvm.maxntid"="{threads},1,1"' if threads else ""
        self.text.define(f"ptx_kernel void @{self.name}({arguments(params)}) nounwind{bounds}")

    def _param_type(self, param: Var) -> str:
        if not param.dtype.is_handle:
            return memory_type(param.dtype) if param.dtype.is_bool else value_type(param.dtype)
        if is_tensor_map(param):
            return _TENSOR_MAP
        kind = f"ptr align {VECTOR_BYTES}" if param in self.aligned else "ptr"
        kind += " noalias" if param in self.exclusive else ""
        return f"{kind} readonly" if param not in self._written else kind

    def refuse(self, what: str, node: Expr | Stmt, hint: str | None = None) -> NoReturn:
        raise NotSupportedByNvptx(what=what, span=node.span, hint=hint)

    # -- what is known of integers

    def bind(self, var: Var, value: Expr) -> None:
        super().bind(var, value)
        if value.dtype.is_integer and value.dtype.lanes == 1:
            self.analyzer.bind(var, value, allow_override=True)

    def bind_domain(self, var: Var, domain: Range) -> None:
        """Tell the analyses which values a variable of a loop or a thread has."""
        self.ranges.bind(var, domain)
        self.analyzer.bind(var, domain, allow_override=True)

    def alignment(self, buffer: Buffer, indices: Sequence[Expr], dtype: DType) -> int:
        least = element_bytes(dtype)
        if dtype.lanes == 1 or buffer.data not in self.aligned or buffer.strides or len(indices) != 1:
            return least
        places = [self.analyzer.modular(place) for place in (*indices, buffer.elem_offset)]
        elements = math.gcd(*[number for place in places for number in (place.factor, place.base)])
        step = elements * buffer.dtype.lanes * least
        return min(step & -step, VECTOR_BYTES) if step else VECTOR_BYTES

    # -- leaving the kernel

    def emit_return(self, node: Call) -> None:
        self.text.do("ret void")

    def fail(self, error: type[TVMScriptError], **facts: str) -> None:
        """Stop the program of the device."""
        self.text.do(f"call void {self.program.text.declare('llvm.trap', 'void {}()')}()")
        self.text.do("unreachable")
