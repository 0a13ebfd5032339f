"""Without `forbid`, `portable_to` and a listener the session says that no module has a policy."""

from typing import Any

import pytest

from promo_mypy.config import Config, Options, Override
from promo_mypy.plugin.inferred.variables import RebindableVariables
from promo_mypy.plugin.mypy_api.modules.wrapped_functions import WrappedFunctions
from promo_mypy.plugin.mypy_api.symbols import Symbols
from promo_mypy.plugin.state.session import Session
from promo_mypy.plugin.state.watch import Watch


def _session(config: Config, listener: Any = None) -> Session:
    symbols = Symbols(lambda _: None)
    wrapped = WrappedFunctions(symbols)
    watch = Watch(lambda tree, modules, _: RebindableVariables(tree, modules, wrapped), config.for_module)
    return Session(symbols, config, "linux", watch, listener)


@pytest.mark.parametrize(
    ("config", "has_policies"),
    [
        (Config(), False),
        (Config(Options(system="numpy", jax_enable_x64=True)), False),
        (Config(overrides=(Override("a", (("jax_enable_x64", True),)), Override("b", (("forbid", ()),)))), False),
        (Config(Options(forbid=("float64",))), True),
        (Config(Options(portable_to=("jax",))), True),
        (Config(overrides=(Override("a", (("forbid", ("float64",)),)),)), True),
        (Config(overrides=(Override("a", (("portable_to", ("jax",)),)),)), True),
    ],
)
def test_the_session_says_whether_a_module_may_have_a_policy(config: Config, has_policies: bool) -> None:
    assert _session(config).has_policies is has_policies
    assert _session(config, listener=print).has_policies
