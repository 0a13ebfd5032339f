"""`python -m promo_mypy.cli`, the same as `promo-mypy`."""

import sys

if not sys.flags.safe_path:
    # The current folder has the code under check: a `rich.py` in it must not be imported in place of the library.
    del sys.path[0]

from promo_mypy.cli.app import main

main()
