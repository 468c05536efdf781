"""Tensor cores and asynchronous copies of TVM 0.17's names: mma.sync, ldmatrix, cp.async."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from tvmscript.backends.c.types import PRIMARY, UNARY, Value
from tvmscript.backends.cuda.codegen import CudaCodegen, call_rule
from tvmscript.backends.cuda.pointers import operand_pointer, pointer_to
from tvmscript.ir.core import INT32, PointerType, PrimType
from tvmscript.ir.tir import Expr, const
from tvmscript.ir.tir import expr as tir

_NOTHING: Final = Value("0", PRIMARY, INT32)
_WARP: Final = 32
#: TVM's name of a dtype -> PTX's, where they differ
PTX_TYPES: Final = {
    "fp16": "f16", "bf16": "bf16", "tf32": "tf32", "fp32": "f32", "fp64": "f64",
    "int8": "s8", "uint8": "u8", "int4": "s4", "uint4": "u4", "int1": "b1", "int32": "s32",
    "e4m3": "e4m3", "e5m2": "e5m2",
    "float16": "f16", "bfloat16": "bf16", "float32": "f32", "float64": "f64",
}  # fmt: skip
_BITS: Final = {"b1": 1, "s4": 4, "u4": 4, "s8": 8, "u8": 8, "e4m3": 8, "e5m2": 8, "f16": 16, "bf16": 16, "f64": 64}


# -- mma.sync


def register_letter(ptx_type: str) -> str:
    """Return the letter of the constraint of a register."""
    return {"f32": "f", "f64": "d"}.get(ptx_type, "r")


def _registers(name: str, count: int, letter: str, mark: str) -> list[str]:
    return [f'"{mark}{letter}"({name}[{place}])' for place in range(count)]


def _c_register(letter: str) -> str:
    return {"f": "float", "d": "double", "r": "uint32_t"}[letter]


class MmaForm(NamedTuple):
    """The parts of a product of a warp, of its matrices A, B and C."""

    #: shape, layouts and dtypes as the call has them
    words: list[str]
    types: tuple[str, str, str]
    #: registers of a thread, and the letters of their constraints
    counts: list[int]
    letters: list[str]


def form_of_mma(node: tir.Call, *, is_sparse: bool = False) -> MmaForm | None:
    """Return the parts of a call of `ptx_mma`, None where it does not say them."""
    words = [arg.value for arg in node.args[:6] if isinstance(arg, tir.StringImm)]
    shape = re.fullmatch(r"m(\d+)n(\d+)k(\d+)", words[0]) if len(words) == 6 else None
    types = [PTX_TYPES.get(word) for word in words[3:6]]
    if shape is None or None in types:
        return None
    m, n, k = (int(size) for size in shape.groups())
    a, b, c = (str(kind) for kind in types)
    counts = [
        register_count(m * k // (2 if is_sparse else 1), a),
        register_count(n * k, b),
        register_count(m * n, c),
    ]
    letters = [register_letter(a), register_letter(b), register_letter(c)]
    if a == "tf32":
        letters[0] = letters[1] = "r"
    return MmaForm(words, (a, b, c), counts, letters)


@call_rule("ptx_mma", "ptx_mma_sp")
def write_mma(cg: CudaCodegen, node: tir.Call) -> Value:
    """Write `mma.sync` with the registers of the thread, which three pointers give."""
    is_sparse = getattr(node.op, "name", "") == "tir.ptx_mma_sp"
    form = form_of_mma(node, is_sparse=is_sparse)
    if form is None:
        raise cg.refusal("mma.sync without a shape, layouts and dtypes", node.span)
    words, (a, b, c), counts, letters = form
    names = [cg.names.fresh(name) for name in ("a", "b", "c")]
    with cg.block():
        for name, place, letter in zip(names, (6, 8, 10), letters, strict=True):
            constant = "" if place == 10 else "const "
            kind = _c_register(letter)
            pointer = _plain_pointer(cg, node.args[place], node.args[place + 1])
            cg.line(f"{constant}{kind} *{name} = ({constant}{kind} *){pointer};")
        extra = _metadata(cg, node) if is_sparse else []
        _write_mma_text(cg, node, words, (a, b, c), names, counts, letters, extra)
    return _NOTHING


def register_count(elements: int, ptx_type: str) -> int:
    """Return how many registers of a thread hold a matrix."""
    bits = _BITS.get(ptx_type, 32)
    return max(elements * bits // (_WARP * max(32, bits if bits == 64 else 32)), 1)


def _plain_pointer(cg: CudaCodegen, data: Expr, offset: Expr) -> str:
    kind = data.pointer_type if isinstance(data, tir.Var) else None
    element = kind.element_type if isinstance(kind, PointerType) else None
    if isinstance(element, PrimType):
        return f"({pointer_to(cg, data, offset, element.dtype.element)})"
    return f"({cg.expr(data).inside(PRIMARY)} + {cg.expr(offset).text})"


def _metadata(cg: CudaCodegen, node: tir.Call) -> list[str]:
    pointer = _plain_pointer(cg, node.args[12], node.args[13])
    selector = cg.expr(node.args[14]).text
    return [f'"r"(*(const uint32_t *){pointer})', f'"n"({selector})']


def _write_mma_text(
    cg: CudaCodegen,
    node: tir.Call,
    words: list[str],
    types: tuple[str, str, str],
    names: list[str],
    counts: list[int],
    letters: list[str],
    extra: list[str],
) -> None:
    marks, start = list[str](), 0
    for count in (counts[2], counts[0], counts[1]):
        marks.append("{" + ", ".join(f"%{start + place}" for place in range(count)) + "}")
        start += count
    c, a, b = marks
    is_sparse = bool(extra)
    instruction = mma_name(node, words, types, is_sparse=is_sparse)
    tail = f", %{start}, %{start + 1}" if is_sparse else ""
    cg.line(f'asm volatile("{instruction} {c}, {a}, {b}, {c}{tail};"')
    cg.line(f"             : {', '.join(_registers(names[2], counts[2], letters[2], '+'))}")
    inputs = _registers(names[0], counts[0], letters[0], "")
    inputs += _registers(names[1], counts[1], letters[1], "")
    cg.line(f"             : {', '.join([*inputs, *extra])});")


def mma_name(node: tir.Call, words: list[str], types: tuple[str, str, str], *, is_sparse: bool) -> str:
    """Return the instruction of a product with its modifiers."""
    kinds = f"{types[2]}.{types[0]}.{types[1]}.{types[2]}"
    saturates = node.args[15 if is_sparse else 12] if len(node.args) > (15 if is_sparse else 12) else None
    suffix = ".satfinite" if isinstance(saturates, tir.IntImm) and saturates.value and types[2] == "s32" else ""
    operator = node.args[13] if len(node.args) > 13 and not is_sparse else None
    bits = f".{operator.value}.popc" if isinstance(operator, tir.StringImm) and operator.value else ""
    family = "mma.sp.sync" if is_sparse else "mma.sync"
    return f"{family}.aligned.{words[0]}.{words[1]}.{words[2]}{suffix}.{kinds}{bits}"


@call_rule("mma_fill", "cuda.mma_fill")
def write_mma_fill(cg: CudaCodegen, node: tir.Call) -> Value:
    size, local, offset = node.args
    number = cg.names.fresh("i")
    pointer = operand_pointer(cg, local, offset, node.dtype.element)
    cg.lines.append("#pragma unroll")
    with cg.block(f"for (int32_t {number} = 0; {number} < {cg.expr(size).text}; ++{number})"):
        cg.line(f"({pointer})[{number}] = {cg.expr(const(0, node.dtype.element)).text};")
    return _NOTHING


@call_rule("mma_store", "cuda.mma_store")
def write_mma_store(cg: CudaCodegen, node: tir.Call) -> Value:
    """Store a 16 x 16 accumulator, which consists of two of 16 x 8."""
    m, n, target, source, offset, stride = node.args
    if [getattr(size, "value", 0) for size in (m, n)] != [16, 16]:
        raise cg.refusal("mma_store of another shape than 16 x 16", node.span)
    registers = operand_pointer(cg, source, offset, node.dtype.element)
    text = (
        f"mma_store(({cg.type_name(node.dtype)} *){cg.expr(target).inside(UNARY)}, {registers}, {cg.expr(stride).text})"
    )
    return Value(text, PRIMARY, INT32)


@call_rule("ptx_ldmatrix")
def write_ldmatrix(cg: CudaCodegen, node: tir.Call) -> Value:
    transposed, number, _, local, local_offset, shared, shared_offset = node.args[:7]
    if not isinstance(number, tir.IntImm) or not isinstance(transposed, tir.IntImm):
        raise cg.refusal("ldmatrix of a number that is no constant", node.span)
    dtype = node.dtype.element
    target = operand_pointer(cg, local, local_offset, dtype)
    source = operand_pointer(cg, shared, shared_offset, dtype)
    if transposed.value and dtype.bits == 8:
        # elements of one byte are transposed by threads, as TVM does
        stride = cg.expr(node.args[7] if len(node.args) > 7 else tir.IntImm(INT32, 32)).text
        return Value(f"ldmatrix_transposed_bytes<{number.value}>({target}, {source}, {stride})", PRIMARY, INT32)
    name = "ldmatrix_transposed" if transposed.value else "ldmatrix"
    return Value(f"{name}<{number.value}>({target}, {source})", PRIMARY, INT32)


# -- copies


@call_rule("ptx_cp_async")
def write_cp_async(cg: CudaCodegen, node: tir.Call) -> Value:
    shared, shared_offset, given, given_offset, size, *predicate = node.args
    dtype = node.dtype.element
    target = operand_pointer(cg, shared, shared_offset, dtype)
    source = operand_pointer(cg, given, given_offset, dtype)
    guard = "".join(f", {cg.expr(flag).text}" for flag in predicate)
    count = cg.constant(size, "cp_async of a number of bytes", node.span)
    return Value(f"cp_async<{count}>({target}, {source}{guard})", PRIMARY, INT32)


@call_rule("ptx_wait_group")
def write_wait_group(cg: CudaCodegen, node: tir.Call) -> Value:
    count = cg.constant(node.args[0], "a wait for a number of groups", node.span)
    return Value(f"cp_async_wait<{count}>()", PRIMARY, INT32)


@call_rule("ptx_cp_async_bulk")
def write_cp_async_bulk(cg: CudaCodegen, node: tir.Call) -> Value:
    shared, shared_offset, given, given_offset, size, barrier = node.args
    dtype = node.dtype.element
    target = operand_pointer(cg, shared, shared_offset, dtype)
    source = operand_pointer(cg, given, given_offset, dtype)
    text = f"cp_async_bulk({target}, {source}, {cg.expr(size).text}, &barrier[{cg.expr(barrier).text}])"
    return Value(text, PRIMARY, INT32)


@call_rule("create_barriers")
def write_barriers(cg: CudaCodegen, node: tir.Call) -> Value:
    cg.line(f"__shared__ uint64_t barrier[{cg.constant(node.args[0], 'a number of barriers', node.span)}];")
    return _NOTHING


@call_rule("ptx_ldg32")
def write_ldg32(cg: CudaCodegen, node: tir.Call) -> Value:
    """Load an element into a register where the guard is true."""
    registers, guard, load, place = node.args
    target = operand_pointer(cg, registers, place, load.dtype)
    value, lines = cg.capture(load)
    with cg.block(f"if ({cg.expr(guard).text})"):
        cg.lines += lines
        cg.line(f"*({target}) = {value.text};")
    return _NOTHING
