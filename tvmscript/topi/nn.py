"""Operators of neural networks: TVM's `topi.nn`."""

from __future__ import annotations

from tvmscript.ir.core.lazy import lazy_names
from tvmscript.ir.topi.broadcast import (
    add,
)
from tvmscript.ir.topi.join import (
    concatenate,
)
from tvmscript.ir.topi.nn.binary import (
    binarize_pack,
    binary_dense,
)
from tvmscript.ir.topi.nn.bitserial import (
    bitpack,
    bitserial_conv2d_nchw,
    bitserial_conv2d_nhwc,
    bitserial_dense,
)
from tvmscript.ir.topi.nn.blocked_convolution import (
    conv2d_gemm_weight_transform,
    conv2d_NCHWc,
    conv2d_NCHWc_int8,
    depthwise_conv2d_NCHWc,
    unpack_NCHWc_to_nchw,
)
from tvmscript.ir.topi.nn.blocks import (
    batch_to_space_nd,
    depth_to_space,
    fifo_buffer,
    flatten,
    space_to_batch_nd,
    space_to_depth,
)
from tvmscript.ir.topi.nn.convolution import (
    conv,
    conv1d,
    conv1d_ncw,
    conv1d_nwc,
    conv2d,
    conv2d_hwcn,
    conv2d_nchw,
    conv2d_nhwc,
    conv3d_ncdhw,
    conv3d_ndhwc,
    group_conv1d_ncw,
    group_conv1d_nwc,
    group_conv2d_nchw,
    group_conv2d_nhwc,
)
from tvmscript.ir.topi.nn.correlation import (
    correlation_nchw,
)
from tvmscript.ir.topi.nn.deformable import (
    deformable_conv2d_nchw,
    deformable_conv2d_nhwc,
)
from tvmscript.ir.topi.nn.depthwise_convolution import (
    depthwise_conv2d_backward_input_nhwc,
    depthwise_conv2d_backward_weight_nhwc,
    depthwise_conv2d_nchw,
    depthwise_conv2d_nhwc,
)
from tvmscript.ir.topi.nn.elementwise import (
    leaky_relu,
    prelu,
    relu,
    scale_shift_nchw,
    scale_shift_nchwc,
    scale_shift_nhwc,
)
from tvmscript.ir.topi.nn.lstm import (
    lstm,
)
from tvmscript.ir.topi.nn.matmul import (
    batch_matmul,
    dense,
    dense_pack,
    matmul,
)
from tvmscript.ir.topi.nn.normalization import (
    batch_norm,
    group_norm,
    instance_norm,
    l2_normalize,
    layer_norm,
    lrn,
    nll_loss,
    rms_norm,
)
from tvmscript.ir.topi.nn.padding import (
    circular_pad,
    dilate,
    mirror_pad,
    pad,
    replicate_pad,
)
from tvmscript.ir.topi.nn.pool_grad import (
    pool_grad,
)
from tvmscript.ir.topi.nn.pooling import (
    adaptive_pool,
    adaptive_pool1d,
    adaptive_pool3d,
    global_pool,
    pool1d,
    pool2d,
    pool3d,
)
from tvmscript.ir.topi.nn.quantize import (
    simulated_dequantize,
    simulated_quantize,
)
from tvmscript.ir.topi.nn.softmax import (
    fast_softmax,
    log_softmax,
    softmax,
    softmax_common,
)
from tvmscript.ir.topi.nn.sparse import (
    sparse_add,
    sparse_conv2d,
    sparse_dense,
    sparse_dense_sp_lhs,
    sparse_dense_sp_rhs,
    sparse_transpose,
)
from tvmscript.ir.topi.nn.transposed_convolution import (
    conv1d_transpose_ncw,
    conv2d_transpose_nchw,
    conv2d_transpose_nchw_preprocess,
    conv3d_transpose_ncdhw,
    conv3d_transpose_ncdhw_preprocess,
    group_conv1d_transpose_ncw,
    group_conv2d_transpose_nchw,
    group_conv3d_transpose_ncdhw,
)
from tvmscript.ir.topi.nn.transposed_convolution import conv2d_transpose_nchw as declaration_conv2d_transpose_impl
from tvmscript.ir.topi.nn.transposed_convolution import conv3d_transpose_ncdhw as declaration_conv3d_transpose_impl
from tvmscript.ir.topi.nn.upsampling import (
    upsampling,
    upsampling3d,
)
from tvmscript.ir.topi.nn.utils import get_pad_tuple, get_pad_tuple1d, get_pad_tuple3d, get_pad_tuple_generic
from tvmscript.ir.topi.nn.winograd import (
    conv2d_winograd_nchw,
    conv2d_winograd_nchw_without_weight_transform,
    conv2d_winograd_nhwc,
    conv2d_winograd_nhwc_without_weight_transform,
    conv2d_winograd_weight_transform,
    conv3d_winograd_weight_transform,
    winograd_transform_matrices,
)
from tvmscript.ir.topi.slice import (
    strided_slice,
)
from tvmscript.ir.topi.utils import equal_const_int, get_const_int, get_const_tuple, simplify

__all__ = [
    "adaptive_pool",
    "adaptive_pool1d",
    "adaptive_pool3d",
    "add",
    "batch_matmul",
    "batch_norm",
    "batch_to_space_nd",
    "binarize_pack",
    "binary_dense",
    "bitpack",
    "bitserial_conv2d_nchw",
    "bitserial_conv2d_nhwc",
    "bitserial_dense",
    "circular_pad",
    "concatenate",
    "conv",
    "conv1d",
    "conv1d_ncw",
    "conv1d_nwc",
    "conv1d_transpose_ncw",
    "conv2d",
    "conv2d_NCHWc",
    "conv2d_NCHWc_int8",
    "conv2d_gemm_weight_transform",
    "conv2d_hwcn",
    "conv2d_nchw",
    "conv2d_nhwc",
    "conv2d_transpose_nchw",
    "conv2d_transpose_nchw_preprocess",
    "conv2d_winograd_nchw",
    "conv2d_winograd_nchw_without_weight_transform",
    "conv2d_winograd_nhwc",
    "conv2d_winograd_nhwc_without_weight_transform",
    "conv2d_winograd_weight_transform",
    "conv3d_ncdhw",
    "conv3d_ndhwc",
    "conv3d_transpose_ncdhw",
    "conv3d_transpose_ncdhw_preprocess",
    "conv3d_winograd_weight_transform",
    "correlation_nchw",
    "declaration_conv2d_transpose_impl",
    "declaration_conv3d_transpose_impl",
    "deformable_conv2d_nchw",
    "deformable_conv2d_nhwc",
    "dense",
    "dense_pack",
    "depth_to_space",
    "depthwise_conv2d_NCHWc",
    "depthwise_conv2d_backward_input_nhwc",
    "depthwise_conv2d_backward_weight_nhwc",
    "depthwise_conv2d_nchw",
    "depthwise_conv2d_nhwc",
    "dilate",
    "equal_const_int",
    "fast_softmax",
    "fifo_buffer",
    "flatten",
    "get_const_int",
    "get_const_tuple",
    "get_pad_tuple",
    "get_pad_tuple1d",
    "get_pad_tuple3d",
    "get_pad_tuple_generic",
    "global_pool",
    "group_conv1d_ncw",
    "group_conv1d_nwc",
    "group_conv1d_transpose_ncw",
    "group_conv2d_nchw",
    "group_conv2d_nhwc",
    "group_conv2d_transpose_nchw",
    "group_conv3d_transpose_ncdhw",
    "group_norm",
    "instance_norm",
    "l2_normalize",
    "layer_norm",
    "leaky_relu",
    "log_softmax",
    "lrn",
    "lstm",
    "matmul",
    "mirror_pad",
    "nll_loss",
    "pad",
    "pool1d",
    "pool2d",
    "pool3d",
    "pool_grad",
    "prelu",
    "relu",
    "replicate_pad",
    "rms_norm",
    "scale_shift_nchw",
    "scale_shift_nchwc",
    "scale_shift_nhwc",
    "simplify",
    "simulated_dequantize",
    "simulated_quantize",
    "softmax",
    "softmax_common",
    "space_to_batch_nd",
    "space_to_depth",
    "sparse_add",
    "sparse_conv2d",
    "sparse_dense",
    "sparse_dense_sp_lhs",
    "sparse_dense_sp_rhs",
    "sparse_transpose",
    "strided_slice",
    "unpack_NCHWc_to_nchw",
    "upsampling",
    "upsampling3d",
    "winograd_transform_matrices",
]

# absent names of TVM below this module are found by `tvm_names`
__path__: list[str] = []
__getattr__, __dir__ = lazy_names(__name__, {})
