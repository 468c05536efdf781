# program: alloc1
@T.prim_func
def main(A: T.Buffer((16,), "float32")):
    a = T.allocate([7], "float32", "global")
    aa = T.Buffer((7,), data=a)
    for i in range(4):
        b = T.allocate([5], "int8", "global")
        bb = T.Buffer((5,), "int8", data=b)
        bb[0] = T.int8(1)
        aa[i] = T.Cast("float32", bb[0])
    for i in range(4):
        c = T.allocate([9], "float32x4", "shared")
        cc = T.Buffer((9,), "float32x4", data=c)
        cc[0] = T.Broadcast(T.float32(1), 4)
    d = T.allocate([3, 3], "float64", "local")
    dd = T.Buffer((9,), "float64", data=d)
    dd[0] = T.float64(0)
    A[0] = aa[0]

# program: alloc_sym
@T.prim_func
def main(A: T.Buffer((16,), "float32"), n: T.int32):
    a = T.allocate([n], "float32", "global")
    aa = T.Buffer((n,), data=a)
    aa[0] = 1.0
    A[0] = aa[0]

# program: alloc_const
@T.prim_func
def main(A: T.Buffer((16,), "float32")):
    a = T.allocate_const([1, 2, 3], "int32", [3])
    aa = T.Buffer((3,), "int32", data=a)
    b = T.allocate_const([1.0, 2.0], "float32", [2])
    bb = T.Buffer((2,), data=b)
    for i in range(3):
        c = T.allocate_const([1, 2, 3], "int8", [3])
        cc = T.Buffer((3,), "int8", data=c)
        A[i] = T.Cast("float32", aa[i]) + bb[0] + T.Cast("float32", cc[i])

# program: alloc_attr
@T.prim_func
def main(A: T.Buffer((16,), "float32")):
    T.func_attr({"workspace_bytes": 32})
    for i in T.parallel(4):
        b = T.allocate([5], "float32", "global")
        bb = T.Buffer((5,), data=b)
        bb[0] = 1.0
        A[i] = bb[0]

# program: alloc_call
@T.prim_func
def main(A: T.Buffer((16,), "float32")):
    b = T.allocate([5], "float32", "global.workspace")
    bb = T.Buffer((5,), data=b)
    c = T.allocate([5], "bool", "global")
    cc = T.Buffer((5,), "bool", data=c)
    cc[0] = T.bool(True)
    bb[0] = 1.0
    T.evaluate(T.call_extern("int32", "f", bb.data))
    A[0] = bb[0]
