"""Recurrences; TVM has no function of blocks for them, so the lowered schedules are compared."""


#: where the text differs from TVM's
DIFFERENT = dict.fromkeys(["lstm.plain", "lstm.biases", "lstm.peepholes", "lstm.projection"], "TVM has a gate and its activation in one stage")


def _sigmoid(x):
    return 1 / (1 + np.exp(-x))


def _lstm(x, wi, wh, bi=0, bh=0, h=None, c=None, pi=0, pf=0, po=0, proj=None, order="IFGO", reverse=False):
    steps, batch, _ = x.shape
    cells = len(wi) // 4
    h = np.zeros((batch, wh.shape[1]), "float32") if h is None else h
    c = np.zeros((batch, cells), "float32") if c is None else c
    hidden, cell = [], []
    for step in x[::-1] if reverse else x:
        gates = dict(zip(order, np.split(step @ wi.T + bi + h @ wh.T + bh, 4, axis=1)))
        c = _sigmoid(gates["F"] + pf * c) * c + _sigmoid(gates["I"] + pi * c) * np.tanh(gates["G"])
        h = _sigmoid(gates["O"] + po * c) * np.tanh(c)
        h = h if proj is None else h @ proj.T
        hidden.append(h)
        cell.append(c)
    return [np.stack(hidden).astype("float32"), np.stack(cell).astype("float32")]


_OPTIONS = {"scheduled": True, "rtol": 1e-4}


def lstm():
    weights = "x:float32[3,2,4] wi:float32[20,4] wh:float32[20,5]"
    yield "plain", weights, lambda x, wi, wh: topi.nn.lstm(x, wi, wh), _lstm, _OPTIONS
    yield "biases", f"{weights} bi:float32[20] bh:float32[20] h:float32[2,5] c:float32[2,5]", lambda *a: topi.nn.lstm(*a, weight_layout="FIGO"), lambda *a: _lstm(*a, order="FIGO"), _OPTIONS
    yield "peepholes", f"{weights} pi:float32[2,5] pf:float32[2,5] po:float32[2,5]", lambda x, wi, wh, pi, pf, po: topi.nn.lstm(x, wi, wh, p_i=pi, p_f=pf, p_o=po, reverse=True), lambda x, wi, wh, pi, pf, po: _lstm(x, wi, wh, pi=pi, pf=pf, po=po, reverse=True), _OPTIONS
    yield "projection", "x:float32[3,2,4] wi:float32[20,4] wh:float32[20,3] p:float32[3,5]", lambda x, wi, wh, p: topi.nn.lstm(x, wi, wh, proj=p), lambda x, wi, wh, p: _lstm(x, wi, wh, proj=p), _OPTIONS
