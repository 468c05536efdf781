"""Softmax."""


def _softmax(x, axis=-1):
    e = np.exp(x - x.max(axis, keepdims=True))
    return e / e.sum(axis, keepdims=True)


def softmax():
    for axis in (-1, 0, 1):
        yield f"softmax_{axis}", "x:float32[m,3,4]", lambda x, axis=axis: topi.nn.softmax(x, axis), lambda x, axis=axis: _softmax(x, axis)
        yield f"log_softmax_{axis}", "x:float32[m,3,4]", lambda x, axis=axis: topi.nn.log_softmax(x, axis), lambda x, axis=axis: np.log(_softmax(x, axis))
    yield "fast_softmax", "x:float32[n,4]", topi.nn.fast_softmax, _softmax, {"rtol": 1e-3}
    yield "softmax_half", "x:float16[n,4]", topi.nn.softmax, _softmax, {"rtol": 1e-2}
