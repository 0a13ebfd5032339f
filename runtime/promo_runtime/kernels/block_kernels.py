"""Run a ufunc on large arrays, piece by piece: pieces stay in a core's cache between the calls that cast and compute
them, and threads share the pieces.

No array is copied as a whole, except an operand that overlaps `out` out of step.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from promo_runtime.kernels.pieces import Cut, Scratch, in_pieces

Kernel = Callable[..., Any]
"""Takes arrays or scalars, and returns a NumPy array, or a NumPy scalar for a 0-d result."""


def by_size(small: Kernel, large: "InPieces", is_array: tuple[bool, ...]) -> Kernel:
    """One kernel or the other, chosen by size. `is_array`: which of one or two operands certainly have a size."""
    limit = large.least
    if len(is_array) == 1:
        return lambda x: (large if x.size >= limit else small)(x)
    if all(is_array):
        return lambda one, other: (large if one.size >= limit or other.size >= limit else small)(one, other)
    if is_array[0]:
        return lambda one, other: (large if one.size >= limit else small)(one, other)
    if is_array[1]:
        return lambda one, other: (large if other.size >= limit else small)(one, other)
    return lambda one, other: (large if max(_size(one), _size(other)) >= limit else small)(one, other)


def into_by_size(small: Kernel, large: "InPieces") -> Kernel:
    """The same, for kernels that store the result in the first operand."""
    limit = large.least
    return lambda target, other: large.into(target, target, other) if target.size >= limit else small(target, other)


def _size(operand: Any) -> int:
    return getattr(operand, "size", 1)


@dataclass(frozen=True)
class InPieces(ABC):
    """An elementwise kernel for large arrays. All its casts are NumPy's unsafe ones."""

    ufunc: np.ufunc
    compute: tuple[np.dtype[Any], ...]
    """The dtype to which each operand is cast."""
    result: np.dtype[Any]

    @property
    def least(self) -> int:
        """The number of elements from which on it is faster than one call."""
        return 1 << 15

    @property
    def elements(self) -> int:
        """The most elements in a piece, so that its scratch stays in the cache of a core."""
        return 1 << 15

    def pieces_of(self, out: Any, operands: list[Any], *, fresh: bool) -> int:
        """The same, for given arrays."""
        del out, operands, fresh
        return self.elements

    @abstractmethod
    def piece(self, operands: list[Any], out: Any, scratch: Scratch, *, fresh: bool) -> None:
        """Compute a piece. Operands are pieces of the given arrays, or numbers from `number`.

        A fresh `out` shares no memory with them, and may be written before they are read.
        """

    def number(self, place: int, value: Any) -> Any:
        """A 0-d operand, cast."""
        return value.astype(self.compute[place], casting="unsafe")

    def __call__(self, *operands: Any) -> Any:
        """Compute the result, with the memory layout of the largest operand."""
        arrays = [np.asarray(operand) for operand in operands]
        shape = np.broadcast_shapes(*(array.shape for array in arrays))
        like = max(arrays, key=lambda array: array.size)
        if like.shape != shape or like.flags.c_contiguous:
            return self._fill(np.empty(shape, self.result), arrays, fresh=True)
        order = _order(like)
        out = np.empty([shape[axis] for axis in order], self.result).transpose(np.argsort(order))
        return self._fill(out, arrays, fresh=True)

    def into(self, out: Any, *operands: Any) -> Any:
        """Fill and return `out`, which may be an operand or overlap one."""
        return self._fill(out, [np.asarray(operand) for operand in operands], fresh=False)

    def _fill(self, out: Any, operands: list[Any], *, fresh: bool) -> Any:
        order = None if out.flags.c_contiguous else _order(out)
        arrays = [self._ready(place, operand, out, order) for place, operand in enumerate(operands)]
        target = out if order is None else out.transpose(order)

        def compute(cuts: Iterator[Cut]) -> None:
            scratch = Scratch()
            for cut in cuts:
                pieces = [each[cut] if each.ndim else each for each in arrays]
                self.piece(pieces, target[cut], scratch, fresh=fresh)

        in_pieces(target.shape, compute, self.pieces_of(target, arrays, fresh=fresh))
        return out

    def _ready(self, place: int, array: Any, out: Any, order: list[int] | None) -> Any:
        """An operand prepared for cutting in the memory order of the result."""
        if array.ndim == 0:
            return self.number(place, array)
        if np.may_share_memory(array, out) and not _in_step(array, out):
            array = array.copy()
        if array.shape != out.shape:
            array = np.broadcast_to(array, out.shape)
        return array if order is None else array.transpose(order)


@dataclass(frozen=True)
class Casting(InPieces):
    """A loop of a ufunc with casts. One operand is cast as a whole into the result, which has room for it."""

    loop: tuple[np.dtype[Any], ...]
    """The dtypes of the loop, with the result last."""

    @property
    def least(self) -> int:
        """The number of elements from which on threads are faster."""
        return 1 << 18

    @property
    def elements(self) -> int:
        """The most elements in a piece. Without scratch there is room for more."""
        return 1 << 16

    def piece(self, operands: list[Any], out: Any, scratch: Scratch, *, fresh: bool) -> None:
        """The ufunc casts the other operand in its buffers."""
        del scratch
        if fresh and self.loop[-1] == self.result:
            place = next((at for at, each in enumerate(operands) if each.dtype != self.loop[at] == self.result), None)
            if place is not None:
                np.copyto(out, operands[place], casting="unsafe")
                operands[place] = out
        self.ufunc(*operands, out=out, signature=self.loop, casting="unsafe")


def _order(array: Any) -> list[int]:
    """The axes from the longest stride to the shortest."""
    return sorted(range(array.ndim), key=lambda axis: -abs(array.strides[axis]))


def _in_step(one: Any, other: Any) -> bool:
    """Whether elements of the same index have the same address, so that each is read before it is written."""
    layouts = [(x.shape, x.strides, x.itemsize, x.__array_interface__["data"][0]) for x in (one, other)]
    return bool(layouts[0] == layouts[1])
