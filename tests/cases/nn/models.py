"""Models for both packages: `models(nn, T)` yields (name, module, spec, options of export_tvm).

They call TVM's names alone, so that one text runs in both. `nn` has the layers that TVM keeps in `nn.modules`.
"""
from __future__ import annotations

from types import SimpleNamespace

F32 = "float32"


def models(nn, T):
    """All models."""
    for family in (elementwise, shapes, reductions, products, norms, creation, kernels, samplers, layers, calls, states):
        yield from family(nn, T)


def method(nn, name, spec, forward, **options):
    """A model whose only method is a function."""
    return name, type("Model", (nn.Module,), {"forward": forward})(), {"forward": spec}, options


def layer(name, module, spec, **options):
    return name, module, {"forward": spec}, options


def elementwise(nn, T):
    op, X = nn.op, nn.spec.Tensor
    binary = (
        ["add", "subtract", "multiply", "divide", "maximum", "minimum", "less", "less_equal", "greater", "greater_equal", "equal", "not_equal"]
    )
    for name in binary:
        spec = {"x": X([2, "n"], F32), "y": X([2, "n"], F32)}
        yield method(nn, name, spec, lambda self, x, y, apply=getattr(op, name): apply(x, y))
    for name in ["relu", "silu", "gelu", "sigmoid", "softmax", "tanh", "exp", "negative", "square", "permute_dims", "triu"]:
        yield method(nn, name, {"x": X([3, 4], F32)}, lambda self, x, apply=getattr(op, name): apply(x))
    x, y = X([2, 3], F32), X([2, 3], F32)
    yield method(nn, "operators", {"x": x, "y": y}, lambda self, x, y: (x + y, x - 1, 2 - x, x * y, 2 * x, x / y, 1 + x))
    yield method(nn, "compare", {"x": x, "y": y}, lambda self, x, y: (x < y, x <= 1.0, x > y, x >= 2))
    yield method(
        nn,
        "methods",
        {"x": x, "y": y},
        lambda self, x, y: (
            x.maximum(0), x.minimum(y), x.astype("float16"), x.reshape(3, 2), x.permute_dims(1, 0), x.repeat(2, 1),
        ),
    )
    yield method(nn, "gelu_tanh", {"x": x}, lambda self, x: op.gelu(x, "tanh"))
    yield method(nn, "astype", {"x": x}, lambda self, x: (op.astype(x, "int32"), op.astype(x, "float32")))
    c, v = X([3], "bool"), X([3], F32)
    yield method(nn, "where", {"c": c, "x": v, "y": v}, lambda self, c, x, y: op.where(c, x, y))
    i = X([3], "int32")
    yield method(nn, "where_int", {"c": i, "x": v, "y": v}, lambda self, c, x, y: op.where(c, x, y))


def shapes(nn, T):
    op, X = nn.op, nn.spec.Tensor
    x, square = X([3, 4], F32), X([4, 9], F32)
    yield method(nn, "unsqueeze", {"x": x}, lambda self, x: op.unsqueeze(x, 1))
    yield method(nn, "squeeze", {"x": X([3, 1], F32)}, lambda self, x: op.squeeze(x))
    yield method(nn, "concat", {"x": x, "y": X([3, 5], F32)}, lambda self, x, y: op.concat([x, y], 1))
    yield method(nn, "chunk", {"x": x}, lambda self, x: op.chunk(x, 2, 1))
    yield method(nn, "split_at", {"x": square}, lambda self, x: op.split(x, [2, 5], 1))
    yield method(nn, "split", {"x": square}, lambda self, x: op.split(x, 3, 1))
    yield method(nn, "broadcast_to", {"x": X([1, 3], F32)}, lambda self, x: op.broadcast_to(x, [2, 3]))
    yield method(nn, "permute_axes", {"x": X([1, 3, 5], F32)}, lambda self, x: op.permute_dims(x, [2, 0, 1]))
    yield method(nn, "permute", {"x": X([1, 3, 5], F32)}, lambda self, x: op.permute(x, [2, 0, 1]))
    yield method(nn, "linear_name", {"linear_x": x}, lambda self, linear_x: op.permute_dims(linear_x))
    sized = {"x": X(["n", 3, 5], F32)}
    yield method(nn, "reshape", sized, lambda self, x: (op.reshape(x, [x.shape[0], 15]), op.reshape(x, [-1, 5])))
    yield method(nn, "repeat", {"x": x}, lambda self, x: (op.repeat(x, 2), op.repeat(x, 2, 1)))
    yield method(nn, "take", {"x": x, "i": X(["m"], "int32")}, lambda self, x, i: op.take(x, i, 0))
    yield method(nn, "pad", {"x": x}, lambda self, x: op.pad(x, [0, 1, 2, 3]))
    image = {"x": X([1, 3, 8, 8], F32)}
    yield method(nn, "interpolate_size", image, lambda self, x: op.interpolate(x, [16, 16]))
    yield method(nn, "interpolate_factor", image, lambda self, x: op.interpolate(x, scale_factor=2, mode="bilinear"))
    yield method(
        nn,
        "interpolate_corners",
        image,
        lambda self, x: op.interpolate(x, scale_factor=[2, 3], mode="bicubic", align_corners=True),
    )


def reductions(nn, T):
    op, X = nn.op, nn.spec.Tensor
    x = X([3, 4], F32)
    yield method(nn, "sum", {"x": x}, lambda self, x: (op.sum(x), op.sum(x, 1), op.sum(x, [0, 1], True)))
    yield method(nn, "cumsum", {"x": x}, lambda self, x: (op.cumsum(x, 1), op.cumsum(x), op.cumsum(x, 0, "float64")))
    yield method(nn, "cumsum_exclusive", {"x": x}, lambda self, x: op.cumsum(x, axis=1, exclusive=False))
    yield method(nn, "sort", {"x": x}, lambda self, x: (op.sort(x), op.argsort(x, 0, True, "int64")))
    yield method(nn, "topk", {"x": x}, lambda self, x: (op.topk(x, 2), op.topk(x, 2, -1, "values")))


def products(nn, T):
    op, X = nn.op, nn.spec.Tensor
    yield method(nn, "matmul", {"x": X(["b", 4], F32), "y": X([4, "k"], F32)}, lambda self, x, y: op.matmul(x, y))
    half = {"x": X(["b", 4], "float16"), "y": X([4, "k"], "float16")}
    yield method(nn, "matmul_dtype", half, lambda self, x, y: op.matmul(x, y, out_dtype="float32"))
    one = {"x": X([1, 3, 32], F32), "w": X([32, 3, 3], F32), "b": X([32], F32)}
    yield method(nn, "conv1d", one, lambda self, x, w, b: op.conv1d(x, w, b))
    grouped = {"x": X([1, 4, 32], F32), "w": X([8, 2, 3], F32)}
    yield method(nn, "conv1d_options", grouped, lambda self, x, w: op.conv1d(x, w, None, 2, 1, 2, 2))
    two = {"x": X([1, 3, 16, 16], F32), "w": X([8, 3, 3, 3], F32), "b": X([8], F32)}
    yield method(nn, "conv2d", two, lambda self, x, w, b: op.conv2d(x, w, b))
    grouped = {"x": X([1, 4, 16, 16], F32), "w": X([8, 2, 3, 3], F32)}
    yield method(nn, "conv2d_options", grouped, lambda self, x, w: op.conv2d(x, w, None, (2, 1), (1, 2), 1, 2))
    back = {"x": X([1, 3, 8], F32), "w": X([3, 4, 3], F32), "b": X([4], F32)}
    yield method(nn, "conv1d_transpose", back, lambda self, x, w, b: op.conv1d_transpose(x, w, b, 2, 1, 1))
    heads = {name: X([1, 8, 4, 16], F32) for name in "qkv"}
    yield method(nn, "attention", heads, lambda self, q, k, v: op.scaled_dot_product_attention(q, k, v))
    yield method(
        nn, "causal_attention", heads, lambda self, q, k, v: op.scaled_dot_product_attention(q, k, v, is_causal=True)
    )


def norms(nn, T):
    op, X = nn.op, nn.spec.Tensor
    x, w = X([3, 5], F32), X([5], F32)
    both = {"x": x, "w": w, "b": w}
    yield method(nn, "layer_norm", both, lambda self, x, w, b: op.layer_norm(x, 5, w, b))
    yield method(nn, "layer_norm_list", both, lambda self, x, w, b: op.layer_norm(x, [5], w, b, 1e-3))
    yield method(nn, "layer_norm_constants", {"x": x}, lambda self, x: op.layer_norm(x, 5))
    yield method(nn, "rms_norm", {"x": x, "w": w}, lambda self, x, w: op.rms_norm(x, w, -1))
    yield method(nn, "rms_norm_list", {"x": x, "w": w}, lambda self, x, w: op.rms_norm(x, w, [-1], 1e-6))
    groups = {"x": X([3, 6, 4], F32), "w": X([6], F32), "b": X([6], F32)}
    yield method(nn, "group_norm", groups, lambda self, x, w, b: op.group_norm(x, 2, w, b))


def creation(nn, T):
    op, X = nn.op, nn.spec.Tensor
    x = X([3], F32)
    yield method(nn, "full", {"x": x}, lambda self, x: (op.full([2, 3], 1.5), op.full([2], 3, "int32"), x))
    yield method(nn, "full_tensor", {"x": X([], F32)}, lambda self, x: op.full([2, 3], x))
    yield method(nn, "zeros", {"x": x}, lambda self, x: (op.zeros([4]), op.ones([2, 2], "int32"), x))
    yield method(nn, "empty", {"x": x}, lambda self, x: (op.empty([2, 3]), x))
    yield method(nn, "timesteps", {"x": x}, lambda self, x: op.get_timestep_embedding(x, 10))
    whole = {"x": X([3], "int64")}
    yield method(nn, "timesteps_options", whole, lambda self, x: op.get_timestep_embedding(x, 8, True, 0, 2, 500))


def kernels(nn, T):
    op, X, like = nn.op, nn.spec.Tensor, nn.Tensor.placeholder

    @T.prim_func(private=True)
    def twice(A: T.Buffer((3, 4), "float32"), B: T.Buffer((3, 4), "float32")):
        for i, j in T.grid(3, 4):
            with T.block("b"):
                vi, vj = T.axis.remap("SS", [i, j])
                B[vi, vj] = A[vi, vj] * T.float32(2)

    @T.prim_func(private=True)
    def twice_rows(a: T.handle, b: T.handle, n: T.int64):
        A = T.match_buffer(a, (n, 4), "float32")
        B = T.match_buffer(b, (n, 4), "float32")
        for i, j in T.grid(n, 4):
            with T.block("b"):
                vi, vj = T.axis.remap("SS", [i, j])
                B[vi, vj] = A[vi, vj] * T.float32(2)

    x, rows = {"x": X([3, 4], F32)}, {"x": X(["n", 4], F32)}
    yield method(nn, "tensor_ir_op", x, lambda self, x: op.tensor_ir_op(twice, "twice", [x], like([3, 4], F32)))
    yield method(
        nn,
        "tensor_ir_op_size",
        rows,
        lambda self, x: op.tensor_ir_op(twice_rows, "twice", [x, x.shape[0]], like(x.shape, F32)),
    )
    yield method(
        nn,
        "tensor_ir_inplace_op",
        x,
        lambda self, x: op.tensor_ir_inplace_op(twice, "twice", [x, x], [1], like([3, 4], F32)),
    )
    yield method(nn, "tensor_expr_op", x, lambda self, x: op.tensor_expr_op(lambda x: x + 1, "add_one", [x]))
    yield method(
        nn,
        "tensor_expr_op_attrs",
        rows,
        lambda self, x: op.tensor_expr_op(lambda x: x + 1, "add_one", [x], attrs={"op_pattern": 8}),
    )
    yield method(
        nn,
        "extern",
        {"x": X([3, 4], F32), "n": int},
        lambda self, x, n: op.extern("ext.f", [x, 2, 1.5, "s", n], out=like([3, 4], F32, "o")),
    )
    yield method(nn, "ccl", x, lambda self, x: (op.ccl_allreduce(x), op.ccl_broadcast_from_worker0(x)))


def samplers(nn, T):
    op, X = nn.op, nn.spec.Tensor
    chosen = {"p": X([3, 5], F32), "u": X([6, 1], F32), "i": X([6, 1], "int64")}
    yield method(nn, "multinomial", chosen, lambda self, p, u, i: op.multinomial_from_uniform(p, u, i))


def layers(nn, T):
    X = nn.spec.Tensor
    x = {"x": X([2, 16], F32)}
    yield layer("Linear", nn.Linear(16, 8), x)
    yield layer("Linear_dtype", nn.Linear(16, 8, False, "float16", "float32"), {"x": X([2, 16], "float16")})
    yield layer("Linear_size", nn.Linear(16, "vocab"), {"x": X(["b", 16], F32)})
    yield layer("Linear_packed", nn.Linear(16, 8), {**x, "$": {"param_mode": "packed"}})
    for name in ("ReLU", "SiLU", "GELU", "Identity"):
        yield layer(name, getattr(nn, name)(), x)
    yield layer("ReLU_none", nn.ReLU(), {**x, "$": {"param_mode": "none", "effect_mode": "none"}})
    yield layer("Conv1D", nn.Conv1D(4, 8, 3, 2, 1), {"x": X([1, 4, 16], F32)})
    image = {"x": X([1, 4, 16, 16], F32)}
    yield layer("Conv2D", nn.Conv2D(4, 8, 3, 2, 1), image)
    yield layer("Conv2D_kernel", nn.Conv2D(4, 8, [3, 5], bias=False), image)
    yield layer("Conv2D_groups", nn.Conv2D(4, 8, 3, groups=2, dilation=2), image)
    volume = {"x": X([1, 4, 8, 16, 16], F32)}
    yield layer("Conv3D", nn.Conv3D(4, 8, 3), volume)
    yield layer("Conv3D_options", nn.Conv3D(4, 8, [1, 2, 3], [2, 1, 1], [1, 1, 1], bias=False), volume)
    yield layer("ConvTranspose1D", nn.ConvTranspose1D(4, 8, 3, 2, 1, 1), {"x": X([1, 4, 8], F32)})
    yield layer("LayerNorm", nn.LayerNorm(16), x)
    yield layer("LayerNorm_plain", nn.LayerNorm(16, 1e-3, False), x)
    yield layer("RMSNorm", nn.RMSNorm(16, -1), x)
    yield layer("RMSNorm_plain", nn.RMSNorm(16, [-1], 1e-6, bias=False), x)
    yield layer("GroupNorm", nn.GroupNorm(4, 16), {"x": X([2, 16, 5], F32)})
    yield layer("Embedding", nn.Embedding(32, 16), {"x": X(["b", "s"], "int32")})
    yield layer("Embedding_flat", nn.Embedding("v", 16, "float16"), {"x": X(["b"], "int32")})
    sample = {"sample": X([2, 16], F32)}
    condition = {**sample, "condition": X([2, 8], F32)}
    yield layer("TimestepEmbedding", nn.TimestepEmbedding(16, 32, cond_proj_dim=8), condition)
    yield layer("TimestepEmbedding_out", nn.TimestepEmbedding(16, 32, out_dim=12), sample)
    yield layer("Timesteps", nn.Timesteps(16, True, 0), {"x": X([2], F32)})
    states = {"hidden_states": X([2, 10, 32], F32)}
    cross = {**states, "encoder_hidden_states": X([2, 7, 24], F32)}
    yield layer("Attention", nn.Attention(32, 24, 4, 8), cross)
    yield layer("Attention_norm", nn.Attention(32, None, 4, 8, True, 8, False), states)


def calls(nn, T):
    X = nn.spec.Tensor
    nested = {"x": (X([3], F32), [X([3], F32), X(["n"], F32)]), "n": "int"}
    yield method(nn, "tuples", nested, lambda self, x, n: [x[0] + x[1][0], (x[1][1],)])
    packed = {"x": X([3], F32), "$": {"param_mode": "packed", "effect_mode": "packed"}}
    yield method(nn, "packed", packed, lambda self, x: x + 1)

    class Opaque(nn.Object):
        pass

    yield method(
        nn, "object", {"x": X([2], F32), "o": nn.spec.Object(Opaque)}, lambda self, x, o: (x + 1, o)
    )

    class Block(nn.Module):
        define_subroutine = True

        def __init__(self):
            self.linear = nn.Linear(16, 16)

        def forward(self, x):
            return self.linear(x) + x

    class MyGPTModel(nn.Module):
        def __init__(self):
            self.embed = nn.Embedding("vocab_size", 16)
            self.blocks = nn.ModuleList([Block(), Block()])
            self.head = nn.Linear(16, "vocab_size", bias=False)

        def forward(self, ids):
            return self.head(self.blocks(self.embed(ids)))

        def decode(self, ids):
            return self.head(self.embed(ids))

    spec = {"forward": {"ids": X([1, "seq_len"], "int32")}, "decode": {"ids": X([1, 1], "int32")}}
    yield "subroutines", MyGPTModel(), spec, {}

    class RelaxModel(nn.Module):
        def __init__(self):
            super().__init__()
            self.fc1 = nn.Linear(784, 256)
            self.relu1 = nn.ReLU()
            self.fc2 = nn.Linear(256, 10)

        def forward(self, x):
            return self.fc2(self.relu1(self.fc1(x)))

    yield layer("page", RelaxModel(), {"x": X((1, 784), F32)})


def states(nn, T):
    op, X = nn.op, nn.spec.Tensor

    class Cached(nn.Module):
        def __init__(self):
            self.cache = nn.KVCache(8, [2, 4])

        def forward(self, x, n):
            self.cache.append(x)
            return self.cache.view(n)

    spec = {"x": X([1, 2, 4], F32), "n": int}
    yield layer("KVCache", Cached(), spec)
    yield layer("KVCache_packed", Cached(), {**spec, "$": {"effect_mode": "packed"}})
    yield layer("KVCache_debug", Cached(), spec, debug=True)

    def debugged(self, x):
        op.print_(x)
        op.debug_func("my.f", x, 1, 2.5, "s", _line_info="here")
        return x

    yield method(nn, "debug", {"x": X([1, 2], F32)}, debugged, debug=True)


def exported(nn, T):
    """The texts of all models, with the names of their parameters."""
    texts = {}
    for name, module, spec, options in models(nn, T):
        mod, params = module.export_tvm(spec, **options)
        listed = [f"{path}: {param}" for path, param in params]
        texts[name] = "\n".join([mod.script(show_meta=False), *listed])
    return texts


def with_layers(nn, modules):
    """`nn` with the layers of another module too."""
    names = {name: getattr(modules, name) for name in dir(modules) if not name.startswith("_")}
    return SimpleNamespace(**{**names, **{name: getattr(nn, name) for name in dir(nn) if not name.startswith("_")}})
