"""Turn annotations into types that carry a dtype: jaxtyping's, and `Annotated` with a dtype among its metadata."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Final

from mypy.nodes import MypyFile, SymbolNode, TypeInfo
from mypy.plugin import AnalyzeTypeContext
from mypy.types import Instance, Type, TypeVarType, UnboundType, UnionType, get_proper_type

from promo_mypy.plugin import libraries, names
from promo_mypy.plugin.annotations import policies
from promo_mypy.plugin.annotations.import_resolution import ImportBindings, Origin
from promo_mypy.plugin.annotations.narrowing import Claimed
from promo_mypy.plugin.annotations.parsing import Claim, Metadata, claim_of, follow, origin_of
from promo_mypy.plugin.annotations.policies import NamedDtypes
from promo_mypy.plugin.diagnostics.failures import guarded_annotation
from promo_mypy.plugin.diagnostics.findings import made
from promo_mypy.plugin.late import late
from promo_mypy.plugin.mypy_api.checker import type_checker
from promo_mypy.plugin.mypy_api.hook_tables import TypeHook, TypeTable
from promo_mypy.plugin.mypy_api.modules import semantic_analysis
from promo_mypy.plugin.mypy_api.modules.semantic_analysis import SemanticAnalyzer
from promo_mypy.plugin.state.session import Session
from promo_mypy.plugin.trees.expressions import dotted_name
from promo_mypy.plugin.trees.type_expressions import is_written_as, items_of, subscriptions_around
from promo_mypy.plugin.types.array_types import as_made, takes_dtype
from promo_mypy.rules.records import record
from promo_mypy.rules.wording import diagnostics
from promo_mypy.rules.wording.annotation_faults import Fault, contradiction

with late():
    from promo_mypy.plugin.annotations import promoted_annotations, type_variable_bases

# What stands for arrays in type expressions.
_ARRAYS: Final = (*libraries.BY_CLASS, *names.ARRAY_EXPRESSIONS)


class Annotations:
    """The hooks for names in annotations, in the table `hooks`."""

    def __init__(self, session: Session, begin: Callable[[SemanticAnalyzer], None]) -> None:
        """`begin` is called when mypy reads an array in an annotation."""
        self._session = session
        self._begin = begin
        self._bindings = ImportBindings()
        self._repeated = _RepeatedAnnotations()
        self._claimed_classes: dict[tuple[Instance, Claim, bool], Type] = {}
        self._module: MypyFile | None = None
        # The array classes in that module by name, if its errors are ignored; None for an alias.
        self._classes: dict[str, TypeInfo | None] = {}
        self._is_untracked = False
        analyses = {
            **dict.fromkeys(names.ANNOTATED, self._analyze_annotated),
            **dict.fromkeys(_ARRAYS, self._analyze_array),
            names.PROMOTE: self._analyze_promote,
        }
        rows = {name: self._hook(name, analyze) for name, analyze in analyses.items()}
        self.hooks: Final = NamedDtypes(rows, session) if session.has_policies else TypeTable(rows)

    def _hook(self, fullname: str, analyze: Callable[..., Type]) -> TypeHook:
        return guarded_annotation(
            partial(analyze, fullname=fullname),
            stock=lambda ctx: semantic_analysis.stock_type(ctx, fullname, self.hooks),
        )

    def drop_cache(self) -> None:
        """Drop the caches: a module was read from its source, so its classes may be new ones."""
        self._claimed_classes.clear()
        self._repeated.drop_cache()
        self._module = None

    def mark(self, module: MypyFile, modules: Mapping[str, MypyFile]) -> None:
        """Store what a module's import statements bind: mypy is about to write the module to its cache."""
        self._bindings.mark(module, modules)

    def _analyze_annotated(self, ctx: AnalyzeTypeContext, fullname: str) -> Type:
        """`Annotated[...]` under any name: mypy's type, narrowed by the claim of the metadata."""
        self._follow(ctx)
        question = self._repeated.question(ctx)
        known = self._repeated.get(question) if question is not None else None
        if known is not None:
            follow(known.origin, ctx, self._bindings)
            return known.type
        typ = semantic_analysis.stock_type(ctx, fullname, self.hooks)
        written = ctx.type
        if len(written.args) < 2:
            return typ
        if self._may_promote():
            typ = promoted_annotations.from_metadata(typ, written.args[1:], ctx, self._session)
        metadata = [Metadata.from_type(argument) for argument in written.args[1:]]
        origin = self._origin(written.name, ctx)
        claim = claim_of(origin, metadata, ctx)
        if claim is None:
            return typ
        claimed = self._claimed(typ, claim, ctx, plain=_is_plain(written.args[0], ctx))
        # A repeated annotation is analyzed again if it has something to report, so that each place gets the report.
        is_quiet = claimed is not typ and not policies.concern(claimed, self._session)
        if question is not None and origin is not None and is_quiet:
            self._repeated.keep(question, _Repeated(claimed, origin))
        return claimed

    def _analyze_array(self, ctx: AnalyzeTypeContext, fullname: str) -> Type:
        """An array class, narrowed by each `Annotated` around it that mypy has dropped."""
        module = semantic_analysis.current_module(ctx)
        if module is not self._module:
            self._module, self._classes = module, {}
            self._is_untracked = type_checker.is_left_alone(module, semantic_analysis.semantic(ctx).errors)
        if self._is_untracked:
            return self._stock_array(ctx, fullname)
        self._follow(ctx)
        typ = semantic_analysis.stock_type(ctx, fullname, self.hooks)
        if ctx.type.args:
            typ = promoted_annotations.worked_out(typ, ctx, self._session) if self._may_promote() else typ
            typ = as_made(typ, self._session.symbols)
            policies.check_array(typ, ctx, self._session)
        plain, inside = True, None
        for subscription in subscriptions_around(ctx.type, semantic_analysis.statement(ctx)):
            name = dotted_name(subscription.base)
            if name is None or not semantic_analysis.is_annotated(semantic_analysis.look_up(ctx, name)):
                continue
            first, *others = items_of(subscription)
            before = typ
            if self._may_promote():
                typ = promoted_annotations.from_expressions(typ, others, ctx, self._session)
            if typ is not before:
                ctx.type.empty_tuple_index = True
            claim = claim_of(self._origin(name, ctx), [Metadata.from_expression(item) for item in others], ctx)
            # A member of a union may contradict the claim if another member does not.
            alone = first is inside or is_written_as(ctx.type, first)
            if claim is not None and others:
                claimed = self._claimed(typ, claim, ctx, plain=plain, alone=alone)
                if claimed is not typ:
                    # An alias of a class without arguments stands for the bare class; this one has arguments now.
                    ctx.type.empty_tuple_index = True
                typ, plain = claimed, False
            inside = subscription if alone else None
        return typ

    def _stock_array(self, ctx: AnalyzeTypeContext, fullname: str) -> Type:
        """mypy's type for an array class, in a module whose errors are ignored."""
        if fullname not in self._classes:
            self._classes[fullname] = self._session.symbols.info(fullname)
        info = self._classes[fullname]
        if info is not None:
            return semantic_analysis.stock_instance(ctx, info)
        return semantic_analysis.stock_type(ctx, fullname, self.hooks)

    def _may_promote(self) -> bool:
        """Whether an annotation may have a `Promote`: few builds have the class."""
        return self._session.symbols.info(names.PROMOTE) is not None

    def _analyze_promote(self, ctx: AnalyzeTypeContext, fullname: str) -> Type:  # noqa: ARG002 (every hook has it)
        """`Promote[A, B]`, a dtype that is computed at each call."""
        self._follow(ctx)
        return promoted_annotations.analyze(ctx, self._session)

    def _follow(self, ctx: AnalyzeTypeContext) -> None:
        analyser = semantic_analysis.semantic(ctx)
        self._session.watch.filter.install(analyser.errors)
        self._begin(analyser)

    def _origin(self, name: str, ctx: AnalyzeTypeContext) -> Origin | None:
        origin = origin_of(name, ctx, self._bindings)
        if origin is not None:
            follow(origin, ctx, self._bindings)
        return origin

    def _claimed(self, typ: Type, claim: Claim, ctx: AnalyzeTypeContext, *, plain: bool, alone: bool = True) -> Type:
        if claim.fault is not None:
            _report(claim.fault, ctx)
            return typ
        claimed = Claimed(claim, self._session, plain)
        proper = get_proper_type(typ)
        if isinstance(proper, TypeVarType):
            return type_variable_bases.apply(proper, claimed, ctx)
        result = self._applied(claimed, typ)
        if result is not None:
            if result is not typ:
                policies.check_claim(result, claim, ctx, self._session)
            return result
        if alone:
            _report(contradiction(claim.text, " | ".join(claimed.refused)), ctx)
        return typ

    def _applied(self, claimed: Claimed, typ: Type) -> Type | None:
        """The result of `Claimed.apply`. Equal annotations of a class without arguments share one type object."""
        proper = get_proper_type(typ)
        if not isinstance(proper, Instance) or proper.args:
            return claimed.apply(typ)
        question = (proper, claimed.claim, claimed.plain)
        found = self._claimed_classes.get(question)
        if found is None:
            found = claimed.apply(typ)
            if found is not None and found is not typ:
                self._claimed_classes[question] = found
        return found


def _report(fault: Fault, ctx: AnalyzeTypeContext) -> None:
    semantic_analysis.fail(ctx, made(diagnostics.ANNOTATION, fault.remedy, problem=fault.problem))


def _is_plain(written: Type, ctx: AnalyzeTypeContext) -> bool:
    """Whether a type is written as the name of a class, or as a union of such names."""
    proper = get_proper_type(written)
    if isinstance(proper, UnionType):
        return all(_is_plain(item, ctx) for item in proper.items)
    if not isinstance(proper, UnboundType) or proper.args:
        return False
    return proper.name == "None" or isinstance(semantic_analysis.look_up(ctx, proper.name), TypeInfo)


#: The name of jaxtyping as it is written, the array class, and the string.
_Question = tuple[str, SymbolNode, str]


@record
class _Repeated:
    """The type of an annotation, and what its name stands for."""

    type: Type
    origin: Origin


class _RepeatedAnnotations:
    """The types of annotations in the module that mypy is reading. They are dropped at the next module."""

    def __init__(self) -> None:
        self._types: dict[_Question, _Repeated] = {}
        self._module: MypyFile | None = None
        self._imports: object = None

    def drop_cache(self) -> None:
        """Drop the cache: names may stand for something else now."""
        self._module = self._imports = None
        self._types.clear()

    def question(self, ctx: AnalyzeTypeContext) -> _Question | None:
        """The key of an annotation: a name that the module imported, a class and a string. None for other annotations.

        The class must be one that the plugin made generic. For other classes mypy may report missing type arguments at
        each annotation.
        """
        written = ctx.type
        if len(written.args) != 2:
            return None
        array, shape = written.args
        if type(array) is not UnboundType or array.args or not semantic_analysis.is_global(ctx, written.name):
            return None
        text, info = Metadata.from_type(shape).text, semantic_analysis.look_up(ctx, array.name)
        if text is None or not isinstance(info, TypeInfo) or not takes_dtype(info.fullname):
            return None
        module = semantic_analysis.current_module(ctx)
        # The mypy daemon keeps the node of a file when it reads the file again, but not its import statements.
        if module is not self._module or module.imports is not self._imports:
            self._types.clear()
            self._module, self._imports = module, module.imports
        return written.name, info, text

    def get(self, question: _Question) -> _Repeated | None:
        """The type of an equal annotation; None if there was no such annotation yet."""
        return self._types.get(question)

    def keep(self, question: _Question, found: _Repeated) -> None:
        """Store the type for equal annotations that follow."""
        self._types[question] = found
