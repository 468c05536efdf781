"""Ways into LLVM that programs write themselves: intrinsics, C functions, symbols. LLVM ends no process on them."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

import tvmscript
from tvmscript.backends.llvm.errors import NotSupportedByLLVM, WrongIntrinsicCall
from tvmscript.backends.llvm.llvm_intrinsics import signatures
from tvmscript.ir.core.errors import TVMScriptError
from tvmscript.ir.core.targets.target import InvalidTarget


def build(line: str, params: str = 'C: T.Buffer((16,), "float32"), I: T.Buffer((16,), "int32")') -> tvmscript.Module:
    return tvmscript.build(tvmscript.from_source(f"@T.prim_func\ndef f({params}):\n    {line}\n"))


@pytest.mark.parametrize(
    "call",
    [
        '"float32", "llvm.fma", T.uint32(1), C[1]',
        '"float32", "llvm.ctlz", T.uint32(1), C[1]',
        '"float32", "llvm.sqrt", T.uint32(1), T.int32(1)',
        '"float32", "llvm.sqrt", T.uint32(2), C[0], C[1]',
        '"float32", "llvm.sqrt", T.uint32(1)',
        '"float32", "llvm.sqrt", T.Cast("float64", C[0])',
        '"float32", "llvm.sqrt", C[0:4]',
        '"float32x4", "llvm.sqrt", C[0]',
        '"bfloat16", "llvm.sqrt", T.Cast("bfloat16", C[0])',
        '"float32", "llvm.vector.reduce.fadd", C[0], C[1]',
        '"int32x4", "llvm.vector.reduce.add", I[0:4]',
        '"int32", "llvm.ctlz", I[0], I[1] == 0',
        '"int32", "llvm.ctlz", I[0], T.int32(1)',
        '"int8", "llvm.bswap", T.int8(1)',
        '"float32", "llvm.powi", C[0], T.int16(1)',
        '"int32", "llvm.llrint", C[0]',
        '"void", "llvm.memset", C.data, T.int8(0), T.int64(4)',
        '"void", "llvm.memset", C[0], T.int8(0), T.int64(4), T.bool(0)',
        '"void", "llvm.prefetch", C.data, 2, 0, 0',
        '"void", "llvm.prefetch", C.data, 0, 1, 0',
        '"void", "llvm.prefetch", C.data, 1, 3, 0',
        '"bool", "llvm.is.fpclass", C[0], 1024',
    ],
)
@pytest.mark.parametrize("form", ["call_llvm_intrin", "call_llvm_pure_intrin"])
def test_wrong_signatures(form: str, call: str) -> None:
    """The error names the intrinsic and points at the call."""
    if "void" in call:  # has no value that can be used, and without effects it would be removed
        form, line = "call_llvm_intrin", "T.{form}({call})"
    else:
        line = "T.evaluate(T.call_extern('void', 'abs', T.{form}({call})))"
    with pytest.raises(WrongIntrinsicCall) as caught:
        build(line.format(form=form, call=call))
    assert caught.value.span is not None
    assert caught.value.span.line == 3
    assert str(caught.value.facts["name"]) in call


@pytest.mark.parametrize(
    "name",
    ["llvm.va_start", "llvm.coro.begin", "llvm.read_register.i64", "llvm.nothing", "llvm.", "llvm.x86.avx2.psad.bw"],
)
def test_unknown_intrinsics(name: str) -> None:
    with pytest.raises(NotSupportedByLLVM, match="the LLVM intrinsic llvm") as caught:
        build(f'C[0] = T.call_llvm_intrin("float32", "{name}", T.uint32(1), C[1])')
    assert caught.value.span is not None


def test_proposal() -> None:
    with pytest.raises(NotSupportedByLLVM, match=r"did you mean llvm\.sqrt\?"):
        build('C[0] = T.call_llvm_intrin("float32", "llvm.sqrtt", C[1])')


def test_features() -> None:
    """An intrinsic of instructions that the processor lacks."""
    text = """@T.prim_func
def f(A: T.Buffer((4,), "int32")):
    A[0:4] = T.call_llvm_intrin("int32x4", "llvm.aarch64.neon.addp", A[0:4], A[0:4])
"""
    program = tvmscript.from_source(text)
    arm = tvmscript.build(program, target="llvm -mtriple=aarch64-linux-gnu")
    assert "@llvm.aarch64.neon.addp.v4i32(<4 x i32> " in arm.get_source("input")
    assert "addp" in arm.get_source("asm")
    with pytest.raises(NotSupportedByLLVM, match="without neon"):
        tvmscript.build(program, target="llvm -mtriple=x86_64-linux-gnu")
    with pytest.raises(NotSupportedByLLVM, match="without neon"):
        tvmscript.build(program, target="llvm -mtriple=aarch64-linux-gnu -mattr=-neon")


def test_features_for_vectors_of_half() -> None:
    """LLVM 22 ends the process where it selects instructions for `canonicalize` of such vectors without AVX512-FP16."""
    text = """@T.prim_func
def f(A: T.Buffer((4,), "float16")):
    A[0:4] = T.call_llvm_intrin("float16x4", "llvm.canonicalize", A[0:4])
"""
    program = tvmscript.from_source(text)
    with pytest.raises(NotSupportedByLLVM, match="without avx512fp16"):
        tvmscript.build(program, target="llvm -mtriple=x86_64-linux-gnu")
    assert "@llvm.canonicalize.v4f16" in tvmscript.build(
        program, target="llvm -mtriple=x86_64-linux-gnu -mattr=+avx512fp16"
    ).get_source("input")


@pytest.mark.parametrize(
    ("line", "index", "expected"),
    [
        ('C[0] = T.call_llvm_intrin("float32", "llvm.sqrt", T.uint32(1), C[1])', 0, np.sqrt(2)),
        ('C[0] = T.call_llvm_intrin("float32", "llvm.sqrt", C[1])', 0, np.sqrt(2)),
        ('C[0] = T.call_llvm_intrin("float32", "llvm.sqrt.f32", C[1])', 0, np.sqrt(2)),
        ('C[0:4] = T.call_llvm_intrin("float32x4", "llvm.fma", T.uint32(3), C[0:4], C[0:4], C[1:5])', 3, 16 + 5),
        ('C[0] = T.call_llvm_intrin("float32", "llvm.powi", C[1], 3)', 0, 8),
        ('C[0] = T.call_llvm_intrin("float32", "llvm.vector.reduce.fmax", C[0:4])', 0, 4),
        ('C[0] = T.call_llvm_intrin("float32", "llvm.vector.reduce.fadd", T.float32(0), C[0:4])', 0, 10),
        ('C[0] = T.Cast("float32", T.call_llvm_intrin("int32", "llvm.vector.reduce.add", I[0:4]))', 0, 8),
        ('C[0] = T.Cast("float32", T.call_llvm_intrin("int32", "llvm.ctlz", T.uint32(2), I[0], T.int1(0)))', 0, 30),
        ('C[0] = T.Cast("float32", T.call_llvm_intrin("int8", "llvm.fptosi.sat", C[1] * T.float32(1000)))', 0, 127),
        ('C[0] = T.Cast("float32", T.call_llvm_intrin("bool", "llvm.is.fpclass", C[1], 0x108))', 0, 1),
        ('T.call_llvm_intrin("void", "llvm.memset", C.data, T.int8(0), T.int64(8), T.bool(0))', 1, 0),
    ],
)  # fmt: skip
def test_values(line: str, index: int, expected: float) -> None:
    values = np.arange(1, 17, dtype="float32")
    build(line)["f"](values, np.full(16, 2, "int32"))
    assert values[index] == np.float32(expected)


@pytest.mark.parametrize(
    "call",
    [
        '"float32", "llvm.sqrt.f32", C[1]',
        '"float32", "", C[1]',
        '"float32", "a\\0b", C[1]',
        '"float32", "f", C[1]',
    ],
)
def test_names_of_c_functions(call: str) -> None:
    with pytest.raises(NotSupportedByLLVM) as caught:
        build(f"C[0] = T.call_extern({call})")
    assert caught.value.span is not None
    assert caught.value.span.line == 3


def test_c_function_with_several_signatures() -> None:
    """As calls of printf have them: each call has its own."""
    built = build('C[0] = T.call_extern("float32", "fabsf", C[1]) + T.call_extern("float32", "fabsf", C[1], I[0])')
    values = -np.arange(1, 17, dtype="float32")
    built["f"](values, np.zeros(16, "int32"))
    assert values[0] == 4


@pytest.mark.parametrize("symbol", ["", "llvm.sqrt.f32", "a\\0b", "memset", "TVMFFIFunctionCall", "tvmscript.text.1"])
def test_symbols_of_functions(symbol: str) -> None:
    with pytest.raises(NotSupportedByLLVM, match="a function with the symbol") as caught:
        build(f'T.func_attr({{"global_symbol": "{symbol}"}})')
    assert caught.value.span is not None


def test_symbols_of_other_letters() -> None:
    values = np.zeros(16, "float32")
    built = build("T.func_attr({'global_symbol': 'a b\"é'})\n    C[0] = T.float32(1)")
    built['a b"é'](values, np.zeros(16, "int32"))
    assert values[0] == 1


@pytest.mark.parametrize(
    "line",
    [
        "C[0] = T.call_intrin('float32', 'tir.atomic_add', C[0], C[1])",
        "C[0] = T.call_intrin('float32', 'tir.atomic_add', C.data, C[0:4])",
        "C[0] = T.Cast('float32', T.isnullptr(C[0]))",
        "T.evaluate(T.tvm_access_ptr(C[0], C.data, C[0], 1, 1))",
    ],
)
def test_pointers(line: str) -> None:
    with pytest.raises(TVMScriptError) as caught:
        build(line)
    assert caught.value.errors[0].code != "TS6005"


@pytest.mark.parametrize(
    "target",
    ["llvm -mattr=junk", "llvm -mattr=-64bit", "llvm -mattr=+avx,-sse2", "llvm -mtriple=amdgcn-amd-amdhsa"]
    + [f"llvm -mtriple={kind}" for kind in ("bpf", "nvptx64-nvidia-cuda", "spirv64", "msp430", "xcore")],
)
def test_targets(target: str) -> None:
    with pytest.raises(InvalidTarget):
        tvmscript.build(tvmscript.from_source("@T.prim_func\ndef f():\n    T.evaluate(0)\n"), target=target)


@pytest.mark.parametrize("seed", [3, pytest.param(11, marks=pytest.mark.long)])
def test_random_calls(seed: int) -> None:
    """Calls of all names that are known, right and wrong: refused or built, and code that LLVM itself takes."""
    ran = subprocess.run(
        [sys.executable, "-m", "tests.backends.llvm.codegen.random_intrinsic_calls", str(seed), "600"],
        capture_output=True, text=True, timeout=300,
    )  # fmt: skip
    last = ran.stdout.splitlines()[-1:]
    assert ran.returncode == 0, (last, ran.stderr[-500:])
    outcomes = [line.rsplit(" ", 1)[-1] for line in ran.stdout.splitlines()]
    assert "TS6005" not in outcomes, [line for line in ran.stdout.splitlines() if line.endswith("TS6005")]
    assert outcomes.count("built") > 150


def test_table_has_what_tensor_intrinsics_call() -> None:
    from tvmscript.ir.core.visit import nodes
    from tvmscript.ir.schedule.intrinsics.dot import MAKERS
    from tvmscript.ir.tir.expr import StringImm

    named = {
        node.value
        for maker in MAKERS.values()
        for node in nodes(maker().impl)
        if isinstance(node, StringImm) and node.value.startswith("llvm.")
    }
    assert named
    assert named <= set(signatures())
