# from tvm.script import tir as T

@T.prim_func(private=True)
def main(A: T.Buffer((T.int64(16), T.int64(16)), "float32")):
    # with T.block("root"):
    for i, j in T.grid(T.int64(16), T.int64(16)):
        with T.block("x"):
            vi, vj = T.axis.remap("SS", [i, j])
            T.reads(A[vi, vj], A[vi, T.int64(0):T.int64(16)], A[vi, vj - T.int64(1):vj - T.int64(1) + T.int64(3)])
            T.writes(A[vi, vj])
            A[vi, vj] = A[vi, vj + T.int64(1)] * T.float32(2)
    for i in T.serial(T.int64(2), T.int64(16), annotations={"k": T.int64(1)}):
        A[i, i] = T.Cast("float32", i)
