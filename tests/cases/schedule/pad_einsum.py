# The axes of a matrix product grow to multiples of numbers: what is read is copied into larger buffers first.
@T.prim_func
def before(A: T.Buffer((15, 32), "float32"), B: T.Buffer((32, 7), "float32"), C: T.Buffer((15, 7), "float32")):
    for i, j, k in T.grid(15, 7, 32):
        with T.block("C"):
            vi, vj, vk = T.axis.remap("SSR", [i, j, k])
            with T.init():
                C[vi, vj] = T.float32(0)
            C[vi, vj] = C[vi, vj] + A[vi, vk] * B[vk, vj]

# schedule
def schedule(sch):
    sch.pad_einsum("C", [4, 4, 1])

# after
# from tvm.script import tir as T

@T.prim_func
def before(A: T.Buffer((15, 32), "float32"), B: T.Buffer((32, 7), "float32"), C: T.Buffer((15, 7), "float32")):
    # with T.block("root"):
    A_pad = T.alloc_buffer((16, 32))
    B_pad = T.alloc_buffer((32, 8))
    C_pad = T.alloc_buffer((16, 8))
    for i0, i1 in T.grid(16, 32):
        with T.block("A_pad"):
            v0, v1 = T.axis.remap("SS", [i0, i1])
            T.reads(A[v0, v1])
            T.writes(A_pad[v0, v1])
            A_pad[v0, v1] = T.if_then_else(v0 < 15, A[v0, v1], T.float32(0))
    for i0, i1 in T.grid(32, 8):
        with T.block("B_pad"):
            v0, v1 = T.axis.remap("SS", [i0, i1])
            T.reads(B[v0, v1])
            T.writes(B_pad[v0, v1])
            B_pad[v0, v1] = T.if_then_else(v1 < 7, B[v0, v1], T.float32(0))
    for i, j, k in T.grid(16, 8, 32):
        with T.block("C"):
            vi, vj, vk = T.axis.remap("SSR", [i, j, k])
            T.reads(A_pad[vi, vk], B_pad[vk, vj])
            T.writes(C_pad[vi, vj])
            with T.init():
                C_pad[vi, vj] = T.float32(0)
            C_pad[vi, vj] = C_pad[vi, vj] + A_pad[vi, vk] * B_pad[vk, vj]
    for i0, i1 in T.grid(15, 7):
        with T.block("C_pad"):
            v0, v1 = T.axis.remap("SS", [i0, i1])
            T.reads(C_pad[v0, v1])
            T.writes(C[v0, v1])
            C[v0, v1] = C_pad[v0, v1]
