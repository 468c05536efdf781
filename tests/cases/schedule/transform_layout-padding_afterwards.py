# A block that does not store the buffer in order is left alone; another one behind it stores the padding.
# The value may depend on the place.
@T.prim_func
def before(A: T.Buffer((14,), "int32"), C: T.Buffer((14,), "int32")):
    B = T.alloc_buffer((14,), "int32")
    for i_0, i_1 in T.grid(2, 7):
        with T.block("B"):
            vi = T.axis.spatial(14, i_0 * 7 + i_1)
            B[vi] = A[vi] + 1
    for i in range(14):
        with T.block("C"):
            vi = T.axis.spatial(14, i)
            C[vi] = B[vi] * 2

# schedule
def schedule(sch):
    sch.transform_layout("B", "B", lambda i: (i // 4, i % 4), pad_value=lambda i, j: i + j)

# after
# from tvm.script import tir as T

@T.prim_func
def before(A: T.Buffer((14,), "int32"), C: T.Buffer((14,), "int32")):
    # with T.block("root"):
    B = T.alloc_buffer((4, 4), "int32")
    for i_0, i_1 in T.grid(2, 7):
        with T.block("B"):
            vi = T.axis.spatial(14, i_0 * 7 + i_1)
            T.reads(A[vi])
            T.writes(B[vi // 4, vi % 4])
            B[vi // 4, vi % 4] = A[vi] + 1
    for axis0, axis1 in T.grid(4, 4):
        with T.block("buffer_B_padding"):
            v_axis0, v_axis1 = T.axis.remap("SS", [axis0, axis1])
            T.where(axis0 == 3 and 2 <= axis1)
            T.reads()
            T.writes(B[v_axis0, v_axis1])
            B[v_axis0, v_axis1] = v_axis0 + v_axis1
    for i in range(14):
        with T.block("C"):
            vi = T.axis.spatial(14, i)
            T.reads(B[vi // 4, vi % 4])
            T.writes(C[vi])
            C[vi] = B[vi // 4, vi % 4] * 2
