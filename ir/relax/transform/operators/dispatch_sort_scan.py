"""DispatchSortScan: kernels of sorts and scans."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from tvmscript.ir.core import IRModule
from tvmscript.ir.relax.builder import BlockBuilder
from tvmscript.ir.relax.expr import Call
from tvmscript.ir.relax.struct_info import TensorStructInfo
from tvmscript.ir.relax.transform.operators.common.replace_by_kernels import Kernels, replace_by_kernels
from tvmscript.ir.topi import scan, sort
from tvmscript.ir.transform.base import Pass


def _sort(builder: BlockBuilder, call: Call) -> Call:
    return builder.call_te(sort.sort, call.args[0], call.attrs["axis"], not call.attrs["descending"])


def _argsort(builder: BlockBuilder, call: Call) -> Call:
    attrs, info = call.attrs, call.struct_info
    assert isinstance(info, TensorStructInfo)
    options: dict[str, Any] = {"axis": attrs["axis"], "is_ascend": not attrs["descending"], "dtype": str(info.dtype)}
    return builder.call_te(sort.argsort, call.args[0], **options)


def _topk(builder: BlockBuilder, call: Call) -> Call:
    attrs = call.attrs
    options: dict[str, Any] = {
        "k": attrs["k"],
        "axis": attrs["axis"],
        "ret_type": attrs["ret_type"],
        "is_ascend": not attrs["largest"],
        "dtype": str(attrs["dtype"]),
    }
    return builder.call_te(sort.topk, call.args[0], **options)


def _cumsum(builder: BlockBuilder, call: Call) -> Call:
    return builder.call_te(scan.cumsum, call.args[0], **_scan_options(call))


def _cumprod(builder: BlockBuilder, call: Call) -> Call:
    return builder.call_te(scan.cumprod, call.args[0], **_scan_options(call))


def _scan_options(call: Call) -> dict[str, Any]:
    info = call.struct_info
    assert isinstance(info, TensorStructInfo)
    return {"axis": call.attrs["axis"], "dtype": str(info.dtype), "exclusive": bool(call.attrs["exclusive"])}


_KERNELS: Final[Kernels] = {
    "relax.argsort": _argsort,
    "relax.cumprod": _cumprod,
    "relax.cumsum": _cumsum,
    "relax.sort": _sort,
    "relax.topk": _topk,
}


@dataclass(frozen=True)
class DispatchSortScan(Pass):
    """Replace sort, argsort, topk, cumsum and cumprod by calls of kernels.

    rewrite:
        y = R.sort(x)  -->  y = R.call_tir(cls.sort, (x,), out_sinfo=R.Tensor((4,), "float32"))
    """

    name = "relax.DispatchSortScan"

    def run(self, mod: IRModule) -> IRModule:
        return replace_by_kernels(mod, _KERNELS)
