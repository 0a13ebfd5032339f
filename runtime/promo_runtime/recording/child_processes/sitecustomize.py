"""Record in the Python processes that a recorded program starts. `recorded_program` puts this folder on their path."""

import sys
from importlib.machinery import PathFinder
from pathlib import Path

sys.path[:] = [each for each in sys.path if Path(each).resolve() != Path(__file__).resolve().parent]
try:
    from promo_runtime.recording.recorded_program import start_in_child
except ImportError:  # another environment, without promo-mypy
    pass
else:
    start_in_child()
# The environment may have a module of this name, too.
_own = PathFinder.find_spec("sitecustomize")
if _own is not None and _own.loader is not None:
    _own.loader.exec_module(sys.modules["sitecustomize"])
