"""Normalisations."""

#: where the text differs from TVM's
DIFFERENT = {
    "norms.instance_norm": "TVM takes gamma of the rank of the axes",
    **dict.fromkeys(["norms.l2_normalize", "norms.l2_normalize_all"], "TVM has none"),
}


def norms():
    var = lambda x, axes: x.var(axes, keepdims=True)
    mean = lambda x, axes: x.mean(axes, keepdims=True)
    norm = lambda x, axes: (x - mean(x, axes)) / np.sqrt(var(x, axes) + 1e-5)
    yield "layer_norm", "x:float32[n,m,4] g:float32[4] b:float32[4]", lambda x, g, b: topi.nn.layer_norm(x, g, b, [2]), lambda x, g, b: norm(x, 2) * g + b, {"rtol": 1e-3}
    yield "layer_norm_two", "x:float32[n,3,4] g:float32[3,4] b:float32[3,4]", lambda x, g, b: topi.nn.layer_norm(x, g, b, [1, 2]), lambda x, g, b: norm(x, (1, 2)) * g + b, {"rtol": 1e-3}
    yield "layer_norm_half", "x:float16[n,4] g:float16[4] b:float16[4]", lambda x, g, b: topi.nn.layer_norm(x, g, b, [1]), lambda x, g, b: norm(x.astype("float32"), 1) * g + b, {"rtol": 1e-2}
    yield "layer_norm_no_bias", "x:float32[n,4] g:float32[4]", lambda x, g: topi.nn.layer_norm(x, g, None, [1]), lambda x, g: norm(x, 1) * g, {"rtol": 1e-3}
    yield "rms_norm", "x:float32[n,m,4] w:float32[4]", lambda x, w: topi.nn.rms_norm(x, w, [2]), lambda x, w: x / np.sqrt((x * x).mean(2, keepdims=True) + 1e-5) * w
    yield "rms_norm_half", "x:float16[n,4] w:float16[4]", lambda x, w: topi.nn.rms_norm(x, w, [1]), lambda x, w: x / np.sqrt((x.astype("float32") ** 2).mean(1, keepdims=True) + 1e-5) * w, {"rtol": 1e-2}
    yield "group_norm", "x:float32[2,4,3,5] g:float32[4] b:float32[4]", lambda x, g, b: topi.nn.group_norm(x, g, b, 2, 1, [2, 3]), lambda x, g, b: topi.testing.group_norm_python(x, g, b, 2, 1, (2, 3)), {"rtol": 1e-3}
    yield "group_norm_symbol", "x:float32[n,4,m,5] g:float32[4] b:float32[4]", lambda x, g, b: topi.nn.group_norm(x, g, b, 4, 1, [2, 3]), lambda x, g, b: topi.testing.group_norm_python(x, g, b, 4, 1, (2, 3)), {"rtol": 1e-3}
    yield "instance_norm", "x:float32[2,3,4,5] g:float32[3] b:float32[3]", lambda x, g, b: topi.nn.instance_norm(x, g, b, [2, 3]), lambda x, g, b: topi.testing.instance_norm_python(x, g, b, (2, 3)), {"rtol": 1e-3}
    yield "instance_norm_axes", "x:float32[2,3,4,5] g:float32[4,5] b:float32[4,5]", lambda x, g, b: topi.nn.instance_norm(x, g, b, [2, 3]), lambda x, g, b: topi.testing.instance_norm_python(x, g, b, (2, 3)), {"rtol": 1e-3}
    yield "instance_norm_axis", "x:float32[n,4,5] g:float32[5] b:float32[5]", lambda x, g, b: topi.nn.instance_norm(x, g, b, [2]), lambda x, g, b: topi.testing.instance_norm_python(x, g, b, (2,)), {"rtol": 1e-3}
    yield "lrn", "x:float32[2,6,3,3]", lambda x: topi.nn.lrn(x, 3, 1, 1e-4, 0.75, 2), lambda x: topi.testing.lrn_python(x, 3, 1, 2, 1e-4, 0.75)
    yield "l2_normalize", "x:float32[n,3,4]", lambda x: topi.nn.l2_normalize(x, 1e-3, [1]), lambda x: topi.testing.l2_normalize_python(x, 1e-3, 1)
    yield "l2_normalize_all", "x:float32[m,4]", lambda x: topi.nn.l2_normalize(x, 1e-3), lambda x: topi.testing.l2_normalize_python(x, 1e-3)
    yield "batch_norm", "x:float32[n,3,4,4] g:float32[3] b:float32[3] mean:float32[3] var:float32[3]{0.5:2}", lambda x, g, b, mean, var: topi.nn.batch_norm(x, g, b, mean, var, training=False), lambda *a: topi.testing.batch_norm(*a, 1, 1e-5, True, True, False, 0.1)
    yield "batch_norm_training", "x:float32[2,3,4,4] g:float32[3] b:float32[3] mean:float32[3] var:float32[3]{0.5:2}", lambda x, g, b, mean, var: topi.nn.batch_norm(x, g, b, mean, var, training=True), lambda *a: topi.testing.batch_norm(*a, 1, 1e-5, True, True, True, 0.1), {"rtol": 1e-3}
    yield "nll_loss", "p:float32[m,3] t:int32[m]{0:3} w:float32[3]{0.5:2}", lambda p, t, w: topi.nn.nll_loss(p, t, w, "mean", -1), lambda p, t, w: topi.testing.nll_loss(p, t, w, "mean", -1)
    yield "nll_loss_none", "p:float32[m,3] t:int32[m]{0:3} w:float32[3]{0.5:2}", lambda p, t, w: topi.nn.nll_loss(p, t, w, "none", -1), lambda p, t, w: topi.testing.nll_loss(p, t, w, "none", -1)
    yield "nll_loss_sum", "p:float32[m,3,4] t:int32[m,4]{0:3} w:float32[3]{0.5:2}", lambda p, t, w: topi.nn.nll_loss(p, t, w, "sum", 1), lambda p, t, w: topi.testing.nll_loss(p, t, w, "sum", 1)
