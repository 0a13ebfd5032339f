"""The command line `promo-mypy`."""

import sys

from promo_mypy.cli.repeated import kept_answer, print_again


def main() -> None:
    """Run the command line of this process, and exit."""
    if (answer := kept_answer()) is not None:
        print_again(answer)
    from promo_mypy.cli.app import main as run  # the import takes longer than an unchanged check

    try:
        run()
    except SystemExit as exited:
        if "mypy.build" in sys.modules and isinstance(exited.code, int | None):
            from promo_mypy.cli.leaving import leave

            leave(exited.code or 0)
        raise
