# pass: relax.DeadCodeElimination(["f"])
# raises: UnknownName
@I.ir_module
class Module:
    @R.function
    def g(x: R.Tensor((4, 8), "float32")):
        gv = R.exp(x)
        return gv

# after
error[TS1008]: there is no function named f
