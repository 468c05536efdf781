@I.ir_module
class Module:
    @T.prim_func(private=True)
    def scale(A: T.Buffer((4,), "float32"), n: T.int32):
        A[n] = 1.0

    @T.prim_func
    def main(A: T.Buffer((4,), "float32")):
        Module.scale(A.data)  # error: TS1107 "Module.scale(A.data)"
        Module.scale(A.data, 1.0)  # error: TS1107 "Module.scale(A.data, 1.0)"
        Module.scale(A[0], 1)  # error: TS1107 "A[0]"
        Module.scale(A.data, T.int64(1))
