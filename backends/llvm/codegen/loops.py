"""Serial loops in rotated form, with loop hints."""

from __future__ import annotations

from tvmscript.backends.llvm.codegen.arithmetic import emit_int64
from tvmscript.backends.llvm.codegen.codegen import Codegen
from tvmscript.backends.llvm.codegen.loop_optimization import accumulates_one_vector, stores_to_new_elements
from tvmscript.backends.llvm.codegen.paired_products import PAIRED, VECTORS, paired_lanes
from tvmscript.backends.llvm.codegen.vectorizable_loops import ROLLED, slope
from tvmscript.backends.llvm.types import element_bytes, value_type
from tvmscript.ir.analysis.statements import statements
from tvmscript.ir.core import nodes
from tvmscript.ir.tir import Expr, stmt
from tvmscript.ir.tir import expr as tir
from tvmscript.ir.tir.intrin import Intrinsic

#: Loop hints by kind of loop.
_HINTS = {
    stmt.ForKind.UNROLLED: '!"llvm.loop.unroll.full"',
    stmt.ForKind.VECTORIZED: '!"llvm.loop.vectorize.enable"',
}
_ROLLED_HINT, _SCALAR_HINT = '!"llvm.loop.unroll.disable"', '!"llvm.loop.vectorize.enable", i1 false'

#: iterations of vectors side by side that share the constants of mathematical functions, and registers that hold these
_COPIES_HINT, _COPIES, _REGISTERS = '!"llvm.loop.unroll.count", i32', 4, 32

_WIDTH_HINT, _COUNT_HINT = '!"llvm.loop.vectorize.width", i32', '!"llvm.loop.interleave.count", i32'

#: distance of elements from which on vectors of them take longer to collect than the elements
_MOST_STEP = 8
#: distance of elements, in elements and bytes, up to which vectors of them are stored by shuffles
_MOST_SHUFFLED, _SHUFFLED_BYTES = 4, 24
#: Lines of text of a loop from which on LLVM does not copy its iterations, and of all iterations of a short one. Copies
#: take as many times longer to compile.
_LONG_BODY, _LONG_COPIES = 60, 100
#: iterations that LLVM copies at most, and those that it copies with loops inside of them
_SHORT, _FEW = 16, 2
#: iterations of a loop that pads the edge of a row: copies of them are as fast as a vector
_EDGE = 4


def emit_bound(cg: Codegen, node: stmt.For, value: Expr) -> str:
    """Write a bound of a loop in the type that it counts in."""
    return emit_int64(cg, value) if node.loop_var.dtype.is_signed else cg.expr(value)


def emit_loop(cg: Codegen, node: stmt.For, first: str, end: str, runs: bool) -> None:
    """Write the body for each value from `first` to before `end`; `runs` if there is at least one."""
    text, kind = cg.text, loop_type(node)
    signed = node.loop_var.dtype.is_signed
    body, done = text.label("loop"), text.label("endloop")
    if not runs:
        enter = text.label("enter")
        text.branch(text.value(f"icmp {'slt' if signed else 'ult'} {kind} {first}, {end}"), enter, done)
        text.place(enter, text.known)
    before, known = text.block, text.known
    text.jump(body)
    text.place(body, known)
    line = text.reserve()
    var = f"%{body}.{_plain(node.loop_var.name)}"
    if signed:
        cg.bind_wide(node.loop_var, var)
    else:
        cg.env[node.loop_var] = var
    cg.is_innermost = cg.has_loops = True
    outside, cg.has_long_loop = cg.has_long_loop, False
    with cg.accesses.inside(node.loop_var):
        cg.statement(node.body)
        innermost, cg.is_innermost = cg.is_innermost, False
        if innermost:
            cg.accesses.end_innermost(node.body, has_branches=text.block != body)
    may_become_vectors = innermost and _may_become_vectors(cg, node)
    cg.program.has_scalar_loops |= may_become_vectors
    has_long_loop = not innermost and cg.has_long_loop and not _is_short(cg, node, _FEW)
    is_long = has_long_loop or _is_long(cg, node, len(text.lines) - line)
    cg.has_long_loop |= outside or not _is_short(cg, node)
    following = text.value(f"add {no_wrap_flag(node)} {kind} {var}, 1")
    text.lines[line] = f"  {var} = phi {kind} [ {first}, %{before} ], [ {following}, %{text.block} ]"
    # LLVM brings loops to the first form, but for a few that it makes vectors of before
    order = "ne" if not may_become_vectors else "slt" if signed else "ult"
    more = text.value(f"icmp {order} {kind} {following}, {end}")
    text.branch(more, body, done, _loop_hint(cg, node, innermost, is_long))
    text.place(done, known)


def _loop_hint(cg: Codegen, node: stmt.For, innermost: bool, is_long: bool) -> str:
    hint = _HINTS.get(node.kind)
    is_rolled = hint is None and (is_long or _stays_rolled(cg, node, innermost))
    if cg.limits_unrolling and (ROLLED in node.annotations or is_rolled):
        hint = _ROLLED_HINT
    hints = [] if hint is None else [hint]
    if node.kind is stmt.ForKind.SERIAL and not innermost and _scatters(node):
        # LLVM unrolls a short loop inside, and then stores the elements of vectors one by one
        hints.append(_SCALAR_HINT)
    elif hint is _ROLLED_HINT and innermost and _calls_functions(cg, node):
        hints = [f"{_COPIES_HINT} {_COPIES}"]
    if PAIRED in node.annotations:
        lanes = paired_lanes(cg.program.target.model)
        hints = [_ROLLED_HINT, f"{_WIDTH_HINT} {lanes}", f"{_COUNT_HINT} {VECTORS}"]
    return f", !llvm.loop {cg.program.text.loop_hint(hints)}" if hints else ""


def _is_long(cg: Codegen, node: stmt.For, lines: int) -> bool:
    """Return whether copies of a body of so many lines of text take longer to compile than they save."""
    if isinstance(node.extent, tir.IntImm) and _is_short(cg, node):
        return lines * node.extent.value > _LONG_COPIES
    return lines > _LONG_BODY


def _stays_rolled(cg: Codegen, node: stmt.For, innermost: bool) -> bool:
    # Copies of loops inside of loops make code long, and hardly faster. So do copies of iterations that do not
    # wait for each other, which the processor overlaps by itself, and of those that can do nothing but wait. Iterations
    # that copy an element are as short as the jump back.
    waits = (stores_to_new_elements(node) and not _copies_element(node)) or accumulates_one_vector(node)
    return not _is_short(cg, node) and (not innermost or waits)


def _calls_functions(cg: Codegen, loop: stmt.For) -> bool:
    """Return whether a loop stores vectors of mathematical functions, whose constants fit into registers."""
    body, registers = loop.body, cg.program.target.model.vector_registers
    if not isinstance(body, stmt.BufferStore) or body.value.dtype.lanes == 1 or registers < _REGISTERS:
        return False
    ops = [part.op for part in nodes(body.value) if isinstance(part, tir.Call)]
    return any(isinstance(op, Intrinsic) and (op.llvm or "").startswith("math.") for op in ops)


def _copies_element(loop: stmt.For) -> bool:
    body = loop.body
    return isinstance(body, stmt.BufferStore) and isinstance(body.value, tir.BufferLoad) and body.value.dtype.lanes == 1


def _scatters(loop: stmt.For) -> bool:
    """Return whether a loop stores elements that lie too far apart for shuffles of a few vectors."""
    for part in statements(loop.body):
        if isinstance(part, stmt.BufferStore) and part.value.dtype.lanes == 1 and part.indices:
            step = abs(slope(part.indices[-1], loop.loop_var) or 0)
            if step > _MOST_SHUFFLED and step * element_bytes(part.value.dtype) > _SHUFFLED_BYTES:
                return True
    return False


def _may_become_vectors(cg: Codegen, loop: stmt.For) -> bool:
    """Return whether LLVM's vectorizer may find work in a loop around no other one."""
    stores = [part for part in statements(loop.body) if isinstance(part, stmt.BufferStore)]
    if any(store.value.dtype.lanes != 1 for store in stores):
        return False
    if _is_short(cg, loop, _EDGE) and all(isinstance(store.value, (tir.IntImm, tir.FloatImm)) for store in stores):
        return False
    loads = [part for part in nodes(loop.body) if isinstance(part, tir.BufferLoad)]
    if _is_short(cg, loop) and {store.buffer.data for store in stores} <= {load.buffer.data for load in loads}:
        return False  # each iteration waits for the one before: without loop, a few are as fast
    accesses: list[stmt.BufferStore | tir.BufferLoad] = [*stores, *loads]
    steps = [slope(index, loop.loop_var) for access in accesses for index in access.indices[-1:]]
    return not any(step is not None and abs(step) > _MOST_STEP for step in steps)


def loop_type(node: stmt.For) -> str:
    """Return the type that a loop counts in: signed ones in 64 bits, as addresses are computed."""
    return "i64" if node.loop_var.dtype.is_signed else value_type(node.loop_var.dtype)


def _is_short(cg: Codegen, node: stmt.For, most: int = _SHORT) -> bool:
    """Return whether copies of all iterations are little code: `most` that store a register each, or fewer."""
    if not isinstance(node.extent, tir.IntImm) or node.extent.value > most:
        return False
    register = cg.program.target.model.vector_bytes
    stores = (part for part in statements(node.body) if isinstance(part, stmt.BufferStore))
    widest = max((store.value.dtype.lanes * element_bytes(store.value.dtype) for store in stores), default=0)
    return widest * node.extent.value <= most * register or widest <= register or not stores_to_new_elements(node)


def _plain(name: str) -> str:
    return name if name.isalnum() and name.isascii() else "i"


def no_wrap_flag(node: stmt.For) -> str:
    return "nsw" if node.loop_var.dtype.is_signed else "nuw"
