"""Bounds of accesses: the verdict against the reference interpreter, and what is said about single programs."""

from __future__ import annotations

import math
import pkgutil
from collections import Counter
from typing import Any

import pytest

import tvmscript
from tests.ir.transform.running import results
from tvmscript.backends.runtime.errors import KernelAssertion, OutOfBounds
from tvmscript.fuzz.analysis.access_programs import random_program
from tvmscript.fuzz.programs.loops import random_program as correct_program
from tvmscript.ir.analysis.access.out_of_bounds import Verdict, check_bounds
from tvmscript.ir.analysis.errors import AccessOutOfBounds, BoundsUnknown
from tvmscript.ir.core.errors import TVMScriptError
from tvmscript.ir.tir.function import PrimFunc
from tvmscript.ir.transform.registry import get_pass
from tvmscript.tir.analysis import OOBChecker


def _read(text: str) -> PrimFunc:
    func = tvmscript.from_source(text)
    assert isinstance(func, PrimFunc)
    return func


def _verdict(func: PrimFunc) -> Verdict:
    found = {finding.verdict for finding in check_bounds(func)}
    return next((each for each in (Verdict.WRONG, Verdict.UNKNOWN) if each in found), Verdict.PROVEN)


def _leaves(func: PrimFunc) -> bool:
    try:
        results(func)
    except OutOfBounds:
        return True
    return False


def test_as_the_interpreter() -> None:
    """Nothing is proven of programs that leave their buffers, nothing is wrong with those that do not."""
    counted: Counter[tuple[Verdict, bool]] = Counter()
    for seed in range(150):
        func = _read(random_program(seed))
        counted[_verdict(func), _leaves(func)] += 1
    assert set(counted) == {(Verdict.WRONG, True), (Verdict.PROVEN, False)}, counted
    assert min(counted.values()) > 50


def test_no_false_alarms() -> None:
    """Programs whose accesses stay inside of their buffers, with indices that depend on a parameter."""
    verdicts = Counter(_verdict(_read(correct_program(seed))) for seed in range(60))
    assert verdicts[Verdict.WRONG] == 0
    assert verdicts[Verdict.PROVEN] > 40


_GATHER = """
@T.prim_func
def main(A: T.Buffer((16,), "int32"), B: T.Buffer((16,), "int32"), n: T.int32):
    for i in range(16):
        if i < n:
            B[A[i]] = T.if_then_else(A[i] > 3, B[A[i] - 4], 0)
"""


@pytest.mark.parametrize("seed", range(6))
def test_checks_at_run_time(seed: int) -> None:
    """What is not known is asserted where the interpreter would notice it, and nowhere else."""
    func = _read(_GATHER)
    assert _verdict(func) is Verdict.UNKNOWN
    checked = get_pass("tir.AssertBounds")(func)
    try:
        expected = [value.tolist() for value in results(func, seed=seed)]
    except OutOfBounds:
        with pytest.raises(KernelAssertion, match="has no element at index"):
            results(checked, func, seed=seed)
    else:
        assert [value.tolist() for value in results(checked, func, seed=seed)] == expected


def test_assertions_hold_where_accesses_stay_inside() -> None:
    """Assertions of random programs fail exactly where an access leaves its buffer."""
    for seed in range(200, 230):
        func = _read(random_program(seed))
        checked = get_pass("tir.AssertBounds")(func)
        if _leaves(func):
            with pytest.raises((KernelAssertion, OutOfBounds)):
                results(checked, func)
        else:
            assert checked is func


def _said(text: str) -> list[str]:
    return [each.error().text for each in check_bounds(_read(text)) if each.verdict is not Verdict.PROVEN]


def test_names_what_is_wrong() -> None:
    text = """
@T.prim_func
def main(A: T.Buffer((16, 8), "float32")):
    for i, j in T.grid(16, 8):
        A[i, j] = A[i, j + 1]
"""
    (finding,) = [each for each in check_bounds(_read(text)) if each.verdict is Verdict.WRONG]
    error = finding.error()
    assert isinstance(error, AccessOutOfBounds)
    assert error.text == (
        "buffer A of shape (16, 8) has no element at index j + 1 of dimension 1: for j = 7 it is 8, and the extent is 8"
    )
    assert (error.line, error.column) == (5, 19)


def test_wrong_for_every_size() -> None:
    said = _said(
        """
@T.prim_func
def main(a: T.handle):
    n = T.int32()
    A = T.match_buffer(a, (n,), "float32")
    for i in range(n):
        A[i] = A[i + 1]
"""
    )
    assert said == [
        "buffer A of shape (n) has no element at index i + 1 of dimension 0: for i = n - 1 it is n, and the extent is n"
    ]


def test_not_claimed_for_some_sizes() -> None:
    """A parameter may have the values for which all is well."""
    text = """
@T.prim_func
def main(A: T.Buffer((16,), "float32"), n: T.int32):
    for i in range(n):
        A[i] = 1.0
"""
    (finding,) = check_bounds(_read(text))
    assert isinstance(finding.error(), BoundsUnknown)
    assert finding.reason == "nothing shows that it is less than 16"


def test_not_claimed_behind_what_may_return() -> None:
    """An access behind a return need not run; one before it does, and a return at the end ends nothing early."""
    text = """
@T.prim_func
def main(A: T.Buffer((16,), "int32"), n: T.int32) -> T.int32:
    {}
"""
    returns, wrong = "if n < 3:\n        return 1", "A[16] = 1"
    for lines, verdict in ((f"{returns}\n    {wrong}", Verdict.UNKNOWN), (f"{wrong}\n    return 1", Verdict.WRONG)):
        assert _verdict(_read(text.format(lines))) is verdict


def test_views_of_a_larger_allocation() -> None:
    """What merges memory leaves shapes as they are: an index counts from the beginning of all of it."""
    text = """
@T.prim_func
def main(D: T.Buffer((16,), "float32")):
    pool = T.allocate([32], "float32", "global")
    B = T.Buffer((16,), data=pool)
    for i in range(16):
        B[i + {offset}] = 1.0
        D[i] = B[i + {offset}]
"""
    assert _said(text.format(offset=16)) == []
    assert len(_said(text.format(offset=17))) == 2


def test_conditions_that_memory_changes() -> None:
    """What was true before a store need not be true behind it."""
    text = """
@T.prim_func
def main(A: T.Buffer((1,), "int32"), B: T.Buffer((4,), "int32")):
    if 0 <= A[0] and A[0] < 4:
        A[0] = A[0] + 1
        B[A[0]] = 0
"""
    assert _verdict(_read(text)) is Verdict.UNKNOWN


def test_select_computes_both_values() -> None:
    """A condition of T.Select guards nothing, and tells which iterations matter."""
    text = """
@T.prim_func
def main(A: T.Buffer((8,), "int32"), B: T.Buffer((9,), "int32")):
    for i in range(9):
        B[i] = T.Select(i < 8, A[i], 0)
"""
    assert _verdict(_read(text)) is Verdict.UNKNOWN
    assert _verdict(_read(text.replace("T.Select", "T.if_then_else"))) is Verdict.PROVEN


def test_pass_refuses() -> None:
    wrong = _read('@T.prim_func\ndef main(A: T.Buffer((2, 3), "float32")):\n    A[0, 0] = A[2, 2]\n')
    with pytest.raises(AccessOutOfBounds, match="buffer A of shape"):
        OOBChecker()(wrong)
    unknown = _read(_GATHER)
    assert OOBChecker()(unknown) is unknown


def test_vectors_may_go_on_in_the_next_row() -> None:
    text = (
        '@T.prim_func\ndef main(A: T.Buffer((4, 4), "float32")):\n    A[{row}, 0:16] = T.Broadcast(T.float32(0), 16)\n'
    )
    assert _verdict(_read(text.format(row=0))) is Verdict.PROVEN
    assert _verdict(_read(text.format(row=1))) is Verdict.WRONG


def test_errors_are_findings_of_the_package() -> None:
    assert issubclass(AccessOutOfBounds, TVMScriptError)
    assert issubclass(BoundsUnknown, TVMScriptError)


@pytest.mark.parametrize(
    ("parameter", "count", "verdict"),
    [
        ('(4, 8), "float32"', 32, Verdict.PROVEN),
        ('(4, 8), "float32"', 33, Verdict.WRONG),
        ('(4, 8), "float64"', 64, Verdict.PROVEN),
        ('(4, 8), "float64"', 65, Verdict.WRONG),
        ('(4, 8), "float16"', 17, Verdict.PROVEN),  # of other sizes nothing is known but what the view says
        ('(4, 8), "float32", strides=(16, 1)', 40, Verdict.PROVEN),
        ('(4, 8), "float32", strides=("n", 1)', 40, Verdict.PROVEN),
    ],
)
def test_other_buffers_over_the_memory_of_a_parameter(parameter: str, count: int, verdict: Verdict) -> None:
    """Elements beyond the memory are none; how much a parameter with strides has is not known."""
    func = _read(f"""@T.prim_func
def main(a: T.handle, B: T.Buffer((128,), "float32")):
    A = T.match_buffer(a, {parameter})
    P = T.Buffer((128,), data=A.data)
    for i in range({count}):
        B[i] = P[i]
""")
    assert _verdict(func) is verdict


@pytest.mark.parametrize(("dtype", "lanes"), [("float32", 1), ("float32x4", 4), ("int8x4", 4), ("float64x2", 2)])
@pytest.mark.parametrize("declaration", ["parameter", "alloc", "allocate"])
def test_views_have_the_bytes_of_the_memory(dtype: str, lanes: int, declaration: str) -> None:
    """Eight vectors are 8 * lanes elements of another buffer on the same memory."""
    element = dtype.removesuffix(f"x{lanes}")
    made = {
        "parameter": f'(A: T.Buffer((8,), "{dtype}"), B: T.Buffer((64,))):',
        "alloc": f'(B: T.Buffer((64,))):\n    A = T.alloc_buffer((8,), "{dtype}")',
        "allocate": f'(B: T.Buffer((64,))):\n    A_1 = T.allocate([8], "{dtype}", "global")\n'
        f'    A = T.Buffer((8,), "{dtype}", data=A_1)',
    }[declaration]
    for count, expected in ((8 * lanes, Verdict.PROVEN), (8 * lanes + 1, Verdict.WRONG)):
        text = f"""
@T.prim_func
def main{made}
    P = T.Buffer((64,), "{element}", data=A.data)
    for i in range({count}):
        B[i] = T.Cast("float32", P[i])
"""
        assert _verdict(_read(text)) is expected


def test_little_effort_tries_first_and_last_iterations_alone() -> None:
    """Two accesses leave their buffer amid a loop; the effort is enough for 2,000 indices of 19 nodes."""
    text = """
@T.prim_func
def main(A: T.Buffer((64,), "int32")):
    for i in range(2000):
        A[i * i % 64 + T.Cast("int32", i == 1000) * 64] = 0
    for i in range(2000):
        A[i * i % 64 + T.Cast("int32", i == 1000) * 64] = 1
    for i in range(2000):
        A[i * i % 64 + T.Cast("int32", i == 1999) * 64] = 2
"""
    unlimited, little, none = (
        [finding.verdict for finding in check_bounds(_read(text), effort)] for effort in (math.inf, 40_000, 0)
    )
    assert unlimited == [Verdict.WRONG] * 3
    assert little == [Verdict.WRONG, Verdict.UNKNOWN, Verdict.WRONG]
    assert none == [Verdict.UNKNOWN, Verdict.UNKNOWN, Verdict.WRONG]


@pytest.mark.parametrize(
    ("index", "verdict"), [("20", Verdict.PROVEN), ("B[3]", Verdict.PROVEN), ("B[20]", Verdict.WRONG)]
)
def test_an_address_is_no_access_but_its_indices_are(index: str, verdict: Verdict) -> None:
    func = _read(f"""
@T.prim_func
def main(A: T.Buffer((16,), "int32"), B: T.Buffer((16,), "int32")):
    T.evaluate(T.call_extern("int32", "f", T.address_of(A[{index}])))
""")
    assert _verdict(func) is verdict


@pytest.mark.parametrize(("shape", "count"), [("64", 1), ("32", 2), ("8, 8", 2)])
def test_a_view_of_all_memory_is_judged_once(shape: str, count: int, monkeypatch: pytest.MonkeyPatch) -> None:
    index = ", ".join(["i * i % 7 + n"] * (shape.count(",") + 1))
    func = _read(f"""
@T.prim_func
def main(n: T.int32):
    P = T.allocate([64], "int32", "global")
    Q = T.Buffer(({shape},), "int32", data=P)
    for i in range(100):
        Q[{index}] = 0
""")
    judged: list[Any] = []
    place = "tvmscript.ir.analysis.access.out_of_bounds._Bounds.judged"
    judge = pkgutil.resolve_name(place)

    def note(bounds: Any, finding: Any) -> Any:
        judged.append(finding)
        return judge(bounds, finding)

    monkeypatch.setattr(place, note)
    assert {finding.verdict for finding in check_bounds(func)} == {Verdict.UNKNOWN}
    assert len(judged) == count
