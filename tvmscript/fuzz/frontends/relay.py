"""Random graphs under Relay's names, built and run beside NumPy."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from typing import Any, Final

import numpy as np

from tvmscript.frontend import relay
from tvmscript.frontend.relay import op
from tvmscript.frontend.relay.expr import as_module
from tvmscript.fuzz.frontends import plan as plans
from tvmscript.fuzz.frontends import references
from tvmscript.fuzz.frontends.plan import Plan
from tvmscript.fuzz.frontends.pool import FLOATS
from tvmscript.fuzz.frontends.running import compare, run
from tvmscript.ir.core import IRModule

_NN: Final[Any] = relay.nn
_NAMES: Final[Mapping[str, Callable[..., Any]]] = {
    **{name: getattr(op, name) for name in op.__all__},
    **{name: getattr(_NN, name) for name in ("relu", "batch_flatten")},
}


def functions(plan: Plan) -> None:
    plan.rng.choice((plans.unary, plans.unary, plans.binary, plans.binary, plans.reduction))(plan, _NAMES)


def extreme(plan: Plan) -> None:
    x = plan.pool.pick(ranks=range(1, 5), is_exact=True)
    axis, keepdims, is_max = plan.pool.axis(x), plan.rng.randrange(2) == 1, plan.rng.randrange(2) == 1
    places = (np.argmax if is_max else np.argmin)(x.array, axis, keepdims=keepdims)
    call = relay.argmax if is_max else relay.argmin
    plan.apply(lambda t: call(t, axis, keepdims), [x], np.asarray(places, "int64"))


def cast(plan: Plan) -> None:
    x = plan.pool.pick((*FLOATS, "int32", "bool"), low=-9, high=9, is_exact=True)
    dtype = plan.rng.choice(("int32", "int64", "float32", "float64"))
    plan.apply(lambda t: relay.cast(t, dtype), [x], x.array.astype(dtype))


def moves(plan: Plan) -> None:
    """Reshape, permute, expand, squeeze, repeat, tile, cut, split and join."""
    rng, x = plan.rng, plan.pool.pick((*FLOATS, "int32"), ranks=range(1, 5))
    array, axis, rank = x.array, plan.pool.axis(x), x.rank
    match rng.randrange(12):
        case 0:
            count = rng.choice((None, 1, 2))
            shape: Any = [-1] if count is None else [x.shape[0], -1][-count:]
            plan.apply(lambda t: relay.reshape(t, -1 if count is None else shape), [x], array.reshape(shape))
        case 1:
            order = None if rng.randrange(4) == 0 else rng.sample(range(rank), rank)
            plan.apply(lambda t: relay.transpose(t, order), [x], np.ascontiguousarray(array.transpose(order)))
        case 2:
            place, count = rng.randint(0, rank), rng.randint(1, 2)
            new = array.reshape([*x.shape[:place], *[1] * count, *x.shape[place:]])
            plan.apply(lambda t: relay.expand_dims(t, place, count), [x], new)
        case 3:
            plan.apply(lambda t: relay.squeeze(t), [x], np.squeeze(array))
        case 4:
            times = rng.randint(1, 3)
            plan.apply(lambda t: relay.repeat(t, times, axis), [x], np.repeat(array, times, axis))
        case 5:
            reps = [rng.randint(1, 2) for _ in range(rng.randint(1, rank + 1))]
            plan.apply(lambda t: relay.tile(t, reps), [x], np.tile(array, reps))
        case 6:
            axes = rng.sample(range(rank), rng.randint(1, rank))
            begins = [rng.randrange(x.shape[each]) for each in axes]
            ends = [rng.randint(begin + 1, x.shape[each]) for begin, each in zip(begins, axes, strict=True)]
            steps = [rng.randint(1, 2) for _ in axes]
            inside = [slice(None)] * rank
            for each, bounds in zip(axes, zip(begins, ends, steps, strict=True), strict=True):
                inside[each] = slice(*bounds)
            plan.apply(lambda t: relay.strided_slice(t, begins, ends, steps, axes), [x], array[tuple(inside)].copy())
        case 7:
            begins = [rng.randrange(size) for size in x.shape]
            inside = [slice(begin, size) for begin, size in zip(begins, x.shape, strict=True)]
            ends = list(x.shape)
            plan.apply(lambda t: relay.strided_slice(t, begins, ends), [x], array[tuple(inside)].copy())
        case 8:
            cuts: Any = sorted(rng.sample(range(1, x.shape[axis]), min(x.shape[axis] - 1, 2)))
            parts = [part.copy() for part in np.split(array, cuts, axis)]
            plan.apply_all(lambda t: relay.split(t, cuts, axis), [x], parts)
        case 9:
            other = plan.pool.pick((x.dtype,), shape=x.shape)
            joined = np.concatenate([array, other.array], axis)
            plan.apply(lambda a, b: relay.concatenate([a, b], axis), [x, other], joined)
        case 10:
            other, place = plan.pool.pick((x.dtype,), shape=x.shape), rng.randint(0, rank)
            stacked = np.stack([array, other.array], place)
            plan.apply(lambda a, b: relay.stack([a, b], place), [x, other], stacked)
        case _:
            places = plan.pool.input(plan.pool.data((rng.randint(1, 3),), "int64", 0, x.shape[axis] - 1))
            plan.apply(lambda a, b: relay.take(a, b, axis), [x, places], np.take(array, places.array, axis))


def where(plan: Plan) -> None:
    a, b = plan.pool.two(FLOATS)
    flags = plan.pool.pick(("bool",), shape=a.shape)
    plan.apply(relay.where, [flags, a, b], np.where(flags.array, a.array, b.array))


def create(plan: Plan) -> None:
    shape, value = plan.pool.shape(range(1, 4)), plan.rng.randint(-3, 3)
    kind = plan.rng.randrange(3)
    if kind == 0:
        dtype = plan.rng.choice(("float32", "int32"))
        plan.apply(lambda: relay.full(relay.const(value, dtype), shape, dtype), [], np.full(shape, value, dtype))
        return
    call, fill = ((relay.zeros, np.zeros), (relay.ones, np.ones))[kind - 1]
    plan.apply(lambda: call(shape, "float32"), [], fill(shape, "float32"))


def products(plan: Plan) -> None:
    rng, pool = plan.rng, plan.pool
    n, k, m, batch = (rng.randint(1, 4) for _ in range(4))
    match rng.randrange(3):
        case 0:
            x, w = pool.pick(("float32",), shape=(n, k)), pool.pick(("float32",), shape=(m, k))
            plan.apply(lambda a, b: _NN.dense(a, b, units=m), [x, w], x.array @ w.array.T, is_exact=False)
        case 1:
            turned = [rng.randrange(2) == 1 for _ in range(2)]
            x = pool.pick(("float32",), shape=(k, n) if turned[0] else (n, k))
            w = pool.pick(("float32",), shape=(m, k) if turned[1] else (k, m))
            sides = [side.array.T if flag else side.array for side, flag in zip((x, w), turned, strict=True)]
            plan.apply(
                lambda a, b: _NN.matmul(a, b, transpose_a=turned[0], transpose_b=turned[1]), [x, w],
                sides[0] @ sides[1], is_exact=False,
            )  # fmt: skip
        case _:
            turned = [rng.randrange(2) == 1, rng.randrange(2) == 0]
            x = pool.pick(("float32",), shape=(batch, k, n) if turned[0] else (batch, n, k))
            w = pool.pick(("float32",), shape=(batch, m, k) if turned[1] else (batch, k, m))
            sides = [
                side.array.swapaxes(1, 2) if flag else side.array for side, flag in zip((x, w), turned, strict=True)
            ]
            options = {"transpose_a": True} if turned[0] else {}
            options |= {} if turned[1] else {"transpose_b": False}
            plan.apply(
                lambda a, b: _NN.batch_matmul(a, b, **options), [x, w], sides[0] @ sides[1], is_exact=False
            )  # fmt: skip


def bias_add(plan: Plan) -> None:
    x = plan.pool.pick(("float32",), ranks=range(1, 5))
    axis = plan.pool.axis(x)
    bias = plan.pool.pick(("float32",), shape=(x.shape[axis],))
    shape = [-1 if place == axis else 1 for place in range(x.rank)]
    given = axis - plan.rng.choice((0, x.rank))
    plan.apply(lambda a, b: _NN.bias_add(a, b, given), [x, bias], x.array + bias.array.reshape(shape))


def normalize(plan: Plan) -> None:
    rng, pool = plan.rng, plan.pool
    x = pool.pick(("float32",), ranks=range(2, 5))
    axis = pool.axis(x)
    count, given = x.shape[axis], axis - rng.choice((0, x.rank))
    shape = [-1 if place == axis else 1 for place in range(x.rank)]
    kind = rng.randrange(4)
    if kind == 0:
        powers = np.exp(x.array - x.array.max(axis, keepdims=True))
        share = powers / powers.sum(axis, keepdims=True)
        is_log = rng.randrange(2) == 1
        call = _NN.log_softmax if is_log else _NN.softmax
        plan.apply(lambda t: call(t, given), [x], np.log(share) if is_log else share, is_exact=False)
        return
    gamma, beta, mean = (pool.pick(("float32",), shape=(count,)) for _ in range(3))
    scale, epsilon = rng.randrange(4) > 0, rng.choice((1e-5, 0.125))
    center = rng.randrange(4) > 0
    if kind == 1:
        variance = pool.pick(("float32",), shape=(count,), low=0.25, high=9)
        whole = (x.array - mean.array.reshape(shape)) / np.sqrt(variance.array.reshape(shape) + epsilon)
        operands = [x, gamma, beta, mean, variance]
    else:
        whole = (x.array - x.array.mean(axis, keepdims=True)) / np.sqrt(x.array.var(axis, keepdims=True) + epsilon)
        operands = [x, gamma, beta]
    whole = whole * gamma.array.reshape(shape) if scale else whole
    whole = whole + beta.array.reshape(shape) if center else whole
    if kind == 1:
        options = {"axis": given, "epsilon": epsilon, "center": center, "scale": scale}
        plan.apply(lambda *t: _NN.batch_norm(*t, **options)[0], operands, whole, is_exact=False)
        return
    plan.apply(lambda *t: _NN.layer_norm(*t, given, epsilon, center, scale), operands, whole, is_exact=False)


def _turn(array: Any, layout: str, canonical: str) -> Any:
    """Return an image with its axes in the order of a layout."""
    return np.ascontiguousarray(array.transpose([canonical.index(letter) for letter in layout]))


def convolution(plan: Plan) -> None:
    rng, pool, rank = plan.rng, plan.pool, plan.rng.randint(1, 3)
    groups, batch = rng.choice((1, 1, 2)), rng.randint(1, 2)
    channels, filters = groups * rng.randint(1, 2), groups * rng.randint(1, 2)
    sizes, kernel = [rng.randint(3, 6) for _ in range(rank)], [rng.randint(1, 3) for _ in range(rank)]
    strides, dilation = [rng.randint(1, 2) for _ in range(rank)], [1] * rank
    if all(2 * (taps - 1) + 1 <= 3 for taps in kernel):
        dilation = [rng.randint(1, 2) for _ in range(rank)]
    pads = [(rng.randint(0, 2), rng.randint(0, 2)) for _ in range(rank)]
    space = ("W", "HW", "DHW")[rank - 1]
    layouts = [rng.choice((f"NC{space}", f"N{space}C")), rng.choice((f"OI{space}", f"{space}IO"))]
    x, weight = (
        pool.data(shape, "float32", -2, 2)
        for shape in ((batch, channels, *sizes), (filters, channels // groups, *kernel))
    )  # fmt: skip
    out = rng.choice(("", f"N{space}C"))
    result = references.convolve(x, weight, strides, pads, dilation, groups)
    names = (f"NC{space}", f"OI{space}")
    sides = [
        pool.input(_turn(side, layout, name)) for side, layout, name in zip((x, weight), layouts, names, strict=True)
    ]
    padding = [each[0] for each in pads] + [each[1] for each in pads]
    call = (_NN.conv1d, _NN.conv2d, _NN.conv3d)[rank - 1]
    options = {"data_layout": layouts[0], "kernel_layout": layouts[1], "out_layout": out}
    expected = _turn(result, out or layouts[0], names[0])
    plan.apply(lambda a, b: call(a, b, strides, padding, dilation, groups, **options), sides, expected)


def pooling(plan: Plan) -> None:
    rng, pool = plan.rng, plan.pool
    batch, channels, *sizes = (rng.randint(1, 2), rng.randint(1, 3), rng.randint(3, 6), rng.randint(3, 6))
    x, layout = pool.data((batch, channels, *sizes), "float32"), rng.choice(("NCHW", "NHWC"))
    given = pool.input(_turn(x, layout, "NCHW"))
    kind = rng.randrange(4)
    if kind < 2:
        call = (_NN.global_avg_pool2d, _NN.global_max_pool2d)[kind]
        result = (np.mean, np.max)[kind](x, (2, 3), keepdims=True)
        plan.apply(lambda t: call(t, layout), [given], _turn(result, layout, "NCHW"), is_exact=False)
        return
    window, strides = [rng.randint(1, 3) for _ in range(2)], [rng.randint(1, 2) for _ in range(2)]
    pads = [(rng.randint(0, size - 1), rng.randint(0, size - 1)) for size in window]
    is_max, has_pad = kind == 2, rng.randrange(2) == 1
    edges = [(0, 0), (0, 0), *pads]
    view = references.windows(
        np.pad(x, edges, constant_values=-np.inf if is_max else 0), (1, 1, *window), (1, 1, *strides), (1,) * 4
    )
    padding = [each[0] for each in pads] + [each[1] for each in pads]
    axes = tuple(range(4, 8))
    if is_max:
        result = view.max(axes)
        plan.apply(
            lambda t: _NN.max_pool2d(t, window, strides, (1, 1), padding, layout), [given],
            _turn(result, layout, "NCHW"),
        )  # fmt: skip
        return
    ones = np.pad(np.ones(x.shape, "float32"), edges, constant_values=1 if has_pad else 0)
    counts = references.windows(ones, (1, 1, *window), (1, 1, *strides), (1,) * 4).sum(axes)
    plan.apply(
        lambda t: _NN.avg_pool2d(t, window, strides, (1, 1), padding, layout, count_include_pad=has_pad), [given],
        _turn(view.sum(axes) / counts, layout, "NCHW"), is_exact=False,
    )  # fmt: skip


def others(plan: Plan) -> None:
    x = plan.pool.pick(("float32",), ranks=range(2, 5), low=-9, high=9)
    kind = plan.rng.randrange(5)
    if kind == 0:
        low, high = sorted((plan.rng.randint(-3, 3), plan.rng.randint(-3, 3)))
        plan.apply(lambda t: relay.clip(t, low, high), [x], np.clip(x.array, low, high))
    elif kind == 1:
        alpha = plan.rng.choice((0.01, 0.5, 2.0))
        plan.apply(
            lambda t: _NN.leaky_relu(t, alpha), [x], np.where(x.array > 0, x.array, x.array * np.float32(alpha)),
            is_exact=False,
        )  # fmt: skip
    elif kind == 2:
        pads = [(plan.rng.randint(0, 2), plan.rng.randint(0, 2)) for _ in x.shape]
        value = plan.rng.choice((0, 3))
        plan.apply(lambda t: _NN.pad(t, pads, value), [x], np.pad(x.array, pads, constant_values=value))
    elif kind == 3:
        plan.apply(lambda t: _NN.dropout(t, 0.25), [x], x.array)
    else:
        shape = tuple(plan.rng.choice((size, 1)) for size in x.shape)
        narrow = plan.pool.pick(("float32",), shape=shape)
        whole = x.shape
        plan.apply(lambda t: relay.broadcast_to(t, whole), [narrow], np.broadcast_to(narrow.array, whole).copy())


def branch(plan: Plan) -> None:
    a, b = plan.pool.two(("float32",))
    flag = plan.pool.input(np.array(plan.rng.randrange(2) == 1))
    plan.apply(relay.If, [flag, a, b], a.array if flag.array else b.array)


OPERATORS: Final = (
    functions, functions, functions, extreme, cast, moves, moves, moves, where, create, products, bias_add, normalize,
    convolution, pooling, others, branch,
)  # fmt: skip


def check(rng: random.Random, steps: int) -> None:
    """Compare the results of a graph with those of NumPy. Raises `LevelsDisagree`."""
    plan = Plan(rng)
    with np.errstate(all="ignore"):
        while len(plan.steps) < steps:
            rng.choice(OPERATORS)(plan)
    variables = {
        number: relay.var(f"x{number}", shape=array.shape, dtype=str(array.dtype))
        for number, array in plan.inputs.items()
    }
    tensors, outputs = plan.build(variables), plan.outputs()
    results = [tensors[each.ref] for each in outputs]
    body = results[0] if len(results) == 1 else relay.Tuple(results)
    function = relay.Function(list(variables.values()), body)
    module: IRModule = as_module(function)
    compare("relay", run(module, list(plan.inputs.values())), [each.array for each in outputs])
