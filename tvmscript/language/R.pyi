# Written by `python -m tools.reference`; edit tools/reference/ instead.

import builtins
import collections.abc
import typing
from typing import ParamSpec, TypeAlias, TypeVar, overload

import tvmscript.ir.core.module as _module
import tvmscript.ir.relax.base as _base
import tvmscript.ir.relax.function as _function
import tvmscript.ir.relax.transform.rewriters.pattern_matching_rewriter as _rewriter
import tvmscript.ir.tir.base as _tir

class Operators(_base.RelaxExpr):
    """A value of the graph level, with its operators."""

    def __add__(self, other: typing.Any) -> Expr: ...
    def __radd__(self, other: typing.Any) -> Expr: ...
    def __sub__(self, other: typing.Any) -> Expr: ...
    def __rsub__(self, other: typing.Any) -> Expr: ...
    def __mul__(self, other: typing.Any) -> Expr: ...
    def __rmul__(self, other: typing.Any) -> Expr: ...
    def __truediv__(self, other: typing.Any) -> Expr: ...
    def __rtruediv__(self, other: typing.Any) -> Expr: ...
    def __floordiv__(self, other: typing.Any) -> Expr: ...
    def __rfloordiv__(self, other: typing.Any) -> Expr: ...
    def __mod__(self, other: typing.Any) -> Expr: ...
    def __rmod__(self, other: typing.Any) -> Expr: ...
    def __pow__(self, other: typing.Any) -> Expr: ...
    def __rpow__(self, other: typing.Any) -> Expr: ...
    def __lt__(self, other: typing.Any) -> Expr: ...
    def __le__(self, other: typing.Any) -> Expr: ...
    def __gt__(self, other: typing.Any) -> Expr: ...
    def __ge__(self, other: typing.Any) -> Expr: ...
    def __neg__(self) -> Expr: ...
    def __getitem__(self, index: builtins.int) -> Expr: ...
    def __iter__(self) -> collections.abc.Iterator[Expr]: ...
    def astype(self, dtype: builtins.str) -> Expr:
        """The tensor converted to another dtype."""

class Tensor(Operators):
    """A tensor with an optional shape and dtype."""

    def __init__(self, shape: Value | None = None, dtype: typing.Any = None, vdevice: typing.Any = None, ndim: Int = -1) -> None: ...

class Shape(Operators):
    """A shape with the given sizes, or with `ndim` unknown sizes."""

    def __init__(self, values: typing.Any = None, ndim: Int = -1) -> None: ...

class Prim(Operators):
    """A scalar of a dtype, or with a known value."""

    def __init__(self, dtype: typing.Any = None, value: typing.Any = None) -> None: ...

class Object(Operators):
    """A value of any kind."""

    def __init__(self) -> None: ...

class Any(Operators):
    """A value of any kind."""

    def __init__(self) -> None: ...

class Tuple(Operators):
    """A tuple with the given fields."""

    def __init__(self, *fields: typing.Any) -> None: ...

class Callable(Operators):
    """A function with the given parameters and result; without parameters an opaque function."""

    def __init__(self, params: typing.Any = None, ret: typing.Any = None, purity: builtins.bool | None = None, derive_func: typing.Any = None) -> None: ...
    def __call__(self, *args: typing.Any, **kwargs: typing.Any) -> Expr: ...

class DTensor(Operators):
    """A tensor distributed over a device mesh by a placement; without a mesh it is on one device."""

    def __init__(self, shape: Value | None = None, dtype: typing.Any = None, device_mesh: typing.Any = None, placement: builtins.str = '', ndim: Int = -1) -> None: ...

class Expr(Tensor, Shape, Prim, Object, Any, Tuple, Callable, DTensor):
    """A value. What is known of it, such as its shape, is found when the program is read: it may be of any kind."""

P = ParamSpec("P")
M = TypeVar("M")
#: An operand: a value, or what stands for one: a number, a string, several values.
Value: TypeAlias = (
    _base.RelaxExpr
    | _module.GlobalVar
    | _tir.Expr
    | builtins.float
    | builtins.str
    | collections.abc.Sequence[typing.Any]
)
#: An integer, also as an expression that is a constant.
Int: TypeAlias = builtins.int | _tir.Expr
#: Integers, or one that stands for as many as are wanted.
Ints: TypeAlias = Int | collections.abc.Sequence[Int]

def ExternFunc(global_symbol: builtins.str, struct_info: typing.Any = None) -> Expr:
    """Return an external function."""

def Range(begin: typing.Any, end: typing.Any = None) -> typing.Any:
    """The integers from `begin` to `end`, exclusive; with one argument those from 0."""

def ShapeExpr(values: typing.Any) -> Expr:
    """Return a shape as a Relax value, the name of TVM's constructor."""

def TupleGetItem(tuple_value: typing.Any, index: typing.Any) -> typing.Any:
    """Return a field of a tuple."""

def abs(x: Value) -> Expr:
    """The absolute value."""

def acos(x: Value) -> Expr:
    """The arc cosine."""

def acosh(x: Value) -> Expr:
    """The inverse hyperbolic cosine."""

def add(x1: Value, x2: Value) -> Expr:
    """Addition, x1 + x2."""

def arange(start: typing.Any, end: typing.Any = None, step: typing.Any = 1, dtype: typing.Any = None) -> Expr:
    """Return numbers from `start` (inclusive, default 0) to `end` (exclusive).

    The dtype is int64 where all three are integers, float32 otherwise."""

def argmax(x: Value, axis: Int | None = None, keepdims: builtins.bool = False) -> Expr:
    """The index of the largest element."""

def argmin(x: Value, axis: Int | None = None, keepdims: builtins.bool = False) -> Expr:
    """The index of the smallest element."""

def argsort(data: Value, axis: Int = -1, descending: builtins.bool = False, dtype: builtins.str = 'int32') -> Expr:
    """The indices that sort the elements along an axis."""

def asin(x: Value) -> Expr:
    """The arc sine."""

def asinh(x: Value) -> Expr:
    """The inverse hyperbolic sine."""

def assert_op(condition: typing.Any, *format_args: typing.Any, format: builtins.str = '') -> Expr:
    """Abort with a message where the condition is false. Values may also be one list, followed by the format."""

def astype(x: Value, dtype: builtins.str) -> Expr:
    """Convert the elements to another dtype."""

def atan(x: Value) -> Expr:
    """The arc tangent."""

def atan2(x1: Value, x2: Value) -> Expr:
    """The angle of the point (x2, x1), in radians."""

def atanh(x: Value) -> Expr:
    """The inverse hyperbolic tangent."""

def bitwise_and(x1: Value, x2: Value) -> Expr:
    """Bitwise AND."""

def bitwise_not(x: Value) -> Expr:
    """Bitwise NOT."""

def bitwise_or(x1: Value, x2: Value) -> Expr:
    """Bitwise OR."""

def bitwise_xor(x1: Value, x2: Value) -> Expr:
    """Bitwise XOR."""

def breakpoint() -> Expr:
    """Stop in Python's debugger."""

def broadcast_to(x: Value, shape: Value) -> Expr:
    """Broadcast the tensor to a shape."""

def bucketize(input_tensor: Value, boundaries: Value, out_int32: builtins.bool = False, right: builtins.bool = False) -> Expr:
    """The bucket of each element among sorted boundaries."""

class builtin:
    @staticmethod
    def alloc_tensor(shape: Value, dtype: Value, runtime_device_index: Value, storage_scope: Value = 'global') -> Expr:
        """Allocate a tensor."""

    @staticmethod
    def stop_lift_params(x: Value) -> Expr:
        """The tensor; computations on it are not lifted into the parameter transformation."""

def call_builtin_with_ctx(func: typing.Any, args: typing.Any, *, sinfo_args: typing.Any = None) -> Expr:
    """Call a builtin of the virtual machine with the machine as its first argument."""

def call_dps_packed(func: typing.Any, args: typing.Any, out_sinfo: typing.Any) -> Expr:
    """Call an external function with the arguments and new output tensors."""

def call_inplace_packed(func: typing.Any, *args: typing.Any, inplace_indices: typing.Any, sinfo_args: typing.Any = None) -> Expr:
    """Call an external function that writes results into arguments; the index -1 is a new value."""

def call_packed(func: typing.Any, *args: typing.Any, sinfo_args: typing.Any = (), **attrs: typing.Any) -> Expr:
    """Call an external function; `sinfo_args` is the struct info of its result."""

def call_pure_packed(func: typing.Any, *args: typing.Any, sinfo_args: typing.Any = None) -> Expr:
    """Call a pure external function."""

def call_py_func(py_func_name: typing.Any, *args: typing.Any, out_sinfo: typing.Any) -> Expr:
    """Call a Python function that is registered in the module by name."""

def call_tir(gvar: typing.Any, args: typing.Any, out_sinfo: typing.Any, tir_vars: typing.Any = None) -> Expr:
    """Call a PrimFunc with the arguments and new output tensors."""

def call_tir_inplace(gvar: typing.Any, args: typing.Any, inplace_indices: typing.Any, out_sinfo: typing.Any, tir_vars: typing.Any = None) -> Expr:
    """Call a PrimFunc that writes results into arguments; the index -1 is a new tensor."""

def call_tir_with_grad(gvar: typing.Any, args: typing.Any, out_sinfo: typing.Any, te_grad_name: builtins.str, te_grad_kwargs: typing.Any = None, tir_vars: typing.Any = None) -> Expr:
    """`call_tir` with the name of a registered gradient function."""

class ccl:
    @staticmethod
    def allgather(x: Value, num_workers: Value, in_group: builtins.bool = True) -> Expr:
        """Concatenate the tensors of all workers along axis 0; every worker has the result."""

    @staticmethod
    def allreduce(x: Value, op_type: builtins.str = 'sum', in_group: builtins.bool = True) -> Expr:
        """Reduce over all workers; every worker has the result."""

    @staticmethod
    def broadcast_from_worker0(x: Value) -> Expr:
        """Copy the tensor of worker 0 to all workers."""

    @staticmethod
    def scatter_from_worker0(x: Value, num_workers: Int, axis: Int = 0) -> Expr:
        """Split the tensor of worker 0 along an axis and send one part to each worker."""

def ceil(x: Value) -> Expr:
    """Ceiling: the smallest integer not below x."""

def clip(x: Value, min: Value, max: Value) -> Expr:
    """Clamp the elements to the bounds."""

def collapse_sum_like(data: Value, collapse_target: Value) -> Expr:
    """Sum to the shape of the target: the reverse of a broadcast."""

def collapse_sum_to(data: Value, shape: Value) -> Expr:
    """Sum to a shape: the reverse of a broadcast."""

def concat(tensors: Value, axis: Int | None = 0) -> Expr:
    """Concatenate tensors along an axis."""

def const(value: typing.Any, dtype: typing.Any = None) -> Expr:
    """Return a constant: a number, (nested) lists of numbers, or an array.

    The default dtype of numbers, and of NumPy arrays of int64 and float64, is int32 or float32."""

def cos(x: Value) -> Expr:
    """The cosine."""

def cosh(x: Value) -> Expr:
    """The hyperbolic cosine."""

def cpu(dev_id: typing.Any = 0) -> typing.Any:
    """Return a device of the kind cpu."""

def cuda(dev_id: typing.Any = 0) -> typing.Any:
    """Return a device of the kind cuda."""

def cumprod(data: Value, axis: Int | None = None, dtype: builtins.str | None = None, exclusive: Int | None = None) -> Expr:
    """Cumulative products along an axis."""

def cumsum(data: Value, axis: Int | None = None, dtype: builtins.str | None = None, exclusive: Int | None = None) -> Expr:
    """Cumulative sums along an axis."""

def dataflow() -> typing.Any:
    """Open a dataflow block: `with R.dataflow():`."""

def dequantize(data: Value, scale: Value, zero_point: Value, axis: Int = -1, out_dtype: builtins.str = 'float32') -> Expr:
    """Dequantize: (data - zero_point) * scale."""

def device(dev_type: typing.Any, dev_id: typing.Any = 0) -> typing.Any:
    """Return a device: its kind, given by name or number, and its index among the devices of that kind."""

def device_mesh(shape: Value, device_ids: typing.Any) -> typing.Any:
    """Return a device mesh: a shape, and the ids of its devices as a list or a range."""

class dist:
    @staticmethod
    def DTensor(shape: Value | None = None, dtype: typing.Any = None, device_mesh: typing.Any = None, placement: builtins.str = '', ndim: Int = -1) -> typing.Any:
        """A tensor distributed over a device mesh by a placement; without a mesh it is on one device."""

    @staticmethod
    def DTensorStructInfo(tensor_sinfo: typing.Any, device_mesh: typing.Any, placement: typing.Any) -> typing.Any:
        """Return the struct info of a distributed tensor from that of the tensor."""

    @staticmethod
    def DeviceMesh(shape: Value, device_ids: typing.Any) -> typing.Any:
        """Return a device mesh: a shape, and the ids of its devices as a list or a range."""

    @staticmethod
    def Placement(dim_specs: typing.Any) -> typing.Any:
        """Return a placement with an entry for each dimension of the mesh: "S[0], R", or a list of axes with -1 for R."""

    @staticmethod
    def annotate_sharding(value: typing.Any, device_mesh: typing.Any, placement: typing.Any) -> Expr:
        """Annotate a tensor with its distribution over a device mesh."""

    @staticmethod
    def call_tir(func: typing.Any, args: typing.Any, out_sinfo: typing.Any, tir_vars: typing.Any = None) -> Expr:
        """Call a kernel of the module whose results are distributed over devices."""

    @staticmethod
    def call_tir_local_view(gvar: typing.Any, args: typing.Any, out_sinfo: typing.Any, tir_vars: typing.Any = None) -> Expr:
        """`call_tir` on the local shards of each worker."""

    @staticmethod
    def const(value: typing.Any, struct_info: typing.Any) -> Expr:
        """Return constant data that is distributed over devices."""

    @staticmethod
    def device_mesh(shape: Value, device_ids: typing.Any) -> typing.Any:
        """Return a device mesh: a shape, and the ids of its devices as a list or a range."""

    @staticmethod
    def redistribute(value: typing.Any, device_mesh: typing.Any, placement: typing.Any) -> Expr:
        """Redistribute a tensor over a device mesh."""

    @staticmethod
    def redistribute_replica_to_shard(input: Value, num_workers: Int, axis: Int) -> Expr:
        """Shard a tensor that is replicated on all workers."""

distributed = dist

def divide(x1: Value, x2: Value) -> Expr:
    """Division, x1 / x2; integers round towards zero."""

def dtype(value: typing.Any) -> typing.Any:
    """Return a dtype as a Relax value."""

def dynamic_strided_slice(x: Value, begin: Value, end: Value, strides: Value) -> Expr:
    """A strided slice with bounds in tensors, one element for each axis."""

def einsum(operands: Value, subscripts: builtins.str) -> Expr:
    """Einstein summation: `ij,jk->ik` is the matrix product."""

def emit(value: typing.Any, annotate_struct_info: typing.Any = None) -> typing.Any:
    """Bind a value to a new variable."""

def emit_match_cast(value: typing.Any, struct_info: typing.Any) -> typing.Any:
    """Bind a new variable to a value with more precise struct info."""

def equal(x1: Value, x2: Value) -> Expr:
    """Whether x1 == x2."""

def erf(x: Value) -> Expr:
    """The error function."""

def ewise_fma(x1: Value, x2: Value, x3: Value) -> Expr:
    """Multiply and add, x1 * x2 + x3, without broadcasting."""

def exp(x: Value) -> Expr:
    """The exponential function, e ** x."""

def expand_dims(x: Value, axis: Ints) -> Expr:
    """Insert axes of extent 1; axes are counted in the result."""

def ext_dev(dev_id: typing.Any = 0) -> typing.Any:
    """Return a device of the kind ext_dev."""

def eye(n: typing.Any, m: typing.Any = None, k: typing.Any = 0, dtype: typing.Any = 'float32') -> Expr:
    """Return an (n, m) matrix, m = n by default, with ones on diagonal k and zeros elsewhere."""

def eye_like(x: Value, k: Value = 0, dtype: builtins.str | None = None) -> Expr:
    """Ones on a diagonal, zeros elsewhere, in the shape of another tensor."""

def flatten(x: Value) -> Expr:
    """All elements in one dimension, in row-major order."""

def flip(data: Value, axis: Int) -> Expr:
    """Reverse the elements along an axis."""

def floor(x: Value) -> Expr:
    """Floor: the largest integer not above x."""

def floor_divide(x1: Value, x2: Value) -> Expr:
    """Floor division, x1 // x2."""

def floor_mod(x1: Value, x2: Value) -> Expr:
    """The remainder of floor division; it has the sign of x2."""

def full(shape: Value, fill_value: Value, dtype: builtins.str | None = None) -> Expr:
    """A tensor filled with one value."""

def full_like(x: Value, fill_value: Value, dtype: builtins.str | None = None) -> Expr:
    """A tensor filled with one value, in the shape of another tensor."""

def func_attr(attrs: typing.Any) -> None:
    """Set the attributes of the function."""

def func_name(name: builtins.str) -> None:
    """Set the name of the function."""

def func_ret_struct_info(ret_sinfo: typing.Any) -> None:
    """Set the struct info of the result."""

def func_ret_value(value: typing.Any) -> None:
    """Set the result of the function."""

@overload
def function(func: collections.abc.Callable[..., typing.Any], /, *, private: builtins.bool = False, pure: builtins.bool = True, check_well_formed: builtins.bool = True, source: builtins.str | None = None, name: builtins.str | None = None) -> _function.Function:
    """Convert a Python function to a Relax function. In the class of a module, return it unchanged for `ir_module`.

    `source` is the text of the function, for code without a file."""
@overload
def function(*, private: builtins.bool = False, pure: builtins.bool = True, check_well_formed: builtins.bool = True, source: builtins.str | None = None, name: builtins.str | None = None) -> collections.abc.Callable[
    [collections.abc.Callable[..., typing.Any]], _function.Function
]:
    """Convert a Python function to a Relax function. In the class of a module, return it unchanged for `ir_module`.

    `source` is the text of the function, for code without a file."""

def gather_elements(data: Value, indices: Value, axis: Int = 0) -> Expr:
    """Gather elements along an axis by indices."""

def gather_nd(data: Value, indices: Value, batch_dims: Int = 0) -> Expr:
    """Gather slices by multi-dimensional indices."""

def gpu(dev_id: typing.Any = 0) -> typing.Any:
    """Return a device of the kind gpu."""

class grad:
    @staticmethod
    def avg_pool2d_backward(output_grad: Value, data: Value, pool_size: Ints = (1, 1), strides: Ints = (1, 1), padding: Ints = (0, 0, 0, 0), dilation: Ints = (1, 1), ceil_mode: builtins.bool = False, count_include_pad: builtins.bool = False, layout: builtins.str = 'NCHW', out_layout: builtins.str | None = None) -> Expr:
        """The gradient of `nn.avg_pool2d` with respect to the data."""

    @staticmethod
    def end_checkpoint(input: Value) -> Expr:
        """Mark the end of a checkpointed region."""

    @staticmethod
    def max_pool2d_backward(output_grad: Value, data: Value, pool_size: Ints = (1, 1), strides: Ints = (1, 1), padding: Ints = (0, 0, 0, 0), dilation: Ints = (1, 1), ceil_mode: builtins.bool = False, count_include_pad: builtins.bool = False, layout: builtins.str = 'NCHW', out_layout: builtins.str | None = None) -> Expr:
        """The gradient of `nn.max_pool2d` with respect to the data."""

    @staticmethod
    def nll_loss_backward(output_grad: Value, predictions: Value, targets: Value, weights: Value | None = None, reduction: builtins.str = 'mean', ignore_index: Int = -100) -> Expr:
        """The gradient of `nn.nll_loss` with respect to the predictions."""

    @staticmethod
    def no_grad(input: Value) -> Expr:
        """The value, without a gradient."""

    @staticmethod
    def start_checkpoint(input: Value) -> Expr:
        """Mark the start of a checkpointed region, which is recomputed for the gradient."""

    @staticmethod
    def take_backward(output_grad: Value, x: Value, indices: Value, axis: Int | None = None, mode: builtins.str = '') -> Expr:
        """The gradient of `take` with respect to the data."""

def greater(x1: Value, x2: Value) -> Expr:
    """Whether x1 > x2."""

def greater_equal(x1: Value, x2: Value) -> Expr:
    """Whether x1 >= x2."""

def hamming_window(window_size: Value, periodic: Value, alpha: Value, beta: Value, dtype: builtins.str) -> Expr:
    """A Hamming window: alpha - beta * cos(2 pi i / N), where N is the size if periodic, else the size minus 1."""

def hexagon(dev_id: typing.Any = 0) -> typing.Any:
    """Return a device of the kind hexagon."""

def hint_on_device(data: typing.Any, dst_vdevice: typing.Any, memory_scope: builtins.str = 'global') -> Expr:
    """Return the tensor with a hint for its device, a pair (DLPack device type, device id)."""

class image:
    @staticmethod
    def affine_grid(data: Value, size: Value, align_corners: builtins.bool = True) -> Expr:
        """The sampling grid of an affine transformation, an argument of `grid_sample`."""

    @staticmethod
    def grid_sample(data: Value, grid: Value, method: builtins.str = 'bilinear', layout: builtins.str = 'NCHW', padding_mode: builtins.str = 'zeros', align_corners: builtins.bool = False) -> Expr:
        """Sample images at the points of a grid with coordinates from -1 to 1."""

    @staticmethod
    def resize2d(data: Value, size: Value, roi: builtins.float | collections.abc.Sequence[typing.Any] | None = None, layout: builtins.str = 'NCHW', method: builtins.str = 'linear', coordinate_transformation_mode: builtins.str = 'half_pixel', rounding_method: builtins.str = 'round', cubic_alpha: builtins.float = -0.5, cubic_exclude: Int = 0, extrapolation_value: builtins.float = 0.0, out_dtype: builtins.str | None = None) -> Expr:
        """Resize images to another height and width."""

    @staticmethod
    def resize3d(data: Value, size: Value, roi: builtins.float | collections.abc.Sequence[typing.Any] | None = None, layout: builtins.str = 'NCDHW', method: builtins.str = 'linear', coordinate_transformation_mode: builtins.str = 'half_pixel', rounding_method: builtins.str = '', cubic_alpha: builtins.float = -0.75, cubic_exclude: Int = 0, extrapolation_value: builtins.float = 0.0, out_dtype: builtins.str | None = None) -> Expr:
        """Resize images to another depth, height and width."""

def index_put(data: Value, indices: Value, values: Value, accumulate: builtins.bool = False) -> Expr:
    """Write or add values at indices, given by one tensor for each axis."""

def index_tensor(data: Value, indices: Value) -> Expr:
    """Advanced indexing by broadcast index tensors, one for each of the first axes."""

class inspect:
    @staticmethod
    def tensor_byte_offset(tensor: Value) -> Expr:
        """The byte offset of the first element."""

    @staticmethod
    def tensor_dtype_bits(tensor: Value) -> Expr:
        """The number of bits of one lane."""

    @staticmethod
    def tensor_dtype_code(tensor: Value) -> Expr:
        """The DLPack type code of the elements."""

    @staticmethod
    def tensor_dtype_lanes(tensor: Value) -> Expr:
        """The number of lanes of an element."""

    @staticmethod
    def tensor_elem_offset(tensor: Value) -> Expr:
        """The element offset of the first element."""

    @staticmethod
    def tensor_ndim(tensor: Value) -> Expr:
        """The number of dimensions."""

    @staticmethod
    def tensor_shape_i(tensor: Value, axis: Value) -> Expr:
        """The extent of an axis."""

    @staticmethod
    def tensor_stride_i(tensor: Value, axis: Value) -> Expr:
        """The stride of an axis in elements; the tensor must be compact."""

def invoke_closure(closure: typing.Any, args: typing.Any, sinfo_args: typing.Any = ()) -> Expr:
    """Call a closure."""

def invoke_pure_closure(closure: typing.Any, args: typing.Any, sinfo_args: typing.Any = ()) -> Expr:
    """Call a pure closure."""

def isfinite(x: Value) -> Expr:
    """Whether x is neither infinite nor NaN."""

def isinf(x: Value) -> Expr:
    """Whether x is infinite."""

def isnan(x: Value) -> Expr:
    """Whether x is NaN."""

def layout_transform(x: typing.Any, index_map: typing.Any, pad_value: typing.Any = None, axis_separators: typing.Any = None, input_axis_separators: typing.Any = None) -> Expr:
    """Return the tensor in the layout that `index_map` maps to; padding is filled with `pad_value`.

    A Python number as `pad_value` has the tensor's dtype."""

def left_shift(x1: Value, x2: Value) -> Expr:
    """Left shift, x1 << x2."""

def less(x1: Value, x2: Value) -> Expr:
    """Whether x1 < x2."""

def less_equal(x1: Value, x2: Value) -> Expr:
    """Whether x1 <= x2."""

def linear(data: typing.Any, weight: typing.Any, bias: typing.Any = None, out_dtype: typing.Any = None) -> Expr:
    """Compute `matmul(data, permute_dims(weight))`, plus `bias` if it is given."""

def log(x: Value) -> Expr:
    """The natural logarithm."""

def log_add_exp(x1: Value, x2: Value) -> Expr:
    """log(exp(x1) + exp(x2))."""

def logical_and(x1: Value, x2: Value) -> Expr:
    """Logical AND."""

def logical_not(x: Value) -> Expr:
    """Logical NOT: whether x is zero."""

def logical_or(x1: Value, x2: Value) -> Expr:
    """Logical OR."""

def logical_xor(x1: Value, x2: Value) -> Expr:
    """Logical XOR."""

@overload
def macro(func: collections.abc.Callable[P, M], /, *, hygienic: builtins.bool = True, source: builtins.str | None = None) -> collections.abc.Callable[P, M]:
    """Convert a Python function to a macro. `source` is its text, for code without a file."""
@overload
def macro(*, hygienic: builtins.bool = True, source: builtins.str | None = None) -> collections.abc.Callable[
    [collections.abc.Callable[P, M]], collections.abc.Callable[P, M]
]:
    """Convert a Python function to a macro. `source` is its text, for code without a file."""

def make_closure(func: Value, args: Value) -> Expr:
    """Create a closure from a function and captured values."""

def match_cast(value: typing.Any, struct_info: typing.Any) -> Expr:
    """Cast a value to more precise struct info; the cast is checked at run time."""

def matmul(x1: Value, x2: Value, out_dtype: builtins.str | None = None) -> Expr:
    """The matrix product over the last two axes; the axes before them broadcast."""

def max(x: Value, axis: Ints | None = None, keepdims: builtins.bool = False) -> Expr:
    """The largest element."""

def maximum(x1: Value, x2: Value) -> Expr:
    """The elementwise maximum."""

def mean(x: Value, axis: Ints | None = None, keepdims: builtins.bool = False) -> Expr:
    """The mean."""

def median(x: Value, axis: Ints | None = None, keepdims: builtins.bool = False) -> Expr:
    """The median, the lower one of two; along one axis also its index."""

class memory:
    @staticmethod
    def alloc_storage(size: Value, virtual_device_index: Value, storage_scope: Value, dtype: Value) -> Expr:
        """Allocate storage for tensors."""

    @staticmethod
    def alloc_tensor(storage: Value, offset: Value, shape: Value, dtype: Value, runtime_device_ind: Value | None = None) -> Expr:
        """Create a tensor in allocated storage."""

    @staticmethod
    def ensure_zero_offset(data: Value) -> Expr:
        """The tensor with byte offset 0, copied where needed."""

    @staticmethod
    def kill_storage(storage: Value) -> Expr:
        """End the lifetime of storage."""

    @staticmethod
    def kill_tensor(tensor: Value) -> Expr:
        """End the lifetime of a tensor."""

    @staticmethod
    def view(data: typing.Any, shape: Value | None = None, dtype: typing.Any = None, relative_byte_offset: typing.Any = None) -> Expr:
        """Return a view of the same memory with another shape, dtype or byte offset."""

def meshgrid(tensors: Value, indexing: builtins.str | None = 'ij') -> Expr:
    """Coordinate matrices from one-dimensional coordinate vectors."""

def metal(dev_id: typing.Any = 0) -> typing.Any:
    """Return a device of the kind metal."""

def min(x: Value, axis: Ints | None = None, keepdims: builtins.bool = False) -> Expr:
    """The smallest element."""

def minimum(x1: Value, x2: Value) -> Expr:
    """The elementwise minimum."""

def mod(x1: Value, x2: Value) -> Expr:
    """The remainder of truncated division; it has the sign of x1."""

def multinomial_from_uniform(prob: Value, uniform_sample: Value, sample_indices: Value, dtype: builtins.str = 'int64') -> Expr:
    """Sample categories from rows of probabilities, given uniform samples from [0, 1)."""

def multiply(x1: Value, x2: Value) -> Expr:
    """Multiplication, x1 * x2."""

def negative(x: Value) -> Expr:
    """Negation, -x."""

class nn:
    @staticmethod
    def adaptive_avg_pool1d(data: Value, output_size: Ints | None = None, layout: builtins.str = 'NCW', out_layout: builtins.str | None = None) -> Expr:
        """Adaptive average pooling to an output size."""

    @staticmethod
    def adaptive_avg_pool2d(data: Value, output_size: Ints | None = None, layout: builtins.str = 'NCHW', out_layout: builtins.str | None = None) -> Expr:
        """Adaptive average pooling to an output size."""

    @staticmethod
    def adaptive_avg_pool3d(data: Value, output_size: Ints | None = None, layout: builtins.str = 'NCDHW', out_layout: builtins.str | None = None) -> Expr:
        """Adaptive average pooling to an output size."""

    @staticmethod
    def attention(query: typing.Any, key: typing.Any, value: typing.Any, bias: typing.Any = None, scale: typing.Any = None, causal_mask: builtins.str | None = None, window_size: Int | None = None) -> Expr:
        """Return scaled dot-product attention of tensors (batch, length, heads, head size), with an optional bias."""

    @staticmethod
    def attention_bias(query: Value, key: Value, value: Value, bias: Value, scale: builtins.float | _tir.Expr | None = None, causal_mask: builtins.str | None = None, window_size: Int | None = None) -> Expr:
        """`attention` with a bias (batch, heads, queries, keys) added to the scores."""

    @staticmethod
    def attention_var_len(queries: typing.Any, keys: typing.Any, values: typing.Any, seqstart_q: typing.Any, max_seqlen_q: typing.Any, seqstart_k: typing.Any = None, max_seqlen_k: typing.Any = None, scale: typing.Any = None, causal_mask: builtins.str | None = None, window_size: Int | None = None) -> Expr:
        """Return `attention` of concatenated sequences; offsets of keys default to those of queries."""

    @staticmethod
    def avg_pool1d(data: Value, pool_size: Ints = (1,), strides: Ints = (1,), padding: Ints = (0, 0), dilation: Ints = (1,), ceil_mode: builtins.bool = False, count_include_pad: builtins.bool = False, layout: builtins.str = 'NCW', out_layout: builtins.str | None = None) -> Expr:
        """Average pooling."""

    @staticmethod
    def avg_pool2d(data: Value, pool_size: Ints = (1, 1), strides: Ints = (1, 1), padding: Ints = (0, 0), dilation: Ints = (1, 1), ceil_mode: builtins.bool = False, count_include_pad: builtins.bool = False, layout: builtins.str = 'NCHW', out_layout: builtins.str | None = None) -> Expr:
        """Average pooling."""

    @staticmethod
    def avg_pool3d(data: Value, pool_size: Ints = (1, 1, 1), strides: Ints = (1, 1, 1), padding: Ints = (0, 0, 0), dilation: Ints = (1, 1, 1), ceil_mode: builtins.bool = False, count_include_pad: builtins.bool = False, layout: builtins.str = 'NCDHW', out_layout: builtins.str | None = None) -> Expr:
        """Average pooling."""

    @staticmethod
    def batch_flatten(data: Value) -> Expr:
        """Flatten all axes but the first."""

    @staticmethod
    def batch_norm(data: Value, gamma: Value, beta: Value, moving_mean: Value, moving_var: Value, axis: Int, epsilon: builtins.float = 1e-05, center: builtins.bool = True, scale: builtins.bool = True, momentum: builtins.float = 0.1, training: builtins.bool = True) -> Expr:
        """Batch normalization: the result, the moving mean and the moving variance."""

    @staticmethod
    def conv1d(data: Value, weight: Value, strides: Ints = 1, padding: Ints = 0, dilation: Ints = 1, groups: Int = 1, data_layout: builtins.str = 'NCW', kernel_layout: builtins.str = 'OIW', out_layout: builtins.str | None = None, out_dtype: builtins.str | None = None) -> Expr:
        """A convolution over 1 dimension."""

    @staticmethod
    def conv1d_transpose(data: Value, weight: Value, strides: Ints = 1, padding: Ints = 0, output_padding: Ints = 0, dilation: Ints = 1, groups: Int = 1, data_layout: builtins.str = 'NCW', kernel_layout: builtins.str = 'IOW', out_layout: builtins.str | None = None, out_dtype: builtins.str | None = None) -> Expr:
        """A transposed convolution over 1 dimension."""

    @staticmethod
    def conv2d(data: Value, weight: Value, strides: Ints = (1, 1), padding: Ints = (0, 0), dilation: Ints = (1, 1), groups: Int = 1, data_layout: builtins.str = 'NCHW', kernel_layout: builtins.str = 'OIHW', out_layout: builtins.str | None = None, out_dtype: builtins.str | None = None) -> Expr:
        """A convolution over 2 dimensions."""

    @staticmethod
    def conv2d_transpose(data: Value, weight: Value, strides: Ints = (1, 1), padding: Ints = (0, 0), output_padding: Ints = (0, 0), dilation: Ints = (1, 1), groups: Int = 1, data_layout: builtins.str = 'NCHW', kernel_layout: builtins.str = 'IOHW', out_layout: builtins.str | None = None, out_dtype: builtins.str | None = None) -> Expr:
        """A transposed convolution over 2 dimensions."""

    @staticmethod
    def conv3d(data: Value, weight: Value, strides: Ints = (1, 1, 1), padding: Ints = (0, 0, 0), dilation: Ints = (1, 1, 1), groups: Int = 1, data_layout: builtins.str = 'NCDHW', kernel_layout: builtins.str = 'OIDHW', out_layout: builtins.str | None = None, out_dtype: builtins.str | None = None) -> Expr:
        """A convolution over 3 dimensions."""

    @staticmethod
    def conv3d_transpose(data: Value, weight: Value, strides: Ints = (1, 1, 1), padding: Ints = (0, 0, 0), output_padding: Ints = (0, 0, 0), dilation: Ints = (1, 1, 1), groups: Int = 1, data_layout: builtins.str = 'NCDHW', kernel_layout: builtins.str = 'IODHW', out_layout: builtins.str | None = None, out_dtype: builtins.str | None = None) -> Expr:
        """A transposed convolution over 3 dimensions."""

    @staticmethod
    def cross_entropy_with_logits(predictions: Value, labels: Value) -> Expr:
        """Cross entropy of log probabilities and labels, averaged over the batch."""

    @staticmethod
    def dropout(data: Value, rate: builtins.float = 0.5) -> Expr:
        """Set random elements to zero; the data and the mask of kept elements."""

    @staticmethod
    def gelu(data: Value) -> Expr:
        """The Gaussian error linear unit: x times the normal distribution function of x."""

    @staticmethod
    def gelu_tanh(data: Value) -> Expr:
        """The tanh approximation of `gelu`."""

    @staticmethod
    def group_norm(data: Value, gamma: Value, beta: Value, num_groups: Int, channel_axis: Int, axes: Ints, epsilon: builtins.float = 1e-05, center: builtins.bool = True, scale: builtins.bool = True) -> Expr:
        """Group normalization: each group of channels is normalized over its channels and some axes."""

    @staticmethod
    def instance_norm(data: Value, gamma: Value, beta: Value, channel_axis: Int, axes: Ints, epsilon: builtins.float = 1e-05, center: builtins.bool = True, scale: builtins.bool = True) -> Expr:
        """Instance normalization: each channel of each batch element is normalized over some axes."""

    @staticmethod
    def layer_norm(data: Value, gamma: Value, beta: Value, axes: Ints, epsilon: builtins.float = 1e-05, center: builtins.bool = True, scale: builtins.bool = True) -> Expr:
        """Layer normalization over some axes."""

    @staticmethod
    def leakyrelu(data: Value, alpha: builtins.float = 0.01) -> Expr:
        """x where positive, else x * alpha."""

    @staticmethod
    def log_softmax(data: Value, axis: Int = -1) -> Expr:
        """The logarithm of `softmax`."""

    @staticmethod
    def max_pool1d(data: Value, pool_size: Ints = (1,), strides: Ints = (1,), padding: Ints = (0, 0), dilation: Ints = (1,), ceil_mode: builtins.bool = False, count_include_pad: builtins.bool = False, layout: builtins.str = 'NCW', out_layout: builtins.str | None = None) -> Expr:
        """Max pooling."""

    @staticmethod
    def max_pool2d(data: Value, pool_size: Ints = (1, 1), strides: Ints = (1, 1), padding: Ints = (0, 0), dilation: Ints = (1, 1), ceil_mode: builtins.bool = False, count_include_pad: builtins.bool = False, layout: builtins.str = 'NCHW', out_layout: builtins.str | None = None) -> Expr:
        """Max pooling."""

    @staticmethod
    def max_pool3d(data: Value, pool_size: Ints = (1, 1, 1), strides: Ints = (1, 1, 1), padding: Ints = (0, 0, 0), dilation: Ints = (1, 1, 1), ceil_mode: builtins.bool = False, count_include_pad: builtins.bool = False, layout: builtins.str = 'NCDHW', out_layout: builtins.str | None = None) -> Expr:
        """Max pooling."""

    @staticmethod
    def nll_loss(predictions: Value, targets: Value, weights: Value | None = None, reduction: builtins.str = 'mean', ignore_index: Int = -100) -> Expr:
        """The negative log likelihood loss, weighted by class."""

    @staticmethod
    def pad(data: Value, pad_width: Ints, pad_value: Value = 0, pad_mode: builtins.str = 'constant') -> Expr:
        """Pad the data before and after each dimension."""

    @staticmethod
    def pixel_shuffle(data: Value, upscale_factor: Int) -> Expr:
        """Rearrange blocks of channels into space, which multiplies height and width."""

    @staticmethod
    def prelu(data: Value, alpha: Value, axis: Int = 1) -> Expr:
        """x where positive, else x * alpha with one alpha for each index of an axis."""

    @staticmethod
    def relu(data: Value) -> Expr:
        """max(x, 0)."""

    @staticmethod
    def rms_norm(data: Value, weight: Value, axes: Ints = -1, epsilon: builtins.float = 1e-05) -> Expr:
        """Root mean square normalization over some axes, times the weight."""

    @staticmethod
    def selu(data: Value) -> Expr:
        """The scaled exponential linear unit."""

    @staticmethod
    def silu(data: Value) -> Expr:
        """x * sigmoid(x)."""

    @staticmethod
    def softmax(data: Value, axis: Int = -1) -> Expr:
        """The exponentials divided by their sum along an axis."""

    @staticmethod
    def softplus(data: Value, beta: builtins.float = 1.0, threshold: builtins.float = 20.0) -> Expr:
        """log(1 + exp(beta x)) / beta; x where beta x is above the threshold."""

def nonzero(x: Value) -> Expr:
    """The indices of the nonzero elements, one row for each axis."""

def not_equal(x1: Value, x2: Value) -> Expr:
    """Whether x1 != x2."""

def null_value() -> Expr:
    """A null object."""

def one_hot(indices: Value, on_value: Value, off_value: Value, depth: Int, axis: Int = -1) -> Expr:
    """One-hot encoding along a new axis: on_value at the index, off_value elsewhere."""

def ones(shape: Value, dtype: builtins.str) -> Expr:
    """A tensor of ones."""

def ones_like(x: Value, dtype: builtins.str | None = None) -> Expr:
    """Ones in the shape of another tensor."""

def opencl(dev_id: typing.Any = 0) -> typing.Any:
    """Return a device of the kind opencl."""

def outer(x1: Value, x2: Value) -> Expr:
    """The outer product of two vectors."""

def output(*variables: typing.Any) -> None:
    """Declare the outputs of the dataflow block."""

def permute_dims(x: Value, axes: Ints | None = None) -> Expr:
    """Permute the axes; reverse them where no order is given."""

def power(x1: Value, x2: Value) -> Expr:
    """Exponentiation, x1 ** x2."""

def prim_value(value: typing.Any) -> typing.Any:
    """Return a scalar as a Relax value; Python integers become int64."""

def print(*values: typing.Any, format: builtins.str = '') -> Expr:
    """Print values with a format string of Python's str.format."""

def prod(x: Value, axis: Ints | None = None, keepdims: builtins.bool = False) -> Expr:
    """The product."""

def quantize(data: Value, scale: Value, zero_point: Value, axis: Int = -1, out_dtype: builtins.str = 'int8') -> Expr:
    """Quantize: round(data / scale) + zero_point, clamped to the range of the dtype."""

def repeat(data: Value, repeats: Int, axis: Int | None = None) -> Expr:
    """Repeat each element along an axis."""

def reshape(x: typing.Any, shape: Value) -> Expr:
    """Return the elements of x in another shape.

    An extent of 0 copies the extent of x at the same position; one extent may be -1, for the remaining elements."""

def reverse_sequence(data: Value, seq_lengths: Value, seq_axis: Int = 1, batch_axis: Int = 0) -> Expr:
    """Reverse the first `seq_lengths[i]` elements of batch i along an axis."""

@overload
def rewriter(rewriter_mod: type | _module.IRModule, /, *, check_well_formed: builtins.bool = True, source: builtins.str | None = None) -> _rewriter.PatternMatchingRewriter:
    """Convert a class with the functions `pattern` and `replacement` to a rewriter of graph functions.

    `source` is the text of the class, for code without a file. Raises `BadRewriteRule`."""
@overload
def rewriter(*, check_well_formed: builtins.bool = True, source: builtins.str | None = None) -> collections.abc.Callable[[type], _rewriter.PatternMatchingRewriter]:
    """Convert a class with the functions `pattern` and `replacement` to a rewriter of graph functions.

    `source` is the text of the class, for code without a file. Raises `BadRewriteRule`."""

def right_shift(x1: Value, x2: Value) -> Expr:
    """Right shift, x1 >> x2."""

def rocm(dev_id: typing.Any = 0) -> typing.Any:
    """Return a device of the kind rocm."""

def round(x: Value) -> Expr:
    """The nearest integer; halves round away from zero."""

def rsqrt(x: Value) -> Expr:
    """The reciprocal square root, 1 / sqrt(x)."""

def scatter_elements(data: Value, indices: Value, updates: Value, axis: Int = 0, reduction: builtins.str = 'update') -> Expr:
    """Write or reduce updates at indices along an axis."""

def scatter_nd(data: Value, indices: Value, updates: Value, reduction: builtins.str = 'update') -> Expr:
    """Write or reduce updates at multi-dimensional indices."""

def shape(value: typing.Any) -> Expr:
    """Return a shape as a Relax value."""

def shape_of(expr: Value) -> Expr:
    """The shape of a tensor as a value."""

def shape_to_tensor(expr: Value) -> Expr:
    """Convert a shape to a tensor of its extents."""

def sigmoid(x: Value) -> Expr:
    """The logistic sigmoid, 1 / (1 + exp(-x))."""

def sign(x: Value) -> Expr:
    """The sign: -1, 0 or 1."""

def sin(x: Value) -> Expr:
    """The sine."""

def sinh(x: Value) -> Expr:
    """The hyperbolic sine."""

def size(expr: Value) -> Expr:
    """The number of elements."""

def slice_scatter(input_tensor: Value, src: Value, start: Value, end: Value, step: Value, axis: Int = 0) -> Expr:
    """Replace a slice along an axis."""

def sort(x: Value, axis: Int = -1, descending: builtins.bool = False) -> Expr:
    """The elements sorted along an axis."""

def split(x: Value, indices_or_sections: Ints, axis: Int = 0) -> Expr:
    """Split along an axis into equal sections, or at indices."""

def sqrt(x: Value) -> Expr:
    """The square root."""

def square(x: Value) -> Expr:
    """The square, x * x."""

def squeeze(x: Value, axis: Ints | None = None) -> Expr:
    """Remove axes of extent 1: the given ones, or all."""

def stack(tensors: Value, axis: Int | None = 0) -> Expr:
    """Join tensors of one shape along a new axis."""

def std(x: Value, axis: Ints | None = None, keepdims: builtins.bool = False) -> Expr:
    """The standard deviation."""

def stop_lift_params(x: Value) -> Expr:
    """The tensor; computations on it are not lifted into the parameter transformation."""

def str(value: builtins.str) -> Expr:
    """Return a string as a Relax value."""

def strided_slice(x: Value, axes: Value, begin: Value, end: Value, strides: Value | None = None, assume_inbound: builtins.bool = False) -> Expr:
    """A strided slice along some axes; out-of-range bounds are clamped, unless they are assumed in range."""

def subtract(x1: Value, x2: Value) -> Expr:
    """Subtraction, x1 - x2."""

def sum(x: Value, axis: Ints | None = None, keepdims: builtins.bool = False) -> Expr:
    """The sum."""

def take(x: Value, indices: Value, axis: Int | None = None, mode: builtins.str = 'fast') -> Expr:
    """Take elements along an axis by indices; `mode` handles indices out of range."""

def tan(x: Value) -> Expr:
    """The tangent."""

def tanh(x: Value) -> Expr:
    """The hyperbolic tangent."""

def tensor_to_shape(expr: Value) -> Expr:
    """Convert a tensor of extents to a shape."""

def tile(data: Value, repeats: Ints) -> Expr:
    """Repeat the whole tensor along each axis; repeats align with the last axes."""

def to_vdevice(data: typing.Any, dst_vdevice: typing.Any) -> Expr:
    """Copy a tensor to another device of the module, given as `"cuda:1"` or as `R.vdevice`."""

def topk(data: Value, k: Int = 1, axis: Int = -1, ret_type: builtins.str = 'both', largest: builtins.bool = True, dtype: builtins.str = 'int32') -> Expr:
    """The k largest or smallest elements and their indices; all elements where k is not positive."""

def tril(x: Value, k: Value = 0) -> Expr:
    """The lower triangle: elements above diagonal k of the last two axes are zero."""

def triu(x: Value, k: Value = 0) -> Expr:
    """The upper triangle: elements below diagonal k of the last two axes are zero."""

def trunc(x: Value) -> Expr:
    """The integer part, rounded towards zero."""

def tuple(*fields: typing.Any) -> Expr:
    """Return a tuple of values."""

def unique(x: Value, sorted: Value = True, return_index: Value = False, return_inverse: Value = False, return_counts: Value = False, axis: Value | None = None) -> Expr:
    """The distinct elements; on request also the index of each first occurrence, the index of every element among them, and the counts."""

def variance(x: Value, axis: Ints | None = None, keepdims: builtins.bool = False) -> Expr:
    """The variance."""

class vision:
    @staticmethod
    def all_class_non_max_suppression(boxes: Value, scores: Value, max_output_boxes_per_class: Value, iou_threshold: Value, score_threshold: Value, output_format: builtins.str = 'onnx') -> Expr:
        """Non-maximum suppression for each image and class."""

    @staticmethod
    def get_valid_counts(data: Value, score_threshold: builtins.float = 0, id_index: Int = 0, score_index: Int = 1) -> Expr:
        """Filter the boxes of each image by a score threshold: their count, the boxes, and their original indices."""

    @staticmethod
    def multibox_transform_loc(cls_pred: Value, loc_pred: Value, anchor: Value, clip: builtins.bool = False, threshold: builtins.float = 0.0, variances: typing.Any = (1.0, 1.0, 1.0, 1.0), keep_background: builtins.bool = True, apply_softmax: builtins.bool = True) -> Expr:
        """Decode box predictions relative to anchors; the boxes and the scores of their classes."""

    @staticmethod
    def non_max_suppression(data: Value, valid_count: Value, indices: Value, max_output_size: Int = -1, iou_threshold: builtins.float = 0.5, force_suppress: builtins.bool = False, top_k: Int = -1, coord_start: Int = 2, score_index: Int = 1, id_index: Int = 0, return_indices: builtins.bool = True, invalid_to_bottom: builtins.bool = False, soft_nms_sigma: builtins.float = 0.0, score_threshold: builtins.float = 0.0) -> Expr:
        """Non-maximum suppression: the remaining boxes, or their indices and count."""

    @staticmethod
    def roi_align(data: Value, rois: Value, pooled_size: Ints, spatial_scale: builtins.float, sample_ratio: Int = -1, aligned: builtins.bool = False, layout: builtins.str = 'NCHW', mode: builtins.str = 'avg') -> Expr:
        """Pool each region of interest with bilinear sampling (RoIAlign)."""

    @staticmethod
    def roi_pool(data: Value, rois: Value, pooled_size: Ints, spatial_scale: builtins.float, layout: builtins.str = 'NCHW') -> Expr:
        """Max pooling over the cells of each region of interest (RoIPool)."""

class vm:
    @staticmethod
    def alloc_storage(shape: Value, runtime_device_index: Value, dtype: Value, storage_scope: Value = 'global') -> Expr:
        """Allocate storage for tensors."""

    @staticmethod
    def alloc_tensor(storage: Value, offset: Value, shape: Value, dtype: Value, runtime_device_ind: Value | None = None) -> Expr:
        """Create a tensor in allocated storage."""

    @staticmethod
    def call_tir_dyn(func: Value, args: Value) -> Expr:
        """Call a PrimFunc; a shape argument is passed as its extents."""

    @staticmethod
    def kill_object(obj: Value) -> Expr:
        """End the lifetime of a value."""

def vpi(dev_id: typing.Any = 0) -> typing.Any:
    """Return a device of the kind vpi."""

def vulkan(dev_id: typing.Any = 0) -> typing.Any:
    """Return a device of the kind vulkan."""

def webgpu(dev_id: typing.Any = 0) -> typing.Any:
    """Return a device of the kind webgpu."""

def where(condition: Value, x1: Value, x2: Value) -> Expr:
    """Elements of x1 where the condition holds, of x2 elsewhere."""

def wrap_param(data: Value, dtype: builtins.str = 'float32') -> Expr:
    """A bound parameter that is converted to another dtype at run time."""

def zeros(shape: Value, dtype: builtins.str) -> Expr:
    """A tensor of zeros."""

def zeros_like(x: Value, dtype: builtins.str | None = None) -> Expr:
    """Zeros in the shape of another tensor."""
