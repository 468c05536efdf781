"""Products of matrices of signs."""


def signs():
    def bits(x):
        return (x.reshape(len(x), 2, 32) >= 0).astype("uint32") @ (1 << np.arange(31, -1, -1)).astype("uint32")

    yield "pack", "x:float32[n,64]", topi.nn.binarize_pack, bits
    yield "dense", "x:uint32[n,2]{0:4000000000} w:uint32[3,2]{0:4000000000}", topi.nn.binary_dense, lambda x, w: 64 - 2 * np.array([[sum(int(a).bit_count() for a in p ^ q) for q in w] for p in x], "float32").reshape(len(x), 3)
