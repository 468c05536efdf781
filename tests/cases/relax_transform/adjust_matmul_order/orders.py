# pass: relax.AdjustMatmulOrder
@I.ir_module
class Module:
    @R.function
    def lhs(x: R.Tensor((1, 16), "float32"), A: R.Tensor((16, 2), "float32"), B: R.Tensor((2, 32), "float32")):
        with R.dataflow():
            w = R.matmul(A, B)
            y = R.matmul(x, w)
            R.output(y)
        return y

    @R.function
    def rhs(x: R.Tensor((16, 2), "float32"), A: R.Tensor((2, 32), "float32"), B: R.Tensor((32, 1), "float32")):
        with R.dataflow():
            w = R.matmul(x, A)
            y = R.matmul(w, B)
            R.output(y)
        return y

    @R.function
    def dyn(x: R.Tensor((16,), "float32"), A: R.Tensor((16, "r"), "float32"), B: R.Tensor(("r", 32), "float32")):
        with R.dataflow():
            w = R.matmul(A, B)
            y = R.matmul(x, w)
            R.output(y)
        return y

    @R.function
    def dynmat(x: R.Tensor(("m", 16), "float32"), A: R.Tensor((16, "r"), "float32"), B: R.Tensor(("r", 32), "float32")):
        with R.dataflow():
            w = R.matmul(A, B)
            y = R.matmul(x, w)
            R.output(y)
        return y

    @R.function
    def stay(x: R.Tensor((64, 16), "float32"), A: R.Tensor((16, 2), "float32"), B: R.Tensor((2, 2), "float32")):
        with R.dataflow():
            w = R.matmul(A, B)
            y = R.matmul(x, w)
            R.output(y)
        return y

    @R.function
    def perm(x: R.Tensor((1, 16), "float32"), A: R.Tensor((2, 16), "float32"), B: R.Tensor((32, 2), "float32")):
        with R.dataflow():
            w = R.matmul(B, A)
            wt = R.permute_dims(w)
            y = R.matmul(x, wt)
            R.output(y)
        return y

    @R.function
    def weights(x: R.Tensor((1, 16), "float32"), A: R.Tensor((16, 2), "float32"), B: R.Tensor((2, 32), "float32")):
        R.func_attr({"num_input": 1})
        with R.dataflow():
            w = R.matmul(A, B)
            y = R.matmul(x, w)
            R.output(y)
        return y

    @R.function
    def weights2(x: R.Tensor((64, 16), "float32"), A: R.Tensor((16, 2), "float32"), B: R.Tensor((2, 2), "float32")):
        R.func_attr({"num_input": 1})
        with R.dataflow():
            w = R.matmul(x, A)
            y = R.matmul(w, B)
            R.output(y)
        return y

    @R.function
    def batched(x: R.Tensor((5, 1, 16), "float32"), A: R.Tensor((5, 16, 2), "float32"), B: R.Tensor((5, 2, 32), "float32")):
        with R.dataflow():
            w = R.matmul(A, B)
            y = R.matmul(x, w)
            R.output(y)
        return y

    @R.function
    def batched2(x: R.Tensor((1, 16), "float32"), A: R.Tensor((5, 16, 2), "float32"), B: R.Tensor((2, 32), "float32")):
        with R.dataflow():
            w = R.matmul(A, B)
            y = R.matmul(x, w)
            R.output(y)
        return y

# after
# from tvm.script import ir as I
# from tvm.script import tir as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def batched(x: R.Tensor((5, 1, 16), dtype="float32"), A: R.Tensor((5, 16, 2), dtype="float32"), B: R.Tensor((5, 2, 32), dtype="float32")) -> R.Tensor((5, 1, 32), dtype="float32"):
        with R.dataflow():
            lv: R.Tensor((5, 1, 2), dtype="float32") = R.matmul(x, A, out_dtype="void")
            y: R.Tensor((5, 1, 32), dtype="float32") = R.matmul(lv, B, out_dtype="void")
            R.output(y)
        return y

    @R.function
    def batched2(x: R.Tensor((1, 16), dtype="float32"), A: R.Tensor((5, 16, 2), dtype="float32"), B: R.Tensor((2, 32), dtype="float32")) -> R.Tensor((5, 1, 32), dtype="float32"):
        with R.dataflow():
            lv: R.Tensor((5, 1, 2), dtype="float32") = R.matmul(x, A, out_dtype="void")
            y: R.Tensor((5, 1, 32), dtype="float32") = R.matmul(lv, B, out_dtype="void")
            R.output(y)
        return y

    @R.function
    def dyn(x: R.Tensor((16,), dtype="float32"), A: R.Tensor((16, "r"), dtype="float32"), B: R.Tensor(("r", 32), dtype="float32")) -> R.Tensor((32,), dtype="float32"):
        r = T.int64()
        with R.dataflow():
            lv: R.Tensor((r,), dtype="float32") = R.matmul(x, A, out_dtype="void")
            y: R.Tensor((32,), dtype="float32") = R.matmul(lv, B, out_dtype="void")
            R.output(y)
        return y

    @R.function
    def dynmat(x: R.Tensor(("m", 16), dtype="float32"), A: R.Tensor((16, "r"), dtype="float32"), B: R.Tensor(("r", 32), dtype="float32")) -> R.Tensor(("m", 32), dtype="float32"):
        m = T.int64()
        r = T.int64()
        with R.dataflow():
            w: R.Tensor((16, 32), dtype="float32") = R.matmul(A, B, out_dtype="void")
            y: R.Tensor((m, 32), dtype="float32") = R.matmul(x, w, out_dtype="void")
            R.output(y)
        return y

    @R.function
    def lhs(x: R.Tensor((1, 16), dtype="float32"), A: R.Tensor((16, 2), dtype="float32"), B: R.Tensor((2, 32), dtype="float32")) -> R.Tensor((1, 32), dtype="float32"):
        with R.dataflow():
            lv: R.Tensor((1, 2), dtype="float32") = R.matmul(x, A, out_dtype="void")
            y: R.Tensor((1, 32), dtype="float32") = R.matmul(lv, B, out_dtype="void")
            R.output(y)
        return y

    @R.function
    def perm(x: R.Tensor((1, 16), dtype="float32"), A: R.Tensor((2, 16), dtype="float32"), B: R.Tensor((32, 2), dtype="float32")) -> R.Tensor((1, 32), dtype="float32"):
        with R.dataflow():
            w: R.Tensor((32, 16), dtype="float32") = R.matmul(B, A, out_dtype="void")
            wt: R.Tensor((16, 32), dtype="float32") = R.permute_dims(w, axes=None)
            y: R.Tensor((1, 32), dtype="float32") = R.matmul(x, wt, out_dtype="void")
            R.output(y)
        return y

    @R.function
    def rhs(x: R.Tensor((16, 2), dtype="float32"), A: R.Tensor((2, 32), dtype="float32"), B: R.Tensor((32, 1), dtype="float32")) -> R.Tensor((16, 1), dtype="float32"):
        with R.dataflow():
            lv: R.Tensor((2, 1), dtype="float32") = R.matmul(A, B, out_dtype="void")
            y: R.Tensor((16, 1), dtype="float32") = R.matmul(x, lv, out_dtype="void")
            R.output(y)
        return y

    @R.function
    def stay(x: R.Tensor((64, 16), dtype="float32"), A: R.Tensor((16, 2), dtype="float32"), B: R.Tensor((2, 2), dtype="float32")) -> R.Tensor((64, 2), dtype="float32"):
        with R.dataflow():
            w: R.Tensor((16, 2), dtype="float32") = R.matmul(A, B, out_dtype="void")
            y: R.Tensor((64, 2), dtype="float32") = R.matmul(x, w, out_dtype="void")
            R.output(y)
        return y

    @R.function
    def weights(x: R.Tensor((1, 16), dtype="float32"), A: R.Tensor((16, 2), dtype="float32"), B: R.Tensor((2, 32), dtype="float32")) -> R.Tensor((1, 32), dtype="float32"):
        R.func_attr({"num_input": 1})
        with R.dataflow():
            w: R.Tensor((16, 32), dtype="float32") = R.matmul(A, B, out_dtype="void")
            y: R.Tensor((1, 32), dtype="float32") = R.matmul(x, w, out_dtype="void")
            R.output(y)
        return y

    @R.function
    def weights2(x: R.Tensor((64, 16), dtype="float32"), A: R.Tensor((16, 2), dtype="float32"), B: R.Tensor((2, 2), dtype="float32")) -> R.Tensor((64, 2), dtype="float32"):
        R.func_attr({"num_input": 1})
        with R.dataflow():
            lv: R.Tensor((16, 2), dtype="float32") = R.matmul(A, B, out_dtype="void")
            y: R.Tensor((64, 2), dtype="float32") = R.matmul(x, lv, out_dtype="void")
            R.output(y)
        return y
