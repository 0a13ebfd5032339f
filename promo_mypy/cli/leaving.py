"""Leave the process without freeing its memory: for mypy's trees and types that takes a third of a small check."""

import atexit
import os
import sys
import threading


def leave(status: int) -> None:
    """Exit with a status, as mypy's own command does. Return where only a usual exit does everything that is left.

    What is registered for the exit runs. A stream that cannot be written to is reported by the usual exit, which also
    waits for other threads.
    """
    if threading.active_count() > 1:
        return
    atexit._run_exitfuncs()
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    except (OSError, ValueError):  # a closed pipe, a full disk; a closed stream
        return
    os._exit(status)
