"""Laws of accesses: what leaves a buffer, what races, against runs in Python."""

from __future__ import annotations

import random
from typing import Any, Final

import numpy as np

from tvmscript.backends import interp
from tvmscript.backends.interp.sanitizer import run_sanitized
from tvmscript.backends.interp.sanitizer.errors import MemoryRace
from tvmscript.backends.runtime.errors import KernelAssertion, OutOfBounds
from tvmscript.backends.runtime.random_inputs import random_inputs
from tvmscript.fuzz.analysis.access_programs import random_program
from tvmscript.fuzz.analysis.barrier_kernels import Kernel
from tvmscript.fuzz.analysis.tracing import traced
from tvmscript.fuzz.arith.evaluate import evaluate, lanes_of
from tvmscript.fuzz.arith.index_laws import Writer
from tvmscript.fuzz.laws import Law, require
from tvmscript.fuzz.programs.loops import random_program as correct_program
from tvmscript.ir.analysis.access.out_of_bounds import Verdict, check_bounds
from tvmscript.ir.analysis.access.plain_bounds import stays_plainly_inside
from tvmscript.ir.analysis.access.races import RaceReport, check_races
from tvmscript.ir.analysis.access.scalarize import ends_of, lane
from tvmscript.ir.core import IRModule
from tvmscript.ir.tir import Expr, IntImm, PrimFunc
from tvmscript.ir.tir import expr as e
from tvmscript.ir.transform.registry import get_pass
from tvmscript.parser import from_source


def _results(func: PrimFunc, like: PrimFunc) -> list[Any]:
    values = [each.value for each in random_inputs(like, 0)]
    interp.build(IRModule({"main": func.with_attr("global_symbol", "main")}))["main"](*values)
    return [np.array(value) for value in values]


def _read(text: str) -> PrimFunc:
    func = from_source(text)
    assert isinstance(func, PrimFunc)
    return func


def _bounds(rng: random.Random) -> None:
    """What leaves its buffer is found, and nothing else; assertions of bounds fail exactly there."""
    func = _read(random_program(rng.randrange(1 << 30), "serial"))
    try:
        expected: list[Any] | None = _results(func, func)
    except OutOfBounds:
        expected = None
    verdicts = {finding.verdict for finding in check_bounds(func)}
    wanted = Verdict.PROVEN if expected is not None else Verdict.WRONG
    worst = next((each for each in (Verdict.WRONG, Verdict.UNKNOWN) if each in verdicts), Verdict.PROVEN)
    require("bounds", func.script(), worst, wanted)
    if stays_plainly_inside(func):
        require("plain bounds", func.script(), worst, Verdict.PROVEN)
    errors = [finding.error() for finding in check_bounds(func) if finding.verdict is not Verdict.PROVEN]
    require("bounds", "errors with a place", all(error.span is not None for error in errors), True)
    if rng.randrange(3) == 0:
        checked = get_pass("tir.AssertBounds")(func)
        require("assertions of bounds", "whether there are some", checked is func, expected is not None)
        try:
            _results(checked, func)
        except (KernelAssertion, OutOfBounds):
            require("assertions of bounds", "one that fails", expected, None)
        else:
            require("assertions of bounds", "none that fails", expected is not None, True)


def _right_bounds(rng: random.Random) -> None:
    """Nothing is wrong with programs that stay inside."""
    func = _read(correct_program(rng.randrange(1 << 30)))
    wrong = [finding.error().text for finding in check_bounds(func) if finding.verdict is Verdict.WRONG]
    require("right bounds", func.script(), wrong, [])


def _verdict(report: RaceReport) -> str:
    return "race" if report.races else "unknown" if report.unknown else "proven"


def _races(rng: random.Random) -> None:
    """A race is found exactly where iterations touch an element that one of them writes."""
    func = _read(random_program(rng.randrange(1 << 30), "parallel"))
    report = check_races(func)
    verdict = _verdict(report)
    # where all they do is to write the same value, nothing is claimed
    expected = "race" if traced(func).has_conflict() else "proven"
    require("races", func.script(), "race" if verdict == "unknown" else verdict, expected)
    places = [race.error().span is not None for race in (*report.races, *report.unknown)]
    require("races", "errors with a place", all(places), True)


def _lanes(rng: random.Random) -> None:
    """A vectorized loop without a race computes what the serial one does."""
    text = random_program(rng.randrange(1 << 30), "vectorized")
    func = _read(text)
    if _verdict(check_races(func)) != "proven":
        return
    serial = _read(text.replace("T.vectorized", "T.serial"))
    try:
        expected = _results(serial, serial)
    except OutOfBounds:
        return
    for before, after in zip(expected, _results(get_pass("tir.VectorizeLoop")(func), serial), strict=True):
        require("lanes", text, after.tolist(), before.tolist())


def _barriers(rng: random.Random) -> None:
    """Races of threads are found exactly where threads collide between two barriers."""
    kernel = Kernel(rng.randrange(1 << 30))
    verdict = _verdict(check_races(_read(kernel.text)))
    expected = "race" if kernel.has_race() else "proven"
    # where all they do is to write the same value, nothing is claimed
    require("barriers", kernel.text, "race" if verdict == "unknown" else verdict, expected)


def _uneven_barriers(rng: random.Random) -> None:
    """Nothing is proven where threads collide without a barrier that may not be passed."""
    kernel = Kernel(rng.randrange(1 << 30))
    if not kernel.barriers:
        return
    number, head = rng.randrange(kernel.barriers), rng.choice(("if n > 0:", "for i in range(n):"))
    text = kernel.text_with(number, head)
    if kernel.has_race(without=number):
        require("uneven barriers", text, _verdict(check_races(_read(text))) != "proven", True)


#: writes that change nothing are no races: all elements differ at first
_DISTINCT: Final = """\
    for z in range(12):
        S[tx * 12 + z] = T.Cast("float32", tx * 12 + z) * T.float32(100)
    T.tvm_storage_sync("shared")"""


def _sanitizer(rng: random.Random) -> None:
    """What a run finds are threads that collide between two barriers."""
    kernel = Kernel(rng.randrange(1 << 30))
    launch = next(line for line in kernel.text.splitlines() if "launch_thread" in line)
    func = _read(kernel.text.replace(launch, f"{launch}\n{_DISTINCT}"))
    module = IRModule({"main": func.with_attr("global_symbol", "main")})
    values = [np.arange(8, dtype="float32") * np.float32(3.5), np.zeros(8, "float32")]
    races = [error for error in run_sanitized(module, "main", values).errors if isinstance(error, MemoryRace)]
    if races:  # threads may write what is there already
        require("sanitizer", kernel.text, kernel.has_race(), True)
    for error in races:
        require("sanitizer", error.text, (error.span is not None, len(error.notes) > 0), (True, True))


def _vector(w: Writer, lanes: int, depth: int) -> Expr:
    if depth == 0 or w.draw(3) == 0:
        scalar = w.affine()
        return w.pick(e.Ramp(scalar, w.const(w.pick(1, 2, -1)), lanes), e.Broadcast(scalar, lanes))
    a, b = _vector(w, lanes, depth - 1), _vector(w, lanes, depth - 1)
    by = e.Broadcast(w.const(w.pick(2, 3, 5)), lanes)
    condition = w.pick(e.LT, e.GE, e.EQ)(a, b)
    return w.pick(
        e.Add(a, b), e.Sub(a, b), e.Mul(a, by), e.FloorDiv(a, by), e.FloorMod(a, by), e.Min(a, b), e.Max(a, b),
        e.Select(condition, a, b), e.Select(e.Not(condition), a, b), a,
    )  # fmt: skip


def _scalars(rng: random.Random) -> None:
    """The lanes of a vector are those that an enumeration gives; its ends bound them."""
    w = Writer(rng.randrange)
    lanes = rng.choice((2, 3, 4))
    vector = _vector(w, lanes, 2)
    point = {var: low + rng.randrange(extent) for var, (low, extent) in w.loops.items()}
    values = lanes_of(vector, point)
    for number, value in enumerate(values):
        scalar = lane(vector, IntImm("int32", number))
        require("lanes", f"{number} of {vector}", None if scalar is None else evaluate(scalar, point), value)
    ends = ends_of(vector) or []
    numbers = [evaluate(end, point) for end in ends]
    require("lanes", f"ends of {vector}", (min(numbers), max(numbers)), (min(values), max(values)))
    place = rng.randrange(lanes * 2)
    shuffle = e.Shuffle((vector, vector), (IntImm("int32", place),))
    picked = lane(shuffle, IntImm("int32", 0))
    if isinstance(shuffle, e.Shuffle) and shuffle.dtype.lanes > 1 and picked is not None:
        require("lanes", f"of {shuffle}", evaluate(picked, point), values[place % lanes])
    order = rng.sample(range(2 * lanes), 2)
    pair = e.Shuffle((vector, vector), tuple(IntImm("int32", each) for each in order))
    parts = [lane(pair, IntImm("int32", number)) for number in range(2)]
    actual = [None if part is None else evaluate(part, point) for part in parts]
    require("lanes", f"of {pair}", actual, [values[each % lanes] for each in order])


LAWS: Final[dict[str, Law]] = {
    "bounds": _bounds,
    "right_bounds": _right_bounds,
    "races": _races,
    "lanes": _lanes,
    "barriers": _barriers,
    "uneven_barriers": _uneven_barriers,
    "sanitizer": _sanitizer,
    "scalars": _scalars,
}
