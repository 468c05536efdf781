"""Tools for testing programs and the package itself, loaded when they are first used.

`expect(program, script)` compares a program with a script, and can write it into the test.
`assert_allclose(actual, expected)` tells how far numbers are apart, and which line made the first NaN.
`bisect(program)` names the step that makes a program wrong.
`reduce(program, fails)` makes a program that shows a bug small.
`roundtrip(program)` checks that a program's text reads back; `verify_passes("roundtrip")` does so after every pass.

| folder | what is in it |
|---|---|
| `oracles` | what is true of right programs, passes, schedules and compilers: functions that raise where it is not |
| `strategies` | programs of the tensor level, drawn by Hypothesis (extra `test`) |
| `graph_strategies` | the same of the graph level |
| `operator_calls` | right calls of every operator of the graph level |
| `reducer` | shrink a program or a trace while a predicate still fails |

`kernels`, `lane_kernels` and `scopes` draw programs too, `mutations` changes a program at one place. The package's own
fuzzers are `tvmscript.fuzz`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tvmscript.ir.core.lazy import lazy_names

if TYPE_CHECKING:
    from tvmscript.testing.allclose import assert_allclose as assert_allclose
    from tvmscript.testing.bisection import bisect as bisect
    from tvmscript.testing.errors import RoundTripError as RoundTripError
    from tvmscript.testing.golden import expect as expect
    from tvmscript.testing.reducer.programs import reduce as reduce
    from tvmscript.testing.reducer.traces import reduce_trace as reduce_trace
    from tvmscript.testing.round_trip import roundtrip as roundtrip
    from tvmscript.testing.verify import verify_passes as verify_passes

# public name -> module that has it
_EXPORTS = {
    "RoundTripError": "tvmscript.testing.errors",
    "assert_allclose": "tvmscript.testing.allclose",
    "bisect": "tvmscript.testing.bisection",
    "expect": "tvmscript.testing.golden",
    "reduce": "tvmscript.testing.reducer.programs",
    "reduce_trace": "tvmscript.testing.reducer.traces",
    "roundtrip": "tvmscript.testing.round_trip",
    "verify_passes": "tvmscript.testing.verify",
}

__getattr__, __dir__ = lazy_names(__name__, _EXPORTS)
