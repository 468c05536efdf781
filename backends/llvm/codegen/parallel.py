"""Parallel loops: the body is outlined, and threads of the pool call it with parts of the range.

Iterations are distributed statically, in contiguous parts, one for each thread. An error in a thread ends its part; the
caller raises the first one. Nested parallel loops are serial, and so are loops that cost less than waking threads.
"""

from __future__ import annotations

from tvmscript.backends.llvm.assembly import FunctionText
from tvmscript.backends.llvm.codegen.codegen import Codegen
from tvmscript.backends.llvm.codegen.loops import emit_bound, emit_loop, loop_type
from tvmscript.backends.llvm.codegen.outlining import OutlinedFunction
from tvmscript.backends.llvm.thread_pool import SIGNATURES
from tvmscript.backends.llvm.types import value_type
from tvmscript.ir.analysis.cost.loop_cost import operations_of
from tvmscript.ir.tir import expr as tir
from tvmscript.ir.tir import stmt


class ParallelBody(OutlinedFunction):
    """Code generation of the body of a parallel loop, for a part of its range."""


def emit_parallel_loop(cg: Codegen, node: stmt.For) -> bool:
    """Write a parallel loop and return True; False where it has to run serially."""
    if isinstance(cg, ParallelBody):
        return False
    least = -(-cg.program.target.parallel_threshold // max(operations_of(node.body), 1))
    if isinstance(node.extent, tir.IntImm) and node.extent.value < max(least, 2):
        return False
    kind = loop_type(node)
    first, extent = emit_bound(cg, node, node.min), emit_bound(cg, node, node.extent)
    body = ParallelBody(cg)
    if cg.program.debug is not None:
        cg.program.debug.function(body.text, f"{cg.name}.body", node.span)
    body.ranges.bind(node.loop_var, tir.Range.from_min_extent(node.min, node.extent))
    emit_loop(body, node, "%begin", "%end", False)
    body.text.do("ret i32 0")
    symbol = cg.program.text.fresh(f"{cg.name}.body")
    params = ", ".join([f"{kind} %begin", f"{kind} %end", *body.parameters()])
    attributes = f"noinline nounwind{body.accesses.attribute(body.private)}"
    cg.program.text.add(body.text.finish(f"internal i32 {symbol}({params}) {attributes}"))
    kinds = ["ptr", kind, kind, *(value_type(var.dtype) for var in body.captured)]
    closure = f"{{ {', '.join(kinds)} }}"
    thread = _define_thread_function(cg, symbol, closure, kinds, kind)
    values = list(zip(kinds, ["null", first, extent, *body.captured.values()], strict=True))
    text, serial, parallel, after = cg.text, *(cg.text.label(hint) for hint in ("serial", "parallel", "after"))
    text.branch(text.value(f"icmp slt {kind} {extent}, {max(least, 2)}"), serial, parallel)
    text.place(serial)
    _run_serially(cg, symbol, kind, first, extent, values[3:])
    text.jump(after)
    text.place(parallel)
    _launch_threads(cg, thread, closure, values)
    text.jump(after)
    text.place(after)
    return True


def _run_serially(cg: Codegen, body: str, kind: str, first: str, extent: str, captured: list[tuple[str, str]]) -> None:
    """Call the body for the whole range."""
    text = cg.text
    end = text.value(f"add {kind} {first}, {extent}")
    arguments = ", ".join(f"{each} {value}" for each, value in [(kind, first), (kind, end), *captured])
    good, bad = text.label("ran"), text.label("failed")
    text.branch_likely(text.value(f"icmp eq i32 {text.value(f'call i32 {body}({arguments})')}, 0"), good, bad)
    text.place(bad)
    cg.leave("-1")
    text.place(good)


def _launch_threads(cg: Codegen, thread: str, closure: str, values: list[tuple[str, str]]) -> None:
    """Fill the closure, run the threads, raise what one of them recorded."""
    text, module = cg.text, cg.program.text
    slot = text.slot(f"{closure}, align 8")
    for index, (kind, value) in enumerate(values):
        place = text.value(f"getelementptr {closure}, ptr {slot}, i32 0, i32 {index}")
        text.do(f"store {kind} {value}, ptr {place}")
    run = module.declare("tvmscript_parallel", SIGNATURES["tvmscript_parallel"])
    text.do(f"call void {run}(ptr {thread}, ptr {slot})")
    error = text.value(f"load ptr, ptr {slot}")
    good, bad = text.label("joined"), text.label("raised")
    text.branch_likely(text.value(f"icmp eq ptr {error}, null"), good, bad)
    text.place(bad)
    text.do(f"call void {module.declare('TVMFFIErrorSetRaised', 'void {}(ptr)')}(ptr {error})")
    text.value(f"call i32 {module.declare('TVMFFIObjectDecRef', 'i32 {}(ptr)')}(ptr {error})")
    cg.leave("-1")
    text.place(good)


def _define_thread_function(cg: Codegen, body: str, closure: str, kinds: list[str], kind: str) -> str:
    """Write the function that each thread runs: its part of the range, and recording the first error."""
    module = cg.program.text
    text = FunctionText(module)
    values: list[str] = []
    for index, each in enumerate(kinds):
        place = text.value(f"getelementptr {closure}, ptr %closure, i32 0, i32 {index}") if index else "%closure"
        values.append(text.value(f"load {each}, ptr {place}") if index else place)
    first, extent = values[1], values[2]
    some, done = text.label("some"), text.label("done")
    text.branch(text.value(f"icmp sgt {kind} {extent}, 0"), some, done)
    text.place(some)
    # the first extent % count threads have one iteration more
    wide = "i64"
    size = text.value(f"sext {kind} {extent} to i64") if kind != wide else extent
    number, count = (text.value(f"zext i32 {raw} to i64") for raw in ("%part", "%parts"))
    each = text.value(f"udiv i64 {size}, {count}")
    more = text.value(f"urem i64 {size}, {count}")
    extra = text.value(f"call i64 {module.declare('llvm.umin.i64', 'i64 {}(i64, i64)')}(i64 {number}, i64 {more})")
    start = text.value(f"add i64 {text.value(f'mul i64 {number}, {each}')}, {extra}")
    longer = text.value(f"zext i1 {text.value(f'icmp ult i64 {number}, {more}')} to i64")
    stop = text.value(f"add i64 {start}, {text.value(f'add i64 {each}, {longer}')}")
    bounds = [text.value(f"trunc i64 {edge} to {kind}") if kind != wide else edge for edge in (start, stop)]
    begin, end = (text.value(f"add {kind} {first}, {edge}") for edge in bounds)
    handed = [f"{kind} {begin}", f"{kind} {end}"]
    handed += [f"{each_kind} {value}" for each_kind, value in zip(kinds[3:], values[3:], strict=True)]
    status = text.value(f"call i32 {body}({', '.join(handed)})")
    bad, lost = text.label("failed"), text.label("lost")
    text.branch_likely(text.value(f"icmp eq i32 {status}, 0"), done, bad)
    text.place(bad)
    slot = text.slot("ptr")
    text.do(f"call void {module.declare('TVMFFIErrorMoveFromRaised', 'void {}(ptr)')}(ptr {slot})")
    error = text.value(f"load ptr, ptr {slot}")
    pair = text.value(f"cmpxchg ptr {values[0]}, ptr null, ptr {error} acq_rel acquire")
    text.branch(text.value(f"extractvalue {{ ptr, i1 }} {pair}, 1"), done, lost)
    text.place(lost)
    text.value(f"call i32 {module.declare('TVMFFIObjectDecRef', 'i32 {}(ptr)')}(ptr {error})")
    text.jump(done)
    text.place(done)
    text.do("ret void")
    symbol = module.fresh(f"{cg.name}.thread")
    # Runs once in each thread: optimizing it takes longer than it ever saves.
    module.add(text.finish(f"internal void {symbol}(ptr %closure, i32 %part, i32 %parts) nounwind noinline optnone"))
    return symbol
