@I.ir_module
class Module:
    I.module_attrs({"attr": 10})
    @T.prim_func(private=True)
    def f(var_x: T.handle, var_y: T.handle, n: T.int64):
        T.evaluate(0)
    @R.function
    def main(x: R.Tensor((4, "n"), "float32"), s: R.Shape(["n"])):
        n = T.int64()
        a = R.call_tir(Module.f, x, R.Tensor((n, 4), "float32"), tir_vars=(n,))
        b = R.call_tir(Module.f, [x, x], [R.Tensor((n, 4), "float32"), R.Tensor((4, n), "float32")], tir_vars=R.shape([n, 4]))
        i = R.call_dps_packed("f", x, R.Tensor((n, 4), "float32"))
        k = R.call_pure_packed("g", x, sinfo_args=R.Tensor((4, n), "float32"))
        return Module.helper(b[1])
    @R.function(private=True)
    def helper(x: R.Tensor((4, "n"), "float32")) -> R.Tensor((4, "n"), "float32"):
        R.func_attr({"x": 1, "f": 1.5, "s": "s", "l": [1, 2], "d": {"a": 1}})
        return x
    @R.function(pure=False)
    def impure(x: R.Tensor((4, 4), "float32")):
        cls = Module
        w = R.call_packed("vm.fn", x, sinfo_args=(R.Tensor(ndim=2),))
        q = R.call_packed("vm.fn2", x, w, sinfo_args=[R.Object])
        R.print(x, format="{}")
        f = cls.helper
        return f(x)
    @R.function
    def recursive(x: R.Tensor((2,), "float32"), i: R.Tensor((), "int32")) -> R.Tensor((2,), "float32"):
        cond = R.equal(i, R.const(0, "int32"))
        if cond:
            r = x
        else:
            r = Module.recursive(x, R.subtract(i, R.const(1, "int32")))
        return r
