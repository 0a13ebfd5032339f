"""List every feature of the plugin in tables from qualified name to hook, for a build with arrays."""

from collections.abc import Callable, Collection, Mapping
from functools import partial
from typing import Any, Final

from mypy.nodes import MypyFile, Var
from mypy.plugin import (
    AttributeContext,
    ClassDefContext,
    FunctionContext,
    MethodContext,
)
from mypy.types import FunctionLike, Type

from promo_mypy.config import Config
from promo_mypy.plugin import containers, libraries, names
from promo_mypy.plugin.annotations.dtype_annotations import Annotations
from promo_mypy.plugin.calls import (
    autocast,
    generic_calls,
    jax_scalar_calls,
    number_parameters,
    numpy_scalar_calls,
    registry_calls,
    tensor_classes,
    tensorflow_variables,
)
from promo_mypy.plugin.calls.arguments import length_hooks
from promo_mypy.plugin.calls.function_hooks import FunctionHooks
from promo_mypy.plugin.calls.overloads import ClosedFunctions
from promo_mypy.plugin.diagnostics.failures import guarded
from promo_mypy.plugin.inferred.assumed_parameters import AssumedParameters
from promo_mypy.plugin.inferred.observed_dtypes import ObservedDtypes
from promo_mypy.plugin.inferred.variables import RebindableVariables
from promo_mypy.plugin.marks import call_marks
from promo_mypy.plugin.mypy_api import hidden_modules, semantic_analysis, type_checker, undeclared_functions
from promo_mypy.plugin.mypy_api.file_start import FilesAhead
from promo_mypy.plugin.mypy_api.hook_tables import FoundTable, HookTable, MethodTable
from promo_mypy.plugin.mypy_api.symbols import Lookup, Symbols
from promo_mypy.plugin.mypy_api.untyped_functions import UntypedFunctions
from promo_mypy.plugin.mypy_api.wrapped_functions import WrappedFunctions
from promo_mypy.plugin.operators import (
    accumulations,
    builtin_calls,
    filled_containers,
    index_grids,
    index_overloads,
    indexing,
    iteration,
    length_powers,
    opened_attributes,
    operator_members,
    operator_results,
    python_sequences,
)
from promo_mypy.plugin.process import library_versions
from promo_mypy.plugin.recorded_hooks import RecordedHooks
from promo_mypy.plugin.state.listener import Listener
from promo_mypy.plugin.state.notes import Notes
from promo_mypy.plugin.state.session import Session
from promo_mypy.plugin.state.watch import Watch
from promo_mypy.plugin.transforms import stored_lambdas, transform_rows, wrappers
from promo_mypy.plugin.types import generic_arrays, join_markers, tensor_subclasses, value_marks
from promo_mypy.plugin.user_functions import UserFunctions
from promo_mypy.rules.operators import OPERATORS

MethodFeature = Callable[..., Type]  # (MethodContext, session=Session)
FunctionFeature = Callable[..., Type]  # (FunctionContext, session=Session)
SignatureFeature = Callable[..., FunctionLike]  # (MethodSigContext, session=Session)


def _classes(*, of: Callable[[libraries.ArrayLibrary], bool]) -> tuple[str, ...]:
    return tuple(cls for row in libraries.GENERIC if of(row) for cls in row.classes)


# The array classes and their base classes, by the library's declarations of operators: complete, narrower than what its
# arrays accept, or none.
_ANNOTATED: Final = _classes(of=lambda row: row.annotates and not row.narrow)
_NARROW: Final = _classes(of=lambda row: row.narrow)
_UNANNOTATED: Final = _classes(of=lambda row: not row.annotates)

CLASSES: Final[Mapping[str, Callable[[ClassDefContext], None]]] = {
    **{
        row.array: generic_arrays.make_generic_with_open_operators if row.annotates else generic_arrays.annotate_openly
        for row in libraries.GENERIC
    },
    **{base: generic_arrays.open_right_operators for row in libraries.GENERIC for base in row.bases},
    **dict.fromkeys(names.GENERIC_UPDATES, generic_arrays.make_generic),
    **tensor_subclasses.CLASSES,
    names.TENSORFLOW_VARIABLE: tensorflow_variables.make_generic,
    names.NUMPY_ARRAY: generic_arrays.open_operators,
    **dict.fromkeys(join_markers.MARKERS, join_markers.promote),
    **dict.fromkeys(value_marks.CLASSES, value_marks.promote),
    **dict.fromkeys(names.TORCH_MODES, wrappers.accept_function),
    **dict.fromkeys(names.TORCH_AUTOCAST, autocast.annotate_decorator),
}

_RESULTS: Final = {
    method: partial(operator_results.infer_result, operator=operator)
    for method, operator in OPERATORS.items()
    if method not in generic_arrays.REVERSED
}
_SIGNATURES_OF_OPERATORS: Final = {
    method: partial(operator_results.infer_signature, operator=operator) for method, operator in OPERATORS.items()
}
_LOOK_UPS: Final = {
    method: partial(operator_members.member_access, operator=operator) for method, operator in OPERATORS.items()
}

_METHODS: Final[Mapping[str, MethodFeature]] = (
    {f"{row_class}.__getitem__": indexing.infer_item for row_class in _classes(of=lambda _: True)}
    | {f"{row_class}.__iter__": iteration.infer_items for row_class in _classes(of=lambda _: True)}
    | {
        f"{names.JAX_UPDATE_HELPER}.__getitem__": indexing.infer_item,
        f"{names.NUMPY_ARRAY}.__getitem__": indexing.infer_numpy_item,
        f"{names.NUMPY_ARRAY}.__iter__": iteration.infer_items,
        f"{names.VALUE_MARKS}._Unknown.__getitem__": indexing.infer_scalar_item,
        length_powers.METHOD: length_powers.infer,
        **dict.fromkeys(names.NUMPY_GRIDS, index_grids.infer),
    }
    | {f"{cls}.{method}": feature for cls in _ANNOTATED for method, feature in _RESULTS.items()}
    | {
        f"{cls}.{method}": filled_containers.infer_result
        for cls in containers.CONTAINERS
        for method in containers.JOINING
    }
    | dict.fromkeys(python_sequences.METHODS, python_sequences.infer)
    | {python_sequences.OF_DICTS: python_sequences.infer_value}
    | dict(transform_rows.METHODS)
)

_OPERATORS: Final[Mapping[str, SignatureFeature]] = {
    f"{cls}.{method}": feature
    for cls in (names.NUMPY_ARRAY, *names.NUMPY_SCALARS, *_NARROW, *_UNANNOTATED)
    for method, feature in _SIGNATURES_OF_OPERATORS.items()
}
_SIGNATURES: Final[Mapping[str, SignatureFeature]] = (
    dict(_OPERATORS)
    | {f"{cls}.{method}": _SIGNATURES_OF_OPERATORS[method] for cls in _ANNOTATED for method in generic_arrays.REVERSED}
    | {
        method: partial(builtin_calls.infer_scalar_signature, operator=operator)
        for method, operator in builtin_calls.SCALARS.items()
    }
    | {
        f"{cls}.{method}": filled_containers.infer_signature
        for cls in containers.CONTAINERS
        for method in containers.FILLING
    }
    | dict(transform_rows.METHOD_SIGNATURES)
)

_ACCESSES: Final[Mapping[str, Callable[[AttributeContext], Type]]] = {
    f"{cls}.{method}": _LOOK_UPS[method]
    for classes, methods in (
        ((names.NUMPY_ARRAY, *_NARROW), generic_arrays.OPENED),
        (_ANNOTATED, generic_arrays.REVERSED),
        (_UNANNOTATED, frozenset(OPERATORS)),
    )
    for cls in classes
    for method in methods
} | {f"{cls}.{method}": library_versions.scalar_operator for cls in names.NUMPY_SCALARS for method in OPERATORS}


def _follow(ctx: FunctionContext, session: Session) -> Type:
    """The inserted first call. The daemon checks functions of one file with a type checker for each."""
    session.watch.follow(ctx.api)
    return ctx.default_return_type


_FUNCTIONS: Final[Mapping[str, FunctionFeature]] = {
    function: partial(builtin_calls.infer_call, operator=operator)
    for function, operator in builtin_calls.BUILTINS.items()
} | {
    semantic_analysis.FIRST_CALL: _follow,
    builtin_calls.SUM: builtin_calls.infer_sum,
    names.ROUND: call_marks.infer_rounded,
    **dict.fromkeys(jax_scalar_calls.NAMES, jax_scalar_calls.infer),
    names.TENSORFLOW_VARIABLE: tensorflow_variables.infer_variable,
    **tensor_classes.FEATURES,
    **dict.fromkeys(numpy_scalar_calls.CLASSES, numpy_scalar_calls.infer),
    **dict.fromkeys(names.ITERATING, iteration.infer_iterable),
    **transform_rows.FUNCTIONS,
}


class Features:
    """The tables, bound to the session of one run of mypy.

    `hooks` has a look-up function for each kind of hook that mypy finds by name. It returns the hook, or None.
    """

    def __init__(
        self,
        lookup: Lookup,
        config: Config,
        platform: str,
        listener: Listener | None = None,
        bodies: Collection[str] = (),
        notes: Notes | None = None,
    ) -> None:
        notes = notes if notes is not None else Notes()
        symbols, self._watch = Symbols(lookup), Watch(self._first_hook)
        self._symbols, ahead = symbols, FilesAhead(self._announced, config.profile.modules)
        self._untyped = UntypedFunctions(symbols)
        self._wrapped = WrappedFunctions(symbols)
        self.observed = ObservedDtypes(symbols, config, platform, bodies, notes.observed)
        self._assumed = AssumedParameters(symbols, platform, self.observed)
        self._session = session = Session(symbols, config, platform, self._watch, listener, notes)
        self._users = UserFunctions(session, bodies)
        self._rows = FunctionHooks(session)
        self._functions = HookTable(_hooks(_FUNCTIONS, session))
        objects = (f"{cls}.{method}" for cls in names.FUNCTION_OBJECTS for method in names.FUNCTION_OBJECT_METHODS)
        called = partial(registry_calls.infer_object, rows=self._rows.rows, otherwise=stored_lambdas.infer)
        methods: Mapping[str, MethodFeature] = {**_METHODS, **dict.fromkeys(objects, called)}
        self._methods = MethodTable(_hooks(methods, session), symbols, self._rows.method)
        closed = ClosedFunctions(self._rows.rows).infer_signature
        signatures: Mapping[str, SignatureFeature] = {
            **_SIGNATURES,
            **{name: partial(closed, arguments=count) for name, count in names.CLOSED_OBJECTS.items()},
            **dict.fromkeys(number_parameters.METHODS, number_parameters.widen),
            f"{names.NUMPY_ARRAY}.__getitem__": index_overloads.IndexOverloads().infer_signature,
        }
        generic = partial(generic_calls.hook, guarded(generic_calls.infer_signature, session), symbols)
        self._signatures = MethodTable(_hooks(signatures, session), symbols, generic)
        of_functions: Mapping[str, SignatureFeature] = {
            **transform_rows.FUNCTION_SIGNATURES,
            **dict.fromkeys(builtin_calls.CHOOSING, builtin_calls.choose_by_arguments),
            accumulations.REDUCE: accumulations.infer_signature,
            **{name: partial(closed, arguments=count) for name, count in names.CLOSED_FUNCTIONS.items()},
            **dict.fromkeys(number_parameters.FUNCTIONS, number_parameters.widen),
        }
        self._closing = FoundTable(_hooks(of_functions, session), generic)
        # Operators are looked up most often of all, and the look-up cannot fail, so it is not guarded.
        shape = {f"{names.NUMPY_ARRAY}.shape": guarded(length_hooks.infer_shape, session)}
        self._attributes = attributes = FoundTable({**_ACCESSES, **shape}, self._rows.attribute)
        self._opened = guarded(opened_attributes.infer, session)
        self._annotations = annotations = Annotations(session, ahead.announce)
        self._marking = (annotations.mark, self._wrapped.mark)
        self.hooks: Mapping[str, Callable[[str], Any]] = {
            "get_customize_class_mro_hook": CLASSES.get,
            "get_dynamic_class_hook": ahead.hooks.__getitem__,
            "get_type_analyze_hook": annotations.hooks.__getitem__,
            "get_function_hook": self._function,
            "get_function_signature_hook": self._closing.__getitem__,
            "get_method_hook": self._method,
            "get_method_signature_hook": self._signatures.__getitem__,
            "get_attribute_hook": attributes.__getitem__,
            **(self._recorded_hooks() if config.profile.modules else {}),
        }

    def _recorded_hooks(self) -> Mapping[str, Callable[[str], Any]]:
        """The look-ups of results and attributes, for a run with a profile."""
        after = RecordedHooks(self.observed, self._session).after
        return {
            "get_function_hook": after(self._function, type_checker.function_hook),
            "get_method_hook": after(self._method, type_checker.method_hook),
            "get_attribute_hook": after(self._attributes.__getitem__, type_checker.attribute_hook),
        }

    def mark(self, module: MypyFile, modules: Mapping[str, MypyFile]) -> None:
        """Write facts into a module that mypy's cache would not keep: mypy is about to write it there."""
        for mark in self._marking:
            mark(module, modules)

    def forget_classes(self) -> None:
        """Drop the caches about classes: a module was read from its source, and its classes may have changed."""
        self._methods.drop_cache()
        self._signatures.drop_cache()
        self._closing.drop_cache()
        self._users.drop_cache()
        self._rows.drop_cache()
        self._annotations.drop_cache()

    def _announced(self, tree: MypyFile) -> None:
        self.observed.open(tree)
        self._assumed.narrow(tree, self._session.config.for_module(tree.fullname))
        self._begin_file(tree, is_ahead=True)

    def _begin_file(self, tree: MypyFile, *, is_ahead: bool = False) -> None:
        self._untyped.annotate(tree)
        self._users.open(tree, is_ahead=is_ahead)
        jax_scalar_calls.bind_calls(tree, self._symbols)
        hidden_modules.bind_members(tree, self._symbols)
        undeclared_functions.annotate(tree, self._symbols)

    def _first_hook(self, tree: MypyFile, modules: Mapping[str, MypyFile]) -> RebindableVariables:
        variables = RebindableVariables(tree, modules, self._wrapped, self._announce)  # has the definitions read anew
        self._begin_file(tree)
        if self._assumed.concern(tree.fullname, self._session.config.for_module(tree.fullname)):
            variables.closer_calls.update(self._assumed.values(tree, of_any=False))
            variables.known_calls.update(self._assumed.values(tree, of_any=True))
        return variables

    def _announce(self, attribute: Var) -> None:
        self._attributes[opened_attributes.full_name(attribute)] = self._opened

    def _function(self, fullname: str) -> Callable[[FunctionContext], Type] | None:
        hook = self._functions[fullname]
        if hook is None and fullname not in self._watch.memo.unlisted:
            hook = self._rows.function(fullname)
        return hook or self._users.hook(fullname, type_checker.function_hook)

    def _method(self, fullname: str) -> Callable[[MethodContext], Type] | None:
        if fullname in _OPERATORS:
            return None  # the signature hook has inferred the result
        return self._methods[fullname] or self._users.hook(fullname, type_checker.method_hook)


def _hooks(features: Mapping[str, Callable[..., Any]], session: Session) -> dict[str, Callable[[Any], Any]]:
    """The hook of each feature under all its names: they share one hook, as there are thousands of names."""
    hooks = {feature: guarded(feature, session) for feature in set(features.values())}
    return {name: hooks[feature] for name, feature in features.items()}
