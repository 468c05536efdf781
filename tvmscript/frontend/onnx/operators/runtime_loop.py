"""Loops whose number of steps is known at run time, as recursive functions of the graph."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from tvmscript.frontend.onnx.context import Context
from tvmscript.frontend.onnx.node import Node
from tvmscript.frontend.onnx.values import (
    Known,
    Size,
    Value,
    as_size,
    dtype_of,
    info_of,
    shape_expr,
    sizes_of,
    tensor_of,
)
from tvmscript.ir.core import GlobalVar
from tvmscript.ir.relax.base import RelaxExpr, StructInfo
from tvmscript.ir.relax.expr import Call, Constant, If, SeqExpr, Tuple, Var
from tvmscript.ir.relax.function import Function
from tvmscript.ir.relax.struct_info import ShapeStructInfo, TensorStructInfo, TupleStructInfo
from tvmscript.ir.relax.symbolic_shape import size_vars, tir_vars_in_struct_info
from tvmscript.ir.tir import Expr, substitute
from tvmscript.ir.tir import Var as SizeVar
from tvmscript.language import R

#: place, whether to go on, carried values, names around the graph -> whether to go on, carried and collected values
Step = Callable[
    [RelaxExpr, RelaxExpr, Sequence[Value], Mapping[str, Value]], tuple[RelaxExpr, list[Value], list[Value]]
]


class RuntimeLoop:
    """A loop of a graph as a function that calls itself: `loop(place, limit, going, carried, collected, outer)`."""

    def __init__(self, context: Context, node: Node, body: Any, extra: Sequence[RelaxExpr] = ()) -> None:
        self.context = context
        self.node = node
        context.bind_outer(body)
        #: values around the graph that it uses
        self.outer = context.outer_values(body)
        self.extra = list(extra)
        #: the extra values as the function sees them
        self.extra_inside: list[RelaxExpr] = []
        self._copies: dict[Any, SizeVar] = {}

    def results(self, limit: RelaxExpr, going: RelaxExpr, carried: list[RelaxExpr], step: Step) -> list[Value]:
        """Return the carried values after the last step, then the collected ones."""
        emit = self.context.emit
        carried = [emit(value) for value in carried]
        shapes = [list(sizes_of(value)) for value in carried]
        collected, shapes = self._settled(carried, shapes, step)
        dtypes = [dtype_of(value) for value in carried]
        infos = [self._info(shape, dtype) for shape, dtype in zip(shapes, dtypes, strict=True)]
        empty = [emit(R.zeros(shape_expr([0, *shape]), dtype)) for shape, dtype in collected]
        infos += [self._info([None, *shape], dtype) for shape, dtype in collected]
        outer = [emit(tensor_of(value)) for value in self._outer_tensors()]
        function = self._function(infos, outer, len(carried), step)
        arguments = [R.const(0, "int64"), emit(limit), emit(going), *carried, *empty, *outer, *self._sizes_argument()]
        result = self.context.builder.emit(Call(function, arguments))
        return [self.context.with_shape(emit(result[index])) for index in range(len(infos))]

    # ---- shapes

    def _settled(self, carried: list[RelaxExpr], shapes: list[list[Size | None]], step: Step) -> Any:
        """Return shapes and dtypes of collected values, and shapes of carried ones: None for sizes that change."""
        collected: list[tuple[list[Size], str]] = []

        def attempt() -> RelaxExpr:
            inside = [
                self.context.builder.match_cast(value, self._info(shape, dtype_of(value))) if None in shape else value
                for value, shape in zip(carried, shapes, strict=True)
            ]
            self.extra_inside = self.extra
            _, new, scanned = step(R.const(0, "int64"), R.const(True, "bool"), inside, self.outer)
            for shape, value in zip(shapes, new, strict=True):
                for axis, size in enumerate(sizes_of(value)):
                    if shape[axis] is not None and str(shape[axis]) != str(size):
                        shape[axis] = None
            collected[:] = [(sizes_of(value), dtype_of(value)) for value in scanned]
            return Tuple(())

        before = None
        while before != str(shapes):
            before = str(shapes)
            self.context.builder.sequence(attempt)
        return collected, shapes

    def _info(self, shape: Sequence[Size | None], dtype: str) -> TensorStructInfo:
        return TensorStructInfo(tuple(self.context.fresh_size("n") if size is None else size for size in shape), dtype)

    def _copied(self, info: StructInfo) -> StructInfo:
        """Return struct info with sizes of the function's own."""
        if not isinstance(info, TensorStructInfo):
            return info
        return TensorStructInfo(tuple(self._copy(size) for size in info.extents or ()), info.dtype)

    def _copy(self, size: Expr) -> Expr:
        for var in size_vars(size):
            if var not in self._copies:
                self._copies[var] = SizeVar(var.name, var.dtype)
        return substitute(size, self._copies)

    # ---- values around

    def _outer_tensors(self) -> list[Value]:
        """Return the values around that become parameters: constants do not."""
        return [value for value in self.outer.values() if self._is_param(value)] + list(self.extra)

    def _is_param(self, value: Value) -> bool:
        return isinstance(value, RelaxExpr) and not isinstance(value, Constant)

    def _sizes_argument(self) -> list[RelaxExpr]:
        return [R.shape(list(self._copies))] if self._copies else []

    # ---- the function

    def _function(self, infos: list[TensorStructInfo], outer: list[RelaxExpr], carried: int, step: Step) -> GlobalVar:
        builder = self.context.builder
        for value in self.outer.values():
            if isinstance(value, Known):
                for size in value.array.reshape(-1):
                    self._copy(size) if isinstance(size, Expr) else None
        scalars = [
            Var(name, TensorStructInfo((), dtype))
            for name, dtype in (("place", "int64"), ("limit", "int64"), ("going", "bool"))
        ]
        state = [Var(f"state_{index}", self._copied(info)) for index, info in enumerate(infos)]
        around = [Var(f"outer_{index}", self._copied(info_of(value))) for index, value in enumerate(outer)]
        own = {var for param in state for var in tir_vars_in_struct_info(param.struct_info)}  # type: ignore[arg-type]  # tensors
        self._drop_own_sizes(infos)
        sizes = [Var("sizes", ShapeStructInfo(tuple(self._copies.values())))] if self._copies else []
        params = (*scalars, *state, *around, *sizes)
        del own
        ret = TupleStructInfo(tuple(_erased(info) for info in infos))
        name = f"loop_{self.context.builder.get_unique_name('step')}"
        stub = Function(params, SeqExpr((), Tuple(tuple(state))), ret, True, {"stub": name})
        function = builder.add_func(stub, "loop")
        inner = dict(self.outer)
        names = [name for name, value in self.outer.items() if self._is_param(value)]
        inner.update(zip(names, around, strict=False))
        for name, value in self.outer.items():
            if isinstance(value, Known):
                inner[name] = self._known_inside(value)
        self.extra_inside = list(around[len(names) :])
        place, limit, going = scalars

        def advance() -> RelaxExpr:
            cond, values, scanned = step(place, going, state[:carried], inner)
            collected = [
                R.concat((old, R.expand_dims(tensor_of(new), [0])), axis=0)
                for old, new in zip(state[carried:], scanned, strict=True)
            ]
            after = [self.context.emit(tensor) for tensor in [*map(tensor_of, values), *collected]]
            following = self.context.emit(R.add(place, R.const(1, "int64")))
            shape = [R.shape(list(self._copies.values()))] if sizes else []
            flag = self.context.emit(R.reshape(cond, shape_expr([])))
            return Call(function, [following, limit, flag, *after, *around, *shape])

        def body() -> RelaxExpr:
            is_going = self.context.emit(R.logical_and(R.less(place, limit), going))
            stay = builder.sequence(lambda: Tuple(tuple(state)))
            return builder.emit(If(is_going, builder.sequence(advance), stay))

        sequence = builder.sequence(body, params)
        builder.update_func(function, Function(params, sequence, ret, True, {}))
        return function

    def _drop_own_sizes(self, infos: list[TensorStructInfo]) -> None:
        """Forget sizes that are those of carried values alone: each step has others."""
        for info in infos:
            for var in tir_vars_in_struct_info(info):
                if var.name.startswith("n_") and not any(
                    var in tir_vars_in_struct_info(info_of(tensor_of(value))) for value in self._outer_tensors()
                ):
                    self._copies.pop(var, None)

    def _known_inside(self, value: Known) -> Known:
        array = value.array.copy()
        flat = array.reshape(-1)
        for index, size in enumerate(flat):
            flat[index] = as_size(self._copy(size)) if isinstance(size, Expr) else size
        return Known(array, value.dtype)


def _erased(info: TensorStructInfo) -> TensorStructInfo:
    """Return struct info without symbolic sizes."""
    extents = [as_size(size) for size in info.extents or ()]
    if all(isinstance(size, int) for size in extents):
        return info
    return TensorStructInfo(None, info.dtype, ndim=len(extents))
