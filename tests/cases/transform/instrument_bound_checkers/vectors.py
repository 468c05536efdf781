# pass: tir.InstrumentBoundCheckers
# differs from TVM: it compares the element after the last one; and 16 with indices of vectors
@T.prim_func
def main(C: T.Buffer((16,), "float32")):
    W = T.allocate([4], "float32x4", "global")
    T.attr(W, "buffer_bound", T.tvm_tuple(4))
    A = T.Buffer((4,), "float32x4", data=W)
    B = T.Buffer((16,), "float32", data=W)
    for i in range(4):
        A[i] = T.Broadcast(T.float32(1), 4)
        B[i * 4:i * 4 + 4] = C[i * 4:i * 4 + 4]
        C[i * 4:i * 4 + 4] = A[i]

# after
# from tvm.script import tir as T

@T.prim_func
def main(C: T.Buffer((16,), "float32")):
    B = T.allocate([4], "float32x4", "global")
    T.attr(B, "buffer_bound", T.tvm_tuple(4))
    for i in range(4):
        A = T.Buffer((4,), "float32x4", data=B)
        if T.Cast("int64", i) >= T.int64(0) and T.Cast("int64", i) < T.Cast("int64", T.uint64(4)):
            A[i] = T.Broadcast(T.float32(1), 4)
        else:
            assert T.Cast("int64", i) >= T.int64(0) and T.Cast("int64", i) < T.Cast("int64", T.uint64(4)), "OUT OF THE BOUNDS"
            T.evaluate(1)
        if T.Cast("int64", i * 4) >= T.int64(0) and T.Cast("int64", i * 4 + 3) < T.Cast("int64", T.uint64(16)):
            B_1 = T.Buffer((16,), data=B)
            B_1[i * 4:i * 4 + 4] = C[i * 4:i * 4 + 4]
        else:
            assert T.Cast("int64", i * 4) >= T.int64(0) and T.Cast("int64", i * 4 + 3) < T.Cast("int64", T.uint64(16)), "OUT OF THE BOUNDS"
            T.evaluate(1)
        if T.Cast("int64", i) >= T.int64(0) and T.Cast("int64", i) < T.Cast("int64", T.uint64(4)):
            C[i * 4:i * 4 + 4] = A[i]
        else:
            assert T.Cast("int64", i) >= T.int64(0) and T.Cast("int64", i) < T.Cast("int64", T.uint64(4)), "OUT OF THE BOUNDS"
            T.evaluate(1)
