"""Sessions: values of expressions and errors are observed; what a session changes is as before behind it."""

from __future__ import annotations

import os
import sys
from typing import Any

import numpy as np
import pytest

from tvmscript.fuzz.records.scripts import outcome_of_call
from tvmscript.fuzz.records.sessions import check_session


def _outcome(text: str) -> tuple[str, ...]:
    return outcome_of_call(lambda: check_session(text))


def test_values_of_expressions_are_observed() -> None:
    notes = _outcome("x = 3\nx + 1\nfor i in range(2):\n    i\nNone\n")
    assert [each.split()[0] for each in notes] == ["value"] * 3
    assert notes[1] != notes[2]
    assert notes[0] == _outcome("2 + 2")[0]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("[1, 2.5]", "[1, 2.25]"),
        ("np.arange(3, dtype='int8')", "np.arange(3, dtype='int16')"),
        ("np.float32([1, 2])", "np.float32([1, 2.01])"),
        ("{'a': {1}}", "{'a': {2}}"),
        ("ValueError('a')", "ValueError('b')"),
        ("tvm.from_source('T.int32(3)')", "tvm.from_source('T.int32(4)')"),
    ],
)
def test_other_values_are_seen(one: str, other: str) -> None:
    head = "import numpy as np\nimport tvmscript as tvm\n"
    assert _outcome(head + one) != _outcome(head + other)


def test_addresses_and_far_digits_are_not_seen() -> None:
    places = [np.zeros(1) for _ in range(2)]
    assert len({_outcome(f"{each.ctypes.data} + 0") for each in places}) == 1
    assert _outcome("0.1 + 0.2") == _outcome("0.3 + 0")


def test_errors_are_observed_and_the_rest_runs() -> None:
    text = "import tvmscript\nwith errors as error:\n    [][1]\nstr(error.value)\ntvmscript.from_source('x')\n7 + 1"
    notes = _outcome(text)
    assert [each.split()[0] for each in notes] == ["IndexError", "value", "TS2003", "value"]


def test_changes_end_with_the_session() -> None:
    text = """
import os
import sys
import tvmscript as tvm

class Owner:
    value = 1

def enter_owner():
    yield 5
    os.environ.pop("OF_A_SESSION")

patches.setattr(Owner, "value", 2)
patches.setenv("OF_ANOTHER_SESSION", "1")
os.environ["OF_A_SESSION"] = "1"
enter(enter_owner()) + Owner.value
tvm.register_func("of.a_session", print)
(folder / "a").write_text("text")
"""
    assert [each.split()[0] for each in _outcome(text)] == ["value"] * 4
    assert _outcome(text) == _outcome(text)
    assert not {"OF_A_SESSION", "OF_ANOTHER_SESSION"} & {*os.environ}


def test_functions_of_a_session_can_be_read() -> None:
    text = """
from tvmscript import T

@T.prim_func
def f(A: T.Buffer((4,), "float32")):
    A[0] = T.float32(1)

f.script()
"""
    names: dict[str, Any] = {}
    assert _outcome(text) == _outcome(f"{text.replace('f.script()', '')}\nimport tvmscript\nstr(f.script())"), names


def test_what_is_printed_is_read_and_observed() -> None:
    text = "print('a')\nprinted.readouterr().out\nprint('b')\nprinted.readouterr().out\n"
    expected = "'a\\n' + ''\n'b\\n' + ''\nprint('a\\nb')"
    assert _outcome(text) == _outcome(expected)


def test_members_of_enumerations_are_no_addresses() -> None:
    """A range is searched for such numbers one by one."""
    text = "import enum\nKind = enum.IntEnum('Kind', 'A B')\n"
    assert _outcome(f"{text}Kind.A") != _outcome(f"{text}Kind.B")
    assert _outcome("1 << 45") == _outcome("3 << 44") != _outcome("1 << 43")


STEPS = '''
import tvmscript
func = tvmscript.from_source("""
@T.prim_func
def f(A: T.Buffer((2,), "int32")):
    breakpoint()
    for i in range(2):
        A[i] = i + {0}
""")
tvmscript.build(func, target="interp")["f"](tvmscript.nd.empty((2,), "int32").copyfrom([0, 0]))
'''


def test_lines_behind_a_breakpoint_are_observed() -> None:
    before = sys.gettrace()
    notes = _outcome(STEPS.format(1))
    assert [each.split()[0] for each in notes if "value" not in each] == ["breakpoint", "steps"]
    other = _outcome(STEPS.format(2))
    assert notes[0] == other[0]
    assert notes[1] != other[1]
    assert sys.gettrace() is before
