"""`python -m promo_mypy.cli`, the same as `promo-mypy`."""

from promo_mypy.cli import main

main()
