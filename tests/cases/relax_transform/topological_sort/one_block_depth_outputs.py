# pass: relax.TopologicalSort(order="depth-first", direction="from-outputs")
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((4,), "float32"), y: R.Tensor((4,), "float32"), z: R.Tensor((4,), "float32")):
        with R.dataflow():
            k = R.const(1, "float32")
            a1 = R.exp(x)
            b1 = R.sin(y)
            c1 = R.cos(z)
            a2 = R.add(a1, k)
            b2 = R.add(b1, a1)
            c2 = R.multiply(c1, b2)
            a3 = R.tanh(a2)
            d = R.zeros((4,), "float32")
            b3 = R.tanh(b2)
            e = R.add(d, a3)
            f = R.add(e, c2)
            g = R.add(b3, x)
            R.output(f, g)
        return (f, g)

# after
# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((4,), dtype="float32"), y: R.Tensor((4,), dtype="float32"), z: R.Tensor((4,), dtype="float32")) -> R.Tuple(R.Tensor((4,), dtype="float32"), R.Tensor((4,), dtype="float32")):
        with R.dataflow():
            d: R.Tensor((4,), dtype="float32") = R.zeros(R.shape([4]), dtype="float32")
            a1: R.Tensor((4,), dtype="float32") = R.exp(x)
            k: R.Tensor((), dtype="float32") = R.const(1, "float32")
            a2: R.Tensor((4,), dtype="float32") = R.add(a1, k)
            a3: R.Tensor((4,), dtype="float32") = R.tanh(a2)
            e: R.Tensor((4,), dtype="float32") = R.add(d, a3)
            c1: R.Tensor((4,), dtype="float32") = R.cos(z)
            b1: R.Tensor((4,), dtype="float32") = R.sin(y)
            b2: R.Tensor((4,), dtype="float32") = R.add(b1, a1)
            c2: R.Tensor((4,), dtype="float32") = R.multiply(c1, b2)
            f: R.Tensor((4,), dtype="float32") = R.add(e, c2)
            b3: R.Tensor((4,), dtype="float32") = R.tanh(b2)
            g: R.Tensor((4,), dtype="float32") = R.add(b3, x)
            R.output(f, g)
        return (f, g)
