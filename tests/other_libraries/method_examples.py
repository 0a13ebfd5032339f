"""Expressions on an array `x` for methods and attributes of the arrays of further libraries.

Besides `x` they use `mask` (bool, of x's shape), `index` (int64, 1-d), `half` (float16, 2-d) and the library.
"""

from tests.plugin.calls.method_examples import Examples as Examples
from tests.plugin.calls.method_examples import attributes, plain

DASK: Examples = {
    **plain("ravel flatten squeeze transpose copy persist conj"),
    **attributes("T real imag"),
    "reshape": ["x.reshape(-1)", "x.reshape((-1, 1))"],
    "swapaxes": ["x.swapaxes(0, 1)"],
    "clip": ["x.clip(0, 1)"],
    "repeat": ["x.repeat(2, axis=0)"],
    "rechunk": ["x.rechunk(1)"],
    "astype": ['x.astype("float32")', "x.astype(np.int16)", "x.astype(half.dtype)", "x.astype(float)"],
    "view": ["x.view(np.uint8)", "x.view()"],
    "map_blocks": ["x.map_blocks(np.ones_like, dtype=x.dtype)"],
    "map_overlap": ['x.map_overlap(np.ones_like, 1, "none", dtype=x.dtype)'],
    "__getitem__": ["x[0]", "x[:, None]", "x[..., ::2]", "x[mask]"],
}

ARRAY_API: Examples = {
    "to_device": ["x.to_device(x.device)"],
    **attributes("T mT"),
    "__getitem__": ["x[0, :]", "x[:, None, :]", "x[...]"],
}

_PADDLE_CASTS = (
    "bool byte char short int long half float double cfloat cdouble"
    " int8 int16 int32 int64 bfloat16 float16 float32 float64 complex64 complex128"
)

PADDLE: Examples = {
    **plain(_PADDLE_CASTS),
    **plain("clone contiguous cpu cuda pin_memory detach conj t rot90 tril triu squeeze unbind diagonal flatten"),
    **plain("real imag diag_embed"),
    **attributes("T mT"),
    "transpose": ["x.transpose([1, 0])"],
    "permute": ["x.permute([1, 0])"],
    "swapaxes": ["x.swapaxes(0, 1)"],
    "moveaxis": ["x.moveaxis(0, 1)"],
    "flip": ["x.flip(0)"],
    "roll": ["x.roll(1)"],
    "chunk": ["x.chunk(2)[0]"],
    "split": ["x.split(2)[0]"],
    "gather": ["x.gather(index)"],
    "index_select": ["x.index_select(index)"],
    "masked_select": ["x.masked_select(mask)"],
    "unsqueeze": ["x.unsqueeze(0)"],
    "reshape": ["x.reshape([-1])", "x.reshape([1, -1])"],
    "expand": ["x.expand([2, 2, 3])"],
    "broadcast_to": ["x.broadcast_to([2, 2, 3])"],
    "expand_as": ["x.expand_as(half)"],
    "astype": ['x.astype("float32")', "x.astype(paddle.int16)", "x.astype(half.dtype)", "x.astype(float)"],
    "cast": ['x.cast("bool")', "x.cast(dtype=paddle.bfloat16)"],
    "type_as": ["x.type_as(half)"],
    "__getitem__": ["x[0]", "x[:, None]", "x[...]", "x[0, 0]", "x[mask]", "x[index]", "x[-1:]"],
}
