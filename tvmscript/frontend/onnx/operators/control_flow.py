"""Branches and loops: decided or unrolled where that is known at import, else conditionals and recursive functions."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any, Final

from tvmscript.frontend.onnx.context import Context
from tvmscript.frontend.onnx.errors import UnknownInput
from tvmscript.frontend.onnx.node import Node
from tvmscript.frontend.onnx.operators.runtime_loop import RuntimeLoop
from tvmscript.frontend.onnx.operators.table import operator
from tvmscript.frontend.onnx.values import (
    TensorSequence,
    Value,
    array_of,
    dtype_of,
    rank_of,
    shape_expr,
    sizes_of,
    tensor_of,
)
from tvmscript.ir.relax.base import RelaxExpr
from tvmscript.ir.relax.expr import If, Tuple
from tvmscript.ir.relax.struct_info import TensorStructInfo
from tvmscript.language import R

#: longest loop that is unrolled
UNROLLED: Final = 256
_CONDITION: Final = "its condition (its branches differ)"


@operator("If")
def branch(context: Context, node: Node) -> Any:
    """Return the outputs of one of two graphs."""
    graphs = [node.graph("then_branch"), node.graph("else_branch")]
    condition_array = node.array(0)
    if condition_array is not None and condition_array.dtype != object:
        return context.run_graph(graphs[0] if bool(condition_array.reshape(())) else graphs[1], [])
    context.require_branches(node)
    for graph in graphs:
        context.bind_outer(graph)
    forms: list[list[int | None]] = []

    def body(graph: Any) -> RelaxExpr:
        values = context.run_graph(graph, [])
        if any(value is None for value in values):
            raise UnknownInput(place=node.place, name=_CONDITION)
        forms.append([len(value.tensors) if isinstance(value, TensorSequence) else None for value in values])
        leaves = [tensor_of(leaf) for value in values for leaf in _leaves(value)]
        return Tuple(tuple(context.emit(leaf) for leaf in leaves))

    condition = context.emit(node.tensor(0))
    if rank_of(condition):
        condition = context.emit(R.reshape(condition, shape_expr([])))
    branches = [context.builder.sequence(partial(body, graph)) for graph in graphs]
    if forms[0] != forms[1]:
        raise UnknownInput(place=node.place, name=_CONDITION)
    result = context.builder.emit(If(condition, *branches))
    leaves = [
        _shaped(context, node, result[index])
        for index in range(sum(form if form is not None else 1 for form in forms[0]))
    ]
    return _assembled(forms[0], leaves)


def _leaves(value: Value) -> list[Value]:
    return list(value.tensors) if isinstance(value, TensorSequence) else [value]


def _shaped(context: Context, node: Node, leaf: RelaxExpr) -> RelaxExpr:
    bound = context.emit(leaf)
    if not isinstance(bound.struct_info, TensorStructInfo):
        return bound
    if bound.struct_info.ndim < 0:
        raise UnknownInput(place=node.place, name=_CONDITION)
    return context.with_shape(bound)


def _assembled(forms: Sequence[int | None], leaves: list[RelaxExpr]) -> list[Value]:
    values: list[Value] = []
    rest = list(leaves)
    for form in forms:
        if form is None:
            values.append(rest.pop(0))
        else:
            items, rest = rest[:form], rest[form:]
            values.append(TensorSequence(tuple(items), dtype_of(items[0]) if items else "float32"))
    return values


@operator("Loop")
def loop(context: Context, node: Node) -> Any:
    """Return the values that a graph carries from step to step, and those that it collects."""
    body = node.graph("body")
    limit, condition = node.array(0), node.array(1)
    is_limit_known = not node.has(0) or limit is not None
    starts = not node.has(1) or condition is not None
    if is_limit_known and starts and _decides(context, node, body):
        return _unrolled(context, node, body, None if limit is None else int(limit.reshape(())))
    context.require_branches(node)
    carried = node.inputs[2:]
    if any(isinstance(value, TensorSequence) or value is None for value in carried):
        raise UnknownInput(place=node.place, name="its trip count, because it carries a sequence")
    run = RuntimeLoop(context, node, body)
    begin = R.const(True, "bool") if not node.has(1) else node.tensor(1)
    bound = R.const(2**62, "int64") if not node.has(0) else node.tensor(0)

    def step(
        place: RelaxExpr, going: RelaxExpr, values: Sequence[Value], outer: Any
    ) -> tuple[Any, list[Value], list[Value]]:
        results = context.run_graph(body, [place, going, *values], outer)
        return tensor_of(results[0]), results[1 : 1 + len(values)], results[1 + len(values) :]

    return run.results(_single(bound), _single(begin), [tensor_of(value) for value in carried], step)


def _single(value: RelaxExpr) -> RelaxExpr:
    return R.reshape(value, shape_expr([])) if rank_of(value) else value


def _decides(context: Context, node: Node, body: Any) -> bool:
    """Whether it is known at import after which step a loop ends."""
    end = body.output[0].name
    makers = {name: inner for inner in body.node for name in inner.output}
    while end in makers and makers[end].op_type == "Identity":
        end = makers[end].input[0]
    if len(body.input) > 1 and end == body.input[1].name:
        return True
    if end in {tensor.name for tensor in body.initializer} or (end in makers and makers[end].op_type == "Constant"):
        return True
    if any(isinstance(value, TensorSequence) for value in node.inputs[2:]):
        return True
    decided: list[bool] = []

    def attempt() -> RelaxExpr:
        results = context.run_graph(body, [R.const(0, "int64"), R.const(True, "bool"), *node.inputs[2:]])
        decided.append(array_of(results[0]) is not None)
        return Tuple(())

    context.require_branches(node)
    context.bind_outer(body)
    context.builder.sequence(attempt)
    return decided[0]


def _unrolled(context: Context, node: Node, body: Any, limit: int | None) -> list[Value]:
    condition: Value = node.value(1) if node.has(1) else R.const(True, "bool")
    carried = list(node.inputs[2:])
    collected: list[list[Value]] = [[] for _ in body.output[1 + len(carried) :]]
    place = 0
    while limit is None or place < limit:
        condition_value = array_of(condition)
        if condition_value is None:
            raise UnknownInput(place=node.place, name="its condition")
        if not bool(condition_value.reshape(())):
            break
        if place == UNROLLED:
            raise node.invalid(f"it has more than {UNROLLED} steps, whose condition is known")
        results = context.run_graph(body, [R.const(place, "int64"), condition, *carried])
        condition = results[0]
        carried = [_bound(context, value) for value in results[1 : 1 + len(carried)]]
        for column, value in zip(collected, results[1 + len(carried) :], strict=True):
            column.append(_bound(context, value))
        place += 1
    return [*carried, *(_stacked(context, node, body, index, column) for index, column in enumerate(collected))]


def _bound(context: Context, value: Value) -> Value:
    return context.emit(value) if isinstance(value, RelaxExpr) and not isinstance(value, Tuple) else value


def _stacked(context: Context, node: Node, body: Any, index: int, column: list[Value]) -> Value:
    if column:
        return R.stack(tuple(tensor_of(value) for value in column), axis=0)
    kind = body.output[len(node.inputs) - 1 + index].type.tensor_type
    sizes = [dim.dim_value for dim in kind.shape.dim]
    return R.zeros(shape_expr([0, *sizes]), context.dtype(node, kind.elem_type))


@operator("Scan", 8)
def scan_of_batches(context: Context, node: Node) -> Any:
    """Return the results of a scan of each batch of a tensor, as opset 8 has it."""
    count = node.integer("num_scan_inputs")
    first = len(node.inputs) - count
    batches = int(sizes_of(node.tensor(first))[0])
    if node.has(0):
        raise node.invalid("lengths of sequences are not supported")
    columns: list[list[Value]] = []
    for batch in range(batches):
        values = [_row(context, node.tensor(index), 0, batch) for index in range(1, len(node.inputs))]
        columns.append(_scan(context, node, values[: first - 1], values[first - 1 :], directions="directions"))
    return [R.stack(tuple(tensor_of(column[place]) for column in columns), axis=0) for place in range(len(columns[0]))]


@operator("Scan", 9)
def scan(context: Context, node: Node) -> Any:
    """Return the final states of a graph over the slices of tensors, and what it collects."""
    first = len(node.inputs) - node.integer("num_scan_inputs")
    tensors = node.tensors()
    return _scan(context, node, tensors[:first], tensors[first:])


def _scan(
    context: Context, node: Node, states: Sequence[RelaxExpr], tensors: Sequence[RelaxExpr],
    directions: str = "scan_input_directions",
) -> list[Value]:  # fmt: skip
    body = node.graph("body")
    axes = [node.axis(axis, rank_of(tensor)) for axis, tensor in
            zip(node.integers("scan_input_axes", [0] * len(tensors)), tensors, strict=True)]  # fmt: skip
    backward = node.integers(directions, [0] * len(tensors))
    length = sizes_of(tensors[0])[axes[0]]
    if not isinstance(length, int) or length > UNROLLED:
        return _runtime_scan(context, node, states, tensors, axes, backward, length)
    values: list[Value] = list(states)
    outputs = len(body.output) - len(states)
    collected: list[list[Value]] = [[] for _ in range(outputs)]
    for place in range(length):
        rows = [
            _row(context, tensor, axis, length - 1 - place if reverse else place)
            for tensor, axis, reverse in zip(tensors, axes, backward, strict=True)
        ]
        results = [_bound(context, value) for value in context.run_graph(body, [*values, *rows])]
        values = results[: len(states)]
        for column, value in zip(collected, results[len(states) :], strict=True):
            column.append(value)
    output_axes = node.integers("scan_output_axes", [0] * outputs)
    output_directions = node.integers("scan_output_directions", [0] * outputs)
    for column, axis, reverse in zip(collected, output_axes, output_directions, strict=True):
        ordered = [tensor_of(value) for value in (reversed(column) if reverse else column)]
        values.append(R.stack(tuple(ordered), axis=axis))
    return values


def _row(context: Context, tensor: RelaxExpr, axis: int, place: int) -> RelaxExpr:
    return context.emit(R.squeeze(R.strided_slice(tensor, [axis], [place], [place + 1]), [axis]))


def _runtime_scan(
    context: Context, node: Node, states: Sequence[RelaxExpr], tensors: Sequence[RelaxExpr],
    axes: list[int], backward: list[int], length: Any,
) -> list[Value]:  # fmt: skip
    """Return the results of a scan of many steps, or a number that is known at run time."""
    context.require_branches(node)
    body = node.graph("body")
    if any(node.attrs.get(name) and any(node.attrs[name]) for name in ("scan_output_axes", "scan_output_directions")):
        raise node.invalid("axes and directions of outputs need a length that is known")
    ordered = [R.flip(tensor, axis) if reverse else tensor
               for tensor, axis, reverse in zip(tensors, axes, backward, strict=True)]  # fmt: skip
    run = RuntimeLoop(context, node, body, [context.emit(tensor) for tensor in ordered])

    def step(
        place: RelaxExpr, going: RelaxExpr, values: Sequence[Value], outer: Any
    ) -> tuple[Any, list[Value], list[Value]]:
        index = R.reshape(place, shape_expr([1]))
        rows = [context.emit(R.squeeze(R.take(tensor, index, axis), [axis]))
                for tensor, axis in zip(run.extra_inside, axes, strict=True)]  # fmt: skip
        results = context.run_graph(body, [*values, *rows], outer)
        return going, results[: len(values)], results[len(values) :]

    count = (
        R.const(length, "int64")
        if isinstance(length, int)
        else R.reshape(R.shape_to_tensor(R.shape([length])), shape_expr([]))
    )
    return run.results(count, R.const(True, "bool"), list(states), step)
