# pass: relax.FastMathTransform
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((4,), "float32")):
        with R.dataflow():
            a = R.exp(x)
            b = R.erf(a)
            c = R.tanh(b)
            d = R.nn.softmax(c)
            e = R.sigmoid(d)
            R.output(e)
        return e

# after
# from tvm.script import ir as I
# from tvm.script import tir as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @T.prim_func(private=True)
    def fast_erf(a: T.Buffer((T.int64(4),), "float32"), T_fast_erf: T.Buffer((T.int64(4),), "float32")):
        T.func_attr({"tir.noalias": T.bool(True)})
        # with T.block("root"):
        for ax0 in range(T.int64(4)):
            with T.block("T_fast_erf"):
                v_ax0 = T.axis.spatial(T.int64(4), ax0)
                T.reads(a[v_ax0])
                T.writes(T_fast_erf[v_ax0])
                T_fast_erf[v_ax0] = T.max(T.min(a[v_ax0], T.float32(4)), T.float32(-4)) * (T.max(T.min(a[v_ax0], T.float32(4)), T.float32(-4)) * T.max(T.min(a[v_ax0], T.float32(4)), T.float32(-4)) * (T.max(T.min(a[v_ax0], T.float32(4)), T.float32(-4)) * T.max(T.min(a[v_ax0], T.float32(4)), T.float32(-4)) * (T.max(T.min(a[v_ax0], T.float32(4)), T.float32(-4)) * T.max(T.min(a[v_ax0], T.float32(4)), T.float32(-4)) * (T.max(T.min(a[v_ax0], T.float32(4)), T.float32(-4)) * T.max(T.min(a[v_ax0], T.float32(4)), T.float32(-4)) * (T.max(T.min(a[v_ax0], T.float32(4)), T.float32(-4)) * T.max(T.min(a[v_ax0], T.float32(4)), T.float32(-4)) * (T.max(T.min(a[v_ax0], T.float32(4)), T.float32(-4)) * T.max(T.min(a[v_ax0], T.float32(4)), T.float32(-4)) * T.float32(-2.7261423674040941e-10) + T.float32(2.7706814620387377e-08)) + T.float32(-2.101023937939317e-06)) + T.float32(-5.6925062381196767e-05)) + T.float32(-0.00073499063728377223)) + T.float32(-0.0029545999132096767)) + T.float32(-0.016096033155918121)) / (T.max(T.min(a[v_ax0], T.float32(4)), T.float32(-4)) * T.max(T.min(a[v_ax0], T.float32(4)), T.float32(-4)) * (T.max(T.min(a[v_ax0], T.float32(4)), T.float32(-4)) * T.max(T.min(a[v_ax0], T.float32(4)), T.float32(-4)) * (T.max(T.min(a[v_ax0], T.float32(4)), T.float32(-4)) * T.max(T.min(a[v_ax0], T.float32(4)), T.float32(-4)) * (T.max(T.min(a[v_ax0], T.float32(4)), T.float32(-4)) * T.max(T.min(a[v_ax0], T.float32(4)), T.float32(-4)) * T.float32(-1.4566071513399947e-05) + T.float32(-0.00021337404905352741)) + T.float32(-0.001682827016338706)) + T.float32(-0.0073733292520046234)) + T.float32(-0.014264739118516445))

    @T.prim_func(private=True)
    def fast_exp(x: T.Buffer((T.int64(4),), "float32"), T_fast_exp: T.Buffer((T.int64(4),), "float32")):
        T.func_attr({"tir.noalias": T.bool(True)})
        # with T.block("root"):
        for ax0 in range(T.int64(4)):
            with T.block("T_fast_exp"):
                v_ax0 = T.axis.spatial(T.int64(4), ax0)
                T.reads(x[v_ax0])
                T.writes(T_fast_exp[v_ax0])
                T_fast_exp[v_ax0] = T.max(T.reinterpret("float32", T.shift_left(T.Cast("int32", T.floor(T.max(T.min(x[v_ax0], T.float32(88.376266479492188)), T.float32(-88.376258850097656)) * T.float32(1.4426950216293335) + T.float32(0.5)) + T.float32(127)), 23)) * ((((((T.float32(0.00019875691214110702) * (T.max(T.min(x[v_ax0], T.float32(88.376266479492188)), T.float32(-88.376258850097656)) - T.floor(T.max(T.min(x[v_ax0], T.float32(88.376266479492188)), T.float32(-88.376258850097656)) * T.float32(1.4426950216293335) + T.float32(0.5)) * T.float32(0.69314718246459961)) + T.float32(0.0013981999363750219)) * (T.max(T.min(x[v_ax0], T.float32(88.376266479492188)), T.float32(-88.376258850097656)) - T.floor(T.max(T.min(x[v_ax0], T.float32(88.376266479492188)), T.float32(-88.376258850097656)) * T.float32(1.4426950216293335) + T.float32(0.5)) * T.float32(0.69314718246459961)) + T.float32(0.008333452045917511)) * (T.max(T.min(x[v_ax0], T.float32(88.376266479492188)), T.float32(-88.376258850097656)) - T.floor(T.max(T.min(x[v_ax0], T.float32(88.376266479492188)), T.float32(-88.376258850097656)) * T.float32(1.4426950216293335) + T.float32(0.5)) * T.float32(0.69314718246459961)) + T.float32(0.041665796190500259)) * (T.max(T.min(x[v_ax0], T.float32(88.376266479492188)), T.float32(-88.376258850097656)) - T.floor(T.max(T.min(x[v_ax0], T.float32(88.376266479492188)), T.float32(-88.376258850097656)) * T.float32(1.4426950216293335) + T.float32(0.5)) * T.float32(0.69314718246459961)) + T.float32(0.1666666567325592)) * (T.max(T.min(x[v_ax0], T.float32(88.376266479492188)), T.float32(-88.376258850097656)) - T.floor(T.max(T.min(x[v_ax0], T.float32(88.376266479492188)), T.float32(-88.376258850097656)) * T.float32(1.4426950216293335) + T.float32(0.5)) * T.float32(0.69314718246459961)) + T.float32(0.5)) * (T.max(T.min(x[v_ax0], T.float32(88.376266479492188)), T.float32(-88.376258850097656)) - T.floor(T.max(T.min(x[v_ax0], T.float32(88.376266479492188)), T.float32(-88.376258850097656)) * T.float32(1.4426950216293335) + T.float32(0.5)) * T.float32(0.69314718246459961)) * (T.max(T.min(x[v_ax0], T.float32(88.376266479492188)), T.float32(-88.376258850097656)) - T.floor(T.max(T.min(x[v_ax0], T.float32(88.376266479492188)), T.float32(-88.376258850097656)) * T.float32(1.4426950216293335) + T.float32(0.5)) * T.float32(0.69314718246459961)) + (T.max(T.min(x[v_ax0], T.float32(88.376266479492188)), T.float32(-88.376258850097656)) - T.floor(T.max(T.min(x[v_ax0], T.float32(88.376266479492188)), T.float32(-88.376258850097656)) * T.float32(1.4426950216293335) + T.float32(0.5)) * T.float32(0.69314718246459961)) + T.float32(1)), x[v_ax0])

    @T.prim_func(private=True)
    def fast_softmax(c: T.Buffer((T.int64(4),), "float32"), T_softmax_norm: T.Buffer((T.int64(4),), "float32")):
        T.func_attr({"tir.noalias": T.bool(True)})
        # with T.block("root"):
        T_softmax_maxelem = T.alloc_buffer(())
        T_softmax_delta = T.alloc_buffer((T.int64(4),))
        T_fast_exp = T.alloc_buffer((T.int64(4),))
        T_softmax_expsum = T.alloc_buffer(())
        for k in range(T.int64(4)):
            with T.block("T_softmax_maxelem"):
                v_k = T.axis.reduce(T.int64(4), k)
                T.reads(c[v_k])
                T.writes(T_softmax_maxelem[()])
                with T.init():
                    T_softmax_maxelem[()] = T.float32(-3.4028234663852886e+38)
                T_softmax_maxelem[()] = T.max(T_softmax_maxelem[()], c[v_k])
        for i0 in range(T.int64(4)):
            with T.block("T_softmax_delta"):
                v_i0 = T.axis.spatial(T.int64(4), i0)
                T.reads(c[v_i0], T_softmax_maxelem[()])
                T.writes(T_softmax_delta[v_i0])
                T_softmax_delta[v_i0] = c[v_i0] - T_softmax_maxelem[()]
        for ax0 in range(T.int64(4)):
            with T.block("T_fast_exp"):
                v_ax0 = T.axis.spatial(T.int64(4), ax0)
                T.reads(T_softmax_delta[v_ax0])
                T.writes(T_fast_exp[v_ax0])
                T_fast_exp[v_ax0] = T.max(T.reinterpret("float32", T.shift_left(T.Cast("int32", T.floor(T.max(T.min(T_softmax_delta[v_ax0], T.float32(88.376266479492188)), T.float32(-88.376258850097656)) * T.float32(1.4426950216293335) + T.float32(0.5)) + T.float32(127)), 23)) * ((((((T.float32(0.00019875691214110702) * (T.max(T.min(T_softmax_delta[v_ax0], T.float32(88.376266479492188)), T.float32(-88.376258850097656)) - T.floor(T.max(T.min(T_softmax_delta[v_ax0], T.float32(88.376266479492188)), T.float32(-88.376258850097656)) * T.float32(1.4426950216293335) + T.float32(0.5)) * T.float32(0.69314718246459961)) + T.float32(0.0013981999363750219)) * (T.max(T.min(T_softmax_delta[v_ax0], T.float32(88.376266479492188)), T.float32(-88.376258850097656)) - T.floor(T.max(T.min(T_softmax_delta[v_ax0], T.float32(88.376266479492188)), T.float32(-88.376258850097656)) * T.float32(1.4426950216293335) + T.float32(0.5)) * T.float32(0.69314718246459961)) + T.float32(0.008333452045917511)) * (T.max(T.min(T_softmax_delta[v_ax0], T.float32(88.376266479492188)), T.float32(-88.376258850097656)) - T.floor(T.max(T.min(T_softmax_delta[v_ax0], T.float32(88.376266479492188)), T.float32(-88.376258850097656)) * T.float32(1.4426950216293335) + T.float32(0.5)) * T.float32(0.69314718246459961)) + T.float32(0.041665796190500259)) * (T.max(T.min(T_softmax_delta[v_ax0], T.float32(88.376266479492188)), T.float32(-88.376258850097656)) - T.floor(T.max(T.min(T_softmax_delta[v_ax0], T.float32(88.376266479492188)), T.float32(-88.376258850097656)) * T.float32(1.4426950216293335) + T.float32(0.5)) * T.float32(0.69314718246459961)) + T.float32(0.1666666567325592)) * (T.max(T.min(T_softmax_delta[v_ax0], T.float32(88.376266479492188)), T.float32(-88.376258850097656)) - T.floor(T.max(T.min(T_softmax_delta[v_ax0], T.float32(88.376266479492188)), T.float32(-88.376258850097656)) * T.float32(1.4426950216293335) + T.float32(0.5)) * T.float32(0.69314718246459961)) + T.float32(0.5)) * (T.max(T.min(T_softmax_delta[v_ax0], T.float32(88.376266479492188)), T.float32(-88.376258850097656)) - T.floor(T.max(T.min(T_softmax_delta[v_ax0], T.float32(88.376266479492188)), T.float32(-88.376258850097656)) * T.float32(1.4426950216293335) + T.float32(0.5)) * T.float32(0.69314718246459961)) * (T.max(T.min(T_softmax_delta[v_ax0], T.float32(88.376266479492188)), T.float32(-88.376258850097656)) - T.floor(T.max(T.min(T_softmax_delta[v_ax0], T.float32(88.376266479492188)), T.float32(-88.376258850097656)) * T.float32(1.4426950216293335) + T.float32(0.5)) * T.float32(0.69314718246459961)) + (T.max(T.min(T_softmax_delta[v_ax0], T.float32(88.376266479492188)), T.float32(-88.376258850097656)) - T.floor(T.max(T.min(T_softmax_delta[v_ax0], T.float32(88.376266479492188)), T.float32(-88.376258850097656)) * T.float32(1.4426950216293335) + T.float32(0.5)) * T.float32(0.69314718246459961)) + T.float32(1)), T_softmax_delta[v_ax0])
        for k in range(T.int64(4)):
            with T.block("T_softmax_expsum"):
                v_k = T.axis.reduce(T.int64(4), k)
                T.reads(T_fast_exp[v_k])
                T.writes(T_softmax_expsum[()])
                with T.init():
                    T_softmax_expsum[()] = T.float32(0)
                T_softmax_expsum[()] = T_softmax_expsum[()] + T_fast_exp[v_k]
        for i0 in range(T.int64(4)):
            with T.block("T_softmax_norm"):
                v_i0 = T.axis.spatial(T.int64(4), i0)
                T.reads(T_fast_exp[v_i0], T_softmax_expsum[()])
                T.writes(T_softmax_norm[v_i0])
                T.block_attr({"axis": 0})
                T_softmax_norm[v_i0] = T_fast_exp[v_i0] / T_softmax_expsum[()]

    @T.prim_func(private=True)
    def fast_tanh(b: T.Buffer((T.int64(4),), "float32"), T_fast_tanh: T.Buffer((T.int64(4),), "float32")):
        T.func_attr({"tir.noalias": T.bool(True)})
        # with T.block("root"):
        T_minimum = T.alloc_buffer((T.int64(4),))
        T_maximum = T.alloc_buffer((T.int64(4),))
        for ax0 in range(T.int64(4)):
            with T.block("T_minimum"):
                v_ax0 = T.axis.spatial(T.int64(4), ax0)
                T.reads(b[v_ax0])
                T.writes(T_minimum[v_ax0])
                T_minimum[v_ax0] = T.min(T.float32(9), b[v_ax0])
        for ax0 in range(T.int64(4)):
            with T.block("T_maximum"):
                v_ax0 = T.axis.spatial(T.int64(4), ax0)
                T.reads(T_minimum[v_ax0])
                T.writes(T_maximum[v_ax0])
                T_maximum[v_ax0] = T.max(T.float32(-9), T_minimum[v_ax0])
        for ax0 in range(T.int64(4)):
            with T.block("T_fast_tanh"):
                v_ax0 = T.axis.spatial(T.int64(4), ax0)
                T.reads(T_maximum[v_ax0])
                T.writes(T_fast_tanh[v_ax0])
                T_fast_tanh[v_ax0] = T_maximum[v_ax0] * (T_maximum[v_ax0] * T_maximum[v_ax0] * (T_maximum[v_ax0] * T_maximum[v_ax0] * (T_maximum[v_ax0] * T_maximum[v_ax0] * (T_maximum[v_ax0] * T_maximum[v_ax0] * (T_maximum[v_ax0] * T_maximum[v_ax0] * (T_maximum[v_ax0] * T_maximum[v_ax0] * T.float32(-2.76076847742355e-16) + T.float32(2.0001879048247699e-13)) + T.float32(-8.60467152213735e-11)) + T.float32(5.1222970903711401e-08)) + T.float32(1.4857223571797901e-05)) + T.float32(0.00063726192887543596)) + T.float32(0.0048935245589178597)) / (T_maximum[v_ax0] * T_maximum[v_ax0] * (T_maximum[v_ax0] * T_maximum[v_ax0] * (T_maximum[v_ax0] * T_maximum[v_ax0] * T.float32(1.1982583946670199e-06) + T.float32(0.000118534705686654)) + T.float32(0.0022684346324390002)) + T.float32(0.0048935251855438504))

    @R.function
    def main(x: R.Tensor((4,), dtype="float32")) -> R.Tensor((4,), dtype="float32"):
        cls = Module
        with R.dataflow():
            a = R.call_tir(cls.fast_exp, (x,), out_sinfo=R.Tensor((4,), dtype="float32"))
            b = R.call_tir(cls.fast_erf, (a,), out_sinfo=R.Tensor((4,), dtype="float32"))
            c = R.call_tir(cls.fast_tanh, (b,), out_sinfo=R.Tensor((4,), dtype="float32"))
            d = R.call_tir(cls.fast_softmax, (c,), out_sinfo=R.Tensor((4,), dtype="float32"))
            e: R.Tensor((4,), dtype="float32") = R.sigmoid(d)
            R.output(e)
        return e
