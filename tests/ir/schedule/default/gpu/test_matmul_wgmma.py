"""Products of warp groups: values in the interpreter, faults and bank conflicts, registers of the compiled kernels."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tvmscript
from tests.backends.cuda.kernels import needs_nvrtc
from tests.ir.schedule.default.gpu.test_rules import program
from tests.ir.schedule.default.gpu.test_tensor_cores import (
    SYMBOLIC_ROWS,
    TARGET,
    WITH_EPILOGUE,
    arguments,
    gram,
    product,
    reference,
)
from tvmscript import te, topi
from tvmscript.backends.interp.sanitizer import run_sanitized
from tvmscript.ir.core import IRModule, Target, nodes
from tvmscript.ir.schedule.default import gpu
from tvmscript.ir.schedule.default.gpu import matmul_wgmma, tile_model
from tvmscript.ir.schedule.default.gpu.tile_model import WarpTiling
from tvmscript.ir.tir import Block, Call, PrimFunc
from tvmscript.ir.tir.intrin.device import INSTRUCTIONS

#: the same product with indices of 64 bits
INT64_ROWS = (
    SYMBOLIC_ROWS.replace("(64, 64)", "(T.int64(64), T.int64(64))")
    .replace("T.int32()", "T.int64()")
    .replace("n, 64, 64", "n, T.int64(64), T.int64(64)")
    .replace("(n, 64)", "(n, T.int64(64))")
)

#: fewer terms than a tile has, and half of its columns: whole rows of 128 bytes are beside the right operand
FEW_TERMS = """
@T.prim_func
def main(a: T.handle, B: T.Buffer((16, 64), "bfloat16"), c: T.handle):
    n = T.int32()
    A = T.match_buffer(a, (16, n), "bfloat16")
    C = T.match_buffer(c, (n, 64), "float32")
    for i, j, k in T.grid(n, 64, 16):
        with T.block("C"):
            vi, vj, vk = T.axis.remap("SSR", [i, j, k])
            with T.init():
                C[vi, vj] = T.float32(0)
            C[vi, vj] = C[vi, vj] + T.cast(A[vk, vi], "float32") * T.cast(B[vk, vj], "float32")
"""

#: results of 16 bits, sums of float32
NARROW = """
@T.prim_func
def main(A: T.Buffer(({size}, {terms}), "float16"), B: T.Buffer(({size}, {terms}), "float16"),
         D: T.Buffer(({size}, {size}), "float16")):
    C = T.alloc_buffer(({size}, {size}), "float32")
    for i, j, k in T.grid({size}, {size}, {terms}):
        with T.block("C"):
            vi, vj, vk = T.axis.remap("SSR", [i, j, k])
            with T.init():
                C[vi, vj] = T.float32(0)
            C[vi, vj] = C[vi, vj] + T.cast(A[vi, vk], "float32") * T.cast(B[vj, vk], "float32")
    for i, j in T.grid({size}, {size}):
        with T.block("D"):
            vi, vj = T.axis.remap("SS", [i, j])
            D[vi, vj] = T.cast(T.max(C[vi, vj], T.float32(0)), "float16")
"""

#: W.T @ W, where the transposed array is inlined into a copy
TRANSPOSED = """
@T.prim_func
def main(W: T.Buffer(({terms}, 64), "{dtype}"), C: T.Buffer((64, 64), "{total}")):
    V = T.alloc_buffer((64, {terms}), "{dtype}")
    for i, k in T.grid(64, {terms}):
        with T.block("V"):
            vi, vk = T.axis.remap("SS", [i, k])
            V[vi, vk] = W[vk, vi]
    for i, j, k in T.grid(64, 64, {terms}):
        with T.block("C"):
            vi, vj, vk = T.axis.remap("SSR", [i, j, k])
            with T.init():
                C[vi, vj] = T.cast(0, "{total}")
            C[vi, vj] = C[vi, vj] + T.cast(V[vi, vk], "{total}") * T.cast(W[vk, vj], "{total}")
"""

#: rows of two axes, which are neighbours in memory
LINEAR = """
@T.prim_func
def main(A: T.Buffer(({batch}, {rows}, {terms}), "float16"), W: T.Buffer(({columns}, {terms}), "float16"),
         D: T.Buffer(({batch}, {rows}, {columns}), "{out}")):
    C = T.alloc_buffer(({batch}, {rows}, {columns}), "float32")
    for b, i, j, k in T.grid({batch}, {rows}, {columns}, {terms}):
        with T.block("C"):
            vb, vi, vj, vk = T.axis.remap("SSSR", [b, i, j, k])
            with T.init():
                C[vb, vi, vj] = T.float32(0)
            C[vb, vi, vj] = C[vb, vi, vj] + T.cast(A[vb, vi, vk], "float32") * T.cast(W[vj, vk], "float32")
    for b, i, j in T.grid({batch}, {rows}, {columns}):
        with T.block("D"):
            vb, vi, vj = T.axis.remap("SSS", [b, i, j])
            D[vb, vi, vj] = T.cast(C[vb, vi, vj], "{out}")
"""

CASES = {
    "rows of two axes": LINEAR.format(batch=2, rows=35, columns=64, terms=72, out="float32"),
    **{f"an array with itself, {layout}": gram(64, 72, "float16", layout) for layout in ("nt", "tn")},
    "float16 nt, four stages": product(64, 64, 320, "float16", "float32", "nt"),
    "float16 tn": product(64, 64, 64, "float16", "float32", "tn"),
    "bfloat16 nn": product(64, 64, 64, "bfloat16", "float32", "nn"),
    "float32 nt": product(64, 64, 32, "float32", "float32", "nt"),
    "float32 nn": product(64, 64, 32, "float32", "float32", "nn"),
    "int8 nt": product(64, 64, 128, "int8", "int32", "nt"),
    "e4m3 nt": product(64, 64, 128, "e4m3_float8", "float32", "nt"),
    "e5m2 nt": product(64, 64, 128, "e5m2_float8", "float32", "nt"),
    "float16 nt, rows that tensor maps do not describe": product(64, 70, 76, "float16", "float32", "nt"),
    "float16 tn, one of the copies in bulk": product(70, 72, 72, "float16", "float32", "tn"),
    "float16, a transposed left operand": TRANSPOSED.format(terms=72, dtype="float16", total="float32"),
    "int8, a transposed left operand": TRANSPOSED.format(terms=128, dtype="int8", total="int32"),
    "rows of any number": SYMBOLIC_ROWS,
    "rows of any number, in 64 bits": INT64_ROWS,
    "few terms": FEW_TERMS,
    "batches, odd sizes and an epilogue": WITH_EPILOGUE.replace("20", "70").replace("30", "72"),
}
#: cases of every run: rows of terms and of columns, sums of floats and of integers
SHORT = {"bfloat16 nn", "int8 nt"}
#: copies of single elements have conflicts of banks
COPIED_BY_ELEMENTS = {
    "int8, a transposed left operand",
    "float32 nn",
    "float16 nt, rows that tensor maps do not describe",
    "float16 tn, one of the copies in bulk",
    "few terms",
}


def scheduled(func: PrimFunc) -> IRModule:
    sch = gpu.MatmulWGMMA().apply(func, TARGET, False)
    assert sch is not None
    return sch.mod


def bulk_copies(lowered: IRModule) -> tuple[int, bool]:
    """Return how many tensor maps a program makes, and whether it stores in bulk."""
    calls = [node for func in lowered.functions.values() for node in nodes(func) if isinstance(node, Call)]
    maps = sum(call.op is INSTRUCTIONS["tensormap_encode_tiled"] for call in calls)
    return maps, "bulk_group" in lowered.script(dialect="0.27")


def check(text: str, *, has_conflicts: bool = False) -> None:
    """Compare the scheduled product with the unscheduled one; reads of matrices have no conflicts of banks."""
    check_scheduled(program(text), has_conflicts=has_conflicts)


def check_scheduled(func: PrimFunc, *, has_conflicts: bool = False) -> None:
    """Compare the scheduled function with the unscheduled one."""
    mod = scheduled(func)
    expected, actual = reference(func), arguments(func)
    report = run_sanitized(tvmscript.lower(mod, TARGET), "main", actual)
    assert report.errors == ()
    assert bool([note for note in report.notes if "bank" in note.text]) is has_conflicts
    one, other = (np.asarray(arrays[-1], "float64") for arrays in (actual, expected))
    tolerance = 3e-2 if str(actual[-1].dtype) == "float16" else 1e-4
    np.testing.assert_allclose(one, other, rtol=tolerance, atol=tolerance)
    reads = [sums for site, sums in report.traffic.items() if isinstance(site, Call)]
    assert reads
    assert all(sums.cost == sums.ideal for sums in reads)


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=() if name in SHORT else pytest.mark.long) for name in CASES]
)
def test_values_and_faults(name: str) -> None:
    check(CASES[name], has_conflicts=name in COPIED_BY_ELEMENTS)


@pytest.mark.long
@pytest.mark.parametrize(
    ("size", "dtype", "layout", "blocks"),
    [
        ((104, 64, 128), "float16", "nt", 132),
        ((104, 64, 128), "float16", "tn", 132),
        ((104, 64, 136), "float32", "nt", 132),
        ((300, 64, 72), "float32", "nt", 2),
    ],
    ids=["nt", "tn", "a third group copies", "two blocks compute three tiles"],
)
def test_two_groups_share_a_tile(
    size: tuple[int, int, int], dtype: str, layout: str, blocks: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(matmul_wgmma, "_TILINGS", (WarpTiling(128, 64, 2, 1),))
    monkeypatch.setattr(matmul_wgmma, "multiprocessors", lambda target: blocks)
    check(product(*size, dtype, "float32", layout))


@pytest.mark.fuzz
@pytest.mark.parametrize(
    ("size", "layout"),
    [((256, 128, 320), "nn"), ((128, 256, 320), "nt")],
    ids=["right operand", "left operand"],
)
def test_two_blocks_share_copies(size: tuple[int, int, int], layout: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(matmul_wgmma, "_TILINGS", (WarpTiling(128, 64, 2, 1),))
    monkeypatch.setattr(matmul_wgmma, "multiprocessors", lambda target: 2)
    check(product(*size, "float16", "float32", layout))


@pytest.mark.parametrize(
    ("rows", "columns", "operand"), [(4096, 4096, "B"), (8192, 4096, "B"), (128 * 33, 4096, "A"), (2048, 2048, None)]
)
def test_clusters_share_an_operand_beyond_one_wave(rows: int, columns: int, operand: str | None) -> None:
    func = program(product(rows, columns, 512, "float16", "float32", "nt"))
    sch = gpu.MatmulWGMMA().apply(func, TARGET, False)
    assert sch is not None
    shared = [
        node.reads[0].buffer.name
        for node in nodes(sch.mod["main"])
        if isinstance(node, Block) and "bulk_copy_multicast" in node.annotations
    ]
    assert shared == ([] if operand is None else [operand])


@pytest.mark.long
@pytest.mark.parametrize("layout", ["nt", pytest.param("tn", marks=pytest.mark.fuzz)])
def test_parts_of_many_terms_are_added_by_another_launch(layout: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tile_model, "_LEAST_TERMS", 64)
    text = product(64, 64, 256, "float16", "float32", layout)
    assert bulk_copies(tvmscript.lower(scheduled(program(text)), TARGET))[0] == 2
    check(text)


@pytest.mark.parametrize("runs", [False, pytest.param(True, marks=pytest.mark.fuzz)])
def test_results_of_16_bits_are_stored_in_bulk(monkeypatch: pytest.MonkeyPatch, *, runs: bool) -> None:
    """A block computes two tiles: results of the second one wait for the copies of the first."""
    monkeypatch.setattr(matmul_wgmma, "_TILINGS", (WarpTiling(128, 64, 2, 1),))
    monkeypatch.setattr(matmul_wgmma, "multiprocessors", lambda target: 1)
    text = NARROW.format(size=128, terms=320)
    sch = gpu.MatmulWGMMA().apply(program(text), TARGET, False)
    assert sch is not None
    assert "bulk_group" in tvmscript.lower(sch.mod, TARGET).script(dialect="0.27")
    if runs:
        check(text)


@pytest.mark.parametrize(
    ("size", "layout", "count"), [((70, 72, 200), "nn", 2), ((70, 72, 200), "tn", 1), ((70, 72, 76), "nt", 0)]
)
def test_arrays_are_copied_in_bulk_where_rows_are_multiples_of_16_bytes(
    size: tuple[int, int, int], layout: str, count: int
) -> None:
    lowered = tvmscript.lower(scheduled(program(product(*size, "float16", "float32", layout))), TARGET)
    assert bulk_copies(lowered)[0] == count


@pytest.mark.parametrize("rows", [512, 100])
def test_rows_of_several_axes_are_copied_in_bulk(rows: int) -> None:
    """Tiles of 128 rows are rows of one batch, or of several ones; whole tiles are stored in bulk, too."""
    text = LINEAR.format(batch=16, rows=rows, columns=1024, terms=1024, out="float16")
    assert bulk_copies(tvmscript.lower(scheduled(program(text)), TARGET)) == (2 + (rows == 512), rows == 512)


def convolution(images: int, size: int, channels: int, padding: int = 1) -> PrimFunc:
    """Return a convolution of images with the channels last by windows of 3 x 3."""
    image = te.placeholder((images, size, size, channels), "float16", "A")
    weights = te.placeholder((3, 3, channels, channels), "float16", "W")
    sums = topi.nn.conv2d_nhwc(image, weights, 1, padding, 1, out_dtype="float32")
    return te.create_prim_func([image, weights, topi.cast(sums, "float16")])


@pytest.mark.parametrize(
    ("images", "size", "box"),
    [
        (32, 56, (2, 8, 8)),
        (1, 64, (1, 8, 16)),
        pytest.param(32, 14, (32, 2, 2), marks=pytest.mark.long),
        (32, 7, None),  # no boxes of neighbours are whole tiles: all threads copy
    ],
)
def test_tiles_of_convolutions_are_boxes_of_images(images: int, size: int, box: tuple[int, int, int] | None) -> None:
    lowered = tvmscript.lower(scheduled(convolution(images, size, 256)), TARGET)
    assert bulk_copies(lowered) == ((1, False) if box is None else (3, True))
    if box is not None:
        assert f", 64, {', '.join(map(str, reversed(box)))}, 1, 1, 1, 1, descriptor" in lowered.script(dialect="0.27")


@pytest.mark.fuzz
@pytest.mark.parametrize(("images", "size", "padding", "blocks"), [(4, 8, 1, 1), (16, 4, 1, 2), (32, 4, 0, 3)])
def test_values_of_convolutions(
    images: int, size: int, padding: int, blocks: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A group copies boxes, zeros beside the images; blocks compute several tiles, or share copies of the weights."""
    monkeypatch.setattr(matmul_wgmma, "_TILINGS", (WarpTiling(128, 64, 2, 1),))
    monkeypatch.setattr(matmul_wgmma, "multiprocessors", lambda target: blocks)
    check_scheduled(convolution(images, size, 64, padding))


@needs_nvrtc
@pytest.mark.long
def test_large_convolutions_compile_without_spills() -> None:
    module: Any = tvmscript.build(convolution(32, 56, 256), target="cuda -arch=sm_90a")
    (report,) = module.report()
    assert not report.spills
    assert report.stack_bytes == 0
    assert report.dynamic_shared_bytes == 3 * 48 * 1024 + 64 * 1024
    assert report.threads == 384


@pytest.mark.parametrize(
    ("text", "target"),
    [
        (product(64, 64, 64, "float16", "float32", "nt"), "cuda -arch=sm_90"),
        (product(64, 64, 64, "float16", "float16", "nt"), "cuda -arch=sm_90a"),
        (product(32, 64, 64, "float16", "float32", "nt"), "cuda -arch=sm_90a"),
        (product(64, 64, 64, "float32", "float32", "nt").replace("True", "False"), "cuda -arch=sm_90a"),
    ],
    ids=["without wgmma", "narrow sums", "few rows", "all bits count"],
)
def test_it_is_not_for(text: str, target: str) -> None:
    assert gpu.MatmulWGMMA().apply(program(text), Target.make(target), False) is None


@pytest.mark.parametrize("text", [SYMBOLIC_ROWS, INT64_ROWS, FEW_TERMS], ids=["int32", "int64", "few terms"])
@pytest.mark.parametrize("rule", [gpu.MatmulWGMMA, gpu.MatmulTensorization])
def test_rows_of_any_number_have_tensor_cores(text: str, rule: type[gpu.GPURule]) -> None:
    """The padded number of rows, which the loops imply, does not hide which rows a thread stores."""
    sch = rule().apply(program(text), TARGET, False)
    assert sch is not None
    tvmscript.lower(sch.mod, TARGET)


def test_indices_of_several_types_are_for_another_rule() -> None:
    """An index map that mixes them has no inverse: the rule is not for it, instead of an error."""
    func = program(SYMBOLIC_ROWS.replace("T.int32()", "T.int64()"))
    assert gpu.MatmulWGMMA().apply(func, TARGET, False) is None
    assert gpu.Matmul().apply(func, TARGET, False) is not None


@needs_nvrtc
@pytest.mark.parametrize(
    ("dtype", "out", "layout"),
    [
        ("bfloat16", "float32", "nn"),
        pytest.param("float16", "float32", "nt", marks=pytest.mark.long),
        pytest.param("float32", "float32", "nt", marks=pytest.mark.long),
        pytest.param("int8", "int32", "nt", marks=pytest.mark.long),
        pytest.param("e4m3_float8", "float32", "nt", marks=pytest.mark.long),
    ],
)
def test_large_products_compile_without_spills(dtype: str, out: str, layout: str) -> None:
    module: Any = tvmscript.build(program(product(4096, 4096, 4096, dtype, out, layout)), target="cuda -arch=sm_90a")
    (report,) = module.report()
    assert not report.spills
    assert report.stack_bytes == 0
    assert report.dynamic_shared_bytes <= 227 * 1024
    assert "cp.async.bulk.tensor.2d" in module.get_source("cu")
    assert report.threads == 384
    assert report.registers <= 65536 // report.threads


def test_results_that_lie_otherwise_are_stored_by_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(matmul_wgmma, "_TILINGS", (WarpTiling(128, 64, 2, 1),))
    text = NARROW.format(size=128, terms=320).replace("D[vi, vj] =", "D[vj, vi] =")
    sch = gpu.MatmulWGMMA().apply(program(text), TARGET, False)
    assert sch is not None
    assert "stmatrix" not in sch.mod.script(dialect="0.27")


@needs_nvrtc
@pytest.mark.long
def test_large_products_with_narrow_results_compile_without_spills() -> None:
    func = program(NARROW.format(size=4096, terms=4096))
    module: Any = tvmscript.build(func, target="cuda -arch=sm_90a")
    (report,) = module.report()
    assert not report.spills
    assert report.stack_bytes == 0
    assert report.dynamic_shared_bytes == 3 * 48 * 1024 + 64 * 1024
    assert "stmatrix.sync.aligned.m8n8.x4" in module.get_source("cu")


#: rows that do not fill tiles, and a row of another array for each of them
WITH_RESIDUALS = """
@T.prim_func
def main(A: T.Buffer((180, 128), "float16"), B: T.Buffer((64, 128), "float16"), R: T.Buffer((180, 64), "float16"),
         D: T.Buffer((180, 64), "float16")):
    C = T.alloc_buffer((180, 64), "float32")
    for i, j, k in T.grid(180, 64, 128):
        with T.block("C"):
            vi, vj, vk = T.axis.remap("SSR", [i, j, k])
            with T.init():
                C[vi, vj] = T.float32(0)
            C[vi, vj] = C[vi, vj] + T.cast(A[vi, vk], "float32") * T.cast(B[vj, vk], "float32")
    for i, j in T.grid(180, 64):
        with T.block("D"):
            vi, vj = T.axis.remap("SS", [i, j])
            D[vi, vj] = T.cast(C[vi, vj], "float16") + R[vi, vj]
"""


def separate_rows_of_three_tiles(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a device compute two tiles of 64 x 64 at once, and launches cost nothing."""
    monkeypatch.setattr(matmul_wgmma, "_TILINGS", (WarpTiling(64, 64, 1, 1),))
    for module in (matmul_wgmma, tile_model):
        monkeypatch.setattr(module, "multiprocessors", lambda target: 2)
    monkeypatch.setattr(tile_model, "LAUNCH", 0)
    monkeypatch.setattr(tile_model, "_PRODUCTS_PER_PARTIAL_SUM", 0)
    monkeypatch.setattr(tile_model, "_LEAST_TERMS", 64)


@pytest.mark.long
@pytest.mark.parametrize(
    "text",
    [
        WITH_RESIDUALS,
        product(180, 64, 128, "float16", "float32", "nt"),
        pytest.param(product(192, 64, 128, "bfloat16", "float32", "tn"), marks=pytest.mark.fuzz),
    ],
    ids=["an epilogue", "nt", "tn"],
)
def test_rows_of_the_last_wave_are_another_product(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two of three tiles are a wave; parts of the terms of the third one are another, and a third launch adds them."""
    separate_rows_of_three_tiles(monkeypatch)
    source = tvmscript.build(program(text), target="cuda -arch=sm_90a").get_source()
    assert source.count("__global__") == 3
    check(text)


@needs_nvrtc
@pytest.mark.long
def test_rows_of_the_last_wave_compile_without_spills() -> None:
    """Tiles in 2.2 waves: two waves, parts of the terms of the other tiles, and sums of these."""
    func = program(NARROW.format(size=3072, terms=3072))
    module: Any = tvmscript.build(func, target="cuda -arch=sm_90a")
    whole, parts, sums = module.report()
    assert not any(report.spills or report.stack_bytes for report in (whole, parts, sums))
    assert whole.threads == parts.threads == 384
    assert max(whole.registers, parts.registers) <= 65536 // 384
    assert sums.threads == 256
