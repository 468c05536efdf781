# pass: tir.LiftAttrScope(attr_key="my")
@T.prim_func
def main(A: T.Buffer((100,), "float32"), n: T.int32, m: T.int32):
    B = T.allocate([16], "float32", "global")
    B_1 = T.Buffer((16,), data=B)
    for i in range(10):
        with T.attr(n, "my", m):
            B_1[i] = T.float32(1)
        with T.attr(n, "my", m):
            A[i] = T.float32(2)
    with T.attr(n, "my", m):
        A[0] = T.float32(3)
    if n > 3:
        A[2] = T.float32(5)
    else:
        with T.attr(m, "my", 1):
            A[2] = T.float32(6)
    assert n >= 0, "x"
    with T.attr(m, "my", 1):
        A[3] = T.float32(4)

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((100,), "float32"), n: T.int32, m: T.int32):
    B_1 = T.allocate([16], "float32", "global")
    with T.attr(n, "my", m):
        for i in range(10):
            B_1_1 = T.Buffer((16,), data=B_1)
            B_1_1[i] = T.float32(1)
            A[i] = T.float32(2)
        A[0] = T.float32(3)
    if n > 3:
        A[2] = T.float32(5)
    else:
        T.attr(m, "my", 1)
        A[2] = T.float32(6)
    T.attr(m, "my", 1)
    assert n >= 0, "x"
    A[3] = T.float32(4)
