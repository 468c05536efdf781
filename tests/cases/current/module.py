@I.ir_module
class Module:
    I.module_attrs({"tir.made_by": "hand", "runs": 2})

    @T.prim_func
    def other(A: T.Buffer((8,), "float32")):
        for i in T.serial(8, annotations={"pragma_unroll": True}):
            A[i] = T.float32(1)

    @T.prim_func
    def main(A: T.Buffer((8,), "float32"), B: T.Buffer((8,), "int8"), C: T.Buffer((8,), "e4m3_float8")):
        T.func_attr({"tir.is_scheduled": True, "level": 2})
        for i in range(8):
            A[i] = T.call_extern("float32", "fabsf", A[i] - T.float32(3))
            B[i] = T.Cast("int8", A[i])
            C[i] = T.Cast("e4m3_float8", A[i])
