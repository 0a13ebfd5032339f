"""Mistakes of each kind that people report, each beside the same code put right: see the texts in `mistakes`.

A line has the dtype of a value `{x}`, the dtype that is declared for the result, and two expressions. If the library
rejects the first one, no dtype is declared, and there is a `-`. Execution decides which expression is wrong.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from promo_mypy.rules.records import record

FOLDER: Final = Path(__file__).parent / "mistakes"
#: Kinds whose expressions are statements, by library.
_STATEMENTS: Final = {("writes", "numpy"), ("writes", "torch")}
#: Kinds about matrices.
_MATRICES: Final = {"layers", "losses"}
_MAKERS: Final = {
    "numpy": "np.ones({shape}, np.{dtype})",
    "torch": "torch.ones({shape}, dtype=torch.{dtype})",
    "jax": "jnp.ones({shape}, jnp.{dtype})",
    "tensorflow": "tf.ones({shape}, tf.{dtype})",
}
_ARRAYS: Final = {"torch": "torch.Tensor", "jax": "Array", "tensorflow": "tf.Tensor"}
#: Libraries that are not installed beside the others: see tests/other_libraries/test_varied.py.
APART: Final = frozenset({"tensorflow"})

#: Mistakes that are not reported yet: kind and library -> how their lines end.
LEFT: Final[Mapping[tuple[str, str], Sequence[str]]] = {
    # Arrays of texts beside JAX arrays.
    ("operands", "jax"): ["jax.nn.one_hot({x}, 3)", "{x} + np.array([1, 2, 3])"],
}


@record
class Mistake:
    """An expression about a value `{x}`.

    Attributes:
        value: the expression that makes the value.
        type: its declared type.
        wrong: the library rejects this expression, or it has another dtype than `result`.
        right: the same without the mistake.
        result: the declared type of both; `object` if the library rejects the first.
        is_statement: whether `wrong` and `right` are statements in place of expressions.
    """

    value: str
    type: str
    wrong: str
    right: str
    result: str
    is_statement: bool


def mistakes(kind: str, library: str) -> Sequence[Mistake]:
    """The mistakes of one kind that are reported."""
    text = (FOLDER / f"{kind}-{library}.txt").read_text(encoding="utf-8")
    left = tuple(LEFT.get((kind, library), ()))
    return [_mistake(line, kind, library) for line in text.splitlines() if not left or not line.endswith(left)]


def kinds(*, apart: bool = False) -> Mapping[str, Sequence[str]]:
    """Kind -> the libraries in which people make its mistakes: those installed together, or the others."""
    found: dict[str, list[str]] = {}
    for path in sorted(FOLDER.glob("*.txt")):
        kind, _, library = path.stem.rpartition("-")
        if (library in APART) is apart:
            found.setdefault(kind, []).append(library)
    return found


def _mistake(line: str, kind: str, library: str) -> Mistake:
    dtype, result, both = line.split(maxsplit=2)
    wrong, right = both.split("  =>  ")
    shape = "(3, 3)" if kind in _MATRICES else "3"
    return Mistake(
        value=_MAKERS[library].format(shape=shape, dtype=dtype),
        type=_type(dtype, library),
        wrong=wrong,
        right=right,
        result="object" if result == "-" else _type(result, library),
        is_statement=(kind, library) in _STATEMENTS,
    )


def _type(dtype: str, library: str) -> str:
    if library == "numpy":
        return f"npt.NDArray[np.{dtype}]"
    name = dtype.replace("bfloat", "BFloat").replace("uint", "UInt")
    return f'{name[0].upper()}{name[1:]}[{_ARRAYS[library]}, "..."]'
