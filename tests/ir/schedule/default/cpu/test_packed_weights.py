"""Kernels that take packed weights: they mean the same by themselves, and their schedules make no copy."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

import tvmscript
from benchmarks.convolution_programs import Convolution, draw
from tvmscript import dlight, relax
from tvmscript.ir.core import nodes
from tvmscript.ir.schedule.default.cpu.panel_layout import GroupLayout, PanelLayout, WeightLayout, take_packed
from tvmscript.ir.schedule.default.cpu.weight_layout import choose_weight_layouts
from tvmscript.ir.tir import Add, BufferStore, PrimFunc

X, W = (1, 24, 9, 9), (40, 24, 1, 1)

PRODUCT = """
@T.prim_func
def main(
    A: T.Buffer(({rows}, {terms}), "float32"),
    B: T.Buffer({b}, "float32"),
    C: T.Buffer(({rows}, {columns}), "float32"),
):
    for i, j, k in T.grid({rows}, {columns}, {terms}):
        with T.block("C"):
            vi, vj, vk = T.axis.remap("SSR", [i, j, k])
            with T.init():
                C[vi, vj] = T.float32(0)
            C[vi, vj] = C[vi, vj] + A[vi, vk] * B[{index}]
"""


def product(rows: int, columns: int, terms: int, *, is_transposed: bool) -> PrimFunc:
    """Return the product of matrices, of which B may be transposed."""
    b, index = ((columns, terms), "vj, vk") if is_transposed else ((terms, columns), "vk, vj")
    func = tvmscript.from_source(PRODUCT.format(rows=rows, columns=columns, terms=terms, b=b, index=index))
    assert isinstance(func, PrimFunc)
    return func


def pack(func: PrimFunc, place: int, layout: WeightLayout, values: list[Any]) -> tuple[PrimFunc, list[Any]]:
    """Return the function of packed weights, and its arguments."""
    return take_packed(func, place, layout), [
        layout.pack(value) if each == place else value for each, value in enumerate(values)
    ]


def has_copy(func: PrimFunc) -> bool:
    """Whether the default schedule copies the weights that a function unpacks."""
    with tvmscript.target.Target("llvm"):
        scheduled = dlight.ApplyDefaultSchedule(dlight.cpu.Default())(tvmscript.IRModule({"main": func}))["main"]
    (weights,) = [buffer for buffer in scheduled.buffer_map.values() if buffer.name.endswith("_packed")]
    stores = [node for node in nodes(scheduled.body) if isinstance(node, BufferStore)]
    readers = [store for store in stores if weights in {getattr(part, "buffer", None) for part in nodes(store.value)}]
    return not readers or any(not isinstance(store.value, Add) for store in readers)


def test_panels() -> None:
    layout = PanelLayout((0,), 2, (1,), 4)
    weights = np.arange(2 * 3 * 5).reshape(2, 3, 5)
    packed = layout.pack(weights)
    assert list(packed.shape) == layout.shape(weights.shape) == [2, 2, 3, 4]
    assert all(packed[tuple(layout.indices(index))] == value for index, value in np.ndenumerate(weights))
    assert not packed[:, 1, :, 1:].any()


@pytest.mark.parametrize("depth", [2, 6])
def test_groups(depth: int) -> None:
    layout = GroupLayout((2, 3, 5, 4), (2,), (1, 0), (3,), 4, depth, 2)
    weights = np.arange(1, 121).reshape(2, 3, 5, 4)
    packed = layout.pack(weights)
    steps = [2, 2] if depth == 2 else [1, 3, 2]
    assert list(packed.shape) == layout.shape(weights.shape) == [5, 2, *steps[:-1], 4, 2]
    assert all(packed[tuple(layout.indices(index))] == value for index, value in np.ndenumerate(weights))
    assert np.count_nonzero(packed) == weights.size


@pytest.mark.parametrize(
    ("rows", "columns", "terms", "is_transposed"),
    [(64, 768, 300, False), (33, 1000, 260, False), (33, 100, 17, True), (64, 257, 31, True)],
)
def test_products(rows: int, columns: int, terms: int, *, is_transposed: bool) -> None:
    rng = np.random.default_rng(rows)
    a, b = (rng.standard_normal(size).astype("float32") for size in ((rows, terms), (terms, columns)))
    result = np.zeros((rows, columns), "float32")
    func = product(rows, columns, terms, is_transposed=is_transposed)
    layouts = choose_weight_layouts(func, "llvm")
    assert [*layouts] == [1]
    packed, values = pack(func, 1, layouts[1], [a, np.ascontiguousarray(b.T) if is_transposed else b, result])
    built = tvmscript.build(packed, target="llvm")
    built["main"](*values)
    np.testing.assert_allclose(result, a.astype("float64") @ b, rtol=0, atol=1e-5 * terms)
    assert not has_copy(packed)


def test_meaning_without_schedule() -> None:
    func = product(6, 40, 5, is_transposed=False)
    rng = np.random.default_rng(0)
    values = [rng.standard_normal(size).astype("float32") for size in ((6, 5), (5, 40))]
    packed, arguments = pack(func, 1, PanelLayout((), 1, (0,), 16), [*values, np.zeros((6, 40), "float32")])
    tvmscript.build(packed, target="interp")["main"](*arguments)
    np.testing.assert_allclose(arguments[2], values[0] @ values[1], rtol=0, atol=1e-5)


LAYERS = [
    Convolution(1, 24, 64, (7, 7), (3, 3), padding=1),
    Convolution(1, 64, 100, (15, 15), (1, 1), 2),
    Convolution(2, 16, 48, (9, 9), (3, 3), 2, 1, groups=2),
    Convolution(1, 8, 48, (40,), (5,), 2, 2),
    Convolution(1, 96, 96, (7, 7), (1, 1)),
]


@pytest.mark.parametrize("layer", [*LAYERS, *[pytest.param(seed, marks=pytest.mark.long) for seed in range(20)]])
def test_convolutions(layer: Convolution | int) -> None:
    shape = draw(random.Random(layer), 1 << 18) if isinstance(layer, int) else layer
    values = shape.arguments(np.random.default_rng(0))
    func = tvmscript.from_source(shape.text())
    assert isinstance(func, PrimFunc)
    layouts = choose_weight_layouts(func, "llvm")
    assert layouts or isinstance(layer, int)
    for place, layout in layouts.items():
        packed, arguments = pack(func, place, layout, values)
        tvmscript.build(packed, target="llvm")["main"](*arguments)
        np.testing.assert_allclose(
            arguments[2], shape.expected(*values[:2]), rtol=0, atol=shape.tolerance(), err_msg=shape.name
        )
        assert not has_copy(packed)


def test_widths_of_panels() -> None:
    """Tiles of 4 rows or pixels by 3 vectors load the least, and were the fastest with AVX2 on a Zen 4."""
    layer = tvmscript.from_source(Convolution(1, 128, 128, (28, 28), (3, 3), padding=1).text())
    for func in (product(64, 768, 768, is_transposed=False), layer):
        assert isinstance(func, PrimFunc)
        (layout,) = choose_weight_layouts(func, "llvm -mcpu=x86-64-v3").values()
        assert isinstance(layout, PanelLayout)
        assert layout.width == 24


def test_order_of_terms_when_padding_is_inlined() -> None:
    """Padding by nothing is inlined by the schedule, which simplifies the indices of kernels of one element."""
    data, kernel = (relax.Var(name, relax.TensorStructInfo(shape, "float32")) for name, shape in (("x", X), ("w", W)))
    builder = relax.BlockBuilder()
    with builder.function("main", [data, kernel]):
        builder.emit_func_output(builder.emit(relax.op.nn.conv2d(data, kernel, strides=2)))
    func = relax.transform.LegalizeOps()(builder.finalize())["conv2d"]
    assert isinstance(func, PrimFunc)
    layouts = choose_weight_layouts(func, "llvm")
    rng = np.random.default_rng(0)
    x, w = (rng.standard_normal(shape).astype("float32") for shape in (X, W))
    y = np.zeros((1, 40, 5, 5), "float32")
    packed, values = pack(func.with_attr("global_symbol", "main"), 1, layouts[1], [x, w, y])
    tvmscript.build(packed, target="llvm")["main"](*values)
    np.testing.assert_allclose(y, np.einsum("nchw,oc->nohw", x[:, :, ::2, ::2], w[:, :, 0, 0]), rtol=0, atol=1e-4)
    assert not has_copy(packed)


def test_panels_of_another_machine() -> None:
    """Weights are packed again where no tile has the width of their panels."""
    rng = np.random.default_rng(0)
    values = [rng.standard_normal(size).astype("float32") for size in ((40, 50), (50, 70))]
    func, layout = product(40, 70, 50, is_transposed=False), PanelLayout((), 1, (0,), 23)
    packed, arguments = pack(func, 1, layout, [*values, np.zeros((40, 70), "float32")])
    tvmscript.build(packed, target="llvm")["main"](*arguments)
    np.testing.assert_allclose(arguments[2], values[0].astype("float64") @ values[1], rtol=0, atol=1e-4)
    shape = LAYERS[0]
    layer = tvmscript.from_source(shape.text())
    assert isinstance(layer, PrimFunc)
    values = shape.arguments(rng)
    packed, arguments = pack(layer, 1, PanelLayout((), 0, (2, 3, 1), 23), values)
    expected = shape.expected(*values[:2])
    tvmscript.build(packed, target="llvm")["main"](*arguments)
    np.testing.assert_allclose(arguments[2], expected, rtol=0, atol=shape.tolerance())


def test_what_is_left_alone() -> None:
    func = product(64, 96, 40, is_transposed=False)
    assert choose_weight_layouts(func.with_attr("tir.is_scheduled", 1), "llvm") == {}
    assert choose_weight_layouts(take_packed(func, 1, PanelLayout((), 1, (0,), 16)), "llvm") == {}


X86 = "llvm -mtriple=x86_64-pc-linux-gnu -mcpu="
NARROW = [
    Convolution(1, 64, 64, (7, 9), (3, 3), padding=1, dtype="uint8"),
    Convolution(1, 128, 96, (8, 8), (1, 1), dtype="uint8", layout="NHWC"),
    Convolution(2, 64, 32, (11,), (3,), 2, dtype="uint8"),
]


def copies(func: PrimFunc, target: str) -> list[str]:
    """Return the buffers that the default schedule copies packed weights to."""
    with tvmscript.target.Target(target):
        scheduled = dlight.ApplyDefaultSchedule(dlight.cpu.Default())(tvmscript.IRModule({"main": func}))["main"]
    (weights,) = [buffer for buffer in scheduled.buffer_map.values() if buffer.name.endswith("_packed")]
    stores = [node for node in nodes(scheduled.body) if isinstance(node, BufferStore)]
    readers = [store for store in stores if weights in {getattr(part, "buffer", None) for part in nodes(store.value)}]
    return [store.buffer.name for store in readers]


def packed_values(layer: Convolution, target: str) -> tuple[PrimFunc, list[Any], WeightLayout]:
    """Return a convolution of packed weights, and its arguments."""
    func = tvmscript.from_source(layer.text())
    assert isinstance(func, PrimFunc)
    (layout,) = choose_weight_layouts(func, target).values()
    packed, values = pack(func, 1, layout, layer.arguments(np.random.default_rng(0)))
    return packed, values, layout


@pytest.mark.parametrize("target", [X86 + "sapphirerapids", X86 + "icelake-server"])
@pytest.mark.parametrize("layer", NARROW, ids=lambda layer: layer.name)
def test_instructions_read_packed_weights(layer: Convolution, target: str) -> None:
    packed, _, layout = packed_values(layer, target)
    assert isinstance(layout, GroupLayout)
    assert not copies(packed, target)


def test_weights_that_are_padded_are_copied() -> None:
    layer = Convolution(1, 48, 40, (7, 9), (3, 3), padding=1, dtype="uint8")
    packed, _, layout = packed_values(layer, X86 + "sapphirerapids")
    assert layout == PanelLayout((0,), 1, (2, 3), 48)
    assert len(copies(packed, X86 + "sapphirerapids")) == 1


@pytest.mark.parametrize(
    "layer", [*NARROW, Convolution(1, 48, 40, (7, 9), (3, 3), dtype="uint8")], ids=lambda x: x.name
)
def test_values_of_packed_narrow_weights(layer: Convolution) -> None:
    values = layer.arguments(np.random.default_rng(0))
    func = tvmscript.from_source(layer.text())
    assert isinstance(func, PrimFunc)
    for place, layout in choose_weight_layouts(func, "llvm").items():
        packed, arguments = pack(func, place, layout, values)
        tvmscript.build(packed, target="llvm")["main"](*arguments)
        np.testing.assert_array_equal(arguments[2], layer.expected(*values[:2]))


@pytest.mark.parametrize(
    ("dtype", "cpu"), [("uint8", "sapphirerapids"), ("uint8", "icelake-server"), ("bfloat16", "sapphirerapids")]
)
def test_products_of_packed_narrow_matrices(dtype: str, cpu: str) -> None:
    total = "float32" if dtype == "bfloat16" else "int32"
    text = PRODUCT.format(rows=64, columns=512, terms=128, b=(128, 512), index="vk, vj").replace("float32", total)
    right = "int8" if dtype == "uint8" else dtype
    text = text.replace(f'(64, 128), "{total}"', f'(64, 128), "{dtype}"').replace(
        f'(128, 512), "{total}"', f'(128, 512), "{right}"'
    )
    text = text.replace("A[vi, vk] * B[vk, vj]", f'T.Cast("{total}", A[vi, vk]) * T.Cast("{total}", B[vk, vj])')
    func = tvmscript.from_source(text)
    assert isinstance(func, PrimFunc)
    (layout,) = choose_weight_layouts(func, X86 + cpu).values()
    assert isinstance(layout, GroupLayout)
    assert not copies(take_packed(func, 1, layout), X86 + cpu)


def test_signed_products_without_instructions_stay() -> None:
    """Their A becomes unsigned, and another product adds them up."""
    text = PRODUCT.format(rows=64, columns=512, terms=128, b=(128, 512), index="vk, vj").replace("float32", "int32")
    for shape in ("(64, 128)", "(128, 512)"):
        text = text.replace(f'{shape}, "int32"', f'{shape}, "int8"')
    text = text.replace("A[vi, vk] * B[vk, vj]", 'T.Cast("int32", A[vi, vk]) * T.Cast("int32", B[vk, vj])')
    func = tvmscript.from_source(text)
    assert isinstance(func, PrimFunc)
    assert not choose_weight_layouts(func, X86 + "icelake-server")
    assert choose_weight_layouts(func, X86 + "sapphirerapids")
