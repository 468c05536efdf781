# from tvm.script import tir as T

@T.prim_func(private=True)
def main(a: T.handle, B: T.Buffer((4,), "int32")):
    A = T.match_buffer(a, (16,))
    T.call_extern("int32", "f", a, A.data)
    T.evaluate(B[0])
