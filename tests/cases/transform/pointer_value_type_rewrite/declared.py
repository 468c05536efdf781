# pass: tir.PointerValueTypeRewrite
# differs from TVM: it declares a buffer of the old elements, and uses one of the new
# values: not compared: parameters get other dtypes
@T.prim_func
def main(A: T.Buffer((16,), "float32"), B: T.Buffer((4,), "float32")):
    A_local = T.decl_buffer((16,), "float32", scope="local")
    for i in range(4):
        A_local[i * 4 : i * 4 + 4] = A[i * 4 : i * 4 + 4]
    for i in range(4):
        B[i] = A_local[i * 4] + A_local[i * 4 + 1] + A_local[i * 4 + 2] + A_local[i * 4 + 3]

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((4,), "float32x4"), B: T.Buffer((4,), "float32")):
    A_local = T.decl_buffer((4,), "float32x4", scope="local")
    for i in range(4):
        A_local[T.Div(i * 4, 4)] = A[T.Div(i * 4, 4)]
    for i in range(4):
        B[i] = T.Shuffle([A_local[T.Div(i * 4, 4)]], [0]) + T.Shuffle([A_local[T.Div(i * 4 + 1, 4)]], [1]) + T.Shuffle([A_local[T.Div(i * 4 + 2, 4)]], [2]) + T.Shuffle([A_local[T.Div(i * 4 + 3, 4)]], [3])
