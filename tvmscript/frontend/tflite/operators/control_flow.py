"""Branches and loops over other graphs of the model, variables that hold constants."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np

from tvmscript.frontend.loops import while_loop
from tvmscript.frontend.tensor_info import shape_of
from tvmscript.frontend.tflite.operators.table import operator
from tvmscript.frontend.tflite.values import Node, Value, Variable, as_tensor
from tvmscript.ir.relax.base import RelaxExpr
from tvmscript.ir.relax.expr import If, Tuple, TupleGetItem, Var
from tvmscript.language import R


def _tensors(node: Node, values: Sequence[Value]) -> list[RelaxExpr]:
    """Return values as tensors. Raises `InvalidModel` for variables."""
    return [
        node.invalid("it carries a variable") if value is None or isinstance(value, Variable) else as_tensor(value)
        for value in values
    ]


def _run(node: Node, index: int, arguments: Sequence[Value]) -> list[RelaxExpr]:
    return _tensors(node, node.graphs.run(index, arguments))


def _scalar(x: RelaxExpr) -> RelaxExpr:
    return R.reshape(x, R.shape([])) if shape_of(x) else x


@operator("IF")
def branch(node: Node) -> list[Value]:
    """Return the results of one of two graphs."""
    condition, *arguments = node.inputs
    graphs = [int(node.option(name, -1)) for name in ("thenSubgraphIndex", "elseSubgraphIndex")]
    if isinstance(condition, np.ndarray):
        return node.graphs.run(graphs[0] if condition.item() else graphs[1], arguments)
    builder = node.graphs.builder
    flag = builder.emit(_scalar(node.tensor(0)))

    def results(index: int) -> RelaxExpr:
        return Tuple(tuple([builder.emit(value) for value in _run(node, index, arguments)]))

    then, otherwise = (builder.sequence(partial(results, index)) for index in graphs)
    whole = builder.emit(If(flag, then, otherwise))
    return [TupleGetItem(whole, place) for place in range(len(node.outputs))]


@operator("WHILE")
def loop(node: Node) -> list[RelaxExpr]:
    """Return what a graph makes of the inputs while another one holds."""
    condition, body = (int(node.option(name, -1)) for name in ("condSubgraphIndex", "bodySubgraphIndex"))

    def is_going(params: Sequence[Var]) -> RelaxExpr:
        (flag,) = _run(node, condition, params)
        return _scalar(flag)

    return while_loop(node.graphs.builder, node.tensors(), [], is_going, partial(_run, node, body))


@operator("CALL_ONCE")
def call_once(node: Node) -> list[Value]:
    """Set variables: a graph is run before the first call."""
    graphs = node.graphs
    graphs.is_initializing = True
    graphs.run(int(node.option("initSubgraphIndex", -1)), [])
    graphs.is_initializing = False
    return []


@operator("VAR_HANDLE")
def var_handle(node: Node) -> Variable:
    """Return a variable."""
    return Variable(f"{node.option('container', None)}/{node.option('sharedName', None)}")


@operator("ASSIGN_VARIABLE")
def assign_variable(node: Node) -> list[Value]:
    """Set a variable. Raises `InvalidModel` for one that would keep state between calls."""
    if not node.graphs.is_initializing:
        node.invalid("it keeps state between calls; a graph has none")
    node.graphs.variables[node.variable(0).name] = node.inputs[1]
    return []


@operator("READ_VARIABLE")
def read_variable(node: Node) -> Value:
    """Return the value of a variable. Raises `InvalidModel`."""
    name = node.variable(0).name
    if name not in node.graphs.variables:
        node.invalid("the variable has no value")
    return node.graphs.variables[name]
