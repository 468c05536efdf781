# pass: tir.LiftAttrScope(attr_key="my")
@T.prim_func
def main(A: T.Buffer((100,), "float32"), n: T.int32):
    with T.attr(0, "my", 1):
        A[1] = T.float32(1)
        A[2] = T.float32(2)
    with T.attr(0, "my", 1):
        A[3] = T.float32(3)
        A[4] = T.float32(4)
    with T.attr(0, "my", 2):
        A[5] = T.float32(5)
    with T.attr(0, "my", 3):
        for i in range(3):
            with T.attr(0, "my", 3):
                A[i] = T.float32(6)

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((100,), "float32"), n: T.int32):
    with T.attr(0, "my", 1):
        A[1] = T.float32(1)
        A[2] = T.float32(2)
    with T.attr(0, "my", 1):
        A[3] = T.float32(3)
        A[4] = T.float32(4)
    with T.attr(0, "my", 2):
        A[5] = T.float32(5)
    T.attr(0, "my", 3)
    for i in range(3):
        T.attr(0, "my", 3)
        A[i] = T.float32(6)
