"""Functions under the default schedules of GPUs: the sanitizer runs their kernels on all blocks and threads."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np

from tvmscript import driver
from tvmscript.backends import interp
from tvmscript.backends.interp.sanitizer import run_sanitized
from tvmscript.backends.runtime.array import NDArray
from tvmscript.backends.runtime.random_inputs import random_inputs
from tvmscript.backends.runtime.small_floats import encode
from tvmscript.fuzz.builds import plain
from tvmscript.fuzz.builds.plain import write_block, write_temporary
from tvmscript.fuzz.codegen.machine import as_main
from tvmscript.fuzz.codegen.running import shape_of
from tvmscript.fuzz.codegen.writing import Kernel, Written, under
from tvmscript.fuzz.errors import LevelsDisagree
from tvmscript.ir.analysis.cost.trip_count import iterations_of
from tvmscript.ir.analysis.errors import HostAccess
from tvmscript.ir.core import IRModule, Target
from tvmscript.ir.core.values.float_formats import FORMATS
from tvmscript.ir.schedule.default import gpu
from tvmscript.ir.schedule.default.schedule_rule import ApplyDefaultSchedule
from tvmscript.ir.te.construct import placeholder
from tvmscript.ir.te.prim_func import create_prim_func
from tvmscript.ir.tir import Buffer, PrimFunc
from tvmscript.ir.topi.index import gather
from tvmscript.ir.topi.scan import cumsum
from tvmscript.ir.topi.scatter import scatter_elements
from tvmscript.ir.topi.sort import argsort, sort, topk
from tvmscript.parser import from_source


@dataclass(frozen=True)
class OnGPU:
    """A function, the rule that is tried first (none: all in their order), the architecture."""

    text: str
    rule: str = ""
    arch: str = "sm_80"
    sizes: Mapping[str, int] = field(default_factory=dict[str, int])
    seed: int = 0


#: dtypes of the factors and of the sum, which tensor cores take
_FACTORS: Final = (
    ("float16", "float32"), ("bfloat16", "float32"), ("float32", "float32"), ("int8", "int32"),
    ("e4m3_float8", "float32"), ("float16", "float16"),
)  # fmt: skip
_ARCHITECTURES: Final = ("sm_80", "sm_80", "sm_90a", "sm_70")
#: iterations of a program: the interpreter runs each of them, and copies besides
_MOST: Final = 5_000


def draw(rng: random.Random, rule: str) -> OnGPU:
    """Draw a program that a rule may take; now and then all rules."""
    arch = rng.choice(_ARCHITECTURES)
    most = _MOST * _LARGER.get(rule, 1)
    written = rng.choice(_WRITERS[rule])(rng)
    while iterations_of(from_source(written.text)) > most:
        written = rng.choice(_WRITERS[rule])(rng)
    if rule == "MatmulWGMMA":
        arch = "sm_90a"
    return OnGPU(written.text, rule if rng.randrange(3) else "", arch, written.sizes, rng.randrange(1 << 20))


def tiles(rng: random.Random) -> Written:
    """Draw a product of matrices of 16 bits or less, of sizes around the tiles of tensor cores."""
    k = Kernel(rng)
    factor, total = k.pick(*_FACTORS)
    rows, columns, terms = (k.pick(*sizes) for sizes in ((16, 32, 33), (16, 32, 24), (16, 32, 40)))
    return _product(k, factor, total, rows, columns, terms)


def vectors(rng: random.Random) -> Written:
    """Draw a product of a matrix and a few vectors, on either side."""
    k = Kernel(rng)
    factor, total = k.pick(*_FACTORS[:4])
    few, many, terms = k.pick(1, 1, 2, 3, 5), k.pick(1, 5, 16, 33), k.pick(5, 32, 70, 160)
    rows, columns = k.pick((few, many), (many, few))
    return _product(k, factor, total, rows, columns, terms)


def _product(
    k: Kernel, factor: str, total: str, rows: int, columns: int, terms: int, *, is_open: bool = True
) -> Written:
    """Write a product; where it `is_open`, its rows may be of any number."""
    m, n, t = str(rows), str(columns), str(terms)
    if is_open and k.chance(0.2):
        m = k.size("m", rows)
    a_shape, a_index = k.pick((f"{m}, {t}", "v0, v2"), (f"{m}, {t}", "v0, v2"), (f"{t}, {m}", "v2, v0"))
    b_shape, b_index = k.pick((f"{n}, {t}", "v1, v2"), (f"{t}, {n}", "v2, v1"))
    k.array("A", f"({a_shape})", factor)
    k.array("B", f"({b_shape})", factor)
    has_epilogue = k.chance(0.4)
    k.array("C", f"({m}, {n})", total)
    result = "S" if has_epilogue else "C"
    lines = [write_temporary("S", f"({m}, {n})", total)] if has_epilogue else []
    values = [f"A[{a_index}]", f"B[{b_index}]"]
    product = " * ".join(each if factor == total else f'T.Cast("{total}", {each})' for each in values)
    init = under("with T.init():", [f"{result}[v0, v1] = T.{total}(0)"])
    lines += write_block("M", "SSR", [m, n, t], [*init, f"{result}[v0, v1] = {result}[v0, v1] + {product}"])
    if has_epilogue:
        value = k.pick(f"T.max(S[v0, v1], T.{total}(0))", f"S[v0, v1] * T.{total}(2)", f"S[v0, v1] + T.{total}(1)")
        lines += write_block("E", "SS", [m, n], [f"C[v0, v1] = {value}"])
    k.lines = lines
    return Written(k.text(), k.sizes)


def norms(rng: random.Random) -> Written:
    """Draw a softmax of rows, or rows divided by the root of the mean of their squares."""
    k = Kernel(rng)
    rows, columns = str(k.pick(1, 2, 3)), str(k.pick(5, 33, 64, 100))
    k.array("A", f"({rows}, {columns})", "float32")
    k.array("W", f"({columns},)", "float32")
    k.array("C", f"({rows}, {columns})", "float32")
    is_softmax = k.chance(0.5)
    steps = [("S", "T.float32(0)", "{0} + A[v0, v1] * A[v0, v1]")]
    if is_softmax:
        largest = ("M", 'T.min_value("float32")', "T.max({0}, A[v0, v1])")
        steps = [largest, ("S", "T.float32(0)", "{0} + T.exp(A[v0, v1] - M[v0])")]
    lines: list[str] = []
    for name, start, step in steps:
        lines.append(write_temporary(name, f"({rows},)", "float32"))
        element = f"{name}[v0]"
        init = under("with T.init():", [f"{element} = {start}"])
        lines += write_block(name, "SR", [rows, columns], [*init, f"{element} = {step.format(element)}"])
    value = (
        "T.exp(A[v0, v1] - M[v0]) / S[v0]"
        if is_softmax
        else f"A[v0, v1] * W[v1] * T.rsqrt(S[v0] / T.float32({columns}) + T.float32(0.01))"
    )
    lines += write_block("C", "SS", [rows, columns], [f"C[v0, v1] = {value}"])
    k.lines = lines
    return Written(k.text(), k.sizes)


def transposes(rng: random.Random) -> Written:
    """Draw a matrix whose axes change places."""
    k = Kernel(rng)
    rows, columns = k.pick(8, 32, 33, 50), k.pick(8, 32, 40, 70)
    dtype = k.pick("float32", "float16", "int8")
    k.array("A", f"({rows}, {columns})", dtype)
    k.array("C", f"({columns}, {rows})", dtype)
    value = k.pick("A[v1, v0]", f"A[v1, v0] + T.{dtype}(1)")
    k.lines = write_block("T", "SS", [str(columns), str(rows)], [f"C[v0, v1] = {value}"])
    return Written(k.text(), k.sizes)


def warp_groups(rng: random.Random) -> Written:
    """Draw a product of a tile of a warp group."""
    k = Kernel(rng)
    factor, total = k.pick(*_FACTORS[:2], *_FACTORS[3:5])
    return _product(k, factor, total, 64, k.pick(64, 72), k.pick(16, 32), is_open=False)


def ordered(rng: random.Random) -> Written:
    """Draw an operator whose blocks have no axes: scans, sorts, gathers and scatters."""
    shape = (rng.randint(3, 5), rng.randint(3, 20))
    axis, dtype = rng.randrange(2), rng.choice(("float32", "int32"))
    places = tuple(rng.randint(1, extent) for extent in shape)
    data = placeholder(shape, dtype, "A")
    indices, updates = placeholder(places, "int64", "I"), placeholder(places, dtype, "U")
    name = rng.choice([*_ORDERED])
    given = [data, indices, updates][: _ORDERED[name][0]]
    outcome = _ORDERED[name][1](*given, axis)
    func: PrimFunc = create_prim_func([*given, *(outcome if isinstance(outcome, list) else [outcome])])
    return Written(func.script())


def steps(rng: random.Random) -> Written:
    """Draw a loop in order over parallel loops and other statements, which read what those before have stored."""
    k = Kernel(rng)
    dtype, count = k.pick("int32", "float32"), k.pick(3, 8, 33)
    size = k.size("n", count) if k.chance(0.2) else str(count)
    for name in "AB":
        k.array(name, f"({size},)", dtype)
    body: list[str] = []
    for number in range(k.pick(1, 2, 2, 3)):
        target, source = ("A", "B") if number % 2 else ("B", "A")
        place = k.pick("i", f"{size} - 1 - i")
        value = f"{target}[i] + {source}[{place}] * T.{dtype}({k.number(1, 3)})"
        kind = k.pick("T.parallel", "T.parallel", "T.parallel", "range", "")
        if kind:
            body += under(f"for i in {kind}({size}):", [f"{target}[i] = {value}"])
        else:
            body.append(f"{target}[s] = {source}[{size} - 1] + T.{dtype}(1)")
    if k.chance(0.3):
        body = under(f"for r in range({k.number(1, 2)}):", body)
    k.lines = under(f"for s in range({k.number(1, 3)}):", body)
    if k.chance(0.5):
        k.lines += under(f"for i in {k.pick('T.parallel', 'range')}({size}):", ["B[i] = B[i] - A[i]"])
    return Written(k.text(), k.sizes)


#: operator -> how many arrays it takes, a call
_ORDERED: Final[dict[str, tuple[int, Callable[..., Any]]]] = {
    "cumsum": (1, lambda a, axis: cumsum(a, axis)),
    "cumsum, exclusive": (1, lambda a, axis: cumsum(a, axis, exclusive=True)),
    "sort": (1, lambda a, axis: sort(a, axis)),
    "argsort": (1, lambda a, axis: argsort(a, axis=axis, is_ascend=False)),
    "topk": (1, lambda a, axis: topk(a, 2, axis)),
    "gather": (2, lambda a, i, axis: gather(a, axis, i)),
    "scatter of sums": (3, lambda a, i, u, axis: scatter_elements(a, i, u, axis, "add")),
    "scatter of the largest": (3, lambda a, i, u, axis: scatter_elements(a, i, u, axis, "max")),
}


#: rule -> writers of programs that it may take: each rule is drawn as often as the others
_WRITERS: Final[dict[str, tuple[Callable[[random.Random], Written], ...]]] = {
    "LowBatchGEMV": (vectors,),
    "MatmulWGMMA": (warp_groups,),
    "MatmulTensorization": (tiles,),
    "MatmulInt8Tensorization": (tiles,),
    "GEMV": (vectors,),
    "Matmul": (plain.products, plain.windows, tiles),
    "RMSNorm": (norms,),
    "Reduction": (plain.sums, vectors),
    "GeneralReduction": (norms, plain.sums),
    "Transpose": (transposes,),
    "Elementwise": (plain.chains,),
    "ParallelLoops": (ordered, ordered, plain.scans, steps, steps),
    "Fallback": (plain.chains, plain.windows, plain.sums),
}
RULES: Final = tuple(_WRITERS)
#: rules whose tiles are larger than the programs that others take, and how many times
_LARGER: Final = {"MatmulWGMMA": 100, "MatmulTensorization": 10, "MatmulInt8Tensorization": 10}


def check(example: OnGPU) -> None:
    """Raises `LevelsDisagree`."""
    module = as_main(from_source(example.text))
    func = module["main"]
    assert isinstance(func, PrimFunc)
    target = Target.make(f"cuda -arch={example.arch}")
    scheduled = schedule(example)
    expected, actual = (_arguments(func, example) for _ in range(2))
    interp.build(module)["main"](*expected)
    try:
        lowered = driver.lower(scheduled, target)
    except HostAccess:
        return  # no rule takes it: its iterations depend on each other
    report = run_sanitized(lowered, "main", actual)
    for fault in report.errors:
        raise LevelsDisagree(
            name="the schedule of a GPU", other="a kernel", buffer="fault", index="", before="none", after=fault.text
        )
    for param, old, new in zip(func.params, expected, actual, strict=True):
        buffer = func.buffer_map.get(param)
        if buffer is None or buffer.dtype in FORMATS:  # factors
            continue
        before, after = (each.astype("float64") for each in (old, new))
        is_near = np.isclose(after, before, _TOLERANCE.get(str(buffer.dtype), 1e-4), 1e-4, equal_nan=True)
        for at in np.argwhere(~is_near)[:1]:
            raise LevelsDisagree(
                name="the schedule of a GPU", other="the interpreter", buffer=buffer.name, index=at.tolist(),
                before=before[tuple(at)], after=after[tuple(at)],
            )  # fmt: skip


def schedule(example: OnGPU) -> IRModule:
    """Apply the rules of an example."""
    rules = [rule() for rule in gpu.RULES]
    if example.rule:
        rules = [getattr(gpu, example.rule)(), gpu.Fallback()]
    with Target.make(f"cuda -arch={example.arch}"):
        scheduled: IRModule = ApplyDefaultSchedule(*rules)(as_main(from_source(example.text)))
    return scheduled


#: relative, of dtypes that are rounded more
_TOLERANCE: Final = {"float16": 1e-2}


def _arguments(func: PrimFunc, example: OnGPU) -> list[Any]:
    """Draw small integers, whose sums are exact in any order."""
    given: list[Any] = [each.value for each in random_inputs(func, example.seed, example.sizes)]
    rng = np.random.default_rng(example.seed)
    for place, param in enumerate(func.params):
        buffer = func.buffer_map.get(param)
        if buffer is not None:
            low, high = (0, 3) if buffer.dtype == "int64" else (-3, 4)  # places, or values
            values = rng.integers(low, high, shape_of(buffer, example.sizes)).astype(_stored(buffer))
            given[place] = NDArray(encode(values, buffer.dtype), buffer.dtype) if buffer.dtype in FORMATS else values
    return given


def _stored(buffer: Buffer) -> str:
    return "float32" if buffer.dtype in FORMATS else str(buffer.dtype)
