"""What people read: diagnostics, why a library refuses an operation, and what to write instead."""
