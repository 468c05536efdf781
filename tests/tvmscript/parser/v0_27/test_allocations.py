"""Pools, fragments and pointers of 0.27: each case is written with them, and as apache-tvm 0.27 prints it."""

from __future__ import annotations

from pathlib import Path

import pytest

import tvmscript
from tvmscript.ir.core.equality.equal import assert_structural_equal
from tvmscript.parser import parse_program

CASES = sorted((Path(__file__).parents[3] / "cases" / "allocations_0_27").glob("*.py"))
HEAD = '# from tvm.script import tirx as T\n\n@T.prim_func\ndef f(A: T.Buffer((64, 64), "float32")):\n'


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_cases(path: Path) -> None:
    programs = parse_program(path.read_text())
    written, printed = programs["written"], programs["printed"]
    assert isinstance(written, tvmscript.PrimFunc)
    assert isinstance(printed, tvmscript.PrimFunc)
    assert_structural_equal(written.with_attr("global_symbol", "printed"), printed)


POOLS = "    pool = T.SMEMPool()\n    tensors = T.TMEMPool(pool, 64)\n"
FRAGMENT = "X = T.alloc_tcgen05_ldst_frag"
REFUSED = {
    f'{FRAGMENT}("16x64b", (64, 6), "float32")': "takes 2 columns times a power of two up to 128, but got 6",
    f'{FRAGMENT}("16x256b", (64, 512), "float32")': "takes 8 columns times a power of two up to 32, but got 512",
    f'{FRAGMENT}("8x8b", (64, 8), "float32")': "takes one of 32x32b, 16x64b, 16x128b, 16x256b, but got",
    f'{FRAGMENT}("32x32b", (64, 8), "float16")': "takes elements of 32 bits in 64 rows",
    f'{FRAGMENT}("32x32b", (64, 8), "int8")': "takes elements of 16 or 32 bits",
    f'{FRAGMENT}("32x32b", (32, 8), "float32")': "takes 64 or 128 rows, but got 32",
    f'{FRAGMENT}("32x32b", (128,), "float32")': "takes two dimensions",
    "X = tensors.alloc((128, 65))": "TMEMPool.alloc takes at most 64 columns, but got 65",
    'X = tensors.alloc((128, 1), "float16")': "takes whole columns of 32 bits",
    "X = tensors.alloc((128, 1, 1))": "takes two dimensions, or a layout",
    "X = tensors.alloc_tcgen05_mma_D((128, 8), M=96, cta_group=1)": "but got M=96 cta_group=1",
    "X = tensors.alloc_tcgen05_mma_D((64, 8), M=128, cta_group=1)": "takes 2 dimensions with 128 rows",
    "X = tensors.alloc_tcgen05_mma_D((64, 7), M=128, cta_group=2)": "takes an even number of columns, but got 7",
    "X = tensors.alloc_tcgen05_mma_D((64, 3, 4), M=128, cta_group=2)": "takes two halves of the columns",
    "X = tensors.alloc_tcgen05_mma_D((128, 8), M=128, cta_group=1, group=(2, 2, 2))": "of folded rows",
    "X = tensors.alloc_tcgen05_mma_A((64, 8), M=64, cta_group=1, ws=True)": "takes 3 dimensions with 64 rows",
    'X = tensors.alloc_sf((33, 4), "float8_e8m0fnu", sf_per_mma=1)': "takes rows in multiples of 32",
    'X = tensors.alloc_sf((32,), "float8_e8m0fnu", sf_per_mma=1)': "takes two dimensions, or three",
    "X = T.TMEMPool(A)": "T.TMEMPool takes a T.SMEMPool, or tmem_addr=",
    "tensors.dealloc()": "TMEMPool.dealloc takes one call, after commit",
    "tensors.commit()\n    tensors.commit()": "TMEMPool.commit takes one call",
    "X = pool.alloc_tcgen05_mma_AB((128, 63))": "takes rows in multiples of 8, columns in multiples of 64",
    'X = pool.alloc_tcgen05_mma_AB((128, 64), "float16", "some")': 'takes the mode "auto" or "none"',
}


@pytest.mark.parametrize("line", REFUSED)
def test_refused(line: str) -> None:
    with pytest.raises(tvmscript.DiagnosticError) as caught:
        tvmscript.from_source(f"{HEAD}{POOLS}    {line}\n")
    assert REFUSED[line] in str(caught.value)
    assert caught.value.code == "TS1003"
    assert caught.value.line == (8 if "\n" in line else 7)
