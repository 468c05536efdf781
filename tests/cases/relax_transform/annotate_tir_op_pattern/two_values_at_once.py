# pass: relax.AnnotateTIROpPattern
# a reduction of two values is one store
@I.ir_module
class Module:
    @T.prim_func(private=True)
    def layer_norm(x: T.Buffer((T.int64(2), T.int64(4)), "float32"), g: T.Buffer((T.int64(4),), "float32"), b: T.Buffer((T.int64(4),), "float32"), T_layer_norm: T.Buffer((T.int64(2), T.int64(4)), "float32")):
        T.func_attr({"tir.noalias": T.bool(True)})
        # with T.block("root"):
        x_red_temp_v0 = T.alloc_buffer((T.int64(2),))
        x_red_temp_v1 = T.alloc_buffer((T.int64(2),))
        for ax0, k1 in T.grid(T.int64(2), T.int64(4)):
            with T.block("x_red_temp"):
                v_ax0, v_k1 = T.axis.remap("SR", [ax0, k1])
                T.reads(x[v_ax0, v_k1])
                T.writes(x_red_temp_v0[v_ax0], x_red_temp_v1[v_ax0])
                with T.init():
                    x_red_temp_v0[v_ax0] = T.float32(0)
                    x_red_temp_v1[v_ax0] = T.float32(0)
                v_x_red_temp_v0: T.float32 = x_red_temp_v0[v_ax0] + x[v_ax0, v_k1]
                v_x_red_temp_v1: T.float32 = x_red_temp_v1[v_ax0] + x[v_ax0, v_k1] * x[v_ax0, v_k1]
                x_red_temp_v0[v_ax0] = v_x_red_temp_v0
                x_red_temp_v1[v_ax0] = v_x_red_temp_v1
        for ax0, ax1 in T.grid(T.int64(2), T.int64(4)):
            with T.block("T_layer_norm"):
                v_ax0, v_ax1 = T.axis.remap("SS", [ax0, ax1])
                T.reads(x[v_ax0, v_ax1], x_red_temp_v0[v_ax0], x_red_temp_v1[v_ax0], g[v_ax1], b[v_ax1])
                T.writes(T_layer_norm[v_ax0, v_ax1])
                T_layer_norm[v_ax0, v_ax1] = (x[v_ax0, v_ax1] - x_red_temp_v0[v_ax0] * T.float32(0.25)) * T.rsqrt(x_red_temp_v1[v_ax0] * T.float32(0.25) - x_red_temp_v0[v_ax0] * T.float32(0.25) * (x_red_temp_v0[v_ax0] * T.float32(0.25)) + T.float32(1.0000000000000001e-05)) * g[v_ax1] + b[v_ax1]

    @R.function
    def main(x: R.Tensor((2, 4), dtype="float32"), g: R.Tensor((4,), dtype="float32"), b: R.Tensor((4,), dtype="float32")) -> R.Tensor((2, 4), dtype="float32"):
        cls = Module
        a = R.call_tir(cls.layer_norm, (x, g, b), out_sinfo=R.Tensor((2, 4), dtype="float32"))
        return a

# after
# from tvm.script import ir as I
# from tvm.script import tir as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @T.prim_func(private=True)
    def layer_norm(x: T.Buffer((T.int64(2), T.int64(4)), "float32"), g: T.Buffer((T.int64(4),), "float32"), b: T.Buffer((T.int64(4),), "float32"), T_layer_norm: T.Buffer((T.int64(2), T.int64(4)), "float32")):
        T.func_attr({"op_pattern": 4, "tir.noalias": T.bool(True)})
        # with T.block("root"):
        x_red_temp_v0 = T.alloc_buffer((T.int64(2),))
        x_red_temp_v1 = T.alloc_buffer((T.int64(2),))
        for ax0, k1 in T.grid(T.int64(2), T.int64(4)):
            with T.block("x_red_temp"):
                v_ax0, v_k1 = T.axis.remap("SR", [ax0, k1])
                T.reads(x[v_ax0, v_k1])
                T.writes(x_red_temp_v0[v_ax0], x_red_temp_v1[v_ax0])
                with T.init():
                    x_red_temp_v0[v_ax0] = T.float32(0)
                    x_red_temp_v1[v_ax0] = T.float32(0)
                v_x_red_temp_v0: T.float32 = x_red_temp_v0[v_ax0] + x[v_ax0, v_k1]
                v_x_red_temp_v1: T.float32 = x_red_temp_v1[v_ax0] + x[v_ax0, v_k1] * x[v_ax0, v_k1]
                x_red_temp_v0[v_ax0] = v_x_red_temp_v0
                x_red_temp_v1[v_ax0] = v_x_red_temp_v1
        for ax0, ax1 in T.grid(T.int64(2), T.int64(4)):
            with T.block("T_layer_norm"):
                v_ax0, v_ax1 = T.axis.remap("SS", [ax0, ax1])
                T.reads(x[v_ax0, v_ax1], x_red_temp_v0[v_ax0], x_red_temp_v1[v_ax0], g[v_ax1], b[v_ax1])
                T.writes(T_layer_norm[v_ax0, v_ax1])
                T_layer_norm[v_ax0, v_ax1] = (x[v_ax0, v_ax1] - x_red_temp_v0[v_ax0] * T.float32(0.25)) * T.rsqrt(x_red_temp_v1[v_ax0] * T.float32(0.25) - x_red_temp_v0[v_ax0] * T.float32(0.25) * (x_red_temp_v0[v_ax0] * T.float32(0.25)) + T.float32(1.0000000000000001e-05)) * g[v_ax1] + b[v_ax1]

    @R.function
    def main(x: R.Tensor((2, 4), dtype="float32"), g: R.Tensor((4,), dtype="float32"), b: R.Tensor((4,), dtype="float32")) -> R.Tensor((2, 4), dtype="float32"):
        cls = Module
        a = R.call_tir(cls.layer_norm, (x, g, b), out_sinfo=R.Tensor((2, 4), dtype="float32"))
        return a
