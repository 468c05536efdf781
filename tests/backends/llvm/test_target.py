"""Target strings: this machine, other machines, options."""

from __future__ import annotations

import os
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tvmscript
from tests.backends.llvm.kernels import build_text
from tvmscript.backends import llvm
from tvmscript.backends.llvm.errors import NoNativeCode
from tvmscript.backends.llvm.standard_error import with_messages
from tvmscript.backends.llvm.target import Target
from tvmscript.ir.core.targets.target import InvalidTarget

AXPY = """
@T.prim_func
def axpy(X: T.Buffer((64,), "float32"), Y: T.Buffer((64,), "float32")):
    for i in range(64):
        Y[i] = X[i] * T.float32(1.1) + Y[i]
"""


COPIED = """
@T.prim_func
def main(X: T.Buffer((64,), "int32"), Y: T.Buffer((64,), "int32")):
    i = T.decl_buffer((1,), "int32", scope="local")
    i[0] = 0
    while i[0] < 64:
        Y[i[0]] = X[i[0]] * 3
        i[0] = i[0] + 1
"""


@pytest.mark.parametrize("level", [1, 2, 3])
def test_llvm_makes_vectors_of_loops_from_level_2_on(level: int) -> None:
    """Of a loop that is none of the language's `for`."""
    module = build_text(COPIED, f"llvm -mtriple=x86_64-pc-linux-gnu -mcpu=haswell -opt-level={level}")
    assert "x i32>" not in module.get_source("input")
    assert ("x i32>" in module.get_source("ll")) is (level > 1)


MACHINES = [
    ("aarch64-linux-gnu", "generic", "fmla\tv"),
    ("riscv64-unknown-linux-gnu", "sifive-x280", "vfma"),
    ("x86_64-unknown-linux-gnu", "x86-64", "mulps"),
]


@pytest.mark.parametrize(("triple", "cpu", "instruction"), MACHINES)
def test_other_machines(triple: str, cpu: str, instruction: str) -> None:
    """Their assembly can be read; calling is refused where the machine is another one."""
    module = build_text(AXPY, f"llvm -mtriple={triple} -mcpu={cpu}")
    assert instruction in module.get_source("asm")
    if not Target.parse(f"llvm -mtriple={triple}").is_host:
        with pytest.raises(NoNativeCode, match=triple):
            module["axpy"](np.zeros(64, "float32"), np.zeros(64, "float32"))


def test_processor_and_features() -> None:
    wide = build_text(AXPY, "llvm -mtriple=x86_64-unknown-linux-gnu -mcpu=skylake-avx512").get_source("asm")
    narrow = build_text(AXPY, "llvm -mtriple=x86_64-unknown-linux-gnu -mcpu=x86-64 -mattr=+avx").get_source("asm")
    assert "%ymm" in wide
    assert "vmulps" in narrow
    assert "%zmm" not in narrow


FUSED = [
    ("", True),
    ("-ffp-contract=fast", True),
    ("-ffp-contract=off", False),
    ("-fast-math-contract", True),
    ("-fast-math-contract -ffp-contract=off", False),
    ("-fast-math", True),
    ("-fast-math -ffp-contract=off", False),
    ("-fast-math-reassoc", True),
    ("-mattr=-fma", False),
]


@pytest.mark.parametrize(("options", "is_fused"), FUSED)
def test_products_are_fused_unless_the_target_says_otherwise(options: str, is_fused: bool) -> None:
    """A product and a sum are rounded once, where the machine can."""
    module = build_text(AXPY, f"llvm -mtriple=x86_64-unknown-linux-gnu -mcpu=haswell {options}")
    assert ("vfmadd" in module.get_source("asm")) is is_fused
    assert ("reassoc" in module.get_source("ll") or " fast " in module.get_source("ll")) is (
        "-fast-math " in f"{options} " or "reassoc" in options
    )


@pytest.mark.parametrize("loop", ["range", "T.parallel", "T.vectorized"])
def test_a_function_may_refuse_fused_products(loop: str) -> None:
    """The attribute holds for what is outlined from the function, too."""
    machine = "llvm -mtriple=x86_64-unknown-linux-gnu -mcpu=haswell"
    text = AXPY.replace("range", loop)
    refused = text.replace("    for", '    T.func_attr({"tir.fp_contract": T.bool(False)})\n    for')
    assert "vfmadd" in build_text(text, machine).get_source("asm")
    assert "vfmadd" not in build_text(refused, machine).get_source("asm")


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 2**32 - 1), st.sampled_from(("a * b + c", "a * b - c", "c - a * b", "a * b + a * c")))
def test_a_fused_product_is_rounded_once_or_twice(seed: int, form: str) -> None:
    """Every element has one of the values that the promise allows; with -ffp-contract=off the interpreter's bits."""
    text = f"""
@T.prim_func
def main(A: T.Buffer((64,), "float64"), B: T.Buffer((64,), "float64"), C: T.Buffer((64,), "float64"),
         D: T.Buffer((64,), "float64")):
    for i in range(64):
        D[i] = {form.replace("a", "A[i]").replace("b", "B[i]").replace("c", "C[i]")}
"""
    random = np.random.default_rng(seed)
    a, b, c = (random.standard_normal(64) * 2.0 ** random.integers(-30, 30, 64) for _ in "abc")
    exact = [tuple(map(Fraction, values)) for values in zip(a.tolist(), b.tolist(), c.tolist(), strict=True)]
    results = {}
    for target in ("llvm", llvm.EXACT, "interp"):
        results[target] = np.zeros(64)
        tvmscript.build(tvmscript.from_source(text), target=target)(a, b, c, results[target])
    np.testing.assert_array_equal(results[llvm.EXACT], results["interp"])
    for (x, y, z), found, twice in zip(exact, results["llvm"].tolist(), results["interp"].tolist(), strict=True):
        rounded, other = Fraction(float(x * y)), Fraction(float(x * z))
        once = {
            "a * b + c": [x * y + z],
            "a * b - c": [x * y - z],
            "c - a * b": [z - x * y],
            "a * b + a * c": [x * y + other, rounded + x * z],
        }[form]
        assert found in (twice, *map(float, once))


def test_what_contraction_is_told() -> None:
    with pytest.raises(InvalidTarget, match="-ffp-contract is fast or off, not on"):
        Target.parse("llvm -ffp-contract=on")
    with pytest.raises(InvalidTarget, match="-ffp-contract is fast or off, not 1"):
        Target.parse("llvm -ffp-contract")


def test_optimization_level() -> None:
    """Level 0 still gives running code, without vectors."""
    module = build_text(AXPY, "llvm -opt-level=0")
    x, y = np.ones(64, "float32"), np.ones(64, "float32")
    module["axpy"](x, y)
    np.testing.assert_allclose(y, 2.1, rtol=1e-6)
    assert "<8 x float>" not in module.get_source("ll")


def test_sources() -> None:
    """LLVM text before and after optimization, and assembly; the first kind is the default."""
    module = build_text(AXPY)
    assert module.source_kinds == ("ll", "asm", "input")
    assert module.get_source() == module.get_source("ll")
    assert "i32 @axpy(ptr" in module.get_source("ll")
    assert "axpy:" in module.get_source("asm")


@pytest.mark.parametrize(
    "text",
    [
        "llvm -no-such-option=1",
        "cuda",
        "llvm mcpu=x",
        "llvm -mcpu",
        "llvm -opt-level=x",
        "llvm -opt-level=4",
        "llvm 'x",
    ],
)
def test_unknown_options(text: str) -> None:
    with pytest.raises(InvalidTarget):
        Target.parse(text)


def test_unknown_machine() -> None:
    with pytest.raises(InvalidTarget, match="mtriple=abacus"):
        Target.parse("llvm -mtriple=abacus").machine()


def test_an_unknown_processor_does_not_end_the_process() -> None:
    """LLVM warns and takes a plain one; where it lacks 64-bit code, LLVM would abort."""
    module = build_text(AXPY, "llvm -mcpu=pentium")
    x, y = np.ones(64, "float32"), np.ones(64, "float32")
    module["axpy"](x, y)
    assert y == pytest.approx(2.1)


def test_options_that_do_not_matter_here() -> None:
    """TVM's tags of target strings are taken and ignored."""
    assert Target.parse("llvm -keys=cpu -num-cores=16").is_host
    assert Target.parse("llvm -mcpu haswell").cpu == "haswell"


@pytest.mark.parametrize(
    ("options", "what", "hint"),
    [
        ("-mcpu=skylak", "no processor skylak for x86_64", "did you mean skylake?"),
        ("-mcpu=haswel", "no processor haswel for x86_64", "did you mean haswell?"),
        ("-mattr=+nosuch", r"no feature \+nosuch", None),
    ],
)
def test_unknown_processors_and_features(
    options: str, what: str, hint: str | None, capfd: pytest.CaptureFixture[str]
) -> None:
    """LLVM ignores them, and says so on the standard error of the process."""
    with pytest.raises(InvalidTarget, match=what) as caught:
        build_text(AXPY, f"llvm -mtriple=x86_64-unknown-linux-gnu {options}")
    assert hint is None or caught.value.hint == hint
    assert capfd.readouterr().err == ""


def test_messages_are_returned(capfd: pytest.CaptureFixture[str]) -> None:
    result, messages = with_messages(lambda: os.write(2, b"said"))
    assert (result, messages) == (4, "said")
    os.write(2, b"behind")
    assert capfd.readouterr().err == "behind"


@pytest.mark.parametrize(("cpu", "is_tried_in_32_bits"), [("haswell", True), ("icelake-server", False)])
def test_quotients_of_64_bits(cpu: str, is_tried_in_32_bits: bool) -> None:
    text = """
@T.prim_func
def f(A: T.Buffer((8,), "int64"), B: T.Buffer((8,), "int64")):
    for i in range(8):
        B[i] = T.truncdiv(A[i], B[i])
"""
    built = tvmscript.build(tvmscript.from_source(text), f"llvm -mtriple=x86_64-pc-linux-gnu -mcpu={cpu}")
    assert ("divl" in built.get_source("asm")) is is_tried_in_32_bits
