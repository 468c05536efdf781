# pass: tir.CompactBufferAllocation
# differs from TVM: it takes the address of an element for an access of that element
# values: not compared: the functions are not here
@T.prim_func
def main(A: T.Buffer((64,), "float32"), B: T.Buffer((64,), "float32")):
    for i in T.thread_binding(8, thread="threadIdx.x"):
        with T.block(""):
            T.reads(A[0:64])
            T.writes(B[0:64])
            S = T.alloc_buffer((64,), "float32", scope="shared")
            Q = T.alloc_buffer((64,), "float32", scope="local")
            P = T.alloc_buffer((64,), "float32", scope="local")
            T.call_extern("int32", "copy", T.address_of(S[8]), T.address_of(A[0]))
            with T.block(""):
                T.reads(S[i * 8:i * 8 + 8])
                T.writes(Q[0:8])
                T.call_extern("int32", "copy", T.address_of(Q[0]), T.address_of(S[i * 8]))
            P[0] = Q[i]
            T.call_extern("int32", "copy", T.address_of(B[i]), T.address_of(P[0]))

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((64,), "float32"), B: T.Buffer((64,), "float32")):
    # with T.block("root"):
    for i in T.thread_binding(8, thread="threadIdx.x"):
        with T.block(""):
            T.reads(A[0:64])
            T.writes(B[0:64])
            S = T.alloc_buffer((64,), scope="shared")
            Q = T.alloc_buffer((8,), scope="local")
            P = T.alloc_buffer((64,), scope="local")
            T.call_extern("int32", "copy", T.address_of(S[8]), T.address_of(A[0]))
            with T.block(""):
                T.reads(S[i * 8:i * 8 + 8])
                T.writes(Q[0:8])
                T.call_extern("int32", "copy", T.address_of(Q[0]), T.address_of(S[i * 8]))
            P[0] = Q[i]
            T.call_extern("int32", "copy", T.address_of(B[i]), T.address_of(P[0]))
