@T.prim_func
def main(A: T.Buffer((200,), "float32"), C: T.Buffer((16, 16), "float32"), n: T.int32, m: T.int64):
    Y = T.alloc_buffer((4, 16), strides=[m, 1])
    T.evaluate(Y.access_ptr("r"))
    T.evaluate(A.access_ptr("r", content_lanes=4))
    T.evaluate(A.access_ptr("r", extent=16, offset=2))
    T.evaluate(C.offset_of([1, 2])[0])
    T.evaluate(C.offset_of([n, 2])[0])
    T.evaluate(C.offset_of((n, m))[0])
    with T.attr(T.iter_var(n, (0, 16), "DataPar", ""), "pragma_x", 1):
        A[0] = 1.0
    T.attr(T.iter_var("tx", [0, 16], "ThreadIndex", "threadIdx.x"), "thread_extent", 16)
    A[0] = 2.0

# output
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((200,), "float32"), C: T.Buffer((16, 16), "float32"), n: T.int32, Y_s0: T.int64):
    # with T.block("root"):
    Y = T.alloc_buffer((4, 16), strides=(Y_s0, 1))
    T.tvm_access_ptr(T.type_annotation("float32"), Y.data, 0, Y_s0 * T.int64(4), 1)
    T.tvm_access_ptr(T.type_annotation("float32x4"), A.data, 0, 50, 1)
    T.tvm_access_ptr(T.type_annotation("float32"), A.data, 2, 16, 1)
    T.evaluate(18)
    T.evaluate(n * 16 + 2)
    T.evaluate(T.Cast("int64", n) * T.int64(16) + Y_s0)
    with T.attr(T.iter_var(n, T.Range(0, 16), "DataPar", ""), "pragma_x", 1):
        A[0] = T.float32(1)
    tx = T.launch_thread("threadIdx.x", 16)
    A[0] = T.float32(2)
