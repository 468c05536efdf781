"""Fragments of the wmma instructions: matrices that a warp holds in registers, in an order of its own.

A fragment is an array of registers. Each instruction is a small function of the program, made where it is first used.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from tvmscript.backends.c.statements import constant_count
from tvmscript.backends.c.types import PRIMARY, Value
from tvmscript.backends.cuda.codegen import CudaCodegen, call_rule
from tvmscript.ir.core import DType, PointerType, PrimType
from tvmscript.ir.tir import Expr, stmt
from tvmscript.ir.tir import expr as tir

_WARP: Final = 32
_PTX_TYPES: Final = {
    "float16": "f16", "bfloat16": "bf16", "float32": "f32", "float64": "f64", "int8": "s8", "uint8": "u8",
    "int32": "s32", "int4": "s4", "uint4": "u4", "int1": "b1",
}  # fmt: skip
_USES: Final = {"wmma.matrix_a": "a", "wmma.matrix_b": "b", "wmma.accumulator": "c"}
_STRUCT: Final = "static __device__ __forceinline__ void"


@dataclass(frozen=True)
class FragmentKind:
    """What a fragment holds: "a", "b" or "c" of an m x k by k x n product."""

    use: str
    shape: tuple[int, int, int]
    dtype: DType
    #: the layout of an operand, which is part of the instruction of the product
    layout: str = "row"

    @property
    def ptx_type(self) -> str:
        """PTX's name of the dtype; float32 operands are of type tf32."""
        name = _PTX_TYPES[self.dtype]
        return "tf32" if name == "f32" and self.use != "c" else name

    @property
    def elements(self) -> int:
        """How many elements the matrix has."""
        m, n, k = self.shape
        return {"a": m * k, "b": n * k, "c": m * n}[self.use]

    @property
    def register(self) -> str:
        """The C type of a register."""
        return {"f32": "float", "f64": "double"}.get(self.ptx_type, "uint32_t")

    @property
    def letter(self) -> str:
        """The constraint of a register."""
        return {"float": "f", "double": "d"}.get(self.register, "r")

    @property
    def count(self) -> int:
        """How many registers a thread has. Operands of float16 are held twice."""
        if self.ptx_type == "f16" and self.use != "c":
            return 8
        width = 64 if self.ptx_type == "f64" else 32
        return max(self.elements * self.dtype.bits // (_WARP * width), 1)

    @property
    def shape_name(self) -> str:
        m, n, k = self.shape
        return f"m{m}n{n}k{k}"


def declare_fragment(cg: CudaCodegen, node: stmt.Allocate, name: str) -> None:
    """Declare the fragments of a buffer: an array of registers for each."""
    count = constant_count(node)
    if count is None:
        raise cg.refusal(f"the fragments {name}, whose number is no constant", node.span)
    kind = _kind(cg, node.buffer_var)
    cg.line(f"{kind.register} {name}[{max(count // kind.elements, 1)}][{kind.count}];")


def _kind(cg: CudaCodegen, data: Expr) -> FragmentKind:
    fragment = cg.fragments.get(data) if isinstance(data, tir.Var) else None
    pointer = data.pointer_type if isinstance(data, tir.Var) else None
    element = pointer.element_type if isinstance(pointer, PointerType) else None
    use = _USES.get(fragment.scope) if fragment is not None else None
    if fragment is None or use is None or not isinstance(element, PrimType) or element.dtype.element not in _PTX_TYPES:
        raise cg.refusal(f"the wmma fragment {data}, of which no dtype and shape are known", data.span)
    layout = "col" if fragment.layout == "col_major" else "row"
    return FragmentKind(use, fragment.shape, element.dtype.element, layout)


def _place(cg: CudaCodegen, data: Expr, index: Expr) -> str:
    return f"{cg.expr(data).text}[{cg.expr(index).text}]"


def _list(count: int, start: int = 0) -> str:
    return "{" + ", ".join(f"%{start + place}" for place in range(count)) + "}"


def _operands(name: str, kind: FragmentKind, mark: str) -> str:
    return ", ".join(f'"{mark}{kind.letter}"({name}[{place}])' for place in range(kind.count))


@call_rule("tvm_load_matrix_sync", "tvm_store_matrix_sync")
def write_move(cg: CudaCodegen, node: tir.Call) -> Value:
    data, _, _, _, index, pointer, stride, layout = node.args
    kind = _kind(cg, data)
    is_load = str(getattr(node.op, "name", "")).endswith("tvm_load_matrix_sync")
    order = "col" if isinstance(layout, tir.StringImm) and layout.value == "col_major" else "row"
    verb, use = ("load", kind.use) if is_load else ("store", "d")
    name = f"wmma_{verb}_{use}_{kind.shape_name}_{order}_{kind.ptx_type}"
    instruction = f"wmma.{verb}.{use}.sync.aligned.{order}.{kind.shape_name}.{kind.ptx_type}"
    count = kind.count
    if is_load:
        params = f"{kind.register} *fragment, const void *matrix, int32_t stride"
        text = f'"{instruction} {_list(count)}, [%{count}], %{count + 1};" : {_operands("fragment", kind, "=")} :'
    else:
        params = f"void *matrix, const {kind.register} *fragment, int32_t stride"
        text = f'"{instruction} [%{count}], {_list(count)}, %{count + 1};" :: {_operands("fragment", kind, "")},'
    body = f'    asm volatile({text} "l"(matrix), "r"(stride) : "memory");'
    cg.program.helpers[name] = f"{_STRUCT} {name}({params}) {{\n{body}\n}}\n"
    fragment, address = _place(cg, data, index), cg.expr(pointer).text
    given = f"{fragment}, {address}" if is_load else f"{address}, {fragment}"
    return Value(f"{name}({given}, {cg.expr(stride).text})", PRIMARY, node.dtype)


@call_rule("tvm_mma_sync", "tvm_bmma_sync")
def write_product(cg: CudaCodegen, node: tir.Call) -> Value:
    d, a, b, c = (_kind(cg, node.args[place]) for place in (0, 2, 4, 6))
    is_binary = str(getattr(node.op, "name", "")).endswith("bmma_sync")
    name = f"wmma_mma_{a.shape_name}_{a.layout}_{b.layout}_{d.ptx_type}_{a.ptx_type}_{c.ptx_type}"
    kinds = (
        f"{d.ptx_type}.{c.ptx_type}" if a.ptx_type == "f16" else f"{d.ptx_type}.{a.ptx_type}.{b.ptx_type}.{c.ptx_type}"
    )
    bits = ".xor.popc" if is_binary else ""
    instruction = f"wmma.mma{bits}.sync.aligned.{a.layout}.{b.layout}.{a.shape_name}.{kinds}"
    lists, start = list[str](), 0
    for kind in (d, a, b, c):
        lists.append(_list(kind.count, start))
        start += kind.count
    inputs = ", ".join(_operands(letter, kind, "") for letter, kind in (("a", a), ("b", b), ("c", c)))
    params = f"{d.register} *d, const {a.register} *a, const {b.register} *b, const {c.register} *c"
    body = f'    asm volatile("{instruction} {", ".join(lists)};" : {_operands("d", d, "=")} : {inputs});'
    cg.program.helpers[name] = f"{_STRUCT} {name}({params}) {{\n{body}\n}}\n"
    given = ", ".join(_place(cg, node.args[place], node.args[place + 1]) for place in (0, 2, 4, 6))
    return Value(f"{name}({given})", PRIMARY, node.dtype)


@call_rule("tvm_fill_fragment")
def write_fill(cg: CudaCodegen, node: tir.Call) -> Value:
    data, _, _, _, index, value = node.args
    kind = _kind(cg, data)
    bits = kind.dtype.bits
    name = f"wmma_fill_{kind.use}_{kind.shape_name}_{kind.ptx_type}"
    packed = "value"
    if kind.register == "uint32_t" and bits < 32:
        element = "(uint32_t)value.bits" if kind.dtype.is_floating else f"((uint32_t)value & {(1 << bits) - 1}u)"
        packed = f"{element} * {sum(1 << place for place in range(0, 32, bits)):#x}u"
    scalar = cg.type_name(kind.dtype)
    body = f"#pragma unroll\n    for (int32_t place = 0; place < {kind.count}; ++place) fragment[place] = {packed};"
    cg.program.helpers[name] = f"{_STRUCT} {name}({kind.register} *fragment, {scalar} value) {{\n{body}\n}}\n"
    return Value(f"{name}({_place(cg, data, index)}, {cg.expr(value).text})", PRIMARY, node.dtype)
