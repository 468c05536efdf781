"""What operators refuse: for each thing that may be wrong with a call, the operators that never take it.

`concat` stands for itself; behind `where:x2|x1` stand the parameters that may be blamed instead of the changed one,
which nothing between the bars is.
"""

from __future__ import annotations

from typing import Final

#: what is wrong -> operators
_TOLD: Final = {
    "argument 0 has an axis more": (
        "broadcast_to:shape dynamic_strided_slice:begin ewise_fma:x2 eye_like gather_elements:indices "
        "image.affine_grid image.grid_sample image.resize2d image.resize3d index_put:indices "
        "multinomial_from_uniform nn.adaptive_avg_pool1d nn.adaptive_avg_pool2d nn.adaptive_avg_pool3d nn.attention "
        "nn.attention_bias nn.attention_var_len nn.avg_pool1d nn.avg_pool2d nn.avg_pool3d nn.conv1d "
        "nn.conv1d_transpose nn.conv2d nn.conv2d_transpose nn.conv3d nn.conv3d_transpose "
        "nn.cross_entropy_with_logits:labels nn.max_pool1d nn.max_pool2d nn.max_pool3d nn.nll_loss:targets "
        "nn.pad:pad_width outer reshape:shape scatter_elements:indices scatter_nd:updates slice_scatter:src "
        "tensor_to_shape vision.all_class_non_max_suppression vision.get_valid_counts vision.multibox_transform_loc "
        "vision.non_max_suppression vision.roi_align vision.roi_pool"
    ),
    "argument 0 has another dtype": (
        "acos acosh add:x2 asin asinh atan atan2:x2 atanh bitwise_and:x2 bitwise_or:x2 bitwise_xor:x2 cos cosh "
        "divide:x2 erf ewise_fma:x2 exp floor_divide:x2 floor_mod:x2 index_put:values left_shift:x2 log "
        "log_add_exp:x2 logical_and:x2 logical_or:x2 logical_xor:x2 maximum:x2 minimum:x2 mod:x2 "
        "multinomial_from_uniform multiply:x2 nn.batch_norm nn.cross_entropy_with_logits:labels nn.gelu nn.gelu_tanh "
        "nn.group_norm nn.instance_norm:gamma nn.layer_norm nn.leakyrelu nn.log_softmax nn.prelu nn.rms_norm nn.selu "
        "nn.silu nn.softmax nn.softplus one_hot power:x2 quantize right_shift:x2 rsqrt scatter_elements:updates "
        "scatter_nd:updates sigmoid sin sinh slice_scatter:src sqrt subtract:x2 tan tanh "
        "vision.multibox_transform_loc:loc_pred where"
    ),
    "argument 0 has other sizes": (
        "image.affine_grid matmul:x2 nn.attention:key nn.attention_bias:key nn.attention_var_len:key "
        "nn.batch_norm:gamma nn.conv1d:|weight nn.conv1d_transpose:|weight nn.conv2d:|weight "
        "nn.conv2d_transpose:|weight nn.conv3d:|weight nn.conv3d_transpose:|weight "
        "nn.cross_entropy_with_logits:labels nn.group_norm:gamma|num_groups nn.instance_norm:gamma "
        "nn.layer_norm:gamma nn.rms_norm:weight reshape:shape reverse_sequence:seq_lengths "
        "vision.multibox_transform_loc:loc_pred vision.non_max_suppression:valid_count"
    ),
    "argument 0 has two axes less": (
        "dynamic_strided_slice:begin eye_like gather_elements:indices image.affine_grid image.grid_sample "
        "image.resize2d image.resize3d index_put:indices multinomial_from_uniform nn.adaptive_avg_pool1d "
        "nn.adaptive_avg_pool2d nn.adaptive_avg_pool3d nn.attention nn.attention_bias nn.attention_var_len "
        "nn.avg_pool1d nn.avg_pool2d nn.avg_pool3d nn.conv1d nn.conv1d_transpose nn.conv2d nn.conv2d_transpose "
        "nn.conv3d nn.conv3d_transpose nn.cross_entropy_with_logits:labels nn.max_pool1d nn.max_pool2d nn.max_pool3d "
        "nn.nll_loss:|targets nn.pad:pad_width outer reverse_sequence:batch_axis|seq_axis "
        "scatter_elements:axis|indices scatter_nd:indices|updates slice_scatter:src tensor_to_shape "
        "vision.all_class_non_max_suppression vision.get_valid_counts vision.multibox_transform_loc "
        "vision.non_max_suppression vision.roi_align vision.roi_pool"
    ),
    "argument 0 holds a shape": ("concat einsum meshgrid stack"),
    "argument 0 holds another dtype": ("concat einsum meshgrid stack"),
    "argument 0 holds another rank": ("concat einsum:subscripts meshgrid stack"),
    "argument 0 holds other sizes": ("einsum:subscripts"),
    "argument 0 is a shape": (
        "abs acos acosh add argmax argmin argsort asin asinh astype atan atan2 atanh bitwise_and bitwise_not "
        "bitwise_or bitwise_xor broadcast_to bucketize builtin.stop_lift_params ccl.allgather ccl.allreduce "
        "ccl.broadcast_from_worker0 ccl.scatter_from_worker0 ceil clip collapse_sum_like collapse_sum_to cos cosh "
        "cumprod cumsum dequantize dist.redistribute_replica_to_shard divide dynamic_strided_slice equal erf "
        "ewise_fma exp expand_dims eye_like flatten flip floor floor_divide floor_mod full_like gather_elements "
        "gather_nd grad.end_checkpoint grad.start_checkpoint greater greater_equal image.affine_grid "
        "image.grid_sample image.resize2d image.resize3d index_put index_tensor inspect.tensor_byte_offset "
        "inspect.tensor_dtype_bits inspect.tensor_dtype_code inspect.tensor_dtype_lanes inspect.tensor_elem_offset "
        "inspect.tensor_ndim inspect.tensor_shape_i inspect.tensor_stride_i isfinite isinf isnan left_shift less "
        "less_equal log log_add_exp logical_and logical_not logical_or logical_xor matmul max maximum mean median "
        "memory.ensure_zero_offset memory.view min minimum mod multinomial_from_uniform multiply negative "
        "nn.adaptive_avg_pool1d nn.adaptive_avg_pool2d nn.adaptive_avg_pool3d nn.attention nn.attention_bias "
        "nn.attention_var_len nn.avg_pool1d nn.avg_pool2d nn.avg_pool3d nn.batch_flatten nn.batch_norm nn.conv1d "
        "nn.conv1d_transpose nn.conv2d nn.conv2d_transpose nn.conv3d nn.conv3d_transpose "
        "nn.cross_entropy_with_logits nn.dropout nn.gelu nn.gelu_tanh nn.group_norm nn.instance_norm nn.layer_norm "
        "nn.leakyrelu nn.log_softmax nn.max_pool1d nn.max_pool2d nn.max_pool3d nn.nll_loss nn.pad nn.pixel_shuffle "
        "nn.prelu nn.relu nn.rms_norm nn.selu nn.silu nn.softmax nn.softplus nonzero not_equal one_hot ones_like "
        "outer permute_dims power prod quantize repeat reshape reverse_sequence right_shift round rsqrt "
        "scatter_elements scatter_nd shape_of sigmoid sign sin sinh size slice_scatter sort split sqrt square "
        "squeeze std strided_slice subtract sum take tan tanh tensor_to_shape tile topk tril triu trunc unique "
        "variance vision.all_class_non_max_suppression vision.get_valid_counts vision.multibox_transform_loc "
        "vision.non_max_suppression vision.roi_align vision.roi_pool where wrap_param zeros_like"
    ),
    "argument 0 is a tensor": ("builtin.alloc_tensor concat einsum full meshgrid ones shape_to_tensor stack zeros"),
    "argument 0 is a tuple": (
        "abs acos acosh add argmax argmin argsort asin asinh astype atan atan2 atanh bitwise_and bitwise_not "
        "bitwise_or bitwise_xor broadcast_to bucketize builtin.stop_lift_params ccl.allgather ccl.allreduce "
        "ccl.broadcast_from_worker0 ccl.scatter_from_worker0 ceil clip collapse_sum_like collapse_sum_to cos cosh "
        "cumprod cumsum dequantize dist.redistribute_replica_to_shard divide dynamic_strided_slice equal erf "
        "ewise_fma exp expand_dims eye_like flatten flip floor floor_divide floor_mod full_like gather_elements "
        "gather_nd grad.end_checkpoint grad.start_checkpoint greater greater_equal image.affine_grid "
        "image.grid_sample image.resize2d image.resize3d index_put index_tensor inspect.tensor_byte_offset "
        "inspect.tensor_dtype_bits inspect.tensor_dtype_code inspect.tensor_dtype_lanes inspect.tensor_elem_offset "
        "inspect.tensor_ndim inspect.tensor_shape_i inspect.tensor_stride_i isfinite isinf isnan left_shift less "
        "less_equal log log_add_exp logical_and logical_not logical_or logical_xor matmul max maximum mean median "
        "memory.ensure_zero_offset memory.view min minimum mod multinomial_from_uniform multiply negative "
        "nn.adaptive_avg_pool1d nn.adaptive_avg_pool2d nn.adaptive_avg_pool3d nn.attention nn.attention_bias "
        "nn.attention_var_len nn.avg_pool1d nn.avg_pool2d nn.avg_pool3d nn.batch_flatten nn.batch_norm nn.conv1d "
        "nn.conv1d_transpose nn.conv2d nn.conv2d_transpose nn.conv3d nn.conv3d_transpose "
        "nn.cross_entropy_with_logits nn.dropout nn.gelu nn.gelu_tanh nn.group_norm nn.instance_norm nn.layer_norm "
        "nn.leakyrelu nn.log_softmax nn.max_pool1d nn.max_pool2d nn.max_pool3d nn.nll_loss nn.pad nn.pixel_shuffle "
        "nn.prelu nn.relu nn.rms_norm nn.selu nn.silu nn.softmax nn.softplus nonzero not_equal one_hot ones_like "
        "outer permute_dims power prod quantize repeat reshape reverse_sequence right_shift round rsqrt "
        "scatter_elements scatter_nd shape_of sigmoid sign sin sinh size slice_scatter sort split sqrt square "
        "squeeze std strided_slice subtract sum take tan tanh tensor_to_shape tile topk tril triu trunc unique "
        "variance vision.all_class_non_max_suppression vision.get_valid_counts vision.multibox_transform_loc "
        "vision.non_max_suppression vision.roi_align vision.roi_pool where wrap_param zeros_like"
    ),
    "argument 0 is empty": ("concat einsum meshgrid stack"),
    "argument 1 has an axis more": (
        "bucketize dequantize dynamic_strided_slice ewise_fma full full_like gather_elements "
        "multinomial_from_uniform nn.attention nn.attention_bias nn.attention_var_len nn.batch_norm nn.conv1d "
        "nn.conv1d_transpose nn.conv2d nn.conv2d_transpose nn.conv3d nn.conv3d_transpose "
        "nn.cross_entropy_with_logits nn.group_norm nn.instance_norm nn.layer_norm nn.nll_loss nn.rms_norm outer "
        "quantize reverse_sequence scatter_elements scatter_nd:updates slice_scatter "
        "vision.all_class_non_max_suppression vision.multibox_transform_loc vision.non_max_suppression "
        "vision.roi_align vision.roi_pool"
    ),
    "argument 1 has another dtype": (
        "add atan2 bitwise_and bitwise_or bitwise_xor dequantize divide dynamic_strided_slice ewise_fma floor_divide "
        "floor_mod gather_elements gather_nd left_shift log_add_exp logical_and logical_or logical_xor maximum "
        "minimum mod multinomial_from_uniform multiply nn.batch_norm nn.cross_entropy_with_logits nn.group_norm "
        "nn.instance_norm nn.layer_norm nn.nll_loss nn.rms_norm power quantize reverse_sequence right_shift "
        "scatter_elements scatter_nd slice_scatter subtract take vision.multibox_transform_loc "
        "vision.non_max_suppression where:x2"
    ),
    "argument 1 has other sizes": (
        "dynamic_strided_slice gather_nd matmul memory.view:data multinomial_from_uniform:sample_indices "
        "nn.attention nn.attention_bias nn.attention_var_len nn.batch_norm nn.conv1d nn.conv1d_transpose nn.conv2d "
        "nn.conv2d_transpose nn.conv3d nn.conv3d_transpose nn.cross_entropy_with_logits nn.group_norm "
        "nn.instance_norm nn.layer_norm nn.rms_norm reshape reverse_sequence scatter_elements:updates scatter_nd "
        "slice_scatter vision.multibox_transform_loc vision.non_max_suppression vision.roi_align vision.roi_pool"
    ),
    "argument 1 has two axes less": (
        "bucketize dynamic_strided_slice gather_elements image.grid_sample multinomial_from_uniform nn.attention "
        "nn.attention_bias nn.attention_var_len nn.batch_norm nn.conv1d nn.conv1d_transpose nn.conv2d "
        "nn.conv2d_transpose nn.conv3d nn.conv3d_transpose nn.cross_entropy_with_logits nn.group_norm "
        "nn.instance_norm nn.layer_norm nn.rms_norm outer reverse_sequence scatter_elements scatter_nd:|updates "
        "slice_scatter vision.all_class_non_max_suppression vision.multibox_transform_loc vision.non_max_suppression "
        "vision.roi_align vision.roi_pool"
    ),
    "argument 1 holds a shape": ("index_put index_tensor"),
    "argument 1 holds another dtype": ("index_put index_tensor"),
    "argument 1 holds another rank": ("index_put"),
    "argument 1 holds other sizes": ("index_put"),
    "argument 1 is a shape": (
        "add atan2 bitwise_and bitwise_or bitwise_xor bucketize collapse_sum_like dequantize divide "
        "dynamic_strided_slice equal ewise_fma floor_divide floor_mod full full_like gather_elements gather_nd "
        "greater greater_equal image.grid_sample left_shift less less_equal log_add_exp logical_and logical_or "
        "logical_xor matmul maximum minimum mod multinomial_from_uniform multiply nn.attention nn.attention_bias "
        "nn.attention_var_len nn.batch_norm nn.conv1d nn.conv1d_transpose nn.conv2d nn.conv2d_transpose nn.conv3d "
        "nn.conv3d_transpose nn.cross_entropy_with_logits nn.group_norm nn.instance_norm nn.layer_norm nn.nll_loss "
        "nn.prelu nn.rms_norm not_equal outer power quantize reverse_sequence right_shift scatter_elements "
        "scatter_nd slice_scatter subtract take vision.all_class_non_max_suppression vision.multibox_transform_loc "
        "vision.non_max_suppression vision.roi_align vision.roi_pool where"
    ),
    "argument 1 is a tensor": (
        "broadcast_to collapse_sum_to image.affine_grid image.resize2d image.resize3d index_tensor memory.view reshape"
    ),
    "argument 1 is a tuple": (
        "add atan2 bitwise_and bitwise_or bitwise_xor bucketize collapse_sum_like dequantize divide "
        "dynamic_strided_slice equal ewise_fma floor_divide floor_mod full full_like gather_elements gather_nd "
        "greater greater_equal image.grid_sample left_shift less less_equal log_add_exp logical_and logical_or "
        "logical_xor matmul maximum minimum mod multinomial_from_uniform multiply nn.attention nn.attention_bias "
        "nn.attention_var_len nn.batch_norm nn.conv1d nn.conv1d_transpose nn.conv2d nn.conv2d_transpose nn.conv3d "
        "nn.conv3d_transpose nn.cross_entropy_with_logits nn.group_norm nn.instance_norm nn.layer_norm nn.nll_loss "
        "nn.prelu nn.rms_norm not_equal outer power quantize reverse_sequence right_shift scatter_elements "
        "scatter_nd slice_scatter subtract take vision.all_class_non_max_suppression vision.multibox_transform_loc "
        "vision.non_max_suppression vision.roi_align vision.roi_pool where"
    ),
    "argument 1 is empty": ("index_put index_tensor"),
    "argument 2 has an axis more": (
        "dequantize dynamic_strided_slice ewise_fma multinomial_from_uniform nn.attention nn.attention_bias "
        "nn.attention_var_len nn.batch_norm nn.group_norm nn.instance_norm nn.layer_norm nn.nll_loss quantize "
        "scatter_elements scatter_nd vision.multibox_transform_loc vision.non_max_suppression"
    ),
    "argument 2 has another dtype": (
        "dequantize dynamic_strided_slice ewise_fma index_put multinomial_from_uniform nn.batch_norm nn.group_norm "
        "nn.instance_norm nn.layer_norm nn.nll_loss quantize scatter_elements scatter_nd vision.non_max_suppression "
        "where"
    ),
    "argument 2 has other sizes": (
        "dynamic_strided_slice multinomial_from_uniform nn.attention nn.attention_bias nn.attention_var_len "
        "nn.batch_norm nn.group_norm nn.instance_norm nn.layer_norm nn.nll_loss scatter_elements "
        "vision.multibox_transform_loc vision.non_max_suppression"
    ),
    "argument 2 has two axes less": (
        "dynamic_strided_slice multinomial_from_uniform nn.attention nn.attention_bias nn.attention_var_len "
        "nn.batch_norm nn.group_norm nn.instance_norm nn.layer_norm nn.nll_loss scatter_elements "
        "vision.multibox_transform_loc vision.non_max_suppression"
    ),
    "argument 2 is a shape": (
        "dequantize dynamic_strided_slice ewise_fma index_put multinomial_from_uniform nn.attention "
        "nn.attention_bias nn.attention_var_len nn.batch_norm nn.group_norm nn.instance_norm nn.layer_norm "
        "nn.nll_loss quantize scatter_elements scatter_nd vision.all_class_non_max_suppression "
        "vision.multibox_transform_loc vision.non_max_suppression where"
    ),
    "argument 2 is a tensor": ("memory.alloc_tensor"),
    "argument 2 is a tuple": (
        "dequantize dynamic_strided_slice ewise_fma index_put multinomial_from_uniform nn.attention "
        "nn.attention_bias nn.attention_var_len nn.batch_norm nn.group_norm nn.instance_norm nn.layer_norm "
        "nn.nll_loss quantize scatter_elements scatter_nd vision.all_class_non_max_suppression "
        "vision.multibox_transform_loc vision.non_max_suppression where"
    ),
    "argument 3 has an axis more": ("dynamic_strided_slice nn.attention_bias nn.batch_norm"),
    "argument 3 has another dtype": ("dynamic_strided_slice nn.batch_norm"),
    "argument 3 has other sizes": ("dynamic_strided_slice nn.attention_bias nn.batch_norm"),
    "argument 3 has two axes less": ("dynamic_strided_slice nn.attention_bias nn.batch_norm"),
    "argument 3 is a shape": (
        "dynamic_strided_slice nn.attention_bias nn.batch_norm vision.all_class_non_max_suppression"
    ),
    "argument 3 is a tuple": (
        "dynamic_strided_slice nn.attention_bias nn.batch_norm vision.all_class_non_max_suppression"
    ),
    "argument 4 has an axis more": ("nn.batch_norm"),
    "argument 4 has another dtype": ("nn.batch_norm"),
    "argument 4 has other sizes": ("nn.batch_norm"),
    "argument 4 has two axes less": ("nn.batch_norm"),
    "argument 4 is a shape": ("nn.batch_norm vision.all_class_non_max_suppression"),
    "argument 4 is a tuple": ("nn.batch_norm vision.all_class_non_max_suppression"),
    "axes is there from both ends": ("nn.group_norm nn.instance_norm nn.layer_norm nn.rms_norm permute_dims"),
    "axes is there twice": ("nn.group_norm nn.instance_norm nn.layer_norm nn.rms_norm permute_dims"),
    "axes is too large": ("nn.group_norm nn.instance_norm nn.layer_norm nn.rms_norm permute_dims"),
    "axes is too small": ("nn.group_norm nn.instance_norm nn.layer_norm nn.rms_norm permute_dims"),
    "axis is there from both ends": ("max mean median min prod squeeze std sum variance"),
    "axis is there twice": ("max mean median min prod squeeze std sum variance"),
    "axis is too large": (
        "argmax argmin argsort concat cumprod cumsum dequantize flip gather_elements max mean median min "
        "nn.batch_norm nn.log_softmax nn.prelu nn.softmax one_hot prod quantize repeat scatter_elements "
        "slice_scatter sort split stack std sum take topk variance"
    ),
    "axis is too small": (
        "argmax argmin argsort concat cumprod cumsum dequantize flip gather_elements max mean median min "
        "nn.batch_norm nn.log_softmax nn.prelu nn.softmax one_hot prod quantize repeat scatter_elements "
        "slice_scatter sort split squeeze stack std sum take topk variance"
    ),
    "batch_axis is too large": ("reverse_sequence"),
    "batch_axis is too small": ("reverse_sequence"),
    "channel_axis is too large": ("nn.group_norm nn.instance_norm"),
    "channel_axis is too small": ("nn.group_norm nn.instance_norm"),
    "data_layout is no layout": (
        "nn.conv1d nn.conv1d_transpose nn.conv2d nn.conv2d_transpose nn.conv3d nn.conv3d_transpose"
    ),
    "kernel_layout is no layout": (
        "nn.conv1d nn.conv1d_transpose nn.conv2d nn.conv2d_transpose nn.conv3d nn.conv3d_transpose"
    ),
    "layout is no layout": (
        "image.grid_sample image.resize2d image.resize3d nn.adaptive_avg_pool1d nn.adaptive_avg_pool2d "
        "nn.adaptive_avg_pool3d nn.avg_pool1d nn.avg_pool2d nn.avg_pool3d nn.max_pool1d nn.max_pool2d nn.max_pool3d "
        "vision.roi_align vision.roi_pool"
    ),
    "out_layout is no layout": (
        "nn.adaptive_avg_pool1d nn.adaptive_avg_pool2d nn.adaptive_avg_pool3d nn.avg_pool1d nn.avg_pool2d "
        "nn.avg_pool3d nn.conv1d nn.conv1d_transpose nn.conv2d nn.conv2d_transpose nn.conv3d nn.conv3d_transpose "
        "nn.max_pool1d nn.max_pool2d nn.max_pool3d"
    ),
    "seq_axis is too large": ("reverse_sequence"),
    "seq_axis is too small": ("reverse_sequence"),
}


def _names(told: str) -> tuple[str, frozenset[str]]:
    name, _, blamed = told.partition(":")
    return name, frozenset(blamed.split("|"))


#: what is wrong -> operator -> the parameters that may be blamed, "" for the one that is changed
REFUSED: Final = {words: dict(map(_names, told.split())) for words, told in _TOLD.items()}
