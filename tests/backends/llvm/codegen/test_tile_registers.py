"""Tile registers of AMX: values, who configures them, and a system that refuses them."""

from __future__ import annotations

import re
import subprocess
import sys
from typing import Any

import numpy as np
import pytest

import tvmscript
from tvmscript.backends.llvm.errors import WrongIntrinsicCall
from tvmscript.backends.llvm.target import Target

SAPPHIRE_RAPIDS = "llvm -mtriple=x86_64-linux-gnu -mcpu=sapphirerapids"
needs_tiles = pytest.mark.skipif(
    not Target.parse("llvm").has_feature("amx-int8"), reason="this machine has no tile registers, or Linux refuses them"
)


def call(name: str, *args: str) -> str:
    return f'T.call_llvm_intrin("void", "llvm.x86.{name}", T.uint32({len(args)}), {", ".join(args)})'


def move(name: str, register: int, matrix: str) -> str:
    return call(name, f"T.int8({register})", f"T.address_of({matrix}[0, 0])", "T.int64(64)")


def product(a: str, b: str, c: str) -> str:
    """C += A * B, with four rows of B side by side."""
    lines = [move("tileloadd64", 0, c), move("tileloadd64", 1, a), move("tileloadd64", 2, b)]
    lines += [call("tdpbssd", "T.int8(0)", "T.int8(1)", "T.int8(2)"), move("tilestored64", 0, c)]
    return "\n    ".join(lines)


MATRICES = 'A: T.Buffer((16, 64), "int8"), B: T.Buffer((16, 64), "int8"), C: T.Buffer((16, 16), "int32")'


def expected(a: Any, b: Any, c: Any) -> Any:
    rows_of_b = b.reshape(16, 16, 4).transpose(0, 2, 1).reshape(64, 16)
    return c + a.astype("int32") @ rows_of_b.astype("int32")


def matrices() -> tuple[Any, Any, Any]:
    rng = np.random.default_rng(0)
    a, b = (rng.integers(-128, 128, (16, 64)).astype("int8") for _ in range(2))
    return a, b, rng.integers(-9, 9, (16, 16)).astype("int32")


@needs_tiles
def test_values() -> None:
    a, b, c = matrices()
    want = expected(a, b, c)
    text = f"@T.prim_func\ndef main({MATRICES}):\n    {product('A', 'B', 'C')}\n"
    tvmscript.build(tvmscript.from_source(text))["main"](a, b, c)
    np.testing.assert_array_equal(c, want)


@needs_tiles
def test_a_called_function_leaves_the_configuration_of_its_caller() -> None:
    """What the inner function has restored is not that no register is configured."""
    a, b, c = matrices()
    want = expected(a, b, expected(a, b, expected(a, b, c)))
    text = f"""
@I.ir_module
class Module:
    @T.prim_func
    def inner({MATRICES}):
        T.func_attr({{"global_symbol": "inner"}})
        {product("A", "B", "C").replace("    ", "        ")}

    @T.prim_func
    def main({MATRICES}):
        T.func_attr({{"global_symbol": "main"}})
        {product("A", "B", "C").replace("    ", "        ")}
        Module.inner(A.data, B.data, C.data)
        {product("A", "B", "C").replace("    ", "        ")}
"""
    text = text.replace(
        f"def inner({MATRICES}):",
        "def inner(a: T.handle, b: T.handle, c: T.handle):\n"
        + "\n".join(
            f"        {name} = T.match_buffer({name.lower()}, {shape})"
            for name, shape in (("A", '(16, 64), "int8"'), ("B", '(16, 64), "int8"'), ("C", '(16, 16), "int32"'))
        ),
    )
    tvmscript.build(tvmscript.from_source(text))["main"](a, b, c)
    np.testing.assert_array_equal(c, want)


def test_every_function_with_tiles_configures_them() -> None:
    """Each call of the parallel loop's body does, the function around it does not."""
    text = f"""
@T.prim_func
def main({MATRICES}):
    for i in T.parallel(1000):
        {product("A", "B", "C").replace("    ", "        ")}
"""
    assembly = tvmscript.build(tvmscript.from_source(text), target=SAPPHIRE_RAPIDS).get_source("asm")
    functions = dict(re.findall(r"^(\S+):\n(.*?)^\t\.size", assembly, re.MULTILINE | re.DOTALL))
    configuring = {name for name, body in functions.items() if "configure_tiles" in body}
    with_tiles = {name for name, body in functions.items() if "tdpbssd" in body}
    assert len(configuring) == 1
    assert configuring == with_tiles
    assert all("ldtilecfg" in functions[name] for name in configuring)


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (call("tilezero", "T.int8(8)"), r"different ones from 0 to 7, not \[8\]"),
        (call("tdpbssd", "T.int8(0)", "T.int8(1)", "T.int8(1)"), r"different ones from 0 to 7, not \[0, 1, 1\]"),
        (call("tilezero", "C[0, 0]"), "has to be int8"),
        (call("tilezero", "T.Cast('int8', C[0, 0])"), "has to be a constant"),
    ],
)
def test_wrong_registers(line: str, reason: str) -> None:
    with pytest.raises(WrongIntrinsicCall, match=reason):
        tvmscript.build(
            tvmscript.from_source(f"@T.prim_func\ndef main({MATRICES}):\n    {line}\n"), target=SAPPHIRE_RAPIDS
        )


#: Linux refuses tile registers to a thread whose stack for signals has no room for them (ARCH_REQ_XCOMP_PERM: ENOSPC)
_REFUSED = f"""
import ctypes, struct
stack = ctypes.create_string_buffer(2048)
assert ctypes.CDLL(None).sigaltstack(struct.pack("PiiN", ctypes.addressof(stack), 0, 0, 2048), None) == 0
import numpy as np, tvmscript
from tvmscript.backends.llvm.errors import TileRegistersRefused
text = {f"@T.prim_func{chr(10)}def main({MATRICES}):{chr(10)}    {product('A', 'B', 'C')}{chr(10)}"!r}
main = tvmscript.build(tvmscript.from_source(text), target="llvm -mcpu=sapphirerapids")["main"]
try:
    main(np.zeros((16, 64), "int8"), np.zeros((16, 64), "int8"), np.zeros((16, 16), "int32"))
except TileRegistersRefused as error:
    print(error)
"""


@needs_tiles
def test_refusal_of_the_system_is_an_error() -> None:
    found = subprocess.run([sys.executable, "-c", _REFUSED], capture_output=True, text=True, check=True)
    assert "Linux does not let this process use the tile registers" in found.stdout
    assert "-mattr=-amx-tile" in found.stdout
