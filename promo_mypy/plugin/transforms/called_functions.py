"""Read the arguments of a transform's call in its signature hook, and infer what a function among them returns."""

from collections.abc import Mapping, Sequence

from mypy.nodes import Expression, LambdaExpr
from mypy.plugin import CheckerPluginInterface, FunctionSigContext
from mypy.types import AnyType, CallableType, NoneType, TupleType, Type, get_proper_type

from promo_mypy.plugin.calls.arguments import pytrees
from promo_mypy.plugin.calls.arguments.traced_values import (
    Dtypes,
    as_traced,
    dtypes_of_leaf,
    has_known_array,
    is_jax_array,
    jax_array,
    traced_parameters,
)
from promo_mypy.plugin.calls.fill import unknown
from promo_mypy.plugin.libraries import Library
from promo_mypy.plugin.mypy_api.checker.call_checking import function_context, may_be_called, result_of_call
from promo_mypy.plugin.state.session import Session
from promo_mypy.plugin.transforms import followed_bodies
from promo_mypy.plugin.trees.written_arguments import has_stars
from promo_mypy.plugin.types.container_types import without_dtypes
from promo_mypy.plugin.types.walks import members
from promo_mypy.rules.promotion import PromotionSystem
from promo_mypy.rules.records import record


@record
class CalledFunction:
    """A function that a transform calls with JAX values."""

    expression: Expression
    session: Session
    api: CheckerPluginInterface

    def result(self, *types: Type) -> Type:
        """The type that it returns for arguments of these types."""
        declared = result_of_call(self.api, self.expression, types)[0]
        return followed_bodies.refined_result(declared, self.expression, types, self.session, self.api)

    def accepts(self, *types: Type) -> bool:
        """Whether mypy accepts arguments of these types."""
        return result_of_call(self.api, self.expression, types)[1]

    def parameter(self, value: Type, traced: Type | None = None) -> Type:
        """The type that its parameter has for a value. The parameter of a lambda has the type `traced`.

        Other functions may annotate a parameter with the type that the caller passes (`i: int`), though JAX passes an
        array. These annotations are accepted. None is left out of a value: JAX declares most of its transforms without
        types, so that stock mypy reports nothing about None. For the others see `TransformCall.optional`.
        """
        value = pytrees.present(value)
        traced = traced or as_traced(value, self.session, self.api)
        if isinstance(self.expression, LambdaExpr) or self._takes_any_array():
            return traced
        return pytrees.map_pairs(_unknown_where_converted, value, traced) or traced

    def _takes_any_array(self) -> bool:
        """Whether each of its parameters is declared as an array, or has no declared type."""
        signature = get_proper_type(self.api.get_expression_type(self.expression))
        if not isinstance(signature, CallableType):
            return False
        declared = [leaf for parameter in traced_parameters(signature) for leaf in pytrees.leaves(parameter)]
        return all(is_jax_array(leaf) or isinstance(get_proper_type(leaf), AnyType) for leaf in declared)

    def expected(self, types: Sequence[Type], result: Type | None = None) -> CallableType:
        """The function type that the transform expects."""
        return function_context(self.api, types, result, of=self.expression)


def _unknown_where_converted(_: pytrees.Path, before: Type, after: Type) -> Type:
    return after if is_jax_array(before) or before is after else unknown()


@record
class TransformCall:
    """The call of a transform such as `lax.scan`: its arguments by parameter."""

    ctx: FunctionSigContext
    session: Session
    given: Mapping[str, Sequence[Expression]]

    @classmethod
    def of(cls, ctx: FunctionSigContext, session: Session, *needed: str) -> "TransformCall | None":
        """The call; None if it has `*args` or `**kwargs`, or lacks a needed argument."""
        if has_stars(ctx.context):
            return None
        names = ctx.default_signature.arg_names
        given = {name: args for name, args in zip(names, ctx.args, strict=True) if name and args}
        return cls(ctx, session, given) if all(name in given for name in needed) else None

    @property
    def api(self) -> CheckerPluginInterface:
        """mypy's interface."""
        return self.ctx.api

    @property
    def system(self) -> PromotionSystem:
        """The promotion system of JAX arrays in this file."""
        return self.session.system(Library.JAX, self.api)

    def value(self, parameter: str) -> Type:
        """The type of the argument for a parameter; the type of None if there is no argument."""
        return self.api.get_expression_type(self.given[parameter][0]) if parameter in self.given else NoneType()

    def optional(self, parameter: str) -> Type | None:
        """The type of an argument that may be None, without dtypes; None for other arguments.

        Stock mypy expects a function that takes None, too, where JAX declares one type for this argument and for what
        the function gets.
        """
        value = self.value(parameter)
        items = members(value)
        may_be_none = len(items) > 1 and any(isinstance(each, NoneType) for each in items)
        return without_dtypes(value) if may_be_none else None

    def values(self, parameter: str) -> list[Type]:
        """The types of all arguments for `*parameter`."""
        return [self.api.get_expression_type(expression) for expression in self.given.get(parameter, ())]

    def function(self, parameter: str) -> CalledFunction:
        """The function that is the argument for a parameter."""
        return self.called(self.given[parameter][0])

    def called(self, expression: Expression) -> CalledFunction:
        """A function inside an argument."""
        return CalledFunction(expression, self.session, self.api)

    def is_function(self, parameter: str) -> bool:
        """Whether the argument for a parameter may be callable."""
        return may_be_called(self.value(parameter))

    def has_known_array(self, *values: Type) -> bool:
        """Whether one of these trees has an array of known dtype."""
        return any(has_known_array(value, self.session) for value in values)

    def dtypes(self, leaf: Type) -> Dtypes | None:
        """The dtypes of a leaf in JAX; None if they are unknown."""
        return dtypes_of_leaf(leaf, self.session, self.api)

    def is_array(self, leaf: Type) -> bool:
        """Whether a leaf is already a JAX array."""
        return is_jax_array(leaf)

    def traced(self, tree: Type) -> Type:
        """The tree with its leaves traced by JAX."""
        return as_traced(tree, self.session, self.api)

    def if_strong(self, leaf: Type) -> Type:
        """The leaf if it cannot be weak; unknown otherwise."""
        dtypes = self.dtypes(leaf)
        return leaf if dtypes is None or not any(dtype.weak for dtype in dtypes) else unknown()

    def array(self, dtypes: Dtypes) -> Type:
        """A JAX array of these dtypes."""
        return jax_array(dtypes, self.session) or unknown()

    def pair(self, one: Type, other: Type) -> TupleType:
        """A tuple of two items."""
        return pytrees.tuple_of([one, other], self.api)

    def exact_signature(self, types: Mapping[str, Type], result: Type) -> CallableType:
        """This call's signature: these parameter types and that result. The other parameters stay if not generic."""
        signature = self.ctx.default_signature
        rows = zip(signature.arg_names, signature.arg_types, strict=True)
        return signature.copy_modified(
            arg_types=[types.get(name or "", typ) for name, typ in rows], ret_type=result, variables=[]
        )
