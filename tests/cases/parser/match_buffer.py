@T.prim_func
def f(var_A: T.handle, var_B: T.handle, n: T.int32):
    T.func_attr({"tir.noalias": True})
    m, k = T.int64(), T.int64()
    A = T.match_buffer(var_A, (m, k), "float16")
    B = T.match_buffer(var_B, (n, 4), strides=("B_s0", "B_s1"), elem_offset=T.int32(4), offset_factor=2)
    for i in range(m):
        for j in T.serial(0, k):
            A[i, j] = B[T.Cast("int32", i), 0]


# output
# from tvm.script import tir as T

@T.prim_func
def f(var_A: T.handle, var_B: T.handle, n: T.int32):
    T.func_attr({"tir.noalias": T.bool(True)})
    m, k = T.int64(), T.int64()
    A = T.match_buffer(var_A, (m, k), "float16")
    B = T.match_buffer(var_B, (n, 4), strides=("B_s0", "B_s1"), elem_offset=4, offset_factor=2)
    for i, j in T.grid(m, k):
        A[i, j] = T.Cast("float16", B[T.Cast("int32", i), 0])
