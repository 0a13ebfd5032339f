"""What mypy and the plugin know about every array expression of a program: behind `promo-mypy infer` and `coverage`."""
