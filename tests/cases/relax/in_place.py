@I.ir_module
class Module:
    @T.prim_func(private=True)
    def f(A: T.Buffer((4, 4), "float32")):
        T.evaluate(0)
    @R.function
    def main(x: R.Tensor((4, 4), "float32")):
        c = R.call_tir_inplace(Module.f, x, 0, R.Tensor((4, 4), "float32"))
        d = R.call_tir_with_grad(Module.f, x, R.Tensor((4, 4), "float32"), te_grad_name="g", te_grad_kwargs={"k": 1.5, "s": "q", "n": 3})
        h = R.invoke_pure_closure(R.make_closure(Module.g, (x,)), (x,), sinfo_args=R.Object())
        return (c, d, h)
    @R.function
    def g(x: R.Tensor((4, 4), "float32"), s: R.Tensor((4, 4), "float32")):
        return x
