"""Calls of torch's operators on scalars, empty tensors, special values, and with arguments that are seldom given."""

from __future__ import annotations

import math
from typing import Any

import pytest

from tests.tvmscript.frontend.torch.operator_cases import Case

torch: Any = pytest.importorskip("torch", reason="torch is optional")
F: Any = torch.nn.functional

SCALAR, EMPTY = torch.tensor(2.5), torch.zeros(3, 0, 2)
ROWS = torch.tensor([[1.0, math.nan, 3.0, -2.0], [4.0, 0.5, math.inf, 2.0], [math.nan] * 4])
INFINITE = torch.tensor([[-math.inf] * 3, [1.0, -math.inf, 2.0]])
A, B = torch.arange(12).reshape(3, 4) - 5, torch.arange(12).reshape(3, 4) % 5 + 1
IMAGE = torch.arange(2 * 3 * 7 * 8).reshape(2, 3, 7, 8).sin()
X, MASK = torch.arange(20.0).reshape(4, 5).cos(), torch.arange(20).reshape(4, 5) % 3 == 0
PLACES = torch.tensor([[0, 2, 1, 0, 3], [3, 2, 0, 0, 1]])

EDGES = [
    *(Case(function, (SCALAR,)) for function in (
        lambda x: (x.sum(0), x.mean(-1, keepdim=True), x.max(0), x.amax(-1), x.any(0), x.argmin(0)),
        lambda x: (x.cumsum(0), x.cumprod(-1), x.softmax(0), x.log_softmax(-1), F.softmin(x, 0), x.logsumexp(0)),
        lambda x: (x.sort(0), x.topk(1, 0), x.kthvalue(1, 0), x.median(0), x.nanmedian(-1), x.argsort()),
        lambda x: (x.index_select(0, torch.tensor([0])), x.gather(0, torch.tensor(0)), x.unfold(0, 1, 1), x.roll(1)),
        lambda x: (x.scatter(0, torch.tensor(0), 3.0), x.norm(2, 0), F.normalize(x, dim=0), F.prelu(x, x)),
        lambda x: (torch.meshgrid(x, indexing="ij"), torch.linspace(x, 4, 5), torch.nonzero(x)),
    )),
    Case(lambda x: (x.roll(1, 1), x.unflatten(0, (1, 3)), x.reshape(2, -1), x.view(-1, 2), x.flip(0)), (EMPTY,)),
    Case(lambda x: (x.median(), x.median(1), x.nanmedian(), x.nanmedian(1, keepdim=True)[0]), (ROWS,)),
    Case(lambda x: (torch.isclose(x, x), torch.isclose(x, x, equal_nan=True), torch.isclose(x, x + 1)), (ROWS,)),
    Case(lambda x: x.logsumexp(1), (INFINITE,)),
    Case(lambda a, b: (torch.atan2(a, b), torch.isclose(a, b, atol=2), torch.sgn(a), torch.sign(a > 0)), (A, B)),
    Case(lambda x: x.sum() + torch.arange(1.0, 5.000001, 2.0, dtype=torch.int64), (A,)),
    Case(lambda x: (F.adaptive_max_pool2d(x, (3, 5)), F.interpolate(x, (3, 5), mode="area")), (IMAGE,)),
    Case(lambda x: F.interpolate(x, scale_factor=0.6, mode="bilinear", align_corners=True, antialias=True), (IMAGE,)),
    Case(lambda x: F.avg_pool2d(x, 3, 2, 1, ceil_mode=True, divisor_override=2), (IMAGE,)),
    Case(lambda x: F.pad(x, (-1, 1, -2, 1), "circular"), (IMAGE,)),
    Case(lambda x: F.pad(x, (-9, 10, 0, 0), "replicate"), (IMAGE,)),
    Case(lambda x: F.binary_cross_entropy_with_logits(x, x.sigmoid(), pos_weight=x[0].exp()), (X,)),
    Case(lambda x: (F.normalize(x, p=1.0), x.diff(n=0), torch.msort(x), x.var(0, correction=9)), (X,)),
    Case(lambda x, m: (x.index_put((m,), torch.arange(7.0)), x.index_put((m,), x[0, 0], accumulate=True)), (X, MASK)),
    Case(lambda x, m: x[0].masked_scatter(m, x), (X, MASK)),
    Case(lambda x, i: (x.take_along_dim(i[:, :1], 1 - 1), x.take_along_dim(i)), (X, PLACES)),
    Case(lambda x: torch.searchsorted(x.sort(1)[0], x, right=True), (X,)),
    Case(lambda x: torch.searchsorted(x[0], x, sorter=x[0].argsort()), (X,)),
    *(
        Case(lambda x, i, how=how: x.scatter_reduce(0, i, x[:2], how, include_self=False), (X, PLACES))
        for how in ("sum", "prod", "mean", "amax", "amin")
    ),
    Case(lambda x: (x.as_strided((2, 3), (1, 2), 3), x.as_strided((2, 2, 2), (1, 1, 1))), (X,), untraceable=True),
    Case(lambda x: (torch.cdist(x, x[:2] + 1), torch.cdist(x, x[:2] + 1, p=1.0)), (X,)),
    Case(lambda x: F.bilinear(x, x, torch.ones(2, 5, 5)), (X.reshape(2, 2, 5),)),
    Case(lambda x: torch.ops.aten.rrelu_with_noise(x, torch.zeros_like(x), 0.25, 0.5) * 2, (X,)),
]  # fmt: skip
