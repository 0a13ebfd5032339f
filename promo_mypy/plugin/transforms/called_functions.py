"""A signature hook's context to the arguments of the call, and to what a function among them returns."""

from collections.abc import Mapping, Sequence

from mypy.nodes import Expression, LambdaExpr
from mypy.plugin import CheckerPluginInterface, FunctionSigContext
from mypy.types import CallableType, NoneType, Type

from promo_mypy.plugin.calls.arguments import pytrees
from promo_mypy.plugin.calls.arguments.traced_values import (
    Dtypes,
    as_traced,
    dtypes_of_leaf,
    is_jax_array,
    jax_array,
    knows_an_array,
)
from promo_mypy.plugin.calls.fill import unknown
from promo_mypy.plugin.libraries import Library
from promo_mypy.plugin.mypy_api.call_checking import function_context, has_stars, may_be_called, result_of_call
from promo_mypy.plugin.state.session import Session
from promo_mypy.rules.promotion import PromotionSystem
from promo_mypy.rules.records import record


@record
class CalledFunction:
    """A function that a transform calls with values of JAX's."""

    expression: Expression
    session: Session
    api: CheckerPluginInterface

    def result(self, *types: Type) -> Type:
        """What it returns for arguments of these types."""
        return result_of_call(self.api, self.expression, types)[0]

    def accepts(self, *types: Type) -> bool:
        """Whether mypy has nothing to say against arguments of these types."""
        return result_of_call(self.api, self.expression, types)[1]

    def parameter(self, value: Type, traced: Type | None = None) -> Type:
        """The type that its parameter has for a value: a lambda sees what JAX makes of it, `traced`.

        The parameters of other functions may be annotated with what the caller gives (`i: int`), though JAX gives them
        an array: nothing is said about those.
        """
        traced = traced or as_traced(value, self.session, self.api)
        if isinstance(self.expression, LambdaExpr):
            return traced
        return pytrees.map_pairs(_open_where_converted, value, traced) or traced

    def expected(self, types: Sequence[Type], result: Type | None = None) -> CallableType:
        """The type that the transform asks of it."""
        return function_context(self.api, types, result, of=self.expression)


def _open_where_converted(_: pytrees.Path, before: Type, after: Type) -> Type:
    return after if is_jax_array(before) or before is after else unknown()


@record
class TransformCall:
    """The call of a transform such as `lax.scan`, whose signature is to be closed; arguments by parameter."""

    ctx: FunctionSigContext
    session: Session
    given: Mapping[str, Sequence[Expression]]

    @classmethod
    def of(cls, ctx: FunctionSigContext, session: Session, *needed: str) -> "TransformCall | None":
        """None for a call whose arguments nobody can count, or that lacks a needed one."""
        if has_stars(ctx.context):
            return None
        names = ctx.default_signature.arg_names
        given = {name: args for name, args in zip(names, ctx.args, strict=True) if name and args}
        return cls(ctx, session, given) if all(name in given for name in needed) else None

    @property
    def api(self) -> CheckerPluginInterface:
        """mypy."""
        return self.ctx.api

    @property
    def system(self) -> PromotionSystem:
        """The promotion system of JAX's arrays here."""
        return self.session.system(Library.JAX, self.api)

    def value(self, parameter: str) -> Type:
        """The type of the argument given for a parameter; None's type if there is none."""
        return self.api.get_expression_type(self.given[parameter][0]) if parameter in self.given else NoneType()

    def values(self, parameter: str) -> list[Type]:
        """The types of all arguments given for `*parameter`."""
        return [self.api.get_expression_type(expression) for expression in self.given.get(parameter, ())]

    def function(self, parameter: str) -> CalledFunction:
        """The function given for a parameter."""
        return self.called(self.given[parameter][0])

    def called(self, expression: Expression) -> CalledFunction:
        """A function somewhere among the arguments."""
        return CalledFunction(expression, self.session, self.api)

    def is_function(self, parameter: str) -> bool:
        """Whether what is given for a parameter may be called."""
        return may_be_called(self.value(parameter))

    def knows_an_array(self, *values: Type) -> bool:
        """Whether there is an array of known dtype among these trees."""
        return any(knows_an_array(value, self.session) for value in values)

    def dtypes(self, leaf: Type) -> Dtypes | None:
        """The dtypes that JAX gives a leaf; None if they are unknown."""
        return dtypes_of_leaf(leaf, self.session, self.api)

    def is_array(self, leaf: Type) -> bool:
        """Whether a leaf is an array of JAX's already."""
        return is_jax_array(leaf)

    def traced(self, tree: Type) -> Type:
        """The tree with what JAX makes of its leaves."""
        return as_traced(tree, self.session, self.api)

    def if_strong(self, leaf: Type) -> Type:
        """A leaf that cannot be weak; unknown for one that may."""
        dtypes = self.dtypes(leaf)
        return leaf if dtypes is None or not any(dtype.weak for dtype in dtypes) else unknown()

    def array(self, dtypes: Dtypes) -> Type:
        """A JAX array of these dtypes."""
        return jax_array(dtypes, self.session) or unknown()

    def pair(self, one: Type, other: Type) -> Type:
        """A tuple of two."""
        return pytrees.tuple_of([one, other], self.api)

    def closed(self, types: Mapping[str, Type], result: Type) -> CallableType:
        """The signature with these types of parameters and that result; the other parameters stay, if not generic."""
        signature = self.ctx.default_signature
        rows = zip(signature.arg_names, signature.arg_types, strict=True)
        return signature.copy_modified(
            arg_types=[types.get(name or "", typ) for name, typ in rows], ret_type=result, variables=[]
        )
