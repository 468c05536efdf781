"""Every operator of the graph level on many shapes: a function of one call for each case that the tests of `ir/relax/op` have."""

from __future__ import annotations

import sys
from functools import reduce
from pathlib import Path
from typing import Any

import tvm
from store import Store
from tvm import relax, tir
from tvm.relax.op import distributed as distributed
from tvm.relax.op import vm as vm

sys.path.insert(0, str(Path(__file__).parents[2]))

from tests.ir.relax.op import calls, layers


def kernel() -> Any:
    """The function of the tensor level that `@f` stands for."""
    a, b = (tir.decl_buffer((2, 3), "float32", name) for name in "ab")
    store = tir.BufferStore(b, tir.BufferLoad(a, [0, 0]), [0, 0])
    return tir.PrimFunc([a.data, b.data], store, buffer_map={a.data: a, b.data: b})


class Made(layers.Made):
    """Arguments of TVM; `@f` is the kernel of the module that is made."""

    def __init__(self, callee: Any) -> None:
        super().__init__(
            relax, tir.Var, lambda ndim, dtype: relax.TensorStructInfo(None, dtype, ndim=ndim), relax.Tuple
        )
        self.callee = callee

    def value(self, argument: Any) -> Any:
        return self.callee if argument == "@f" else super().value(argument)


def call_of(case: calls.Case, made: Made) -> Any:
    """The call that a case describes."""
    name = case[0]
    if name.startswith("inspect."):
        return made.call(case, lambda *args: relax.Call(tvm.ir.Op.get(f"relax.{name}"), list(args)))
    if name == "einsum" and not case[1][0]:
        return relax.op.einsum(relax.Tuple([]), case[1][1])
    return made.call(case, reduce(getattr, name.split("."), relax.op))


def function_of(call: Any, shapes: list[Any], builder: Any) -> Any:
    """A function that makes the call with parameters for all that the call needs: `shapes` are those of tensors."""
    value = builder.normalize(call)
    inputs = list(dict.fromkeys([*shapes, *relax.analysis.free_vars(value)]))
    made = relax.Var("y", value.struct_info)
    # TVM prints no name for a value that is nothing
    result = relax.Tuple([]) if is_nothing(value.struct_info) else made
    is_pure = not isinstance(value.op, tvm.ir.Op) or bool(value.op.get_attr("FPurity"))
    body = relax.SeqExpr([relax.BindingBlock([relax.VarBinding(made, value)])], result)
    sizes = relax.analysis.free_symbolic_vars(relax.Function(inputs, body, value.struct_info, is_pure))
    if sizes:
        inputs.append(relax.Var("sizes", relax.ShapeStructInfo(sizes)))
    sizes = relax.analysis.defined_symbolic_vars(relax.Function(inputs, body, value.struct_info, is_pure))
    info = relax.analysis.erase_to_well_defined(value.struct_info, {size: size for size in sizes})
    return relax.Function(inputs, body, info, is_pure)


def is_nothing(info: Any) -> bool:
    """Whether a value is the empty tuple."""
    return isinstance(info, relax.TupleStructInfo) and not info.fields


def module_of(case: calls.Case) -> Any:
    """A module whose `main` is the call of a case."""
    builder = relax.BlockBuilder()
    callee = builder.add_func(kernel(), "f") if "@f" in str(case[1]) else None
    made = Made(callee)
    call = call_of(case, made)
    func = function_of(call, list(made.shapes.values()), builder)
    builder.add_func(func.with_attr("global_symbol", "main"), "main")
    return relax.transform.Normalize()(builder.get())


def name_of(case: calls.Case) -> str:
    """A name for the file."""
    return f"{case[0]}-{'-'.join(str(argument) for argument in [*case[1], *case[2].values()])}"[:100]


def legalized(case: calls.Case) -> Any:
    """What LegalizeOps makes of it."""
    with tvm.target.Target("llvm"):
        return relax.transform.LegalizeOps()(module_of(case))


def run(store: Store) -> None:
    """All cases that TVM takes; then what LegalizeOps makes of every fifth."""
    cases = [*calls.cases(), *layers.cases()]
    family = lambda case: "graph-operator-nn" if "." in case[0] else "graph-operator"  # noqa: E731
    store.apart([(family(case), name_of(case), lambda c=case: module_of(c)) for case in cases])
    store.apart([("graph-legalized", name_of(case), lambda c=case: legalized(c)) for case in cases[::5]])
