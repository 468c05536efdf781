@I.ir_module
class Module:
    @R.function
    def any_tensor(x: R.Tensor((2, 3), "float32")) -> R.Tensor:
        return R.exp(x)

    @R.function
    def rank(x: R.Tensor((2, "n"), "float32")) -> R.Tensor(None, "float32", ndim=2):
        y = R.call_dps_packed("ext", x, R.Tensor((3, 3), "float32"))
        return y

    @R.function
    def anything(x: R.Tensor((2, 3), "float32"), s: R.Shape(["k"])) -> R.Object:
        return (x, s)

    @R.function
    def more_than_is_known(x: R.Tensor("float32")) -> R.Tensor((4,), "float32"):
        return R.exp(x)
