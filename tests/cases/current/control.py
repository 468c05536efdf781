@T.prim_func
def main(A: T.Buffer((16,), "float32"), n: T.int32, B: T.Buffer((16,), "float64")):
    assert n < 16, "n is less than 16"
    count = T.decl_buffer((1,), "int32", scope="local")
    count[0] = 0
    while count[0] < n:
        T.attr(0, "pragma_note", 1)
        B[count[0]] = T.Cast("float64", A[count[0]]) * T.float64(0.1) + T.float64(1e20)
        count[0] = count[0] + 1
    for i in T.serial(3, 9, annotations={"pragma_unroll": 1}):
        B[i] = B[i] - T.float64(2.5)
    for i in T.unroll(2):
        B[i] = B[i] + T.Cast("float64", A[i])
