"""Find the attributes of classes that the targets of statements bind."""

from collections.abc import Iterable, Iterator, Sequence, Set

from mypy.nodes import MemberExpr, NameExpr, TypeInfo, Var


def bound_by(some: Sequence[object], every: Sequence[object]) -> Set[str]:
    """The attributes that only some of these targets bind."""
    ours = set(map(id, some))
    return set(member_names(some)).difference(member_names([each for each in every if id(each) not in ours]))


def attributes(info: TypeInfo, members: Iterable[str], elsewhere: Iterable[str]) -> Iterator[Var]:
    """The attribute for each name that statements in a class body bind or mutate, once for each.

    It may be an attribute of a base class. `elsewhere`: the names of attributes of any class that statements outside
    classes bind or mutate.
    """
    for symbol in (*map(info.get, members), *map(info.names.get, elsewhere)):
        if symbol is not None and isinstance(symbol.node, Var):
            yield symbol.node


def inherited(info: TypeInfo, bound: Iterable[object]) -> Iterator[Var]:
    """The attributes that a name in a class body binds: that of the class, and of each base class that has it."""
    for target in bound:
        if isinstance(target, NameExpr) and isinstance(target.node, Var) and target.node.info is info:
            for base in info.mro[1:]:
                symbol = base.names.get(target.name)
                if symbol is not None and isinstance(symbol.node, Var):
                    yield from (symbol.node, target.node)


def member_names(touched: Iterable[object]) -> Iterator[str]:
    """The name in each `self.name` that statements bind or mutate."""
    return (target.name for target in touched if isinstance(target, MemberExpr))
