"""Find out from an expression how many dimensions its NumPy array has at least: most of NumPy's types have no rank."""

from collections.abc import Sequence
from typing import Final

from mypy.nodes import (
    CallExpr,
    Expression,
    IndexExpr,
    ListComprehension,
    ListExpr,
    MemberExpr,
    NameExpr,
    OpExpr,
    RefExpr,
    SliceExpr,
    StarExpr,
    TupleExpr,
    UnaryExpr,
    Var,
)
from mypy.plugin import CheckerPluginInterface
from mypy.types import Instance, get_proper_type

from promo_mypy.plugin import names
from promo_mypy.plugin.mypy_api.checker import type_checker
from promo_mypy.plugin.trees.bound_targets import Definition, Way
from promo_mypy.plugin.trees.definitions import definitions
from promo_mypy.plugin.trees.expressions import is_none
from promo_mypy.plugin.trees.written_arguments import argument, positional
from promo_mypy.plugin.types.array_ranks import rank_of_shape
from promo_mypy.plugin.types.integer_types import is_int
from promo_mypy.rules.functions.numpy import dimensions

#: How many expressions are followed, one to the next.
_DEEPEST: Final = 12
#: The dimensions of a variable whose own definition reads it: its other definitions decide.
_ITS_OWN: Final = 1 << 10
#: Operators whose result may have fewer dimensions than an operand.
_OTHERS: Final = frozenset({"@", "and", "or"})
_DISPLAYS = ListExpr | TupleExpr


def has_dimensions(expression: Expression, api: CheckerPluginInterface) -> bool:
    """Whether an array has at least one dimension; False if it may have none."""
    return least_dimensions(expression, api) > 0


def least_dimensions(expression: Expression, api: CheckerPluginInterface) -> int:
    """The number of dimensions that an array certainly has; it may have more."""
    found = _Reader(api).read(expression, _DEEPEST)
    return 0 if found >= _ITS_OWN else found


class _Reader:
    """Reads the dimensions of one expression. It visits each variable once."""

    def __init__(self, api: CheckerPluginInterface) -> None:
        self._api = api
        self._variables: dict[Var, int] = {}

    def read(self, expression: Expression, steps: int) -> int:
        """The dimensions by the type of an expression, or by its text."""
        return max(self._by_type(expression), self._by_text(expression, steps - 1) if steps else 0)

    def _by_type(self, expression: Expression) -> int:
        typ = get_proper_type(type_checker.expression_type(type_checker.checker(self._api), expression))
        is_array = isinstance(typ, Instance) and typ.type.fullname in names.NUMPY_ARRAYS
        return (rank_of_shape(typ).exact or 0) if is_array and isinstance(typ, Instance) else 0

    def _by_text(self, expression: Expression, steps: int) -> int:
        match expression:
            case CallExpr(callee=MemberExpr() as callee) if not callee.fullname.startswith("numpy."):
                return self._of_method(expression, callee, steps)
            case CallExpr(callee=RefExpr(fullname=name)) if name.startswith("numpy."):
                return self._of_function(expression, name, steps)
            case MemberExpr(name="T" | "real" | "imag"):
                return self.read(expression.expr, steps)
            case OpExpr(op=op, left=left, right=right) if op not in _OTHERS:
                return max(self.read(left, steps), self.read(right, steps))
            case UnaryExpr(op="-" | "+" | "~", expr=operand):
                return self.read(operand, steps)
            case IndexExpr(base=base, index=index):
                return self._of_item(base, index.items if isinstance(index, TupleExpr) else [index], steps)
            case NameExpr(node=Var() as variable):
                return self._of_variable(variable, steps)
            case _:
                return 0

    def _of_function(self, call: CallExpr, full_name: str, steps: int) -> int:
        name, first = full_name.rpartition(".")[2], call.args[0] if call.args else None
        if ".random." in full_name:
            return self._drawn(call, name)
        least = dimensions.DIMENSIONED.get(name, 0)
        if first is None:
            return least
        if name in dimensions.SHAPED:
            return self._length_of_shape(first)
        if name in dimensions.TILING:
            repetitions = call.args[1] if len(call.args) > 1 else first
            return max(self._length_of_shape(repetitions), self._of_items(first, steps))
        if name in dimensions.MAKING:
            return self._of_items(first, steps)
        if isinstance(first, _DISPLAYS) and first.items and not isinstance(first.items[0], StarExpr):
            if name in dimensions.JOINING:
                return max(least, self._of_items(first.items[0], steps))
            if name in dimensions.STACKING:
                return 1 + self._of_items(first.items[0], steps)
        return max(least, 1) if name in dimensions.STACKING else least

    def _of_items(self, made_of: Expression, steps: int) -> int:
        """The dimensions of an array that is made of an array, or of a display of rows."""
        match made_of:
            case ListExpr(items=items) | TupleExpr(items=items):
                inner = items[0] if items and not isinstance(items[0], StarExpr) else None
                return 1 if inner is None or not steps else 1 + _known(self._of_items(inner, steps - 1))
            case ListComprehension(generator=generator):
                return 1 + _known(self._of_items(generator.left_expr, steps - 1)) if steps else 1
            case _:
                return self.read(made_of, steps)

    def _of_method(self, call: CallExpr, callee: MemberExpr, steps: int) -> int:
        name = callee.name
        if name in dimensions.FLAT:
            return 1
        if name in dimensions.KEEPING:
            return self.read(callee.expr, steps)
        if name == "reshape":
            return self._lengths(positional(call))
        return self._drawn(call, name)

    def _drawn(self, call: CallExpr, name: str) -> int:
        """The dimensions of random numbers, by their size or by parameters that are sequences."""
        if name in dimensions.DRAWN_BY_LENGTHS:
            return self._lengths(call.args)
        place = dimensions.DRAWN.get(name)
        if place is None:
            return 0
        size = argument(call, "size", place)
        sequences = any(isinstance(each, _DISPLAYS) and each.items for each in positional(call))
        return max(int(sequences), 0 if size is None else self._length_of_shape(size))

    def _lengths(self, given: Sequence[Expression]) -> int:
        """The dimensions by a shape, or by the lengths that stand in its place."""
        if len(given) == 1:
            return self._length_of_shape(given[0])
        return len(given) if all(map(self._is_int, given)) else 0

    def _length_of_shape(self, shape: Expression) -> int:
        if isinstance(shape, _DISPLAYS):
            return sum(not isinstance(item, StarExpr) for item in shape.items)
        return int(self._is_int(shape))

    def _is_int(self, expression: Expression) -> bool:
        typ = type_checker.expression_type(type_checker.checker(self._api), expression)
        return typ is not None and is_int(get_proper_type(typ))

    def _of_item(self, base: Expression, index: Sequence[Expression], steps: int) -> int:
        """The dimensions of a part of an array. A slice needs one, and keeps it."""
        kept = sum(isinstance(item, SliceExpr) or is_none(item) for item in index)
        removed = [item for item in index if not isinstance(item, SliceExpr) and not is_none(item)]
        if not all(map(self._is_int, removed)):
            return kept
        added = sum(map(is_none, index))
        return max(kept, _known(self.read(base, steps)) + added - len(removed))

    def _of_variable(self, variable: Var, steps: int) -> int:
        if variable not in self._variables:
            self._variables[variable] = _ITS_OWN
            found = definitions(type_checker.tree(self._api)).of_variable(variable)
            is_known = bool(found) and all(isinstance(each.target, NameExpr) for each in found)
            self._variables[variable] = min(self._of_definition(each, steps) for each in found) if is_known else 0
        return self._variables[variable]

    def _of_definition(self, definition: Definition, steps: int) -> int:
        value, path = definition.value, definition.path
        match definition.way:
            case Way.OPERAND:
                return _ITS_OWN  # `x += y` keeps the dimensions of x, or gets those of y
            case Way.VALUE if value is not None and not path:
                return self.read(value, steps)
            case Way.VALUE if value is not None and len(path) == 1:
                return _row(self.read(value, steps))
            case Way.ELEMENT if value is not None:
                return self._of_element(value, path, steps)
            case _:
                return 0

    def _of_element(self, iterable: Expression, path: Sequence[object], steps: int) -> int:
        """The dimensions of the variable of a loop: `for row in m`, `for i, row in enumerate(m)`."""
        match iterable, path:
            case CallExpr(callee=RefExpr(fullname="builtins.enumerate"), args=[array, *_]), (1,):
                return _row(self.read(array, steps))
            case CallExpr(callee=RefExpr(fullname="builtins.zip"), args=arrays), (int(place),) if place < len(arrays):
                return _row(self.read(arrays[place], steps))
            case CallExpr(callee=RefExpr(fullname="builtins.reversed"), args=[array]), ():
                return _row(self.read(array, steps))
            case _, ():
                return _row(self.read(iterable, steps))
            case _, (int(),):
                return max(0, _row(self.read(iterable, steps)) - 1)
            case _:
                return 0


def _known(count: int) -> int:
    """A number of dimensions that may change; 0 if it depends on the variable itself."""
    return 0 if count >= _ITS_OWN else count


def _row(count: int) -> int:
    """The dimensions of a row of an array."""
    return max(0, _known(count) - 1)
