"""Properties of programs, passes, schedules and compilers: functions that raise where the property fails.

    well_formed(program)                the program is well formed
    round_trips(program)                its text reads back
    same_values(before, after)          both compute the same values in the reference interpreter
    pass_keeps(pass_, program)          a pass preserves all of this, and its declared properties
    steps_keep(schedule, program)       every step of a schedule does
    backends_agree(program)             LLVM computes the values of the interpreter, at each level
    agrees_with_tvm(program)            real TVM does too (0.17 or later, here or in another Python)
    idempotent(function, program)       a second run changes nothing
    commute(one, other, program)        two functions commute
    input_unchanged(function, program)  a function does not change its argument
    deterministic(program)              processes with other hash seeds compile it to the same text

Each is a fixture of the pytest plugin of the same name. Using one loads only the module of the function.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tvmscript.ir.core.lazy import lazy_names

if TYPE_CHECKING:
    from tvmscript.testing.oracles.compiled import backends_agree as backends_agree
    from tvmscript.testing.oracles.functions import commute as commute
    from tvmscript.testing.oracles.functions import idempotent as idempotent
    from tvmscript.testing.oracles.functions import input_unchanged as input_unchanged
    from tvmscript.testing.oracles.processes import deterministic as deterministic
    from tvmscript.testing.oracles.real_tvm import agrees_with_tvm as agrees_with_tvm
    from tvmscript.testing.oracles.steps import pass_keeps as pass_keeps
    from tvmscript.testing.oracles.steps import steps_keep as steps_keep
    from tvmscript.testing.oracles.values import same_values as same_values
    from tvmscript.testing.round_trip import roundtrip as round_trips
    from tvmscript.testing.verify import verify as well_formed

_HERE = "tvmscript.testing.oracles"
#: oracle -> module that defines it
ORACLES = {
    "agrees_with_tvm": f"{_HERE}.real_tvm",
    "backends_agree": f"{_HERE}.compiled",
    "commute": f"{_HERE}.functions",
    "deterministic": f"{_HERE}.processes",
    "idempotent": f"{_HERE}.functions",
    "input_unchanged": f"{_HERE}.functions",
    "pass_keeps": f"{_HERE}.steps",
    "round_trips": "tvmscript.testing.round_trip:roundtrip",
    "same_values": f"{_HERE}.values",
    "steps_keep": f"{_HERE}.steps",
    "well_formed": "tvmscript.testing.verify:verify",
}

__all__ = [  # the names of ORACLES, for type checkers
    "agrees_with_tvm",
    "backends_agree",
    "commute",
    "deterministic",
    "idempotent",
    "input_unchanged",
    "pass_keeps",
    "round_trips",
    "same_values",
    "steps_keep",
    "well_formed",
]

__getattr__, __dir__ = lazy_names(__name__, ORACLES)
