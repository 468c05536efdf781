"""Recurrences; TVM has no function of blocks for them, so the lowered schedules are compared."""


#: where the text differs from TVM's
DIFFERENT = dict.fromkeys(["lstm.plain", "lstm.biases", "lstm.peepholes", "lstm.projection"], "TVM has a gate and its activation in one stage")


def _lstm(*args, **options):
    return list(topi.testing.lstm_python(*args, **options))


_OPTIONS = {"scheduled": True, "rtol": 1e-4}


def lstm():
    weights = "x:float32[3,2,4] wi:float32[20,4] wh:float32[20,5]"
    yield "plain", weights, lambda x, wi, wh: topi.nn.lstm(x, wi, wh), lambda *a: _lstm(*a), _OPTIONS
    yield "biases", f"{weights} bi:float32[20] bh:float32[20] h:float32[2,5] c:float32[2,5]", lambda *a: topi.nn.lstm(*a, weight_layout="FIGO"), lambda *a: _lstm(*a, weight_layout="FIGO"), _OPTIONS
    yield "peepholes", f"{weights} pi:float32[2,5] pf:float32[2,5] po:float32[2,5]", lambda x, wi, wh, pi, pf, po: topi.nn.lstm(x, wi, wh, p_i=pi, p_f=pf, p_o=po, reverse=True), lambda x, wi, wh, pi, pf, po: _lstm(x, wi, wh, p_i=pi, p_f=pf, p_o=po, reverse=True), _OPTIONS
    yield "projection", "x:float32[3,2,4] wi:float32[20,4] wh:float32[20,3] p:float32[3,5]", lambda x, wi, wh, p: topi.nn.lstm(x, wi, wh, proj=p), lambda x, wi, wh, p: _lstm(x, wi, wh, proj=p), _OPTIONS
