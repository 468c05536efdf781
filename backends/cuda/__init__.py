"""The CUDA backend: readable CUDA C++ text of kernels, machine code by NVRTC, launches by native host functions.

    source.py  kernel.py  program.py      the text of a module, of a kernel; what kernels share: headers, helpers, names
    codegen.py                            state and tables of rules, over those of the C backend
    expressions.py  statements.py  vectors.py  intrinsics.py         rules
    ptx.py  tensor_cores.py  wmma.py  pointers.py                    instructions
    include/                              headers in CUDA: narrow floats, vectors, barriers, copies
    nvrtc.py  binary.py  resources.py     the compiler; machine code through the cache on disk; registers and spills
    module.py                             the built module

Building needs no GPU, no driver and no toolkit: texts need nothing, machine code needs NVRTC (the extra `cuda`).
Narrow floats are structures of our own headers, so that NVRTC needs no headers of CUDA. Float arithmetic is rounded
after each operation, but for a product and a sum, which may become one operation, and for functions such as `__expf`,
which TVM takes too.
"""

from __future__ import annotations

from tvmscript.backends.cuda.module import DEFAULT_ARCH as DEFAULT_ARCH
from tvmscript.backends.cuda.module import build as build
