"""Find the dtype mistakes of a program for `promo-mypy check`: mypy's errors whose cause is a dtype."""
