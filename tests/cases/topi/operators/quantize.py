"""Simulated quantization."""

#: where the text differs from TVM's
DIFFERENT = {
    f"{family}.{name}": "TVM has a compute for each dtype, and reads the number of channels from a tensor"
    for family in ("quantize", "dequantize")
    for name in ("channels", "first_axis", "all", "plain")
}
LIMITS = {1: (-128, 127), 2: (0, 255), 3: (-(2**31), 2**31 - 1)}


def _quantize(x, kind, scale, zero):
    return np.clip(np.sign(x) * np.floor(abs(x / scale) + 0.5) + zero, *LIMITS[int(kind)]).astype("float32") if kind else x


def quantize():
    call = lambda *a: lambda x, d, s, z: topi.nn.simulated_quantize(x, d, s, z, *a)
    yield "channels", "x:float32[n,4]{-200:200} d:int32[]{0:4} s:float32[4]{0.5:2} z:int32[4]{-9:9}", call(1), _quantize
    yield "first_axis", "x:float32[4,n]{-200:200} d:int32[]{1:4} s:float32[4]{0.5:2} z:int32[4]{-9:9}", call(0), lambda x, d, s, z: _quantize(x, d, s[:, None], z[:, None])
    yield "all", "x:float32[n,4]{-200:200} d:int32[]{1:3} s:float32[]{0.5:2} z:int32[]{-9:9}", call(), _quantize
    yield "plain", "x:float32[n,4]{-200:200} d:int32[]{1:3}", lambda x, d: topi.nn.simulated_quantize(x, d), lambda x, d: _quantize(x, d, np.float32(1), 0)


def dequantize():
    call = lambda *a: lambda x, d, s, z: topi.nn.simulated_dequantize(x, d, s, z, *a)
    wanted = lambda x, d, s, z: (x - z) * s if d else x
    yield "channels", "x:float32[n,4]{-99:99} d:int32[]{0:4} s:float32[4]{0.5:2} z:int32[4]{-9:9}", call(1), wanted
    yield "first_axis", "x:float32[4,n]{-99:99} d:int32[]{1:4} s:float32[4]{0.5:2} z:int32[4]{-9:9}", call(0), lambda x, d, s, z: wanted(x, d, s[:, None], z[:, None])
    yield "all", "x:float32[n,4]{-99:99} d:int32[]{1:3} s:float32[]{0.5:2} z:int32[]{-9:9}", call(), wanted
    yield "plain", "x:float32[n,4]{-99:99} d:int32[]{0:1}", lambda x, d: topi.nn.simulated_dequantize(x, d), lambda x, d: x
