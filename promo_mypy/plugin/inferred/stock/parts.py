"""Find which parts of a value are Any to stock mypy, where the plugin knows arrays of PyTorch or JAX.

Their types have no marks. So the types of stock mypy follow from the text: the items of displays, what is added first
to an empty list, the results of generic functions, and what a loop or an assignment unpacks from them.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import field
from typing import Final

from mypy.nodes import (
    AssignmentExpr,
    CallExpr,
    ConditionalExpr,
    DictExpr,
    DictionaryComprehension,
    Expression,
    GeneratorExpr,
    IndexExpr,
    IntExpr,
    ListComprehension,
    ListExpr,
    MemberExpr,
    NameExpr,
    OpExpr,
    SetComprehension,
    SetExpr,
    SliceExpr,
    StarExpr,
    TupleExpr,
    UnaryExpr,
    Var,
)
from mypy.types import NoneType, PartialType, get_proper_type

from promo_mypy.plugin.inferred.displays import TypeOf
from promo_mypy.plugin.inferred.stock import called_parts
from promo_mypy.plugin.inferred.stock.called_parts import Known
from promo_mypy.plugin.inferred.stock.deciding_values import MOST_STEPS, any_decides, is_narrowed, never
from promo_mypy.plugin.mypy_api.symbols import attribute_of, is_unannotated
from promo_mypy.plugin.trees.expressions import is_none
from promo_mypy.plugin.trees.first_items import first_item, is_empty
from promo_mypy.plugin.trees.rebindings import Rebindings
from promo_mypy.plugin.types.any_parts import (
    Items,
    Parts,
    as_list,
    combined,
    has_any_items,
    is_array_or_number,
    item_of,
    joined,
    narrowed,
    part_at,
)
from promo_mypy.rules.records import record

#: What gives values to names inside an expression.
Scope = GeneratorExpr | DictionaryComprehension | CallExpr

_NOTHING: Final[Known] = {}


@record
class StockParts:
    """Finds the parts of values in one file.

    Attributes:
        is_any: whether a value is Any, apart from what is found here.
        type_of: mypy's type of an expression with the plugin.
        known: what the statements of the file bind.
        noted: the parts of a variable of another module, or of an attribute.
        first: those of the first values of variables of the file that have been noted.
        is_beside_none: whether a value of Any may be None, too. A value that may be counts as known.
    """

    is_any: Callable[["StockParts", Expression], bool]
    type_of: TypeOf
    known: Rebindings
    noted: Callable[[Var], Parts]
    first: Mapping[Var, Parts]
    is_beside_none: Callable[[Expression], bool] = never
    _found: dict[Expression, Parts] = field(default_factory=dict, init=False)
    # The values of variables that are being looked at, each for the one before it.
    _way: list[Expression] = field(default_factory=list, init=False)

    def of(self, value: Expression, inside: Known = _NOTHING) -> Parts:
        """The parts of a value. `inside`: those of the parameters and loop variables of the expression around it."""
        if inside:
            return self._of(value, inside)
        if value not in self._found:
            self._found[value] = False  # in a cycle the other values decide
            self._found[value] = self._of(value, inside)
        return self._found[value]

    def of_first(self, variable: Var) -> Parts:
        """The parts of the first value of a variable, from which mypy infers its type."""
        if variable in self.first:
            return self.first[variable]
        first = next((part for part in self.known.bound.get(variable, ()) if not is_none(part[0])), None)
        loop = next(iter(self.known.parts.get(variable, ())), None)
        captured = next(iter(self.known.captured.get(variable, ())), None)
        found = min((each[0].line for each in (first, loop, captured) if each is not None), default=None)
        if captured is not None and captured[0].line == found:
            return self._unpacked(captured)
        if loop is not None and loop[0].line == found:
            return part_at(self._items(loop[0], _NOTHING), loop[1])
        if first is None:
            return self.noted(variable)
        return self._of_filled(variable, first[0].line) if is_empty(first[0]) else self._unpacked(first)

    def _of_loop(self, variable: Var, line: int) -> Parts | None:
        """The parts of a loop variable in a line; None if no loop binds it."""
        loops = self.known.parts.get(variable, ())
        above = [each for each in loops if each[0].line <= line]
        for iterable, path in above[-1:] or loops[:1]:
            return part_at(self._items(iterable, _NOTHING), path)
        return None

    def _of(self, value: Expression, inside: Known) -> Parts:
        found = self._of_display(value, inside)
        if found is None:
            found = self._read(value, inside)
        found = found or (not self._is_decided(value) and self.is_any(self, value))
        return False if found is True and self.is_beside_none(value) else found

    def _is_decided(self, value: Expression) -> bool:
        """Whether nothing else decides about a value than what is found here."""
        match value:
            case NameExpr(node=Var() as variable):
                return any(variable in each for each in (self.known.bound, self.known.parts, self.known.captured))
            case IndexExpr(base=NameExpr() as base):
                is_known = isinstance(self.of(base), Items) or self._has_any_items(base)
                return is_known and self._is_decided(base)
            case OpExpr(op="and" | "or") | ConditionalExpr() | IndexExpr(base=TupleExpr() | ListExpr() | DictExpr()):
                return True
            case OpExpr() | UnaryExpr():
                return is_array_or_number(self.type_of(value))
            case _:
                return False

    def _of_display(self, value: Expression, inside: Known) -> Parts | None:
        """The parts of a display or comprehension; None for any other value."""
        match value:
            case TupleExpr(items=items):
                spread = [self._spread(each, inside) for each in items]
                if all(isinstance(each, tuple) for each in spread):
                    return tuple(part for each in spread if isinstance(each, tuple) for part in each)
                return Items(joined(map(item_of, spread)))
            case ListExpr(items=items) | SetExpr(items=items):
                return Items(joined(self._item(each, inside) for each in items))
            case DictExpr(items=pairs):
                every = ((key, self.of(each, inside)) for key, each in pairs)
                return Items(joined(item_of(each) if key is None else each for key, each in every))
            case ListComprehension(generator=made) | SetComprehension(generator=made):
                return self.of(made, inside)
            case GeneratorExpr(left_expr=item) | DictionaryComprehension(value=item):
                return Items(self.of(item, self.inside(value, inside)))
            case _:
                return None

    def _spread(self, item: Expression, inside: Known) -> Parts:
        """The parts of the items that one place of a written tuple adds to it, as a tuple if their number is known."""
        if not isinstance(item, StarExpr):
            return (self.of(item, inside),)
        found = self.of(item.expr, inside)
        return found if isinstance(found, tuple) else Items(self._items(item.expr, inside))

    def _item(self, item: Expression, inside: Known) -> Parts:
        return self._items(item.expr, inside) if isinstance(item, StarExpr) else self.of(item, inside)

    def inside(self, made: Scope, inside: Known) -> Known:
        """The parts of the loop variables of a comprehension, or of the parameters of a lambda that a call runs.

        The result has those of the expression around it, too.
        """
        found = dict(inside)
        if isinstance(made, CallExpr):
            return {**found, **called_parts.of_parameters(made, inside, self)}
        for target, iterable in zip(made.indices, made.sequences, strict=True):
            parts = self._items(iterable, found)
            found |= {name: part_at(parts, path) for name, path in _named(target, ())}
        return found

    def _read(self, value: Expression, inside: Known) -> Parts:
        match value:
            case NameExpr(node=Var() as variable) if variable in inside:
                return inside[variable]
            case NameExpr(node=Var() as variable):
                return self._of_variable(value, variable)
            case MemberExpr(expr=owner, name=name):
                attribute = value.node or attribute_of(self.type_of(owner), name)
                is_noted = isinstance(attribute, Var) and self.noted(attribute)
                return is_noted or self.of(owner, inside) is True
            case IndexExpr(base=base, index=index):
                return _at(self.of(base, inside), index)
            case CallExpr():
                return called_parts.of_call(value, inside, self)
            case ConditionalExpr(if_expr=one, else_expr=other) if _is_none(one) or _is_none(other):
                return self.of(other if _is_none(one) else one, inside)
            case OpExpr(op="and" | "or", left=one, right=other) | ConditionalExpr(if_expr=one, else_expr=other):
                parts = self.of(one, inside)
                return parts if parts == self.of(other, inside) else False
            case OpExpr(op=operator, left=left, right=right):
                return combined(operator, self.of(left, inside), self.of(right, inside))
            case UnaryExpr(op="-" | "+" | "~", expr=inner) | AssignmentExpr(value=inner):
                return self.of(inner, inside)
            case _:
                return False

    def _of_variable(self, name: NameExpr, variable: Var) -> Parts:
        if not is_unannotated(variable) or is_narrowed(name, self.type_of(name)):
            return False
        bound = self.known.bound.get(variable, ())
        if not bound and (looped := self._of_loop(variable, name.line)) is not None:
            return looped
        first = self.of_first(variable)
        is_otherwise = variable in self.known.parts or variable in self.known.captured
        if is_otherwise and not any(value.line < name.line for value, _ in bound):
            return first
        if not bound or (len(bound) == 1 and variable in self.first):
            return first
        values, rounds = self.known.values[variable], self.known.reaching(variable, name.line)
        parts = dict(zip(values, bound, strict=True))
        if not isinstance(first, bool):
            last = joined(self._unpacked(parts[each]) for each in rounds[-1]) if rounds else first
            return narrowed(first, last)

        def is_any(value: Expression) -> bool:
            return self._unpacked(parts.get(value, (value, ()))) is True  # a side of a conditional has no entry

        return any_decides(values, name.line, is_any, rounds)

    def _unpacked(self, part: tuple[Expression, Sequence[object]]) -> Parts:
        value, path = part
        if len(self._way) >= MOST_STEPS:
            return False
        self._way.append(value)
        found = self.of(value)
        self._way.pop()
        return part_at(found or self._has_any_items(value), path) if path else found

    def _items(self, iterable: Expression, inside: Known) -> Parts:
        """The parts of the items of an iterable."""
        return item_of(self.of(iterable, inside)) or self._has_any_items(iterable)

    def listed(self, iterable: Expression, inside: Known) -> Parts:
        """The parts of the items that a function gets from an iterable."""
        return item_of(as_list(self.of(iterable, inside))) or self._has_any_items(iterable)

    def _has_any_items(self, iterable: Expression) -> bool:
        """Whether a value is an array: the stubs declare no type for the items of an iterator over one."""
        return has_any_items(self.type_of(iterable))

    def _of_filled(self, variable: Var, line: int) -> Parts:
        """The parts of an empty list or dict, by the first item that is added."""
        found = first_item(variable, self.known.bodies.get(variable, ()), line)
        if found is None:
            return False
        item, depth = found
        parts: Parts = Items(self.of(item))
        for _ in range(depth):
            parts = Items(parts)
        return parts


def _named(target: Expression, path: Sequence[int]) -> Iterator[tuple[Var, Sequence[int]]]:
    """The variables in a target of a comprehension, each with its place in the nested tuples."""
    match target:
        case NameExpr(node=Var() as variable):
            yield variable, path
        case TupleExpr(items=items) | ListExpr(items=items):
            for place, each in enumerate(items):
                yield from _named(each, (*path, place))
        case _:
            pass


def _is_none(value: Expression) -> bool:
    """Whether a value is None: it is written, or a variable that has only been bound to None so far."""
    variable = value.node if isinstance(value, NameExpr) else None
    typ = get_proper_type(variable.type) if isinstance(variable, Var) else None
    return is_none(value) or isinstance(typ, NoneType) or (isinstance(typ, PartialType) and typ.type is None)


def _at(parts: Parts, index: Expression) -> Parts:
    """The parts of an item at an index."""
    match index:
        case SliceExpr():
            return parts if isinstance(parts, Items) or parts is True else False
        case IntExpr(value=place):
            return part_at(parts, [place])
        case UnaryExpr(op="-", expr=IntExpr(value=place)):
            return part_at(parts, [-place])
        case _:
            return item_of(parts)
