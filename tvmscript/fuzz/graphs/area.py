"""Fuzz passes over graphs: results are well-formed, read back, keep the values; gradients are those of differences."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import MISSING, dataclass, fields
from itertools import combinations
from typing import Any, Final

import numpy as np
from hypothesis import strategies as st

from tvmscript import graph_build
from tvmscript.fuzz.area import Area, Subjects
from tvmscript.fuzz.graphs.closures import LAMBDA_LIFT, Closures, check_closures
from tvmscript.fuzz.graphs.effects import EFFECTS
from tvmscript.fuzz.graphs.images import image_text
from tvmscript.fuzz.graphs.operator_values import TOLD, OperatorValues, check_values
from tvmscript.fuzz.graphs.programs import program_text, scalar_text
from tvmscript.fuzz.graphs.sharding_laws import PASSES as SHARDING
from tvmscript.fuzz.graphs.sharding_laws import compute_in_shards, sharded_text, without_annotations
from tvmscript.fuzz.graphs.signature_laws import LAWS
from tvmscript.fuzz.observing import observe
from tvmscript.ir.core import IRModule, TVMScriptError
from tvmscript.ir.core.equality.equal import structural_equal
from tvmscript.ir.relax.function import Function
from tvmscript.ir.relax.lowering.memory_plan import Lifetime, plan_memory
from tvmscript.ir.relax.struct_info import TensorStructInfo
from tvmscript.ir.relax.transform.pipeline import TABLES
from tvmscript.ir.relax.verify import verify
from tvmscript.ir.tir import IntImm
from tvmscript.ir.transform.options import default_of
from tvmscript.ir.transform.registry import get_pass, graph_pass_modules, pass_class
from tvmscript.parser import from_source
from tvmscript.testing.round_trip import check_round_trip


class GraphPassBroken(TVMScriptError, code="TS8072"):
    """A pass over graphs changes its input, the values of a graph, or the form of it; or a gradient is wrong."""

    message = "{name} {what}: {reason}"


@dataclass(frozen=True)
class Example:
    """A module of graphs, passes over it, and the seed of its inputs."""

    text: str
    passes: tuple[str, ...]
    #: whether to compile the result to native code as well
    is_native: bool = False
    seed: int = 0


#: passes that change what `main` takes or returns, or its precision: those with laws of their own, and others
OTHER_RESULTS: Final = {*LAWS, "relax.AttachGlobalSymbol", "relax.LazyTransformParams"}
#: folders of passes that can stand in any order; those over memory and of the virtual machine follow others
_FAMILIES: Final = ("normal_form", "operators", "fusion", "parameters")
_MEMORY: Final = tuple(step.name for step in TABLES["default_build"])
_FUSION: Final = tuple(step.name for step in TABLES["zero"])
#: passes in the order that one needs the other
PIPELINES: Final = (("relax.DataflowUseInplaceCalls", *_MEMORY), _FUSION, (*_FUSION, *_MEMORY[1:]))


def free_passes() -> list[str]:
    """Return the passes without required options that keep the signature of functions."""
    return [
        name
        for name, module in graph_pass_modules().items()
        if name not in OTHER_RESULTS
        and any(f".transform.{family}." in module for family in _FAMILIES)
        and all(default_of(each) is not MISSING for each in fields(pass_class(name)) if each.init)
    ]


def _names() -> list[str]:
    """Return the passes that examples have."""
    return sorted({_GRADIENT, *LAWS, *SHARDING, *free_passes(), *(name for pipeline in PIPELINES for name in pipeline)})


#: how often each kind of example is drawn: a pipeline takes some ten times as long as the others
_SHARES: Final = {
    "gradient": 6,
    "passes": 6,
    "signature": 3,
    "sharding": 2,
    "pipeline": 3,
    "operator": 20,
    "closures": 2,
}
#: passes that do nothing without convolutions
_OF_IMAGES: Final = {"relax.ConvertLayout", "relax.FoldBatchNorm", "relax.DecomposeOpsForInference"}
#: passes that normalize by the statistics of the batch: other values, if it is not trained
_OF_TRAINING: Final = {"relax.DecomposeOpsForTraining"}
#: operators, each of which is drawn as often as the others
#: the pass that calls of operators are drawn for
_LEGALIZE: Final = "relax.LegalizeOps"
#: the pass that scalar functions are drawn for
_GRADIENT: Final = "relax.Gradient"


def random_example(seed: int, only: tuple[str, ...] = ()) -> Example | OperatorValues | Closures:
    rng = random.Random(seed)
    name = rng.choice(only) if only else ""
    kind = rng.choices(list(_SHARES), list(_SHARES.values()))[0]
    if kind == "operator" and name in ("", _LEGALIZE):
        return OperatorValues(rng.choice(TOLD), seed)
    if name == LAMBDA_LIFT or (kind == "closures" and not name):
        return Closures(seed)
    if name == _GRADIENT or (kind == "gradient" and not name):
        return Example(scalar_text(rng), (_GRADIENT,), False, seed)
    if name in SHARDING or (kind == "sharding" and not name):
        return Example(sharded_text(rng), SHARDING, False, seed)
    is_image = name in _OF_IMAGES or rng.randrange(4) == 0
    text = image_text(rng) if is_image else program_text(rng)
    others = [each for each in free_passes() if not is_image or each not in _OF_TRAINING]
    if name in LAWS or (kind == "signature" and not name):
        chosen = name or rng.choice([*LAWS])
        return Example(image_text(rng) if chosen in _OF_IMAGES and not is_image else text, (chosen,), False, seed)
    if name:
        pipelines = [pipeline for pipeline in PIPELINES if name in pipeline]
        if pipelines:
            return Example(text, rng.choice(pipelines), rng.randrange(2) == 0, seed)
        return Example(text, (*rng.choices(others, k=rng.randint(0, 1)), name), False, seed)
    if kind == "pipeline":
        return Example(text, rng.choice(PIPELINES), rng.randrange(2) == 0, seed)
    return Example(text, tuple(rng.choices(others, k=rng.randint(2, 6))), False, seed)


def examples() -> st.SearchStrategy[Example | OperatorValues | Closures]:
    """Draw a module and passes."""
    return st.integers(0, 2**32).map(random_example)


def _pointed_examples(names: tuple[str, ...]) -> st.SearchStrategy[Example | OperatorValues | Closures]:
    return st.integers(0, 2**32).map(lambda seed: random_example(seed, names))


def check(example: Example | OperatorValues | Closures) -> None:
    """Raises `GraphPassBroken`; propagates other errors."""
    if isinstance(example, OperatorValues):
        check_values(example, lambda mod, arrays: _run(mod, "main", arrays))
        return
    if isinstance(example, Closures):
        check_closures(example)
        return
    is_sharded = example.passes == SHARDING
    mod: IRModule = from_source(without_annotations(example.text) if is_sharded else example.text)
    arrays = _arguments(mod, example.seed)
    expected = _run(mod, "main", arrays)
    if any(not np.isfinite(value).all() or np.abs(value).max(initial=0) > _LARGEST for value in expected):
        return  # rounding errors grow
    if example.passes == (_GRADIENT,):
        _check_gradient(mod, arrays, expected[0])
        return
    if is_sharded:
        _check_sharding(from_source(example.text), arrays, expected)
        return
    is_pipeline = example.passes in PIPELINES
    for name in example.passes:
        if name in LAWS:
            _check_signature(name, mod, arrays, expected, random.Random(example.seed))
        else:
            mod = _check_pass(name, mod, arrays, expected, is_text_checked=not is_pipeline)
    if is_pipeline:
        check_round_trip(mod, f"the result of {', '.join(example.passes)}")
    if example.is_native:
        _check_plans(random.Random(example.seed))
        _check_native(from_source(example.text), arrays, expected)


#: values above it are not compared
_LARGEST: Final = 1e3


def _check_pass(
    name: str, mod: IRModule, arrays: Sequence[Any], expected: Sequence[Any], *, is_text_checked: bool
) -> IRModule:
    """Run a pass, and check the result; its text and that of the input only where `is_text_checked`."""
    each, text = get_pass(name), mod.script() if is_text_checked else ""
    after: IRModule = each(mod)
    observe(name, after.script, show_meta=True)
    if is_text_checked and mod.script() != text:
        raise GraphPassBroken(name=name, what="changes its input", reason=text)
    verify(after)
    if is_text_checked:
        check_round_trip(after, f"the result of {name}")
    if each.is_idempotent and not structural_equal(each(after), after):
        raise GraphPassBroken(name=name, what="changes its own result", reason=after.script())
    remains = EFFECTS[name](after) if name in EFFECTS else None
    if remains is not None:
        raise GraphPassBroken(name=name, what=f"leaves {remains}", reason=after.script())
    if after is not mod:
        _compare(name, _run(after, "main", arrays), expected)
    return after


def _check_signature(
    name: str, mod: IRModule, arrays: Sequence[Any], expected: Sequence[Any], rng: random.Random
) -> None:
    """Check a pass after which `main` is called in another way."""
    text = mod.script()
    outcome = LAWS[name](mod, arrays, rng, _run)
    observe(name, outcome.mod.script, show_meta=True)
    if mod.script() != text:
        raise GraphPassBroken(name=name, what="changes its input", reason=text)
    verify(outcome.mod)
    check_round_trip(outcome.mod, f"the result of {name}")
    if outcome.fault is not None:
        raise GraphPassBroken(name=name, what=outcome.fault, reason=outcome.mod.script())
    _compare(name, outcome.values, expected)


def _check_sharding(mod: IRModule, arrays: Sequence[Any], expected: Sequence[Any]) -> None:
    """Compare the values that workers compute together, if the annotations can be followed."""
    text = mod.script()
    outcome = compute_in_shards(mod, arrays)
    if mod.script() != text:
        raise GraphPassBroken(name=SHARDING[0], what="changes its input", reason=text)
    if outcome is not None:
        observe(SHARDING[-1], outcome[0].script)
        verify(outcome[0])
        check_round_trip(outcome[0], f"the result of {SHARDING[-1]}")
        _compare(SHARDING[-1], outcome[1], expected)


def _check_native(mod: IRModule, arrays: Sequence[Any], expected: Sequence[Any]) -> None:
    """Compile a module to native code over planned memory; the second call finds the memory of the first."""
    executable = graph_build.build(mod)
    for _ in range(2):
        _compare("relax.build", _flat(executable.functions["main"](*arrays)), expected)


#: memory plans of an example
_PLANS: Final = 20


def _check_plans(rng: random.Random) -> None:
    """Plan storages of random sizes and lifetimes: those that live at the same time do not overlap."""
    for _ in range(_PLANS):
        count = rng.randint(2, 10)
        sizes = [rng.randint(1, 500) for _ in range(count)]
        lives = [Lifetime(first, first + rng.randint(0, 6)) for first in (rng.randint(0, 9) for _ in range(count))]
        plan = plan_memory(sizes, lives)
        ends = [offset + size for offset, size in zip(plan.offsets, sizes, strict=True)]
        for a, b in combinations(range(count), 2):
            is_shared = plan.offsets[a] < ends[b] and plan.offsets[b] < ends[a]
            if (is_shared and lives[a].overlaps(lives[b])) or max(ends) > plan.size:
                raise GraphPassBroken(name="plan_memory", what="overlaps", reason=f"{sizes}, {lives}: {plan}")


def _check_gradient(mod: IRModule, arrays: Sequence[Any], expected: Any) -> None:
    """Compare the gradient along a random direction with a difference of values of float64."""
    after = get_pass("relax.Gradient", "main")(mod)
    observe("relax.Gradient", after.script)
    verify(after)
    check_round_trip(after, "the result of relax.Gradient")
    value, *gradients = _run(after, "main_adjoint", arrays)
    _compare("relax.Gradient", [value], [expected])
    wide = from_source(mod.script().replace("float32", "float64"))
    rng = np.random.default_rng(len(arrays))
    floats = [at for at, array in enumerate(arrays) if array.dtype.kind == "f"]
    for at in floats:
        direction = rng.uniform(-1, 1, arrays[at].shape)
        low, high = (
            _run(
                wide,
                "main",
                [
                    (array + sign * _STEP * direction if at == other else array).astype("float64")
                    if other in floats
                    else array
                    for other, array in enumerate(arrays)
                ],
            )[0]
            for sign in (-1, 1)
        )
        slope = (high - low) / (2 * _STEP)
        actual = (gradients[at] * direction).sum()
        if abs(actual - slope) > 1e-2 * max(1.0, abs(slope), float(np.abs(gradients[at]).max(initial=0))):
            reason = f"parameter {at}: {actual} rather than {slope}"
            raise GraphPassBroken(name="relax.Gradient", what="differentiates wrongly", reason=reason)


#: half the distance of arguments whose values are compared with a gradient
_STEP: Final = 1e-5


def _arguments(mod: IRModule, seed: int) -> list[Any]:
    func = mod["main"]
    assert isinstance(func, Function)
    rng = np.random.default_rng(seed)
    arrays: list[Any] = []
    for param in func.params:
        info = param.struct_info
        assert isinstance(info, TensorStructInfo)
        shape = [extent.value for extent in info.extents or () if isinstance(extent, IntImm)]
        if info.dtype.is_floating:
            arrays.append(rng.uniform(-1, 1, shape).astype(str(info.dtype)))
        else:
            arrays.append(np.zeros(shape, str(info.dtype)))
    return arrays


def _run(mod: IRModule, name: str, arrays: Sequence[Any]) -> list[Any]:
    """Run a function: operators by their NumPy references, kernels by the interpreter."""
    executable = graph_build.build(mod, "interp", pipeline=_keep, exec_mode="bytecode")
    function: Callable[..., Any] = executable.functions[name]
    with np.errstate(all="ignore"):
        return _flat(function(*map(_copied, arrays)))


def _copied(value: Any) -> Any:
    """Copy the arrays of an argument; functions stay."""
    if isinstance(value, tuple):
        return tuple(map(_copied, value))
    return value.copy() if isinstance(value, np.ndarray) else value


def _keep(mod: IRModule) -> IRModule:
    return mod


def _flat(value: Any) -> list[Any]:
    """Return the arrays in nested tuples."""
    if isinstance(value, (tuple, list)):
        return [array for item in value for array in _flat(item)]
    return [value.numpy().copy()]


def _compare(name: str, actual: Sequence[Any], expected: Sequence[Any]) -> None:
    """Compare arrays up to rounding errors."""
    if len(actual) != len(expected):
        raise GraphPassBroken(name=name, what="changes the results", reason=f"{len(actual)}, not {len(expected)}")
    for place, (a, b) in enumerate(zip(actual, expected, strict=True)):
        if a.shape != b.shape or a.dtype != b.dtype:
            reason = f"result {place} is {a.dtype}{list(a.shape)} rather than {b.dtype}{list(b.shape)}"
            raise GraphPassBroken(name=name, what="changes the results", reason=reason)
        difference = np.abs(a - b).max(initial=0)
        if not difference <= 1e-4 * max(1.0, float(np.abs(b).max(initial=0))):
            reason = f"result {place} differs by {difference}"
            raise GraphPassBroken(name=name, what="changes the values", reason=reason)


def write(example: Example | OperatorValues | Closures) -> str:
    """Write the example as an expression."""
    imported = "from tvmscript.fuzz.graphs.area import Example, check"
    if isinstance(example, OperatorValues):
        imported = (
            "from tvmscript.fuzz.graphs.area import check\n"
            "from tvmscript.fuzz.graphs.operator_values import OperatorValues"
        )
    if isinstance(example, Closures):
        imported = "from tvmscript.fuzz.graphs.area import check\nfrom tvmscript.fuzz.graphs.closures import Closures"
    return f"{imported}\n\ncheck({example!r})\n"


AREA: Final = Area(
    "graphs",
    "passes over graphs: form, text, values, gradients",
    examples,
    check,
    write,
    batch=20,
    is_native=True,
    subjects=Subjects("graph pass", _names, _pointed_examples),
)
