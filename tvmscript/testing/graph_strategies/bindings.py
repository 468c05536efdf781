"""Draw bindings of a Relax function: variables, branches, blocks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from hypothesis import strategies as st

from tvmscript.ir.relax.base import RelaxExpr, StructInfo
from tvmscript.ir.relax.expr import DataTypeImm, If, PrimValue, SeqExpr, StringImm, Var
from tvmscript.ir.relax.function import Function
from tvmscript.ir.relax.struct_info import ObjectStructInfo, ShapeStructInfo, TensorStructInfo
from tvmscript.ir.relax.symbolic_shape import definable_tir_vars_in_struct_info
from tvmscript.ir.tir.var import Var as SizeVar
from tvmscript.testing.graph_strategies.calls import Calls
from tvmscript.testing.graph_strategies.values import DTYPES


class Drawer(Calls):
    """Draws a function: bindings, dataflow blocks, branches, nested functions."""

    def branch(self) -> RelaxExpr | None:
        """Draw an `if`."""
        conditions = [
            value
            for value in self.of(TensorStructInfo)
            if value.struct_info.dtype == "bool" and value.struct_info.ndim == 0
        ]
        if self.depth > 1 or self.builder.current_block_is_dataflow():
            return None
        cond = self.one(conditions) if conditions else self.truth()
        return If(cond, self.body(), self.body())

    def body(self) -> SeqExpr:
        """Draw a sequence with its own bindings."""

        def fill() -> RelaxExpr:
            self.bindings(self.draw(st.integers(0, 2)))
            return self.builder.emit(self.one(self.values))

        return self._inside(lambda: self.builder.sequence(fill))

    def inner(self) -> RelaxExpr | None:
        """Draw a nested function."""
        if self.depth > 1 or self.builder.current_block_is_dataflow():
            return None
        param = Var(self.builder.get_unique_name("p"), TensorStructInfo(self.one([(), (2, 3)]), self.one(DTYPES)))

        def fill() -> RelaxExpr:
            self.values.append(param)
            self.bindings(self.draw(st.integers(0, 2)))
            return self.builder.emit(self.one(self.values))

        body = self._inside(lambda: self.builder.sequence(fill, (param,)))
        return Function((param,), body)

    def _inside(self, make_it: Callable[[], SeqExpr]) -> SeqExpr:
        values, sizes = self.values, self.sizes
        self.values, self.sizes, self.depth = list(values), list(sizes), self.depth + 1
        try:
            return make_it()
        finally:
            self.values, self.sizes, self.depth = values, sizes, self.depth - 1

    def bindings(self, count: int) -> None:
        for _ in range(count):
            self.binding()

    def binding(self) -> None:
        """Draw a binding or a dataflow block."""
        what = self.one([self.call] * 8 + self.forms)
        if what == self.cast:
            self.cast()
        elif what == self.dataflow:
            self.dataflow()
        else:
            value = what()
            if value is not None and value.struct_info is not None:
                self.values.append(self.builder.emit(value))

    @property
    def forms(self) -> list[Callable[[], Any]]:
        """The kinds of bindings besides operator calls."""
        return [
            self.constant, self.several, self.item, self.shape, self.cast, self.dataflow, self.packed,
            self.function_call, self.branch, self.inner, self.kernel, self.kernel_in_place, self.rearranged,
            self.placed, self.closure, self.shaped, lambda: PrimValue(self.number()),
            lambda: StringImm("text"), lambda: DataTypeImm(self.one(DTYPES)), lambda: self.one(self.values),
        ]  # fmt: skip

    def cast(self) -> None:
        """Draw a match_cast to stronger struct info, which may define a size."""
        value = self.one(self.values)
        info = value.struct_info
        new = SizeVar(self.builder.get_unique_name("k"), "int64")
        if isinstance(info, TensorStructInfo):
            cast_info: StructInfo = TensorStructInfo(
                self.extents(info.extents, info.ndim, new), info.dtype, vdevice=info.vdevice
            )
        elif isinstance(info, ShapeStructInfo):
            cast_info = ShapeStructInfo(self.extents(info.values, info.ndim, new))
        elif isinstance(info, ObjectStructInfo):
            cast_info = TensorStructInfo([new], self.one(DTYPES))
        else:
            return
        self.values.append(self.builder.match_cast(value, cast_info))
        if new in definable_tir_vars_in_struct_info(cast_info):
            self.sizes = [*self.sizes, new]

    def extents(self, old_extents: Sequence[Any] | None, ndim: int, new: SizeVar) -> tuple[Any, ...]:
        """Draw extents compatible with the known ones."""
        if old_extents is None:
            return tuple(self.one([new, *self.sizes, 2]) for _ in range(ndim if ndim >= 0 else 1))
        return tuple(self.one([new, extent]) for extent in old_extents)

    def dataflow(self) -> None:
        """Draw a dataflow block with at least one output."""
        if self.builder.current_block_is_dataflow():
            return
        outside = self.values
        self.values = list(outside)
        with self.builder.dataflow():
            self.bindings(self.draw(st.integers(0, 4)))
            outputs = [self.builder.emit_output(self.one(self.values)) for _ in range(self.draw(st.integers(1, 2)))]
        self.values = [*outside, *outputs]
