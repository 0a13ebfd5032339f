"""Which parts of a value are Any to stock mypy: the value, the items of a list or dict, or items of a tuple."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final, Union

from mypy.types import (
    AnyType,
    Instance,
    NoneType,
    TupleType,
    Type,
    TypeOfAny,
    TypeVarId,
    TypeVarType,
    UnionType,
)

from promo_mypy.plugin.libraries import Library
from promo_mypy.plugin.types.array_types import is_python_number, library_of
from promo_mypy.plugin.types.walks import members, opened
from promo_mypy.rules.records import record


@record
class Items:
    """The parts of each item of a list, a set or an iterator, and of each value of a dict."""

    item: "Parts"


#: True for Any, and False for a value without Any in it. A tuple has the parts of its items.
Parts = Union[bool, Items, tuple["Parts", ...]]  # noqa: UP007 (`|` takes no text, and the type names itself)

#: The classes whose last argument is the type of an item, and those whose first argument is.
_ITERABLES: Final = frozenset(
    {
        *(f"builtins.{name}" for name in ("dict", "frozenset", "list", "reversed", "set", "tuple")),
        *(f"collections.{name}" for name in ("OrderedDict", "defaultdict", "deque")),
        *(
            f"typing.{name}"
            for name in (
                *("AsyncIterable", "AsyncIterator", "Collection", "Iterable", "Iterator", "Mapping"),
                *("MutableMapping", "MutableSequence", "Sequence"),
            )
        ),
    }
)
_GENERATORS: Final = frozenset({"typing.AsyncGenerator", "typing.Generator"})
#: The plugin makes these.
_OURS: Final = (TypeOfAny.special_form, TypeOfAny.implementation_artifact)

#: The libraries whose arrays have items of type Any.
_WITHOUT_ITEMS: Final = (Library.JAX, Library.TORCH)

Solved = Mapping[TypeVarId, Parts]


def is_stock_any(typ: AnyType) -> bool:
    """Whether mypy has inferred this Any, not the plugin."""
    return (typ.source_any or typ).type_of_any not in _OURS


def has_any_items(typ: Type | None) -> bool:
    """Whether a value is an array of a library whose stubs declare no type for its items."""
    return typ is not None and library_of(typ) in _WITHOUT_ITEMS


def is_array_or_number(typ: Type | None) -> bool:
    """Whether a value is an array of such a library, perhaps beside a number or None, or one of these beside Any."""
    every = list(members(typ)) if typ is not None else []
    others = [each for each in every if not has_any_items(each) and not isinstance(each, AnyType)]
    is_known = bool(others) or any(map(has_any_items, every))
    are_plain = all(isinstance(each, NoneType) or is_python_number(each) for each in others)
    return is_known and are_plain and len(others) < len(every)


def joined(parts: Iterable[Parts]) -> Parts:
    """The parts of the join of some values: with an Any, mypy joins to Any."""
    known = list(parts)
    if not known or any(each is True for each in known):
        return bool(known)
    first = known[0]
    if isinstance(first, Items) and all(isinstance(each, Items) for each in known):
        return Items(joined(item_of(each) for each in known))
    if isinstance(first, tuple) and all(isinstance(each, tuple) and len(each) == len(first) for each in known):
        return tuple(
            joined(column) for column in zip(*(each for each in known if isinstance(each, tuple)), strict=True)
        )
    return False


def combined(operator: str, left: Parts, right: Parts) -> Parts:
    """The parts of the result of an operator. Containers are added to others, and repeated."""
    match operator, left, right:
        case (_, True, _) | (_, _, True):
            return True
        case "+", tuple(), tuple():
            return (*left, *right)
        case "+" | "|", Items(item=one), Items(item=other):
            return Items(joined([one, other]))
        case "*", tuple() | Items(), False:
            return Items(item_of(left))
        case "*", False, tuple() | Items():
            return Items(item_of(right))
        case _:
            return False


def item_of(parts: Parts) -> Parts:
    """The parts of an item. A loop over a tuple has the union of its items."""
    match parts:
        case Items(item=item):
            return item
        case tuple():
            return parts[0] if len(set(parts)) == 1 else False
        case _:
            return parts


def as_list(parts: Parts) -> Parts:
    """The parts of a value where a list is expected: mypy joins the items of a tuple."""
    return Items(joined(parts)) if isinstance(parts, tuple) else parts


def narrowed(declared: Parts, assigned: Parts) -> Parts:
    """The parts of a variable after an assignment: mypy narrows an Any, and keeps the declared type beside one."""
    match declared, assigned:
        case (True, _) | (_, True):
            return assigned if declared is True else declared
        case tuple(), tuple() if len(declared) == len(assigned):
            return tuple(map(narrowed, declared, assigned))
        case Items(item=one), Items(item=other):
            return Items(narrowed(one, other))
        case _:
            return False


def part_at(parts: Parts, path: Sequence[object]) -> Parts:
    """The parts of what is unpacked at some positions."""
    for place in path:
        is_known = isinstance(parts, tuple) and isinstance(place, int) and -len(parts) <= place < len(parts)
        parts = parts[place] if is_known and isinstance(parts, tuple) and isinstance(place, int) else item_of(parts)
    return parts


def of_type(declared: Type | None, solved: Solved) -> Parts:
    """The parts of a declared type, with those that its type variables stand for."""
    typ = opened(declared)
    match typ:
        case None:
            return True
        case AnyType():
            return is_stock_any(typ)
        case TypeVarType(id=variable):
            return solved.get(variable, False)
        case TupleType(items=items):
            return tuple(of_type(each, solved) for each in items)
        case Instance(args=[*_, last]) if typ.type.fullname in _ITERABLES:
            return Items(of_type(last, solved))
        case Instance(args=[first, *_]) if typ.type.fullname in _GENERATORS:
            return Items(of_type(first, solved))
        case _:
            return False


def solve(declared: Type, given: Parts, solved: dict[TypeVarId, Parts]) -> None:
    """Add what the type variables in the type of a parameter stand for, by the parts of an argument."""
    typ = opened(declared)
    match typ:
        case TypeVarType(id=variable):
            solved[variable] = joined([solved[variable], given]) if variable in solved else given
        case UnionType(items=items):
            for each in items:
                solve(each, given, solved)
        case TupleType(items=items):
            for place, each in enumerate(items):
                solve(each, part_at(given, [place]), solved)
        case Instance(args=[*_, last]) if typ.type.fullname in _ITERABLES:
            solve(last, item_of(as_list(given)), solved)
        case _:
            pass


def has_any(parts: Parts) -> bool:
    """Whether one of the parts is Any."""
    match parts:
        case Items(item=item):
            return has_any(item)
        case tuple():
            return any(map(has_any, parts))
        case _:
            return parts


def written(parts: Parts) -> str:
    """Parts as a text that a module can keep."""
    match parts:
        case Items(item=item):
            return f"[{written(item)}"
        case tuple():
            return f"({''.join(map(written, parts))})"
        case _:
            return "A" if parts else "-"


def read(text: str) -> Parts:
    """The parts that a text names."""
    return _read(text, 0)[0]


def _read(text: str, start: int) -> tuple[Parts, int]:
    """The parts that begin at a place of the text, and the place after them."""
    match text[start]:
        case "[":
            item, end = _read(text, start + 1)
            return Items(item), end
        case "(":
            found, end = list[Parts](), start + 1
            while text[end] != ")":
                part, end = _read(text, end)
                found.append(part)
            return tuple(found), end + 1
        case letter:
            return letter == "A", start + 1
