# from tvm.script import tir as T

@T.prim_func(private=True)
def main(A: T.Buffer((16,), "float32")):
    # with T.block("root"):
    i = T.alloc_buffer((1,), "int32", scope="local")
    i[0] = 0
    while i[0] < 10 and A[i[0]] < T.float32(1):
        A[i[0]] = A[i[0]] + T.float32(1)
        i[0] = i[0] + 1
