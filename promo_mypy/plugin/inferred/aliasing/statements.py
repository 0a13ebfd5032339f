"""Collect what a file's statements do with containers: which expressions share one, and where it is mutated."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final

from mypy.nodes import (
    CallExpr,
    Expression,
    FuncDef,
    IndexExpr,
    MemberExpr,
    MypyFile,
    NameExpr,
    Node,
    ReturnStmt,
    SymbolNode,
    TypeInfo,
    Var,
    YieldExpr,
    YieldFromExpr,
)
from mypy.types import CallableType, Instance, Type, get_proper_type

from promo_mypy.plugin import containers
from promo_mypy.plugin.inferred.aliasing.expressions import (
    LEVELS,
    Key,
    Sharing,
    Sharings,
    copied,
    inside,
    key_of,
    linked_levels,
    result_key,
    sharings,
)
from promo_mypy.plugin.inferred.aliasing.mutated_arguments import called, leaves_alone, mutated_levels
from promo_mypy.plugin.mypy_api.modules.wrapped_functions import WrappedFunctions
from promo_mypy.plugin.mypy_api.symbols import is_unannotated
from promo_mypy.plugin.trees.bound_targets import BINDING, Definition, Part, Way, definitions_in
from promo_mypy.plugin.trees.placed_nodes import Place, placed_nodes
from promo_mypy.plugin.types.mutable_types import may_fill
from promo_mypy.rules.records import record


@record
class Filling:
    """A possible mutation of a container.

    Attributes:
        level: which of the variable's containers.
        place: the function that does it; None if any function may, as for the result that a caller gets.
        line: the line of the mutation.
        is_met: whether mypy checks it with a hook of the plugin, so that the types are right from there on.
        is_own: whether a method of the container does it, so that mypy calls a hook only for a container type.
    """

    level: int
    place: Place | None
    line: int
    is_met: bool
    is_own: bool = False


class ContainerStatements:
    """What all statements of a file do with containers of any items.

    Attributes:
        links: variable -> another that shares a container with it, with the difference between their levels and the
            levels of the other, as in `LinkedLevels` -> the levels of the first.
        fillings: variable -> the mutations of its containers.
        mentions: variable -> the functions that mention it -> the first line in which they do.
        binders: variable -> the functions that bind it.
        passed: variable -> names of the functions that get it as an argument, and may mutate it.
        asked: variable -> the functions that get it as an argument, where they are known.
        values: variable -> the values that it is bound to.
        yielded: the variables that a generator yields, and still has afterwards.
    """

    def __init__(self, tree: MypyFile, wrapped: WrappedFunctions) -> None:
        self.links: defaultdict[Key, dict[tuple[Key, int | None, int], int]] = defaultdict(dict)
        self.fillings: defaultdict[Key, list[Filling]] = defaultdict(list)
        self.mentions: defaultdict[Key, dict[Place, int]] = defaultdict(dict)
        self.binders: defaultdict[Key, set[Place]] = defaultdict(set)
        self.passed: defaultdict[Key, set[str]] = defaultdict(set)
        self.asked: defaultdict[Key, set[SymbolNode]] = defaultdict(set)
        self.values: defaultdict[Key, list[Expression]] = defaultdict(list)
        self.yielded: set[Key] = set()
        self._tree, self._wrapped = tree, wrapped
        self._called: set[Node] = set()
        self._calls: list[tuple[CallExpr, Place, TypeInfo | None]] = []
        for node, place, info in placed_nodes(tree):
            read = _READ.get(type(node))
            if read is not None:
                read(self, node, place, info)
        for call, place, info in self._calls:  # now the values of the names of functions are known
            self._pass(call, place, info)
        self._calls.clear()

    def may_mutate(self, callee: Expression) -> bool:
        """Whether a function may mutate its arguments. True unless the file shows that it does not."""
        return not leaves_alone(callee, self.values, self._wrapped)

    def read_name(self, name: NameExpr, place: Place, _: TypeInfo | None) -> None:
        """A mention of a variable."""
        if isinstance(name.node, Var):
            self.mentions[key_of(name.node)].setdefault(place, name.line)

    def read_attribute(self, attribute: MemberExpr, _: Place, __: TypeInfo | None) -> None:
        """A method that is not called here: it may be called at any time."""
        if attribute.name in containers.FILLING and attribute not in self._called:
            self._fill_all(sharings(attribute.expr), None, attribute.line, is_met=False)

    def read_call(self, call: CallExpr, place: Place, info: TypeInfo | None) -> None:
        """A call: of a method that fills a container, or of a function that gets one."""
        method = call.callee
        if isinstance(method, MemberExpr) and method.name in containers.FILLING:
            self._called.add(method)
            self._fill(method.expr, place, call.line)
            self._put(method.expr, call.args, whole=method.name in ("extend", "extendleft", "update"))
        if call.args:
            self._calls.append((call, place, info))

    def read_result(self, result: ReturnStmt | YieldFromExpr, place: Place, _: TypeInfo | None) -> None:
        """What a function returns, or the container whose items it yields."""
        if result.expr is not None:
            self._return(sharings(result.expr), place, result.line)

    def read_item(self, item: YieldExpr, place: Place, _: TypeInfo | None) -> None:
        """What a generator yields."""
        if item.expr is not None:
            self._return(sharings(item.expr), place, item.line, is_item=True)

    def read_definitions(self, node: Node, place: Place, info: TypeInfo | None) -> None:
        """What a statement or expression binds."""
        for definition in definitions_in(node):
            if definition.value is not None:
                self._bind(definition, definition.value, place, info)

    def _bind(self, definition: Definition, value: Expression, place: Place, info: TypeInfo | None) -> None:
        target, shared = definition.target, _shared(definition, value)
        if not isinstance(target, Expression):
            return
        self._link(sharings(target), shared)
        if definition.way is Way.OPERAND:
            self._fill(target, place, target.line)
            return
        if isinstance(target, NameExpr) and isinstance(target.node, Var):
            self.binders[key_of(target.node)].add(place)
        if definition.whole_value is None:
            return
        if isinstance(target, NameExpr) and isinstance(target.node, Var):
            self.values[key_of(target.node)].append(value)
        elif isinstance(target, MemberExpr):
            self.values[target.name].append(value)
        elif isinstance(target, IndexExpr):
            self._fill(target.base, place, target.line)
        if _accepts_any_array(target, info):
            self._fill_all(shared, None, target.line, is_met=False)

    def _put(self, container: Expression, given: Sequence[Expression], *, whole: bool) -> None:
        for value in given:
            shared = sharings(value)
            self._link(inside(sharings(container)), shared)
            if whole:
                self._link(sharings(container), copied(shared))

    def _link(self, some: Sharings, others: Sharings) -> None:
        for one in some:
            for other in others:
                self._link_one(one, other)
                self._link_one(other, one)

    def _link_one(self, one: Sharing, other: Sharing) -> None:
        for levels, deeper, its_levels in linked_levels(one, other):
            found, place = self.links[one.key], (other.key, deeper, its_levels)
            found[place] = found.get(place, 0) | levels

    def _fill(self, container: Expression, place: Place, line: int) -> None:
        for sharing in sharings(container):
            for level in sharing.levels([0]):
                self.fillings[sharing.key].append(Filling(level, place, line, is_met=True, is_own=True))

    def _fill_all(
        self, given: Sharings, place: Place | None, line: int, levels: Iterable[int] = range(LEVELS), *, is_met: bool
    ) -> None:
        made = [Filling(level, place, line, is_met) for level in range(LEVELS)] if given else []
        for sharing in given:
            self.fillings[sharing.key] += [made[level] for level in sharing.levels(levels)]

    def _return(self, value: Sharings, place: Place, line: int, *, is_item: bool = False) -> None:
        if not isinstance(place, FuncDef):
            return
        result: Sharings = [Sharing(place.name if place.is_property else result_key(place.name))]
        self._link(inside(result) if is_item else result, value)
        if is_item:
            self.yielded.update(each.key for each in value)
        if may_fill(_returned(place, is_item=is_item)):
            self._fill_all(result, None, line, is_met=False)

    def _pass(self, call: CallExpr, place: Place, info: TypeInfo | None) -> None:
        callee, keys = call.callee, {sharing.key for argument in call.args for sharing in sharings(argument)}
        if not keys:
            return
        function = called(callee, info, self.values)
        if function is not None:
            for key in keys:
                self.asked[key].add(function.node)
        if not self.may_mutate(callee):
            return
        if isinstance(callee, MemberExpr | NameExpr):
            names = _names_of(callee)
            for key in keys:
                self.passed[key] |= names
        declared = function.type if function is not None else None
        if (
            declared is None
            and isinstance(callee, MemberExpr)
            and callee.name in containers.FILLING | containers.TAKING
        ):
            return  # a method of a container, in all likelihood
        is_met = isinstance(callee, MemberExpr | NameExpr)
        for argument, levels in mutated_levels(call, declared, self._tree):
            self._fill_all(sharings(argument), place, call.line, levels, is_met=is_met)


#: Kind of node -> what reads it.
_READ: Final[Mapping[type[Node], Callable[[ContainerStatements, Any, Place, TypeInfo | None], None]]] = {
    **dict.fromkeys(BINDING, ContainerStatements.read_definitions),
    NameExpr: ContainerStatements.read_name,
    MemberExpr: ContainerStatements.read_attribute,
    CallExpr: ContainerStatements.read_call,
    **dict.fromkeys((ReturnStmt, YieldFromExpr), ContainerStatements.read_result),
    YieldExpr: ContainerStatements.read_item,
}


def _shared(definition: Definition, value: Expression) -> Sharings:
    """What a target shares with variables through the value that it gets something from."""
    shared = sharings(value)
    match definition.way:
        case Way.OPERAND:
            shared = copied(shared)
        case Way.ELEMENT:
            shared = inside(shared)
        case Way.SUBJECT:  # any part of the value
            return [Sharing(each.key, None) for each in shared]
    for position in definition.path:
        shared = copied(shared) if position is Part.STARRED else inside(shared)
    return shared


def _accepts_any_array(target: Expression, info: TypeInfo | None) -> bool:
    """Whether an attribute or global variable is annotated so that any module may add any array to it.

    A local variable can be mutated only in this file.
    """
    match target:
        case NameExpr(node=Var() as variable) if "." in variable.fullname:
            pass
        case MemberExpr(expr=NameExpr(node=Var(is_self=True)), name=name) if info is not None:
            symbol = info.get(name)
            if symbol is None or not isinstance(symbol.node, Var):
                return False
            variable = symbol.node
        case _:
            return False
    return not is_unannotated(variable) and variable.type is not None and may_fill(variable.type)


def _returned(function: FuncDef, *, is_item: bool) -> Type | None:
    """The declared type of the values that a function returns or yields; None if it is unannotated."""
    if not isinstance(function.type, CallableType):
        return None
    result = function.type.ret_type
    proper = get_proper_type(result)
    return proper.args[0] if is_item and isinstance(proper, Instance) and proper.args else result


def _names_of(callee: MemberExpr | NameExpr) -> set[str]:
    """The last part of each name under which mypy may look up a hook for the call."""
    return {callee.name, callee.fullname.rpartition(".")[2], "__call__"}
