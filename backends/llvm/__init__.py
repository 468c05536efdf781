"""The LLVM backend: lowered modules to native code that runs in this process.

    build.py         a module: every function, compiled and linked       engine.py     LLVM: parse, optimize, make code
    function.py      a function's body: the kernel                       wrapper.py    its public form, arguments checked
    statements.py    parallel.py    packed.py                            support.py    the checks, compiled once
    expressions.py   memory.py      intrinsics.py   math/                callable.py   what Python calls
    convert.py       division.py    small_floats.py ranges.py            target.py     the machine
    lanes.py         program.py     emitter.py      types.py             errors.py     abi.py   openmp.py   rules.py

What the language leaves open is decided here as the reference interpreter decides it, and where that raises an error:

- A division by zero, the quotient that does not fit, a shift by too much: some value; the process goes on.
- Float arithmetic is rounded after each operation. Contraction of a * b + c and other liberties are taken where the target
  string allows them: -fast-math-contract, -fast-math-reassoc, ..., -fast-math.
- Accesses are not bounds-checked.
- `tir.noalias` is believed: buffers of such a function must not overlap.

Mathematical functions are LLVM code of our own (see math/), scalar and vector. The exceptions that call the C library
lane by lane are fmod and the float remainder. Largest errors found on dense samples, in units of the last place:

    float32   exp 1.0  exp2 1.2  exp10 1.1  log 0.7  log2 0.7  log10 0.6  log1p 0.7  sin cos tan 0.6  tanh 1.1  sigmoid 2.0
              erf 1.3  rsqrt 1.5; the others 0.51
    float64   exp 1.0  exp2 1.4  exp10 1.2  log 0.7  log2 0.6  log10 0.6  log1p 0.8  sin cos 0.8  tan 1.9  tanh 1.9  sigmoid 1.6
              erf 0.9  rsqrt 1.5  asin 0.9  acos 0.8  atan 1.7  atan2 1.9  sinh 1.8  cosh 1.3  asinh 1.4  acosh 1.6  atanh 1.5
              pow 1.1  hypot 0.51
"""

from __future__ import annotations

from tvmscript.backends.llvm.build import build as build
