# Written by `python -m tools.reference`; edit tools/reference/ instead.

import builtins
import collections.abc
import typing
from typing import ParamSpec, TypeAlias, TypeVar, overload

import tvmscript.ir.core.module as _module
import tvmscript.ir.relax.base as _base
import tvmscript.ir.relax.function as _function
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
    """A tensor of a shape and a dtype, as far as they are known."""

    def __init__(self, shape: Value | None = None, dtype: typing.Any = None, vdevice: typing.Any = None, ndim: Int = -1) -> None: ...

class Shape(Operators):
    """A shape of these sizes, or of so many."""

    def __init__(self, values: typing.Any = None, ndim: Int = -1) -> None: ...

class Prim(Operators):
    """A scalar of a dtype, or of a value."""

    def __init__(self, dtype: typing.Any = None, value: typing.Any = None) -> None: ...

class Object(Operators):
    """Anything."""

    def __init__(self) -> None: ...

class Any(Operators):
    """Anything."""

    def __init__(self) -> None: ...

class Tuple(Operators):
    """Several values."""

    def __init__(self, *fields: typing.Any) -> None: ...

class Callable(Operators):
    """A function: of its parameters and its result, or one of which nothing is known."""

    def __init__(self, params: typing.Any = None, ret: typing.Any = None, purity: builtins.bool | None = None, derive_func: typing.Any = None) -> None: ...
    def __call__(self, *args: typing.Any, **kwargs: typing.Any) -> Expr: ...

class DTensor(Operators):
    """A tensor that is spread over a mesh of devices, as the placement says; without a mesh it is on one device."""

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
    """A function outside of the program."""

def Range(begin: typing.Any, end: typing.Any = None) -> typing.Any:
    """The integers from begin to end, end exclusive; those below `begin` where no end is given."""

def ShapeExpr(values: typing.Any) -> Expr:
    """A shape as a value."""

def TupleGetItem(tuple_value: typing.Any, index: typing.Any) -> typing.Any:
    """One of several values."""

def abs(x: Value) -> Expr:
    """The absolute value."""

def acos(x: Value) -> Expr:
    """The arc cosine."""

def acosh(x: Value) -> Expr:
    """The inverse hyperbolic cosine."""

def add(x1: Value, x2: Value) -> Expr:
    """x1 + x2."""

def arange(start: typing.Any, end: typing.Any = None, step: typing.Any = 1, dtype: typing.Any = None) -> Expr:
    """Numbers from `start`, which is 0 where only the end is given, up to `end`, which is not among them.

    The dtype is int64 where all three are integers, float32 otherwise."""

def argmax(x: Value, axis: Int | None = None, keepdims: builtins.bool = False) -> Expr:
    """The place of the largest element."""

def argmin(x: Value, axis: Int | None = None, keepdims: builtins.bool = False) -> Expr:
    """The place of the smallest element."""

def argsort(data: Value, axis: Int = -1, descending: builtins.bool = False, dtype: builtins.str = 'int32') -> Expr:
    """The places of the elements in order."""

def asin(x: Value) -> Expr:
    """The arc sine."""

def asinh(x: Value) -> Expr:
    """The inverse hyperbolic sine."""

def assert_op(condition: typing.Any, *format_args: typing.Any, format: builtins.str = '') -> Expr:
    """The values are given one by one, or as a list that the format may follow. The call has the format second."""

def astype(x: Value, dtype: builtins.str) -> Expr:
    """The same numbers in another dtype."""

def atan(x: Value) -> Expr:
    """The arc tangent."""

def atan2(x1: Value, x2: Value) -> Expr:
    """The angle of the point (x2, x1)."""

def atanh(x: Value) -> Expr:
    """The inverse hyperbolic tangent."""

def bitwise_and(x1: Value, x2: Value) -> Expr:
    """Bits that are set in both."""

def bitwise_not(x: Value) -> Expr:
    """Every bit turned over."""

def bitwise_or(x1: Value, x2: Value) -> Expr:
    """Bits that are set in either."""

def bitwise_xor(x1: Value, x2: Value) -> Expr:
    """Bits that are set in one alone."""

def broadcast_to(x: Value, shape: Value) -> Expr:
    """The tensor repeated along axes that it lacks or where its extent is 1."""

def bucketize(input_tensor: Value, boundaries: Value, out_int32: builtins.bool = False, right: builtins.bool = False) -> Expr:
    """Between which of the boundaries, which are in order, each element is."""

class builtin:
    @staticmethod
    def alloc_tensor(shape: Value, dtype: Value, runtime_device_index: Value, storage_scope: Value = 'global') -> Expr:
        """A new tensor."""

    @staticmethod
    def stop_lift_params(x: Value) -> Expr:
        """The tensor; what follows is not lifted into the transformation of parameters."""

def call_builtin_with_ctx(func: typing.Any, args: typing.Any, *, sinfo_args: typing.Any = None) -> Expr:
    """A call of a function of the virtual machine, which gets the machine as its first argument."""

def call_dps_packed(func: typing.Any, args: typing.Any, out_sinfo: typing.Any) -> Expr:
    """Calls an external function with the arguments and new tensors for the results."""

def call_inplace_packed(func: typing.Any, *args: typing.Any, inplace_indices: typing.Any, sinfo_args: typing.Any = None) -> Expr:
    """A call of an external function that writes results into arguments; -1 is a new value."""

def call_packed(func: typing.Any, *args: typing.Any, sinfo_args: typing.Any = (), **attrs: typing.Any) -> Expr:
    """A call of a function outside of the program; `sinfo_args` say what it gives."""

def call_pure_packed(func: typing.Any, *args: typing.Any, sinfo_args: typing.Any = None) -> Expr:
    """A call of an external function that does nothing but compute its result."""

def call_py_func(py_func_name: typing.Any, *args: typing.Any, out_sinfo: typing.Any) -> Expr:
    """A call of a function of Python, which the module of the program has under this name."""

def call_tir(gvar: typing.Any, args: typing.Any, out_sinfo: typing.Any, tir_vars: typing.Any = None) -> Expr:
    """Calls a function of the tensor level with the arguments and new tensors for the results."""

def call_tir_inplace(gvar: typing.Any, args: typing.Any, inplace_indices: typing.Any, out_sinfo: typing.Any, tir_vars: typing.Any = None) -> Expr:
    """`call_tir` that writes results into arguments; -1 is a new tensor."""

def call_tir_with_grad(gvar: typing.Any, args: typing.Any, out_sinfo: typing.Any, te_grad_name: builtins.str, te_grad_kwargs: typing.Any = None, tir_vars: typing.Any = None) -> Expr:
    """`call_tir` of a function with a gradient, which is registered by its name."""

class ccl:
    @staticmethod
    def allgather(x: Value, num_workers: Value, in_group: builtins.bool = True) -> Expr:
        """What all workers have, one after the other along the first axis, on each of them."""

    @staticmethod
    def allreduce(x: Value, op_type: builtins.str = 'sum', in_group: builtins.bool = True) -> Expr:
        """The sum (product, ...) over all workers, on each of them."""

    @staticmethod
    def broadcast_from_worker0(x: Value) -> Expr:
        """What the first worker has, on each of them."""

    @staticmethod
    def scatter_from_worker0(x: Value, num_workers: Int, axis: Int = 0) -> Expr:
        """A part of what the first worker has, another on each of them."""

def ceil(x: Value) -> Expr:
    """The next integer upwards."""

def clip(x: Value, min: Value, max: Value) -> Expr:
    """Elements that are outside of the bounds become the bound."""

def collapse_sum_like(data: Value, collapse_target: Value) -> Expr:
    """The sums over what a broadcast from the target's shape would repeat."""

def collapse_sum_to(data: Value, shape: Value) -> Expr:
    """The sums over what a broadcast from the shape would repeat."""

def concat(tensors: Value, axis: Int | None = 0) -> Expr:
    """Tensors one after another along an axis."""

def const(value: typing.Any, dtype: typing.Any = None) -> Expr:
    """Constant data: a number, (nested) lists of numbers, an array. Without a dtype numbers are int32 or float32, those
    in arrays of NumPy that are int64 or float64 too."""

def cos(x: Value) -> Expr:
    """The cosine."""

def cosh(x: Value) -> Expr:
    """The hyperbolic cosine."""

def cpu(dev_id: typing.Any = 0) -> typing.Any:
    """A device of the kind cpu."""

def cuda(dev_id: typing.Any = 0) -> typing.Any:
    """A device of the kind cuda."""

def cumprod(data: Value, axis: Int | None = None, dtype: builtins.str | None = None, exclusive: Int | None = None) -> Expr:
    """The products of all elements up to each."""

def cumsum(data: Value, axis: Int | None = None, dtype: builtins.str | None = None, exclusive: Int | None = None) -> Expr:
    """The sums of all elements up to each."""

def dataflow() -> typing.Any:
    """`with R.dataflow():` bindings without side effects."""

def dequantize(data: Value, scale: Value, zero_point: Value, axis: Int = -1, out_dtype: builtins.str = 'float32') -> Expr:
    """(data - zero_point) * scale."""

def device(dev_type: typing.Any, dev_id: typing.Any = 0) -> typing.Any:
    """A device: its kind, by name or number, and its number among those of the kind."""

def device_mesh(shape: Value, device_ids: typing.Any) -> typing.Any:
    """Devices as a matrix of their numbers: a list of them, or a range."""

class dist:
    @staticmethod
    def DTensor(shape: Value | None = None, dtype: typing.Any = None, device_mesh: typing.Any = None, placement: builtins.str = '', ndim: Int = -1) -> typing.Any:
        """A tensor that is spread over a mesh of devices, as the placement says; without a mesh it is on one device."""

    @staticmethod
    def DTensorStructInfo(tensor_sinfo: typing.Any, device_mesh: typing.Any, placement: typing.Any) -> typing.Any:
        """What `R.DTensor` makes, of a tensor's struct info."""

    @staticmethod
    def DeviceMesh(shape: Value, device_ids: typing.Any) -> typing.Any:
        """Devices as a matrix of their numbers: a list of them, or a range."""

    @staticmethod
    def Placement(dim_specs: typing.Any) -> typing.Any:
        """One entry for each dimension of the mesh: R or S[k] in a text, or as a list of axes, -1 for R."""

    @staticmethod
    def annotate_sharding(value: typing.Any, device_mesh: typing.Any, placement: typing.Any) -> Expr:
        """The tensor; a wish how it is spread over a mesh of devices."""

    @staticmethod
    def call_tir(func: typing.Any, args: typing.Any, out_sinfo: typing.Any, tir_vars: typing.Any = None) -> Expr:
        """A kernel of the module whose results are spread over devices."""

    @staticmethod
    def call_tir_local_view(gvar: typing.Any, args: typing.Any, out_sinfo: typing.Any, tir_vars: typing.Any = None) -> Expr:
        """`call_tir` on what each worker has."""

    @staticmethod
    def const(value: typing.Any, struct_info: typing.Any) -> Expr:
        """Constant data that is spread over devices."""

    @staticmethod
    def device_mesh(shape: Value, device_ids: typing.Any) -> typing.Any:
        """Devices as a matrix of their numbers: a list of them, or a range."""

    @staticmethod
    def redistribute(value: typing.Any, device_mesh: typing.Any, placement: typing.Any) -> Expr:
        """The tensor, spread over a mesh of devices in another way."""

    @staticmethod
    def redistribute_replica_to_shard(input: Value, num_workers: Int, axis: Int) -> Expr:
        """Of a tensor that each worker has as a whole, a part on each."""

def divide(x1: Value, x2: Value) -> Expr:
    """x1 / x2; of integers, rounded towards zero."""

def dtype(value: typing.Any) -> typing.Any:
    """A dtype as a value."""

def dynamic_strided_slice(x: Value, begin: Value, end: Value, strides: Value) -> Expr:
    """Every so many elements from begin to end, which are tensors of one integer for each axis."""

def einsum(operands: Value, subscripts: builtins.str) -> Expr:
    """Products of elements summed as the subscripts say: `ij,jk->ik` is the matrix product."""

def emit(value: typing.Any, annotate_struct_info: typing.Any = None) -> typing.Any:
    """A new variable for a value."""

def emit_match_cast(value: typing.Any, struct_info: typing.Any) -> typing.Any:
    """A new variable for a value of which more is known."""

def equal(x1: Value, x2: Value) -> Expr:
    """x1 == x2."""

def erf(x: Value) -> Expr:
    """The error function."""

def ewise_fma(x1: Value, x2: Value, x3: Value) -> Expr:
    """x1 * x2 + x3, of one shape."""

def exp(x: Value) -> Expr:
    """e to the power of x."""

def expand_dims(x: Value, axis: Ints) -> Expr:
    """New axes of extent 1, counted in the result."""

def ext_dev(dev_id: typing.Any = 0) -> typing.Any:
    """A device of the kind ext_dev."""

def eye(n: typing.Any, m: typing.Any = None, k: typing.Any = 0, dtype: typing.Any = 'float32') -> Expr:
    """Ones on diagonal k of n rows and m columns, which are as many where only n is given; else zeros."""

def eye_like(x: Value, k: Value = 0, dtype: builtins.str | None = None) -> Expr:
    """Ones on a diagonal, else zeros, in the shape of another tensor."""

def flatten(x: Value) -> Expr:
    """All elements in one dimension."""

def flip(data: Value, axis: Int) -> Expr:
    """The order along an axis turned round."""

def floor(x: Value) -> Expr:
    """The next integer downwards."""

def floor_divide(x1: Value, x2: Value) -> Expr:
    """x1 / x2, rounded down."""

def floor_mod(x1: Value, x2: Value) -> Expr:
    """What is left of x1 / x2, with the sign of x2."""

def full(shape: Value, fill_value: Value, dtype: builtins.str | None = None) -> Expr:
    """A tensor full of one value."""

def full_like(x: Value, fill_value: Value, dtype: builtins.str | None = None) -> Expr:
    """A tensor of the shape of another one, full of one value."""

def func_attr(attrs: typing.Any) -> None:
    """Attributes of the function."""

def func_name(name: builtins.str) -> None:
    """The name of the function."""

def func_ret_struct_info(ret_sinfo: typing.Any) -> None:
    """What is known of the function's result."""

def func_ret_value(value: typing.Any) -> None:
    """The result of the function."""

@overload
def function(func: collections.abc.Callable[..., typing.Any], /, *, private: builtins.bool = False, pure: builtins.bool = True, check_well_formed: builtins.bool = True, source: builtins.str | None = None, name: builtins.str | None = None) -> _function.Function:
    """A Function of a Python function. In the class of a module it stays what it is until the class is read.

    `source` is a text that holds the function, for code that Python knows no text of."""
@overload
def function(*, private: builtins.bool = False, pure: builtins.bool = True, check_well_formed: builtins.bool = True, source: builtins.str | None = None, name: builtins.str | None = None) -> collections.abc.Callable[
    [collections.abc.Callable[..., typing.Any]], _function.Function
]:
    """A Function of a Python function. In the class of a module it stays what it is until the class is read.

    `source` is a text that holds the function, for code that Python knows no text of."""

def gather_elements(data: Value, indices: Value, axis: Int = 0) -> Expr:
    """For each place of the indices the element of the data there, but for the axis, where the index says."""

def gather_nd(data: Value, indices: Value, batch_dims: Int = 0) -> Expr:
    """The parts of the data that rows of indices say."""

def gpu(dev_id: typing.Any = 0) -> typing.Any:
    """A device of the kind gpu."""

class grad:
    @staticmethod
    def avg_pool2d_backward(output_grad: Value, data: Value, pool_size: Ints = (1, 1), strides: Ints = (1, 1), padding: Ints = (0, 0, 0, 0), dilation: Ints = (1, 1), ceil_mode: builtins.bool = False, count_include_pad: builtins.bool = False, layout: builtins.str = 'NCHW', out_layout: builtins.str | None = None) -> Expr:
        """The gradient of `nn.avg_pool2d` by the data."""

    @staticmethod
    def end_checkpoint(input: Value) -> Expr:
        """The value; the end of what is computed again for the gradient."""

    @staticmethod
    def max_pool2d_backward(output_grad: Value, data: Value, pool_size: Ints = (1, 1), strides: Ints = (1, 1), padding: Ints = (0, 0, 0, 0), dilation: Ints = (1, 1), ceil_mode: builtins.bool = False, count_include_pad: builtins.bool = False, layout: builtins.str = 'NCHW', out_layout: builtins.str | None = None) -> Expr:
        """The gradient of `nn.max_pool2d` by the data."""

    @staticmethod
    def nll_loss_backward(output_grad: Value, predictions: Value, targets: Value, weights: Value | None = None, reduction: builtins.str = 'mean', ignore_index: Int = -100) -> Expr:
        """The gradient of `nn.nll_loss` by the predictions."""

    @staticmethod
    def no_grad(input: Value) -> Expr:
        """The value; no gradient flows through it."""

    @staticmethod
    def start_checkpoint(input: Value) -> Expr:
        """The value; what is computed from here to the end of the checkpoint is computed again for the gradient."""

    @staticmethod
    def take_backward(output_grad: Value, x: Value, indices: Value, axis: Int | None = None, mode: builtins.str = '') -> Expr:
        """The gradient of `take` by the data."""

def greater(x1: Value, x2: Value) -> Expr:
    """x1 > x2."""

def greater_equal(x1: Value, x2: Value) -> Expr:
    """x1 >= x2."""

def hamming_window(window_size: Value, periodic: Value, alpha: Value, beta: Value, dtype: builtins.str) -> Expr:
    """alpha - beta * cos(2 pi i / N), where N is the size, or one less where it is not periodic."""

def hexagon(dev_id: typing.Any = 0) -> typing.Any:
    """A device of the kind hexagon."""

def hint_on_device(data: typing.Any, dst_vdevice: typing.Any, memory_scope: builtins.str = 'global') -> Expr:
    """The device is a pair: its type, as a number of DLPack, and its id."""

class image:
    @staticmethod
    def affine_grid(data: Value, size: Value, align_corners: builtins.bool = True) -> Expr:
        """Where the elements of images of a size are, each moved by a matrix: what `grid_sample` takes."""

    @staticmethod
    def grid_sample(data: Value, grid: Value, method: builtins.str = 'bilinear', layout: builtins.str = 'NCHW', padding_mode: builtins.str = 'zeros', align_corners: builtins.bool = False) -> Expr:
        """Images at the places that a grid says, from -1 to 1 along each axis."""

    @staticmethod
    def resize2d(data: Value, size: Value, roi: builtins.float | collections.abc.Sequence[typing.Any] | None = None, layout: builtins.str = 'NCHW', method: builtins.str = 'linear', coordinate_transformation_mode: builtins.str = 'half_pixel', rounding_method: builtins.str = 'round', cubic_alpha: builtins.float = -0.5, cubic_exclude: Int = 0, extrapolation_value: builtins.float = 0.0, out_dtype: builtins.str | None = None) -> Expr:
        """Images of another height and width."""

    @staticmethod
    def resize3d(data: Value, size: Value, roi: builtins.float | collections.abc.Sequence[typing.Any] | None = None, layout: builtins.str = 'NCDHW', method: builtins.str = 'linear', coordinate_transformation_mode: builtins.str = 'half_pixel', rounding_method: builtins.str = '', cubic_alpha: builtins.float = -0.75, cubic_exclude: Int = 0, extrapolation_value: builtins.float = 0.0, out_dtype: builtins.str | None = None) -> Expr:
        """Images of another depth, height and width."""

def index_put(data: Value, indices: Value, values: Value, accumulate: builtins.bool = False) -> Expr:
    """The data with values written, or added, where the indices say, one tensor for each axis."""

def index_tensor(data: Value, indices: Value) -> Expr:
    """The parts of the data where tensors of indices, broadcast together, one for each of the first axes, say."""

class inspect:
    @staticmethod
    def tensor_byte_offset(tensor: Value) -> Expr:
        """Bytes before the first element."""

    @staticmethod
    def tensor_dtype_bits(tensor: Value) -> Expr:
        """Bits of one lane."""

    @staticmethod
    def tensor_dtype_code(tensor: Value) -> Expr:
        """The number of the kind of elements."""

    @staticmethod
    def tensor_dtype_lanes(tensor: Value) -> Expr:
        """Lanes of an element."""

    @staticmethod
    def tensor_elem_offset(tensor: Value) -> Expr:
        """Elements before the first element."""

    @staticmethod
    def tensor_ndim(tensor: Value) -> Expr:
        """How many dimensions."""

    @staticmethod
    def tensor_shape_i(tensor: Value, axis: Value) -> Expr:
        """The extent of an axis."""

    @staticmethod
    def tensor_stride_i(tensor: Value, axis: Value) -> Expr:
        """Elements from one index of an axis to the next; the tensor is taken to be dense."""

def invoke_closure(closure: typing.Any, args: typing.Any, sinfo_args: typing.Any = ()) -> Expr:
    """A call of a closure."""

def invoke_pure_closure(closure: typing.Any, args: typing.Any, sinfo_args: typing.Any = ()) -> Expr:
    """A call of a closure that does nothing but compute its result."""

def isfinite(x: Value) -> Expr:
    """Whether it is neither infinite nor nan."""

def isinf(x: Value) -> Expr:
    """Whether it is infinite."""

def isnan(x: Value) -> Expr:
    """Whether it is nan."""

def layout_transform(x: typing.Any, index_map: typing.Any, pad_value: typing.Any = None, axis_separators: typing.Any = None, input_axis_separators: typing.Any = None) -> Expr:
    """The tensor in another layout: `index_map` says where elements go, `pad_value` is what stands where none goes.

    A Python number as `pad_value` is of the tensor's dtype."""

def left_shift(x1: Value, x2: Value) -> Expr:
    """Bits moved to the left."""

def less(x1: Value, x2: Value) -> Expr:
    """x1 < x2."""

def less_equal(x1: Value, x2: Value) -> Expr:
    """x1 <= x2."""

def linear(data: typing.Any, weight: typing.Any, bias: typing.Any = None, out_dtype: typing.Any = None) -> Expr:
    """`data` times the turned `weight`, with `bias` added where there is one: three operators."""

def log(x: Value) -> Expr:
    """The natural logarithm."""

def log_add_exp(x1: Value, x2: Value) -> Expr:
    """log(exp(x1) + exp(x2))."""

def logical_and(x1: Value, x2: Value) -> Expr:
    """Whether both hold."""

def logical_not(x: Value) -> Expr:
    """Whether it is zero."""

def logical_or(x1: Value, x2: Value) -> Expr:
    """Whether one holds."""

def logical_xor(x1: Value, x2: Value) -> Expr:
    """Whether one alone holds."""

@overload
def macro(func: collections.abc.Callable[P, M], /, *, hygienic: builtins.bool = True, source: builtins.str | None = None) -> collections.abc.Callable[P, M]:
    """The macro of a Python function. `source` is a text that holds it, for code that Python knows no text of."""
@overload
def macro(*, hygienic: builtins.bool = True, source: builtins.str | None = None) -> collections.abc.Callable[
    [collections.abc.Callable[P, M]], collections.abc.Callable[P, M]
]:
    """The macro of a Python function. `source` is a text that holds it, for code that Python knows no text of."""

def make_closure(func: Value, args: Value) -> Expr:
    """A function with its first values, to be called later."""

def match_cast(value: typing.Any, struct_info: typing.Any) -> Expr:
    """A value of which more is known from here on; checked when the program runs."""

def matmul(x1: Value, x2: Value, out_dtype: builtins.str | None = None) -> Expr:
    """The matrix product over the last two axes; the axes before them broadcast."""

def max(x: Value, axis: Ints | None = None, keepdims: builtins.bool = False) -> Expr:
    """The largest element."""

def maximum(x1: Value, x2: Value) -> Expr:
    """The larger one."""

def mean(x: Value, axis: Ints | None = None, keepdims: builtins.bool = False) -> Expr:
    """The mean."""

def median(x: Value, axis: Ints | None = None, keepdims: builtins.bool = False) -> Expr:
    """The element in the middle of the order, the lower one of two; along one axis its place as well."""

class memory:
    @staticmethod
    def alloc_storage(size: Value, virtual_device_index: Value, storage_scope: Value, dtype: Value) -> Expr:
        """Memory for tensors."""

    @staticmethod
    def alloc_tensor(storage: Value, offset: Value, shape: Value, dtype: Value, runtime_device_ind: Value | None = None) -> Expr:
        """A tensor in memory that was allocated."""

    @staticmethod
    def ensure_zero_offset(data: Value) -> Expr:
        """The tensor, copied where it does not begin where its memory does."""

    @staticmethod
    def kill_storage(storage: Value) -> Expr:
        """The memory is not used from here on."""

    @staticmethod
    def kill_tensor(tensor: Value) -> Expr:
        """The tensor is not used from here on."""

    @staticmethod
    def view(data: typing.Any, shape: Value | None = None, dtype: typing.Any = None, relative_byte_offset: typing.Any = None) -> Expr:
        """What is not given is the empty tuple."""

def meshgrid(tensors: Value, indexing: builtins.str | None = 'ij') -> Expr:
    """For each tensor of one dimension, its elements along an axis of its own, repeated along the others."""

def metal(dev_id: typing.Any = 0) -> typing.Any:
    """A device of the kind metal."""

def min(x: Value, axis: Ints | None = None, keepdims: builtins.bool = False) -> Expr:
    """The smallest element."""

def minimum(x1: Value, x2: Value) -> Expr:
    """The smaller one."""

def mod(x1: Value, x2: Value) -> Expr:
    """What is left of x1 / x2, with the sign of x1."""

def multinomial_from_uniform(prob: Value, uniform_sample: Value, sample_indices: Value, dtype: builtins.str = 'int64') -> Expr:
    """Categories drawn by the rows of probabilities that the indices say, from numbers drawn from [0, 1)."""

def multiply(x1: Value, x2: Value) -> Expr:
    """x1 * x2."""

def negative(x: Value) -> Expr:
    """-x."""

class nn:
    @staticmethod
    def adaptive_avg_pool1d(data: Value, output_size: Ints | None = None, layout: builtins.str = 'NCW', out_layout: builtins.str | None = None) -> Expr:
        """The means of parts, of which there are as many as the output has elements."""

    @staticmethod
    def adaptive_avg_pool2d(data: Value, output_size: Ints | None = None, layout: builtins.str = 'NCHW', out_layout: builtins.str | None = None) -> Expr:
        """The means of parts, of which there are as many as the output has elements."""

    @staticmethod
    def adaptive_avg_pool3d(data: Value, output_size: Ints | None = None, layout: builtins.str = 'NCDHW', out_layout: builtins.str | None = None) -> Expr:
        """The means of parts, of which there are as many as the output has elements."""

    @staticmethod
    def attention(query: typing.Any, key: typing.Any, value: typing.Any, bias: typing.Any = None, scale: typing.Any = None, causal_mask: builtins.str | None = None, window_size: Int | None = None) -> Expr:
        """With a bias it is another operator."""

    @staticmethod
    def attention_bias(query: Value, key: Value, value: Value, bias: Value, scale: builtins.float | _tir.Expr | None = None, causal_mask: builtins.str | None = None, window_size: Int | None = None) -> Expr:
        """`attention` with a bias (batch, heads, queries, keys) added to the scores."""

    @staticmethod
    def attention_var_len(queries: typing.Any, keys: typing.Any, values: typing.Any, seqstart_q: typing.Any, max_seqlen_q: typing.Any, seqstart_k: typing.Any = None, max_seqlen_k: typing.Any = None, scale: typing.Any = None, causal_mask: builtins.str | None = None, window_size: Int | None = None) -> Expr:
        """What is not said of the keys is as for the queries."""

    @staticmethod
    def avg_pool1d(data: Value, pool_size: Ints = (1,), strides: Ints = (1,), padding: Ints = (0, 0), dilation: Ints = (1,), ceil_mode: builtins.bool = False, count_include_pad: builtins.bool = False, layout: builtins.str = 'NCW', out_layout: builtins.str | None = None) -> Expr:
        """The mean of each window."""

    @staticmethod
    def avg_pool2d(data: Value, pool_size: Ints = (1, 1), strides: Ints = (1, 1), padding: Ints = (0, 0), dilation: Ints = (1, 1), ceil_mode: builtins.bool = False, count_include_pad: builtins.bool = False, layout: builtins.str = 'NCHW', out_layout: builtins.str | None = None) -> Expr:
        """The mean of each window."""

    @staticmethod
    def avg_pool3d(data: Value, pool_size: Ints = (1, 1, 1), strides: Ints = (1, 1, 1), padding: Ints = (0, 0, 0), dilation: Ints = (1, 1, 1), ceil_mode: builtins.bool = False, count_include_pad: builtins.bool = False, layout: builtins.str = 'NCDHW', out_layout: builtins.str | None = None) -> Expr:
        """The mean of each window."""

    @staticmethod
    def batch_flatten(data: Value) -> Expr:
        """All elements of each part of the batch in one dimension."""

    @staticmethod
    def batch_norm(data: Value, gamma: Value, beta: Value, moving_mean: Value, moving_var: Value, axis: Int, epsilon: builtins.float = 1e-05, center: builtins.bool = True, scale: builtins.bool = True, momentum: builtins.float = 0.1, training: builtins.bool = True) -> Expr:
        """Each channel normalized over the batch; the result, the moving mean and the moving variance."""

    @staticmethod
    def conv1d(data: Value, weight: Value, strides: Ints = 1, padding: Ints = 0, dilation: Ints = 1, groups: Int = 1, data_layout: builtins.str = 'NCW', kernel_layout: builtins.str = 'OIW', out_layout: builtins.str | None = None, out_dtype: builtins.str | None = None) -> Expr:
        """A convolution over 1 dimension."""

    @staticmethod
    def conv1d_transpose(data: Value, weight: Value, strides: Ints = 1, padding: Ints = 0, output_padding: Ints = 0, dilation: Ints = 1, groups: Int = 1, data_layout: builtins.str = 'NCW', kernel_layout: builtins.str = 'IOW', out_layout: builtins.str | None = None, out_dtype: builtins.str | None = None) -> Expr:
        """A convolution over 1 dimension turned around, as its gradient is."""

    @staticmethod
    def conv2d(data: Value, weight: Value, strides: Ints = (1, 1), padding: Ints = (0, 0), dilation: Ints = (1, 1), groups: Int = 1, data_layout: builtins.str = 'NCHW', kernel_layout: builtins.str = 'OIHW', out_layout: builtins.str | None = None, out_dtype: builtins.str | None = None) -> Expr:
        """A convolution over 2 dimensions."""

    @staticmethod
    def conv2d_transpose(data: Value, weight: Value, strides: Ints = (1, 1), padding: Ints = (0, 0), output_padding: Ints = (0, 0), dilation: Ints = (1, 1), groups: Int = 1, data_layout: builtins.str = 'NCHW', kernel_layout: builtins.str = 'IOHW', out_layout: builtins.str | None = None, out_dtype: builtins.str | None = None) -> Expr:
        """A convolution over 2 dimensions turned around, as its gradient is."""

    @staticmethod
    def conv3d(data: Value, weight: Value, strides: Ints = (1, 1, 1), padding: Ints = (0, 0, 0), dilation: Ints = (1, 1, 1), groups: Int = 1, data_layout: builtins.str = 'NCDHW', kernel_layout: builtins.str = 'OIDHW', out_layout: builtins.str | None = None, out_dtype: builtins.str | None = None) -> Expr:
        """A convolution over 3 dimensions."""

    @staticmethod
    def conv3d_transpose(data: Value, weight: Value, strides: Ints = (1, 1, 1), padding: Ints = (0, 0, 0), output_padding: Ints = (0, 0, 0), dilation: Ints = (1, 1, 1), groups: Int = 1, data_layout: builtins.str = 'NCDHW', kernel_layout: builtins.str = 'IODHW', out_layout: builtins.str | None = None, out_dtype: builtins.str | None = None) -> Expr:
        """A convolution over 3 dimensions turned around, as its gradient is."""

    @staticmethod
    def cross_entropy_with_logits(predictions: Value, labels: Value) -> Expr:
        """Minus the sum of the products of predictions and labels, the mean over the batch."""

    @staticmethod
    def dropout(data: Value, rate: builtins.float = 0.5) -> Expr:
        """The data with some elements set to zero at random, and the mask: 1 where an element was kept."""

    @staticmethod
    def gelu(data: Value) -> Expr:
        """The element times the probability that a normal variable is smaller."""

    @staticmethod
    def gelu_tanh(data: Value) -> Expr:
        """`gelu`, approximated by tanh."""

    @staticmethod
    def group_norm(data: Value, gamma: Value, beta: Value, num_groups: Int, channel_axis: Int, axes: Ints, epsilon: builtins.float = 1e-05, center: builtins.bool = True, scale: builtins.bool = True) -> Expr:
        """The channels in groups, each normalized over its channels and some axes."""

    @staticmethod
    def instance_norm(data: Value, gamma: Value, beta: Value, channel_axis: Int, axes: Ints, epsilon: builtins.float = 1e-05, center: builtins.bool = True, scale: builtins.bool = True) -> Expr:
        """Each channel of each element of the batch normalized over some axes, times gamma, plus beta."""

    @staticmethod
    def layer_norm(data: Value, gamma: Value, beta: Value, axes: Ints, epsilon: builtins.float = 1e-05, center: builtins.bool = True, scale: builtins.bool = True) -> Expr:
        """Normalized over some axes, times gamma, plus beta."""

    @staticmethod
    def leakyrelu(data: Value, alpha: builtins.float = 0.01) -> Expr:
        """The element, times alpha where it is negative."""

    @staticmethod
    def log_softmax(data: Value, axis: Int = -1) -> Expr:
        """The logarithm of `softmax`."""

    @staticmethod
    def max_pool1d(data: Value, pool_size: Ints = (1,), strides: Ints = (1,), padding: Ints = (0, 0), dilation: Ints = (1,), ceil_mode: builtins.bool = False, count_include_pad: builtins.bool = False, layout: builtins.str = 'NCW', out_layout: builtins.str | None = None) -> Expr:
        """The largest element of each window."""

    @staticmethod
    def max_pool2d(data: Value, pool_size: Ints = (1, 1), strides: Ints = (1, 1), padding: Ints = (0, 0), dilation: Ints = (1, 1), ceil_mode: builtins.bool = False, count_include_pad: builtins.bool = False, layout: builtins.str = 'NCHW', out_layout: builtins.str | None = None) -> Expr:
        """The largest element of each window."""

    @staticmethod
    def max_pool3d(data: Value, pool_size: Ints = (1, 1, 1), strides: Ints = (1, 1, 1), padding: Ints = (0, 0, 0), dilation: Ints = (1, 1, 1), ceil_mode: builtins.bool = False, count_include_pad: builtins.bool = False, layout: builtins.str = 'NCDHW', out_layout: builtins.str | None = None) -> Expr:
        """The largest element of each window."""

    @staticmethod
    def nll_loss(predictions: Value, targets: Value, weights: Value | None = None, reduction: builtins.str = 'mean', ignore_index: Int = -100) -> Expr:
        """Minus the prediction of the class that is asked for, weighted by class."""

    @staticmethod
    def pad(data: Value, pad_width: Ints, pad_value: Value = 0, pad_mode: builtins.str = 'constant') -> Expr:
        """The data with elements before and after each dimension."""

    @staticmethod
    def pixel_shuffle(data: Value, upscale_factor: Int) -> Expr:
        """Squares of channels as squares of elements: images of more height and width."""

    @staticmethod
    def prelu(data: Value, alpha: Value, axis: Int = 1) -> Expr:
        """The element, times the slope of its place along an axis where it is negative."""

    @staticmethod
    def relu(data: Value) -> Expr:
        """The element, 0 where it is negative."""

    @staticmethod
    def rms_norm(data: Value, weight: Value, axes: Ints = -1, epsilon: builtins.float = 1e-05) -> Expr:
        """Divided by the root of the mean square over some axes, times the weight."""

    @staticmethod
    def selu(data: Value) -> Expr:
        """The element, an exponential where it is negative, scaled so that the variance stays."""

    @staticmethod
    def silu(data: Value) -> Expr:
        """The element times its sigmoid."""

    @staticmethod
    def softmax(data: Value, axis: Int = -1) -> Expr:
        """Exponentials, divided by their sum along an axis."""

    @staticmethod
    def softplus(data: Value, beta: builtins.float = 1.0, threshold: builtins.float = 20.0) -> Expr:
        """A smooth `relu`: log(1 + exp(beta x)) / beta, x itself where beta x is above the threshold."""

def nonzero(x: Value) -> Expr:
    """The places of the elements that are not zero: a row for each axis."""

def not_equal(x1: Value, x2: Value) -> Expr:
    """x1 != x2."""

def null_value() -> Expr:
    """No value, where one is asked for."""

def one_hot(indices: Value, on_value: Value, off_value: Value, depth: Int, axis: Int = -1) -> Expr:
    """Along a new axis, on_value at the place that the index says, off_value elsewhere."""

def ones(shape: Value, dtype: builtins.str) -> Expr:
    """A tensor full of ones."""

def ones_like(x: Value, dtype: builtins.str | None = None) -> Expr:
    """Ones in the shape of another tensor."""

def opencl(dev_id: typing.Any = 0) -> typing.Any:
    """A device of the kind opencl."""

def outer(x1: Value, x2: Value) -> Expr:
    """The products of every element of x1 with every one of x2."""

def output(*variables: typing.Any) -> None:
    """The variables that are seen behind the dataflow block."""

def permute_dims(x: Value, axes: Ints | None = None) -> Expr:
    """Axes in another order, reversed where none is given."""

def power(x1: Value, x2: Value) -> Expr:
    """x1 to the power of x2."""

def prim_value(value: typing.Any) -> typing.Any:
    """A scalar as a value: Python's integers are int64."""

def print(*values: typing.Any, format: builtins.str = '') -> Expr:
    """The format is the first argument of the call."""

def prod(x: Value, axis: Ints | None = None, keepdims: builtins.bool = False) -> Expr:
    """The product."""

def quantize(data: Value, scale: Value, zero_point: Value, axis: Int = -1, out_dtype: builtins.str = 'int8') -> Expr:
    """round(data / scale) + zero_point, clamped to the dtype."""

def repeat(data: Value, repeats: Int, axis: Int | None = None) -> Expr:
    """Each element several times, one after another."""

def reshape(x: typing.Any, shape: Value) -> Expr:
    """The elements of x, in their order, in another shape.

    An extent of 0 is that of x at the same place; one extent may be -1, which stands for as many as are left."""

def reverse_sequence(data: Value, seq_lengths: Value, seq_axis: Int = 1, batch_axis: Int = 0) -> Expr:
    """The first elements of each batch in reverse order, as many as its length says."""

def right_shift(x1: Value, x2: Value) -> Expr:
    """Bits moved to the right."""

def rocm(dev_id: typing.Any = 0) -> typing.Any:
    """A device of the kind rocm."""

def round(x: Value) -> Expr:
    """The nearest integer, halves to the even one."""

def rsqrt(x: Value) -> Expr:
    """1 / sqrt(x)."""

def scatter_elements(data: Value, indices: Value, updates: Value, axis: Int = 0, reduction: builtins.str = 'update') -> Expr:
    """The data with updates written, or added and so on, where the indices say along an axis."""

def scatter_nd(data: Value, indices: Value, updates: Value, reduction: builtins.str = 'update') -> Expr:
    """The data with updates written, or added and so on, where rows of indices say."""

def shape(value: typing.Any) -> Expr:
    """A shape as a value."""

def shape_of(expr: Value) -> Expr:
    """The shape of a tensor."""

def shape_to_tensor(expr: Value) -> Expr:
    """A tensor that holds the extents of a shape."""

def sigmoid(x: Value) -> Expr:
    """1 / (1 + exp(-x))."""

def sign(x: Value) -> Expr:
    """-1, 0 or 1."""

def sin(x: Value) -> Expr:
    """The sine."""

def sinh(x: Value) -> Expr:
    """The hyperbolic sine."""

def size(expr: Value) -> Expr:
    """The number of elements."""

def slice_scatter(input_tensor: Value, src: Value, start: Value, end: Value, step: Value, axis: Int = 0) -> Expr:
    """The input with a slice along an axis replaced."""

def sort(x: Value, axis: Int = -1, descending: builtins.bool = False) -> Expr:
    """The elements in order."""

def split(x: Value, indices_or_sections: Ints, axis: Int = 0) -> Expr:
    """Parts along an axis: so many of them, or those between the places."""

def sqrt(x: Value) -> Expr:
    """The square root."""

def square(x: Value) -> Expr:
    """x * x."""

def squeeze(x: Value, axis: Ints | None = None) -> Expr:
    """Without axes of extent 1: the given ones, or all."""

def stack(tensors: Value, axis: Int | None = 0) -> Expr:
    """Tensors of one shape side by side along a new axis."""

def std(x: Value, axis: Ints | None = None, keepdims: builtins.bool = False) -> Expr:
    """The standard deviation."""

def stop_lift_params(x: Value) -> Expr:
    """The tensor; what follows is not lifted into the transformation of parameters."""

def str(value: builtins.str) -> Expr:
    """A string as a value."""

def strided_slice(x: Value, axes: Value, begin: Value, end: Value, strides: Value | None = None, assume_inbound: builtins.bool = False) -> Expr:
    """Every so many elements from begin to end along the axes; bounds that are outside are cut, unless they are assumed to be inside."""

def subtract(x1: Value, x2: Value) -> Expr:
    """x1 - x2."""

def sum(x: Value, axis: Ints | None = None, keepdims: builtins.bool = False) -> Expr:
    """The sum."""

def take(x: Value, indices: Value, axis: Int | None = None, mode: builtins.str = 'fast') -> Expr:
    """The elements along an axis that the indices say; the mode is what indices that are outside do."""

def tan(x: Value) -> Expr:
    """The tangent."""

def tanh(x: Value) -> Expr:
    """The hyperbolic tangent."""

def tensor_to_shape(expr: Value) -> Expr:
    """A shape, of which a tensor holds the extents."""

def tile(data: Value, repeats: Ints) -> Expr:
    """The whole tensor several times along each axis, counted from the last."""

def to_vdevice(data: typing.Any, dst_vdevice: typing.Any) -> Expr:
    """The tensor on another device of the module: `"cuda:1"`, or the device itself."""

def topk(data: Value, k: Int = 1, axis: Int = -1, ret_type: builtins.str = 'both', largest: builtins.bool = True, dtype: builtins.str = 'int32') -> Expr:
    """The k largest or smallest elements, all where k is not positive, and their places."""

def tril(x: Value, k: Value = 0) -> Expr:
    """What is not above diagonal k of the last two axes, else zero."""

def triu(x: Value, k: Value = 0) -> Expr:
    """What is not below diagonal k of the last two axes, else zero."""

def trunc(x: Value) -> Expr:
    """The integer without the fraction."""

def tuple(*fields: typing.Any) -> Expr:
    """Several values as one."""

def unique(x: Value, sorted: Value = True, return_index: Value = False, return_inverse: Value = False, return_counts: Value = False, axis: Value | None = None) -> Expr:
    """The different elements; with the first place of each, the place of every element among them, and how often each is there, as far as asked for."""

def variance(x: Value, axis: Ints | None = None, keepdims: builtins.bool = False) -> Expr:
    """The variance."""

class vision:
    @staticmethod
    def all_class_non_max_suppression(boxes: Value, scores: Value, max_output_boxes_per_class: Value, iou_threshold: Value, score_threshold: Value, output_format: builtins.str = 'onnx') -> Expr:
        """For each image and class the boxes of the best scores that no better one covers."""

    @staticmethod
    def get_valid_counts(data: Value, score_threshold: builtins.float = 0, id_index: Int = 0, score_index: Int = 1) -> Expr:
        """The boxes of each image whose score is above a threshold: how many, they themselves, and where they were."""

    @staticmethod
    def multibox_transform_loc(cls_pred: Value, loc_pred: Value, anchor: Value, clip: builtins.bool = False, threshold: builtins.float = 0.0, variances: typing.Any = (1.0, 1.0, 1.0, 1.0), keep_background: builtins.bool = True, apply_softmax: builtins.bool = True) -> Expr:
        """Boxes, of anchors and of what a network says of their place and size; and the scores of their classes."""

    @staticmethod
    def non_max_suppression(data: Value, valid_count: Value, indices: Value, max_output_size: Int = -1, iou_threshold: builtins.float = 0.5, force_suppress: builtins.bool = False, top_k: Int = -1, coord_start: Int = 2, score_index: Int = 1, id_index: Int = 0, return_indices: builtins.bool = True, invalid_to_bottom: builtins.bool = False, soft_nms_sigma: builtins.float = 0.0, score_threshold: builtins.float = 0.0) -> Expr:
        """The boxes of each image that no better one covers, or their places and how many they are."""

    @staticmethod
    def roi_align(data: Value, rois: Value, pooled_size: Ints, spatial_scale: builtins.float, sample_ratio: Int = -1, aligned: builtins.bool = False, layout: builtins.str = 'NCHW', mode: builtins.str = 'avg') -> Expr:
        """A part of an image for each region, sampled between its elements."""

    @staticmethod
    def roi_pool(data: Value, rois: Value, pooled_size: Ints, spatial_scale: builtins.float, layout: builtins.str = 'NCHW') -> Expr:
        """A part of an image for each region, the largest elements of its cells."""

class vm:
    @staticmethod
    def alloc_storage(shape: Value, runtime_device_index: Value, dtype: Value, storage_scope: Value = 'global') -> Expr:
        """Memory for tensors."""

    @staticmethod
    def alloc_tensor(storage: Value, offset: Value, shape: Value, dtype: Value, runtime_device_ind: Value | None = None) -> Expr:
        """A tensor in memory that was allocated."""

    @staticmethod
    def call_tir_dyn(func: Value, args: Value) -> Expr:
        """Calls a function of the tensor level; a shape among the arguments is handed over as its extents."""

    @staticmethod
    def kill_object(obj: Value) -> Expr:
        """The value is not used from here on."""

def vpi(dev_id: typing.Any = 0) -> typing.Any:
    """A device of the kind vpi."""

def vulkan(dev_id: typing.Any = 0) -> typing.Any:
    """A device of the kind vulkan."""

def webgpu(dev_id: typing.Any = 0) -> typing.Any:
    """A device of the kind webgpu."""

def where(condition: Value, x1: Value, x2: Value) -> Expr:
    """The element of x1 where the condition holds, of x2 elsewhere."""

def wrap_param(data: Value, dtype: builtins.str = 'float32') -> Expr:
    """A parameter of a function that is bound to constants, converted when the program runs."""

def zeros(shape: Value, dtype: builtins.str) -> Expr:
    """A tensor full of zeros."""

def zeros_like(x: Value, dtype: builtins.str | None = None) -> Expr:
    """Zeros in the shape of another tensor."""
