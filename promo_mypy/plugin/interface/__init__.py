"""What the rest of the project may ask the plugin; tests/test_arrows.py keeps all other parts of it private."""
