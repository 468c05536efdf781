# pass: relax.CombineParallelMatmul
@I.ir_module
class Module:
    @R.function
    def two(x: R.Tensor((2, 16), "float32"), A: R.Tensor((16, 8), "float32"), B: R.Tensor((16, 4), "float32")):
        with R.dataflow():
            a = R.matmul(x, A)
            b = R.matmul(x, B)
            R.output(a, b)
        return (a, b)

    @R.function
    def relu(x: R.Tensor((2, 16), "float32"), A: R.Tensor((16, 8), "float32"), B: R.Tensor((16, 4), "float32"), C: R.Tensor((16, 4), "float32")):
        with R.dataflow():
            a = R.matmul(x, A)
            a1 = R.nn.relu(a)
            b = R.matmul(x, B)
            b1 = R.nn.relu(b)
            c = R.matmul(x, C)
            c1 = R.nn.relu(c)
            R.output(a1, b1, c1)
        return (a1, b1, c1)

    @R.function
    def bias(x: R.Tensor((2, 16), "float32"), A: R.Tensor((16, 8), "float32"), B: R.Tensor((16, 4), "float32"), p: R.Tensor((8,), "float32"), q: R.Tensor((4,), "float32")):
        with R.dataflow():
            a = R.matmul(x, A)
            a1 = R.add(a, p)
            a2 = R.nn.gelu(a1)
            b = R.matmul(x, B)
            b1 = R.add(b, q)
            b2 = R.nn.gelu(b1)
            R.output(a2, b2)
        return (a2, b2)

    @R.function
    def mixed(x: R.Tensor((2, 16), "float32"), A: R.Tensor((16, 8), "float32"), B: R.Tensor((16, 4), "float32"), C: R.Tensor((2, 16, 4), "float32"), D: R.Tensor((2, 16, 8), "float32"), p: R.Tensor((8,), "float32")):
        with R.dataflow():
            a = R.matmul(x, A)
            a1 = R.add(a, p)
            b = R.matmul(x, B)
            c = R.matmul(x, C)
            d = R.matmul(x, D)
            b1 = R.nn.relu(b)
            R.output(a1, b1, c, d)
        return (a1, b1, c, d)

    @R.function
    def several(x: R.Tensor((2, 16), "float32"), y: R.Tensor((2, 16), "float32"), A: R.Tensor((16, 8), "float32"), B: R.Tensor((16, 4), "float32")):
        with R.dataflow():
            a = R.matmul(x, A)
            c = R.matmul(y, A)
            b = R.matmul(x, B)
            d = R.matmul(y, B)
            R.output(a, b, c, d)
        return (a, b, c, d)

    @R.function
    def dyn(x: R.Tensor(("m", 16), "float32"), A: R.Tensor((16, "k"), "float32"), B: R.Tensor((16, 4), "float32")):
        with R.dataflow():
            a = R.matmul(x, A)
            b = R.matmul(x, B)
            R.output(a, b)
        return (a, b)

    @R.function
    def depend(x: R.Tensor((16, 16), "float32"), A: R.Tensor((16, 16), "float32")):
        with R.dataflow():
            a = R.matmul(x, A)
            b = R.matmul(x, a)
            R.output(b)
        return b

# after
# from tvm.script import ir as I
# from tvm.script import tir as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def bias(x: R.Tensor((2, 16), dtype="float32"), A: R.Tensor((16, 8), dtype="float32"), B: R.Tensor((16, 4), dtype="float32"), p: R.Tensor((8,), dtype="float32"), q: R.Tensor((4,), dtype="float32")) -> R.Tuple(R.Tensor((2, 8), dtype="float32"), R.Tensor((2, 4), dtype="float32")):
        with R.dataflow():
            lv: R.Tensor((16, 12), dtype="float32") = R.concat((A, B), axis=1)
            lv1: R.Tensor((2, 12), dtype="float32") = R.matmul(x, lv, out_dtype="float32")
            lv2: R.Tensor((12,), dtype="float32") = R.concat((p, q), axis=0)
            lv3: R.Tensor((2, 12), dtype="float32") = R.add(lv1, lv2)
            lv4: R.Tensor((2, 12), dtype="float32") = R.nn.gelu(lv3)
            lv5: R.Tuple(R.Tensor((2, 8), dtype="float32"), R.Tensor((2, 4), dtype="float32")) = R.split(lv4, indices_or_sections=[8], axis=1)
            a2: R.Tensor((2, 8), dtype="float32") = lv5[0]
            b2: R.Tensor((2, 4), dtype="float32") = lv5[1]
            R.output(a2, b2)
        return (a2, b2)

    @R.function
    def depend(x: R.Tensor((16, 16), dtype="float32"), A: R.Tensor((16, 16), dtype="float32")) -> R.Tensor((16, 16), dtype="float32"):
        with R.dataflow():
            a: R.Tensor((16, 16), dtype="float32") = R.matmul(x, A, out_dtype="void")
            b: R.Tensor((16, 16), dtype="float32") = R.matmul(x, a, out_dtype="void")
            R.output(b)
        return b

    @R.function
    def dyn(x: R.Tensor(("m", 16), dtype="float32"), A: R.Tensor((16, "k"), dtype="float32"), B: R.Tensor((16, 4), dtype="float32")) -> R.Tuple(R.Tensor(("m", "k"), dtype="float32"), R.Tensor(("m", 4), dtype="float32")):
        m = T.int64()
        k = T.int64()
        with R.dataflow():
            lv: R.Tensor((16, 4 + k), dtype="float32") = R.concat((B, A), axis=1)
            lv1: R.Tensor((m, 4 + k), dtype="float32") = R.matmul(x, lv, out_dtype="float32")
            lv2: R.Tuple(R.Tensor((m, 4), dtype="float32"), R.Tensor((m, k), dtype="float32")) = R.split(lv1, indices_or_sections=[4], axis=1)
            a: R.Tensor((m, k), dtype="float32") = lv2[1]
            b: R.Tensor((m, 4), dtype="float32") = lv2[0]
            R.output(a, b)
        return (a, b)

    @R.function
    def mixed(x: R.Tensor((2, 16), dtype="float32"), A: R.Tensor((16, 8), dtype="float32"), B: R.Tensor((16, 4), dtype="float32"), C: R.Tensor((2, 16, 4), dtype="float32"), D: R.Tensor((2, 16, 8), dtype="float32"), p: R.Tensor((8,), dtype="float32")) -> R.Tuple(R.Tensor((2, 8), dtype="float32"), R.Tensor((2, 4), dtype="float32"), R.Tensor((2, 2, 4), dtype="float32"), R.Tensor((2, 2, 8), dtype="float32")):
        with R.dataflow():
            lv: R.Tensor((16, 12), dtype="float32") = R.concat((A, B), axis=1)
            lv1: R.Tensor((2, 12), dtype="float32") = R.matmul(x, lv, out_dtype="float32")
            lv2: R.Tuple(R.Tensor((2, 8), dtype="float32"), R.Tensor((2, 4), dtype="float32")) = R.split(lv1, indices_or_sections=[8], axis=1)
            a: R.Tensor((2, 8), dtype="float32") = lv2[0]
            a1: R.Tensor((2, 8), dtype="float32") = R.add(a, p)
            b: R.Tensor((2, 4), dtype="float32") = lv2[1]
            lv3: R.Tensor((2, 16, 12), dtype="float32") = R.concat((C, D), axis=2)
            lv4: R.Tensor((2, 2, 12), dtype="float32") = R.matmul(x, lv3, out_dtype="float32")
            lv5: R.Tuple(R.Tensor((2, 2, 4), dtype="float32"), R.Tensor((2, 2, 8), dtype="float32")) = R.split(lv4, indices_or_sections=[4], axis=2)
            c: R.Tensor((2, 2, 4), dtype="float32") = lv5[0]
            d: R.Tensor((2, 2, 8), dtype="float32") = lv5[1]
            b1: R.Tensor((2, 4), dtype="float32") = R.nn.relu(b)
            R.output(a1, c, d, b1)
        return (a1, b1, c, d)

    @R.function
    def relu(x: R.Tensor((2, 16), dtype="float32"), A: R.Tensor((16, 8), dtype="float32"), B: R.Tensor((16, 4), dtype="float32"), C: R.Tensor((16, 4), dtype="float32")) -> R.Tuple(R.Tensor((2, 8), dtype="float32"), R.Tensor((2, 4), dtype="float32"), R.Tensor((2, 4), dtype="float32")):
        with R.dataflow():
            lv: R.Tensor((16, 16), dtype="float32") = R.concat((A, B, C), axis=1)
            lv1: R.Tensor((2, 16), dtype="float32") = R.matmul(x, lv, out_dtype="float32")
            lv2: R.Tensor((2, 16), dtype="float32") = R.nn.relu(lv1)
            lv3: R.Tuple(R.Tensor((2, 8), dtype="float32"), R.Tensor((2, 4), dtype="float32"), R.Tensor((2, 4), dtype="float32")) = R.split(lv2, indices_or_sections=[8, 12], axis=1)
            a1: R.Tensor((2, 8), dtype="float32") = lv3[0]
            b1: R.Tensor((2, 4), dtype="float32") = lv3[1]
            c1: R.Tensor((2, 4), dtype="float32") = lv3[2]
            R.output(a1, b1, c1)
        return (a1, b1, c1)

    @R.function
    def several(x: R.Tensor((2, 16), dtype="float32"), y: R.Tensor((2, 16), dtype="float32"), A: R.Tensor((16, 8), dtype="float32"), B: R.Tensor((16, 4), dtype="float32")) -> R.Tuple(R.Tensor((2, 8), dtype="float32"), R.Tensor((2, 4), dtype="float32"), R.Tensor((2, 8), dtype="float32"), R.Tensor((2, 4), dtype="float32")):
        with R.dataflow():
            lv: R.Tensor((16, 12), dtype="float32") = R.concat((A, B), axis=1)
            lv1: R.Tensor((2, 12), dtype="float32") = R.matmul(x, lv, out_dtype="float32")
            lv2: R.Tuple(R.Tensor((2, 8), dtype="float32"), R.Tensor((2, 4), dtype="float32")) = R.split(lv1, indices_or_sections=[8], axis=1)
            a: R.Tensor((2, 8), dtype="float32") = lv2[0]
            lv3: R.Tensor((16, 12), dtype="float32") = R.concat((A, B), axis=1)
            lv4: R.Tensor((2, 12), dtype="float32") = R.matmul(y, lv3, out_dtype="float32")
            lv5: R.Tuple(R.Tensor((2, 8), dtype="float32"), R.Tensor((2, 4), dtype="float32")) = R.split(lv4, indices_or_sections=[8], axis=1)
            c: R.Tensor((2, 8), dtype="float32") = lv5[0]
            b: R.Tensor((2, 4), dtype="float32") = lv2[1]
            d: R.Tensor((2, 4), dtype="float32") = lv5[1]
            R.output(a, c, b, d)
        return (a, b, c, d)

    @R.function
    def two(x: R.Tensor((2, 16), dtype="float32"), A: R.Tensor((16, 8), dtype="float32"), B: R.Tensor((16, 4), dtype="float32")) -> R.Tuple(R.Tensor((2, 8), dtype="float32"), R.Tensor((2, 4), dtype="float32")):
        with R.dataflow():
            lv: R.Tensor((16, 12), dtype="float32") = R.concat((A, B), axis=1)
            lv1: R.Tensor((2, 12), dtype="float32") = R.matmul(x, lv, out_dtype="float32")
            lv2: R.Tuple(R.Tensor((2, 8), dtype="float32"), R.Tensor((2, 4), dtype="float32")) = R.split(lv1, indices_or_sections=[8], axis=1)
            a: R.Tensor((2, 8), dtype="float32") = lv2[0]
            b: R.Tensor((2, 4), dtype="float32") = lv2[1]
            R.output(a, b)
        return (a, b)
