"""The LLVM backend: lowered modules to native code that runs in this process.

    entry.py                a lowered module to native code          optimized_module.py   LLVM: parse, optimize
    parts.py                programs of several kernels: LLVM compiles one while the next one is lowered
    library.py  object_cache.py                         machine code, and its functions in this process; the disk cache
    linked_code.py  elf_object.py                       load machine code; code from the cache needs no LLVM for that
    elf_merge.py  elf_format.py                         object files of parts, merged into one
    codegen/                TIR to LLVM assembly, one rule function a node class or operator
    calling_convention/     tvm-ffi's ABI: kernels, wrappers with argument checks, packed functions and calls
    math/                   mathematical functions as straight-line code
    owned_module.py  output_text.py                     lifetime of LLVM's objects
    assembly.py  types.py  vector_builder.py            writing LLVM assembly
    llvm_intrinsics.py                                  signatures of the intrinsics that programs may call
    context.py   debug.py  errors.py
    target.py  target_machine.py  host.py               targets, LLVM's objects of them, the processor of this machine
    runtime_module.py       what compiled code calls:
    thread_pool.py  parallel_loops.py  kept_memory.py   threads of loops, temporary memory

What the language leaves open is decided as the reference interpreter decides it. Where that raises an error:

- A division by zero and a shift by too much give some value; the process goes on.
- Accesses are not checked against bounds.
- `tir.noalias` is believed: buffers of such a function must not overlap. Two buffers of a function that a default
  schedule has changed may be one array, but not overlap in part.

Float arithmetic is rounded after each operation, but for products that go into a sum or a difference: a * b + c may
be rounded once, unless the target says -ffp-contract=off or the function `tir.fp_contract` = False. Reductions of
blocks are split into lanes (codegen/split_reductions.py), unless `-split-reductions=0` or `tir.split_reductions` =
False. Other liberties
are taken where the target string allows them (-fast-math-reassoc, ..., -fast-math). Products of bfloat16 that are
subnormal numbers are rounded twice.

Mathematical functions are LLVM code of our own (see math/), for scalars and vectors. Remainders of floats are exact;
the C library finds those of large quotients. Largest errors found, in units of the last place:

    float32   exp 1.0  exp2 1.1  exp10 1.1  log 1.0  log2 1.2  log10 1.2  log1p 1.3  sin, cos 2.0  tan 2.7
              tanh 1.3  sigmoid 1.9  erf 1.3  rsqrt 1.5  asin 1.3  acos 1.1  atan 2.1  sinh 2.5  cosh 1.5
              asinh 2.0  acosh 1.5  atanh 2.5  pow 1.0  the others 0.5
    float64   exp 1.0  exp2 1.4  exp10 1.2  log 0.8  log2 0.8  log10 1.0  log1p 0.9  sin, cos 1.7  tan 2.3
              tanh 1.5  sigmoid 1.9  erf 1.0  rsqrt 1.5  asin 1.0  acos 0.8  atan 2.2  atan2 1.9  sinh 2.2
              cosh 1.4  asinh 2.0  acosh 1.9  atanh 2.0  pow 1.2  hypot 0.5
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tvmscript.ir.core.lazy import lazy_names

if TYPE_CHECKING:
    from tvmscript.backends.llvm.entry import build as build
    from tvmscript.backends.llvm.target import EXACT as EXACT

# code that comes from the cache needs no code generation
__getattr__, __dir__ = lazy_names(
    __name__, {"build": "tvmscript.backends.llvm.entry", "EXACT": "tvmscript.backends.llvm.target"}
)
