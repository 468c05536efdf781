# pass: relax.TopologicalSort(order="breadth-first", direction="from-inputs")
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((4,), "float32"), y: R.Tensor((4,), "float32"), z: R.Tensor((4,), "float32")):
        q = R.exp(z)
        p = R.exp(q)
        with R.dataflow():
            m = R.add(x, y)
            n = R.add(y, z)
            o = R.add(p, q)
            r = R.multiply(m, n)
            dead = R.sin(r)
            dead2 = R.sin(dead)
            s = R.multiply(r, o)
            t = R.multiply(n, n)
            u = R.add(s, t)
            v = R.add(t, q)
            R.output(u, v)
        with R.dataflow():
            w = R.exp(x)
            w1 = R.add(w, v)
            w2 = R.add(u, w)
            R.output(w1, w2)
        return (w1, w2)

# after
# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((4,), dtype="float32"), y: R.Tensor((4,), dtype="float32"), z: R.Tensor((4,), dtype="float32")) -> R.Tuple(R.Tensor((4,), dtype="float32"), R.Tensor((4,), dtype="float32")):
        q: R.Tensor((4,), dtype="float32") = R.exp(z)
        p: R.Tensor((4,), dtype="float32") = R.exp(q)
        with R.dataflow():
            w: R.Tensor((4,), dtype="float32") = R.exp(x)
            m: R.Tensor((4,), dtype="float32") = R.add(x, y)
            n: R.Tensor((4,), dtype="float32") = R.add(y, z)
            r: R.Tensor((4,), dtype="float32") = R.multiply(m, n)
            t: R.Tensor((4,), dtype="float32") = R.multiply(n, n)
            o: R.Tensor((4,), dtype="float32") = R.add(p, q)
            dead: R.Tensor((4,), dtype="float32") = R.sin(r)
            v: R.Tensor((4,), dtype="float32") = R.add(t, q)
            s: R.Tensor((4,), dtype="float32") = R.multiply(r, o)
            dead2: R.Tensor((4,), dtype="float32") = R.sin(dead)
            w1: R.Tensor((4,), dtype="float32") = R.add(w, v)
            u: R.Tensor((4,), dtype="float32") = R.add(s, t)
            w2: R.Tensor((4,), dtype="float32") = R.add(u, w)
            R.output(v, w1, u, w2)
        return (w1, w2)
