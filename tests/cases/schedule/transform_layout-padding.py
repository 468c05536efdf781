# Where the new layout has more elements, the padding value is stored there: by the block itself, if it stores the
# whole buffer in order.
@T.prim_func
def before(A: T.Buffer((14,), "int32"), C: T.Buffer((14,), "int32")):
    B = T.alloc_buffer((14,), "int32")
    for i in range(14):
        with T.block("B"):
            vi = T.axis.spatial(14, i)
            B[vi] = A[vi] + 1
    for i in range(14):
        with T.block("C"):
            vi = T.axis.spatial(14, i)
            C[vi] = B[vi] * 2

# schedule
def schedule(sch):
    sch.transform_layout("B", ("write", 0), lambda i: (i // 4, i % 4), pad_value=0)

# after
# from tvm.script import tir as T

@T.prim_func
def before(A: T.Buffer((14,), "int32"), C: T.Buffer((14,), "int32")):
    # with T.block("root"):
    B = T.alloc_buffer((4, 4), "int32")
    for axis0, axis1 in T.grid(4, 4):
        with T.block("B"):
            v_axis0, v_axis1 = T.axis.remap("SS", [axis0, axis1])
            T.reads(A[v_axis0 * 4 + v_axis1])
            T.writes(B[v_axis0, v_axis1])
            B[v_axis0, v_axis1] = T.if_then_else(v_axis0 == 3 and 2 <= v_axis1, 0, A[v_axis0 * 4 + v_axis1] + 1)
    for i in range(14):
        with T.block("C"):
            vi = T.axis.spatial(14, i)
            T.reads(B[vi // 4, vi % 4])
            T.writes(C[vi])
            C[vi] = B[vi // 4, vi % 4] * 2
