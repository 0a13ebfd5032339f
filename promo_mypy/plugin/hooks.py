"""The plugin class: mypy's questions, answered by looking names up, and what mypy's cache has to know."""

from collections.abc import Callable
from dataclasses import asdict
from typing import TYPE_CHECKING, Any, Final

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
from promo_mypy.plugin import environments, error_codes, names
from promo_mypy.plugin.fingerprint import source_digest
from promo_mypy.plugin.stop import stop

if TYPE_CHECKING:
    from promo_mypy.plugin.features import Features

assert error_codes.CODES  # importing the module registers the codes with mypy

_DEPENDENCIES: Final = (names.DTYPES, names.RANKS)


class PromoPlugin(Plugin):
    """Hands every question to `features`, once the build has an array library in it; holds no other state."""

    def __init__(self, options: MypyOptions) -> None:
        super().__init__(options)
        self._fault: str | None = None
        try:
            self._config = Config.load(options.config_file)
        except ConfigError as error:
            # Raised here it would be a traceback; the first file that mypy looks at says it properly.
            self._config, self._fault = Config(), str(error)
        self._fault = self._fault or environments.reach(options)
        self._features: Features | None = None

    def _loaded(self) -> "Features | None":
        # A build without arrays asks as often as one with them, and should not pay for our tables.
        if self._features is None and self._modules and not self._modules.keys().isdisjoint(names.LIBRARIES):
            from promo_mypy.plugin.features import Features

            self._features = Features(self.lookup_fully_qualified, self._config, self.options.platform)
        return self._features

    def report_config_data(self, ctx: ReportConfigContext) -> Any:
        """Everything that changes inference in one module; a difference makes mypy check it again."""
        if not ctx.is_check and self._modules is not None and (features := self._loaded()) is not None:
            features.mark(self._modules[ctx.id], self._modules)
        # With a fault nothing in the cache is good, so that mypy asks for dependencies, where the fault is reported.
        options = asdict(self._config.for_module(ctx.id))
        return {"options": options, "source": source_digest(), "fault": self._fault}

    def get_additional_deps(self, file: MypyFile) -> list[tuple[int, str, int]]:
        """Array libraries bring our dtype classes into the build."""
        if self._fault is not None:
            stop(self._fault)
        if file.fullname in names.LIBRARIES:
            return [(10, module, -1) for module in _DEPENDENCIES]
        return []

    def get_customize_class_mro_hook(self, fullname: str) -> Callable[[ClassDefContext], None] | None:
        """Array classes become generic in their dtype."""
        features = self._loaded()
        return features.classes.get(fullname) if features is not None else None

    def get_type_analyze_hook(self, fullname: str) -> Callable[[AnalyzeTypeContext], Type] | None:
        """Annotations."""
        features = self._loaded()
        return features.type(fullname) if features is not None else None

    def get_function_hook(self, fullname: str) -> Callable[[FunctionContext], Type] | None:
        """Results of functions."""
        features = self._loaded()
        return features.function(fullname) if features is not None else None

    def get_method_hook(self, fullname: str) -> Callable[[MethodContext], Type] | None:
        """Results of methods."""
        features = self._loaded()
        return features.method(fullname) if features is not None else None

    def get_attribute_hook(self, fullname: str) -> Callable[[AttributeContext], Type] | None:
        """Types of attributes."""
        features = self._loaded()
        return features.attribute(fullname) if features is not None else None

    def get_method_signature_hook(self, fullname: str) -> Callable[[MethodSigContext], FunctionLike] | None:
        """Signatures of NumPy's overloaded methods."""
        features = self._loaded()
        return features.signature(fullname) if features is not None else None


def plugin(_version: str) -> type[Plugin]:
    """mypy's entry point; it gives the version of the running mypy."""
    return PromoPlugin
