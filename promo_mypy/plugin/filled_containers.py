"""What is put into a list or a dict of arrays that nobody annotated: from then on it holds arrays of any dtype.

mypy gives `xs = [a]` the type of a, and holds `xs.append(b)` to its dtype, of which mypy alone knows nothing. Where
something of another dtype is put in, the variable gets a type that is open in its dtypes, and the method accepts it.
A container whose type an annotation says keeps it, and mypy's errors.
"""

from mypy.nodes import CallExpr, Context, Expression, IndexExpr, MemberExpr, NameExpr, OperatorAssignmentStmt, Var
from mypy.plugin import MethodSigContext
from mypy.subtypes import is_subtype
from mypy.types import CallableType, FunctionLike, Instance, get_proper_type

from promo_mypy.plugin import mypy_internals
from promo_mypy.plugin.array_types import read
from promo_mypy.plugin.container_types import any_array, opened
from promo_mypy.plugin.session import Session


def infer_signature(ctx: MethodSigContext, session: Session) -> FunctionLike:
    """`xs.append(b)`, `xs[0] = b` and the like: the library's own signature, or one that takes arrays of any dtype."""
    signature = ctx.default_signature
    if not any_array(ctx.type, lambda array: read(array, session.platform) is not None):
        return signature
    container = _container(ctx.context)
    variable = _variable(container, ctx) if container is not None else None
    if container is None or variable is None or variable.type is None:
        return signature
    if not variable.is_inferred or variable.explicit_self_type:  # mypy takes an annotated attribute for inferred
        return signature
    session.watch.follow(ctx.api)
    open_signature = signature.copy_modified(arg_types=[opened(typ) for typ in signature.arg_types])
    if not _is_needed(ctx, signature, open_signature):
        return signature
    mypy_internals.widen(ctx.api, container, variable, opened(variable.type))
    return open_signature


def _is_needed(ctx: MethodSigContext, signature: CallableType, open_signature: CallableType) -> bool:
    """Whether an argument is of another dtype than the signature asks for, and fits otherwise."""
    found = False
    for expressions, typ, open_type in zip(ctx.args, signature.arg_types, open_signature.arg_types, strict=True):
        for expression in expressions:
            given = mypy_internals.quiet_type(ctx.api, expression)
            if is_subtype(given, typ):
                continue
            if not is_subtype(given, open_type):
                return False
            found = True
    return found


def _container(context: Context) -> Expression | None:
    """What something is put into: `xs` in `xs.append(b)`, in `xs[0] = b`, `xs[0].append(b)` and `xs += b`."""
    match context:
        case CallExpr(callee=MemberExpr(expr=container)) | IndexExpr(base=container):
            pass
        case OperatorAssignmentStmt(lvalue=container):
            pass
        case _:
            return None
    while isinstance(container, IndexExpr):
        container = container.base
    return container


def _variable(container: Expression, ctx: MethodSigContext) -> Var | None:
    if isinstance(container, NameExpr):
        return container.node if isinstance(container.node, Var) else None
    if not isinstance(container, MemberExpr):
        return None
    owner = get_proper_type(ctx.api.get_expression_type(container.expr))
    symbol = owner.type.get(container.name) if isinstance(owner, Instance) else None
    return symbol.node if symbol is not None and isinstance(symbol.node, Var) else None
