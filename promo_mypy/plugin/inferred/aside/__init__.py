"""Ask stock mypy: check a part of a file aside, as mypy does without the plugin."""
