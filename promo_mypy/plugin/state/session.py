"""Hold what every feature needs beside its mypy context: the build's symbols and the user's options."""

from collections.abc import Callable
from dataclasses import field

from mypy.plugin import CheckerPluginInterface
from mypy.types import Instance, Type

from promo_mypy.config import LIBRARY, POLICIES, Config, Options
from promo_mypy.plugin.late import late
from promo_mypy.plugin.libraries import Library
from promo_mypy.plugin.mypy_api.checker.type_checker import module_name
from promo_mypy.plugin.mypy_api.symbols import Symbols
from promo_mypy.plugin.state.listener import Listener
from promo_mypy.plugin.state.notes import Notes
from promo_mypy.plugin.state.watch import Watch
from promo_mypy.plugin.types.array_types import FACTS, Value, read, written_out
from promo_mypy.rules.promotion import PromotionSystem
from promo_mypy.rules.records import record
from promo_mypy.rules.systems import get_system

with late():
    from promo_mypy.plugin.types import dtype_mentions


@record
class Session:
    """One run of mypy: symbols, options, platform ("linux", "win32" ...), and the state of the file being checked.

    `listener` is called for every operation of known dtype in modules that should be portable. `has_policies`: whether
    any module may have a policy, `forbid` or `portable_to`. Otherwise neither is looked up. `notes` are for a tool.
    """

    symbols: Symbols
    config: Config
    platform: str
    watch: Watch
    listener: Listener | None = None
    notes: Notes = field(default_factory=Notes)
    has_policies: bool = field(init=False)

    def __post_init__(self) -> None:
        changes = (dict(override.changes) for override in self.config.overrides)
        options = self.config.options
        policies = (options.forbid, options.portable_to, *(c.get(key) for c in changes for key in POLICIES))
        object.__setattr__(self, "has_policies", any(policies) or self.listener is not None)

    def options(self, api: CheckerPluginInterface) -> Options:
        """The options of the module being checked."""
        return self.config.for_module(module_name(api))

    def canonical(self, typ: Type) -> Type:
        """One object for all equal array types; any other type as it is."""
        known = self.watch.types.canonical
        found = known.get(typ)
        if found is None:
            written = written_out(typ)
            found = known[typ] = known.setdefault(written, written)
        return found

    def values(self, typ: Type) -> tuple[Value, ...] | None:
        """The result of `read` for a type, cached."""
        known = self.watch.types.values
        if typ not in known:
            known[typ] = read(typ, self.platform)
        return known[typ]

    def facts(self, typ: Type) -> int:
        """A number for what the rules read of a type: the same for types that stand for the same values."""
        known = self.watch.types
        found = known.facts.get(typ)
        if found is None:
            values = self.values(typ)
            read_of_them = None if values is None else tuple(map(FACTS, values))
            found = known.facts[typ] = known.numbers.setdefault(read_of_them, len(known.numbers))
        return found

    def marked(self, typ: Type, mark: Callable[[Type, Symbols, str], Type]) -> Type:
        """The type as a function of `value_marks` marks it, cached if it is one class."""
        if type(typ) is not Instance:  # equal unions may differ in the order of their members
            return mark(typ, self.symbols, self.platform)
        known = self.watch.types.marked
        found = known.get((mark, typ))
        if found is None:
            found = known[mark, typ] = mark(typ, self.symbols, self.platform)
        return found

    def mentions_dtype(self, typ: Type) -> bool:
        """The result of `mentions_dtype`. mypy checks the current function again when a field changes it."""
        return dtype_mentions.mentions_dtype(typ, self.platform, self.watch.depend_on_fields)

    def system(self, library: Library, api: CheckerPluginInterface) -> PromotionSystem:
        """The promotion system that arrays of that library follow in the module being checked."""
        return self.system_in(module_name(api), library)

    def own_system(self, library: Library, api: CheckerPluginInterface) -> PromotionSystem:
        """The promotion system of the library itself under the options of the module being checked."""
        options = self.options(api)
        return get_system(own_system_name(options, library), torch_default_dtype=options.torch_default_dtype)

    def system_in(self, module: str, library: Library) -> PromotionSystem:
        """The promotion system that arrays of that library follow in a module."""
        options = self.config.for_module(module)
        return get_system(system_name(options, library), torch_default_dtype=options.torch_default_dtype)


def system_name(options: Options, library: Library) -> str:
    """The configured system, or the library's own system under the options."""
    return own_system_name(options, library) if options.system == LIBRARY else options.system


def own_system_name(options: Options, library: Library) -> str:
    """The library's own system under the options."""
    if library is not Library.JAX:
        return str(library.value)
    if options.jax_numpy_dtype_promotion == "strict":
        return "jax-strict"
    return "jax" if options.jax_enable_x64 else "jax-x32"
