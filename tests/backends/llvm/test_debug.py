"""Debug info: every instruction of a kernel knows its line of the script, and the code computes the same."""

from __future__ import annotations

import re

import numpy as np
import pytest

import tvmscript
from tvmscript.backends import llvm
from tvmscript.backends.runtime.module import Module
from tvmscript.driver import lower

SCRIPT = """
@T.prim_func
def main(A: T.Buffer((64, 640), "float32"), C: T.Buffer((64,), "float32")):
    S = T.alloc_buffer((64,), "float32")
    for i in T.parallel(64):
        for k in range(640):
            with T.block("S"):
                vi, vk = T.axis.remap("SR", [i, k])
                with T.init():
                    S[vi] = T.float32(0)
                S[vi] = S[vi] + A[vi, vk]
    for i in range(64):
        with T.block("C"):
            vi = T.axis.spatial(64, i)
            C[vi] = T.exp(S[vi])
"""
STORES = {number for number, line in enumerate(SCRIPT.split("\n"), 1) if "] = " in line and "axis" not in line}
LINES = {number for number, line in enumerate(SCRIPT.split("\n"), 1) if line.strip()}


@pytest.fixture(scope="module")
def built() -> Module:
    return llvm.build(lower(tvmscript.from_source(SCRIPT), "llvm"), has_debug_info=True)


def test_every_instruction_has_a_line(built: Module) -> None:
    text = built.get_source("input")
    places = {name: int(line) for name, line in re.findall(r"^(!\d+) = !DILocation\(line: (\d+)", text, re.M)}
    kernel = re.search(r"^define internal i32 @tvmscript\.main\.kernel.*?^}", text, re.M | re.S)
    body = re.search(r"^define internal i32 @tvmscript\.main\.body.*?^}", text, re.M | re.S)
    assert kernel is not None
    assert body is not None
    found: set[int] = set()
    for line in (kernel[0] + "\n" + body[0]).splitlines():
        if line.startswith("  ") and " = alloca " not in line:
            place = re.search(r", !dbg (!\d+)$", line)
            assert place is not None, line
            found.add(places[place[1]])
    assert found >= STORES
    assert found <= LINES


def test_lines_reach_the_assembly(built: Module) -> None:
    lines = {int(line) for line in re.findall(r"^\t\.loc\t\d+ (\d+)", built.get_source("asm"), re.M)}
    assert lines >= STORES - {10}  # the optimizer removes the stores of zero
    assert lines - {0} <= LINES


def test_values(built: Module) -> None:
    a = np.random.default_rng(0).uniform(-0.1, 0.1, (64, 640)).astype("float32")
    c = np.zeros(64, "float32")
    built["main"](a, c)
    np.testing.assert_allclose(c, np.exp(a.sum(1)), rtol=1e-5)


def test_nothing_without(built: Module) -> None:
    plain = llvm.build(lower(tvmscript.from_source(SCRIPT), "llvm"))
    assert "!dbg" not in plain.get_source("input")
    assert ".loc" not in plain.get_source("asm")
