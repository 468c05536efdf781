@I.ir_module
class Module:
    @T.prim_func(private=True)
    def quiet(n: T.int32):
        T.evaluate(n)

    @T.prim_func
    def main(A: T.Buffer((4,), "float32")):
        A[0] = Module.quiet(1)  # error: TS1003 "Module.quiet"
