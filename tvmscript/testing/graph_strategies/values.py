"""Draw struct info, and values that are no calls."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from hypothesis import strategies as st

from tvmscript.ir.core import DType
from tvmscript.ir.core.module import GlobalVar, VDevice
from tvmscript.ir.core.values.constant_data import pack
from tvmscript.ir.relax.base import RelaxExpr, StructInfo
from tvmscript.ir.relax.builder import BlockBuilder
from tvmscript.ir.relax.expr import Constant, ShapeExpr, Tuple, TupleGetItem, Var
from tvmscript.ir.relax.struct_info import (
    FuncStructInfo,
    ObjectStructInfo,
    PrimStructInfo,
    ShapeStructInfo,
    TensorStructInfo,
    TupleStructInfo,
)
from tvmscript.ir.tir import IntImm
from tvmscript.ir.tir.var import Var as SizeVar
from tvmscript.testing.strategies.choice import one_of

DTYPES = tuple(map(DType, ["float32", "float16", "int32", "int64", "bool", "int8", "uint8", "float64"]))


class Values:
    """Draws struct info, and values without calls, over the values drawn before."""

    def __init__(
        self,
        draw: st.DrawFn,
        builder: BlockBuilder,
        functions: Sequence[GlobalVar],
        devices: Sequence[VDevice | None] = (None,),
    ) -> None:
        self.draw = draw
        self.builder = builder
        self.functions = functions
        self.devices = devices
        self.values: list[RelaxExpr] = []
        self.sizes: list[SizeVar] = []
        self.depth = 0

    def one(self, items: Sequence[Any]) -> Any:
        """Draw one of several items; shrinks to the first."""
        return one_of(self.draw, items)

    def maybe(self) -> bool:
        return bool(self.draw(st.booleans()))

    def size(self) -> Any:
        """Draw a size: a constant, a variable, or an expression of them."""
        choices = [*range(5), *self.sizes]
        extent = self.one(choices)
        if self.sizes and self.draw(st.integers(0, 5)) == 5:
            return self.one(self.sizes) * self.one([2, 3]) + extent
        return extent

    def shape(self) -> ShapeExpr:
        return ShapeExpr([self.size() for _ in range(self.draw(st.integers(0, 3)))])

    def tensor(self) -> TensorStructInfo:
        return TensorStructInfo(self.shape(), self.one(DTYPES), vdevice=self.one(self.devices))

    def info(self) -> StructInfo:
        """Draw struct info of a parameter."""
        kinds: list[Callable[[], StructInfo]] = [
            self.tensor,
            self.tensor,
            self.tensor,
            lambda: TensorStructInfo(
                None, self.one([*DTYPES, DType("void")]), self.one([-1, 0, 2]), self.one(self.devices)
            ),
            lambda: ShapeStructInfo(tuple(self.shape().values)),
            lambda: ShapeStructInfo(ndim=self.one([-1, 0, 2])),
            lambda: TupleStructInfo((self.tensor(), self.tensor())),
            lambda: PrimStructInfo(self.one([DType("int64"), DType("float32")])),
            lambda: PrimStructInfo(DType("int64"), IntImm("int64", self.number())),
            lambda: FuncStructInfo(self.one([None, (self.tensor(),)]), self.tensor(), self.maybe()),
            ObjectStructInfo,
        ]
        struct_info: StructInfo = self.one(kinds)()
        return struct_info

    def params(self) -> list[Var]:
        """Draw parameters; the first ones define the symbolic sizes."""
        names = ("n", "m")[: self.draw(st.integers(0, 2))]
        self.sizes = [SizeVar(name, "int64") for name in names]
        infos: list[StructInfo] = [TensorStructInfo([size, 3][: self.one([2, 1])], "float32") for size in self.sizes]
        infos += [TensorStructInfo([2, 3], "float32"), *[self.info() for _ in range(self.draw(st.integers(0, 3)))]]
        variables = [Var("xyzuvw"[index], info) for index, info in enumerate(infos)]
        self.values += variables
        return variables

    def of(self, kind: type[StructInfo]) -> list[Any]:
        return [value for value in self.values if isinstance(value.struct_info, kind)]

    def tensor_value(self) -> RelaxExpr:
        value: RelaxExpr = self.one(self.of(TensorStructInfo) or self.values)
        return value

    def simple_tensors(self) -> list[RelaxExpr]:
        """The tensors of known shape and dtype."""
        tensors = self.of(TensorStructInfo)
        return [each for each in tensors if each.struct_info.extents is not None and each.struct_info.dtype != "void"]

    def number(self) -> Any:
        return self.one([1, 0, 2, -1])

    def constant(self) -> Constant:
        """Draw a constant tensor, possibly empty."""
        dtype = self.one(DTYPES[:4])
        shape = self.one([(), (3,), (2, 3), (0,)])
        count = 1
        for extent in shape:
            count *= extent
        numbers = st.integers(-2, 2) if dtype.is_integer else st.sampled_from([0.0, 1.0, -0.5])
        return Constant(pack([self.draw(numbers) for _ in range(count)], dtype, shape), dtype)

    def several(self) -> Tuple:
        return Tuple(tuple(self.one(self.values) for _ in range(self.draw(st.integers(0, 3)))))

    def item(self) -> RelaxExpr | None:
        """Draw an item of a tuple."""
        tuples = [value for value in self.of(TupleStructInfo) if value.struct_info.fields]
        if not tuples:
            return None
        held = self.one(tuples)
        return TupleGetItem(held, self.draw(st.integers(0, len(held.struct_info.fields) - 1)))

    def truth(self) -> RelaxExpr:
        return Constant(pack([1], DType("bool"), ()), DType("bool"))
