@I.ir_module
class Module:
    @T.prim_func
    def f(n: T.int32):
        T.func_attr({"global_symbol": "main"})
        T.evaluate(n)

    @T.prim_func
    def g(n: T.int32):  # error: TS1106 "def g"
        T.func_attr({"global_symbol": "main"})
        T.evaluate(n)
