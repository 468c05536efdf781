"""Calls of torch's operators by family: a function of tensors, and its inputs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

torch: Any = pytest.importorskip("torch", reason="torch is optional")
F: Any = torch.nn.functional
Tensor = Any


@dataclass(frozen=True)
class Case:
    """A function and its inputs."""

    function: Callable[..., Any]
    inputs: tuple[Tensor, ...]
    #: whether the function assigns to items, which torch.fx cannot trace
    assigns: bool = False
    #: whether torch.jit.trace fails on it, by an error of torch itself
    untraceable: bool = False


def _floats(*shape: int) -> Tensor:
    return torch.randn(*shape, generator=torch.Generator().manual_seed(sum(shape) + 1))


def _ints(*shape: int, high: int = 5, low: int = 0) -> Tensor:
    return torch.randint(low, high, shape, generator=torch.Generator().manual_seed(7))


def _bools(*shape: int) -> Tensor:
    return _floats(*shape) > 0


def _positive(*shape: int) -> Tensor:
    return _floats(*shape).abs() + 0.5


X, Y, Z = _floats(3, 4), _floats(3, 4) * 2 + 1, _floats(2, 3, 4)
P, U, N, M = _positive(3, 4), torch.rand(3, 4) * 1.8 - 0.9, _ints(3, 4, high=9, low=-5), _ints(3, 4, high=6, low=1)
B, C = _bools(3, 4), _bools(4, 3).T.contiguous()
IMAGE, ROW, VOLUME = _floats(2, 4, 8, 9), _floats(2, 4, 10), _floats(1, 2, 5, 6, 7)


def _of(*functions: Callable[..., Any], inputs: tuple[Tensor, ...] = (X,)) -> list[Case]:
    return [Case(function, inputs) for function in functions]


UNARY = [
    *_of(
        *(torch.abs, torch.ceil, torch.cos, torch.cosh, torch.erf, torch.exp, torch.expm1, torch.floor, torch.neg),
        *(torch.sigmoid, torch.sign, torch.sin, torch.sinh, torch.square, torch.tan, torch.tanh, torch.trunc),
        *(torch.atan, torch.asinh, torch.isnan, torch.isinf, torch.isfinite, torch.logical_not, torch.exp2, torch.erfc),
        *(torch.deg2rad, torch.rad2deg, torch.positive, torch.clone, torch.detach, lambda x: x.contiguous()),
        *(lambda x: torch.nan_to_num(x / 0), lambda x: torch.round(x, decimals=1), lambda x: torch.round(x * 3)),
        inputs=(X,),
    ),
    *_of(torch.log, torch.log2, torch.log10, torch.log1p, torch.rsqrt, torch.sqrt, torch.reciprocal, inputs=(P,)),
    *_of(torch.acos, torch.asin, torch.atanh, lambda x: torch.acosh(x + 2), inputs=(U,)),
    *_of(lambda x: torch.logit(x * 0.4 + 0.5), lambda x: torch.special.expit(x), inputs=(U,)),
    *_of(torch.bitwise_not, torch.sqrt, torch.abs, torch.sign, torch.neg, torch.ceil, torch.round, inputs=(M,)),
    *_of(torch.bitwise_not, torch.logical_not, lambda x: ~x, inputs=(B,)),
    *_of(
        *(lambda x: x.clamp(-0.5, 0.5), lambda x: x.clamp(min=0), lambda x: x.clamp(max=0.25)),
        *(lambda x: torch.clamp_min(x, 0.1), lambda x: torch.clamp_max(x, 0.1), lambda x: x.clip(-1, 1)),
    ),
    *_of(lambda x, y: torch.clamp(x, min=y), lambda x, y: torch.clamp(x, max=y), inputs=(X, Y)),
]

BINARY = [
    *_of(
        *(torch.add, torch.sub, torch.mul, torch.div, torch.maximum, torch.minimum, torch.atan2, torch.logaddexp),
        *(torch.fmod, torch.remainder, torch.floor_divide, torch.eq, torch.ne, torch.lt, torch.le, torch.gt, torch.ge),
        *(torch.logical_and, torch.logical_or, torch.logical_xor, torch.max, torch.min, torch.hypot, torch.copysign),
        *(lambda x, y: torch.add(x, y, alpha=2), lambda x, y: torch.sub(x, y, alpha=0.5), torch.isclose),
        *(lambda x, y: torch.rsub(x, y), lambda x, y: torch.lerp(x, y, 0.3), lambda x, y: torch.lerp(x, y, x)),
        *(lambda x, y: torch.addcmul(x, x, y, value=0.5), lambda x, y: torch.addcdiv(x, x, y, value=2)),
        *(lambda x, y: torch.div(x, y, rounding_mode="floor"), lambda x, y: torch.div(x, y, rounding_mode="trunc")),
        *(lambda x, y: x + y * 2 - 1, lambda x, y: x[0] / y, lambda x, y: (x > y).float(), lambda x, y: x % y),
        inputs=(X, Y),
    ),
    *_of(
        *(lambda x: x + 2, lambda x: 2 - x, lambda x: x * 0.5, lambda x: x / 3, lambda x: 3 / x, lambda x: x // 2),
        *(lambda x: x % 2, lambda x: x**2, lambda x: torch.pow(2, x), lambda x: x > 0, lambda x: x == 0),
        *(lambda x: torch.fmod(x, 0.7), lambda x: x <= 0.5, lambda x: x != 1, lambda x: torch.rsub(x, 2)),
        *(lambda x: x - 1, lambda x: x < 0, lambda x: x >= 0, lambda x: torch.remainder(x, 1.5)),
        *(lambda x: torch.remainder(x, -0.3), lambda x: torch.xlogy(x.abs(), x.abs() + 1)),
    ),
    *_of(torch.pow, inputs=(P, Y)),
    *_of(
        *(torch.bitwise_and, torch.bitwise_or, torch.bitwise_xor, lambda x, y: x & y, lambda x, y: x | y),
        *(lambda x, y: x ^ y, lambda x, y: x << y, lambda x, y: x >> y, torch.div, torch.add, torch.floor_divide),
        *(torch.remainder, torch.fmod, lambda x, y: x & 3, lambda x, y: x | 4, lambda x, y: x ^ 1, torch.mul),
        *(lambda x, y: x * 1.5, lambda x, y: x**2, lambda x, y: x // 2, lambda x, y: x / 2, lambda x, y: x % 3),
        *(lambda x, y: torch.div(x, y, rounding_mode="trunc"), lambda x, y: torch.div(x, y, rounding_mode="floor")),
        inputs=(N, M),
    ),
    *_of(torch.bitwise_and, torch.bitwise_or, torch.bitwise_xor, torch.logical_and, inputs=(B, C)),
    *_of(torch.add, torch.mul, torch.eq, lambda x, y: x * y + 1, inputs=(X, M)),
    *_of(lambda x, y: x + y, lambda x, y: x * y.double(), inputs=(X, B)),
]

REDUCTIONS = [
    *_of(
        *(torch.sum, torch.mean, torch.prod, torch.max, torch.min, torch.std, torch.var, torch.argmax, torch.argmin),
        *(lambda x: x.sum(1), lambda x: x.sum((0, 2), keepdim=True), lambda x: x.mean(-1), lambda x: x.prod(1)),
        *(lambda x: x.mean((1, 2), True), lambda x: x.max(1), lambda x: x.min(-1, keepdim=True), lambda x: x.max(1)[0]),
        *(lambda x: torch.amax(x, (0, 1)), lambda x: torch.amin(x, 2, True), lambda x: x.argmax(1), lambda x: x.var(1)),
        *(lambda x: x.argmin(-1, True), lambda x: x.var((0, 1), unbiased=False), lambda x: torch.std(x, 1)),
        *(lambda x: x.std(dim=1, correction=0, keepdim=True), lambda x: torch.var_mean(x, 1), torch.median),
        *(lambda x: torch.median(x, 1), lambda x: x.cumsum(1), lambda x: torch.cumprod(x, 2), lambda x: x.any(1)),
        *(lambda x: (x > 0).any(), lambda x: (x > 0).all(2), lambda x: torch.logsumexp(x, 1), lambda x: x.norm()),
        *(lambda x: torch.norm(x, dim=1), lambda x: x.norm(1, -1, True), lambda x: torch.linalg.vector_norm(x, 3, 1)),
        *(lambda x: x.norm(float("inf"), 1), lambda x: torch.aminmax(x), lambda x: torch.count_nonzero(x, 1)),
        *(lambda x: torch.std_mean(x, 1), lambda x: x.sum(1, dtype=torch.float64), lambda x: torch.norm(x, 0, 1)),
        inputs=(Z,),
    ),
    *_of(torch.sum, lambda x: x.sum(1), lambda x: x.cumsum(0), lambda x: x.prod(1), torch.max, inputs=(N,)),
    *_of(
        torch.sum, lambda x: x.sum(1), torch.any, torch.all, lambda x: x.any(1, True), lambda x: x.all(0), inputs=(B,)
    ),
]

SHAPES = [
    *_of(
        *(lambda x: x.view(4, 6), lambda x: x.reshape(-1, 2), torch.flatten, lambda x: x.flatten(1), torch.ravel),
        *(
            lambda x: x.permute(2, 0, 1),
            lambda x: x.transpose(0, 2),
            lambda x: x.unsqueeze(-1),
            lambda x: x.unsqueeze(1),
        ),
        *(
            lambda x: x[:1].squeeze(),
            lambda x: x[:1].squeeze(0),
            lambda x: x.squeeze(1),
            lambda x: x[:1].expand(5, -1, 4),
        ),
        *(
            lambda x: x.repeat(2, 1, 3),
            lambda x: torch.tile(x, (2,)),
            lambda x: x.flip(0),
            lambda x: torch.flip(x, (1, 2)),
        ),
        *(lambda x: torch.roll(x, 1, 2), lambda x: torch.roll(x, (1, -2), (1, 2)), lambda x: torch.roll(x, 5)),
        *(lambda x: x.unflatten(2, (2, 2)), lambda x: x.swapaxes(0, 1), lambda x: torch.movedim(x, 0, 2)),
        *(lambda x: x.narrow(1, 1, 2), lambda x: x.select(1, 2), lambda x: x[0, 1:, ::2], lambda x: x[..., -1]),
        *(lambda x: x[:, None, 1], lambda x: x[1], lambda x: x[:, :, 1:3], lambda x: x[-1, -2:], lambda x: x.tril()),
        *(
            lambda x: torch.triu(x, 1),
            lambda x: torch.tril(x, -1),
            lambda x: torch.chunk(x, 2, 2),
            lambda x: x.chunk(2, 1),
        ),
        *(
            lambda x: x.split(2, 1),
            lambda x: torch.split(x, [1, 2], 1),
            lambda x: torch.unbind(x, 1),
            lambda x: x.unbind(0),
        ),
        *(
            lambda x: torch.tensor_split(x, 3, 2),
            lambda x: torch.diagonal(x, 0, 1, 2),
            lambda x: torch.diagonal(x, 1, 0, 2),
        ),
        *(
            lambda x: torch.diagonal(x, -1, 1, 2),
            lambda x: x.unfold(2, 2, 1),
            lambda x: torch.broadcast_to(x, (2, 2, 3, 4)),
        ),
        *(
            lambda x: torch.repeat_interleave(x, 2, 1),
            lambda x: x.view_as(x),
            lambda x: x.expand_as(torch.cat([x, x])[:2]),
        ),
        *(
            lambda x: x.type_as(x),
            lambda x: x.as_strided((6, 4), (4, 1)),
            lambda x: x.view(2, -1).t(),
            lambda x: x.numel() + x,
        ),
        *(lambda x: x + x.size(0), lambda x: x * x.shape[1], lambda x: x.reshape(x.size(0), -1), lambda x: x * x.dim()),
        *(lambda x: torch.broadcast_tensors(x, x[0]), lambda x: x.reshape_as(x.view(6, 4))),
        inputs=(Z,),
    ),
    *_of(
        *(lambda x, y: torch.cat([x, y]), lambda x, y: torch.cat((x, y), 1), lambda x, y: torch.stack([x, y], 1)),
        *(lambda x, y: torch.concat([x, y], -1), lambda x, y: torch.hstack([x, y]), lambda x, y: torch.vstack([x, y])),
        *(
            lambda x, y: torch.meshgrid(x[0], y[0], indexing="ij"),
            lambda x, y: torch.meshgrid(x[0], y[1], indexing="xy"),
        ),
        inputs=(X, Y),
    ),
    *_of(
        *(lambda x: F.pad(x, (1, 2)), lambda x: F.pad(x, (1, 0, 2, 1), value=3.0), lambda x: F.pad(x, (-1, 1))),
        *(lambda x: F.pad(x, (1, 1, 2, 2), mode="reflect"), lambda x: F.pad(x, (2, 1, 0, 2), mode="replicate")),
        *(lambda x: F.pad(x, (2, 1, 0, 2), mode="circular"), lambda x: F.pixel_shuffle(x, 2)),
        *(lambda x: F.pixel_unshuffle(x[..., :8], 2), lambda x: F.channel_shuffle(x, 2)),
        inputs=(IMAGE,),
    ),
]

CREATION = _of(
    *(lambda x: torch.arange(5) + 0 * x[0, 0], lambda x: torch.arange(1, 7, 2), lambda x: torch.arange(0.0, 1.0, 0.25)),
    *(lambda x: torch.ones(2, 3) + x[0, 0], lambda x: torch.zeros(2, 3), lambda x: torch.full((2, 2), 1.5)),
    *(
        lambda x: torch.ones_like(x),
        lambda x: torch.zeros_like(x),
        lambda x: torch.eye(3),
    ),
    *(
        lambda x: torch.eye(2, 4),
        lambda x: x.new_ones(2, 2),
        lambda x: x.new_zeros((3,)),
        lambda x: x.new_full((2,), 4.0),
    ),
    *(lambda x: torch.linspace(0, 1, 5), lambda x: torch.tensor(2.5) * x, lambda x: torch.scalar_tensor(3) + x),
    *(lambda x: torch.hamming_window(6), lambda x: torch.hamming_window(5, False), lambda x: x.clone().fill_(2.0)),
    *(lambda x: torch.hamming_window(6, True, 0.5), lambda x: torch.hamming_window(6, True, 0.5, 0.4)),
    *(
        lambda x: torch.empty(2, 3).zero_(),
        lambda x: torch.empty_like(x).fill_(3.0),
        lambda x: x.to(torch.int32),
    ),
    *(
        lambda x: x.double(),
        lambda x: x.half().float(),
        lambda x: x.long(),
        lambda x: x.bool(),
        lambda x: x.to(torch.float16),
    ),
    *(
        lambda x: x.clone().zero_(),
        lambda x: x.to(x.dtype),
        lambda x: x.int(),
        lambda x: torch.full((2,), 3, dtype=torch.int64),
    ),
    *(lambda x: torch.tril_indices(3, 3), lambda x: x.to("cpu"), lambda x: torch.zeros(2, 2, dtype=torch.bool)),
)

PLACES = _ints(2, 3, high=3)


def _assign_columns(x: Tensor, i: Tensor) -> Tensor:
    x = x.clone()
    x[:, i[0]] = x[:, :3] * 2
    return x


def _assign_rows(x: Tensor, i: Tensor) -> Tensor:
    x = x.clone()
    x[1:, 2] = 5.0
    x[0] = x[1] + 1
    return x


INDEXING = [
    *_of(
        *(lambda x, i: x[i], lambda x, i: x[:, i], lambda x, i: torch.index_select(x, 0, i[0]), lambda x, i: x[i, 1]),
        *(
            lambda x, i: x[i, i],
            lambda x, i: x[i[0], :2],
            lambda x, i: x.unsqueeze(1)[:, :, i],
            lambda x, i: x[1, i[0]],
        ),
        *(lambda x, i: torch.take(x, i), lambda x, i: F.embedding(i, x), lambda x, i: F.embedding(i[0], x)),
        *(lambda x, i: torch.gather(x, 0, i), lambda x, i: x.gather(1, i), lambda x, i: F.one_hot(i, 4)),
        *(
            lambda x, i: torch.scatter(x, 0, i, x),
            lambda x, i: torch.scatter(x, 1, i, 2.0),
            lambda x, i: x.scatter_add(1, i, x),
        ),
        *(lambda x, i: torch.index_put(x, (i,), x.new_ones(4)), lambda x, i: x.index_put((i, i), x.new_ones(2, 3))),
        *(lambda x, i: x.index_put((i[0],), x[:3], accumulate=True),),
        *(lambda x, i: x.clone().index_put_((i[0], i[1]), x[0, :3]), lambda x, i: torch.isin(i, i[0, :2])),
        *(lambda x, i: torch.bucketize(x, x[0].sort()[0]), lambda x, i: torch.bucketize(x, x[0].sort()[0], right=True)),
        *(lambda x, i: torch.searchsorted(x[0].sort()[0], x), lambda x, i: torch.index_add(x, 1, i[0], x[:, :3])),
        *(lambda x, i: x.scatter_reduce(1, i, x, "amax"), lambda x, i: torch.take_along_dim(x[:2], i, 1)),
        *(lambda x, i: torch.slice_scatter(x, x[:1] * 2, 0, 1, 2), lambda x, i: torch.select_scatter(x, x[0], 0, 2)),
        *(lambda x, i: torch.diff(x, 2, 0), lambda x, i: torch.diff(x > 0, prepend=x[:, :1] > 1, append=x[:, :1] > 0)),
        *(lambda x, i: torch.slice_scatter(x, x[:, :2] + 1, 1, 0, 4, 2), lambda x, i: x.unsqueeze(0)[:, i, i]),
        inputs=(X, PLACES),
    ),
    Case(_assign_columns, (X, PLACES), True),
    Case(_assign_rows, (X, PLACES), True),
    *_of(
        *(
            lambda x, m: torch.where(m, x, x * 2),
            lambda x, m: torch.where(m, x, 0.0),
            lambda x, m: x.masked_fill(m, -1.0),
        ),
        *(lambda x, m: torch.masked_fill(x, ~m, float("-inf")), lambda x, m: x.masked_scatter(m, x.flip(0))),
        *(lambda x, m: x.clone().masked_fill_(m, 3), lambda x, m: torch.where(m, 1, 2)),
        inputs=(X, B),
    ),
    *_of(
        *(torch.sort, torch.argsort, lambda x: x.sort(0, True), lambda x: torch.argsort(x, 0, descending=True)),
        *(lambda x: torch.topk(x, 2), lambda x: x.topk(2, 0, False), lambda x: torch.topk(x, 3, 1)[0]),
        *(lambda x: torch.kthvalue(x, 2), lambda x: torch.sort(x, dim=1, descending=True)[1]),
    ),
]

ACTIVATIONS = [
    *_of(
        *(F.relu, F.relu6, F.leaky_relu, F.elu, F.celu, F.selu, F.gelu, F.silu, F.mish, F.hardtanh, F.hardsigmoid),
        *(F.hardswish, F.softplus, F.softsign, F.softshrink, F.hardshrink, F.tanhshrink, F.logsigmoid, F.glu),
        *(lambda x: F.gelu(x, approximate="tanh"), lambda x: F.softmax(x, 1), lambda x: torch.log_softmax(x, -1)),
        *(
            lambda x: F.leaky_relu(x, 0.2),
            lambda x: F.elu(x, 0.7),
            lambda x: F.threshold(x, 0.1, 2.0),
            lambda x: x.relu(),
        ),
        *(
            lambda x: F.hardtanh(x, -0.3, 0.6),
            lambda x: F.softmin(x, 1),
            lambda x: F.celu(x, 0.5),
            lambda x: x.softmax(-1),
        ),
        *(
            lambda x: F.dropout(x, 0.5, False),
            lambda x: F.softplus(x, 2, 3),
            lambda x: F.normalize(x),
            lambda x: x.clone().relu_(),
        ),
        *(lambda x: F.rrelu(x), lambda x: F.softmax(x, 1, dtype=torch.float64), lambda x: torch.dropout(x, 0.3, False)),
    ),
    *_of(lambda x, w: F.prelu(x, w), lambda x, w: F.prelu(x, w[:1]), inputs=(IMAGE, _floats(4))),
]

W1, W2, W3 = _floats(6, 2, 3), _floats(6, 2, 3, 3), _floats(4, 2, 2, 3, 2)
LAYERS = [
    *_of(
        torch.matmul,
        torch.mm,
        lambda x, y: torch.einsum("ij,jk->ki", x, y),
        lambda x, y: torch.addmm(x[:, :3] @ x[:3, :1] * 0 + 1, x, y),
        inputs=(X, _floats(4, 3)),
    ),
    *_of(
        lambda x, w: F.linear(x, w),
        lambda x, w: F.linear(x, w, w[:, 0]),
        lambda x, w: torch.matmul(x, w.t()),
        inputs=(Z, _floats(5, 4)),
    ),
    *_of(
        torch.bmm,
        torch.matmul,
        lambda x, y: torch.baddbmm(x[:, :, :3] * 2, x, y),
        lambda x, y: torch.baddbmm(x[:, :, :3], x, y, beta=0.5, alpha=2),
        inputs=(Z, _floats(2, 4, 3)),
    ),
    *_of(
        torch.outer,
        torch.dot,
        lambda x, y: torch.mv(torch.outer(x, y), y),
        lambda x, y: torch.addmm(x, x.view(4, 1), y.view(1, 4), beta=2, alpha=0.5),
        inputs=(_floats(4), _floats(1, 4)[0]),
    ),
    *_of(
        lambda x, w: F.conv1d(x, w, padding=1, groups=2),
        lambda x, w: F.conv1d(x, w, w[:, 0, 0], 2, groups=2),
        lambda x, w: F.conv1d(x[0], w, groups=2),
        inputs=(ROW, W1),
    ),
    *_of(
        lambda x, w: F.conv2d(x, w, padding=1, groups=2),
        lambda x, w: F.conv2d(x, w, w[:, 0, 0, 0], (2, 1), (1, 0), groups=2),
        lambda x, w: F.conv2d(x, w, padding="same", dilation=2, groups=2),
        inputs=(IMAGE, W2),
    ),
    *_of(lambda x, w: F.conv3d(x, w), lambda x, w: F.conv3d(x, w, stride=2, padding=1), inputs=(VOLUME, W3)),
    *_of(
        lambda x, w: F.conv_transpose1d(x, w),
        lambda x, w: F.conv_transpose1d(x, w, stride=2, padding=1, output_padding=1),
        inputs=(ROW, _floats(4, 3, 3)),
    ),
    *_of(
        lambda x, w: F.conv_transpose2d(x, w),
        lambda x, w: F.conv_transpose2d(x, w, w[0, :, 0, 0], 2, 1, 1),
        lambda x, w: F.conv_transpose2d(x, w, groups=2),
        inputs=(IMAGE, _floats(4, 3, 3, 3)),
    ),
    *_of(
        *(
            lambda x: F.max_pool1d(x, 3),
            lambda x: F.max_pool1d(x, 3, 2, 1),
            lambda x: F.avg_pool1d(x, 3, 2, 1),
            lambda x: F.adaptive_avg_pool1d(x, 3),
            lambda x: F.avg_pool1d(x[0], 2),
        ),
        *(
            lambda x: F.adaptive_max_pool1d(x, 5),
            lambda x: F.interpolate(x, scale_factor=2.0),
            lambda x: F.interpolate(x, 7, mode="linear"),
        ),
        inputs=(ROW,),
    ),
    *_of(
        *(
            lambda x: F.max_pool2d(x, 2),
            lambda x: F.max_pool2d(x, 3, 2, 1, ceil_mode=True),
            lambda x: F.max_pool2d(x, 3, 1, 1, 2),
        ),
        *(
            lambda x: F.max_pool2d(x, 3, 2, 1, 2, True, return_indices=True),
            lambda x: F.max_pool2d(x[0].round(), 2, return_indices=True)[1],
            lambda x: F.adaptive_max_pool2d(x, (3, 4), return_indices=True),
        ),
        *(
            lambda x: F.avg_pool2d(x, 2),
            lambda x: F.avg_pool2d(x, 3, 2, (1, 0), divisor_override=5),
            lambda x: F.avg_pool2d(x, 3, 2, 1, count_include_pad=False),
            lambda x: F.avg_pool2d(x, (2, 3), ceil_mode=True),
        ),
        *(
            lambda x: F.adaptive_avg_pool2d(x, 1),
            lambda x: F.adaptive_avg_pool2d(x, (3, 2)),
            lambda x: F.adaptive_max_pool2d(x, 1),
            lambda x: F.max_pool2d(x[0], 2),
        ),
        *(lambda x: F.adaptive_avg_pool2d(x, (None, 3)), lambda x: F.avg_pool2d(x, 2, divisor_override=3)),
        inputs=(IMAGE,),
    ),
    *_of(
        lambda x: F.max_pool3d(x, 2),
        lambda x: F.avg_pool3d(x, 2),
        lambda x: F.adaptive_avg_pool3d(x, 2),
        lambda x: F.avg_pool3d(x, 3, 2, 1),
        inputs=(VOLUME,),
    ),
    *_of(
        *(
            lambda x, w: F.batch_norm(x, w, w.abs() + 1),
            lambda x, w: F.batch_norm(x, w, w.abs() + 1, w + 2, w),
            lambda x, w: F.group_norm(x, 2),
        ),
        *(
            lambda x, w: F.group_norm(x, 2, w, w),
            lambda x, w: F.instance_norm(x),
            lambda x, w: F.instance_norm(x, weight=w, bias=w),
            lambda x, w: F.layer_norm(x, (9,)),
        ),
        *(
            lambda x, w: F.layer_norm(x, (8, 9)),
            lambda x, w: F.layer_norm(x.transpose(1, 3), (4,), w, w),
            lambda x, w: F.rms_norm(x.transpose(1, 3), (4,), w),
            lambda x, w: F.local_response_norm(x, 2),
        ),
        *(lambda x, w: F.batch_norm(x, None, None, w, w, True), lambda x, w: F.rms_norm(x, (9,), eps=1e-3)),
        inputs=(IMAGE, _floats(4)),
    ),
    *_of(
        *(
            lambda x: F.interpolate(x, scale_factor=2),
            lambda x: F.interpolate(x, (5, 7)),
            lambda x: F.interpolate(x, (16, 5), mode="bilinear"),
            lambda x: F.interpolate(x, scale_factor=(2.0, 1.5), mode="bilinear"),
        ),
        *(
            lambda x: F.interpolate(x, (12, 12), mode="bilinear", align_corners=True),
            lambda x: F.interpolate(x, (11, 13), mode="bicubic"),
            lambda x: F.interpolate(x, (5, 6), mode="nearest-exact"),
        ),
        *(
            lambda x: F.interpolate(x, (16, 18), mode="bicubic", align_corners=True),
            lambda x: F.interpolate(x, (16, 18), mode="bilinear", antialias=True),
        ),
        *(
            lambda x: F.interpolate(x, (3, 5), mode="bilinear", antialias=True),
            lambda x: F.interpolate(x, scale_factor=0.7),
            lambda x: F.interpolate(x, scale_factor=0.7, mode="bicubic"),
        ),
        inputs=(IMAGE,),
    ),
    *_of(
        lambda x: F.interpolate(x, scale_factor=2),
        lambda x: F.interpolate(x, (4, 7, 9), mode="trilinear"),
        inputs=(VOLUME,),
    ),
    *_of(
        *(
            lambda x, g: F.grid_sample(x, g, align_corners=False),
            lambda x, g: F.grid_sample(x, g, mode="nearest", padding_mode="border", align_corners=True),
        ),
        *(
            lambda x, g: F.grid_sample(x, g, padding_mode="reflection", align_corners=False),
            lambda x, g: F.affine_grid(g[:, :2, :3, 0], (2, 3, 4, 5), align_corners=False),
        ),
        *(lambda x, g: F.affine_grid(g[:, :2, :3, 0], (2, 3, 4, 5), align_corners=True),),
        inputs=(IMAGE, _floats(2, 5, 6, 2) * 0.7),
    ),
    *_of(
        *(
            lambda q, k, v: F.scaled_dot_product_attention(q, k, v),
            lambda q, k, v: F.scaled_dot_product_attention(q, k, v, is_causal=True),
            lambda q, k, v: F.scaled_dot_product_attention(q, k, v, scale=0.3),
        ),
        *(
            lambda q, k, v: F.scaled_dot_product_attention(q[0], k[0], v[0]),
            lambda q, k, v: F.scaled_dot_product_attention(q[0, 0], k[0, 0], v[0, 0]),
        ),
        *(
            lambda q, k, v: F.scaled_dot_product_attention(q, k, v, attn_mask=k @ k.transpose(-1, -2)),
            lambda q, k, v: F.scaled_dot_product_attention(q, k, v, k[0, 0] @ k[0, 0].t() > 0),
        ),
        *(lambda q, k, v: F.scaled_dot_product_attention(torch.cat([q, q], 1), k, v, enable_gqa=True),),
        inputs=(_floats(2, 3, 5, 4), _floats(3, 2, 5, 4).view(2, 3, 5, 4), _floats(2, 3, 4, 5).view(2, 3, 5, 4)),
    ),
]

LOSSES = [
    *_of(
        *(
            lambda x, t: F.cross_entropy(x, t),
            lambda x, t: F.cross_entropy(x, t, reduction="sum"),
            lambda x, t: F.cross_entropy(x, t, x[0].abs()),
        ),
        *(
            lambda x, t: F.nll_loss(x, t),
            lambda x, t: F.cross_entropy(x, t, ignore_index=1),
            lambda x, t: F.cross_entropy(x, t, label_smoothing=0.25),
            lambda x, t: F.cross_entropy(x, t, x[0].abs(), label_smoothing=0.25, ignore_index=1),
            lambda x, t: F.cross_entropy(x, t, x[0].abs(), reduction="none", label_smoothing=0.5),
            lambda x, t: F.nll_loss(x, t, reduction="none"),
        ),
        inputs=(_floats(6, 4), _ints(6, high=4)),
    ),
    *_of(
        F.mse_loss,
        F.l1_loss,
        F.smooth_l1_loss,
        F.huber_loss,
        lambda x, y: F.smooth_l1_loss(x, y, beta=0.3),
        lambda x, y: F.smooth_l1_loss(x, y, beta=0.0),
        lambda x, y: F.huber_loss(x, y, delta=0.3),
        lambda x, y: F.mse_loss(x, y, reduction="none"),
        inputs=(X, Y),
    ),
    *_of(
        lambda x, y: F.cross_entropy(x, y, y[0], label_smoothing=0.25),
        lambda x, y: F.cross_entropy(x, y, reduction="sum", label_smoothing=0.25),
        inputs=(X, torch.softmax(Y, 1)),
    ),
    *_of(F.binary_cross_entropy_with_logits, lambda x, y: F.cross_entropy(x, y), inputs=(X, torch.softmax(Y, 1))),
]

CREATION.append(Case(lambda x: torch.fill(x, 3.0), (X,), untraceable=True))
CREATION.append(Case(lambda x: torch.full_like(x, 2.0), (X,), untraceable=True))

FAMILIES = {
    "unary": UNARY,
    "binary": BINARY,
    "reductions": REDUCTIONS,
    "shapes": SHAPES,
    "creation": CREATION,
    "indexing": INDEXING,
    "activations": ACTIVATIONS,
    "layers": LAYERS,
    "losses": LOSSES,
}
