"""End a run of mypy with a message about a fault in the configuration.

Outside mypy's public plugin surface: mypy shows any other exception as a crash of the plugin.
(tests/plugin/runs/test_options.py)
"""

from typing import NoReturn

from mypy.errors import CompileError as CompileError


def stop(message: str) -> NoReturn:
    """End the run with one error."""
    raise CompileError([message], use_stdout=True)
