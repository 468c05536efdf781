"""Print loops."""

from __future__ import annotations

from collections.abc import Callable

from tvmscript.ir.core import nodes
from tvmscript.ir.tir import Expr, For, ForKind, IntImm
from tvmscript.printer.attribute_values import dictionary
from tvmscript.printer.literals import string
from tvmscript.printer.printer import Printer, stmt_rule
from tvmscript.printer.tir.exprs import sum_text

_FUNCTIONS = {
    ForKind.SERIAL: "serial",
    ForKind.PARALLEL: "parallel",
    ForKind.VECTORIZED: "vectorized",
    ForKind.UNROLLED: "unroll",
    ForKind.THREAD_BINDING: "thread_binding",
}


@stmt_rule(For)
def _for(p: Printer, node: For) -> None:
    write_loop(p, node, annotations_argument)


def write_loop(p: Printer, node: For, annotations: Callable[[Printer, For], str]) -> None:
    """Write a loop, or the loops from it inwards that one T.grid can write; `annotations` writes their argument."""
    nest = _grid(p, node) if p.sugar and type(node.body) is For else [node]
    loops = p.loops
    # bounds are outside of the scope of the loop: declarations for them go in front of it
    if len(nest) > 1:
        bounds = f"{p.tir}grid({', '.join([p.expr(loop.extent) for loop in nest])})"
    else:
        bounds = _bounds(p, node, annotations)
    frame = p.open_scope(node)
    names: list[str] = []
    for loop in nest:
        var = loop.loop_var
        names.append(p.bind(var, var.name or "v"))
        loops[var] = loop
    p.lines.append(f"{p.frames[-2].indent}for {', '.join(names)} in {bounds}:")
    frame.mark = len(p.lines)
    p.write_body(nest[-1].body)
    p.close_scope()
    for loop in nest:
        loops.pop(loop.loop_var, None)


def _is_plain(loop: For) -> bool:
    low = loop.min
    return loop.kind is ForKind.SERIAL and type(low) is IntImm and low.value == 0 and not loop.annotations


def _grid(p: Printer, node: For) -> list[For]:
    """Return the loops from this one inwards that one T.grid expresses: perfectly nested, with independent extents."""
    nest: list[For] = []
    loop = node
    if node in p.alone:
        return [node]
    while _is_plain(loop) and not (nest and (_uses(loop.extent, nest) or loop.loop_var in p.declared_first)):
        nest.append(loop)
        if type(loop.body) is not For or (p.notes is not None and p.notes.has_any(loop.body)):
            break
        if loop.body in p.alone:
            break
        loop = loop.body
    return nest or [node]


def _uses(extent: Expr, nest: list[For]) -> bool:
    if type(extent) is IntImm:
        return False
    loop_vars = [loop.loop_var for loop in nest]
    return any(node is var for node in nodes(extent) for var in loop_vars)


def _bounds(p: Printer, node: For, annotations: Callable[[Printer, For], str]) -> str:
    low = node.min
    if type(low) is IntImm and low.value == 0:
        bounds = p.expr(node.extent)
    else:
        bounds = f"{p.expr(low)}, {sum_text(p, low, node.extent)}"
    if node.kind is ForKind.SERIAL and not node.annotations:
        return f"range({bounds})"
    if node.thread_binding is not None:
        bounds += f", thread={string(node.thread_binding.thread_tag)}"
    return f"{p.tir}{_FUNCTIONS[node.kind]}({bounds}{annotations(p, node)})"


def annotations_argument(p: Printer, node: For) -> str:
    """Return `, annotations={...}`, or an empty string."""
    return f", annotations={dictionary(p, node.annotations)}" if node.annotations else ""
