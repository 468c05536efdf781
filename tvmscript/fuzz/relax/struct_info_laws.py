"""Laws of the struct info lattice: order, join, erasure to a scope.

check_struct_info(random.Random(0))
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from typing import Any

from tvmscript.ir.core import VOID, DType, Target, structural_equal
from tvmscript.ir.core.module import VDevice
from tvmscript.ir.relax import struct_info as sinfo
from tvmscript.ir.relax.base import StructInfo
from tvmscript.ir.relax.infer_call import erase_to_well_defined
from tvmscript.ir.relax.struct_info_lattice import BaseCheckResult, struct_info_base_check, struct_info_lca
from tvmscript.ir.tir import IntImm
from tvmscript.ir.tir.var import Var as SizeVar

_DTYPES = tuple(map(DType, ("float32", "int8", "bool")))
_DEVICES = (VDevice(Target("llvm"), 0, "global"), VDevice(Target("cuda"), 0, "global"))
_N, _M = SizeVar("n", "int64"), SizeVar("m", "int64")


def struct_info(r: random.Random, depth: int = 2) -> StructInfo:
    """Draw struct info whose sizes are constants or expressions of n and m."""
    kind = r.choice(("tensor", "tensor", "tensor", "shape", "prim", *["tuple", "function"] * (depth > 0)))
    if kind == "tensor":
        return sinfo.TensorStructInfo(_sizes(r), r.choice(_DTYPES), vdevice=r.choice((None, *_DEVICES)))
    if kind == "shape":
        return sinfo.ShapeStructInfo(_sizes(r))
    if kind == "prim":
        return sinfo.PrimStructInfo(DType("int64"), r.choice((_N, _N + 1, IntImm("int64", 3))))
    if kind == "tuple":
        return sinfo.TupleStructInfo(tuple(struct_info(r, depth - 1) for _ in range(r.randint(1, 3))))
    params = tuple(sinfo.TensorStructInfo([2, r.randint(1, 3)], r.choice(_DTYPES)) for _ in range(r.randint(0, 2)))
    return sinfo.FuncStructInfo(params, struct_info(r, 0), r.choice((True, True, False)))


def _sizes(r: random.Random) -> Any:
    return [r.choice((1, 2, 3, _N, _M, _N * 2 + _M)) for _ in range(r.randint(0, 3))]


def wider(info: StructInfo) -> Iterator[tuple[str, StructInfo]]:
    """Yield weaker struct infos, each with the dropped fact."""
    yield "all", sinfo.ObjectStructInfo()
    if isinstance(info, sinfo.TensorStructInfo):
        yield "the shape", sinfo.TensorStructInfo(None, info.dtype, info.ndim, info.vdevice)
        yield "the rank", sinfo.TensorStructInfo(None, info.dtype, -1, info.vdevice)
        yield "the dtype", sinfo.TensorStructInfo(info.shape, VOID, vdevice=info.vdevice)
        if info.vdevice is not None:
            yield "the device", sinfo.TensorStructInfo(info.shape, info.dtype)
    elif isinstance(info, sinfo.ShapeStructInfo):
        yield "the sizes", sinfo.ShapeStructInfo(ndim=info.ndim)
        yield "the rank", sinfo.ShapeStructInfo(ndim=-1)
    elif isinstance(info, sinfo.PrimStructInfo):
        yield "the value", sinfo.PrimStructInfo(info.dtype)
    elif isinstance(info, sinfo.TupleStructInfo):
        for place, field in enumerate(info.fields):
            for words, less in wider(field):
                yield f"{words} of field {place}", sinfo.TupleStructInfo(_with(info.fields, place, less))
    elif isinstance(info, sinfo.FuncStructInfo) and info.params is not None:
        if info.purity:
            yield "the purity", info.replace(purity=False)
        for words, less in wider(info.ret):
            yield f"{words} of the result", info.replace(ret=less)


def _with(items: Sequence[StructInfo], place: int, item: StructInfo) -> tuple[StructInfo, ...]:
    return (*items[:place], item, *items[place + 1 :])


def others(info: StructInfo) -> Iterator[tuple[str, StructInfo]]:
    """Yield incompatible struct infos, each with the fact that differs."""
    yield (
        "the kind",
        sinfo.ShapeStructInfo(ndim=1)
        if not isinstance(info, sinfo.ShapeStructInfo)
        else sinfo.PrimStructInfo(DType("int8")),
    )
    if isinstance(info, sinfo.TensorStructInfo):
        other = next(dtype for dtype in _DTYPES if dtype is not info.dtype)
        yield "the dtype", sinfo.TensorStructInfo(info.shape, other, vdevice=info.vdevice)
        yield "the rank", sinfo.TensorStructInfo(None, info.dtype, info.ndim + 1, info.vdevice)
        if info.vdevice is not None:
            device = next(each for each in _DEVICES if each is not info.vdevice)
            yield "the device", sinfo.TensorStructInfo(info.shape, info.dtype, vdevice=device)
        for at, extent in enumerate(info.extents or ()):
            if isinstance(extent, IntImm):
                extents = [*info.extents[:at], extent.value + 5, *info.extents[at + 1 :]]  # type: ignore[index]
                yield f"extent {at}", sinfo.TensorStructInfo(extents, info.dtype, vdevice=info.vdevice)
    elif isinstance(info, sinfo.ShapeStructInfo):
        yield "the rank", sinfo.ShapeStructInfo(ndim=info.ndim + 1)
    elif isinstance(info, sinfo.TupleStructInfo):
        yield "the length", sinfo.TupleStructInfo((*info.fields, info.fields[0]))
        for place, field in enumerate(info.fields):
            for words, other_field in others(field):
                yield f"{words} of field {place}", sinfo.TupleStructInfo(_with(info.fields, place, other_field))


def check_struct_info(r: random.Random) -> None:
    """Raises an `AssertionError`."""
    info = struct_info(r)
    passes = BaseCheckResult.PASS
    assert struct_info_base_check(info, info) is passes, f"{info} is not {info}"
    assert structural_equal(struct_info_lca(info, info.replace()), info, map_free_vars=False), f"common to {info} twice"
    words, less = r.choice(list(wider(info)))
    assert struct_info_base_check(less, info) is passes, f"{info} is not {less}, which leaves out {words}"
    assert struct_info_base_check(info, less) is not passes, f"{less}, which leaves out {words}, is {info}"
    for common in (struct_info_lca(info, less), struct_info_lca(less, info)):
        assert structural_equal(common, less, map_free_vars=False), f"common to {info} and {less}: {common}"
    words, other = r.choice(list(others(info)))
    for pair in ((info, other), (other, info)):
        verdict = struct_info_base_check(*pair)
        assert verdict is BaseCheckResult.FAIL_L0, f"{verdict} of {pair[0]} and {pair[1]}, which differ in {words}"
        common = struct_info_lca(*pair)
        assert struct_info_base_check(common, info) is passes, f"{info} is not what it has in common: {common}"
        assert struct_info_base_check(common, other) is passes, f"{other} is not what it has in common: {common}"
    _check_erased(info, erase_to_well_defined(info))
    named = erase_to_well_defined(info, {_N: _M, _M: _M})
    assert struct_info_base_check(erase_to_well_defined(info), named) is passes, f"{info} without n: {named}"


def _check_erased(info: StructInfo, erased: StructInfo) -> None:
    """Check that erasing n and m drops exactly the sizes that use them."""
    assert struct_info_base_check(erased, info) is BaseCheckResult.PASS, f"{info} is not {erased}, which it is outside"
    if isinstance(info, sinfo.TensorStructInfo):
        assert isinstance(erased, sinfo.TensorStructInfo)
        are_numbers = all(isinstance(extent, IntImm) for extent in info.extents or ())
        expected = info if are_numbers else sinfo.TensorStructInfo(None, info.dtype, info.ndim, info.vdevice)
        assert structural_equal(erased, expected, map_free_vars=False), f"{info} is {erased} outside"
    elif isinstance(info, sinfo.TupleStructInfo):
        assert isinstance(erased, sinfo.TupleStructInfo)
        for field, part in zip(info.fields, erased.fields, strict=True):
            _check_erased(field, part)
