"""Constants: inline, in a section of the text, in a file beside it; TVM's own section."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tvmscript
from tvmscript import relax
from tvmscript.files import NoConstants
from tvmscript.ir.core.equality.equal import assert_structural_equal
from tvmscript.ir.core.errors import TVMScriptError
from tvmscript.ir.core.node import Node
from tvmscript.ir.core.values.constant_data import fingerprint
from tvmscript.ir.core.visit import nodes
from tvmscript.ir.tir.expr import IntImm
from tvmscript.ir.tir.function import PrimFunc
from tvmscript.ir.tir.stmt import Evaluate
from tvmscript.parser.diagnostics.errors import ChangedConstant, MissingConstant

TEXT = """
@T.prim_func
def main():
    c = T.allocate_const({values}, "{dtype}", [{count}])
    T.evaluate(c)
"""


def program(count: int, dtype: str = "float32") -> Any:
    return tvmscript.from_source(TEXT.format(values=list(range(count)), dtype=dtype, count=count))


def with_arrays(**arrays: Any) -> PrimFunc:
    return PrimFunc((), Evaluate(IntImm("int32", 0)), attrs={"global_symbol": "main", **arrays})


def assert_reads_back(node: Node) -> None:
    text = node.script()
    again = tvmscript.from_source(text)
    assert_structural_equal(node, again)
    assert again.script() == text


def test_small_constants_are_written_where_they_are_used() -> None:
    text = program(200).script()
    assert "198, 199]" in text
    assert "metadata" not in text


def test_large_constants_have_a_section() -> None:
    func = program(201)
    text = func.script()
    name = fingerprint(func.body.data)
    assert f'T.allocate_const(T.metadata("{name}"), "float32", [201])' in text
    assert f'\n\nmetadata = {{\n    "{name}": T.data("float32", [201], """\nAAAAAAAAgD8AAABA' in text
    assert text.endswith('"""),\n}')
    assert_reads_back(func)


@pytest.mark.parametrize("dtype", ["bool", "int8", "uint16", "int64", "float16", "float32", "float64"])
@pytest.mark.parametrize("shape", [(), (0,), (3,), (20, 20)], ids=str)
def test_arrays_as_attributes(dtype: str, shape: tuple[int, ...]) -> None:
    count = int(np.prod(shape))
    assert_reads_back(with_arrays(data=(np.arange(count) % 2).reshape(shape).astype(dtype)))


@pytest.mark.parametrize("dtype", ["bfloat16", "e4m3_float8", "e5m2_float8"])
@pytest.mark.parametrize("count", [3, 300])
def test_narrow_floats(dtype: str, count: int) -> None:
    values = [k % 3 for k in range(count)]
    assert_reads_back(tvmscript.from_source(TEXT.format(values=values, dtype=dtype, count=count)))


def test_special_values_keep_their_bits() -> None:
    plain = np.array([np.inf, -np.inf, np.nan, -0.0, 5e-324])
    assert (
        'T.data("float64", [5], ["inf", "-inf", "nan", -0.0, 4.9406564584124654e-324])'
        in with_arrays(data=plain).script()
    )
    payload = np.array([0x7FC00001, 0xFFC00000], "uint32").view("float32")
    assert "T.metadata(" in with_arrays(data=payload).script()
    assert_reads_back(with_arrays(plain=plain, payload=payload))


def test_left_out_constants_are_named() -> None:
    func = program(300)
    text = func.script(show_meta=False)
    assert text.endswith("\n\n# Metadata omitted. Use show_meta=True in script() method to show it.")
    name = fingerprint(func.body.data)
    with pytest.raises(MissingConstant, match=name) as caught:
        tvmscript.from_source(text)
    assert caught.value.code == "TS2050"
    given = {"metadata": {name: func.body.data}}
    assert_structural_equal(tvmscript.from_source(text, extra_vars=given), func)
    with pytest.raises(ChangedConstant):
        tvmscript.from_source(text, extra_vars={"metadata": {name: np.zeros(300, "float32")}})


def test_changed_sections_are_found() -> None:
    text = program(300).script()
    with pytest.raises(ChangedConstant) as caught:
        tvmscript.from_source(text.replace("AAAAAAAAgD8AAABA", "AAAAAAAAgD8AAABB"))
    assert caught.value.line == 5


@pytest.mark.parametrize("content", ['"no base64!"', '"AAAA"', "[1, 2, 3]", '[1, "x"]', "None"])
def test_wrong_data_are_refused(content: str) -> None:
    text = f'@T.prim_func\ndef main():\n    T.func_attr({{"x": T.data("int16", [2], {content})}})\n    T.evaluate(0)\n'
    with pytest.raises(TVMScriptError):
        tvmscript.from_source(text)


def test_parts_bring_their_constants() -> None:
    body = program(300).body
    assert_structural_equal(tvmscript.from_source(body.script()), body, map_free_vars=True)


def test_save_and_load(tmp_path: Path) -> None:
    module = tvmscript.IRModule({"main": program(300), "small": program(3, "int8").with_attr("global_symbol", "small")})
    path = tmp_path / "model.py"
    tvmscript.save(module, path)
    assert path.read_text().endswith("\n\n# tvmscript: constants in model.npz\n")
    again = tvmscript.load(str(path))
    assert_structural_equal(again, module)
    with np.load(tmp_path / "model.npz") as arrays:
        ((name, data),) = arrays.items()
    assert name == fingerprint(data)
    tvmscript.save(again, tmp_path / "again.py")
    assert (tmp_path / "again.py").read_text() == path.read_text().replace("model.npz", "again.npz")


def test_programs_without_large_constants_are_one_file(tmp_path: Path) -> None:
    tvmscript.save(program(3), tmp_path / "f.py")
    assert [item.name for item in tmp_path.iterdir()] == ["f.py"]
    assert_structural_equal(tvmscript.load(tmp_path / "f.py"), program(3))


def test_missing_and_changed_archives(tmp_path: Path) -> None:
    path, archive = tmp_path / "model.py", tmp_path / "model.npz"
    func = program(300)
    tvmscript.save(func, path)
    name = fingerprint(func.body.data)
    np.savez(archive, **{name: np.zeros(300, "float32")})  # type: ignore[arg-type]  # names of arrays
    with pytest.raises(ChangedConstant):
        tvmscript.load(path)
    np.savez(archive, other=np.zeros(3))
    with pytest.raises(MissingConstant):
        tvmscript.load(path)
    archive.write_bytes(b"no archive")
    with pytest.raises(NoConstants, match="cannot be read"):
        tvmscript.load(path)
    archive.unlink()
    with pytest.raises(NoConstants, match="does not exist") as caught:
        tvmscript.load(path)
    assert caught.value.code == "TS7040"


def test_reading_constants_needs_no_numpy() -> None:
    code = (
        "import sys, tvmscript; text = sys.stdin.read(); func = tvmscript.from_source(text);"
        "print(func.script() == text and 'numpy' not in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], input=program(300).script(), capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "True"


# as TVM 0.17 prints a program with strings of several lines, an array and numbers
METADATA = r'''metadata = tvm.ir.load_json("""{
  \"root\": 1,
  \"nodes\": [
    {\"type_key\": \"\"},
    {\"type_key\": \"Map\",
     \"keys\": [\"tir.StringImm\", \"runtime.String\", \"runtime.NDArray\", \"IntImm\", \"FloatImm\"],
     \"data\": [2, 5, 8, 10, 12]},
    {\"type_key\": \"Array\", \"data\": [3]},
    {\"type_key\": \"tir.StringImm\", \"attrs\": {\"dtype\": \"handle\", \"span\": \"0\", \"value\": \"4\"}},
    {\"type_key\": \"runtime.String\", \"repr_b64\": \"FwAAAAAAAABpbnQgZigpIHsKICByZXR1cm4gMTsKfQ==\"},
    {\"type_key\": \"Array\", \"data\": [6, 7]},
    {\"type_key\": \"runtime.String\", \"repr_b64\": \"AwAAAAAAAAB4Cnk=\"},
    {\"type_key\": \"runtime.String\", \"repr_str\": \"plain\"},
    {\"type_key\": \"Array\", \"data\": [9]},
    {\"type_key\": \"runtime.NDArray\",
     \"repr_str\": \"P6G0lvBAXt0AAAAAAAAAAAEAAAAAAAAAAQAAAAIgAQAEAAAAAAAAABAAAAAAAAAAAAAAAAAAgD8AAABAAABAQA==\"},
    {\"type_key\": \"Array\", \"data\": [11]},
    {\"type_key\": \"IntImm\", \"attrs\": {\"dtype\": \"int64\", \"span\": \"0\", \"value\": \"7\"}},
    {\"type_key\": \"Array\", \"data\": [13]},
    {\"type_key\": \"FloatImm\", \"attrs\": {\"dtype\": \"float32\", \"span\": \"0\", \"value\": \"0.5\"}}
  ],
  \"b64ndarrays\": [],
  \"attrs\": {\"tvm_version\": \"0.17.0\"}
}""")

@T.prim_func
def main(A: T.Buffer((16,), "float32")):
    T.func_attr({"arr": metadata["runtime.NDArray"][0], "i": metadata["IntImm"][0], "f": metadata["FloatImm"][0],
                 "many": {"a": [metadata["runtime.String"][0], 1]}, "text": metadata["runtime.String"][1]})
    T.attr(0, "pragma_import_c", metadata["tir.StringImm"][0])
    T.evaluate(0)
'''


def test_metadata_of_tvm() -> None:
    func = tvmscript.from_source(METADATA)
    assert isinstance(func, PrimFunc)
    assert func.script().splitlines()[4:6] == [
        '    T.func_attr({"arr": T.data("float32", [4], [0, 1, 2, 3]), "f": T.float32(0.5), "i": T.int64(7), '
        '"many": {"a": ["x\\ny", 1]}, "text": "plain"})',
        '    T.attr(0, "pragma_import_c", "int f() {\\n  return 1;\\n}")',
    ]
    assert_reads_back(func)


@pytest.mark.parametrize(
    "text",
    [
        "{",
        "[]",
        "3",
        '{"root": 0, "nodes": [{}]}',
        '{"root": 5, "nodes": []}',
        '{"root": -1, "nodes": [{"type_key": ""}]}',
        '{"root": 0, "nodes": [{"type_key": "Array", "data": [0]}]}',
        '{"root": 0, "nodes": [{"type_key": "runtime.NDArray", "repr_str": "AAAA"}]}',
        '{"root": 0, "nodes": [{"type_key": "IntImm", "attrs": {"dtype": "int3x", "value": "1"}}]}',
        '{"root": 0, "nodes": [{"type_key": "tir.Frame"}]}',
        "[" * 100_000,
    ],
)
def test_broken_metadata_is_refused(text: str) -> None:
    source = f"metadata = tvm.ir.load_json({text!r})\n@T.prim_func\ndef f():\n    T.evaluate(0)\n"
    with pytest.raises(TVMScriptError) as caught:
        tvmscript.from_source(source)
    assert caught.value.code in ("TS2052", "TS1001")


def test_constants_of_the_graph_level_stay_one_node(tmp_path: Path) -> None:
    """However many functions use them; and those of kernels in the same module are found too."""
    shared = relax.Constant(np.arange(6, dtype="float32").reshape(2, 3), "float32")
    same_data = relax.Constant(np.arange(6, dtype="float32").reshape(2, 3), "float32")
    bb = relax.BlockBuilder()
    for name in ("f", "g"):
        x = relax.Var("x", relax.TensorStructInfo([2, 3], "float32"))
        with bb.function(name, [x]):
            bb.emit_func_output(bb.emit(relax.op.add(relax.op.add(relax.op.multiply(x, shared), shared), same_data)))
    bb.add_func(program(5000), "kernel")
    module = bb.get()
    tvmscript.save(module, tmp_path / "model.py")
    again = tvmscript.load(tmp_path / "model.py")
    assert_structural_equal(again, module)
    constants = [part for func in again.values() for part in nodes(func) if isinstance(part, relax.Constant)]
    assert (len(constants), len({id(part) for part in constants})) == (6, 2)
