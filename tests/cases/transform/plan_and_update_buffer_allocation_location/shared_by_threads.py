# pass: tir.PlanAndUpdateBufferAllocationLocation
# a block of threads cannot read what another one has stored: shared memory stays inside
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((64,), "float32"), B: T.Buffer((64,), "float32")):
    # with T.block("root"):
    s = T.alloc_buffer((32,), scope="shared")
    for b in T.thread_binding(2, thread="blockIdx.x"):
        for t in T.thread_binding(32, thread="threadIdx.x"):
            with T.block("load"):
                T.reads(A[b * 32 + t])
                T.writes(s[t])
                s[t] = A[b * 32 + t]
        for t in T.thread_binding(32, thread="threadIdx.x"):
            with T.block("store"):
                T.reads(s[31 - t])
                T.writes(B[b * 32 + t])
                B[b * 32 + t] = s[31 - t]

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((64,), "float32"), B: T.Buffer((64,), "float32")):
    # with T.block("root"):
    for b in T.thread_binding(2, thread="blockIdx.x"):
        with T.block(""):
            T.reads(A[b * 32:b * 32 + 32])
            T.writes(B[b * 32:b * 32 + 32])
            s = T.alloc_buffer((32,), scope="shared")
            for t in T.thread_binding(32, thread="threadIdx.x"):
                with T.block("load"):
                    T.reads(A[b * 32 + t])
                    T.writes(s[t])
                    s[t] = A[b * 32 + t]
            for t in T.thread_binding(32, thread="threadIdx.x"):
                with T.block("store"):
                    T.reads(s[31 - t])
                    T.writes(B[b * 32 + t])
                    B[b * 32 + t] = s[31 - t]
