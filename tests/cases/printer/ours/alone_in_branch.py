# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((4,), "int32")):
    if A[0] < 1:
        for i in range(4):
            B = T.decl_buffer((2,), "int32")
            B[0] = A[i]
    else:
        for i in range(4):
            with T.decl_buffer((2,), "int32") as C:
                C[0] = A[i]
            A[i] = 1
