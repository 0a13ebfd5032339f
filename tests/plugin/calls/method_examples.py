"""Expressions on an array `x` for the methods and attributes of arrays; they are executed and type-checked.

Besides `x` they use `mask` (bool, of x's shape), `index` (int64, 1-d), `half` (float16, 2-d) and the library.
"""

from collections.abc import Mapping, Sequence

Examples = Mapping[str, Sequence[str]]


def plain(names: str) -> dict[str, list[str]]:
    """Methods called without arguments."""
    return {name: [f"x.{name}()"] for name in names.split()}


def attributes(names: str) -> dict[str, list[str]]:
    """Attributes, which are only read."""
    return {name: [f"x.{name}"] for name in names.split()}


def _called(names: str, arguments: str) -> dict[str, list[str]]:
    """Methods that all take these arguments."""
    return {name: [f"x.{name}({arguments})"] for name in names.split()}


TORCH: Examples = {
    **attributes("T mT H mH data real imag"),
    **plain("bool byte char short int long half bfloat16 float double chalf"),
    **plain(
        "clone contiguous cpu cuda xpu detach pin_memory share_memory_ to_dense conj resolve_conj resolve_neg t adjoint"
        " fliplr flipud rot90 tril triu positive ravel squeeze diag diag_embed diagonal squeeze_"
    ),
    **plain(
        "abs_ bernoulli_ bitwise_not_ ceil_ cos_ detach_ erf_ exp_ floor_ log_ logical_not_ logit_ nan_to_num_ neg_"
        " normal_ random_ reciprocal_ relu_ round_ rsqrt_ sigmoid_ sign_ sin_ sqrt_ square_ tanh_ tril_ triu_ trunc_"
        " uniform_ zero_ exponential_ t_ absolute_ acos_ acosh_ arccos_ arccosh_ arcsin_ arcsinh_ arctan_ arctanh_"
        " asin_ asinh_ atan_ atanh_ conj_physical_ cosh_ deg2rad_ digamma_ erfc_ erfinv_ exp2_ expm1_ fix_ frac_ i0_"
        " lgamma_ log10_ log1p_ log2_ negative_ rad2deg_ sgn_ sinc_ sinh_ tan_ cauchy_ log_normal_"
    ),
    **_called("add_ div_ divide_ floor_divide_ fmod_ mul_ multiply_ pow_ remainder_ sub_ subtract_ true_divide_", "1"),
    **_called("clamp_max_ clamp_min_ fill_ fill_diagonal_ bitwise_left_shift_ bitwise_right_shift_ copysign_", "1"),
    **_called("eq_ ge_ greater_ greater_equal_ gt_ le_ less_ less_equal_ lt_ ne_ not_equal_ xlogy_", "1"),
    **_called("arctan2_ atan2_ gcd_ heaviside_ hypot_ lcm_ ldexp_ nextafter_ logical_xor_", "x.clone()"),
    **_called("bitwise_and_ bitwise_or_ bitwise_xor_ logical_and_ logical_or_ masked_select", "mask"),
    **_called("geometric_", "0.5"),
    **_called("clamp_ clip_", "0, 1"),
    **_called("addcdiv_ addcmul_", "x.clone(), x.clone()"),
    **_called("masked_fill masked_fill_", "mask, 1"),
    **_called("masked_scatter masked_scatter_", "mask, x.clone()"),
    **_called("index_add index_add_ index_copy index_copy_", "0, index, x[index]"),
    **_called("index_fill index_fill_", "0, index, 1"),
    **_called("index_put index_put_", "(index,), x[index]"),
    **_called("put put_", "index, x.ravel()[index]"),
    **_called("index_reduce index_reduce_", "0, index, x[index], 'amax'"),
    **_called("scatter_reduce scatter_reduce_", "0, torch.zeros_like(x, dtype=torch.int64), x.clone(), 'amax'"),
    **_called("scatter scatter_ scatter_add scatter_add_", "0, torch.zeros_like(x, dtype=torch.int64), x.clone()"),
    **_called("narrow narrow_copy", "0, 0, 1"),
    **_called("swapaxes swapaxes_ swapdims transpose transpose_ movedim moveaxis select", "0, 0"),
    **_called("expand_as view_as reshape_as type_as copy_", "half"),
    **_called("flip cumprod_ cumsum_ unsqueeze unsqueeze_", "0"),
    **{name: [f"x.{name}(1)[0]"] for name in ("split", "chunk", "unsafe_split", "unsafe_chunk")},
    "addmm_": ["x.addmm_(torch.ones(2, 3, dtype=x.dtype), torch.ones(3, 3, dtype=x.dtype))"],
    "addmv_": ["x.addmv_(torch.ones(*x.shape, 3, dtype=x.dtype), torch.ones(3, dtype=x.dtype))"],
    "addr_": ["x.addr_(torch.ones(x.shape[0], dtype=x.dtype), torch.ones(x.shape[1], dtype=x.dtype))"],
    "addbmm_": ["x.addbmm_(x.clone().unsqueeze(0), torch.eye(x.shape[1], dtype=x.dtype).unsqueeze(0))"],
    "baddbmm_": ["x.baddbmm_(x.clone(), torch.eye(x.shape[2], dtype=x.dtype).expand(x.shape[0], -1, -1))"],
    "as_strided": ["x.as_strided((1, 1), (1, 1))"],
    "broadcast_to": ["x.broadcast_to((2, 2, 3, 3))"],
    "expand": ["x.expand(2, 2, 3, 3)", "x.expand((2, 2, 3, 3))"],
    "flatten": ["x.flatten()", "x.flatten(0, -1)", "x.flatten(-2)"],
    "gather": ["x.gather(0, torch.zeros_like(x, dtype=torch.int64))"],
    "index_select": ["x.index_select(0, index)"],
    "lerp_": ["x.lerp_(x.clone(), 0.5)"],
    "new_empty": ["x.new_empty(2, 3)", "x.new_empty((2,), dtype=torch.int8)"],
    "new_full": ["x.new_full((2, 3), 1)", "x.new_full([2], 1, dtype=torch.bool)"],
    "new_ones": ["x.new_ones(2, 3)", "x.new_ones((2, 3))"],
    "new_tensor": ["x.new_tensor([1])", "x.new_tensor([1.5])", "x.new_tensor([1], dtype=torch.int8)"],
    "new_zeros": ["x.new_zeros(2, 3)", "x.new_zeros(3, dtype=torch.int8)", "x.new_zeros((), dtype=half.dtype)"],
    "permute": ["x.permute(1, 0)", "x.permute(2, 0, 1)"],
    "repeat": ["x.repeat(1, 1, 1, 2)", "x.repeat((2, 2, 2))"],
    "repeat_interleave": ["x.repeat_interleave(2)", "x.repeat_interleave(2, dim=0)"],
    "requires_grad_": ["x.requires_grad_()", "x.requires_grad_(False)"],
    "reshape": ["x.reshape(-1)", "x.reshape(-1, 1)", "x.reshape((1, -1))", "x.reshape(x.shape)"],
    "resize_": ["x.resize_(2, 3)"],
    "roll": ["x.roll(1)"],
    "split_with_sizes": ["x.split_with_sizes([1, 1])[0]"],
    "take": ["x.take(index)"],
    "take_along_dim": ["x.take_along_dim(torch.zeros_like(x, dtype=torch.int64), 0)"],
    "tensor_split": ["x.tensor_split(2)[0]"],
    "tile": ["x.tile(2)", "x.tile(2, 2, 2, 2)"],
    "to": [
        "x.to(torch.float16)",
        "x.to('cpu')",
        "x.to('cpu', torch.int16)",
        "x.to('cpu', None)",
        "x.to(half)",
        "x.to(torch.device('cpu'), non_blocking=True)",
        "x.to(dtype=torch.bfloat16)",
        "x.to(torch.int8, True)",
        "x.to(device='cpu', dtype=torch.int8)",
        "x.to(half.dtype)",
        "x.to(x.dtype)",
    ],
    "type": ["x.type(torch.int16)", "x.type('torch.DoubleTensor')"],
    "unbind": ["x.unbind()[0]", "x.unbind(-1)[0]"],
    "unflatten": ["x.unflatten(0, (2, 1))"],
    "unfold": ["x.unfold(0, 1, 1)"],
    "where": ["x.where(mask, half)", "x.where(mask, 1.5)"],
    "view": ["x.view(-1)", "x.view(-1, 1)", "x.view((1, -1))", "x.view(torch.uint8)", "x.view(dtype=torch.int32)"],
    "__getitem__": [
        "x[0]",
        "x[-1, 1]",
        "x[0, 0, 0]",
        "x[1:]",
        "x[:, 0]",
        "x[None]",
        "x[..., 0]",
        "x[..., None, 0]",
        "x[()]",
        "x[mask]",
        "x[index]",
        "x[index, index]",
        "x[index, :, index]",
        "x[0, index]",
        "x[[0, 1]]",
        "x[[0, 1], 0]",
        "x[[[0], [1]]]",
        "x[torch.zeros((2, 2), dtype=torch.int64)]",
        "x[index[0]]",
        "x[mask, None]",
        "x[True]",
    ],
    "__iter__": ["next(item for item in x)", "[*(item for item in x)][0]"],
}

JAX: Examples = {
    **attributes("T mT real imag"),
    **plain("ravel flatten squeeze transpose copy conj conjugate sort round block_until_ready diagonal byteswap"),
    "reshape": ["x.reshape(-1)", "x.reshape((1, -1))"],
    "swapaxes": ["x.swapaxes(0, 1)"],
    "repeat": ["x.repeat(2)", "x.repeat(2, axis=0)"],
    "take": ["x.take(index)"],
    "to_device": ["x.to_device(jax.devices()[0])"],
    "addressable_data": ["x.addressable_data(0)"],
    "astype": [
        "x.astype(jnp.float16)",
        "x.astype(jnp.float64)",
        "x.astype(float)",
        "x.astype(int)",
        "x.astype(bool)",
        "x.astype(complex)",
        "x.astype(x.dtype)",
        "x.astype(None)",
        "x.astype('float64')",
        "x.astype(half.dtype)",
        "x.astype(dtype=np.uint64)",
    ],
    "view": [
        "x.view(jnp.int32)",
        "x.view(jnp.float32)",
        "x.view('uint8')",
        "x.view(float)",
        "x.view(x.dtype)",
        "x.view()",
    ],
    **{f"at.{name}": [f"x.at[0].{name}(2)"] for name in ("set", "add", "subtract", "mul", "multiply", "min", "max")},
    "at.divide": ["x.at[0].divide(2)", "x.at[0].divide(0.5)"],
    "at.power": ["x.at[0].power(2)", "x.at[0].power(0.5)"],
    "at.get": ["x.at[0].get()", "x.at[99].get(mode='fill', fill_value=0)"],
    "at.apply": ["x.at[0].apply(lambda part: part)"],
    "__getitem__": [
        "x[0]",
        "x[0, 0]",
        "x[1:]",
        "x[None]",
        "x[..., 0]",
        "x[mask]",
        "x[index]",
        "x[np.array([0, 1])]",
        "x[half.astype(int)]",
    ],
    "__iter__": ["next(item for item in x)"],
}

NUMPY: Examples = {
    "astype": [
        "x.astype(np.float16)",
        "x.astype(float)",
        "x.astype(int)",
        "x.astype(bool)",
        "x.astype(complex)",
        "x.astype(x.dtype)",
        "x.astype('<f4')",
        "x.astype('>i2')",
        "x.astype('double')",
        "x.astype(np.dtype('complex64'))",
        "x.astype(np.dtype(float))",
        "x.astype(dtype='uint8')",
        "x.astype(ml_dtypes.bfloat16)",
        "x.astype(half.dtype, copy=False)",
    ],
    "view": ["x.view(np.uint8)", "x.view('u1')", "x.view('bool')", "x.view(half.dtype)", "x.view()"],
    "real": ["x.real"],
    "imag": ["x.imag"],
}
