"""What a built module offers."""

from __future__ import annotations

import pytest

import tvmscript
from tvmscript.backends.runtime.errors import NoEntryFunction, NoSource, UnknownFunction
from tvmscript.backends.runtime.module import Module
from tvmscript.backends.runtime.timing import BenchmarkResult, measure


def double(x: int) -> int:
    return 2 * x


def test_functions_by_name() -> None:
    mod = Module({"f": double, "g": abs})
    assert mod["f"](4) == 8
    assert mod.get_function("g")(-1) == 1
    assert "f" in mod
    assert "h" not in mod
    with pytest.raises(UnknownFunction, match="no function named h"):
        mod["h"]


def test_entry() -> None:
    assert Module({"f": double})(3) == 6
    assert Module({"f": abs, "main": double})(3) == 6
    with pytest.raises(NoEntryFunction, match="f, g"):
        Module({"f": abs, "g": double})(3)


def test_sources_are_made_once_when_asked_for() -> None:
    made: list[str] = []

    def text() -> str:
        made.append("asm")
        return "ret"

    mod = Module({}, {"ll": "define", "asm": text})
    assert mod.get_source() == "define"
    assert mod.source_kinds == ("ll", "asm")
    assert [mod.get_source("asm"), mod.get_source("asm")] == ["ret", "ret"]
    assert made == ["asm"]
    with pytest.raises(NoSource, match="ptx"):
        mod.get_source("ptx")
    with pytest.raises(NoSource):
        Module({}).get_source()


def test_time_evaluator() -> None:
    calls: list[int] = []
    result = Module({"f": calls.append}).time_evaluator("f", number=3, repeat=2)(1)
    assert len(calls) == 1 + 3 * 2
    assert len(result.results) == 2
    assert 0 < result.min <= result.median <= result.max


def test_measure_grows_to_the_wanted_time() -> None:
    result = measure(lambda: None, (), number=1, repeat=2, min_repeat_ms=0.5)
    assert result.mean < 1e-4


def test_statistics() -> None:
    result = BenchmarkResult((1e-6, 3e-6, 2e-6))
    assert result.mean == pytest.approx(2e-6)
    assert result.std == pytest.approx(0.816496580927726e-6)
    assert str(result).splitlines() == [
        "Execution time summary:",
        " mean (ms)   median (ms)    max (ms)     min (ms)     std (ms)  ",
        "   0.0020       0.0020       0.0030       0.0010       0.0008                  ",
    ]
    assert repr(result).startswith("BenchmarkResult(min=1e-06, mean=2e-06, median=2e-06, max=3e-06, std=")


def test_what_a_module_can() -> None:
    """Only modules of machine code and of C are written to files."""
    func = tvmscript.from_source("@T.prim_func\ndef f(A: T.Buffer((1,), 'int32')):\n    A[0] = 1\n")
    built = [tvmscript.build(func, target=target) for target in ("interp", "llvm", "c")]
    assert [module.is_dso_exportable for module in built] == [False, True, True]
    assert all(module.is_runnable for module in built)
    assert [module.get_property_mask() for module in built] == [2, 6, 6]


def test_imported_modules() -> None:
    outer, inner = Module({"f": double}), Module({"g": double})
    outer.import_module(inner)
    assert outer.imported_modules == (inner,)
    assert outer.implements_function("g", query_imports=True)
    assert outer.get_function("g", query_imports=True) is double
    assert not outer.implements_function("g")
    with pytest.raises(UnknownFunction):
        outer["g"]
    outer.clear_imports()
    assert not outer.implements_function("g", query_imports=True)


def test_repr() -> None:
    assert repr(Module({"f": double}, target="interp")) == "Module(f; target interp)"
