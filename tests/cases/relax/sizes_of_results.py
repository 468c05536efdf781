@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", "m", "k"), "float32"), y: R.Tensor(("j",), "int8")) -> R.Tensor(("m * 2", "j", "k"), "float32"):
        m = T.int64()
        k = T.int64()
        j = T.int64()
        n = T.int64()
        q = T.int64()
        s = R.match_cast(y, R.Tensor((q,), "int8"))
        return R.zeros((m * 2, j, k), "float32")
    @R.function
    def other(x: R.Tensor(("n", "m"), "float32")) -> R.Tensor(("m",), "float32"):
        m = T.int64()
        @R.function
        def inner(z: R.Tensor(("a", "b"), "float32")) -> R.Tensor(("b", m), "float32"):
            b = T.int64()
            return R.zeros((b, m), "float32")
        return R.zeros((m,), "float32")
