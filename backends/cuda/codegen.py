"""State of the code generation of one kernel: C's rules, and over them those of CUDA.

Rules of this package are in the tables `rule` and `call_rule`; where there is none, the rule of the C backend holds.
"""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Generator
from contextlib import contextmanager
from typing import ClassVar, Final, NamedTuple

from tvmscript.backends.c import codegen as c
from tvmscript.backends.c.program import Names, Signature
from tvmscript.backends.c.types import C_DTYPES, Value
from tvmscript.backends.cuda.errors import NotSupportedByCuda
from tvmscript.backends.cuda.program import CudaProgram
from tvmscript.ir.arith.analyzer import Analyzer
from tvmscript.ir.core import INT32, DType, IRError, Span, nodes
from tvmscript.ir.core.dispatch import Dispatch
from tvmscript.ir.tir import (
    Buffer,
    BufferLoad,
    BufferStore,
    Call,
    Expr,
    IntImm,
    PrimFunc,
    Range,
    Stmt,
    Var,
)
from tvmscript.ir.tir.intrin.device import instruction
from tvmscript.ir.tir.intrin.ptx_calls import parts_of
from tvmscript.ir.transform.tensor_cores.common.fragments import fragments_of

_RULES: Final[c.Rules] = Dispatch(below=c.RULES)
_CALL_RULES: Final[c.CallRules] = ChainMap({}, c.CALL_RULES)
_VECTOR_RULES: Final[c.Rules] = Dispatch()
rule: Final = _RULES.register
#: rules of vector expressions
vector_rule: Final = _VECTOR_RULES.register
call_rule: Final = c.registrar(_CALL_RULES)

#: floats that are structures of `include/`
NARROW_FLOATS: Final = frozenset({"float16", "bfloat16", "e4m3_float8", "e5m2_float8"})
#: integers of which a byte holds two
NIBBLES: Final = frozenset({"int4", "uint4"})
_WGMMA: Final = instruction("ptx.wgmma")
_COPY: Final = instruction("ptx.cp")


class Products(NamedTuple):
    """The last statement of inline assembly with products of warp groups."""

    #: as they are in the text
    lines: list[str]
    #: operands, those that are read with the letters of their constraints
    outputs: list[str]
    inputs: list[tuple[str, str]]
    #: with marks of inputs
    instructions: list[str]


class CudaCodegen(c.Codegen):
    """Code generation of the body of one kernel."""

    rules: ClassVar[c.Rules] = _RULES
    call_rules: ClassVar[c.CallRules] = _CALL_RULES
    dtypes: ClassVar[frozenset[str]] = C_DTYPES | NARROW_FLOATS | NIBBLES
    division_traps: ClassVar[bool] = False
    widens_indices: ClassVar[bool] = False
    #: operators on vectors that do not work lane by lane
    vector_calls: ClassVar[frozenset[str]] = frozenset(
        {"tir.reinterpret", "tir.vectorlow", "tir.vectorhigh", "tir.vectorcombine"}
    )
    program: CudaProgram

    def __init__(self, program: CudaProgram, signature: Signature, *, has_lines: bool = False) -> None:
        super().__init__(program, signature)
        #: which indices are multiples of the lanes of a vector
        self.analyzer = Analyzer()
        #: data that is accessed by vectors, and has to lie where they may
        self.aligned = accessed_by_vectors(signature.func)
        #: shapes and layouts of wmma fragments, by their data
        self.fragments = fragments_of(signature.func.body)
        #: whether instructions read shared memory that do not see the stores of threads without a fence
        self.has_async_reads = reads_asynchronously(signature.func)
        #: products that more of the same sums continue
        self.products: Products | None = None
        self._has_lines = has_lines
        self._place: tuple[str, int] | None = None

    def refusal(self, what: str, span: Span | None) -> IRError:
        return NotSupportedByCuda(what=what, span=span)

    def constant(self, value: Expr, what: str, span: Span | None) -> int:
        """Return a number that the text has to have as a constant. Raises `NotSupportedByCuda`."""
        if isinstance(value, IntImm):
            return value.value
        raise self.refusal(f"{what} that is no constant", span)

    def type_name(self, dtype: DType, span: Span | None = None) -> str:
        if dtype.is_vector and not dtype.is_scalable:
            return f"Vec<{self.type_name(dtype.element, span)}, {dtype.lanes}>"
        # int4 is a vector of CUDA
        return super().type_name(INT32 if dtype in NIBBLES else dtype, span)

    def expr(self, node: Expr) -> Value:
        return self.vector_expr(node) if node.dtype.is_vector else super().expr(node)

    def vector_expr(self, node: Expr) -> Value:
        """Write a vector expression and return its value. Raises `NotSupportedByCuda`."""
        value: Value = _VECTOR_RULES[type(node)](self, node)
        return value

    def scalar_expr(self, node: Expr) -> Value:
        """Write an expression by the rules of scalars."""
        return super().expr(node)

    def held(self, node: Expr) -> str:
        """Write an expression and return the name of a variable that holds it."""
        value = self.expr(node)
        if value.text.isidentifier():
            return value.text
        name = self.names.fresh("value")
        self.line(f"const {self.type_name(node.dtype, node.span)} {name} = {value.text};")
        return name

    def is_multiple(self, buffer: Buffer, indices: tuple[Expr, ...], number: int) -> bool:
        """Return whether a place in a buffer is known to be a multiple of a number of elements."""
        if number == 1:
            return True
        places = (*indices, buffer.elem_offset) if len(indices) == 1 else ()
        return bool(places) and all(self.analyzer.modular(place).is_multiple_of(number) for place in places)

    @contextmanager
    def scope(self) -> Generator[None]:
        """Put the lines that are written into a block, where they are several."""
        outer, self.lines = self.lines, []
        names, self.names = self.names, Names(self.names)
        yield
        lines, self.lines, self.names = self.lines, outer, names
        if len(lines) == 1:
            self.lines += lines
            return
        indent = "    " * self.depth
        self.lines += [f"{indent}{{", *(f"    {line}" if line[:1] != "#" else line for line in lines), f"{indent}}}"]

    @contextmanager
    def lanes(self, number: Var, count: int) -> Generator[str]:
        """Write an unrolled loop over lanes, and yield the name of its variable."""
        outer, self.names = self.names, Names(self.names)
        name = self.define(number)
        self.lines.append("#pragma unroll")
        with self.block(f"for (int32_t {name} = 0; {name} < {count}; ++{name})"):
            yield name
        self.names = outer

    def statement(self, node: Stmt) -> None:
        if self._has_lines:
            self._mark_line(node.span)
        super().statement(node)

    def _mark_line(self, span: Span | None) -> None:
        place = None if span is None else (span.source.name, span.line)
        if place is not None and place != self._place:
            self._place = place
            name = place[0].replace("\\", "\\\\").replace('"', '\\"')
            self.lines.append(f'#line {place[1]} "{name}"')

    def bind_range(self, var: Var, value: Expr) -> None:
        if not value.dtype.is_integer or value.dtype.is_vector:
            return
        super().bind_range(var, value)
        self.analyzer.bind(var, value, allow_override=True)

    def bind_domain(self, var: Var, domain: Range) -> None:
        """Tell the analyses which values a variable of a loop or a thread has."""
        self.ranges.bind(var, domain)
        self.analyzer.bind(var, domain, allow_override=True)


def reads_asynchronously(func: PrimFunc) -> bool:
    """Return whether warp groups multiply matrices in shared memory, or bulk copies read it."""
    calls = [node for node in nodes(func.body) if isinstance(node, Call)]
    return any(call.op is _WGMMA or (call.op is _COPY and "bulk_group" in parts_of(call).words) for call in calls)


def accessed_by_vectors(func: PrimFunc) -> set[Var]:
    """Return the data that a kernel accesses by vectors."""
    accessed: set[Var] = set()
    for node in nodes(func.body):
        if (isinstance(node, BufferStore) and node.value.dtype.is_vector) or (
            isinstance(node, BufferLoad) and node.dtype.is_vector
        ):
            accessed.add(node.buffer.data)
    return accessed
