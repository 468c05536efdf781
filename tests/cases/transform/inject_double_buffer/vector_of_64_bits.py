# pass: tir.InjectDoubleBuffer
# differs from TVM: it takes no loop of 64 bits around indices of 32
@T.prim_func
def main(A: T.Buffer((400,), "float32"), C: T.Buffer((400,), "float32")):
    for i in range(T.int64(100)):
        B = T.decl_buffer((4,), "float32")
        with T.attr(B.data, "double_buffer_scope", 1):
            B[0:4] = A[T.Cast("int32", i) * 4:T.Cast("int32", i) * 4 + 4]
        C[T.Cast("int32", i) * 4:T.Cast("int32", i) * 4 + 4] = B[0:4]

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((400,), "float32"), C: T.Buffer((400,), "float32")):
    B = T.decl_buffer((8,))
    B[T.Broadcast(T.Cast("int32", T.Mul(T.int64(0), T.int64(4))), 4) + T.Ramp(0, 1, 4)] = A[T.Cast("int32", T.int64(0)) * 4:T.Cast("int32", T.int64(0)) * 4 + 4]
    for i_outer in range(T.int64(99)):
        if i_outer + T.int64(1) < T.int64(100):
            T.attr(B.data, "double_buffer_write", 1)
            B[T.Broadcast(T.Cast("int32", (i_outer + T.int64(1)) % T.int64(2) * T.int64(4)), 4) + T.Ramp(0, 1, 4)] = A[T.Cast("int32", i_outer + T.int64(1)) * 4:T.Cast("int32", i_outer + T.int64(1)) * 4 + 4]
        C[T.Cast("int32", i_outer) * 4:T.Cast("int32", i_outer) * 4 + 4] = B[T.Broadcast(T.Cast("int32", i_outer % T.int64(2) * T.int64(4)), 4) + T.Ramp(0, 1, 4)]
    if T.bool(True):
        if T.Add(T.int64(99), T.int64(1)) < T.int64(100):
            B[T.Broadcast(T.Cast("int32", T.Add(T.int64(99), T.int64(1)) % T.int64(2) * T.int64(4)), 4) + T.Ramp(0, 1, 4)] = A[T.Cast("int32", T.Add(T.int64(99), T.int64(1))) * 4:T.Cast("int32", T.Add(T.int64(99), T.int64(1))) * 4 + 4]
        C[T.Cast("int32", T.int64(99)) * 4:T.Cast("int32", T.int64(99)) * 4 + 4] = B[T.Broadcast(T.Cast("int32", T.FloorMod(T.int64(99), T.int64(2)) * T.int64(4)), 4) + T.Ramp(0, 1, 4)]
