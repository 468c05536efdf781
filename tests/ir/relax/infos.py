"""Struct info created by TVM's classes or ours, and the results of functions of struct info as JSON.

Run by `oracle.py exec` it prints TVM's answers; the tests compare them with those of `answers(ours)`.
"""

from __future__ import annotations

import json
from typing import Any

F32 = "float32"


class Made:
    """Variables, struct info and arguments of calls, built from one library's classes."""

    def __init__(self, relax: Any, var: Any, vdevice: Any, ndim_only: Any, opaque: Any) -> None:
        self.relax = relax
        self.n, self.m, self.k = n, m, k = [var(name, "int64") for name in "nmk"]
        shape, prim, tup = relax.ShapeStructInfo, relax.PrimStructInfo, relax.TupleStructInfo
        func, obj = relax.FuncStructInfo, relax.ObjectStructInfo()

        def tensor(*values: Any, dtype: str = F32) -> Any:
            return relax.TensorStructInfo(relax.ShapeExpr(list(values)), dtype)

        some = relax.TensorStructInfo(relax.Var("s", shape(ndim=2)), F32)
        cpu, gpu = vdevice("llvm"), vdevice("cuda")
        self.infos = [
            obj, prim("int64"), prim("int64", n), prim("int64", n + 1), prim(F32),
            shape(), shape(ndim=2), shape([n, 4]), shape([n + 1, 4]), shape([n, n]), shape([n, 5]), shape([4]),
            ndim_only(-1, ""), ndim_only(-1, F32), ndim_only(2, F32), tensor(n, 4), tensor(n, m), tensor(n, 5),
            tensor(4), tensor(n, 4, dtype="float16"), tensor(n, 4, dtype=""), some, tensor(),
            tensor(0), relax.TensorStructInfo(relax.ShapeExpr([n]), F32, vdevice=cpu), ndim_only(-1, F32, cpu),
            ndim_only(-1, F32, gpu), tensor(n + n, m * 2), tensor(n * 2, m + m),
            tup([]), tup([tensor(n, 4), shape()]), tup([tensor(n, m), shape([n])]), tup([prim("int64"), tup([obj])]),
            opaque(obj), opaque(tensor(3)), func([tensor(n, 4)], tensor(n, 4)), func([tensor(m, 4)], tensor(m, 4)),
            func([tensor(n, 4)], tensor(n, 4), False), func([ndim_only(2, F32)], ndim_only(2, F32)),
            func([obj, obj], obj), func([], obj), relax.ExternFunc("f").struct_info,
        ]  # fmt: skip
        self.erased = [
            (tensor(n, 4), {n: m}), (tensor(n, 4), {}), (tensor(n + 1, m), {n: n}), (tensor(n + 1, m), {n: m, m: k}),
            (tensor(n + m), {n: k, m: k}), (some, {}),
            (tup([tensor(n), tensor(m)]), {n: n}), (prim("int64", n + m), {n: n}),
            (prim("int64", n * 2), {n: m}), (shape([n, m]), {n: n}),
            (shape([n, m]), {n: n, m: m}), (func([tensor(m)], tensor(m)), {}), (obj, {n: n}), (tensor(4), {}),
        ]  # fmt: skip
        swap = func([tensor(n, m)], tensor(m, n))
        own = tensor(n, 4)
        both = func([tensor(n, m), tensor(m, n)], tensor(n + 1, m * n))
        double = func([tensor(n * 2), shape([n])], tensor(n + n))
        self.calls = [
            (swap, [tensor(k, 4)]), (swap, [tensor(k, k * 2)]), (swap, [ndim_only(2, F32)]),
            (swap, [ndim_only(-1, F32)]), (swap, [ndim_only(3, F32)]),
            (swap, [tensor(k, 4, dtype="float16")]), (swap, []), (swap, [obj]),
            (swap, [tensor(k, 4, dtype="")]), (swap, [tensor(k, 4), tensor(k, 4)]),
            (both, [tensor(k, 4), tensor(4, k)]), (both, [tensor(k, 4), tensor(k, k)]),
            (func([tensor(n * 2)], tensor(n)), [tensor(k * 2)]), (double, [tensor(k * 2), shape([k])]),
            (double, [tensor(k * 2), shape([k + 1])]), (func([prim("int64", n)], tensor(n)), [prim("int64", k + 1)]),
            (func([prim("int64", n)], tensor(n)), [prim("int64")]),
            (func([tup([tensor(n), tensor(m)])], tensor(n, m)), [tup([tensor(k), tensor(3)])]),
            (func([tensor(4)], tensor(n)), [tensor(4)]), (relax.ExternFunc("f").struct_info, [obj]),
            (opaque(tensor(3)), [obj]), (func([tensor(3, m)], tensor(m)), [tensor(k, 2)]),
            (func([tensor(3, m)], tensor(m)), [tensor(4, 2)]), (func([some], some), [tensor(k, 2)]),
            (func([shape([n, m])], tensor(n, m)), [shape(ndim=2)]), (func([own], own), [own]),
            (func([obj, own], tensor(n + 1)), [own, own]),
            (func([func([own], own), own], own), [func([own], own), own]),
        ]  # fmt: skip


def told(info: Any) -> Any:
    """Struct info as JSON."""
    kind = type(info).__name__
    if kind == "PrimStructInfo":
        return ["prim", str(info.dtype), None if info.value is None else str(info.value)]
    if kind == "ShapeStructInfo":
        return ["shape", int(info.ndim), None if info.values is None else [str(item) for item in info.values]]
    if kind == "TensorStructInfo":
        values = None if info.shape is None else getattr(info.shape, "values", None)
        shape = info.shape.name_hint if info.shape is not None and values is None else None
        device = None if info.vdevice is None else str(info.vdevice.target).split()[0]
        known = str(info.dtype) if str(info.dtype) != "void" else ""
        sizes = None if values is None else [str(item) for item in values]
        return ["tensor", int(info.ndim), known, device, shape or sizes]
    if kind == "TupleStructInfo":
        return ["tuple", [told(field) for field in info.fields]]
    if kind == "FuncStructInfo":
        params = None if info.params is None else [told(param) for param in info.params]
        return ["func", params, told(info.ret), bool(info.purity)]
    return ["object"]


def answers(made: Made, check: Any, common: Any, erase: Any, call: Any, variables: Any) -> dict[str, Any]:
    """What one library's functions make of everything; a common base that is one of the infos is its number."""
    infos = made.infos
    texts = [told(info) for info in infos]

    def numbered(info: Any) -> Any:
        text = told(info)
        return texts.index(text) if text in texts else text

    return {
        "infos": texts,
        "check": [[int(check(base, info)) for info in infos] for base in infos],
        "common": [[numbered(common(left, right)) for right in infos] for left in infos],
        "erase": [told(erase(info, dict(values))) for info, values in made.erased],
        "call": [call(func, args) for func, args in made.calls],
        "variables": [[str(var) for var in variables(info)] for info in infos],
    }


def of_tvm() -> dict[str, Any]:
    """TVM's answers."""
    from tvm import TVMError, ir, relax, tir  # pyright: ignore[reportMissingImports]

    def ndim_only(ndim: int, dtype: str, device: Any = None) -> Any:
        return relax.TensorStructInfo(None, dtype, ndim=ndim, vdevice=device)

    made = Made(relax, tir.Var, ir.VDevice, ndim_only, lambda ret: relax.FuncStructInfo.opaque_func(ret=ret))

    def call(func: Any, args: list[Any]) -> Any:
        node = relax.Call(relax.Var("f", func), [relax.Var("x", arg) for arg in args])
        try:
            return told(relax.analysis.derive_call_ret_struct_info(func, node, relax.BlockBuilder()))
        except TVMError:
            return "refused"

    known = relax.analysis
    return answers(
        made,
        known.struct_info_base_check,
        known.struct_info_lca,
        known.erase_to_well_defined,
        call,
        known.definable_tir_vars_in_struct_info,
    )


if __name__ == "__main__":
    print("ANSWERS" + json.dumps(of_tvm()))
