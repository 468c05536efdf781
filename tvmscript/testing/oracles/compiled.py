"""Oracle: compiled code computes the values of the interpreter."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tvmscript.backends import interp, llvm
from tvmscript.ir.core import BaseFunc, IRModule
from tvmscript.ir.transform.pipeline import lower_for_llvm
from tvmscript.testing.oracles.values import as_module, compare, results


def backends_agree(
    program: IRModule | BaseFunc,
    *,
    levels: Sequence[int] = (0, 2, 3),
    ulp: int | None = None,
    seed: int = 0,
    dims: Mapping[str, int] | None = None,
) -> None:
    """LLVM computes what the reference interpreter does, at each level of optimization, without fused products.

    Integers are equal, floats near: `ulp` says how many units of the last place, by default what rounding in another
    order may change. Raises `OtherValues`, `DoesNotRun`, and what the interpreter or the compiler refuse.
    """
    module = as_module(program)
    expected = results(module, interp.build(module), seed, dims)
    lowered = lower_for_llvm(module)
    for level in levels:
        built = llvm.build(lowered, target=llvm.EXACT, opt_level=level)
        compare(f"compiled by LLVM at -O{level}", module, expected, built, seed=seed, dims=dims, ulp=ulp)
