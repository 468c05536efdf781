"""Default schedules of convolutions of 8 bits: values against NumPy, and which rule takes them."""

from __future__ import annotations

import logging
import random
from dataclasses import replace

import numpy as np
import pytest

import tvmscript
from benchmarks.convolution_programs import Convolution, draw
from tests.ir.schedule.default.cpu.test_conv import check, scheduled
from tests.ir.schedule.default.test_matmul import block_of
from tvmscript.backends.llvm.target import Target
from tvmscript.ir.core.targets.machine_model import machine_model
from tvmscript.ir.schedule.default.cpu.exact_convolutions import is_exact
from tvmscript.ir.schedule.default.cpu.narrow_convolution import instructions_for
from tvmscript.ir.schedule.default.cpu.windows import Convolution as Matched
from tvmscript.ir.schedule.default.cpu.windows import match_convolution
from tvmscript.ir.tir import PrimFunc

#: the same on every Python
pytestmark = pytest.mark.long

X86 = "llvm -mtriple=x86_64-pc-linux-gnu -mcpu="
AMX, VNNI, OLD = (f"{X86}{cpu}" for cpu in ("sapphirerapids", "icelake-server", "x86-64-v2"))
needs_vnni = pytest.mark.skipif(not Target.parse("llvm").has_feature("avx512vnni"), reason="no AVX512-VNNI here")

LAYERS = [
    Convolution(1, 16, 16, (6, 6), (3, 3), padding=1),
    # channels that fill part of a step, tiles that are not whole
    Convolution(2, 48, 40, (9, 11), (3, 3), padding=1),
    Convolution(1, 64, 70, (7, 5), (1, 1)),
    Convolution(1, 32, 33, (13, 13), (5, 3), 2, 2),
    Convolution(1, 96, 32, (14, 14), (3, 3), dilation=2),
    Convolution(1, 32, 32, (40,), (5,), 2, 2),
    Convolution(1, 16, 24, (4, 5, 6), (3, 3, 3), padding=1),
    Convolution(3, 128, 16, (1, 1), (1, 1)),
    # channels and columns of the kernel are terms together
    Convolution(1, 3, 16, (23, 21), (7, 7), 2, 3),
    Convolution(2, 3, 40, (9, 13), (3, 3), padding=1),
    Convolution(1, 1, 16, (12, 12), (5, 5)),
    Convolution(1, 5, 32, (40,), (5,), 3, 2),
    Convolution(1, 6, 16, (6, 5, 9), (2, 3, 4), padding=1),
]


@pytest.mark.parametrize("layout", ["NCHW", "NHWC"])
@pytest.mark.parametrize("dtype", ["uint8", "int8"])
@pytest.mark.parametrize("layer", LAYERS, ids=lambda layer: layer.name)
def test_layers(layer: Convolution, dtype: str, layout: str) -> None:
    check(replace(layer, dtype=dtype, layout=layout))


@needs_vnni
@pytest.mark.parametrize("layout", ["NCHW", "NHWC"])
@pytest.mark.parametrize("layer", LAYERS, ids=lambda layer: layer.name)
def test_layers_without_tile_registers(layer: Convolution, layout: str) -> None:
    check(replace(layer, dtype="uint8", layout=layout), "llvm -mcpu=icelake-server")


@pytest.mark.parametrize("seed", range(40))
def test_values_of_random_shapes(seed: int) -> None:
    generator = random.Random(seed)
    layer = draw(generator, 1 << 18)
    if generator.random() < 0.5 and layer.layout != "NCHWc":
        # channels that instructions take
        layer = replace(layer, inputs=16 * generator.randint(1, 5), outputs=generator.randint(16, 50), groups=1)
    check(replace(layer, dtype=generator.choice(["uint8", "uint8", "int8"])), seed=seed)


@pytest.mark.parametrize(
    ("layer", "target", "rule"),
    [
        (LAYERS[1], AMX, "u8s8s32_amx"),
        (LAYERS[1], VNNI, "u8s8s32_avx512vnni"),
        (replace(LAYERS[1], dtype="int8"), AMX, "s8s8s32_amx"),
        # too few channels, another in each group, or no instructions
        (Convolution(1, 3, 32, (9, 9), (3, 3)), AMX, "u8s8s32_amx"),
        (Convolution(1, 3, 32, (9, 9), (3, 3), dilation=2), AMX, ""),
        (Convolution(1, 3, 32, (9, 9), (2, 2)), AMX, ""),
        (Convolution(1, 3, 32, (9, 9), (3, 3)), OLD, ""),
        (Convolution(1, 16, 8, (9, 9), (3, 3)), AMX, ""),
        (Convolution(1, 64, 64, (9, 9), (3, 3), groups=2), AMX, ""),
        (LAYERS[1], OLD, ""),
    ],
)
def test_rule(layer: Convolution, target: str, rule: str, caplog: pytest.LogCaptureFixture) -> None:
    narrow = layer if layer.is_narrow else replace(layer, dtype="uint8")
    with caplog.at_level(logging.DEBUG, "tvmscript.default_schedule"):
        scheduled(narrow, target)
    said = [record.getMessage() for record in caplog.records if "schedule_narrow_convolution" in record.getMessage()]
    assert bool(said) is bool(rule)
    assert not rule or rule in said[0]


def convolution_of(layer: Convolution) -> Matched:
    """Return what the rule recognizes in a program without padding."""
    program = tvmscript.from_source(layer.text())
    assert isinstance(program, PrimFunc)
    match = match_convolution(block_of(program))
    assert match is not None
    return match


@pytest.mark.parametrize(
    ("terms", "dtype", "answer"),
    [
        # 128 * 255 * 514 is below 2 ** 24, the sum of 515 products is not
        (514, "uint8", True),
        (515, "uint8", False),
        (1024, "int8", True),
        (1025, "int8", False),
        (4, "float32", False),
    ],
)
def test_float32_holds_sums_of_few_terms(terms: int, dtype: str, answer: bool) -> None:
    match = convolution_of(Convolution(1, terms, 8, (1, 2), (1, 1), dtype=dtype))
    assert is_exact(match, machine_model(OLD)) is answer


def test_instructions_come_before_floats() -> None:
    match = convolution_of(Convolution(1, 16, 16, (3, 3), (1, 1), dtype="uint8"))
    assert is_exact(match, machine_model(OLD))
    assert not is_exact(match, machine_model(VNNI))


def test_parts_of_large_data_stay() -> None:
    """Copying all data would take longer than the products."""
    layer = Convolution(1, 64, 64, (4, 4), (1, 1), dtype="uint8")
    text = layer.text()
    for large, answer in ((text, True), (text.replace('(1, 64, 4, 4), "uint8"', '(1, 64, 400, 400), "uint8"'), False)):
        program = tvmscript.from_source(large)
        assert isinstance(program, PrimFunc)
        match = match_convolution(block_of(program))
        assert match is not None
        assert bool(instructions_for(match, machine_model(VNNI))) is answer


def test_largest_sums_are_exact() -> None:
    layer = Convolution(1, 514, 4, (3, 3), (1, 1), dtype="uint8")
    assert 'T.Cast("float32"' in scheduled(layer)
    x, w, y = layer.arguments(np.random.default_rng(0))
    x[:], w[:] = 255, -128
    w[0, 0], x[0, 0] = 127, 1
    tvmscript.build(tvmscript.from_source(layer.text()))["main"](x, w, y)
    assert (y[0, 0] == 127 - 128 * 255 * 513).all()
    assert (y[0, 1] == -128 - 128 * 255 * 513).all()
