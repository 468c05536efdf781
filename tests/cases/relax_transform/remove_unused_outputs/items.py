# pass: relax.RemoveUnusedOutputs
@I.ir_module
class Module:
    @R.function(private=True)
    def priv(x: R.Tensor((2, 3), "float32"), y: R.Tensor((2, 3), "float32")) -> R.Tuple(R.Tensor((2, 3), "float32"), R.Tensor((2, 3), "float32"), R.Tensor((2, 3), "float32")):
        a = R.add(x, y)
        b = R.exp(a)
        o = (a, b, y)
        return o
    @R.function
    def main(x: R.Tensor((2, 3), "float32"), y: R.Tensor((2, 3), "float32"), c: R.Tensor((), "bool")):
        cls = Module
        a = R.add(x, y)
        b = R.add(a, y)
        q = cls.priv(a, b)
        q0 = q[0]
        d = R.multiply(b, q0)
        with R.dataflow():
            e = R.add(x, y)
            f = R.exp(e)
            R.output(f)
        k = R.exp(f)
        @R.function
        def inner(z: R.Tensor((2, 3), "float32")) -> R.Tensor((2, 3), "float32"):
            w = R.add(z, k)
            return w
        if c:
            l = R.exp(a)
            r = inner(l)
        else:
            r = R.exp(d)
        w = cls.priv(x, y)
        w2 = w[2]
        w3 = R.add(w2, r)
        return w3

# after
# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function(private=True)
    def priv(x: R.Tensor((2, 3), dtype="float32"), y: R.Tensor((2, 3), dtype="float32")) -> R.Tuple(R.Tensor((2, 3), dtype="float32"), R.Tensor((2, 3), dtype="float32")):
        a: R.Tensor((2, 3), dtype="float32") = R.add(x, y)
        return (a, y)

    @R.function
    def main(x: R.Tensor((2, 3), dtype="float32"), y: R.Tensor((2, 3), dtype="float32"), c: R.Tensor((), dtype="bool")) -> R.Tensor((2, 3), dtype="float32"):
        cls = Module
        a: R.Tensor((2, 3), dtype="float32") = R.add(x, y)
        b: R.Tensor((2, 3), dtype="float32") = R.add(a, y)
        gv: R.Tuple(R.Tensor((2, 3), dtype="float32"), R.Tensor((2, 3), dtype="float32")) = cls.priv(a, b)
        gv1: R.Tensor((2, 3), dtype="float32") = gv[0]
        d: R.Tensor((2, 3), dtype="float32") = R.multiply(b, gv1)
        with R.dataflow():
            e: R.Tensor((2, 3), dtype="float32") = R.add(x, y)
            f: R.Tensor((2, 3), dtype="float32") = R.exp(e)
            R.output(f)
        k: R.Tensor((2, 3), dtype="float32") = R.exp(f)
        # from tvm.script import relax as R
        
        @R.function
        def inner(z: R.Tensor((2, 3), dtype="float32")) -> R.Tensor((2, 3), dtype="float32"):
            w: R.Tensor((2, 3), dtype="float32") = R.add(z, k)
            return w

        if c:
            l: R.Tensor((2, 3), dtype="float32") = R.exp(a)
            r_then: R.Tensor((2, 3), dtype="float32") = inner(l)
            r: R.Tensor((2, 3), dtype="float32") = r_then
        else:
            r_else: R.Tensor((2, 3), dtype="float32") = R.exp(d)
            r: R.Tensor((2, 3), dtype="float32") = r_else
        gv3: R.Tuple(R.Tensor((2, 3), dtype="float32"), R.Tensor((2, 3), dtype="float32")) = cls.priv(x, y)
        gv5: R.Tensor((2, 3), dtype="float32") = gv3[1]
        w3: R.Tensor((2, 3), dtype="float32") = R.add(gv5, r)
        return w3
