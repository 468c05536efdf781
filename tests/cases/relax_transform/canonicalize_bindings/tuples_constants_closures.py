# pass: relax.CanonicalizeBindings
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tuple(R.Tensor((2, 3), "float32"), R.Tensor((2, 3), "float32")), z: R.Tensor((2, 3), "float32")):
        with R.dataflow():
            a = x[0]
            b = x[1]
            t = (a, b)
            gv = t
            d = x[0]
            R.output(gv)
        with R.dataflow():
            e = R.add(z, z)
            e1 = e
            o = e1
            o2 = R.const(1, "float32")
            o3 = R.add(z, o2)
            lv = o3
            gvx = lv
            R.output(o, gvx)
        return (gv, o, gvx)
    @R.function
    def f(z: R.Tensor((2, 3), "float32")):
        @R.function
        def inner(y: R.Tensor((2, 3), "float32")):
            a = y
            b = z
            c = R.add(a, b)
            return c
        g = inner
        r = g(z)
        return r

# after
# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def f(z: R.Tensor((2, 3), dtype="float32")) -> R.Tensor((2, 3), dtype="float32"):
        # from tvm.script import relax as R
        
        @R.function
        def inner(y: R.Tensor((2, 3), dtype="float32")) -> R.Tensor((2, 3), dtype="float32"):
            c: R.Tensor((2, 3), dtype="float32") = R.add(y, z)
            return c

        r: R.Tensor((2, 3), dtype="float32") = inner(z)
        return r

    @R.function
    def main(x: R.Tuple(R.Tensor((2, 3), dtype="float32"), R.Tensor((2, 3), dtype="float32")), z: R.Tensor((2, 3), dtype="float32")) -> R.Tuple(R.Tuple(R.Tensor((2, 3), dtype="float32"), R.Tensor((2, 3), dtype="float32")), R.Tensor((2, 3), dtype="float32"), R.Tensor((2, 3), dtype="float32")):
        with R.dataflow():
            a: R.Tensor((2, 3), dtype="float32") = x[0]
            b: R.Tensor((2, 3), dtype="float32") = x[1]
            gv: R.Tuple(R.Tensor((2, 3), dtype="float32"), R.Tensor((2, 3), dtype="float32")) = a, b
            d: R.Tensor((2, 3), dtype="float32") = x[0]
            o: R.Tensor((2, 3), dtype="float32") = R.add(z, z)
            o2: R.Tensor((), dtype="float32") = R.const(1, "float32")
            gvx: R.Tensor((2, 3), dtype="float32") = R.add(z, R.const(1, "float32"))
            R.output(gv, o, gvx)
        return (gv, o, gvx)
