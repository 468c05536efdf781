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
#: name -> steps: TVM's names, and `kernel_calls`
TABLES: Final[Mapping[str, tuple[Step, ...]]] = {
    "zero": ZERO,
    "kernel_calls": KERNEL_CALLS,
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
        raise UnknownName(kind="pipeline", name=name, hint=closest(name, {*TABLES, *_REGISTERED}))
    for key in options:
        if key != "enable_warning":
            raise UnknownName(kind=f"option of the pipeline {name}", name=key, hint="it has enable_warning")
    return Sequential(
        [
            get_pass(step.name, *step.arguments, **(options if step.name == "relax.LegalizeOps" else {}))
            for step in TABLES[name]
        ],
        name=name,
    )


def register_pipeline(name: str) -> Callable[[Callable[..., Pipeline]], Callable[..., Pipeline]]:
    """Return the decorator that registers a function `(**options) -> pipeline`. Raises `DuplicateName`."""
    if name in TABLES or name in _REGISTERED:
        raise DuplicateName(kind="pipeline", name=name)

    def register(function: Callable[..., Pipeline]) -> Callable[..., Pipeline]:
        _REGISTERED[name] = function
        return function

    return register


def get_default_pipeline(target: object = None) -> Pipeline:
    """Return the pipeline of `relax.build`, the same for all targets."""
    return get_pipeline("kernel_calls")
