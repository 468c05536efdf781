@I.ir_module
class Module:
    @T.prim_func(private=True)
    def twice(n: T.int64) -> T.int64:
        return n * T.int64(2)

    @R.function
    def main(x: R.Prim("int64")) -> R.Prim("int64"):
        cls = Module
        y: R.Prim("int64") = cls.twice(x)
        return y

    @R.function(pure=False)
    def dynamic(x: R.Tensor((2, 3), "float32")):
        R.vm.call_tir_dyn("f", (x, R.shape([2, 3])))
        return x
