"""What converters of operators use: the builder, run-time shapes, graphs inside of graphs."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, NamedTuple, Protocol

from tvmscript.frontend.onnx.element_types import constant_of, dtype_name
from tvmscript.frontend.onnx.errors import RuntimeBranch
from tvmscript.frontend.onnx.node import Node
from tvmscript.frontend.onnx.values import (
    Size,
    Value,
    as_size,
    dtype_of,
    info_of,
    rank_of,
    tensor_of,
)
from tvmscript.ir.relax.base import RelaxExpr
from tvmscript.ir.relax.builder import BlockBuilder
from tvmscript.ir.relax.expr import Constant, Var
from tvmscript.ir.relax.struct_info import ShapeStructInfo, TensorStructInfo
from tvmscript.ir.tir import Var as SizeVar
from tvmscript.language import R

#: most elements of a vector of sizes that run-time values give
MOST_SIZES: Final = 1024


class Graphs(Protocol):
    """Converts graphs inside of nodes."""

    #: number of functions around
    depth: int

    def run_graph(
        self, graph: Any, inputs: Sequence[Value], outer: Mapping[str, Value] | None = None
    ) -> list[Value]: ...

    def bind_outer(self, graph: Any) -> None: ...

    def outer_values(self, graph: Any) -> dict[str, Value]: ...


class Dequantized(NamedTuple):
    """What float32 is computed from: (x - zero) * scale of 8 bits, with factors of an axis, or scalars."""

    x: RelaxExpr
    scale: RelaxExpr
    zero: RelaxExpr | None
    #: None where factors are those of all elements
    axis: int | None


class Context:
    """The state that converters share."""

    def __init__(self, builder: BlockBuilder, graphs: Graphs) -> None:
        self.builder = builder
        self.run_graph = graphs.run_graph
        self.bind_outer = graphs.bind_outer
        self.outer_values = graphs.outer_values
        self._graphs = graphs
        self._count = 0
        #: results of dequantizations from integers of 8 bits
        self.dequantized: dict[Var, Dequantized] = {}
        #: products and convolutions of dequantized tensors
        self.sums: set[Var] = set()

    def dequantized_inputs(self, node: Node) -> tuple[Dequantized, Dequantized] | None:
        """Return what the first two inputs of a node are dequantized from, None where one is not."""
        x, y = (self.dequantized.get(value) if isinstance(value, Var) else None for value in node.inputs[:2])
        return (x, y) if x is not None and y is not None else None

    def rounded(self, tensor: RelaxExpr) -> Var:
        """Bind a tensor of sums that are rounded: a factor, rounded as well, changes them no more than their order."""
        bound = self.builder.emit(tensor)
        self.sums.add(bound)
        return bound

    def emit(self, tensor: RelaxExpr) -> RelaxExpr:
        """Bind a tensor that is used several times."""
        return tensor if isinstance(tensor, Var) else self.builder.emit(tensor)

    def dtype(self, node: Node, element_type: int) -> str:
        """Return the dtype of an element type that is an attribute. Raises `InvalidModel`."""
        return dtype_name(element_type, node.place)

    def constant(self, node: Node, tensor: Any) -> Constant:
        """Return an attribute that is a tensor. Raises `InvalidModel`."""
        return tensor if isinstance(tensor, Constant) else constant_of(tensor, None, node.place)

    def emit_te(self, function: Callable[..., Any], *args: object, **kwargs: Any) -> Var:
        """Emit a call of the kernel that a function of tensors defines."""
        return self.builder.emit_te(function, *args, **kwargs)

    def fresh_size(self, name: str = "size") -> SizeVar:
        """Return a new symbolic size."""
        self._count += 1
        return SizeVar(f"{name}_{self._count}", "int64")

    def runtime_sizes(self, vector: Value, count: int | None = None) -> list[Size]:
        """Return the elements of a vector of integers as sizes: new symbolic ones, known at run time."""
        tensor = tensor_of(vector)
        (extent,) = [as_size(size) for size in info_of(tensor).extents or (count,)]
        length = extent if isinstance(extent, int) else count
        if length is None or length > MOST_SIZES:
            raise ValueError(f"it needs a known number of sizes, up to {MOST_SIZES:,}")
        if dtype_of(tensor) != "int64":
            tensor = R.astype(tensor, "int64")
        shape = self.builder.emit(R.tensor_to_shape(tensor))
        sizes = [self.fresh_size() for _ in range(length)]
        self.builder.match_cast(shape, ShapeStructInfo(tuple(sizes)))
        return list(sizes)

    def sizes_or_runtime(self, node: Node, index: int) -> list[Size]:
        """Return an input of integers as sizes: known ones, or symbolic ones that are known at run time."""
        array = node.array(index)
        if array is not None:
            return [as_size(size) for size in array.reshape(-1)]
        return self.runtime_sizes(
            node.tensor(index) if rank_of(node.value(index)) else R.reshape(node.tensor(index), [1])
        )

    def with_shape(self, tensor: RelaxExpr, hint: Sequence[Size | None] | None = None) -> RelaxExpr:
        """Return a tensor whose shape is known: new symbolic sizes stand for sizes that are not."""
        info = info_of(tensor)
        if info.extents is not None:
            return tensor
        if info.ndim < 0 and hint is None:
            raise ValueError("the number of its dimensions is not known")
        rank = info.ndim if info.ndim >= 0 else len(hint or ())
        sizes = hint if hint is not None and len(hint) == rank else [None] * rank
        shape = [self.fresh_size("n") if size is None else size for size in sizes]
        return self.builder.match_cast(tensor, TensorStructInfo(tuple(shape), info.dtype))

    def require_branches(self, node: Node) -> None:
        """Raise `RuntimeBranch` where a dataflow block is open."""
        if self.builder.current_block_is_dataflow():
            raise RuntimeBranch(place=node.place)
