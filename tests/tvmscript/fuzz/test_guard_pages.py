"""Arrays beside forbidden memory: inside everything is as it was, outside the process ends."""

from __future__ import annotations

import ctypes
import signal
import subprocess
import sys

import numpy as np
import pytest

from tvmscript.fuzz.errors import PaddingOverwritten
from tvmscript.fuzz.guard_pages import check_padding, guarded

_READS = """
import ctypes, numpy as np
from tvmscript.fuzz.guard_pages import guarded
array = guarded(np.arange(16, dtype="int32"), is_behind={is_behind})
print(array.sum(), flush=True)
ctypes.c_int32.from_address(array.ctypes.data + 4 * {place}).value
print("read")
"""

_ALLOCATES = """
import sys, numpy as np, tvmscript
from tvmscript.backends import llvm
from tvmscript.fuzz.guard_pages import guarded_allocations
func = tvmscript.from_source('''
@T.prim_func
def main(A: T.Buffer((16,), "int32"), n: T.int32, at: T.int32):
    M = T.decl_buffer((n,), "int32")
    for i in range(n):
        M[i] = i
    A[0] = M[n - 1]
    A[1] = M[at]
''')
array = np.zeros(16, "int32")
with guarded_allocations(is_behind={is_behind}):
    main = llvm.build(tvmscript.IRModule({{"main": func.with_attr("global_symbol", "main")}}))["main"]
    for size in (1, 16, 1025, 3001):
        main(array, size, 0)
        print(array[0], array[1], flush=True)
    main(array, 3001, {place})
    print("read")
"""


@pytest.mark.parametrize("is_behind", [False, True])
def test_holds_the_same(is_behind: bool) -> None:
    values = np.arange(3000, dtype="float64").reshape(30, 100)
    made = guarded(values, is_behind=is_behind)
    np.testing.assert_array_equal(made, values)
    assert made is not values
    assert made.ctypes.data % 64 == 0
    made += 1
    assert values[0, 0] == 0


def test_what_is_left_alone() -> None:
    for values in (np.zeros(0), np.zeros((4, 4))[:, ::2], 3):
        assert guarded(values, is_behind=True) is values


@pytest.mark.skipif(sys.platform == "win32", reason="no memory is forbidden there")
@pytest.mark.parametrize(
    ("is_behind", "offset", "first"),
    [(True, 51, 51), (True, 48, 51), (True, 60, 60), (True, -4, -4), (True, -4032, -4032), (False, 51, 51)],
)
def test_stores_into_the_padding_are_found(is_behind: bool, offset: int, first: int) -> None:
    array = guarded(np.arange(51, dtype="uint8").reshape(3, 17), is_behind=is_behind)
    array[:] += 1
    check_padding([3, np.zeros(4), array])
    ctypes.c_int32.from_address(array.ctypes.data + offset).value = 0
    with pytest.raises(PaddingOverwritten, match=f"array 2 is overwritten: byte {first} from its start, of 51"):
        check_padding([3, np.zeros(4), array[1:]])


@pytest.mark.skipif(sys.platform == "win32", reason="no memory is forbidden there")
@pytest.mark.parametrize(("is_behind", "place", "ends"), [(False, -1, True), (True, 16, True), (True, 15, False)])
def test_outside_is_forbidden(is_behind: bool, place: int, ends: bool) -> None:
    text = _READS.format(is_behind=is_behind, place=place)
    done = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, check=False)
    assert done.stdout.split() == (["120"] if ends else ["120", "read"])
    assert done.returncode == (-signal.SIGSEGV if ends else 0)


@pytest.mark.skipif(sys.platform == "win32", reason="no memory is forbidden there")
@pytest.mark.parametrize(("is_behind", "place"), [(False, -1), (True, 3001 + 16)])
def test_allocations(is_behind: bool, place: int) -> None:
    text = _ALLOCATES.format(is_behind=is_behind, place=place)
    done = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, check=False)
    assert done.stdout.split() == ["0", "0", "15", "0", "1024", "0", "3000", "0"]
    assert done.returncode == -signal.SIGSEGV
