# pass: relax.DeadCodeElimination
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((4, 8), dtype="float32"), t: R.Tuple(R.Tensor((4, 8), dtype="float32"), R.Tensor((4, 8), dtype="float32"))) -> R.Tensor((4, 8), dtype="float32"):
        cls = Module
        with R.dataflow():
            dead = R.add(x, x)
            t1 = t[1]
            lv2 = R.add(x, t1)
            lv3 = lv2
            gv = lv3
            R.output(gv)
        return gv

# after
# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((4, 8), dtype="float32"), t: R.Tuple(R.Tensor((4, 8), dtype="float32"), R.Tensor((4, 8), dtype="float32"))) -> R.Tensor((4, 8), dtype="float32"):
        with R.dataflow():
            t1: R.Tensor((4, 8), dtype="float32") = t[1]
            lv2: R.Tensor((4, 8), dtype="float32") = R.add(x, t1)
            lv3: R.Tensor((4, 8), dtype="float32") = lv2
            gv: R.Tensor((4, 8), dtype="float32") = lv3
            R.output(gv)
        return gv
