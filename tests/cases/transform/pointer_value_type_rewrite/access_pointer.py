# pass: tir.PointerValueTypeRewrite
# values: not compared: parameters get other dtypes
@T.prim_func
def main(A: T.Buffer((16,), "float32")):
    B_data = T.allocate([16], "float32", scope="local")
    B = T.Buffer((16,), "float32", data=B_data, scope="local")
    for i in range(4):
        B[i * 4 : i * 4 + 4] = A[i * 4 : i * 4 + 4]
    T.evaluate(T.call_extern("int32", "f", T.tvm_access_ptr(T.type_annotation("float32"), B_data, 0, 16, 1)))

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((4,), "float32x4")):
    B = T.allocate([16], "float32", "local")
    for i in range(4):
        B_1 = T.Buffer((16,), data=B, scope="local")
        B_1[i * 4:i * 4 + 4] = A[T.Div(i * 4, 4)]
    T.call_extern("int32", "f", T.tvm_access_ptr(T.type_annotation("float32"), B, 0, 16, 1))
