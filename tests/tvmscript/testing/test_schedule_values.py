"""The first element that differs, also of buffers without dimensions (a planted bug was found as a ValueError)."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tvmscript.parser import from_source
from tvmscript.testing.schedule_values import difference

FUNC = from_source(
    '@T.prim_func\ndef main(A: T.Buffer((), "int32"), B: T.Buffer((2, 3), "int32")):\n    T.evaluate(0)\n'
)


@pytest.mark.parametrize(("buffer", "index"), [("A", []), ("B", [1, 2])])
def test_names_the_element(buffer: str, index: list[int]) -> None:
    before: dict[str, Any] = {"A": np.array(1), "B": np.ones((2, 3), "int32")}
    after = {name: value.copy() for name, value in before.items()}
    after[buffer][tuple(index)] = 7
    found = difference(FUNC, [*before.values()], [*after.values()])
    assert found == {"buffer": buffer, "index": index, "before": 1, "after": 7}
    assert difference(FUNC, [*before.values()], [*before.values()]) is None
