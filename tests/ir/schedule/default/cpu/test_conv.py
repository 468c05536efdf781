"""Default schedules of convolutions: values of all shapes and layouts, and what is left alone."""

from __future__ import annotations

import logging
import random
import re
from dataclasses import replace
from math import prod
from typing import Any

import numpy as np
import pytest

import tvmscript
from benchmarks.convolution_programs import Convolution, draw
from tests.ir.schedule.default.test_matmul import block_of
from tvmscript import dlight
from tvmscript.ir.schedule.default.cpu.steps import extent_of, own_loops
from tvmscript.ir.schedule.default.cpu.windows import match_convolution
from tvmscript.ir.tir import PrimFunc

#: the same on every Python
pytestmark = pytest.mark.long


def check(shape: Convolution, target: str = "llvm", seed: int = 0) -> None:
    """Compare the built program with the float64 result."""
    values = shape.arguments(np.random.default_rng(seed))
    tvmscript.build(tvmscript.from_source(shape.text()), target=target)["main"](*values)
    np.testing.assert_allclose(
        values[2], shape.expected(*values[:2]), rtol=0, atol=shape.tolerance(), err_msg=shape.name
    )


def scheduled(shape: Convolution, target: str = "llvm") -> str:
    """Return the program with its default schedule."""
    with tvmscript.target.Target(target):
        module = tvmscript.IRModule({"main": tvmscript.from_source(shape.text())})
        text: str = dlight.ApplyDefaultSchedule(dlight.cpu.Default())(module).script()
        return text


@pytest.mark.parametrize("seed", range(20))
def test_values_of_random_shapes(seed: int) -> None:
    check(draw(random.Random(seed), 1 << 18), seed=seed)


LAYERS = [
    Convolution(1, 3, 16, (23, 23), (7, 7), 2, 3),
    Convolution(2, 8, 32, (14, 14), (3, 3), padding=1),
    Convolution(1, 16, 48, (7, 7), (1, 1), 2),
    # edges of tiles: 17 rows of 29 pixels, 40 channels
    Convolution(1, 5, 40, (17, 29), (3, 3), padding=1),
    Convolution(1, 5, 40, (19, 31), (3, 3), dilation=2),
    Convolution(2, 64, 32, (9, 9), (3, 3), groups=2),
    Convolution(1, 8, 16, (40,), (5,), 2, 2),
    Convolution(1, 4, 16, (5, 6, 7), (3, 3, 3), padding=1),
    Convolution(1, 6, 16, (9, 9), (3, 3), padding=1, dtype="float64"),
    # blocks of input channels in a padded copy
    Convolution(2, 32, 24, (11, 9), (3, 3), padding=1),
    Convolution(1, 48, 16, (9, 7), (3, 3), 2, 1),
    # no windows: pixels or channels in lanes
    Convolution(1, 8, 24, (14, 14), (1, 1)),
    Convolution(1, 16, 40, (24, 24), (1, 1)),
    Convolution(2, 24, 20, (13, 11), (1, 1)),
    Convolution(1, 9, 40, (32, 32), (1, 1)),
    Convolution(1, 7, 33, (50,), (1,)),
    # pixels that become one axis
    Convolution(1, 32, 96, (7, 7), (1, 1)),
    Convolution(3, 40, 70, (3, 3, 5), (1, 1, 1)),
    Convolution(1, 16, 32, (8, 9), (1, 1), groups=2),
    # groups that fill no vector, or parts of several
    Convolution(1, 12, 72, (9, 9), (3, 3), padding=1, groups=3),
    Convolution(1, 6, 48, (6, 15), (1, 3), groups=6, dtype="float64"),
    # a channel each
    Convolution(1, 20, 20, (13, 21), (3, 3), padding=1, groups=20),
    Convolution(2, 16, 16, (12, 12), (3, 3), 2, 1, groups=16),
    Convolution(1, 8, 8, (30,), (5,), padding=2, groups=8),
]


@pytest.mark.parametrize("layout", ["NCHW", "NHWC"])
@pytest.mark.parametrize("layer", LAYERS, ids=lambda layer: layer.name)
def test_layers(layer: Convolution, layout: str) -> None:
    layer = replace(layer, layout=layout)
    script = scheduled(layer)
    assert "T.vectorized" in script
    assert 'scope="local"' in script
    check(layer)


@pytest.mark.parametrize("layout", ["NCHW", "NHWC"])
def test_a_single_term(layout: str) -> None:
    check(Convolution(3, 32, 192, (1,), (1,), groups=32, layout=layout))


def test_fused_pixels_without_a_batch() -> None:
    """The pixels that become one axis are the only ones: what is left is a product of matrices."""
    function = tvmscript.from_source("""@T.prim_func
def main(A: T.Buffer((16, 1, 3)), W: T.Buffer((1, 1, 16, 32)), C: T.Buffer((32, 1, 3))):
    T.func_attr({"tir.noalias": T.bool(True)})
    for c, y, x, i, p, q in T.grid(32, 1, 3, 16, 1, 1):
        with T.block("C"):
            vc, vy, vx, vi, vp, vq = T.axis.remap("SSSRRR", [c, y, x, i, p, q])
            with T.init():
                C[vc, vy, vx] = T.float32(0)
            C[vc, vy, vx] = C[vc, vy, vx] + A[vi, vy + vp, vx + vq] * W[vp, vq, vi, vc]
""")
    rng = np.random.default_rng(0)
    a, w, c = rng.random((16, 1, 3), "float32"), rng.random((1, 1, 16, 32), "float32"), np.zeros((32, 1, 3), "float32")
    tvmscript.build(function, target="llvm -mcpu=x86-64-v4")["main"](a, w, c)
    np.testing.assert_allclose(c[:, 0], w[0, 0].T @ a[:, 0], rtol=1e-5)


@pytest.mark.parametrize("target", ["llvm -mcpu=x86-64-v2", "llvm -mcpu=x86-64-v3", "llvm -mcpu=x86-64-v4"])
def test_other_vectors(target: str) -> None:
    layer = Convolution(1, 4, 24, (9, 11), (3, 3), padding=1)
    module = tvmscript.from_source(scheduled(layer, target))
    values = layer.arguments(np.random.default_rng(0))
    tvmscript.build(module, target="interp")["main"](*values)
    np.testing.assert_allclose(values[2], layer.expected(*values[:2]), atol=layer.tolerance())


@pytest.mark.parametrize(("channels", "lanes"), [(24, 8), (16, 16), (12, 16), (13, 16), (3, 4)])
def test_vectors_have_channels_of_one_group(channels: int, lanes: int) -> None:
    layer = Convolution(1, 10, 2 * channels, (5, 5), (3, 3), groups=2, layout="NHWC")
    assert f"T.vectorized({lanes})" in scheduled(layer, "llvm -mcpu=x86-64-v4")
    check(layer)


@pytest.mark.parametrize("layout", ["NCHW", "NHWC"])
def test_groups_that_no_vector_divides(layout: str) -> None:
    """A vector has no 13 channels of float64: two of them, which are filled up, have the channels of a group."""
    layer = Convolution(1, 2, 26, (5, 6), (3, 3), groups=2, layout=layout, dtype="float64")
    assert "T.vectorized(8)" in scheduled(layer, "llvm -mcpu=x86-64-v4")
    check(layer)


def test_padding_of_single_channels_is_a_condition_at_the_edges() -> None:
    layer = Convolution(1, 32, 32, (14, 14), (3, 3), padding=1, groups=32, layout="NHWC")
    assert "P = T.alloc_buffer" not in scheduled(layer)
    assert "pragma_loop_partition_hint" in scheduled(layer)


def transposed_text(size: int, stride: int, padding: int, kernel: int, *, has_block: bool) -> str:
    """Return a transposed convolution of 5 to 20 channels: zeros between the data, and the kernel backward."""
    output, edge = (size - 1) * stride - 2 * padding + kernel, kernel - 1 - padding
    wide, last = (size - 1) * stride + 1 + 2 * edge, kernel - 1
    flipped = f"W[vi, vc, {last} - vy, {last} - vx]"
    flip = f"""
    F = T.alloc_buffer((20, 5, {kernel}, {kernel}))
    for c, i, y, x in T.grid(20, 5, {kernel}, {kernel}):
        with T.block("F"):
            vc, vi, vy, vx = T.axis.remap("SSSS", [c, i, y, x])
            F[vc, vi, vy, vx] = {flipped}"""
    inside = " and ".join(
        f"{edge} <= {v} and {v} < {wide - edge} and ({v} - {edge}) % {stride} == 0" for v in ("vh", "vw")
    )
    return f"""
@T.prim_func
def main(
    X: T.Buffer((2, 5, {size}, {size}), "float32"),
    W: T.Buffer((5, 20, {kernel}, {kernel}), "float32"),
    Y: T.Buffer((2, 20, {output}, {output}), "float32"),
):
    T.func_attr({{"tir.noalias": T.bool(True)}})
    P = T.alloc_buffer((2, 5, {wide}, {wide})){flip if has_block else ""}
    for n, i, h, w in T.grid(2, 5, {wide}, {wide}):
        with T.block("P"):
            vn, vi, vh, vw = T.axis.remap("SSSS", [n, i, h, w])
            P[vn, vi, vh, vw] = T.if_then_else(
                {inside}, X[vn, vi, (vh - {edge}) // {stride}, (vw - {edge}) // {stride}], T.float32(0)
            )
    for n, c, h, w, i, y, x in T.grid(2, 20, {output}, {output}, 5, {kernel}, {kernel}):
        with T.block("Y"):
            vn, vc, vh, vw, vi, vy, vx = T.axis.remap("SSSSRRR", [n, c, h, w, i, y, x])
            with T.init():
                Y[vn, vc, vh, vw] = T.float32(0)
            Y[vn, vc, vh, vw] = (
                Y[vn, vc, vh, vw] + P[vn, vi, vh + vy, vw + vx] * {"F[vc, vi, vy, vx]" if has_block else flipped}
            )
"""


@pytest.mark.parametrize("has_block", [False, True])
@pytest.mark.parametrize(("size", "stride", "padding", "kernel"), [(7, 2, 1, 4), (9, 1, 1, 3), (6, 3, 2, 5)])
def test_transposed(
    size: int, stride: int, padding: int, kernel: int, has_block: bool, caplog: pytest.LogCaptureFixture
) -> None:
    generator = np.random.default_rng(0)
    x, w = generator.random((2, 5, size, size), "float32"), generator.random((5, 20, kernel, kernel), "float32")
    whole = (size - 1) * stride + kernel
    expected = np.zeros((2, 20, whole, whole))
    for row in range(kernel):
        for column in range(kernel):
            rows, columns = (slice(at, at + (size - 1) * stride + 1, stride) for at in (row, column))
            expected[:, :, rows, columns] += np.einsum("nihw,ic->nchw", x.astype("float64"), w[:, :, row, column])
    inner = slice(padding, whole - padding)
    y = np.zeros((2, 20, whole - 2 * padding, whole - 2 * padding), "float32")
    with caplog.at_level(logging.DEBUG, logger="tvmscript.default_schedule"):
        program = tvmscript.from_source(transposed_text(size, stride, padding, kernel, has_block=has_block))
        tvmscript.build(program)["main"](x, w, y)
    assert "convolution of 20 channels" in caplog.text
    np.testing.assert_allclose(y, expected[:, :, inner, inner], rtol=1e-5, atol=1e-5)


def with_epilogue(shape: Convolution, value: str) -> str:
    """Return a program that adds a bias to the convolution, applies a function, and adds another array."""
    y, dtype = shape.shapes()[2], shape.dtype
    axes = [f"v{place}" for place in range(len(y))]
    here, channel = ", ".join(axes), axes[1 if shape.layout == "NCHW" else -1]
    loops = ", ".join(f"l{place}" for place in range(len(y)))
    params = f'B: T.Buffer(({shape.outputs},), "{dtype}"), R: T.Buffer({y}, "{dtype}"), Z: T.Buffer({y}, "{dtype}"),'
    attrs = 'T.func_attr({"tir.noalias": T.bool(True)})'
    text = shape.text().replace(f'Y: T.Buffer({y}, "{dtype}"),', params)
    text = text.replace(attrs, f'{attrs}\n    Y = T.alloc_buffer({y}, "{dtype}")')
    return f"""{text}
    for {loops} in T.grid({", ".join(map(str, y))}):
        with T.block("Z"):
            {here} = T.axis.remap("{"S" * len(y)}", [{loops}])
            Z[{here}] = {value.format(f"(Y[{here}] + B[{channel}])")} + R[{here}]
"""


@pytest.mark.parametrize("value", ["T.max({}, 0)", "T.exp(T.tanh({}))"])
@pytest.mark.parametrize("layout", ["NCHW", "NHWC"])
@pytest.mark.parametrize(
    "layer",
    [
        Convolution(1, 5, 32, (13, 14), (3, 3), padding=1),
        Convolution(2, 5, 20, (13, 17), (3, 3), padding=1),
        Convolution(1, 8, 40, (15, 17), (1, 1)),
        Convolution(2, 24, 96, (7, 7), (1, 1)),
        Convolution(1, 20, 20, (12, 19), (3, 3), padding=1, groups=20),
    ],
    ids=lambda layer: layer.name,
)
def test_what_follows_is_computed_for_each_tile(layer: Convolution, layout: str, value: str) -> None:
    layer = replace(layer, layout=layout)
    program = tvmscript.from_source(with_epilogue(layer, value))
    generator = np.random.default_rng(0)
    x, w, y = layer.arguments(generator)
    bias, other = generator.random(layer.outputs).astype("float32"), generator.random(y.shape).astype("float32")
    tvmscript.build(program)["main"](x, w, bias, other, y)
    sums = layer.expected(x, w) + (bias if layout == "NHWC" else bias[:, None, None])
    expected = (np.maximum(sums, 0) if "max" in value else np.exp(np.tanh(sums))) + other
    np.testing.assert_allclose(y, expected, rtol=1e-5, atol=1e-4)
    with tvmscript.target.Target("llvm"):
        module = dlight.ApplyDefaultSchedule(dlight.cpu.Default())(tvmscript.IRModule({"main": program}))
    sch = tvmscript.Schedule(module)
    assert sch.get(sch.get_loops("Z")[0]) is sch.get(sch.get_loops("Y_update")[0])


@pytest.mark.parametrize(("size", "pixels"), [(7, 49), (60, 60)])
def test_epilogues_follow_whole_rows_or_images(size: int, pixels: int) -> None:
    layer = Convolution(1, 8, 48, (size, size), (3, 3), padding=1)
    program = tvmscript.from_source(with_epilogue(layer, "T.max({}, 0)"))
    with tvmscript.target.Target("llvm -mcpu=x86-64-v3"):
        module = dlight.ApplyDefaultSchedule(dlight.cpu.Default())(tvmscript.IRModule({"main": program}))
    sch = tvmscript.Schedule(module)
    own = own_loops(sch, sch.get_block("Z"), sch.get_block("Y_update"))
    assert prod(extent_of(sch, loop) for loop in own) >= 8 * pixels


def test_pixels_are_lanes_where_they_are_neighbours(caplog: pytest.LogCaptureFixture) -> None:
    def lanes(layer: Convolution) -> bool:
        caplog.clear()
        with caplog.at_level(logging.DEBUG, logger="tvmscript.default_schedule"):
            scheduled(layer)
        return "vectors of pixels" in caplog.text

    assert lanes(Convolution(1, 24, 144, (56, 56), (1, 1)))
    assert not lanes(Convolution(1, 24, 144, (56, 56), (1, 1), layout="NHWC"))
    assert not lanes(Convolution(1, 24, 144, (56, 56), (1, 1), 2))
    assert not lanes(Convolution(1, 24, 144, (56, 56), (3, 3)))


def test_input_channels_are_innermost_in_the_padded_copy() -> None:
    layer = Convolution(1, 48, 16, (9, 9), (3, 3), padding=1)
    assert "P_pad = T.alloc_buffer((1, 3, 12, 11, 16))" in scheduled(layer, "llvm -mcpu=x86-64-v3")


def test_copies_have_squares_where_nothing_is_padded() -> None:
    """Vectors under conditions are no columns of squares: unrolled, they take long to compile."""
    padded = scheduled(Convolution(1, 48, 16, (9, 9), (3, 3), padding=1), "llvm -mcpu=x86-64-v3")
    plain = scheduled(Convolution(1, 1024, 24, (16, 16), (1, 1), 2), "llvm -mcpu=x86-64-v3")
    assert "unroll" not in padded[: padded.index("P_pad[")]
    assert "in T.unroll(8)" in plain[: plain.index("X_global[")]


def test_outputs_test_each_row_once() -> None:
    """The last tile has one of three rows, of which 16 channels are stored."""
    layer = Convolution(1, 64, 64, (55, 56), (3, 3), padding=1)
    built = tvmscript.build(tvmscript.from_source(layer.text()), target="llvm -mcpu=x86-64-v3")
    after_sums = built.get_source("input").rsplit("fmul contract", 1)[1]
    assert after_sums[: after_sums.index("define")].count("br i1") < 16


def test_neighbouring_pixels_are_one_axis() -> None:
    """Tiles are of 4 of 49 pixels, and all terms of a tile together."""
    text = scheduled(Convolution(1, 96, 96, (7, 7), (1, 1)), "llvm -mcpu=x86-64-v3")
    assert "alloc_buffer((1, 13, 96, 4))" in text


def test_input_channels_are_innermost_in_a_copy_of_many() -> None:
    """A tile of 512 terms on lines of their own fills the first cache."""
    many, few = (
        scheduled(Convolution(1, inputs, 24, (15, 15), (1, 1), 2), "llvm -mcpu=x86-64-v3") for inputs in (1024, 32)
    )
    assert "alloc_buffer((1, 64, 15, 15, 16))" in many
    assert "alloc_buffer((1, 2, 15, 15, 16))" not in few


def test_whole_vectors_of_pixels_are_stored_without_masks() -> None:
    """There are 12 of 8 of the 196 pixels of a channel, in tiles that are neighbours."""
    layer = Convolution(1, 8, 24, (14, 14), (1, 1))
    built = tvmscript.build(tvmscript.from_source(layer.text()), target="llvm -mcpu=x86-64-v3")
    assert "store <8 x float>" in built.get_source("ll")


@pytest.mark.parametrize(("kernel", "padding"), [((3, 3), 1), ((1, 1), 0)])
def test_last_channels_are_stored_without_masks(kernel: tuple[int, int], padding: int) -> None:
    """20 of 24 channels of a panel: without registers for masks, they have code of their own."""
    layer = Convolution(1, 8, 44, (9, 9), kernel, padding=padding, layout="NHWC")
    check(layer, "llvm -mcpu=x86-64-v3")
    built = tvmscript.build(tvmscript.from_source(layer.text()), target="llvm -mcpu=x86-64-v3")
    assert "call void @llvm.masked.store" not in built.get_source("input")


@pytest.mark.parametrize("padding", [1, 3])
def test_rows_are_copied_whole_between_their_edges(padding: int) -> None:
    layer, target = Convolution(1, 3, 16, (32, 40), (2 * padding + 1,) * 2, 2, padding), "llvm -mcpu=x86-64-v3"
    check(layer, target)
    copy = scheduled(layer, target).partition("W_global[")[0].partition("W_global =")[2]
    assert "pragma_loop_partition_hint" in copy
    assert copy.index("T.if_then_else") < copy.find("T.vectorized") % len(copy)


def test_rows_of_pixels_are_one_vector_where_terms_are_few(caplog: pytest.LogCaptureFixture) -> None:
    """Stores of 14 pixels are of 8, of 4 and of 2: that is dear beside 27 terms."""
    with caplog.at_level(logging.DEBUG, "tvmscript.default_schedule"):
        scheduled(Convolution(1, 3, 16, (224, 224), (3, 3), 2, 1), "llvm -mcpu=x86-64-v3")
    (pixels,) = re.findall(r"x(\d+) pixels", caplog.messages[-1])
    assert int(pixels).bit_count() == 1


def test_windows_are_conditions_at_the_edges() -> None:
    layer = Convolution(1, 8, 8, (150, 150), (3, 3), 2, 1, groups=8)
    text = scheduled(layer, "llvm -mcpu=x86-64-v3")
    assert text.count("pragma_loop_partition_hint") == 3  # rows and vectors of the copy, vectors of the output


def test_images_stay_in_cache_where_weights_are_few() -> None:
    few, many = (
        scheduled(Convolution(8, channels, channels, (size, size), (3, 3), padding=1))
        for channels, size in ((64, 56), (512, 7))
    )
    assert "in T.parallel(8):" in few
    assert "in T.parallel(8):" not in many


def match(text: str) -> Any:
    program = tvmscript.from_source(text)
    assert isinstance(program, PrimFunc)
    return match_convolution(block_of(program))


def test_roles_of_axes() -> None:
    grouped = match(Convolution(1, 8, 16, (9, 9), (3, 3), 2, groups=4).text())
    assert [axis.name for axis in grouped.pixels] == ["vn", "vp0", "vp1"]
    assert [axis.name for axis in grouped.channels] == ["vc"]
    assert [axis.name for axis in grouped.kernel] == ["vk0", "vk1"]
    assert [axis.name for axis in grouped.inputs] == ["vi"]
    assert [*grouped.divisors.values()] == [4]
    depthwise = match(Convolution(1, 8, 8, (9, 9), (3, 3), groups=8, layout="NHWC").text())
    assert [axis.name for axis in depthwise.groups] == ["vc"]
    assert not depthwise.channels


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("* W[", "+ W["),
        ("= T.float32(0)", "= T.float32(1)"),
        ("X[vn, vi, vp0 + vk0", "X[vn, vi, vp0 * vk0"),
        ("X[vn, vi, vp0 + vk0", "X[vn, vi, vp0 // 2 + vp0 // 2 + vk0"),
        ("X[vn, vi, vp0 + vk0", "X[vn, vi, vp0 % 3 + vk0"),
        ("W[vc, vi, vk0", "W[vc, vi, vk0 // 2"),
    ],
)
def test_other_blocks_are_no_convolutions(old: str, new: str) -> None:
    text = Convolution(1, 4, 16, (9, 9), (3, 3)).text()
    assert match(text) is not None
    assert old in text
    assert match(text.replace(old, new)) is None
