"""Parallel loops: the body is outlined, and threads of the pool call it with parts of the range.

Nested parallel loops are serial, and so are loops that cost less than waking threads.
"""

from __future__ import annotations

from tvmscript.backends.llvm.assembly import FunctionText
from tvmscript.backends.llvm.codegen.codegen import Codegen
from tvmscript.backends.llvm.codegen.loop_accesses import NOT_OPTIMIZED
from tvmscript.backends.llvm.codegen.loops import emit_bound, emit_loop, loop_type
from tvmscript.backends.llvm.codegen.outlining import OutlinedFunction
from tvmscript.backends.llvm.parallel_loops import CLOSURE, SIGNATURES
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
    threshold = cg.program.target.parallel_threshold
    least = max(-(-threshold // max(operations_of(node.body, threshold), 1)), 2)
    if isinstance(node.extent, tir.IntImm) and node.extent.value < least:
        return False
    kind = loop_type(node)
    first, extent = emit_bound(cg, node, node.min), emit_bound(cg, node, node.extent)
    body = ParallelBody(cg)
    if cg.program.debug is not None:
        cg.program.debug.function(body.text, f"{cg.name}.body", node.span)
    body.ranges.bind(node.loop_var, tir.Range.from_min_extent(node.min, node.extent))
    emit_loop(body, node, "%begin", "%end", False)
    body.text.do("ret i32 0")
    params = (f"{kind} %begin", f"{kind} %end", *body.parameters())
    attributes = f"noinline nounwind{body.accesses.attribute(body.private)}"
    symbol = body.text.define_internal("i32", f"{cg.name}.body", params, attributes)
    if isinstance(node.extent, tir.IntImm):
        _launch_threads(cg, body, symbol, kind, (first, extent))
        return True
    text, serial, parallel, after = cg.text, *(cg.text.label(hint) for hint in ("serial", "parallel", "after"))
    text.branch(text.value(f"icmp slt {kind} {extent}, {least}"), serial, parallel)
    text.place(serial)
    _run_serially(cg, body, symbol, kind, (first, extent))
    text.jump(after)
    text.place(parallel)
    _launch_threads(cg, body, symbol, kind, (first, extent))
    text.jump(after)
    text.place(after)
    return True


def _run_serially(cg: Codegen, body: ParallelBody, symbol: str, kind: str, bounds: tuple[str, str]) -> None:
    """Call the body for the whole range; `bounds` are the first iteration and how many there are."""
    first, extent = bounds
    end = cg.text.value(f"add {kind} {first}, {extent}")
    captured = [f"{value_type(var.dtype)} {value}" for var, value in body.captured.items()]
    arguments = ", ".join([f"{kind} {first}", f"{kind} {end}", *captured])
    cg.check(cg.text.value(f"call i32 {symbol}({arguments})"))


def _launch_threads(cg: Codegen, body: ParallelBody, symbol: str, kind: str, bounds: tuple[str, str]) -> None:
    """Fill the closure and run the threads; `bounds` are the first iteration and how many there are."""
    text, module = cg.text, cg.program.text
    kinds = [value_type(var.dtype) for var in body.captured]
    closure = f"{{ {', '.join([*CLOSURE, *kinds])} }}"
    first, extent = (text.value(f"sext {kind} {edge} to i64") if kind != "i64" else edge for edge in bounds)
    part_symbol = _define_part(cg, symbol, kind, closure, kinds)
    slot = text.slot(f"{closure}, align 8")
    values = zip([*CLOSURE, *kinds], ["null", first, extent, part_symbol, *body.captured.values()], strict=True)
    for index, (each, value) in enumerate(values):
        place = text.value(f"getelementptr {closure}, ptr {slot}, i32 0, i32 {index}") if index else slot
        text.do(f"store {each} {value}, ptr {place}")
    run = module.declare("tvmscript_parallel_loop", SIGNATURES["tvmscript_parallel_loop"])
    cg.launches = True
    cg.check(text.value(f"call i32 {run}(ptr {slot})"))


def _define_part(cg: Codegen, body: str, kind: str, closure: str, kinds: list[str]) -> str:
    """Write the function that each thread runs: it calls the body for its part of the range."""
    text = FunctionText(cg.program.text)
    bounds = [text.value(f"trunc i64 {edge} to {kind}") if kind != "i64" else edge for edge in ("%begin", "%end")]
    arguments = [f"{kind} {edge}" for edge in bounds]
    for index, each in enumerate(kinds, len(CLOSURE)):
        place = text.value(f"getelementptr {closure}, ptr %closure, i32 0, i32 {index}")
        arguments.append(f"{each} {text.value(f'load {each}, ptr {place}')}")
    status = text.value(f"call i32 {body}({', '.join(arguments)})")
    text.do(f"ret i32 {status}")
    params = ("ptr %closure", "i64 %begin", "i64 %end")
    return text.define_internal("i32", f"{cg.name}.part", params, f"nounwind noinline {NOT_OPTIMIZED}")
