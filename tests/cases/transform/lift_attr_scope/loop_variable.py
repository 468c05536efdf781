# pass: tir.LiftAttrScope(attr_key="my")
# differs from TVM: it lifts over the loop whose variable the value is
@T.prim_func
def main(A: T.Buffer((100,), "float32"), n: T.int32):
    for i in range(10):
        with T.attr(0, "my", i):
            A[i] = T.float32(1)
    for i in range(10):
        with T.attr(0, "my", n):
            A[i] = T.float32(1)
    for i in range(10):
        with T.attr(n, "my", 1):
            A[i] = T.float32(1)
    for i in range(10):
        with T.attr(n, "my", 1):
            A[i] = T.float32(1)
            A[i] = T.float32(2)

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((100,), "float32"), n: T.int32):
    for i in range(10):
        T.attr(0, "my", i)
        A[i] = T.float32(1)
    with T.attr(0, "my", n):
        for i in range(10):
            A[i] = T.float32(1)
    T.attr(n, "my", 1)
    for i in range(10):
        A[i] = T.float32(1)
    for i in range(10):
        A[i] = T.float32(1)
        A[i] = T.float32(2)
