"""A share of the corpus that is small enough for every run of the tests.

Left out is what TVM prints as no Python (names such as `for`), and `if 0:`, which it prints and does not read.
"""

from __future__ import annotations

import te_schedules
from graph_models import models
from graph_operators import calls, layers, module_of, name_of
from graph_passes import lowered
from handmade import constants, statements
from lowering import on_gpu, steps
from store import Store
from te_operators import FAMILIES
from tir_schedules import Schedule, block_cases, loop_cases, memory_cases
from tvm import IRModule
from tvm import dlight as dl


def run(store: Store) -> None:
    """Every tenth operator, every fourth schedule, three ways down to code; graphs."""
    cases = [case for family in FAMILIES.values() for case in family()]
    for name, make in cases[::10]:
        if name == "stft":
            continue
        store.attempt("te", name, make)
    for name, make, schedule in [*loop_cases(), *memory_cases(), *block_cases()][::4]:
        made = Schedule(make())
        store.attempt("schedule", name, lambda s=made, apply=schedule: (apply(s), s.mod)[1])
    odd = [item for item in statements() if not item[0].startswith(("name-", "symbol-", "if-int"))]
    for name, program in [*list(constants())[::6], *odd[::4]]:
        store.attempt("handmade", name, lambda p=program: p)
    known = dict(cases)
    softmax = IRModule({"main": known["softmax"]().with_attr("global_symbol", "main")})
    store.attempt("llvm", "softmax", lambda: steps(softmax, "llvm"))
    store.attempt("cuda", "softmax", lambda: steps(on_gpu(softmax, dl.gpu.Reduction()), "cuda -arch=sm_80"))
    legacy = dict(te_schedules.cpu())
    store.attempt("legacy", "cached", lambda: te_schedules.lowered(legacy["cached"]))
    graphs(store)


#: operators that the oracle prints otherwise than TVM 0.17.0, or infers otherwise than we do
OTHERWISE = ("strided_slice", "cumsum", "cumprod", "scatter_elements", "assert_op", "invoke_closure", "clip")


def graphs(store: Store) -> None:
    """Every eightieth call of an operator, a model by the builder and one of nn on the way down."""
    cases = [case for case in [*calls.cases(), *layers.cases()][::80] if case[0] not in OTHERWISE]
    store.apart([("graph-operator", name_of(case), lambda c=case: module_of(c)) for case in cases])
    made = dict(models())
    for name in ("bb-mlp", "nn-gated"):
        model = store.attempt("graph-model", name, made[name])
        store.apart([("graph-lowering", name, lambda m=model: lowered(m))])
