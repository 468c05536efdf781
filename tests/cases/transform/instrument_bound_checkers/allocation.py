# pass: tir.InstrumentBoundCheckers
# what is allocated is what there is; two axes
@T.prim_func
def main(C: T.Buffer((4,), "float32")):
    W = T.allocate([16], "float32", "global")
    T.attr(W, "buffer_bound", T.tvm_tuple(12))
    A = T.Buffer((16,), data=W)
    V = T.allocate([2, 4], "float32", "global")
    T.attr(V, "buffer_bound", T.tvm_tuple(2, 4))
    B = T.Buffer((2, 4), data=V)
    for i in range(4):
        A[i] = T.float32(2)
        B[i % 2, i] = A[i]
        C[i] = A[i] + B[i % 2, i]

# after
# from tvm.script import tir as T

@T.prim_func
def main(C: T.Buffer((4,), "float32")):
    A = T.allocate([16], "float32", "global")
    T.attr(A, "buffer_bound", T.tvm_tuple(12))
    B = T.allocate([2, 4], "float32", "global")
    T.attr(B, "buffer_bound", T.tvm_tuple(2, 4))
    for i in range(4):
        A_1 = T.Buffer((16,), data=A)
        if T.Cast("int64", i) >= T.int64(0) and T.Cast("int64", i) < T.Cast("int64", T.uint64(16)):
            A_1[i] = T.float32(2)
        else:
            assert T.Cast("int64", i) >= T.int64(0) and T.Cast("int64", i) < T.Cast("int64", T.uint64(16)), "OUT OF THE BOUNDS"
            T.evaluate(1)
        B_1 = T.Buffer((2, 4), data=B)
        if T.Cast("int64", i) >= T.int64(0) and T.Cast("int64", i) < T.Cast("int64", T.uint64(16)) and (T.Cast("int64", i % 2) >= T.int64(0) and T.Cast("int64", i % 2) < T.Cast("int64", T.uint64(2))) and (T.Cast("int64", i) >= T.int64(0) and T.Cast("int64", i) < T.Cast("int64", T.uint64(4))):
            B_1[i % 2, i] = A_1[i]
        else:
            assert T.Cast("int64", i) >= T.int64(0) and T.Cast("int64", i) < T.Cast("int64", T.uint64(16)) and (T.Cast("int64", i % 2) >= T.int64(0) and T.Cast("int64", i % 2) < T.Cast("int64", T.uint64(2))) and (T.Cast("int64", i) >= T.int64(0) and T.Cast("int64", i) < T.Cast("int64", T.uint64(4))), "OUT OF THE BOUNDS"
            T.evaluate(1)
        if T.Cast("int64", i) >= T.int64(0) and T.Cast("int64", i) < T.Cast("int64", T.uint64(16)) and (T.Cast("int64", i % 2) >= T.int64(0) and T.Cast("int64", i % 2) < T.Cast("int64", T.uint64(2))) and (T.Cast("int64", i) >= T.int64(0) and T.Cast("int64", i) < T.Cast("int64", T.uint64(4))):
            C[i] = A_1[i] + B_1[i % 2, i]
        else:
            assert T.Cast("int64", i) >= T.int64(0) and T.Cast("int64", i) < T.Cast("int64", T.uint64(16)) and (T.Cast("int64", i % 2) >= T.int64(0) and T.Cast("int64", i % 2) < T.Cast("int64", T.uint64(2))) and (T.Cast("int64", i) >= T.int64(0) and T.Cast("int64", i) < T.Cast("int64", T.uint64(4))), "OUT OF THE BOUNDS"
            T.evaluate(1)
