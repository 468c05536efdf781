# pass: tir.InjectDoubleBuffer
@T.prim_func
def main(A: T.Buffer((400,), "float32"), C: T.Buffer((4,), "float32")):
    for i in range(100):
        B = T.allocate([4], "float32", "shared")
        B_1 = T.Buffer((4,), data=B, scope="shared")
        with T.attr(B, "double_buffer_scope", 1):
            for j in range(4):
                B_1[j] = A[i * 4 + j]
        T.evaluate(T.call_extern("int32", "f", T.tvm_access_ptr(T.type_annotation("float32"), B, 1, 3, 1)))

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((400,), "float32"), C: T.Buffer((4,), "float32")):
    for i in range(100):
        B_1 = T.allocate([4], "float32", "shared")
        with T.attr(B_1, "double_buffer_scope", 1):
            for j in range(4):
                B_1_1 = T.Buffer((4,), data=B_1, scope="shared")
                B_1_1[j] = A[i * 4 + j]
        T.call_extern("int32", "f", T.tvm_access_ptr(T.type_annotation("float32"), B_1, 1, 3, 1))
