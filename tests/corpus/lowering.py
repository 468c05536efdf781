"""Operators through every pass of the build: for LLVM, C and, with dlight's GPU rules, CUDA."""

from __future__ import annotations

from typing import Any

import tvm
from store import Recorder, Store
from te_operators import FAMILIES
from tvm import dlight as dl

CHOSEN = [
    "add-broadcast",
    "sqrt-dynamic",
    "sum-int32",
    "argmax-1-False",
    "sum-1-False",
    "softmax",
    "softmax-dynamic",
    "argmax-tuple",
    "cast-float16",
    "arithmetic-bfloat16",
    "arithmetic-float16",
    "arithmetic-e4m3_float8",
    "arithmetic-uint8",
    "isnan",
    "floor_mod-int32",
    "where",
    "erf",
    "clip",
    "conv2d-nchw-1-1-1",
    "conv2d-int8",
    "depthwise-nchw",
    "conv1d-ncw",
    "conv3d-ncdhw",
    "winograd-nchw",
    "pool2d-max",
    "pool2d-avg",
    "adaptive-pool-max",
    "dense",
    "dense-dynamic",
    "batch-matmul",
    "matmul",
    "einsum",
    "layer-norm",
    "layer-norm-half",
    "rms-norm",
    "batch-norm",
    "group-norm",
    "transpose",
    "transpose-dynamic",
    "concatenate",
    "split",
    "take",
    "gather-nd",
    "strided-slice",
    "dynamic-strided-slice",
    "one-hot",
    "scatter-elements-add",
    "cumsum-False",
    "argsort",
    "topk-both",
    "searchsorted",
    "dft",
    "resize2d-linear-half_pixel",
    "resize2d-cubic-align_corners",
    "extern",
    "builder",
    "outputs",
    "scalar",
    "sixty_four",
    "conditions",
    "shifted",
    "size_vars",
    "scalars",
    "libdevice",
]

CUDA = "cuda -arch=sm_80"


def steps(module: Any, target: str, config: dict[str, Any] | None = None) -> dict[str, Any]:
    """The module after every pass of a build."""
    recorder = Recorder()
    with tvm.transform.PassContext(opt_level=3, instruments=[recorder.instrument], config=config or {}):
        try:
            tvm.build(module, target=target)
        except Exception:
            if len(recorder.steps) < 5:
                raise
    return recorder.steps


def on_gpu(module: Any, *rules: Any) -> Any:
    """The module scheduled by dlight's rules."""
    with tvm.target.Target(CUDA):
        return dl.ApplyDefaultSchedule(*rules, dl.gpu.Fallback())(module)


def run(store: Store) -> None:
    """Every chosen operator, to three targets."""
    cases = dict(case for family in FAMILIES.values() for case in family())
    rules = {rule: getattr(dl.gpu, rule) for rule in ("Matmul", "GEMV", "Reduction", "GeneralReduction", "Transpose")}
    for name in CHOSEN:
        func = store.attempt("lowering-input", name, cases[name])
        if func is None:
            continue
        module = tvm.IRModule({"main": func.with_attr("global_symbol", "main")})
        store.attempt("lowering-llvm", name, lambda m=module: steps(m, "llvm"))
        store.attempt("lowering-llvm-unroll", name, lambda m=module: steps(
            m, "llvm -mcpu=skylake-avx512", {"tir.UnrollLoop": {"auto_max_step": 8}, "tir.instrument_bound_checkers": True}))  # fmt: skip
        store.attempt("lowering-c", name, lambda m=module: steps(m, "c"))
        for rule, make in rules.items():
            store.attempt("dlight", f"{name}-{rule}", lambda m=module, r=make: on_gpu(m, r()))
        scheduled = store.attempt("dlight", f"{name}-default", lambda m=module: on_gpu(
            m, dl.gpu.Matmul(), dl.gpu.GEMV(), dl.gpu.Reduction(), dl.gpu.GeneralReduction(), dl.gpu.Transpose()))  # fmt: skip
        if scheduled is not None:
            store.attempt("lowering-cuda", name, lambda m=scheduled: steps(m, CUDA))
