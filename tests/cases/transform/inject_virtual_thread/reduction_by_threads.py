# pass: tir.InjectVirtualThread
# differs from TVM: each virtual thread has a result of its own
@T.prim_func
def main(A: T.Buffer((32,), "float32"), B: T.Buffer((2,), "float32")):
    vx = T.launch_thread("vthread", 2)
    r = T.allocate([1], "float32", "local")
    tx = T.launch_thread("threadIdx.x", 16)
    r1 = T.Buffer((1,), "float32", data=r, scope="local")
    with T.attr(
        T.comm_reducer(lambda a, b: a + b, [T.float32(0)]), "reduce_scope", T.reinterpret("handle", T.uint64(0))
    ):
        T.tvm_thread_allreduce(T.uint32(1), A[vx * 16 + tx], T.bool(True), r1[0], tx)
    if tx == 0:
        B[vx] = r1[0]

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((32,), "float32"), B: T.Buffer((2,), "float32")):
    r1 = T.allocate([2], "float32", "local")
    tx = T.launch_thread("threadIdx.x", 16)
    r1_1 = T.Buffer((2,), data=r1, scope="local")
    with T.attr(T.comm_reducer(lambda a, b: a + b, [T.float32(0)]), "reduce_scope", T.reinterpret("handle", T.uint64(0))):
        T.tvm_thread_allreduce(T.uint32(1), A[T.Mul(0, 16) + tx], T.bool(True), r1_1[0], tx)
        T.tvm_thread_allreduce(T.uint32(1), A[T.Mul(1, 16) + tx], T.bool(True), r1_1[1], tx)
    if tx == 0:
        B[0] = r1_1[0]
        B[1] = r1_1[1]
