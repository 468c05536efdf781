"""Objects of Python classes that hold buffers of a function."""

from __future__ import annotations

from typing import Any

import pytest

import tvmscript
from tvmscript.script import register_source, tirx

SOURCE = """
@T.meta_class
class Base:
    pass

class Inner(Base):
    def __init__(self):
        self.x = T.alloc_shared([4], "float16")

class State(Base):
    def __init__(self, n):
        self.n = n
        self.buf = T.alloc_buffer([n], "float32", scope="shared")
        self.pool = T.SMEMPool()
        self.a = self.pool.alloc([4], "float32")
        self.inner = Inner()

    def double(self):
        return self.n * 2

    def use(self):
        T.evaluate(self.a[0])

@T.prim_func
def f(A: T.Buffer((64, 64), "float32")):
    s = State(16)
    s.buf[0] = A[0, 0]
    A[s.double(), 0] = s.buf[1]
    s.use()
"""
#: what apache-tvm 0.27 prints
PRINTED = """
    s_buf = T.alloc_shared((16,))
    s_pool_buf = T.alloc_buffer((0,), "uint8", scope="shared.dyn")
    s_a = T.decl_buffer((4,), data=s_pool_buf.data, scope="shared.dyn")
    s_inner_x = T.alloc_shared((4,), "float16")
    s_buf[0] = A[0, 0]
    A[32, 0] = s_buf[1]
    T.evaluate(s_a[0])
"""


def test_buffers_are_named_after_the_object() -> None:
    names: dict[str, Any] = {"T": tirx}
    exec(compile(SOURCE, register_source(SOURCE), "exec"), names)
    text: str = names["f"].script(dialect="0.27", comments=False)
    assert text.partition('"float32")):')[2] == PRINTED.rstrip("\n")


def test_only_classes() -> None:
    T: Any = tirx
    with pytest.raises(tvmscript.TVMScriptError, match=r"T\.meta_class takes a class"):
        T.meta_class(3)
