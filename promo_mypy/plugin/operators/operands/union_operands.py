"""Find out whether mypy checks one member of a union that also has members of unknown dtype.

mypy takes a union of operands apart and checks each pair of members. `ArrayLike` of jax.typing is such a union: it has
numpy.bool, and arrays of any dtype. An error for `numpy.bool - numpy.bool` does not mean an error for the others.
"""

from collections.abc import Sequence

from mypy.nodes import (
    CallExpr,
    ConditionalExpr,
    Context,
    DictExpr,
    Expression,
    FakeInfo,
    IndexExpr,
    LambdaExpr,
    ListExpr,
    MemberExpr,
    MypyFile,
    NameExpr,
    OpExpr,
    TupleExpr,
    UnaryExpr,
    Var,
)
from mypy.plugin import CheckerPluginInterface
from mypy.types import FunctionLike, Instance, Type, UnionType, get_proper_type, has_type_vars

from promo_mypy.plugin import names
from promo_mypy.plugin.diagnostics import dtype_tests
from promo_mypy.plugin.inferred.declared_variables import Declarations, stock_checks
from promo_mypy.plugin.mypy_api.checker.type_checker import checker, expression_type
from promo_mypy.plugin.mypy_api.symbols import attribute_of, is_foreign, is_unannotated
from promo_mypy.plugin.operators.operation import Operation
from promo_mypy.plugin.state.session import Session
from promo_mypy.plugin.trees.bound_targets import Definition, definitions_in
from promo_mypy.plugin.trees.definitions import definitions
from promo_mypy.plugin.trees.expressions import operands_of
from promo_mypy.plugin.trees.syntax_trees import nodes, parts
from promo_mypy.plugin.types.array_types import read
from promo_mypy.plugin.types.walks import members


def may_be_unknown(context: Context, session: Session, api: CheckerPluginInterface) -> bool:
    """Whether an operand of this expression is a union with a member of unknown dtype, or has several dtypes and the
    code tests which of them it has.
    """
    several = []
    for operand in operands_of(context):
        typ = expression_type(checker(api), operand)
        values = None if typ is None else read(typ, session.platform)
        if values is None and isinstance(get_proper_type(typ), UnionType):
            return True
        if values is not None and len(frozenset().union(*(value.dtypes for value in values))) > 1:
            several.append(operand)
    return dtype_tests.are_tested(several, api)


def with_inferred_unions(operation: Operation, api: CheckerPluginInterface) -> tuple[Type, ...]:
    """The operands, receiver first: the whole union where mypy checks one member of it, unless the union is declared.

    Branches give a variable several dtypes. It is unknown which of them reaches this place.
    """
    in_order, written = operation.in_order, operands_of(operation.context)
    if len(in_order) != len(written):
        return operation.operands
    whole = tuple(_inferred_union(operand, api) or typ for operand, typ in zip(written, in_order, strict=True))
    return whole[::-1] if operation.operator.kind == "reflected" else whole


def _inferred_union(operand: Expression, api: CheckerPluginInterface) -> Type | None:
    """The type of an operand if it is a union that branches or conditions give it; None otherwise."""
    typ = expression_type(checker(api), operand)
    is_union = isinstance(get_proper_type(typ), UnionType)
    return typ if is_union and not is_declared(operand, api) else None


def _is_union(operand: Expression, api: CheckerPluginInterface) -> bool:
    return isinstance(get_proper_type(expression_type(checker(api), operand)), UnionType)


def is_declared(value: Expression, api: CheckerPluginInterface) -> bool:
    """Whether an annotation says which dtypes a value may have."""
    return _is_declared(value, api, set())


def _is_declared(value: Expression, api: CheckerPluginInterface, seen: set[Var]) -> bool:
    # `seen`: variables that are being looked into.
    match value:
        case ListExpr(items=[item]) | TupleExpr(items=[item]):
            return _is_declared(item, api, seen)
        case ConditionalExpr() | OpExpr(op="and" | "or") | ListExpr() | DictExpr() | TupleExpr():
            return False
        case IndexExpr(base=container):
            return _is_declared(container, api, seen)
        case OpExpr() | UnaryExpr():
            operands = [each for each in parts(value) if isinstance(each, Expression)]
            unions = [each for each in operands if _is_union(each, api)]
            return all(_is_declared(each, api, seen) for each in unions or operands)
        case CallExpr(callee=callee, args=args):
            decisive = [each for each in args if _is_union(each, api)]
            if isinstance(callee, MemberExpr):
                decisive.append(callee.expr)
            return not _is_generic(callee, api) and all(_is_declared(each, api, seen) for each in decisive)
        case NameExpr(node=Var() as variable):
            return _is_declared_variable(variable, api, seen)
        case MemberExpr(node=Var() as variable) if isinstance(variable.info, FakeInfo):
            return not is_unannotated(variable)  # of another module
        case MemberExpr(expr=owner, name=name):
            attribute = attribute_of(expression_type(checker(api), owner), name)
            return not isinstance(attribute, Var) or not is_unannotated(attribute)
        case _:
            return True


def _is_declared_variable(variable: Var, api: CheckerPluginInterface, seen: set[Var]) -> bool:
    declared, file = checker(api).var_decl_frames, checker(api).tree
    if not is_unannotated(variable):
        return not _is_of_lambda(variable, file)
    if variable in seen or not isinstance(declared, Declarations):
        return True
    if is_foreign(variable, file.fullname):
        return False  # what its module binds it to is not known here
    seen.add(variable)
    values = [each.value for each in _definitions(variable, file)]
    is_once = bool(values) and declared.variables.is_bound_once(variable)
    return is_once and all(each is not None and _is_declared(each, api, seen) for each in values)


def _is_of_lambda(variable: Var, tree: MypyFile) -> bool:
    """Whether a variable is a parameter of a lambda, which has no annotation."""
    lambdas = (node for node in nodes(tree) if isinstance(node, LambdaExpr))
    return any(argument.variable is variable for node in lambdas for argument in node.arguments)


def _definitions(variable: Var, tree: MypyFile) -> Sequence[Definition]:
    """What binds a variable: statements, or the comprehension around it."""
    found = definitions(tree).of_variable(variable)
    return found or [each for node in nodes(tree) for each in definitions_in(node) if each.variable is variable]


def _is_generic(function: Expression, api: CheckerPluginInterface) -> bool:
    """Whether the arguments of a call decide the type of its result."""
    typ = get_proper_type(expression_type(checker(api), function))
    return isinstance(typ, FunctionLike) and any(has_type_vars(item.ret_type) for item in typ.items)


def meets_array_like(context: Context, api: CheckerPluginInterface) -> bool:
    """Whether one operand of this expression is NumPy's `ArrayLike`, or a larger union, and the other one an array for
    which stock mypy infers Any.
    """
    alike = {operand: _is_array_like(expression_type(checker(api), operand)) for operand in operands_of(context)}
    stock = stock_checks(api)
    if not any(alike.values()) or stock is None:
        return False
    return any(stock.has_unknown_dtype(operand) for operand, is_alike in alike.items() if not is_alike)


def _is_array_like(operand: Type | None) -> bool:
    items = members(operand) if operand is not None else ()
    return any(isinstance(item, Instance) and item.type.fullname == names.NUMPY_SUPPORTS_ARRAY for item in items)
