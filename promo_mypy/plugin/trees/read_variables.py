"""Find the variables and parameters of containers that a file only reads: it looks at items, and changes none.

A container that an argument passes to a function of the file is only read if the function's parameter is.
"""

from collections import Counter, defaultdict
from collections.abc import Container, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import chain
from typing import Final

from mypy.argmap import map_actuals_to_formals
from mypy.nodes import (
    AssignmentStmt,
    CallExpr,
    ComparisonExpr,
    Decorator,
    DelStmt,
    DictionaryComprehension,
    Expression,
    ForStmt,
    FuncDef,
    GeneratorExpr,
    IndexExpr,
    MemberExpr,
    MypyFile,
    NameExpr,
    Node,
    OperatorAssignmentStmt,
    RefExpr,
    RevealExpr,
    Var,
    WithStmt,
)
from mypy.types import AnyType, TypeOfAny

from promo_mypy.plugin.libraries import is_own
from promo_mypy.plugin.trees.bound_targets import targets
from promo_mypy.plugin.trees.definitions import FileDefinitions, definitions
from promo_mypy.plugin.trees.syntax_trees import Statements, checked_statements, nodes
from promo_mypy.rules.records import record

#: Methods that change nothing, and pass on no container but a copy.
_READING: Final = frozenset({"items", "keys", "values", "get", "copy", "count", "index"})
#: Functions of Python that change nothing, and give no container back: `max(a, b)` and `getattr(a, "update")` may.
_READERS: Final = frozenset(
    {"all", "any", "bool", "dict", "enumerate", "filter", "format", "frozenset", "hash", "id", "isinstance", "iter"}
    | {"len", "list", "map", "print", "repr", "reversed", "set", "sorted", "str", "sum", "tuple", "type", "zip"}
)
_BINDING: Final = (AssignmentStmt, OperatorAssignmentStmt, ForStmt, WithStmt, GeneratorExpr, DictionaryComprehension)
_ANY: Final = AnyType(TypeOfAny.special_form)


@record
class ReadVariables:
    """The variables of a file that it only reads.

    Attributes:
        variables: those that it binds once, or gets as an argument.
        functions: the functions of the file.
    """

    variables: frozenset[Var]
    functions: frozenset[FuncDef]

    def keeps(self, call: CallExpr, argument: Expression) -> bool:
        """Whether a call passes an argument to a function of the file that only reads it."""
        found = [variable for each, variable in passed(call, self.functions) if each is argument]
        return bool(found) and all(variable in self.variables for variable in found)


def read_variables(tree: MypyFile) -> ReadVariables:
    """The variables that the file that mypy checks only reads."""
    return _read(checked_statements(tree), definitions(tree))


@lru_cache(maxsize=1)  # mypy checks one file after the other
def _read(file: Statements, _bound: FileDefinitions) -> ReadVariables:
    """The same by the statements of a file.

    `_bound`: the definitions of the file, which are new when mypy's daemon has made new variables.
    """
    others: Counter[Node] = Counter()  # the mentions that do not read
    given: defaultdict[Node, list[Var]] = defaultdict(list)
    found = list(nodes(file.statements))
    functions = frozenset(node for node in found if isinstance(node, FuncDef))
    for node in found:
        if isinstance(node, NameExpr) and isinstance(node.node, Var):
            others[node.node] += 1
        elif isinstance(node, CallExpr):
            for argument, parameter in passed(node, functions):
                if isinstance(argument, NameExpr) and isinstance(argument.node, Var):
                    given[argument.node].append(parameter)
        others.subtract(_variables(_inspected(node)))
        if isinstance(node, DelStmt):
            others.update(_indexed(node.expr))
        if isinstance(node, _BINDING):
            others.update(chain.from_iterable(map(_indexed, targets(node))))
    parameters = {each.variable for function in functions for each in function.arguments}
    for variable in others.keys() - parameters:
        others[variable] -= 1  # where it is bound
    return ReadVariables(_only_read({*others, *parameters}, others, given), functions)


def _only_read(variables: set[Node], others: Mapping[Node, int], given: Mapping[Node, Sequence[Var]]) -> frozenset[Var]:
    """Those without other mentions than reads, and calls whose parameters are among them."""
    found, waiting = frozenset[Var](), [each for each in variables if isinstance(each, Var)]
    while True:
        more = [
            each
            for each in waiting
            if others.get(each, 0) == len(given.get(each, ())) and found.issuperset(given.get(each, ()))
        ]
        if not more:
            return found
        found = found.union(more)
        waiting = [each for each in waiting if each not in found]


def passed(call: CallExpr, functions: Container[FuncDef]) -> Iterator[tuple[Expression, Var]]:
    """The arguments that a call of one of these functions passes, each with its parameter."""
    function = call.callee.node if isinstance(call.callee, RefExpr) else None
    if isinstance(function, Decorator) and all(map(_is_of_library, function.original_decorators)):
        function = function.func
    elif isinstance(function, FuncDef) and function.is_decorated:
        return
    if not isinstance(function, FuncDef) or function not in functions or function.info:
        return
    names = [each.variable.name for each in function.arguments]
    formals = map_actuals_to_formals(call.arg_kinds, call.arg_names, function.arg_kinds, names, lambda _: _ANY)
    for each, actuals in zip(function.arguments, formals, strict=True):
        if not each.kind.is_star():
            yield from ((call.args[index], each.variable) for index in actuals if not call.arg_kinds[index].is_star())


def _is_of_library(decorator: Expression) -> bool:
    """Whether a decorator is an array library's, as in `@torch.no_grad()`: it passes the arguments on."""
    named = decorator.callee if isinstance(decorator, CallExpr) else decorator
    return isinstance(named, RefExpr) and is_own(named.fullname)


def _inspected(node: Node) -> Sequence[Expression | None]:
    """The containers that a node looks at: it takes an item, an attribute or the length, or asks for an item."""
    match node:
        case IndexExpr(base=base):
            return [base]
        case MemberExpr(expr=base, name=name) if name in _READING:
            return [base]
        case ForStmt(expr=iterated):
            return [iterated]
        case GeneratorExpr(sequences=iterated) | DictionaryComprehension(sequences=iterated):
            return iterated
        case ComparisonExpr(operands=operands):
            return operands
        case RevealExpr(expr=shown):
            return [shown]
        case CallExpr(callee=RefExpr(fullname=name), args=args, arg_names=keywords) if _reads(name, keywords):
            return args
        case _:
            return []


def _reads(function: str, keywords: Sequence[str | None]) -> bool:
    """Whether a function reads its arguments.

    The container may be a leaf of `jax.tree.map(..., is_leaf=...)`, or the item of `np.array(..., dtype=object)`.
    """
    package, _, name = function.partition(".")
    return name in _READERS if package == "builtins" else is_own(function) and {"is_leaf", "dtype"}.isdisjoint(keywords)


def _variables(containers: Sequence[Expression | None]) -> Iterator[Node]:
    return (each.node for each in containers if isinstance(each, NameExpr) and each.node is not None)


def _indexed(target: Node) -> Iterator[Node]:
    """The variable whose item is bound."""
    return _variables([target.base] if isinstance(target, IndexExpr) else [])
