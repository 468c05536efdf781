"""Random numbers: the bits are those of TVM's Threefry, in Python's integers."""

_KERNEL = "TVM writes the rounds into buffers, in 1,500 statements"
#: where the text differs from TVM's
DIFFERENT = {
    **{f"bits.{name}": _KERNEL for name in ("generate", "generate_rest", "generate_matrix", "overflow", "overflow_path", "split", "split_path")},
    **{f"numbers.{name}": _KERNEL for name in ("uniform", "uniform_double", "normal", "normal_double", "multinomial", "multinomial_rows")},
}
_MASK = 2**64 - 1
_ROTATIONS = ((14, 16), (52, 57), (23, 40), (5, 37), (25, 33), (46, 12), (58, 22), (32, 32))


def _encrypt(key, block):
    """Threefry-4x64 of 20 rounds, without the last injection, with the second word added once more."""
    keys = [*key, 0x1BD11BDAA9FC1A22 ^ key[0] ^ key[1] ^ key[2] ^ key[3]]
    x = list(block)
    for number in range(20):
        if number % 4 == 0:
            x = [(word + keys[(n + number // 4) % 5]) & _MASK for n, word in enumerate(x)]
            x[3] = (x[3] + number // 4) & _MASK
        for pair, bits in enumerate(_ROTATIONS[number % 8]):
            low, high = x[2 * pair : 2 * pair + 2]
            low = (low + high) & _MASK
            x[2 * pair : 2 * pair + 2] = low, ((low + high) & _MASK) ^ ((high << bits | high >> 64 - bits) & _MASK)
        x = [x[0], x[3], x[2], x[1]]
    return x


def _path(state):
    return [state[8] >> 1, (1 << 63) if state[8] == 1 else 0]


def _generate(gen, shape):
    size = int(np.prod(shape))
    state = [int(word) for word in gen]
    if state[7] >= _MASK - size:
        if state[8] == 0:
            state = [*_encrypt(state[:4], [_MASK, _MASK, 0, 0]), 0, 0, 0, 0, 1 << 63, 0]
        else:
            state = [*state[:4], state[4] | state[8], state[5] | state[9], 0, 0, *_path(state)]
    words = [word for block in range((size + 3) // 4) for word in _encrypt(state[:4], [(c + block) & _MASK for c in state[4:8]])]
    after = [*state[:6], 0, state[7] + size, *state[8:]]
    return [np.array(after, "uint64"), np.array(words[:size], "uint64").reshape(shape)]


def _split(gen):
    state = [int(word) for word in gen]
    if state[8] == 0:
        key = _encrypt(state[:4], state[4:8])
        left, right = [*key, 0, 0, 0, 0, 1 << 62, 0], [*key, 1 << 63, 0, 0, 0, 1 << 62, 0]
    else:
        left = [*state[:8], *_path(state)]
        right = [*state[:4], state[4] | state[8], state[5] | state[9], *state[6:8], *_path(state)]
    return [np.array(left, "uint64"), np.array(right, "uint64")]


def _unit(bits, dtype):
    """Numbers from 0 to 1 of the lowest bits of words, or of the highest."""
    if dtype == "float32":
        return ((bits & np.uint64(2**32 - 1)) >> np.uint64(9)).astype("float32") * np.float32(2**-23)
    return (bits >> np.uint64(12)).astype("float64") * 2.0**-52


def _uniform(gen, low, high, shape, dtype):
    after, bits = _generate(gen, shape)
    return [after, (_unit(bits, dtype) * (high - low).astype(dtype) + low.astype(dtype)).astype(dtype)]


def _normal(gen, mean, scale, shape, dtype):
    after, bits = _generate(gen, (2, *shape))
    first, second = _unit(bits, dtype)
    return [after, (np.sqrt(-2 * np.log(1 - first)) * np.sin(2 * np.pi * second) * scale + mean).astype(dtype)]


def _multinomial(gen, weights, count):
    after, bits = _generate(gen, (*weights.shape[:-1], count))
    ends = np.cumsum(np.maximum(weights, 0), -1) / np.maximum(weights, 0).sum(-1, keepdims=True)
    return [after, (ends[..., None, :] <= _unit(bits, "float32")[..., None]).sum(-1).astype("int32")]


def _at_end(gen):
    """A generator whose counter is at its end."""
    return te.compute((10,), lambda i: tir.if_then_else(i == 7, tir.const(0, "uint64") - tir.const(3, "uint64"), gen[i]), name="end")


def _set_end(gen):
    gen = gen.copy()
    gen[7] = 2**64 - 3
    return gen


def bits():
    random, gen = topi.random, "gen:uint64[10]{0:1000000}"
    yield "generate", gen, lambda g: random.threefry_generate(g, (8,)), lambda g: _generate(g, (8,))
    yield "generate_rest", gen, lambda g: random.threefry_generate(g, (5,)), lambda g: _generate(g, (5,))
    yield "generate_matrix", gen, lambda g: random.threefry_generate(g, (3, 4)), lambda g: _generate(g, (3, 4))
    yield "overflow", "gen:uint64[10]{0:1}", lambda g: random.threefry_generate(_at_end(g), (8,)), lambda g: _generate(_set_end(g), (8,))
    yield "overflow_path", "gen:uint64[10]{1:3}", lambda g: random.threefry_generate(_at_end(g), (8,)), lambda g: _generate(_set_end(g), (8,))
    yield "split", "gen:uint64[10]{0:1}", random.threefry_split, _split
    yield "split_path", gen, random.threefry_split, _split


def numbers():
    random, gen = topi.random, "gen:uint64[10]{0:1000000}"
    bounds = f"{gen} a:float32[]{{-2:-1}} b:float32[]{{1:3}}"
    double = bounds.replace("float32", "float64")
    yield "uniform", bounds, lambda g, a, b: random.uniform(g, a, b, (3, 4), "float32"), lambda g, a, b: _uniform(g, a, b, (3, 4), "float32")
    yield "uniform_double", double, lambda g, a, b: random.uniform(g, a, b, (3, 4), "float64"), lambda g, a, b: _uniform(g, a, b, (3, 4), "float64")
    yield "normal", bounds, lambda g, a, b: random.normal(g, a, b, (3, 5), "float32"), lambda g, a, b: _normal(g, a, b, (3, 5), "float32"), {"rtol": 1e-4}
    yield "normal_double", double, lambda g, a, b: random.normal(g, a, b, (4,), "float64"), lambda g, a, b: _normal(g, a, b, (4,), "float64"), {"rtol": 1e-9}
    yield "multinomial", f"{gen} w:float32[5]{{-1:3}}", lambda g, w: random.multinomial(g, w, 20), lambda g, w: _multinomial(g, w, 20)
    yield "multinomial_rows", f"{gen} w:float32[2,5]{{0:3}}", lambda g, w: random.multinomial(g, w, 7), lambda g, w: _multinomial(g, w, 7)
