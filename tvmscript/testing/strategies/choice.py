"""Choice between values of any type."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from hypothesis import strategies as st

T = TypeVar("T")


def one_of(draw: st.DrawFn, items: Sequence[T]) -> T:
    """Draw one of several items by index; shrinks to the first.

    With `sampled_from` Hypothesis looks at the hashes of things. Those of nodes, functions and methods are addresses:
    then the same seed draws other examples in another process.
    """
    return items[draw(st.integers(0, len(items) - 1))]
