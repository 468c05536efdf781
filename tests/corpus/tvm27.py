"""Let apache-tvm 0.27 print a few hundred programs: operators, schedules, every stage of its lowering, Relax kernels.

    /opt/tvm27/bin/python tests/corpus/tvm27.py /tmp/corpus27

Runs inside of that TVM's Python, imports nothing of ours. Each text goes to a file of its own; TVM's texts stay out of
the repository.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import tvm  # pyright: ignore[reportMissingImports]
from tvm import relax, s_tir, te, topi  # pyright: ignore[reportMissingImports]
from tvm.s_tir import dlight  # pyright: ignore[reportMissingImports]

LLVM = tvm.target.Target("llvm")
CUDA = tvm.target.Target("nvidia/nvidia-a100")


class Writer:
    """Writes each text once."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.seen: set[str] = set()
        self.skipped: list[str] = []

    def __call__(self, name: str, program: Any) -> None:
        text = program.script(show_meta=True)
        key = hashlib.sha1(text.encode()).hexdigest()
        if key in self.seen or "R." in text or "te.tensor_load" in text:
            return
        self.seen.add(key)
        (self.folder / f"{name.replace('/', '_').replace(' ', '_')}.py").write_text(text + "\n")


@tvm.ir.instrument.pass_instrument  # pyright: ignore[reportUntypedClassDecorator]
class Dump:
    """Hands the module after each pass to a writer."""

    def __init__(self, write: Writer, name: str) -> None:
        self.write = write
        self.label = name
        self.number = 0

    def run_after_pass(self, mod: Any, info: Any) -> None:
        self.number += 1
        self.write(f"{self.label}.{self.number:02}.{info.name}", mod)


def operators() -> Iterator[tuple[str, list[Any]]]:
    """Tensor expressions: name, tensors of the function."""

    @cache
    def tensor(*shape: Any, dtype: str = "float32", name: str = "A") -> Any:
        return te.placeholder(shape, dtype, name)

    a, b, row = tensor(16, 32), tensor(16, 32, name="B"), tensor(32, name="C")
    unary = ("exp tanh sigmoid sqrt rsqrt log floor ceil round abs sin cos tan erf sign fast_exp fast_tanh "
             "fast_erf asin acos atan sinh cosh log2 log10 trunc isnan isfinite isinf negative "
             "fixed_point_multiply")  # fmt: skip
    for name in unary.split():
        if name == "fixed_point_multiply":
            x = tensor(16, dtype="int32")
            yield name, [x, topi.fixed_point_multiply(x, 12345, 3)]
        else:
            yield name, [a, getattr(topi, name)(a)]
    for name in (
        "add", "subtract", "multiply", "divide", "power", "maximum",
        "minimum", "greater", "less", "equal", "not_equal",
    ):  # fmt: skip
        yield name, [a, b, getattr(topi, name)(a, b)]
        yield f"{name}_broadcast", [a, row, getattr(topi, name)(a, row)]
    p, q = tensor(8, dtype="int32"), tensor(8, dtype="int32", name="B")
    for name in (
        "floor_divide", "floor_mod", "mod", "left_shift", "right_shift",
        "bitwise_and", "bitwise_or", "bitwise_xor",
    ):  # fmt: skip
        yield f"int_{name}", [p, q, getattr(topi, name)(p, q)]
    for name in ("logical_and", "logical_or", "logical_xor"):
        x, y = tensor(8, dtype="bool"), tensor(8, dtype="bool", name="B")
        yield name, [x, y, getattr(topi, name)(x, y)]
    yield "bitwise_not", [p, topi.bitwise_not(p)]
    for name in ["sum", "max", "min", "prod", "argmax", "argmin", "all", "any"]:
        x = tensor(16, 32, dtype="bool") if name in ("all", "any") else a
        yield name, [x, getattr(topi, name)(x, axis=1)]
        yield f"{name}_keep", [x, getattr(topi, name)(x, axis=0, keepdims=True)]
    yield "matmul", [a, tensor(32, 8, name="B"), topi.matmul(a, tensor(32, 8, name="B"))]
    x, y = tensor(16, 32), tensor(8, 32, name="B")
    yield "dense", [x, y, topi.nn.dense(x, y)]
    x, y = tensor(4, 16, 32), tensor(4, 8, 32, name="B")
    yield "batch_matmul", [x, y, topi.nn.batch_matmul(x, y)]
    x, y = tensor(1, 8, 14, 14), tensor(16, 8, 3, 3, name="W")
    yield "conv2d", [x, y, topi.nn.conv2d(x, y, 1, 1, 1)]
    yield "conv2d_stride", [x, y, topi.nn.conv2d(x, y, 2, 1, 1)]
    x, y = tensor(1, 14, 14, 8), tensor(3, 3, 8, 16, name="W")
    yield "conv2d_nhwc", [x, y, topi.nn.conv2d(x, y, 1, 1, 1, data_layout="NHWC", kernel_layout="HWIO")]
    x, y = tensor(1, 8, 14, 14), tensor(8, 1, 3, 3, name="W")
    yield "depthwise", [x, y, topi.nn.depthwise_conv2d_nchw(x, y, 1, 1, 1)]
    x = tensor(1, 8, 14, 14)
    for kind in ("max", "avg"):
        yield f"pool_{kind}", [x, topi.nn.pool2d(x, (2, 2), (2, 2), (1, 1), (0, 0, 0, 0), kind)]
        yield f"adaptive_{kind}", [x, topi.nn.adaptive_pool(x, (2, 2), kind)]
    yield "softmax", [a, topi.nn.softmax(a)]
    yield "log_softmax", [a, topi.nn.log_softmax(a)]
    yield "layer_norm", [a, row, tensor(32, name="D"), topi.nn.layer_norm(a, row, tensor(32, name="D"), [1])]
    yield "rms_norm", [a, row, topi.nn.rms_norm(a, row, [1])]
    yield "relu", [a, topi.nn.relu(a)]
    yield "leaky_relu", [a, topi.nn.leaky_relu(a, 0.1)]
    yield "transpose", [a, topi.transpose(a)]
    yield "reshape", [a, topi.reshape(a, (8, 64))]
    yield "concatenate", [a, b, topi.concatenate([a, b], 0)]
    yield "stack", [a, b, topi.stack([a, b], 0)]
    yield "split", [a, *topi.split(a, 2, 1)]
    yield "squeeze", [tensor(1, 16, name="A"), topi.squeeze(tensor(1, 16, name="A"))]
    yield "expand", [a, topi.expand_dims(a, 0)]
    yield "tile", [a, topi.tile(a, (2, 2))]
    yield "repeat", [a, topi.repeat(a, 2, 0)]
    yield "flip", [a, topi.flip(a, 0)]
    yield "strided_slice", [a, topi.strided_slice(a, [0, 4], [16, 32], [2, 3])]
    yield "pad", [a, topi.nn.pad(a, (1, 2), (3, 4), 1.5)]
    yield "mirror_pad", [a, topi.nn.mirror_pad(a, (1, 2), (1, 2))]
    yield "take", [a, p, topi.take(a, p, 0, mode="clip")]
    yield (
        "gather",
        [a, tensor(16, 4, dtype="int64", name="I"), topi.gather(a, 1, tensor(16, 4, dtype="int64", name="I"))],
    )
    yield "one_hot", [p, topi.one_hot(p, 1.0, 0.0, 8, -1, "float32")]
    yield "where", [tensor(16, 32, dtype="bool", name="M"), a, b,
                    topi.where(tensor(16, 32, dtype="bool", name="M"), a, b)]  # fmt: skip
    yield "cumsum", [a, topi.cumsum(a, axis=1)]
    yield "cast_f16", [a, topi.cast(a, "float16")]
    yield "cast_bf16", [a, topi.cast(a, "bfloat16")]
    yield "cast_fp8", [a, topi.cast(a, "float8_e4m3fn")]
    yield "cast_i8", [a, topi.cast(a, "int8")]
    yield "cast_bool", [a, topi.cast(a, "bool")]
    yield "clip", [a, topi.clip(a, -1.0, 1.0)]
    yield "full", [topi.full((4, 4), "float32", 2.5)]
    yield "arange", [topi.arange(0, 10, 1, "int32")]
    yield "trilu", [a, topi.trilu(a, tvm.tirx.const(0, "int32"), True)]
    yield "resize", [x, topi.image.resize2d(x, [0.0, 0.0, 0.0, 0.0], (28, 28))]
    yield "grid_sample", [x, tensor(1, 2, 7, 7, name="G"), topi.image.grid_sample(x, tensor(1, 2, 7, 7, name="G"))]
    yield "argsort", [a, topi.argsort(a, axis=1)]
    yield "topk", [a, *topi.topk(a, 3, axis=1)]
    yield "unravel", [p, tensor(2, dtype="int32", name="S"), topi.unravel_index(p, tensor(2, dtype="int32", name="S"))]
    at, new = tensor(4, 4, dtype="int64", name="I"), tensor(4, 4, name="U")
    yield "scatter", [a, at, new, topi.scatter_elements(a, at, new)]
    for dtype in ["float16", "float64", "bfloat16", "int8", "uint8", "int64", "uint32"]:
        x, y = tensor(8, 8, dtype=dtype), tensor(8, 8, dtype=dtype, name="B")
        yield f"add_{dtype}", [x, y, topi.add(x, y)]
        yield f"matmul_{dtype}", [x, y, topi.matmul(x, y)]
    n, m = te.var("n"), te.var("m")
    x, y = tensor(n, m), tensor(m, 16, name="B")
    yield "dynamic_add", [x, topi.add(x, x)]
    yield "dynamic_matmul", [x, y, topi.matmul(x, y)]
    yield "dynamic_softmax", [x, topi.nn.softmax(x)]
    n64 = te.var("n", "int64")
    x = tensor(n64, 16)
    yield "dynamic64_sum", [x, topi.sum(x, axis=0)]
    yield "dynamic64_exp", [x, topi.exp(x)]


def functions(write: Any, names: set[str] | None = None) -> Iterator[tuple[str, Any]]:
    """The operators (all, or those of these names) as functions."""
    for name, tensors in _guarded(operators(), write):
        if names is not None and name not in names:
            continue
        try:
            yield name, te.create_prim_func(tensors)
        except (TypeError, ValueError, RuntimeError, tvm.error.InternalError) as error:
            write.skipped.append(f"{name}: {error}")


def _guarded(items: Iterator[Any], write: Writer) -> Iterator[Any]:
    """The items up to an operator that this TVM cannot make."""
    try:
        yield from items
    except (TypeError, ValueError, RuntimeError, AttributeError, tvm.error.InternalError) as error:
        write.skipped.append(f"operators stop: {error!r}")


SCHEDULED = {"matmul", "dense", "conv2d", "softmax", "sum", "exp", "add", "layer_norm", "dynamic_matmul", "int_mod",
             "depthwise", "pool_max", "argmax", "cast_fp8", "cast_bf16", "matmul_float16", "batch_matmul",
             "dynamic64_sum", "transpose", "add_bfloat16", "cumsum", "argsort", "topk"}  # fmt: skip


#: name -> a change of the last block of a function
SCHEDULES: dict[str, Callable[[Any, Any], None]] = {}


def schedule(change: Callable[[Any, Any], None]) -> Callable[[Any, Any], None]:
    """Keep a change under its name."""
    SCHEDULES[change.__name__] = change
    return change


def loops(sch: Any, block: Any) -> Any:
    return sch.get_loops(block)


@schedule
def split(sch: Any, block: Any) -> None:
    sch.split(loops(sch, block)[0], [None, 4])


@schedule
def uneven(sch: Any, block: Any) -> None:
    sch.split(loops(sch, block)[0], [None, 5])


@schedule
def tile(sch: Any, block: Any) -> None:
    i, j, *_ = loops(sch, block)
    io, ii = sch.split(i, [None, 4])
    jo, ji = sch.split(j, [None, 4])
    sch.reorder(io, jo, ii, ji)
    sch.vectorize(ji)
    sch.parallel(io)
    sch.unroll(ii)


@schedule
def fuse(sch: Any, block: Any) -> None:
    sch.parallel(sch.fuse(*loops(sch, block)[:2]))


@schedule
def bind(sch: Any, block: Any) -> None:
    fused = sch.fuse(*loops(sch, block)[:2])
    outer, inner = sch.split(fused, [None, 32])
    sch.bind(outer, "blockIdx.x")
    sch.bind(inner, "threadIdx.x")


@schedule
def vthread(sch: Any, block: Any) -> None:
    outer, inner = sch.split(loops(sch, block)[0], [None, 2])
    sch.bind(inner, "vthread.x")
    sch.bind(outer, "blockIdx.x")


@schedule
def cached(sch: Any, block: Any) -> None:
    sch.cache_read(block, 0, "shared")
    sch.cache_write(block, 0, "local")


@schedule
def cached_at(sch: Any, block: Any) -> None:
    copy = sch.cache_write(block, 0, "local")
    sch.reverse_compute_at(copy, loops(sch, block)[0])
    read = sch.cache_read(block, 0, "shared")
    sch.compute_at(read, loops(sch, block)[0])


@schedule
def decompose(sch: Any, block: Any) -> None:
    sch.decompose_reduction(block, loops(sch, block)[-1])


@schedule
def rfactor(sch: Any, block: Any) -> None:
    _, inner = sch.split(loops(sch, block)[-1], [None, 4])
    sch.rfactor(inner, 0)


@schedule
def annotate(sch: Any, block: Any) -> None:
    sch.annotate(block, "meta_schedule.tiling_structure", "SSRSRS")
    sch.annotate(loops(sch, block)[0], "pragma_auto_unroll_max_step", 16)
    sch.annotate(loops(sch, block)[0], "pragma_unroll_explicit", True)
    sch.annotate(block, "list", [1, "two", 3.5])
    sch.storage_align(block, 0, 0, 32, 8)


@schedule
def layout(sch: Any, block: Any) -> None:
    sch.transform_layout(block, ("write", 0), lambda i, j: (i // 4, j, i % 4))


@schedule
def layout_padded(sch: Any, block: Any) -> None:
    sch.transform_layout(block, ("write", 0), lambda i, j: (i // 5, j, i % 5), pad_value=0.0)


@schedule
def blockize(sch: Any, block: Any) -> None:
    _, inner = sch.split(loops(sch, block)[0], [None, 4])
    sch.blockize(inner)


@schedule
def pipeline(sch: Any, block: Any) -> None:
    read = sch.cache_read(block, 0, "shared")
    loop = loops(sch, block)[-1]
    sch.compute_at(read, loop)
    sch.annotate(loop, "software_pipeline_stage", [0, 1])
    sch.annotate(loop, "software_pipeline_order", [0, 1])


@schedule
def scope(sch: Any, block: Any) -> None:
    sch.cache_write(block, 0, "shared.dyn")


@schedule
def reindex(sch: Any, block: Any) -> None:
    sch.reindex(block, ("read", 0))


@schedule
def pad(sch: Any, block: Any) -> None:
    sch.pad_einsum(block, [5, 5, 5])


@schedule
def double(sch: Any, block: Any) -> None:
    read = sch.cache_read(block, 0, "local")
    sch.compute_at(read, loops(sch, block)[0])
    sch.annotate(read, "double_buffer_scope", 0)


@schedule
def cross_thread(sch: Any, block: Any) -> None:
    outer, inner = sch.split(loops(sch, block)[-1], [None, 8])
    del outer
    sch.bind(inner, "threadIdx.x")


@schedule
def predicate(sch: Any, block: Any) -> None:
    fused = sch.fuse(*loops(sch, block))
    sch.split(fused, [None, 7])


def scheduled(name: str, func: Any) -> Iterator[tuple[str, Any]]:
    """The schedules that fit the function."""
    for rule, change in SCHEDULES.items():
        sch = s_tir.Schedule(func)
        try:
            change(sch, sch.get_child_blocks(sch.get_sblock("root"))[-1])
        except (s_tir.ScheduleError, ValueError, TypeError, RuntimeError, IndexError, tvm.error.InternalError):
            continue
        yield f"{name}.{rule}", sch.mod


def _is_kernel(func: Any) -> bool:
    return func.attrs["target"].host is None and "cuda" in str(func.attrs["target"].kind)


def lowered(write: Writer, name: str, mod: Any, target: Any) -> None:
    """Every stage of lowering."""
    pipeline, host_passes, device_passes = s_tir.pipeline.default_s_tir_pipeline()
    kind = target.kind.name
    target = tvm.target.Target(target, host="llvm")
    try:
        with tvm.transform.PassContext(instruments=[Dump(write, f"{name}.{kind}")]), target:
            mod = tvm.tirx.transform.BindTarget(target)(mod)
            mod = pipeline(mod)
            host = tvm.tirx.transform.Filter(lambda f: not _is_kernel(f))(mod)
            device = tvm.tirx.transform.Filter(_is_kernel)(mod)
            host_passes()(host)
            if len(device.functions):
                device_passes()(device)
    except (ValueError, TypeError, RuntimeError, tvm.error.InternalError) as error:
        write.skipped.append(f"{name} for {kind}: {str(error)[-200:]}")


def relax_kernels(write: Writer) -> None:
    """The kernels that legalisation makes of Relax operators."""
    builder = relax.BlockBuilder()
    x = relax.Var("x", relax.TensorType((4, 16), "float32"))
    y = relax.Var("y", relax.TensorType((4, 16), "float32"))
    ops = relax.op
    with builder.function("main", [x, y]):
        with builder.dataflow():
            made = x
            for op in (ops.exp, ops.nn.relu, ops.nn.gelu, ops.nn.silu, ops.tanh, ops.sqrt, ops.abs, ops.sigmoid):
                made = builder.emit(op(made))
            made = builder.emit(ops.add(made, y))
            made = builder.emit(ops.matmul(made, ops.permute_dims(y)))
            made = builder.emit(ops.nn.softmax(made, axis=-1))
            made = builder.emit(ops.sum(made, axis=[1]))
            made = builder.emit(ops.expand_dims(made, 0))
            made = builder.emit(ops.concat([made, made], axis=1))
            made = builder.emit(ops.reshape(made, (2, 4)))
            made = builder.emit(ops.cumsum(made, axis=1))
            made = builder.emit(ops.where(ops.greater(made, made), made, made))
            out = builder.emit_output(made)
        builder.emit_func_output(out)
    mod = relax.transform.LegalizeOps()(builder.get())
    for var, func in mod.functions.items():
        if isinstance(func, tvm.tirx.PrimFunc):
            write(f"relax.{var.name_hint}", tvm.IRModule({var: func}))
    mod = relax.transform.FoldConstant()(relax.transform.AnnotateTIROpPattern()(mod))
    mod = relax.transform.FuseTIR()(relax.transform.FuseOps()(mod))
    for var, func in mod.functions.items():
        if isinstance(func, tvm.tirx.PrimFunc):
            write(f"relax.fused.{var.name_hint}", func)


def main(folder: Path) -> None:
    """Fill the folder."""
    folder.mkdir(parents=True, exist_ok=True)
    write = Writer(folder)
    fill(write)
    try:
        relax_kernels(write)
    except (ValueError, TypeError, RuntimeError, AttributeError, tvm.error.InternalError) as error:
        write.skipped.append(f"relax: {error!r}")
    print(f"{len(write.seen)} texts in {folder}; {len(write.skipped)} programs that TVM itself refused")
    for line in write.skipped:
        print("  ", line.replace("\n", " ")[:300])


def fill(write: Any, names: set[str] | None = None) -> None:
    """Operators (all, or those of these names), their schedules and stages of lowering."""
    rules = [dlight.gpu.Matmul(), dlight.gpu.GEMV(), dlight.gpu.Reduction(), dlight.gpu.GeneralReduction(),
             dlight.gpu.Transpose(), dlight.gpu.Fallback()]  # fmt: skip
    for name, func in functions(write, names):
        write(f"te.{name}", func)
        mod = tvm.IRModule({"main": func})
        write(f"te.{name}.module", mod)
        if name in SCHEDULED:
            for label, made in scheduled(name, func):
                write(f"schedule.{label}", made)
            lowered(write, f"lower.{name}", mod, LLVM)
        try:
            with CUDA:
                made = dlight.ApplyDefaultSchedule(*rules)(mod)
        except (ValueError, TypeError, RuntimeError, AttributeError, tvm.error.InternalError) as error:
            write.skipped.append(f"dlight {name}: {str(error)[-200:]}")
            continue
        write(f"dlight.{name}", made)
        if name in SCHEDULED:
            lowered(write, f"lower.{name}", made, CUDA)


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "/tmp/corpus27"))
