"""Build random calls of LLVM intrinsics: `python -m tests.backends.llvm.codegen.random_intrinsic_calls SEED COUNT`.

Each line of the output is a call and what became of it; where the process ends, the last line is what ended it.
"""

from __future__ import annotations

import random
import sys

import tvmscript
from tvmscript.backends.llvm.llvm_intrinsics import Signature, signatures
from tvmscript.ir.core.errors import TVMScriptError

#: Names that LLVM has and that are no functions of programs, names of other machines, and names that nobody has.
UNKNOWN = (
    "llvm.va_start", "llvm.eh.typeid.for", "llvm.coro.begin", "llvm.localescape", "llvm.gcroot", "llvm.read_register",
    "llvm.stackrestore", "llvm.init.trampoline", "llvm.masked.load", "llvm.masked.gather", "llvm.amdgcn.mbcnt.lo",
    "llvm.nvvm.fma.rn.f16", "llvm.trap", "llvm.x86.avx2.psad.bw", "llvm.experimental.constrained.fadd",
    "llvm.matrix.multiply", "llvm.nothing", "llvm.", "llvm..", "llvm.f32",
)  # fmt: skip
_INTEGERS = ("bool", "int1", "int4", "int8", "uint8", "int16", "int32", "uint32", "int64", "uint64")
_FLOATS = ("float16", "float32", "float64")
_OTHERS = ("bfloat16", "float8_e4m3fn", "handle")
_LANES = ("", "", "", "x2", "x3", "x4", "x8", "x16", "x64")


class _Calls:
    """Random calls, of the right types or any."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)

    def dtype(self, pool: tuple[str, ...]) -> str:
        lanes = self.random.choice(_LANES)
        dtype = self.random.choice(pool)
        return dtype if dtype == "handle" else dtype + lanes

    def anything(self) -> str:
        return self.dtype(_INTEGERS + _FLOATS + _OTHERS)

    def value(self, dtype: str, is_immediate: bool = False) -> str:
        """Return an expression of a dtype: a value that is loaded, or a constant."""
        element, _, lanes = dtype.partition("x")
        if dtype.startswith("float8") or dtype == "handle":
            element, lanes = dtype, ""
        if element == "handle":
            return "P.data"
        if is_immediate or self.random.random() < 0.3:
            number = self.random.choice((0, 1, 2, 3, 64, 1000))
            scalar = f"T.Cast({element!r}, T.int32({number}))" if element in _OTHERS else self.constant(element, number)
        else:
            scalar = f"T.Cast({element!r}, P[0])"
        return f"T.Broadcast({scalar}, {lanes})" if lanes else scalar

    def constant(self, element: str, number: int) -> str:
        if element in ("bool", "int1"):
            return f"T.{element}({number % 2})"
        return f"T.{element}({number % 8 if element == 'int4' else number % 100})"

    def typed(self, signature: Signature) -> tuple[str, list[str]]:
        """Return the result and arguments of a call that is mostly right."""
        lanes = self.random.choice(_LANES)
        integer, real = self.random.choice(_INTEGERS), self.random.choice(_FLOATS)

        def dtype_of(text: str) -> str:
            text = text.removesuffix("!")
            if text in ("p", "void"):
                return {"p": "handle", "void": "void"}[text]
            role, _, name = text.rpartition(" ")
            if name in "FI" or name in "GJ":
                element = real if name in "FG" else integer
                return element if role in ("elem", "one") else f"bool{lanes}" if role == "lanes" else element + lanes
            return (
                name.replace("i", "int", 1).replace("int1", "bool", 1) if name == "i1" else name.replace("i", "int", 1)
            )

        result, _, params = signature.text.partition("(")
        params = params.removesuffix(")")
        return dtype_of(result), [self.value(dtype_of(part), part.endswith("!")) for part in params.split(", ") if part]

    def call(self) -> str:
        """Return the text of a call."""
        known = signatures()
        name = self.random.choice([*known] * 4 + [*UNKNOWN])
        if name in known and self.random.random() < 0.6:
            result, args = self.typed(known[name])
            if self.random.random() < 0.2 and args:
                args[self.random.randrange(len(args))] = self.value(self.anything())
        else:
            result = self.random.choice((self.anything(), "void"))
            args = [self.value(self.anything()) for _ in range(self.random.randrange(5))]
        form = self.random.choice(("call_llvm_intrin", "call_llvm_pure_intrin"))
        count = [f"T.uint32({len(args)})"] if self.random.random() < 0.7 else []
        if self.random.random() < 0.05:
            form, count = "call_extern", []
        return f"T.{form}({', '.join([repr(result), repr(name), *count, *args])})"


def main(seed: int, count: int) -> None:
    """Build the calls of a seed."""
    calls = _Calls(seed)
    for _ in range(count):
        call = calls.call()
        print(call, end=" ", flush=True)
        text = f'@T.prim_func\ndef f(P: T.Buffer((64,), "float32")):\n    T.evaluate({call})\n'
        if not call.startswith(("T.call_llvm_intrin('void", "T.call_extern('void")) and "handle" not in call[:40]:
            # a result that is used: it is not optimized away
            text = text.replace("T.evaluate(", "T.evaluate(T.call_extern('void', 'abs', ")[:-1] + ")\n"
        try:
            tvmscript.build(tvmscript.from_source(text))
            print("built")
        except TVMScriptError as error:
            print("refused", error.errors[0].code)


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
