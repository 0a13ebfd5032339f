"""Find out whether the code around a variable tests its dtype, so that which of several dtypes it has is unknown.

Such tests are `x.dtype == np.float32`, `jnp.issubdtype(x.dtype, jnp.integer)` and `x.is_floating_point()`. Blocks below
them are narrowed (see `operators.variables.tested_dtypes`), other code, such as the right operand of `and`, is not.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from mypy.nodes import CallExpr, ComparisonExpr, Expression, MatchStmt, MemberExpr, MypyFile, NameExpr, Node
from mypy.plugin import CheckerPluginInterface

from promo_mypy.plugin.mypy_api.checker.type_checker import current_function, tree
from promo_mypy.plugin.trees.syntax_trees import nodes

#: Functions and methods that test the dtype of an array, or a dtype.
_TESTS: Final = frozenset(
    ("issubdtype", "isdtype", "iscomplexobj", "isrealobj", "iscomplex", "isreal", "is_floating_point", "is_complex",
     "is_signed", "can_cast", "issubclass", "is_integer", "is_bool_dtype")
)  # fmt: skip


def are_tested(operands: Sequence[Expression], api: CheckerPluginInterface) -> bool:
    """Whether the current function, or the file outside functions, tests the dtype of one of the operands."""
    names = {_path(operand) for operand in operands} - {None}
    if not names:
        return False
    place: Node | MypyFile = current_function(api) or tree(api)
    return any(_path(array) in names for node in nodes(place) for array in _tested(node))


def _tested(node: Node) -> Iterator[Expression]:
    """The arrays whose dtype an expression or statement tests."""
    match node:
        case ComparisonExpr(operands=operands):
            yield from _with_dtype(operands)
        case MatchStmt(subject=subject):
            yield from _with_dtype([subject])
        case CallExpr(callee=NameExpr(name=name) | MemberExpr(name=name), args=arguments) if name in _TESTS:
            yield from arguments
            yield from _with_dtype(arguments)
            if isinstance(node.callee, MemberExpr):
                yield node.callee.expr
        case _:
            return


def _with_dtype(expressions: Sequence[Expression]) -> Iterator[Expression]:
    """The arrays in `x.dtype`, and in `x.dtype.kind`."""
    for expression in expressions:
        found = expression
        while isinstance(found, MemberExpr):
            if found.name == "dtype":
                yield found.expr
            found = found.expr


def _path(expression: Expression) -> tuple[object, ...] | None:
    """A key for a variable, or an attribute of one; None for other expressions."""
    match expression:
        case NameExpr(node=node) if node is not None:
            return (node,)
        case MemberExpr(expr=owner, name=name):
            path = _path(owner)
            return None if path is None else (*path, name)
        case _:
            return None
