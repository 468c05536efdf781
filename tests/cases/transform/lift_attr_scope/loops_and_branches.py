# pass: tir.LiftAttrScope(attr_key="my")
@T.prim_func
def main(A: T.Buffer((100,), "float32"), n: T.int32, m: T.int32):
    for i in range(10):
        with T.attr(n, "my", 1):
            A[i] = T.float32(1)
        with T.attr(n, "my", 1):
            A[i] = T.float32(2)
    with T.attr(n, "my", 1):
        A[0] = T.float32(3)
    with T.attr(m, "my", 1):
        A[1] = T.float32(4)
    if n > 3:
        with T.attr(m, "my", 1):
            A[2] = T.float32(5)
    else:
        with T.attr(m, "my", 1):
            A[2] = T.float32(6)
    with T.attr(m, "my", 2):
        A[3] = T.float32(4)

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((100,), "float32"), n: T.int32, m: T.int32):
    with T.attr(n, "my", 1):
        for i in range(10):
            A[i] = T.float32(1)
            A[i] = T.float32(2)
        A[0] = T.float32(3)
    with T.attr(m, "my", 1):
        A[1] = T.float32(4)
        if n > 3:
            A[2] = T.float32(5)
        else:
            A[2] = T.float32(6)
    T.attr(m, "my", 2)
    A[3] = T.float32(4)
