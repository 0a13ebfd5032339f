"""The plugin class: it looks up hooks by name for mypy, and tells mypy's cache what to depend on."""

from collections.abc import Collection
from dataclasses import asdict
from hashlib import sha256
from typing import TYPE_CHECKING, Any, Final

from mypy.nodes import MypyFile
from mypy.options import Options as MypyOptions
from mypy.plugin import Plugin, ReportConfigContext

from promo_mypy.config import Config, ConfigError, Options
from promo_mypy.plugin import error_codes, libraries, names
from promo_mypy.plugin.mypy_api.nodes import first_calls
from promo_mypy.plugin.mypy_api.reports.fatal import stop
from promo_mypy.plugin.process import daemon_fingerprint, environments, gc_tuning, library_versions
from promo_mypy.plugin.process.fingerprint import source_digest

if TYPE_CHECKING:
    from promo_mypy.plugin.features import Features
    from promo_mypy.plugin.state.listener import Listener
    from promo_mypy.plugin.state.notes import Notes
    from promo_mypy.plugin.state.session import Session

assert error_codes.CODES  # importing the module registers the codes with mypy

_DEPENDENCIES: Final = (names.DTYPES, names.RANKS, names.NAMED_TUPLES, names.JOIN_MARKERS)


class PromoPlugin(Plugin):
    """Passes every look-up of a hook to `features` once the build has an array library. Until then mypy's base class
    returns None: a build without arrays looks up as many hooks and should not pay for the plugin.
    """

    def __init__(self, options: MypyOptions) -> None:
        super().__init__(options)
        self._fault: str | None = None
        try:
            self._config = Config.load(options.config_file)
        except ConfigError as error:
            # Raised here it would be shown as a traceback. `stop` reports it with the first file that mypy reads.
            self._config, self._fault = Config(), str(error)
        self._fault = self._fault or environments.reach(options)
        self._config.register_systems()
        daemon_fingerprint.record(self._config, self._fault)
        self.listener: Listener | None = None
        self.bodies: Collection[str] = ()
        """The modules whose functions are checked again for the arguments of a call."""
        self.notes: Notes | None = None
        self._features: Features | None = None
        self._knows_modules = False
        self._digests: dict[Options, str] = {}
        self._files_read = 0

    def set_modules(self, modules: dict[str, MypyFile]) -> None:
        """mypy has found the modules of the build. A worker does not get their names, so it expects arrays."""
        super().set_modules(modules)
        if not self._knows_modules:
            self._start()

    def report_config_data(self, ctx: ReportConfigContext) -> Any:
        """Everything that changes inference in one module. A difference makes mypy check the module again."""
        self._meet(ctx.id)
        if not ctx.is_check and self._modules is not None and self._features is not None:
            self._features.mark(self._modules[ctx.id], self._modules)
        options = self._config.for_module(ctx.id)
        if options not in self._digests:
            # A fault makes the whole cache invalid, so that mypy calls `get_additional_deps`, which reports the fault.
            systems = self._config.systems_of(options)
            everything = f"{asdict(options)} {systems} {source_digest()} {self._fault}"
            self._digests[options] = sha256(everything.encode()).hexdigest()
        seen = self._config.profile.digest(ctx.id)
        return f"{self._digests[options]} {seen}" if seen else self._digests[options]

    def get_additional_deps(self, file: MypyFile) -> list[tuple[int, str, int]]:
        """Array libraries bring promo-mypy's dtype classes into the build, and modules that mypy does not find."""
        fault = self._fault or library_versions.fault(file.fullname, file.path)
        if fault is not None:
            stop(fault)
        self._meet(file.fullname)
        self._files_read += 1
        if self._features is not None:
            self._features.drop_class_caches()
            if self._files_read >= gc_tuning.MANY_FILES and not self.options.fine_grained_incremental:
                gc_tuning.collect_seldom()
        first_calls.call_ahead(file)
        if file.fullname in libraries.MODULES:
            hidden = [module for name, module in names.HIDDEN_MODULES.items() if name.startswith(f"{file.fullname}.")]
            marks = [names.VALUE_MARKS] if file.fullname == "numpy" else []
            return [(10, module, -1) for module in (*_DEPENDENCIES, *marks, *hidden)]
        return []

    def _meet(self, module: str) -> None:
        """Note that a module belongs to the build. mypy reports each module, read or cached, before its types."""
        self._knows_modules = True
        if self._features is None and module in libraries.MODULES:
            self._start()

    @property
    def session(self) -> "Session | None":
        """The session of the run; None while no module has arrays."""
        return self._features.session if self._features is not None else None

    def _start(self) -> None:
        from promo_mypy.plugin.features import Features

        lookup, platform = self.lookup_fully_qualified, self.options.platform
        self._features = Features(lookup, self._config, platform, self.listener, self.bodies, self.notes)
        for question, answer in self._features.hooks.items():
            setattr(self, question, answer)


def plugin(_version: str) -> type[Plugin]:
    """mypy's entry point. Its argument is the version of the running mypy."""
    return PromoPlugin
