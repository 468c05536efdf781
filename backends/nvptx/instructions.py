"""Instructions of PTX by TVM 0.17's names: asynchronous copies, matrices of warps."""

from __future__ import annotations

from typing import Final

from tvmscript.backends.cuda.tensor_cores import form_of_mma, mma_name
from tvmscript.backends.llvm.codegen.codegen import NOTHING
from tvmscript.backends.llvm.types import element_memory_type, float_constant, integer_constant
from tvmscript.backends.nvptx.codegen import KernelCode, call_rule
from tvmscript.backends.nvptx.inline_assembly import emit_assembly, shared_address
from tvmscript.ir.core import DType, PointerType, PrimType
from tvmscript.ir.tir import Expr
from tvmscript.ir.tir import expr as tir

#: letter of the constraint of a register -> its type and bytes
_TYPES: Final = {"r": ("i32", 4), "f": ("float", 4), "d": ("double", 8)}


def element_pointer(cg: KernelCode, data: Expr, offset: Expr, dtype: DType) -> str:
    """Return a pointer plus an offset in elements of its own type, or of `dtype` where it has none."""
    kind = data.pointer_type if isinstance(data, tir.Var) else None
    stored = kind.element_type if isinstance(kind, PointerType) else None
    element = stored.dtype.element if isinstance(stored, PrimType) else dtype.element
    return cg.text.value(f"getelementptr {element_memory_type(element)}, ptr {cg.expr(data)}, {cg.typed(offset)}")


def _register(cg: KernelCode, pointer: str, place: int, kind: str) -> str:
    return cg.text.value(f"getelementptr {kind}, ptr {pointer}, i32 {place}")


def load_registers(cg: KernelCode, pointer: str, count: int, letter: str) -> list[tuple[str, str, str]]:
    """Return registers that lie behind each other in memory, as inputs of an instruction."""
    kind, size = _TYPES[letter]
    places = [_register(cg, pointer, place, kind) for place in range(count)]
    return [(letter, kind, cg.text.value(f"load {kind}, ptr {place}, align {size}")) for place in places]


def store_registers(cg: KernelCode, pointer: str, values: list[str], letter: str) -> None:
    """Set registers that lie behind each other in memory."""
    kind, size = _TYPES[letter]
    for place, value in enumerate(values):
        cg.text.do(f"store {kind} {value}, ptr {_register(cg, pointer, place, kind)}, align {size}")


def _braced(first: int, count: int) -> str:
    return "{" + ", ".join(f"${place}" for place in range(first, first + count)) + "}"


# -- copies


@call_rule("ptx_cp_async")
def emit_copy(cg: KernelCode, node: tir.Call) -> str:
    """Copy asynchronously, or write zeros where the predicate is false."""
    shared, shared_offset, given, given_offset, size, *predicate = node.args
    dtype = node.dtype.element
    if not isinstance(size, tir.IntImm):
        cg.refuse("cp.async of a number of bytes that is no constant", node)
    target = shared_address(cg, element_pointer(cg, shared, shared_offset, dtype))
    source = element_pointer(cg, given, given_offset, dtype)
    where = cg.text.value(f"addrspacecast ptr {source} to ptr addrspace(1)")
    inputs = [("r", "i32", target), ("l", "ptr addrspace(1)", where)]
    level = "cg" if size.value == 16 else "ca"
    text = f"cp.async.{level}.shared.global [$0], [$1], {size.value}"
    if predicate:
        present = cg.text.value(f"select i1 {cg.expr(predicate[0])}, i32 {size.value}, i32 0")
        inputs.append(("r", "i32", present))
        text += ", $2"
    emit_assembly(cg, f"{text};", inputs)
    return NOTHING


@call_rule("ptx_commit_group")
def emit_commit(cg: KernelCode, node: tir.Call) -> str:
    emit_assembly(cg, "cp.async.commit_group;")
    return NOTHING


@call_rule("ptx_wait_group")
def emit_wait(cg: KernelCode, node: tir.Call) -> str:
    (pending,) = node.args
    if not isinstance(pending, tir.IntImm):
        cg.refuse("waiting for a number of groups that is no constant", node)
    emit_assembly(cg, f"cp.async.wait_group {pending.value};")
    return NOTHING


# -- matrices


@call_rule("ptx_mma")
def emit_mma(cg: KernelCode, node: tir.Call) -> str:
    """Write `mma.sync` with the registers of the thread, which three pointers give."""
    form = form_of_mma(node)
    if form is None:
        cg.refuse("mma.sync without a shape, layouts and dtypes", node)
    pointers = [element_pointer(cg, node.args[place], node.args[place + 1], node.dtype) for place in (6, 8, 10)]
    inputs = [
        register
        for pointer, count, letter in zip(pointers, form.counts, form.letters, strict=True)
        for register in load_registers(cg, pointer, count, letter)
    ]
    a, b, c = form.counts
    operands = [_braced(0, c), _braced(c, a), _braced(c + a, b), _braced(c + a + b, c)]
    text = f"{mma_name(node, form.words, form.types, is_sparse=False)} {', '.join(operands)};"
    letter = form.letters[2]
    results = emit_assembly(cg, text, inputs, [(letter, _TYPES[letter][0])] * c)
    store_registers(cg, pointers[2], results, letter)
    return NOTHING


@call_rule("ptx_ldmatrix")
def emit_ldmatrix(cg: KernelCode, node: tir.Call) -> str:
    """Load 8 x 8 matrices of 16-bit elements."""
    transposed, number, _, local, local_offset, shared, shared_offset = node.args[:7]
    if not isinstance(number, tir.IntImm) or not isinstance(transposed, tir.IntImm):
        cg.refuse("ldmatrix of a number that is no constant", node)
    dtype, count = node.dtype.element, number.value
    if transposed.value and dtype.bits == 8:
        cg.refuse("ldmatrix that transposes elements of one byte", node)
    target = element_pointer(cg, local, local_offset, dtype)
    source = shared_address(cg, element_pointer(cg, shared, shared_offset, dtype))
    mark = ".trans" if transposed.value else ""
    text = f"ldmatrix.sync.aligned.m8n8.x{count}{mark}.shared.b16 {_braced(0, count)}, [${count}];"
    results = emit_assembly(cg, text, [("r", "i32", source)], [("r", "i32")] * count)
    store_registers(cg, target, results, "r")
    return NOTHING


@call_rule("mma_fill", "cuda.mma_fill")
def emit_fill(cg: KernelCode, node: tir.Call) -> str:
    size, local, offset = node.args
    if not isinstance(size, tir.IntImm):
        cg.refuse("a fragment whose size is no constant", node)
    dtype = node.dtype.element
    kind = element_memory_type(dtype)
    zero = float_constant(dtype, 0.0) if dtype.code == "float" else integer_constant(dtype, 0)
    pointer = element_pointer(cg, local, offset, dtype)
    for place in range(size.value):
        cg.text.do(f"store {kind} {zero}, ptr {_register(cg, pointer, place, kind)}, align {dtype.itemsize}")
    return NOTHING


@call_rule("mma_store", "cuda.mma_store")
def emit_store(cg: KernelCode, node: tir.Call) -> str:
    """Store a 16 x 16 accumulator, which consists of two of 16 x 8."""
    m, n, target, source, offset, stride = node.args
    if [getattr(size, "value", 0) for size in (m, n)] != [16, 16]:
        cg.refuse("mma_store of another shape than 16 x 16", node)
    text, dtype = cg.text, node.dtype.element
    kind = element_memory_type(dtype)
    registers, first = element_pointer(cg, source, offset, dtype), cg.expr(target)
    lane = text.value(
        f"call range(i32 0, 32) i32 {cg.program.text.declare('llvm.nvvm.read.ptx.sreg.laneid', 'i32 {}()')}()"
    )
    distance = cg.convert.cast(cg.expr(stride), stride.dtype, DType("int32"))
    row, pair = text.value(f"lshr i32 {lane}, 2"), text.value(f"and i32 {lane}, 3")
    column = text.value(f"shl i32 {pair}, 1")
    for place in range(8):
        line = text.value(f"add i32 {row}, {place // 2 % 2 * 8}")
        start = text.value(f"mul i32 {line}, {distance}")
        across = text.value(f"add i32 {column}, {place // 4 * 8 + place % 2}")
        value = text.value(f"load {kind}, ptr {_register(cg, registers, place, kind)}, align {dtype.itemsize}")
        where = text.value(f"getelementptr {kind}, ptr {first}, i32 {text.value(f'add i32 {start}, {across}')}")
        text.do(f"store {kind} {value}, ptr {where}, align {dtype.itemsize}")
    return NOTHING
