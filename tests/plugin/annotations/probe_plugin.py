"""A mypy plugin for tests: it reports what `array_types.read` returns for the argument of `dtypes_of`."""

from collections.abc import Callable

from mypy.options import Options
from mypy.plugin import FunctionContext, Plugin
from mypy.types import Type

from promo_mypy.plugin.types.array_types import read


class ProbePlugin(Plugin):
    """Hooks one function."""

    def __init__(self, options: Options) -> None:
        super().__init__(options)
        self._platform = options.platform

    def get_function_hook(self, fullname: str) -> Callable[[FunctionContext], Type] | None:
        """`probe.dtypes_of`."""
        return self._report if fullname == "probe.dtypes_of" else None

    def _report(self, ctx: FunctionContext) -> Type:
        values = read(ctx.arg_types[0][0], self._platform)
        if values is None:
            text = "unknown"
        else:
            parts = [f"{value.form.name} {' '.join(sorted(d.name for d in value.dtypes))}" for value in values]
            text = " | ".join(parts)
        ctx.api.fail(f"read: {text}", ctx.context)
        return ctx.default_return_type


def plugin(_version: str) -> type[Plugin]:
    """mypy's entry point."""
    return ProbePlugin
