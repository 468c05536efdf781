"""Damaged TFLite models give one error, and what cannot be converted is reported at once."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.tvmscript.frontend.tflite.models import Call, Scale, interpret, write
from tvmscript.cli import main
from tvmscript.frontend.errors import InvalidModel, UnsupportedOperators
from tvmscript.ir.core import TVMScriptError
from tvmscript.relax.frontend.tflite import from_tflite

_X = np.zeros((2, 3), "float32")
_MODEL = write(
    [Call("CONCATENATION", ["x", "c"], ["a"], "ConcatenationOptions", {"axis": 1}), Call("RELU", ["a"], ["y"])],
    {"x": _X},
    {"c": np.ones((2, 4), "float32")},
    {"a": "float32", "y": "float32"},
)


def test_the_model_is_well_formed(tmp_path: Path) -> None:
    assert interpret(_MODEL, {"x": _X})[0].shape == (2, 7)
    path = tmp_path / "net.tflite"
    path.write_bytes(_MODEL)
    assert from_tflite(path).script() == from_tflite(_MODEL).script()


def test_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "net.tflite"
    path.write_bytes(_MODEL)
    assert main(["run", str(path)]) == 0
    assert "output 0: float32 [2, 7]" in capsys.readouterr().out
    assert main(["convert", str(path), "-o", str(tmp_path / "net.py")]) == 0
    assert "R.concat((x, " in (tmp_path / "net.py").read_text()
    capsys.readouterr()


@pytest.mark.parametrize(
    ("model", "message"),
    [
        ("no/such/file.tflite", "there is no such file"),
        (b"", "it is damaged or no TFLite model"),
        (b"\x00" * 64, "it is damaged or no TFLite model"),
        (_MODEL[:8], "it is damaged"),
        (b"\xff\xff\xff\x7f" + _MODEL[4:], "it is damaged"),
        (3, "it is no path, bytes or tflite.Model"),
    ],
)
def test_files(model: Any, message: str) -> None:
    with pytest.raises(InvalidModel, match=message):
        from_tflite(model)


def test_cut_and_changed_files() -> None:
    """Every error is one of the package; the others read as some model."""
    rng = np.random.default_rng(0)
    variants = [_MODEL[:size] for size in range(8, len(_MODEL), 7)]
    for _ in range(60):
        content = bytearray(_MODEL)
        for place in rng.integers(8, len(content), 3):
            content[place] = rng.integers(256)
        variants.append(bytes(content))
    errors = 0
    for variant in variants:
        try:
            assert from_tflite(variant).script()
        except TVMScriptError:
            errors += 1
    assert errors > len(variants) // 2


def test_cycles() -> None:
    calls = [Call("ADD", ["x", "b"], ["a"]), Call("ADD", ["a", "x"], ["b"])]
    model = write(calls, {"x": _X}, {}, {"a": "float32", "b": "float32", "y": "float32"})
    with pytest.raises(InvalidModel, match="operator 0, ADD: tensor 2 is used before it is computed"):
        from_tflite(model)


def test_wrong_shapes() -> None:
    model = write([Call("ADD", ["x", "c"], ["y"])], {"x": _X}, {"c": np.zeros(4, "float32")}, {"y": "float32"})
    with pytest.raises(InvalidModel, match="operator 0, ADD: it is not well formed"):
        from_tflite(model)


_LONG = np.zeros((1, 10_001, 1), "float32")
_ONE = np.ones((1, 1), "float32")


@pytest.mark.parametrize(
    ("call", "x", "constants", "dtype", "message"),
    [
        (Call("SHAPE", ["x"], ["y"]), _X, {}, "U1", "SHAPE: elements of the type string are not supported"),
        (Call("MUL", [], ["y"]), _X, {}, "int32", "operator 0, MUL: it is not well formed"),
        (
            Call("RANGE", ["a", "b", "c"], ["y"]),
            *(_X, {name: np.array(value, "int32") for name, value in zip("abc", (0, 1 << 30, 1), strict=True)}),
            *("int32", "ranges of more than 16,777,216 numbers are not supported"),
        ),
        (
            Call("RANGE", ["a", "b", "c"], ["y"]),
            *(_X, {name: np.array(value, "int32") for name, value in zip("abc", (0, 4, 1), strict=True)}),
            *("int8", "ranges of int8 are not supported"),
        ),
        (
            Call("FAKE_QUANT", ["x"], ["y"], "FakeQuantOptions", {"max": 1.0, "numBits": 1 << 30}),
            *(_X, {}, "float32", "it rounds to integers of 1073741824 bits, not of 2 to 16"),
        ),
        (Call("RESHAPE", ["x"], ["y"], "ReshapeOptions"), _X, {}, "float32", "RESHAPE: it is not well formed"),
        (
            Call("MIRROR_PAD", ["x", "c"], ["y"], "MirrorPadOptions", {"mode": 0}),
            *(_X, {"c": np.array([[0, 2], [0, 0]], "int32")}),
            *("float32", "its borders are wider than the tensor"),
        ),
        (
            Call("UNIDIRECTIONAL_SEQUENCE_RNN", ["x", "w", "w", "b", "s"], ["y"], "SequenceRNNOptions"),
            *(_LONG, {"w": _ONE, "b": _ONE[0], "s": _ONE}),
            *("float32", "sequences of more than 10,000 steps are not supported"),
        ),
    ],
)
def test_what_a_graph_does_not_have(call: Call, x: Any, constants: dict[str, Any], dtype: str, message: str) -> None:
    with pytest.raises(InvalidModel, match=message):
        from_tflite(write([call], {"x": x}, constants, {"y": dtype}))


def test_scales_that_do_not_fit_their_tensor() -> None:
    scales = {"x": Scale([0.5, 0.25], axis=3), "y": Scale(0.5)}
    model = write([Call("ADD", ["x", "x"], ["y"])], {"x": _X.astype("int8")}, {}, {"y": "int8"}, scales)
    with pytest.raises(InvalidModel, match="operator 0, ADD: it is not well formed"):
        from_tflite(model)


@pytest.mark.parametrize(("shape", "is_computed"), [((64, 64), True), ((241, 17), False), ((1 << 20, 1 << 10), False)])
def test_large_fills_are_operators(shape: tuple[int, int], is_computed: bool) -> None:
    """They are not computed at import."""
    constants = {"s": np.array(shape, "int32"), "v": np.array(7, "int32")}
    text = from_tflite(write([Call("FILL", ["s", "v"], ["y"])], {"x": _X}, constants, {"y": "int32"})).script()
    assert (f"R.full(R.shape([{shape[0]}, {shape[1]}])" in text) != is_computed


def test_a_range_has_three_bounds() -> None:
    """NumPy takes a dtype as the fourth."""
    bounds = {name: np.array(value, "int32") for name, value in zip("abcd", (0, 4, 2, 5), strict=True)}
    model = write([Call("RANGE", list(bounds), ["y"])], {"x": _X}, bounds, {"y": "int32"})
    assert 'T.data("int32", [2], ' in from_tflite(model).script()


def test_all_unsupported_operators_are_reported() -> None:
    calls = [Call("WHERE", ["x"], ["a"]), Call("UNIQUE", ["a"], ["b"]), Call("WHERE", ["b"], ["y"])]
    model = write(calls, {"x": _X}, {}, dict.fromkeys(("a", "b", "y"), "int64"))
    with pytest.raises(UnsupportedOperators, match=r"WHERE \(operator 0, WHERE, operator 2, WHERE\); UNIQUE"):
        from_tflite(model)


@pytest.mark.parametrize(
    ("inputs", "constants", "place"),
    [({"x": np.array(["a"])}, {}, "input 'x'"), ({"x": _X}, {"c": np.array(["a"])}, "constant 'c'")],
)
def test_texts_are_refused(inputs: dict[str, Any], constants: dict[str, Any], place: str) -> None:
    model = write([Call("EQUAL", ["x", *constants, "x"][:2], ["y"])], inputs, constants, {"y": "bool"})
    with pytest.raises(InvalidModel, match=f"{place}: elements of the type string are not supported"):
        from_tflite(model)
