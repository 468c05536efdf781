"""Device instructions of TVM 0.27 by name: `T.cuda.cta_sync()`, `T.ptx.ld(...)`, `T.nvshmem.quiet()`.

One row declares one instruction: its name in `T`, its parameters, its result, and `pure` where it has no effect.
A parameter may have a default; a last one with a star takes any number. Parameters after a semicolon are keywords:
they are the last arguments of the call. The result is a dtype, void, or the parameter whose dtype it has, or that names
it, or `dtype_first`: the dtype is the first argument in the text. After an equals sign stands what it is in CUDA, which
functions of `backends/cuda/include` help to say. The module is imported with the first of them.
"""

from __future__ import annotations

import ast
import keyword
import re
from typing import Any, ClassVar, NamedTuple

from tvmscript.ir.core import HANDLE, INT32, INT64, VOID, CallEffect, DType, Op, Span, closest
from tvmscript.ir.core.errors import InvalidDType, UnknownName, WrongArgumentCount, WrongType
from tvmscript.ir.tir.base import Expr
from tvmscript.ir.tir.expr import Call, IntImm, StringImm
from tvmscript.ir.tir.intrin.ptx import PTX_FAMILIES
from tvmscript.ir.tir.operators import as_expr

_ROWS = """
cuda.iket.mark(name, payload?) -> void
cuda.iket.range_start(name, payload?) -> uint32
cuda.iket.range_end(token, payload?) -> void
cuda.iket.range_push(name, payload?) -> void
cuda.iket.range_pop() -> void
cuda.iket.sentinel_token(name) -> uint32
cuda.iket.official_event(event_id, source_code="", payload?) -> uint32
cuda.wgmma.noop_barrier(reg) -> void = wgmma_keep({reg})
cuda.wgmma.encode_matrix_descriptor(desc, addr, ldo, sdo, swizzle) -> void = wgmma_descriptor({desc}, {addr}, {ldo}, \
{sdo}, {swizzle})
cuda.tcgen05.encode_matrix_descriptor(desc, addr, ldo, sdo, swizzle) -> void
cuda.tcgen05.encode_instr_descriptor(desc, d_dtype, a_dtype, b_dtype, M, N, K, trans_a, trans_b, n_cta_groups=1, \
neg_a=False, neg_b=False, sat_d=False, is_sparse=False) -> void
cuda.tcgen05.encode_instr_descriptor_block_scaled(desc, d_dtype, a_dtype, b_dtype, sfa_dtype, sfb_dtype, \
sfa_tmem_addr, sfb_tmem_addr, M, N, K, trans_a, trans_b, n_cta_groups=1, neg_a=False, neg_b=False, \
is_sparse=False) -> void
cuda.any_sync(mask, pred) -> int32 pure = __any_sync({mask}, {pred})
cuda.elect_sync() -> uint32 = elect_one()
cuda.mov_sreg(bits, reg_name) -> bits pure
cuda.wait_until(dst, ptr, predicate, scope="gpu", space="global", ptx_type="", backoff_ns=0) -> void
cuda.mbarrier_wait(bar, phase) -> void = mbarrier_wait({bar}, {phase})
cuda.mbarrier_wait_acquire_cluster(bar, phase) -> void = mbarrier_wait_cluster({bar}, {phase})
cuda.thread_fence() -> void = __threadfence()
cuda.warpgroup_sync(bar_no) -> void = named_barrier({bar_no}, 128)
cuda.warp_sync() -> void = __syncwarp()
cuda.warp_reduce(value, op, width=32) -> value
cuda.cta_reduce(value, op, num_warps, scratch) -> value
cuda.cta_sync() -> void = __syncthreads()
cuda.grid_sync() -> void = grid_sync()
cuda.cluster_sync() -> void = cluster_sync()
cuda.thread_rank() -> int32 pure = thread_rank()
cuda.trap_when_assert_failed(cond) -> void = trap_unless({cond})
cuda.runtime_instr_desc(desc, sf_id) -> void
cuda.half2float(src) -> float32 = (float){src}
cuda.bfloat162float(src) -> float32 = (float){src}
cuda.float22half2(dst, src) -> void = float22half2({dst}, {src})
cuda.half8tofloat8(src_addr, dst_addr) -> void
cuda.float8tohalf8(src_addr, dst_addr) -> void
cuda.syncthreads_and(cond) -> int64 = __syncthreads_and({cond})
cuda.syncthreads_or(cond) -> int64 = __syncthreads_or({cond})
cuda.nano_sleep(time) -> void = __nanosleep({time})
cuda.atomic_cas(ptr, old_val, new_val) -> old_val = atomicCAS({ptr}, {old_val}, {new_val})
cuda.func_call(func_name, *args; source_code) -> return_type
cuda.printf(fmt, *args) -> void
cuda.ldg(addr, dtype) -> dtype
cuda.fdividef(x, y) -> float32 pure = __fdividef({x}, {y})
cuda.get_tmem_addr(addr, row_offset, col_offset) -> uint32 = tensor_memory_address({addr}, {row_offset}, {col_offset})
cuda.cvta_generic_to_shared(ptr) -> uint32 = shared_address({ptr})
cuda.smem_addr_from_uint64(cluster_addr) -> uint32 = (uint32_t){cluster_addr}
cuda.uint_as_float(bits) -> float32 = __uint_as_float({bits})
cuda.float_as_uint(x) -> uint32 = __float_as_uint({x})
cuda.ballot_sync(mask, pred) -> uint32 = __ballot_sync({mask}, {pred})
cuda.ffs_u32(value) -> int32 = __ffs({value})
cuda.reduce_add_sync_u32(mask, value) -> uint32 = __reduce_add_sync({mask}, {value})
cuda.reduce_min_sync_u32(mask, value) -> uint32 = __reduce_min_sync({mask}, {value})
cuda.clock64() -> uint64 = clock64()
cuda.make_float2(x, y) -> uint64 = make_pair({x}, {y})
cuda.float2_x(packed) -> float32 = first_of_pair({packed})
cuda.float2_y(packed) -> float32 = second_of_pair({packed})
cuda.fmul2_rn(a, b) -> uint64
cuda.fadd2_rn(a, b) -> uint64
cuda.float22bfloat162_rn(v0, v1) -> uint32
cuda.float22bfloat162_rn_from_float2(packed) -> uint32
cuda.bfloat1622float2(packed) -> uint64
cuda.hmin2(a, b) -> uint32
cuda.hmax2(a, b) -> uint32
cuda.fp8x4_e4m3_from_float4(x, y, z, w) -> uint32
cuda.timer_init(profiler_buffer, profiler_tag, profiler_write_offset, num_groups, group_id) -> void
cuda.timer_start(event_type, profiler_buffer, profiler_tag, profiler_write_offset, profiler_write_stride, \
leader_cond) -> void
cuda.timer_end(event_type, profiler_buffer, profiler_tag, profiler_write_offset, profiler_write_stride, \
leader_cond) -> void
cuda.timer_finalize(profiler_buffer, profiler_tag, profiler_write_offset, profiler_write_stride, leader_cond) -> void
cuda.mma_fill(local_size, local_ptr, offset) -> dtype_first
cuda.mma_store(m, n, dst_ptr, src_ptr, src_offset, dst_stride) -> dtype_first
cuda.__shfl_xor_sync(mask, var, lane_mask, width) -> var = __shfl_xor_sync({mask}, {var}, {lane_mask}, {width})
nvshmem.my_pe() -> int32
nvshmem.n_pes() -> int32
nvshmem.signal_op(sig_addr, signal, sig_op, pe) -> void
nvshmem.wait_until(ivar, cmp, cmp_value, type="uint64_t") -> void
nvshmem.quiet() -> void
nvshmem.fence() -> void
nvshmem.barrier_all() -> void
nvshmem.getmem_nbi(dst, src, nelems, pe) -> void
nvshmem.getmem_nbi.warp(dst, src, nelems, pe) -> void
nvshmem.getmem_nbi.block(dst, src, nelems, pe) -> void
nvshmem.putmem_nbi(dst, src, nelems, pe) -> void
nvshmem.putmem_nbi.warp(dst, src, nelems, pe) -> void
nvshmem.putmem_nbi.block(dst, src, nelems, pe) -> void
nvshmem.putmem_signal_nbi(dst, src, nelems, sig_addr, signal, sig_op, pe) -> void
nvshmem.putmem_signal_nbi.warp(dst, src, nelems, sig_addr, signal, sig_op, pe) -> void
nvshmem.putmem_signal_nbi.block(dst, src, nelems, sig_addr, signal, sig_op, pe) -> void
nki.load(res, data) -> void
nki.store(res, data) -> void
nki.tensor_copy(res, data) -> void
nki.matmul(res, lhs, rhs, accum=True) -> void
nki.activation(result, data, opcode, bias=0.0, scale=1.0) -> void
nki.activation_reduce(reduce_res, act_res, data, opcode, reduce_opcode, bias=0.0, scale=1.0) -> void
nki.reciprocal(result, data) -> void
nki.tensorreduce(result, data, opcode, negate, *axes) -> void
nki.tensortensor(result, operand0, operand1, opcode) -> void
nki.tensorscalar(result, operand0, operand1, opcode, reverse=False) -> void
nki.tensorscalar_reduce(reduce_res, tensorscalar_res, operand0, operand1, opcode, reduce_opcode, reverse=False) -> void
nki.scalar_tensor_tensor(result, data, operand0, operand1, opcode0, opcode1, reverse0=False, reverse1=False) -> void
nki.scalar_tensor_scalar(result, data, operand0, operand1, opcode0, opcode1, reverse0=False, reverse1=False) -> void
nki.memset(result, value) -> void
nki.identity(result, size) -> void
nki.affine_select(result, pred, true_value, false_value) -> void
webgpu.subgroup_shuffle(var, lane) -> var
webgpu.subgroup_shuffle_down(var, delta) -> var
webgpu.subgroup_shuffle_up(var, delta) -> var
tensormap_encode_tiled(*args; descriptor_dtype, rank, interleave=0, swizzle=0, l2_promotion=0, oob_fill=0, \
force_cu_dtype=-1) -> void
"""


class Parameter(NamedTuple):
    """A parameter of an instruction."""

    name: str
    #: None: it is needed
    default: object = None
    is_optional: bool = False
    is_keyword: bool = False


class DeviceInstruction(Op):
    """An instruction of a device. Calling it builds the call."""

    __slots__ = ("cuda", "least_inputs", "params", "path", "rest", "result")

    dialect: ClassVar[str] = "0.27"

    def __init__(
        self,
        path: str,
        params: tuple[Parameter, ...],
        rest: bool,
        result: str,
        is_pure: bool,
        cuda: str | None = None,
    ) -> None:
        space, _, name = path.partition(".")
        full = f"{space}.{name.replace('.', '_')}" if name else space
        super().__init__(
            f"tir.{full}",
            effect=CallEffect.PURE if is_pure else CallEffect.UPDATE_STATE,
            doc=f"The device instruction {path}.",
        )
        #: its name in `T`
        self.path = path
        self.params = params
        #: a call holds the values of all keywords, the last ones
        self.least_inputs = sum(param.is_keyword for param in params)
        #: whether it takes any number of arguments after its positional parameters
        self.rest = rest
        #: dtype, "return_type" and "dtype_first" for what the caller says, or the parameter that determines it
        self.result = result
        #: what it is in CUDA, with the values of its parameters in braces
        self.cuda = cuda

    def __call__(self, *args: object, span: Span | None = None, **named: object) -> Expr:
        """Build the call. Raises `WrongArgumentCount`, `UnknownName`."""
        return_type = named.pop("return_type", "void") if self.result == "return_type" else None
        if self.result == "dtype_first":
            if "dtype" not in named:
                first, args = args[:1], args[1:]
                named = {**named, "dtype": first[0] if first else None}
            return_type = named.pop("dtype")
            if return_type is None:
                self._refuse(0, span)
        given = self._bind(args, named, span)
        values = tuple([as_expr(item, None, span) for item in given])
        return Call(self._dtype(values, return_type, span), self, values, span)

    def _bind(self, args: tuple[object, ...], named: dict[str, object], span: Span | None) -> list[object]:
        positional = [param for param in self.params if not param.is_keyword]
        count = len(positional)
        for name in named:
            if all(param.name != name for param in self.params):
                names = [param.name for param in self.params]
                raise UnknownName(
                    kind=f"parameter of T.{self.path}", name=name, span=span,
                    hint=closest(name, names) or f"its parameters are {', '.join(names)}",
                )  # fmt: skip
        given: list[object] = []
        for position, param in enumerate(self.params):
            if param.is_keyword:
                continue
            if position < len(args) and param.name not in named:
                given.append(args[position])
            elif position >= len(args):
                value = named.get(param.name, param.default)
                if value is None and not param.is_optional:
                    self._refuse(len(args), span)
                given += [] if value is None else [value]
            else:
                self._refuse(len(args) + len(named), span)
        if len(args) > count and not self.rest:
            self._refuse(len(args), span)
        given += args[count:]
        for param in self.params[count:]:
            value = named.get(param.name, param.default)
            if value is None:
                self._refuse(len(args), span)
            given.append(value)
        return given

    def _refuse(self, count: int, span: Span | None) -> None:
        names = ", ".join([param.name for param in self.params]) + (", ..." if self.rest else "")
        raise WrongArgumentCount(where=f"T.{self.path}", expected=f"({names})", got=count, span=span)

    def _dtype(self, args: tuple[Expr, ...], return_type: object, span: Span | None) -> DType:
        if return_type is not None:
            return _named_dtype(return_type, f"T.{self.path}", span)
        for position, param in enumerate(self.params):
            if param.name != self.result:
                continue
            arg = args[position]
            if isinstance(arg, StringImm):
                return _named_dtype(arg.value, f"T.{self.path}", span)
            if param.name == "bits":  # the width of a register
                return INT64 if isinstance(arg, IntImm) and arg.value == 64 else INT32
            return arg.dtype
        return VOID if self.result == "void" else DType(self.result)

    def __reduce__(self) -> tuple[Any, tuple[str]]:
        return instruction, (self.path,)


def _named_dtype(given: object, where: str, span: Span | None) -> DType:
    if isinstance(given, DType):
        return given
    name = given.value if isinstance(given, StringImm) else given
    if not isinstance(name, str):
        raise WrongType(where=where, expected="a dtype", got=repr(given), span=span)
    if name in ("", "void"):
        return VOID
    try:
        return HANDLE if name == "handle" else DType(name)
    except InvalidDType as error:
        error.span = span
        raise


_ROW = re.compile(r"([\w.]+)\((.*?)\) -> (\w+)( pure)?(?: = (.+))?")


def _table() -> dict[str, DeviceInstruction]:
    table: dict[str, DeviceInstruction] = {}
    for line in _ROWS.strip().split("\n"):
        row = _ROW.fullmatch(line)
        assert row is not None, line
        path, params, result, pure, cuda = row.groups()
        positional, _, keywords = params.partition(";")
        parsed = [_parameter(item, False) for item in positional.split(", ") if item and not item.startswith("*")]
        parsed += [_parameter(item.strip(), True) for item in keywords.split(", ") if item.strip()]
        table[path] = DeviceInstruction(path, tuple(parsed), "*" in positional, result, pure is not None, cuda)
    return table


def _parameter(text: str, is_keyword: bool) -> Parameter:
    name, _, default = text.partition("=")
    value = ast.literal_eval(default) if default else None
    return Parameter(name.rstrip("?"), value, name.endswith("?"), is_keyword)


#: name in `T` -> instruction; those of PTX are added on use
INSTRUCTIONS: dict[str, DeviceInstruction] = _table()
#: an address plus an offset in bytes, as an operand of PTX
INSTRUCTIONS["ptx.addr"] = DeviceInstruction(
    "ptx.addr", (Parameter("base"), Parameter("byte_offset")), False, "base", True
)


def instruction(path: str) -> DeviceInstruction:
    """Return an instruction by its name in `T`. Raises `UnknownName`."""
    entry = INSTRUCTIONS.get(path)
    if entry is None and path.startswith("ptx."):
        family = path.removeprefix("ptx.").removesuffix("_")
        surface = f"ptx.{family}_" if keyword.iskeyword(family) else f"ptx.{family}"
        entry = INSTRUCTIONS.get(surface)
        if entry is None and family in PTX_FAMILIES:
            entry = INSTRUCTIONS[surface] = DeviceInstruction(surface, (), True, "void", False)
    if entry is None:
        raise UnknownName(kind="device instruction", name=path, hint=closest(path, INSTRUCTIONS))
    return entry
