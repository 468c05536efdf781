"""The C backend: readable C11 text of lowered functions, and native functions where a C compiler is found.

A PrimFunc becomes one plain C function over pointers, sizes and numbers (`function`), not one of tvm-ffi's calling
convention: the text is for people who read it and for programs that have no runtime at all, such as firmware, so it
needs nothing but standard headers. Calls from Python check their arguments as the other backends do, in Python.
"""

from __future__ import annotations

from tvmscript.backends.c.module import build as build
