"""Infer what `np.r_[...]` and `np.c_[...]` make of arrays, numbers and slices. NumPy's stubs return Any for both."""

import ast
from collections.abc import Sequence
from itertools import islice, product
from typing import Final

from promo_mypy.program.checked import library_names
from promo_mypy.program.checked.array_kinds import KIND_OF
from promo_mypy.program.checked.arrays import Arrays
from promo_mypy.program.definitions.reader import Reader
from promo_mypy.program.following.library_calls import MOST, resolved
from promo_mypy.rules import dtypes as dt
from promo_mypy.rules import functions
from promo_mypy.rules.functions.language.arguments import Arguments, Items
from promo_mypy.rules.operands import Operand
from promo_mypy.rules.promotion import PromotionSystem

_KIND: Final = KIND_OF["numpy"]


def joined_arrays(subscript: ast.Subscript, reader: Reader) -> Arrays | None:
    """Every array that it may make; None for any other subscript, and if a dtype is unknown."""
    system = reader.systems[_KIND.library.value]
    if system is None or reader.scopes.imported(subscript.value) not in library_names.JOINING:
        return None
    index = subscript.slice
    choices = [_operands(each, reader) for each in (index.elts if isinstance(index, ast.Tuple) else [index])]
    combinations = list(islice(product(*choices), MOST + 1))
    found = [_joined(each, system) for each in combinations]
    dtypes = frozenset(each for each in found if each is not None)
    is_known = 0 < len(combinations) <= MOST and None not in found
    return Arrays(frozenset({_KIND.library}), dtypes) if is_known else None


def _operands(item: ast.expr, reader: Reader) -> Sequence[Operand]:
    """What an item may be; `a:b:c` is a range of numbers, or with an imaginary step some numbers between two."""
    match item:
        case ast.Slice(step=ast.Constant(value=complex())):
            return [Operand(dt.float64)]
        case ast.Slice(lower=lower, upper=upper, step=step):
            row = functions.find("numpy.arange")
            parts = [list(reader.arguments(each, _KIND)) for each in (lower or ast.Constant(0), upper, step) if each]
            made = resolved(row, parts, {}, reader) if row is not None else None
            return [Operand(each) for each in made.dtypes or ()] if made is not None else []
    return [*reader.operands(item, _KIND)]


def _joined(operands: Sequence[Operand], system: PromotionSystem) -> type[dt.Shaped] | None:
    """The dtype of some items together: numbers of Python are weak beside arrays and NumPy's scalars."""
    arrays = [Operand(each.dtype) for each in operands if issubclass(each.dtype, dt.Shaped)]
    row = functions.find("numpy.concatenate" if arrays else "numpy.array")
    found = functions.resolve_call(system, row, Arguments.of(Items(tuple(arrays or operands)))) if row else None
    for number in [each for each in operands if arrays and not issubclass(each.dtype, dt.Shaped)]:
        found = system.promote(Operand(found), number) if isinstance(found, type) else None
    return found if isinstance(found, type) and issubclass(found, dt.Shaped) else None
