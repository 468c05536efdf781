# The axes of a buffer are put into groups, which physical layouts know; the numbers are where groups begin.
@T.prim_func
def before(A: T.Buffer((16, 16, 4), "float32"), B: T.Buffer((16, 16, 4), "float32")):
    for i, j, k in T.grid(16, 16, 4):
        with T.block("B"):
            vi, vj, vk = T.axis.remap("SSS", [i, j, k])
            B[vi, vj, vk] = A[vi, vj, vk] * T.float32(2)

# schedule
def schedule(sch):
    sch.set_axis_separator("B", ("write", 0), [2])

# after
# from tvm.script import tir as T

@T.prim_func
def before(A: T.Buffer((16, 16, 4), "float32"), B_handle: T.handle):
    B = T.match_buffer(B_handle, (16, 16, 4), axis_separators=[2])
    # with T.block("root"):
    for i, j, k in T.grid(16, 16, 4):
        with T.block("B"):
            vi, vj, vk = T.axis.remap("SSS", [i, j, k])
            T.reads(A[vi, vj, vk])
            T.writes(B[vi, vj, vk])
            B[vi, vj, vk] = A[vi, vj, vk] * T.float32(2)
