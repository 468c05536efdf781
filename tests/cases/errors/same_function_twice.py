@I.ir_module
class Module:
    @T.prim_func
    def f(n: T.int32):
        T.evaluate(n)

    @T.prim_func
    def f(n: T.int32):  # error: TS2008 "def f"
        T.evaluate(n)
