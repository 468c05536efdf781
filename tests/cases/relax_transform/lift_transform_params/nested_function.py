# pass: relax.LiftTransformParams
# a nested function that uses a weight becomes a closure
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((3, 3), "float32"), w: R.Tensor((3, 3), "float32")) -> R.Tensor((3, 3), "float32"):
        R.func_attr({"num_input": 1})

        @R.function
        def inner(y: R.Tensor((3, 3), "float32"), v: R.Tensor((3, 3), "float32")) -> R.Tensor((3, 3), "float32"):
            with R.dataflow():
                p = R.matmul(y, v)
                z = R.add(p, w)
                R.output(z)
            return z

        with R.dataflow():
            wt = R.permute_dims(w, axes=[1, 0])
            u = inner(x, wt)
            R.output(u)
        return u

# after
# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function(private=True)
    def main_inner(y: R.Tensor((3, 3), dtype="float32"), v: R.Tensor((3, 3), dtype="float32"), w: R.Tensor((3, 3), dtype="float32")) -> R.Tensor((3, 3), dtype="float32"):
        with R.dataflow():
            p: R.Tensor((3, 3), dtype="float32") = R.matmul(y, v, out_dtype="void")
            z: R.Tensor((3, 3), dtype="float32") = R.add(p, w)
            R.output(z)
        return z

    @R.function
    def main_transform_params(model_params: R.Tuple(R.Tensor((3, 3), dtype="float32"))) -> R.Tuple(R.Tensor((3, 3), dtype="float32"), R.Tensor((3, 3), dtype="float32")):
        R.func_attr({"num_input": 0})
        with R.dataflow():
            w: R.Tensor((3, 3), dtype="float32") = model_params[0]
            wt: R.Tensor((3, 3), dtype="float32") = R.permute_dims(w, axes=[1, 0])
            w1: R.Tensor((3, 3), dtype="float32") = model_params[0]
            output_tuple: R.Tuple(R.Tensor((3, 3), dtype="float32"), R.Tensor((3, 3), dtype="float32")) = w1, wt
            R.output(output_tuple)
        return output_tuple

    @R.function
    def main(x: R.Tensor((3, 3), dtype="float32"), w: R.Tensor((3, 3), dtype="float32"), wt: R.Tensor((3, 3), dtype="float32")) -> R.Tensor((3, 3), dtype="float32"):
        R.func_attr({"num_input": 1})
        cls = Module
        inner: R.Object = R.make_closure(cls.main_inner, (w,))
        with R.dataflow():
            u: R.Tensor((3, 3), dtype="float32") = R.invoke_pure_closure(inner, (x, wt), sinfo_args=(R.Tensor((3, 3), dtype="float32"),))
            R.output(u)
        return u
