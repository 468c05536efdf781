"""Sequences, whose lengths are known when the model is imported, and optional values."""

from __future__ import annotations

from typing import Any

import numpy as np

from tvmscript.frontend.onnx.context import Context
from tvmscript.frontend.onnx.errors import UnknownInput
from tvmscript.frontend.onnx.node import Node
from tvmscript.frontend.onnx.operators.slices import parts
from tvmscript.frontend.onnx.operators.table import operator
from tvmscript.frontend.onnx.values import TensorSequence, Value, dtype_of, rank_of, sizes_of
from tvmscript.language import R


def _position(node: Node, index: int, count: int, default: int) -> int:
    """Return a position in a sequence, counted from the front."""
    if not node.has(index):
        return default
    place = int(node.constant(index, "position").reshape(()))
    if not -count <= place <= count:
        raise node.invalid(f"there is no position {place} in a sequence of {count}")
    return place + count if place < 0 else place


@operator("SequenceConstruct")
def construct(context: Context, node: Node) -> Value:
    """Return the inputs as a sequence."""
    return TensorSequence(node.inputs, dtype_of(node.value(0)))


@operator("SequenceEmpty")
def empty(context: Context, node: Node) -> Value:
    """Return a sequence without elements."""
    return TensorSequence((), context.dtype(node, node.integer("dtype", 1)))


@operator("SequenceInsert")
def insert(context: Context, node: Node) -> Value:
    """Return a sequence with one more element, at the end where no position is given."""
    sequence = node.sequence(0)
    place = _position(node, 2, len(sequence.tensors), len(sequence.tensors))
    items = [*sequence.tensors]
    items.insert(place, node.value(1))
    return TensorSequence(tuple(items), dtype_of(node.value(1)))


@operator("SequenceErase")
def erase(context: Context, node: Node) -> Value:
    """Return a sequence without one element, the last where no position is given."""
    sequence = node.sequence(0)
    items = [*sequence.tensors]
    del items[_position(node, 1, len(items), len(items) - 1)]
    return TensorSequence(tuple(items), sequence.dtype)


@operator("SequenceAt")
def at(context: Context, node: Node) -> Any:
    """Return an element of a sequence."""
    sequence = node.sequence(0)
    place = _position(node, 1, len(sequence.tensors), 0)
    if place >= len(sequence.tensors):
        raise node.invalid(f"there is no element {place} in a sequence of {len(sequence.tensors)}")
    return sequence.tensors[place]


@operator("SequenceLength")
def length(context: Context, node: Node) -> Any:
    """Return the number of elements."""
    return np.array(len(node.sequence(0).tensors), "int64")


@operator("SplitToSequence")
def split_to_sequence(context: Context, node: Node) -> Value:
    """Return the parts of an axis as a sequence; single ones without the axis where `keepdims` is 0."""
    x = node.tensor(0)
    axis = node.axis(node.integer("axis", 0), rank_of(x))
    given = node.constant(1, "split") if node.has(1) else None
    keepdims = given is not None or bool(node.integer("keepdims", 1))
    if given is not None and given.ndim:
        lengths = [int(part) for part in given.reshape(-1).tolist()]
    else:
        extent = sizes_of(x)[axis]
        if not isinstance(extent, int):
            raise UnknownInput(place=node.place, name="the extent of its axis")
        step = 1 if given is None else int(given)
        lengths = [min(step, extent - start) for start in range(0, extent, step)]
    pieces: Any = parts(x, lengths, axis)
    if not isinstance(pieces, list):
        whole = context.builder.emit(pieces)
        pieces = [whole[index] for index in range(len(lengths))]
    tensors = [context.emit(piece if keepdims else R.squeeze(piece, [axis])) for piece in pieces]
    return TensorSequence(tuple(tensors), dtype_of(x))


@operator("ConcatFromSequence")
def concat_from_sequence(context: Context, node: Node) -> Any:
    """Return the elements of a sequence joined along an axis, an old or a new one."""
    tensors = tuple(_tensors(node.sequence(0)))
    join = R.stack if node.integer("new_axis", 0) else R.concat
    return join(tensors, axis=node.integer("axis"))


def _tensors(sequence: TensorSequence) -> list[Any]:
    return list(sequence.tensors)


@operator("SequenceMap")
def sequence_map(context: Context, node: Node) -> Any:
    """Return the outputs of a graph for each element of sequences."""
    first, body = node.sequence(0), node.graph("body")
    columns: list[list[Any]] = [[] for _ in body.output]
    for place in range(len(first.tensors)):
        inputs = [value.tensors[place] if isinstance(value, TensorSequence) else value for value in node.inputs]
        for column, value in zip(columns, context.run_graph(body, inputs), strict=True):
            column.append(value)
    return [TensorSequence(tuple(column), dtype_of(column[0]) if column else "float32") for column in columns]


# ---- optional values


@operator("Optional")
def optional(context: Context, node: Node) -> Any:
    """Return a value, or an absent one."""
    return [node.value(0)]


@operator("OptionalHasElement")
def has_element(context: Context, node: Node) -> Any:
    """Return whether a value is there."""
    return R.const(node.has(0), "bool")


@operator("OptionalGetElement")
def get_element(context: Context, node: Node) -> Any:
    """Return a value that is there."""
    if not node.has(0):
        raise node.invalid("the optional value is absent")
    return [node.value(0)]
