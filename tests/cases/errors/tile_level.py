# from tvm.script import tirx as T


@T.prim_func
def f(A: T.Buffer((16,), "float32")):
    T.ptx.cp_async(A.data)  # error: TS2040 "T.ptx"


@T.jit  # error: TS2040 "T.jit"
def g(n: T.int32):
    T.evaluate(n)


@T.prim_func
def h(A: T.Buffer((16,), "float32", layout=T.TileLayout((16,)))):  # error: TS2040 "T.TileLayout"
    A[0] = 1.0
