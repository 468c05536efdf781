import tvmscript as tvm
from tvmscript import prim_func
from tvmscript.script import tir as T


@prim_func
def program(a: T.handle, n: T.int32) -> T.int32:
    # a comment
    """A docstring."""
    A = T.match_buffer(a, (n,), "float32")
    A[0] = T.float32(1)
    return n


other = tvm.prim_func(private=True)

EXPECTED = """
@T.prim_func
def program(a: T.handle, n: T.int32) -> T.int32:
    A = T.match_buffer(a, (n,), "float32")
    A[0] = T.float32(1)
    return n
"""
