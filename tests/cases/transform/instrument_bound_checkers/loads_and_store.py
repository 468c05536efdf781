# pass: tir.InstrumentBoundCheckers
# values: not compared: the parameters are pointers
@T.prim_func
def main(a: T.handle("float32"), b: T.handle("float32"), n: T.int32):
    A = T.Buffer((16,), data=a)
    B = T.Buffer((n,), data=b)
    T.attr(a, "buffer_bound", T.tvm_tuple(16))
    T.attr(b, "buffer_bound", T.tvm_tuple(n))
    for i in range(n):
        A[i] = B[i + 1] + A[T.Cast("int32", B[0])]
        A[i] = T.if_then_else(i < 3, B[i], B[0])

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.handle("float32", "global"), B: T.handle("float32", "global"), n: T.int32):
    T.attr(A, "buffer_bound", T.tvm_tuple(16))
    T.attr(B, "buffer_bound", T.tvm_tuple(n))
    for i in range(n):
        B_1 = T.Buffer((n,), data=B)
        A_1 = T.Buffer((16,), data=A)
        if T.Cast("int64", i + 1) >= T.int64(0) and T.Cast("int64", i + 1) < T.Cast("int64", n) and (T.Cast("int64", T.Cast("int32", B_1[0])) >= T.int64(0) and T.Cast("int64", T.Cast("int32", B_1[0])) < T.Cast("int64", 16)) and (T.Cast("int64", 0) >= T.int64(0) and T.Cast("int64", 0) < T.Cast("int64", n)) and (T.Cast("int64", i) >= T.int64(0) and T.Cast("int64", i) < T.Cast("int64", 16)):
            A_1[i] = B_1[i + 1] + A_1[T.Cast("int32", B_1[0])]
        else:
            assert T.Cast("int64", i + 1) >= T.int64(0) and T.Cast("int64", i + 1) < T.Cast("int64", n) and (T.Cast("int64", T.Cast("int32", B_1[0])) >= T.int64(0) and T.Cast("int64", T.Cast("int32", B_1[0])) < T.Cast("int64", 16)) and (T.Cast("int64", 0) >= T.int64(0) and T.Cast("int64", 0) < T.Cast("int64", n)) and (T.Cast("int64", i) >= T.int64(0) and T.Cast("int64", i) < T.Cast("int64", 16)), "OUT OF THE BOUNDS"
            T.evaluate(1)
        A_1[i] = T.if_then_else(i < 3, B_1[i], B_1[0])
