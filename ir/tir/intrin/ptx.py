"""Instructions of PTX, and the modifiers of each: what PTX writes behind dots, `ld.global.f32`.

One row is one instruction; several of its forms may take a modifier. `m64n8..256k16` stands for all multiples of 8.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from types import MappingProxyType

_ROWS = """
abs: bf16 bf16x2 f16 f16x2 f32 f64 ftz s16 s32 s64
activemask: b32
add: bf16 bf16x2 f16 f16x2 f32 f32x2 f64 ftz rm rn rp rz s16 s16x2 s32 s64 sat u16 u16x2 u32 u64
and: b16 b32 b64 pred
applypriority: 1d 2d 3d 4d 5d L2::evict_normal async bulk bulk_group global im2col im2col::w im2col::w::128 \
override::global_address override::global_dim override::global_dim_stride tensor tile tile::gather4
atom: L2::cache_hint acq_rel acquire add and b128 b16 b32 b64 bf16 bf16x2 cas cluster cta dec exch f16 f16x2 f32 f64 \
global gpu inc max min noftz or relaxed release s32 s64 shared shared::cluster shared::cta sys u32 u64 v2 v4 v8 xor
bar: and arrive cta or popc pred red sync u32 warp
barrier: acquire aligned and arrive cluster cta or popc pred red relaxed release sync u32 wait
bfe: s32 s64 u32 u64
bfi: b32 b64
bfind: s32 s64 shiftamt u32 u64
bmsk: b32 clamp wrap
brev: b32 b64
clmad: hi lo u64
clusterlaunchcontrol: async b128 b32 get_first_ctaid get_first_ctaid::x get_first_ctaid::y get_first_ctaid::z \
is_canceled mbarrier::complete_tx::bytes multicast::cluster::all pred query_cancel shared::cta try_cancel v4
clz: b32 b64
cnot: b16 b32 b64
copysign: f32 f64
cos: approx f32 ftz
cp: 1d 2d 3d 4d 5d L2 L2::128B L2::256B L2::64B L2::cache_hint L2::evict_last add and arrive async b128 b32 b64 bf16 \
bulk bulk_group ca cg cluster commit_group cp_mask cta cta_group::1 cta_group::2 dec f16 f32 f64 global gpu \
ignore_oob im2col im2col::w im2col::w::128 im2col_no_offs im2col_no_offs::w inc max mbarrier \
mbarrier::complete_tx::bytes mbarrier::report::disabled mbarrier::report::validity::per_16bytes::8 \
mbarrier::report::validity::per_16bytes::80 mbarrier::report::validity::per_16bytes::8000 \
mbarrier::report::validity::per_16bytes::80000000 mbarrier::report::validity::per_element::ff min multicast::cluster \
multicast::cluster::16b multicast::cluster::32b noftz noinc or override::global_address override::global_dim \
override::global_dim_stride prefetch read reduce relaxed s32 s64 shared shared::cluster shared::cta sys tensor tile \
tile::gather4 tile::scatter4 u32 u64 wait_all wait_group weak xor
createpolicy: L2 L2::evict_first L2::evict_last L2::evict_normal L2::evict_unchanged b64 cvt fractional global range
cvt: bf16 bf16x2 e2m1x2 e2m1x4 e2m3x2 e2m3x4 e3m2x2 e3m2x4 e4m3x2 e4m3x4 e5m2x2 e5m2x4 f16 f16x2 f32 f64 ftz pzo \
relu rm rmi rn rna rni rp rpi rs rz rzi s16 s2f6x2 s32 s64 s8 sat satfinite scaled::n1::ue8m0 scaled::n2::ue8m0 tf32 \
u16 u32 u64 u8 ue5m3x2 ue8m0x2
cvt_pack: b32 s16 s2 s32 s4 s8 sat u16 u2 u4 u8
cvta: const global local param param::entry shared shared::cluster shared::cta to u64
discard: L2 global
div: approx f32 f64 ftz full rm rn rp rz s16 s32 s64 u16 u32 u64
dp2a: hi lo s32 u32
dp4a: s32 u32
elect_sync:
ex2: approx bf16 bf16x2 f16 f16x2 f32 ftz
fabric: add and async b128 b32 b64 bf16 cp_mask f16 f32 f64 max mbarrier::complete_tx::16B.mbarrier::report::fabric \
mbarrier::complete_tx::16B.mbarrier::report::fabric.counted::bytes \
mbarrier::complete_tx::bytes.mbarrier::report::fabric min multimem op_restrict::fetching or relaxed s32 s64 \
shared::cta submit sync sync_restrict::reads sys try_get try_pullred try_put try_red u32 u64 wait xor
fence: acq_rel acquire alias async cluster cta fabric::fabric fabric::generic generic::fabric global gpu \
mbarrier_init proxy release sc shared::cluster shared::cta sys tensormap::generic
fma: bf16 bf16x2 f16 f16x2 f32 f32x2 f64 ftz oob relu rm rn rp rz sat
fns: b32
getctarank: shared::cluster u32 u64
griddepcontrol: launch_dependents wait
isspacep: const global local param param::entry shared shared::cluster shared::cta
ld: L1::evict_first L1::evict_last L1::evict_normal L1::evict_unchanged L1::no_allocate L2::128B L2::256B L2::64B \
L2::cache_hint L2::evict_first L2::evict_last L2::evict_normal acquire b128 b16 b32 b64 b8 ca cg cluster cs cta cv \
f32 f64 global gpu local lu mmio nc proxy::readonly relaxed s16 s32 s64 s8 shared shared::cluster shared::cta sys \
u16 u32 u64 u8 v2 v4 v8 volatile weak
ldmatrix: aligned b16 b4x16_p64 b6x16_p32 b8 b8x16 m16n16 m8n16 m8n8 s4 s8 shared shared::cta sync trans x1 x2 x4
ldu: b128 b16 b32 b64 b8 f32 f64 global s16 s32 s64 s8 u16 u32 u64 u8 v2 v4
lg2: approx f32 ftz
lop3: and b32 or
mad: f32 f64 ftz hi lo rm rn rp rz s16 s32 s64 sat u16 u32 u64 wide
mad24: hi lo s32 sat u32
mapa: shared::cluster u32 u64
match: all any b32 b64 sync
max: NaN abs bf16 bf16x2 f16 f16x2 f32 f64 ftz relu s16 s16x2 s32 s64 u16 u16x2 u32 u64 xorsign
mbarrier: acquire arrive arrive_drop b64 check_layout cluster complete_tx cta expect_tx init inval layout::v0 \
layout::v1 multicast::cluster::32b noComplete parity pending_count phase_type::conditional phase_type::primary \
relaxed release shared shared::cluster shared::cta test_wait try_wait
min: NaN abs bf16 bf16x2 f16 f16x2 f32 f64 ftz relu s16 s16x2 s32 s64 u16 u16x2 u32 u64 xorsign
mma: aligned and b1 bf16 col e4m3 e5m2 f16 f32 f64 m16n8k128 m16n8k16 m16n8k256 m16n8k32 m16n8k4 m16n8k64 m16n8k8 \
m8n8k128 m8n8k16 m8n8k32 m8n8k4 popc rm rn row rp rz s32 s4 s8 satfinite sp sp::ordered_metadata sync tf32 u4 u8 xor
mov: b128 b16 b32 b64 f32 f64 pred s16 s32 s64 u16 u32 u64
movmatrix: aligned b16 m8n8 sync trans
mul: bf16 bf16x2 f16 f16x2 f32 f32x2 f64 ftz hi lo rm rn rp rz s16 s32 s64 sat u16 u32 u64 wide
mul24: hi lo s32 u32
multimem_cp: add and async b128 b32 b64 bf16 bulk bulk_group cluster cp_mask cta dec f16 f32 f64 global gpu inc max \
min noftz or reduce relaxed s32 s64 shared::cta sys u32 u64 weak xor
multimem_ld_reduce: acc::f32 acquire add and b32 b64 bf16 bf16x2 cluster cta f16 f16x2 f32 f64 global gpu max min or \
relaxed s32 s64 sys u32 u64 v2 v4 v8 weak xor
multimem_red: add and b32 b64 bf16 bf16x2 cluster cta f16 f16x2 f32 f64 global gpu max min or relaxed release s32 \
s64 sys u32 u64 v2 v4 v8 xor
multimem_red_async: add global gpu release s32 sys u32 u64
multimem_st: b32 b64 bf16 bf16x2 cluster cta f16 f16x2 f32 f64 global gpu relaxed release s32 s64 sys u32 u64 v2 v4 \
v8 weak
multimem_st_async: b16 b32 b64 b8 f32 f64 global gpu release s16 s32 s64 s8 sys u16 u32 u64 u8
neg: bf16 bf16x2 f16 f16x2 f32 f64 ftz s16 s32 s64
not: b16 b32 b64 pred
or: b16 b32 b64 pred
popc: b32 b64
prefetch: L1 L1::32B L2 L2::evict_last L2::evict_normal const global local param tensormap valid_addr
prefetchu: L1
prmt: b32 b4e ecl ecr f4e rc16 rc8
rcp: approx f32 f64 ftz rm rn rp rz
red: L2::cache_hint add and b32 b64 bf16 bf16x2 cluster cta dec f16 f16x2 f32 f64 global gpu inc max min noftz or \
relaxed release s32 s64 shared shared::cluster shared::cta sys u32 u64 v2 v4 v8 xor
red_async: add and b32 cluster dec global gpu inc max mbarrier::complete_tx::bytes min mmio or relaxed release s32 \
s64 shared::cluster sys u32 u64 xor
redux_sync: NaN abs add and b32 f32 max min or s32 u32 xor
rem: s16 s32 s64 u16 u32 u64
rsqrt: approx f32 f64 ftz
sad: s16 s32 s64 u16 u32 u64
selp: b16 b32 b64 f32 f64 s16 s32 s64 u16 u32 u64
set: and b16 b32 b64 bf16 bf16x2 eq equ f16 f16x2 f32 f64 ftz ge geu gt gtu hi hs le leu lo ls lt ltu nan ne neu num \
or s16 s16x2 s32 s64 s8x4 u16 u16x2 u32 u64 u8x4 xor
setmaxnreg: aligned dec inc sync u32
setp: and b16 b32 b64 bf16 bf16x2 eq equ f16 f16x2 f32 f64 ftz ge geu gt gtu hi hs le leu lo ls lt ltu nan ne neu \
num or s16 s32 s64 u16 u32 u64 xor
shf: b32 clamp l r wrap
shfl_sync: b32 bfly down idx up
shl: b16 b32 b64
shr: b16 b32 b64 s16 s32 s64 u16 u32 u64
sin: approx f32 ftz
slct: b16 b32 b64 f32 f64 ftz s16 s32 s64 u16 u32 u64
spcompress: b16 b2 b4 b8 sp::2:4 x1 x16 x2 x32 x4 x64 x8
spdecompress: b16 b2 b4 b8 sp::1:16 sp::1:2 sp::1:4 sp::1:8 sp::2:16 sp::2:4 sp::2:8 sp::4:16 sp::4:8 x1 x16 x2 x32 \
x4 x64 x8
sqrt: approx f32 f64 ftz rm rn rp rz
st: L1::evict_first L1::evict_last L1::evict_normal L1::evict_unchanged L1::no_allocate L2::cache_hint \
L2::evict_first L2::evict_last L2::evict_normal b128 b16 b32 b64 b8 cg cluster cs cta f32 f64 global gpu local mmio \
relaxed release s16 s32 s64 s8 shared shared::cluster shared::cta sys u16 u32 u64 u8 v2 v4 v8 volatile wb weak wt
st_async: b128 b16 b32 b64 b8 f32 f64 global gpu mbarrier::complete_tx::bytes mmio release s16 s32 s64 s8 \
shared::cluster sys u16 u32 u64 u8 v2 v4 weak
st_bulk: shared::cta weak
stmatrix: aligned b16 b8 m16n8 m8n8 shared shared::cta sync trans x1 x2 x4
sub: bf16 bf16x2 f16 f16x2 f32 f32x2 f64 ftz rm rn rp rz s16 s32 s64 sat u16 u32 u64
szext: clamp s32 u32 wrap
tanh: approx bf16 bf16x2 f16 f16x2 f32
tcgen05: 128x128b 128x256b 16x128b 16x256b 16x32bx2 16x64b 32x128b 32x32b 4x256b 64x128b NaN abs aligned alloc \
ashift b2 b32 b4x16_p64 b64 b6x16_p32 b8x16 block16 block32 block_scale collector::a::discard collector::a::fill \
collector::a::lastuse collector::a::use collector::b0::discard collector::b0::fill collector::b0::lastuse \
collector::b0::use collector::b1::discard collector::b1::fill collector::b1::lastuse collector::b1::use \
collector::b2::discard collector::b2::fill collector::b2::lastuse collector::b2::use collector::b3::discard \
collector::b3::fill collector::b3::lastuse collector::b3::use collector::b::discard collector::b::fill \
collector::b::lastuse collector::b::use commit cp cta_group::1 cta_group::2 dealloc decompress::lut::b exclusive f32 \
fence::after_thread_sync fence::before_thread_sync kind::f16 kind::f8f6f4 kind::i8 kind::mxf4 kind::mxf4nvf4 \
kind::mxf8f6f4 kind::tf32 kind::ti16 ld max mbarrier::arrive::one min mma multicast::cluster multicast::cluster::16b \
multicast::cluster::32b pack::16b red relinquish_alloc_permit s32 scale_vec::1X scale_vec::2X scale_vec::4X \
shared::cluster shared::cta sp sp::2:4 spcompress st sync sync_restrict::shared::read::mma::a u32 unpack::16b \
wait::ld wait::st warpx2::01_23 warpx2::02_13 warpx4 ws x1 x128 x16 x2 x32 x4 x64 x8
tensormap_cp_fenceproxy: aligned cluster cta global gpu release shared::cta sync sys tensormap::generic
tensormap_replace: b1024 b32 b64 box_dim element_stride elemtype fill_mode global global_address global_dim \
global_stride interleave_layout rank shared::cta swizzle_mode tile
testp: f32 f64 finite infinite normal notanumber number subnormal
vote_sync: all any b32 ballot pred uni
wgmma: aligned and b1 bf16 commit_group e4m3 e5m2 f16 f32 fence mma_async popc s32 s8 satfinite sync tf32 u8 \
wait_group m64n8..256k16 m64n8..256k32 m64n8..256k8 m64n8k256 m64n16k256 m64n24k256 m64n32k256 m64n48k256 m64n64k256 \
m64n80k256 m64n96k256 m64n112k256 m64n128k256 m64n144k256 m64n160k256 m64n176k256 m64n192k256 m64n208k256 \
m64n224k256 m64n240k256 m64n256k256
xor: b16 b32 b64 pred
"""
_SHAPES = re.compile(r"(m64n)(\d+)\.\.(\d+)(k\d+)")


def _expanded(modifier: str) -> Iterator[str]:
    """Return the modifiers that one of a row stands for."""
    shapes = _SHAPES.fullmatch(modifier)
    if shapes is None:
        yield modifier
        return
    start, first, last, end = shapes.groups()
    for size in range(int(first), int(last) + 1, 8):
        yield f"{start}{size}{end}"


def _table() -> dict[str, frozenset[str]]:
    table: dict[str, frozenset[str]] = {}
    for row in _ROWS.strip().split("\n"):
        name, _, modifiers = row.partition(":")
        table[name] = frozenset(each for item in modifiers.split() for each in _expanded(item))
    return table


#: instruction, without the parts that modifiers are -> its modifiers
PTX_MODIFIERS: Mapping[str, frozenset[str]] = MappingProxyType(_table())
PTX_FAMILIES = frozenset(PTX_MODIFIERS)
