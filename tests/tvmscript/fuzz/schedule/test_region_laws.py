"""Regions that are inferred hold the accesses of a block, and the law sees those that do not."""

from __future__ import annotations

import random

import pytest

from tvmscript.fuzz.errors import WrongArithmetic
from tvmscript.fuzz.schedule.region_laws import check_regions, region_text

TEXT = """
@T.prim_func
def main(A: T.Buffer((96, 96), "float32"), C: T.Buffer((96, 96), "float32")):
    for i in range(3):
        with T.block("block"):
            vi = T.axis.spatial(3, i)
            T.reads(A[vi, 0:{count}])
            T.writes(C[vi:vi + 1, {column}])
            for k in range(4):
                if vi {comparison} 3:
                    C[vi, 5] = A[vi, k] + A[vi, k + 2]
"""


@pytest.mark.parametrize("seed", range(8))
def test_the_law_holds(seed: int) -> None:
    rng = random.Random(seed)
    check_regions(region_text(rng.randrange))


@pytest.mark.parametrize(
    ("count", "column", "reason"),
    [
        (5, "5", r"T\.reads says .* rather than \[\(0, 0\), \(0, 5\)\]"),
        (6, "4", "T.writes says"),
        (6, "5", None),
        (7, "5", None),
    ],
)
def test_the_law_sees_a_region_that_is_too_small(count: int, column: str, reason: str | None) -> None:
    """Under a condition a region may be larger."""
    text = TEXT.format(count=count, column=column, comparison="<")
    if reason is None:
        check_regions(text)
        return
    with pytest.raises(WrongArithmetic, match=reason):
        check_regions(text)


def test_regions_of_affine_indices_are_exact() -> None:
    text = TEXT.format(count=7, column="5", comparison="<").replace("                if vi < 3:\n    ", "")
    with pytest.raises(WrongArithmetic, match="says"):
        check_regions(text)
    check_regions(text.replace("0:7", "0:6"))
