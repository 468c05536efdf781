# pass: tir.ForceNarrowIndexToInt32
@T.prim_func
def main(A: T.Buffer((T.int64(128),), "float32"), C: T.Buffer((T.int64(128),), "int32")):
    for i in T.parallel(T.int64(2), T.int64(100)):
        for j in T.thread_binding(T.int64(4), thread="threadIdx.x"):
            A[i + j] = T.Cast("float32", i)
            C[T.Cast("int64", C[i]) % T.int64(128)] = T.Cast("int32", i * T.int64(2))

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((128,), "float32"), C: T.Buffer((128,), "int32")):
    for i in T.parallel(2, 100):
        for j in T.thread_binding(4, thread="threadIdx.x"):
            A[i + j] = T.Cast("float32", i)
            C[C[i] % 128] = T.Cast("int32", i * 2)
