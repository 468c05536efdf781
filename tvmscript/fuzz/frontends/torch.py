"""Random modules of torch, traced or exported, imported and run beside torch itself."""

from __future__ import annotations

import importlib.util
import random
import warnings
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import numpy as np

from tvmscript.frontend.optional import load_library
from tvmscript.frontend.torch.exported import from_exported_program
from tvmscript.frontend.torch.fx import from_fx
from tvmscript.frontend.torch.traced import from_traced
from tvmscript.fuzz.frontends.plan import Plan, Tensor
from tvmscript.fuzz.frontends.pool import FLOATS
from tvmscript.fuzz.frontends.running import compare, run

IS_INSTALLED: Final = importlib.util.find_spec("torch") is not None
_F32: Final = ("float32",)
#: inputs of a module: torch.fx traces functions with a fixed number of parameters
_INPUTS: Final = 6


class Drawn(Plan):
    """A plan whose values torch computes."""

    def __init__(self, rng: random.Random) -> None:
        super().__init__(rng)
        self.torch: Any = load_library("torch", "the fuzzer of its models")
        self.functional: Any = self.torch.nn.functional
        self.layers: list[Any] = []

    def add(self, call: Callable[..., Any], operands: Sequence[Tensor], *, is_exact: bool = False) -> None:
        """Add a call of functions or layers of torch."""
        with self.torch.no_grad():
            value = call(*(self.torch.from_numpy(each.array.copy()) for each in operands))
        if isinstance(value, (tuple, list)):
            self.apply_all(call, operands, [each.numpy() for each in value], is_exact=is_exact)
        else:
            self.apply(call, operands, value.numpy(), is_exact=is_exact)

    def layer(self, layer: Any) -> Any:
        """Give a layer weights and statistics, and keep it."""
        layer.eval()
        state = layer.state_dict()
        for name, each in state.items():
            if each.dtype.is_floating_point:
                low = 0.5 if "var" in name else -2
                state[name] = self.torch.from_numpy(self.pool.data(tuple(each.shape), "float32", low, 2))
        layer.load_state_dict(state)
        self.layers.append(layer)
        return layer


#: functions of torch -> bounds of the elements, whether they jump
_UNARY: Final[Mapping[str, tuple[float, float, bool]]] = {
    **dict.fromkeys(("abs", "neg", "relu", "square", "isnan", "isfinite", "positive", "clone"), (-7, 7, False)),
    **dict.fromkeys(("ceil", "floor", "round", "sign", "trunc"), (-9, 9, True)),
    **dict.fromkeys(("acos", "asin", "atanh"), (-0.75, 0.75, False)),
    **dict.fromkeys(("sqrt", "log", "log2", "log10", "log1p", "rsqrt", "reciprocal"), (0.125, 9, False)),
    **dict.fromkeys(("atan", "asinh", "cos", "sin", "erf", "sigmoid", "tanh", "expm1", "exp", "sinh", "cosh", "exp2"),
                    (-3, 3, False)),
    "acosh": (1.125, 9, False), "tan": (-1, 1, False),
}  # fmt: skip
_ACTIVATIONS: Final = (
    "silu", "gelu", "softplus", "softsign", "hardswish", "hardsigmoid", "hardtanh", "relu6", "elu", "selu",
    "leaky_relu", "mish", "tanhshrink", "logsigmoid", "celu", "softshrink", "hardshrink",
)  # fmt: skip
_BINARY: Final = ("add", "sub", "mul", "maximum", "minimum")
_COMPARISONS: Final = ("eq", "ne", "lt", "le", "gt", "ge")
_REDUCTIONS: Final = ("sum", "mean", "amax", "amin", "var", "std", "logsumexp")


def unary(p: Drawn) -> None:
    name = p.rng.choice(list(_UNARY))
    low, high, has_jumps = _UNARY[name]
    p.add(getattr(p.torch, name), [p.pool.pick(_F32, low=low, high=high, is_exact=has_jumps)], is_exact=has_jumps)


def activation(p: Drawn) -> None:
    p.add(getattr(p.functional, p.rng.choice(_ACTIVATIONS)), [p.pool.pick(_F32, low=-7, high=7, is_exact=True)])


def binary(p: Drawn) -> None:
    is_comparison = p.rng.randrange(3) == 0
    name = p.rng.choice(_COMPARISONS if is_comparison else _BINARY)
    a = p.pool.pick((*FLOATS, "int32"), low=-7, high=7, is_exact=is_comparison)
    shape = tuple(p.rng.choice((size, size, 1)) for size in a.shape)[p.rng.randint(0, a.rank) :]
    b = p.pool.pick((a.dtype,), shape=shape, low=-7, high=7, is_exact=is_comparison)
    p.add(getattr(p.torch, name), [a, b])


def numbers(p: Drawn) -> None:
    x, number = p.pool.pick(_F32, low=0.25, high=7), p.rng.choice((0.5, 2, 1.5, 3))
    call = p.rng.choice((
        lambda t: t + number, lambda t: number - t, lambda t: t * number, lambda t: t / number, lambda t: number / t,
        lambda t: t**2, lambda t: t.clamp(0.5, number), lambda t: t.clamp(max=number), lambda t: -t,
        lambda t: t.masked_fill(t > 1.0625, number), lambda t: t.to(p.torch.float64),
    ))  # fmt: skip
    p.add(call, [x])


def reduction(p: Drawn) -> None:
    rng, x = p.rng, p.pool.pick(_F32, ranks=range(1, 5), low=-3, high=3)
    axis, keepdim = p.pool.axis(x) - rng.choice((0, x.rank)), rng.randrange(2) == 1
    name = rng.choice(_REDUCTIONS)
    if name in ("var", "std"):
        if x.shape[axis] > 1 and name == "var":
            p.add(lambda t: t.var(axis, unbiased=False, keepdim=keepdim), [x])
        return
    p.add(lambda t: getattr(p.torch, name)(t, axis, keepdim), [x])


def along_axis(p: Drawn) -> None:
    rng, x = p.rng, p.pool.pick(_F32, ranks=range(1, 4), is_exact=True)
    axis = p.pool.axis(x) - rng.choice((0, x.rank))
    elements = np.array(rng.sample(range(x.array.size), x.array.size), "float32")
    distinct = p.pool.input(elements.reshape(x.shape))
    k, is_largest = rng.randint(1, x.shape[axis]), rng.randrange(2) == 1
    call, operand = rng.choice((
        (lambda t: p.functional.softmax(t, axis), x), (lambda t: p.functional.log_softmax(t, axis), x),
        (lambda t: t.cumsum(axis), x), (lambda t: t.argmax(axis, keepdim=is_largest), distinct),
        (lambda t: t.argmin(axis), distinct), (lambda t: p.torch.topk(t, k, axis, is_largest), distinct),
        (lambda t: p.torch.sort(t, axis, is_largest)[0], x), (lambda t: p.torch.max(t, axis)[0], x),
        (lambda t: t.flip(axis), x), (lambda t: t.roll(k, axis), x),
    ))  # fmt: skip
    p.add(call, [operand])


def moves(p: Drawn) -> None:
    rng, x = p.rng, p.pool.pick((*FLOATS, "int32"), ranks=range(1, 5))
    rank, axis, torch = x.rank, p.pool.axis(x), p.torch
    size, order, other = x.shape[axis], rng.sample(range(rank), rank), p.pool.axis(x)
    first, last = sorted((rng.randrange(size), rng.randint(1, size)))
    times, shape = [rng.randint(1, 2) for _ in x.shape], [1, *x.shape]
    index = [slice(None)] * axis + [slice(first, max(last, first + 1), rng.randint(1, 2))]
    pads = [rng.randint(0, 2) for _ in range(2 * rng.randint(1, rank))]
    call = rng.choice((
        lambda t: t.reshape(-1), lambda t: t.permute(order), lambda t: t.transpose(axis, other),
        lambda t: t.flatten(min(axis, other), max(axis, other)), lambda t: t.unsqueeze(-axis - 1),
        lambda t: t.unsqueeze(axis).squeeze(axis), lambda t: t.unsqueeze(0).expand(3, *x.shape),
        lambda t: t.repeat(*times), lambda t: t.chunk(2, axis), lambda t: t.split(2, axis),
        lambda t: t.narrow(axis, first, size - first), lambda t: t.select(axis, first), lambda t: t[tuple(index)],
        lambda t: t[..., -1], lambda t: t.view(shape), lambda t: torch.cat([t, t], axis),
        lambda t: torch.stack([t, t], axis), lambda t: p.functional.pad(t, pads, value=2), lambda t: t[None],
        lambda t: t.unbind(axis), lambda t: t.repeat_interleave(2, axis),
    ))  # fmt: skip
    p.add(call, [x], is_exact=True)
    if rank > 1:
        diagonal = rng.randint(-1, 2)
        p.add(rng.choice((lambda t: t.tril(diagonal), lambda t: t.triu(diagonal))), [x], is_exact=True)


def indices(p: Drawn) -> None:
    rng, x = p.rng, p.pool.pick(FLOATS, ranks=range(1, 4))
    axis = p.pool.axis(x)
    places = p.pool.input(p.pool.data((rng.randint(1, 3),), "int64", 0, x.shape[axis] - 1))
    full = p.pool.input(p.pool.data(x.shape, "int64", 0, x.shape[axis] - 1))
    flags, y = p.pool.pick(("bool",), shape=x.shape), p.pool.pick((x.dtype,), shape=x.shape)
    kind = rng.randrange(3)
    if kind == 0:
        p.add(lambda t, i: t.index_select(axis, i), [x, places], is_exact=True)
    elif kind == 1:
        p.add(lambda t, i: t.gather(axis, i), [x, full], is_exact=True)
    else:
        p.add(p.torch.where, [flags, x, y], is_exact=True)


def products(p: Drawn) -> None:
    rng, pool, torch = p.rng, p.pool, p.torch
    b, n, k, m = (rng.randint(1, 4) for _ in range(4))
    match rng.randrange(4):
        case 0:
            left, right = rng.choice(((n, k), (b, n, k), (k,))), rng.choice(((k, m), (b, k, m)))
            p.add(torch.matmul, [pool.pick(_F32, shape=left), pool.pick(_F32, shape=right)])
        case 1:
            operands = [pool.pick(_F32, shape=shape) for shape in ((n, m), (n, k), (k, m))]
            alpha, beta = rng.choice((1, 0.5)), rng.choice((1, 2))
            p.add(lambda c, x, y: torch.addmm(c, x, y, beta=beta, alpha=alpha), operands)
        case 2:
            p.add(torch.bmm, [pool.pick(_F32, shape=(b, n, k)), pool.pick(_F32, shape=(b, k, m))])
        case _:
            sides = [pool.pick(_F32, shape=(b, n, k)), pool.pick(_F32, shape=(m, k))]
            p.add(lambda x, y: torch.einsum("bij,kj->bik", x, y), sides)


def layers(p: Drawn) -> None:
    rng, pool, nn = p.rng, p.pool, p.torch.nn
    rank, groups, has_bias = rng.randint(1, 3), rng.choice((1, 2)), rng.randrange(2) == 1
    channels, filters = groups * rng.randint(1, 2), groups * rng.randint(1, 2)
    kernel, stride, padding = rng.randint(1, 3), rng.randint(1, 2), rng.randint(0, 1)
    image = pool.input(pool.data((rng.randint(1, 2), channels, *[rng.randint(4, 6) for _ in range(rank)]), "float32"))
    options = {"ceil_mode": False}
    match rng.randrange(8):
        case 0:
            x = pool.pick(_F32, ranks=range(1, 4), low=-7, high=7)
            p.add(p.layer(nn.Linear(x.shape[-1], rng.randint(1, 4), has_bias)), [x])
        case 1 | 2:
            kind = (nn.Conv1d, nn.Conv2d, nn.Conv3d)[rank - 1]
            dilation = rng.randint(1, 2) if kernel < 3 else 1
            p.add(p.layer(kind(channels, filters, kernel, stride, padding, dilation, groups, has_bias)), [image])
        case 3:
            kind = (nn.ConvTranspose1d, nn.ConvTranspose2d, nn.ConvTranspose3d)[rank - 1]
            extra, edge = rng.randrange(stride), min(padding, kernel - 1)
            if rank < 3:
                p.add(p.layer(kind(channels, filters, kernel, stride, edge, extra, groups, has_bias)), [image])
        case 4:
            name = rng.choice(("MaxPool", "AvgPool"))
            pool_of = getattr(nn, f"{name}{rank}d")
            edge = padding if 2 * padding <= kernel else 0
            if name == "AvgPool":
                options["count_include_pad"] = has_bias
            p.add(p.layer(pool_of(kernel, stride, edge, **options)), [image], is_exact=name == "MaxPool")
        case 5:
            kind = (nn.BatchNorm1d, nn.BatchNorm2d, nn.BatchNorm3d)[rank - 1]
            p.add(p.layer(kind(channels, eps=rng.choice((1e-5, 0.125)), affine=has_bias)), [image])
        case 6:
            x = pool.pick(_F32, ranks=range(2, 5), low=-7, high=7)
            p.add(p.layer(nn.LayerNorm(x.shape[-1], elementwise_affine=has_bias)), [x])
        case _:
            p.add(p.layer(nn.GroupNorm(groups, channels, affine=has_bias)), [image])


OPERATORS: Final[tuple[Callable[[Drawn], None], ...]] = (
    unary, activation, binary, binary, numbers, reduction, along_axis, moves, moves, indices, products, layers, layers,
)  # fmt: skip


def _module(p: Drawn, results: Sequence[int]) -> Any:
    """Return a module that applies the plan to six inputs."""
    names, base = list(p.inputs), p.torch.nn.Module

    class Model(base):  # type: ignore[misc, valid-type]  # torch is optional, its classes are Any
        def __init__(self) -> None:
            super().__init__()
            self.layers = p.torch.nn.ModuleList(p.layers)

        def forward(self, a: Any, b: Any, c: Any, d: Any, e: Any, f: Any) -> Any:
            tensors = p.build(dict(zip(names, (a, b, c, d, e, f), strict=True)))
            return tuple(tensors[number] for number in results)

    return Model().eval()


def check(rng: random.Random, steps: int) -> None:
    """Compare the results of an imported module with those of torch. Raises `LevelsDisagree`."""
    p = Drawn(rng)
    while len(p.steps) < steps:
        rng.choice(OPERATORS)(p)
    outputs = p.outputs()
    if len(p.inputs) > _INPUTS:
        return
    while len(p.inputs) < _INPUTS:
        p.pool.input(np.zeros((1,), "float32"))
    model, arrays = _module(p, [each.ref for each in outputs]), list(p.inputs.values())
    tensors = tuple(map(p.torch.from_numpy, arrays))
    infos = [(each.shape, str(each.dtype)) for each in arrays]
    kind, weights = rng.choice(("fx", "fx", "fx", "exported", "traced")), []
    with warnings.catch_warnings(action="ignore"), p.torch.no_grad():
        if kind == "fx":
            module = from_fx(p.torch.fx.symbolic_trace(model), infos)
        elif kind == "exported":
            module = from_exported_program(p.torch.export.export(model, tensors))
        else:
            traced = p.torch.jit.trace(model, tensors, check_trace=False)
            module = from_traced(traced, [(f"x{number}", info) for number, info in enumerate(infos)])
            weights = list(module["main"].attrs.get("params", ()))
    compare(f"torch ({kind})", run(module, [*arrays, *weights]), [each.array for each in outputs])
