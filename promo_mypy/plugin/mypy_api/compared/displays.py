"""Find the declared items of lists, sets and dicts that are written out, and the values that go into them."""

from collections.abc import Iterator, Sequence
from itertools import chain

from mypy.checker import TypeChecker
from mypy.nodes import CallExpr, DictExpr, Expression, ListExpr, Node, RefExpr, SetExpr, StrExpr, TupleExpr, TypeInfo
from mypy.types import Instance, ProperType, TypedDictType, UnionType, get_proper_type, get_proper_types

from promo_mypy.plugin.mypy_api.compared.assigned import assignments
from promo_mypy.plugin.mypy_api.compared.called import arguments
from promo_mypy.plugin.mypy_api.compared.comparisons import Compared, known
from promo_mypy.plugin.mypy_api.compared.places import Place, place_of
from promo_mypy.plugin.mypy_api.compared.returned import results
from promo_mypy.rules.wording import mismatches as subjects


def items(current: TypeChecker, node: Node, parents: Sequence[Node]) -> Iterator[Compared]:
    """An item of a list, set or tuple."""
    display = parents[-1] if parents else None
    if isinstance(display, ListExpr | SetExpr | TupleExpr) and isinstance(node, Expression):
        for expected in _expected(current, display, parents[:-1]):
            if isinstance(expected, Instance) and len(expected.args) == 1:
                yield from known(current, subjects.item(display.items.index(node)), node, expected.args[0])


def entries_at(current: TypeChecker, display: DictExpr, parents: Sequence[Node], place: Place) -> Iterator[Compared]:
    """The value of an entry of a dict in a place where no expression is."""
    for number, (key, value) in enumerate(display.items):
        start, end = place_of(key or value), place_of(value)
        if place in ((*start[:2], *end[2:]), end):
            for expected in _expected(current, display, parents):
                if isinstance(expected, Instance) and len(expected.args) == 2:
                    yield from known(current, subjects.entry(number), value, expected.args[1])


def keys(current: TypeChecker, node: Node, parents: Sequence[Node]) -> Iterator[Compared]:
    """The value of a key of a TypedDict."""
    parent = parents[-1] if parents else None
    if not isinstance(node, Expression):
        return
    if isinstance(parent, DictExpr):
        names = [key.value for key, value in parent.items if value is node and isinstance(key, StrExpr)]
        kinds = [each for each in _expected(current, parent, parents[:-1]) if isinstance(each, TypedDictType)]
    elif isinstance(parent, CallExpr) and node in parent.args:
        name = parent.arg_names[parent.args.index(node)]
        called = parent.callee.node if isinstance(parent.callee, RefExpr) else None
        made = called.typeddict_type if isinstance(called, TypeInfo) else None
        names, kinds = ([name] if name is not None else []), ([made] if made is not None else [])
    else:
        yield from assignments(current, node, parents)
        return
    for kind in kinds:
        for name in names:
            if name in kind.items:
                yield from known(current, subjects.key(name), node, kind.items[name])


def _expected(current: TypeChecker, display: Expression, parents: Sequence[Node]) -> Iterator[ProperType]:
    """What a display may be expected to be: the context in which mypy checks it, what it is, or what takes it."""
    contexts = current.expr_checker.type_context
    known = [contexts[-1] if contexts else None, current.lookup_type_or_none(display)]
    places = (results, assignments, arguments, items, keys)
    taken = (each.declared for find in places for each in find(current, display, parents))
    for typ in chain(known, taken):
        proper = get_proper_type(typ)
        if isinstance(proper, UnionType):
            yield from get_proper_types(proper.items)
        elif proper is not None:
            yield proper
