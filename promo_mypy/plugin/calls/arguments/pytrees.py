"""Take types apart into the leaves that JAX sees in their values, and build them again: tuples, lists and dicts.

Every other type is a leaf, except with `fields`. A NamedTuple or an Equinox module declares the types of its fields, so
mypy itself checks that they stay the same, but for dtypes that are not declared.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final

from mypy.plugin import CheckerPluginInterface
from mypy.subtypes import find_member, is_subtype
from mypy.types import Instance, NoneType, ProperType, TupleType, Type, TypedDictType, UnionType, get_proper_type

from promo_mypy.plugin import names
from promo_mypy.plugin.calls.fill import unknown
from promo_mypy.plugin.types.array_types import library_of
from promo_mypy.plugin.types.walks import members, opened

#: How Python code would reach a leaf: `("[0]", "['rate']")`; `[...]` stands for any item.
Path = tuple[str, ...]

#: Containers of one item type -> the position of that type among their arguments.
_CONTAINERS: Final[Mapping[str, int]] = {"builtins.list": 0, "builtins.tuple": 0, "builtins.dict": 1}


def tuple_of(items: Sequence[Type], api: CheckerPluginInterface) -> TupleType:
    """The type of a tuple of these items."""
    return TupleType(list(items), api.named_generic_type("builtins.tuple", [unknown()]))


def two_of(pair: Type) -> tuple[Type, Type]:
    """The two items of a pair; unknown ones for anything else."""
    proper = get_proper_type(pair)
    if isinstance(proper, TupleType) and len(proper.items) == 2:
        return proper.items[0], proper.items[1]
    return unknown(), unknown()


def leaves(tree: Type, *, fields: bool = False) -> Iterator[Type]:
    """The leaves of a tree, in order. A container of one item type has one leaf."""
    children = _children(tree, fields=fields)
    if children is None:
        yield tree
    else:
        for _, child in children:
            yield from leaves(child, fields=fields and not _is_module(tree))


def map_leaves(function: Callable[[Type], Type], tree: Type, *, fields: bool = False) -> Type:
    """The tree with `function` applied to each leaf. With `fields`, an object with a changed field is unknown."""

    def changed(_: Path, leaf: Type, __: Type) -> Type:
        array = present(leaf)
        return function(leaf) if array is leaf else UnionType.make_union([function(array), NoneType()])

    return map_pairs(changed, tree, tree, fields=fields) or tree


def present(leaf: Type) -> Type:
    """The leaf without None: the value None has no leaf."""
    items = members(leaf)
    if len(items) == 1 or not any(isinstance(item, NoneType) for item in items):
        return leaf
    return UnionType.make_union([item for item in items if not isinstance(item, NoneType)])


def map_pairs(
    function: Callable[[Path, Type, Type], Type], one: Type, other: Type, path: Path = (), *, fields: bool = False
) -> Type | None:
    """The tree of `function(path, leaf of one, leaf of other)`; None for trees of different structures."""
    mine, others = _children(one, fields=fields), _children(other, fields=fields)
    if mine is None and others is None:
        return function(path, one, other)
    if mine is None or others is None or [key for key, _ in mine] != [key for key, _ in others]:
        return None
    changed: list[Type] = []
    fields = fields and not _is_module(one)
    for (key, left), (_, right) in zip(mine, others, strict=True):
        child = map_pairs(function, left, right, (*path, key), fields=fields)
        if child is None:
            return None
        changed.append(child)
    return _rebuilt(one, changed)


def _children(tree: Type, *, fields: bool) -> list[tuple[str, Type]] | None:
    """The parts of a container with the code that reaches them; None for a leaf. A recursive type counts as a leaf."""
    proper = opened(tree)
    declared = _fields(proper) if fields else None
    if declared is not None:
        return declared
    match proper:
        case NoneType():
            return []
        case TupleType() if proper.partial_fallback.type.fullname == "builtins.tuple":
            return [(f"[{index}]", item) for index, item in enumerate(proper.items)]
        case TypedDictType():
            return [(f"[{key!r}]", item) for key, item in sorted(proper.items.items())]
        case Instance() if proper.type.fullname in _CONTAINERS:
            return [("[...]", proper.args[_CONTAINERS[proper.type.fullname]])]
        case _:
            return None


def _rebuilt(tree: Type, children: list[Type]) -> Type:
    proper = get_proper_type(tree)
    match proper:
        case TupleType() if proper.partial_fallback.type.fullname == "builtins.tuple":
            return proper.copy_modified(items=children)
        case TypedDictType():
            return proper.copy_modified(item_types=_in_order(proper, children))
        case Instance() if proper.type.fullname in _CONTAINERS:
            args = list(proper.args)
            args[_CONTAINERS[proper.type.fullname]] = children[0]
            return proper.copy_modified(args=args)
        case _:
            before = [get_proper_type(field) for _, field in _fields(proper) or ()]
            if before == list(map(get_proper_type, children)):
                return tree
            return _with_fields(proper, children) if isinstance(proper, TupleType) else unknown()


def _with_fields(tree: TupleType, children: list[Type]) -> Type:
    """A NamedTuple with other arrays in its fields, if its class allows them. Another field that changes is unknown."""
    pairs = zip(tree.items, children, strict=True)
    items = [new if new == old or library_of(old) else unknown() for old, new in pairs]
    declared = tree.partial_fallback.type.tuple_type
    fits = declared is not None and all(map(is_subtype, items, declared.items))
    return tree.copy_modified(items=items) if fits else unknown()


def _fields(node: ProperType) -> list[tuple[str, Type]] | None:
    """The fields of a NamedTuple or an Equinox module; None for anything else."""
    match node:
        case TupleType(partial_fallback=Instance(type=info)) if "namedtuple" in info.metadata:
            keys = info.metadata["namedtuple"]["fields"]
            return [(f".{key}", item) for key, item in zip(keys, node.items, strict=True)]
        case Instance(type=info) if _is_module(node) and "dataclass" in info.metadata:
            keys = [field["name"] for field in info.metadata["dataclass"]["attributes"]]
            return [(f".{key}", find_member(key, node, node) or unknown()) for key in keys]
        case _:
            return None


def _is_module(typ: Type) -> bool:
    """Whether it is an Equinox module. A module among its fields is a leaf: it may be of the same class."""
    proper = get_proper_type(typ)
    return isinstance(proper, Instance) and any(map(proper.type.has_base, names.EQUINOX_MODULE))


def _in_order(tree: TypedDictType, children: list[Type]) -> list[Type]:
    """The children in the order of the class. They come sorted by key, as JAX sorts them."""
    by_key = dict(zip(sorted(tree.items), children, strict=True))
    return [by_key[key] for key in tree.items]
