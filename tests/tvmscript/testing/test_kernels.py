"""Kernels of every kind: they read, run, keep their text, and cover what they promise."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tvmscript.backends import interp
from tvmscript.ir.tir.function import PrimFunc
from tvmscript.testing import roundtrip
from tvmscript.testing.kernels import KINDS, inputs_for, kernel_texts, kernels


@pytest.mark.parametrize("kind", KINDS)
def test_kernels_run(kind: str) -> None:
    @settings(max_examples=10)
    @given(kernels(kind), st.data())
    def check(func: PrimFunc, data: Any) -> None:
        roundtrip(func)
        values = data.draw(inputs_for(func))
        first = [value.copy() for value in values[:-1]]
        interp.build(func)["main"](*values)
        assert all(np.array_equal(a, b) for a, b in zip(first, values, strict=False))

    check()


def test_what_kernels_have() -> None:
    found: list[str] = []

    @settings(max_examples=400)
    @given(kernel_texts())
    def look(text: str) -> None:
        found.append(text)

    look()
    everything = "".join(found)
    for word in ("strides=", "T.where(", "T.axis.scan", "n = T.int64()", "n = T.int32()", "T.init()", "uint8", "(0,)"):
        assert word in everything, word
