"""Record a profile by executing a source: what `pytest --promo-record` writes, in this process."""

import ast
from collections.abc import Callable
from typing import Any

from promo_mypy.rules.profiles import Profile
from promo_runtime.recording.recorded_sources import SEE
from promo_runtime.recording.recorder import Recorder


def recorded(source: str, module: str, use: Callable[[dict[str, Any]], object]) -> Profile:
    """The profile of a module after `use`, which gets its namespace."""
    recorder = Recorder(lambda: "here")
    tree = recorder.instrument(ast.parse(source), source, module)
    namespace: dict[str, Any] = {"__name__": module, SEE: recorder.see}
    exec(compile(tree, f"{module}.py", "exec", dont_inherit=True), namespace)
    use(namespace)
    return recorder.profile()
