# pass: relax.CanonicalizeBindings
# differs from TVM: TVM erases the sizes of a conditional that it rebuilds
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(dtype="float32"), z: R.Tensor((2, 3), "float32"), c: R.Tensor((), "bool")):
        n = T.int64()
        m = T.int64()
        with R.dataflow():
            a = R.match_cast(x, R.Tensor((n, m), "float32"))
            b = R.match_cast(a, R.Tensor((n, m), "float32"))
            t = (a, b)
            u = (t[0], t[1])
            v = u[1]
            w = R.exp(v)
            gv = w
            gv1 = w
            gv2 = R.exp(gv)
            gv3 = v
            R.output(gv, gv1, gv2, gv3)
        if c:
            p = gv2
            q = R.exp(p)
            r = q
        else:
            p = gv3
            r = p
        y = x
        zz = (r, y)
        return zz

# after
# from tvm.script import ir as I
# from tvm.script import tir as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(dtype="float32"), z: R.Tensor((2, 3), dtype="float32"), c: R.Tensor((), dtype="bool")) -> R.Tuple(R.Tensor(dtype="float32", ndim=2), R.Tensor(dtype="float32")):
        n = T.int64()
        m = T.int64()
        with R.dataflow():
            gv3: R.Tensor((n, m), dtype="float32") = R.match_cast(x, R.Tensor((n, m), dtype="float32"))
            t: R.Tuple(R.Tensor((n, m), dtype="float32"), R.Tensor((n, m), dtype="float32")) = gv3, gv3
            u: R.Tuple(R.Tensor((n, m), dtype="float32"), R.Tensor((n, m), dtype="float32")) = gv3, gv3
            w: R.Tensor((n, m), dtype="float32") = R.exp(gv3)
            gv2: R.Tensor((n, m), dtype="float32") = R.exp(w)
            R.output(gv3, gv2)
        if c:
            q: R.Tensor((n, m), dtype="float32") = R.exp(gv2)
            r: R.Tensor((n, m), dtype="float32") = q
        else:
            r: R.Tensor((n, m), dtype="float32") = gv3
        zz: R.Tuple(R.Tensor((n, m), dtype="float32"), R.Tensor(dtype="float32")) = r, x
        return zz
