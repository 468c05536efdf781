"""`T.target` in all its forms, as TVM prints them."""

from __future__ import annotations

from typing import Any

import pytest

import tvmscript
from tvmscript.ir.core.equality.equal import structural_equal

FORMS = [
    '"cuda -arch=sm_80"',
    '{"kind": "cuda", "arch": "sm_80", "max_num_threads": 512}, host={"kind": "llvm", "mcpu": "x"}',
    '{"kind": "cuda", "arch": "sm_70", "libs": ["cublas"], "host": {"kind": "c"}}',
    '{"kind": "llvm", "mcpu": "skylake", "mattr": ["+avx2", "+fma"], "num-cores": 4}',
    '"c -march=armv7e-m"', '"opencl -device=adreno"', '"metal"', '"vulkan"', '"webgpu"', '"hexagon"',
    '"cuda -arch=sm_90", "llvm -mcpu=znver4"', '"cuda -arch=sm_90", T.target("c")',
]  # fmt: skip


def program(form: str) -> str:
    return f'@T.prim_func\ndef main():\n    T.func_attr({{"target": T.target({form})}})\n    T.evaluate(1)\n'


@pytest.mark.parametrize("form", FORMS)
def test_reads_back(form: str) -> None:
    made = tvmscript.from_source(program(form))
    assert structural_equal(tvmscript.from_source(made.script()), made)


@pytest.mark.oracle
def test_prints_as_in_tvm(oracle: Any) -> None:
    for form in FORMS:
        assert tvmscript.from_source(program(form)).script() == oracle.print(program(form)).rstrip("\n")
