"""Print index maps, tensor intrinsics, and nodes of TE."""

from __future__ import annotations

from tvmscript.ir.core import INT64, Node
from tvmscript.ir.tir import Var
from tvmscript.ir.tir import te_nodes as L
from tvmscript.ir.tir.index_map import IndexMap
from tvmscript.ir.tir.tensor_intrin import TensorIntrin
from tvmscript.printer.printer import Printer, expr_rule, stmt_rule
from tvmscript.printer.text_buffer import Frame


def _lambda(p: Printer, variables: tuple[Var, ...], results: tuple[Node, ...], is_tuple: bool) -> str:
    """Return `lambda i, j: (j, i)`; its variables are named only inside."""
    frame = Frame(None, p.indent, len(p.lines))
    names = [p.define(var, var.name or "v", frame) for var in variables]
    body = p.exprs(results)
    if is_tuple or len(results) != 1:
        body = f"({body},)" if len(results) == 1 else f"({body})"
    for var, name in frame.defined:
        del p.names[var]
        p.taken.discard(name)
    return f"lambda {', '.join(names)}: {body}"


@expr_rule(IndexMap)
def _index_map(p: Printer, node: IndexMap, level: int) -> str:
    inverse = node.inverse_index_map
    more = f", inverse_index_map={_map_lambda(p, inverse)}" if inverse is not None else ""
    if p.spelling.dialect == "0.27" and node.initial_indices and node.initial_indices[0].dtype is not INT64:
        more += f', index_dtype="{node.initial_indices[0].dtype}"'
    return f"{p.tir}index_map({_map_lambda(p, node)}{more})"


def _map_lambda(p: Printer, node: IndexMap) -> str:
    return _lambda(p, node.initial_indices, node.final_indices, True)


@expr_rule(L.CommReducer)
def _comm_reducer(p: Printer, node: L.CommReducer, level: int) -> str:
    function = _lambda(p, (*node.lhs, *node.rhs), node.result, False)
    return f"{p.tir}comm_reducer({function}, [{p.exprs(node.identity_element)}])"


@expr_rule(L.Reduce)
def _reduce(p: Printer, node: L.Reduce, level: int) -> str:
    return (
        f"{p.tir}reduce({p.expr(node.combiner)}, source=[{p.exprs(node.source)}], init=[{p.exprs(node.init)}], "
        f"axis=[{p.exprs(node.axis)}], condition={p.expr(node.condition)}, value_index={node.value_index})"
    )


@expr_rule(L.DataProducer)
def _producer(p: Printer, node: L.DataProducer, level: int) -> str:
    # the language cannot make one: the name stays free, for `extra_vars` to define
    return p.names.get(node) or p.define(node, node.name or "tensor", p.frames[0])


@expr_rule(L.ProducerLoad)
def _producer_load(p: Printer, node: L.ProducerLoad, level: int) -> str:
    return f"{p.expr(node.producer)}[{p.exprs(node.indices) or '()'}]"


@stmt_rule(L.Prefetch)
def _prefetch(p: Printer, node: L.Prefetch) -> None:
    p.write(f"{p.tir}prefetch({p.expr(node.buffer)}, [{p.exprs(node.bounds)}])")


@stmt_rule(TensorIntrin)
def _tensor_intrin(p: Printer, node: TensorIntrin) -> None:
    """Write both functions, named by their roles."""
    p.function_name = "desc"
    p.stmt_rules[type(node.desc)](p, node.desc)
    p.lines.append("")
    p.function_name = "impl"
    p.stmt_rules[type(node.impl)](p, node.impl)
