"""Parse `Float32[..., "b n"]` and `Annotated[..., jnp.float32]`: which dtype and rank do they claim for the array?"""

from collections.abc import Mapping, Sequence
from typing import Final

from mypy.nodes import (
    EllipsisExpr,
    Expression,
    FloatExpr,
    IntExpr,
    MypyFile,
    StrExpr,
    TypeAlias,
    TypeInfo,
    Var,
)
from mypy.plugin import AnalyzeTypeContext
from mypy.types import EllipsisType, Instance, RawExpressionType, Type, UnboundType, UnionType

from promo_mypy.plugin.annotations.import_resolution import ImportBindings, Origin
from promo_mypy.plugin.libraries import BY_NAMESPACE
from promo_mypy.plugin.mypy_api.modules import semantic_analysis
from promo_mypy.plugin.trees.expressions import dotted_name
from promo_mypy.plugin.types import numpy_scalars
from promo_mypy.plugin.types.array_types import dtypes_of_argument
from promo_mypy.rules import dtypes as dt
from promo_mypy.rules.dtype_names import SPELLINGS
from promo_mypy.rules.jaxtyping_names import NAMES
from promo_mypy.rules.ranks import UNKNOWN_RANK, RankFacts
from promo_mypy.rules.records import record
from promo_mypy.rules.shape_strings import ShapeStringError, rank_of
from promo_mypy.rules.wording.annotation_faults import Fault, bad_shape, no_string, wrong_arguments

# Modules whose variables are dtypes. Dtypes of NumPy and ml_dtypes are classes instead.
_ATTRIBUTES: Final[Mapping[str, Mapping[str, type[dt.Shaped]]]] = {
    module: SPELLINGS[library.value].names for module, library in BY_NAMESPACE.items()
}


@record
class Claim:
    """The dtype and rank that an annotation claims for the array in it.

    `jaxtyping` is jaxtyping's name of the annotation, None for plain `Annotated`. `fault` is the reason why jaxtyping
    rejects the annotation; then it claims nothing.
    """

    dtype: type[dt.Shaped]
    rank: RankFacts = UNKNOWN_RANK
    jaxtyping: str | None = None
    fault: Fault | None = None

    @property
    def text(self) -> str:
        """The name of the claim for messages."""
        return self.jaxtyping or self.dtype.name


@record
class Metadata:
    """One argument after the first: the text of a string, the dotted name of a reference, or anything else."""

    text: str | None = None
    name: str | None = None
    literal: bool = False
    """Whether it is certainly not a string: a number, None, `...`."""

    @classmethod
    def from_type(cls, typ: Type) -> "Metadata":
        """From an argument of an annotation, which mypy parses as a type."""
        if isinstance(typ, UnboundType | UnionType) and typ.original_str_expr is not None:
            return cls(text=typ.original_str_expr)
        if isinstance(typ, UnboundType):
            return cls.named(typ.name) if not typ.args else cls()
        if isinstance(typ, RawExpressionType):
            # A string that is not a type. For an expression that is not a literal the value is None.
            value = typ.literal_value
            return cls(text=value) if isinstance(value, str) else cls(literal=value is not None)
        return cls(literal=isinstance(typ, EllipsisType))

    @classmethod
    def from_expression(cls, expression: Expression) -> "Metadata":
        """From an argument in a type expression, which mypy parses as a value."""
        if isinstance(expression, StrExpr):
            return cls(text=expression.value)
        name = dotted_name(expression)
        if name is not None:
            return cls.named(name)
        return cls(literal=isinstance(expression, IntExpr | FloatExpr | EllipsisExpr))

    @classmethod
    def named(cls, name: str) -> "Metadata":
        """From a reference."""
        return cls(literal=True) if name == "None" else cls(name=name)


def claim_of(origin: Origin | None, metadata: Sequence[Metadata], ctx: AnalyzeTypeContext) -> Claim | None:
    """The claim of `name[..., *metadata]`, where `name` stands for `typing.Annotated`; None if it claims nothing.

    `origin`: the name of jaxtyping that `name` stands for; None if it stands for no name of jaxtyping.
    """
    if origin is None:
        named = (dtype_of_name(argument.name, ctx) for argument in metadata if argument.name is not None)
        dtype = next((dtype for dtype in named if dtype is not None), None)
        return Claim(dtype) if dtype is not None else None
    dtype = NAMES[origin.name]
    if len(metadata) != 1:
        return Claim(dtype, jaxtyping=origin.name, fault=wrong_arguments(origin.name))
    if metadata[0].literal:
        return Claim(dtype, jaxtyping=origin.name, fault=no_string(origin.name))
    shape = metadata[0].text
    if shape is None:
        return Claim(dtype, jaxtyping=origin.name)
    try:
        return Claim(dtype, rank_of(shape), origin.name)
    except ShapeStringError as error:
        return Claim(dtype, jaxtyping=origin.name, fault=bad_shape(origin.name, shape, str(error)))


def origin_of(name: str, ctx: AnalyzeTypeContext, bindings: ImportBindings) -> Origin | None:
    """The name of jaxtyping that a name stands for at the annotation; None if it stands for no such name."""
    prefix, _, last = name.rpartition(".")
    modules = semantic_analysis.modules(ctx)
    if not prefix:
        module = semantic_analysis.current_module(ctx)
        if semantic_analysis.is_global(ctx, last):
            return bindings.in_module(last, module, modules)
        return bindings.in_function(last, module, ctx.context.line, modules)
    owner = semantic_analysis.look_up(ctx, prefix)
    return bindings.attribute(owner.fullname, last, modules) if isinstance(owner, MypyFile) else None


def follow(origin: Origin, ctx: AnalyzeTypeContext, bindings: ImportBindings) -> None:
    """Make the daemon read the annotation again when a module on the way to jaxtyping rebinds the name."""
    if not semantic_analysis.is_daemon(ctx):
        return
    # The daemon compares the symbol tables of a module. With the mark in the table, a rebound name is a change, too.
    for module in origin.through:
        trigger = bindings.mark(module, semantic_analysis.modules(ctx))
        if trigger is not None:
            semantic_analysis.depend_on(ctx, trigger)


def dtype_of_name(name: str, ctx: AnalyzeTypeContext) -> type[dt.Shaped] | None:
    """The dtype that metadata names: an attribute of a library, or a dtype class of promo-mypy."""
    node = semantic_analysis.look_up(ctx, name)
    if isinstance(node, Var):
        module, _, attribute = node.fullname.rpartition(".")
        return _ATTRIBUTES.get(module, {}).get(attribute)
    typ: Type | None = None
    if isinstance(node, TypeAlias):
        typ = node.target
    elif isinstance(node, TypeInfo):
        typ = Instance(node, [parameter.default for parameter in node.defn.type_vars])
    if typ is None:
        return None
    dtypes = dtypes_of_argument(typ) or numpy_scalars.dtypes_of_scalar(typ, semantic_analysis.platform(ctx))
    return next(iter(dtypes)) if dtypes is not None and len(dtypes) == 1 else None
