"""PyTorch's functions that make, arrange, join and pick. Source: running PyTorch 2.13 on the CPU."""

from typing import Final

from promo_mypy.rules import dtypes as dt
from promo_mypy.rules.dtype_names import TORCH_TYPE_STRINGS
from promo_mypy.rules.functions.choosing import Each, If, IfNumber, Listed
from promo_mypy.rules.functions.conversions import Converted
from promo_mypy.rules.functions.rows import Rows, table
from promo_mypy.rules.functions.vocabulary import (
    Alike,
    Asked,
    Default,
    Dtypes,
    Fixed,
    Inferred,
    Into,
    Promoted,
    Python,
    Same,
)

_X: Final = Same("input")
_INDEX: Final = Fixed(dt.int64)
_FLOAT: Final = Default("f")
_FILLED: Final = "out=None, dtype=None, layout=None, device=None, pin_memory=False, requires_grad=False"
_DRAWN: Final = f"generator=None, {_FILLED}"
_LIKE: Final = "memory_format=None, dtype=None, layout=None, device=None, pin_memory=False, requires_grad=False"
_JOINED: Final = Into(Promoted("*tensors", arrays="*tensors"))
_CENTRED: Final = Converted(Same("std"), "bui=refused")
_LISTED: Final = Listed(_X)
# Integers count, anything else gives the default float, complex numbers as well.
_RANGE: Final = Converted(Promoted("start end step"), "bui=int64 fc=float")
_POINTS: Final = Converted(Promoted("start end"), "buif=float c=complex")

ROWS: Final[Rows] = table(
    "torch",
    ("zeros ones empty", f"*size, {_FILLED}, memory_format=None, names=None", Into(Asked(_FLOAT))),
    ("rand randn", f"*size, {_DRAWN}, names=None", Into(Asked(_FLOAT, table="bui=refused"))),
    ("eye", f"n, m=None, *, {_FILLED}", Into(Asked(_FLOAT))),
    ("full", f"size, fill_value, *, {_FILLED}, names=None", Into(Asked(Inferred("fill_value")))),
    ("zeros_like ones_like empty_like", f"input, *, {_LIKE}", Asked(_X)),
    ("rand_like randn_like", f"input, *, generator=None, {_LIKE}", Converted(Asked(_X), "bui=refused")),
    ("full_like", f"input, fill_value, *, {_LIKE}", Asked(_X)),
    ("randint_like", f"input, low, high=None, *, {_LIKE}", Converted(Asked(_X), "bc=refused")),
    ("randint", f"low, high=None, size=None, *, {_DRAWN}", Into(Asked(_INDEX, table="c=refused"))),
    ("randperm", f"n, *, {_DRAWN}", Into(Asked(_INDEX, table="bc=refused"))),
    (
        "normal",
        f"mean, std=1.0, size=None, *, {_DRAWN}",
        Into(Asked(IfNumber("mean", IfNumber("std", _FLOAT, _CENTRED), Converted(Same("mean"), "bui=refused")))),
    ),
    ("arange", f"start, end=None, step=1, *, {_FILLED}", Into(Asked(_RANGE, table="bc=refused"))),
    ("range", f"start, end=None, step=1, *, {_FILLED}", Into(Asked(_FLOAT))),
    ("linspace", f"start, end, steps=None, *, {_FILLED}", Into(Asked(_POINTS, table="b=refused"))),
    ("logspace", f"start, end, steps=None, base=10.0, *, {_FILLED}", Into(Asked(_POINTS, table="b=refused"))),
    ("tensor", "data, *, dtype=None, device=None, requires_grad=False, pin_memory=False", Asked(Inferred("data"))),
    ("as_tensor", "data, dtype=None, device=None", Asked(Inferred("data"))),
    ("asarray", "obj, *, dtype=None, device=None, copy=None, requires_grad=False", Asked(Inferred("obj"))),
    ("scalar_tensor", f"s, *, {_FILLED}", Asked(_FLOAT)),
    ("Tensor", "*args, device=None", _FLOAT),
    *(
        (name.removeprefix("torch."), "*args, device=None", Fixed(dtype))
        for name, dtype in TORCH_TYPE_STRINGS.items()
        if name.count(".") == 1
    ),
    ("from_numpy", "ndarray", Same("ndarray")),
    ("frombuffer", "buffer, *, dtype, count=-1, offset=0, requires_grad=False", Asked(Python())),
    (
        "hann_window hamming_window blackman_window bartlett_window",
        "window_length, periodic=True, *, dtype=None, layout=None, device=None, pin_memory=False, requires_grad=False",
        Asked(_FLOAT),
    ),
    (
        "tril_indices triu_indices",
        "row, col, offset=0, *, dtype=None, layout=None, device=None, pin_memory=False",
        Asked(_INDEX),
    ),
    ("clone", "input, *, memory_format=None", _X),
    ("detach ravel t adjoint fliplr flipud atleast_1d atleast_2d atleast_3d", "input", _X),
    ("reshape", "input, shape", _X),
    ("flatten", "input, start_dim=0, end_dim=-1", _X),
    ("unflatten", "input, dim, sizes", _X),
    ("transpose swapaxes swapdims", "input, dim0, dim1", _X),
    ("permute", "input, dims", _X),
    ("movedim moveaxis", "input, source, destination", _X),
    ("squeeze", "input, dim=None", _X),
    ("unsqueeze", "input, dim", _X),
    ("broadcast_to", "input, size", _X),
    ("flip", "input, dims", _X),
    ("roll", "input, shifts, dims=()", _X),
    ("rot90", "input, k=1, dims=(0, 1)", _X),
    ("tile", "input, dims", _X),
    ("repeat_interleave", "input, repeats=None, dim=None, *, output_size=None", If("repeats", _X, _INDEX)),
    ("tril triu", "input, diagonal=0, *, out=None", Into(_X)),
    ("diag", "input, diagonal=0, *, out=None", Into(_X)),
    ("diagonal", "input, offset=0, dim1=0, dim2=1", _X),
    ("diag_embed", "input, offset=0, dim1=-2, dim2=-1", _X),
    ("narrow", "input, dim, start, length", _X),
    ("select", "input, dim, index", _X),
    ("split", "tensor, split_size_or_sections, dim=0", Listed(Same("tensor"))),
    ("chunk", "input, chunks, dim=0", _LISTED),
    ("tensor_split", "input, indices_or_sections, dim=0", _LISTED),
    ("hsplit vsplit dsplit", "input, indices_or_sections", _LISTED),
    ("unbind", "input, dim=0", _LISTED),
    ("meshgrid", "*tensors, indexing=None", Each("tensors", Same("tensors"))),
    ("broadcast_tensors", "*tensors", Each("tensors", Same("tensors"))),
    ("cartesian_prod block_diag", "*tensors", Promoted("*tensors")),
    ("combinations", "input, r=2, with_replacement=False", _X),
    ("cat stack", "tensors, dim=0, *, out=None", _JOINED),
    ("hstack vstack dstack column_stack row_stack", "tensors, *, out=None", _JOINED),
    ("gather", "input, dim, index, *, sparse_grad=False, out=None", Into(_X)),
    ("index_select", "input, dim, index, *, out=None", Into(_X)),
    ("masked_select", "input, mask, *, out=None", Into(_X)),
    ("masked_fill", "input, mask, value", _X),
    ("masked_scatter", "input, mask, source", Alike("input source")),
    ("take", "input, index", _X),
    ("take_along_dim", "input, indices, dim=None, *, out=None", Into(_X)),
    ("scatter", "input, dim, index, src=None, *, value=None, reduce=None, out=None", Into(_X)),
    ("scatter_add", "input, dim, index, src", _X),
    ("index_add", "input, dim, index, source, *, alpha=1, out=None", Into(_X)),
    ("index_fill", "input, dim, index, value", _X),
    ("index_copy", "input, dim, index, source", _X),
    ("result_type", "tensor1, tensor2", Promoted("tensor1 tensor2")),
    ("promote_types", "type1, type2", Dtypes("type1 type2")),
    ("is_tensor", "obj", Python("b")),
    ("is_complex is_floating_point is_nonzero", "input", Python("b")),
    ("numel", "input", Python("i")),
)
