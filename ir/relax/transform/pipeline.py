"""Pipelines of graph passes: tables of steps, with the reason for each position, and functions that users register.

mod = get_pipeline("zero")(mod)

@register_pipeline("mine")
def mine(): return Sequential([LegalizeOps(), FoldConstant()])
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from tvmscript.ir.core import IRModule, UnknownName, closest
from tvmscript.ir.core.errors import DuplicateName
from tvmscript.ir.transform.base import Pass
from tvmscript.ir.transform.pipeline import Step
from tvmscript.ir.transform.registry import get_pass
from tvmscript.ir.transform.sequential import Sequential

Pipeline = Callable[[IRModule], IRModule]

ZERO: Final = (
    Step("relax.LegalizeOps", "the other steps read kernels"),
    Step("relax.AnnotateTIROpPattern", "fusion groups kernels by their patterns"),
    Step("relax.FoldConstant", "constants are not fused"),
    Step("relax.FuseOps", "kernels have patterns"),
    Step("relax.FuseTIR", "groups are functions"),
)
#: up to calls of kernels over values, which native code and the interpreter of graphs take
KERNEL_CALLS: Final = (
    Step("relax.LegalizeOps", "the machine calls kernels"),
    Step("relax.RewriteDataflowReshape", "a kernel that reshapes needs no memory"),
    Step("relax.ToNonDataflow", "memory is planned over whole functions"),
    Step("relax.RemovePurityChecking", "the following steps write into memory"),
)
_WITHOUT_COPIES: Final = Step("relax.RemoveMatmulBroadcast", "kernels would copy what products broadcast")
#: calls of fused kernels, for native code
DEFAULT: Final = (
    _WITHOUT_COPIES,
    Step("relax.FoldConstant", "operators on constants need no kernels"),
    *ZERO,
    *KERNEL_CALLS[1:],
)
#: what TVM tunes: kernels of inference, fused
STATIC_SHAPE_TUNING: Final = (
    Step("relax.DecomposeOpsForInference", "statistics of batch norms are weights"),
    Step("relax.CanonicalizeBindings", "decomposed operators leave tuples"),
    *ZERO,
)
#: the same for models, whose weights are constants
INFERENCE: Final = (
    _WITHOUT_COPIES,
    Step("relax.FuseAttention", "operators are whole"),
    Step("relax.FoldBatchNorm", "batch norms are whole, and their statistics constants"),
    *STATIC_SHAPE_TUNING,
    *KERNEL_CALLS[1:],
)
#: up to calls of kernels and builtins over explicit memory, which the interpreter of graphs takes
DEFAULT_BUILD: Final = (
    *KERNEL_CALLS,
    Step("relax.CallTIRRewrite", "memory is planned over allocations"),
    Step("relax.StaticPlanBlockMemory", "allocations are those of whole functions"),
    Step("relax.RewriteCUDAGraph", "allocations that are planned are static"),
    Step("relax.LowerAllocTensor", "allocations that are not planned have storage of their own"),
    Step("relax.KillAfterLastUse", "each tensor has its storage"),
    Step("relax.VMBuiltinLower", "lifetimes are operators of memory"),
    Step("relax.ComputePrimValue", "the next step stores scalars that are variables"),
    Step("relax.VMShapeLower", "sizes of allocations are those that the builtins take"),
    Step("relax.AttachGlobalSymbol", "the steps before add private kernels"),
)
#: name -> steps: TVM's names, `kernel_calls`, `default` and `inference`
TABLES: Final[Mapping[str, tuple[Step, ...]]] = {
    "zero": ZERO,
    "kernel_calls": KERNEL_CALLS,
    "default": DEFAULT,
    "static_shape_tuning": STATIC_SHAPE_TUNING,
    "inference": INFERENCE,
    "default_build": DEFAULT_BUILD,
}
_REGISTERED: Final[dict[str, Callable[..., Pipeline]]] = {}


def get_pipeline(name: str = "zero", **options: Any) -> Pipeline:
    """Return the pipeline of this name: `Sequential` of a table, or what a registered function returns.

    `options` are those of a registered function; the tables take `enable_warning`, for LegalizeOps. Raises
    `UnknownName`.
    """
    if name in _REGISTERED:
        return _REGISTERED[name](**options)
    if name not in TABLES:
        raise UnknownName(kind="pipeline", name=name, hint=closest(name, pipeline_names()))
    for key in options:
        if key != "enable_warning":
            raise UnknownName(kind=f"option of the pipeline {name}", name=key, hint="it has enable_warning")
    return Sequential(passes_of(name, **options), name=name)


def pipeline_names() -> set[str]:
    """Return the names of the tables and of registered pipelines."""
    return {*TABLES, *_REGISTERED}


def passes_of(name: str, **options: Any) -> list[Pass]:
    """Return the passes of a table; `options` are those of LegalizeOps."""
    return [
        get_pass(step.name, *step.arguments, **(options if step.name == "relax.LegalizeOps" else {}))
        for step in TABLES[name]
    ]


def register_pipeline(name: str) -> Callable[[Callable[..., Pipeline]], Callable[..., Pipeline]]:
    """Return the decorator that registers a function `(**options) -> pipeline`. Raises `DuplicateName`."""
    if name in TABLES or name in _REGISTERED:
        raise DuplicateName(kind="pipeline", name=name)

    def register(function: Callable[..., Pipeline]) -> Callable[..., Pipeline]:
        _REGISTERED[name] = function
        return function

    return register


def get_default_pipeline(target: object = None) -> Pipeline:
    """Return the pipeline of `tvmscript.compile`, the same for all targets: kernels are fused."""
    return get_pipeline("default")
