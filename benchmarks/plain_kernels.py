"""Memory-bound kernels as one writes them, against NumPy and PyTorch: for `default_schedules.py`."""

from __future__ import annotations

import random
import statistics
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import inf, prod
from typing import Any

import numpy as np
from halves import TOLERANCES, as_tensor, numpy_dtype
from machine_code import thread_seconds
from rich.console import Console
from rich.table import Table

import tvmscript

#: rounds of all libraries, and the seconds of one in a round
ROUNDS, SECONDS = 3, 0.02

#: the elements of the largest arrays of random kernels
MOST = 1 << 22


class Draw(random.Random):
    """A generator of kernels of some dtypes."""

    dtypes: tuple[str, ...] = ("float32", "float32", "float64")


def is_float(dtype: str) -> bool:
    return "float" in dtype


@dataclass(frozen=True)
class Kernel:
    """A plain kernel: its text, its arrays, and the same by other libraries. The last array is the result."""

    name: str
    text: str
    shapes: tuple[tuple[int, ...], ...]
    dtypes: tuple[str, ...]
    #: (inputs..., out) -> writes out
    numpy: Callable[..., object]
    #: name of the function of the same work in `torch_calls`, and its arguments
    torch: tuple[object, ...] | None = None

    def inputs(self) -> list[Any]:
        """Return arrays of random values from -2 to 2, or integers."""
        rng = np.random.default_rng(0)
        return [
            (rng.random(shape) * 4 - 2).astype(numpy_dtype(dtype))
            if is_float(dtype)
            else rng.integers(-100, 100, shape).astype(dtype)
            for shape, dtype in zip(self.shapes[:-1], self.dtypes[:-1], strict=True)
        ]

    @property
    def bytes(self) -> int:
        """The bytes of the arrays."""
        return sum(
            prod(shape) * numpy_dtype(dtype).itemsize for shape, dtype in zip(self.shapes, self.dtypes, strict=True)
        )


def block(name: str, extents: Sequence[int | str], kinds: str, body: Sequence[str], init: Sequence[str] = ()) -> str:
    """Return a nest of loops around a block with the axes v0, v1, ..."""
    axes = [f"i{place}" for place in range(len(extents))]
    head = f"    for {', '.join(axes)} in T.grid({', '.join(map(str, extents))}):\n        with T.block('{name}'):\n"
    head += f"            {', '.join('v' + axis[1:] for axis in axes)}"
    head += f" = T.axis.remap('{kinds}', [{', '.join(axes)}])\n"
    lines = ["            with T.init():", *[f"                {line}" for line in init]] if init else []
    return head + "\n".join([*lines, *[f"            {line}" for line in body]]) + "\n"


def function(names: str, shapes: Sequence[Sequence[int]], dtypes: Sequence[str], body: str) -> str:
    """Return a function of buffers."""
    params = ", ".join(
        f"{name}: T.Buffer(({', '.join(map(str, shape))},), '{dtype}')"
        for name, shape, dtype in zip(names, shapes, dtypes, strict=True)
    )
    return f"@T.prim_func\ndef main({params}):\n    T.func_attr({{'tir.noalias': T.bool(True)}})\n{body}"


def at(name: str, axes: Sequence[int]) -> str:
    """Return an element of a buffer at axes."""
    return f"{name}[{', '.join(f'v{axis}' for axis in axes)}]"


#: name -> (inputs, the expression of their elements a and b, NumPy's calls)
ELEMENTWISE: dict[str, tuple[int, str, Callable[..., object]]] = {
    "add": (2, "{a} + {b}", lambda a, b, out: np.add(a, b, out=out)),
    "scale": (1, "{a} * T.{t}(1.5)", lambda a, out: np.multiply(a, np.asarray(1.5, a.dtype), out=out)),
    "relu": (1, "T.max({a}, T.{t}(0))", lambda a, out: np.maximum(a, np.asarray(0, a.dtype), out=out)),
    "mul_add": (
        2,
        "{a} * {b} + {a}",
        lambda a, b, out: np.add(np.multiply(a, b, out=out), a, out=out),
    ),
    "exp": (1, "T.exp({a})", lambda a, out: np.exp(a, out=out)),
    "tanh": (1, "T.tanh({a})", lambda a, out: np.tanh(a, out=out)),
    "sigmoid": (
        1,
        "T.{t}(1) / (T.{t}(1) + T.exp(T.{t}(0) - {a}))",
        lambda a, out: np.reciprocal(np.add(np.exp(np.negative(a, out=out), out=out), 1, out=out), out=out),
    ),
    "sqrt": (1, "T.sqrt(T.abs({a}))", lambda a, out: np.sqrt(np.abs(a, out=out), out=out)),
}


def elementwise(op: str, shape: tuple[int, ...], dtype: str) -> Kernel:
    """Return an elementwise kernel."""
    count, expr, call = ELEMENTWISE[op]
    axes = range(len(shape))
    value = expr.format(a=at("A", axes), b=at("B", axes), t=dtype)
    text = block("C", shape, "S" * len(shape), [f"{at('C', axes)} = {value}"])
    names = "AB"[:count] + "C"
    shapes, dtypes = (shape,) * len(names), (dtype,) * len(names)
    return Kernel(f"{op} {_show(shape)} {dtype}", function(names, shapes, dtypes, text), shapes, dtypes, call, (op,))


def broadcast(op: str, shape: tuple[int, ...], kept: tuple[int, ...], dtype: str) -> Kernel:
    """Return an elementwise kernel whose second input has some of the dimensions."""
    _, expr, call = ELEMENTWISE[op]
    axes, small = range(len(shape)), tuple(shape[axis] for axis in kept)
    value = expr.format(a=at("A", axes), b=at("B", kept), t=dtype)
    text = block("C", shape, "S" * len(shape), [f"{at('C', axes)} = {value}"])
    shapes, dtypes = (shape, small, shape), (dtype,) * 3
    wide = tuple(size if axis in kept else 1 for axis, size in enumerate(shape))
    name = f"{op} {_show(shape)} with {_show(small)} along {kept} {dtype}"
    return Kernel(
        name,
        function("ABC", shapes, dtypes, text),
        shapes,
        dtypes,
        lambda a, b, out: call(a, b.reshape(wide), out),
        ("broadcast", op, wide),
    )


#: name -> (identity, update of an element by a term, NumPy's function)
REDUCTIONS: dict[str, tuple[str, str, Callable[..., object]]] = {
    "sum": ("T.{t}(0)", "{c} + {a}", lambda a, axes, out: np.sum(a, axes, out=out)),
    "prod": ("T.{t}(1)", "{c} * {a}", lambda a, axes, out: np.prod(a, axes, out=out)),
    "max": ("T.min_value('{t}')", "T.max({c}, {a})", lambda a, axes, out: np.max(a, axes, out=out)),
    "min": ("T.max_value('{t}')", "T.min({c}, {a})", lambda a, axes, out: np.min(a, axes, out=out)),
    "sum_of_squares": ("T.{t}(0)", "{c} + {a} * {a}", lambda a, axes, out: np.sum(a * a, axes, out=out)),
    "sum_of_exp": ("T.{t}(0)", "{c} + T.exp({a})", lambda a, axes, out: np.sum(np.exp(a), axes, out=out)),
}


def reduction(op: str, shape: tuple[int, ...], reduced: tuple[int, ...], dtype: str) -> Kernel:
    """Return a reduction along some dimensions."""
    init, update, call = REDUCTIONS[op]
    free = tuple(axis for axis in range(len(shape)) if axis not in reduced)
    order = (*free, *reduced)
    place = {axis: index for index, axis in enumerate(order)}
    element, result = (
        at("A", [place[axis] for axis in range(len(shape))]),
        at("C", range(len(free))) if free else "C[0]",
    )
    body = block(
        "C",
        [shape[axis] for axis in order],
        "S" * len(free) + "R" * len(reduced),
        [f"{result} = {update.format(c=result, a=element, t=dtype)}"],
        [f"{result} = {init.format(t=dtype)}"],
    )
    out = tuple(shape[axis] for axis in free) or (1,)
    shapes, dtypes = (shape, out), (dtype, dtype)
    return Kernel(
        f"{op} {_show(shape)} along {reduced} {dtype}",
        function("AC", shapes, dtypes, body),
        shapes,
        dtypes,
        lambda a, out: call(a, reduced, out if free else out[0:].reshape(())),
        ("reduction", op, reduced),
    )


def argmax(shape: tuple[int, ...], axis: int, dtype: str) -> Kernel:
    """Return the place of the maximum along a dimension."""
    free = tuple(place for place in range(len(shape)) if place != axis)
    order = (*free, axis)
    place = {each: index for index, each in enumerate(order)}
    element, last = at("A", [place[each] for each in range(len(shape))]), f"v{len(free)}"
    index, value = at("C", range(len(free))), at("M", range(len(free)))
    out = tuple(shape[each] for each in free)
    body = f"    M = T.alloc_buffer(({', '.join(map(str, out))},), '{dtype}')\n" + block(
        "C",
        [shape[each] for each in order],
        "S" * len(free) + "R",
        [
            f"new_index: T.int64 = T.Select({value} > {element} or {value} == {element} and "
            f"{index} < T.Cast('int64', {last}), {index}, T.Cast('int64', {last}))",
            f"new_value: T.{dtype} = T.Select({value} > {element}, {value}, {element})",
            f"{index} = new_index",
            f"{value} = new_value",
        ],
        [f"{index} = T.int64(-1)", f"{value} = T.min_value('{dtype}')"],
    )
    shapes, dtypes = (shape, out), (dtype, "int64")
    return Kernel(
        f"argmax {_show(shape)} along {axis} {dtype}",
        function("AC", shapes, dtypes, body),
        shapes,
        dtypes,
        lambda a, out: np.argmax(a, axis, out=out),
        ("argmax", axis),
    )


def softmax(shape: tuple[int, ...], axis: int, dtype: str) -> Kernel:
    """Return the softmax along a dimension."""
    axes = range(len(shape))
    free = [place for place in axes if place != axis]
    kinds = "".join("R" if place == axis else "S" for place in axes)
    out = tuple(shape[place] for place in free) or (1,)
    a, e, c = (at(name, axes) for name in "AEC")
    m, s = (at(name, free) if free else f"{name}[0]" for name in "MS")
    body = "".join(
        f"    {name} = T.alloc_buffer(({', '.join(map(str, size))},), '{dtype}')\n"
        for name, size in (("M", out), ("E", shape), ("S", out))
    )
    body += block("M", shape, kinds, [f"{m} = T.max({m}, {a})"], [f"{m} = T.min_value('{dtype}')"])
    body += block("E", shape, "S" * len(shape), [f"{e} = T.exp({a} - {m})"])
    body += block("S", shape, kinds, [f"{s} = {s} + {e}"], [f"{s} = T.{dtype}(0)"])
    body += block("C", shape, "S" * len(shape), [f"{c} = {e} / {s}"])

    def call(a: Any, out: Any) -> None:
        np.subtract(a, a.max(axis, keepdims=True), out=out)
        np.exp(out, out=out)
        np.divide(out, out.sum(axis, keepdims=True), out=out)

    shapes, dtypes = (shape, shape), (dtype, dtype)
    name = f"softmax {_show(shape)} along {axis} {dtype}"
    return Kernel(name, function("AC", shapes, dtypes, body), shapes, dtypes, call, ("softmax", axis))


def layer_norm(rows: int, columns: int, dtype: str) -> Kernel:
    """Return layer normalization of rows."""
    body = "".join(f"    {name} = T.alloc_buffer(({rows},), '{dtype}')\n" for name in "XMVR")
    grid, count, t = (rows, columns), f"T.{dtype}({columns})", f"T.{dtype}"
    body += block("X", grid, "SR", ["X[v0] = X[v0] + A[v0, v1]"], [f"X[v0] = {t}(0)"])
    body += block("M", (rows,), "S", [f"M[v0] = X[v0] / {count}"])
    difference = "(A[v0, v1] - M[v0])"
    body += block("V", grid, "SR", [f"V[v0] = V[v0] + {difference} * {difference}"], [f"V[v0] = {t}(0)"])
    body += block("R", (rows,), "S", [f"R[v0] = {t}(1) / T.sqrt(V[v0] / {count} + {t}(1e-5))"])
    body += block("C", grid, "SS", [f"C[v0, v1] = {difference} * R[v0] * G[v1] + B[v1]"])

    def call(a: Any, g: Any, b: Any, out: Any) -> None:
        np.subtract(a, a.mean(1, keepdims=True), out=out)
        variance = (out * out).mean(1, keepdims=True)
        np.multiply(out, 1 / np.sqrt(variance + np.asarray(1e-5, a.dtype)), out=out)
        np.add(np.multiply(out, g, out=out), b, out=out)

    shapes, dtypes = ((rows, columns), (columns,), (columns,), (rows, columns)), (dtype,) * 4
    name = f"layer_norm {rows}x{columns} {dtype}"
    return Kernel(name, function("AGBC", shapes, dtypes, body), shapes, dtypes, call, ("layer_norm",))


def rms_norm(rows: int, columns: int, dtype: str) -> Kernel:
    """Return the division of rows by the root of their mean squares."""
    body = f"    V = T.alloc_buffer(({rows},), '{dtype}')\n"
    grid, t = (rows, columns), f"T.{dtype}"
    body += block("V", grid, "SR", ["V[v0] = V[v0] + A[v0, v1] * A[v0, v1]"], [f"V[v0] = {t}(0)"])
    value = f"A[v0, v1] * (T.rsqrt(V[v0] / {t}({columns}) + {t}(1e-5)) * G[v1])"
    body += block("C", grid, "SS", [f"C[v0, v1] = {value}"])

    def call(a: Any, g: Any, out: Any) -> None:
        np.multiply(a, a, out=out)
        np.multiply(a, 1 / np.sqrt(out.mean(1, keepdims=True) + np.asarray(1e-5, a.dtype)), out=out)
        np.multiply(out, g, out=out)

    shapes, dtypes = ((rows, columns), (columns,), (rows, columns)), (dtype,) * 3
    name = f"rms_norm {rows}x{columns} {dtype}"
    return Kernel(name, function("AGC", shapes, dtypes, body), shapes, dtypes, call, ("rms_norm",))


def transpose(shape: tuple[int, ...], order: tuple[int, ...], dtype: str) -> Kernel:
    """Return a copy with permuted dimensions."""
    out = tuple(shape[axis] for axis in order)
    place = {axis: index for index, axis in enumerate(order)}
    element = at("A", [place[axis] for axis in range(len(shape))])
    body = block("C", out, "S" * len(shape), [f"{at('C', range(len(shape)))} = {element}"])
    shapes, dtypes = (shape, out), (dtype, dtype)
    name = f"transpose {_show(shape)} by {order} {dtype}"
    return Kernel(
        name,
        function("AC", shapes, dtypes, body),
        shapes,
        dtypes,
        lambda a, out: np.copyto(out, a.transpose(order)),
        ("transpose", order),
    )


def torch_call(kernel: Kernel) -> Callable[..., object] | None:
    """Return what PyTorch calls for a kernel, on tensors, None where it has no such call or is not installed."""
    try:
        import torch
    except ImportError:
        return None
    if kernel.torch is None:
        return None
    plain: dict[object, Callable[..., object]] = {
        "add": lambda a, b, out: torch.add(a, b, out=out),
        "scale": lambda a, out: torch.mul(a, 1.5, out=out),
        "relu": lambda a, out: torch.clamp(a, min=0, out=out),
        "mul_add": lambda a, b, out: torch.addcmul(a, a, b, out=out),
        "exp": lambda a, out: torch.exp(a, out=out),
        "tanh": lambda a, out: torch.tanh(a, out=out),
        "sigmoid": lambda a, out: torch.sigmoid(a, out=out),
        "sqrt": lambda a, out: torch.sqrt(torch.abs(a, out=out), out=out),
    }
    match kernel.torch:
        case (str(op),) if op in plain:
            return plain[op]
        case ("broadcast", op, wide):
            return lambda a, b, out: plain[op](a, b.reshape(wide), out)
        case ("reduction", "sum", axes):
            return lambda a, out: torch.sum(a, axes, out=out if a.dim() > len(axes) else out.reshape(()))
        case ("reduction", ("max" | "min") as op, axes):
            call = torch.amax if op == "max" else torch.amin
            return lambda a, out: call(a, axes, out=out if a.dim() > len(axes) else out.reshape(()))
        case ("argmax", axis):
            return lambda a, out: torch.argmax(a, axis, out=out)
        case ("softmax", axis):
            return lambda a, out: torch.softmax(a, axis, out=out)
        case ("layer_norm",):
            return lambda a, g, b, out: torch.layer_norm(a, (a.shape[1],), g, b)
        case ("rms_norm",):
            return lambda a, g, out: torch.rms_norm(a, (a.shape[1],), g, 1e-5)
        case ("transpose", order):
            return lambda a, out: out.copy_(a.permute(order))
        case _:
            return None


def _show(shape: Sequence[int]) -> str:
    return "x".join(map(str, shape))


def _shape(rng: Draw, ranks: Sequence[int]) -> tuple[int, ...]:
    """Return sizes with up to `MOST` elements, all scales alike."""
    total, rank = rng.uniform(4, MOST.bit_length() - 1), rng.choice(ranks)
    cuts = [0.0, *sorted(rng.uniform(0, total) for _ in range(rank - 1)), total]
    return tuple(max(round(2 ** (high - low)), 1) for low, high in pairwise(cuts))


def _dtype(rng: Draw) -> str:
    return rng.choice(rng.dtypes)


def _random_reduction(rng: Draw) -> Kernel:
    shape = _shape(rng, (1, 2, 2, 3))
    if len(shape) > 1 and rng.random() < 0.15:
        return argmax(shape, rng.randrange(len(shape)), _dtype(rng))
    axes = [axis for axis in range(len(shape)) if rng.random() < 0.5] or [rng.randrange(len(shape))]
    return reduction(rng.choice([*REDUCTIONS]), shape, tuple(axes), _dtype(rng))


def _random_broadcast(rng: Draw) -> Kernel:
    shape = _shape(rng, (2, 3))
    kept = [axis for axis in range(len(shape)) if rng.random() < 0.5] or [rng.randrange(len(shape))]
    return broadcast(rng.choice(("add", "mul_add")), shape, tuple(kept), _dtype(rng))


def _random_softmax(rng: Draw) -> Kernel:
    shape = _shape(rng, (2, 2, 3))
    axis = len(shape) - 1 if rng.random() < 0.7 else rng.randrange(len(shape))
    return softmax(shape, axis, _dtype(rng))


def _random_norm(rng: Draw) -> Kernel:
    rows, columns = _shape(rng, (2,))
    dtype = _dtype(rng)
    # the variance of few numbers of 16 bits may be lost
    return rng.choice((layer_norm, rms_norm))(rows, max(columns, 64) if dtype in TOLERANCES else columns, dtype)


def _random_transpose(rng: Draw) -> Kernel:
    shape = _shape(rng, (2, 2, 3, 4))
    order = list(range(len(shape)))
    rng.shuffle(order)
    return transpose(shape, tuple(order), rng.choice((*rng.dtypes, "int8", "float16")))


#: kind -> a random kernel
KINDS: dict[str, Callable[[Draw], Kernel]] = {
    "elementwise": lambda rng: elementwise(rng.choice([*ELEMENTWISE]), _shape(rng, (1, 2, 3)), _dtype(rng)),
    "broadcast": _random_broadcast,
    "reduction": _random_reduction,
    "softmax": _random_softmax,
    "norm": _random_norm,
    "transpose": _random_transpose,
}
SIZES = ((64, 64), (256, 256), (1000, 1000), (4000, 4000))
FIXED: dict[str, tuple[Kernel, ...]] = {
    "elementwise": tuple(elementwise(op, size, "float32") for op in ("add", "exp", "sigmoid") for size in SIZES),
    "broadcast": tuple(broadcast("add", size, (kept,), "float32") for kept in (0, 1) for size in SIZES),
    "reduction": (
        *(reduction("sum", size, axes, "float32") for axes in ((1,), (0,), (0, 1)) for size in SIZES),
        *(reduction("max", size, (1,), "float32") for size in SIZES[:3]),
        *(argmax(size, 1, "float32") for size in SIZES[:3]),
    ),
    "softmax": tuple(softmax(size, axis, "float32") for axis in (1, 0) for size in SIZES),
    "norm": tuple(make(*size, "float32") for make in (layer_norm, rms_norm) for size in SIZES),
    "transpose": (
        *(transpose(size, (1, 0), dtype) for dtype in ("float32", "float64", "int8") for size in SIZES),
        transpose((8, 56, 56, 64), (0, 3, 1, 2), "float32"),
        transpose((8, 64, 56, 56), (0, 2, 3, 1), "float32"),
    ),
}


@dataclass(frozen=True)
class Result:
    """Seconds of a kernel, and of its build."""

    kernel: Kernel
    ours: float
    numpy: float
    #: infinity where PyTorch has no such call, or is not installed
    torch: float
    build: float

    @property
    def ratio(self) -> float:
        """The speed as a share of that of the best other library."""
        return min(self.numpy, self.torch) / self.ours


def measure(kernel: Kernel) -> Result:
    """Build, check in float64 and time a kernel."""
    built: list[Any] = []
    build = thread_seconds(lambda: built.append(tvmscript.build(tvmscript.from_source(kernel.text))), 0)
    function, inputs = built[-1]["main"], kernel.inputs()
    dtype = kernel.dtypes[-1]
    ours, numpy = (np.zeros(kernel.shapes[-1], numpy_dtype(dtype)) for _ in range(2))
    function(*inputs, ours)
    wide = "float64" if is_float(dtype) else dtype
    expected = np.zeros(kernel.shapes[-1], wide)
    kernel.numpy(*[each.astype("float64") if is_float(dtype) else each for each in inputs], expected)
    scale = float(np.abs(expected).max(initial=1)) if is_float(dtype) else 0
    tolerance = TOLERANCES.get(dtype, 2e-4)
    np.testing.assert_allclose(
        ours.astype(wide), expected, rtol=tolerance, atol=tolerance / 2 * scale, err_msg=kernel.name
    )
    calls: list[Callable[[], object]] = [lambda: function(*inputs, ours), lambda: kernel.numpy(*inputs, numpy)]
    in_torch = torch_call(kernel)
    if in_torch is not None:
        import torch

        torch.set_num_threads(1)
        tensors = [as_tensor(each) for each in (*inputs, np.zeros_like(ours))]
        torch.set_grad_enabled(False)
        calls.append(lambda: in_torch(*tensors))
    best = [inf] * 3
    for _ in range(ROUNDS):
        for place, call in enumerate(calls):
            best[place] = min(best[place], thread_seconds(call, SECONDS))
    return Result(kernel, *best, build)


def run(kind: str, count: int, seed: int, dtypes: Sequence[str]) -> None:
    """Print the fixed kernels of a kind, and the worst of the random ones, of these dtypes."""
    console, rng = Console(width=120), Draw(seed)
    rng.dtypes = tuple(dtypes) or Draw.dtypes
    tvmscript.threads(1)
    if not count:
        _print(console, kind, [measure(kernel) for kernel in FIXED[kind]])
        return
    drawn = sorted((measure(KINDS[kind](rng)) for _ in range(count)), key=lambda result: result.ratio)
    _print(console, f"{kind}: the worst of {count} random kernels (seed {seed})", drawn[:10])
    for peer in ("numpy", "torch", "the best"):
        shares = [each.ratio if peer == "the best" else getattr(each, peer) / each.ours for each in drawn]
        known = [share for share in shares if share < inf]
        if known:
            console.print(f"{kind}: geometric mean {statistics.geometric_mean(known):.2f} of {peer}")


def _print(console: Console, title: str, results: Sequence[Result]) -> None:
    table = Table("kernel", "us", "GB/s", "of NumPy", "of PyTorch", "of the best", "build ms", title=title)
    for result in results:
        table.add_row(
            result.kernel.name,
            f"{result.ours * 1e6:.1f}",
            f"{result.kernel.bytes / result.ours / 1e9:.1f}",
            f"{result.numpy / result.ours:.2f}",
            f"{result.torch / result.ours:.2f}" if result.torch < inf else "",
            f"{result.ratio:.2f}",
            f"{result.build * 1e3:.0f}",
        )
    console.print(table)
