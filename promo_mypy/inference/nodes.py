"""A module's tree, as mypy has it, to the nodes of its expressions by kind and place.

mypy's own visitors are compiled, and no class of ours can be one: the tree is walked along the table of parts here.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import Final

from mypy import nodes as mypy_nodes
from mypy.nodes import Expression, FuncItem, MypyFile, Node

from promo_mypy.inference.expressions import Place

#: Kind and place -> the nodes: one for each copy of a function that mypy checks.
Nodes = Mapping[tuple[type[Node], Place], list[Expression]]

#: Kind of node -> where it keeps the nodes in it: a node, a list, a list of lists or of tuples.
_PARTS: Final[Mapping[type[Node], tuple[str, ...]]] = {
    # Definitions and statements
    mypy_nodes.MypyFile: ("defs",),
    mypy_nodes.Block: ("body",),
    mypy_nodes.FuncDef: ("arguments", "body"),
    mypy_nodes.Argument: ("initializer",),
    mypy_nodes.OverloadedFuncDef: ("items", "impl"),
    mypy_nodes.Decorator: ("func", "original_decorators"),
    mypy_nodes.ClassDef: ("decorators", "base_type_exprs", "removed_base_type_exprs", "metaclass", "defs"),
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
    mypy_nodes.TryStmt: ("body", "types", "handlers", "else_body", "finally_body"),
    mypy_nodes.WithStmt: ("expr", "target", "body"),
    mypy_nodes.MatchStmt: ("subject", "guards", "bodies"),
    # Expressions
    mypy_nodes.MemberExpr: ("expr",),
    mypy_nodes.SuperExpr: ("call",),
    mypy_nodes.CallExpr: ("callee", "args"),
    mypy_nodes.IndexExpr: ("base", "index"),
    mypy_nodes.SliceExpr: ("begin_index", "end_index", "stride"),
    mypy_nodes.OpExpr: ("left", "right"),
    mypy_nodes.UnaryExpr: ("expr",),
    mypy_nodes.ComparisonExpr: ("operands",),
    mypy_nodes.ConditionalExpr: ("cond", "if_expr", "else_expr"),
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
    mypy_nodes.TemplateStrExpr: ("items",),
    mypy_nodes.GeneratorExpr: ("indices", "sequences", "condlists", "left_expr"),
    mypy_nodes.ListComprehension: ("generator",),
    mypy_nodes.SetComprehension: ("generator",),
    mypy_nodes.DictionaryComprehension: ("indices", "sequences", "condlists", "key", "value"),
}


def nodes_of(tree: MypyFile) -> Nodes:
    """The nodes of all expressions in a tree.

    mypy checks a function whose type variables are restricted to some values once for each of them, in copies.
    """
    found: defaultdict[tuple[type[Node], Place], list[Expression]] = defaultdict(list)
    roots: list[Node] = [tree]
    while roots:
        root = roots.pop()
        # Of several nodes in one place, which mypy makes of `a and b and c`, the outermost is the whole expression.
        outermost: dict[tuple[type[Node], Place], Expression] = {}
        for node in walk(root):
            if isinstance(node, Expression):
                outermost.setdefault((type(node), place_of(node)), node)
            elif isinstance(node, FuncItem):
                roots += [copy for copy in node.expanded if copy is not node]
        for key, expression in outermost.items():
            found[key].append(expression)
    return found


def place_of(node: Node) -> Place:
    """Where a node stands."""
    end_line = node.line if node.end_line is None else node.end_line
    return Place(node.line, node.column, end_line, node.column if node.end_column is None else node.end_column)


def walk(root: Node) -> Iterator[Node]:
    """A node and all that are in it, each before those that are in it."""
    waiting: list[object] = [root]
    while waiting:
        found = waiting.pop()
        if isinstance(found, Node):
            yield found
            waiting += [getattr(found, part) for part in _PARTS.get(type(found), ())]
        elif isinstance(found, list | tuple):
            waiting += found
