@I.ir_module
class Module:
    @R.function
    def made():
        @R.function
        def local(x: R.Tensor(["m", "n"], "float32")):
            return x
        return local

    @R.function
    def given(y: R.Tensor(["m", "n"], "float32"), f: R.Callable((R.Tensor(("m", "k"), "float32"),), R.Tensor(("k",)))):
        return f

    @R.function
    def both(y: R.Tensor(["m", "n"], "float32")):
        m = T.int64()
        @R.function
        def local(x: R.Tensor((m, "k"), "float32")):
            return x
        z = (local, y)
        return z
