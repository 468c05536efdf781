# pass: relax.EliminateCommonSubexpr
@I.ir_module
class Module:
    @R.function(pure=False)
    def main(x: R.Tensor((2, 3), "float32"), y: R.Tensor((2, 3), "float32"), c: R.Tensor((), "bool")):
        a = R.add(x, y)
        b = R.add(x, y)
        d = R.multiply(a, b)
        with R.dataflow():
            e = R.add(x, y)
            f = R.exp(e)
            g = R.exp(a)
            t = (a, b)
            t1 = (b, a)
            h = t[0]
            i = t1[0]
            gv = R.add(f, g)
            gv1 = R.add(h, i)
            R.output(gv, gv1)
        k = R.exp(a)
        if c:
            l = R.exp(a)
            r = R.sin(l)
        else:
            l2 = R.cos(a)
            r = R.exp(a)
        l3 = R.cos(a)
        m = R.match_cast(x, R.Tensor((2, 3), "float32"))
        m1 = R.match_cast(x, R.Tensor((2, 3), "float32"))
        z = R.zeros(R.shape([2, 3]), "float32")
        z1 = R.zeros(R.shape([2, 3]), "float32")
        z2 = R.add(z, R.const(1, "float32"))
        z3 = R.add(z1, R.const(1, "float32"))
        p = R.print(x, format="{}")
        p1 = R.print(x, format="{}")
        s = R.shape([2, 3])
        s1 = R.shape([2, 3])
        return (d, gv, gv1, k, r, l3, m, m1, z2, z3, s1)

# after
# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function(pure=False)
    def main(x: R.Tensor((2, 3), dtype="float32"), y: R.Tensor((2, 3), dtype="float32"), c: R.Tensor((), dtype="bool")) -> R.Tuple(R.Tensor((2, 3), dtype="float32"), R.Tensor((2, 3), dtype="float32"), R.Tensor((2, 3), dtype="float32"), R.Tensor((2, 3), dtype="float32"), R.Tensor((2, 3), dtype="float32"), R.Tensor((2, 3), dtype="float32"), R.Tensor((2, 3), dtype="float32"), R.Tensor((2, 3), dtype="float32"), R.Tensor((2, 3), dtype="float32"), R.Tensor((2, 3), dtype="float32"), R.Shape([2, 3])):
        a: R.Tensor((2, 3), dtype="float32") = R.add(x, y)
        b: R.Tensor((2, 3), dtype="float32") = a
        d: R.Tensor((2, 3), dtype="float32") = R.multiply(a, a)
        with R.dataflow():
            e: R.Tensor((2, 3), dtype="float32") = a
            f: R.Tensor((2, 3), dtype="float32") = R.exp(a)
            g: R.Tensor((2, 3), dtype="float32") = f
            t: R.Tuple(R.Tensor((2, 3), dtype="float32"), R.Tensor((2, 3), dtype="float32")) = a, a
            t1: R.Tuple(R.Tensor((2, 3), dtype="float32"), R.Tensor((2, 3), dtype="float32")) = t
            h: R.Tensor((2, 3), dtype="float32") = t[0]
            i: R.Tensor((2, 3), dtype="float32") = h
            gv: R.Tensor((2, 3), dtype="float32") = R.add(f, f)
            gv1: R.Tensor((2, 3), dtype="float32") = R.add(h, h)
            R.output(gv, gv1)
        k: R.Tensor((2, 3), dtype="float32") = R.exp(a)
        if c:
            l: R.Tensor((2, 3), dtype="float32") = k
            r_then: R.Tensor((2, 3), dtype="float32") = R.sin(k)
            r: R.Tensor((2, 3), dtype="float32") = r_then
        else:
            l2: R.Tensor((2, 3), dtype="float32") = R.cos(a)
            r_else: R.Tensor((2, 3), dtype="float32") = k
            r: R.Tensor((2, 3), dtype="float32") = k
        l3: R.Tensor((2, 3), dtype="float32") = R.cos(a)
        m: R.Tensor((2, 3), dtype="float32") = R.match_cast(x, R.Tensor((2, 3), dtype="float32"))
        m1: R.Tensor((2, 3), dtype="float32") = m
        z: R.Tensor((2, 3), dtype="float32") = R.zeros(R.shape([2, 3]), dtype="float32")
        z1: R.Tensor((2, 3), dtype="float32") = z
        z2: R.Tensor((2, 3), dtype="float32") = R.add(z, R.const(1, "float32"))
        z3: R.Tensor((2, 3), dtype="float32") = z2
        R.print(x, format=R.str("{}"))
        R.print(x, format=R.str("{}"))
        s: R.Shape([2, 3]) = R.shape([2, 3])
        s1: R.Shape([2, 3]) = s
        return (d, gv, gv1, k, r, l3, m, m, z2, z2, s)
