# pass: relax.TopologicalSort(order="breadth-first", direction="from-outputs")
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((4,), "float32"), y: R.Tensor((4,), "float32"), z: R.Tensor((4,), "float32")):
        with R.dataflow():
            a = R.exp(x)
            b = R.exp(y)
            c = R.exp(z)
            d = R.exp(c)
            R.output(c, a, b, d)
        e = R.add(b, d)
        f = R.add(c, e)
        g = R.add(a, c)
        with R.dataflow():
            s = R.exp(e)
            t = R.exp(g)
            u = R.exp(f)
            R.output(s, t, u)
        return (u, s)

# after
# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((4,), dtype="float32"), y: R.Tensor((4,), dtype="float32"), z: R.Tensor((4,), dtype="float32")) -> R.Tuple(R.Tensor((4,), dtype="float32"), R.Tensor((4,), dtype="float32")):
        with R.dataflow():
            c: R.Tensor((4,), dtype="float32") = R.exp(z)
            d: R.Tensor((4,), dtype="float32") = R.exp(c)
            b: R.Tensor((4,), dtype="float32") = R.exp(y)
            a: R.Tensor((4,), dtype="float32") = R.exp(x)
            R.output(c, d, b, a)
        e: R.Tensor((4,), dtype="float32") = R.add(b, d)
        f: R.Tensor((4,), dtype="float32") = R.add(c, e)
        g: R.Tensor((4,), dtype="float32") = R.add(a, c)
        with R.dataflow():
            s: R.Tensor((4,), dtype="float32") = R.exp(e)
            u: R.Tensor((4,), dtype="float32") = R.exp(f)
            t: R.Tensor((4,), dtype="float32") = R.exp(g)
            R.output(s, u, t)
        return (u, s)
