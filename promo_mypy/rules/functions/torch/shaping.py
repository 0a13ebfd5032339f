"""PyTorch's functions that make, arrange, join and pick. Source: running PyTorch 2.13 on the CPU."""

from typing import Final

from promo_mypy.rules import dtypes as dt
from promo_mypy.rules.dtype_names import TORCH_TYPE_STRINGS
from promo_mypy.rules.functions.language.choosing import AsNumbers, If, IfNumber, WithDimensions
from promo_mypy.rules.functions.language.conversions import Converted
from promo_mypy.rules.functions.language.indexing import Indexed, Stored, StoredByIndices, StoredEqual
from promo_mypy.rules.functions.language.promoting import Promoted
from promo_mypy.rules.functions.language.rank_rules import (
    AtLeast,
    Broadcast,
    Diagonal,
    Exactly,
    Flattened,
    IfGiven,
    Kept,
    Positive,
    Sized,
    Tiled,
)
from promo_mypy.rules.functions.language.rows import Rows, table
from promo_mypy.rules.functions.language.several_results import Each, Listed
from promo_mypy.rules.functions.language.vocabulary import Asked, Default, Dtypes, Fixed, Inferred, Python, Same

_X: Final = Same("input")
_SAME_RANK: Final = Kept("input")
_VECTOR: Final = Exactly(1)
_MATRIX: Final = Exactly(2)
_SIZED: Final = Sized("size")
_TOGETHER: Final = Broadcast("*tensors")
_INDEX: Final = Fixed(dt.int64)
_FLOAT: Final = Default("f")
_FILLED: Final = "out=None, dtype=None, layout=None, device=None, pin_memory=False, requires_grad=False"
_DRAWN: Final = f"generator=None, {_FILLED}"
_LIKE: Final = "memory_format=None, dtype=None, layout=None, device=None, pin_memory=False, requires_grad=False"
# No tensor yields to another: all have dimensions or none has, or they get some.
_JOINED: Final = WithDimensions(Promoted("*tensors", arrays="*tensors"))
_CENTRED: Final = Converted(Same("std"), "bui=refused")
_LISTED: Final = Listed(_X)
# Integers decide the dtype. With any other number, even complex, the result is the default float.
_RANGE: Final = Converted(Promoted("start end step"), "bui=int64 fc=float")
_POINTS: Final = Converted(Promoted("start end"), "buif=float c=complex")

#: An index of a tensor is a mask, or has one of two dtypes; without dimensions, it is any integer.
INDICES: Final = ("int8=refused int16=refused uint16=refused uint32=refused uint64=refused fc=refused", "fc=refused")
#: The dtypes of indices that functions accept.
INTS: Final = ("int32=int32 int64=int64 buifc=refused",)
LONGS: Final = ("int64=int64 buifc=refused",)
MASKS: Final = ("uifc=refused",)
CONDITIONS: Final = ("uint8=uint8 uifc=refused",)

ROWS: Final[Rows] = table(
    "torch",
    ("zeros ones empty", f"*size, {_FILLED}, memory_format=None, names=None", Asked(_FLOAT), _SIZED),
    ("rand randn", f"*size, {_DRAWN}, names=None", Asked(_FLOAT, table="bui=refused"), _SIZED),
    ("eye", f"n, m=None, *, {_FILLED}", Asked(_FLOAT), _MATRIX),
    (
        "full",
        f"size, fill_value, *, {_FILLED}, names=None",
        Asked(AsNumbers("fill_value", Inferred("fill_value"))),
        _SIZED,
    ),
    ("zeros_like ones_like empty_like", f"input, *, {_LIKE}", Asked(_X), _SAME_RANK),
    ("rand_like randn_like", f"input, *, generator=None, {_LIKE}", Converted(Asked(_X), "bui=refused"), _SAME_RANK),
    ("full_like", f"input, fill_value, *, {_LIKE}", Asked(_X), _SAME_RANK),
    ("randint_like", f"input, low=0, high=None, *, {_LIKE}", Converted(Asked(_X), "bc=refused"), _SAME_RANK),
    (
        "randint",
        f"low=0, high=None, size=None, *, {_DRAWN}",
        Asked(_INDEX, table="c=refused"),
        IfGiven("size", _SIZED, Sized("high")),
    ),
    ("randperm", f"n, *, {_DRAWN}", Asked(_INDEX, table="bc=refused"), _VECTOR),
    (
        "normal",
        f"mean, std=1.0, size=None, *, {_DRAWN}",
        Asked(
            IfNumber("mean", IfNumber("std", _FLOAT, _CENTRED), Converted(Same("mean"), "bui=refused")),
            table="bui=refused",
        ),
        IfGiven("size", _SIZED, Broadcast("mean std")),
    ),
    ("arange", f"start, end=None, step=1, *, {_FILLED}", Asked(_RANGE, table="bc=refused"), _VECTOR),
    ("range", f"start, end=None, step=1, *, {_FILLED}", Asked(_FLOAT, table="bc=refused"), _VECTOR),
    ("linspace", f"start, end, steps=None, *, {_FILLED}", Asked(_POINTS, table="b=refused"), _VECTOR),
    ("logspace", f"start, end, steps=None, base=10.0, *, {_FILLED}", Asked(_POINTS, table="b=refused"), _VECTOR),
    (
        "tensor",
        "data, *, dtype=None, device=None, requires_grad=False, pin_memory=False",
        Asked(Inferred("data")),
        Kept("data"),
    ),
    ("as_tensor", "data, dtype=None, device=None", Asked(Inferred("data")), Kept("data")),
    ("asarray", "obj, *, dtype=None, device=None, copy=None, requires_grad=False", Asked(Inferred("obj")), Kept("obj")),
    (
        "sparse_coo_tensor",
        "indices, values, size=None, *, dtype=None, device=None, pin_memory=False, requires_grad=False,"
        " check_invariants=None, is_coalesced=None",
        Asked(Inferred("values")),
    ),
    ("scalar_tensor", f"s, *, {_FILLED}", Asked(_FLOAT), Exactly(0)),
    ("Tensor", "*args, device=None", _FLOAT),
    *(
        (name.removeprefix("torch."), "*args, device=None", Fixed(dtype))
        for name, dtype in TORCH_TYPE_STRINGS.items()
        if name.count(".") == 1
    ),
    (
        "autograd.grad",
        "outputs, inputs, grad_outputs=None, retain_graph=None, create_graph=False, only_inputs=True,"
        " allow_unused=None, is_grads_batched=False, materialize_grads=False",
        Listed(Converted(Same("inputs"), "bui=refused")),
        Kept("inputs"),
    ),
    ("from_numpy", "ndarray", Same("ndarray"), Kept("ndarray")),
    ("frombuffer", "buffer, *, dtype, count=-1, offset=0, requires_grad=False", Asked(Python()), _VECTOR),
    (
        "hann_window hamming_window blackman_window bartlett_window",
        "window_length, periodic=True, *, dtype=None, layout=None, device=None, pin_memory=False, requires_grad=False",
        Asked(_FLOAT, table="buic=refused"),
        _VECTOR,
    ),
    (
        "tril_indices triu_indices",
        "row, col, offset=0, *, dtype=None, layout=None, device=None, pin_memory=False",
        Asked(_INDEX, table="bu=refused int8=refused int16=refused fc=refused"),
        _MATRIX,
    ),
    ("clone", "input, *, memory_format=None", _X, _SAME_RANK),
    ("detach t adjoint fliplr flipud", "input", _X, _SAME_RANK),
    ("ravel", "input", _X, _VECTOR),
    ("atleast_1d", "input", _X, AtLeast(1, _SAME_RANK)),
    ("atleast_2d", "input", _X, AtLeast(2, _SAME_RANK)),
    ("atleast_3d", "input", _X, AtLeast(3, _SAME_RANK)),
    ("reshape", "input, shape", _X, Sized("shape")),
    ("flatten", "input, start_dim=0, end_dim=-1", _X, Flattened("input", "start_dim", "end_dim")),
    ("unflatten", "input, dim, sizes", _X, Positive()),
    ("transpose swapaxes swapdims", "input, dim0, dim1", _X, _SAME_RANK),
    ("permute", "input, dims", _X, _SAME_RANK),
    ("movedim moveaxis", "input, source, destination", _X, _SAME_RANK),
    ("squeeze", "input, dim=None", _X),
    ("unsqueeze", "input, dim", _X, Kept("input", 1)),
    ("broadcast_to", "input, size", _X, _SIZED),
    ("flip", "input, dims", _X, _SAME_RANK),
    ("roll", "input, shifts, dims=()", _X, _SAME_RANK),
    ("rot90", "input, k=1, dims=(0, 1)", _X, _SAME_RANK),
    ("tile", "input, dims", _X, Tiled("input", "dims")),
    (
        "repeat_interleave",
        "input, repeats=None, dim=None, *, output_size=None",
        If("repeats", Indexed(_X, "repeats", (*INTS, "")), _INDEX),
        IfGiven("dim", _SAME_RANK, _VECTOR),
    ),
    ("tril triu", "input, diagonal=0, *, out=None", _X, _SAME_RANK),
    ("diag", "input, diagonal=0, *, out=None", _X, Diagonal("input")),
    ("diagonal", "input, offset=0, dim1=0, dim2=1", _X, Kept("input", -1)),
    ("diag_embed", "input, offset=0, dim1=-2, dim2=-1", _X, Kept("input", 1)),
    ("narrow", "input, dim, start, length", _X, _SAME_RANK),
    ("select", "input, dim, index", _X, Kept("input", -1)),
    ("split", "tensor, split_size_or_sections, dim=0", Listed(Same("tensor")), Kept("tensor")),
    ("chunk", "input, chunks, dim=0", _LISTED, _SAME_RANK),
    (
        "tensor_split",
        "input, indices_or_sections, dim=0",
        Indexed(_LISTED, "indices_or_sections", (*LONGS, "")),
        _SAME_RANK,
    ),
    ("hsplit vsplit dsplit", "input, indices_or_sections", _LISTED, _SAME_RANK),
    ("unbind", "input, dim=0", _LISTED, Kept("input", -1)),
    ("meshgrid", "*tensors, indexing=None", Each("tensors", Same("tensors")), Sized("tensors")),
    ("broadcast_tensors", "*tensors", Each("tensors", Same("tensors")), Broadcast("*tensors")),
    ("cartesian_prod", "*tensors", Promoted("*tensors")),
    ("block_diag", "*tensors", Promoted("*tensors"), _MATRIX),
    ("combinations", "input, r=2, with_replacement=False", _X),
    ("cat", "tensors, dim=0, *, out=None", _JOINED, AtLeast(1, _TOGETHER)),
    ("stack", "tensors, dim=0, *, out=None", _JOINED, Broadcast("*tensors", 1)),
    ("hstack", "tensors, *, out=None", _JOINED, AtLeast(1, _TOGETHER)),
    ("vstack column_stack row_stack", "tensors, *, out=None", _JOINED, AtLeast(2, _TOGETHER)),
    ("dstack", "tensors, *, out=None", _JOINED, AtLeast(3, _TOGETHER)),
    ("gather", "input, dim, index, *, sparse_grad=False, out=None", Indexed(_X, "index", INTS), Kept("index")),
    ("index_select", "input, dim, index, *, out=None", Indexed(_X, "index", INTS), _SAME_RANK),
    ("masked_select", "input, mask, *, out=None", Indexed(_X, "mask", MASKS), _VECTOR),
    (
        "masked_fill",
        "input, mask, value",
        Indexed(Stored(_X, "input", "value"), "mask", MASKS),
        Broadcast("input mask"),
    ),
    ("fill", "input, value", _X, _SAME_RANK),
    (
        "masked_scatter",
        "input, mask, source",
        Indexed(StoredEqual(_X, "input", "source"), "mask", MASKS),
        Broadcast("input mask"),
    ),
    ("take", "input, index", Indexed(_X, "index", LONGS), Kept("index")),
    (
        "take_along_dim",
        "input, indices, dim=None, *, out=None",
        Indexed(If("dim", Indexed(_X, "indices", LONGS), _X), "indices", INTS),
    ),
    (
        "put",
        "input, index, source, accumulate=False",
        Indexed(StoredEqual(_X, "input", "source"), "index", LONGS),
        _SAME_RANK,
    ),
    (
        "index_put",
        "input, indices, values, accumulate=False",
        Indexed(StoredByIndices(_X, "input", "values", "indices"), "indices", INDICES),
        _SAME_RANK,
    ),
    (
        "scatter",
        "input, dim, index, src=None, *, value=None, reduce=None, out=None",
        Indexed(StoredEqual(_X, "input", "src"), "index", INTS),
        _SAME_RANK,
    ),
    ("scatter_add", "input, dim, index, src", Indexed(StoredEqual(_X, "input", "src"), "index", INTS), _SAME_RANK),
    (
        "scatter_reduce",
        "input, dim, index, src, reduce, *, include_self=True",
        Indexed(StoredEqual(_X, "input", "src"), "index", INTS),
        _SAME_RANK,
    ),
    (
        "index_add",
        "input, dim, index, source, *, alpha=1, out=None",
        Indexed(StoredEqual(_X, "input", "source"), "index", INTS),
        _SAME_RANK,
    ),
    ("index_fill", "input, dim, index, value", Indexed(Stored(_X, "input", "value"), "index", LONGS), _SAME_RANK),
    (
        "index_copy",
        "input, dim, index, source",
        Indexed(StoredEqual(_X, "input", "source"), "index", LONGS),
        _SAME_RANK,
    ),
    (
        "index_reduce",
        "input, dim, index, source, reduce, *, include_self=True",
        Converted(Indexed(StoredEqual(_X, "input", "source"), "index", INTS), "c=refused"),
        _SAME_RANK,
    ),
    ("slice_scatter", "input, src, dim=0, start=None, end=None, step=1", _X, _SAME_RANK),
    ("select_scatter", "input, src, dim, index", _X, _SAME_RANK),
    ("diagonal_scatter", "input, src, offset=0, dim1=0, dim2=1", _X, _SAME_RANK),
    ("result_type", "tensor1, tensor2", Promoted("tensor1 tensor2")),
    ("promote_types", "type1, type2", Dtypes("type1 type2")),
    ("is_tensor", "obj", Python("b")),
    ("is_complex is_floating_point is_nonzero", "input", Python("b")),
    ("numel", "input", Python("i")),
)
