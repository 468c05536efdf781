"""Laws of passes that change what `main` takes, the precision it computes in, or that need options: `LAWS`.

Each runs a pass, and calls the result so that it computes what `main` computed before.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from tvmscript.ir.core import IRModule, nodes
from tvmscript.ir.relax.base import StructInfo
from tvmscript.ir.relax.expr import Call, DataflowBlock, VarBinding
from tvmscript.ir.relax.function import Function
from tvmscript.ir.relax.operator import Operator
from tvmscript.ir.relax.struct_info import TensorStructInfo, TupleStructInfo
from tvmscript.ir.relax.transform.operators.convert_layout import ConvertLayout
from tvmscript.ir.relax.transform.operators.to_mixed_precision import ToMixedPrecision
from tvmscript.ir.relax.transform.parameters.common.runtime_inputs import num_input
from tvmscript.ir.transform.registry import get_pass
from tvmscript.parser import from_source

#: runs a function of a module
Run = Callable[[IRModule, str, Sequence[Any]], list[Any]]


@dataclass(frozen=True)
class Outcome:
    """The result of a pass, and the values that it computes."""

    mod: IRModule
    values: list[Any]
    #: what the pass did wrong, None if nothing
    fault: str | None = None


#: module, arguments of `main`, choices, how to run a function
Law = Callable[[IRModule, Sequence[Any], random.Random, Run], Outcome]

_CONVOLUTION: Final = "relax.nn.conv2d"
_LAYOUTS: Final = ("NCHW", "NHWC", "HWNC", "CNHW")
_KERNEL_LAYOUTS: Final = ("OIHW", "OHWI", "HWIO", "IOHW")


def _split(mod: IRModule, arrays: Sequence[Any]) -> tuple[list[Any], list[Any]] | None:
    """Return the runtime inputs of `main`, and its weights; None where it does not say which are weights."""
    main = mod["main"]
    assert isinstance(main, Function)
    count = num_input(main, "main")
    return None if count is None else ([*arrays[:count]], [*arrays[count:]])


def _pack(info: StructInfo | None, values: Iterator[Any]) -> Any:
    """Return the next value of a tensor, or a tuple of as many as its fields take."""
    if isinstance(info, TupleStructInfo):
        return tuple([_pack(field, values) for field in info.fields])
    return next(values)


def _lift(mod: IRModule, arrays: Sequence[Any], rng: random.Random, run: Run) -> Outcome:
    """Compute the weights by the function that was split off, and hand them over."""
    after: IRModule = get_pass("relax.LiftTransformParams")(mod)
    parts = _split(mod, arrays)
    if parts is None:
        return Outcome(after, run(after, "main", arrays))
    inputs, weights = parts
    values = iter(run(after, "main_transform_params", [tuple(weights)]))
    lifted = [_pack(param.struct_info, values) for param in after["main"].params[len(inputs) :]]
    return Outcome(after, run(after, "main", [*inputs, *lifted]))


def _bundle(mod: IRModule, arrays: Sequence[Any], rng: random.Random, run: Run) -> Outcome:
    """Hand over the weights as a tuple."""
    after: IRModule = get_pass("relax.BundleModelParams")(mod)
    parts = _split(mod, arrays)
    return Outcome(after, run(after, "main", arrays if parts is None else [*parts[0], tuple(parts[1])]))


def _fetch_inputs(mod: IRModule, arrays: Sequence[Any], rng: random.Random, run: Run) -> Outcome:
    """Fetch weights by index and name; both must be those of the parameter."""
    after: IRModule = get_pass("relax.LazyGetInput")(mod)
    inputs, weights = _split(mod, arrays) or ([], [*arrays])
    names = [param.name_hint for param in mod["main"].params[len(inputs) :]]
    faults: list[str] = []

    def fetch(index: int, name: str) -> Any:
        if names[index] != name:
            faults.append(f"fetches weight {index} by the name {name} rather than {names[index]}")
        return weights[index]

    return Outcome(after, run(after, "main", [*inputs, fetch]), faults[0] if faults else None)


def _set_outputs(mod: IRModule, arrays: Sequence[Any], rng: random.Random, run: Run) -> Outcome:
    """Take the results by their index; each comes once."""
    after: IRModule = get_pass("relax.LazySetOutput")(mod)
    inputs, weights = _split(mod, arrays) or ([*arrays], [])
    results: list[tuple[int, Any]] = []
    run(after, "main", [*inputs, lambda index, value: results.append((index, value.numpy().copy())), *weights])
    results.sort(key=lambda result: result[0])
    is_complete = [index for index, _ in results] == [*range(len(results))]
    return Outcome(after, [value for _, value in results], None if is_complete else "sets a result twice or never")


def _mix_precision(mod: IRModule, arrays: Sequence[Any], rng: random.Random, run: Run) -> Outcome:
    """Compute the same graph in float32: what is cast must be what was there before."""
    after = ToMixedPrecision(rng.choice(("float32", "float16")))(mod)
    wide = from_source(after.script().replace("float16", "float32"))
    return Outcome(after, run(wide, "main", arrays), _wide_product(after))


def _wide_product(mod: IRModule) -> str | None:
    """Describe a call in a dataflow block whose operator always takes float16, and that takes something else."""
    for block in (part for func in mod.functions.values() for part in nodes(func) if isinstance(part, DataflowBlock)):
        for binding in block.bindings:
            call = binding.value if isinstance(binding, VarBinding) else None
            if isinstance(call, Call) and isinstance(call.op, Operator) and call.op.mixed_precision == "always":
                infos = [arg.struct_info for arg in call.args]
                if any(isinstance(info, TensorStructInfo) and str(info.dtype) != "float16" for info in infos):
                    return f"leaves a call of {call.op.script_name} in another precision"
    return None


def _convert_layout(mod: IRModule, arrays: Sequence[Any], rng: random.Random, run: Run) -> Outcome:
    data, kernel = rng.choice(_LAYOUTS), rng.choice(_KERNEL_LAYOUTS)
    result = rng.choice((data, *_LAYOUTS))
    after = ConvertLayout({_CONVOLUTION: [data, kernel, result]})(mod)
    fault = None
    for part in nodes(after):
        if isinstance(part, Call) and isinstance(part.op, Operator) and part.op.name == _CONVOLUTION:
            layouts = [part.attrs[name] for name in ("data_layout", "kernel_layout", "out_layout")]
            if layouts != [data, kernel, result]:
                fault = f"leaves a convolution in the layouts {layouts}"
    return Outcome(after, run(after, "main", arrays), fault)


#: the name of a pass -> its law
LAWS: Final[dict[str, Law]] = {
    "relax.LiftTransformParams": _lift,
    "relax.BundleModelParams": _bundle,
    "relax.LazyGetInput": _fetch_inputs,
    "relax.LazySetOutput": _set_outputs,
    "relax.ToMixedPrecision": _mix_precision,
    "relax.ConvertLayout": _convert_layout,
}
