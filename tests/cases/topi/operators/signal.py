"""Fourier transforms."""

#: where the text differs from TVM's
DIFFERENT = {
    "windows.stft": "TVM allocates two variables that it does not use",
    "windows.stft_normalized": "TVM allocates two variables that it does not use",
}


def transforms():
    parts = lambda z: [z.real.astype("float32"), z.imag.astype("float32")]
    yield "dft", "x:float32[n,8] y:float32[n,8]", lambda x, y: topi.dft(x, y, tvm.tir.IntImm("int32", 0)), lambda x, y: parts(np.fft.fft(x + 1j * y)), {"rtol": 1e-4}
    yield "dft_inverse", "x:float32[2,m,4] y:float32[2,m,4]", lambda x, y: topi.dft(x, y, tvm.tir.IntImm("int32", 1)), lambda x, y: parts(np.fft.ifft(x + 1j * y)), {"rtol": 1e-4}


def _stft(x, w, n_fft, hop, onesided, scale=1.0):
    frames = np.lib.stride_tricks.sliding_window_view(x, len(w), 1)[:, ::hop] * w
    z = (np.fft.rfft(frames, n_fft) if onesided else np.fft.fft(frames, n_fft)) * scale
    return np.stack([z.real, z.imag], -1).transpose(0, 2, 1, 3).astype("float32")


def windows():
    yield "stft", "x:float32[2,16] w:float32[4]", lambda x, w: topi.stft(x, 4, 2, 4, w, False, True, [2, 3, 7, 2]), lambda x, w: _stft(x, w, 4, 2, True), {"rtol": 1e-4}
    yield "stft_normalized", "x:float32[3,16] w:float32[4]", lambda x, w: topi.stft(x, 4, 3, 4, w, True, False, [3, 4, 5, 2]), lambda x, w: _stft(x, w, 4, 3, False, 0.5), {"rtol": 1e-4}
