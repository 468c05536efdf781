# pass: tir.RemoveNoOp
@T.prim_func
def main(A: T.Buffer((16,), "float32"), n: T.int32):
    T.evaluate(T.call_extern("int32", "tick", n))
    for i in range(4):
        T.evaluate(T.call_extern("int32", "tick", i))
    x: T.int32 = T.call_extern("int32", "tock", n)
    T.evaluate(x)

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((16,), "float32"), n: T.int32):
    T.call_extern("int32", "tick", n)
    for i in range(4):
        T.call_extern("int32", "tick", i)
    T.call_extern("int32", "tock", n)
