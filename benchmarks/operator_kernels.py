"""Kernels of operators that whole models need, as `topi` defines them, with default schedules, against PyTorch.

python benchmarks/operator_kernels.py [WORD ...]                        # those whose name contains a word
python benchmarks/operator_kernels.py --random N [--seed S] [KIND ...]  # shapes drawn anew; the worst ten of each kind

`--dtype` takes floats of 16 or 64 bits rather than float32. One thread each, CPU time of the thread, the best of
interleaved rounds; results are compared with PyTorch's in float64.
"""

from __future__ import annotations

import argparse
import os
import random
import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import cycle
from math import prod
from typing import Any

os.environ.update(OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1", MKL_NUM_THREADS="1", TVMSCRIPT_CACHE="0")

import numpy as np
import torch
import torch.nn.functional as F
from halves import TOLERANCES, as_tensor, numpy_dtype
from machine_code import thread_seconds
from random_operators import KINDS, Case, Shape

import tvmscript
from tvmscript import te, topi

#: rounds of both, and the seconds of one in a round
ROUNDS, SECONDS = 3, 0.03
#: elements of all inputs that calls take in turns, and how many of them there are at most
_ELEMENTS, _MOST_INPUTS = 1 << 17, 64


def _sizes(*shapes: Shape) -> str:
    return " ".join("x".join(map(str, shape)) for shape in shapes)


def _attention(batch: int, queries: int, keys: int, heads: int, width: int) -> Case:
    shapes = [(batch, length, heads, width) for length in (queries, keys, keys)]
    return Case(
        f"attention {_sizes(*shapes[:2])}",
        shapes,
        lambda q, k, v: topi.graph.attention(q, k, v, None, None, None, None),
        lambda q, k, v: F.scaled_dot_product_attention(*[x.transpose(1, 2) for x in (q, k, v)]).transpose(1, 2),
    )


def _dense(rows: int, terms: int, columns: int) -> Case:
    return Case(f"dense {rows}x{terms}x{columns}", [(rows, terms), (columns, terms)], topi.nn.dense, F.linear)


def _matmul(rows: int, terms: int, columns: int) -> Case:
    return Case(f"matmul {rows}x{terms}x{columns}", [(rows, terms), (terms, columns)], topi.nn.matmul, torch.matmul)


def _dense_of_heads(rows: int, heads: int, width: int, columns: int) -> Case:
    terms = heads * width
    return Case(
        f"dense of transposed heads {rows}x{heads}x{width}",
        [(1, heads, rows, width), (columns, terms)],
        lambda x, w: topi.nn.dense(topi.reshape(topi.transpose(x, (0, 2, 1, 3)), (rows, terms)), w),
        lambda x, w: F.linear(x.transpose(1, 2).reshape(rows, terms), w),
    )


def _norms(rows: int, columns: int) -> list[Case]:
    shape, size = (rows, columns), (columns,)
    return [
        Case(
            f"layer_norm {rows}x{columns}",
            [shape, size, size],
            lambda x, g, b: topi.nn.layer_norm(x, g, b, [1], 1e-5),
            lambda x, g, b: F.layer_norm(x, size, g, b),
        ),
        Case(
            f"rms_norm {rows}x{columns}",
            [shape, size],
            lambda x, g: topi.nn.rms_norm(x, g, [1], 1e-5),
            lambda x, g: F.rms_norm(x, size, g, 1e-5),
        ),
        Case(f"softmax {rows}x{columns}", [shape], lambda x: topi.nn.softmax(x, 1), lambda x: torch.softmax(x, 1)),
    ]


def _indexed() -> list[Case]:
    rows = [(32000, 512), (128,)]
    picked = [(256, 1000), (256, 64)]
    return [
        Case("take rows 128 of 32000x512", rows, lambda x, i: topi.take(x, i, 0), lambda x, i: x[i], {1: 32000}),
        Case(
            "take columns 64 of 256x1000",
            [(256, 1000), (64,)],
            lambda x, i: topi.take(x, i, 1),
            lambda x, i: torch.index_select(x, 1, i),
            {1: 1000},
        ),
        Case(
            "gather 256x64 of 256x1000",
            picked,
            lambda x, i: topi.gather(x, 1, i),
            lambda x, i: torch.gather(x, 1, i),
            {1: 1000},
        ),
        Case(
            "gather_nd 4096 rows of 64x64x32",
            [(64, 64, 32), (2, 4096)],
            topi.gather_nd,
            lambda x, i: x[i[0], i[1]],
            {1: 64},
        ),
        Case(
            "scatter_elements 256x64 into 256x1000",
            [(256, 1000), (256, 64), (256, 64)],
            lambda x, i, u: topi.scatter_elements(x, i, u, 1, "add"),
            lambda x, i, u: x.scatter_add(1, i, u),
            {1: 1000},
        ),
        Case(
            "scatter_nd 512 rows into 4096x64",
            [(4096, 64), (1, 512), (512, 64)],
            lambda x, i, u: topi.scatter_nd(x, i, u, "add"),
            lambda x, i, u: x.index_add(0, i[0], u),
            {1: 4096},
        ),
        Case(
            "one_hot 1024 of 1000",
            [(1024,)],
            lambda i: topi.one_hot(i, te_const(1.0), te_const(0.0), 1000, -1, "float32"),
            lambda i: F.one_hot(i, 1000).float(),
            {0: 1000},
        ),
    ]


def te_const(value: float) -> Any:
    """Return a constant of float32."""
    return tvmscript.tir.const(value, "float32")


def _moves() -> list[Case]:
    image, tokens = (1, 64, 56, 56), (8, 128, 768)
    return [
        Case("concat channels", [image] * 2, lambda *x: topi.concatenate(x, 1), lambda *x: torch.cat(x, 1)),
        Case("concat last", [tokens] * 2, lambda *x: topi.concatenate(x, 2), lambda *x: torch.cat(x, 2)),
        Case(
            "concat 3 of 100 columns", [(1000, 100)] * 3, lambda *x: topi.concatenate(x, 1), lambda *x: torch.cat(x, 1)
        ),
        Case(
            "split 3 of last",
            [(8, 128, 768)],
            lambda x: topi.split(x, 3, 2),
            lambda x: [part.contiguous() for part in torch.split(x, 256, 2)],
        ),
        Case(
            "pad pixels",
            [image],
            lambda x: topi.nn.pad(x, (0, 0, 1, 1), (0, 0, 1, 1)),
            lambda x: F.pad(x, (1, 1, 1, 1)),
        ),
        Case(
            "strided_slice last by 2",
            [(512, 1024)],
            lambda x: topi.strided_slice(x, [0, 0], [512, 1024], [1, 2]),
            lambda x: x[:, ::2].contiguous(),
        ),
        Case(
            "strided_slice pixels",
            [image],
            lambda x: topi.strided_slice(x, [0, 0, 4, 4], [1, 64, 52, 52]),
            lambda x: x[:, :, 4:52, 4:52].contiguous(),
        ),
        Case(
            "transpose heads",
            [(1, 128, 12, 64)],
            lambda x: topi.transpose(x, (0, 2, 1, 3)),
            lambda x: x.transpose(1, 2).contiguous(),
        ),
        Case(
            "transpose keys",
            [(1, 384, 12, 64)],
            lambda x: topi.transpose(x, (0, 2, 3, 1)),
            lambda x: x.permute(0, 2, 3, 1).contiguous(),
        ),
        Case("flip last", [(512, 1024)], lambda x: topi.flip(x, 1), lambda x: torch.flip(x, (1,))),
        Case("repeat rows", [(256, 512)], lambda x: topi.repeat(x, 4, 0), lambda x: torch.repeat_interleave(x, 4, 0)),
        Case("repeat last", [(512, 256)], lambda x: topi.repeat(x, 4, 1), lambda x: torch.repeat_interleave(x, 4, 1)),
        Case("tile last", [(512, 256)], lambda x: topi.tile(x, (1, 4)), lambda x: x.repeat(1, 4)),
        Case("stack last", [(512, 512)] * 2, lambda *x: topi.stack(x, 2), lambda *x: torch.stack(x, 2)),
        Case("cumsum last", [(256, 1000)], lambda x: topi.cumsum(x, 1), lambda x: torch.cumsum(x, 1)),
        Case("cumsum int64", [(256, 1000)], lambda x: topi.cumsum(x, 1), lambda x: torch.cumsum(x, 1), {0: 100}),
        Case("triu", [(512, 512)], lambda x: topi.trilu(x, te_int(0), True), torch.triu),
        Case(
            "upsample nearest",
            [image],
            lambda x: topi.nn.upsampling(x, 2, 2),
            lambda x: F.interpolate(x, scale_factor=2, mode="nearest"),
        ),
        Case(
            "upsample bilinear",
            [image],
            lambda x: topi.nn.upsampling(x, 2, 2, "NCHW", "bilinear", align_corners=True),
            lambda x: F.interpolate(x, scale_factor=2, mode="bilinear", align_corners=True),
        ),
    ]


def te_int(value: int) -> Any:
    """Return a constant of int64."""
    return tvmscript.tir.const(value, "int64")


def _sorts(rows: int, columns: int) -> list[Case]:
    shape = (rows, columns)
    return [
        Case(f"sort {rows}x{columns}", [shape], lambda x: topi.sort(x, 1), lambda x: torch.sort(x, 1)[0]),
        Case(
            f"argsort {rows}x{columns}",
            [shape],
            lambda x: topi.argsort(x, axis=1, dtype="int64"),
            lambda x: torch.argsort(x, dim=1, stable=True),
        ),
        Case(
            f"topk 10 of {rows}x{columns}",
            [shape],
            lambda x: topi.topk(x, 10, 1, "values"),
            lambda x: torch.topk(x, 10, 1)[0],
        ),
    ]


def _pixelwise() -> list[Case]:
    image, tokens = (8, 64, 56, 56), (128, 3072)
    size = (64,)
    return [
        Case("gelu 128x3072", [tokens], lambda x: topi.graph.gelu(x), F.gelu),
        Case("silu 128x3072", [tokens], lambda x: topi.multiply(x, topi.sigmoid(x)), F.silu),
        Case(
            "batch_norm 8x64x56x56",
            [image, size, size, size],
            lambda x, g, b, m: topi.nn.batch_norm(x, g, b, m, topi.exp(g), 1, 1e-5)[0],
            lambda x, g, b, m: F.batch_norm(x, m, torch.exp(g), g, b, False, 0.0, 1e-5),
        ),
        Case(
            "group_norm 8x64x56x56",
            [image, size, size],
            lambda x, g, b: topi.nn.group_norm(x, g, b, 8, 1, [2, 3], 1e-5),
            lambda x, g, b: F.group_norm(x, 8, g, b, 1e-5),
        ),
        Case(
            "global average pool 8x64x56x56",
            [image],
            lambda x: topi.nn.global_pool(x, "avg", "NCHW"),
            lambda x: F.adaptive_avg_pool2d(x, 1),
        ),
        Case(
            "max pool 3x3 8x64x56x56",
            [image],
            lambda x: topi.nn.pool2d(x, (3, 3), (2, 2), (1, 1), (1, 1, 1, 1), "max"),
            lambda x: F.max_pool2d(x, 3, 2, 1),
        ),
    ]


CASES: tuple[Case, ...] = (
    _attention(1, 128, 128, 12, 64),
    _attention(1, 384, 384, 12, 64),
    _attention(8, 128, 128, 8, 64),
    _attention(1, 1, 512, 32, 128),
    _attention(1, 1024, 1024, 8, 64),
    *(_dense(*sizes) for sizes in ((1, 768, 768), (1, 768, 3072), (1, 2048, 2048), (1, 4096, 4096), (1, 4096, 11008))),
    *(_dense(*sizes) for sizes in ((4, 768, 3072), (4, 2048, 2048), (16, 2048, 2048), (128, 768, 3072))),
    *(
        _matmul(*sizes)
        for sizes in ((1, 768, 768), (1, 2048, 2048), (1, 4096, 4096), (4, 2048, 2048), (16, 2048, 2048))
    ),
    *(_matmul(*sizes) for sizes in ((4096, 4096, 1), (2048, 2048, 4), (128, 768, 3072))),
    _dense_of_heads(128, 12, 64, 768),
    *(case for sizes in ((1, 4096), (128, 768), (2048, 4096)) for case in _norms(*sizes)),
    *_indexed(),
    *_moves(),
    *(case for sizes in ((1, 1000), (64, 1000), (1, 100000)) for case in _sorts(*sizes)),
    *_pixelwise(),
)


@dataclass(frozen=True)
class Result:
    """Seconds of both."""

    case: Case
    ours: float
    torch: float
    build: float

    @property
    def ratio(self) -> float:
        """The speed as a share of PyTorch's."""
        return self.torch / self.ours


def measure(case: Case, dtype: str) -> Result:
    """Build, check and time an operator, on several inputs in turns: branches of a sort differ from call to call."""
    elements = sum(prod(shape) for shape in case.shapes)
    count, kind = max(min(_ELEMENTS // elements, _MOST_INPUTS), 1), numpy_dtype(dtype)
    inputs = [[x.astype(kind) if x.dtype == "float32" else x for x in case.inputs(seed)] for seed in range(count)]
    tensors = [[as_tensor(array) for array in arrays] for arrays in inputs]
    expected = case.torch(*[x.double() if x.is_floating_point() else x for x in tensors[0]])
    expected = [x.numpy() for x in (expected if isinstance(expected, (list, tuple)) else [expected])]
    params = [te.placeholder(x.shape, str(x.dtype), name=f"x{place}") for place, x in enumerate(inputs[0])]
    outputs = case.kernel(*params)
    outputs = [*outputs] if isinstance(outputs, (list, tuple)) else [outputs]
    func = te.create_prim_func([*params, *outputs], index_dtype_override="int64").with_attr("tir.noalias", True)
    built: list[Any] = []
    build = thread_seconds(lambda: built.append(tvmscript.build(func)), 0)
    function = built[-1]["main"]
    results = [np.zeros([int(size) for size in x.shape], numpy_dtype(str(x.dtype))) for x in outputs]
    function(*inputs[0], *results)
    for result, want in zip(results, expected, strict=True):
        # sums are as exact as their largest part, of 16 bits each; places of what is equal in these may be others
        tolerance, largest = TOLERANCES.get(dtype, 1e-3), float(np.abs(want).max(initial=0))
        atol = 1e-3 + 1e-5 * largest if dtype not in TOLERANCES else 3 * tolerance * max(largest, 1.0)
        if result.dtype.kind not in "iu" or dtype not in TOLERANCES:
            got = result.astype("float64") if result.dtype == kind else result
            np.testing.assert_allclose(got, want.reshape(got.shape), rtol=tolerance, atol=atol, err_msg=case.name)
    ours = peer = float("inf")
    arrays, of_torch = cycle(inputs), cycle(tensors)
    for _ in range(ROUNDS):
        ours = min(ours, thread_seconds(lambda: function(*next(arrays), *results), SECONDS))
        peer = min(peer, thread_seconds(lambda: case.torch(*next(of_torch)), SECONDS))
    return Result(case, ours, peer, build)


def show(result: Result) -> None:
    """Print a row."""
    times = f"{result.ours * 1e6:9.1f} {result.torch * 1e6:9.1f} {result.ratio:6.2f} {result.build * 1e3:9.0f}"
    print(f"{result.case.name:50} {times}", flush=True)


def main(words: Sequence[str], dtype: str) -> None:
    """Print a row for each operator whose name contains a word."""
    ratios: list[float] = []
    for case in CASES:
        if not words or any(word in case.name for word in words):
            result = measure(case, dtype)
            ratios.append(result.ratio)
            show(result)
    print(f"geometric mean {statistics.geometric_mean(ratios):.2f} of PyTorch")


def main_random(kinds: Sequence[str], count: int, seed: int, dtype: str) -> None:
    """Print the worst of random operators of each kind."""
    for kind in kinds or KINDS:
        rng = random.Random(f"{kind} {seed}")
        results = sorted((measure(KINDS[kind](rng), dtype) for _ in range(count)), key=lambda result: result.ratio)
        mean = statistics.geometric_mean([result.ratio for result in results])
        print(f"{kind}: the worst of {count} (seed {seed}), geometric mean of all {mean:.2f} of PyTorch")
        for result in results[:10]:
            show(result)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("words", nargs="*", help="parts of names of operators, or kinds of random ones")
    parser.add_argument("--random", type=int, default=0, help="how many random operators of each kind (0)")
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 30), help="seed of the random operators")
    parser.add_argument(
        "--dtype", choices=("float32", "float64", "float16", "bfloat16"), default="float32", help="(float32)"
    )
    options = parser.parse_args()
    torch.set_num_threads(1)
    torch.set_grad_enabled(False)
    tvmscript.threads(1)
    print(f"{'operator':50} {'us':>9} {'PyTorch':>9} {'of it':>6} {'build ms':>9}")
    if options.random:
        main_random(options.words, options.random, options.seed, options.dtype)
    else:
        main(options.words, options.dtype)
