"""Tools for testing programs and this package, loaded on first use.

`expect(program, script)` compares a program with a script, and can update the script in the test.
`assert_allclose(actual, expected)` compares floats in units of the last place, and finds the line of the first NaN.
`bisect(program)` finds the first wrong step of a schedule, of a pipeline, or of code generation.
`sanitize(kernel)` runs a kernel with a look at each access: races, barriers, unwaited copies, costs of requests.
`reduce(program, fails)` shrinks a program while it fails.
`roundtrip(program)` checks that a program's text reads back; `verify_passes("roundtrip")` checks it after every pass.

| module | content |
|---|---|
| `oracles` | properties of programs, passes, schedules and compilers: functions that raise |
| `strategies` | Hypothesis strategies: TIR expressions, statements, functions; need not be safe to run |
| `kernels` | Hypothesis strategies: PrimFuncs that run, with inputs |
| `lane_kernels` | Hypothesis strategies: kernels of scalar and vector expressions over all dtypes |
| `scopes` | Hypothesis strategies: blocks, threads, allocations; need not be safe to run |
| `graph_strategies` | Hypothesis strategies: Relax modules and functions |
| `tensor_strategies` | Hypothesis strategies: tensor expressions and steps of classic schedules |
| `operator_calls` | valid calls of every Relax operator |
| `operator_references` | what operators compute, in NumPy: `topi.testing` |
| `arithmetic` | random integer expressions with bounds |
| `mutations` | single changes of a program |
| `choices` | random choices that Hypothesis draws at once |
| `reducer` | implementation of `reduce` and `reduce_trace` |

Strategies need the extra `test`. The fuzzers of this package are in `tvmscript.fuzz`.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from tvmscript.ir.core.lazy import lazy_names

if TYPE_CHECKING:
    from tvmscript.testing.allclose import assert_allclose as assert_allclose
    from tvmscript.testing.bisection import bisect as bisect
    from tvmscript.testing.errors import RoundTripError as RoundTripError
    from tvmscript.testing.golden import expect as expect
    from tvmscript.testing.reducer.programs import reduce as reduce
    from tvmscript.testing.reducer.traces import reduce_trace as reduce_trace
    from tvmscript.testing.round_trip import roundtrip as roundtrip
    from tvmscript.testing.sanitizer import sanitize as sanitize
    from tvmscript.testing.verify import verify_passes as verify_passes

# public name -> module that has it
_EXPORTS = {
    "RoundTripError": "tvmscript.testing.errors",
    "assert_allclose": "tvmscript.testing.allclose",
    "bisect": "tvmscript.testing.bisection",
    "check_bool_expr_is_true": "tvmscript.testing.integer_systems",
    "check_int_constraints_trans_consistency": "tvmscript.testing.integer_systems",
    "check_numerical_grads": "tvmscript.testing.numerical_grads",
    "expect": "tvmscript.testing.golden",
    "reduce": "tvmscript.testing.reducer.programs",
    "reduce_trace": "tvmscript.testing.reducer.traces",
    "roundtrip": "tvmscript.testing.round_trip",
    "sanitize": "tvmscript.testing.sanitizer",
    "verify_passes": "tvmscript.testing.verify",
}

#: names of `tvm.testing` that need pytest, besides `requires_*`
_OF_PYTEST = (
    "CompareBeforeAfter DEFAULT_TEST_TARGETS Feature assert_prim_expr_equal device_enabled disable_span_filling "
    "enable_span_filling enabled_targets exclude_targets fixture is_ampere_or_newer known_failing_targets main "
    "parameter parameters parametrize_targets skip_if_32bit skip_if_wheel_test slow uses_gpu uses_multi_gpu"
)
_EXPORTS.update(dict.fromkeys(_OF_PYTEST.split(), "tvmscript.testing.utils"))

_load, __dir__ = lazy_names(__name__, _EXPORTS)


def __getattr__(name: str) -> Any:
    if name.startswith("requires_"):
        return getattr(importlib.import_module("tvmscript.testing.utils"), name)
    return _load(name)
