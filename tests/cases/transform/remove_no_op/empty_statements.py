# pass: tir.RemoveNoOp
@T.prim_func
def main(A: T.Buffer((16,), "float32"), n: T.int32):
    for i in range(16):
        if i < n:
            T.evaluate(0)
        else:
            T.evaluate(n)
    for i in range(0):
        A[i] = T.float32(1)
    for i in range(16):
        if i < n:
            T.evaluate(0)
        else:
            A[i] = T.float32(2)
        T.evaluate(i + 1)
    x: T.int32 = n + 1
    T.evaluate(0)

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((16,), "float32"), n: T.int32):
    for i in range(16):
        if not i < n:
            A[i] = T.float32(2)
