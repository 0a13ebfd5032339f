"""A fault in the configuration to mypy's one way of ending a run with a message.

Outside mypy's public plugin surface: an exception of any other kind is shown as a crash of the plugin.
(tests/plugin/runs/test_options.py)
"""

from typing import NoReturn

from mypy.errors import CompileError as CompileError


def stop(message: str) -> NoReturn:
    """End the run with one error."""
    raise CompileError([message], use_stdout=True)
