# pass: tir.LiftThreadBinding
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((4, 16), "float32"), B: T.Buffer((4,), "float32")):
    # with T.block("root"):
    for i in T.thread_binding(4, thread="blockIdx.x"):
        with T.block(""):
            T.reads(A[i, 0:16])
            T.writes(B[i])
            S = T.alloc_buffer((16,), scope="shared")
            for j in range(2):
                for tx in T.thread_binding(8, thread="threadIdx.x", annotations={"k": 1}):
                    with T.block(""):
                        T.reads(A[i, j * 8 + tx])
                        T.writes(S[j * 8 + tx])
                        S[j * 8 + tx] = A[i, j * 8 + tx]
            for tx in T.thread_binding(8, thread="threadIdx.x", annotations={"z": 2}):
                with T.block(""):
                    T.reads(S[7:16])
                    T.writes(B[i])
                    B[i] = S[15] + S[7]

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((4, 16), "float32"), B: T.Buffer((4,), "float32")):
    # with T.block("root"):
    for blockIdx_x in T.thread_binding(4, thread="blockIdx.x"):
        for threadIdx_x in T.thread_binding(8, thread="threadIdx.x", annotations={"k": 1, "z": 2}):
            with T.block(""):
                T.reads(A[blockIdx_x, 0:16])
                T.writes(B[blockIdx_x])
                S = T.alloc_buffer((16,), scope="shared")
                for j in range(2):
                    with T.block(""):
                        T.reads(A[blockIdx_x, j * 8 + threadIdx_x])
                        T.writes(S[j * 8 + threadIdx_x])
                        S[j * 8 + threadIdx_x] = A[blockIdx_x, j * 8 + threadIdx_x]
                with T.block(""):
                    T.reads(S[7:16])
                    T.writes(B[blockIdx_x])
                    B[blockIdx_x] = S[15] + S[7]
