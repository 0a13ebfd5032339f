"""The plugin class: a table from qualified name to feature, and what mypy's cache has to know."""

from collections.abc import Callable, Mapping
from dataclasses import asdict
from functools import partial
from typing import Any, Final

from mypy.nodes import MypyFile
from mypy.options import Options as MypyOptions
from mypy.plugin import (
    AnalyzeTypeContext,
    AttributeContext,
    ClassDefContext,
    FunctionContext,
    MethodContext,
    MethodSigContext,
    Plugin,
    ReportConfigContext,
)
from mypy.types import FunctionLike, Type

from promo_mypy.config import Config, ConfigError
from promo_mypy.plugin import (
    builtin_calls,
    environments,
    error_codes,
    generic_arrays,
    method_rows,
    names,
    operators,
    transforms,
)
from promo_mypy.plugin.annotations import Annotations
from promo_mypy.plugin.fingerprint import source_digest
from promo_mypy.plugin.method_lookup import MethodLookup
from promo_mypy.plugin.mypy_internals import Watch, stop
from promo_mypy.plugin.open_variables import RebindableVariables
from promo_mypy.plugin.session import Session
from promo_mypy.plugin.symbols import Symbols
from promo_mypy.rules.operators import OPERATORS

assert error_codes.CODES  # importing the module registers the codes with mypy

MethodFeature = Callable[..., Type]  # (MethodContext, session=Session)
FunctionFeature = Callable[..., Type]  # (FunctionContext, session=Session)
SignatureFeature = Callable[..., FunctionLike]  # (MethodSigContext, session=Session)

_CLASSES: Final[Mapping[str, Callable[[ClassDefContext], None]]] = {
    **dict.fromkeys((*names.GENERIC_ARRAYS, *names.GENERIC_UPDATES), generic_arrays.make_generic),
    names.NUMPY_ARRAY: generic_arrays.open_operators,
    **dict.fromkeys(names.TORCH_MODES, transforms.accept_function),
}

_METHODS: Final[Mapping[str, MethodFeature]] = dict(method_rows.METHODS) | {
    f"{cls}.{operator.method}": partial(operators.infer_result, operator=operator)
    for cls in (names.JAX_ARRAY, names.TORCH_TENSOR, names.TORCH_TENSOR_BASE)
    for operator in OPERATORS.values()
} | {
    method: partial(builtin_calls.infer_equality, operator=operator)
    for method, operator in builtin_calls.EQUALITY.items()
} | {f"{names.FUNCTOOLS_PARTIAL}.__call__": transforms.infer_partial_call}

_SIGNATURES: Final[Mapping[str, SignatureFeature]] = {
    f"{cls}.{operator.method}": partial(operators.infer_signature, operator=operator)
    for cls in (names.NUMPY_ARRAY, *names.NUMPY_SCALARS)
    for operator in OPERATORS.values()
}

_FUNCTIONS: Final[Mapping[str, FunctionFeature]] = {
    function: partial(builtin_calls.infer_call, operator=operator)
    for function, operator in builtin_calls.BUILTINS.items()
} | {
    names.JAX_JIT: transforms.infer_jit,
    **dict.fromkeys(names.SAME_SIGNATURE, transforms.infer_same),
    **dict.fromkeys(names.TORCH_MODES, transforms.infer_mode),
}

_DEPENDENCIES: Final = (names.DTYPES, names.RANKS)
_NEEDING: Final = frozenset({"numpy", "jax", "torch"})


class PromoPlugin(Plugin):
    """Answers mypy's questions by looking the name up; holds no state but the options."""

    def __init__(self, options: MypyOptions) -> None:
        super().__init__(options)
        self._fault: str | None = None
        try:
            self._config = Config.load(options.config_file)
        except ConfigError as error:
            # Raised here it would be a traceback; the first file that mypy looks at says it properly.
            self._config, self._fault = Config(), str(error)
        self._fault = self._fault or environments.reach(options)
        symbols = Symbols(self.lookup_fully_qualified)
        session = Session(symbols, self._config, options.platform, Watch(lambda tree: RebindableVariables(tree).open_type))
        self._functions = {name: partial(feature, session=session) for name, feature in _FUNCTIONS.items()}
        methods = {name: partial(feature, session=session) for name, feature in _METHODS.items()}
        signatures = {name: partial(feature, session=session) for name, feature in _SIGNATURES.items()}
        self._methods, self._signatures = MethodLookup(methods, symbols), MethodLookup(signatures, symbols)
        attributes = method_rows.ATTRIBUTES
        self._attributes = {name: partial(feature, session=session) for name, feature in attributes.items()}
        self._annotations = Annotations(session)

    def report_config_data(self, ctx: ReportConfigContext) -> Any:
        """Everything that changes inference in one module; a difference makes mypy check it again."""
        if not ctx.is_check and self._modules is not None:
            self._annotations.mark(self._modules[ctx.id], self._modules)
        return {"options": asdict(self._config.for_module(ctx.id)), "source": source_digest()}

    def get_additional_deps(self, file: MypyFile) -> list[tuple[int, str, int]]:
        """Array libraries bring our dtype classes into the build."""
        if self._fault is not None:
            stop(self._fault)
        if file.fullname in _NEEDING:
            return [(10, module, -1) for module in _DEPENDENCIES]
        return []

    def get_customize_class_mro_hook(self, fullname: str) -> Callable[[ClassDefContext], None] | None:
        """Array classes become generic in their dtype."""
        return _CLASSES.get(fullname)

    def get_type_analyze_hook(self, fullname: str) -> Callable[[AnalyzeTypeContext], Type] | None:
        """Annotations."""
        return self._annotations.hook(fullname)

    def get_function_hook(self, fullname: str) -> Callable[[FunctionContext], Type] | None:
        """Results of functions."""
        return self._functions.get(fullname)

    def get_method_hook(self, fullname: str) -> Callable[[MethodContext], Type] | None:
        """Results of methods."""
        return self._methods.get(fullname)

    def get_attribute_hook(self, fullname: str) -> Callable[[AttributeContext], Type] | None:
        """Types of attributes."""
        return self._attributes.get(fullname)

    def get_method_signature_hook(self, fullname: str) -> Callable[[MethodSigContext], FunctionLike] | None:
        """Signatures of NumPy's overloaded methods."""
        return self._signatures.get(fullname)


def plugin(version: str) -> type[Plugin]:
    """mypy's entry point; `version` is that of the running mypy."""
    return PromoPlugin
