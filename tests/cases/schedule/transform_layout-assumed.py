# Of a parameter that is only read, the function assumes that its padding has the value; the parameter has the new shape.
# values differ: the parameter has another shape
@T.prim_func
def before(A: T.Buffer((14,), "int32"), B: T.Buffer((14,), "int32")):
    for i in range(14):
        with T.block("B"):
            vi = T.axis.spatial(14, i)
            B[vi] = A[vi] + 1

# schedule
def schedule(sch):
    sch.transform_layout("B", ("read", 0), lambda i: (i // 4, i % 4), pad_value=0)

# after
# from tvm.script import tir as T

@T.prim_func
def before(A: T.Buffer((4, 4), "int32"), B: T.Buffer((14,), "int32")):
    # with T.block("root"):
    for axis0, axis1 in T.grid(4, 4):
        with T.block("buffer_A_assumptions"):
            v_axis0, v_axis1 = T.axis.remap("SS", [axis0, axis1])
            T.reads(A[v_axis0, v_axis1])
            T.writes()
            T.assume(not (v_axis0 == 3 and 2 <= v_axis1) or A[v_axis0, v_axis1] == 0)
    for i in range(14):
        with T.block("B"):
            vi = T.axis.spatial(14, i)
            T.reads(A[vi // 4, vi % 4])
            T.writes(B[vi])
            B[vi] = A[vi // 4, vi % 4] + 1
