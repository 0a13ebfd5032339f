"""Walk mypy's syntax trees.

mypy's own visitors are compiled, and a class outside mypy cannot extend them. So trees are walked by one table here.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Final

from mypy import nodes as mypy_nodes
from mypy import patterns
from mypy.nodes import ClassDef, FuncDef, MypyFile, Node, Statement
from mypy.types import CallableType, TypeVarType

from promo_mypy.plugin.mypy_versions import TEMPLATE_STRING
from promo_mypy.rules.records import record

#: Kind of node -> its attributes with nodes, in the order of the text: a node, a list, a list of lists or tuples.
_PARTS: Final[Mapping[type[Node], tuple[str, ...]]] = {
    # Definitions and statements
    MypyFile: ("defs",),
    mypy_nodes.Block: ("body",),
    mypy_nodes.FuncDef: ("arguments", "body"),
    mypy_nodes.Argument: ("initializer",),
    mypy_nodes.OverloadedFuncDef: ("items", "impl"),
    mypy_nodes.Decorator: ("original_decorators", "func"),
    mypy_nodes.ClassDef: ("decorators", "base_type_exprs", "removed_base_type_exprs", "metaclass", "keywords", "defs"),
    mypy_nodes.ExpressionStmt: ("expr",),
    mypy_nodes.AssignmentStmt: ("lvalues", "rvalue"),
    mypy_nodes.OperatorAssignmentStmt: ("lvalue", "rvalue"),
    mypy_nodes.WhileStmt: ("expr", "body", "else_body"),
    mypy_nodes.ForStmt: ("index", "expr", "body", "else_body"),
    mypy_nodes.ReturnStmt: ("expr",),
    mypy_nodes.AssertStmt: ("expr", "msg"),
    mypy_nodes.DelStmt: ("expr",),
    mypy_nodes.IfStmt: ("expr", "body", "else_body"),
    mypy_nodes.RaiseStmt: ("expr", "from_expr"),
    mypy_nodes.TryStmt: ("body", "types", "vars", "handlers", "else_body", "finally_body"),
    mypy_nodes.WithStmt: ("expr", "target", "body"),
    mypy_nodes.MatchStmt: ("subject", "patterns", "guards", "bodies"),
    # Patterns
    patterns.AsPattern: ("pattern", "name"),
    patterns.OrPattern: ("patterns",),
    patterns.ValuePattern: ("expr",),
    patterns.SequencePattern: ("patterns",),
    patterns.StarredPattern: ("capture",),
    patterns.MappingPattern: ("keys", "values", "rest"),
    patterns.ClassPattern: ("class_ref", "positionals", "keyword_values"),
    # Expressions
    mypy_nodes.MemberExpr: ("expr",),
    mypy_nodes.SuperExpr: ("call",),
    mypy_nodes.CallExpr: ("callee", "args"),
    mypy_nodes.IndexExpr: ("base", "index"),
    mypy_nodes.SliceExpr: ("begin_index", "end_index", "stride"),
    mypy_nodes.OpExpr: ("left", "right"),
    mypy_nodes.UnaryExpr: ("expr",),
    mypy_nodes.ComparisonExpr: ("operands",),
    mypy_nodes.ConditionalExpr: ("if_expr", "cond", "else_expr"),
    mypy_nodes.AssignmentExpr: ("target", "value"),
    mypy_nodes.LambdaExpr: ("arguments", "body"),
    mypy_nodes.StarExpr: ("expr",),
    mypy_nodes.AwaitExpr: ("expr",),
    mypy_nodes.YieldExpr: ("expr",),
    mypy_nodes.YieldFromExpr: ("expr",),
    mypy_nodes.ListExpr: ("items",),
    mypy_nodes.TupleExpr: ("items",),
    mypy_nodes.SetExpr: ("items",),
    mypy_nodes.DictExpr: ("items",),
    **({TEMPLATE_STRING: ("items",)} if TEMPLATE_STRING is not None else {}),
    mypy_nodes.GeneratorExpr: ("left_expr", "indices", "sequences", "condlists"),
    mypy_nodes.ListComprehension: ("generator",),
    mypy_nodes.SetComprehension: ("generator",),
    mypy_nodes.DictionaryComprehension: ("key", "value", "indices", "sequences", "condlists"),
    # Calls that mypy's semantic analysis replaces
    mypy_nodes.CastExpr: ("expr",),
    mypy_nodes.AssertTypeExpr: ("expr",),
    mypy_nodes.RevealExpr: ("expr",),
}


class Statements:
    """A list of statements, hashed and compared by identity.

    mypy checks a function once for every value of its type variables, each time in a copy with new variables.
    Statements with another number of `copies` are not equal, so that no table has the variables of an earlier copy.
    """

    def __init__(self, statements: list[Statement], copies: int = 0) -> None:
        self.statements = statements
        self.copies = copies

    def __hash__(self) -> int:
        return id(self.statements)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Statements):
            return NotImplemented
        return other.statements is self.statements and other.copies == self.copies


def _has_blocks(kind: type[Node]) -> bool:
    return issubclass(kind, Statement) or kind in (MypyFile, mypy_nodes.FuncDef)


#: The parts of statements that hold statements.
_BLOCKS: Final = ("body", "else_body", "finally_body", "defs", "handlers", "bodies")
_STATEMENTS: Final[Mapping[type[Node], tuple[str, ...]]] = {
    **{kind: tuple(part for part in places if part in _BLOCKS) for kind, places in _PARTS.items() if _has_blocks(kind)},
    mypy_nodes.OverloadedFuncDef: ("items", "impl"),
    mypy_nodes.Decorator: ("func",),
}

#: Statements that hold no others: most of them.
_PLAIN: Final = frozenset(kind for kind, places in _STATEMENTS.items() if not places)


def _last_first(table: Mapping[type[Node], tuple[str, ...]]) -> Mapping[type[Node], tuple[str, ...]]:
    return {kind: places[::-1] for kind, places in table.items()}


# The walk takes waiting nodes from the end of its list.
_LAST_PART_FIRST: Final = _last_first(_PARTS)
_LAST_BLOCK_FIRST: Final = _last_first(_STATEMENTS)


def nodes(value: object) -> Iterator[Node]:
    """Every node in a value, which is a node or a collection of nodes. A node comes before the nodes in it."""
    return _walk(value, _LAST_PART_FIRST)


def nodes_as_written(value: object) -> Iterator[Node]:
    """Every node in a value, without mypy's copies of functions."""
    return _walk(value, _LAST_PART_FIRST, copies=False)


def nodes_with_parents(value: object) -> Iterator[tuple[Node, tuple[Node, ...]]]:
    """Every node in a value with the nodes around it, the outermost first, without mypy's copies of functions."""
    waiting: list[tuple[object, tuple[Node, ...]]] = [(value, ())]
    while waiting:
        found, parents = waiting.pop()
        if isinstance(found, list | tuple):
            waiting += [(each, parents) for each in reversed(found)]
        elif isinstance(found, Node):
            yield found, parents
            around = (*parents, found)
            waiting += [(getattr(found, part), around) for part in _LAST_PART_FIRST.get(type(found), ())]


def statements(value: object) -> Iterator[Node]:
    """Every statement, definition and block in a value, but no expressions."""
    return _walk(value, _LAST_BLOCK_FIRST)


def checked_statements(file: MypyFile) -> Statements:
    """The statements of a file with the copies of functions that mypy checks now."""
    return Statements(file.defs, sum(len(each.expanded) for each in copied_functions(file)))


def copied_functions(file: MypyFile) -> Sequence[FuncDef]:
    """The functions that mypy checks more than once: those with type variables that have a list of types."""
    return _copied_functions(Statements(file.defs))


@lru_cache(maxsize=1)  # mypy checks one file after the other
def _copied_functions(file: Statements) -> Sequence[FuncDef]:
    written = _walk(file.statements, _LAST_BLOCK_FIRST, copies=False)
    return [each for each in written if isinstance(each, FuncDef) and _is_copied(each)]


def _is_copied(function: FuncDef) -> bool:
    declared = function.type.variables if isinstance(function.type, CallableType) else ()
    variables = [*declared, *(function.info.defn.type_vars if function.info else ())]
    return any(isinstance(each, TypeVarType) and each.values for each in variables)


def placed_statements(value: object) -> Iterator[tuple[Node, FuncDef | None, tuple[ClassDef, ...]]]:
    """Every statement, definition and block, with the innermost function around it, and all classes around it."""
    waiting: list[tuple[object, FuncDef | None, tuple[ClassDef, ...]]] = [(value, None, ())]
    while waiting:
        found, function, classes = waiting.pop()
        kind = type(found)
        if kind is list or kind is tuple:
            waiting += [(each, function, classes) for each in reversed(found)]  # type: ignore[call-overload]  # as below
        elif kind in _PLAIN:
            yield found, function, classes  # type: ignore[misc]  # mypy does not narrow `found` by its kind
        elif isinstance(found, Node):
            if kind is FuncDef:
                found = checked_last(found)
            yield found, function, classes
            if isinstance(found, FuncDef):
                function = found
            elif isinstance(found, ClassDef):
                classes = (*classes, found)
            for part in _LAST_BLOCK_FIRST.get(type(found), ()):
                waiting.append((getattr(found, part), function, classes))


def outer_functions(value: object) -> Iterator[FuncDef]:
    """Every function that is in no other function."""
    waiting: list[object] = [value]
    while waiting:
        found = waiting.pop()
        if isinstance(found, list | tuple):
            waiting += reversed(found)
        elif isinstance(found, Node):
            found = checked_last(found)
            if isinstance(found, FuncDef):
                yield found
            else:
                waiting += [getattr(found, part) for part in _LAST_BLOCK_FIRST.get(type(found), ())]


def around(statements: Sequence[Statement], line: int) -> Sequence[Statement]:
    """The function or other statement that contains a line; within a class the one in its body. Empty if none does."""
    before = [statement for statement in statements if 0 < statement.line <= line]  # mypy adds some without a line
    if not before:
        return []
    last = max(before, key=lambda statement: statement.line)
    inner = around(last.defs.body, line) if isinstance(last, ClassDef) else []
    return inner or [last]


@record
class Region:
    """The function or other statement of a file that contains a line.

    The list of the file's statements tells one parse from the next: a daemon keeps the function itself.
    """

    file: Statements
    inside: tuple[Statement, ...]

    @classmethod
    def around(cls, file: MypyFile, line: int) -> "Region":
        """The region around a line."""
        return _region(checked_statements(file), line)


@lru_cache(maxsize=1)  # several features ask about one error after the other
def _region(file: Statements, line: int) -> Region:
    return Region(file, tuple(around(file.statements, line)))


@lru_cache(maxsize=4)
def nodes_in(region: Region) -> Sequence[Node]:
    """Every node in a region."""
    return tuple(nodes(region.inside))


def checked_last(node: Node) -> Node:
    """The copy of a function that mypy checks now, or checked last; any other node as it is.

    mypy checks a function once for every value of its type variables, each time with new variables.
    """
    return node.expanded[-1] if type(node) is FuncDef and node.expanded else node


def parts(node: Node) -> Iterator[Node]:
    """The nodes that are directly in a node."""
    for part in _PARTS.get(type(node), ()):
        yield from _flattened(getattr(node, part))


def parts_last_first(node: Node) -> Sequence[object]:
    """The attributes of a node that hold nodes or lists of nodes, the last in the text first."""
    return [getattr(node, part) for part in _LAST_PART_FIRST.get(type(node), ())]


def expressions_in(node: Node) -> Iterator[Node]:
    """The nodes that are directly in a node, except its blocks."""
    for part in _PARTS.get(type(node), ()):
        if part not in _BLOCKS:
            yield from _flattened(getattr(node, part))


def bound_variables(body: Node) -> frozenset[Node | None]:
    """The variables that the statements and expressions of a body bind by name. Inserted statements do not count."""
    targets = (
        getattr(node, part)
        for node in nodes_as_written(body)
        if not isinstance(getattr(node, "rvalue", None), mypy_nodes.TempNode)
        for part in _TARGETS.get(type(node), ())
    )
    return frozenset(
        node.node for target in targets for node in nodes_as_written(target) if type(node) is mypy_nodes.NameExpr
    )


_TARGETS: Final[Mapping[type[Node], tuple[str, ...]]] = {
    mypy_nodes.AssignmentStmt: ("lvalues",),
    mypy_nodes.OperatorAssignmentStmt: ("lvalue",),
    mypy_nodes.ForStmt: ("index",),
    mypy_nodes.WithStmt: ("target",),
    mypy_nodes.DelStmt: ("expr",),
    mypy_nodes.TryStmt: ("vars",),
    mypy_nodes.AssignmentExpr: ("target",),
    patterns.AsPattern: ("name",),
    patterns.StarredPattern: ("capture",),
    patterns.MappingPattern: ("rest",),
}


def _walk(value: object, table: Mapping[type[Node], tuple[str, ...]], *, copies: bool = True) -> Iterator[Node]:
    # This runs for every node of every file with arrays. It takes half the time of calling `checked_last` for each node
    # and `isinstance` for lists.
    waiting: list[object] = [value]
    while waiting:
        found = waiting.pop()
        kind = type(found)
        if kind is list or kind is tuple:
            waiting += reversed(found)  # type: ignore[call-overload]  # mypy does not narrow `found` by its kind
        elif isinstance(found, Node):
            if copies and kind is FuncDef:
                found = checked_last(found)
            yield found
            for part in table.get(type(found), ()):
                waiting.append(getattr(found, part))
        elif isinstance(found, dict):
            waiting += reversed(found.values())


def _flattened(value: object) -> Iterator[Node]:
    if isinstance(value, Node):
        yield checked_last(value)
    elif isinstance(value, list | tuple):
        for item in value:
            yield from _flattened(item)
