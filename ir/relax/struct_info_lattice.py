"""The lattice of struct info: the base check (partial order) and the join (least common ancestor)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import IntEnum
from typing import Any, ClassVar

from tvmscript.ir.core import VOID, structural_equal
from tvmscript.ir.relax.base import RelaxExpr, StructInfo, is_base_of
from tvmscript.ir.relax.distributed import DTensorStructInfo
from tvmscript.ir.relax.struct_info import (
    UNKNOWN_NDIM,
    FuncStructInfo,
    ObjectStructInfo,
    PrimStructInfo,
    ShapeStructInfo,
    TensorStructInfo,
    TupleStructInfo,
)
from tvmscript.ir.relax.symbolic_shape import provably_equal, shapes_provably_equal
from tvmscript.ir.tir import Expr, IntImm


class BaseCheckResult(IntEnum):
    """Result of a subtype check: whether `base` includes every value of `derived` (TVM's names)."""

    #: no value belongs to both
    FAIL_L0 = 0
    #: undecided: kind, dtype or rank of `derived` is unknown
    FAIL_L1 = 1
    #: undecided: kinds agree, but a value or a shape is unknown
    FAIL_L2 = 2
    #: every value of `derived` is a value of `base`
    PASS = 3


_L0, _L1, _L2, _PASS = BaseCheckResult


def _check_field(base: object, derived: object, unknown: object) -> BaseCheckResult:
    """Check one field (dtype, rank, device). An unknown field of `base` includes all values."""
    if base in (unknown, derived) or (unknown is None and structural_equal(base, derived)):
        return _PASS
    return _L1 if derived == unknown else _L0


class BaseCheck:
    """Check `derived` against `base`. A subclass may unify size variables."""

    #: whether size variables are unified, which requires a full check even of identical objects
    unifies: ClassVar[bool] = False

    def size(self, base: Expr, derived: Expr) -> BaseCheckResult:
        """Check whether two sizes are equal."""
        if isinstance(base, IntImm) and isinstance(derived, IntImm):
            return _PASS if base.value == derived.value else _L0
        return _PASS if provably_equal(base, derived) else _L2

    def variable(self, base: RelaxExpr, derived: RelaxExpr | None) -> BaseCheckResult:
        """Check a shape against a variable that holds a shape."""
        return _PASS if base is derived else _L2

    def check(self, base: StructInfo, derived: StructInfo) -> BaseCheckResult:
        """Check whether `base` includes every value of `derived`."""
        if isinstance(base, ObjectStructInfo) or (base is derived and not self.unifies):
            return _PASS
        if isinstance(derived, ObjectStructInfo):
            return _L1
        if type(base) is not type(derived):
            return _L0
        return self.rules[type(base)](self, base, derived)

    def _sizes(self, base: Sequence[Expr] | None, derived: Sequence[Expr] | None) -> BaseCheckResult:
        if base is None:
            return _PASS
        if derived is None:
            return _L2
        return min([_PASS, *[self.size(a, b) for a, b in zip(base, derived, strict=True)]])

    def _all(self, base: Sequence[StructInfo], derived: Sequence[StructInfo]) -> BaseCheckResult:
        if len(base) != len(derived):
            return _L0
        return min([_PASS, *[self.check(a, b) for a, b in zip(base, derived, strict=True)]])

    def _prim(self, base: PrimStructInfo, derived: PrimStructInfo) -> BaseCheckResult:
        if base.dtype is not derived.dtype:
            return _L0
        if base.value is None:
            return _PASS
        return _L2 if derived.value is None else self.size(base.value, derived.value)

    def _shape(self, base: ShapeStructInfo, derived: ShapeStructInfo) -> BaseCheckResult:
        rank = _check_field(base.ndim, derived.ndim, UNKNOWN_NDIM)
        return rank if rank is not _PASS else self._sizes(base.values, derived.values)

    def _tensor(self, base: TensorStructInfo, derived: TensorStructInfo) -> BaseCheckResult:
        facts = min(
            _check_field(base.dtype, derived.dtype, VOID),
            _check_field(base.ndim, derived.ndim, UNKNOWN_NDIM),
            _check_field(base.vdevice, derived.vdevice, None),
        )
        if facts is not _PASS or base.shape is None:
            return facts
        if base.shape.is_name:
            return self.variable(base.shape, derived.shape)
        return self._sizes(base.extents, derived.extents)

    def _dtensor(self, base: DTensorStructInfo, derived: DTensorStructInfo) -> BaseCheckResult:
        return min(
            _PASS if structural_equal(base.device_mesh, derived.device_mesh) else _L1,
            _PASS if structural_equal(base.placement, derived.placement) else _L1,
            self.check(base.tensor_sinfo, derived.tensor_sinfo),
        )

    def _tuple(self, base: TupleStructInfo, derived: TupleStructInfo) -> BaseCheckResult:
        return self._all(base.fields, derived.fields)

    def _func(self, base: FuncStructInfo, derived: FuncStructInfo) -> BaseCheckResult:
        if base.purity and not derived.purity:
            return _L0
        if base.params is None:
            if base.derive_func is None:
                return self.check(base.ret, derived.ret)
            return _PASS if base.derive_func == derived.derive_func else _L2
        if derived.params is None:
            return _L2
        # each function binds its own size variables: structural equality maps them
        if structural_equal(base, derived.replace(purity=base.purity)):
            return _PASS
        return min(self._all(base.params, derived.params), self.check(base.ret, derived.ret))

    rules: ClassVar[dict[type, Callable[..., BaseCheckResult]]] = {
        PrimStructInfo: _prim,
        ShapeStructInfo: _shape,
        TensorStructInfo: _tensor,
        DTensorStructInfo: _dtensor,
        TupleStructInfo: _tuple,
        FuncStructInfo: _func,
    }


def struct_info_base_check(base: StructInfo, derived: StructInfo) -> BaseCheckResult:
    """Check whether `base` includes every value of `derived`. As in TVM, parameters of functions are covariant."""
    return BaseCheck().check(base, derived)


def _is_base_of(base: StructInfo, derived: StructInfo) -> bool:
    return struct_info_base_check(base, derived) is BaseCheckResult.PASS


is_base_of.fill(_is_base_of)


def has_known_shapes(info: StructInfo | None) -> bool:
    """Return whether a value is made of tensors and shapes of known extents, and of scalars."""
    if isinstance(info, TensorStructInfo):
        return info.extents is not None
    if isinstance(info, ShapeStructInfo):
        return info.values is not None
    if isinstance(info, TupleStructInfo):
        return all(map(has_known_shapes, info.fields))
    return isinstance(info, PrimStructInfo)


def struct_info_lca(left: StructInfo, right: StructInfo) -> StructInfo:
    """Return the join: the most precise struct info that includes the values of both, `left` itself where possible.

    Unlike TVM, the value of two different scalars and the purity of two equal functions are joined too.
    """
    if left is right:
        return left
    if type(left) is not type(right):
        return ObjectStructInfo()
    rule = _JOINS.get(type(left))
    return ObjectStructInfo() if rule is None else rule(left, right)


def _join_prim(left: PrimStructInfo, right: PrimStructInfo) -> StructInfo:
    if left.dtype is not right.dtype:
        return ObjectStructInfo()
    if left.value is None or (right.value is not None and provably_equal(left.value, right.value)):
        return left
    return PrimStructInfo(left.dtype)


def _join_shape(left: ShapeStructInfo, right: ShapeStructInfo) -> StructInfo:
    ndim = left.ndim if left.ndim == right.ndim else UNKNOWN_NDIM
    if left.ndim == ndim and (left.values is None or shapes_provably_equal(left.values, right.values)):
        return left
    return ShapeStructInfo(ndim=ndim)


def _join_tensor(left: TensorStructInfo, right: TensorStructInfo) -> StructInfo:
    dtype = left.dtype if left.dtype is right.dtype else VOID
    ndim = left.ndim if left.ndim == right.ndim else UNKNOWN_NDIM
    vdevice = left.vdevice if _check_field(left.vdevice, right.vdevice, None) is _PASS else None
    shape = left.shape if left.shape is right.shape or shapes_provably_equal(left.extents, right.extents) else None
    if (dtype, ndim, vdevice, shape) == (left.dtype, left.ndim, left.vdevice, left.shape):
        return left
    return TensorStructInfo(shape, dtype, ndim, vdevice)


def _join_dtensor(left: DTensorStructInfo, right: DTensorStructInfo) -> StructInfo:
    same = structural_equal((left.device_mesh, left.placement), (right.device_mesh, right.placement))
    tensor = struct_info_lca(left.tensor_sinfo, right.tensor_sinfo)
    if not same or not isinstance(tensor, TensorStructInfo):
        return ObjectStructInfo()
    return left.rebuild(tensor_sinfo=tensor)


def _join_tuple(left: TupleStructInfo, right: TupleStructInfo) -> StructInfo:
    fields = _join_fields(left.fields, right.fields)
    if fields is None:
        return ObjectStructInfo()
    return left if fields == left.fields else TupleStructInfo(fields)


def _join_fields(left: Sequence[StructInfo], right: Sequence[StructInfo]) -> tuple[StructInfo, ...] | None:
    if len(left) != len(right):
        return None
    return tuple(struct_info_lca(a, b) for a, b in zip(left, right, strict=True))


def _join_func(left: FuncStructInfo, right: FuncStructInfo) -> StructInfo:
    purity = left.purity and right.purity
    if structural_equal(left, right.replace(purity=left.purity)):
        return left if left.purity == purity else left.replace(purity=purity)
    if left.derive_func != right.derive_func:
        return FuncStructInfo(None, ObjectStructInfo(), purity)
    params = None
    if left.params is not None and right.params is not None:
        params = _join_fields(left.params, right.params)
    return FuncStructInfo(params, struct_info_lca(left.ret, right.ret), purity)


_JOINS: dict[type, Callable[[Any, Any], StructInfo]] = {
    PrimStructInfo: _join_prim,
    ShapeStructInfo: _join_shape,
    TensorStructInfo: _join_tensor,
    DTensorStructInfo: _join_dtensor,
    TupleStructInfo: _join_tuple,
    FuncStructInfo: _join_func,
}
