# pass: tir.CompactBufferAllocation
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((16, 16), "float32"), C: T.Buffer((16, 16), "float32")):
    for i in range(16):
        B = T.allocate([16, 16], "float32", "global", annotations={"buffer_dim_align": [[-1, 0, 16, 15]]})
        B_1 = T.decl_buffer((16, 16), data=B)
        for j in range(16):
            B_1[i, j] = A[i, j]
        for j in range(16):
            C[i, j] = B_1[i, j]

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((16, 16), "float32"), C: T.Buffer((16, 16), "float32")):
    for i in range(16):
        B = T.allocate([1, 31], "float32", "global", annotations={"buffer_dim_align": [[-1, 0, 16, 15]]})
        B_1 = T.decl_buffer((1, 16), data=B, strides=(31, 1))
        for j in range(16):
            B_1[i - i, j] = A[i, j]
        for j in range(16):
            C[i, j] = B_1[i - i, j]
