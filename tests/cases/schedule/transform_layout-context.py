# Indices are simplified in the domains of the axes and the conditions that they stand in.
# values differ: the parameter has another shape
@T.prim_func
def before(X: T.Buffer((16, 16), "float32"), Y: T.Buffer((18, 18), "float32")):
    for i, j in T.grid(18, 18):
        with T.block("Y"):
            vi, vj = T.axis.remap("SS", [i, j])
            Y[vi, vj] = T.if_then_else(1 <= vi and vi < 17 and 1 <= vj and vj < 17, X[vi - 1, vj - 1], T.float32(0))

# schedule
def schedule(sch):
    sch.transform_layout("Y", ("read", 0), lambda i, j: i * 16 + j)

# after
# from tvm.script import tir as T

@T.prim_func
def before(X: T.Buffer((256,), "float32"), Y: T.Buffer((18, 18), "float32")):
    # with T.block("root"):
    for i, j in T.grid(18, 18):
        with T.block("Y"):
            vi, vj = T.axis.remap("SS", [i, j])
            T.reads(X[vi * 16 + vj - 17])
            T.writes(Y[vi, vj])
            Y[vi, vj] = T.if_then_else(1 <= vi and vi < 17 and 1 <= vj and vj < 17, X[vi * 16 + vj - 17], T.float32(0))
