"""Random modules of `nn`, exported and run beside NumPy."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import numpy as np

from tvmscript.frontend import nn
from tvmscript.frontend.nn import op
from tvmscript.fuzz.frontends import plan as plans
from tvmscript.fuzz.frontends import references
from tvmscript.fuzz.frontends.functions import erf, sigmoid
from tvmscript.fuzz.frontends.plan import Plan, Tensor
from tvmscript.fuzz.frontends.pool import FLOATS, Array
from tvmscript.fuzz.frontends.running import compare, run

_NAMES: Final[Mapping[str, Callable[..., Any]]] = {name: getattr(op, name) for name in op.__all__}
_FLOAT: Final = ("float32",)


class Drawn(Plan):
    """A plan with layers."""

    def __init__(self, rng: random.Random) -> None:
        super().__init__(rng)
        self.layers: list[nn.Module] = []

    def weigh(self, layer: nn.Module) -> dict[str, Array]:
        """Add a layer, and give its parameters values; return these."""
        self.layers.append(layer)
        weights: dict[str, Array] = {}
        for name, param in layer.named_parameters():
            weights[name] = self.pool.data(param.shape, param.dtype, -2, 2)
            param.data = weights[name].copy()
        return weights

    def apply_layer(self, layer: Any, operands: Sequence[Tensor], array: Any) -> None:
        self.apply(layer, operands, array, is_exact=False)


def functions(plan: Drawn) -> None:
    plan.rng.choice((plans.unary, plans.unary, plans.binary, plans.reduction))(plan, _NAMES)


def numbers(plan: Drawn) -> None:
    """Apply the operators of Python to a tensor and a number, or to two tensors."""
    x = plan.pool.pick((*FLOATS, "int32"), low=-7, high=7, is_exact=True)
    number = plan.rng.choice((1, 2, 3)) if x.dtype == "int32" else plan.rng.choice((0.5, 1.5, 2.0, 3))
    kinds: tuple[tuple[Callable[..., Any], Callable[..., Any]], ...] = (
        (lambda a, b: a + b, np.add), (lambda a, b: b + a, np.add), (lambda a, b: a - b, np.subtract),
        (lambda a, b: b - a, lambda a, b: b - a), (lambda a, b: a * b, np.multiply),
        (lambda a, b: b * a, np.multiply), (lambda a, b: a < b, np.less), (lambda a, b: a <= b, np.less_equal),
        (lambda a, b: a > b, np.greater), (lambda a, b: a >= b, np.greater_equal),
        (lambda a, b: a.maximum(b), np.maximum), (lambda a, b: a.minimum(b), np.minimum),
        (lambda a, b: a / b, np.divide),
    )  # fmt: skip
    call, compute = plan.rng.choice(kinds)
    if x.dtype == "int32" and compute is np.divide:
        return
    array = np.asarray(compute(x.array, number))
    array = array if array.dtype == bool else array.astype(x.dtype)
    if plan.rng.randrange(2):
        plan.apply(lambda a: call(a, number), [x], array)
        return
    other = plan.pool.pick((x.dtype,), shape=x.shape, low=0.5, high=7, is_exact=True)
    array = np.asarray(compute(x.array, other.array))
    plan.apply(call, [x, other], array)


def moves(plan: Drawn) -> None:
    """Reshape, permute, split, join, pad, cast and index."""
    rng, x = plan.rng, plan.pool.pick((*FLOATS, "int32"), ranks=range(1, 5))
    array, axis, rank = x.array, plan.pool.axis(x), x.rank
    order = rng.sample(range(rank), rank)
    size = x.shape[axis]
    match rng.randrange(15):
        case 0:
            shape = rng.choice(([-1], [0, -1] if rank > 1 else [-1], [*x.shape[:-1], -1]))
            plan.apply(
                rng.choice((lambda t: op.reshape(t, shape), lambda t: t.reshape(*shape))), [x],
                array.reshape([x.shape[0] if each == 0 else each for each in shape]),
            )  # fmt: skip
        case 1:
            call = rng.choice(
                (lambda t: op.permute_dims(t, order), lambda t: op.permute(t, order), lambda t: t.permute_dims(*order))
            )
            plan.apply(call, [x], np.ascontiguousarray(array.transpose(order)))
        case 2:
            place = rng.randint(-rank - 1, rank)
            plan.apply(lambda t: op.unsqueeze(t, place), [x], np.expand_dims(array, place))
        case 3:
            wide = plan.apply(lambda t: op.unsqueeze(t, axis), [x], np.expand_dims(array, axis))
            plan.apply(lambda t: op.squeeze(t, axis), [wide], array)
        case 4:
            other = plan.pool.pick((x.dtype,), shape=x.shape)
            plan.apply(
                lambda a, b: op.concat([a, b], dim=axis), [x, other], np.concatenate([array, other.array], axis)
            )  # fmt: skip
        case 5:
            count = rng.choice([each for each in range(1, size + 1) if size % each == 0])
            parts = [part.copy() for part in np.split(array, count, axis)]
            if count > 1:
                plan.apply_all(lambda t: op.chunk(t, count, axis), [x], parts)
        case 6:
            cuts = sorted(rng.sample(range(1, size), min(size - 1, 2)))
            plan.apply_all(
                lambda t: op.split(t, cuts, axis), [x], [part.copy() for part in np.split(array, cuts, axis)]
            )
        case 7:
            times = rng.randint(1, 3)
            over = rng.choice((axis, None))
            call = rng.choice((lambda t: op.repeat(t, times, over), lambda t: t.repeat(times, over)))
            plan.apply(call, [x], np.repeat(array, times, over))
        case 8:
            places = plan.pool.input(plan.pool.data((rng.randint(1, 3),), "int32", 0, size - 1))
            plan.apply(lambda a, b: op.take(a, b, axis), [x, places], np.take(array, places.array, axis))
        case 9:
            pads = [(rng.randint(0, 2), rng.randint(0, 2)) for _ in x.shape]
            flat = [each for pair in pads for each in pair]
            value = rng.choice((0, 2))
            plan.apply(lambda t: op.pad(t, flat, value=value), [x], np.pad(array, pads, constant_values=value))
        case 10:
            narrow = plan.pool.pick((x.dtype,), shape=tuple(rng.choice((each, 1)) for each in x.shape))
            plan.apply(
                lambda t: op.broadcast_to(t, list(x.shape)), [narrow], np.broadcast_to(narrow.array, x.shape).copy()
            )
        case 11:
            if rank > 1:
                diagonal = rng.randint(-1, 2)
                plan.apply(lambda t: op.triu(t, diagonal), [x], np.triu(array, diagonal))
        case 12:
            exact = plan.pool.pick((*FLOATS, "int32", "bool"), low=-9, high=9, is_exact=True)
            dtype = rng.choice(("int32", "int64", "float32", "float64"))
            call = rng.choice((lambda t: op.astype(t, dtype), lambda t: t.astype(dtype)))
            plan.apply(call, [exact], exact.array.astype(dtype))
        case 13:
            flags = plan.pool.pick(("bool", "int32"), shape=x.shape, is_exact=True)
            other = plan.pool.pick((x.dtype,), shape=x.shape)
            plan.apply(op.where, [flags, x, other], np.where(flags.array != 0, array, other.array))
        case _:
            create(plan)


def create(plan: Drawn) -> None:
    shape, value = plan.pool.shape(range(1, 4)), plan.rng.randint(-3, 3)
    match plan.rng.randrange(4):
        case 0:
            plan.apply(lambda: op.full(shape, value, "int32"), [], np.full(shape, value, "int32"))
        case 1:
            plan.apply(lambda: op.zeros(shape), [], np.zeros(shape, "float32"))
        case 2:
            plan.apply(lambda: op.ones(shape, "int32"), [], np.ones(shape, "int32"))
        case _:
            first, step = plan.rng.randint(-3, 3), plan.rng.randint(1, 3)
            end = first + plan.rng.randint(1, 7)
            plan.apply(lambda: op.arange(first, end, step), [], np.arange(first, end, step).astype("float32"))


def orders(plan: Drawn) -> None:
    """Sort, and find the largest elements; sum up to each element."""
    rng, x = plan.rng, plan.pool.pick(FLOATS, ranks=range(1, 4), is_exact=True)
    axis, is_descending = plan.pool.axis(x), rng.randrange(2) == 1
    given = axis - rng.choice((0, x.rank))
    order = np.argsort(-x.array if is_descending else x.array, axis, kind="stable")
    match rng.randrange(4):
        case 0:
            plan.apply(lambda t: op.sort(t, given, is_descending), [x], np.take_along_axis(x.array, order, axis))
        case 1:
            plan.apply(lambda t: op.argsort(t, given, is_descending), [x], order.astype("int32"))
        case 2:
            k = rng.randint(1, x.shape[axis])
            best = np.take(order, range(k), axis)
            values = np.take_along_axis(x.array, best, axis)
            plan.apply_all(
                lambda t: op.topk(t, k, given, largest=is_descending), [x], [values, best.astype("int32")]
            )  # fmt: skip
        case _:
            is_exclusive = rng.randrange(2) == 1
            sums = np.cumsum(x.array, axis)
            sums = sums - x.array if is_exclusive else sums
            plan.apply(lambda t: op.cumsum(t, given, exclusive=is_exclusive), [x], sums.astype(x.dtype))


def linear(plan: Drawn) -> None:
    rng, x = plan.rng, plan.pool.pick(_FLOAT, ranks=range(1, 4), low=-7, high=7)
    has_bias, size = rng.randrange(2) == 1, x.shape[-1]
    if rng.randrange(3) == 0:
        counts = [rng.randint(1, 3) for _ in range(rng.randint(1, 3))]
        multi = nn.MultiLinear(size, counts, has_bias)
        weights = plan.weigh(multi)
        product = x.array @ weights["linear.weight"].T + weights.get("linear.bias", 0)
        cuts = np.cumsum(counts)[:-1].tolist()
        parts = [part.copy() for part in np.split(product, cuts, -1)]
        plan.apply_all(multi, [x], parts, is_exact=False)
        return
    layer = nn.Linear(size, rng.randint(1, 4), has_bias)
    weights = plan.weigh(layer)
    plan.apply_layer(layer, [x], x.array @ weights["weight"].T + weights.get("bias", 0))


def embedding(plan: Drawn) -> None:
    layer = nn.Embedding(5, plan.rng.randint(1, 4))
    weights = plan.weigh(layer)
    places = plan.pool.input(plan.pool.data(plan.rng.choice(((3,), (2, 3))), "int32", 0, 4))
    plan.apply(layer, [places], weights["weight"][places.array])


def convolution(plan: Drawn) -> None:
    rng, pool, rank = plan.rng, plan.pool, plan.rng.randint(1, 3)
    groups, has_bias = rng.choice((1, 1, 2)), rng.randrange(2) == 1
    channels, filters = groups * rng.randint(1, 2), groups * rng.randint(1, 2)
    kernel, stride, padding = rng.randint(1, 3), rng.randint(1, 2), rng.randint(0, 2)
    dilation = rng.randint(1, 2) if kernel < 3 else 1
    x = pool.input(pool.data((rng.randint(1, 2), channels, *[rng.randint(3, 5) for _ in range(rank)]), "float32"))
    if rank == 1 and rng.randrange(2):
        extra = rng.randrange(stride)
        padding = min(padding, (kernel - 1) * dilation)
        transposed = nn.ConvTranspose1D(
            channels, filters, kernel, stride, padding, extra, dilation, groups, bias=has_bias
        )  # fmt: skip
        weights = plan.weigh(transposed)
        result = references.convolve_transposed(
            x.array, weights["weight"], [stride], [padding], [extra], [dilation], groups
        )
        plan.apply_layer(transposed, [x], result + weights.get("bias", np.zeros(1, "float32"))[:, None])
        return
    kind: Any = (nn.Conv1D, nn.Conv2D, nn.Conv3D)[rank - 1]
    layer = kind(channels, filters, kernel, stride, padding, dilation, groups, bias=has_bias)
    weights = plan.weigh(layer)
    sizes = [stride] * rank, [(padding, padding)] * rank, [dilation] * rank
    result = references.convolve(x.array, weights["weight"], *sizes, groups)
    bias = weights.get("bias", np.zeros(1, "float32"))
    plan.apply_layer(layer, [x], result + bias.reshape([-1, *[1] * rank]))


def normalization(plan: Drawn) -> None:
    rng, epsilon = plan.rng, plan.rng.choice((1e-5, 0.125))
    x = plan.pool.pick(_FLOAT, ranks=range(2, 5), low=-7, high=7)
    kind = rng.randrange(4)
    if kind == 0:
        axis = plan.pool.axis(x)
        plan.apply(lambda t: op.softmax(t, axis), [x], references.softmax(x.array, axis), is_exact=False)
    elif kind == 1:
        size, is_affine = x.shape[-1], rng.randrange(2) == 1
        layer: nn.Module = nn.LayerNorm(size, epsilon, is_affine)
        weights = plan.weigh(layer)
        whole = (x.array - x.array.mean(-1, keepdims=True)) / np.sqrt(x.array.var(-1, keepdims=True) + epsilon)
        plan.apply_layer(layer, [x], whole * weights.get("weight", 1) + weights.get("bias", 0))
    elif kind == 2:
        layer = nn.RMSNorm(x.shape[-1], -1, epsilon, rng.randrange(2) == 1)
        weights = plan.weigh(layer)
        whole = x.array / np.sqrt((x.array**2).mean(-1, keepdims=True) + epsilon)
        plan.apply_layer(layer, [x], whole * weights["weight"] + weights.get("bias", 0))
    elif x.rank > 2:
        count = x.shape[1]
        groups = rng.choice([each for each in range(1, count + 1) if count % each == 0])
        layer = nn.GroupNorm(groups, count, epsilon, affine=rng.randrange(2) == 1)
        weights = plan.weigh(layer)
        whole = references.normalize_groups(x.array, groups, epsilon)
        shape = [-1, *[1] * (x.rank - 2)]
        ones = np.ones(count, "float32")
        scale, shift = weights.get("weight", ones), weights.get("bias", 0 * ones)
        plan.apply_layer(layer, [x], whole * scale.reshape(shape) + shift.reshape(shape))


def attention(plan: Drawn) -> None:
    rng, pool = plan.rng, plan.pool
    heads, size, batch, length, keys = (rng.randint(1, 3) for _ in range(5))
    if rng.randrange(2):
        is_causal, scale = rng.randrange(2) == 1, rng.choice((None, 0.5))
        keys = length if is_causal else keys
        shapes = [(batch, length, heads, size), (batch, keys, heads, size), (batch, keys, heads, size)]
        operands = [pool.pick(_FLOAT, shape=shape, low=-4, high=4) for shape in shapes]
        factor = size**-0.5 if scale is None else scale
        result = references.attention([each.array for each in operands], factor, is_causal=is_causal)
        plan.apply(
            lambda q, k, v: op.scaled_dot_product_attention(q, k, v, is_causal=is_causal, scale=scale), operands,
            result, is_exact=False,
        )  # fmt: skip
        return
    width = rng.randint(1, 4)
    other = rng.choice((None, rng.randint(1, 3)))
    layer = nn.Attention(width, other, heads, size, bias=rng.randrange(2) == 1, out_bias=rng.randrange(2) == 1)
    weights = plan.weigh(layer)
    x = pool.pick(_FLOAT, shape=(batch, length, width), low=-3, high=3)
    source = x if other is None else pool.pick(_FLOAT, shape=(batch, keys, other), low=-3, high=3)

    def project(value: Array, name: str) -> Array:
        product = value @ weights[f"{name}.weight"].T + weights.get(f"{name}.bias", 0)
        return product.reshape(*value.shape[:2], heads, size)

    sides = [project(x.array, "to_q"), project(source.array, "to_k"), project(source.array, "to_v")]
    attended = references.attention(sides, size**-0.5, is_causal=False).reshape(batch, length, -1)
    result = attended @ weights["to_out.0.weight"].T + weights.get("to_out.0.bias", 0)
    plan.apply_layer(layer, [x] if other is None else [x, source], result)


def timesteps(plan: Drawn) -> None:
    rng = plan.rng
    if rng.randrange(2):
        size, is_flipped, shift = rng.randint(4, 7), rng.randrange(2) == 1, rng.choice((0, 1))
        steps = plan.pool.input(plan.pool.data((3,), "int32", 0, 3))
        half = size // 2
        angles = steps.array[:, None] * np.exp(-np.log(10000) * np.arange(half) / (half - shift))
        waves = [np.sin(angles), np.cos(angles)]
        result = np.concatenate(waves[::-1] if is_flipped else waves, -1)
        result = np.pad(result, ((0, 0), (0, size % 2)))
        plan.apply(nn.Timesteps(size, is_flipped, shift), [steps], result.astype("float32"), is_exact=False)
        return
    x = plan.pool.pick(_FLOAT, ranks=(2,), low=-3, high=3)
    post, out = rng.choice((None, "silu")), rng.choice((None, 3))
    layer = nn.TimestepEmbedding(x.shape[1], 2, out_dim=out, post_act_fn=post)
    weights = plan.weigh(layer)
    inner = x.array @ weights["linear_1.weight"].T + weights["linear_1.bias"]
    result = (inner * sigmoid(inner)) @ weights["linear_2.weight"].T + weights["linear_2.bias"]
    plan.apply_layer(layer, [x], result if post is None else result * sigmoid(result))


def activations(plan: Drawn) -> None:
    x = plan.pool.pick(_FLOAT, low=-7, high=7)
    match plan.rng.randrange(6):
        case 0:
            plan.apply_layer(nn.ReLU(), [x], np.maximum(x.array, 0))
        case 1:
            plan.apply_layer(nn.SiLU(), [x], x.array * sigmoid(x.array))
        case 2:
            inner = np.sqrt(2 / np.pi) * (x.array + 0.044715 * x.array**3)
            is_tanh = plan.rng.randrange(2) == 1
            result = x.array * (1 + (np.tanh(inner) if is_tanh else erf(x.array / np.sqrt(2)))) / 2
            name = "tanh" if is_tanh else None
            plan.apply(lambda t: op.gelu(t, name), [x], result.astype("float32"), is_exact=False)
        case 3:
            beta = plan.rng.choice((0.5, 1.0, 2.0))
            result = np.log1p(np.exp(beta * x.array)) / beta
            plan.apply(lambda t: op.softplus(t, beta), [x], result.astype("float32"), is_exact=False)
        case 4:
            if x.rank > 1:
                alpha = plan.pool.pick(_FLOAT, shape=(x.shape[1],))
                shape = [-1 if place == 1 else 1 for place in range(x.rank)]
                result = np.where(x.array > 0, x.array, x.array * alpha.array.reshape(shape))
                plan.apply(op.prelu, [x, alpha], result, is_exact=False)
        case _:
            plan.apply(nn.Identity(), [x], x.array)


def samples(plan: Drawn) -> None:
    """Choose places by probabilities, of which no sum is near a uniform number."""
    rows, count = plan.rng.randint(1, 3), plan.rng.randint(2, 5)
    parts = plan.pool.data((rows, count), "int32", 1, 4)
    total = parts.sum(1, keepdims=True)
    probabilities = plan.pool.input((parts / total).astype("float32"))
    ticks = np.array([[plan.rng.randrange(int(each[0]))] for each in total]) + 0.5
    uniform = plan.pool.input((ticks / total).astype("float32"))
    chosen = (np.cumsum(parts, 1) <= ticks).sum(1, keepdims=True)
    plan.apply(lambda p, u: op.multinomial_from_uniform(p, u), [probabilities, uniform], chosen.astype("int64"))


OPERATORS: Final[tuple[Callable[[Drawn], None], ...]] = (
    functions, functions, numbers, moves, moves, orders, linear, embedding, convolution, normalization, attention,
    timesteps, activations, samples,
)  # fmt: skip


def _module(plan: Drawn, results: Sequence[int]) -> nn.Module:
    """Return a module whose method applies the plan to a tuple of inputs."""

    class Model(nn.Module):
        def __init__(self) -> None:
            self.layers = nn.ModuleList(plan.layers)

        def forward(self, inputs: Any) -> Any:
            tensors = plan.build(dict(zip(plan.inputs, inputs, strict=True)))
            chosen = [tensors[number] for number in results]
            return chosen[0] if len(chosen) == 1 else tuple(chosen)

    return Model()


def check(rng: random.Random, steps: int) -> None:
    """Compare the results of an exported module with those of NumPy. Raises `LevelsDisagree`."""
    plan = Drawn(rng)
    with np.errstate(all="ignore"):
        while len(plan.steps) < steps:
            rng.choice(OPERATORS)(plan)
    outputs = plan.outputs()
    model = _module(plan, [each.ref for each in outputs])
    specs = tuple(nn.spec.Tensor(list(each.shape), str(each.dtype)) for each in plan.inputs.values())
    mode = rng.choice(("plain", "packed"))
    spec = {"forward": {"inputs": specs, "$": {"param_mode": mode, "effect_mode": "none"}}}
    module, params = model.export_tvm(spec)
    weights = [param.data.numpy() for _, param in params if param.data is not None]
    arguments = [tuple(plan.inputs.values()), *([tuple(weights)] if mode == "packed" else weights)]
    compare("nn", run(module, arguments, "forward"), [each.array for each in outputs])
