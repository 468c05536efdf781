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

# output
error[TS2040]: T.ptx is part of the device instructions of TVM 0.27, which is not supported
 --> <text>:6:5
  |
6 |     T.ptx.cp_async(A.data)  # error: TS2040 "T.ptx"
  |     ^^^^^

error[TS2040]: T.jit is part of the Python API of TVM 0.27, which is not supported
 --> <text>:9:2
  |
9 | @T.jit  # error: TS2040 "T.jit"
  |  ^^^^^

error[TS2040]: T.TileLayout is part of the tile level of TVM 0.27, which is not supported
  --> <text>:15:44
   |
15 | def h(A: T.Buffer((16,), "float32", layout=T.TileLayout((16,)))):  # error: TS2040 "T.TileLayout"
   |                                            ^^^^^^^^^^^^

3 errors
