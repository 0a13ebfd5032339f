"""Make the hooks of all features, for a build with arrays: see the tables in `feature_tables`."""

from collections.abc import Callable, Collection, Mapping
from functools import partial
from typing import Any

from mypy.nodes import FuncDef, MypyFile, Var
from mypy.plugin import (
    AttributeContext,
    FunctionContext,
    MethodContext,
)
from mypy.types import Type

from promo_mypy.config import Config
from promo_mypy.plugin import names
from promo_mypy.plugin.annotations.dtype_annotations import Annotations
from promo_mypy.plugin.calls import generic_calls, number_parameters, registry_calls
from promo_mypy.plugin.calls.arguments import length_hooks
from promo_mypy.plugin.calls.classes import jax_scalar_calls
from promo_mypy.plugin.calls.followed.called_bodies import CalledBodies
from promo_mypy.plugin.calls.function_hooks import FunctionHooks, infer_wrapped
from promo_mypy.plugin.calls.overloads import ExactSignatures
from promo_mypy.plugin.diagnostics.failures import guarded
from promo_mypy.plugin.feature_tables import (
    ACCESSES,
    ARRAY_OPERATORS,
    CLASSES,
    FUNCTIONS,
    METHODS,
    SIGNATURES,
    MethodFeature,
)
from promo_mypy.plugin.inferred.assumed_parameters import AssumedParameters
from promo_mypy.plugin.inferred.observed_dtypes import ObservedDtypes
from promo_mypy.plugin.inferred.variables import RebindableVariables
from promo_mypy.plugin.late import late, late_feature
from promo_mypy.plugin.mypy_api.checker import tested_blocks, type_checker
from promo_mypy.plugin.mypy_api.hook_tables import FoundTable, HookTable, MethodTable
from promo_mypy.plugin.mypy_api.modules import hidden_modules, undeclared_functions
from promo_mypy.plugin.mypy_api.modules.untyped_functions import UntypedFunctions
from promo_mypy.plugin.mypy_api.modules.wrapped_functions import WrappedFunctions
from promo_mypy.plugin.mypy_api.nodes.file_start import FilesAhead
from promo_mypy.plugin.mypy_api.nodes.first_calls import FIRST_CALL
from promo_mypy.plugin.mypy_api.symbols import Lookup, Symbols, is_declared
from promo_mypy.plugin.operators import builtin_calls
from promo_mypy.plugin.operators.indexing import indexed_arrays
from promo_mypy.plugin.state.listener import Listener
from promo_mypy.plugin.state.notes import Notes
from promo_mypy.plugin.state.session import Session
from promo_mypy.plugin.state.watch import Watch
from promo_mypy.plugin.transforms import stored_lambdas, transform_rows
from promo_mypy.plugin.transforms.transform_rows import SignatureFeature
from promo_mypy.plugin.trees.syntax_trees import Statements
from promo_mypy.plugin.types.accepted_indices import IndexOverloads
from promo_mypy.plugin.user_functions import UserFunctions
from promo_mypy.rules.functions.torch import distributions

with late():
    from promo_mypy.plugin import recorded_hooks
    from promo_mypy.plugin.inferred import annotated_numbers, overridden_members, rebound_attributes
    from promo_mypy.plugin.layers import registered_buffers
    from promo_mypy.plugin.operators.variables import annotated_arrays


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
        symbols, self._watch = Symbols(lookup), Watch(self._first_hook, config.for_module)
        self._symbols, ahead = symbols, FilesAhead(self._announced, config.profile.modules)
        self._with_tests: dict[str, Statements] = {}
        """The files that mypy is going to check, whose conditions about dtypes are found already."""
        self._untyped = UntypedFunctions(symbols)
        self._wrapped = WrappedFunctions(symbols)
        self.observed = ObservedDtypes(symbols, config, platform, bodies, notes.observed)
        self._assumed = AssumedParameters(symbols, platform, self.observed)
        self.session = session = Session(symbols, config, platform, self._watch, listener, notes)
        self._users = UserFunctions(session, bodies)
        self._rows = rows = FunctionHooks(session)
        self._functions = HookTable(_hooks(FUNCTIONS, session))
        self._methods = _methods(session, rows, self._users.bodies)
        self._method_signatures, self._function_signatures = _signatures(session, rows)
        of_array = late_feature("operators.variables.kept_attributes", "infer")
        of_buffer = partial(late_feature("layers.registered_buffers", "infer"), otherwise=of_array)
        self._array_attribute, self._buffer_attribute = guarded(of_array, session), guarded(of_buffer, session)
        self._attributes = attributes = _attributes(session, rows, self._buffer_attribute)
        self._annotations = annotations = Annotations(session, ahead.announce)
        self._marking = (annotations.mark, self._wrapped.mark)
        self.hooks: Mapping[str, Callable[[str], Any]] = {
            "get_customize_class_mro_hook": CLASSES.get,
            "get_dynamic_class_hook": ahead.hooks.__getitem__,
            "get_type_analyze_hook": annotations.hooks.__getitem__,
            "get_function_hook": self._function,
            "get_function_signature_hook": self._function_signatures.__getitem__,
            "get_method_hook": self._method,
            "get_method_signature_hook": self._method_signatures.__getitem__,
            "get_attribute_hook": attributes.__getitem__,
            **(self._recorded_hooks() if config.profile.modules else {}),
        }

    def _recorded_hooks(self) -> Mapping[str, Callable[[str], Any]]:
        """The look-ups of results and attributes, for a run with a profile."""
        after = recorded_hooks.RecordedHooks(self.observed, self.session).after
        return {
            "get_function_hook": after(self._function, type_checker.function_hook),
            "get_method_hook": after(self._method, type_checker.method_hook),
            "get_attribute_hook": after(self._attributes.__getitem__, type_checker.attribute_hook),
        }

    def mark(self, module: MypyFile, modules: Mapping[str, MypyFile]) -> None:
        """Write facts into a module that mypy's cache would not keep: mypy is about to write it there."""
        for mark in self._marking:
            mark(module, modules)

    def drop_class_caches(self) -> None:
        """Drop the caches about classes: a module was read from its source, and its classes may have changed."""
        self._methods.drop_cache()
        self._method_signatures.drop_cache()
        self._function_signatures.drop_cache()
        self._users.drop_cache()
        self._rows.drop_cache()
        self._annotations.drop_cache()

    def _announced(self, tree: MypyFile) -> None:
        """mypy has bound the names of a file with arrays, and is going to check it."""
        self.observed.find_places(tree)
        self._assumed.narrow(tree, self.session.config.for_module(tree.fullname))
        self._begin_file(tree, is_ahead=True)

    def _begin_file(self, tree: MypyFile, *, is_ahead: bool = False) -> None:
        """Change the syntax tree of a file before it is checked. `is_ahead`: mypy will check it later."""
        self._untyped.annotate(tree)
        self._users.collect(tree, is_ahead=is_ahead)
        jax_scalar_calls.bind_calls(tree, self._symbols)
        hidden_modules.bind_members(tree, self._symbols)
        undeclared_functions.annotate(tree, self._symbols)
        function, parsed = self._symbols.node(FIRST_CALL), Statements(tree.defs)
        if isinstance(function, FuncDef) and self._with_tests.pop(tree.fullname, None) != parsed:
            tested_blocks.insert(tree, function)
        if is_ahead:
            self._with_tests[tree.fullname] = parsed

    def _first_hook(
        self, tree: MypyFile, modules: Mapping[str, MypyFile], of_file: RebindableVariables | None
    ) -> RebindableVariables:
        """mypy has called the first hook for a file. Return the types of its unannotated variables.

        `of_file`: those of the running check of the file, if a function of it is checked aside. Its tree is changed
        already, and its statements are read.
        """
        variables = RebindableVariables(tree, modules, self._wrapped, self._announce, of_file)
        if of_file is None:
            self._begin_file(tree)
            rebound_attributes.follow(tree, modules)
            overridden_members.follow(tree, modules)
            annotated_arrays.follow(tree, modules)
            annotated_numbers.follow(tree, modules)
            variables.follow_declared()
        return variables

    def _announce(self, attribute: Var) -> None:
        name = f"{attribute.info.fullname}.{attribute.name}"
        is_of_buffer = is_declared(attribute) and registered_buffers.is_buffer(name, self._symbols)
        self._attributes[name] = self._buffer_attribute if is_of_buffer else self._array_attribute

    def _function(self, fullname: str) -> Callable[[FunctionContext], Type] | None:
        hook = self._functions[fullname]
        if hook is None and fullname not in self._watch.memo.unlisted:
            hook = self._rows.function(fullname)
        return hook or self._users.hook(fullname, type_checker.function_hook)

    def _method(self, fullname: str) -> Callable[[MethodContext], Type] | None:
        if fullname in ARRAY_OPERATORS:
            return None  # the signature hook has inferred the result
        return self._methods[fullname] or self._users.hook(fullname, type_checker.method_hook)


def _methods(session: Session, rows: FunctionHooks, bodies: CalledBodies) -> MethodTable[Callable[[Any], Any]]:
    objects = (f"{cls}.{method}" for cls in names.FUNCTION_OBJECTS for method in names.FUNCTION_OBJECT_METHODS)
    called = partial(registry_calls.infer_object, rows=rows.rows, otherwise=stored_lambdas.infer)
    features: Mapping[str, MethodFeature] = {
        **METHODS,
        **dict.fromkeys(objects, called),
        f"{names.TORCH_MODULE}.__call__": partial(late_feature("layers.torch_modules", "infer_call"), bodies=bodies),
        "functools._Wrapped.__call__": partial(infer_wrapped, rows=rows.rows),
    }
    return MethodTable(_hooks(features, session), session.symbols, rows.method)


def _signatures(
    session: Session, rows: FunctionHooks
) -> tuple[MethodTable[Callable[[Any], Any]], FoundTable[Callable[[Any], Any]]]:
    """The hooks of the signatures of methods, and of functions."""
    exact = ExactSignatures(rows.rows).infer_signature  # one object, which knows the current call
    generic = partial(generic_calls.hook, guarded(generic_calls.infer_signature, session), session.symbols)
    indices = IndexOverloads(lambda: session.watch.types.indices)  # the session caches which overloads accept an index
    of_methods: Mapping[str, SignatureFeature] = {
        **SIGNATURES,
        **{name: partial(exact, arguments=count) for name, count in names.EXACT_OBJECTS.items()},
        **dict.fromkeys(number_parameters.METHODS, number_parameters.widen),
        f"{names.NUMPY_ARRAY}.__getitem__": lambda ctx, session: indices.signature(ctx),  # noqa: ARG005 -- as all hooks
        **{f"{names.TORCH_TENSOR_BASE}.{name}": indexed_arrays.take_index for name in ("__getitem__", "__setitem__")},
    }
    of_functions: Mapping[str, SignatureFeature] = {
        **transform_rows.FUNCTION_SIGNATURES,
        **dict.fromkeys(builtin_calls.CHOOSING, builtin_calls.choose_by_arguments),
        "builtins.abs": builtin_calls.take_any_array,
        "functools.reduce": late_feature("operators.accumulations", "infer_signature"),
        **{name: partial(exact, arguments=count) for name, count in names.EXACT_FUNCTIONS.items()},
        **dict.fromkeys(number_parameters.FUNCTIONS, number_parameters.widen),
        names.JAX_WHERE: number_parameters.widen_for_scalars,
    }
    methods = MethodTable(_hooks(of_methods, session), session.symbols, generic)
    return methods, FoundTable(_hooks(of_functions, session), generic)


def _attributes(
    session: Session, rows: FunctionHooks, of_buffer: Callable[[AttributeContext], Type]
) -> FoundTable[Callable[[Any], Any]]:
    # Operators are looked up most often of all, and the look-up cannot fail, so it is not guarded.
    of_layer = guarded(late_feature("layers.layer_parameters", "infer"), session)
    of_distribution = guarded(late_feature("calls.classes.torch_distributions", "infer_attribute"), session)
    features = {
        **ACCESSES,
        f"{names.NUMPY_ARRAY}.shape": guarded(length_hooks.infer_shape, session),
        **dict.fromkeys(names.TORCH_LAYER_PARAMETERS, of_layer),
        **dict.fromkeys(distributions.members(distributions.ATTRIBUTES), of_distribution),
    }

    def found(fullname: str) -> Callable[[Any], Any] | None:
        row = rows.attribute(fullname)
        if row is not None or session.symbols.info(names.TORCH_MODULE) is None:
            return row
        return of_buffer if registered_buffers.is_buffer(fullname, session.symbols) else None

    return FoundTable(features, found)


def _hooks(features: Mapping[str, Callable[..., Any]], session: Session) -> dict[str, Callable[[Any], Any]]:
    """The hook of each feature under all its names: they share one hook, as there are thousands of names."""
    hooks = {feature: guarded(feature, session) for feature in set(features.values())}
    return {name: hooks[feature] for name, feature in features.items()}
