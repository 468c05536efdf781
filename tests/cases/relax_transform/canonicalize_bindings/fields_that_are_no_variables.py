# pass: relax.CanonicalizeBindings
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((3, 3), dtype="float32")):
        with R.dataflow():
            t = (R.prim_value(3), R.shape([2]), R.const(1, "float32"), (x,), R.str("s"), x)
            a = t[0]
            b = t[1]
            c = t[2]
            d = t[3]
            e = t[4]
            f = t[5]
            g = R.add(c, f)
            h = d[0]
            gv = (a, b, c, d, e, f, g, h)
            R.output(gv)
        return gv

# after
# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((3, 3), dtype="float32")) -> R.Tuple(R.Prim(value=3), R.Shape([2]), R.Tensor((), dtype="float32"), R.Tuple(R.Tensor((3, 3), dtype="float32")), R.Object, R.Tensor((3, 3), dtype="float32"), R.Tensor((3, 3), dtype="float32"), R.Tensor((3, 3), dtype="float32")):
        with R.dataflow():
            t: R.Tuple(R.Prim(value=3), R.Shape([2]), R.Tensor((), dtype="float32"), R.Tuple(R.Tensor((3, 3), dtype="float32")), R.Object, R.Tensor((3, 3), dtype="float32")) = R.prim_value(3), R.shape([2]), R.const(1, "float32"), (x,), R.str("s"), x
            a: R.Prim(value=3) = t[0]
            b: R.Shape([2]) = t[1]
            c: R.Tensor((), dtype="float32") = t[2]
            d: R.Tuple(R.Tensor((3, 3), dtype="float32")) = t[3]
            e: R.Object = t[4]
            g: R.Tensor((3, 3), dtype="float32") = R.add(R.const(1, "float32"), x)
            gv: R.Tuple(R.Prim(value=3), R.Shape([2]), R.Tensor((), dtype="float32"), R.Tuple(R.Tensor((3, 3), dtype="float32")), R.Object, R.Tensor((3, 3), dtype="float32"), R.Tensor((3, 3), dtype="float32"), R.Tensor((3, 3), dtype="float32")) = a, b, R.const(1, "float32"), d, e, x, g, x
            R.output(gv)
        return gv
