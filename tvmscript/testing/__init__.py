"""Tools for testing programs and the package itself: one subject per file, loaded when it is first used.

`expect(program, script)` compares a program with a script, and can write it into the test.
`assert_allclose(actual, expected)` tells how far numbers are apart, and which line made the first NaN.
`bisect(program)` names the step that makes a program wrong.
`reduce(program, fails)` makes a program that shows a bug small.
`roundtrip(program)` checks that a program's text reads back; `verify_passes("roundtrip")` does so after every pass.
`strategies`, `kernels`, `lane_kernels`, `graph_strategies`, `texts` (they need Hypothesis, extra `test`) draw programs,
`mutations` changes them at one place, `transformations` draws schedules and pipelines of passes; `promises` checks what
primitives declare; `fuzzing` looks for bugs with them.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tvmscript.testing.bisecting import bisect as bisect
    from tvmscript.testing.closeness import assert_allclose as assert_allclose
    from tvmscript.testing.errors import RoundTripError as RoundTripError
    from tvmscript.testing.golden import expect as expect
    from tvmscript.testing.reducing import reduce as reduce
    from tvmscript.testing.reducing_traces import reduce_trace as reduce_trace
    from tvmscript.testing.round_trip import roundtrip as roundtrip
    from tvmscript.testing.verify import verify_passes as verify_passes

# public name -> module that has it
_EXPORTS = {
    "RoundTripError": "tvmscript.testing.errors",
    "assert_allclose": "tvmscript.testing.closeness",
    "bisect": "tvmscript.testing.bisecting",
    "expect": "tvmscript.testing.golden",
    "reduce": "tvmscript.testing.reducing",
    "reduce_trace": "tvmscript.testing.reducing_traces",
    "roundtrip": "tvmscript.testing.round_trip",
    "verify_passes": "tvmscript.testing.verify",
}


def __getattr__(name: str) -> Any:
    if name not in _EXPORTS:
        raise AttributeError(f"module 'tvmscript.testing' has no attribute {name!r}")
    value: Any = getattr(importlib.import_module(_EXPORTS[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*globals(), *_EXPORTS])
