"""Functions `R.name(...)`: conversion of arguments, and spans of errors."""

from __future__ import annotations

import inspect
from typing import Any

import pytest

import tvmscript as tvmscript  # installs the printer: sizes are compared as text
from tests.ir.relax.op.library import operator
from tvmscript.ir.arith.index_map import IndexMap
from tvmscript.ir.core.module import VDevice
from tvmscript.ir.core.span import Source, Span
from tvmscript.ir.relax.errors import InvalidCall
from tvmscript.ir.relax.expr import Call, PrimValue, ShapeExpr, Tuple, Var
from tvmscript.ir.relax.op.script_functions import script_function_of, signature_of
from tvmscript.ir.relax.signature import REQUIRED, parse_signature
from tvmscript.ir.relax.struct_info import TensorStructInfo
from tvmscript.ir.tir.var import Var as SizeVar


def _tensor(*extents: Any, dtype: str = "float32", span: Span | None = None) -> Var:
    return Var("x", TensorStructInfo(extents, dtype), span)


def _call(name: str, *args: Any, **keywords: Any) -> Call:
    return script_function_of(operator(name))(*args, **keywords)


def _shape(call: Call) -> list[str]:
    info = call.struct_info
    assert isinstance(info, TensorStructInfo)
    return [str(getattr(extent, "value", extent)) for extent in info.extents or ()]


def test_signatures_are_read() -> None:
    data, *rest = parse_signature("data: Expr, *more: Expr, pool: ints(2) = (1, 1), axis: int | None = None")
    assert (data.is_argument, data.default) == (True, REQUIRED)
    more, pool, axis = rest
    assert more.variadic
    assert (pool.kind, pool.count, pool.default, pool.is_argument) == ("ints", 2, (1, 1), False)
    assert (axis.optional, axis.annotation) == (True, "int | None")


def test_a_parameter_without_a_kind_is_a_mistake_of_the_declaration() -> None:
    with pytest.raises(ValueError, match="'x'"):
        parse_signature("x")


def test_the_signature_of_the_function_in_r() -> None:
    shown = signature_of(operator("sum"))
    assert str(shown) == "(x: 'Expr', axis: 'ints | None' = None, keepdims: 'bool' = False) -> 'Expr'"
    assert "span" not in inspect.signature(script_function_of(operator("sum"))).parameters
    assert list(signature_of(operator("arange")).parameters) == ["start", "end", "step", "dtype"]


def test_attributes_are_complete_and_in_order() -> None:
    call = _call("sum", _tensor(2, 3), keepdims=True, axis=-1)
    assert list(call.attrs.items()) == [("axis", (-1,)), ("keepdims", True)]
    assert Call("relax.sum", [_tensor(2, 3)]).attrs == {"axis": None, "keepdims": False}


def test_void_stands_for_no_dtype() -> None:
    assert _call("matmul", _tensor(2, 3), _tensor(3, 4)).attrs == {"out_dtype": "void"}


def test_python_values_become_values_of_the_program() -> None:
    n = SizeVar("n", "int64")
    call = _call("clip", _tensor(2), 0, 1.5)
    low, high = call.args[1:]
    assert isinstance(low, PrimValue)
    assert isinstance(high, PrimValue)
    assert (low.value.dtype, high.value.dtype) == ("int64", "float32")
    assert isinstance(_call("zeros", (2, n), "int8").args[0], ShapeExpr)
    assert isinstance(_call("concat", [_tensor(2), _tensor(3)]).args[0], Tuple)
    slices = _call("strided_slice", _tensor(9), [0], [n], (4,)).args[1:]
    assert [type(each) for each in slices] == [Tuple, Tuple, Tuple]


def test_reshape_solves_what_is_left_open() -> None:
    n = SizeVar("n", "int64")
    assert _shape(_call("reshape", _tensor(n, 6), [0, 2, -1])) == ["n", "2", "3"]
    assert _shape(_call("reshape", _tensor(4, 6), (-1,))) == ["24"]


LAYOUTS: list[tuple[Any, list[str]]] = [
    (lambda a, b, c: (a, c, b), ["2", "4", "3"]),
    (lambda a, b, c: (a, c // 3, b, c % 3), ["2", "2", "3", "3"]),
    (lambda *axes: axes[::-1], ["4", "3", "2"]),
]


@pytest.mark.parametrize(("index_map", "shape"), LAYOUTS)
def test_layout_transform_maps_the_shape(index_map: Any, shape: list[str]) -> None:
    assert _shape(_call("layout_transform", _tensor(2, 3, 4), index_map)) == shape


def test_layout_transform_pads_with_a_number_of_the_tensor() -> None:
    call = _call("layout_transform", _tensor(7, dtype="int8"), lambda i: (i // 4, i % 4), 2)
    assert _shape(call) == ["2", "4"]
    assert str(call.attrs["pad_value"].value.dtype) == "int8"
    assert list(call.attrs) == ["index_map", "pad_value", "axis_separators", "input_axis_separators"]


def test_layout_transform_refuses_another_padding_or_rank() -> None:
    with pytest.raises(InvalidCall, match="pad_value takes a number of float32"):
        _call("layout_transform", _tensor(2, 3), lambda i, j: (j, i), PrimValue(SizeVar("p", "int64")))
    with pytest.raises(InvalidCall, match="index_map takes a map of 2 indices, but got 1"):
        _call("layout_transform", _tensor(2, 3), IndexMap.from_func(lambda i: i))


def _on(device: VDevice | None, *extents: int) -> Var:
    return Var("x", TensorStructInfo(extents, "float32", vdevice=device))


def test_devices_are_kept_and_must_agree() -> None:
    cpu, again, gpu = VDevice("llvm"), VDevice("llvm"), VDevice("cuda")
    for name in ("add", "where", "ewise_fma", "matmul"):
        first = Var("c", TensorStructInfo((2, 2), "bool")) if name == "where" else _on(None, 2, 2)
        rest = (first,) if name in ("where", "ewise_fma") else ()
        info = _call(name, *rest, _on(cpu, 2, 2), _on(again, 2, 2)).struct_info
        assert isinstance(info, TensorStructInfo)
        assert info.vdevice is cpu
        with pytest.raises(InvalidCall, match=r"x[23] takes a tensor on"):
            _call(name, *rest, _on(cpu, 2, 2), _on(gpu, 2, 2))


def test_tensors_of_several_devices_are_joined_on_none() -> None:
    cpu, gpu = VDevice("llvm"), VDevice("cuda")
    for other, device in ((cpu, cpu), (gpu, None), (None, None)):
        info = _call("concat", [_on(cpu, 2), _on(other, 2)]).struct_info
        assert isinstance(info, TensorStructInfo)
        assert info.vdevice is device


SAMPLES = [
    (((3, 5), "float32"), ((6, 1), "float32"), ((6, 1), "int64"), None),
    (((3, 5), "int32"), ((6, 1), "float32"), ((6, 1), "int64"), "prob takes floats"),
    (((3, 5), "float32"), ((6, 1), "int8"), ((6, 1), "int64"), "uniform_sample takes floats"),
    (((3, 5), "float32"), ((6, 1), "float32"), ((6, 1), "float32"), "sample_indices takes integers"),
    (((3, 5), "float32"), ((6,), "float32"), ((6, 1), "int64"), "uniform_sample takes 2 dimensions, but got 1"),
    (((3, 5), "float32"), ((6, 1), "float32"), ((5, 1), "int64"), "sample_indices takes"),
    (((3, 5), "float32"), ((6, 2), "float32"), ((6, 1), "int64"), "uniform_sample takes 1 column"),
]


@pytest.mark.parametrize(("prob", "uniform", "indices", "message"), SAMPLES)
def test_sampling(prob: Any, uniform: Any, indices: Any, message: str | None) -> None:
    values = [_tensor(*shape, dtype=dtype) for shape, dtype in (prob, uniform, indices)]
    if message is None:
        assert _shape(_call("multinomial_from_uniform", *values)) == ["6", "1"]
        return
    with pytest.raises(InvalidCall, match=message):
        _call("multinomial_from_uniform", *values)


MISTAKES: list[tuple[str, tuple[Any, ...], dict[str, Any], str]] = [
    ("sum", (), {}, r"R.sum: it takes \(x: Expr, .*, but got no x"),
    ("sum", (_tensor(2), 0, True, 3), {}, "but got 4 arguments"),
    ("sum", (_tensor(2),), {"axes": 0}, "but got axes"),
    ("sum", (_tensor(2), "0"), {}, "axis takes an integer, but got 0"),
    ("sum", (_tensor(2), 0, 2), {}, "keepdims takes True or False"),
    ("astype", (_tensor(2), "float33"), {}, "dtype takes a dtype, but got float33"),
    ("zeros", (3, "int8"), {}, "shape takes a shape, but got 3"),
    ("concat", (3,), {}, "tensors takes a tuple of values"),
    ("abs", (object,), {}, "x takes an expression"),
    ("topk", (_tensor(2), 1, 0, 7), {}, "ret_type takes a string, but got 7"),
    ("reshape", (_tensor(2), [-2]), {}, "shape takes positive extents, 0 and -1, but got -2"),
]


@pytest.mark.parametrize(("name", "args", "keywords", "message"), MISTAKES)
def test_mistakes_are_told(name: str, args: tuple[Any, ...], keywords: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidCall, match=message):
        _call(name, *args, **keywords)


def test_attributes_that_a_call_does_not_have() -> None:
    with pytest.raises(InvalidCall, match=r"R.sum: it takes one of axis, keepdims, but got axes"):
        Call("relax.sum", [_tensor(2)], {"axes": (0,)})
    with pytest.raises(InvalidCall, match=r"R.astype: dtype takes a value, but got none"):
        Call("relax.astype", [_tensor(2)])
    with pytest.raises(InvalidCall, match=r"R.add: it takes 2 arguments \(x1, x2\), but got 1"):
        Call("relax.add", [_tensor(2)])


def test_errors_point_at_the_argument() -> None:
    source = Source("model.py", "y = R.add(a, b)\n")
    whole, left, right = (Span(source, 1, column, 1, end) for column, end in ((5, 16), (11, 12), (14, 15)))
    with pytest.raises(InvalidCall) as caught:
        _call("add", _tensor(2, span=left), _tensor(3, span=right), span=whole)
    assert (caught.value.line, caught.value.column) == (1, 14)
    with pytest.raises(InvalidCall) as caught:
        _call("sum", _tensor(2, span=left), 4, span=whole)
    assert caught.value.column == 5
