# Found by: tvmscript fuzz codegen
# cause: LevelsDisagree[TS8042] at LLVM at level 0 backends/llvm/calling_convention/callable.py:call

from tvmscript.fuzz.codegen.machine import Text, check

text = """\
@T.prim_func
def main(s: T.int32, a: T.handle, b: T.handle, c: T.handle) -> T.int32:
    T.func_attr({"tir.noalias": T.bool(True)})
    n = T.int32()
    m = T.int32()
    A = T.match_buffer(a, (n, m), "uint8", strides=(1, n))
    B = T.match_buffer(b, (m * 2,), "uint8")
    C = T.match_buffer(c, (m,), "int32")
    for i, j in T.grid(T.Cast('int32', n), m):
        A[i, j] = A[n - 1 - i, j]
    C[0] = C[m - 1]
    T.ret(T.Cast('int32', s))
"""
check(Text(text, form='packed', sizes={'n': 0, 'm': 1, 's': 0}, wrong=22621596, has_lines=True))
