"""The pre-commit hook: run mypy on the files of a commit, with the plugin on even if the configuration does not list
it.
"""

import argparse
import subprocess
import sys


def main() -> int:
    """Run mypy with the given arguments and the plugin; the exit status is mypy's, or 2 if mypy cannot be started."""
    parser = argparse.ArgumentParser(add_help=False, allow_abbrev=False)
    parser.add_argument("--config-file")
    known, arguments = parser.parse_known_args()
    try:
        from promo_mypy.plugin.interface.runs import activated
    except ImportError as error:
        # The import of the plugin fails for an unsupported version of mypy.
        print(f"promo-mypy: {error}", file=sys.stderr)  # noqa: T201 -- a program
        return 2
    try:
        with activated(known.config_file) as config_file:
            command = [sys.executable, "-m", "mypy", "--config-file", config_file, *arguments]
            return subprocess.run(command, check=False).returncode
    except OSError as error:
        print(f"promo-mypy: cannot switch the plugin on for this run: {error}", file=sys.stderr)  # noqa: T201 -- a program
        return 2


if __name__ == "__main__":
    sys.exit(main())
