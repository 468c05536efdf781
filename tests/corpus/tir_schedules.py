"""Schedule primitives on small programs; blocks are found by name, loops by position."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator
from typing import Any

import tvm
from store import Store
from te_operators import ph, prim_func
from tvm import te, tir, topi
from tvm.tir import Schedule


def matmul(n: int = 128, dtype: str = "float32", out: str | None = None) -> Any:
    a, b = te.placeholder((n, n), dtype, name="A"), te.placeholder((n, n), dtype, name="B")
    k = te.reduce_axis((0, n), "k")
    made = out or dtype
    return prim_func(
        a, b, te.compute((n, n), lambda i, j: te.sum(a[i, k].astype(made) * b[k, j].astype(made), axis=k), name="C")
    )


def chain(n: int = 128) -> Any:
    a = ph(n, n)
    b = te.compute((n, n), lambda i, j: a[i, j] * 2.0, name="B")
    c = te.compute((n, n), lambda i, j: b[i, j] + 1.0, name="C")
    return prim_func(a, te.compute((n, n), lambda i, j: tir.exp(c[i, j]), name="D"))


def row_sum() -> Any:
    a = ph(128, 256)
    k = te.reduce_axis((0, 256), "k")
    return prim_func(a, te.compute((128,), lambda i: te.sum(a[i, k], axis=k), name="B"))


def conv() -> Any:
    x, w = ph(1, 8, 16, 16, name="X"), ph(16, 8, 3, 3, name="W")
    return prim_func(x, w, topi.nn.relu(topi.nn.conv2d_nchw(x, w, 1, 1, 1)))


def batched() -> Any:
    x, y = ph(4, 64, 32, name="X"), ph(4, 64, 32, name="Y")
    return prim_func(x, y, topi.nn.batch_matmul(x, y))


def pooled() -> Any:
    x = ph(1, 4, 16, 16, name="X")
    return prim_func(x, topi.nn.pool2d(x, (3, 3), (1, 1), (1, 1), (1, 1, 1, 1), "max"))


def dynamic() -> Any:
    n, m = te.var("n"), te.var("m")
    a = te.placeholder((n, m), name="A")
    k = te.reduce_axis((0, m), "k")
    return prim_func(a, te.compute((n,), lambda i: te.sum(a[i, k], axis=k), name="B"))


Case = tuple[str, Callable[[], Any], Callable[[Schedule], Any]]


def loops(s: Schedule, name: str) -> list[Any]:
    return s.get_loops(s.get_block(name))


def loop_cases() -> Iterator[Case]:
    yield "split", matmul, lambda s: s.split(loops(s, "C")[0], [None, 32])
    yield "split-uneven", matmul, lambda s: s.split(loops(s, "C")[0], [None, 33])
    yield "split-three", matmul, lambda s: s.split(loops(s, "C")[2], [4, None, 8])
    yield "split-dynamic", dynamic, lambda s: s.split(loops(s, "B")[0], [None, 32])
    yield "split-kept", matmul, lambda s: s.split(loops(s, "C")[0], [None, 32], preserve_unit_iters=False)
    yield "loop-partition", matmul, lambda s: s.loop_partition(loops(s, "C")[0], [32, None])
    yield "fuse", chain, lambda s: s.fuse(*loops(s, "B"))
    yield "fuse-dynamic", dynamic, lambda s: s.fuse(*loops(s, "B"))
    yield "reorder", matmul, lambda s: s.reorder(*reversed(loops(s, "C")))
    yield "reorder-block-axes", matmul, lambda s: s.reorder_block_iter_var(s.get_block("C"), [2, 0, 1])
    yield "add-unit-loop", chain, lambda s: s.add_unit_loop(s.get_block("B"))
    yield "add-unit-loop-inner", chain, lambda s: s.add_unit_loop(loops(s, "B")[1])
    for kind in ("parallel", "vectorize", "unroll"):
        yield kind, chain, lambda s, k=kind: getattr(s, k)(loops(s, "D")[0 if k != "vectorize" else 1])
    for thread in ("blockIdx.x", "threadIdx.y", "vthread.x"):
        yield f"bind-{thread}", chain, lambda s, t=thread: s.bind(loops(s, "D")[0], t)
    yield "merge", chain, lambda s: s.merge(loops(s, "B")[0], loops(s, "C")[0])

    def tiles(s: Schedule) -> None:
        i, j, k = loops(s, "C")
        i0, i1, i2, i3 = s.split(i, s.sample_perfect_tile(i, 4, decision=[4, 2, 8, 2]))
        j0, j1, j2, j3 = s.split(j, s.sample_perfect_tile(j, 4, decision=[2, 4, 4, 4]))
        k0, k1 = s.split(k, s.sample_perfect_tile(k, 2, decision=[32, 4]))
        s.reorder(i0, j0, i1, j1, k0, i2, j2, k1, i3, j3)
        s.parallel(s.fuse(i0, j0))
        s.vectorize(j3)
        s.unroll(k1)

    yield "tiles", matmul, tiles


def compute_cases() -> Iterator[Case]:
    yield "inline", chain, lambda s: s.compute_inline(s.get_block("B"))
    yield "reverse-inline", chain, lambda s: s.reverse_compute_inline(s.get_block("D"))
    yield "compute-at", chain, lambda s: s.compute_at(s.get_block("B"), loops(s, "D")[0], preserve_unit_loops=True)
    yield "compute-at-inner", chain, lambda s: s.compute_at(s.get_block("C"), loops(s, "D")[1])
    yield "reverse-compute-at", chain, lambda s: s.reverse_compute_at(s.get_block("D"), loops(s, "C")[0])
    yield "pad-compute-at", conv, lambda s: s.compute_at(s.get_block("pad_temp"), loops(s, "conv2d_nchw")[1])
    yield "pad-inline", conv, lambda s: s.compute_inline(s.get_block("pad_temp"))
    yield "pool-compute-at", pooled, lambda s: s.compute_at(s.get_block("pad_temp"), loops(s, "pool_max")[2])
    for position in (0, 1, 2):
        yield (
            f"decompose-reduction-{position}",
            matmul,
            lambda s, p=position: s.decompose_reduction(s.get_block("C"), loops(s, "C")[p]),
        )
    yield "decompose-padding", conv, lambda s: s.decompose_padding(s.get_block("pad_temp"), loops(s, "pad_temp")[2])
    yield "rfactor", row_sum, lambda s: s.rfactor(s.split(loops(s, "B")[1], [None, 32])[1], 0)
    yield "rfactor-1", row_sum, lambda s: s.rfactor(s.split(loops(s, "B")[1], [32, None])[0], 1)
    yield "rolling-buffer", pooled, rolled
    yield "pad-einsum", lambda: matmul(127), lambda s: s.pad_einsum(s.get_block("C"), [32, 32, 32])


def rolled(s: Schedule) -> None:
    pad, pool = s.get_block("pad_temp"), s.get_block("pool_max")
    i, j = s.get_loops(pool)[2:4]
    io, ii = s.split(i, [None, 4])
    jo, ji = s.split(j, [None, 4])
    s.reorder(io, jo, ii, ji)
    s.compute_at(pad, jo)
    s.rolling_buffer(pad, 0)


def memory_cases() -> Iterator[Case]:
    for scope in ("global", "shared", "shared.dyn", "local", "warp", "wmma.matrix_a", "global.texture"):
        yield f"cache-read-{scope}", matmul, lambda s, c=scope: s.cache_read(s.get_block("C"), 0, c)
        yield f"cache-write-{scope}", matmul, lambda s, c=scope: s.cache_write(s.get_block("C"), 0, c)
        yield f"set-scope-{scope}", chain, lambda s, c=scope: s.set_scope(s.get_block("B"), 0, c)
    yield "cache-read-at", matmul, lambda s: s.compute_at(s.cache_read(s.get_block("C"), 1, "shared"), loops(s, "C")[2])
    yield (
        "cache-write-at",
        matmul,
        lambda s: s.reverse_compute_at(s.cache_write(s.get_block("C"), 0, "local"), loops(s, "C")[1]),
    )
    yield "cache-index", pooled, lambda s: s.cache_index(s.get_block("pool_max"), "global")
    yield "cache-inplace", chain, lambda s: s.cache_inplace(s.get_block("B"), 0, "local")
    yield "reindex-read", conv, lambda s: s.reindex(s.get_block("conv2d_nchw"), ("read", 0))
    yield "reindex-write", batched, lambda s: s.reindex(s.get_block("T_batch_matmul_NT"), ("write", 0))
    yield (
        "reindex-cache-read",
        matmul,
        lambda s: s.reindex_cache_read(s.get_block("C"), 0, "shared", lambda i, j, k: (k, i)),
    )
    yield (
        "reindex-cache-write",
        matmul,
        lambda s: s.reindex_cache_write(s.get_block("C"), 0, "local", lambda i, j, k: (j, i)),
    )
    yield "read-at", matmul, lambda s: s.read_at(loops(s, "C")[1], s.get_block("C"), 0, "shared")
    yield "write-at", matmul, lambda s: s.write_at(loops(s, "C")[0], s.get_block("C"), 0, "shared")
    yield "storage-align", chain, lambda s: s.storage_align(s.get_block("B"), 0, 0, 128, 4)
    yield "unsafe-dtype", chain, lambda s: s.unsafe_set_dtype(s.get_block("B"), 0, "float16")
    yield "separator", chain, lambda s: s.set_axis_separator(s.get_block("B"), ("write", 0), [1])
    yield "separator-input", chain, lambda s: s.set_axis_separator(s.get_block("B"), ("read", 0), [1])
    yield "hide-access", chain, lambda s: s.unsafe_hide_buffer_access(s.get_block("B"), "read", [0])
    layout = lambda i, j: (i // 16, j // 16, i % 16, j % 16)  # noqa: E731
    yield "transform-layout", chain, lambda s: s.transform_layout(s.get_block("B"), ("write", 0), layout)
    yield "transform-layout-read", chain, lambda s: s.transform_layout(s.get_block("B"), ("read", 0), layout)
    yield "transform-layout-pad", chain, lambda s: s.transform_layout(
        s.get_block("B"), ("write", 0), lambda i, j: (i, j // 24, j % 24), pad_value=0.0)  # fmt: skip
    yield "transform-layout-separator", chain, lambda s: s.transform_layout(
        s.get_block("B"), ("write", 0), lambda i, j: (i, te.AXIS_SEPARATOR, j))  # fmt: skip
    yield (
        "transform-block-layout",
        chain,
        lambda s: s.transform_block_layout(s.get_block("B"), lambda i, j: (i * 128 + j,)),
    )


def annotation_cases() -> Iterator[Case]:
    values: dict[str, Any] = {
        "int": 1, "string": "text", "true": True, "float": 0.5, "list": [1, 2, 3], "strings": ["a", "b"], "nested": [[1, 2], [0]],
        "dict": {"key": 1, "other": "x"}, "quoted": 'say "hi"\\n', "none": None, "int64": tir.IntImm("int64", 3), "mixed": [1, "a", [0.5]],
        "empty": [], "empty-dict": {}, "float16": tir.FloatImm("float16", 1.5),
    }  # fmt: skip
    for kind, value in values.items():
        yield f"annotate-block-{kind}", chain, lambda s, v=value: s.annotate(s.get_block("B"), "pragma_key", v)
        yield f"annotate-loop-{kind}", chain, lambda s, v=value: s.annotate(loops(s, "B")[0], "my.key", v)

    def pipeline(s: Schedule) -> None:
        k = loops(s, "C")[2]
        ko, _ = s.split(k, [None, 8])
        s.compute_at(s.cache_read(s.get_block("C"), 0, "shared"), ko)
        s.annotate(ko, "software_pipeline_stage", [0, 1])
        s.annotate(ko, "software_pipeline_order", [0, 1])
        s.annotate(ko, "software_pipeline_async_stages", [0])

    yield "software-pipeline", matmul, pipeline
    for key in (
        "meta_schedule.tiling_structure",
        "meta_schedule.cooperative_fetch",
        "meta_schedule.parallel",
        "warp_execution",
    ):
        yield (
            f"annotate-{key}",
            matmul,
            lambda s, k=key: s.annotate(s.get_block("C"), k, "SSRSRS" if "tiling" in k else 4),
        )
    yield "unannotate", chain, lambda s: (s.annotate(s.get_block("B"), "x", 1), s.unannotate(s.get_block("B"), "x"))


def block_cases() -> Iterator[Case]:
    def blockized(s: Schedule) -> Any:
        i, j, k = loops(s, "C")
        i0, i1 = s.split(i, [None, 16])
        j0, j1 = s.split(j, [None, 16])
        k0, k1 = s.split(k, [None, 16])
        s.reorder(i0, j0, k0, i1, j1, k1)
        return i1

    yield "blockize", matmul, lambda s: s.blockize(blockized(s))
    yield "blockize-decomposed", matmul, lambda s: (s.blockize(i := blockized(s)), s.decompose_reduction(
        s.get_block("C_o"), loops(s, "C_o")[2]), i)  # fmt: skip
    yield "blockize-set", chain, lambda s: s.blockize([s.get_block("B"), s.get_block("C")])
    yield "blockize-dynamic", dynamic, lambda s: s.blockize(s.split(loops(s, "B")[1], [None, 32])[1])

    def tensorized(shape: tuple[int, int, int], intrinsic: str) -> Callable[[Schedule], Any]:
        def schedule(s: Schedule) -> None:
            found = loops(s, "C")
            inner = [s.split(loop, [None, size]) for loop, size in zip(found, shape, strict=True)]
            s.reorder(*[outer for outer, _ in inner], *[loop for _, loop in inner])
            s.tensorize(inner[0][1], intrinsic)

        return schedule

    for size, dtype in ((16, "float16"),):
        for out, suffix in (("float32", "f32"), ("float16", "f16")):
            yield f"tensorize-wmma-{suffix}", lambda d=dtype, o=out: prim_func_scoped(d, o), tensorized(
                (size, size, size), f"wmma_sync_16x16x16_f16f16{suffix}")  # fmt: skip
    yield "tensorize-ldmatrix", lambda: matmul(32, "float16"), load_matrix
    yield (
        "tensorize-vnni",
        lambda: dot_product("uint8", "int8"),
        lambda s: s.tensorize(loops(s, "C")[1], "dot_16x4_vnni"),
    )
    yield (
        "tensorize-sdot",
        lambda: dot_product("int8", "int8", 4),
        lambda s: s.tensorize(loops(s, "C")[1], "dot_4x4_i8i8s32_sdot"),
    )
    yield (
        "tensorize-neon",
        lambda: dot_product("int8", "int8", 4),
        lambda s: s.tensorize(loops(s, "C")[1], "dot_4x4_i8i8s32_neon"),
    )
    yield "tensorize-dp4a", dp4a_input, lambda s: s.tensorize(loops(s, "C")[1], "dp4a_s8s8s32")


def prim_func_scoped(dtype: str, out: str) -> Any:
    """A matmul whose operands lie in matrix fragments."""
    s = Schedule(matmul(16, dtype, out))
    for index, scope in ((0, "wmma.matrix_a"), (1, "wmma.matrix_b")):
        s.cache_read(s.get_block("C"), index, scope)
    s.cache_write(s.get_block("C"), 0, "wmma.accumulator")
    return s.mod["main"]


def load_matrix(s: Schedule) -> None:
    block = s.cache_read(s.get_block("C"), 0, "shared.dyn")
    fragment = s.cache_read(s.get_block("C"), 0, "warp")
    i, j = s.get_loops(fragment)
    i0, i1 = s.split(i, [None, 16])
    j0, j1 = s.split(j, [None, 16])
    s.reorder(i0, j0, i1, j1)
    s.transform_layout(
        fragment,
        ("write", 0),
        lambda x, y: (x // 16, y // 16, 4 * (x % 8) + y % 8 // 2, 4 * (y % 16 // 8) + x % 16 // 8 * 2 + y % 2),
    )
    s.tensorize(i1, "mma_ldmatrix_f16_a_dyn")
    s.annotate(block, "permuted_layout", 1)


def dot_product(left: str, right: str, lanes: int = 16) -> Any:
    a, b = te.placeholder((32, 4), left, name="A"), te.placeholder((lanes, 4), right, name="B")
    k = te.reduce_axis((0, 4), "k")
    func = prim_func(a, b, te.compute((32, lanes), lambda i, j: te.sum(
        a[i, k].astype("int32") * b[j, k].astype("int32"), axis=k), name="C"))  # fmt: skip
    s = Schedule(func)
    s.decompose_reduction(s.get_block("C"), loops(s, "C")[1])
    return func_named(s)


def func_named(s: Schedule) -> Any:
    """The function, its update block under the name C."""
    text = s.mod["main"].script().replace('"C_update"', '"C"')
    return tvm.script.from_source(text)


def dp4a_input() -> Any:
    a, b = te.placeholder((32, 4), "int8", name="A"), te.placeholder((32, 4), "int8", name="B")
    k = te.reduce_axis((0, 4), "k")
    s = Schedule(
        prim_func(
            a,
            b,
            te.compute((32,), lambda i: te.sum(a[i, k].astype("int32") * b[i, k].astype("int32"), axis=k), name="C"),
        )
    )
    s.decompose_reduction(s.get_block("C"), loops(s, "C")[1])
    return func_named(s)


def run(store: Store) -> None:
    """Every case; those that fail in TVM are noted."""
    for info in ("cuda", "x86", "arm_cpu", "rocm", "hexagon"):
        importlib.import_module(f"tvm.tir.tensor_intrin.{info}")
    for family in (loop_cases, compute_cases, memory_cases, annotation_cases, block_cases):
        for name, make, schedule in family():

            def scheduled(make: Any = make, schedule: Any = schedule) -> Any:
                s = Schedule(make())
                schedule(s)
                return s.mod

            store.attempt("schedule", name, scheduled)
