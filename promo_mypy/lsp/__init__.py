"""Answer editors over the Language Server Protocol: findings, hints, hovers and fixes of unsaved code.

The server talks to the editor. It runs one worker process for each folder, which runs mypy.
"""
